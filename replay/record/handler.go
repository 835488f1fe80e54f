package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
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

// Indexers returns a copy of indexers, a cache.Indexers, in which a panic of an index function is recorded before it goes on. It ends
// the process, since informers call index functions on goroutines of their own.
func Indexers[M ~map[string]F, F ~func(obj any) ([]string, error)](to Recording, indexers M) M {
	r := to.recorder()
	if r == nil || indexers == nil {
		return indexers
	}
	all := M{}
	for name, f := range indexers {
		all[name] = func(obj any) (values []string, err error) {
			r.guard(trace.FaultIndex, name, obj, func() { values, err = f(obj) })
			return values, err
		}
	}
	return all
}

// Transform makes f, a cache.TransformFunc, a function whose panics are recorded under that name.
func Transform[F ~func(obj any) (any, error)](to Recording, name string, f F) F {
	r := to.recorder()
	if r == nil || f == nil {
		return f
	}
	return func(obj any) (out any, err error) {
		r.guard(trace.FaultTransform, name, obj, func() { out, err = f(obj) })
		return out, err
	}
}

// IndexerFunc does what Indexers does, for a client.IndexerFunc of controller-runtime, whose name is the field's.
func IndexerFunc[T any, F ~func(T) []string](to Recording, name string, f F) F {
	r := to.recorder()
	if r == nil || f == nil {
		return f
	}
	return func(obj T) (values []string) {
		r.guard(trace.FaultIndex, name, obj, func() { values = f(obj) })
		return values
	}
}

// guard calls f, a function of the cache that gets obj. Where f panics, that is recorded as what, one of the constants trace.Fault…,
// before the panic goes on.
func (r *Recorder) guard(what, name string, obj any, f func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		key, rv := identify(obj)
		r.fault(&trace.Fault{Kind: what, Name: name, Key: key, RV: rv})
		text := "the " + what + " function " + short(name, maxName)
		if key != "" {
			text += ", of " + key + ","
		}
		r.panicked(text)
	}()
	f()
	returned = true
}

// fault records what went wrong in the cache.
func (r *Recorder) fault(f *trace.Fault) {
	f.Name, f.Key = short(f.Name, maxName), short(f.Key, maxKey)
	if !r.queue.put(entry{kind: aFault, t: r.now(), content: f}, nil, len(f.Name)+len(f.Key)+len(f.RV)+entryCost) {
		r.countLost(&r.lost.marks)
	}
}

// objects are those that an informer has told a handler of. Some of them are checked.
type objects struct {
	interval uint64
	seed     maphash.Seed

	mu      sync.Mutex
	checked map[string]*checked // by key: the object that the cache has
}

// checked is an object in the cache, and what it was.
type checked struct {
	obj any
	key string
	rv  string

	mu  sync.Mutex
	sum uint64
}

// objects returns what checks the objects of one handler, nil where nobody asked for that.
func (r *Recorder) objects() *objects {
	if r.o.CheckObjects <= 0 {
		return nil
	}
	return &objects{interval: uint64(r.o.CheckObjects), seed: maphash.MakeSeed(), checked: map[string]*checked{}}
}

// check takes in that a handler is told of an object, whose last version must be as it was. It returns the new version, nil for
// one that isn't checked.
func (o *objects) check(c calls, call *trace.HandlerCall, old, obj any) *checked {
	if maphash.String(o.seed, call.Key)%o.interval != 0 {
		return nil
	}
	o.mu.Lock()
	was := o.checked[call.Key]
	delete(o.checked, call.Key)
	o.mu.Unlock()
	if call.Fn == trace.OnDelete {
		old = obj
	}
	if was != nil && isSame(was.obj, old) {
		was.look(c.r, &trace.HandlerCall{Handler: c.name}, "")
	}
	if call.Fn == trace.OnDelete || call.Key == "" {
		return nil
	}
	x := &checked{obj: obj, key: call.Key, rv: call.RV, sum: sum(obj)}
	if x.sum == 0 {
		return nil
	}
	o.mu.Lock()
	o.checked[call.Key] = x
	o.mu.Unlock()
	return x
}

// isSame reports whether two objects are one.
func isSame(a, b any) bool {
	v, w := reflect.ValueOf(a), reflect.ValueOf(b)
	return v.Kind() == reflect.Pointer && w.Kind() == reflect.Pointer && v.Pointer() == w.Pointer()
}

// look records a change of the object since the last look, with the handler, and with the method in whose call it came about, "" for none.
func (x *checked) look(r *Recorder, call *trace.HandlerCall, fn string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	now := sum(x.obj)
	if now == 0 || now == x.sum {
		return
	}
	x.sum = now
	r.fault(&trace.Fault{Kind: trace.FaultChanged, Name: call.Handler, Fn: fn, Key: x.key, RV: x.rv})
}

// sumSeed is of all sums.
var sumSeed = maphash.MakeSeed()

// sum returns a hash of an object's JSON, 0 for one that has none. An object's methods are the controller's code, so a panic of
// theirs is not passed on.
func sum(obj any) (n uint64) {
	defer func() { recover() }()
	b, err := json.Marshal(obj)
	if err != nil {
		return 0
	}
	return max(maphash.Bytes(sumSeed, b), 1)
}
