package e2e

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/engine/fleet"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/internal/rounds"
	"github.com/informerscope/informerscope/replay/record/e2e/etcd"
)

// answered counts the requests that were answered with 200, by kind.
type answered struct{ lists, pages, streaming, watches int64 }

// counter counts what goes through it.
type counter struct {
	next http.RoundTripper
	mu   sync.Mutex
	n    answered
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := c.next.RoundTrip(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		return answer, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch q := r.URL.Query(); {
	case q.Get("sendInitialEvents") == "true":
		c.n.streaming++
	case q.Get("watch") == "true":
		c.n.watches++
	case q.Get("continue") != "":
		c.n.pages++
	default:
		c.n.lists++
	}
	return answer, nil
}

func (c *counter) count() answered {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// lister is a ListerWatcher that says whether it knows streaming lists.
type lister struct {
	cache.ListWatch
	streams bool
}

func (l *lister) IsWatchListSemanticsUnSupported() bool { return !l.streams }

// restarting is an API server behind an address that leads to the server that runs at the moment.
type restarting struct {
	*apiServer
	endpoint string
	at       atomic.Value // of the server; "" for none
	stop     func()

	mu    sync.Mutex
	conns []net.Conn // to the server that runs
}

func startRestarting(t *testing.T) *restarting {
	s := &restarting{apiServer: &apiServer{t: t}, endpoint: etcd.Start(t)}
	var err error
	if s.etcd, err = clientv3.New(clientv3.Config{Endpoints: []string{s.endpoint}, Logger: zap.NewNop()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.etcd.Close() })
	s.begin()
	t.Cleanup(func() { s.stop() })
	s.define()
	s.at.Store(strings.TrimPrefix(s.config.Host, "https://"))
	return s
}

func (s *restarting) begin() { s.stop = s.run(s.endpoint, true) }

// restart ends the server, has etcd go on meanwhile, and lets clients in when another one serves widgets.
func (s *restarting) restart() {
	s.t.Helper()
	s.at.Store("")
	s.mu.Lock()
	for _, c := range s.conns {
		c.Close() // or the server waits for a minute until they end
	}
	s.conns = nil
	s.mu.Unlock()
	s.stop()
	for range 3 { // writes of other resources
		if _, err := s.etcd.Put(s.t.Context(), "/others/one", "x"); err != nil {
			s.t.Fatal(err)
		}
	}
	s.begin()
	var err error
	if s.widgets, err = s.client(); err != nil {
		s.t.Fatal(err)
	}
	eventually(s.t, "the new server serves widgets", func() bool {
		list, err := s.widgets.List(s.t.Context(), metav1.ListOptions{ResourceVersion: "0"})
		return err == nil && len(list.Items) > 0
	})
	s.at.Store(strings.TrimPrefix(s.config.Host, "https://"))
}

// dial connects to the server that runs, and is refused where none does.
func (s *restarting) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	at := s.at.Load().(string)
	if at == "" {
		at = "127.0.0.1:1"
	}
	c, err := new(net.Dialer).DialContext(ctx, network, at)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.conns = append(s.conns, c)
	}
	return c, err
}

