// Package clients records real controllers of several versions of client-go, each built by a
// module of its own, and holds the recordings against what their API server has seen.
package clients

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Recording is a controller under way, whose transport is recorded.
type Recording struct {
	T      testing.TB
	Server *Server
	Rec    *record.Recorder
	Config *rest.Config
	*Witness

	out  bytes.Buffer
	http *httptest.Server

	mu     sync.Mutex
	counts map[string]int // of what the controller itself has seen
}

// Start starts a server with three parents, and a recorder. ContentType is what the client asks for.
func Start(t testing.TB, contentType string, lag time.Duration) *Recording {
	r := &Recording{T: t, Server: NewServer(), Witness: NewWitness(), counts: map[string]int{}}
	r.Server.Lag = lag
	r.http = httptest.NewServer(r.Server)
	var err error
	if r.Rec, err = record.New(&r.out, record.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Config = &rest.Config{Host: r.http.URL, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: contentType}}
	if contentType != "application/json" {
		r.Config.AcceptContentTypes = contentType + ",application/json"
	}
	r.Config.Wrap(r.Rec.Wrap)
	for _, name := range Parents {
		r.Server.Create(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"role": "parent"}, Finalizers: []string{"example.com/a"}}})
	}
	return r
}

// Parents are the names of the parents.
var Parents = []string{"a", "b", "c"}

// Count counts something that the controller has seen.
func (r *Recording) Count(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[what]++
}

// Counted returns how often something was counted.
func (r *Recording) Counted(what string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts[what]
}

// Informer starts an informer of ConfigMaps, whose handler calls add with the key of each parent that
// something has happened to.
func (r *Recording) Informer(stop <-chan struct{}, handle func(h record.EventHandler) any, add func(key string)) (cache.Store, *kubernetes.Clientset) {
	client, err := kubernetes.NewForConfig(r.Config)
	if err != nil {
		r.T.Fatal(err)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace("shop"))
	informer := factory.Core().V1().ConfigMaps().Informer()
	informer.AddEventHandler(handle(handler{r, add}).(cache.ResourceEventHandler))
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	return informer.GetStore(), client
}

// handler is a controller's.
type handler struct {
	r   *Recording
	add func(key string)
}

func (h handler) OnAdd(obj any, _ bool) { h.r.Count("call"); h.add(parentOf(obj)) }
func (h handler) OnUpdate(_, obj any)   { h.r.Count("call"); h.add(parentOf(obj)) }
func (h handler) OnDelete(obj any)      { h.r.Count("call"); h.add(parentOf(obj)) }

func parentOf(obj any) string {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	o := obj.(*corev1.ConfigMap)
	if name := o.Labels["parent"]; name != "" {
		return "shop/" + name
	}
	return "shop/" + o.Name
}

// Steps are how often the controller updates each parent.
const Steps = 3

// Store has the methods of cache.Store that a controller reads with.
type Store interface {
	GetByKey(key string) (obj any, exists bool, err error)
	List() []any
}

// NameOf returns the name in a key of the namespace shop.
func NameOf(key string) string { return strings.TrimPrefix(key, "shop/") }

// Sync makes the world as it should be, as far as the cache knows it: each parent has a child, and
// counts to Steps.
func Sync(ctx context.Context, r *Recording, store Store, client *kubernetes.Clientset, key string) error {
	r.Count("reconcile")
	defer r.Count("ended")
	r.Began(key, func(string) int64 { return r.Server.begun() })
	obj, exists, err := store.GetByKey(key)
	if err != nil || !exists {
		return err
	}
	parent := obj.(*corev1.ConfigMap).DeepCopy()
	if parent.Labels["role"] != "parent" {
		return nil
	}
	child := false
	for _, o := range store.List() {
		child = child || o.(*corev1.ConfigMap).Labels["parent"] == parent.Name
	}
	maps := client.CoreV1().ConfigMaps("shop")
	if !child {
		yes := true
		made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			GenerateName: parent.Name + "-", Labels: map[string]string{"parent": parent.Name},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: parent.Name, UID: parent.UID, Controller: &yes}},
		}}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		r.wrote(key, made)
	}
	if n := len(parent.Data["count"]); n < Steps {
		parent.Data = map[string]string{"count": strings.Repeat("x", n+1)}
		updated, err := maps.Update(ctx, parent, metav1.UpdateOptions{})
		if err != nil {
			r.Count("error")
			return fmt.Errorf("updating %s: %w", key, err)
		}
		r.wrote(key, updated)
		r.Count("updated " + key)
	}
	return nil
}

// Done reports whether all parents have counted to Steps.
func (r *Recording) Done() bool {
	for _, name := range Parents {
		if r.Counted("updated shop/"+name) < Steps {
			return false
		}
	}
	return true
}

// Idle reports whether no call of Sync is under way.
func (r *Recording) Idle() bool {
	ended := r.Counted("ended") // first: who begins meanwhile must not make up for who goes on
	return ended == r.Counted("reconcile")
}

// Caught reports whether the store has all that the server has.
func (r *Recording) Caught(store Store) bool {
	r.Server.mu.Lock()
	defer r.Server.mu.Unlock()
	for key, o := range r.Server.objects {
		obj, exists, err := store.GetByKey(key)
		if err != nil || !exists || obj.(*corev1.ConfigMap).ResourceVersion != o.ResourceVersion {
			return false
		}
	}
	return len(store.List()) == len(r.Server.objects)
}

