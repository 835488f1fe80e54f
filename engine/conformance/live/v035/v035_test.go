// Package v035 compares the engine with client-go v0.35.3.
package v035

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
)

var version = live.Version{
	Name: "v0.35.3",
	Gates: func(set map[string]bool) {
		features.ReplaceFeatureGates(live.Gates[features.Feature]{Set: set, Defaults: defaults})
	},
	Handler: func(h *live.Handler) cache.ResourceEventHandler { return live.Calls{Handler: h} },
	NewQueue: func(kind string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, x live.Transform) cache.Queue {
		if kind == "delta" || kind == "" {
			return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: key, KnownObjects: known, EmitDeltaTypeReplaced: replaced, Transformer: x})
		}
		return cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{KeyFunction: key, KnownObjects: known, Transformer: x})
	},
	Pop: func(q cache.Queue, batch bool, process func(any, bool, bool) error) error {
		single := func(o any, initial bool) error { return process(o, initial, false) }
		if b, ok := q.(cache.QueueWithBatch); ok && batch {
			return b.PopBatch(func(d []cache.Delta, initial bool) error { return process(cache.Deltas(d), initial, true) })
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

// defaults are the gates that client-go itself has on.
var defaults = features.FeatureGates()

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestRandom(t *testing.T) { live.Random(t, &version) }
