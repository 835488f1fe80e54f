package apiserver

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/object"
)

// TestWrites walks an object with a spec, a status and a finalizer through its life.
func TestWrites(t *testing.T) {
	b := newBench(t, SimConfig{})
	text := func() string {
		r := b.s.Storage.Get(b.tbl.Key("x"))
		if r == 0 {
			return "gone"
		}
		var words []string
		for _, l := range b.tbl.LabelsOf(b.tbl.LabelSetOf(r)) {
			words = append(words, b.tbl.Text(l.Name)+"="+b.tbl.Text(l.Value))
		}
		return strings.Join(words, " ")
	}
	for _, c := range []struct {
		name   string
		verb   Verb
		labels string
		rv     string
		answer registry.Answer
		want   string
	}{
		{"update of what isn't there", Update, "", "", registry.NotFound, "gone"},
		{"create", Create, "app=a .spec.n=1 .status.n=9 .finalizers=f .generation=7", "", registry.Created, ".finalizers=f .generation=1 .spec.n=1 app=a"},
		{"create again", Create, "", "", registry.AlreadyExists, ".finalizers=f .generation=1 .spec.n=1 app=a"},
		{"the same content", Update, "app=a .spec.n=1 .finalizers=f", "2", registry.NoChange, ".finalizers=f .generation=1 .spec.n=1 app=a"},
		{"labels", Update, "app=b .spec.n=1 .finalizers=f .status.n=3", "2", registry.Updated, ".finalizers=f .generation=1 .spec.n=1 app=b"},
		{"an old resourceVersion", Update, "app=c", "2", registry.Conflict, ".finalizers=f .generation=1 .spec.n=1 app=b"},
		{"another spec", Update, "app=b .spec.n=2 .finalizers=f", "3", registry.Updated, ".finalizers=f .generation=2 .spec.n=2 app=b"},
		{"status", UpdateStatus, "app=z .spec.n=5 .status.n=2", "4", registry.Updated, ".finalizers=f .generation=2 .spec.n=2 .status.n=2 app=b"},
		{"a patch of nothing new", Patch, "app=b", "", registry.NoChange, ".finalizers=f .generation=2 .spec.n=2 .status.n=2 app=b"},
		{"a patch", Patch, ".owner=a#1 app=", "", registry.Updated, ".finalizers=f .generation=2 .owner=a#1 .spec.n=2 .status.n=2"},
		{"a patch with another owner", Patch, ".owner=b#2", "", registry.Invalid, ".finalizers=f .generation=2 .owner=a#1 .spec.n=2 .status.n=2"},
		{"a patch that takes the owner", Patch, ".owner= app=b", "", registry.Updated, ".finalizers=f .generation=2 .spec.n=2 .status.n=2 app=b"},
		{"delete", Delete, "", "", registry.Marked, ".deletionTimestamp=0s .finalizers=f .generation=2 .spec.n=2 .status.n=2 app=b"},
		{"delete again", Delete, "", "", registry.NoChange, ".deletionTimestamp=0s .finalizers=f .generation=2 .spec.n=2 .status.n=2 app=b"},
		{"the last finalizer", Update, "app=b .spec.n=2", "8", registry.Removed, "gone"},
	} {
		m := object.Meta{Name: b.tbl.Sym("x"), RV: b.tbl.RV(c.rv)}
		var set []object.Label
		for _, f := range strings.Fields(c.labels) {
			k, v, _ := strings.Cut(f, "=")
			set = append(set, object.Label{Name: b.tbl.Sym(k), Value: b.tbl.Sym(v)})
		}
		m.Labels = b.tbl.LabelSet(set)
		if a := b.s.Write(Write{Verb: c.verb, Object: m}, b.s.Storage.Revision()+1, 0); a != c.answer || text() != c.want {
			t.Errorf("%s: answer %d and %q, want %d and %q", c.name, a, text(), c.answer, c.want)
		}
	}
	if b.s.Storage.Revision() != 9 {
		t.Errorf("the revision is %d, so what was refused was written", b.s.Storage.Revision())
	}
}

// A quota refuses what would be one object too many, and nothing else.
func TestQuota(t *testing.T) {
	tbl := object.NewTable(nil)
	s := NewSimulated(&SimConfig{Table: tbl, Versions: NewVersions(tbl), Quota: 1})
	for _, c := range []struct {
		verb Verb
		name string
		want registry.Answer
	}{
		{Create, "a", registry.Created}, {Create, "b", registry.Forbidden}, {Create, "a", registry.AlreadyExists},
		{Delete, "a", registry.Removed}, {Create, "b", registry.Created},
	} {
		if a := s.Write(Write{Verb: c.verb, Object: object.Meta{Name: tbl.Sym(c.name)}}, s.Storage.Revision()+1, 0); a != c.want {
			t.Errorf("%d of %s is answered by %d, want %d", c.verb, c.name, a, c.want)
		}
	}
}
