package lesson

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
)

// verb is the first word of a line.
func verb(text string) string {
	v, _, _ := strings.Cut(text, " ")
	return v
}

// inside reads the lines of a block.
func (p *Part) inside() (err error) {
	switch p.Kind {
	case Exercise:
		p.Goals, err = goals(p.Lines)
	case Mend:
		err = p.mend()
	case Script, Compare, Solution:
		for _, line := range p.Lines {
			if err := script.Check(line.Text, line.N); err != nil {
				return err
			}
		}
		if p.Kind == Compare && verb(p.Lines[0].Text) != "profile" {
			return fail(p.N, fault.Plain("compareProfile"))
		}
	case Question:
		p.Ask, err = parseAsk(p.Lines)
	case Control:
		for _, line := range p.Lines {
			t, err := parseTemplate(line)
			if err != nil {
				return err
			}
			p.Controls = append(p.Controls, t)
		}
	case Source:
		for _, line := range p.Lines {
			f := strings.Fields(line.Text)
			if len(f) != 3 || !strings.HasPrefix(f[0], "v0.") || !strings.HasSuffix(f[1], ".go") {
				return fail(line.N, fault.Plain("sourceLine"))
			}
			p.Sources = append(p.Sources, Reference{f[0], f[1], f[2]})
		}
	}
	return err
}

// Template is a line of script in which one value can be chosen: takes audit
// {0s 20ms 1s}. It stands for the one line of its scene that it matches.
type Template struct {
	Before, After string // the line around the value
	Choices       []string
	N             int
}

func parseTemplate(line Line) (Template, error) {
	before, rest, ok := strings.Cut(line.Text, "{")
	choices, after, ok2 := strings.Cut(rest, "}")
	t := Template{before, after, strings.Fields(choices), line.N}
	if !ok || !ok2 || len(t.Choices) < 2 || strings.ContainsAny(choices+after, "{}") {
		return t, fail(line.N, fault.Of("control example", "takes audit {0s 20ms 1s}"))
	}
	for i := range t.Choices {
		if err := script.Check(t.Line(i), line.N); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Line is the line of script with choice i.
func (t *Template) Line(i int) string { return t.Before + t.Choices[i] + t.After }

// Chosen returns which choice makes the template the line text, or -1.
func (t *Template) Chosen(text string) int {
	for i := range t.Choices {
		if t.Line(i) == text {
			return i
		}
	}
	return -1
}

// check checks what one part needs of others.
func (l *Lesson) check() error {
	for i := range l.Parts {
		p := &l.Parts[i]
		scene := -1
		if p.Kind >= Script && p.Kind < Source {
			if scene = l.Scene(i); scene < 0 {
				return fail(p.N, fault.Plain("firstProfile"))
			}
		}
		switch p.Kind {
		case Question:
			if i == 0 || l.Parts[i-1].Kind != Paragraph {
				return fail(p.N, fault.Plain("askingText"))
			}
			if p.Ask.Of != AskCan && l.revealedBy(i) < 0 {
				return fail(p.N, fault.Plain("answerScript"))
			}
		case Control, Mend:
			for j := range p.Controls {
				if err := l.onlyLine(scene, i, &p.Controls[j]); err != nil {
					return err
				}
			}
		case Solution:
			if l.exerciseOf(i) < 0 {
				return fail(p.N, fault.Plain("noExerciseToSolve"))
			}
		case Hint:
			if l.exerciseOf(i) < 0 {
				return fail(p.N, fault.Plain("noExerciseToHint"))
			}
		case Exercise:
			if l.solutionOf(i) < 0 {
				return fail(p.N, fault.Plain("noSolution"))
			}
		}
	}
	return nil
}

// onlyLine checks that a template matches one line of the scene.
func (l *Lesson) onlyLine(scene, i int, t *Template) error {
	n := 0
	for j := scene; j < i; j++ {
		if l.Parts[j].Kind != Script {
			continue
		}
		for _, line := range l.Parts[j].Lines {
			if t.Chosen(line.Text) >= 0 {
				n++
			}
		}
	}
	if n != 1 {
		return fail(t.N, fault.Plain("controlLine"))
	}
	return nil
}

// revealedBy returns the index of the Script that answers question i, or -1.
// Only prose may stand between the two.
func (l *Lesson) revealedBy(i int) int {
	for j := i + 1; j < len(l.Parts); j++ {
		switch p := &l.Parts[j]; {
		case p.Kind == Script && !p.beginsScene():
			return j
		case p.Kind != Paragraph && p.Kind != List && p.Kind != Note:
			return -1
		}
	}
	return -1
}

// exerciseOf returns the index of the Exercise that a hint or a solution belongs
// to, or -1.
func (l *Lesson) exerciseOf(i int) int {
	for i--; i >= 0; i-- {
		switch l.Parts[i].Kind {
		case Exercise:
			return i
		case Hint, Paragraph, Note, List:
		default:
			return -1
		}
	}
	return -1
}

// solutionOf returns the index of the Solution of exercise i, or -1.
func (l *Lesson) solutionOf(i int) int {
	for j := i + 1; j < len(l.Parts); j++ {
		if l.Parts[j].Kind == Solution && l.exerciseOf(j) == i {
			return j
		}
	}
	return -1
}
