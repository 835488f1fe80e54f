package record

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// EventHandler has the methods of client-go's cache.ResourceEventHandler since
// v0.27, so that either can stand for the other.
type EventHandler interface {
	OnAdd(obj any, isInInitialList bool)
	OnUpdate(oldObj, newObj any)
	OnDelete(obj any)
}

// EventHandlerBeforeV027 has the methods that cache.ResourceEventHandler had before v0.27.
type EventHandlerBeforeV027 interface {
	OnAdd(obj any)
	OnUpdate(oldObj, newObj any)
	OnDelete(obj any)
}

// Handler makes h a handler whose calls are recorded under that name, with how
// long they took. A call is written when it returns. One that runs for more than a second is
// also written while it runs, so that a handler that blocks is seen.
func (r *Recorder) Handler(name string, h EventHandler) EventHandler {
	if r == nil {
		return h
	}
	return r.handler(name, h)
}

// HandlerBeforeV027 does what Handler does, for client-go before v0.27.
func (r *Recorder) HandlerBeforeV027(name string, h EventHandlerBeforeV027) EventHandlerBeforeV027 {
	if r == nil {
		return h
	}
	return handlerBeforeV027{r.handler(name, adapted{h})}
}

func (r *Recorder) handler(name string, h EventHandler) handler {
	name = short(name, 200)
	return handler{h, calls{r, name, r.register(name), r.objects()}}
}

type handler struct {
	h EventHandler
	c calls
}

func (h handler) OnAdd(obj any, initial bool) {
	x := h.c.begin(trace.OnAdd, nil, obj, initial)
	defer x.end()
	x.run(func() { h.h.OnAdd(obj, initial) })
}

func (h handler) OnUpdate(oldObj, newObj any) {
	x := h.c.begin(trace.OnUpdate, oldObj, newObj, false)
	defer x.end()
	x.run(func() { h.h.OnUpdate(oldObj, newObj) })
}

func (h handler) OnDelete(obj any) {
	x := h.c.begin(trace.OnDelete, nil, obj, false)
	defer x.end()
	x.run(func() { h.h.OnDelete(obj) })
}

type handlerBeforeV027 struct{ handler }

func (h handlerBeforeV027) OnAdd(obj any) { h.handler.OnAdd(obj, false) }

// adapted has the methods of later handlers.
type adapted struct{ EventHandlerBeforeV027 }

func (a adapted) OnAdd(obj any, _ bool) { a.EventHandlerBeforeV027.OnAdd(obj) }

// calls records the calls of one handler.
type calls struct {
	r          *Recorder
	name       string
	registered *registered
	objects    *objects // nil where they aren't checked
}

// call is one of them under way.
type call struct {
	cause
	began    time.Time
	called   trace.HandlerCall
	returned bool
	slow     *time.Timer
	checked  *checked // nil for none

	mu    sync.Mutex // the timer's goroutine and the caller's
	slept bool       // the trace says, or will, that the call runs for long, and room for its end is reserved
	ended bool
}

// slowCall is how long a call runs before the trace says that it has not returned.
const slowCall = time.Second

func (c calls) begin(fn trace.Fn, old, obj any, initial bool) *call {
	x := &call{cause: cause{r: c.r, handler: true}, began: time.Now(), called: trace.HandlerCall{Handler: c.name, Fn: fn, Initial: initial}}
	if key, last, ok := tombstone(obj); ok {
		x.called.Tombstone, x.called.Key = true, key
		obj = last
	}
	if key, rv := identify(obj); key != "" {
		c.registered.noteCall(c.r, c.name, obj)
		x.called.RV, x.called.Kind = rv, kindOf(obj)
		if x.called.Key == "" {
			x.called.Key = key
		}
	}
	_, x.called.OldRV = identify(old)
	if c.objects != nil {
		x.checked = c.objects.check(c, &x.called, old, obj)
	}
	c.r.calls.begin(x)
	x.slow = time.AfterFunc(slowCall, x.runsLong)
	return x
}

// run calls the handler.
func (x *call) run(f func()) {
	x.runMarked(f)
	x.returned = true
}

