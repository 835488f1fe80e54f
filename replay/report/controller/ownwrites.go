package controller

import (
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

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
