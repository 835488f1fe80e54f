// Package lesson reads lessons: Markdown with blocks of the script language
// between the paragraphs. A lesson is therefore a script: it can be played and
// its expectations can be checked, as any other lesson's. web/lessons/README.md
// describes the format for authors.
//
// The parser knows the part of Markdown that lessons use, and refuses the rest.
// It makes a list of Parts and never markup, so a lesson is shown as text.
package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
)

// Limits of a lesson. Nothing in the format nests, so nothing recurses.
const (
	MaxBytes   = 256 << 10
	maxParts   = 1000
	maxOptions = 9 // each has a number key
)

// Lesson is a text that was parsed.
type Lesson struct {
	Title    string
	Summary  []Span
	Minutes  int
	Stations []string // that matter; the others may step aside
	Trace    string   // the recording that the scenes play, "" where the API server is simulated
	Parts    []Part   // what follows the summary
}

// Kind says what a Part is.
type Kind uint8

// The kinds. Those from Script on are fenced blocks, and their Lines are the
// block's.
const (
	Heading   Kind = iota + 1 // of a section
	Paragraph                 //
	List                      // Items
	Note                      // Items: for the speaker alone
	Hint                      // Items: of the exercise before it. Hints are shown one at a time
	Script                    // lines that the machine plays
	Question                  // Ask
	Control                   // Controls
	Compare                   // the same moment in another version: its profile, and what differs there
	Exercise                  // Goals: what the learner must reach
	Solution                  // Lines: one way to reach it
	Mend                      // Mend, Controls and Goals: Go with a mistake in it
	Source                    // Sources
	Code                      // Lines: in Go
)

var kindNames = [...]string{"", "heading", "paragraph", "list", "note", "hint", "script", "question", "control", "compare", "exercise", "solution", "mend", "source", "go"}

// String returns the word that begins a block of the kind.
func (k Kind) String() string { return kindNames[k] }

// Part is a paragraph, a block or something else of a lesson, in the order of the
// text.
type Part struct {
	Kind Kind
	N    int // the line of the file, from 1, in which it begins

	Text  []Span   // of a Heading or a Paragraph
	Items [][]Span // of a List, or the paragraphs of a Note or a Hint

	Lines    []Line // of a block
	Label    string // of a Script: a name for the moment at its end
	Ask      Ask
	Controls []Template
	Goals    []Goal
	Mend     Mending
	Sources  []Reference
	Claims   []Line // expectations that stand below the part and prove what it says. Readers don't see them

	// ScriptIndex is the index of the Script at whose end the machine stands while this
	// part is read, -1 before the first one. A Script has its own index.
	ScriptIndex int
}

// Line is a line of a block.
type Line struct {
	Text string
	N    int // of the file, from 1
}

// Reference is a function of client-go.
type Reference struct {
	Version string // "v0.22"
	File    string // below the module: "tools/cache/delta_fifo.go"
	Func    string // "DeltaFIFO.Replace", or "New"
}

// Error is what is wrong with a lesson, and where. Lines count from the file's
// first.
type Error = script.Error

func fail(n int, why error) error { return Error{Line: n, Col: 1, Err: why} }

// Scene returns the index of the Script that begins the scene in which part i
// stands, or -1. Each scene is a machine of its own.
func (l *Lesson) Scene(i int) int {
	for i = min(l.Parts[i].ScriptIndex, i); i >= 0; i-- {
		if l.Parts[i].beginsScene() {
			return i
		}
	}
	return -1
}

// beginsScene reports whether p is a Script whose first line sets up a machine.
func (p *Part) beginsScene() bool {
	return p.Kind == Script && len(p.Lines) > 0 && verb(p.Lines[0].Text) == "profile"
}

// Moment returns the index of the Script with a label, or the Script number n
// (from 1) where the label is a number. ok is false if there is none.
func (l *Lesson) Moment(label string) (i int, ok bool) {
	n, _ := strconv.Atoi(label)
	for i := range l.Parts {
		if l.Parts[i].Kind != Script {
			continue
		}
		if n--; n == 0 || l.Parts[i].Label == label && label != "" {
			return i, true
		}
	}
	return 0, false
}

// Course is the order of the lessons in one language.
type Course struct {
	Title    string
	Summary  []Span
	Chapters []Chapter
	Paths    []Path
}

// Chapter is a heading with the lessons under it.
type Chapter struct {
	Title   string
	Goal    []Span   // what the reader can do after it; nil where the course doesn't say
	Lessons []string // their files' names without .md
	Titles  []string // as the course gives them
	Minutes []int    // that each takes, 0 where the course doesn't say
}

// Path is a way through some of the lessons. Its heading begins with its name and the minutes that it
// takes with all that is said in between, as code: ## `class 90` A class.
type Path struct {
	Chapter        // without the minutes of each lesson
	Name    string // as addresses have it
	Minutes int
}

// ParseCourse reads the table of contents: a title, a paragraph, and chapters whose
// lists link to lessons. A paragraph may stand between a heading and its list. After a link may stand how many minutes the lesson takes: the number counts,
// and the words are for whoever reads the file. Its errors are of type Error.
func ParseCourse(text string) (*Course, error) {
	// A table of contents is parsed as a lesson without scripts, which costs little.
	l, err := Parse("---\nminutes: 1\n---\n" + text)
	if err != nil {
		if e, ok := err.(Error); ok {
			e.Line = max(1, e.Line-3)
			return nil, e
		}
		return nil, err
	}
	c := &Course{Title: l.Title, Summary: l.Summary}
	var ch *Chapter
	for i := range l.Parts {
		p := &l.Parts[i]
		switch {
		case p.Kind == Heading:
			if ch, err = c.begin(p); err != nil {
				return nil, err
			}
		case p.Kind == Paragraph && ch != nil && ch.Goal == nil && ch.Lessons == nil:
			ch.Goal = p.Text
		case p.Kind != List || ch == nil:
			return nil, fail(p.N-3, fault.Plain("courseShape"))
		default:
			for j, item := range p.Items {
				minutes := 0
				if len(item) == 2 && item[1].Kind == Plain {
					minutes, _ = strconv.Atoi(strings.Trim(item[1].Text, " ()（）minute分钟"))
					item = item[:1]
				}
				if len(item) != 1 || item[0].Kind != Link || !strings.HasSuffix(item[0].Link, ".md") {
					return nil, fail(p.N-3+j, fault.Plain("expectedLessonLink"))
				}
				ch.Lessons = append(ch.Lessons, strings.TrimSuffix(item[0].Link, ".md"))
				ch.Titles = append(ch.Titles, item[0].Text)
				ch.Minutes = append(ch.Minutes, minutes)
			}
		}
	}
	return c, nil
}

// begin begins the chapter or the path that a heading is about.
func (c *Course) begin(p *Part) (*Chapter, error) {
	if len(p.Text) != 2 || p.Text[0].Kind != Literal {
		c.Chapters = append(c.Chapters, Chapter{Title: PlainText(p.Text)})
		return &c.Chapters[len(c.Chapters)-1], nil
	}
	name, takes, _ := strings.Cut(p.Text[0].Text, " ")
	minutes, err := strconv.Atoi(takes)
	if err != nil || minutes < 1 || !isName(name) {
		return nil, fail(p.N-3, fault.Plain("courseShape"))
	}
	c.Paths = append(c.Paths, Path{Chapter: Chapter{Title: strings.TrimSpace(p.Text[1].Text)}, Name: name, Minutes: minutes})
	return &c.Paths[len(c.Paths)-1].Chapter, nil
}
