package link

import "strconv"

// Frame is everything that is on the stage at one step, and what the step moved.
// Things go from one place of the stage to another: the functions PlaceTape,
// PlaceRow … name them, elements carry the names, and moves refer to them.
type Frame struct {
	Step     int64  `json:"step"`  // 0 is before the first
	Steps    int64  `json:"steps"` // known so far
	Complete bool   `json:"complete"`
	Break    string `json:"break,omitempty"`   // the expression at which playing has stopped
	Starved  bool   `json:"starved,omitempty"` // the next step waits for the file to be read on
	Time     int64  `json:"time"`              // nanoseconds since the trace's start
	Next     int64  `json:"next"`              // the time of the next step, or -1 if it isn't known
	End      int64  `json:"end"`
	Informer int    `json:"informer"`
	Dir      int    `json:"dir"` // 1: one unit forward; -1: one unit back, where Moves are those of the unit undone; 0: a jump

	Said  Sentence  `json:"said"`          // what the step did
	Why   *Sentence `json:"why,omitempty"` // why it matters
	Actor string    `json:"actor"`         // who did it: an id of Actors, or "nobody" for what was done from outside
	// Aside are the stations that the run has no use for.
	Aside []string `json:"aside,omitempty"`
	Func  string   `json:"func"`            // the client-go function that it stands for
	Code  string   `json:"code,omitempty"`  // what tells which of the engine's source it ran: see web/page/code.js
	Notes []string `json:"notes,omitempty"` // what the trace itself says of this moment
	// Before are the steps before this one, up to MaxBefore of them, the newest last.
	// A Brief frame has none.
	Before []Told `json:"before,omitempty"`
	Brief  bool   `json:"brief,omitempty"`
	// Passed is the most telling of the steps that were made for this frame, which may be
	// the step itself. It is nil if none of them has a mark on the timeline.
	Passed *Told    `json:"passed,omitempty"`
	Moves  []Move   `json:"moves,omitempty"`
	Lit    []string `json:"lit,omitempty"` // places that the step touched

	Server    Server    `json:"server"`
	Wire      Wire      `json:"wire"`
	Reflector Reflector `json:"reflector"`
	Queue     Queue     `json:"queue"`
	Loop      Loop      `json:"loop"`
	Store     Store     `json:"store"`
	Processor Processor `json:"processor"`
	Work      Work      `json:"work"`
	Actors    []Actor   `json:"actors"`
	Process   Process   `json:"process"`
	Reached   []Reached `json:"reached,omitempty"` // the server first, and then in the order in which data meets the stations
	// Second is the second machine's frame at the same point of the server's stream.
	// It has no Second of its own.
	Second *Frame `json:"second,omitempty"`
}

// MaxBefore is how many steps a Frame has in Before.
const MaxBefore = 24

// Told is a step, and what is said of it.
type Told struct {
	Step int64     `json:"step"`
	Said Sentence  `json:"said"`
	Why  *Sentence `json:"why,omitempty"`
	Mark MarkKind  `json:"mark,omitempty"` // of Passed
}

// Chip is an object version as it travels.
type Chip struct {
	T    string `json:"t"` // LetterAdded …
	Key  string `json:"key,omitempty"`
	RV   string `json:"rv,omitempty"`
	Ref  int32  `json:"ref,omitempty"`  // to inspect
	Tomb bool   `json:"tomb,omitempty"` // DeletedFinalStateUnknown
	N    int    `json:"n,omitempty"`    // it stands for so many
	// Name is set where the chip stands for several objects together: ReplacedAll,
	// SyncAll or list.
	Name string `json:"name,omitempty"`
}

// Move is how one thing goes from a place to another.
type Move struct {
	Chip Chip   `json:"chip"`
	From string `json:"from"`
	To   string `json:"to"`
	How  How    `json:"how,omitempty"`
}

