package kamera

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/plain"
)

// Verdict says what comes of a path, or of a controller's part of it.
type Verdict string

// The verdicts.
const (
	Survives  Verdict = "survives"
	Fails     Verdict = "does not survive"
	Undecided Verdict = "not decided"
)

// Options of a question.
type Options struct {
	Workers int // of each controller; 1 if it is 0
	Limits  world.Limits
}

// Answer is what comes of a path.
type Answer struct {
	Path    int     `json:"path"` // its number, from 1
	State   string  `json:"state"`
	Steps   int     `json:"steps"`
	Verdict Verdict `json:"verdict"`
	Parts   []Part  `json:"controllers"`
	Shared  *Part   `json:"oneProcess,omitempty"` // what keeps the path from coming where all controllers are in one process; nil if nothing is known that does
}

// Part is what comes of a controller's part of a path.
type Part struct {
	Controller string  `json:"controller"`
	Verdict    Verdict `json:"verdict"`
	Step       int     `json:"step,omitempty"` // the first one of the path that can't be, from 1
	Why        string  `json:"why,omitempty"`
	States     int     `json:"states"`
	Script     string  `json:"script,omitempty"` // that goes the part step by step
}

// Ask looks whether the path of a number, counted from 1, survives.
func (d *Dump) Ask(number int, o Options) Answer {
	p := &d.paths[number-1]
	a := Answer{Path: number, State: p.state, Steps: len(p.results), Verdict: Survives}
	if p.large() {
		a.Verdict = Undecided
		return a
	}
	f := d.factsOf(p)
	if o.Workers == 0 {
		o.Workers = 1
	}
	asked := map[string]bool{}
	for i := range f.steps {
		c := f.steps[i].controller
		if isServer(c) || asked[c] {
			continue
		}
		asked[c] = true
		part := f.part(c, o)
		switch {
		case part.Verdict == Fails:
			a.Verdict = Fails
		case part.Verdict == Undecided && a.Verdict == Survives:
			a.Verdict = Undecided
		}
		a.Parts = append(a.Parts, part)
	}
	if number, why := f.impossible(""); len(a.Parts) > 1 && why != "" {
		a.Shared = &Part{Verdict: Fails, Step: number, Why: why}
	}
	return a
}

// part looks whether a controller can go its part of the path.
func (f *facts) part(controller string, o Options) Part {
	part := Part{Controller: controller, Verdict: Undecided}
	if part.Step, part.Why = f.impossible(controller); part.Why != "" {
		part.Verdict = Fails
		return part
	}
	s, why := newStage(f, controller, o.Workers)
	if why == "" {
		if err := s.set(); err != nil {
			why = err.Error()
		}
	}
	if why != "" {
		part.Why = why
		return part
	}
	far := 0
	x, err := s.search(o.Limits, len(s.steps), len(s.steps), &far)
	part.States = x.States
	switch {
	case err != nil:
		part.Why = err.Error()
	case x.Yes:
		part.Verdict = Survives
		part.Script, err = s.lane(x.Schedule)
		if err != nil {
			part.Why = err.Error()
		}
	case x.Met.States > 0 || x.Met.Depth > 0:
		part.Why = "nothing was found within " + strconv.Itoa(x.States) + " states"
	default:
		part.Verdict, part.Step = Fails, s.steps[far]+1
		part.Why = s.why(o, far)
		if x.Met.Clock > 0 {
			part.Why += fmt.Sprintf("; the clock has gone on by %v meanwhile", time.Duration(x.Met.Clock))
		}
	}
	return part
}

// impossible says which step of a controller no cache could have been read in: caches hold what an API server had at one time, and
// never go back. Without a name, it is asked of all controllers together, which have one cache in one process.
func (f *facts) impossible(controller string) (number int, why string) {
	last := map[kind]int{}
	for i := range f.steps {
		s := &f.steps[i]
		if s.controller != controller && (controller != "" || isServer(s.controller)) {
			continue
		}
		if s.wrong != "" {
			return i + 1, s.wrong
		}
		for k, n := range s.view {
			if before, read := last[k]; read && n < f.steps[before].view[k] {
				return i + 1, fmt.Sprintf("it reads %s as it was before step %d read it, and a cache never goes back; only another process could, with a list from an older API server", k, before+1)
			}
			last[k] = i
		}
	}
	return 0, ""
}

// search looks for a schedule. The shortest one is not needed.
func (s *stage) search(l world.Limits, n, free int, far *int) (world.Exploration, error) {
	search, err := s.w.Search(s.question(n, free, func(j int) { *far = max(*far, j) }), l)
	if err != nil {
		return world.Exploration{}, err
	}
	for !search.Go(100_000) && !search.Found().Yes {
	}
	return search.Found(), nil
}

// lane is a script that goes the part.
func (s *stage) lane(schedule []actor.ID) (string, error) {
	h := s.r.History()
	if !h.Follow(schedule) {
		return "", fmt.Errorf("the schedule can't be followed")
	}
	lines, err := script.Lines(h)
	if err != nil {
		return "", err
	}
	if in := h.Inputs(); in[len(in)-1].Step < h.Steps() { // the rest of the schedule is the default's
		lines = append(lines, "run until step "+strconv.FormatInt(h.Steps(), 10))
	}
	var b strings.Builder
	b.WriteString("# what " + plain.Text(s.controller) + " does in a path that kamera has found:\n")
	for _, i := range s.steps {
		b.WriteString("#   step " + strconv.Itoa(i+1) + ": reconciles " + plain.Text(s.f.steps[i].key) + "\n")
	}
	for _, line := range append(s.r.Setup(), lines...) {
		b.WriteString(line + "\n")
	}
	return b.String(), nil
}

// why says what keeps a step from coming: it is asked what would let it come.
func (s *stage) why(o Options, j int) string {
	step := &s.f.steps[s.steps[j]]
	far := 0
	if x, err := s.search(o.Limits, j+1, j, &far); err == nil && x.Yes {
		return fmt.Sprintf("what brings %s into the queue comes to the cache only with newer versions than the step reads", step.key)
	}
	many, _ := newStage(s.f, s.controller, 16)
	if many.set() == nil {
		if x, err := many.search(o.Limits, j+1, j+1, &far); err == nil && x.Yes {
			return fmt.Sprintf("another key stands before %s in the queue, and there are not workers enough for both", step.key)
		}
	}
	if x, err := s.search(o.Limits, j+1, 0, &far); err == nil && !x.Yes {
		return fmt.Sprintf("nothing brings %s into the queue by then; a key that is in it already comes out once", step.key)
	}
	return fmt.Sprintf("no schedule brings %s to a worker with what the step reads", step.key)
}
