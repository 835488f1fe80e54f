package ask

import (
	"cmp"
	"maps"
	"slices"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
)

// Search evaluates an expression over a run from its first step on, a few steps at a
// time, and leaves the History where it is. A caller that needs no more of it drops
// it.
type Search struct {
	e      *Eval
	f      *history.Finder
	value  Value
	report func(Change)
}

// Change is a step at which an expression has another value than before, or at which a
// momentary one is true.
type Change struct {
	Step, Time int64
	Value      Value
	World      *world.World // after the step, until seen returns
}

// Search begins to evaluate the expression over h. It means the world's i-th informer
// where it names none. Each Change is given to seen, including the value at the first
// step.
func (x *Expr) Search(h *history.History, i int, seen func(Change)) *Search {
	s := &Search{e: x.Eval(i), report: seen}
	s.f = h.Find(0, false, func(w *world.World) bool {
		s.e.step = w.Steps() // the steps that were passed over have changed nothing
		if s.e.look(w) {
			v := s.e.Value()
			s.report(Change{s.e.step, w.Now(), v, w})
			s.value = v
		}
		return false
	})
	s.e.mayPass(s.f)
	return s
}

// Step returns the step that the Search has come to.
func (s *Search) Step() int64 { return s.f.Step() }

// Now returns the time on the virtual clock at that step, in nanoseconds.
func (s *Search) Now() int64 { return s.f.Now() }

// Value returns the value of the expression at that step.
func (s *Search) Value() Value { return s.value }

// Advance evaluates so many steps at most. It reports whether it has come to the end of what
// is known of the run. If more is known later it can go on.
func (s *Search) Advance(steps int64) (ended bool) {
	_, ended = s.f.Run(steps)
	s.e.step = s.f.Step()
	return ended
}

// Find looks for the next step after the given one at which the expression, which must
// be a bool that remembers nothing, is true, or with back for the last one before it.
func (x *Expr) Find(h *history.History, i int, step int64, back bool) *history.Finder {
	e := x.Eval(i)
	f := h.Find(step, back, func(w *world.World) bool {
		v, _ := e.Look(w)
		return v.True()
	})
	if !back || x.Momentary() { // what is momentary is false where no fact makes it true
		e.mayPass(f)
	}
	return f
}

// Begin returns an Eval that has seen the run up to its furthest point.
func (x *Expr) Begin(h *history.History, i int) *Eval {
	if !x.remember {
		e := x.Eval(i)
		e.Look(h.Front())
		return e
	}
	s := x.Search(h, i, func(Change) {})
	for !s.Advance(1 << 20) {
	}
	return s.e
}

// Odds is in how many random runs from one step on an expression came about.
type Odds struct {
	Step, Time int64 // where the runs begin
	Yes, Runs  int
}

// Share returns the part of the runs in which it came about, in thousandths.
func (o Odds) Share() int64 {
	if o.Runs == 0 {
		return 0
	}
	return int64(o.Yes) * 1000 / int64(o.Runs)
}

// An Estimate is how likely an expression is to come about, found by random runs from steps
// all over a run. It begins with steps at equal distances. Then it looks closer where
// the odds of two neighbours differ most, because what decides lies between these.
type Estimate struct {
	x      *Expr
	h      *history.History
	i      int
	bounds EstimateBounds
	points []point
	round  int
	point  int // the point whose run is under way, or is next

	run   *Eval // of the run under way, nil for none
	steps int64
}

// EstimateBounds bound an Estimate. The zero value of a bound is its default.
type EstimateBounds struct {
	Points int   // steps at equal distances; 24
	Closer int   // more steps, where the odds differ; 24, too
	Runs   int   // from each step; 100
	Steps  int64 // of each run; 4000
}

type point struct {
	Odds
	draws *history.RandomRuns
	eval  *Eval // has seen the run up to this step
}

// Estimate begins to estimate how likely x is in h, which must not be dropped meanwhile. It
// means the world's i-th informer where it names none. The expression must be a bool.
func (x *Expr) Estimate(h *history.History, i int, b EstimateBounds) *Estimate {
	b.Points, b.Runs, b.Steps = cmp.Or(b.Points, 24), cmp.Or(b.Runs, 100), cmp.Or(b.Steps, 4000)
	b.Closer = cmp.Or(b.Closer, b.Points)
	l := &Estimate{x: x, h: h, i: i, bounds: b}
	last := int64(-1)
	for n := range int64(b.Points) {
		step := h.Steps() * n / max(int64(b.Points)-1, 1)
		if step > last {
			l.points = append(l.points, point{Odds: Odds{Step: step}})
			last = step
		}
	}
	return l
}

