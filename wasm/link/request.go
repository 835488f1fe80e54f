// Package link holds what the page and the worker say to each other, and the names
// that both use. The page sends a Request, and the worker answers with Replies. Each
// message is one buffer of JSON, which package dom transfers.
package link

// Op is what the page asks for.
type Op string

const (
	OpOpen     Op = "open"     // open a capture: URL, or the files sent beside the request
	OpCancel   Op = "cancel"   // stop loading; what was read stays
	OpStep     Op = "step"     // go N units of Unit forward, or back if N is negative; with Key, N of the steps that concern it
	OpSeek     Op = "seek"     // go to step N
	OpTime     Op = "time"     // go to the last step at or before Time; with Key, to the last one that concerns it
	OpMark     Op = "mark"     // go to the next mark, or to the one before if N is negative: to one of Marks if there are any
	OpKeys     Op = "keys"     // get the keys that contain Name
	OpInformer Op = "informer" // show informer N at the same virtual time
	OpSetup    Op = "setup"    // run again with Setup
	OpWindow   Op = "window"   // show other parts of long lists: Window
	OpInspect  Op = "inspect"  // get the JSON of object version Ref, and what has changed in it
	OpTimeline Op = "timeline" // get the timeline in Buckets columns over Axis
	OpQuery    Op = "query"    // ask the indexer: Query
	OpDiscover Op = "discover" // look for a cluster beside the page
	OpFollow   Op = "follow"   // follow it: Follow. OpCancel ends that, and what was seen stays
	OpSave     Op = "save"     // make a file of what is open, without what Redact says, or with As a text of the run that is shown
	OpUnsave   Op = "unsave"   // stop making the file that OpSave has asked for with As
	OpPainted  Op = "painted"  // what the worker told last is on the screen
	OpLine     Op = "line"     // play the line of script Line where the viewer is
	OpLane     Op = "lane"     // do Lane to lane N
	OpEnough   Op = "enough"   // stop exploring
	OpCourse   Op = "course"   // get the Course at URL
	OpStop     Op = "stop"     // go to stop N of the lesson: at once, or playing on if Play is set
	OpAnswer   Op = "answer"   // get the answer to the question that is part N of the lesson
	OpControl  Op = "control"  // rewrite line Control of the controls that are part N with Choice
	OpCompare  Op = "compare"  // show the moment of part N in its other version
	OpCheck    Op = "check"    // ask whether exercise N is solved
	OpText     Op = "text"     // get the text of the lesson
	OpRewrite  Op = "rewrite"  // read Line as the lesson's text, and show the moment at line N of it; with Play, check all of it
	OpPredict  Op = "predict"  // get a question about what comes next, or with Play the answer, and go there
	OpSolve    Op = "solve"    // play the solution that is part N
	OpLink     Op = "link"     // get the Way to what is shown, as a link has it
	OpTravel   Op = "travel"   // go the Way that a link has; with ShowLane, the future to which Second leads stands beside
	OpWatch    Op = "watch"    // watch the expressions Watches over the whole run, and no others
	OpRunTo    Op = "runTo"    // go to the next step at which the expression Key comes about, or to the one before if N is negative
	OpPlotted  Op = "plotted"  // make a file of the values of the watched expression Key
	OpMinimise Op = "minimise" // look for the smallest part of the recording in which the expression Key comes about; without a Key, no longer
	OpWhy      Op = "why"      // ask what the thing at the place Name came of, or what is known of Key; without either, no longer
	OpBeside   Op = "beside"   // show a second machine beside the one shown: with Setup that process; with Lane the lane N; with Apart the informer of handler N, when each handler has its own; with a URL or files another capture; with none of these, show one machine again
	OpDiffer   Op = "differ"   // go to difference N between the two
)

// Unit is how far one step goes.
type Unit string

const (
	Micro      Unit = "micro"     // one actor's next visible point
	Operation  Unit = "operation" // until an actor has finished something: taken in an event, popped, called a handler …
	WatchEvent Unit = "event"     // until the reflector has received the next watch event or list
)

// Units lists them, the smallest first.
var Units = []Unit{Micro, Operation, WatchEvent}

