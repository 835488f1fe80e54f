package link

// WatchFor evaluates expressions over the whole run, and no others.
type WatchFor struct {
	Watches []Watch
}

func (x *WatchFor) fields(c *coder) { c.fields(&x.Watches) }

// Watch is an expression that the worker evaluates over the whole run.
type Watch struct {
	Text    string
	Break   bool // playing stops where it comes about
	Stopped bool // what was found so far is enough
	List    bool // hits are to be listed,
	From    int  // from this one on
	Likely  bool // random runs are to tell how likely it is, in place of a search
}

func (x *Watch) fields(c *coder) {
	c.fields(&x.Text, &x.Break, &x.Stopped, &x.List, &x.From, &x.Likely)
}

// MaxHits is how many hits of a Watch are listed at a time.
const MaxHits = 50

// MaxWatches is how many expressions are watched at a time.
const MaxWatches = 16

// RunTo goes to the next step at which an expression comes about, or to the one before.
type RunTo struct {
	Expr string
	Back bool
}

func (x *RunTo) fields(c *coder) { c.fields(&x.Expr, &x.Back) }

// SavePlot makes a file of the values of a watched expression.
type SavePlot struct {
	Expr string
}

func (x *SavePlot) fields(c *coder) { c.fields(&x.Expr) }

func (WatchFor) op() {}
func (RunTo) op()    {}
func (SavePlot) op() {}

// Watched says how far an expression was evaluated, and what was found.
type Watched struct {
	Text  string
	Wrong *Sentence // why it can't be evaluated
	Type  string    // bool, number or duration
	Lasts bool      // a hit can last for several steps
	Step  int64     // it was evaluated up to this one
	Steps int64     // of so many that are known
	Done  bool
	Axis  Axis
	// Of a bool: how many hits there are, how many begin or go on in each column of the
	// timeline, and those that are listed.
	Hits  int
	Ticks []int
	From  int
	Rows  []Hit
	// Of a number or a duration: its least and its greatest value, and its values in the
	// columns of the timeline, where Min is 0 and Max is PlotScale.
	Min  int64
	Max  int64
	Plot *Levels
	// Of a series that was measured: its least and its greatest value, in the place of Min and Max.
	Ends []string
	// If the Watch asks how likely the expression is, Odds say in how many random
	// runs from a step on it came about. Each run has Within steps at most. Min,
	// Max and Plot are shares, in thousandths. Step of Steps runs have been made.
	Likely bool
	Within int64
	Odds   []Odds
}

func (x *Watched) fields(c *coder) {
	c.fields(&x.Text, &x.Wrong, &x.Type, &x.Lasts, &x.Step, &x.Steps, &x.Done, (*string)(&x.Axis), &x.Hits,
		&x.Ticks, &x.From, &x.Rows, &x.Min, &x.Max, &x.Plot, &x.Ends, &x.Likely, &x.Within,
		&x.Odds)
}

// Odds says in how many of the runs from a step on an expression came about.
type Odds struct {
	Step int64
	Time int64
	Yes  int
	Runs int
}

func (x *Odds) fields(c *coder) { c.fields(&x.Step, &x.Time, &x.Yes, &x.Runs) }

// PlotScale is the greatest value of a Watched.Plot.
const PlotScale = 1000

// Hit is where an expression comes about.
type Hit struct {
	Step     int64
	To       int64 // the last step of a hit that lasts; 0 if it lasts on
	Time     int64
	Sentence Sentence
}

func (x *Hit) fields(c *coder) { c.fields(&x.Step, &x.To, &x.Time, &x.Sentence) }

// Causes answers AskWhy: what a thing on the stage came of, and what came of it. Several
// answers come to one request, each with more.
type Causes struct {
	Key      string
	Step     int64        // at which it was asked
	Looked   int64        // the step that the search has come to; 0 when it has ended
	Subjects []Subject    // what of the key is on the stage, and can be asked about
	Parts    []WhySection // none while the way to Step is being looked at, and where there is nothing
}