// Run runs a controller whose workqueue was made, with two workers, until all is done. Handle makes a
// handler of client-go's of one that is recorded, and item an item of a key.
func Run[T any](t *testing.T, handle func(r *Recording, h record.EventHandler) any, item func(key string) T, key func(T) string, made func(*Recording) record.TypedRateLimitingInterface[T]) {
	for _, contentType := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		for _, lag := range []time.Duration{0, 20 * time.Millisecond} {
			t.Run(fmt.Sprint(contentType, " ", lag), func(t *testing.T) {
				r := Start(t, contentType, lag)
				q := made(r)
				stop := make(chan struct{})
				store, client := r.Informer(stop, func(h record.EventHandler) any { return handle(r, h) }, func(key string) { q.Add(item(key)) })
				workers := work(r, q, store, client, key)
				r.Wait(func() bool { return r.Done() && r.Caught(store) && q.Len() == 0 })
				q.ShutDown()
				workers.Wait()
				r.Wait(func() bool { return r.Caught(store) })
				close(stop)
				r.Check(true)
			})
		}
	}
}

// work runs two workers of a workqueue.
func work[T any](r *Recording, q record.TypedRateLimitingInterface[T], store cache.Store, client *kubernetes.Clientset, key func(T) string) *sync.WaitGroup {
	reconcile := record.Sync(r.Rec, "web", func(ctx context.Context, i T) error { return Sync(ctx, r, store, client, key(i)) })
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for {
				i, shutdown := q.Get()
				if shutdown {
					return
				}
				r.Before(key(i), store)
				if err := reconcile(context.Background(), i); err != nil {
					q.AddRateLimited(i)
				} else {
					q.Forget(i)
				}
				q.Done(i)
			}
		})
	}
	return &workers
}

// Wait waits until something is so.
func (r *Recording) Wait(so func() bool) {
	for late := time.Now().Add(time.Minute); !so(); {
		if time.Now().After(late) {
			r.T.Fatal("it doesn't come about within a minute")
		}
		<-time.After(5 * time.Millisecond)
	}
}

// Check ends the recording and holds it against what the server and the controller have seen. Without
// queued, only the rate limiter of the workqueue was recorded.
func (r *Recording) Check(queued bool) *worker.Log {
	t := r.T
	t.Helper()
	r.Server.Stop()
	if err := r.Rec.Close(); err != nil || r.Rec.Lost() > 0 {
		t.Fatal(err, r.Rec.Lost())
	}
	r.http.CloseClientConnections()
	r.http.Close()
	var log worker.Log
	tr, err := file.Read(bytes.NewReader(r.out.Bytes()), format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatalf("%v, %v\n%s", err, tr.Problems, r.out.String())
	}
	writes, sent := r.Server.Noted()
	var recorded []string
	reconciles := map[int64]*worker.Reconcile{}
	for i := range log.Reconciles {
		reconciles[log.Reconciles[i].ID] = &log.Reconciles[i]
	}
	for _, w := range log.Writes {
		recorded = append(recorded, fmt.Sprintf("%s %s %d %s", w.Verb, w.Key(), w.Answer.Status, w.Answer.RV+w.Answer.Reason))
		if x := reconciles[w.In]; x == nil {
			t.Errorf("nobody knows which reconcile has sent %+v", w)
		} else if w.Verb == "update" && x.Key != w.Key() {
			t.Errorf("the reconcile of %s is said to have written %s", x.Key, w.Key())
		}
	}
	wantSame(t, "writes", recorded, writes)
	var events []string
	for _, res := range tr.Resources {
		for _, rec := range res.Records {
			switch rec.Kind {
			case trace.WatchEvent:
				events = append(events, fmt.Sprintf("%v %s @%s", rec.Type, res.Table.KeyText(res.Table.KeyOf(rec.Obj)), res.Table.RVText(rec.RV)))
			case trace.InitialEnd:
				events = append(events, fmt.Sprintf("BOOKMARK / @%s", res.Table.RVText(rec.RV)))
			}
		}
	}
	wantSame(t, "events", events, sent)
	errors := 0
	for _, x := range log.Reconciles {
		if x.Result == trace.ResultError {
			errors++
			if x.Error != "Conflict" {
				t.Errorf("%+v", x)
			}
		}
	}
	if n := r.Counted("reconcile"); n != len(log.Reconciles) || n == 0 {
		t.Errorf("%d reconciles are recorded, of %d", len(log.Reconciles), n)
	}
	if n := r.Counted("error"); n != errors {
		t.Errorf("%d errors are recorded, of %d", errors, n)
	}
	ops := map[string]int{}
	for _, q := range log.Queued {
		if !q.Empty {
			ops[q.Fn]++
		}
	}
	if !queued {
		if ops["When"] != errors || ops["Forget"] != len(log.Reconciles)-errors {
			t.Errorf("%d reconciles and %d errors, and the rate limiter's calls are %v", len(log.Reconciles), errors, ops)
		}
		return &log
	}
	if ops["Get"] != len(log.Reconciles) || ops["Done"] != len(log.Reconciles) || ops["When"] != errors {
		t.Errorf("%d reconciles and %d errors, and the queue's calls are %v", len(log.Reconciles), errors, ops)
	}
	return &log
}

func wantSame(t testing.TB, what string, got, want []string) {
	t.Helper()
	sort.Strings(got)
	sort.Strings(want)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the recording has the %s\n%s\nand the server has\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(want) == 0 {
		t.Errorf("there are no %s", what)
	}
}

var _ http.Handler = (*Server)(nil)