// Request goes from the page to the worker.
type Request struct {
	ID      int        `json:"id"` // replies have the same
	Op      Op         `json:"op"`
	URL     string     `json:"url,omitempty"`
	Name    string     `json:"name,omitempty"` // the file's name, for display
	Unit    Unit       `json:"unit,omitempty"`
	N       int64      `json:"n,omitempty"`
	Time    int64      `json:"time,omitempty"` // nanoseconds since the trace's start
	Ref     int32      `json:"ref,omitempty"`  // of OpInspect; with 0, it is version Name of the object Key
	Setup   *Setup     `json:"setup,omitempty"`
	Window  *Window    `json:"window,omitempty"`
	Axis    Axis       `json:"axis,omitempty"`
	Buckets int        `json:"buckets,omitempty"`
	Query   *Query     `json:"query,omitempty"`
	Follow  *Follow    `json:"follow,omitempty"`
	Redact  *Redact    `json:"redact,omitempty"`
	As      As         `json:"as,omitempty"`
	Copy    bool       `json:"copy,omitempty"` // of OpSave with a script or a Go test: the text is for the clipboard, and no file
	Line    string     `json:"line,omitempty"`
	Text    string     `json:"text,omitempty"` // of OpOpen: the script to open, in the place of a URL
	Way     []Waypoint `json:"way,omitempty"`
	Second  []Waypoint `json:"second,omitempty"` // of OpTravel
	Lane    LaneOp     `json:"lane,omitempty"`
	Key     string     `json:"key,omitempty"`
	Marks   []MarkKind `json:"marks,omitempty"`
	Play    bool       `json:"play,omitempty"` // it plays, so the steps on the way are shown if there are few, and a Watch with Break stops it
	Control int        `json:"control,omitempty"`
	Choice  int        `json:"choice,omitempty"`
	Chosen  []string   `json:"chosen,omitempty"` // of OpOpen: lines that the controls of a lesson make; others are passed over
	Step    int64      `json:"step,omitempty"`   // of VisitLane
	Other   bool       `json:"other,omitempty"`  // of OpInspect: the object is of the second machine's capture
	Apart   bool       `json:"apart,omitempty"`  // of OpBeside
	Brief   bool       `json:"brief,omitempty"`  // OpStep and OpTime need no Frame.Before
	Watches []Watch    `json:"watches,omitempty"`
}

// Watch is an expression that the worker evaluates over the whole run.
type Watch struct {
	Text    string `json:"text"`
	Break   bool   `json:"break,omitempty"`   // playing stops where it comes about
	Stopped bool   `json:"stopped,omitempty"` // what was found so far is enough
	List    bool   `json:"list,omitempty"`    // hits are to be listed,
	From    int    `json:"from,omitempty"`    // from this one on
	Likely  bool   `json:"likely,omitempty"`  // random runs are to tell how likely it is, in place of a search
}

// MaxHits is how many hits of a Watch are listed at a time.
const MaxHits = 50

// MaxWatches is how many expressions are watched at a time.
const MaxWatches = 16

// LaneOp is what the viewer does to a lane.
type LaneOp string

const (
	ShowLane   LaneOp = "show"   // at the moment at which the viewer is
	VisitLane  LaneOp = "visit"  // show it at Step
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

// Setup is the process to which the trace plays, as the viewer decides.
type Setup struct {
	Profile  string    `json:"profile"` // the Name of a Profile
	Handlers []Handler `json:"handlers"`
	Index    string    `json:"index"`    // the label of the second index; the first one is always "namespace"
	Resync   int64     `json:"resync"`   // the informer's default resync period in ns
	Workers  int       `json:"workers"`  // how many there are
	WorkTime int64     `json:"workTime"` // how long a reconcile takes, in ns
}

// Handler is one ResourceEventHandler. Times are in nanoseconds.
type Handler struct {
	Name      string `json:"name"`
	Takes     int64  `json:"takes"`               // how long each call takes
	Resync    int64  `json:"resync"`              // the resync period that it asks for, 0 for none
	From      int64  `json:"from,omitempty"`      // when it joins, since the start; 0: before the informer runs
	Workqueue bool   `json:"workqueue,omitempty"` // each call puts the key on the workqueue
	Recorded  bool   `json:"recorded,omitempty"`  // it stands for a handler of the recorded process, and its calls take as long as they took there
}

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

// Query is a question to the indexer, or to its lister.
type Query struct {
	Func      string `json:"func"`                // FuncGetByKey …
	Index     string `json:"index,omitempty"`     // of ByIndex, IndexKeys, ListIndexFuncValues
	Value     string `json:"value,omitempty"`     // the key, the indexed value, the label selector of List, or the name of Get
	Namespace string `json:"namespace,omitempty"` // of List and Get, "" for all or none
	Cell      int    `json:"cell,omitempty"`      // of ListKeys
	From      int    `json:"from,omitempty"`      // the first row wanted
}
