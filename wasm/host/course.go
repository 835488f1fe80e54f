package host

import (
	"errors"
	"slices"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
)

// course fetches the list of lessons.
func (l *lessons) course(id int, q link.ReadCourse) {
	var text []byte
	in := l.browser.Fetch(q.URL)
	in.Stream(
		func(b []byte, _ int64) {
			if len(text) <= lesson.MaxBytes {
				text = append(text, b...)
			}
		},
		func(err error) {
			if s, ok := in.(browser.Stored); ok {
				for s.Settle() { // nothing of it is read again
				}
			}
			var c *lesson.Course
			if err == nil && len(text) > lesson.MaxBytes {
				err = errors.New("the list of lessons is too long")
			}
			if err == nil {
				c, err = lesson.ParseCourse(string(text))
			}
			if err != nil {
				l.fail(id, link.Sentence{ID: "fail.course"}, err)
				return
			}
			out := &link.Course{Title: c.Title, Summary: prose(c.Summary)}
			for _, ch := range c.Chapters {
				to := link.Chapter{Title: ch.Title}
				for i, name := range ch.Lessons {
					to.Lessons = append(to.Lessons, link.LessonName{Name: name, Title: ch.Titles[i]})
				}
				out.Chapters = append(out.Chapters, to)
			}
			l.send(&link.Reply{ID: id, Course: out})
		})
}

// link returns what the page shows of a lesson.
func (t *taught) link(name string) *link.Lesson {
	l := t.lesson
	out := &link.Lesson{Name: name, Title: l.Title, Summary: prose(l.Summary), Minutes: l.Minutes, Stations: l.Stations, Stops: slices.Clone(t.stops), Stop: t.stop}
	for i := range l.Parts {
		p := &l.Parts[i]
		to := link.LessonPart{Kind: p.Kind.String(), Text: prose(p.Text), Options: p.Ask.Options, Label: p.Label}
		for _, item := range p.Items {
			to.Items = append(to.Items, prose(item))
		}
		if p.Kind != lesson.Question && p.Kind != lesson.Control {
			for _, line := range p.Lines {
				to.Lines = append(to.Lines, line.Text)
			}
		}
		for j := range p.Controls {
			c := &p.Controls[j]
			n := t.player.Line(i, c)
			usual := c.Chosen(l.LineAt(n))
			chosen := c.Chosen(t.player.Chosen[n])
			if chosen < 0 {
				chosen = usual
			}
			to.Controls = append(to.Controls, link.Control{Before: c.Before, After: c.After, Choices: c.Choices, Chosen: chosen, Usual: usual})
		}
		out.Parts = append(out.Parts, to)
	}
	return out
}

var spanKinds = [...]string{lesson.Plain: "", lesson.Literal: link.SpanCode, lesson.Emphasis: link.SpanEm, lesson.Strong: link.SpanStrong, lesson.Link: link.SpanLink}

func prose(spans []lesson.Span) []link.Span {
	var out []link.Span
	for _, s := range spans {
		out = append(out, link.Span{Kind: spanKinds[s.Kind], Text: s.Text, Link: s.Link})
	}
	return out
}
