package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	rec "github.com/informerscope/informerscope/replay/record"
)

// controller is a real informer of widgets behind kubectl's proxy, whose
// transport and handler are recorded.
type controller struct {
	t        *testing.T
	recorder *rec.Recorder
	informer cache.SharedIndexInformer
	name     string // of the trace's file
	file     *os.File

	mu    sync.Mutex
	calls []string // what the handler was called with, as it saw it
}

func startController(t *testing.T, server string) *controller {
	t.Helper()
	c := &controller{t: t, name: filepath.Join(t.TempDir(), "controller.trace.jsonl")}
	var err error
	if c.file, err = os.Create(c.name); err != nil {
		t.Fatal(err)
	}
	if c.recorder, err = rec.New(c.file, rec.Options{}); err != nil {
		t.Fatal(err)
	}
	config := &rest.Config{Host: server}
	config.Wrap(c.recorder.Wrap)
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, "shop", nil)
	c.informer = factory.ForResource(widgets).Informer()
	if _, err := c.informer.AddEventHandler(c.recorder.Handler("h", cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, _ bool) { c.called("OnAdd", obj) },
		UpdateFunc: func(_, obj any) { c.called("OnUpdate", obj) },
		DeleteFunc: func(obj any) { c.called("OnDelete", obj) },
	})); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	factory.Start(stop)
	t.Cleanup(func() {
		close(stop)
		factory.Shutdown()
		c.file.Close()
	})
	if !cache.WaitForCacheSync(t.Context().Done(), c.informer.HasSynced) {
		t.Fatal("it never synced")
	}
	return c
}

func (c *controller) called(fn string, obj any) {
	if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		fn, obj = fn+" of a tombstone", last.Obj
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, fn+" "+obj.(*unstructured.Unstructured).GetName())
}

// hears waits until the handler was called so.
func (c *controller) hears(call string) {
	c.t.Helper()
	eventually(c.t, call, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return slices.Contains(c.calls, call)
	})
}

// call is a handler's call, as a trace and as "report --notifications" has it.
type call struct {
	Handler   string `json:"handler"`
	Fn        string `json:"fn"`
	Key       string `json:"key"`
	OldRV     string `json:"oldRV"`
	RV        string `json:"rv"`
	Initial   bool   `json:"initial"`
	Tombstone bool   `json:"tombstone"`
}

// byKey puts the calls about each key together: what is called first of
// different keys, a relist does not promise.
func byKey(calls []call) []call {
	slices.SortStableFunc(calls, func(a, b call) int { return strings.Compare(a.Key, b.Key) })
	return calls
}

// recorded is the calls in the trace.
func (c *controller) recorded() (calls []call) {
	c.t.Helper()
	if err := c.recorder.Close(); err != nil || c.recorder.Lost() > 0 {
		c.t.Fatal(err, c.recorder.Lost())
	}
	b, err := os.ReadFile(c.name)
	if err != nil {
		c.t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		var l struct {
			Call *struct {
				call
				Took int64 `json:"took"`
			} `json:"call"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			c.t.Fatal(err)
		}
		if l.Call != nil {
			calls = append(calls, l.Call.call)
			if l.Call.Took <= 0 || l.Call.Took > int64(time.Minute) {
				c.t.Errorf("a call took %d", l.Call.Took)
			}
		}
	}
	return byKey(calls)
}

// played is what the same trace's replay calls the handler with.
func (c *controller) played() (calls []call) {
	c.t.Helper()
	out, err := informerscope(c.t, "report", c.name, "--profile", "v0.37.2", "--handler", "h", "--notifications").Output()
	if err != nil {
		c.t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var l call
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			c.t.Fatal(err)
		}
		calls = append(calls, l)
	}
	return byKey(calls)
}

// A real informer is recorded through its transport, with all that may happen to
// it; and the replay of what its transport saw calls the handler as it was.
func TestController(t *testing.T) {
	t.Parallel()
	s := startServer(t, false)
	proxy := s.startProxy("", "", "/")
	s.Create("a")
	s.Create("gone")
	c := startController(t, proxy.URL)
	s.Create("b")
	s.Resize("b", 1)
	s.Resize("a", 2)
	s.Delete("b")
	c.hears("OnDelete b")

	proxy.Break()
	s.Resize("a", 3)
	s.Delete("gone")
	s.Create("new")
	s.Compact()
	proxy.Mend(t)
	c.hears("OnAdd new")
	c.hears("OnDelete of a tombstone gone")
	s.Resize("new", 4)
	c.hears("OnUpdate new")

	recorded, played := c.recorded(), c.played()
	if len(recorded) != len(c.calls) {
		t.Errorf("%d calls are recorded, of %d", len(recorded), len(c.calls))
	}
	if !slices.Equal(recorded, played) {
		t.Errorf("recorded\n%+v\nplayed\n%+v", recorded, played)
	}
	b, err := os.ReadFile(c.name)
	if err == nil && !bytes.Contains(b, []byte(`"code":410`)) {
		err = errors.New("there is no 410")
	}
	if err != nil {
		t.Error(err)
	}
}
