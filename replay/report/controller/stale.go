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

// OwnWrites is a key whose reconciles feed themselves: nothing but the controller's own writes has woken them, and they have written
// again. Package triggers has every cause of each reconcile. Here, timers are left out, and an Add that raced a Get counts for that one.
type OwnWrites struct {
	Key      string `json:"key"`
	Resource string `json:"of"` // the resource that was written last
	Span
}

// origin is the handler's call in which an Add was made.
type origin struct {
	brought version // what the call was told of
	known   bool    // the call was read
}

// version is a version of an object of whatever resource: no two changes have the same resourceVersion.
type version struct{ key, rv string }

// deletedUID and the object's uid stand for the resourceVersion of a delete, whose answer has none.
const deletedUID = "deleted "

// wake is a reconcile, and the handlers' calls that have added its key; nil for another Add.
type wake struct {
	run  *run
	from []*origin
}

// origins finds the writes that wake reconciles.
type origins struct {
	calls  map[int64]*origin // by id: those that are to be read
	read   map[*trace.Handler]int
	writes map[version]*sent
	order  []version // of writes
	wakes  []wake    // that aren't fully known yet, in the order in which the reconciles began
}

// mostAdds is how many Adds are looked at that were merged before one Get.
const mostAdds = 32

// added takes in a call of Add.
func (o *origins) added(r *Reading, k *ofKey, q *worker.Queued) {
	if len(k.adds) == mostAdds {
		return
	}
	if q.In == 0 || r.runs[q.In] != nil {
		k.adds = append(k.adds, nil)
		return
	}
	from := o.calls[q.In]
	if from == nil {
		if o.calls == nil || r.rows > 0 && len(o.calls) >= mostKept {
			o.calls = map[int64]*origin{}
		}
		from = &origin{}
		o.calls[q.In] = from
	}
	k.adds = append(k.adds, from)
}

// began takes in a reconcile. Every Add since the Get before counts for it.
func (o *origins) began(x *run) {
	if len(x.key.adds) > 0 {
		o.wakes = append(o.wakes, wake{x, x.key.adds})
	}
	x.key.adds = nil
}

// accepted takes in a write that may come back.
func (o *origins) accepted(s *sent) {
	v := version{s.Key(), s.Answer.RV}
	if v.rv == "" {
		v.rv = deletedUID + s.Answer.UID
	}
	if o.writes == nil {
		o.writes = map[version]*sent{}
	}
	o.writes[v] = s
	o.order = append(o.order, v)
}

// Writer returns the name of the recorded controller whose write has made a version of an object, or "" if none of them has made it.
func (r *Reading) Writer(key, rv string) string {
	if s := r.origins.writes[version{key, rv}]; s != nil {
		return s.run.work.c.Name
	}
	return ""
}

// look reads the handlers' calls that have come since, and counts the reconciles that are fully known by then.
func (o *origins) look(r *Reading) {
	if len(o.calls) > 0 {
		o.readCalls(r)
	}
	all, waits := o.wakes, map[*ofKey]bool{}
	o.wakes = o.wakes[:0]
	for i, w := range all {
		switch {
		case r.rows > 0 && len(all)-i > mostKept: // nobody knows what is missing
		case waits[w.run.key] || !w.settled(r):
			waits[w.run.key] = true
			o.wakes = append(o.wakes, w)
		default:
			w.count(o)
		}
	}
	clear(all[len(o.wakes):])
	if n := len(o.order) - mostKept; r.rows > 0 && n > 0 {
		for _, v := range o.order[:n] {
			delete(o.writes, v)
		}
		o.order = o.order[:copy(o.order, o.order[n:])]
	}
}

func (o *origins) readCalls(r *Reading) {
	if o.read == nil {
		o.read = map[*trace.Handler]int{}
	}
	for n, res := range r.trace.Resources {
		for _, h := range res.Handlers {
			for i := max(o.read[h], h.Forgotten); i < h.Forgotten+len(h.Calls); i++ {
				c := &h.Calls[i-h.Forgotten]
				if from := o.calls[c.ID]; from != nil && c.ID != 0 {
					from.known = true
					if c.RV != c.OldRV { // or else it is a resync
						from.brought = version{res.Table.KeyText(c.Key), res.Table.RVText(c.RV)}
					}
					if uid := r.arrivals.readers[n].uidOf(from.brought.key, c); uid != "" && o.writes[from.brought] == nil {
						from.brought.rv = deletedUID + uid
					}
					delete(o.calls, c.ID)
				}
			}
			o.read[h] = h.Forgotten + len(h.Calls)
		}
	}
}

// settled reports whether nothing that is to come says more about a reconcile.
func (w *wake) settled(r *Reading) bool {
	if w.run.Ended == 0 {
		return false
	}
	for _, from := range w.from {
		if from != nil && !from.known {
			return false
		}
	}
	for _, s := range r.writes {
		if s.Sent <= w.run.Ended && s.Sent > w.run.Began-minute {
			return false
		}
	}
	return true
}

// count counts a reconcile.
func (w *wake) count(o *origins) {
	var match *sent
	all := true
	for _, from := range w.from {
		s := (*sent)(nil)
		if from != nil && from.brought.rv != "" {
			s = o.writes[from.brought]
		}
		if s == nil || s.run.work != w.run.work || s.Sent > w.run.Began {
			all = false
			continue
		}
		match = s
	}
	if match == nil {
		return
	}
	if w.run.work.woken++; all && w.run.changed != nil && w.run.key.loops.add(w.run.Began) {
		w.run.key.wrote = match.Target()
	}
}
