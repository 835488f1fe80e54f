package link

// Lesson is the text of an open lesson. The worker keeps the machine at the moment that
// is being read about.
type Lesson struct {
	Name     string // of its file, without .md
	Title    string
	Summary  []Span
	Minutes  int
	Stations []string // that matter; empty for all
	Parts    []LessonPart
	Stops    []int // the first part of each stop
	Stop     int   // where the reader is
}

func (x *Lesson) fields(c *coder) {
	c.fields(&x.Name, &x.Title, &x.Summary, &x.Minutes, &x.Stations, &x.Parts, &x.Stops, &x.Stop)
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
	Kind      PartKind
	Text      []Span
	Items     [][]Span
	Lines     []string // of a block
	Links     []string // for each line of a source, where its code is
	Options   []string // of a question
	Asks      []Span   // what a question measures
	Notes     [][]Span // for each option of a question why it is wrong, empty where the lesson doesn't say
	Cans      []string // for each option of a question what is so where it would be right, "" where the lesson doesn't say
	Controls  []Control
	Goals     []Goal     // of an exercise, or a mend
	Mend      *Mend      // of a mend, whose only control is about its choices
	Label     string     // of a script's moment
	Sentences []Sentence // what the lines of a script do, in words
}

func (x *LessonPart) fields(c *coder) {
	c.fields((*string)(&x.Kind), &x.Text, &x.Items, &x.Lines, &x.Links, &x.Options, &x.Asks,
		&x.Notes, &x.Cans, &x.Controls, &x.Goals, &x.Mend, &x.Label,
		&x.Sentences)
}

// Span is a piece of prose. Kind is "" for plain text, or one of the Span constants.
type Span struct {
	Kind string
	Text string
	Link string
}

func (x *Span) fields(c *coder) { c.fields(&x.Kind, &x.Text, &x.Link) }

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
	Line  string // as the lesson writes it
	Words []Span // the same in words
	Part  int    // its number among all lines of the exercise
}

func (x *Goal) fields(c *coder) { c.fields(&x.Line, &x.Words, &x.Part) }

// Control is a line of a lesson's script in which one value can be chosen.
type Control struct {
	Label   Sentence // what the value is of, in words
	Before  string
	After   string
	Choices []string
	Chosen  int
	Usual   int // the choice of the lesson's text
}

func (x *Control) fields(c *coder) {
	c.fields(&x.Label, &x.Before, &x.After, &x.Choices, &x.Chosen, &x.Usual)
}

// Line returns the line of script with the chosen value.
func (c *Control) Line() string { return c.Before + c.Choices[c.Chosen] + c.After }

// Mend is Go with lines that the reader chooses.
type Mend struct {
	Before  []string
	After   []string
	Choices []Choice
}

func (x *Mend) fields(c *coder) { c.fields(&x.Before, &x.After, &x.Choices) }

// Choice is what can be chosen: lines of Go, and what comes of them.
type Choice struct {
	Code    []string
	Outcome []Span
}

func (x *Choice) fields(c *coder) { c.fields(&x.Code, &x.Outcome) }

// Stopped says at which stop of the lesson the machine stands, or will stand
// once it was played to the step Until.
type Stopped struct {
	Stop     int
	Until    int64 // the moment's step, if it is to be played to; 0 if it is shown
	Compared int   // the part whose other version is shown, 0 for none
}

func (x *Stopped) fields(c *coder) { c.fields(&x.Stop, &x.Until, &x.Compared) }

// Judged is the machine's answer to a question of the lesson.
type Judged struct {
	Part   int
	Option int // the right one, -1 if none is
	Answer string
}

func (x *Judged) fields(c *coder) { c.fields(&x.Part, &x.Option, &x.Answer) }

// Checked reports whether an exercise is solved by what the viewer has done.
type Checked struct {
	Part   int
	Solved bool
	Goals  []bool    // for each line of the exercise whether it is reached; nil if that can't be said
	Reason *Sentence // why that can't be said
}

func (x *Checked) fields(c *coder) { c.fields(&x.Part, &x.Solved, &x.Goals, &x.Reason) }

// Course is the list of lessons.
type Course struct {
	Title    string
	Summary  []Span
	Chapters []Chapter
	Paths    []Path
	Words    []Word // what they mean
}

func (x *Course) fields(c *coder) {
	c.fields(&x.Title, &x.Summary, &x.Chapters, &x.Paths, &x.Words)
}

