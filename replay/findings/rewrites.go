package findings

import (
	"bytes"
	"math/bits"
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// reordered looks for objects whose updates change nothing but the order of lists, or of the words of a text. The writer goes through a
// map of Go, whose order differs each time. So a comparison before the write finds a difference each time, too. Ten updates of one object
// are no accident.
//
// It also keeps what the rule undone looks at. Hashing an object takes longer than reading it. So where there are many objects, it follows
// the objects that are updated most often, and looks at about one byte of 32.
type reordered struct {
	base
	updates          []uint32 // by key
	objects          map[object.Key]*rewritten
	found            []*rewritten // objects that are gone
	looked, received int64        // bytes
}

// undone looks for objects that two writers change by turns, so that each undoes what the other has done. Ten turns, none of them more than a
// minute after the one before, are no change of mind. The writers are controllers of the recording, or field managers.
type undone struct{ base }

// The thresholds: updates of one object.
const manyReordered, manyUndone = 10, 10

// The limits: how many objects are followed at once, and how many first versions are kept of an object that goes back and forth.
const mostRewritten, mostTurns = 64, 32

// rewritten is what is known of an object that is updated.
type rewritten struct {
	key          string
	last, before shape
	lists        uint32 // that had come by the last version
	version      turn   // the last one
	managers     []trace.FieldManager
	fields       fields
	reorders     int64
	from, to     Moment
	run, longest turns
}

// turns are versions of an object. Each of them, from the third on, says the same as the version two before it.
type turns struct {
	versions []turn // the first ones
	n        int64  // how many go back to an earlier version
	last     Moment
}

// turn is one version, and the field manager that has made it, as far as that is known.
type turn struct {
	at          Moment
	rv, manager string
}

func (r *reordered) record(x *reading, rec *trace.Record) {
	if !x.isChange(rec) || x.pass.o.Bytes == nil || x.r.Resource == "leases" {
		return
	}
	m := x.r.Table.Meta(rec.Obj)
	r.received += int64(m.Source.Length)
	r.updates = object.Grown(r.updates, m.Key)
	if rec.Type != trace.TypeModified {
		r.retire(int(m.Key))
		return
	}
	r.updates[m.Key]++
	o := r.objects[m.Key]
	if o == nil && !r.hasRoom(m.Key) {
		return
	}
	raw := []byte(nil)
	if r.looked < lookedAtLeast || r.looked*lookedOf < r.received {
		raw = x.raw(rec)
	}
	if raw == nil {
		if o != nil {
			o.last, o.lists = shape{}, 0
		}
		return
	}
	r.looked += int64(len(raw))
	if o == nil {
		if r.objects == nil {
			r.objects = map[object.Key]*rewritten{}
		}
		o = &rewritten{key: x.r.Table.KeyText(m.Key)}
		r.objects[m.Key] = o
	}
	o.add(x, rec, raw, x.r.Table.RVText(m.RV))
}

// hasRoom reports whether another object can be followed, in the place of one that is updated less often.
func (r *reordered) hasRoom(k object.Key) bool {
	if len(r.objects) < mostRewritten {
		return true
	}
	least := k
	for o := range r.objects {
		if n, m := r.updates[o], r.updates[least]; n < m || n == m && least != k && o < least {
			least = o
		}
	}
	if least == k {
		return false
	}
	n := r.updates[least]
	r.retire(int(least))
	r.updates[least] = n
	return true
}

// add compares a version with those before it.
func (o *rewritten) add(x *reading, rec *trace.Record, raw []byte, rv string) {
	now, managers, version := shapeOf(raw, false), trace.FieldManagers(raw), turn{x.now(rec), rv, ""}
	if w := trace.WrittenBy(o.managers, managers); w != nil {
		version.manager = w.Name
	}
	was, before, known := o.last, o.version, o.lists == x.server.lists && o.last != shape{}
	o.managers, o.lists, o.version = managers, x.server.lists, version
	switch {
	case !known:
		o.last, o.before, o.run = now, shape{}, turns{}
		return
	case now.exact == was.exact:
		return
	case now.bag == was.bag:
		if o.reorders++; o.reorders == 1 {
			o.from = version.at
		}
		o.to = version.at
	}
	if o.reorders+o.run.n > 0 {
		o.fields.add(x, rec)
	}
	if back := now == o.before && now.bag != was.bag; !back || len(o.run.versions) == 0 || version.at.Time-before.at.Time > minute {
		o.run = turns{versions: []turn{before, version}}
	} else {
		o.run.n++
		if len(o.run.versions) < mostTurns {
			o.run.versions = append(o.run.versions, version)
		}
	}
	if o.run.last = version.at; o.run.n >= o.longest.n {
		o.longest = o.run
	}
	o.last, o.before = now, was
}

func (r *reordered) retire(k int) {
	if k < len(r.updates) {
		o := r.objects[object.Key(k)]
		if o != nil && (o.reorders >= manyReordered || o.longest.n >= manyUndone) && len(r.found) < mostRewritten {
			r.found = append(r.found, o)
		}
		r.updates[k] = 0
		delete(r.objects, object.Key(k))
	}
}

// all returns what is known of all objects.
func (r *reordered) all() []*rewritten {
	all := append([]*rewritten{}, r.found...)
	for _, o := range r.objects {
		all = append(all, o)
	}
	return all
}

func (r *reordered) find(x *reading) (all []Finding) {
	for _, o := range r.all() {
		if o.reorders >= manyReordered {
			all = append(all, Finding{
				Subject: Subject{Key: o.key}, From: o.from, To: o.to, Fields: o.fields.mostFrequent(),
				Counts: []Count{x.count("updates", o.reorders)},
			})
		}
	}
	return firstKeys(all)
}

// firstKeys returns a few findings, the highest numbers first.
func firstKeys(all []Finding) []Finding {
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return a.Counts[0].N > b.Counts[0].N || a.Counts[0].N == b.Counts[0].N && a.Key < b.Key
	})
	return all[:min(len(all), mostHot)]
}

