package record

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
)

// stuck is a controller in a bubble with all that may be stuck, in a Ring.
type stuck struct {
	*reflector
	ring *Ring
	whys []string
}

func newStuck(t *testing.T, g Triggers) *stuck {
	t.Helper()
	s := &stuck{}
	ring, err := NewRing(RingOptions{Values: true, Triggers: g, OnTrigger: func(r *Ring, why string) {
		s.whys = append(s.whys, why)
		if len(s.whys) == 3 {
			panic("callbacks may")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	via := &answers{}
	s.ring, s.reflector = ring, &reflector{t: t, client: &http.Client{Transport: ring.Wrap(via)}, via: via}
	return s
}

func TestTriggers(t *testing.T) {
	for _, c := range []struct {
		name string
		g    Triggers
		do   func(s *stuck)
		want string
	}{
		{"a watch that is silent", Triggers{SilentWatch: 5 * time.Second}, func(s *stuck) {
			s.list(map[string]string{"shop/a": "7"}, 100)
			s.watch("resourceVersion=100")
			s.event("ADDED", podObject("b", "101"))
		}, "the watch of pods is silent for "},
		{"a streaming list without its end", Triggers{OpenList: 5 * time.Second}, func(s *stuck) {
			s.watch("sendInitialEvents=true")
			s.event("ADDED", podObject("b", "101"))
			s.event("BOOKMARK", `{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"101"}}`)
		}, "the streaming list of pods has not ended for "},
		{"a handler that blocks", Triggers{SlowCall: 5 * time.Second}, func(s *stuck) {
			go s.ring.Handler("metrics", blocking{make(chan struct{})}).OnUpdate(nil, nil)
			go func() { s.ring.Handler("metrics", forever{s.ring.stop}).OnUpdate(nil, &meta{"shop", "a", "7"}) }()
		}, "OnUpdate of the handler metrics runs for "},
		{"a handler that is behind", Triggers{Behind: 2}, func(s *stuck) {
			s.watch("resourceVersion=100")
			s.event("ADDED", podObject("a", "101"))
			s.ring.Handler("metrics", blocking{}).OnUpdate(nil, &meta{"shop", "a", "101"})
			for _, rv := range []string{"102", "103", "104"} {
				s.event("ADDED", podObject("b", rv))
			}
		}, "the handler metrics is behind by 3 events"},
		{"a reconcile that hangs", Triggers{Reconcile: 5 * time.Second}, func(s *stuck) {
			go Sync(s.ring.Recorder, "web", func(_ context.Context, key string) error { <-s.ring.stop; return nil })(context.Background(), "shop/a")
		}, "the reconcile of shop/a by web runs for "},
		{"an own write that doesn't come back", Triggers{UnseenWrite: 5 * time.Second}, func(s *stuck) {
			s.watch("resourceVersion=100")
			w := s.resp
			s.resp = nil
			for _, rv := range []string{"101", "102"} {
				s.via.next = &answer{data: []byte(podObject("a", rv)), err: io.EOF}
				req, _ := http.NewRequest("PUT", "http://api/api/v1/namespaces/shop/pods/a", strings.NewReader("{}"))
				resp, err := s.client.Do(req)
				if err != nil {
					s.t.Fatal(err)
				}
				s.read(resp)
			}
			s.body, s.resp = w.Body.(*exchange).body.(*answer), w
			s.event("MODIFIED", podObject("a", "101")) // the first one does
		}, "the update of pods shop/a has not come back for "},
		{"a handler that panics", Triggers{Panic: true}, func(s *stuck) {
			defer func() { recover() }()
			s.ring.Handler("metrics", &heard{}).OnDelete("panic")
		}, "OnDelete of the handler metrics has panicked"},
		{"nothing", Triggers{SilentWatch: time.Hour, OpenList: time.Second, SlowCall: time.Second, Behind: 1, Reconcile: time.Second, UnseenWrite: time.Second, Panic: true}, func(s *stuck) {
			s.list(map[string]string{"shop/a": "7"}, 100)
			s.watch("resourceVersion=100")
			s.event("ADDED", podObject("b", "101"))
			s.ring.Handler("metrics", blocking{}).OnUpdate(nil, &meta{"shop", "b", "101"})
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStuck(t, c.g)
				c.do(s)
				time.Sleep(10 * time.Minute)
				synctest.Wait() // a trigger may run just now
				if c.want == "" && len(s.whys) > 0 || c.want != "" && (len(s.whys) == 0 || !strings.HasPrefix(s.whys[0], c.want)) {
					t.Errorf("it says %q", s.whys)
				}
				if len(s.whys) > 11 {
					t.Errorf("within ten minutes it is triggered %d times", len(s.whys))
				}
				var out bytes.Buffer
				if _, err := s.ring.WriteTo(&out); err != nil {
					t.Fatal(err)
				}
				if len(s.whys) >= 3 && !strings.Contains(out.String(), "OnTrigger panicked: callbacks may") {
					t.Error("it doesn't say that the callback panicked")
				}
				if err := s.ring.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// forever is a handler whose calls return when something is over.
type forever struct{ over chan struct{} }

func (f forever) OnAdd(any, bool)   { <-f.over }
func (f forever) OnUpdate(any, any) { <-f.over }
func (f forever) OnDelete(any)      { <-f.over }

// get asks a Ring, and returns the status and the answer.
func ask(r *Ring, method, path string) (int, string) {
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Code, w.Body.String()
}

func TestTheRingsPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStuck(t, Triggers{})
		time.Sleep(time.Second)
		s.list(map[string]string{"shop/a": "7"}, 100)
		s.watch("resourceVersion=100")
		s.event("ADDED", podObject("b", "101"))
		h := s.ring.Handler("metrics", forever{s.ring.stop})
		quick := s.ring.Handler("quick", blocking{})
		quick.OnUpdate(nil, &meta{"shop", "b", "101"})
		s.event("ADDED", podObject("c", "102"))
		s.event("BOOKMARK", `{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"102"}}`)
		go h.OnAdd(&meta{"shop", "b", "101"}, false)
		go Sync(s.ring.Recorder, "web", func(_ context.Context, key string) error { <-s.ring.stop; return nil })(context.Background(), "shop/a")
		go Sync(s.ring.Recorder, "links", func(_ context.Context, key string) error { <-s.ring.stop; return nil })(context.Background(), "https://u:hunter2@h/")
		time.Sleep(3 * time.Second)
		status, page := ask(s.ring, "GET", "/debug/informerscope/")
		for _, want := range []string{
			"the watch of pods, sent 3s ago, 2 events, last event 3s ago, last bookmark 3s ago\n",
			"  quick: 1 call, last 3s ago, behind by 1 event\n",
			"  metrics: OnAdd of shop/b runs for 3s\n",
			"  web: worker 1 has shop/a for 3s\n",
			"https://u:REDACTED@h/ for 3s",
		} {
			if status != 200 || !strings.Contains(page, want) {
				t.Errorf("%q is missing:\n%s", want, page)
			}
		}
		if !strings.Contains(page, "    only metadata: 3 objects, about 2.6 kB of heap\n") {
			t.Errorf("it doesn't say what metadata only would save:\n%s", page)
		}
		if strings.Contains(page, "hunter2") {
			t.Error(page)
		}
		if status, _ := ask(s.ring, "POST", "/debug/informerscope/trace"); status != http.StatusMethodNotAllowed {
			t.Error(status)
		}
		if status, _ := ask(s.ring, "GET", "/debug/informerscope/other"); status != http.StatusNotFound {
			t.Error(status)
		}
		for _, bad := range []string{"-1", "x", "NaN", "1e9"} {
			if status, _ := ask(s.ring, "GET", "/debug/informerscope/trace?seconds="+bad); status != http.StatusBadRequest {
				t.Error(bad, status)
			}
		}
		began := time.Now()
		go func() {
			time.Sleep(2 * time.Second)
			s.ring.Mark("while it waits")
		}()
		status, dump := ask(s.ring, "GET", "/debug/informerscope/trace?seconds=2.5")
		if took := time.Since(began); took != 2500*time.Millisecond || status != 200 {
			t.Error(status, took)
		}
		tr, err := file.Read(strings.NewReader(dump), format.Options{})
		if err != nil || tr.ProblemCount > 0 || !strings.Contains(dump, "while it waits") || strings.Contains(dump, "hunter2") || !strings.Contains(dump, `"calling":{"handler":"metrics"`) {
			t.Errorf("%v, %v\n%s", err, tr.Problems, dump)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w := httptest.NewRecorder()
		s.ring.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/debug/informerscope/trace?seconds=60", nil))
		if w.Body.Len() > 0 {
			t.Error("a client that has gone gets a dump")
		}
		if err := s.ring.Close(); err != nil {
			t.Error(err)
		}
		if _, dump := ask(s.ring, "GET", "/debug/informerscope/trace"); !strings.Contains(dump, "while it waits") {
			t.Error("after Close, nothing is there")
		}
	})
}

// TestPageNamesFieldManagers: the page names the manager of a change by somebody else. In the shape, the manager is a token.
func TestPageNamesFieldManagers(t *testing.T) {
	for _, values := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ring, err := NewRing(RingOptions{Values: values})
			if err != nil {
				t.Fatal(err)
			}
			via := &answers{}
			x := &reflector{t: t, client: &http.Client{Transport: ring.Wrap(via)}, via: via}
			x.watch("resourceVersion=100")
			queue := Queue(ring, "web", &fakeQueue[string]{items: []string{"shop/a", "shop/a"}})
			handler := ring.Handler("pods", adder{queue.Add})
			sync := Sync(ring, "web", func(context.Context, string) error { return nil })
			for i, by := range []string{"kubectl-create", "argocd-controller"} {
				rv := strconv.Itoa(101 + i)
				x.event([]string{"ADDED", "MODIFIED"}[i], `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"u-a","resourceVersion":"`+rv+`","managedFields":[{"manager":"`+by+`","operation":"Update","time":"2000-01-01T00:00:0`+rv[2:]+`Z"}]}}`)
				time.Sleep(time.Second)
				handler.OnUpdate(&meta{"shop", "a", "100"}, &meta{"shop", "a", rv})
				time.Sleep(time.Second)
				key, _ := queue.Get()
				if err := sync(t.Context(), key); err != nil {
					t.Error(err)
				}
				queue.Done(key)
			}
			_, got := ask(ring, "GET", "/debug/informerscope/")
			for _, by := range []string{"kubectl-create", "argocd-controller"} {
				want := "  changes of pods by the field manager "
				if values {
					want += by + ": 1\n"
				}
				if !strings.Contains(got, want) || strings.Contains(got, by) != values {
					t.Errorf("with values %t, the page says\n%s", values, got)
				}
			}
			if err := ring.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Who asks by HTTP gets the shape, unless the program has set Values: no text that is not on the list.
func TestWhatLeavesByHTTPIsTheShape(t *testing.T) {
	for _, o := range []RingOptions{{}, {Options: Options{KeepSecrets: true}}, {Options: Options{Redact: bytes.Clone}}} {
		synctest.Test(t, func(t *testing.T) {
			ring, err := NewRing(o)
			if err != nil {
				t.Fatal(err)
			}
			via := &answers{}
			x := &reflector{t: t, client: &http.Client{Transport: ring.Wrap(via)}, via: via}
			x.watch("resourceVersion=100")
			x.event("ADDED", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"u-a","resourceVersion":"101"},"spec":{"x":"canary-in-spec"}}`)
			go Sync(ring.Recorder, "web", func(_ context.Context, key string) error { <-ring.stop; return nil })(context.Background(), "https://canary-in-key/")
			ring.Mark("canary-in-mark")
			time.Sleep(time.Second)
			for path, want := range map[string]string{"trace": `"name":"a"`, "": "web: worker 1 has ‹"} {
				status, got := ask(ring, "GET", "/debug/informerscope/"+path)
				if status != 200 || !strings.Contains(got, want) || strings.Contains(got, "canary") {
					t.Errorf("%+v, %q: status %d\n%s", o, path, status, got)
				}
			}
			var written bytes.Buffer
			if _, err := ring.WriteTo(&written); err != nil || strings.Count(written.String(), "canary") != 3 {
				t.Errorf("the controller itself gets, %v\n%s", err, &written)
			}
			if err := ring.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Many dumps while much is recorded: each is whole.
func TestDumpsUnderLoad(t *testing.T) {
	ring, err := NewRing(RingOptions{MaxBytes: 1 << 18})
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		via := &answers{}
		x := &reflector{t: t, client: &http.Client{Transport: ring.Wrap(via)}, via: via}
		x.list(nil, 100)
		x.watch("resourceVersion=100")
		for i := 0; ; i++ {
			select {
			case <-over:
				return
			default:
			}
			x.event("ADDED", podObject("a"+string(rune('a'+i%26)), "1"+strings.Repeat("0", 3)))
		}
	}()
	for range 20 {
		dumped(t, ring)
		ring.describe(io.Discard)
	}
	close(over)
	<-done
}

// The page says of each controller what has triggered its reconciles in the last minute, and nothing of the time before.
func TestPageSaysWhatTriggered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStuck(t, Triggers{})
		s.list(map[string]string{"shop/a": "7"}, 100)
		queue := Queue(s.ring, "web", &fakeQueue[string]{items: []string{"shop/a", "shop/a", "shop/a"}})
		handler := s.ring.Handler("pods", adder{queue.Add})
		sync := Sync(s.ring, "web", func(context.Context, string) error { return nil })
		reconcile := func() {
			key, _ := queue.Get()
			if err := sync(t.Context(), key); err != nil {
				t.Error(err)
			}
			queue.Done(key)
		}
		handler.OnAdd(&meta{"shop", "a", "7"}, true)
		time.Sleep(time.Second)
		reconcile()
		time.Sleep(2 * time.Minute)
		handler.OnUpdate(&meta{"shop", "a", "7"}, &meta{"shop", "a", "7"})
		time.Sleep(time.Second)
		reconcile()
		time.Sleep(time.Second)
		Because(s.ring, "webhooks", func() { queue.Add("shop/a") })
		time.Sleep(time.Second)
		reconcile()
		w := httptest.NewRecorder()
		s.ring.ServeHTTP(w, httptest.NewRequest("GET", "/debug/informerscope/", nil))
		_, got, _ := strings.Cut(w.Body.String(), "\nwhat triggered ")
		got, _, _ = strings.Cut(got, "\n\n")
		compare(t, got, "web in the last minute: 2 reconciles\n  resyncs of pods: 1\n  the source webhooks: 1")
		if err := s.ring.Close(); err != nil {
			t.Error(err)
		}
	})
}
