package link

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

func (Open) op() {}

func (Cancel) op() {}

func (Painted) op() {}

// Opened tells what a trace holds. It comes as soon as there is something to show,
// and again when more is known.
type Opened struct {
	Name      string     `json:"name"`
	Format    string     `json:"format"`          // ids, joined by +: trace, watch, kubectl, list, or those of package convert
	Start     string     `json:"start,omitempty"` // RFC 3339
	Server    string     `json:"server,omitempty"`
	Note      string     `json:"note,omitempty"`
	NoTimes   bool       `json:"noTimes,omitempty"` // the format has no times, so events are evenly spaced
	Informers []Informer `json:"informers"`
	Informer  int        `json:"informer"` // the number of the one shown
	Setup     Setup      `json:"setup"`
	Profiles  []Profile  `json:"profiles"` // those that can be run, the oldest first
	Complete  bool       `json:"complete"`
	Problems  []Failure  `json:"problems,omitempty"` // the first places that could not be read
	Places    int64      `json:"places,omitempty"`   // how many of them there are
	Lost      int64      `json:"lost,omitempty"`     // about how many watch events are lost there
	Remarks   []Remark   `json:"remarks,omitempty"`
	Series    []string   `json:"series,omitempty"`    // the names of those that were measured meanwhile; a Watch may have one in the place of an expression
	Redacted  []string   `json:"redacted,omitempty"`  // what was taken out
	Truncated bool       `json:"truncated,omitempty"` // its beginning is missing
	Live      bool       `json:"live,omitempty"`      // it is being recorded right now
	Script    bool       `json:"script,omitempty"`    // it is a script: all of it is simulated
}

// Versions returns those of client-go that a profile stands for, "" for an unknown one.
func (o *Opened) Versions(profile string) string {
	for _, x := range o.Profiles {
		if x.Name == profile {
			return x.Versions
		}
	}
	return ""
}

// Remark is something that a viewer has to know to read a trace rightly. The
// catalogues have its sentence under "remark." and its ID.
type Remark struct {
	ID     string `json:"id"`
	Count  int64  `json:"count,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Profile is a set of client-go versions that behave alike. The catalogues say under
// "profile." and its Name what these versions have changed.
type Profile struct {
	Name     string `json:"name"`
	Versions string `json:"versions"` // v0.36.0–v0.37.2
}

// Informer is one resource of a trace.
type Informer struct {
	Name    string `json:"name"` // pods, deployments.apps
	Version string `json:"version,omitempty"`
	Events  int    `json:"events"`
	Lists   int    `json:"lists"`
	Listed  bool   `json:"listed,omitempty"` // the recording of it begins with an ordinary list
	// Controller is the name of the recorded controller of the resource, "" for none.
	Controller string   `json:"controller,omitempty"`
	Others     []string `json:"others,omitempty"` // controllers of the resource that were recorded and aren't played
}

// Progress of reading a trace, or of running all of it through the engine once.
type Progress struct {
	Phase   Phase `json:"phase"`
	Done    int64 `json:"done"`  // bytes of the input, or watch events
	Total   int64 `json:"total"` // 0 if it isn't known
	Records int64 `json:"records"`
}

// Phase is what a Progress measures. The catalogues have its words under
// "ui.loading.".
type Phase string

const (
	Reading   Phase = "read"  // the trace is being read
	Running   Phase = "run"   // all has been read, and is being run
	Done      Phase = "done"  // all has been read and run
	Rereading Phase = "again" // what is shown was misread, and is being read for the second time
)

// Phases lists them.
var Phases = []Phase{Reading, Running, Done, Rereading}

// Failure says what went wrong, where, and what to do.
type Failure struct {
	Say    Sentence  `json:"say"`
	Line   int64     `json:"line,omitempty"` // counted from 1, 0 if it isn't known
	Offset int64     `json:"offset,omitempty"`
	Why    *Sentence `json:"why,omitempty"`   // in the words of whoever found it
	Draft  string    `json:"draft,omitempty"` // the text of a lesson that could not be opened, which can be mended
}
