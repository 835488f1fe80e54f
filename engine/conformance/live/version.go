package live

import (
	"errors"
	"flag"
	"io"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Version holds the differences between versions of client-go.
type Version struct {
	Name  string                // such as v0.37.2; all that has no function follows from it: see oldest and what stands beside it
	Begin func()                // is called in each bubble before anything else; may be nil
	Gates func(map[string]bool) // sets feature gates for what follows; nil where there are none

	// Handler is a handler that passes its calls on to h.
	Handler func(h *Handler) cache.ResourceEventHandler

	StoreRV  func(cache.Indexer) string // nil before v0.36
	NewQueue func(kind string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, x Transform) cache.Queue
	Pop      func(q cache.Queue, batch bool, process func(o any, initial, batch bool) error) error
	Requeue  func(error) error // makes it an ErrRequeue; nil where there is none

	// NewPipe makes an informer. Only its queue, process function and store are
	// used. Process is that process function.
	NewPipe func(h *Handler, in cache.Indexers, x Transform) (cache.Indexer, cache.Controller)
	Process func(c *cache.Config, o any, initial, batch bool) error

	// Measured makes an informer whose metrics go to m; nil before v0.36.
	Measured func(lw *cache.ListWatch, expected runtime.Object, resync time.Duration, in cache.Indexers, m *proof.Metrics) cache.SharedIndexInformer

	// SetShard is SetShardSelector with a selector of NewShardRangeSelector, and ShardInfo writes into a list which
	// selector was applied. They are nil before v0.38.
	SetShard  func(inf cache.SharedIndexInformer, key string, index, total int) error
	ShardInfo func(list runtime.Object, selector string)

	// EndTwice ends the listeners of an informer whose Run was called more than
	// once, which would end the process otherwise; nil where that is refused.
	EndTwice func(cache.SharedIndexInformer)
}

// Transform is cache.TransformFunc, from v0.23 on.
type Transform = func(any) (any, error)

// Gates are the gates that a script sets, with a version's own defaults for all
// others. F is features.Feature.
type Gates[F ~string] struct {
	Set      map[string]bool
	Defaults interface{ Enabled(F) bool }
}

// Enabled reports whether a gate is on.
func (g Gates[F]) Enabled(f F) bool {
	if on, set := g.Set[string(f)]; set {
		return on
	}
	return g.Defaults.Enabled(f)
}

// What follows differs by version in its signature alone, so it is called by its
// name.

// withContext lets the requests of lw end with a stop, from v0.33 on.
func withContext(lw *cache.ListWatch, s *server) {
	fields := reflect.ValueOf(lw).Elem()
	list, watch := fields.FieldByName("ListWithContextFunc"), fields.FieldByName("WatchFuncWithContext")
	if list.IsValid() {
		list.Set(reflect.ValueOf(s.listWithContext).Convert(list.Type()))
		watch.Set(reflect.ValueOf(s.watchWithContext).Convert(watch.Type()))
	}
}

// setTransform calls SetTransform, from v0.24 on.
func setTransform(inf cache.SharedIndexInformer, x Transform) {
	set := reflect.ValueOf(inf).MethodByName("SetTransform")
	set.Call([]reflect.Value{reflect.ValueOf(x).Convert(set.Type().In(0))})
}

// registration is a handler's registration.
type registration struct {
	pending func() int  // pendingNotifications
	synced  func() bool // nil before v0.27
	remove  func() error
}

// errDropped is what no caller is told: up to v0.25, a handler that comes after the stop is dropped.
var errDropped = errors.New("dropped")

// register calls AddEventHandlerWithResyncPeriod.
func register(inf cache.SharedIndexInformer, h cache.ResourceEventHandler, resync time.Duration) (registration, error) {
	shared := reflect.ValueOf(inf)
	listeners := func() reflect.Value { return shared.Elem().FieldByName("processor").Elem().FieldByName("listeners") }
	var i int
	if listeners().Kind() == reflect.Slice { // up to v0.25
		i = listeners().Len()
	}
	out := shared.MethodByName("AddEventHandlerWithResyncPeriod").Call([]reflect.Value{reflect.ValueOf(h), reflect.ValueOf(resync)})
	if len(out) == 0 {
		if listeners().Len() == i {
			return registration{}, errDropped
		}
		return registration{pending: pending(listeners().Index(i).Elem())}, nil
	}
	if err, failed := out[1].Interface().(error); failed {
		return registration{}, err
	}
	reg := out[0]
	made := registration{
		pending: pending(reg.Elem().Elem()),
		remove: func() error {
			err, _ := shared.MethodByName("RemoveEventHandler").Call([]reflect.Value{reg})[0].Interface().(error)
			return err
		},
	}
	if r, can := reg.Interface().(interface{ HasSynced() bool }); can {
		made.synced = r.HasSynced
	}
	return made, nil
}

// pending counts the notifications that wait for a listener.
func pending(listener reflect.Value) func() int {
	if n := listener.FieldByName("pendingNotificationsLength"); n.IsValid() { // from v0.36
		return func() int { return int(n.FieldByName("v").Int()) }
	}
	n := listener.FieldByName("pendingNotifications").FieldByName("readable")
	return func() int { return int(n.Int()) }
}

// Quiet makes client-go log nothing, because the errors that are provoked on purpose here would fill the screen. It
// counts the errors that client-go handles.
func Quiet() {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	flags.Set("logtostderr", "false")
	flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)

	handlers := reflect.ValueOf(&utilruntime.ErrorHandlers).Elem() // their type differs by version
	count := reflect.MakeFunc(handlers.Type().Elem(), func([]reflect.Value) []reflect.Value { HandledErrors.Add(1); return nil })
	handlers.Set(reflect.Append(reflect.Zero(handlers.Type()), count))
}

