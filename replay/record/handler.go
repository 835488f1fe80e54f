package record

import (
	"reflect"
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
// long they took. A call is written when it returns.
func (r *Recorder) Handler(name string, h EventHandler) EventHandler {
	return handler{h, calls{r, short(name, 200)}}
}

// HandlerBeforeV027 is Handler for client-go before v0.27.
func (r *Recorder) HandlerBeforeV027(name string, h EventHandlerBeforeV027) EventHandlerBeforeV027 {
	return handlerBeforeV027{h, calls{r, short(name, 200)}}
}

type handler struct {
	h EventHandler
	c calls
}

func (h handler) OnAdd(obj any, initial bool) {
	defer h.c.called(time.Now(), trace.OnAdd, nil, obj, initial)
	h.h.OnAdd(obj, initial)
}

func (h handler) OnUpdate(oldObj, newObj any) {
	defer h.c.called(time.Now(), trace.OnUpdate, oldObj, newObj, false)
	h.h.OnUpdate(oldObj, newObj)
}

func (h handler) OnDelete(obj any) {
	defer h.c.called(time.Now(), trace.OnDelete, nil, obj, false)
	h.h.OnDelete(obj)
}

type handlerBeforeV027 struct {
	h EventHandlerBeforeV027
	c calls
}

func (h handlerBeforeV027) OnAdd(obj any) {
	defer h.c.called(time.Now(), trace.OnAdd, nil, obj, false)
	h.h.OnAdd(obj)
}

func (h handlerBeforeV027) OnUpdate(oldObj, newObj any) {
	defer h.c.called(time.Now(), trace.OnUpdate, oldObj, newObj, false)
	h.h.OnUpdate(oldObj, newObj)
}

func (h handlerBeforeV027) OnDelete(obj any) {
	defer h.c.called(time.Now(), trace.OnDelete, nil, obj, false)
	h.h.OnDelete(obj)
}

// calls records the calls of one handler.
type calls struct {
	r    *Recorder
	name string
}

// called records a call that began at the given time and now returns or panics.
func (c calls) called(began time.Time, fn trace.Fn, old, obj any, initial bool) {
	took := max(int64(time.Since(began)), 1)
	call := &trace.Called{Handler: c.name, Fn: fn, Took: took, Initial: initial}
	if key, last, ok := tombstone(obj); ok {
		call.Tombstone, call.Key = true, key
		obj = last
	}
	if key, rv := identify(obj); key != "" {
		call.RV = rv
		if call.Key == "" {
			call.Key = key
		}
	}
	_, call.OldRV = identify(old)
	text := len(call.Key) + len(call.RV) + len(call.OldRV) + entryCost
	if !c.r.queue.put(entry{kind: aCall, t: c.r.now(), call: call}, nil, text) {
		c.r.lost.Add(1)
	}
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
