// Package v037 compares the engine with client-go v0.37.2.
package v037

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
)

var version = live.Version{
	Name: "v0.37.2",
	Gates: func(set map[string]bool) {
		g := gates{}
		for name, on := range set {
			g[features.Feature(name)] = on
		}
		features.ReplaceFeatureGates(g)
	},
	Context: func(lw *cache.ListWatch, list func(context.Context, metav1.ListOptions) (runtime.Object, error), watch func(context.Context, metav1.ListOptions) (watch.Interface, error)) {
		lw.ListWithContextFunc, lw.WatchFuncWithContext = list, watch
	},
	New: func(lw *cache.ListWatch, expected runtime.Object, resync time.Duration, in cache.Indexers, x live.Transform) cache.SharedIndexInformer {
		inf := cache.NewSharedIndexInformer(lw, expected, resync, in)
		if x != nil {
			if err := inf.SetTransform(cache.TransformFunc(x)); err != nil {
				panic(err)
			}
		}
		return inf
	},
	AddHandler: func(inf cache.SharedIndexInformer, h *live.Handler, resync time.Duration) (live.Registration, error) {
		reg, err := inf.AddEventHandlerWithResyncPeriod(handler{h}, resync)
		if err != nil {
			return live.Registration{}, err
		}
		return live.Registration{
			Pending: func() int {
				return int(reflect.ValueOf(reg).Elem().FieldByName("pendingNotificationsLength").FieldByName("v").Int())
			},
			Synced: reg.HasSynced,
			Remove: func() error { return inf.RemoveEventHandler(reg) },
		}, nil
	},
	StoreRV: func(x cache.Indexer) (string, bool) { return x.LastStoreSyncResourceVersion(), true },
	NewQueue: func(kind string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, x live.Transform) cache.Queue {
		if kind == "delta" || kind == "" {
			return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: key, KnownObjects: known, EmitDeltaTypeReplaced: replaced, Transformer: cache.TransformFunc(x)})
		}
		atomic := kind == "real-atomic"
		return cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{KeyFunction: key, KnownObjects: known, Transformer: cache.TransformFunc(x),
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
		return cache.NewTransformingIndexerInformer(&cache.ListWatch{}, &metav1.PartialObjectMetadata{}, 0, handler{h}, in, cache.TransformFunc(x))
	},
	Process: func(c *cache.Config, o any, initial, batch bool) error {
		if batch {
			return c.ProcessBatch(o.(cache.Deltas), initial)
		}
		return c.Process(o, initial)
	},
}

// gates are the gates that a script sets, with the defaults of v0.37 for all
// others.
type gates map[features.Feature]bool

var defaults = features.FeatureGates()

func (g gates) Enabled(f features.Feature) bool {
	if on, set := g[f]; set {
		return on
	}
	return defaults.Enabled(f)
}

type handler struct{ h *live.Handler }

func (h handler) OnAdd(o any, initial bool) { h.h.Add(o, initial) }
func (h handler) OnUpdate(old, o any)       { h.h.Update(old, o) }
func (h handler) OnDelete(o any)            { h.h.Delete(o) }

func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
		func(context.Context, error, string, ...any) { live.HandledErrors.Add(1) },
	}
	live.Quiet()
	m.Run()
}

func TestTranscripts(t *testing.T) { live.Transcripts(t, &version, ".v037.out") }

func TestRandomWork(t *testing.T) { live.RandomWork(t, &version) }

func TestRandomScripts(t *testing.T) { live.RandomScripts(t, &version) }

func TestRandomPipes(t *testing.T) { live.RandomPipes(t, &version) }

func TestRandomParts(t *testing.T) { live.RandomParts(t, &version) }