// Server shows the API server.
type Server struct {
	RV    string `json:"rv"`    // the newest that it has sent
	Tape  []Tape `json:"tape"`  // newest first
	Sent  int    `json:"sent"`  // watch events so far
	Total int    `json:"total"` // in the trace, as far as it has been read; -1 for a simulated server
	Next  int64  `json:"next"`  // nanoseconds until the next one arrives, -1 for none

	// Of a simulated server.
	Simulated bool   `json:"simulated,omitempty"`
	Holds     int    `json:"holds,omitempty"`    // objects
	Revision  string `json:"revision,omitempty"` // the cluster's
	Oldest    string `json:"oldest,omitempty"`   // the oldest from which a watch can be served
	Message   string `json:"message,omitempty"`  // what it said in its last error
}

// Tape is one watch event on the server's tape, or the list that comes before it.
type Tape struct {
	N    int   `json:"n"` // counted from 1; 0 for a list
	Chip Chip  `json:"chip"`
	At   int64 `json:"at"` // nanoseconds since the start
	Sent bool  `json:"sent"`
}

// Wire is the connection between the API server and the reflector.
type Wire struct {
	State string `json:"state"`           // WireNone …
	Since int64  `json:"since,omitempty"` // how long nothing has come, in ns
	Left  int64  `json:"left,omitempty"`  // how long it is until the next request, in ns
	Of    int64  `json:"of,omitempty"`    // how long the whole back-off is, in ns; 0 where that isn't known
	After string `json:"after,omitempty"` // of a back-off: what the connection is meanwhile, WireBroken or WireClosed
	Why   *Arg   `json:"why,omitempty"`   // what the server said last, or how the connection failed
}

// Reflector shows the reflector.
type Reflector struct {
	State        string `json:"state"` // StateStart, ReflectorListing …
	RV           string `json:"rv"`    // lastSyncResourceVersion
	Hand         *Chip  `json:"hand,omitempty"`
	Lists        int    `json:"lists"`
	Watches      int    `json:"watches"`
	ResyncIn     int64  `json:"resyncIn"` // -1: no resync
	ResyncPeriod int64  `json:"resyncPeriod"`
	Streams      bool   `json:"streams,omitempty"` // it may ask for streaming lists
	Error        string `json:"error,omitempty"`   // why the last list or watch ended, as the server said it
}

// Queue shows a DeltaFIFO, or a RealFIFO. Each row of a RealFIFO is one delta.
type Queue struct {
	Kind      string   `json:"kind"` // DeltaFIFO, RealFIFO
	Depth     int      `json:"depth"`
	From      int      `json:"from"` // the first row's number
	Rows      []Row    `json:"rows"`
	Populated bool     `json:"populated"`
	Initial   int      `json:"initial"` // initialPopulationCount
	HasSynced bool     `json:"hasSynced"`
	Holder    string   `json:"holder,omitempty"` // the actor that holds the lock
	Waiting   []string `json:"waiting,omitempty"`
	In        int64    `json:"in"`
	Deduped   int64    `json:"deduped"`
	Popped    int64    `json:"popped"`
}

// Row is one key with its Deltas, oldest first.
type Row struct {
	ID     string `json:"id"` // the row's own, as keys can stand in a RealFIFO more than once
	Key    string `json:"key"`
	Deltas []Chip `json:"deltas"`         // the newest ones
	More   int    `json:"more,omitempty"` // how many Deltas there are before these
}

// Loop is the process loop with the Deltas in its hand.
type Loop struct {
	State  string `json:"state"`            // StateStart, LoopWaiting …
	Batch  bool   `json:"batch,omitempty"`  // it pops batches: deltas of different keys
	Key    string `json:"key,omitempty"`    // of the Deltas, where it pops no batches
	Deltas []Chip `json:"deltas,omitempty"` // those around the one that is being applied
	From   int    `json:"from,omitempty"`   // the number of the first of them
	Total  int    `json:"total,omitempty"`  // how many were popped together
	At     int    `json:"at"`               // the number of the one that is being applied
}

