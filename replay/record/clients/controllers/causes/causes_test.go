// Package causes runs controllers that are made at random, whose every Add is marked by themselves,
// and holds the causes in their recordings against the marks. go.mod requires the newest version of
// controller-runtime. go test -modfile v021.mod takes another, and those before v0.21 need -tags
// beforev021, too.
package causes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record"
)

// Limiter is the rate limiter of a Queue.
type Limiter = workqueue.TypedRateLimiter[reconcile.Request]

// Queue is the workqueue of a controller.
type Queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// Version is what differs between versions of controller-runtime.
type Version struct {
	NewCache   func(record.Recording, cache.NewCacheFunc) cache.NewCacheFunc
	Options    func(record.Recording, manager.Manager, controller.Options) controller.Options
	NewManager func(record.Recording, *rest.Config, manager.Options) (manager.Manager, error)
	Source     func(record.Recording, string, handler.EventHandler) handler.EventHandler
	Marked     func(Marking) Queue // Priority, of the options that the version's queue has
	Priorities Priorities
}

// minor is the version of controller-runtime, which the path of its source says.
var minor = func() (n int) {
	pc := reflect.ValueOf(builder.ControllerManagedBy).Pointer()
	path, _ := runtime.FuncForPC(pc).FileLine(pc)
	_, version, _ := strings.Cut(path, "sigs.k8s.io/controller-runtime@v0.")
	fmt.Sscan(strings.ReplaceAll(version, ".", " "), &n)
	return n
}()

// Priorities says when controllers of a version get a priority queue that can be recorded.
type Priorities uint8

// When they do.
const (
	NoPriority Priorities = iota // never, before v0.21
	IfAsked
	ByDefault
)

// ask asks for a priority queue or for none, nil for neither, and reports whether there then is one.
func (p Priorities) ask(o *manager.Options, asked *bool) bool {
	set(o, "UsePriorityQueue", asked)
	if asked == nil {
		return p == ByDefault
	}
	return *asked
}

// vary draws the settings that only some versions have.
func (v Version) vary(draw func(n int) int, o *manager.Options) {
	if v.Priorities == NoPriority {
		return
	}
	priority, warm := draw(2) == 0, draw(3) == 0
	set(o, "UsePriorityQueue", &priority)
	set(o, "EnableWarmup", &warm)
}

// set sets a field of the controllers' settings, where the version has it.
func set(o *manager.Options, field string, value *bool) {
	if f := reflect.ValueOf(&o.Controller).Elem().FieldByName(field); f.IsValid() {
		f.Set(reflect.ValueOf(value))
	}
}

// mark is an Add, as the program itself knows it.
type mark struct{ queue, fn, key, why string }

// marks are a program's, in the order of its Adds.
type marks struct {
	mu    sync.Mutex
	adds  []mark
	ended bool
	by    sync.Map // why: by the number of the goroutine that adds
	count sync.Map // reconciles: by controller and key
}

// because notes why the goroutine that calls adds from now on.
func (m *marks) because(why string) { m.by.Store(goroutine(), why) }

// total returns how many Adds there were.
func (m *marks) total() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.adds)
}

// end ends the recording, and no Add is marked after it.
func (m *marks) end(recording func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	recording()
}

// goroutine returns the first line of the calling goroutine's stack, up to its number.
func goroutine() string {
	b := make([]byte, 40)
	return strings.Join(strings.Fields(string(b[:runtime.Stack(b, false)]))[:2], " ")
}

// Marking is a queue whose Adds are marked. It adds one item at a time, so that marks and recording
// have one order.
type Marking struct {
	Queue
	name string
	m    *marks
}

// mark marks an Add.
func (q Marking) mark(fn string, add func(), items ...reconcile.Request) {
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	why, _ := q.m.by.Load(goroutine())
	for _, item := range items {
		if q.m.ended {
			break
		}
		text, _ := why.(string)
		q.m.adds = append(q.m.adds, mark{q.name, fn, strings.TrimPrefix(item.String(), "/"), text})
	}
	add()
}

func (q Marking) Add(item reconcile.Request) { q.mark("Add", func() { q.Queue.Add(item) }, item) }

func (q Marking) AddAfter(item reconcile.Request, after time.Duration) {
	q.mark("AddAfter", func() { q.Queue.AddAfter(item, after) }, item)
}

func (q Marking) AddRateLimited(item reconcile.Request) {
	q.mark("AddRateLimited", func() { q.Queue.AddRateLimited(item) }, item)
}

