package link

// Unit is how far one step goes.
type Unit string

const (
	Micro      Unit = "micro"     // one actor's next visible point
	Operation  Unit = "operation" // until an actor has finished something: taken in an event, popped, called a handler …
	WatchEvent Unit = "event"     // until the reflector has received the next watch event or list
)

// Units lists them, the smallest first.
var Units = []Unit{Micro, Operation, WatchEvent}

// Step goes N units forward, or back if N is negative. With a Key, it goes N of the
// steps that concern the key.
type Step struct {
	Unit  Unit
	N     int64
	Key   string
	Play  bool // it plays, so a Watch with Break stops it
	Brief bool // Frame.Before isn't needed
}

func (x *Step) fields(c *coder) { c.fields((*string)(&x.Unit), &x.N, &x.Key, &x.Play, &x.Brief) }

// Seek goes to a step.
type Seek struct {
	Step int64
}

func (x *Seek) fields(c *coder) { c.fields(&x.Step) }

// SeekTime goes to the last step at or before a time. With a Key, it goes to the last
// one that concerns the key.
type SeekTime struct {
	Time  int64 // nanoseconds since the trace's start
	Key   string
	Play  bool // it plays, so the steps on the way are shown if there are few
	Brief bool // Frame.Before isn't needed
}

func (x *SeekTime) fields(c *coder) { c.fields(&x.Time, &x.Key, &x.Play, &x.Brief) }

// SeekMark goes to the next mark of the timeline, or to the one before.
type SeekMark struct {
	Back  bool
	Marks []MarkKind // any kind if there are none
}

func (x *SeekMark) fields(c *coder) { c.fields(&x.Back, &x.Marks) }

// FindKeys gets the keys that contain a text.
type FindKeys struct {
	Text string
}

func (x *FindKeys) fields(c *coder) { c.fields(&x.Text) }

// EndSearch stops looking for a step.
type EndSearch struct{}

func (Step) op()      {}
func (Seek) op()      {}
func (SeekTime) op()  {}
func (SeekMark) op()  {}
func (FindKeys) op()  {}
func (EndSearch) op() {}

// Missed says that there is no step of the kind that the viewer looked for.
type Missed struct {
	Key   string
	Expr  string
	Marks []MarkKind
	Back  bool
}

func (x *Missed) fields(c *coder) { c.fields(&x.Key, &x.Expr, &x.Marks, &x.Back) }

// Searching says how far the search for a step has come.
type Searching struct {
	Key  string
	Step int64
}

func (x *Searching) fields(c *coder) { c.fields(&x.Key, &x.Step) }

// Keys answers FindKeys.
type Keys struct {
	Text  string   // what was asked for
	Keys  []string // the first ones that contain it
	Total int      // how many contain it
}

func (x *Keys) fields(c *coder) { c.fields(&x.Text, &x.Keys, &x.Total) }

// AskNext gets a question about what comes next. ShowNext gets the answer, and goes
// there.
type (
	AskNext  struct{}
	ShowNext struct{}
)

// Predicted is a question about what comes after a step.
type Predicted struct {
	Step    int64
	Ask     string   // AskWho …; "" if nothing can be asked
	Options []string // goroutines as Actor.ID has them, or texts
	Right   int      // -1 before the machine was played on
	Until   int64    // the step that shows the answer, once it was
}

func (x *Predicted) fields(c *coder) { c.fields(&x.Step, &x.Ask, &x.Options, &x.Right, &x.Until) }

// What a Predicted asks. The catalogues have it under "ui.predict.".
const (
	AskWho  = "who"  // which goroutine moves next
	AskPop  = "pop"  // what Pop returns next
	AskCall = "call" // which call of a handler begins next
)

func (AskNext) op()  {}
func (ShowNext) op() {}
