package trace

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// The interned object is the one that came, whether or not it is like an
// earlier version, and whatever the table has let go of.
func TestInternsWhatCame(t *testing.T) {
	const seed = 604
	rnd := rand.New(rand.NewSource(seed))
	pick := func(choices ...string) string { return choices[rnd.Intn(len(choices))] }
	text := func(o *Object) string {
		m := &o.Metadata
		return fmt.Sprint(m.Namespace, "/", m.Name, " ", m.UID, " ", m.ResourceVersion, " ", m.labels)
	}
	r := new(Trace).NewResource(Resource{})
	held := map[object.Ref]bool{}
	for i := range 3000 {
		var o Object
		m := &o.Metadata
		m.Namespace, m.Name, m.UID, m.ResourceVersion = pick("", "a", "b"), pick("x", "y"), pick("", "1", "2", "3"), fmt.Sprint(i)
		for _, name := range []string{"app", "tier"} {
			if rnd.Intn(3) > 0 {
				m.labels = append(m.labels, label{name, pick("", "web", "db")})
			}
		}
		ref := r.intern(&o, object.Source{})
		want := text(&o)
		held[ref] = true
		row := r.Table.Meta(ref)
		var got Object
		got.Metadata.Namespace, got.Metadata.Name = r.Table.Text(row.Namespace), r.Table.Text(row.Name)
		got.Metadata.UID, got.Metadata.ResourceVersion = r.Table.Text(row.UID), r.Table.RVText(row.RV)
		for _, l := range r.Table.LabelsOf(row.Labels) {
			got.Metadata.labels = append(got.Metadata.labels, label{r.Table.Text(l.Name), r.Table.Text(l.Value)})
		}
		if text(&got) != want {
			t.Fatalf("seed %d: object %d is %s, not %s", seed, i, text(&got), want)
		}
		if key, _ := object.MetaNamespaceKeyFunc(r.Table, row); r.Table.KeyText(row.Key) != key {
			t.Fatalf("seed %d: the key of object %d is %s, not %s", seed, i, r.Table.KeyText(row.Key), key)
		}
		if rnd.Intn(100) == 0 {
			live := r.Table.Live()
			for ref := range held {
				if rnd.Intn(2) == 0 {
					live.Ref(ref)
				} else {
					delete(held, ref)
				}
			}
			r.Table.Sweep(live)
			r.Table.SweepKeys(live, nil)
		}
	}
}
