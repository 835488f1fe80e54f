package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// answers is a transport whose answers are read as they are made.
type answers struct{ next *answer }

// answer is the body of one.
type answer struct {
	data []byte
	err  error
}

func (a *answers) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: a.next, Request: req}, nil
}

func (a *answer) Read(b []byte) (int, error) {
	if len(a.data) == 0 {
		return 0, a.err
	}
	n := copy(b, a.data)
	a.data = a.data[n:]
	return n, nil
}

func (a *answer) Close() error { return nil }

// reflector is a reader of pods, which asks as client-go's does, and what it should know.
type reflector struct {
	t       testing.TB
	client  *http.Client
	via     *answers
	query   string
	objects map[string]string // resourceVersions by key
	body    *answer           // of the watch
	resp    *http.Response
}

func (r *reflector) get(query string, data string) *http.Response {
	r.t.Helper()
	r.body = &answer{data: []byte(data), err: io.EOF}
	r.via.next = r.body
	resp, err := r.client.Get("http://api/api/v1/pods?" + strings.Trim(query+"&"+r.query, "&"))
	if err != nil {
		r.t.Fatal(err)
	}
	return resp
}

func podObject(name, rv string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"shop","uid":"u-` + name + `","resourceVersion":"` + rv + `","labels":{"app":"` + name + `"},"ownerReferences":[{"kind":"ReplicaSet","name":"rs"}],"managedFields":[{"manager":"x"}]},"spec":{"nodeName":"` + strings.Repeat("n", 50) + `"}}`
}

// list lists the objects.
func (r *reflector) list(objects map[string]string, rv int) {
	r.t.Helper()
	r.objects = maps.Clone(objects)
	var items []string
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		items = append(items, strings.Replace(podObject(strings.TrimPrefix(key, "shop/"), objects[key]), `"kind":"Pod","apiVersion":"v1",`, "", 1))
	}
	half := len(items) / 2
	begin := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + fmt.Sprint(rv) + `"`
	if half > 0 {
		resp := r.get("limit=500&resourceVersion=0", begin+`,"continue":"c"},"items":[`+strings.Join(items[:half], ",")+"]}")
		r.read(resp)
		r.read(r.get("limit=500&continue=c", begin+`},"items":[`+strings.Join(items[half:], ",")+"]}"))
		return
	}
	r.read(r.get("limit=500&resourceVersion=0", begin+`},"items":[`+strings.Join(items, ",")+"]}"))
}

func (r *reflector) read(resp *http.Response) {
	r.t.Helper()
	if _, err := io.ReadAll(resp.Body); err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close()
}

// watch begins a watch.
func (r *reflector) watch(query string) {
	r.t.Helper()
	r.resp = r.get("watch=true&allowWatchBookmarks=true&"+query, "")
}

// event gets an event.
func (r *reflector) event(typ, object string) {
	r.t.Helper()
	line := `{"type":"` + typ + `","object":` + object + "}\n"
	r.body.data = []byte(line)
	if _, err := io.ReadFull(r.resp.Body, make([]byte, len(line))); err != nil {
		r.t.Fatal(err)
	}
}

func (r *reflector) end() {
	if r.resp != nil {
		io.ReadAll(r.resp.Body)
		r.resp.Body.Close()
		r.resp = nil
	}
}

// dumped reads a dump, which must be whole.
func dumped(t testing.TB, ring *Ring) (*trace.Trace, *worker.Log, string) {
	t.Helper()
	var out bytes.Buffer
	if n, err := ring.WriteTo(&out); err != nil || n != int64(out.Len()) {
		t.Fatal(n, out.Len(), err)
	}
	var log worker.Log
	tr, err := file.Read(bytes.NewReader(out.Bytes()), format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatalf("%v, %v in\n%s", err, tr.Problems, out.String())
	}
	return tr, &log, out.String()
}

