package link

// Beside tells what stands beside the machine shown, and how the two compare. Where a field has two elements, the first one is of the machine
// shown. A Frame has the second machine's in Second.
type Beside struct {
	Second  Standing `json:"second"`
	Setup   *Setup   `json:"setup,omitempty"` // of the second machine, nil where it has the first one's
	Read    int64    `json:"read,omitempty"`  // how many of the Size bytes of a second capture were read
	Size    int64    `json:"size,omitempty"`
	Places  int64    `json:"places,omitempty"`  // how many places of it could not be read
	Pace    string   `json:"pace,omitempty"`    // by what the two captures are in step; "" until both were read
	Apart   []string `json:"apart,omitempty"`   // the handlers, if each one has an informer of its own there
	Time    int64    `json:"time"`              // how far the two were compared, nanoseconds
	Done    bool     `json:"done,omitempty"`    // to the end
	Count   int64    `json:"count"`             // how many differences there are
	Differs []Differ `json:"differs,omitempty"` // the first MaxDiffers of them, in the order of the run
	Calls   []Calls  `json:"calls,omitempty"`   // of the handlers that both machines have
	Costs   []Cost   `json:"costs,omitempty"`
	Caches  []Cached `json:"caches,omitempty"` // where the caches differ in the end: the first MaxDiffers keys
	Cached  int      `json:"cached,omitempty"` // how many keys these are in all
}

// MaxDiffers is how many differences a Beside has.
const MaxDiffers = 200

// Differ is a place among the calls of a handler for a key where each machine makes
// calls that the other doesn't make there.
type Differ struct {
	Handler string `json:"handler"`
	Key     string `json:"key"`
	Time    int64  `json:"time"`            // of the first of the calls, nanoseconds
	First   []Call `json:"first,omitempty"` // the first few
	Second  []Call `json:"second,omitempty"`
	More    []int  `json:"more,omitempty"` // how many more there are
}

// Call is a call of a handler.
type Call struct {
	Func  string `json:"func"` // OnAdd, OnUpdate, OnDelete
	OldRV string `json:"oldRV,omitempty"`
	RV    string `json:"rv"`
	Tomb  bool   `json:"tomb,omitempty"`
	First bool   `json:"first,omitempty"` // the object is in the initial list
	Time  int64  `json:"time"`
	Step  int64  `json:"step"`
}

// Calls is how many calls of a handler the machines have made, and how many differences
// there are among them.
type Calls struct {
	Handler string  `json:"handler"`
	Of      []int64 `json:"of"`
	Differ  int64   `json:"differ"`
}

// Cost is something that the engine counts. The catalogues have it under "ui.cost." and
// its ID.
type Cost struct {
	ID    string  `json:"id"`
	Times bool    `json:"times,omitempty"` // it is a time, in nanoseconds
	Lock  string  `json:"lock,omitempty"`  // of this lock
	Of    []int64 `json:"of"`
}

// Cached is a key that the two caches don't hold in the same version. A resourceVersion
// is empty where the key is not cached.
type Cached struct {
	Key    string `json:"key"`
	First  string `json:"first,omitempty"`
	Second string `json:"second,omitempty"`
}

// Reached is how far a station is, compared with the server.
type Reached struct {
	Name   string `json:"name"`             // StationServer, StationReflector, StationStore, StationWork for what a worker has written last, or the name of a handler
	Of     int    `json:"of"`               // the ID of the handler's listener, -1 for others
	RV     string `json:"rv"`               // "" for none yet
	Behind int64  `json:"behind,omitempty"` // how many revisions the station is behind the server's newest change
	Time   int64  `json:"time,omitempty"`   // how long the server has had a change that the station hasn't reached, in ns
}

// SeekDiffer goes to a difference between the two machines.
type SeekDiffer struct {
	Differ int `json:"differ,omitempty"` // its number
}

func (SeekDiffer) op() {}
