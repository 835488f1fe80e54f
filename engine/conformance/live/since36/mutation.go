package since36

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// torn is an Indexer that has lost every object that its index still lists.
type torn struct{ cache.Indexer }

func (torn) GetByKey(string) (any, bool, error) { return nil, false, nil }

// ByIndexOfATornStore asks a MutationCache for an object that it keeps and that its store loses while ByIndex
// runs. With IncludeAdds the answer has to be found or not; without, ByIndex never returns the object.
func ByIndexOfATornStore(t *testing.T, found bool) {
	for _, adds := range []bool{false, true} {
		obj := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a", ResourceVersion: "2"}}
		store := torn{cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})}
		if err := store.Add(obj); err != nil {
			t.Fatal(err)
		}
		c := cache.NewIntegerResourceVersionMutationCache(klog.Background(), store, store, time.Minute, adds)
		c.Mutation(obj)
		got, err := c.ByIndex(cache.NamespaceIndex, "ns")
		if want := adds && found; err != nil || (len(got) == 1) != want {
			t.Errorf("IncludeAdds %v: %v, %v", adds, got, err)
		}
	}
}