// Store is the indexer.
type Store struct {
	Objects int     `json:"objects"`
	From    int     `json:"from"`
	Tiles   []Tile  `json:"tiles,omitempty"`   // in key order, when there are few enough
	Density []int   `json:"density,omitempty"` // otherwise: how many objects are in each cell of a map of all keys in their order
	Heat    []int   `json:"heat,omitempty"`    // and how lately each cell was written, 0–3
	Lit     int     `json:"lit"`               // the cell that the step touched, -1 for none
	Indices []Index `json:"indices"`
	Refuses bool    `json:"refuses,omitempty"` // its key function refuses tombstones
}

// Tile is one cached object.
type Tile struct {
	Key  string `json:"key"`
	RV   string `json:"rv"`
	Ref  int32  `json:"ref"`
	Heat int    `json:"heat"` // 0–3: how lately it was written
}

// Index is one index, with its most frequent values and those that the step changed.
type Index struct {
	Name   string       `json:"name"`
	Values int          `json:"values"` // how many there are
	Top    []IndexValue `json:"top"`
}

// IndexValue is one indexed value.
type IndexValue struct {
	Value string `json:"value"`
	Keys  int    `json:"keys"`
	Lit   string `json:"lit,omitempty"` // "+" or "-": the step filed or removed a key here
}

// Processor is the sharedProcessor.
type Processor struct {
	Hand      *Chip      `json:"hand,omitempty"` // the notification that is being distributed
	Listeners []Listener `json:"listeners"`
	Removes   bool       `json:"removes,omitempty"` // handlers can be removed
	Printed   []Printed  `json:"printed,omitempty"` // the last lines, the newest last
}

// Printed is a line that a handler or a process function has printed.
type Printed struct {
	N    int64  `json:"n"` // counted from 1
	At   int64  `json:"at"`
	By   string `json:"by,omitempty"` // the handler's name, "" for a process function
	Func string `json:"func"`         // OnAdd, OnUpdate, OnDelete, or the delta's type
	Key  string `json:"key,omitempty"`
	Old  string `json:"old,omitempty"` // resourceVersions
	New  string `json:"new,omitempty"`
	Tomb bool   `json:"tomb,omitempty"` // DeletedFinalStateUnknown
}

// Listener is one processorListener with its handler.
type Listener struct {
	ID       int    `json:"id"`
	Name     string `json:"name"`
	Joined   bool   `json:"joined"`         // it is among the processor's listeners, and its goroutines have been started
	Gone     string `json:"gone,omitempty"` // one of Gone, "" while it runs or may still join
	Syncing  bool   `json:"syncing"`
	Resync   int64  `json:"resync"`          // its period, 0 for none
	AddCh    *Chip  `json:"addCh,omitempty"` // offered, and not taken yet
	Slot     *Chip  `json:"slot,omitempty"`
	Pending  int    `json:"pending"`        // length of pendingNotifications
	Ring     int    `json:"ring"`           // its capacity
	Head     []Chip `json:"head,omitempty"` // the next ones of pendingNotifications
	NextCh   *Chip  `json:"nextCh,omitempty"`
	Handler  *Chip  `json:"handler,omitempty"` // being handled
	Func     string `json:"func,omitempty"`    // OnAdd, OnUpdate, OnDelete
	Took     int64  `json:"took,omitempty"`    // how long the call has taken so far, in ns
	Takes    int64  `json:"takes,omitempty"`   // how long it takes altogether, negative if it doesn't return
	Calls    int64  `json:"calls"`
	Behind   int    `json:"behind"`          // notifications on their way to it: slot, pending, in hand
	Feeds    bool   `json:"feeds,omitempty"` // puts keys on the workqueue
	Recorded bool   `json:"recorded,omitempty"`
	Fault    string `json:"fault,omitempty"` // one of Faults, "" for none
}

