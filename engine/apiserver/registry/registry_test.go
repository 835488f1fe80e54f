package registry

import (
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// TestRules walks one object through its life.
func TestRules(t *testing.T) {
	tab := object.NewTable(nil)
	r := New(tab, 2, 100)
	k, other := tab.Key("ns/a"), tab.Key("ns/b")
	step := func(name string, o Object, got, want Answer, rv int64) Object {
		t.Helper()
		if got != want || o.RV != rv {
			t.Fatalf("%s: answer %d at %d, want %d at %d", name, got, o.RV, want, rv)
		}
		return o
	}
	o, a := r.Create(0, Object{Key: k, Content: Content{Spec: 1, Finalizers: 1}}, 5)
	o = step("create", o, a, Created, 101)
	if tab.Text(o.UID) != "u1" || o.Generation != 1 || o.Created != 5 {
		t.Errorf("it is made as %+v", o)
	}
	x, a := r.Create(0, Object{Key: k}, 6)
	step("create again", x, a, AlreadyExists, 101)
	x, a = r.Create(1, Object{Key: other}, 6)
	step("the other resource counts on", x, a, Created, 102)

	o.Status = 3
	x, a = r.Update(0, o)
	step("an update doesn't write the status", x, a, NoChange, 101)
	x, a = r.UpdateStatus(0, o)
	o = step("update of the status", x, a, Updated, 103)
	stale := o
	stale.RV, stale.Spec = 101, 7
	x, a = r.Update(0, stale)
	step("update with an old resourceVersion", x, a, Conflict, 103)
	o.Spec = 2
	x, a = r.Update(0, o)
	if o = step("update", x, a, Updated, 104); o.Generation != 2 || o.Status != 3 {
		t.Errorf("it is now %+v", o)
	}
	x, a = r.Delete(0, k, tab.Sym("u9"), false)
	step("delete with another uid", x, a, Conflict, 104)
	x, a = r.Delete(0, k, o.UID, false)
	o = step("delete with a finalizer", x, a, Marked, 105)
	x, a = r.Delete(0, k, 0, false)
	step("delete again", x, a, NoChange, 105)
	o.Finalizers = 0
	x, a = r.Update(0, o)
	step("the last finalizer goes", x, a, Gone, 106)
	if _, exists := r.Get(0, k); exists {
		t.Error("it still exists")
	}
	x, a = r.Update(0, o)
	step("update of what is gone", x, a, NotFound, 0)
	if n := [...]string{r.GenerateName("a-"), r.GenerateName("b-"), r.GenerateName("a-")}; n != [...]string{"a-1", "b-1", "a-2"} {
		t.Errorf("generated names are %v", n)
	}
}
