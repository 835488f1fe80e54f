package link

// Lesson is the text of an open lesson. The worker keeps the machine at the moment that
// is being read about.
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

// PartKind is what a part of a lesson is: the word that begins such a block, as a lesson.Kind has it.
type PartKind string

// The kinds of a LessonPart.
const (
	PartHeading   PartKind = "heading"
	PartParagraph PartKind = "paragraph"
	PartList      PartKind = "list"
	PartNote      PartKind = "note" // for the speaker alone
	PartHint      PartKind = "hint"
	PartScript    PartKind = "script"
	PartQuestion  PartKind = "question"
	PartControl   PartKind = "control"
	PartCompare   PartKind = "compare"
	PartExercise  PartKind = "exercise"
	PartSolution  PartKind = "solution"
	PartMend      PartKind = "mend"
	PartSource    PartKind = "source"
	PartCode      PartKind = "go"
)

// PartKinds lists them, in the order of lesson.Kind.
var PartKinds = []PartKind{
	PartHeading, PartParagraph, PartList, PartNote, PartHint, PartScript, PartQuestion, PartControl, PartCompare, PartExercise, PartSolution, PartMend, PartSource, PartCode,
}

// LessonPart is a paragraph or a block of a lesson.
type LessonPart struct {
	Kind     PartKind  `json:"kind"`
	Text     []Span    `json:"text,omitempty"`
	Items    [][]Span  `json:"items,omitempty"`
	Lines    []string  `json:"lines,omitempty"`   // of a block
	Links    []string  `json:"links,omitempty"`   // for each line of a source, where its code is
	Options  []string  `json:"options,omitempty"` // of a question
	Asks     []Span    `json:"asks,omitempty"`    // what a question measures
	Notes    [][]Span  `json:"notes,omitempty"`   // for each option of a question why it is wrong, empty where the lesson doesn't say
	Cans     []string  `json:"cans,omitempty"`    // for each option of a question what is so where it would be right, "" where the lesson doesn't say
	Controls []Control `json:"controls,omitempty"`
	Goals    []Goal    `json:"goals,omitempty"` // of an exercise, or a mend
	Mend     *Mend     `json:"mend,omitempty"`  // of a mend, whose only control is about its choices
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

	// SpanWord and SpanWordCode are words of the glossary. Link is the number of the Word.
	SpanWord     = "word"
	SpanWordCode = "wordcode"
)

// Goal is what an exercise wants.
type Goal struct {
	Line  string `json:"line"`            // as the lesson writes it
	Words []Span `json:"words,omitempty"` // the same in words
	Part  int    `json:"part"`            // its number among all lines of the exercise
}

// Control is a line of a lesson's script in which one value can be chosen.
type Control struct {
	Before  string   `json:"before,omitempty"`
	After   string   `json:"after,omitempty"`
	Choices []string `json:"choices"`
	Chosen  int      `json:"chosen"`
	Usual   int      `json:"usual"` // the choice of the lesson's text
}

// Line returns the line of script with the chosen value.
func (c *Control) Line() string { return c.Before + c.Choices[c.Chosen] + c.After }

// Mend is Go with lines that the reader chooses.
type Mend struct {
	Before  []string `json:"before,omitempty"`
	After   []string `json:"after,omitempty"`
	Choices []Choice `json:"choices"`
}

// Choice is what can be chosen: lines of Go, and what comes of them.
type Choice struct {
	Code []string `json:"code"`
	Says []Span   `json:"says"`
}

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

// Checked says whether an exercise is solved by what the viewer has done.
type Checked struct {
	Part   int       `json:"part"`
	Solved bool      `json:"solved"`
	Goals  []bool    `json:"goals,omitempty"` // for each line of the exercise whether it is reached; nil if that can't be said
	Why    *Sentence `json:"why,omitempty"`   // why that can't be said
}

// Course is the list of lessons.
type Course struct {
	Title    string    `json:"title"`
	Summary  []Span    `json:"summary"`
	Chapters []Chapter `json:"chapters"`
	Paths    []Path    `json:"paths,omitempty"`
	Words    []Word    `json:"words,omitempty"` // what they mean
}

// Word is a word of the glossary.
type Word struct {
	Terms []Span `json:"terms"` // those of kind SpanCode are words only where they stand as code
	Says  []Span `json:"says"`
}

// Path is a way through some of the lessons.
type Path struct {
	Name    string       `json:"name"`  // as addresses have it
	Takes   int          `json:"takes"` // minutes, with all that is said in between
	Title   string       `json:"title"`
	Says    []Span       `json:"says,omitempty"`
	Lessons []LessonName `json:"lessons"`
}

// Chapter is a part of a Course.
type Chapter struct {
	Title   string       `json:"title"`
	Says    []Span       `json:"says,omitempty"` // what the reader can do after it
	Lessons []LessonName `json:"lessons"`
}

// LessonName is a lesson of a Course.
type LessonName struct {
	Name    string `json:"name"` // of its file, without .md
	Title   string `json:"title"`
	Minutes int    `json:"minutes,omitempty"` // 0 if the course doesn't say
}

// ReadCourse gets the Course at a URL, with the words of the glossary at another one.
type ReadCourse struct {
	URL   string `json:"url,omitempty"`
	Words string `json:"words,omitempty"`
}

// FindLessons looks for words in the texts of all lessons, which are in the file at a URL.
type FindLessons struct {
	URL   string `json:"url,omitempty"`
	Words string `json:"words,omitempty"`
}

// FoundLessons are the lessons whose texts have all of the words that were looked for.
type FoundLessons struct {
	URL   string        `json:"url"`
	Words string        `json:"words"`
	Found []FoundLesson `json:"found,omitempty"`
}

// FoundLesson is one of them, and the place in its text where the first of the words stands.
type FoundLesson struct {
	Name   string `json:"name"` // of its file, without .md
	Before string `json:"before"`
	Word   string `json:"word"`
	After  string `json:"after"`
}

// GoStop goes to a stop of the lesson.
type GoStop struct {
	Stop int  `json:"stop,omitempty"` // its number
	Play bool `json:"play,omitempty"` // the machine plays on to the stop
}

// Operations on a part of the lesson, by its number.
type (
	// AskAnswer gets the answer to a question.
	AskAnswer struct {
		Part int `json:"part,omitempty"`
	}
	// Turn rewrites the line of a control with one of its choices.
	Turn struct {
		Part    int `json:"part,omitempty"`
		Control int `json:"control,omitempty"`
		Choice  int `json:"choice,omitempty"`
	}
	// CompareVersions shows the moment of the part in another version.
	CompareVersions struct {
		Part int `json:"part,omitempty"`
	}
	// CheckExercise asks whether an exercise is solved.
	CheckExercise struct {
		Part int `json:"part,omitempty"`
	}
	// Solve plays a solution.
	Solve struct {
		Part int `json:"part,omitempty"`
	}
	// SeekSchedule looks for a schedule in which an option of a question would be right, and shows where it is.
	SeekSchedule struct {
		Part   int `json:"part,omitempty"`
		Option int `json:"option,omitempty"`
	}
)

func (ReadCourse) op()      {}
func (FindLessons) op()     {}
func (GoStop) op()          {}
func (AskAnswer) op()       {}
func (Turn) op()            {}
func (CompareVersions) op() {}
func (CheckExercise) op()   {}
func (Solve) op()           {}
func (SeekSchedule) op()    {}

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

func (Rewrite) op() {}
