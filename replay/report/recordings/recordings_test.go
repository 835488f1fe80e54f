// Package recordings records informers of real client-go on a server that relists, resets and refuses
// them, and asks informerscope report whether the engine's handlers get the same calls. Nobody tells it
// who the handlers were. go.mod requires the newest version of client-go, and go test -modfile v022.mod
// takes another.
//
// A recording takes some seconds, because resyncs do. Many are made at the same time.
package recordings

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/record"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var (
	from  = flag.Uint64("from", 1, "the first seed")
	seeds = flag.Uint64("seeds", 6, "how many recordings are made")
	keep  = flag.String("keep", "", "the folder in which those are kept that differ")
)

// errReset is how a connection ends that the other side has reset.
var errReset error = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

// TestRecordings makes recordings and reports each.
func TestRecordings(t *testing.T) {
	bin := build(t)
	for seed := *from; seed < *from+*seeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			var trace bytes.Buffer
			truth, called := recorded(t, seed, &trace)
			file := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.trace.jsonl", profile, seed))
			if err := os.WriteFile(file, trace.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(bin, "report", "--profile", profile, file).CombinedOutput()
			if equal := strings.Count(string(out), "equal to the recorded calls"); err == nil && equal == called {
				return
			}
			if *keep != "" {
				file = filepath.Join(*keep, filepath.Base(file))
				if err := errors.Join(os.MkdirAll(*keep, 0o755), os.WriteFile(file, trace.Bytes(), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			t.Errorf("report ends with %v. What happened:\n%sThe recording is %s\n%s", err, truth, file, out)
		})
	}
}

// build builds the command of the main module, and returns its file.
func build(t *testing.T) (bin string) {
	bin = filepath.Join(t.TempDir(), "informerscope")
	cmd := exec.Command("go", "build", "-o", bin, "./replay/cmd/informerscope")
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// member is a handler of the informer.
type member struct {
	name   string
	takes  time.Duration
	resync time.Duration
	from   time.Duration // after the start, 0 for before Run
	until  time.Duration // when it is removed, 0 for never
	on     func(n int)   // is called in call n, counted from 1; may be nil
	of     func(obj any) // is called with the object of each call; may be nil
	calls  *calls
	reg    reflect.Value
}

func (m *member) String() string {
	s := fmt.Sprintf("%s takes %v a call", m.name, m.takes)
	if m.resync > 0 {
		s += fmt.Sprintf(", resyncs every %v", m.resync)
	}
	if m.from > 0 {
		s += fmt.Sprintf(", is added after %v", m.from)
	}
	if m.until > 0 {
		s += fmt.Sprintf(", is removed after %v", m.until)
	}
	return s
}

// deed is something that happens to the informer at a time after its start.
type deed struct {
	at   time.Duration
	what string
	do   func()
}

// recorded makes the recording of a seed. It returns what happened, and how many handlers were called.
func recorded(t *testing.T, seed uint64, trace *bytes.Buffer) (truth string, called int) {
	r := rand.New(rand.NewPCG(seed, 37))
	s := newServer(rand.New(rand.NewPCG(seed, 1)), r.IntN(30))
	rec, err := record.New(trace, record.Options{KeepSecrets: true})
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.RESTClientFor(&rest.Config{Host: "http://server", APIPath: "/api", Transport: rec.Wrap(s), QPS: -1,
		ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{Version: "v1"}, NegotiatedSerializer: codecs()}})
	if err != nil {
		t.Fatal(err)
	}
	inf := cache.NewSharedIndexInformer(cache.NewListWatchFromClient(client, "configmaps", "ns", fields.Everything()),
		&metav1.PartialObjectMetadata{}, pick(r, 0, 0, time.Second, 2*time.Second), cache.Indexers{})
	lasts := time.Duration(3000+r.IntN(5000)) * time.Millisecond
	members := randomMembers(r, lasts)
	var deeds []deed
	for _, m := range members {
		m.calls = &calls{takes: m.takes}
		if m.from == 0 {
			m.join(rec, inf)
		} else {
			deeds = append(deeds, deed{m.from, "", func() { m.join(rec, inf) }})
		}
		if m.until > 0 {
			deeds = append(deeds, deed{m.until, "", func() { m.leave(t, inf) }})
		}
	}
	deeds = append(deeds, troubles(r, s, lasts)...)
	stop, over, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		inf.Run(stop)
	}()
	start := time.Now()
	var group sync.WaitGroup
	for _, d := range deeds {
		group.Go(func() {
			select {
			case <-time.After(time.Until(start.Add(d.at))):
				d.do()
			case <-over:
			}
		})
	}
	group.Go(func() { written(r, s, over) })
	<-time.After(time.Until(start.Add(lasts)))
	close(over)
	group.Wait()
	close(stop)
	if r.IntN(2) == 0 {
		<-ended // no handler is called any more
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		truth += m.String() + "\n"
		if m.calls.count() > 0 {
			called++
		}
	}
	for _, d := range deeds {
		if d.what != "" {
			truth += fmt.Sprintf("after %v %s\n", d.at, d.what)
		}
	}
	return truth, called
}

