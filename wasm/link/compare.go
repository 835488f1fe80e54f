package link

// Second is what stands beside the machine shown. Each of its types is also the operation
// that shows it there. A Second that is nil stands for one machine alone.
type Second interface {
	Op
	second()
}

// What can stand beside the machine shown.
type (
	// SecondProfile is the same input played to another version of client-go.
	SecondProfile struct {
		Profile string
	}
	// SecondResync is the same input played with resyncs, or without them if the machine
	// shown has some.
	SecondResync struct{}
	// SecondSetup is the same input played to another process.
	SecondSetup struct {
		Setup Setup
	}
	// SecondLane is another future, by the ID of its lane. Path leads to that lane, as
	// Lanes.Path does; an address has the Path alone.
	SecondLane struct {
		Lane int
		Path []PathStep
	}
	// SecondApart is a process in which each handler has an informer of its own. The one
	// of Handler is shown, or the first one where there is no such handler.
	SecondApart struct {
		Handler string
	}
	// SecondGuard is the same input played to controllers with another guard, by the name of
	// a guard.Kind.
	SecondGuard struct {
		Guard string
	}
	// SecondCapture is another capture: the file at URL, or the files that are sent
	// beside the request.
	SecondCapture struct {
		URL  string
		Name string // for display; "" for a capture that was pasted
		Size int64  // of the files, in bytes, 0 where that isn't known
		Kind string // of its objects, where they don't say it and the viewer does
	}
)

func (x *SecondProfile) fields(c *coder) { c.fields(&x.Profile) }
func (x *SecondSetup) fields(c *coder)   { c.fields(&x.Setup) }
func (x *SecondLane) fields(c *coder)    { c.fields(&x.Lane, &x.Path) }
func (x *SecondApart) fields(c *coder)   { c.fields(&x.Handler) }
func (x *SecondGuard) fields(c *coder)   { c.fields(&x.Guard) }
func (x *SecondCapture) fields(c *coder) { c.fields(&x.URL, &x.Name, &x.Size, &x.Kind) }

// HideSecond shows one machine again.
type HideSecond struct{}

func (SecondProfile) second() {}
func (SecondResync) second()  {}
func (SecondSetup) second()   {}
func (SecondLane) second()    {}
func (SecondApart) second()   {}
func (SecondGuard) second()   {}
func (SecondCapture) second() {}
func (SecondProfile) op()     {}
func (SecondResync) op()      {}
func (SecondSetup) op()       {}
func (SecondLane) op()        {}
func (SecondApart) op()       {}
func (SecondGuard) op()       {}
func (SecondCapture) op()     {}
func (HideSecond) op()        {}

// SecondMachine tells what stands beside the machine shown, and how the two compare. Where a field has two elements, the first one is of the machine
// shown. A Frame has the second machine's in Second.
type SecondMachine struct {
	Second    Standing
	Setup     *Setup // of the second machine, nil where it has the first one's
	Read      int64  // how many of the Size bytes of a second capture were read
	Size      int64
	Places    int64    // how many places of it could not be read
	Pace      string   // by what the two captures are in step; "" until both were read
	Resource  string   // of the second capture, if it has another name than the first one's
	Namespace string   // whose objects alone are compared; "" for all
	Apart     []string // the handlers, if each one has an informer of its own there
	Time      int64    // how far the two were compared, nanoseconds
	Done      bool     // to the end
	Count     int64    // how many differences there are
	Differs   []Differ // the first MaxDiffers of them, in the order of the run
	Calls     []Calls  // of the handlers that both machines have
	Costs     []Cost
	Caches    []Cached // where the caches differ in the end: the first MaxDiffers keys
	Cached    int      // how many keys these are in all
}

func (x *SecondMachine) fields(c *coder) {
	c.fields(&x.Second, &x.Setup, &x.Read, &x.Size, &x.Places, &x.Pace, &x.Resource, &x.Namespace, &x.Apart, &x.Time, &x.Done,
		&x.Count, &x.Differs, &x.Calls, &x.Costs, &x.Caches, &x.Cached)
}