// Work is the workqueue, its delaying queue and the workers.
type Work struct {
	Queue      []string  `json:"queue"`
	Dirty      []string  `json:"dirty"`
	Processing []string  `json:"processing"`
	Delayed    []Delayed `json:"delayed"`
	Queued     int       `json:"queued"` // the whole length; the lists are windows
	DirtyLen   int       `json:"dirtyLen"`
	Waiting    int       `json:"waiting"`
	Delays     bool      `json:"delays,omitempty"`   // keys can be delayed, as reconciles can fail
	Writes     bool      `json:"writes,omitempty"`   // workers write back to the API server
	Fed        bool      `json:"fed,omitempty"`      // a handler feeds it, and workers take from it
	Fails      int64     `json:"fails,omitempty"`    // how many of the next reconciles commands let fail, negative for all
	FailsKey   string    `json:"failsKey,omitempty"` // whose, "" for any key's
	Adds       int64     `json:"adds"`
	Deduped    int64     `json:"deduped"`
	Workers    []Worker  `json:"workers"`
	Recorded   string    `json:"recorded,omitempty"` // the recorded controller whose queue and workers these are
	Over       bool      `json:"over,omitempty"`     // something happened that the recorded controller has not seen, so its part has ended
	// Controller is what plays a program in each reconcile; nil if there is none.
	Controller *Controller `json:"controller,omitempty"`
	// Priorities are what a priority queue has beside the keys; nil for a workqueue.
	Priorities *Priorities `json:"priorities,omitempty"`
}

// Delayed is a key that waits for its time.
type Delayed struct {
	Key     string `json:"key"`
	Left    int64  `json:"left"` // ns
	Retries int    `json:"retries"`
}

// Priorities are what controller-runtime's priority queue has beside the keys.
type Priorities struct {
	Buffered int    `json:"buffered"` // keys in addBuffer
	Ready    []Rank `json:"ready,omitempty"`
}

// Rank is where a ready key stands.
type Rank struct {
	Priority int    `json:"priority"`
	Behind   string `json:"behind,omitempty"` // a key that came later and is handed out before, as its priority is higher
}

// Worker is one worker.
type Worker struct {
	ID    int    `json:"id"`
	State string `json:"state"` // waiting, reconciling, StateStart, StateCrashed
	Key   string `json:"key,omitempty"`
	Ref   int32  `json:"ref,omitempty"`
	RV    string `json:"rv,omitempty"` // the resourceVersion that the cache held
	Took  int64  `json:"took,omitempty"`
	Takes int64  `json:"takes,omitempty"`
	Fails bool   `json:"fails,omitempty"` // the reconcile has failed, and its key is about to be put back
	Done  int64  `json:"done"`
	At    int    `json:"at,omitempty"`    // the line of the program at which it is
	Waits bool   `json:"waits,omitempty"` // its read waits for the guard
}

// Actor is one goroutine of the real thing.
type Actor struct {
	ID     string   `json:"id"`               // ActorReflector …, with a number if there are several: pop/0
	PC     string   `json:"pc"`               // what it does or is about to do: an actor.PC, which the catalogues name
	Waits  string   `json:"waits,omitempty"`  // what it waits for, an actor.Wait: lock, timer …; "" if it can move
	On     string   `json:"on,omitempty"`     // the name of the lock or channel
	Holder string   `json:"holder,omitempty"` // who holds the lock that it waits for
	Left   int64    `json:"left,omitempty"`   // how long its timer still runs, in ns
	Holds  []string `json:"holds,omitempty"`  // the locks that it holds
	Ready  bool     `json:"ready"`
}

// Fit shows other parts of long lists.
type Fit struct {
	Window Window `json:"window"`
}

func (Fit) op() {}

