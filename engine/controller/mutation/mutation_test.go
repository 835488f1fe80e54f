package mutation

import (
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// torn is a store that has lost the one object that its index still lists.
type torn struct{ key object.Key }

func (torn) GetByKey(object.Key) (object.Ref, bool) { return 0, false }

func (s torn) IndexKeys(_ string, dst []object.Key) []object.Key { return append(dst, s.key) }

func (torn) Has(object.Ref, string) bool { return true }

// TestByIndexOfATornStore asks for an object that the store loses while it is asked. TestByIndexOfATornStore of
// live/v037 and live/v038 asks the real cache.
func TestByIndexOfATornStore(t *testing.T) {
	table := object.NewTable(nil)
	obj := table.Add(object.Meta{Namespace: table.Sym("ns"), Name: table.Sym("a"), RV: table.RV("2")})
	store := torn{table.KeyOf(obj)}
	for _, adds := range []bool{false, true} {
		for _, gates := range []Gates{{}, {AddsMissing: true}} {
			c := New(table, Options{IncludeAdds: adds, Gates: gates})
			if err := c.Mutation(obj, 0); err != nil {
				t.Fatal(err)
			}
			got, err := c.ByIndex(store, "ns", store, 0, nil)
			if want := adds && gates.AddsMissing; err != nil || (len(got) == 1) != want {
				t.Errorf("IncludeAdds %v, %+v: %v, %v", adds, gates, got, err)
			}
		}
	}
}
