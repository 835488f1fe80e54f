package record

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// Reconcile makes f a function whose calls are recorded: when each began and ended, with which
// result and what kind of error. The writes that f makes with the context that it gets belong
// to that call in the trace. Reconcile fits the method Reconcile of controller-runtime's
// reconcile.TypedReconciler, and its result becomes a reconciler again by reconcile.TypedFunc.
//
// Controller is the name of the workqueue from which the requests come, if that is recorded, too.
func Reconcile[R, Res any](to Recording, controller string, f func(context.Context, R) (Res, error)) func(context.Context, R) (Res, error) {
	r := to.recorder()
	if r == nil {
		return f
	}
	c := r.controller(controller)
	return func(ctx context.Context, req R) (res Res, err error) {
		x := c.begin(keyOf(req))
		end := trace.Finished{Result: trace.ResultPanic} // unless f returns
		defer func() { c.end(x, end) }()
		x.runMarked(func() { res, err = f(context.WithValue(ctx, reconcileOf{r}, x), req) })
		end = finished(res, err)
		return res, err
	}
}

// Sync does what Reconcile does, for a function without a result, as hand-written workers of client-go have it.
func Sync[R any](to Recording, controller string, f func(context.Context, R) error) func(context.Context, R) error {
	reconcile := Reconcile(to, controller, func(ctx context.Context, req R) (struct{}, error) { return struct{}{}, f(ctx, req) })
	return func(ctx context.Context, req R) error {
		_, err := reconcile(ctx, req)
		return err
	}
}

// reconcileOf is the key of a context's value: the reconcile of that Recorder under way.
type reconcileOf struct{ r *Recorder }

// controllers are a Recorder's controllers, by their names.
type controllers struct {
	mu     sync.Mutex
	byName map[string]*controller
}

// controller is what reconciles of one name share.
type controller struct {
	r     *Recorder
	name  string
	queue *workqueue // of the same name

	mu    sync.Mutex
	busy  []bool               // by worker
	wrote map[string]time.Time // by key: when a reconcile sent its last write
}

// running is a reconcile under way.
type running struct {
	key    string
	worker int // counted from 1
	began  time.Time
	queued bool // the beginning is in the queue, or was, so that there is a line
	c      *controller
	looks  atomic.Int32 // how many of its reads are recorded yet
	cause
}

// A reconcile that begins so soon after a write for the same key may read a cache that lacks it. Its first reads are recorded.
const (
	soonAfterWrite = time.Second
	mostLooks      = 16
	mostWrote      = 1 << 10 // keys that are remembered
)

func (r *Recorder) controller(name string) *controller {
	name = short(name, maxName)
	r.controllers.mu.Lock()
	defer r.controllers.mu.Unlock()
	c := r.controllers.byName[name]
	if c == nil {
		c = &controller{r: r, name: name, queue: r.workqueue(name)}
		if r.controllers.byName == nil {
			r.controllers.byName = map[string]*controller{}
		}
		r.controllers.byName[name] = c
	}
	return c
}

func (c *controller) begin(key string) *running {
	x := &running{key: key, began: time.Now(), c: c, cause: cause{r: c.r}}
	c.mu.Lock()
	x.worker = c.take()
	if at, wrote := c.wrote[key]; wrote && x.began.Sub(at) < soonAfterWrite {
		x.looks.Store(mostLooks)
	}
	c.mu.Unlock()
	e := entry{kind: aReconcile, t: c.r.now(), cause: &x.cause, content: &trace.ReconcileStart{Controller: c.name, Key: key, Worker: x.worker}}
	x.queued = c.r.queue.put(e, nil, len(key)+len(c.name)+entryCost)
	if !x.queued {
		c.r.countLost(&c.r.lost.reconciles)
	}
	return x
}

// writes takes note that the reconcile sends a write.
func (x *running) writes() {
	c := x.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wrote == nil || len(c.wrote) >= mostWrote {
		c.wrote = map[string]time.Time{}
	}
	c.wrote[x.key] = time.Now()
}

// Saw records what a reconcile has read in a cache, if it began within a second of a write for the same key. It is for what stands before a
// cache, such as package controllerruntime, and for what calls a lister. ctx is the context that the reconcile got, and kind the kind of
// the objects with its group, such as "Deployment.apps". version returns the resourceVersion of the object that was read, whose key is
// namespace/name; or for the key "" the one that the cache's store had reached after the read (LastStoreSyncResourceVersion), and "" where nobody knows.
// A recording tells by it whether the controller's last write had come over the wire, and the informer had not put it into its cache.
func Saw(ctx context.Context, to Recording, kind, key string, version func() string) {
	r := to.recorder()
	if r == nil {
		return
	}
	x, ok := ctx.Value(reconcileOf{r}).(*running)
	if !ok || !x.queued || x.looks.Load() <= 0 || x.looks.Add(-1) < 0 {
		return
	}
	if rv := version(); rv != "" {
		s := trace.Saw{Kind: short(kind, maxName), Key: short(key, maxKey), RV: short(rv, maxName)}
		r.queue.put(entry{kind: aSaw, t: r.now(), cause: &x.cause, content: s}, nil, len(s.Kind)+len(s.Key)+len(s.RV))
	}
}

