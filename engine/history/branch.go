package history

import "slices"

// Branch returns a history that is the same up to the given step, and shares it
// with h. The step must be known. The branch has been run to that step, and stands
// there.
func (h *History) Branch(step int64) *History {
	step = min(max(step, 0), h.front.Steps())
	n := 0
	for n < len(h.inputs) && h.inputs[n].Step <= step {
		n++
	}
	b := &History{cfg: h.cfg, parent: h, left: step, inputs: slices.Clip(h.inputs[:n])}
	w := new(point)
	b.samples.branch(h, step, w)
	b.front, b.cur = w, w.clone()
	b.runs.init(h.runs.memory, w)
	return b
}

// Parent returns the history that h has left, and at which step; nil for a root.
func (h *History) Parent() (parent *History, left int64) { return h.parent, h.left }

// Drop frees the memory of h. Neither h nor its branches may be used afterwards.
func (h *History) Drop() { h.runs.drop() }

// branch makes s the samples of a branch that leaves h at a step. It leaves w at that
// step.
func (s *Samples) branch(h *History, step int64, w *point) {
	p := &h.samples
	s.levels = make([]levels, len(p.levels))
	from := step + 1 // the first step whose levels the branch keeps by itself
	for again := true; again; {
		again = false
		for i := range p.levels {
			if first := p.levels[i].cut(from); first < from {
				from, again = first, true
			}
		}
	}
	h.reach(w, max(from-1, 0))
	for i := range p.levels {
		s.levels[i].branch(&p.levels[i], from)
		if from == 0 {
			s.levels[i].open(w.World(), w.Informers[i])
		}
	}
	for w.Steps() < step && h.advance(w) {
		s.level(w.World())
	}
	s.received.branch(&p.received, p.received.after(step))
	marks := p.marks.after(step)
	for marks > 0 && p.marks.At(marks-1).Time > w.Now() {
		marks-- // a note between this step and the next one, which may be another one here
	}
	s.marks.branch(&p.marks, marks)
	s.notes = p.notes
	for i := range marks {
		if p.marks.At(i).Kind == 0 {
			s.noted++
		}
	}
	s.await()
}