func (x *Causes) fields(c *coder) {
	c.fields(&x.Key, &x.Step, &x.Looked, &x.Subjects, &x.Parts)
}

// Subject is something of the key that is on the stage.
type Subject struct {
	Place  string
	Name   Sentence
	Chosen bool // the answer is about it
}

func (x *Subject) fields(c *coder) { c.fields(&x.Place, &x.Name, &x.Chosen) }

// WhySection is a part of the chain. The catalogues have its title under "ui.why." and
// its Name.
type WhySection struct {
	Name  string // WhyChain …
	Links []WhyLink
	Spent []WhySpent // where the time went. What makes less than a hundredth of it is summed up at the end, as at the first of WhyStations
	More  int        // links or chains that are left out
}

func (x *WhySection) fields(c *coder) { c.fields(&x.Name, &x.Links, &x.Spent, &x.More) }

// The parts of a chain.
const (
	WhyChain   = "chain"   // from where it begins to the thing that was asked about
	WhyMerged  = "merged"  // the same for what was merged into it
	WhyEffects = "effects" // what came of it
)

// WhySections lists them.
var WhySections = []string{WhyChain, WhyMerged, WhyEffects}

// WhyLink is one fact of a chain.
type WhyLink struct {
	Step     int64
	Time     int64 // nanoseconds since the trace's start
	Duration int64 // since the link before it; -1 where it is the first
	Sentence Sentence
	Place    string // where the thing is from then on, "" for nowhere
	Until    int64  // the last step at which it is there; -1 for no end that is known
	Branch   bool   // something else begins that came of the same
}

func (x *WhyLink) fields(c *coder) {
	c.fields(&x.Step, &x.Time, &x.Duration, &x.Sentence, &x.Place, &x.Until, &x.Branch)
}

// WhySpent is how long a chain was at a station. The catalogues have the station under
// "ui.why.at." and At.
type WhySpent struct {
	Station string
	Ns      int64
}

func (x *WhySpent) fields(c *coder) { c.fields(&x.Station, &x.Ns) }

// WhyStations are the stations of a WhySpent, by the numbers of cause.Station.
var WhyStations = []string{"nowhere", "server", "user", "reflector", "lock", "queue", "loop", "listener", "run", "handler", "workqueue", "worker", "delaying"}

// AskWhy asks what the thing at a place came of, or what is known of a key. StopWhy
// ends the search for the answer.
type (
	AskWhy struct {
		Place string
		Key   string
	}
	StopWhy struct{}
)

func (x *AskWhy) fields(c *coder) { c.fields(&x.Place, &x.Key) }

func (AskWhy) op()  {}
func (StopWhy) op() {}

// Minimise looks for the smallest part of the recording in which an expression comes
// about, and StopMinimising ends that.
type (
	Minimise struct {
		Expr string
	}
	StopMinimising struct{}
)

func (x *Minimise) fields(c *coder) { c.fields(&x.Expr) }

// Minimised tells how far the search is for the smallest part of the recording in which an
// expression still comes about.
type Minimised struct {
	Text    string
	Events  int   // watch events of the best part so far
	Objects int   // in that part, 0 while there is none
	Total   int   // events of the whole recording
	Step    int64 // where the expression comes about in the part
	Time    int64
	Tries   int
	Done    bool
	Stopped bool      // before its end
	Wrong   *Sentence // why it has ended, if that is something else
	Never   bool      // the expression doesn't come about even in the whole recording
}

func (x *Minimised) fields(c *coder) {
	c.fields(&x.Text, &x.Events, &x.Objects, &x.Total, &x.Step, &x.Time, &x.Tries, &x.Done, &x.Stopped,
		&x.Wrong, &x.Never)
}

func (Minimise) op()       {}
func (StopMinimising) op() {}
