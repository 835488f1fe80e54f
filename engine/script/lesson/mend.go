package lesson

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
)

// Mending is Go with a mistake in it. The reader chooses other lines for some of it. The Part has one Control: each of its
// choices is the line of script that the scene gets. The Goals hold when the mistake is mended.
type Mending struct {
	Before, After []string // the Go around the lines that are chosen
	Choices       []Choice
}

// Choice is what the reader can choose.
type Choice struct {
	Code    []string // the lines of Go
	Outcome []Span   // what comes of them
	Shows   []Line   // what proves that at the end of the scene: expectations, and lines that let time pass before them
	N       int      // the line of the file
}

// The lines of a mend that aren't lines of script begin with one of these, or are notes.
const (
	aroundMark = "|" // Go around the choices
	choiceMark = "- "
	codeMark   = "+" // Go of a choice
)

func (p *Part) mend() error {
	m, first := &p.Mend, 0
	for first < len(p.Lines) && !strings.HasPrefix(p.Lines[first].Text, aroundMark) && !strings.HasPrefix(p.Lines[first].Text, choiceMark) {
		first++
	}
	var err error
	if p.Goals, err = parseGoals(p.Lines[:first]); err != nil {
		return err
	}
	t := Template{N: p.N}
	for _, line := range p.Lines[first:] {
		if text, ok := strings.CutPrefix(line.Text, choiceMark); ok {
			if err := script.Check(text, line.N); err != nil {
				return err
			}
			t.Choices, m.Choices = append(t.Choices, text), append(m.Choices, Choice{N: line.N})
			continue
		}
		if err := m.take(line); err != nil {
			return err
		}
	}
	p.Controls = []Template{t}
	if len(p.Goals) == 0 || len(t.Choices) < 2 || len(t.Choices) > maxOptions {
		return fail(p.N, fault.Number("mendChoices max", maxOptions))
	}
	for _, c := range m.Choices {
		if c.Code == nil || c.Outcome == nil {
			return fail(c.N, fault.Plain("mendChoice"))
		}
	}
	return nil
}

// take reads a line around the choices, or one of the last choice.
func (m *Mending) take(line Line) (err error) {
	if code, ok := strings.CutPrefix(line.Text, aroundMark); ok {
		code = strings.TrimPrefix(code, " ")
		if m.Choices == nil {
			m.Before = append(m.Before, code)
		} else {
			m.After = append(m.After, code)
		}
		return nil
	}
	if m.Choices == nil {
		return fail(line.N, fault.Plain("mendChoice"))
	}
	c := &m.Choices[len(m.Choices)-1]
	if code, ok := strings.CutPrefix(line.Text, codeMark); ok {
		c.Code = append(c.Code, strings.TrimPrefix(code, " "))
		return nil
	}
	if text, ok := strings.CutPrefix(line.Text, noteMark); ok && c.Outcome == nil {
		c.Outcome, err = parseSpans(text, line.N)
		return err
	}
	c.Shows = append(c.Shows, line)
	return script.Check(line.Text, line.N)
}

// WithControl returns p with a choice of a control of part i.
func (p *Player) WithControl(i int, t *Template, choice int) *Player {
	other := *p
	other.Chosen = map[int]string{p.Line(i, t): t.Line(choice)}
	return &other
}

// checkMend checks that each choice of part i does what the lesson says of it, that one at least reaches the goals, and
// that the one of the lesson's own scene doesn't.
func (p *Player) checkMend(i int) error {
	part := &p.Lesson.Parts[i]
	t := &part.Controls[0]
	usual, mended := t.Chosen(p.Lesson.LineAt(p.Line(i, t))), false
	for k, c := range part.Mend.Choices {
		with := p.WithControl(i, t, k)
		lines := WithoutExpectations(with.Lines(i))
		if err := play(p.machine(func(script.Entry) {}), append(lines[:len(lines):len(lines)], c.Shows...)); err != nil {
			return err
		}
		reached, err := with.Reached(i, lines)
		switch {
		case err != nil:
			return fail(c.N, fault.New("withChoice choice why", t.Choices[k], err))
		case AllReached(reached) && k == usual:
			return fail(c.N, fault.Plain("solvedAlready"))
		}
		mended = mended || AllReached(reached)
	}
	if !mended {
		return fail(part.N, fault.Plain("notSolved"))
	}
	return nil
}