// Window says which parts of long lists the page shows.
type Window struct {
	Tape      int `json:"tape"`      // watch events
	Queue     int `json:"queue"`     // rows
	QueueFrom int `json:"queueFrom"` // first row
	Store     int `json:"store"`     // tiles; a larger cache is shown as a density map
	StoreFrom int `json:"storeFrom"`
	Pending   int `json:"pending"` // notifications of each listener
	Work      int `json:"work"`    // rows of each of the workqueue's sets
}

// Process shows all informers of the process together.
type Process struct {
	Usage Usage `json:"usage"`
	// Elsewhere is the informer that the step was made in, where that is another
	// one than is shown.
	Elsewhere string `json:"elsewhere,omitempty"`
	// Informers are all of them where the process has several.
	Informers []Small `json:"informers,omitempty"`
	Factory   bool    `json:"factory,omitempty"` // they are those of a SharedInformerFactory
	// Replicas are the processes, where several elect a leader.
	Replicas []Replica `json:"replicas,omitempty"`
}

// Usage is what all informers together cost: open watches, lists and objects decoded so
// far, and objects in the caches.
type Usage struct {
	Watches int64 `json:"watches,omitempty"`
	Lists   int64 `json:"lists,omitempty"`
	Objects int64 `json:"objects,omitempty"`
	Copies  int64 `json:"copies,omitempty"`
}

// Small shows one informer of several in a few numbers.
type Small struct {
	Name     string `json:"name"`
	Wire     string `json:"wire"`           // WireNone …
	Queue    int    `json:"queue"`          // how many rows its queue has
	Cached   int    `json:"cached"`         // objects in its cache
	Held     int    `json:"held"`           // objects on a simulated server, -1 for a recorded one
	Differs  int    `json:"differs"`        // objects that the cache lacks, has too many, or has in another version than a simulated server
	Last     *Chip  `json:"last,omitempty"` // the watch event that it received last
	Handlers int    `json:"handlers"`       // that have joined
	Synced   bool   `json:"synced,omitempty"`
}

// PlaceSmall returns informer n where it is shown small.
func PlaceSmall(n int) string { return "informer/" + strconv.Itoa(n) }

// ReplicaState says what a process does. The catalogues have each behind "ui.replica.".
type ReplicaState string

// The states of a Replica.
const (
	ReplicaLeads  ReplicaState = "leads"
	ReplicaWaits  ReplicaState = "waits"  // for the lease of another one to run out
	ReplicaPaused ReplicaState = "paused" // it doesn't move, and leads if it has led
	ReplicaDown   ReplicaState = "down"
)

// ReplicaStates lists them.
var ReplicaStates = []ReplicaState{ReplicaLeads, ReplicaWaits, ReplicaPaused, ReplicaDown}

// Replica is one of several processes that elect a leader.
type Replica struct {
	Name  string       `json:"name"`
	State ReplicaState `json:"state"`
	Holds bool         `json:"holds,omitempty"` // the Lease names it
	Cut   bool         `json:"cut,omitempty"`   // its requests don't reach the API server
	Left  int64        `json:"left,omitempty"`  // how long the state lasts if nothing happens, in ns; 0 if that isn't known
	Shown bool         `json:"shown,omitempty"` // the informer on the stage is one of its own
}

// Log is what the recorded process logged near the step shown. It comes before the frame of the step, where another
// entry is the last one by then, and never for a trace without a log.
type Log struct {
	Entries []Logged `json:"entries"`
	From    int      `json:"from,omitempty"` // the number of the first of Entries
	Total   int      `json:"total"`          // how many there are in the trace
	By      int      `json:"by,omitempty"`   // how many of them came before the step after the one shown
	Laid    bool     `json:"laid,omitempty"` // the viewer has just laid it over what was open
}

// Logged is an entry of a log.
type Logged struct {
	Time  int64  `json:"time"`  // nanoseconds since the trace's start
	Level string `json:"level"` // a trace.Level
	Text  string `json:"text"`  // may have several lines
}
