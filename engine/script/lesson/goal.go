package lesson

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
)

// Goal is a line of an exercise: something that must hold in the end, or something that the learner
// may not do.
type Goal struct {
	Line
	Verb  string // the line's first word
	Label []Span // the goal in words; nil if the lesson has none
}

// The lines of an exercise that aren't lines of script begin with one of these verbs. The verbs of
// lines follow.
const (
	verbForbid = "forbid" // the learner may play no such line
	verbOnly   = "only"   // the learner may play no other line
)

func parseGoals(lines []Line) (all []Goal, err error) {
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line.Text, noteMark); ok && len(all) > 0 {
			if all[len(all)-1].Label, err = parseSpans(text, line.N); err != nil {
				return nil, err
			}
			continue
		}
		g := Goal{Line: line, Verb: verb(line.Text)}
		switch g.Verb {
		case verbForbid, verbOnly:
		case "expect", "can", "advance", "run":
			err = script.Check(line.Text, line.N)
		default:
			err = fail(line.N, fault.Plain("exerciseWants"))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

// Visible reports whether the learner sees the goal. The others let time pass before the goals after
// them are looked at.
func (g *Goal) Visible() bool { return g.Verb != "advance" && g.Verb != "run" }

// rules reports whether the goal is about the learner's lines, and not about the machine.
func (g *Goal) rules() bool { return g.Verb == verbForbid || g.Verb == verbOnly }

// refuses reports whether the goal forbids a line, or doesn't allow it. To look is always allowed.
func (g *Goal) refuses(line string) bool {
	v := verb(line)
	if !g.rules() || isReadOnly(v) || v == "log" {
		return false
	}
	verbs := strings.TrimPrefix(g.Text, g.Verb) + " "
	return strings.Contains(verbs, " "+v+" ") == (g.Verb == verbForbid)
}

func (g *Goal) refused(lines []Line) (n int) {
	for _, line := range lines {
		if g.refuses(line.Text) {
			n++
		}
	}
	return n
}

// Refusal returns the error of a line that an exercise doesn't allow, and says why. It is nil for any other
// line, and for a part that is no exercise.
func (p *Part) Refusal(line string) error {
	line = strings.TrimSpace(line)
	for i := range p.Goals {
		if g := &p.Goals[i]; line != "" && g.refuses(line) {
			rule := PlainText(g.Label)
			if rule == "" {
				rule = g.Text
			}
			return fault.New("lineRefused verb rule", verb(line), rule)
		}
	}
	return nil
}

// Reached plays lines, and says for each goal of exercise i whether it is reached: whether an
// expectation holds at the end, whether a can is answered with yes, and whether the rest refuses no
// more lines than the lesson itself has played. What is played for a goal, such as "run", changes
// nothing for the learner.
func (p *Player) Reached(i int, lines []Line) ([]bool, error) {
	e := &listener{}
	r := p.machine(e.write)
	if err := play(r, lines); err != nil {
		return nil, err
	}
	goals, given := p.Lesson.Parts[i].Goals, WithoutExpectations(p.Lines(i))
	reached := make([]bool, len(goals))
	for k := range goals {
		g, ok := &goals[k], true
		if g.rules() {
			ok = g.refused(lines) <= g.refused(given)
		} else if err := r.Line(g.Text, g.N); err != nil {
			if _, unmet := err.(script.Unmet); !unmet {
				return nil, err
			}
			ok = false
		} else if g.Verb == "can" {
			ok = strings.HasPrefix(e.value[len(e.value)-1], "yes")
		}
		reached[k] = ok
	}
	return reached, nil
}

// AllReached reports whether all goals of an exercise are reached.
func AllReached(reached []bool) bool { return !slices.Contains(reached, false) }