// known is what a reader knows at the end of a trace.
func known(r *trace.Resource) map[string]string {
	objects := map[string]string{}
	for _, rec := range r.Records {
		key := ""
		if rec.Obj != 0 {
			key = r.Table.KeyText(r.Table.KeyOf(rec.Obj))
		}
		switch {
		case rec.Kind == trace.ListBegin, rec.Kind == trace.WatchOpen && rec.Streaming:
			clear(objects)
		case rec.Kind == trace.ListItem, rec.Type == trace.TypeAdded, rec.Type == trace.TypeModified:
			objects[key] = r.Table.RVText(rec.RV)
		case rec.Type == trace.TypeDeleted:
			delete(objects, key)
		}
	}
	return objects
}

// Whenever a ring is dumped, the dump says of each reader what that knows, and what it has of the
// recording is the recording's end, line for line.
func TestADumpIsTheEndOfTheRecording(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 26))
			ring, err := NewRing(RingOptions{MaxBytes: 20000 + r.IntN(60000), Options: Options{KeepSecrets: true}})
			if err != nil {
				t.Fatal(err)
			}
			defer ring.Close()
			var whole bytes.Buffer
			rec, err := New(&whole, Options{KeepSecrets: true})
			if err != nil {
				t.Fatal(err)
			}
			via := &answers{}
			client := &http.Client{Transport: rec.Wrap(ring.Wrap(via))}
			var readers []*reflector
			for _, query := range []string{"", "", "labelSelector=a%3Db"}[:1+r.IntN(3)] {
				readers = append(readers, &reflector{t: t, client: client, via: via, query: query})
			}
			objects := map[string]string{}
			rv := 100
			now := func() map[string]string { return objects }
			begin := func(x *reflector) {
				if r.IntN(3) > 0 {
					x.list(now(), rv)
					x.watch(fmt.Sprint("resourceVersion=", rv))
					return
				}
				x.objects = map[string]string{}
				x.watch("sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
				for _, key := range slices.Sorted(maps.Keys(objects)) {
					x.event("ADDED", podObject(strings.TrimPrefix(key, "shop/"), objects[key]))
					x.objects[key] = objects[key]
				}
				x.event("BOOKMARK", `{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"`+fmt.Sprint(rv)+`","annotations":{"k8s.io/initial-events-end":"true"}}}`)
			}
			for _, x := range readers {
				begin(x)
			}
			for range 600 {
				rv++
				name := fmt.Sprint("p", r.IntN(30))
				key, typ := "shop/"+name, "ADDED"
				_, there := objects[key]
				switch {
				case there && r.IntN(4) == 0:
					typ = "DELETED"
					delete(objects, key)
				case there:
					typ = "MODIFIED"
					fallthrough
				default:
					objects[key] = fmt.Sprint(rv)
				}
				for _, x := range readers {
					x.event(typ, podObject(name, fmt.Sprint(rv)))
					x.objects = maps.Clone(objects)
				}
				x := readers[r.IntN(len(readers))]
				switch r.IntN(60) {
				case 0:
					x.end()
					begin(x)
				case 1:
					x.end()
					x.watch(fmt.Sprint("resourceVersion=", rv))
				case 2:
					x.event("BOOKMARK", `{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"`+fmt.Sprint(rv)+`"}}`)
				case 3:
					checkDump(t, ring, readers, objects)
				}
			}
			checkDump(t, ring, readers, objects)
			_, _, dump := dumped(t, ring)
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			checkEnd(t, dump, whole.String())
		})
	}
}

func checkDump(t *testing.T, ring *Ring, readers []*reflector, want map[string]string) {
	t.Helper()
	tr, _, dump := dumped(t, ring)
	if len(tr.Resources) != len(readers) {
		t.Fatalf("%d resources, of %d, in\n%s", len(tr.Resources), len(readers), dump)
	}
	for _, res := range tr.Resources {
		if got := known(res); !maps.Equal(got, want) {
			t.Fatalf("%s knows %v\nand should know %v\n%.5000s", res.Name(), got, want, dump)
		}
	}
	if !tr.Header.Truncated && strings.Contains(dump, `"base":true`) {
		t.Fatal("nothing was dropped, and yet something is made")
	}
}

