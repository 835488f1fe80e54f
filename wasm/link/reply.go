package link

// Reply goes from the worker to the page.
type Reply struct {
	// ID is that of the Request. Where nobody has asked, it is the ID of the Request that has opened
	// what the news is about, or 0 if nothing is open.
	ID   int
	News News
}

// News is what the worker tells the page. Each kind is a type of its own, and its name in a message
// is the name of that type.
type News interface{ news() }

// AllNews has each kind once.
var AllNews = []News{
	(*Opened)(nil), (*Progress)(nil), (*Frame)(nil), (*Timeline)(nil), (*Object)(nil), (*Answer)(nil),
	(*Keys)(nil), (*Log)(nil), (*Missed)(nil), (*Searching)(nil), (*Why)(nil), (*Cluster)(nil), (*Live)(nil),
	(*Saved)(nil), (*Looked)(nil), (*Suspects)(nil), (*Making)(nil), (*Minimised)(nil), (*Lanes)(nil), (*Console)(nil),
	(*Explored)(nil), (*Course)(nil), (*FoundLessons)(nil), (*Lesson)(nil), (*Stopped)(nil), (*Written)(nil), (*Predicted)(nil),
	(*Judged)(nil), (*Checked)(nil), (*Linked)(nil), (*Traveled)(nil), (*Watched)(nil), (*Beside)(nil), (*Guards)(nil),
	(*OwnWork)(nil), (*Failure)(nil),
}

func (*Opened) news()       {}
func (*Progress) news()     {}
func (*Frame) news()        {}
func (*Timeline) news()     {}
func (*Object) news()       {}
func (*Answer) news()       {}
func (*Keys) news()         {}
func (*Log) news()          {}
func (*Missed) news()       {}
func (*Searching) news()    {}
func (*Why) news()          {}
func (*Cluster) news()      {}
func (*Live) news()         {}
func (*Saved) news()        {}
func (*Looked) news()       {}
func (*Suspects) news()     {}
func (*Making) news()       {}
func (*Minimised) news()    {}
func (*Lanes) news()        {}
func (*Console) news()      {}
func (*Explored) news()     {}
func (*Course) news()       {}
func (*FoundLessons) news() {}
func (*Lesson) news()       {}
func (*Stopped) news()      {}
func (*Written) news()      {}
func (*Predicted) news()    {}
func (*Judged) news()       {}
func (*Checked) news()      {}
func (*Linked) news()       {}
func (*Traveled) news()     {}
func (*Watched) news()      {}
func (*Beside) news()       {}
func (*Guards) news()       {}
func (*Failure) news()      {}

// Watched says how far an expression was evaluated, and what was found.
type Watched struct {
	Text  string    `json:"text"`
	Wrong *Sentence `json:"wrong,omitempty"` // why it can't be evaluated
	Type  string    `json:"type,omitempty"`  // bool, number or duration
	Lasts bool      `json:"lasts,omitempty"` // a hit can last for several steps
	Step  int64     `json:"step"`            // it was evaluated up to this one
	Steps int64     `json:"steps"`           // of so many that are known
	Done  bool      `json:"done,omitempty"`
	Axis  Axis      `json:"axis,omitempty"`
	// Of a bool: how many hits there are, how many begin or go on in each column of the
	// timeline, and those that are listed.
	Hits  int   `json:"hits,omitempty"`
	Ticks []int `json:"ticks,omitempty"`
	From  int   `json:"from,omitempty"`
	Rows  []Hit `json:"rows,omitempty"`
	// Of a number or a duration: its least and its greatest value, and its values in the
	// columns of the timeline, where Least is 0 and Most is PlotScale.
	Least int64   `json:"least,omitempty"`
	Most  int64   `json:"most,omitempty"`
	Plot  *Levels `json:"plot,omitempty"`
	// Of a series that was measured: its least and its greatest value, in the place of Least and Most.
	Ends []string `json:"ends,omitempty"`
	// If the Watch asks how likely the expression is, Odds say in how many random
	// runs from a step on it came about. Each run has Within steps at most. Least,
	// Most and Plot are shares, in thousandths. Step of Steps runs have been made.
	Likely bool   `json:"likely,omitempty"`
	Within int64  `json:"within,omitempty"`
	Odds   []Odds `json:"odds,omitempty"`
}

// Odds says in how many of the runs from a step on an expression came about.
type Odds struct {
	Step int64 `json:"step"`
	Time int64 `json:"time"`
	Yes  int   `json:"yes"`
	Of   int   `json:"of"`
}

// PlotScale is the greatest value of a Watched.Plot.
const PlotScale = 1000

// Hit is where an expression comes about.
type Hit struct {
	Step int64    `json:"step"`
	To   int64    `json:"to,omitempty"` // the last step of a hit that lasts; 0 if it lasts on
	Time int64    `json:"time"`
	Said Sentence `json:"said"`
}

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