func (undone) find(x *reading) (all []Finding) {
	for _, o := range stateOf[*reordered](x).all() {
		t := &o.longest
		if t.n < manyUndone {
			continue
		}
		first, second, ok := writersOf(t.versions, func(v turn) string { return x.pass.writer(o.key, v.rv) })
		if !ok {
			first, second, ok = writersOf(t.versions, func(v turn) string { return v.manager })
		}
		if ok && x.timed() {
			from := t.versions[0].at
			all = append(all, Finding{
				Subject: Subject{Key: o.key, Other: first}, Message: second, From: from, To: t.last, Fields: o.fields.mostFrequent(),
				Counts: []Count{x.count("times", t.n), spanOf(from.Time, t.last.Time)},
			})
		}
	}
	return firstKeys(all)
}

// writer returns the controller of the recording that has made a version of an object, "" for none.
func (p *Pass) writer(key, rv string) string {
	if p.work == nil {
		return ""
	}
	return p.work.Writer(key, rv)
}

// writersOf returns who has made versions by turns, if there are two. The first version may be anybody's.
func writersOf(versions []turn, name func(turn) string) (first, second string, ok bool) {
	for i, v := range versions[1:] {
		switch w := name(v); {
		case w == "", i > 1 && w != [2]string{first, second}[i%2]:
			return "", "", false
		case i == 0:
			first = w
		case i == 1:
			second = w
		}
	}
	return first, second, first != second
}

// shape is what an object says, without times and without what the API server changes with each write. Exact is a hash of it in its order,
// and bag is a hash of it in any order of lists and words.
type shape struct{ exact, bag uint64 }

// shapeOf returns the shape of a value of JSON. It passes over what belongs to the API server if b is an object's metadata.
func shapeOf(b []byte, metadata bool) (s shape) {
	switch b[0] {
	case '{':
		jsonscan.Fields(b, func(key []byte, from, until int) bool {
			if metadata && (jsonscan.IsKey(key, "managedFields") || jsonscan.IsKey(key, "resourceVersion") || jsonscan.IsKey(key, "generation")) {
				return true
			}
			k, v := object.Hash(key), shapeOf(b[from:until], jsonscan.IsKey(key, "metadata"))
			s.exact += mixed(k, v.exact)
			s.bag += mixed(k, v.bag)
			return true
		})
	case '[':
		jsonscan.Elements(b, func(_, from, until int) bool {
			v := shapeOf(b[from:until], false)
			s.exact = mixed(s.exact, v.exact)
			s.bag += mixed(1, v.bag)
			return true
		})
	case '"':
		text := b[1 : len(b)-1]
		if microTime(string(text)) != 0 {
			return shape{1, 1}
		}
		s.exact = object.Hash(text)
		for len(text) > 0 {
			n := bytes.IndexAny(text, ",; |\\")
			if n < 0 {
				n = len(text)
			}
			s.bag += mixed(2, object.Hash(text[:n]))
			text = text[min(n+1, len(text)):]
		}
	default:
		s.exact = object.Hash(b)
		s.bag = s.exact
	}
	s.exact, s.bag = mixed(3, s.exact), mixed(3, s.bag)
	return s
}

// mixed returns a hash of two hashes. It depends on their order.
func mixed(a, b uint64) uint64 {
	a = (bits.RotateLeft64(a, 23) ^ b) * 0x9e3779b97f4a7c15
	return a ^ a>>32
}
