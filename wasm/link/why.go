package link

// Why answers AskWhy: what a thing on the stage came of, and what came of it. Several
// answers come to one request, each with more.
type Why struct {
	Key    string       `json:"key"`
	Step   int64        `json:"step"`             // at which it was asked
	Looked int64        `json:"looked,omitempty"` // the step that the search has come to; 0 when it has ended
	Things []WhyThing   `json:"things,omitempty"` // what of the key is on the stage, and can be asked about
	Parts  []WhySection `json:"parts,omitempty"`  // none while the way to Step is being looked at, and where there is nothing
}

// WhyThing is something of the key that is on the stage.
type WhyThing struct {
	Place  string   `json:"place"`
	Say    Sentence `json:"say"`
	Chosen bool     `json:"chosen,omitempty"` // the answer is about it
}

// WhySection is a part of the chain. The catalogues have its title under "ui.why." and
// its Name.
type WhySection struct {
	Name  string     `json:"name"` // WhyChain …
	Links []WhyLink  `json:"links"`
	Spent []WhySpent `json:"spent,omitempty"` // where the time went. What makes less than a hundredth of it is summed up at the end, as at the first of WhyStations
	More  int        `json:"more,omitempty"`  // links or chains that are left out
}

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
	Step   int64    `json:"step"`
	Time   int64    `json:"time"` // nanoseconds since the trace's start
	Took   int64    `json:"took"` // since the link before it; -1 where it is the first
	Say    Sentence `json:"say"`
	Place  string   `json:"place,omitempty"`  // where the thing is from then on, "" for nowhere
	Until  int64    `json:"until,omitempty"`  // the last step at which it is there; -1 for no end that is known
	Branch bool     `json:"branch,omitempty"` // something else begins that came of the same
}

// WhySpent is how long a chain was at a station. The catalogues have the station under
// "ui.why.at." and At.
type WhySpent struct {
	At string `json:"at"`
	Ns int64  `json:"ns"`
}

// WhyStations are the stations of a WhySpent, by the numbers of cause.Station.
var WhyStations = []string{"nowhere", "server", "user", "reflector", "lock", "queue", "loop", "listener", "run", "handler", "workqueue", "worker", "delaying"}

// AskWhy asks what the thing at a place came of, or what is known of a key. StopWhy
// ends the search for the answer.
type (
	AskWhy struct {
		Place string `json:"place,omitempty"`
		Key   string `json:"key,omitempty"`
	}
	StopWhy struct{}
)

func (AskWhy) op()  {}
func (StopWhy) op() {}
