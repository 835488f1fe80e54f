package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

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
	Says    []Span   // what the reader can do after it; nil where the course doesn't say
	Lessons []string // their files' names without .md
	Titles  []string // as the course gives them
	Minutes []int    // that each takes, 0 where the course doesn't say
}

// Path is a way through some of the lessons. Its heading begins with its name and the minutes that it
// takes with all that is said in between, as code: ## `class 90` A class.
type Path struct {
	Chapter        // without the minutes of each lesson
	Name    string // as addresses have it
	Takes   int    // minutes
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
		case p.Kind == Paragraph && ch != nil && ch.Says == nil && ch.Lessons == nil:
			ch.Says = p.Text
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
	c.Paths = append(c.Paths, Path{Chapter: Chapter{Title: strings.TrimSpace(p.Text[1].Text)}, Name: name, Takes: minutes})
	return &c.Paths[len(c.Paths)-1].Chapter, nil
}
