// Package lesson plays the scenes of a lesson that is open.
package lesson

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// Open is a lesson that is open. Each of its scenes is a script that was played,
// and the document shows the one in which the reader is.
type Open struct {
	Text     string
	Lesson   *lesson.Lesson
	Player   lesson.Player
	Stops    []int
	Stop     int
	shown    *machine.Script         // the scene
	Scenes   map[int]*machine.Script // by the part that begins them, made when one is first shown
	endSteps map[int]int64           // the step at the end of each script part of those
}

// stage shows one of the scenes, in the process of an informer: "b/shops" is one, and "" the first.
type stage interface {
	ShowScene(script *machine.Script, in string)
}

// Read reads a lesson.
func Read(text string) (*Open, error) {
	l, err := lesson.Parse(text)
	if err != nil {
		return nil, err
	}
	return &Open{Text: text, Lesson: l, Player: lesson.Player{Lesson: l}, Stops: l.Stops(), Scenes: map[int]*machine.Script{}, endSteps: map[int]int64{}}, nil
}

// ErrNoScene says that a lesson, or lines of it, play nothing.
const ErrNoScene = fault.Plain("noScene")

// Begin shows the first stop. Where the lesson can't be played with the values that were chosen,
// it has its own.
func (t *Open) Begin(d stage, chosen []string) error {
	if len(t.Stops) == 0 || len(t.Lesson.Parts) == 0 {
		return ErrNoScene
	}
	t.choose(chosen)
	step, err := t.ShowStop(d, 0)
	if err != nil && t.Player.Chosen != nil {
		t.Player.Chosen = nil
		step, err = t.ShowStop(d, 0)
	}
	if err == nil {
		t.shown.Lanes.Shown.History.SeekTo(step)
	}
	return err
}

// choose turns the controls that make one of the lines.
func (t *Open) choose(lines []string) {
	for i := range t.Lesson.Parts {
		for j := range t.Lesson.Parts[i].Controls {
			c := &t.Lesson.Parts[i].Controls[j]
			for _, line := range lines {
				if t.Lesson.Parts[i].Kind == lesson.Control {
					c.AddOwn(line)
				}
				if c.Chosen(line) >= 0 {
					t.Turn(i, c, line)
				}
			}
		}
	}
}

// Turn makes a control of part i rewrite its line.
func (t *Open) Turn(i int, c *lesson.Template, line string) {
	t.Player.Chosen = maps.Clone(t.Player.Chosen)
	if t.Player.Chosen == nil {
		t.Player.Chosen = map[int]string{}
	}
	t.Player.Chosen[t.Player.Line(i, c)] = line
}

// Runner returns a runner with a new machine, for lines of the lesson, or of a script if t is nil.
func (t *Open) Runner(out func(script.Entry)) *script.Runner {
	if t != nil && t.Player.Machine != nil {
		return t.Player.Machine(out)
	}
	return script.NewRunner(out)
}

// scene returns the scene that part from begins, played to its end.
func (t *Open) scene(from int) (*machine.Script, error) {
	if s := t.Scenes[from]; s != nil {
		return s, nil
	}
	s := &machine.Script{}
	r := t.Runner(s.Add)
	for i := from; i < len(t.Lesson.Parts); i++ {
		p := &t.Lesson.Parts[i]
		if p.Kind != lesson.Script {
			continue
		}
		if i > from && t.Lesson.Scene(i) != from {
			break
		}
		lines := t.Player.Rewritten(p.Lines)
		if len(t.Player.Chosen) > 0 {
			lines = lesson.WithoutExpectations(lines)
		}
		for _, line := range lines {
			if err := s.Line(r, line.Text, line.N); err != nil {
				return nil, err
			}
		}
		if r.History() != nil {
			t.endSteps[i] = r.History().Steps()
		}
	}
	if r.History() == nil {
		return nil, ErrNoScene
	}
	s.Settle(r)
	s.Lanes.Fixed = true
	t.Scenes[from] = s
	return s, nil
}