// Sentence is an entry of the catalogues, with its arguments.
type Sentence struct {
	ID   string         `json:"id"`
	Args map[string]Arg `json:"args,omitempty"`
}

// Arg is an argument of a Sentence. Kind says what V is, and so how it is shown:
//
//	key, code, rv  a key, a piece of code, a resourceVersion: in type for code
//	delta          the type of a delta: as a chip
//	num            a number, whose digits are grouped
//	time           a duration in nanoseconds
//	word           the catalogue has it under "reason."
//	lock, who      a lock, or who holds it: the catalogue has it under "lock." or "who."
//	text           any text
//	why            a part of an error: Why if that is set, or else V as it is
type Arg struct {
	Kind string    `json:"k"`
	V    string    `json:"v,omitempty"`
	Why  *Sentence `json:"why,omitempty"`
}

// Object answers Inspect.
type Object struct {
	Ref    int32      `json:"ref"`
	Prev   int32      `json:"prev"` // the version of the object before it, 0 for none
	Next   int32      `json:"next"` // the version after it, 0 for none
	Key    string     `json:"key"`
	RV     string     `json:"rv"`
	PrevRV string     `json:"prevRV,omitempty"`
	Lines  []DiffLine `json:"lines"`           // the JSON, indented, with the lines that Prev had instead
	Other  bool       `json:"other,omitempty"` // the second machine alone has it
	Cut    bool       `json:"cut,omitempty"`   // it was too long to be shown whole
	Why    *Sentence  `json:"why,omitempty"`   // why there are no Lines
}

// DiffLine is a line of JSON. Mark is "+" for a new line, "-" for one of the version
// before, and "" for one that both have.
type DiffLine struct {
	Mark string `json:"m,omitempty"`
	Text string `json:"t"`
}

// Answer answers AskIndexer.
type Answer struct {
	Query Query       `json:"query"`
	Step  int64       `json:"step"` // at which it was asked
	Rows  []AnswerRow `json:"rows"`
	From  int         `json:"from"`  // the number of the first row
	Total int         `json:"total"` // how many rows there are
	Error *Sentence   `json:"error,omitempty"`
}

// AnswerRow is an object, or a value of an index.
type AnswerRow struct {
	Text string `json:"text"` // the object's key, or the value
	RV   string `json:"rv,omitempty"`
	Ref  int32  `json:"ref,omitempty"`  // of an object
	Keys int    `json:"keys,omitempty"` // of a value: how many keys it has
}

// Timeline is the whole run in columns.
type Timeline struct {
	Axis       Axis     `json:"axis"`
	Steps      int64    `json:"steps"`
	Start      int64    `json:"start"` // nanoseconds
	End        int64    `json:"end"`
	Complete   bool     `json:"complete"`
	Columns    int      `json:"columns"`
	Queue      Levels   `json:"queue"`   // how deep the queue was
	Pending    []Levels `json:"pending"` // by listener: how far it was behind
	Events     [][]int  `json:"events"`  // by row and column: how many. RowAdded … number the rows
	Marks      []Mark   `json:"marks"`
	MaxQueue   int      `json:"maxQueue"`
	MaxPending int      `json:"maxPending"`
}

// Levels are a number that changes over the run: for each column, its highest value
// within the column, and the value at the column's end.
type Levels struct {
	Most []int `json:"most"`
	Last []int `json:"last"`
}

// Mark is a flag on the timeline. It may stand for several moments that are too close
// together for a flag each. It has the Step, Time and Kind of the most telling one.
type Mark struct {
	Step int64      `json:"step"`
	Time int64      `json:"time"`
	Kind MarkKind   `json:"kind"`
	Says []MarkSays `json:"says"` // in the order of the run
}

// MarkSays is how many moments of a kind a Mark stands for.
type MarkSays struct {
	Kind  MarkKind `json:"kind"`
	N     int      `json:"n"`
	Texts []string `json:"texts,omitempty"` // of the first of them: the trace's own words, a line of script, a handler's name
}

// Missed says that there is no step of the kind that the viewer looked for.
type Missed struct {
	Key   string     `json:"key,omitempty"`
	Expr  string     `json:"expr,omitempty"`
	Marks []MarkKind `json:"marks,omitempty"`
	Back  bool       `json:"back,omitempty"`
}

// Searching says how far the search for a step has come.
type Searching struct {
	Key  string `json:"key"`
	Step int64  `json:"step"`
}

// Keys answers FindKeys.
type Keys struct {
	Text  string   `json:"text"`  // what was asked for
	Keys  []string `json:"keys"`  // the first ones that contain it
	Total int      `json:"total"` // how many contain it
}
