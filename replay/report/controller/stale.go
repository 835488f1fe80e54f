package controller

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// mostComing is how many writes of a key are remembered that don't come back.
const mostComing = 1 << 10

// addEcho takes note of a write that is on its way back.
func (k *ofKey) addEcho(b *Echo) {
	if len(k.coming) < mostComing {
		k.coming = append(k.coming, b)
	}
}

// begin looks whether the informer has the last write of earlier reconciles of the key.
func (x *run) begin(rows int) {
	k, n := x.key, 0
	for _, b := range k.coming {
		switch {
		case b.Received == 0 || b.Received > x.Began:
			x.unseen = append(x.unseen, b)
		case !b.lost:
			x.arrived = append(x.arrived, b)
		}
	}
	k.coming = append(k.coming[:0], x.unseen...)
	var last *Echo
	for _, b := range x.unseen {
		if b.Answered <= x.Began && !b.lost {
			last = b
			n++
		}
	}
	x.used = make([]bool, len(x.unseen))
	if n > 0 {
		x.lacked(rows, n, last)
	}
}

// lacked takes note that the cache lacked n more writes when the reconcile read it, and which one is the last of them.
func (x *run) lacked(rows, n int, last *Echo) {
	if x.stale == nil {
		x.stale = &StaleReconcile{Reconcile: x.ID, Key: x.Key, Worker: x.Worker, Began: x.Began}
		x.work.stales++
		x.work.stale = appendUpTo(x.work.stale, rows, x.stale)
	}
	if x.stale.Unseen += n; x.stale.last == nil || x.stale.last.Answered < last.Answered {
		x.stale.last = last
	}
}

// saw takes in what the reconcile has read. What had come over the wire before it began, and the informer had not put into its cache, is unseen, too.
func (r *Reading) saw(s *worker.Saw) {
	x := r.runs[s.In]
	seen, err := strconv.ParseUint(s.RV, 10, 64)
	if x == nil || err != nil || x.Ended != 0 {
		return
	}
	x.arrived = slices.DeleteFunc(x.arrived, func(b *Echo) bool {
		wrote, err := strconv.ParseUint(b.RV, 10, 64)
		if err != nil || seen >= wrote || s.Key != "" && s.Key != b.Object || !r.arrivals.isKind(b, s.Kind) {
			return false
		}
		x.unseen, x.used = append(x.unseen, b), append(x.used, false)
		if b.Answered <= x.Began {
			x.lacked(r.rows, 1, b)
		}
		return true
	})
}

// Queued reports whether the last write had come over the wire before the reconcile began, so that what the reconcile read tells that
// the informer had not put it into its cache.
func (s *StaleReconcile) Queued() bool { return s.Last.Received != 0 && s.Last.Received <= s.Began }

// answered takes in a write of the reconcile.
func (s *StaleReconcile) answered(w *worker.Write) {
	switch {
	case w.DryRun || w.Answer.Status == 0:
	case w.Changed():
		s.Wrote++
	default:
		s.Refused = count(s.Refused, refusal(w))
	}
}

func (s *StaleReconcile) setEnd(x *run) {
	if s.Result = x.Result; x.Result == trace.ResultError || x.Result == trace.ResultTerminal {
		s.Error = x.Error
	}
}

// Harmful are stale reconciles that have written, or tried to, of whatever key.
type Harmful struct {
	Key string // of the last one
	Span
}

// now returns what is known by now.
func (s *StaleReconcile) now() StaleReconcile {
	out := *s
	out.Last = *s.last
	return out
}

// duplicate is an object that was created though one like it was to come. Of a create whose answer was lost, nobody knows it yet.
type duplicate struct {
	run           *run
	first, second *Echo
}

// addDuplicates notes what a reconcile has created though an object like it was to come. Each of these excuses one.
func (x *run) addDuplicates(b *Echo) {
	if b.Verb != "create" || b.generate == "" && b.like == 0 || len(x.work.twice) >= mostKept {
		return
	}
	for _, lost := range []bool{false, true} { // what is known for sure comes first
		for j, u := range x.unseen {
			if x.used[j] || u.Verb != "create" || u.lost != lost || u.Resource != b.Resource || u.namespace != b.namespace || u.generate != b.generate || u.like != b.like || u.Answered > x.Began {
				continue
			}
			x.used[j] = true
			x.work.twice = append(x.work.twice, &duplicate{x, u, b})
			return
		}
	}
}

// duplicates returns what is known by now.
func (w *work) duplicates() []Duplicate {
	all := []Duplicate{}
	for _, d := range w.twice {
		if d.first.generate == "" && (d.run.key.repeats || !namedAlike(d.first.Object, d.second.Object)) {
			continue
		}
		if u := d.first; u.lost && (u.Object == "" || u.Received <= d.run.Began) {
			continue // it has made nothing, or the reconcile could know of it
		}
		all = append(all, Duplicate{
			Reconcile: d.run.ID, Key: d.run.Key, Time: d.second.Sent, Resource: d.second.Resource,
			First: d.first.Object, Second: d.second.Object, Received: d.first.Received, Lost: d.first.lost,
		})
	}
	return all
}
