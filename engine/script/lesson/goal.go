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
	Label []Span // the goal in words; nil if the lesson has none
}

// The lines of an exercise that aren't lines of script begin with one of these verbs, and the
// beginnings of lines follow, with commas between them.
const (
	verbForbid = "forbid" // the learner may play no such line
	verbOnly   = "only"   // the learner may play no other line
)

// goals reads the lines of an exercise.
func goals(lines []Line) ([]Goal, error) {
	var all []Goal
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line.Text, noteMark); ok && len(all) > 0 && all[len(all)-1].Label == nil {
			s, err := spans(text, line.N)
			if err != nil {
				return nil, err
			}
			all[len(all)-1].Label = s
			continue
		}
		g := Goal{Line: line}
		switch verb(line.Text) {
		case verbForbid, verbOnly:
			if len(g.lines()) == 0 {
				return nil, fail(line.N, fault.Plain("exerciseWants"))
			}
		case "expect", "can", "advance", "run":
			if err := script.Check(line.Text, line.N); err != nil {
				return nil, err
			}
		default:
			return nil, fail(line.N, fault.Plain("exerciseWants"))
		}
		all = append(all, g)
	}
	return all, nil
}

// lines are the beginnings of lines that a goal forbids, or allows alone.
func (g *Goal) lines() (all []string) {
	_, list, _ := strings.Cut(g.Text, " ")
	for _, item := range strings.Split(list, ",") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}

// Shown reports whether the learner sees the goal. The others let time pass before the goals after
// them are looked at.
func (g *Goal) Shown() bool { return verb(g.Text) != "advance" && verb(g.Text) != "run" }

// keptBy reports whether lines that the learner has played keep to the goal.
func (g *Goal) keptBy(lines []Line) bool {
	forbidden := verb(g.Text) == verbForbid
	return !slices.ContainsFunc(lines, func(line Line) bool {
		return slices.ContainsFunc(g.lines(), func(begin string) bool {
			return line.Text == begin || strings.HasPrefix(line.Text, begin+" ")
		}) == forbidden
	})
}

// Reached plays lines, and says for each goal of exercise i whether it is reached: whether an
// expectation holds at the end, whether a can is answered with yes, and whether the learner's own
// lines keep to the rest. What is played
// beyond a goal, such as "run", changes nothing for the learner.
func (p *Player) Reached(i int, lines []Line) ([]bool, error) {
	e := &ear{}
	r := p.machine(e.tell)
	if err := play(r, lines); err != nil {
		return nil, err
	}
	own := p.without(i, lines)
	goals := p.Lesson.Parts[i].Goals
	reached := make([]bool, len(goals))
	for k := range goals {
		g := &goals[k]
		if v := verb(g.Text); v == verbForbid || v == verbOnly {
			reached[k] = g.keptBy(own)
			continue
		}
		err := r.Line(g.Text, g.N)
		if _, unmet := err.(script.Unmet); unmet {
			continue
		}
		if err != nil {
			return nil, err
		}
		reached[k] = verb(g.Text) != "can" || strings.HasPrefix(e.value[len(e.value)-1], "yes")
	}
	return reached, nil
}

// without leaves out the lines that the lesson itself has played before part i, as the lesson writes
// them or as script.Lines does, which is how the page has them.
func (p *Player) without(i int, lines []Line) (own []Line) {
	left := map[string]int{}
	for _, line := range p.Lines(i) {
		left[line.Text]++
	}
	r := p.machine(func(script.Entry) {})
	if play(r, Without(p.Lines(i))) == nil && r.History() != nil {
		written, _ := script.Lines(r.History()) // the lesson's own lines stay where a run has no lines
		again := map[string]int{}
		for _, text := range written {
			again[text]++
			left[text] = max(left[text], again[text])
		}
	}
	for _, line := range lines {
		if left[line.Text]--; left[line.Text] < 0 {
			own = append(own, line)
		}
	}
	return own
}

// Solved reports whether a run of the lines reaches all goals of exercise i.
func (p *Player) Solved(i int, lines []Line) (bool, error) {
	reached, err := p.Reached(i, lines)
	return err == nil && !slices.Contains(reached, false), err
}
