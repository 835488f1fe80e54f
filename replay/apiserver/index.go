package apiserver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// kind is a resource of a capture: what all its readers saw, in the order of the resourceVersions.
type kind struct {
	testserver.Resource
	readers []*trace.Resource
	spans   []span // one, unless the resourceVersions went back
	late    bool   // no reader listed, so nobody knows what was there before its watch
	clash   string // two objects that one resourceVersion has, as no API server gives it
}

// span is a time in which the resourceVersions of a kind didn't go back.
type span struct {
	at       int64 // when it begins, in nanoseconds since the capture's start
	revision int64 // with which it begins
	held     []change
	changes  []change // whose resourceVersions and times don't go back
}

// changeKind says what a change is.
type changeKind uint8

const (
	seen    changeKind = iota // the object has this version
	gone                      // it was deleted; the version is its last one
	absent                    // a list of this version doesn't have it, so it was deleted before or then
	reached                   // nothing was changed
)

// change is what was seen of a resourceVersion.
type change struct {
	at, rv int64
	reader int32 // of the kind
	ref    object.Ref
	key    object.Key // the same for all readers of the kind
	kind   changeKind
}

// index finds out what happened to the objects of a capture. It holds no JSON.
func index(t *trace.Trace) (all []*kind) {
	byName := map[[3]string]*kind{}
	for _, r := range t.Resources {
		if r.Resource == "" || r.Version == "" {
			continue // an error before anything that tells what the resource is
		}
		name := [3]string{r.Group, r.Version, r.Resource}
		k := byName[name]
		if k == nil {
			k = &kind{}
			byName[name] = k
			all = append(all, k)
		}
		k.readers = append(k.readers, r)
	}
	for _, k := range all {
		k.fill()
	}
	return slices.DeleteFunc(all, func(k *kind) bool { return len(k.readers) == 0 })
}

// fill reads the records of the kind's readers.
func (k *kind) fill() {
	first := k.readers[0]
	k.readers = slices.DeleteFunc(k.readers, func(r *trace.Resource) bool { return !answered(r) })
	if len(k.readers) == 0 {
		return
	}
	name, namespaced, named := first.Kind, false, false
	k.late = true
	all := &sightings{readers: k.readers, keys: object.NewTable(nil), starts: []int64{0}}
	for i, r := range k.readers {
		name = cmp.Or(name, r.Kind)
		namespaced = namespaced || r.Namespace != ""
		in := follower{r: r, number: int32(i), partial: (r.LabelSelector != "" || r.FieldSelector != "") && k.wider(r), kind: all}
		for j := range r.Records {
			in.take(&r.Records[j])
		}
		k.late = k.late && !in.listed
		namespaced, named = namespaced || in.namespaced, named || len(in.last) > 1
	}
	k.Resource = testserver.KnownResource(first.Group, first.Version, first.Resource, cmp.Or(name, first.Resource))
	if named || namespaced {
		k.Cluster = !namespaced
	}
	k.spans = all.spans()
	k.clash = all.clash
}

// answered reports whether a reader got something.
func answered(r *trace.Resource) bool {
	return r.Lists > 0 || r.Events > 0 || slices.ContainsFunc(r.Records, func(rec trace.Record) bool { return rec.Kind == trace.WatchOpen })
}

// wider reports whether another reader sees all objects that r sees, and those that don't match its selectors any more.
func (k *kind) wider(r *trace.Resource) bool {
	return slices.ContainsFunc(k.readers, func(o *trace.Resource) bool {
		return o.LabelSelector == "" && o.FieldSelector == "" && (o.Namespace == "" || o.Namespace == r.Namespace)
	})
}

// sightings are what all readers of a kind saw.
type sightings struct {
	readers  []*trace.Resource
	keys     *object.Table
	all      []change
	first    int64   // the lowest resourceVersion with which a reader began; 0 for none
	starts   []int64 // of the spans
	revision []int64 // of the spans but the first
	clash    string  // see kind
}

// follower follows one reader.
type follower struct {
	r          *trace.Resource
	number     int32
	partial    bool // an object that is deleted for it may live on
	kind       *sightings
	shared     []object.Key // by the reader's keys
	last       []object.Ref // by the reader's keys: the version that the reader has; 0 for none
	listing    []bool       // by the reader's keys: what is in the list that is under way
	streaming  bool
	listed     bool
	namespaced bool
	newest     int64
	began      int64 // when the list under way began
}

// rv returns a resourceVersion that may be no number: it is taken for the next one then.
func (f *follower) rv(rv object.RV, next int64) int64 {
	n, ok := rv.Number()
	if !ok || n == 0 || n > 1<<62 {
		return f.newest + next
	}
	return int64(n)
}

func (f *follower) add(c change) {
	c.reader = f.number
	f.newest = max(f.newest, c.rv)
	f.kind.all = append(f.kind.all, c)
}

