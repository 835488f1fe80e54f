package fifo

import (
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// store is the simplest KnownObjects.
type store struct {
	t     *object.Table
	items map[object.Key]object.Ref
}

func (s store) GetByKey(k object.Key) (object.Ref, bool) { r, ok := s.items[k]; return r, ok }
func (s store) Read(obj object.Ref) object.Ref           { return obj }

func (s store) ListKeys(dst []object.Key) []object.Key {
	from := len(dst)
	for k := range s.items {
		dst = append(dst, k)
	}
	slices.SortFunc(dst[from:], s.t.CompareKeys)
	return dst
}

func (s store) apply(deltas []Delta) {
	for _, d := range deltas {
		if d.Type == event.Deleted {
			delete(s.items, d.Key)
		} else {
			s.items[d.Key] = d.Obj
		}
	}
}

// player plays random operations on a queue as reflector and process loop do.
type player struct {
	rnd   *rand.Rand
	t     *object.Table
	known store
	rv    uint64
	log   event.Log
}

func newPlayer(seed int64) *player {
	t := object.NewTable(nil)
	return &player{rnd: rand.New(rand.NewSource(seed)), t: t, known: store{t, map[object.Key]object.Ref{}}}
}

func (p *player) obj() object.Ref {
	p.rv++
	return p.t.Add(object.Meta{Namespace: p.t.Sym("ns"), Name: p.t.Sym(strconv.Itoa(p.rnd.Intn(12))), RV: object.NumberRV(p.rv)})
}

func (p *player) list() (list []object.Ref) {
	for range p.rnd.Intn(10) {
		list = append(list, p.obj())
	}
	return list
}

func finish(step func(*event.Log) (bool, error), log *event.Log) {
	for {
		if done, _ := step(log); done {
			return
		}
	}
}

// op returns a random operation that can be played on any queue.
func (p *player) op() func(q Queue, log *event.Log) []Delta {
	r, list, at := p.obj(), p.list(), p.rnd.Intn(20)
	return func(q Queue, log *event.Log) []Delta {
		switch at {
		case 0:
			q.BeginReplace(list, 5)
			finish(q.StepReplace, log)
		case 1:
			q.BeginResync()
			finish(q.StepResync, log)
		case 2, 3, 4:
			q.Delete(Object(r), log)
		case 5, 6, 7:
			q.Add(Object(r), log)
		case 8, 9, 10, 11:
			q.Update(Object(r), log)
		default:
			deltas, ok := q.Pop(nil, log)
			if ok {
				q.Processed(log)
				if at == 12 {
					q.AddIfNotPresent(deltas, log)
				}
			}
			return deltas
		}
		return nil
	}
}

func rowsOf(q Queue) (out [][]Delta) {
	for i := range q.Depth() {
		out = append(out, q.RowDeltas(i, nil))
	}
	return out
}

func TestDeltaFIFOLaws(t *testing.T) {
	for seed := range int64(30) {
		p := newPlayer(seed)
		opts := Options{EmitDeltaTypeReplaced: seed%2 == 0, DeletesQueued: seed%3 == 0}
		if seed%5 != 0 {
			opts.KnownObjects = p.known
		}
		f := NewDeltaFIFO(p.t, opts)
		other := NewDeltaFIFO(p.t, opts)
		for range 500 {
			op := p.op()
			other.CopyFrom(f)
			before := rowsOf(f)
			popped := op(f, &p.log)
			if !reflect.DeepEqual(before, rowsOf(other)) {
				t.Fatalf("seed %d: a copy changed with its original", seed)
			}
			op(other, nil)
			if !reflect.DeepEqual(rowsOf(f), rowsOf(other)) || f.HasSynced() != other.HasSynced() || f.Counters() != other.Counters() {
				t.Fatalf("seed %d: the copy went another way:\n%v\n%v", seed, rowsOf(f), rowsOf(other))
			}
			p.known.apply(popped)
			checkDeltaFIFO(t, f)
		}
		queued, c := int64(0), f.Counters()
		for i := range f.Depth() {
			_, n := f.Row(i)
			queued += int64(n)
		}
		if c.In-c.Deduped-c.Popped != queued {
			t.Errorf("seed %d: the counters are %+v, with %d deltas queued", seed, c, queued)
		}
	}
}

// checkDeltaFIFO checks what always holds: queue has no key twice, queue and items have
// the same keys, no Deltas are empty, and none end in two deletions.
func checkDeltaFIFO(t *testing.T, f *DeltaFIFO) {
	t.Helper()
	seen := map[object.Key]bool{}
	for i := range f.Depth() {
		k, n := f.Row(i)
		deltas := f.RowDeltas(i, nil)
		if seen[k] || n == 0 || len(deltas) != n || f.Find(k) != i {
			t.Fatalf("row %d: key %d was seen before: %v; it has %d deltas, %v, and is found at %d", i, k, seen[k], n, deltas, f.Find(k))
		}
		seen[k] = true
		if n > 1 && deltas[n-1].Type == event.Deleted && deltas[n-2].Type == event.Deleted {
			t.Fatalf("the deltas end in two deletions: %v", deltas)
		}
	}
	for k := range f.items.byKey {
		if !seen[object.Key(k)] && (f.items.byKey[k].n > 0 || f.Find(object.Key(k)) != -1) {
			t.Fatalf("key %d has deltas and is not queued", k)
		}
	}
}

func TestReplaceCanBeCopiedMidway(t *testing.T) {
	p := newPlayer(1)
	for range 8 {
		r := p.obj()
		p.known.items[p.t.KeyOf(r)] = r
	}
	f := NewDeltaFIFO(p.t, Options{KnownObjects: p.known, EmitDeltaTypeReplaced: true})
	f.BeginReplace([]object.Ref{p.obj(), p.obj(), p.obj()}, 5)
	var copies []*DeltaFIFO
	for done := false; !done; {
		copies = append(copies, f.CopyTo(nil, p.known).(*DeltaFIFO))
		done, _ = f.StepReplace(nil)
	}
	for i, c := range copies {
		finish(c.StepReplace, nil)
		if !reflect.DeepEqual(rowsOf(c), rowsOf(f)) || c.InitialPopulationCount() != f.InitialPopulationCount() {
			t.Errorf("a copy made before step %d ends with %v, want %v", i, rowsOf(c), rowsOf(f))
		}
	}
	if f.InitialPopulationCount() != f.Depth() {
		t.Errorf("the initialPopulationCount is %d, and the depth %d", f.InitialPopulationCount(), f.Depth())
	}
}

func TestDeltaFIFOAllocatesNothing(t *testing.T) {
	p := newPlayer(2)
	f := NewDeltaFIFO(p.t, Options{KnownObjects: p.known})
	var list []object.Ref
	for range 20 {
		list = append(list, p.obj())
	}
	var deltas []Delta
	run := func() {
		p.log.Reset()
		f.BeginReplace(list, 5)
		finish(f.StepReplace, &p.log)
		for _, r := range list {
			f.Update(Object(r), &p.log)
			f.Delete(Object(r), &p.log)
		}
		for ok := true; ok; {
			deltas, ok = f.Pop(deltas[:0], &p.log)
		}
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("an operation allocates %v times", n)
	}
	c := f.CopyTo(nil, nil).(*DeltaFIFO)
	if n := testing.AllocsPerRun(20, func() { c.CopyFrom(f) }); n != 0 {
		t.Errorf("CopyFrom allocates %v times", n)
	}
}
