package fifo

import (
	"errors"
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

func TestRealFIFOLaws(t *testing.T) {
	seeds := int64(16)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		p := newPlayer(seed)
		opts := RealOptions{Atomic: seed%2 == 0}
		if opts.Atomic {
			opts.Unlock, opts.EmitBookmark = true, true
		} else {
			opts.KnownObjects = p.known
		}
		f := NewRealFIFO(p.t, opts)
		other := NewRealFIFO(p.t, opts)
		for range 250 {
			op := p.op()
			other.CopyFrom(f)
			before, synced := rowsOf(f), f.HasSynced()
			popped := op(f, &p.log)
			if !reflect.DeepEqual(before, rowsOf(other)) {
				t.Fatalf("seed %d: a copy changed with its original", seed)
			}
			op(other, nil)
			if !reflect.DeepEqual(rowsOf(f), rowsOf(other)) || f.HasSynced() != other.HasSynced() || f.Counters() != other.Counters() {
				t.Fatalf("seed %d: the copy went another way", seed)
			}
			if synced && !f.HasSynced() {
				t.Fatalf("seed %d: HasSynced went back", seed)
			}
			if c := f.Counters(); c.In-c.Popped != int64(f.Depth()) {
				t.Fatalf("seed %d: the counters are %+v, with %d deltas queued", seed, c, f.Depth())
			}
			if !opts.Atomic {
				p.known.apply(popped)
			}
			f.Bookmark(object.NumberRV(p.rv), nil)
			checkLists(t, f)
		}
	}
}

// checkLists checks that each delta that stands for a list finds it.
func checkLists(t *testing.T, f *RealFIFO) {
	t.Helper()
	for i := range f.Depth() {
		d := f.RowDeltas(i, nil)[0]
		if _, rv := f.List(d); (rv != 0) != (d.Type == event.ReplacedAll || d.Type == event.Bookmark) {
			t.Fatalf("%s carries resourceVersion %d", d.Type, rv)
		}
	}
}

// TestRelistOrder checks that a RealFIFO queues deletions first and a DeltaFIFO
// queues them last.
func TestRelistOrder(t *testing.T) {
	p := newPlayer(3)
	gone, stays := p.t.Add(object.Meta{Name: p.t.Sym("gone")}), p.t.Add(object.Meta{Name: p.t.Sym("stays")})
	p.known.apply([]Delta{{Type: event.Added, Item: Item{Key: p.t.KeyOf(gone), Obj: gone}}})
	types := func(q Queue) (out []event.Delta) {
		q.BeginReplace([]object.Ref{stays}, 5)
		finish(q.StepReplace, nil)
		for _, row := range rowsOf(q) {
			out = append(out, row[0].Type)
		}
		return out
	}
	if got := types(NewRealFIFO(p.t, RealOptions{KnownObjects: p.known})); !reflect.DeepEqual(got, []event.Delta{event.Deleted, event.Replaced}) {
		t.Errorf("a RealFIFO queues %v", got)
	}
	if got := types(NewDeltaFIFO(p.t, Options{KnownObjects: p.known, EmitDeltaTypeReplaced: true})); !reflect.DeepEqual(got, []event.Delta{event.Replaced, event.Deleted}) {
		t.Errorf("a DeltaFIFO queues %v", got)
	}
}

func TestPopBatch(t *testing.T) {
	p := newPlayer(4)
	var refs []object.Ref
	for i := range 3000 {
		refs = append(refs, p.t.Add(object.Meta{Name: p.t.Sym("p"), Namespace: p.t.Sym(string(rune('a' + i)))}))
	}
	f := NewRealFIFO(p.t, RealOptions{Atomic: true, Unlock: true, EmitBookmark: true})
	for _, r := range refs {
		f.Add(Object(r), nil)
	}
	f.Bookmark(7, nil)
	f.Add(Object(refs[0]), nil)
	f.Add(Object(refs[0]), nil)
	want := []struct {
		n                int
		batch, keepsLock bool
	}{{1000, true, true}, {1000, true, false}, {1000, true, false}, {1, false, false}, {1, false, false}, {1, false, false}}
	for i, w := range want {
		deltas, ok := f.PopBatch(nil, nil)
		if h := f.Head(); !ok || len(deltas) != w.n || h.Batch != w.batch || h.KeepsLock != w.keepsLock {
			t.Errorf("batch %d has %d deltas and is to be processed by %+v, want %+v", i, len(deltas), h, w)
		}
		if _, rv := f.List(deltas[0]); deltas[0].Type == event.Bookmark && rv != 7 {
			t.Errorf("the bookmark carries %d", rv)
		}
		f.Processed(nil)
	}
	if _, ok := f.PopBatch(nil, nil); ok || f.lists.n != 0 {
		t.Error("a delta is left after the last batch")
	}
}

// TestAtomicReplace checks that HasSynced waits until the first list is processed,
// even if it is empty, and that nothing is queued if a transformer fails.
func TestAtomicReplace(t *testing.T) {
	p := newPlayer(5)
	broken := error(nil)
	f := NewRealFIFO(p.t, RealOptions{Atomic: true, Transform: func(_ *object.Table, r object.Ref) (object.Ref, error) { return r, broken }})
	replace := func(list ...object.Ref) error {
		f.BeginReplace(list, 5)
		_, err := f.StepReplace(nil)
		return err
	}
	broken = errors.New("broken")
	if err := replace(p.obj()); !errors.Is(err, broken) || f.Depth() != 0 || f.Populated() {
		t.Errorf("Replace returns %v, and the depth is %d", err, f.Depth())
	}
	if err := replace(); err != nil || f.HasSynced() {
		t.Errorf("%v, synced %v", err, f.HasSynced())
	}
	if deltas, _ := f.Pop(nil, nil); len(deltas) != 1 || f.HasSynced() || !f.Head().IsInInitialList {
		t.Errorf("%v, synced %v", deltas, f.HasSynced())
	}
	if f.Processed(nil); !f.HasSynced() {
		t.Error("the queue has not synced in the end")
	}
}

func TestRealFIFOAllocatesNothing(t *testing.T) {
	p := newPlayer(6)
	f := NewRealFIFO(p.t, RealOptions{Atomic: true, Unlock: true, EmitBookmark: true})
	var list []object.Ref
	for range 30 {
		list = append(list, p.obj())
	}
	var deltas []Delta
	run := func() {
		p.log.Reset()
		for _, r := range list {
			f.Update(Object(r), &p.log)
			f.Bookmark(5, &p.log)
		}
		for ok := true; ok; {
			deltas, ok = f.PopBatch(deltas[:0], &p.log)
			f.Processed(&p.log)
		}
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("an operation allocates %v times", n)
	}
}