// TestFleet: reflectors of client-go ask a real API server that restarts for what the engine's
// fleet asks of its model. With pages neither comes to an end before etcd is compacted.
func TestFleet(t *testing.T) {
	const replicas, objects = 8, 5
	s := startRestarting(t)
	for i := range objects {
		s.Create(string(rune('a' + i)))
	}
	type group struct {
		name     string
		streams  bool
		pageSize int64
		counter  *counter
		stores   []cache.Store
	}
	groups := []*group{{name: "whole"}, {name: "pages", pageSize: 2}, {name: "streaming", streams: true}}
	for _, g := range groups {
		g.counter = &counter{}
		config := &rest.Config{Host: "https://fleet.test", TLSClientConfig: rest.TLSClientConfig{Insecure: true}, Dial: s.dial, QPS: -1}
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { g.counter.next = next; return g.counter })
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		of := client.Resource(widgets).Namespace(rounds.Namespace)
		for range replicas {
			store := cache.NewStore(cache.MetaNamespaceKeyFunc)
			r := cache.NewReflector(&lister{ListWatch: cache.ListWatch{
				ListFunc:  func(o metav1.ListOptions) (runtime.Object, error) { return of.List(t.Context(), o) },
				WatchFunc: func(o metav1.ListOptions) (watch.Interface, error) { return of.Watch(t.Context(), o) },
			}, streams: g.streams}, &unstructured.Unstructured{}, store, 0)
			r.WatchListPageSize = g.pageSize
			g.stores = append(g.stores, store)
			go r.RunWithContext(t.Context())
		}
	}
	for _, g := range groups {
		eventually(t, g.name+" has synced", func() bool {
			n := g.counter.count()
			return n.watches+n.streaming == replicas && len(g.stores[replicas-1].ListKeys()) == objects
		})
	}
	// A watch that ends within a second and without an event counts as a failure.
	rv := s.resize("a", 1).GetResourceVersion()
	before := map[string]answered{}
	for _, g := range groups {
		eventually(t, g.name+" has heard of the change", func() bool {
			for _, store := range g.stores {
				if o, ok, _ := store.GetByKey(rounds.Namespace + "/a"); !ok || o.(*unstructured.Unstructured).GetResourceVersion() != rv {
					return false
				}
			}
			return true
		})
		before[g.name] = g.counter.count()
	}
	s.restart()
	s.Create("new")
	predicted := map[string]*fleet.Result{}
	for _, g := range groups {
		p := world.Current
		p.Reflector.StreamingList, p.Reflector.PageSize = g.streams, g.pageSize
		predicted[g.name] = fleet.Run(&fleet.Config{Replicas: replicas, Profile: p, Objects: objects + 1, Size: 500, Happens: fleet.Restart,
			Downtime: int64(time.Second), OtherWrites: 3, Limit: int64(time.Minute), Server: fleet.Server{Minor: 37}})
	}
	for _, g := range groups {
		if g.name == "pages" {
			continue
		}
		within(t, 5*time.Minute, g.name+" is up to date", func() bool {
			for _, store := range g.stores {
				if len(store.ListKeys()) != objects+1 {
					return false
				}
			}
			n := g.counter.count()
			return n.watches+n.streaming-before[g.name].watches-before[g.name].streaming >= 2*replicas
		})
		was, now, r := before[g.name], g.counter.count(), predicted[g.name]
		got := answered{now.lists - was.lists, now.pages - was.pages, now.streaming - was.streaming, now.watches - was.watches}
		want := answered{r.Lists, r.Pages, r.Streaming, r.Watches - r.Refused}
		t.Logf("%s: %+v", g.name, got)
		if got != want {
			t.Errorf("%s asks %+v, and the model says %+v", g.name, got, want)
		}
	}
	// A replica that lists in pages lists again and again, in the model as here.
	r := predicted["pages"]
	if r.Synced != 0 || r.Expired < 3*replicas {
		t.Errorf("pages: the model says %+v", *r)
	}
	was, pages := before["pages"], groups[1]
	within(t, time.Minute, "pages are listed again and again", func() bool {
		n := pages.counter.count()
		return n.lists-was.lists >= 2*replicas && n.watches-was.watches >= 2*replicas
	})
	for i, store := range pages.stores {
		if n := len(store.ListKeys()); n != objects {
			t.Errorf("replica %d with pages has %d objects, and not the old %d", i, n, objects)
		}
	}
	t.Logf("pages: %+v after %+v", pages.counter.count(), was)
	s.Compact()
	within(t, 2*time.Minute, "pages are up to date once etcd has forgotten the revision", func() bool {
		for _, store := range pages.stores {
			if len(store.ListKeys()) != objects+1 {
				return false
			}
		}
		return true
	})
}
