package link

// AskNext gets a question about what comes next. ShowNext gets the answer, and goes
// there.
type (
	AskNext  struct{}
	ShowNext struct{}
)

// Predicted is a question about what comes after a step.
type Predicted struct {
	Step    int64    `json:"step,omitempty"`
	Ask     string   `json:"ask,omitempty"`     // AskWho …; "" if nothing can be asked
	Options []string `json:"options,omitempty"` // goroutines as Actor.ID has them, or texts
	Right   int      `json:"right,omitempty"`   // -1 before the machine was played on
	Until   int64    `json:"until,omitempty"`   // the step that shows the answer, once it was
}

// What a Predicted asks. The catalogues have it under "ui.predict.".
const (
	AskWho  = "who"  // which goroutine moves next
	AskPop  = "pop"  // what Pop returns next
	AskCall = "call" // which call of a handler begins next
)

func (AskNext) op()  {}
func (ShowNext) op() {}