// Word is a word of the glossary.
type Word struct {
	Terms   []Span // a term of kind SpanCode is a word only where it stands as code
	Meaning []Span
}

func (x *Word) fields(c *coder) { c.fields(&x.Terms, &x.Meaning) }

// Path is a way through some of the lessons.
type Path struct {
	Name    string // as addresses have it
	Minutes int    // minutes, with all that is said in between
	Title   string
	Text    []Span
	Lessons []LessonName
}

func (x *Path) fields(c *coder) {
	c.fields(&x.Name, &x.Minutes, &x.Title, &x.Text, &x.Lessons)
}

// Chapter is a part of a Course.
type Chapter struct {
	Title   string
	Goal    []Span // what the reader can do after it
	Lessons []LessonName
}

func (x *Chapter) fields(c *coder) { c.fields(&x.Title, &x.Goal, &x.Lessons) }

// LessonName is a lesson of a Course.
type LessonName struct {
	Name    string // of its file, without .md
	Title   string
	Minutes int // 0 if the course doesn't say
}

func (x *LessonName) fields(c *coder) { c.fields(&x.Name, &x.Title, &x.Minutes) }

// ReadCourse gets the Course at a URL, with the words of the glossary at another one.
type ReadCourse struct {
	URL   string
	Words string
}

func (x *ReadCourse) fields(c *coder) { c.fields(&x.URL, &x.Words) }

// FindLessons looks for words in the texts of all lessons, which are in the file at a URL.
type FindLessons struct {
	URL   string
	Words string
}

func (x *FindLessons) fields(c *coder) { c.fields(&x.URL, &x.Words) }

// FoundLessons are the lessons whose texts have all of the words that were looked for.
type FoundLessons struct {
	URL   string
	Words string
	Found []FoundLesson
}

func (x *FoundLessons) fields(c *coder) { c.fields(&x.URL, &x.Words, &x.Found) }

// FoundLesson is one of them, and the place in its text where the first of the words stands.
type FoundLesson struct {
	Name   string // of its file, without .md
	Before string
	Word   string
	After  string
}

func (x *FoundLesson) fields(c *coder) { c.fields(&x.Name, &x.Before, &x.Word, &x.After) }

// GoStop goes to a stop of the lesson.
type GoStop struct {
	Stop int  // its number
	Play bool // the machine plays on to the stop
}

func (x *GoStop) fields(c *coder) { c.fields(&x.Stop, &x.Play) }

// Operations on a part of the lesson, by its number.
type (
	// AskAnswer gets the answer to a question.
	AskAnswer struct {
		Part int
	}
	// Turn rewrites the line of a control with one of its choices.
	Turn struct {
		Part    int
		Control int
		Choice  int
	}
	// CompareVersions shows the moment of the part in another version.
	CompareVersions struct {
		Part int
	}
	// CheckExercise asks whether an exercise is solved.
	CheckExercise struct {
		Part int
	}
	// Solve plays a solution.
	Solve struct {
		Part int
	}
	// SeekSchedule looks for a schedule in which an option of a question would be right, and shows where it is.
	SeekSchedule struct {
		Part   int
		Option int
	}
)

func (x *AskAnswer) fields(c *coder)       { c.fields(&x.Part) }
func (x *Turn) fields(c *coder)            { c.fields(&x.Part, &x.Control, &x.Choice) }
func (x *CompareVersions) fields(c *coder) { c.fields(&x.Part) }
func (x *CheckExercise) fields(c *coder)   { c.fields(&x.Part) }
func (x *Solve) fields(c *coder)           { c.fields(&x.Part) }
func (x *SeekSchedule) fields(c *coder)    { c.fields(&x.Part, &x.Option) }

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
	Text  string
	Line  int  // from 1
	Check bool // all of it is to be played
}

func (x *Rewrite) fields(c *coder) { c.fields(&x.Text, &x.Line, &x.Check) }

// Written is the text of a lesson, or what is wrong with one.
type Written struct {
	Text    string
	Line    int // from 1; 0 if it concerns no line
	Col     int
	Reason  *Sentence // nil if nothing is wrong
	Checked bool      // all of it was played, and holds
}

func (x *Written) fields(c *coder) {
	c.fields(&x.Text, &x.Line, &x.Col, &x.Reason, &x.Checked)
}

func (ReadText) op() {}
func (Rewrite) op()  {}
