package link

// ReadText gets the text of the lesson.
type ReadText struct{}

// Rewrite reads a text as the lesson's text, and shows the moment at a line of it.
type Rewrite struct {
	Text  string `json:"text,omitempty"`
	Line  int    `json:"line,omitempty"`  // from 1
	Check bool   `json:"check,omitempty"` // all of it is to be played
}

// Written is the text of a lesson, or what is wrong with one.
type Written struct {
	Text    string    `json:"text,omitempty"`
	Line    int       `json:"line,omitempty"` // from 1; 0 if it concerns no line
	Col     int       `json:"col,omitempty"`
	Why     *Sentence `json:"why,omitempty"`     // nil if nothing is wrong
	Checked bool      `json:"checked,omitempty"` // all of it was played, and holds
}

func (ReadText) op() {}
func (Rewrite) op()  {}