// ShowStop makes the scene of a stop the one that d shows. It returns the step of the
// stop's moment.
func (t *Open) ShowStop(d stage, stop int) (step int64, err error) {
	at := t.Lesson.MomentOf(t.Stops, stop)
	from := 0
	if at >= 0 {
		from = t.Lesson.Scene(at)
	} else if from, _ = t.Lesson.Moment("1"); from < 0 {
		return 0, ErrNoScene
	}
	s, err := t.scene(from)
	if err != nil {
		return 0, err
	}
	d.ShowScene(s, t.process(stop))
	t.shown, t.Stop = s, stop
	s.Lanes.Show(s.Lanes.All[0])
	return t.endSteps[at], nil
}

// inProcess returns the first informer of a process, such as web/pods, that a line of a script names; "" if it names none.
func inProcess(line string) string {
	for more := true; more; {
		var name string
		if _, line, more = strings.Cut(line, `informer("`); more {
			name, _, more = strings.Cut(line, `")`)
		}
		if process, informer, ok := strings.Cut(name, "/"); more && ok && process != "" && informer != "" && !strings.Contains(name, `"`) {
			return name
		}
	}
	return ""
}

// process returns the informer of a process, as scripts name it, that the lines of a stop prove something of first; "" if they name none.
func (t *Open) process(stop int) string {
	from, to := t.Stops[stop], len(t.Lesson.Parts)
	if stop+1 < len(t.Stops) {
		to = t.Stops[stop+1]
	}
	for _, p := range t.Lesson.Parts[from:to] {
		lines := p.Claims
		if p.Kind == lesson.Script { // a question's line would give its answer away
			lines = slices.Concat(p.Lines, lines)
		}
		for _, g := range p.Goals {
			lines = append(lines, g.Line)
		}
		for _, line := range lines {
			if name := inProcess(line.Text); name != "" {
				return name
			}
		}
	}
	return ""
}

// IsPart reports whether part n is of a kind.
func (t *Open) IsPart(n int, k lesson.Kind) bool {
	return t != nil && n >= 0 && n < len(t.Lesson.Parts) && t.Lesson.Parts[n].Kind == k
}

// Refusal returns why the exercise at the stop where the reader is doesn't allow a line; nil if it does, or
// there is none.
func (t *Open) Refusal(line string) error {
	if t == nil || t.Stop >= len(t.Stops) {
		return nil
	}
	to := len(t.Lesson.Parts)
	if t.Stop+1 < len(t.Stops) {
		to = t.Stops[t.Stop+1]
	}
	for i := t.Stops[t.Stop]; i < to; i++ {
		if err := t.Lesson.Parts[i].Refusal(line); err != nil {
			return err
		}
	}
	return nil
}

const errOtherTrace = fault.Plain("otherTrace")

// Rewritten returns t with another text, and has d show the scene at the stop
// to which a line of that text belongs.
func (t *Open) Rewritten(d stage, text string, line int) (next *Open, step int64, err error) {
	next, err = Read(text)
	switch {
	case err != nil:
		return nil, 0, err
	case next.Lesson.Trace != t.Lesson.Trace:
		return nil, 0, errOtherTrace
	case len(next.Lesson.Parts) == 0:
		return nil, 0, ErrNoScene
	}
	next.Player.Machine = t.Player.Machine
	stop := 0
	for k, first := range next.Stops {
		if next.Lesson.Parts[first].N <= line {
			stop = k
		}
	}
	step, err = next.ShowStop(d, stop)
	return next, step, err
}

// contextBytes is how many bytes are shown before and after a word that was found.
const contextBytes = 48

// Search returns the lessons that have all of the words, in the order of texts: a line for each lesson, with its
// name, a tab, and its text.
func Search(texts, words string) (found []link.FoundLesson) {
	all := strings.Fields(strings.ToLower(words))
	if len(all) == 0 {
		return nil
	}
	for line := range strings.Lines(texts) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		lower, at := strings.ToLower(text), 0
		if len(lower) != len(text) {
			lower = text // some letters have a longer small one: then capitals count
		}
		for i := len(all) - 1; i >= 0 && at >= 0; i-- {
			at = strings.Index(lower, all[i])
		}
		if at < 0 {
			continue
		}
		end := at + len(all[0])
		from, to := max(0, at-contextBytes), min(len(text), end+contextBytes)
		for from > 0 && !utf8.RuneStart(text[from]) {
			from--
		}
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
		found = append(found, link.FoundLesson{Name: name, Before: text[from:at], Word: text[at:end], After: text[end:to]})
	}
	return found
}
