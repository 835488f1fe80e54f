// Package live plays the scripts of ../testdata on the real client-go, whatever
// version the module that imports it asks for, and compares what comes of it
// with what the engine's driver prints. Time is virtual: each script runs in a
// synctest bubble, and what is printed are states in which every goroutine is
// blocked.
package live

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// Version is what differs from one client-go to another.
type Version struct {
	Name       string
	Classic    bool                  // no registrations, no transformers
	Begin      func()                // is called in each bubble before anything else; may be nil
	Gates      func(map[string]bool) // sets feature gates for what follows
	New        func(lw *cache.ListWatch, resync time.Duration, in cache.Indexers, x Transform) cache.SharedIndexInformer
	AddHandler func(inf cache.SharedIndexInformer, h *Handler, resync time.Duration) (Registration, error)
	StoreRV    func(cache.Indexer) (rv string, ok bool)
	NewQueue   func(kind string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, x Transform) cache.Queue
	Pop        func(q cache.Queue, batch bool, process func(o any, initial, batch bool) error) error
	Requeue    func(error) error // makes it an ErrRequeue; nil where there is none
}

// Transform is cache.TransformFunc.
type Transform func(any) (any, error)

// Registration is what a handler's registration can tell and do.
type Registration struct {
	Pending func() int
	Synced  func() bool // nil before v0.27
	Remove  func() error
}

// Op is one operation of a script.
type Op struct {
	Op string `json:"op"`

	Gates    map[string]bool `json:"gates,omitempty"`
	ResyncMs *int64          `json:"resyncMs,omitempty"`
	Indexers []string        `json:"indexers,omitempty"`
	Xform    string          `json:"xform,omitempty"`
	ID       string          `json:"id,omitempty"`
	Block    bool            `json:"block,omitempty"`
	Items    []Object        `json:"items,omitempty"`
	RV       string          `json:"rv,omitempty"`
	Cont     string          `json:"cont,omitempty"`
	Err      string          `json:"err,omitempty"`
	Events   []Event         `json:"events,omitempty"`
	N        int             `json:"n,omitempty"`
	Ms       int64           `json:"ms,omitempty"`
	NS       string          `json:"ns,omitempty"`
	Sel      string          `json:"sel,omitempty"`
	Value    string          `json:"value,omitempty"`

	L map[string]string `json:"l,omitempty"`

	Kind     string  `json:"kind,omitempty"`
	Known    *bool   `json:"known,omitempty"`
	Replaced bool    `json:"replaced,omitempty"`
	Keyfn    string  `json:"keyfn,omitempty"`
	O        *Object `json:"o,omitempty"`
	Batch    bool    `json:"batch,omitempty"`
	Ret      string  `json:"ret,omitempty"`
	Index    string  `json:"index,omitempty"`

	Limiter string  `json:"limiter,omitempty"`
	BaseMs  int64   `json:"baseMs,omitempty"`
	MaxMs   int64   `json:"maxMs,omitempty"`
	QPS     float64 `json:"qps,omitempty"`
	Burst   int     `json:"burst,omitempty"`
	Item    string  `json:"item,omitempty"`
}

// Object is an object as scripts write it.
type Object struct {
	K   string            `json:"k"`
	RV  string            `json:"rv"`
	UID string            `json:"uid,omitempty"`
	L   map[string]string `json:"l,omitempty"`
	T   string            `json:"t,omitempty"` // tomb, tombkey, bad
}

// Event is a watch event as scripts write it.
type Event struct {
	T   string  `json:"t"`
	O   *Object `json:"o,omitempty"`
	RV  string  `json:"rv,omitempty"`
	End bool    `json:"end,omitempty"`
	Err string  `json:"err,omitempty"`
}

// HandledErrors counts what utilruntime.HandleError was given. The versions'
// tests let its handlers add to it.
var HandledErrors atomic.Int64

// Play runs a script and returns a line for each operation.
func Play(t *testing.T, v *Version, script []Op) []string {
	var out []string
	synctest.Test(t, func(t *testing.T) {
		if v.Begin != nil {
			v.Begin()
		}
		p := &player{v: v, inOrder: !v.Classic, done: make(chan struct{})}
		HandledErrors.Store(0)
		for i, op := range script {
			res := map[string]any{"i": i, "op": op.Op}
			p.do(&op, res)
			b, err := json.Marshal(res)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(b))
		}
		p.finish()
	})
	return out
}

