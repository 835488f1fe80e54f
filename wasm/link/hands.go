package link

// Lanes are the futures that the viewer has made. The first is the run that was opened.
// Each of the others leaves another lane at a step.
type Lanes struct {
	List  []Lane
	Shown int // the ID of the one on the stage
	Undo  bool
	Redo  bool
	// Path leads to the lane shown, for a page that is loaded again. Of each moment it has the step alone.
	Path []PathStep
}

func (x *Lanes) fields(c *coder) { c.fields(&x.List, &x.Shown, &x.Undo, &x.Redo, &x.Path) }

// Lane is one future.
type Lane struct {
	ID         int
	Name       string // that the viewer gave it
	Parent     int    // the ID of the lane that it leaves, -1 for the first
	BranchStep int64  // the step at which it leaves
	LeftTime   int64  // nanoseconds
	Steps      int64
	End        int64    // nanoseconds
	Simulated  int64    // the step from which the server of a recording is simulated, 0 for none
	Lines      []string // that made it, since it left
}

func (x *Lane) fields(c *coder) {
	c.fields(&x.ID, &x.Name, &x.Parent, &x.BranchStep, &x.LeftTime, &x.Steps, &x.End, &x.Simulated, &x.Lines)
}

// Console is what a line of script has brought, or what all lines have brought of a script that was opened.
type Console struct {
	Whole   bool // it takes the place of what was there
	Entries []ConsoleLine
	Failure *LineFailure
}

func (x *Console) fields(c *coder) { c.fields(&x.Whole, &x.Entries, &x.Failure) }

// ConsoleLine is a line of a transcript.
type ConsoleLine struct {
	Kind  string // statement, step, value, answer or LineStopped
	Text  string
	Time  int64 // of a step, nanoseconds
	Actor string
	Step  int64
	Lane  int // the ID of the lane that it was played on
}

func (x *ConsoleLine) fields(c *coder) {
	c.fields(&x.Kind, &x.Text, &x.Time, &x.Actor, &x.Step, &x.Lane)
}

// LineStopped is the kind of a line that says after how many states the viewer has
// stopped exploring.
const LineStopped = "stopped"

// Explored tells how far the answer to a can line is. After the answer, the console
// has it as a line.
type Explored struct {
	Line   string
	States int   // that were seen
	Done   bool  // nothing is explored any more
	Until  int64 // the step of the lane shown at which it comes about, 0 for none
	// Part is the question of the lesson about one of whose options that is, 0 for none. Found says then what was
	// found, one of the Found constants; it is "" before that, and where the viewer has ended it.
	Part  int
	Found string
}

func (x *Explored) fields(c *coder) {
	c.fields(&x.Line, &x.States, &x.Done, &x.Until, &x.Part, &x.Found)
}

// What is found by an exploration.
const (
	FoundYes    = "yes"
	FoundNo     = "no"     // it comes about in no state that can be reached
	FoundTime   = "time"   // it comes about in no state that can be reached within the bound of the clock
	FoundSteps  = "steps"  // nor in one that can be reached within the bound of steps in a row
	FoundStates = "states" // the bound of states was met
)

// LineFailure says what is wrong with a line.
type LineFailure struct {
	Line   int    // of a script, from 1; 0 for a line by itself
	Col    int    // from 1, in bytes
	Text   string // the line
	Reason *Sentence
}

func (x *LineFailure) fields(c *coder) { c.fields(&x.Line, &x.Col, &x.Text, &x.Reason) }

// PlayLine plays a line of script where the viewer is.
type PlayLine struct {
	Line string
}

func (x *PlayLine) fields(c *coder) { c.fields(&x.Line) }

// StopExploring stops looking for the answer to a can line.
type StopExploring struct{}

// ShowLane shows a lane at the moment at which the viewer is.
type ShowLane struct {
	Lane int // its ID
}

func (x *ShowLane) fields(c *coder) { c.fields(&x.Lane) }

// VisitLane shows a lane at a step.
type VisitLane struct {
	Lane int
	Step int64
}

func (x *VisitLane) fields(c *coder) { c.fields(&x.Lane, &x.Step) }

// RenameLane gives a lane a name.
type RenameLane struct {
	Lane int
	Name string
}

func (x *RenameLane) fields(c *coder) { c.fields(&x.Lane, &x.Name) }

// DropLane removes a lane.
type DropLane struct {
	Lane int
}

func (x *DropLane) fields(c *coder) { c.fields(&x.Lane) }

// Undo takes back what the viewer did last, and Redo does it again.
type (
	Undo struct{}
	Redo struct{}
)

func (PlayLine) op()      {}
func (StopExploring) op() {}
func (ShowLane) op()      {}
func (VisitLane) op()     {}
func (RenameLane) op()    {}
func (DropLane) op()      {}
func (Undo) op()          {}
func (Redo) op()          {}