// checkEnd holds a dump's lines against the whole recording's. Those that are made come first.
func checkEnd(t *testing.T, dump, whole string) {
	t.Helper()
	lines := func(s string) []string { return strings.Split(strings.TrimSpace(times.ReplaceAllString(s, "")), "\n") }
	d, w := lines(dump), lines(whole)
	w = slices.DeleteFunc(w, func(line string) bool { return strings.Contains(line, "recorder-stopped") })
	same := 0
	for same < len(d) && same < len(w) && d[len(d)-1-same] == w[len(w)-1-same] {
		same++
	}
	if made := len(d) - same; same < 10 || made > 120 {
		t.Errorf("%d of %d lines are the recording's", same, len(d))
	}
}

// What is held is bounded by MaxBytes, and by as much again for objects whose lines are gone.
func TestARingIsBounded(t *testing.T) {
	ring, err := NewRing(RingOptions{MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	via := &answers{}
	x := &reflector{t: t, client: &http.Client{Transport: ring.Wrap(via)}, via: via}
	x.list(nil, 100)
	x.watch("resourceVersion=100")
	for i := range 100_000 { // keys
		x.event("ADDED", podObject(fmt.Sprint("pod-", i), fmt.Sprint(101+i)))
		if i%1000 == 0 {
			ring.flush()
		}
	}
	ring.flush()
	ring.mu.Lock()
	size, table, missing := ring.tail.size, ring.tail.base.size, ring.tail.base.missing
	ring.mu.Unlock()
	if size > 1<<20 || size < 900_000 || table > 1<<20 || table < 900_000 || missing == 0 || ring.Lost() > 0 {
		t.Errorf("%d bytes of lines, %d of identities, %d are missing, %d lost", size, table, missing, ring.Lost())
	}
	tr, _, dump := dumped(t, ring)
	if !tr.Header.Truncated || !strings.Contains(dump, "objects are missing") {
		t.Errorf("it doesn't say that something is missing: %.1000s", dump)
	}
}

// Lines that are older than MinAge go, and reconciles and writes that are still under way stay known.
func TestMinAge(t *testing.T) {
	ring, err := NewRing(RingOptions{MinAge: time.Nanosecond, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	inside, over := make(chan struct{}), make(chan struct{})
	go Sync(ring.Recorder, "web", func(_ context.Context, key string) error {
		close(inside)
		<-over
		return nil
	})(context.Background(), "shop/stuck")
	<-inside
	for range 3 {
		for range 400 {
			ring.Mark(strings.Repeat("x", 100))
		}
		ring.flush()
	}
	_, log, dump := dumped(t, ring)
	if len(log.Reconciles) != 1 || log.Reconciles[0].Key != "shop/stuck" || log.Reconciles[0].Ended != 0 || strings.Count(dump, `"mark"`) > 800 {
		t.Errorf("%+v, %d marks", log.Reconciles, strings.Count(dump, `"mark"`))
	}
	close(over)
}

// TestALazyRing: what comes is read when a dump wants it, or when there is much of it, and Close drops it.
func TestALazyRing(t *testing.T) {
	ring, err := NewRing(RingOptions{Options: Options{Memory: 1 << 20}, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	held := func() int {
		ring.mu.Lock()
		defer ring.mu.Unlock()
		return ring.tail.size
	}
	ring.Mark("first")
	var b bytes.Buffer
	if _, err := ring.WriteTo(&b); err != nil || !strings.Contains(b.String(), "first") {
		t.Errorf("%v: the dump is %s", err, &b)
	}
	before := held()
	for range 2 * ring.queue.many / (entryCost + len("again")) {
		ring.Mark("again")
	}
	for held() == before { // or the test ends by its deadline
		runtime.Gosched()
	}
	if ring.Lost() > 0 {
		t.Errorf("%d marks are lost", ring.Lost())
	}
	ring.flush()
	before = held()
	ring.Mark("last")
	if ring.Close(); held() != before {
		t.Error("Close reads what nobody wants")
	}
}