type player struct {
	v        *Version
	inf      cache.SharedIndexInformer
	inOrder  bool
	srv      *server
	stop     chan struct{}
	stopped  bool
	returned atomic.Bool
	started  bool
	resync   time.Duration
	handlers []*Handler
	done     chan struct{} // everything is to end
	work     works
	queue    queue
	store    cache.Indexer // of idx.*
}

func (p *player) finish() {
	if p.work.q != nil {
		p.work.finish()
	}
	close(p.done)
	if p.started && !p.stopped {
		close(p.stop)
	}
	for _, h := range p.handlers {
		h.unblock()
	}
	time.Sleep(time.Hour) // some back-offs do not notice a stop
}

func (p *player) do(op *Op, res map[string]any) {
	if verb, ok := strings.CutPrefix(op.Op, "wq."); ok || op.Op == "advance" && p.work.q != nil {
		if p.work.do(verb, op, p.v.Classic, res); !ok {
			time.Sleep(time.Duration(op.Ms) * time.Millisecond)
		}
		synctest.Wait()
		p.work.print(res)
		return
	}
	if family, verb, _ := strings.Cut(op.Op, "."); p.part(family, verb, op, res) {
		return
	}
	switch op.Op {
	case "config":
		p.inOrder = !p.v.Classic
		if on, ok := op.Gates["InOrderInformers"]; ok && !p.v.Classic {
			p.inOrder = on
		}
		p.v.Gates(op.Gates)
		res["version"] = p.v.Name
		return
	case "advance":
		time.Sleep(time.Duration(op.Ms) * time.Millisecond)
	case "inf.new":
		p.open(op, res)
	case "inf.addHandler":
		p.addHandler(op, res)
	case "inf.removeHandler":
		for _, h := range p.handlers {
			if h.id == op.ID && h.reg.Remove != nil {
				if err := h.reg.Remove(); err != nil {
					res["err"] = err.Error()
				}
			}
		}
		if p.v.Classic {
			res["unsupported"] = true
		}
	case "inf.start":
		p.started = true
		go func() {
			p.inf.Run(p.stop)
			p.returned.Store(true)
		}()
	case "inf.stop":
		p.stopped = true
		close(p.stop)
	case "inf.list", "inf.watch", "inf.events", "inf.watchClose":
		if err := p.srv.answer(op); err != "" {
			res["err"] = err
		}
	case "inf.release":
		for _, h := range p.handlers {
			if h.id == op.ID {
				h.release(max(op.N, 1))
			}
		}
	case "inf.unblock":
		for _, h := range p.handlers {
			if h.id == op.ID {
				h.unblock()
			}
		}
	case "inf.waitCall":
		synctest.Wait()
		for waited := int64(0); waited < op.Ms && len(p.srv.awaiting()) == 0; waited += 50 {
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
		}
		res["jitteredMs"] = 0
	case "inf.lister":
		res["ret"] = lister(p.inf.GetIndexer(), op)
	case "inf.mutate":
		mutate(p.inf.GetIndexer(), op)
	case "inf.addIndexers":
		fail(res, p.inf.AddIndexers(indexers(op.Indexers)))
	default:
		res["err"] = "unknown operation"
	}
	synctest.Wait()
	p.print(op, res)
}

func (p *player) open(op *Op, res map[string]any) {
	x := transform(op.Xform)
	if p.v.Classic && x != nil {
		res["err"] = "unsupported"
		x = nil
	}
	p.resync = 0
	if op.ResyncMs != nil {
		p.resync = time.Duration(*op.ResyncMs) * time.Millisecond
	}
	p.srv, p.stop, p.stopped, p.started, p.handlers = &server{done: p.done}, make(chan struct{}), false, false, nil
	lw := &cache.ListWatch{ListFunc: p.srv.list, WatchFunc: p.srv.watch}
	p.inf = p.v.New(lw, p.resync, indexers(op.Indexers), x)
}

