// Package link is what the page and the worker say to each other. The page
// sends a Request; the worker answers with Replies, each one transferable
// buffer of JSON. It is plain Go: how bytes cross is wasm/dom's.
package link

// Op is what the page asks for.
type Op string

const (
	OpOpen     Op = "open"     // open a trace: URL, or the files sent beside the request
	OpCancel   Op = "cancel"   // stop loading; what was read stays
	OpStep     Op = "step"     // N units of Unit on, or back where N is negative
	OpSeek     Op = "seek"     // to step N
	OpTime     Op = "time"     // to the last step at or before Time
	OpInformer Op = "informer" // look at informer N, at the same virtual time
	OpSetup    Op = "setup"    // run again with Setup
	OpWindow   Op = "window"   // the page shows other parts of long lists: Window
	OpInspect  Op = "inspect"  // the JSON of object version Ref, and what changed
	OpTimeline Op = "timeline" // Buckets columns over Axis
	OpQuery    Op = "query"    // ask the indexer: Query
	OpDiscover Op = "discover" // look for a cluster beside the page
	OpFollow   Op = "follow"   // watch it: Follow. OpCancel ends that; what was seen stays
	OpSave     Op = "save"     // make a file of what is open, without Redact
	OpPainted  Op = "painted"  // what it told last is on the screen
	OpLine     Op = "line"     // play the line of script Line where the viewer is
	OpLane     Op = "lane"     // do Lane to lane N
)

// Unit is how far one step goes.
type Unit string

const (
	Micro      Unit = "micro"     // one actor's next visible point
	Operation  Unit = "operation" // until an actor has finished what it does: an event taken in, a Pop, a handler call …
	WatchEvent Unit = "event"     // until the reflector has received the next watch event or list
)

// Units lists them, the smallest first.
var Units = []Unit{Micro, Operation, WatchEvent}

// Request goes from the page to the worker.
type Request struct {
	ID      int     `json:"id"` // Replies to it carry it
	Op      Op      `json:"op"`
	URL     string  `json:"url,omitempty"`
	Name    string  `json:"name,omitempty"` // the file's name, for display
	Unit    Unit    `json:"unit,omitempty"`
	N       int64   `json:"n,omitempty"`
	Time    int64   `json:"time,omitempty"` // nanoseconds since the trace's start
	Ref     int32   `json:"ref,omitempty"`
	Setup   *Setup  `json:"setup,omitempty"`
	Window  *Window `json:"window,omitempty"`
	Axis    Axis    `json:"axis,omitempty"`
	Buckets int     `json:"buckets,omitempty"`
	Query   *Query  `json:"query,omitempty"`
	Follow  *Follow `json:"follow,omitempty"`
	Redact  *Redact `json:"redact,omitempty"`
	Line    string  `json:"line,omitempty"`
	Lane    LaneOp  `json:"lane,omitempty"`
}

// LaneOp is what the viewer does to a lane.
type LaneOp string

const (
	ShowLane   LaneOp = "show"   // at the moment at which the viewer is
	RenameLane LaneOp = "rename" // to Name
	DropLane   LaneOp = "drop"
	UndoLane   LaneOp = "undo" // take back what the viewer did last
	RedoLane   LaneOp = "redo"
)

// Axis is what a timeline's x means.
type Axis string

const (
	ByTime Axis = "time"
	ByStep Axis = "step"
)

// Axes lists them.
var Axes = []Axis{ByStep, ByTime}

// Setup is what the viewer decides about the process that the trace plays to.
type Setup struct {
	Profile  string    `json:"profile"` // the Name of a Profile
	Handlers []Handler `json:"handlers"`
	Index    string    `json:"index"`    // the label that the second index is over; "namespace" is always there
	Resync   int64     `json:"resync"`   // the informer's default resync period in ns
	Workers  int       `json:"workers"`  // how many
	WorkTime int64     `json:"workTime"` // nanoseconds that a reconcile takes
}

// Handler is one ResourceEventHandler. Times are nanoseconds.
type Handler struct {
	Name      string `json:"name"`
	Takes     int64  `json:"takes"`               // for each call
	Resync    int64  `json:"resync"`              // the resync period that it asks for, 0 for none
	From      int64  `json:"from,omitempty"`      // joins that long after the start; 0: before the informer runs
	Workqueue bool   `json:"workqueue,omitempty"` // each call puts the key on the workqueue
	Recorded  bool   `json:"recorded,omitempty"`  // stands for a handler of the recorded process: calls take what they took there
}

// Window says which parts of long lists the page shows.
type Window struct {
	Tape      int `json:"tape"`      // watch events
	Queue     int `json:"queue"`     // rows
	QueueFrom int `json:"queueFrom"` // first row
	Store     int `json:"store"`     // tiles; a larger cache comes as a density map
	StoreFrom int `json:"storeFrom"`
	Pending   int `json:"pending"` // of each listener
	Work      int `json:"work"`    // rows of each of the workqueue's sets
}

// Query is a question to the indexer.
type Query struct {
	Func  string `json:"func"` // ByIndex, IndexKeys, ListIndexFuncValues, GetByKey
	Index string `json:"index,omitempty"`
	Value string `json:"value,omitempty"` // the indexed value, or the key
}
