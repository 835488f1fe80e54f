package v037

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
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
	"github.com/informerscope/informerscope/replay/record/clients"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// stuck is a controller of client-go's with a Ring, which somebody looks at when it doesn't go on.
type stuck struct {
	t      *testing.T
	server *clients.Server
	ring   *record.Ring
	client *kubernetes.Clientset
	dumps  chan []byte
	store  cache.Store
	synced cache.InformerSynced
}

// start starts one. All that a test knows of it later is the dump that a trigger has brought.
func start(t *testing.T, server *clients.Server, triggers record.Triggers, h cache.ResourceEventHandler, between func(url string) (through string)) *stuck {
	s := &stuck{t: t, server: server, dumps: make(chan []byte, 1)}
	var err error
	s.ring, err = record.NewRing(record.RingOptions{Triggers: triggers, OnTrigger: func(r *record.Ring, _ string) {
		var out bytes.Buffer
		if _, err := r.WriteTo(&out); err == nil {
			select {
			case s.dumps <- out.Bytes():
			default:
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server)
	server.Create(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
	server.Create(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "b"}})
	url := web.URL
	if between != nil {
		url = between(url)
	}
	config := &rest.Config{Host: url, QPS: -1}
	config.Wrap(s.ring.Wrap)
	if s.client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(s.client, 0, informers.WithNamespace("shop"))
	informer := factory.Core().V1().ConfigMaps().Informer()
	if _, err := informer.AddEventHandler(s.ring.Handler("web", h).(cache.ResourceEventHandler)); err != nil {
		t.Fatal(err)
	}
	s.store, s.synced = informer.GetStore(), informer.HasSynced
	stop := make(chan struct{})
	factory.Start(stop)
	t.Cleanup(func() {
		close(stop)
		server.Stop()
		web.CloseClientConnections()
		web.Close()
		s.ring.Close()
	})
	return s
}

// diagnose says what the dump alone tells. There must be one thing that hangs. With -keep, the dump
// is kept.
func (s *stuck) diagnose(name string) controller.Waiting {
	s.t.Helper()
	var dump []byte
	select {
	case dump = <-s.dumps:
	case <-time.After(time.Minute):
		s.t.Fatal("no trigger is met within a minute")
	}
	if folder := flag.Lookup("keep").Value.String(); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "stuck-"+name+".trace.jsonl"), dump, 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	all := diagnosed(s.t, dump)
	if len(all) != 1 {
		s.t.Fatalf("%+v\n%s", all, dump)
	}
	return all[0]
}

func diagnosed(t *testing.T, dump []byte) []controller.Waiting {
	t.Helper()
	var log worker.Log
	tr, err := file.Read(bytes.NewReader(dump), format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatal(err, tr.Problems)
	}
	return controller.Summarise(tr, &log).Waiting
}

func (s *stuck) waitUntil(so func() bool) {
	s.t.Helper()
	late := time.After(time.Minute)
	for !so() {
		select {
		case <-late:
			s.t.Fatal("it doesn't come about within a minute")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// write creates a ConfigMap in a reconcile.
func (s *stuck) write(name string) {
	s.t.Helper()
	f := record.Sync(s.ring.Recorder, "web", func(ctx context.Context, _ string) error {
		_, err := s.client.CoreV1().ConfigMaps("shop").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		return err
	})
	if err := f(s.t.Context(), "shop/a"); err != nil {
		s.t.Fatal(err)
	}
}

// Somebody between the API server and the controller drops the bookmark that ends a streaming list.
func TestStreamingListWithoutEnd(t *testing.T) {
	server := clients.NewServer()
	server.Fault.Endless = true
	s := start(t, server, record.Triggers{OpenList: 400 * time.Millisecond}, cache.ResourceEventHandlerFuncs{}, nil)
	w := s.diagnose("streaming")
	if s.synced() || w.Kind != controller.AStreamingList || w.Resource != "configmaps in shop" || w.Events != 2 || w.Duration < int64(350*time.Millisecond) { // it is told since the answer, and the trigger counts since the request
		t.Errorf("%+v", w)
	}
}

// A handler waits for something that never comes, while events arrive.
func TestHandlerThatBlocks(t *testing.T) {
	for _, c := range []struct {
		fn  string
		key string
	}{{"OnAdd", "shop/late"}, {"OnUpdate", "shop/a"}} {
		free := make(chan struct{})
		block := func(name, key string, o any) {
			if m := o.(*corev1.ConfigMap); name == c.fn && "shop/"+m.Name == c.key {
				<-free
			}
		}
		h := cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { block("OnAdd", c.key, o) },
			UpdateFunc: func(_, o any) { block("OnUpdate", c.key, o) },
		}
		s := start(t, clients.NewServer(), record.Triggers{SlowCall: 500 * time.Millisecond}, h, nil)
		s.waitUntil(s.synced)
		if c.fn == "OnAdd" {
			s.server.Create(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "late"}})
		} else {
			s.server.Touch("a", 1)
		}
		s.waitUntil(func() bool { return strings.Contains(s.page(), c.fn+" of "+c.key+" runs") })
		for i := range 4 {
			s.server.Touch("b", i)
		}
		if w := s.diagnose("handler"); w.Kind != controller.ACall || w.Handler != "web" || w.Fn != c.fn || w.Key != c.key || w.Behind > 4 || w.Duration < int64(500*time.Millisecond) {
			t.Errorf("%+v", w)
		}
		s.waitUntil(func() bool { // the events come in their own time
			var out bytes.Buffer
			s.ring.WriteTo(&out)
			all := diagnosed(t, out.Bytes())
			return len(all) == 1 && all[0].Behind == 4
		})
		close(free)
	}
}

// page is the Ring's page.
func (s *stuck) page() string {
	w := httptest.NewRecorder()
	s.ring.ServeHTTP(w, httptest.NewRequest("GET", "/debug/informerscope/", nil))
	return w.Body.String()
}

// A proxy has lost the connection to the API server, and keeps the one to the controller: nobody
// hears that the watch has ended.
func TestHalfOpenWatch(t *testing.T) {
	var p *proxy
	s := start(t, clients.NewServer(), record.Triggers{UnseenWrite: 1500 * time.Millisecond}, cache.ResourceEventHandlerFuncs{}, func(url string) string {
		p = newProxy(t, strings.TrimPrefix(url, "http://"))
		return "http://" + p.listener.Addr().String()
	})
	s.waitUntil(s.synced)
	s.write("first")
	s.waitUntil(func() bool { return len(s.store.List()) == 3 })
	p.cut()
	s.write("second")
	w := s.diagnose("halfopen")
	if w.Kind != controller.AWatch || w.Resource != "configmaps in shop" || w.Unseen == nil || w.Unseen.Object != "shop/second" || w.Unseen.Verb != "create" || len(s.store.List()) != 3 {
		t.Errorf("%+v", w)
	}
}

// Of a controller that is well, a dump names nothing.
func TestNothingIsStuck(t *testing.T) {
	s := start(t, clients.NewServer(), record.Triggers{}, cache.ResourceEventHandlerFuncs{}, nil)
	s.waitUntil(s.synced)
	s.write("first")
	s.waitUntil(func() bool { return len(s.store.List()) == 3 })
	var out bytes.Buffer
	if _, err := s.ring.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	if all := diagnosed(t, out.Bytes()); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

// proxy passes bytes on, until it is cut.
type proxy struct {
	listener net.Listener
	to       string

	mu      sync.Mutex
	watches []*pair
	conns   []net.Conn
}

// pair is the two connections of a client's.
type pair struct {
	mu   sync.Mutex
	dead bool
}

func newProxy(t *testing.T, to string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: to}
	go p.accept()
	t.Cleanup(func() {
		l.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.conns {
			c.Close()
		}
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			client.Close()
			continue
		}
		of := &pair{}
		p.mu.Lock()
		p.conns = append(p.conns, client, server)
		p.mu.Unlock()
		go p.pass(client, server, func(b []byte) bool {
			if bytes.Contains(b, []byte("watch=true")) {
				p.mu.Lock()
				p.watches = append(p.watches, of)
				p.mu.Unlock()
			}
			return true
		})
		go p.pass(server, client, func([]byte) bool {
			of.mu.Lock()
			defer of.mu.Unlock()
			return !of.dead
		})
	}
}

// pass passes on what may pass, and drops the rest.
func (p *proxy) pass(from io.Reader, to io.Writer, may func(b []byte) bool) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		if may(b[:n]) {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
	}
}

// cut cuts the watches off. Other connections, and new ones, work.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, of := range p.watches {
		of.mu.Lock()
		of.dead = true
		of.mu.Unlock()
	}
}