func (p *player) addHandler(op *Op, res map[string]any) {
	if p.returned.Load() {
		res["err"] = "Stopped"
		return
	}
	h := &Handler{id: op.ID, classic: p.v.Classic, late: p.started, gate: make(chan struct{})}
	h.open.Store(!op.Block)
	resync := p.resync
	if op.ResyncMs != nil {
		resync = time.Duration(*op.ResyncMs) * time.Millisecond
	}
	reg, err := p.v.AddHandler(p.inf, h, resync)
	if err != nil {
		res["err"] = "Stopped"
		return
	}
	h.reg = reg
	p.handlers = append(p.handlers, h)
}

func (p *player) print(op *Op, res map[string]any) {
	if n := HandledErrors.Swap(0); n > 0 {
		res["handledErrors"] = n
	}
	if calls := p.srv.takeCalls(); len(calls) > 0 {
		res["calls"] = calls
	}
	res["awaiting"] = p.srv.awaiting()
	res["hasSynced"] = p.inf.HasSynced()
	res["lastSyncRV"] = p.inf.LastSyncResourceVersion()
	res["store"] = p.storeState(p.inf.GetIndexer())
	snapshot := p.srv.snapshot.Swap(false)
	if len(p.handlers) == 0 {
		return
	}
	handlers := map[string]any{}
	for _, h := range p.handlers {
		handlers[h.id] = h.print(op, snapshot)
	}
	res["handlers"] = handlers
}

// indexers are the index functions of those names.
func indexers(names []string) cache.Indexers {
	out := cache.Indexers{}
	for _, name := range names {
		switch label, isLabel := strings.CutPrefix(name, "label:"); {
		case isLabel:
			out[name] = func(o any) ([]string, error) {
				if v, ok := o.(metav1.Object).GetLabels()[label]; ok {
					return []string{v}, nil
				}
				return nil, nil
			}
		case name == "labels":
			out[name] = func(o any) ([]string, error) {
				var values []string
				for k, v := range o.(metav1.Object).GetLabels() {
					values = append(values, k+"="+v)
				}
				return values, nil
			}
		case name == "failing":
			out[name] = func(o any) ([]string, error) {
				if _, bad := o.(metav1.Object).GetLabels()["bad"]; bad {
					return nil, fmt.Errorf("index function failed")
				}
				return []string{"ok"}, nil
			}
		default:
			out[name] = cache.MetaNamespaceIndexFunc
		}
	}
	return out
}

// bare is an object without metadata.
type bare struct{ stamps int }

func transform(name string) Transform {
	if name == "" {
		return nil
	}
	return func(o any) (any, error) {
		if b, ok := o.(*bare); ok {
			return &bare{b.stamps + 1}, nil
		}
		m := o.(*metav1.PartialObjectMetadata)
		if _, bad := m.Labels["fail"]; bad {
			switch name {
			case "fail":
				return nil, fmt.Errorf("transform failed")
			case "nometa":
				return &bare{}, nil
			}
		}
		c := m.DeepCopy()
		c.GenerateName += "~"
		return c, nil
	}
}

func object(o *Object) *metav1.PartialObjectMetadata {
	ns, name, ok := strings.Cut(o.K, "/")
	if !ok {
		ns, name = "", o.K
	}
	m := &metav1.PartialObjectMetadata{}
	m.Namespace, m.Name, m.ResourceVersion, m.UID, m.Labels = ns, name, o.RV, types.UID(o.UID), o.L
	return m
}

// text is key@rv#uid{labels}~.
func text(o any) string {
	if b, ok := o.(*bare); ok {
		return "bad" + strings.Repeat("~", b.stamps)
	}
	if d, ok := o.(cache.DeletedFinalStateUnknown); ok {
		return "DFSU(" + d.Key + "," + text(d.Obj) + ")"
	}
	if o == nil {
		return "nil"
	}
	m := o.(*metav1.PartialObjectMetadata)
	s := m.Name
	if m.Namespace != "" {
		s = m.Namespace + "/" + m.Name
	}
	s += "@" + m.ResourceVersion
	if m.UID != "" {
		s += "#" + string(m.UID)
	}
	var set []string
	for k, v := range m.Labels {
		set = append(set, k+"="+v)
	}
	if slices.Sort(set); len(set) > 0 {
		s += "{" + strings.Join(set, ",") + "}"
	}
	return s + m.GenerateName
}

// server answers when the script says so.
type server struct {
	mu       sync.Mutex
	calls    []string
	lists    chan answer // of the pending list
	watches  chan answer // of the pending watch
	open     *stream
	asked    metav1.ListOptions
	snapshot atomic.Bool // a streaming list has ended since the last operation
	done     chan struct{}
}