// StepLimit returns how many steps each run takes at most.
func (l *Estimate) StepLimit() int64 { return l.bounds.Steps }

// Odds returns what is known, in the order of the steps.
func (l *Estimate) Odds() []Odds {
	var out []Odds
	for i := range l.points {
		if l.points[i].Runs > 0 {
			out = append(out, l.points[i].Odds)
		}
	}
	return out
}

// Runs returns how many runs were made, and how many there will be at most.
func (l *Estimate) Runs() (made, total int) {
	for i := range l.points {
		made += l.points[i].Runs
	}
	return made, (l.bounds.Points + l.bounds.Closer) * l.bounds.Runs
}

// firstRuns is how many runs are made from each step before an Estimate looks closer.
const firstRuns = 10

// Advance makes so many steps at most, and reports whether it is done. Getting to a
// point for the first time counts as one step.
func (l *Estimate) Advance(steps int) (done bool) {
	for ; steps > 0; steps-- {
		if l.run != nil {
			l.step()
			continue
		}
		for l.point < len(l.points) && l.points[l.point].Runs >= l.runsPerStep() {
			l.point++
		}
		if l.point == len(l.points) {
			if l.point = 0; l.runsPerStep() == l.bounds.Runs {
				return true
			}
			l.closer()
			continue
		}
		l.begin(&l.points[l.point])
	}
	return false
}

// runsPerStep returns how many runs are to be made from each step for now.
func (l *Estimate) runsPerStep() int {
	if l.round < l.bounds.Closer {
		return min(firstRuns, l.bounds.Runs)
	}
	return l.bounds.Runs
}

// closer adds a step between the two neighbours whose odds differ most.
func (l *Estimate) closer() {
	l.round++
	best, most := 0, int64(0)
	for i := 1; i < len(l.points); i++ {
		a, b := &l.points[i-1], &l.points[i]
		differ := a.Share() - b.Share()
		if differ = max(differ, -differ); b.Step-a.Step > 1 && differ > most {
			best, most = i, differ
		}
	}
	if best == 0 { // no two neighbours that differ have a step between them
		l.round = l.bounds.Closer
		return
	}
	middle := (l.points[best-1].Step + l.points[best].Step) / 2
	l.points = slices.Insert(l.points, best, point{Odds: Odds{Step: middle}})
}

func (l *Estimate) begin(p *point) {
	if p.draws == nil {
		p.draws = l.h.RandomRuns(p.Step)
		p.draws.Begin(0)
		p.Time = p.draws.World().Now()
		p.eval = l.evalAt(p)
	}
	p.draws.Begin(uint64(p.Runs) + 1)
	l.run, l.steps = p.eval.clone(), 0
	if l.run.Value().True() && !l.x.Momentary() {
		l.end(true)
	}
}

// evalAt returns an Eval that has seen the run up to a point.
func (l *Estimate) evalAt(p *point) *Eval {
	e, from := l.x.Eval(l.i), int64(0)
	if !l.x.Remembers() || p.Step == 0 {
		e.Look(p.draws.World())
		return e
	}
	for i := range l.points { // the Eval of an earlier point has seen a part of the way
		if q := &l.points[i]; q.Step < p.Step && q.eval != nil {
			e, from = q.eval.clone(), q.Step
		}
	}
	l.h.Find(from, false, func(w *world.World) bool {
		e.Look(w)
		return w.Steps() == p.Step
	}).Run(p.Step)
	return e
}

func (l *Estimate) step() {
	d := l.points[l.point].draws
	if l.steps++; l.steps > l.bounds.Steps || !d.Step() {
		l.end(false)
		return
	}
	if v, changed := l.run.Look(d.World()); v.True() && changed {
		l.end(true)
	}
}

func (l *Estimate) end(yes bool) {
	p := &l.points[l.point]
	if p.Runs++; yes {
		p.Yes++
	}
	l.run = nil
}

func (e *Eval) clone() *Eval {
	c := *e
	c.nodes = slices.Clone(e.nodes)
	for i := range c.nodes {
		m := &c.nodes[i].memory
		m.waits, m.relists, m.written = slices.Clone(m.waits), slices.Clone(m.relists), maps.Clone(m.written)
	}
	return &c
}