// randomMembers returns the handlers of a recording.
func randomMembers(r *rand.Rand, lasts time.Duration) (members []*member) {
	for i := range 1 + r.IntN(4) {
		m := &member{
			name:   fmt.Sprint("h", i),
			takes:  pick(r, 0, 0, 0, 300*time.Microsecond, time.Millisecond, 15*time.Millisecond, 60*time.Millisecond),
			resync: pick(r, 0, 0, 0, time.Second, 2*time.Second, 3*time.Second),
		}
		if i > 0 && r.IntN(3) == 0 {
			m.from = lasts/5 + time.Duration(r.Int64N(int64(lasts/2)))
		}
		if minor >= 26 && r.IntN(5) == 0 {
			m.until = m.from + lasts/5 + time.Duration(r.Int64N(int64(lasts/3)))
		}
		members = append(members, m)
	}
	return members
}

// troubles returns what happens to the watch.
func troubles(r *rand.Rand, s *server, lasts time.Duration) (all []deed) {
	for range r.IntN(4) {
		d := deed{at: time.Duration(r.Int64N(int64(lasts)))}
		switch r.IntN(6) {
		case 0:
			d.what, d.do = "the watch ends", func() { s.end("closed") }
		case 1:
			d.what, d.do = "the watch is reset", func() { s.end("reset") }
		case 2:
			d.what, d.do = "the watch ends with a 410", func() { s.end("expired") }
		case 3:
			d.what, d.do = "the watch ends, and the next one is too old", func() { s.end("closed"); s.write(); s.write(); s.compact() }
		case 4:
			d.what, d.do = "an event comes twice", s.repeat
		case 5:
			d.what, d.do = "the watch ends, and two requests fail", func() { s.fail(2); s.end("closed") }
		}
		all = append(all, d)
	}
	return all
}

// written changes objects until it is over: one at a time, or many at once.
func written(r *rand.Rand, s *server, over chan struct{}) {
	usual := pick(r, 5*time.Millisecond, 50*time.Millisecond, 400*time.Millisecond)
	for {
		select {
		case <-over:
			return
		case <-time.After(time.Duration(r.Int64N(int64(2 * usual)))):
		}
		for range pick(r, 1, 1, 1, 1, 1, 1, 8) {
			s.write()
		}
	}
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// join adds the handler. AddEventHandlerWithResyncPeriod returns nothing before v0.26.
func (m *member) join(rec *record.Recorder, inf cache.SharedIndexInformer) {
	var h any = rec.Handler(m.name, m.calls)
	if minor < 27 {
		h = rec.HandlerBeforeV027(m.name, callsBeforeV027{m.calls})
	}
	out := reflect.ValueOf(inf).MethodByName("AddEventHandlerWithResyncPeriod").Call([]reflect.Value{reflect.ValueOf(h), reflect.ValueOf(m.resync)})
	if len(out) > 0 {
		m.reg = out[0]
	}
}

// leave removes the handler, if it has joined.
func (m *member) leave(t *testing.T, inf cache.SharedIndexInformer) {
	if !m.reg.IsValid() {
		return
	}
	if err := reflect.ValueOf(inf).MethodByName("RemoveEventHandler").Call([]reflect.Value{m.reg})[0]; !err.IsNil() {
		t.Error(err)
	}
}

// calls is a handler that takes its time.
type calls struct {
	takes time.Duration
	on    func(n int)
	of    func(obj any)
	mu    sync.Mutex
	n     int
}

func (c *calls) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *calls) called(obj any) {
	if c.of != nil {
		c.of(obj)
	}
	if c.takes > 0 {
		<-time.After(c.takes)
	}
	c.mu.Lock()
	c.n++
	n := c.n
	c.mu.Unlock()
	if c.on != nil {
		c.on(n)
	}
}

func (c *calls) OnAdd(obj any, _ bool) { c.called(obj) }
func (c *calls) OnUpdate(_, obj any)   { c.called(obj) }
func (c *calls) OnDelete(obj any)      { c.called(obj) }

type callsBeforeV027 struct{ *calls }

func (c callsBeforeV027) OnAdd(obj any) { c.called(obj) }

// codecs decodes ConfigMaps and Services. It keeps their metadata only.
func codecs() runtime.NegotiatedSerializer {
	scheme, v1 := runtime.NewScheme(), schema.GroupVersion{Version: "v1"}
	for _, kind := range []string{"ConfigMap", "Pod", "Service"} {
		scheme.AddKnownTypeWithName(v1.WithKind(kind), &metav1.PartialObjectMetadata{})
		scheme.AddKnownTypeWithName(v1.WithKind(kind+"List"), &metav1.PartialObjectMetadataList{})
	}
	metav1.AddToGroupVersion(scheme, v1)
	return serializer.NewCodecFactory(scheme).WithoutConversion()
}
