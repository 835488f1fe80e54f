package link

// Lesson is a lesson that is open: what there is to read, beside a machine that the
// worker keeps at the moment which is read about.
type Lesson struct {
	Name     string       `json:"name"` // of its file, without .md
	Title    string       `json:"title"`
	Summary  []Span       `json:"summary"`
	Minutes  int          `json:"minutes"`
	Stations []string     `json:"stations,omitempty"` // that matter; empty for all
	Parts    []LessonPart `json:"parts"`
	Stops    []int        `json:"stops"` // the first part of each stop
	Stop     int          `json:"stop"`  // where the reader is
}

// LessonPart is a paragraph or a block of a lesson.
type LessonPart struct {
	Kind     string    `json:"kind"` // as package lesson names it: paragraph, question …
	Text     []Span    `json:"text,omitempty"`
	Items    [][]Span  `json:"items,omitempty"`
	Lines    []string  `json:"lines,omitempty"`   // of a block
	Options  []string  `json:"options,omitempty"` // of a question
	Controls []Control `json:"controls,omitempty"`
	Label    string    `json:"label,omitempty"` // of a script's moment
}

// Span is a piece of prose. Kind is "" for plain text, or one of the Span constants.
type Span struct {
	Kind string `json:"k,omitempty"`
	Text string `json:"t"`
	Link string `json:"l,omitempty"`
}

// The kinds of a Span.
const (
	SpanCode   = "code"
	SpanEm     = "em"
	SpanStrong = "strong"
	SpanLink   = "link"
)

// Control is a line of a lesson's script in which one value can be chosen.
type Control struct {
	Before  string   `json:"before,omitempty"`
	After   string   `json:"after,omitempty"`
	Choices []string `json:"choices"`
	Chosen  int      `json:"chosen"`
	Usual   int      `json:"usual"` // the choice of the lesson's text
}

// Line is the line of script with the chosen value.
func (c *Control) Line() string { return c.Before + c.Choices[c.Chosen] + c.After }

// Stopped says at which stop of the lesson the machine stands, or will stand
// once it was played to the step Until.
type Stopped struct {
	Stop     int   `json:"stop"`
	Until    int64 `json:"until,omitempty"`    // the moment's step, if it is to be played to; 0 if it is shown
	Compared int   `json:"compared,omitempty"` // the part whose other version is shown, 0 for none
}

// Judged is the machine's answer to a question of the lesson.
type Judged struct {
	Part   int    `json:"part"`
	Option int    `json:"option"` // the right one, -1 if none is
	Answer string `json:"answer"`
}

// Written is the text of a lesson, or what is wrong with one.
type Written struct {
	Text    string `json:"text,omitempty"`
	Line    int    `json:"line,omitempty"` // from 1; 0 if it concerns no line
	Col     int    `json:"col,omitempty"`
	Why     string `json:"why,omitempty"`     // "" if nothing is wrong
	Checked bool   `json:"checked,omitempty"` // all of it was played, and holds
}

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

// Checked says whether an exercise is solved by what the viewer has done.
type Checked struct {
	Part   int    `json:"part"`
	Solved bool   `json:"solved"`
	Why    string `json:"why,omitempty"` // why that can't be said
}

// Course is the list of lessons.
type Course struct {
	Title    string    `json:"title"`
	Summary  []Span    `json:"summary"`
	Chapters []Chapter `json:"chapters"`
}

// Chapter is a part of a Course.
type Chapter struct {
	Title   string       `json:"title"`
	Lessons []LessonName `json:"lessons"`
}

// LessonName is a lesson of a Course.
type LessonName struct {
	Name  string `json:"name"` // of its file, without .md
	Title string `json:"title"`
}
