// Package v022 compares the engine with client-go v0.22.17.
package v022

import (
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	"github.com/informerscope/informerscope/engine/conformance/live"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

var version = live.Version{
	Name:    "v0.22.17",
	Delta:   true,
	Classic: true,
	Oldest:  true,
	Begin:   func() { neverExitWatch = make(chan time.Time) },
	Handler: func(h *live.Handler) cache.ResourceEventHandler { return live.CallsBeforeV027{Handler: h} },
	NewQueue: func(_ string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, _ live.Transform) cache.Queue {
		return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: key, KnownObjects: known, EmitDeltaTypeReplaced: replaced})
	},
	Pop: func(q cache.Queue, _ bool, process func(any, bool, bool) error) error {
		_, err := q.Pop(func(o any) error { return process(o, false, false) })
		return err
	},
	Requeue: func(err error) error { return cache.ErrRequeue{Err: err} },
	NewPipe: func(h *live.Handler, in cache.Indexers, _ live.Transform) (cache.Indexer, cache.Controller) {
		return cache.NewIndexerInformer(&cache.ListWatch{}, &metav1.PartialObjectMetadata{}, 0, live.CallsBeforeV027{Handler: h}, in)
	},
	Process:  func(c *cache.Config, o any, _, _ bool) error { return c.Process(o) },
	EndTwice: endTwice,
}

// neverExitWatch is the channel on which an informer without resync waits for
// its timer. It has to be one of the bubble's own, or the bubble is never at
// rest.
//
//go:linkname neverExitWatch k8s.io/client-go/tools/cache.neverExitWatch
var neverExitWatch <-chan time.Time

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestTranscripts(t *testing.T) { live.Transcripts(t, &version, ".v022.out") }

func TestRandom(t *testing.T) { live.Random(t, &version) }
