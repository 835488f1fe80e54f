package link

// PathStep is a moment on the way to what is shown, and what is done there.
type PathStep struct {
	Moment string // a history.Moment; "" for the moment after the line before
	Step   int64  // the moment's step where the link was made, -1 if it isn't known
	Line   string // of script; "" where the viewer only looks
}

func (x *PathStep) fields(c *coder) { c.fields(&x.Moment, &x.Step, &x.Line) }

// MaxLine is how long a line of script can be, in bytes.
const MaxLine = 4096

// Linked answers MakeLink.
type Linked struct {
	Path    []PathStep // the last one is where the viewer is
	Text    string     // of the script that is open
	Second  []PathStep // to the future that stands beside it
	Problem *Sentence  // why the way isn't whole: the future shown can't be written as lines
}

func (x *Linked) fields(c *coder) {
	c.fields(&x.Path, &x.Text, &x.Second, &x.Problem)
}

// Traveled tells how Travel went.
type Traveled struct {
	Lost    bool         // a moment wasn't there any more, so its step was taken
	Failure *LineFailure // what could not be done; the rest of the way was left out
	Address string       // what was opened was a file that holds a link: this one
}

func (x *Traveled) fields(c *coder) { c.fields(&x.Lost, &x.Failure, &x.Address) }

// MakeLink gets the path to what is shown, as a link has it.
type MakeLink struct{}

// Travel goes the path that a link has.
type Travel struct {
	Path   []PathStep
	Second *SecondLane // the future to which its way leads stands beside it
	Key    string      // of the object that is to be inspected, in version RV
	RV     string
}

func (x *Travel) fields(c *coder) { c.fields(&x.Path, &x.Second, &x.Key, &x.RV) }

func (MakeLink) op() {}
func (Travel) op()   {}
