package record

import (
	"encoding/json"
	"hash/maphash"
	"reflect"
	"sync"

	"github.com/informerscope/informerscope/replay/trace"
)

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