// begin takes note that a list begins, or a watch that begins with one.
func (f *follower) begin(at int64) {
	f.began = at
	clear(f.listing)
}

// end takes note that a list is whole: what the reader had and isn't in it was deleted.
func (f *follower) end(at int64, rv object.RV) {
	revision := f.rv(rv, 0)
	if f.listed && revision < f.newest && f.restored(revision) {
		// The resourceVersions went back, as they do where a backup was restored.
		f.kind.starts, f.kind.revision = append(f.kind.starts, f.began), append(f.kind.revision, revision)
		f.newest = revision
	}
	for key, ref := range f.last {
		if ref != 0 && !f.listing[key] {
			f.lose(object.Key(key), at, revision, absent)
		}
	}
	f.reach(at, revision)
	f.listed = true
}

// restored reports whether a list whose revision is lower than the last one has no newer object than that: its server has gone back.
func (f *follower) restored(revision int64) bool {
	for key, ref := range f.last {
		if n, ok := f.r.Table.RVOf(ref).Number(); ref != 0 && ok && f.listing[key] && int64(n) > revision {
			return false // the list is of another clock
		}
	}
	return true
}

// reach takes note of a revision of the server.
func (f *follower) reach(at, revision int64) {
	if revision <= 0 {
		return
	}
	if len(f.kind.starts) == 1 && !f.listed && (f.kind.first == 0 || revision < f.kind.first) {
		f.kind.first = revision
	}
	f.add(change{at: at, rv: revision, kind: reached})
}

func (f *follower) lose(key object.Key, at, rv int64, how changeKind) {
	ref := f.last[key]
	f.last[key] = 0
	if ref != 0 && !f.partial {
		f.add(change{at: at, rv: max(rv, f.rv(f.r.Table.RVOf(ref), 0)), ref: ref, key: f.shared[key], kind: how})
	}
}

// take takes in a record.
func (f *follower) take(rec *trace.Record) {
	switch rec.Kind {
	case trace.ListBegin:
		f.begin(rec.Time)
	case trace.WatchOpen:
		if f.streaming = rec.Streaming; f.streaming {
			f.begin(rec.Time)
		} else if n, ok := rec.RV.Number(); ok && n > 0 && !f.listed {
			f.reach(rec.Time, int64(n))
		}
	case trace.ListItem, trace.WatchEvent:
		f.object(rec)
	case trace.ListEnd:
		if rec.Failure == trace.NoFailure {
			f.end(rec.Time, rec.RV)
		}
	case trace.InitialEnd:
		f.end(rec.Time, rec.RV)
		f.streaming = false
	case trace.WatchBookmark:
		if rec.Failure == trace.NoFailure {
			f.reach(rec.Time, f.rv(rec.RV, 0))
		}
	}
}

// object takes in an item of a list or an event.
func (f *follower) object(rec *trace.Record) {
	if rec.Obj == 0 || rec.Failure != trace.NoFailure || rec.Type == trace.TypeUnknown || rec.Type == trace.TypeError {
		return
	}
	m := f.r.Table.Meta(rec.Obj)
	if m.Name == 0 || m.Source.Length <= 0 {
		return
	}
	f.namespaced = f.namespaced || m.Namespace != 0
	f.shared, f.last, f.listing = object.Grown(f.shared, m.Key), object.Grown(f.last, m.Key), object.Grown(f.listing, m.Key)
	if f.shared[m.Key] == 0 {
		f.shared[m.Key] = f.kind.keys.Key(f.r.Table.KeyText(m.Key))
	}
	if rec.Type == trace.TypeDeleted {
		f.last[m.Key], f.listing[m.Key] = rec.Obj, false
		f.lose(m.Key, rec.Time, f.rv(m.RV, 1), gone)
		return
	}
	f.last[m.Key], f.listing[m.Key] = rec.Obj, true
	f.add(change{at: rec.Time, rv: f.rv(m.RV, 1), ref: rec.Obj, key: f.shared[m.Key]})
}

// spans puts what all readers saw in an order.
func (s *sightings) spans() (all []span) {
	alive := map[object.Key]change{}
	for i, from := range s.starts {
		to := int64(1<<63 - 1)
		if i+1 < len(s.starts) {
			to = s.starts[i+1]
		}
		sp := span{at: from}
		for _, c := range s.all {
			if (c.at >= from || i == 0) && c.at < to {
				sp.changes = append(sp.changes, c)
			}
		}
		slices.SortStableFunc(sp.changes, byVersion)
		for i := 1; i < len(sp.changes) && s.clash == ""; i++ {
			s.clash = s.clashOf(sp.changes[i-1], sp.changes[i])
		}
		switch {
		case i > 0:
			sp.revision = s.revision[i-1]
		case s.first > 0:
			sp.revision = s.first
		case len(sp.changes) > 0:
			sp.revision = max(sp.changes[0].rv-1, 0)
		}
		s.order(&sp, alive, i > 0)
		all = append(all, sp)
	}
	return all
}