// MaxDiffers is how many differences a SecondMachine has.
const MaxDiffers = 200

// Differ is a place among the calls of a handler for a key where each machine makes
// calls that the other doesn't make there.
type Differ struct {
	Handler string
	Key     string
	Time    int64  // of the first of the calls, nanoseconds
	First   []Call // the first few
	Second  []Call
	More    []int // how many more there are
}

func (x *Differ) fields(c *coder) {
	c.fields(&x.Handler, &x.Key, &x.Time, &x.First, &x.Second, &x.More)
}

// Call is a call of a handler.
type Call struct {
	Func  string // OnAdd, OnUpdate, OnDelete
	OldRV string
	RV    string
	Tomb  bool
	First bool // the object is in the initial list
	Time  int64
	Step  int64
}

func (x *Call) fields(c *coder) {
	c.fields(&x.Func, &x.OldRV, &x.RV, &x.Tomb, &x.First, &x.Time, &x.Step)
}

// Calls is how many calls of a handler the machines have made, and how many differences
// there are among them.
type Calls struct {
	Handler string
	Counts  []int64
	Differ  int64
}

func (x *Calls) fields(c *coder) { c.fields(&x.Handler, &x.Counts, &x.Differ) }

// Cost is something that the engine counts. The catalogues have it under "ui.cost." and
// its ID.
type Cost struct {
	ID     string
	Times  bool   // it is a time, in nanoseconds
	Lock   string // of this lock
	Values []int64
}

func (x *Cost) fields(c *coder) { c.fields(&x.ID, &x.Times, &x.Lock, &x.Values) }

// Cached is a key that the two caches don't hold in the same version. A resourceVersion
// is empty where the key is not cached.
type Cached struct {
	Key    string
	First  string
	Second string
}

func (x *Cached) fields(c *coder) { c.fields(&x.Key, &x.First, &x.Second) }

// Reached is how far a station is, compared with the server.
type Reached struct {
	Name     string // StationServer, StationReflector, StationStore, StationWork for what a worker has written last, or the name of a handler
	Listener int    // the ID of the handler's listener, -1 for others
	RV       string // "" for none yet
	Behind   int64  // how many revisions the station is behind the server's newest change
	Time     int64  // how long the server has had a change that the station hasn't reached, in ns
}

func (x *Reached) fields(c *coder) { c.fields(&x.Name, &x.Listener, &x.RV, &x.Behind, &x.Time) }

// SeekDiffer goes to a difference between the two machines.
type SeekDiffer struct {
	Differ int // its number
}

func (x *SeekDiffer) fields(c *coder) { c.fields(&x.Differ) }

func (SeekDiffer) op() {}

// CountGuards plays what was done to the run shown with each guard, also with other lags of
// the watch, and counts.
type CountGuards struct{}

func (CountGuards) op() {}

// Guards are what the run shown would come to with each guard.
type Guards struct {
	Rows  []GuardRow
	Total int // how many rows there will be
}

func (x *Guards) fields(c *coder) { c.fields(&x.Rows, &x.Total) }

// GuardRow is what a run comes to with a guard.
type GuardRow struct {
	Guard   string  // the name of a guard.Kind
	Requeue int64   // after which a stale reconcile comes again, in ns; 0 for the back-off of an error
	Lag     int64   // of the watch of the owned objects, in ns; -1 for as it was
	Counts  []int64 // by GuardCounts
	Settled int64   // how long after the last write from outside nothing differs any more, in ns; -1 where it never comes to that
	Waited  int64   // the longest wait of a read, in ns
	Cut     bool    // the run had not ended when counting did
}

func (x *GuardRow) fields(c *coder) {
	c.fields(&x.Guard, &x.Requeue, &x.Lag, &x.Counts, &x.Settled, &x.Waited, &x.Cut)
}

// GuardCounts name a GuardRow's Counts. The catalogues have them behind "ui.tally.".
var GuardCounts = []string{"duplicates", "old", "skipped", "retried", "refused", "requests"}
