package link

// What page and worker say to each other about the report card of a capture.

// Card tells what a capture holds and what is wrong in it, as far as it was read.
type Card struct {
	Complete bool
	Title    string     // the entry of the catalogues that names the worst
	Facts    []Sentence // what the capture is
	Lacks    []Sentence // what it can't tell
	Rows     []CardRow  // by informer
	Found    []Finding  // the worst first
	Handlers []Timed    // that were recorded, the slowest first
	Nobody   string     // the entry of the catalogues that says that there are none; "" where something of the process was recorded
	End      int64      // of the recording, in nanoseconds since the start
	Span     int64      // of each of Counts, in nanoseconds
	Counts   []int      // changes, from the start on
}

// CardRow is what was counted of one resource.
type CardRow struct {
	Name     string
	Events   int64 // watch events
	Lists    int64
	Relisted int64      // lists after the first
	Relists  []Relisted // the first of them
	Busiest  string     // the key with the most changes, "" for none
	Changes  int64      // of Busiest
	Share    int64      // of all changes of the resource, in thousandths
	First    int64      // when Busiest first changed
}

// Relisted is a list after the first. The catalogues have its Reason under "finding.reason.".
type Relisted struct {
	At     int64
	Reason string
}

// Finding is something that is wrong in the capture. The catalogues have its name under "finding.", its ID and ".title",
// and under ".instead" what helps.
type Finding struct {
	ID     string
	Harm   string // under "harm." in the catalogues
	Of     int    // the informer
	Say    Sentence
	Figure Arg      // its first number
	Fields []string // of objects, those that changed most
	Notes  []string // what is said, too: names under "finding." in the catalogues
	Key    string   // "" for none
	Lists  bool     // it is about lists
	From   int64
	To     int64
}

// Timed is how long the calls of a recorded handler took.
type Timed struct {
	Say Sentence
	Of  int   // the informer
	At  int64 // when the longest call began
}

// Show goes to a moment of an informer: to the first step from Time on that concerns Key, that lists if Lists is set, or else that
// has come by then.
type Show struct {
	Informer int
	Time     int64
	Key      string
	Lists    bool
}

func (Show) op() {}
