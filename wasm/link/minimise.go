package link

// Minimise looks for the smallest part of the recording in which an expression comes
// about, and StopMinimising ends that.
type (
	Minimise struct {
		Expr string `json:"expr,omitempty"`
	}
	StopMinimising struct{}
)

// Minimised tells how far the search is for the smallest part of the recording in which an
// expression still comes about.
type Minimised struct {
	Text    string    `json:"text"`
	Events  int       `json:"events,omitempty"`  // watch events of the best part so far
	Objects int       `json:"objects,omitempty"` // in that part, 0 while there is none
	Of      int       `json:"of"`                // events of the whole recording
	Step    int64     `json:"step,omitempty"`    // where the expression comes about in the part
	Time    int64     `json:"time,omitempty"`
	Tries   int       `json:"tries,omitempty"`
	Done    bool      `json:"done,omitempty"`
	Stopped bool      `json:"stopped,omitempty"` // before its end
	Wrong   *Sentence `json:"wrong,omitempty"`   // why it has ended, if that is something else
	Never   bool      `json:"never,omitempty"`   // the expression doesn't come about even in the whole recording
}

func (Minimise) op()       {}
func (StopMinimising) op() {}
