package live

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// server answers when the script says so.
type server struct {
	mu        sync.Mutex
	calls     []string
	lists     []request // pending, in the order in which they came
	watches   []request
	open      []*stream                                  // in the order in which they were opened
	shardInfo func(list runtime.Object, selector string) // see Version
	several   bool                                       // Run was called more than once, so there may be several reflectors
	kind      string                                     // of the objects, which are Unstructured then; "" for PartialObjectMetadata
	snapshot  atomic.Bool                                // a streaming list has ended since the last operation
	scriptEnd chan struct{}
	end       chan struct{} // a request that is cancelled returns when it is closed; nil for at once
}

// request is a request without an answer.
type request struct {
	o      metav1.ListOptions
	answer chan answer
}

type answer struct {
	list runtime.Object
	w    *stream
	err  error
}

func (s *server) list(o metav1.ListOptions) (runtime.Object, error) {
	return s.listWithContext(context.Background(), o)
}

func (s *server) watch(o metav1.ListOptions) (watch.Interface, error) {
	return s.watchWithContext(context.Background(), o)
}

// listWithContext is what client-go calls from v0.33 on.
func (s *server) listWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	a := s.ask(ctx, &s.lists, "list", o)
	return a.list, a.err
}

// watchWithContext is what client-go calls from v0.33 on.
func (s *server) watchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	a := s.ask(ctx, &s.watches, "watch", o)
	if a.err != nil {
		return nil, a.err
	}
	return a.w, nil
}

func (s *server) ask(ctx context.Context, pending *[]request, verb string, o metav1.ListOptions) answer {
	ch := make(chan answer, 1)
	s.mu.Lock()
	if !s.several {
		s.open = nil // a reflector that sends a request has dropped its watch, whether or not it has stopped it
	}
	*pending = append(*pending, request{o, ch})
	s.calls = append(s.calls, verb+" "+options(o))
	s.mu.Unlock()
	select {
	case a := <-ch:
		return a
	case <-s.scriptEnd:
		return answer{err: fmt.Errorf("the script has ended")}
	case <-ctx.Done():
		s.mu.Lock()
		*pending = slices.DeleteFunc(*pending, func(r request) bool { return r.answer == ch })
		end := s.end
		s.mu.Unlock()
		if end != nil {
			<-end
		}
		return answer{err: ctx.Err()}
	}
}

// ending lets each request that is cancelled return when end is closed.
func (s *server) ending(end chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = end
}

func (s *server) awaiting() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []string{}
	for range s.lists {
		out = append(out, "list")
	}
	for range s.watches {
		out = append(out, "watch")
	}
	return out
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
		if len(s.lists) == 0 {
			return "no pending list"
		}
		list := s.items(op)
		if op.Shard != "" {
			s.shardInfo(list, shardText(op.Shard, s.lists[0].o))
		}
		s.lists[0].answer <- answer{list: list, err: failure(op.Err)}
		s.lists = s.lists[1:]
	case "inf.watch":
		if len(s.watches) == 0 {
			return "no pending watch"
		}
		a := answer{err: failure(op.Err)}
		if a.err == nil {
			a.w = &stream{s: s, ch: make(chan watch.Event, 1000), initial: sendsInitial(s.watches[0].o), filtered: shardSelector(s.watches[0].o) != ""}
			s.open = append(s.open, a.w)
		}
		s.watches[0].answer <- a
		s.watches = s.watches[1:]
	default:
		if op.N < 0 || op.N >= len(s.open) {
			return "no open watch"
		}
		w := s.open[op.N]
		if op.Op == "inf.watchClose" {
			w.end()
		}
		for i := range op.Events {
			e := &op.Events[i]
			if e.End && w.initial {
				w.initial = false
				s.snapshot.Store(true)
			}
			w.ch <- s.event(e)
		}
	}
	return ""
}

func (s *server) items(op *Op) runtime.Object {
	if s.kind != "" {
		list := &unstructured.UnstructuredList{}
		list.SetResourceVersion(op.RV)
		list.SetContinue(op.Cont)
		for i := range op.Items {
			list.Items = append(list.Items, *untyped(s.kind, object(&op.Items[i])))
		}
		return list
	}
	list := &metav1.PartialObjectMetadataList{}
	list.ResourceVersion, list.Continue = op.RV, op.Cont
	for i := range op.Items {
		list.Items = append(list.Items, *object(&op.Items[i]))
	}
	return list
}

// event makes an event. Where its object is to be of another kind, the object's type
// differs from the expected one, or only its kind where that is all that differs. An object
// that is to have no metadata is a Status.
func (s *server) event(e *Event) watch.Event {
	w := event(e)
	m, ok := w.Object.(*metav1.PartialObjectMetadata)
	if !ok {
		return w
	}
	switch {
	case e.O != nil && e.O.T == "bad":
		w.Object = &metav1.Status{}
	case e.Other:
		w.Object = untyped("Other", m)
	case s.kind != "":
		w.Object = untyped(s.kind, m)
	}
	return w
}

// shardText returns what ShardInfo says: "same" is the selector that was asked for.
func shardText(says string, asked metav1.ListOptions) string {
	if says == "same" {
		return shardSelector(asked)
	}
	return says
}

func untyped(kind string, m *metav1.PartialObjectMetadata) *unstructured.Unstructured {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(m)
	if err != nil {
		panic(err) // it is made of strings
	}
	u := &unstructured.Unstructured{Object: fields}
	u.SetGroupVersionKind(group.WithKind(kind))
	return u
}

var group = schema.GroupVersion{Group: "example.com", Version: "v1"}

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
	s        *server
	ch       chan watch.Event
	initial  bool // the end of the initial events is still to come
	filtered bool // by the client, which has a shard selector
	ended    bool
	stopped  bool
}

func (w *stream) ResultChan() <-chan watch.Event { return w.ch }

// end ends the stream, if it has not ended yet.
func (w *stream) end() {
	if !w.ended {
		close(w.ch)
	}
	w.ended = true
}

func (w *stream) Stop() {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	if !w.stopped {
		w.s.calls = append(w.s.calls, "watch.stop")
		if w.filtered {
			w.end() // or else the goroutine of watch.Filter would stay
		}
	}
	w.stopped = true
	w.s.open = slices.DeleteFunc(w.s.open, func(o *stream) bool { return o == w })
}
