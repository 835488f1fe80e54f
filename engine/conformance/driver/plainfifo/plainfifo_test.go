package plainfifo

import (
	"testing"

	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
)

// TestPlainFIFO checks that only the newest object of a key is kept, and that a
// deleted key stays in the queue and counts as popped of the first list.
func TestPlainFIFO(t *testing.T) {
	table := object.NewTable(nil)
	add := func(name string) object.Ref { return table.Add(object.Meta{Name: table.Sym(name)}) }
	f := New(table, false)
	a, b := add("a"), add("b")
	f.BeginReplace([]object.Ref{b, a}, 5)
	if done, err := f.StepReplace(nil); !done || err != nil {
		t.Fatal(done, err)
	}
	newer := add("b")
	f.Update(fifo.Object(newer), nil)
	f.Delete(fifo.Object(a), nil)
	if f.Depth() != 2 || f.HasSynced() || f.InitialPopulationCount() != 2 || f.Find(table.KeyOf(a)) != -1 {
		t.Errorf("depth %d, initialPopulationCount %d", f.Depth(), f.InitialPopulationCount())
	}
	if got, ok := f.Pop(nil, nil); !ok || len(got) != 1 || got[0].Obj != newer || !f.HasSynced() {
		t.Errorf("popped %v", got)
	}
	if _, ok := f.Pop(nil, nil); ok {
		t.Error("popped a deleted item")
	}
	f.Add(fifo.Object(a), nil)
	f.Delete(fifo.Object(a), nil)
	f.Add(fifo.Object(a), nil)
	if f.Depth() != 2 {
		t.Errorf("%d keys queued, want a twice", f.Depth())
	}
}
