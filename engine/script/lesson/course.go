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
}

// Chapter is a heading with the lessons under it.
type Chapter struct {
	Title   string
	Lessons []string // their files' names without .md
	Titles  []string // as the course gives them
	Minutes []int    // that each takes, 0 where the course doesn't say
}

// ParseCourse reads the table of contents: a title, a paragraph, and chapters whose
// lists link to lessons. After a link may stand how many minutes the lesson takes: the number counts,
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
	for i := range l.Parts {
		p := &l.Parts[i]
		switch {
		case p.Kind == Heading:
			c.Chapters = append(c.Chapters, Chapter{Title: PlainText(p.Text)})
		case p.Kind != List || len(c.Chapters) == 0:
			return nil, fail(p.N-3, fault.Plain("courseShape"))
		default:
			ch := &c.Chapters[len(c.Chapters)-1]
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
