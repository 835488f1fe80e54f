package lesson

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// Link returns what the page shows of a lesson.
func (t *Open) Link(name string) *link.Lesson {
	l := t.Lesson
	out := &link.Lesson{Name: name, Title: l.Title, Summary: prose(l.Summary), Minutes: l.Minutes, Stations: l.Stations, Stops: slices.Clone(t.Stops), Stop: t.Stop}
	for i := range l.Parts {
		p := &l.Parts[i]
		to := link.LessonPart{Kind: link.PartKinds[p.Kind-lesson.Heading], Text: prose(p.Text), Options: p.Ask.Options, Label: p.Label}
		for _, item := range p.Items {
			to.Items = append(to.Items, prose(item))
		}
		if p.Kind == lesson.Question {
			to.Lines = []string{p.Lines[0].Text}
			to.Asks = prose(p.Ask.Label)
			if to.Asks == nil {
				to.Asks = []link.Span{{Kind: link.SpanCode, Text: p.Lines[0].Text}}
			}
			for _, note := range p.Ask.Notes {
				to.Notes = append(to.Notes, prose(note))
			}
			for _, can := range p.Ask.Cans {
				to.Cans = append(to.Cans, can.Text)
			}
		}
		if p.Kind != lesson.Question && p.Kind != lesson.Control && p.Kind != lesson.Exercise && p.Kind != lesson.Mend {
			for _, line := range p.Lines {
				to.Lines = append(to.Lines, line.Text)
			}
		}
		if p.Kind == lesson.Mend {
			to.Mend = &link.Mend{Before: p.Mend.Before, After: p.Mend.After}
			for _, c := range p.Mend.Choices {
				to.Mend.Choices = append(to.Mend.Choices, link.Choice{Code: c.Code, Outcome: prose(c.Outcome)})
			}
		}
		if p.Kind == lesson.Script {
			to.Sentences = sentences(to.Lines)
		}
		for _, s := range p.Sources {
			to.Links = append(to.Links, codeOf(s))
		}
		for j := range p.Goals {
			if g := &p.Goals[j]; g.Visible() {
				to.Goals = append(to.Goals, link.Goal{Line: g.Text, Words: prose(g.Label), Part: j})
			}
		}
		for j := range p.Controls {
			c := &p.Controls[j]
			n := t.Player.Line(i, c)
			usual := c.Chosen(l.LineAt(n))
			chosen := c.Chosen(t.Player.Chosen[n])
			if chosen < 0 {
				chosen = usual
			}
			control := link.Control{Before: c.Before, After: c.After, Choices: c.Choices, Chosen: chosen, Usual: usual}
			if p.Kind == lesson.Control {
				control.Label = controlName(c)
			}
			to.Controls = append(to.Controls, control)
		}
		out.Parts = append(out.Parts, to)
	}
	return out
}

// mostNamed is how many things a sentence on lines of a script names.
const mostNamed = 3

// sentences returns what the lines of a script do, a sentence for each kind of line.
func sentences(lines []string) (all []link.Sentence) {
	for _, s := range syntax.Describe(lines) {
		if p, ok := world.ProfileFor(strings.Join(s.Objects, "")); ok && s.Form == "profile" {
			s.Objects = []string{p.Versions}
		}
		what := strings.Join(s.Objects[:min(mostNamed, len(s.Objects))], ", ")
		if len(s.Objects) > mostNamed {
			what += " …"
		}
		all = append(all, link.Sentence{ID: "line." + s.Form, Args: map[string]link.Arg{"what": {Kind: "text", V: what}}})
	}
	return all
}

// controlName returns what the value of a control is of: of an option of its line, of a field of its object, or of the line itself.
func controlName(c *lesson.Template) link.Sentence {
	said := sentences([]string{c.Line(0)})[0]
	form := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(said.ID, "line."), ".none"), ".forever")
	option, _, is := strings.Cut(c.Before[strings.LastIndexByte(c.Before, ' ')+1:], "=")
	switch form {
	case "exists", "create", "update", "patch", "mutate":
		said.Args["name"] = link.Arg{Kind: "text", V: strings.TrimPrefix(option, ".spec.")}
		form, is = "field", false
	}
	if is {
		form = option
	}
	said.ID = "ui.try." + form
	return said
}

// codeOf returns the address of the file in which a function of client-go is, in the newest release of its minor. It is "" for a
// minor without a profile.
func codeOf(s lesson.Reference) string {
	tag := world.LastPatch(s.Version)
	if tag == "" {
		return ""
	}
	return "https://github.com/kubernetes/client-go/blob/" + tag + "/" + s.File
}

var spanKinds = [...]string{lesson.Plain: "", lesson.Literal: link.SpanCode, lesson.Emphasis: link.SpanEm, lesson.Strong: link.SpanStrong, lesson.Link: link.SpanLink}

// prose returns a text as the page shows it.
func prose(spans []lesson.Span) []link.Span {
	var out []link.Span
	for _, s := range spans {
		out = append(out, link.Span{Kind: spanKinds[s.Kind], Text: s.Text, Link: s.Link})
	}
	return out
}

// LinkCourse returns what the page shows of the course. A lesson takes as long on a path as in its chapter.
func LinkCourse(c *lesson.Course) *link.Course {
	out := &link.Course{Title: c.Title, Summary: prose(c.Summary)}
	minutes := map[string]int{}
	for i := range c.Chapters {
		ch := &c.Chapters[i]
		for j, name := range ch.Lessons {
			minutes[name] = ch.Minutes[j]
		}
		out.Chapters = append(out.Chapters, chapter(ch, minutes))
	}
	for i := range c.Paths {
		p := &c.Paths[i]
		to := chapter(&p.Chapter, minutes)
		out.Paths = append(out.Paths, link.Path{Name: p.Name, Minutes: p.Minutes, Title: to.Title, Text: to.Goal, Lessons: to.Lessons})
	}
	return out
}

func chapter(ch *lesson.Chapter, minutes map[string]int) link.Chapter {
	to := link.Chapter{Title: ch.Title, Goal: prose(ch.Goal)}
	for i, name := range ch.Lessons {
		to.Lessons = append(to.Lessons, link.LessonName{Name: name, Title: ch.Titles[i], Minutes: minutes[name]})
	}
	return to
}

// LinkWords returns what the page shows of a glossary.
func LinkWords(l *lesson.Lesson) (out []link.Word) {
	for _, w := range l.Words() {
		out = append(out, link.Word{Terms: prose(w.Terms), Meaning: prose(w.Meaning)})
	}
	return out
}
