package history

import (
	"sort"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// Level is how deep a queue was, and how far its handlers were behind, over some
// steps: the numbers changed from Step to EndStep, and stayed until the next Level.
type Level struct {
	Step, Time       int64 // of the first change, in nanoseconds
	EndStep, EndTime int64 // of the last change
	// The highest number after any step from Step to EndStep, and the number after
	// EndStep. The first is the queue's depth, and one follows for each handler that
	// there was. The caller must not change them.
	Max, Last []int32
}

// maxLevels is how many rows the levels of one informer have at most.
const maxLevels = 8192

// levels keep how an informer's queue and listeners filled and emptied. As long as
// there is room, each change has a row of its own. In a longer run, changes share a
// row if they are less than a two-thousandth of the run apart, both in steps and in
// time. So the memory is bounded, and a timeline with fewer columns loses nothing.
type levels struct {
	shared []levelRows // the beginning, which branches share and nobody changes
	levelRows
	fixed int   // how many of the own rows a branch shares
	count int   // rows, the shared ones included
	steps int64 // the changes of a row are less than so many steps apart,
	span  int64 // and at most so many nanoseconds
}

type levelRows struct {
	rows    []levelRow
	numbers []int32 // for each row: the highest of each number, then the last of each
}

type levelRow struct {
	step, time, endStep, endTime int64
	start, n                     int32 // where its numbers begin, and how many there are of each kind
}

func (r *levelRow) most(numbers []int32) []int32 { return numbers[r.start : r.start+r.n : r.start+r.n] }

func (r *levelRow) last(numbers []int32) []int32 {
	return numbers[r.start+r.n : r.start+2*r.n : r.start+2*r.n]
}

// each calls f with every row and its numbers until f returns false.
func (l *levels) each(f func(r *levelRow, most, last []int32) bool) {
	for i := range len(l.shared) + 1 {
		p := &l.levelRows
		if i < len(l.shared) {
			p = &l.shared[i]
		}
		for j := range p.rows {
			if r := &p.rows[j]; !f(r, r.most(p.numbers), r.last(p.numbers)) {
				return
			}
		}
	}
}

// note notes that number k of x has become v in w's last step.
func (l *levels) note(w *world.World, x *informer.Informer, k int, v int32) {
	if len(l.rows) == l.fixed {
		l.open(w, x)
		return
	}
	r := &l.rows[len(l.rows)-1]
	if w.Steps()-r.step >= l.steps || w.Now()-r.time > l.span || k >= int(r.n) {
		l.open(w, x)
		return
	}
	r.endStep, r.endTime = w.Steps(), w.Now()
	most, last := &l.numbers[int(r.start)+k], &l.numbers[int(r.start+r.n)+k]
	*most, *last = max(*most, v), v
}

// open begins a row with w's last step.
func (l *levels) open(w *world.World, x *informer.Informer) {
	l.steps = max(l.steps, 1)
	if l.count >= maxLevels {
		l.thin(w.Steps(), w.Now())
	}
	l.push(w.Steps(), w.Now(), 1+len(x.Processor.Listeners))
	for range 2 { // the highest and the last
		l.numbers = append(l.numbers, int32(x.Queue.Depth()))
		for i := range x.Processor.Listeners {
			l.numbers = append(l.numbers, int32(x.Processor.Listeners[i].Backlog()))
		}
	}
}

func (l *levels) push(step, time int64, n int) *levelRow {
	l.rows = append(l.rows, levelRow{step: step, time: time, endStep: step, endTime: time, start: int32(len(l.numbers)), n: int32(n)})
	l.count++
	return &l.rows[len(l.rows)-1]
}

// thin joins rows, since the run has come to a step and a time, until at most half of
// them are left. The rows that branches share stay as they are.
func (l *levels) thin(step, time int64) {
	out := levels{
		steps: max(2*l.steps, step/(maxLevels/4)),
		span:  max(l.span, (time-l.first())/(maxLevels/4)),
	}
	var open *levelRow
	l.each(func(r *levelRow, most, last []int32) bool {
		if open == nil || r.endStep-open.step >= out.steps || r.endTime-open.time > out.span || r.n != open.n {
			open = out.push(r.step, r.time, int(r.n))
			out.numbers = append(append(out.numbers, most...), last...)
		} else {
			m := open.most(out.numbers)
			for i, v := range most {
				m[i] = max(m[i], v)
			}
			copy(open.last(out.numbers), last)
		}
		open.endStep, open.endTime = r.endStep, r.endTime
		return true
	})
	*l = out
}

func (l *levels) first() (time int64) {
	l.each(func(r *levelRow, _, _ []int32) bool {
		time = r.time
		return false
	})
	return time
}

// cut returns the first step of the row that has changes both before a step and from
// it on, or that step if there is no such row.
func (l *levels) cut(step int64) int64 {
	first := step
	l.each(func(r *levelRow, _, _ []int32) bool {
		if r.step < step && r.endStep >= step {
			first = r.step
		}
		return r.step < step
	})
	return first
}

// branch makes l go on as parent did up to a step, at which no row of the parent is
// cut. They share the rows before it.
func (l *levels) branch(parent *levels, step int64) {
	l.steps, l.span = parent.steps, parent.span
	share := func(p levelRows) int {
		n := sort.Search(len(p.rows), func(i int) bool { return p.rows[i].step >= step })
		if n > 0 {
			to := p.rows[n-1].start + 2*p.rows[n-1].n
			l.shared = append(l.shared, levelRows{p.rows[:n:n], p.numbers[:to:to]})
			l.count += n
		}
		return n
	}
	for _, p := range parent.shared {
		share(p)
	}
	parent.fixed = max(parent.fixed, share(parent.levelRows))
}