type answer struct {
	list runtime.Object
	w    *stream
	err  error
}

func (s *server) list(o metav1.ListOptions) (runtime.Object, error) {
	a := s.ask(&s.lists, "list", o)
	return a.list, a.err
}

func (s *server) watch(o metav1.ListOptions) (watch.Interface, error) {
	a := s.ask(&s.watches, "watch", o)
	if a.err != nil {
		return nil, a.err
	}
	return a.w, nil
}

func (s *server) ask(pending *chan answer, verb string, o metav1.ListOptions) answer {
	ch := make(chan answer, 1)
	s.mu.Lock()
	*pending = ch
	s.asked = o
	s.calls = append(s.calls, verb+" "+options(o))
	s.mu.Unlock()
	select {
	case a := <-ch:
		return a
	case <-s.done:
		return answer{err: fmt.Errorf("the script has ended")}
	}
}

func (s *server) awaiting() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.lists != nil:
		return []string{"list"}
	case s.watches != nil:
		return []string{"watch"}
	}
	return []string{}
}

func (s *server) takeCalls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

func (s *server) answer(op *Op) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch op.Op {
	case "inf.list":
		if s.lists == nil {
			return "no pending list"
		}
		list := &metav1.PartialObjectMetadataList{}
		list.ResourceVersion, list.Continue = op.RV, op.Cont
		for i := range op.Items {
			list.Items = append(list.Items, *object(&op.Items[i]))
		}
		s.lists <- answer{list: list, err: failure(op.Err)}
		s.lists = nil
	case "inf.watch":
		if s.watches == nil {
			return "no pending watch"
		}
		a := answer{err: failure(op.Err)}
		if a.err == nil {
			a.w = &stream{s: s, ch: make(chan watch.Event, 1000), initial: sendsInitial(s.asked)}
			s.open = a.w
		}
		s.watches <- a
		s.watches = nil
	case "inf.watchClose":
		if s.open == nil {
			return "no open watch"
		}
		close(s.open.ch)
	default:
		if s.open == nil {
			return "no open watch"
		}
		for i := range op.Events {
			e := &op.Events[i]
			if e.End && s.open.initial {
				s.open.initial = false
				s.snapshot.Store(true)
			}
			s.open.ch <- event(e)
		}
	}
	return ""
}

func event(e *Event) watch.Event {
	switch e.T {
	case "BOOKMARK":
		m := object(&Object{RV: e.RV})
		if e.End {
			m.Annotations = map[string]string{"k8s.io/initial-events-end": "true"}
		}
		return watch.Event{Type: watch.Bookmark, Object: m}
	case "ERROR":
		status := &metav1.Status{Status: "Failure", Code: 500, Message: e.Err}
		if a, ok := failure(e.Err).(apierrors.APIStatus); ok {
			st := a.Status()
			status = &st
		}
		return watch.Event{Type: watch.Error, Object: status}
	}
	return watch.Event{Type: watch.EventType(e.T), Object: object(e.O)}
}

func failure(name string) error {
	r := schema.GroupResource{Resource: "things"}
	switch name {
	case "":
		return nil
	case "expired":
		return apierrors.NewResourceExpired(name)
	case "gone":
		return apierrors.NewGone(name)
	case "toolarge":
		err := apierrors.NewTimeoutError("Too large resource version", 1)
		err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}}
		return err
	case "toomany":
		return apierrors.NewTooManyRequests(name, 0)
	case "internal":
		return apierrors.NewInternalError(fmt.Errorf("%s", name))
	case "notfound":
		return apierrors.NewNotFound(r, "x")
	case "invalid":
		return apierrors.NewInvalid(schema.GroupKind{Kind: "Thing"}, "x", nil)
	case "refused":
		return &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}
	return fmt.Errorf("%s", name)
}

// stream is an open watch.
type stream struct {
	s       *server
	ch      chan watch.Event
	initial bool // the end of the initial events is still to come
	stopped bool
}

func (w *stream) ResultChan() <-chan watch.Event { return w.ch }

func (w *stream) Stop() {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	if !w.stopped {
		w.s.calls = append(w.s.calls, "watch.stop")
	}
	w.stopped = true
	if w.s.open == w {
		w.s.open = nil
	}
}
