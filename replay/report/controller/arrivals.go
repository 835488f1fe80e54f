package controller

import (
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// arrivals tells when a recorded list or watch has brought a write.
type arrivals struct {
	bounded bool
	readers []*reader
	deletes deletes
	watched int                              // readers that have opened a watch
	bases   map[string]map[string]*additions // by "resource.group" and baseOf: the objects of creates
	claimed map[string]bool                  // by "resource.group key": the objects of such creates that were answered, and those given to one that was not
}

// additions are the objects of a generated name, or the object that the client has named, each with the time when it was first listed or watched.
type additions struct{ all []addition }

type addition struct {
	time int64
	name string
}

// reader is one reflector's view of a resource. What it has got by a time is the newest
// resourceVersion that a whole list, a watch event or a bookmark has brought, because a watch
// sends events in the order of their resourceVersions. So a write that a selector keeps from
// the reader counts as brought when something later came.
type reader struct {
	r       *trace.Resource
	seen    int // records
	bounded bool
	watches bool // it has opened one: a list that no watch follows fills no cache, since somebody has read past it
	reached []position
	deleted map[string][]deletion // by key
	order   []string              // in which the keys were deleted
	listed  []list
	known   []bool                // by key: it was listed or watched
	spans   map[object.Key][]span // when it had the object, if that wasn't from its first list on and always
	waits   map[string]*additions // of arrivals.bases
	lists   bool                  // a list is under way
	asked   int64                 // since when
	items   []object.Ref          // of a list that is under way
}

// position is a time at which a newer resourceVersion was reached.
type position struct {
	time int64
	rv   uint64
}

// span is a time in which a reader had an object: from the resourceVersion with which it came up to the one with which it left, which it does
// where it no longer fits the reader's selector, too. A span that goes on has no end.
type span struct {
	from, to     uint64
	since, until int64
}

type deletion struct {
	time int64
	uid  string
}

// list is a whole list: when it was asked for, and when it was there.
type list struct{ asked, answered int64 }

// add takes in the records that were read since the last call. Where no controller was recorded, it doesn't matter what was deleted.
func (a *arrivals) add(t *trace.Trace, worked bool) {
	for i, r := range t.Resources {
		if i == len(a.readers) {
			a.readers = append(a.readers, &reader{r: r, bounded: a.bounded, deleted: map[string][]deletion{}, waits: a.bases[nameOf(r)]})
		}
		v := a.readers[i]
		watches := v.watches
		for all := r.Forgotten + len(r.Records); v.seen < all; v.seen++ {
			rec := &r.Records[v.seen-r.Forgotten]
			v.add(rec, worked)
			if len(a.deletes.byKey) > 0 && rec.Kind == trace.WatchEvent && rec.Obj != 0 {
				a.deletes.event(r, rec)
			}
		}
		if v.watches != watches {
			a.watched++
		}
		if a.bounded {
			v.forget()
		}
	}
}

// nameOf names a resource as worker.Write.Target does.
func nameOf(r *trace.Resource) string {
	return (&worker.Write{Path: trace.Path{Group: r.Group, Resource: r.Resource}}).Target()
}

func (a *arrivals) retire(resource int, k object.Key) {
	if resource < len(a.readers) && int(k) < len(a.readers[resource].known) {
		a.readers[resource].known[k] = false
		delete(a.readers[resource].spans, k)
	}
}

func (v *reader) add(rec *trace.Record, worked bool) {
	switch rec.Kind {
	case trace.ListBegin:
		v.lists, v.asked, v.items = true, rec.Time, v.items[:0]
	case trace.ListItem:
		v.items = append(v.items, rec.Obj)
	case trace.WatchOpen:
		v.watches, v.lists, v.asked = true, rec.Streaming, rec.Time
	case trace.ListEnd, trace.InitialEnd:
		v.reach(rec.Time, rec.RV)
		for _, obj := range v.items {
			v.news(obj, rec.Time, worked)
		}
		if v.lists {
			v.listed = append(v.listed, list{v.asked, rec.Time})
		}
		v.lists = false
		v.items = v.items[:0]
	case trace.WatchBookmark:
		if !v.lists {
			v.reach(rec.Time, rec.RV)
		}
	case trace.WatchEvent:
		if rec.Obj == 0 {
			return
		}
		v.news(rec.Obj, rec.Time, worked)
		if v.lists {
			return
		}
		v.reach(rec.Time, v.r.Table.RVOf(rec.Obj))
		if rec.Type == trace.TypeDeleted && worked {
			m := v.r.Table.Meta(rec.Obj)
			key := v.r.Table.KeyText(m.Key)
			v.deleted[key] = append(v.deleted[key], deletion{rec.Time, v.r.Table.Text(m.UID)})
			v.order = append(v.order, key)
			v.leave(m.Key, v.r.Table.RVOf(rec.Obj), rec.Time)
		}
	}
}

// forget bounds what is remembered.
func (v *reader) forget() {
	if n := len(v.reached) - mostKept; n > 0 {
		v.reached = v.reached[:copy(v.reached, v.reached[n+mostKept/2:])]
	}
	if n := len(v.listed) - mostKept; n > 0 {
		v.listed = v.listed[:copy(v.listed, v.listed[n+mostKept/2:])]
	}
	if n := len(v.order) - mostKept; n > 0 {
		for _, key := range v.order[:n] {
			if v.deleted[key] = v.deleted[key][1:]; len(v.deleted[key]) == 0 {
				delete(v.deleted, key)
			}
		}
		v.order = v.order[:copy(v.order, v.order[n:])]
	}
}

// news takes note of an object that was listed or watched.
func (v *reader) news(obj object.Ref, at int64, worked bool) {
	m := v.r.Table.Meta(obj)
	v.known = object.Grown(v.known, m.Key)
	spans := v.spans[m.Key]
	if worked && (!v.known[m.Key] && len(v.listed) > 0 || len(spans) > 0 && spans[len(spans)-1].until != 0) {
		rv, _ := v.r.Table.RVOf(obj).Number()
		v.setSpans(m.Key, append(spans, span{from: rv, since: at}))
	}
	if v.known[m.Key] {
		return
	}
	v.known[m.Key] = true
	if len(v.waits) == 0 {
		return
	}
	name := v.r.Table.Text(m.Name)
	if base := v.waits[v.r.Table.Text(m.Namespace)+"="+name]; base != nil && len(base.all) == 0 {
		base.all = append(base.all, addition{at, name})
	}
	if n := len(name) - suffix; n > 0 && strings.Trim(name[n:], suffixLetters) == "" {
		if base := v.waits[v.r.Table.Text(m.Namespace)+"/"+name[:n]]; base != nil && len(base.all) < mostKept {
			base.all = append(base.all, addition{at, name})
		}
	}
}

// leave takes note that an object has left the reader.
func (v *reader) leave(k object.Key, rv object.RV, at int64) {
	spans := v.spans[k]
	if len(spans) == 0 {
		spans = append(spans, span{})
	}
	if last := &spans[len(spans)-1]; last.until == 0 {
		last.to, _ = rv.Number()
		last.until = at
	}
	v.setSpans(k, spans)
}

func (v *reader) setSpans(k object.Key, spans []span) {
	if v.spans == nil || v.bounded && len(v.spans) >= mostKept {
		v.spans = map[object.Key][]span{}
	}
	if v.bounded {
		spans = spans[max(0, len(spans)-2):]
	}
	v.spans[k] = spans
}

func (v *reader) reach(at int64, rv object.RV) {
	n, ok := rv.Number()
	if !ok || len(v.reached) > 0 && v.reached[len(v.reached)-1].rv >= n {
		return
	}
	v.reached = append(v.reached, position{at, n})
}

// covers reports whether the reader watches the object of a write.
func (v *reader) covers(w *worker.Write) bool {
	return v.watches && v.r.Group == w.Group && v.r.Resource == w.Resource && (v.r.Namespace == "" || v.r.Namespace == w.Namespace)
}

// The API server makes a name of a generateName: it takes at most longestBase characters, and appends as many random ones of
// suffixLetters as suffix says (SimpleNameGenerator of k8s.io/apiserver/pkg/storage/names, and String of
// k8s.io/apimachinery/pkg/util/rand).
const (
	suffix        = 5
	suffixLetters = "bcdfghjklmnpqrstvwxz2456789"
	longestBase   = 63 - suffix
)

// awaits takes note of a create that is sent, if its generateName or the random part of its name tells which objects it may have made.
func (a *arrivals) awaits(w *worker.Write) {
	name := baseOf(w)
	if name == "" || a.base(w) != nil {
		return
	}
	bases := a.bases[w.Target()]
	if bases == nil {
		bases = map[string]*additions{}
		a.bases[w.Target()] = bases
		for _, v := range a.readers {
			if v.r.Group == w.Group && v.r.Resource == w.Resource {
				v.waits = bases
			}
		}
	}
	if !a.bounded || len(bases) < mostKept {
		bases[name] = &additions{}
	}
}

// base returns the objects that a create may have made: all whose names begin with its generateName, or the object of its name. It returns nil
// for any other write.
func (a *arrivals) base(w *worker.Write) *additions { return a.bases[w.Target()][baseOf(w)] }

// baseOf returns the name under which bases has the objects that a create may have made, or "" for any other write.
func baseOf(w *worker.Write) string {
	switch {
	case w.Verb != "create" || w.Subresource != "":
		return ""
	case w.GenerateName != "":
		return w.Namespace + "/" + w.GenerateName[:min(len(w.GenerateName), longestBase)]
	case w.Written.Key != "" && isRandom(w.Written.Key[strings.LastIndexAny(w.Written.Key, "-./")+1:]):
		return w.Namespace + "=" + strings.TrimPrefix(w.Written.Key, w.Namespace+"/")
	}
	return ""
}

// answered takes note of the object that a create has made.
func (a *arrivals) answered(w *worker.Write) {
	if w.Answer.Status != 0 && w.GenerateName != "" && a.base(w) != nil && (!a.bounded || len(a.claimed) < mostKept) {
		a.claimed[w.Target()+" "+w.Key()] = true
	}
}

// created returns the object that a create has made though its answer was lost, and when it came. It is
// the first one of such a name that was listed or watched after the create was sent, and that no other create has made;
// the key is "" where there is none. A client that is not in the recording may have made it, too.
func (a *arrivals) created(w *worker.Write, base *additions) (key string, at int64) {
	if a.bounded && len(a.claimed) >= mostKept { // nobody knows any more which ones others have made
		return "", 0
	}
	for _, n := range base.all {
		key = trace.ObjectKey(w.Namespace, n.name)
		if id := w.Target() + " " + key; n.time >= w.Sent && !a.claimed[id] {
			a.claimed[id] = true
			return key, n.time
		}
	}
	return "", 0
}

// arrivalOf returns when a write has come to the informer: to the last one, if several hold its
// object. The time is 0 where it never came. ok is false where nobody can tell.
func (a *arrivals) arrivalOf(w *worker.Write) (seen int64, ok bool) {
	key := w.Key()
	held := false
	for _, v := range a.readers {
		if !v.covers(w) {
			continue
		}
		at, known := v.arrivedAt(w, key)
		if !known {
			continue
		}
		holds := v.holds(w)
		switch {
		case !ok || holds && !held:
			seen = at
		case holds == held && (seen != 0 && (at == 0 || at > seen)):
			seen = at
		}
		ok, held = true, held || holds
	}
	return seen, ok
}

// isKind reports whether what was written is of a kind, which is given with its group.
func (a *arrivals) isKind(b *Echo, kind string) bool {
	for _, v := range a.readers {
		if v.r.Group == b.group && v.r.Resource == b.kind && (v.r.Kind == kind || v.r.Kind+"."+v.r.Group == kind) {
			return true
		}
	}
	return false
}

// has reports whether a reader has the object of a write.
func (a *arrivals) has(w *worker.Write) bool {
	for _, v := range a.readers {
		if v.covers(w) && v.holds(w) {
			return true
		}
	}
	return false
}

// holds reports whether the reader had the object when the write was made, or got it by the write. Several readers may share the table.
func (v *reader) holds(w *worker.Write) bool {
	k, ok := v.r.Table.LookupKey(w.Key())
	if !ok || int(k) >= len(v.known) || !v.known[k] {
		return false
	}
	spans := v.spans[k]
	rv, err := strconv.ParseUint(w.Answer.RV, 10, 64)
	for _, s := range spans {
		if err == nil && s.from <= rv && (s.until == 0 || rv <= s.to) || err != nil && s.since <= w.Answered && (s.until == 0 || s.until >= w.Sent) {
			return true
		}
	}
	return len(spans) == 0
}

func (v *reader) arrivedAt(w *worker.Write, key string) (at int64, ok bool) {
	if w.Verb == "delete" && !w.Answer.Deleting {
		return v.deletedAt(w, key), key != "" && w.Subresource == ""
	}
	rv, err := strconv.ParseUint(w.Answer.RV, 10, 64)
	if err != nil {
		return 0, false
	}
	i := sort.Search(len(v.reached), func(i int) bool { return v.reached[i].rv >= rv })
	if i == len(v.reached) {
		return 0, true
	}
	return v.reached[i].time, true
}

// uidOf returns the uid of the object whose deletion a call of a handler tells of, or "".
func (v *reader) uidOf(key string, c *trace.Call) (uid string) {
	for _, d := range v.deleted[key] {
		if c.Fn == trace.OnDelete && d.time <= c.Time {
			uid = d.uid
		}
	}
	return uid
}

// deletedAt returns when the reader got to hear that a deleted object is gone: by its DELETED event, or by
// a list that was asked for later.
func (v *reader) deletedAt(w *worker.Write, key string) (at int64) {
	for _, d := range v.deleted[key] {
		if d.time >= w.Sent && (w.Answer.UID == "" || d.uid == w.Answer.UID) {
			at = d.time
			break
		}
	}
	for _, l := range v.listed {
		if l.asked >= w.Answered && (at == 0 || l.answered < at) {
			return l.answered
		}
	}
	return at
}