// order drops what was seen twice, sees to it that no change has a later time than the changes after it, gives deletions that only a list
// showed a version, and keeps the objects that were there when the span began. An object that has another UID in a list was deleted before.
// Alive has what lives when the span before it ends, and then what lives when the span ends.
func (s *sightings) order(sp *span, alive map[object.Key]change, restored bool) {
	sp.time()
	if restored { // what is newer than the span is undone
		for key, c := range alive {
			if c.rv > sp.revision {
				delete(alive, key)
			}
		}
	}
	n, _ := slices.BinarySearchFunc(sp.changes, sp.revision+1, func(c change, rv int64) int { return cmp.Compare(c.rv, rv) })
	for _, c := range sp.changes[:n] {
		c.apply(alive)
	}
	for _, key := range slices.Sorted(maps.Keys(alive)) {
		sp.held = append(sp.held, alive[key])
	}
	var kept []change
	free := versions{}
	for _, c := range sp.changes[n:] {
		was := alive[c.key]
		if c.kind == seen && s.another(was, c) {
			if rv := free.upTo(c.rv-1, kept); rv > max(was.rv, sp.revision) {
				was.at, was.rv, was.kind = c.at, rv, gone
				kept = append(kept, was)
			}
		}
		if last := len(kept) - 1; c.kind != reached && !c.apply(alive) || c.kind == reached && last >= 0 && kept[last].rv >= c.rv {
			continue
		}
		if c.kind == absent {
			c.kind = gone
			if rv := free.upTo(c.rv, kept); rv > max(was.rv, sp.revision) {
				c.rv = rv
			}
		}
		kept = append(kept, c)
	}
	sp.changes = slices.Clip(slices.Clone(kept))
	if free.lower != nil {
		slices.SortStableFunc(sp.changes, byVersion)
		sp.time()
	}
}

// clashOf returns what is wrong with two versions of objects that different readers saw: they are one resourceVersion.
func (s *sightings) clashOf(a, b change) string {
	one, other := s.readers[a.reader], s.readers[b.reader]
	if a.rv != b.rv || a.reader == b.reader || a.kind != seen || b.kind != seen || a.key == b.key {
		return ""
	}
	for _, rv := range []object.RV{one.Table.RVOf(a.ref), other.Table.RVOf(b.ref)} {
		if n, ok := rv.Number(); !ok || int64(n) != a.rv {
			return "" // it was made up
		}
	}
	key := func(r *trace.Resource, c change) string { return r.Table.KeyText(r.Table.Meta(c.ref).Key) }
	return fmt.Sprintf("resourceVersion %d of %s is %s in one and %s in another", a.rv, one.Resource, key(one, a), key(other, b))
}

// another reports whether a later change is of another object than one that lives.
func (s *sightings) another(was, now change) bool {
	t := s.readers[was.reader].Table
	uid := t.Meta(was.ref).UID
	if was.ref == 0 || uid == 0 || now.rv <= was.rv {
		return false
	}
	other := s.readers[now.reader].Table
	is := other.Meta(now.ref).UID
	return is != 0 && !t.Equals(uid, other.Text(is))
}

func byVersion(a, b change) int { return cmp.Or(cmp.Compare(a.rv, b.rv), cmp.Compare(a.kind, b.kind)) }

// time sees to it that no change has a later time than the changes after it.
func (sp *span) time() {
	early := int64(1<<63 - 1)
	for i := len(sp.changes) - 1; i >= 0; i-- {
		early = min(early, sp.changes[i].at)
		sp.changes[i].at = max(early, sp.at)
	}
}

// versions finds resourceVersions that no change has.
type versions struct {
	lower map[int64]int64 // by a version that a change has: a lower one, and none between them is free
	read  int             // changes
}

// upTo returns the highest free version up to rv. The changes are those before and some more each time.
func (v *versions) upTo(rv int64, changes []change) int64 {
	if v.lower == nil {
		v.lower = map[int64]int64{}
	}
	for ; v.read < len(changes); v.read++ {
		if c := &changes[v.read]; c.kind != reached {
			v.lower[c.rv] = c.rv - 1
		}
	}
	free := rv
	for lower, taken := v.lower[free]; taken; lower, taken = v.lower[free] {
		free = lower
	}
	if free < rv {
		v.lower[rv] = free
	}
	return free
}

// apply lets a change happen to what lives, and reports whether it is one.
func (c change) apply(alive map[object.Key]change) bool {
	was, lives := alive[c.key]
	switch {
	case (c.kind == gone || c.kind == absent) && lives:
		delete(alive, c.key)
		return true
	case c.kind == seen && (!lives || was.rv < c.rv):
		alive[c.key] = c
		return true
	}
	return false
}