// take returns the lowest worker that is free. c.mu must be locked.
func (c *controller) take() int {
	for i, busy := range c.busy {
		if !busy {
			c.busy[i] = true
			return i + 1
		}
	}
	c.busy = append(c.busy, true)
	return len(c.busy)
}

func (c *controller) end(x *running, f trace.Finished) {
	c.mu.Lock()
	c.busy[x.worker-1] = false
	c.mu.Unlock()
	f.Duration = max(int64(time.Since(x.began)), 1)
	if x.queued {
		c.r.queue.addReserved(entry{kind: aReconciled, t: c.r.now(), cause: &x.cause, content: &f}, reserveEnd)
	} else {
		c.r.countLost(&c.r.lost.reconciles)
	}
	if f.Result != trace.ResultDone && f.Result != trace.ResultTerminal && f.Result != trace.ResultPanic {
		c.queue.requeues(x)
	}
	if f.Result == trace.ResultPanic {
		c.r.panicked(fmt.Sprintf("the reconcile of %s by %s", x.key, c.name))
	}
}

// finished says how a reconcile ended that has returned.
func finished(res any, err error) (f trace.Finished) {
	if err != nil {
		return failed(err)
	}
	f.Result = trace.ResultDone
	v := reflect.ValueOf(res)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return f
	}
	if after := v.FieldByName("RequeueAfter"); after.Kind() == reflect.Int64 && after.Int() > 0 {
		return trace.Finished{Result: trace.ResultRequeueAfter, After: after.Int()}
	}
	if again := v.FieldByName("Requeue"); again.Kind() == reflect.Bool && again.Bool() {
		f.Result = trace.ResultRequeue
	}
	return f
}

// How much is kept of a name, a key and an error's text, in bytes.
const (
	maxName    = 200
	maxKey     = 400
	maxMessage = 300
)

// failed says what kind of error a reconcile returned. An error's methods are the controller's
// code, so a panic of theirs is not passed on.
func failed(err error) (f trace.Finished) {
	f = trace.Finished{Result: trace.ResultError, Error: "error"}
	defer func() { recover() }()
	class, terminal := classOf(err)
	f.Error = short(class, maxName)
	if terminal {
		f.Result = trace.ResultTerminal
	}
	f.Message = short(err.Error(), maxMessage)
	return f
}

// maxErrors is how many errors of a tree are looked at.
const maxErrors = 50

// classOf returns the reason of the Status in err's tree (apierrors.ReasonForError), what the
// context ended with, or else the first type that is not of the standard library's wrappers.
// terminal reports whether there is a TerminalError of controller-runtime.
func classOf(err error) (class string, terminal bool) {
	plain := ""
	tree := []error{err}
	for n := 0; n < len(tree) && n < maxErrors; n++ {
		e := tree[n]
		if e == nil {
			continue
		}
		t := reflect.TypeOf(e)
		name := t.String()
		if name == "*reconcile.terminalError" && strings.HasSuffix(t.Elem().PkgPath(), "controller-runtime/pkg/reconcile") {
			terminal = true
		} else if plain == "" && !strings.HasPrefix(name, "*fmt.wrapError") && !strings.HasPrefix(name, "*errors.") {
			plain = name
		}
		if class == "" {
			class = reasonOf(e)
		}
		switch w := e.(type) {
		case interface{ Unwrap() error }:
			tree = append(tree, w.Unwrap())
		case interface{ Unwrap() []error }:
			tree = append(tree, w.Unwrap()...)
		}
	}
	switch {
	case class != "":
	case errors.Is(err, context.Canceled):
		class = "Canceled"
	case errors.Is(err, context.DeadlineExceeded):
		class = "DeadlineExceeded"
	case plain != "":
		class = plain
	default:
		class = "error"
	}
	return class, terminal
}

// reasonOf returns the reason of an apierrors.APIStatus, which has a method Status that returns a
// metav1.Status; "" for other errors.
func reasonOf(err error) string {
	m := reflect.ValueOf(err).MethodByName("Status")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 || m.Type().Out(0).Kind() != reflect.Struct {
		return ""
	}
	if reason, ok := m.Type().Out(0).FieldByName("Reason"); !ok || reason.Type.Kind() != reflect.String {
		return ""
	}
	s := m.Call(nil)[0]
	if reason := s.FieldByName("Reason").String(); reason != "" {
		return reason
	}
	return "Unknown"
}

// mostOfBody is how much is read of a write's body, in bytes. The metadata stands at the
// beginning of a typed object, and of most others.
const mostOfBody = 256 << 10
