// Package since27 is what the modules of client-go v0.27 to v0.32 compile alike.
package since27

import (
	"time"
	_ "unsafe" // for go:linkname

	"github.com/informerscope/informerscope/engine/conformance/live"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Version is what the comparison needs to know of a version of client-go, by its name.
func Version(name string) live.Version {
	return live.Version{
		Name:    name,
		Begin:   func() { neverExitWatch = make(chan time.Time) },
		Handler: func(h *live.Handler) cache.ResourceEventHandler { return live.Calls{Handler: h} },
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
}

// neverExitWatch is the channel on which an informer without resync waits for
// its timer. It has to be one of the bubble's own, or the bubble is never at
// rest.
//
//go:linkname neverExitWatch k8s.io/client-go/tools/cache.neverExitWatch
var neverExitWatch <-chan time.Time
