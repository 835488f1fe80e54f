package controller

import (
	"strconv"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// LateDelete is a delete that a reconcile has sent while its cache was more than a second behind: what had happened before the delete came that
// much later. It is a change of the deleted object, or of the object that was reconciled, or another delete of the same controller.
type LateDelete struct {
	Key      string // that was reconciled
	Object   string
	Resource string
	Time     int64  // when it was sent
	Child    string // the object whose change came late
	Late     int64  // how long after the delete was sent; at least, where it hasn't come
}

// lateBy is how much later a change must have come. A watch brings it within milliseconds.
const lateBy = 1_000_000_000

// deleted is a delete, and what has come since.
type deleted struct {
	path    trace.Path
	object  string
	key     string // that was reconciled
	sent    int64
	run     *run      // nil until it is accepted
	gone    uint64    // the resourceVersion of the deletion, 0 where it isn't known
	changes []changed // that came more than lateBy after it was sent
	before  *Echo     // a delete that was to come when the reconcile began
}

// changed is an event of the deleted object, or of the object that was reconciled.
type changed struct {
	key string
	at  int64
	rv  uint64
}

const (
	mostDeletes = 1 << 10 // are remembered
	mostChanges = 8       // of each
)

// deletes are the last ones.
type deletes struct {
	byID  map[int64]*deleted
	byKey map[string][]*deleted
	order []*deleted
}

// sends takes in a delete that is sent by a reconcile of a key.
func (d *deletes) sends(w *worker.Write, key string) {
	if w.Verb != "delete" || w.Subresource != "" || w.Key() == "" || w.DryRun {
		return
	}
	if d.byID == nil {
		d.byID, d.byKey = map[int64]*deleted{}, map[string][]*deleted{}
	}
	x := &deleted{path: w.Path, object: w.Key(), key: key, sent: w.Sent}
	d.byID[w.ID] = x
	d.byKey[x.object] = append(d.byKey[x.object], x)
	if key != x.object {
		d.byKey[key] = append(d.byKey[key], x)
	}
	d.order = append(d.order, x)
}

// forget forgets what is older than the last ones.
func (d *deletes) forget() {
	for len(d.order) > mostDeletes {
		x := d.order[0]
		d.order = d.order[1:]
		for _, key := range []string{x.object, x.key} {
			if all := d.byKey[key]; len(all) > 0 && all[0] == x {
				if d.byKey[key] = all[1:]; len(all) == 1 {
					delete(d.byKey, key)
				}
			}
		}
	}
}

// event takes in what a watch has brought.
func (d *deletes) event(r *trace.Resource, rec *trace.Record) {
	m := r.Table.Meta(rec.Obj)
	key := r.Table.KeyText(m.Key)
	for _, x := range d.byKey[key] {
		if rec.Time < x.sent {
			continue
		}
		rv, ok := m.RV.Number()
		isOwn := x.object == key && x.path.Group == r.Group && x.path.Resource == r.Resource
		switch {
		case !ok || x.object == key && !isOwn && x.key != key:
		case isOwn && rec.Type == trace.TypeDeleted:
			if x.gone == 0 {
				x.gone = rv
			}
		case rec.Time-x.sent >= lateBy && len(x.changes) < mostChanges:
			x.changes = append(x.changes, changed{key, rec.Time, rv})
		}
	}
}

// accepted takes in that a delete was carried out.
func (d *deletes) accepted(s *sent) {
	x := d.byID[s.ID]
	if x == nil {
		return
	}
	delete(d.byID, s.ID)
	x.run = s.run
	if n, err := strconv.ParseUint(s.Answer.RV, 10, 64); err == nil && s.Answer.Deleting {
		x.gone = n
	}
	for _, u := range s.run.unseen {
		if u.Verb == "delete" && !u.lost && u.Resource == s.Target() && u.namespace == s.Namespace && u.Object != x.object && u.Answered <= s.run.Began {
			x.before = u
		}
	}
}

// late returns the object whose change came late for a delete, and how late it came by now.
func (x *deleted) late(now int64) (child string, late int64) {
	if u := x.before; u != nil {
		at := u.Received
		if at == 0 {
			at = now
		}
		if at-x.sent >= lateBy {
			return u.Object, at - x.sent
		}
	}
	for _, c := range x.changes {
		if c.rv < x.gone {
			return c.key, c.at - x.sent
		}
	}
	return "", 0
}

// late returns the first ones of a controller, and how many there are among the last.
func (d *deletes) late(w *work, now int64, rows int) (all []LateDelete, n int64) {
	for _, x := range d.order {
		if x.run == nil || x.run.work != w {
			continue
		}
		if child, late := x.late(now); child != "" {
			n++
			all = appendUpTo(all, rows, LateDelete{x.run.Key, x.object, (&worker.Write{Path: x.path}).Target(), x.sent, child, late})
		}
	}
	return all, n
}
