package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
)

// Player plays the scenes of a lesson.
type Player struct {
	Lesson *Lesson
	// Machine makes the machine of a scene; nil for script.NewRunner. A lesson
	// with a Trace needs a machine that plays it.
	Machine func(out func(script.Entry)) *script.Runner
	// Chosen has lines that a control has rewritten, by their number.
	Chosen map[int]string
}

func (p *Player) machine(out func(script.Entry)) *script.Runner {
	if p.Machine != nil {
		return p.Machine(out)
	}
	return script.NewRunner(out)
}

// Lines returns the lines that lead from the beginning of the scene to the moment at
// which part i stands.
func (p *Player) Lines(i int) []Line {
	var lines []Line
	to := p.Lesson.Parts[i].ScriptIndex
	for j := p.Lesson.Scene(i); j >= 0 && j <= to; j++ {
		if part := &p.Lesson.Parts[j]; part.Kind == Script {
			lines = append(lines, p.Rewritten(part.Lines)...)
		}
	}
	return lines
}

// Rewritten returns lines as the controls have rewritten them.
func (p *Player) Rewritten(lines []Line) []Line {
	var out []Line
	for _, line := range lines {
		if text, ok := p.Chosen[line.N]; ok {
			line.Text = text
		}
		out = append(out, line)
	}
	return out
}

// Line returns the number of the line that a control of part i rewrites.
func (p *Player) Line(i int, t *Template) int {
	for j := p.Lesson.Scene(i); j < i; j++ {
		for _, line := range p.Lesson.Parts[j].Lines {
			if p.Lesson.Parts[j].Kind == Script && t.Chosen(line.Text) >= 0 {
				return line.N
			}
		}
	}
	return 0
}

// WithoutExpectations leaves out the lines that only look, because their expectations may
// not hold where a control or another version has changed the run.
func WithoutExpectations(lines []Line) []Line {
	var out []Line
	for _, line := range lines {
		if !isReadOnly(verb(line.Text)) {
			out = append(out, line)
		}
	}
	return out
}

// isReadOnly reports whether lines with a verb change nothing of the run.
func isReadOnly(verb string) bool { return verb == "expect" || verb == "can" || verb == "show" }

func play(r *script.Runner, lines []Line) error {
	for _, line := range lines {
		if err := r.Line(line.Text, line.N); err != nil {
			return err
		}
	}
	return nil
}

// Answer asks the machine the question that is part i.
func (p *Player) Answer(i int) (string, error) {
	a := &p.Lesson.Parts[i].Ask
	e := &listener{}
	r := p.machine(e.write)
	if err := play(r, WithoutExpectations(p.Lines(i))); err != nil {
		return "", err
	}
	if a.Kind == AskCan {
		if err := r.Line("can "+a.Args, a.N); err != nil {
			return "", err
		}
		text, _, _ := strings.Cut(e.value[len(e.value)-1], ",")
		return text, nil
	}
	r.OnFacts(e.take)
	if err := play(r, WithoutExpectations(p.Rewritten(p.Lesson.Parts[p.Lesson.revealedBy(i)].Lines))); err != nil {
		return "", err
	}
	if a.Kind != AskSubject {
		return e.answer(a), nil
	}
	if err := r.Line("show "+a.Args, a.N); err != nil {
		return "", err
	}
	return e.value[len(e.value)-1], nil
}

// Compared returns the lines of the scene up to part i, a Compare, in its profile.
func (p *Player) Compared(i int) []Line {
	part := &p.Lesson.Parts[i]
	lines := WithoutExpectations(p.Lines(i))
	lines[0].Text = part.Lines[0].Text
	return append(lines, part.Lines[1:]...)
}

