package recordings

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace/worker"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var keepPlants = flag.String("keep-plants", "", "the folder in which the recordings of plants are kept")

// TestPlants records programs with trouble that a rule of replay/findings must find, and some that have half as much, and looks
// whether it does. The server and the clock are simulated, and the informers are client-go's.
func TestPlants(t *testing.T) {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] // the second sleeps by a clock outside of the bubble
	for _, p := range slices.Concat(plants, controllerPlants, leaderPlants) {
		t.Run(p.name, func(t *testing.T) {
			trace, truth := p.record(t)
			if *keepPlants != "" {
				var packed bytes.Buffer
				w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
				w.Write(trace)
				w.Close()
				name := filepath.Join(*keepPlants, fmt.Sprintf("%s.v0%d.trace.jsonl.gz", p.name, minor))
				if err := os.WriteFile(name, packed.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var log worker.Log
			r := format.NewReader(format.Options{OtherLine: log.Line})
			pass := findings.NewPass(r.Trace(), findings.Options{Log: &log, Bytes: func(offset int64, length int) []byte { return trace[offset : offset+int64(length)] }})
			r.Write(trace)
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			for pass.Add(1000) {
			}
			var got, want []string
			for _, f := range pass.Findings() {
				got = append(got, fmt.Sprint(f.ID, " ", f.Counts[0].N))
				if f.ID == "hot-key" && (len(f.Fields) != 1 || f.Fields[0].Path != "metadata.labels.n" || f.Fields[0].N < 100) {
					t.Errorf("the fields are %v", f.Fields)
				}
			}
			if rule, how, _ := strings.Cut(p.name, "."); !strings.HasPrefix(how, "not-") {
				want = append(want, fmt.Sprint(rule, " ", truth))
			}
			if !slices.Equal(got, want) {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

// plant is a program with trouble. Its name begins with the ID of the rule that must find it. After that stands not- if it must
// not be found.
type plant struct {
	name string
	// play returns how much of the trouble there was, which the finding's first count must be.
	play func(b *bench) (truth int64)
}

// bench is what a plant has: a server, a process with a recorder, and what lies between the two.
type bench struct {
	t      *testing.T
	server *testserver.Server
	wire   *wire
	rec    *record.Recorder
	client *rest.RESTClient
	stops  []chan struct{} // of the informers that run
	ends   []func()        // end the controllers that run
	over   chan struct{}   // closed when the recording has ended
	// managers tells that the server notes who has written last.
	managers bool
	marked   bool   // some bookmarks come before a silence
	labels   string // the selector of informers
	// indexers and transform are what informers have.
	indexers  cache.Indexers
	transform func(obj any) (any, error)
}

// record records the plant.
func (p *plant) record(t *testing.T) (trace []byte, truth int64) {
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		managers := strings.HasSuffix(p.name, ".managers")
		s := testserver.New(testserver.Options{ManagedFields: managers})
		b := &bench{t: t, server: s, wire: &wire{under: s}, over: make(chan struct{}), managers: managers}
		var err error
		if b.rec, err = record.New(&out, record.Options{KeepSecrets: true, Recorder: "client-go " + profile, CheckObjects: 1}); err != nil {
			t.Fatal(err)
		}
		b.client, err = rest.RESTClientFor(&rest.Config{Host: "http://server", APIPath: "/api", Transport: b.rec.Wrap(b.wire), QPS: -1,
			ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{Version: "v1"}, NegotiatedSerializer: codecs()}})
		if err != nil {
			t.Fatal(err)
		}
		truth = p.play(b)
		if err := b.rec.Close(); err != nil {
			t.Fatal(err)
		}
		close(b.over)
		for _, end := range b.ends {
			end()
		}
		for len(b.stops) > 0 {
			b.stop()
		}
		<-time.After(time.Hour)
		s.Close()
		<-time.After(time.Hour)
	})
	return out.Bytes(), truth
}

// far is a resync period that is never over. Without one, informers up to client-go v0.32 wait on a channel which was made outside
// of the bubble.
const far = 10_000 * time.Hour

// informer runs an informer of a resource in namespace shop with handlers, until the plant is recorded. It returns the cache.
func (b *bench) informer(resource string, handlers ...*member) cache.Store {
	client, object := cache.Getter(b.client), runtime.Object(&metav1.PartialObjectMetadata{})
	if resource == "leases" {
		client, object = b.coordination(b.rec.Wrap(b.wire)).RESTClient(), &coordinationv1.Lease{}
	}
	labels := b.labels
	selects := func(o *metav1.ListOptions) { o.LabelSelector = labels }
	inf := cache.NewSharedIndexInformer(cache.NewFilteredListWatchFromClient(client, resource, "shop", selects), object, far, cache.Indexers{})
	if err := inf.AddIndexers(b.indexers); err != nil {
		b.t.Fatal(err)
	}
	if b.transform != nil {
		reflect.ValueOf(inf).MethodByName("SetTransform").Call([]reflect.Value{reflect.ValueOf(b.transform)})
	}
	stop := make(chan struct{})
	b.stops = append(b.stops, stop)
	for _, h := range handlers {
		if h.calls = (&calls{takes: h.takes, on: h.on, of: h.of}); h.from == 0 {
			h.join(b.rec, inf)
		}
	}
	go inf.Run(stop)
	b.pass(2 * time.Second)
	for _, h := range handlers {
		if h.from > 0 {
			b.pass(h.from)
			h.join(b.rec, inf)
		}
	}
	return inf.GetStore()
}

// stop stops the last informer that runs.
func (b *bench) stop() {
	last := len(b.stops) - 1
	close(b.stops[last])
	b.stops = b.stops[:last]
}

// pass lets time pass.
func (b *bench) pass(d time.Duration) { <-time.After(d) }

// put creates an object, or updates it with another number.
func (b *bench) put(resource, name string, n int) {
	kind := map[string]string{"configmaps": "ConfigMap", "services": "Service"}[resource]
	body := fmt.Sprintf(`{"kind":%q,"apiVersion":"v1","metadata":{"name":%q,"namespace":"shop","labels":{"n":"%d"}}}`, kind, name, n)
	if b.send("PUT", resource, name, body) == http.StatusNotFound {
		b.send("POST", resource, "", body)
	}
}

// remove deletes an object.
func (b *bench) remove(resource, name string) { b.send("DELETE", resource, name, "") }

func (b *bench) send(method, resource, name, body string) int {
	r, err := http.NewRequest(method, "http://server/api/v1/namespaces/shop/"+resource+"/"+name, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.URL.Path = strings.TrimSuffix(r.URL.Path, "/")
	r.Header.Set("Content-Type", "application/json")
	if method == "PATCH" {
		r.Header.Set("Content-Type", "application/apply-patch+yaml")
	}
	resp, err := b.server.RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode >= 300 && resp.StatusCode != http.StatusNotFound {
		b.t.Fatal(method, resource, name, resp.Status)
	}
	return resp.StatusCode
}

// parts returns what a line of a watch says: the type, and the name of the object with the number that put gave it.
func parts(line []byte) (typ, name string, n int) {
	var e struct {
		Type   string
		Object struct{ Metadata metav1.ObjectMeta }
	}
	if json.Unmarshal(line, &e) != nil {
		return "", "", 0
	}
	n, _ = strconv.Atoi(e.Object.Metadata.Labels["n"])
	return e.Type, e.Object.Metadata.Name, n
}

// withoutWatch keeps the watch away while something happens, and the server forgets what it was: the client must list.
func (b *bench) withoutWatch(do func()) {
	b.wire.hold.Store(true)
	b.server.BreakWatches()
	b.pass(time.Millisecond)
	do()
	b.put("configmaps", "other", 0)
	b.put("configmaps", "other", 1)
	b.server.Restart()
	b.pass(time.Second)
	b.wire.hold.Store(false)
	for n := len(b.wire.lists); n == len(b.wire.lists); {
		b.pass(time.Second)
	}
	b.pass(61 * time.Second) // so that no watch is a short one
}
