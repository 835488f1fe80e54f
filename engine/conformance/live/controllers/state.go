package controllers

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Reach makes a field that isn't exported readable.
func Reach(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// item is a key in a priority queue.
type item struct {
	text    string
	readyAt *time.Time
}

func (it *item) String() string {
	if it.readyAt != nil {
		return it.text + " in " + time.Until(*it.readyAt).String()
	}
	return it.text
}

// Queued writes the keys that are ready, and those that wait. Before v0.23 both were in one tree, in which
// a key whose time had come kept that time. They are written as if it had lost it. Those that wait
// are in the order of their times.
func Queued(real any) (ready, waiting []string) {
	q := reflect.ValueOf(real).Elem()
	var r, w []item
	if one := q.FieldByName("queue"); one.IsValid() {
		for _, it := range tree(one) {
			if it.readyAt != nil && it.readyAt.After(time.Now()) {
				w = append(w, it)
			} else {
				it.readyAt = nil
				r = append(r, it)
			}
		}
		slices.SortStableFunc(w, func(a, b item) int { return a.readyAt.Compare(*b.readyAt) })
	} else {
		r, w = tree(q.FieldByName("ready")), tree(q.FieldByName("waiting"))
	}
	return texts(r), texts(w)
}

func texts(items []item) []string {
	out := []string{}
	for i := range items {
		out = append(out, items[i].String())
	}
	return out
}

// tree reads an ordered set of a priority queue, in its order.
func tree(field reflect.Value) (all []item) {
	ascend := Reach(field).Elem().MethodByName("Ascend")
	ascend.Call([]reflect.Value{reflect.MakeFunc(ascend.Type().In(0), func(args []reflect.Value) []reflect.Value {
		fieldOf := func(name string) reflect.Value {
			return Reach(args[0].Elem().FieldByNameFunc(func(is string) bool { return strings.EqualFold(is, name) }))
		}
		all = append(all, item{
			fmt.Sprintf("%s p%d c%d", keyText(fieldOf("key")), fieldOf("priority").Int(), fieldOf("addedCounter").Uint()), fieldOf("readyAt").Interface().(*time.Time),
		})
		return []reflect.Value{reflect.ValueOf(true)}
	})})
	return all
}

// keyText returns the text of a key: a string, or a reconcile.Request.
func keyText(key reflect.Value) string {
	if key.Kind() == reflect.Struct {
		return key.FieldByName("Name").String()
	}
	return key.String()
}

func lockedKeys(q reflect.Value) []string {
	out := []string{}
	for _, k := range q.FieldByName("locked").MapKeys() {
		out = append(out, keyText(k))
	}
	slices.Sort(out)
	return out
}

// waiters returns how many workers wait for a key.
func waiters(q reflect.Value) int64 {
	if n, ok := Reach(q.FieldByName("waiters")).Addr().Interface().(*atomic.Int64); ok {
		return n.Load()
	}
	return q.FieldByName("waiters").Int()
}

// IsPriorityQueue reports whether a queue is a priority queue. Otherwise it is client-go's, perhaps in a wrapper, or none.
func IsPriorityQueue(q any) bool {
	v := reflect.ValueOf(q)
	return v.IsValid() && v.Elem().FieldByName("addedCounter").IsValid()
}

// Release ends those who still wait for a key of a queue that is shut down: before v0.22 nobody told them. It also takes
// a key that the queue holds out to a worker, since a worker that waits may be told first. At last it lets the time pass
// in which a queue's metrics notice that it is shut down.
func Release(q any) {
	defer proof.Pass(time.Second)
	if !IsPriorityQueue(q) {
		return
	}
	v := reflect.ValueOf(q).Elem()
	get := Reach(v.FieldByName("get"))
	for get.TrySend(reflect.Zero(get.Type().Elem())) {
		proof.Pass(time.Microsecond)
	}
	for taken := true; taken; proof.Pass(time.Microsecond) {
		_, taken = get.TryRecv()
	}
}

// addWithOpts calls a queue's AddWithOpts.
func addWithOpts(q any, after time.Duration, rateLimited bool, priority *int, keys ...string) {
	method := reflect.ValueOf(q).MethodByName("AddWithOpts")
	o := reflect.New(method.Type().In(0)).Elem()
	o.FieldByName("After").SetInt(int64(after))
	o.FieldByName("RateLimited").SetBool(rateLimited)
	if p := o.FieldByName("Priority"); p.Kind() == reflect.Pointer {
		p.Set(reflect.ValueOf(priority))
	} else if priority != nil {
		p.SetInt(int64(*priority))
	}
	in := []reflect.Value{o}
	for _, k := range keys {
		in = append(in, reflect.ValueOf(k))
	}
	method.Call(in)
}

// limiterText names a limiter as client-go's generic types are called.
func limiterText(l reflect.Value) string {
	v := l.Elem()
	name, _, _ := strings.Cut(v.Type().Name(), "[")
	name = strings.TrimPrefix(name, "Typed")
	text := "*workqueue.Typed" + name
	switch name {
	case "ItemExponentialFailureRateLimiter":
		text += fmt.Sprintf(" base=%s max=%s", time.Duration(v.FieldByName("baseDelay").Int()), time.Duration(v.FieldByName("maxDelay").Int()))
	case "BucketRateLimiter":
		text += fmt.Sprintf(" qps=%v burst=%d", l.MethodByName("Limit").Call(nil)[0].Float(), l.MethodByName("Burst").Call(nil)[0].Int())
	case "MaxOfRateLimiter":
		var all []string
		limiters := Reach(v.FieldByName("limiters"))
		for i := range limiters.Len() {
			all = append(all, limiterText(limiters.Index(i).Elem()))
		}
		text += " (" + strings.Join(all, "; ") + ")"
	}
	return text
}
