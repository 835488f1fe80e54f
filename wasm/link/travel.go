package link

// Waypoint is a moment on the way to what is shown, and what is done there.
type Waypoint struct {
	When string `json:"when,omitempty"` // a world.Moment; "" for the moment after the line before
	Step int64  `json:"step"`           // the moment's step where the link was made, -1 if it isn't known
	Line string `json:"line,omitempty"` // of script; "" where the viewer only looks
}

// Edits are the viewer's changes to a run. They are saved with a trace and replayed when it is
// opened. The trace has them under the name "future".
type Edits struct {
	Informer string     `json:"informer"` // the Name of the one shown
	Setup    Setup      `json:"setup"`
	Way      []Waypoint `json:"way"` // as Linked has it
}

// MaxLine is how long a line of script can be, in bytes.
const MaxLine = 4096

// Linked answers MakeLink.
type Linked struct {
	Way     []Waypoint `json:"way"`               // the last one is where the viewer is
	Text    string     `json:"text,omitempty"`    // of the script that is open
	Second  []Waypoint `json:"second,omitempty"`  // to the future that stands beside it
	Problem *Sentence  `json:"problem,omitempty"` // why the way isn't whole: the future shown can't be written as lines
}

// Traveled tells how Travel went.
type Traveled struct {
	Lost    bool         `json:"lost,omitempty"`    // a moment wasn't there any more, so its step was taken
	Failure *LineFailure `json:"failure,omitempty"` // what could not be done; the rest of the way was left out
	Address string       `json:"address,omitempty"` // what was opened was a file that holds a link: this one
}

// MakeLink gets the Way to what is shown, as a link has it.
type MakeLink struct{}

// Travel goes the Way that a link has.
type Travel struct {
	Way    []Waypoint  `json:"way,omitempty"`
	Second *SecondLane `json:"second,omitempty"` // the future to which its way leads stands beside it
	Key    string      `json:"key,omitempty"`    // of the object that is to be inspected, in version RV
	RV     string      `json:"rv,omitempty"`
}

func (MakeLink) op() {}
func (Travel) op()   {}
