package registry

import (
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// TestRules walks one object through its life.
func TestRules(t *testing.T) {
	tab := object.NewTable(nil)
	o := Object{Key: tab.Key("ns/a"), UID: tab.Sym("u1"), RV: 101, Generation: 1, Content: Content{Spec: 1, Finalizers: 1}}
	if o.Meets(0, 0) != Updated || o.Meets(o.UID, 101) != Updated || o.Meets(tab.Sym("u9"), 0) != Conflict || o.Meets(0, 100) != Conflict {
		t.Error("a write has to expect nothing, or the object's uid and resourceVersion")
	}
	step := func(name string, write func() (Object, Answer), want Answer) {
		t.Helper()
		got, answer := write()
		if answer != want {
			t.Fatalf("%s: answer %d, want %d", name, answer, want)
		}
		o = got
	}
	step("an update doesn't write the status", func() (Object, Answer) { return o.Updated(Content{Spec: 1, Finalizers: 1, Status: 3}) }, NoChange)
	step("update of the status", func() (Object, Answer) { return o.StatusUpdated(Content{Spec: 9, Status: 3}) }, Updated)
	step("update", func() (Object, Answer) { return o.Updated(Content{Spec: 2, Finalizers: 1}) }, Updated)
	if o.Generation != 2 || o.Status != 3 || o.Spec != 2 {
		t.Errorf("it is now %+v", o)
	}
	step("delete with a finalizer", func() (Object, Answer) { return o.Deleted(false) }, Marked)
	step("delete again", func() (Object, Answer) { return o.Deleted(false) }, NoChange)
	step("the last finalizer goes", func() (Object, Answer) { return o.Updated(Content{Spec: 2}) }, Removed)
	o = Object{Generation: 1}
	step("a graceful delete", func() (Object, Answer) { return o.Deleted(true) }, Marked)
	o.Deleting = false
	step("delete", func() (Object, Answer) { return o.Deleted(false) }, Removed)
}