// What differs between versions of client-go follows from their names, so that scripts can be made up for versions
// that this program doesn't compile.

// oldest reports whether Run can be called again, and workqueues have no ShutDownWithDrain: up to v0.22.
func (v *Version) oldest() bool { return v.Name < "v0.23" }

// transforms reports whether queues and shared informers can have a transformer: from v0.24 on. An informer without
// handlers to share can from v0.23 on.
func (v *Version) transforms() bool { return v.Name >= "v0.24" }

// registrations reports whether handlers can be removed: from v0.26 on.
func (v *Version) registrations() bool { return v.Name >= "v0.26" }

// initialList reports whether handlers learn what is part of the initial list: from v0.27 on.
func (v *Version) initialList() bool { return v.Name >= "v0.27" }

// syncTransforms reports whether a resync transforms once more: up to v0.30.
func (v *Version) syncTransforms() bool { return v.Name < "v0.31" }

// streams reports whether informers can list by watching: from v0.28 on. A reflector alone can in v0.27, too.
func (v *Version) streams() bool { return v.Name >= "v0.28" }

// delta reports whether informers have a DeltaFIFO, and no feature gate but the one for streaming lists: up to v0.32.
func (v *Version) delta() bool { return v.Name < "v0.33" }

// streamsApart reports whether a streaming list that the server ends too early may not be stopped, so that stops
// aren't compared in scripts with such lists: up to v0.33. There all objects are transformed at its end, in the order
// of a map, so which of them come before one that fails is free.
func (v *Version) streamsApart() bool { return v.Name < "v0.34" }

// atomic reports whether a relist is one delta, and the store knows its resourceVersion: from v0.36 on.
func (v *Version) atomic() bool { return v.Name >= "v0.36" }

// since38 reports whether informers have SetShardSelector, and workqueues Pause: from v0.38 on.
func (v *Version) since38() bool { return v.Name >= "v0.38" }

// latched reports whether HasSynced looks at a channel, and never waits for the queue's lock: from v0.36 on.
func (v *Version) latched() bool { return v.Name >= "v0.36" }
