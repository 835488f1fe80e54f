// Package triggers says what has triggered each reconcile of a recording: for every key that a
// worker takes from a workqueue, the calls of handlers, the timers and the other sources that have
// added it, merged as the workqueue merges them. It reads what a recorder within the controller has
// written (package record), and plays nothing. A cause may be unknown; none is guessed.
package triggers

import (
	"math"
	"slices"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Class says what kind of cause it is.
type Class string

// The classes. The first seven are calls of handlers. The next four are the controller's own doing, or a named source. An Unknown
// Add is known by its time alone.
const (
	Initial      Class = "initial"      // an object of the informer's first list
	Resync       Class = "resync"       // an update to the version that the cache has already: a resync, or another list
	OwnWrite     Class = "ownWrite"     // a write of a reconcile of the same controller has come back
	OtherWrite   Class = "otherWrite"   // the same of another controller's reconcile in the recording
	LooseWrite   Class = "looseWrite"   // the same of a write that is known to belong to no reconcile
	Event        Class = "event"        // a change that no recorded write has made
	Change       Class = "change"       // a change by an unknown writer
	Source       Class = "source"       // a source with a name (record.Because)
	Reconcile    Class = "reconcile"    // another reconcile has added the key
	Backoff      Class = "backoff"      // another try after an error or a requeue, or AddRateLimited
	RequeueAfter Class = "requeueAfter" // another look after a while, or AddAfter
	Unknown      Class = "unknown"
)

// Cause is one Add, of those that were merged before a Get.
type Cause struct {
	Class Class
	// Possible is set where the Add raced the Get or the next one, so that it may have been
	// merged with either. Both list it.
	Possible  bool
	Added     *worker.Queued
	Timer     bool            // the Add was put off, and a timer has added the key
	Resource  *trace.Resource // of a handler's call; nil where the recording doesn't tell
	Handler   string
	Call      *trace.Call
	Reconcile *worker.Reconcile // that has sent the Write, in which it was added, or which asked for another try; nil for none
	Write     *worker.Write     // which came back; nil for none that is known
	Manager   string            // of fields, which made an Event; "" where it isn't known: see Managers

	version     version // of Resource's object
	subresource string  // that the Manager has written
}

// MostCauses is how many causes of one Get are kept.
const MostCauses = 8

// Get is a key that a worker took from a workqueue.
type Get struct {
	*worker.Queued
	Reconcile *worker.Reconcile // nil where none was recorded
	Causes    []Cause           // in the order of their Adds; none where nothing is known
	Omitted   int               // causes that are not kept
	AtLeast   bool              // the recording lacks some calls since the key's last Get, so there may be other causes
}

// List returns the Gets of all workqueues that brought a key, in the order of the recording. It takes
// time and memory in proportion to the calls of workqueues, handlers and reconciles.
func List(t *trace.Trace, log *worker.Log) []Get {
	queues := map[string]*queue{}
	var out []Get
	for i := range log.Queued {
		q := &log.Queued[i]
		if queues[q.Queue] == nil {
			queues[q.Queue] = &queue{keys: map[string]*key{}}
		}
		queues[q.Queue].call(q)
		if q.Fn == "Get" && q.Key != "" {
			out = append(out, Get{Queued: q})
		}
	}
	losses := log.Losses
	if t.Header.Truncated && len(log.Queued) > 0 {
		losses = append([]worker.Loss{{From: -1, To: log.Queued[0].Time - 1}}, losses...)
	}
	j := newJoin(t, log)
	n := map[*key]int{} // the Gets of a key, so far
	for i := range out {
		g := &out[i]
		q := queues[g.Queue]
		k := q.keys[g.Key]
		if !k.solved {
			k.solve(q.priority, losses)
		}
		served := &k.served[n[k]]
		g.Omitted = served.omitted
		n[k]++
		g.AtLeast = served.atLeast
		g.Reconcile = j.reconciled(g.Queue, g.Key, served.to, served.next)
		for _, c := range served.causes {
			a := &k.adds[c.add]
			cause := j.cause(g.Queue, a)
			cause.Possible = c.possible
			g.Causes = append(g.Causes, cause)
		}
	}
	return out
}

// join finds what the lines of a recording say of one another.
type join struct {
	t          *trace.Trace
	calls      map[int64]called
	reconciles map[int64]*worker.Reconcile
	ofKey      map[[2]string][]*worker.Reconcile // by controller and key, in the order in which they began
	writes     map[written]*worker.Write
	deletes    map[written]*worker.Write // by the object's uid
	blank      map[written][]int64       // by the object's key: when writes were sent that have no known answer
	versions   map[*trace.Resource]map[version]firstSeen
	since      int64 // from when on each write of the process that a watch brings is in the recording; never where some were left out
	whole      bool  // no reconcile was left out
}

// lag is how late an event may come of a write that a recording doesn't have because it begins in the middle.
const lag = 60_000_000_000

type called struct {
	r *trace.Resource
	h *trace.Handler
	c *trace.Call
}

// written names something in a resource.
type written struct{ group, resource, name string }

type version struct {
	key object.Key
	rv  object.RV
}

// firstSeen is the object of a version, and when a list or a watch has brought it first.
type firstSeen struct {
	uid   object.Sym
	index int64
}

func newJoin(t *trace.Trace, log *worker.Log) *join {
	j := &join{
		t: t, calls: map[int64]called{}, reconciles: map[int64]*worker.Reconcile{}, ofKey: map[[2]string][]*worker.Reconcile{},
		writes: map[written]*worker.Write{}, deletes: map[written]*worker.Write{}, blank: map[written][]int64{},
		versions: map[*trace.Resource]map[version]firstSeen{}, whole: log.LeftOut.Reconciles == 0,
	}
	switch {
	case log.LeftOut.Writes > 0:
		j.since = math.MaxInt64
	case t.Header.Truncated && len(log.Queued) > 0:
		j.since = log.Queued[0].Time + lag
	}
	for _, r := range t.Resources {
		for _, h := range r.Handlers {
			for i := range h.Calls {
				if c := &h.Calls[i]; c.ID != 0 {
					j.calls[c.ID] = called{r, h, c}
				}
			}
		}
	}
	for _, i := range log.Order() {
		x := &log.Reconciles[i]
		j.reconciles[x.ID] = x
		key := [2]string{x.Controller, x.Key}
		j.ofKey[key] = append(j.ofKey[key], x)
	}
	for i := range log.Writes {
		w := &log.Writes[i]
		writtenAs := func(name string) written { return written{w.Group, w.Resource, name} }
		switch {
		case w.DryRun || w.Answer.Status >= 300:
		case !w.Changed() || w.Answer.RV == "" && w.Answer.UID == "":
			j.blank[writtenAs(w.Key())] = append(j.blank[writtenAs(w.Key())], w.Sent)
		case w.Verb == "delete" && !w.Answer.Deleting:
			j.deletes[writtenAs(w.Answer.UID)] = w
		case w.Answer.RV == w.Written.RV: // it changed nothing
		case j.writes[writtenAs(w.Answer.RV)] == nil: // or else a patch that changed nothing
			j.writes[writtenAs(w.Answer.RV)] = w
		}
	}
	return j
}

// reconciled returns the first reconcile of a key that began between two times. A to of 0 is no end.
func (j *join) reconciled(controller, key string, from, to int64) *worker.Reconcile {
	reconciles := j.ofKey[[2]string{controller, key}]
	i, _ := slices.BinarySearchFunc(reconciles, from, func(x *worker.Reconcile, at int64) int {
		if x.Began < at {
			return -1
		}
		return 1
	})
	if i == len(reconciles) || to != 0 && reconciles[i].Began >= to {
		return nil
	}
	return reconciles[i]
}

// cause says what has made a call of Add or its like.
func (j *join) cause(queue string, a *add) Cause {
	c := Cause{Class: Unknown, Added: a.q, Timer: a.timer}
	q := a.q
	if call, ok := j.calls[q.In]; q.In != 0 && ok {
		c.Handler, c.Call = call.h.Name, call.c
		j.call(queue, &c, call)
		return c
	}
	if x := j.reconciles[q.In]; q.In != 0 && x != nil {
		c.Reconcile = x
		switch {
		case x.Ended == 0 || x.Ended > q.Time || x.Controller != queue || x.Key != q.Key, q.Fn == "Add" && x.Result == trace.ResultDone: // at the same instant as its end, too
			c.Class = Reconcile
			if x.Controller == queue && x.Key == q.Key && a.timer {
				c.Class = timerOf(q)
			}
		case x.Result == trace.ResultRequeueAfter:
			c.Class = RequeueAfter
		default:
			c.Class = Backoff
		}
		return c
	}
	switch {
	case q.In != 0: // a line that was left out
	case q.From != "":
		c.Class = Source
	case a.timer:
		c.Class = timerOf(q)
	}
	return c
}

// timerOf returns the Class of a timer, by the call that has set it.
func timerOf(q *worker.Queued) Class {
	if q.RateLimited || q.Fn == "AddRateLimited" {
		return Backoff
	}
	return RequeueAfter
}

// call says where a handler's call comes from.
func (j *join) call(queue string, c *Cause, call called) {
	rv, old := call.r.Table.RVText(call.c.RV), call.r.Table.RVText(call.c.OldRV)
	key := call.r.Table.KeyText(call.c.Key)
	r, what := j.object(call, key, rv)
	c.Resource = r
	c.Class = Change
	switch {
	case call.c.Initial:
		c.Class = Initial
		return
	case call.c.Fn == trace.OnUpdate && rv != "" && rv == old:
		c.Class = Resync
		return
	case r == nil:
		return
	}
	k, _ := r.Table.LookupKey(key)
	c.version = version{k, r.Table.RV(rv)}
	w := j.writes[written{r.Group, r.Resource, rv}]
	if w != nil && what.index < w.Sent {
		w = nil // a patch that changed nothing answers with the version of another write
	}
	if call.c.Fn == trace.OnDelete {
		if w = j.deletes[written{r.Group, r.Resource, r.Table.Text(what.uid)}]; w == nil || w.Sent > call.c.Time {
			return // an update that takes the last finalizer deletes, too, and doesn't say so
		}
	}
	if w == nil {
		for _, sent := range j.blank[written{r.Group, r.Resource, key}] {
			if sent <= call.c.Time {
				return
			}
		}
		if call.c.Time >= j.since {
			c.Class = Event
		}
		return
	}
	c.Write = w
	x := j.reconciles[w.In]
	c.Reconcile = x
	switch {
	case w.In == 0 && j.whole:
		c.Class = LooseWrite
	case x == nil:
	case x.Controller == queue:
		c.Class = OwnWrite
	default:
		c.Class = OtherWrite
	}
}

// object finds the resource that has an object's version, and the object. A call names a handler and no resource. So it returns nil
// where several resources have the version, or none.
func (j *join) object(call called, key, rv string) (r *trace.Resource, what firstSeen) {
	if rv == "" {
		return nil, what
	}
	for _, x := range j.t.Resources {
		k, ok := x.Table.LookupKey(key)
		if !ok {
			continue
		}
		b, ok := j.versionsOf(x)[version{k, x.Table.RV(rv)}]
		switch {
		case !ok:
		case r == nil:
			r, what = x, b
		case r.Group != x.Group || r.Resource != x.Resource:
			return nil, what
		}
	}
	return r, what
}

func (j *join) versionsOf(r *trace.Resource) map[version]firstSeen {
	all := j.versions[r]
	if all == nil {
		all = map[version]firstSeen{}
		for i := range r.Records {
			rec := &r.Records[i]
			if rec.Obj == 0 {
				continue
			}
			v := version{r.Table.KeyOf(rec.Obj), r.Table.RVOf(rec.Obj)}
			if _, ok := all[v]; !ok {
				all[v] = firstSeen{r.Table.UIDOf(rec.Obj), rec.Time}
			}
		}
		j.versions[r] = all
	}
	return all
}

// Managers knows which field manager has made a version of an object, as far as the object's managedFields tell: see trace.WrittenBy.
type Managers struct {
	// Bytes returns a part of the capture, or nil for what is not at hand.
	Bytes func(offset int64, length int) []byte
	// Seen is called for each version with its JSON. It may be nil.
	Seen func(r *trace.Resource, o object.Ref, raw []byte)

	items      trace.Cursor
	byResource map[*trace.Resource]*managed
}

// managed is what is known of a resource's objects.
type managed struct {
	records int // that were read
	listing bool
	last    map[object.Key][]trace.FieldManager // of the last version
	made    map[version]*trace.FieldManager
}

// Read takes in the records that have come since the last call.
func (m *Managers) Read(t *trace.Trace) {
	if m.byResource == nil {
		m.byResource = map[*trace.Resource]*managed{}
	}
	for _, r := range t.Resources {
		x := m.byResource[r]
		if x == nil {
			x = &managed{last: map[object.Key][]trace.FieldManager{}, made: map[version]*trace.FieldManager{}}
			m.byResource[r] = x
		}
		for all := r.Forgotten + len(r.Records); x.records < all; x.records++ {
			m.record(x, r, &r.Records[x.records-r.Forgotten])
		}
	}
}

func (m *Managers) record(x *managed, r *trace.Resource, rec *trace.Record) {
	switch rec.Kind {
	case trace.WatchOpen:
		x.listing = rec.Streaming
	case trace.InitialEnd, trace.WatchEnd:
		x.listing = false
	case trace.ListItem, trace.WatchEvent:
		if rec.Obj == 0 {
			return
		}
		v := version{r.Table.KeyOf(rec.Obj), r.Table.RVOf(rec.Obj)}
		was, known := x.last[v.key]
		if rec.Type == trace.TypeDeleted && rec.Kind == trace.WatchEvent {
			delete(x.last, v.key)
			return
		}
		now := m.entries(r, rec)
		x.last[v.key] = now
		if rec.Kind == trace.ListItem || x.listing || rec.Missing || now == nil || (was == nil) == known {
			return // somebody else may have written before, or the version before isn't known
		}
		x.made[v] = trace.WrittenBy(was, now)
	}
}

// entries returns an object's managedFields; nil for none.
func (m *Managers) entries(r *trace.Resource, rec *trace.Record) []trace.FieldManager {
	raw := m.items.Of(r.Table.Meta(rec.Obj).Source, m.Bytes)
	if raw == nil {
		return nil
	}
	if m.Seen != nil {
		m.Seen(r, rec.Obj, raw)
	}
	return trace.FieldManagers(raw)
}

// Name names the field managers of changes that no recorded write has made.
func (m *Managers) Name(gets []Get) {
	for i := range gets {
		for j := range gets[i].Causes {
			c := &gets[i].Causes[j]
			if x := m.byResource[c.Resource]; c.Class == Event && x != nil {
				if by := x.made[c.version]; by != nil {
					c.Manager, c.subresource = by.Name, by.Subresource
				}
			}
		}
	}
}
