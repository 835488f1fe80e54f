// Package since36 is what the modules of client-go v0.36 and v0.37 compile alike.
package since36

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Version is what the comparison needs to know of a version of client-go, by its name.
func Version(name string) live.Version {
	return live.Version{
		Name: name,
		Gates: func(set map[string]bool) {
			features.ReplaceFeatureGates(live.Gates[features.Feature]{Set: set, Defaults: defaults})
		},
		Handler:  func(h *live.Handler) cache.ResourceEventHandler { return live.Calls{Handler: h} },
		Measured: measured,
		StoreRV:  cache.Indexer.LastStoreSyncResourceVersion,
		NewQueue: func(kind string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, x live.Transform) cache.Queue {
			if kind == "delta" || kind == "" {
				return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: key, KnownObjects: known, EmitDeltaTypeReplaced: replaced, Transformer: x})
			}
			atomic := kind == "real-atomic"
			return cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{KeyFunction: key, KnownObjects: known, Transformer: x,
				AtomicEvents: atomic, UnlockWhileProcessing: atomic, EmitDeltaTypeBookmark: atomic})
		},
		Pop: func(q cache.Queue, batch bool, process func(any, bool, bool) error) error {
			single := func(o any, initial bool) error { return process(o, initial, false) }
			if b, ok := q.(cache.QueueWithBatch); ok && batch {
				return b.PopBatch(func(d []cache.Delta, initial bool) error { return process(cache.Deltas(d), initial, true) }, single)
			}
			_, err := q.Pop(single)
			return err
		},
		NewPipe: func(h *live.Handler, in cache.Indexers, x live.Transform) (cache.Indexer, cache.Controller) {
			return cache.NewTransformingIndexerInformer(&cache.ListWatch{}, &metav1.PartialObjectMetadata{}, 0, live.Calls{Handler: h}, in, x)
		},
		Process: func(c *cache.Config, o any, initial, batch bool) error {
			if batch {
				return c.ProcessBatch(o.(cache.Deltas), initial)
			}
			return c.Process(o, initial)
		},
	}
}

// defaults are the gates that client-go itself has on.
var defaults = features.FeatureGates()

// Main is the TestMain of their modules.
func Main(m *testing.M) {
	live.Quiet()
	Version("").Gates(nil) // now, since client-go reports it as an error when gates are replaced that a test has used
	m.Run()
}

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

// toMetrics is an InformerMetricsProvider.
type toMetrics struct{ *proof.Metrics }

func (m toMetrics) NewQueuedItemMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return m.Named("queuedItems")
}

func (m toMetrics) NewProcessingLatencyMetric(cache.InformerNameAndResource) cache.HistogramMetric {
	return m.Named("processingLatency")
}

func (m toMetrics) NewStoreResourceVersionMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return m.Named("storeResourceVersion")
}

var informers atomic.Int64

// measured makes an informer that has a name: only those have metrics.
func measured(lw *cache.ListWatch, expected runtime.Object, resync time.Duration, in cache.Indexers, m *proof.Metrics) cache.SharedIndexInformer {
	name, err := cache.NewInformerName(fmt.Sprint("informer ", informers.Add(1)))
	if err != nil {
		panic(err)
	}
	return cache.NewSharedIndexInformerWithOptions(lw, expected, cache.SharedIndexInformerOptions{
		ResyncPeriod: resync, Indexers: in, Identifier: name.WithResource(schema.GroupVersionResource{Version: "v1", Resource: "things"}),
		InformerMetricsProvider: toMetrics{m},
	})
}
