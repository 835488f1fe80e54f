// Package v029 compares the engine with client-go v0.29.15.
package v029

import (
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	"github.com/informerscope/informerscope/engine/conformance/live"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

var version = live.Version{
	Name:           "v0.29.15",
	Delta:          true,
	SyncTransforms: true,
	Begin:          func() { neverExitWatch = make(chan time.Time) },
	Handler:        func(h *live.Handler) cache.ResourceEventHandler { return live.Calls{Handler: h} },
	NewQueue: func(_ string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, x live.Transform) cache.Queue {
		return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: key, KnownObjects: known, EmitDeltaTypeReplaced: replaced, Transformer: x})
	},
	Pop: func(q cache.Queue, _ bool, process func(any, bool, bool) error) error {
		_, err := q.Pop(func(o any, initial bool) error { return process(o, initial, false) })
		return err
	},
	Requeue: func(err error) error { return cache.ErrRequeue{Err: err} },
	NewPipe: func(h *live.Handler, in cache.Indexers, x live.Transform) (cache.Indexer, cache.Controller) {
		return cache.NewTransformingIndexerInformer(&cache.ListWatch{}, &metav1.PartialObjectMetadata{}, 0, live.Calls{Handler: h}, in, x)
	},
	Process: func(c *cache.Config, o any, initial, _ bool) error { return c.Process(o, initial) },
}

// neverExitWatch is the channel on which an informer without resync waits for
// its timer. It has to be one of the bubble's own, or the bubble is never at
// rest.
//
//go:linkname neverExitWatch k8s.io/client-go/tools/cache.neverExitWatch
var neverExitWatch <-chan time.Time

func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = []func(error){func(error) { live.HandledErrors.Add(1) }}
	live.Quiet()
	m.Run()
}

func TestRandom(t *testing.T) { live.Random(t, &version) }