// Check plays the whole lesson. out gets the transcripts of the scenes, without
// what only tests the lesson itself. It returns an Error about the first of these:
//   - an expect or a claim that is not met;
//   - a question whose answer by the machine is none of its options, or an option that the lesson calls wrong;
//   - an option of another kind than the answer;
//   - a control with which the scene cannot be played;
//   - an exercise that its solution does not solve, or that is solved before;
//   - a choice of a mend that does not do what the lesson says of it.
func (p *Player) Check(out func(script.Entry)) error {
	var r *script.Runner
	at := -1 // the Script that r has played last
	for i := range p.Lesson.Parts {
		part := &p.Lesson.Parts[i]
		var err error
		switch part.Kind {
		case Script:
			if part.beginsScene() {
				r = p.machine(out)
			}
			err, at = play(r, p.Rewritten(part.Lines)), i
		case Question:
			err = p.checkQuestion(i)
		case Control:
			err = p.checkControl(i)
		case Compare:
			err = play(p.machine(func(script.Entry) {}), p.Compared(i))
		case Exercise:
			err = p.checkExercise(i)
		case Mend:
			err = p.checkMend(i)
		}
		if err == nil && part.Claims != nil {
			if at == part.ScriptIndex {
				err = play(r, part.Claims)
			} else {
				err = play(p.machine(func(script.Entry) {}), append(p.Lines(i), part.Claims...))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *Player) checkQuestion(i int) error {
	answer, err := p.Answer(i)
	if err != nil {
		return err
	}
	a := &p.Lesson.Parts[i].Ask
	k := a.Option(answer)
	if k < 0 {
		return fail(a.N, fault.Named("noSuchOption answer", answer))
	}
	for _, o := range a.Options {
		if kindOf(o) != kindOf(answer) {
			return fail(a.N, fault.New("optionKind option answer", o, answer))
		}
	}
	if a.Notes[k] != nil || a.Cans[k].N > 0 {
		return fail(a.N, fault.Named("noteOnRight answer", answer))
	}
	return nil
}

// kindOf returns the kind of a value, so that nobody is offered a number where a list is asked for, or a yes where
// something is counted.
func kindOf(value string) string {
	_, err := strconv.Atoi(value)
	switch {
	case err == nil:
		return "number"
	case value == "yes" || value == "no":
		return "answer"
	}
	return "value"
}

func (p *Player) checkControl(i int) error {
	for j := range p.Lesson.Parts[i].Controls {
		t := &p.Lesson.Parts[i].Controls[j]
		for choice := range t.Choices {
			if err := play(p.machine(func(script.Entry) {}), WithoutExpectations(p.WithControl(i, t, choice).Lines(i))); err != nil {
				return fail(t.N, fault.New("withChoice choice why", t.Choices[choice], err))
			}
		}
	}
	return nil
}

// checkExercise checks that the exercise is open before its solution, and solved
// after it.
func (p *Player) checkExercise(i int) error {
	part := &p.Lesson.Parts[i]
	solution := p.Lesson.Parts[p.Lesson.solutionOf(i)].Lines
	if begin := WithoutExpectations(p.Lines(i)); verb(solution[0].Text) != "profile" {
		reached, err := p.Reached(i, begin)
		if err != nil {
			return err
		}
		if AllReached(reached) {
			return fail(part.N, fault.Plain("solvedAlready"))
		}
		solution = append(begin, solution...)
	}
	reached, err := p.Reached(i, solution)
	if err == nil && !AllReached(reached) {
		err = fail(part.N, fault.Plain("notSolved"))
	}
	return err
}

// Bounds limit the search for a schedule. They are small enough for a page, which holds the states that were
// seen in memory, and a world for each step in a row.
var Bounds = explore.Limits{States: 300_000, Depth: 2000}

// Seek begins to look for a schedule in which option k of the question that is part i would be right. The machine of r
// stands at the question's moment. It gets the commands of the script that answers the question, and is then left to
// the search: the script's own schedule doesn't count.
func (p *Player) Seek(r *script.Runner, i, k int) (found *script.Inquiry, err error) {
	r.OnInquiry(func(q *script.Inquiry) { found = q })
	for _, line := range append(WithoutExpectations(p.Rewritten(p.Lesson.Parts[p.Lesson.revealedBy(i)].Lines)), p.Lesson.Parts[i].Ask.Cans[k]) {
		switch verb(line.Text) {
		case "run", "advance", "step":
		default:
			if err := r.Line(line.Text, line.N); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// IsLesson reports whether a text begins as lessons do.
func IsLesson(text string) bool {
	return len(text) > len(opening) && text[:len(opening)] == opening
}

// opening is how every lesson begins.
const opening = "---\n"

// Stops returns where the reader stops: for each stop, the index of its first part.
// At one stop, the machine stands at one moment. A question ends its stop, because the
// parts after it would give the answer away. So does a solution, except that sources stay with it.
func (l *Lesson) Stops() []int {
	stops := []int{0}
	read := false // the stop has something to read
	for i := 1; i < len(l.Parts); i++ {
		before, p := &l.Parts[i-1], &l.Parts[i]
		if before.Kind != Script && before.Kind != Heading {
			read = true
		}
		begins := p.Kind == Script || p.Kind == Heading
		if read && (begins || p.ScriptIndex != before.ScriptIndex || before.Kind == Question || before.Kind == Solution && p.Kind != Source) {
			stops = append(stops, i)
			read = false
		}
	}
	return stops
}

// MomentOf returns the index of the Script at whose end the machine stands at stop k
// of stops, -1 before the first one.
func (l *Lesson) MomentOf(stops []int, k int) int {
	to := len(l.Parts)
	if k+1 < len(stops) {
		to = stops[k+1]
	}
	at := l.Parts[stops[k]].ScriptIndex
	for i := stops[k]; i < to; i++ {
		if at = l.Parts[i].ScriptIndex; l.Parts[i].Kind != Script && l.Parts[i].Kind != Heading {
			break
		}
	}
	return at
}

// LineAt returns the text of line n of the file, if it stands in a block.
func (l *Lesson) LineAt(n int) string {
	for i := range l.Parts {
		for _, line := range l.Parts[i].Lines {
			if line.N == n {
				return line.Text
			}
		}
	}
	return ""
}
