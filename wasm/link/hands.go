package link

// Lanes are the futures that the viewer has made. The first is the run that was opened.
// Each of the others leaves another lane at a step.
type Lanes struct {
	All   []Lane `json:"all"`
	Shown int    `json:"shown"` // the ID of the one on the stage
	Undo  bool   `json:"undo,omitempty"`
	Redo  bool   `json:"redo,omitempty"`
	// Way leads to the lane shown, for a page that is loaded again. Of each moment it has the step alone.
	Way []Waypoint `json:"way,omitempty"`
}

// Lane is one future.
type Lane struct {
	ID        int      `json:"id"`
	Name      string   `json:"name,omitempty"` // that the viewer gave it
	Of        int      `json:"of"`             // the ID of the lane that it leaves, -1 for the first
	Left      int64    `json:"left"`           // the step at which it leaves
	LeftTime  int64    `json:"leftTime"`       // nanoseconds
	Steps     int64    `json:"steps"`
	End       int64    `json:"end"`                 // nanoseconds
	Simulated int64    `json:"simulated,omitempty"` // the step from which the server of a recording is simulated, 0 for none
	Lines     []string `json:"lines,omitempty"`     // that made it, since it left
}

// Console is what a line of script has brought, or what all lines have brought of a script that was opened.
type Console struct {
	Whole   bool          `json:"whole,omitempty"` // it takes the place of what was there
	Entries []ConsoleLine `json:"entries"`
	Failure *LineFailure  `json:"failure,omitempty"`
}

// ConsoleLine is a line of a transcript.
type ConsoleLine struct {
	Kind  string `json:"kind"` // statement, step, value, answer or LineStopped
	Text  string `json:"text"`
	Time  int64  `json:"time,omitempty"` // of a step, nanoseconds
	Actor string `json:"actor,omitempty"`
	Step  int64  `json:"step,omitempty"`
	Lane  int    `json:"lane,omitempty"` // the ID of the lane that it was played on
}

// LineStopped is the kind of a line that says after how many states the viewer has
// stopped exploring.
const LineStopped = "stopped"

// Explored tells how far the answer to a can line is. After the answer, the console
// has it as a line.
type Explored struct {
	Line   string `json:"line"`
	States int    `json:"states"`          // that were seen
	Done   bool   `json:"done,omitempty"`  // nothing is explored any more
	Until  int64  `json:"until,omitempty"` // the step of the lane shown at which it comes about, 0 for none
	// Part is the question of the lesson about one of whose options that is, 0 for none. Found says then what was
	// found, one of the Found constants; it is "" before that, and where the viewer has ended it.
	Part  int    `json:"part,omitempty"`
	Found string `json:"found,omitempty"`
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
	Line int       `json:"line"` // of a script, from 1; 0 for a line by itself
	Col  int       `json:"col"`  // from 1, in bytes
	Text string    `json:"text"` // the line
	Why  *Sentence `json:"why"`
}

// PlayLine plays a line of script where the viewer is.
type PlayLine struct {
	Line string `json:"line,omitempty"`
}

// StopExploring stops looking for the answer to a can line.
type StopExploring struct{}

// ShowLane shows a lane at the moment at which the viewer is.
type ShowLane struct {
	Lane int `json:"lane,omitempty"` // its ID
}

// VisitLane shows a lane at a step.
type VisitLane struct {
	Lane int   `json:"lane,omitempty"`
	Step int64 `json:"step,omitempty"`
}

// RenameLane gives a lane a name.
type RenameLane struct {
	Lane int    `json:"lane,omitempty"`
	Name string `json:"name,omitempty"`
}

// DropLane removes a lane.
type DropLane struct {
	Lane int `json:"lane,omitempty"`
}

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