// end records a call that returns, or panics.
func (x *call) end() {
	x.slow.Stop()
	x.r.calls.end(x)
	called := x.called
	called.Panicked = !x.returned
	if x.checked != nil {
		x.checked.look(x.r, &called, called.Fn.String())
	}
	x.mu.Lock()
	x.ended = true
	x.mu.Unlock()
	if e, text := x.entry(aCall, called); x.slept {
		x.r.queue.addReserved(e, reserveEnd)
	} else if !x.r.queue.put(e, nil, text) {
		x.r.countLost(&x.r.lost.calls)
	}
	if called.Panicked {
		what := fmt.Sprintf("%s of the handler %s", called.Fn, called.Handler)
		if called.Key != "" {
			what += ", of " + called.Key + ","
		}
		x.r.panicked(what)
	}
}

// runsLong tells of a call that has not returned, with room for its end.
func (x *call) runsLong() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	e, text := x.entry(aCalling, x.called)
	if x.slept = x.r.queue.put(e, nil, text); !x.slept {
		x.r.countLost(&x.r.lost.calls)
	}
}

// entry returns what is told of the call by now, and how long its texts are.
func (x *call) entry(kind kind, called trace.HandlerCall) (e entry, text int) {
	called.Duration = max(int64(time.Since(x.began)), 1)
	return entry{kind: kind, t: x.r.now(), cause: &x.cause, content: &called}, len(called.Key) + len(called.RV) + len(called.OldRV) + entryCost
}

// underWay are the calls that have not returned.
type underWay struct {
	keep bool // a Ring wants to know them

	mu    sync.Mutex
	calls map[*call]struct{}
}

func (u *underWay) begin(x *call) {
	if !u.keep {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calls == nil {
		u.calls = map[*call]struct{}{}
	}
	u.calls[x] = struct{}{}
}

func (u *underWay) end(x *call) {
	if !u.keep {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.calls, x)
}

// list returns the calls under way, and how long they run by now. The longest comes first.
func (u *underWay) list() (all []trace.HandlerCall) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for x := range u.calls {
		called := x.called
		called.Duration = max(int64(time.Since(x.began)), 1)
		all = append(all, called)
	}
	slices.SortFunc(all, func(a, b trace.HandlerCall) int { return cmp.Compare(b.Duration, a.Duration) })
	return all
}

// named has methods of all Kubernetes objects (metav1.Object).
type named interface {
	GetNamespace() string
	GetName() string
	GetResourceVersion() string
}

// identify tells an object's key, as client-go's MetaNamespaceKeyFunc does, and
// its resourceVersion. Both are "" for anything that is no object.
func identify(obj any) (key, rv string) {
	o, ok := obj.(named)
	if !ok || reflect.ValueOf(obj).Kind() == reflect.Pointer && reflect.ValueOf(obj).IsNil() {
		return "", ""
	}
	key = o.GetName()
	if ns := o.GetNamespace(); ns != "" {
		key = ns + "/" + key
	}
	return key, o.GetResourceVersion()
}

// kindOf returns the kind of an object, or "" if it isn't known. A Go type is named after its kind, and a type for all kinds has the kind in a field.
func kindOf(obj any) (kind string) {
	const metadata = "PartialObjectMetadata" // which the metadata client leaves in the field
	if o, ok := obj.(interface{ GetKind() string }); ok {
		return short(o.GetKind(), maxName)
	}
	v := reflect.Indirect(reflect.ValueOf(obj))
	if kind = v.Type().Name(); kind == metadata && v.Kind() == reflect.Struct {
		kind = v.FieldByName("Kind").String()
	}
	if kind == metadata {
		return ""
	}
	return short(kind, maxName)
}

// tombstone takes a cache.DeletedFinalStateUnknown apart. It is known by its
// fields.
func tombstone(obj any) (key string, last any, ok bool) {
	if _, object := obj.(named); object || obj == nil {
		return "", nil, false
	}
	v := reflect.Indirect(reflect.ValueOf(obj))
	if v.Kind() != reflect.Struct {
		return "", nil, false
	}
	k, o := v.FieldByName("Key"), v.FieldByName("Obj")
	if !k.IsValid() || k.Kind() != reflect.String || !o.IsValid() || o.Kind() != reflect.Interface {
		return "", nil, false
	}
	return k.String(), o.Interface(), true
}
