// Package link holds what the page and the worker say to each other, and the names
// that both use. The page sends a Request, and the worker answers with Replies. Each
// message is one buffer of JSON, which package dom transfers.
package link

// Request goes from the page to the worker.
type Request struct {
	ID int // replies have the same
	Do Op
}

// Op is an operation: what the page asks for. Each one is a type of its own, and has
// only the fields that mean something for it. Its name in a message is the name of
// its type.
type Op interface{ op() }

// Ops has each operation once, without its fields.
var Ops = []Op{
	Open{}, Cancel{}, Painted{}, Fit{},
	Step{}, Seek{}, SeekTime{}, SeekMark{}, FindKeys{}, EndSearch{},
	ShowInformer{}, SetUp{}, Inspect{}, DrawTimeline{}, AskIndexer{},
	PlayLine{}, StopExploring{}, ShowLane{}, VisitLane{}, RenameLane{}, DropLane{}, Undo{}, Redo{},
	MakeLink{}, Travel{},
	WatchFor{}, RunTo{}, SavePlot{}, Minimise{}, StopMinimising{}, AskWhy{}, StopWhy{}, AskOwnWork{},
	SecondProfile{}, SecondResync{}, SecondSetup{}, SecondLane{}, SecondApart{}, SecondGuard{}, CountGuards{}, SecondCapture{}, Alone{}, SeekDiffer{},
	ReadCourse{}, FindLessons{}, GoStop{}, AskAnswer{}, Turn{}, CompareVersions{}, CheckExercise{}, Solve{}, SeekSchedule{}, ReadText{}, Rewrite{}, AskNext{}, ShowNext{},
	Discover{}, FollowCluster{}, Save{}, SaveLeast{}, SaveText{}, StopSaving{},
}

// Open opens a capture, a script or a lesson: Text, or the file at URL, or the files
// that are sent beside the request.
type Open struct {
	URL    string   `json:"url,omitempty"`
	Name   string   `json:"name,omitempty"` // for display
	Text   string   `json:"text,omitempty"`
	Chosen []string `json:"chosen,omitempty"` // lines that the controls of a lesson make; others are passed over
	// Profile is the version of client-go as which a capture is played first, "" for the one that the page chooses.
	Profile string `json:"profile,omitempty"`
}

// Cancel stops loading, or following a cluster. What was read stays.
type Cancel struct{}

// Painted says that what the worker told last is on the screen.
type Painted struct{}

// Fit shows other parts of long lists.
type Fit struct {
	Window Window `json:"window"`
}

// ShowInformer shows another informer at the same virtual time.
type ShowInformer struct {
	Informer int `json:"informer,omitempty"` // its number
}

// SetUp runs the capture again with another setup.
type SetUp struct {
	Setup Setup `json:"setup"`
}

// Inspect gets the JSON of an object version, and what has changed in it.
type Inspect struct {
	Ref   int32 `json:"ref,omitempty"`
	Other bool  `json:"other,omitempty"` // the object is of the second machine's capture
}

// DrawTimeline gets the timeline.
type DrawTimeline struct {
	Axis    Axis `json:"axis,omitempty"`
	Buckets int  `json:"buckets,omitempty"` // how many columns it has
}

// AskIndexer asks the indexer, or its lister.
type AskIndexer struct {
	Query Query `json:"query"`
}

func (Open) op()         {}
func (Cancel) op()       {}
func (Painted) op()      {}
func (Fit) op()          {}
func (ShowInformer) op() {}
func (SetUp) op()        {}
func (Inspect) op()      {}
func (DrawTimeline) op() {}
func (AskIndexer) op()   {}

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
	// Follows plays the recorded controller of the resource, if there is one, in place of workers.
	Follows bool `json:"follows,omitempty"`
	// Listed plays an ordinary list of the recording as one where the Profile would ask for a
	// streaming list. Earlier pages always converted such lists, so without it their links and
	// their saved futures show what they showed.
	Listed bool `json:"listed,omitempty"`
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