// priorityMarking is a Marking with the methods of a priority queue.
type priorityMarking[O any] struct {
	Marking
	inner record.TypedPriorityQueue[reconcile.Request, O]
}

func (q priorityMarking[O]) AddWithOpts(o O, items ...reconcile.Request) {
	q.mark("AddWithOpts", func() { q.inner.AddWithOpts(o, items...) }, items...)
}

// Priority returns m with the methods of a priority queue, if its queue has them.
func Priority[O any](m Marking) Queue {
	if q, ok := m.Queue.(record.TypedPriorityQueue[reconcile.Request, O]); ok {
		return priorityMarking[O]{m, q}
	}
	return m
}

func (q priorityMarking[O]) GetWithPriority() (reconcile.Request, int, bool) {
	return q.inner.GetWithPriority()
}

// seen returns a predicate that notes the event which the handler after it gets. It lets all pass
// but every nth resourceVersion.
func (m *marks) seen(n int) predicate.Funcs {
	note := func(fn string, o client.Object) bool {
		kind := o.GetObjectKind().GroupVersionKind().Kind // of metadata and of what has no type
		if kind == "" {
			kind = reflect.TypeOf(o).Elem().Name()
		}
		m.because(fmt.Sprintf("%s %s %s @%s", fn, kind, client.ObjectKeyFromObject(o), o.GetResourceVersion()))
		return n == 0 || len(o.GetResourceVersion()) == 0 || int(o.GetResourceVersion()[len(o.GetResourceVersion())-1])%n != 0
	}
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return note("OnAdd", e.Object) },
		UpdateFunc:  func(e event.UpdateEvent) bool { return note("OnUpdate", e.ObjectNew) },
		DeleteFunc:  func(e event.DeleteEvent) bool { return note("OnDelete", e.Object) },
		GenericFunc: func(e event.GenericEvent) bool { m.because("channel"); return true },
	}
}

// reconciling returns a reconciler that notes that its goroutine is a worker of that controller.
func (m *marks) reconciling(controller string, r reconcile.Func) reconcile.Func {
	return func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		of := controller + " " + req.String()
		n, _ := m.count.LoadOrStore(of, 0)
		m.count.Store(of, n.(int)+1)
		m.because(fmt.Sprint("reconcile ", of, " #", n.(int)+1))
		return r(ctx, req)
	}
}

// line is one of a trace.
type line struct {
	ID, In int64
	Call   *struct{ Handler, Fn, Key, RV string }
	Work   *struct {
		Queue, Fn, Key, From string
	}
	Reconcile *struct{ Controller, Key string }
}

// check holds a recording against the marks. It returns how many Adds there are, how many of them have a
// cause in the trace that is the one in the marks, and how many should have one.
func check(t testing.TB, trace []byte, adds []mark) (all, right, known int) {
	t.Helper()
	causes, reconciles := map[int64]string{}, map[string]int{}
	var recorded []line
	for _, b := range bytes.Split(bytes.TrimSpace(trace), []byte("\n")) {
		var l line
		if err := json.Unmarshal(b, &l); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		switch {
		case l.Call != nil && l.ID != 0:
			kind, _, _ := strings.Cut(l.Call.Handler, " ")
			causes[l.ID] = fmt.Sprintf("%s %s %s @%s", l.Call.Fn, kind, l.Call.Key, l.Call.RV)
		case l.Reconcile != nil:
			of := l.Reconcile.Controller + " " + l.Reconcile.Key
			reconciles[of]++
			causes[l.ID] = fmt.Sprint("reconcile ", of, " #", reconciles[of])
		case l.Work != nil && strings.HasPrefix(l.Work.Fn, "Add"):
			recorded = append(recorded, l)
		}
	}
	if len(recorded) != len(adds) {
		t.Fatalf("%d Adds are recorded, of %d", len(recorded), len(adds))
	}
	for i, l := range recorded {
		m, why := adds[i], causes[l.In]
		if l.Work.From != "" {
			why = l.Work.From
		}
		switch {
		case (mark{l.Work.Queue, l.Work.Fn, l.Work.Key, m.why}) != m:
			t.Fatalf("the %dth Add is recorded as %+v, and was %+v", i, l.Work, m)
		case why != m.why && why != "": // a call that is under way at the end has no line
			t.Errorf("%s(%s) of %s: the recording says %q, and it was %q", m.fn, m.key, m.queue, why, m.why)
		case why != "":
			right++
		}
		if m.why != "" {
			known++
		}
	}
	return len(adds), right, known
}
