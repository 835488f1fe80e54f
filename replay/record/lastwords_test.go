package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// clumsy is a handler that panics, as one does that asserts a type and meets a tombstone.
type clumsy struct{}

func (clumsy) OnAdd(any, bool)   {}
func (clumsy) OnUpdate(any, any) {}
func (clumsy) OnDelete(obj any)  { obj.(interface{ Spec() }).Spec() }

// A handler's panic ends the process, as client-go panics again. What led to it is in the file before that, and
// OnTrigger has run.
func TestAProcessThatPanics(t *testing.T) {
	type tomb struct {
		Key string
		Obj any
	}
	if dir := os.Getenv("RECORD_AND_PANIC"); dir != "" {
		lastWords, lastTrigger = time.Minute, time.Minute // what is written in time is another test's
		file, err := os.Create(filepath.Join(dir, "file.trace.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		rec, err := New(file, Options{})
		if err != nil {
			t.Fatal(err)
		}
		crash, err := os.Create(filepath.Join(dir, "crash.trace.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		ring, err := NewRing(RingOptions{CrashOutput: crash, Triggers: Triggers{Panic: true}, OnTrigger: func(r *Ring, why string) {
			f, _ := os.Create(filepath.Join(dir, "trigger.trace.jsonl"))
			r.Mark(why)
			r.WriteTo(f)
			f.Close()
		}})
		if err != nil {
			t.Fatal(err)
		}
		queue := Queue(ring, "web", &fakeQueue[string]{})
		Sync(ring, "web", func(context.Context, string) error { // goes on meanwhile
			for range 20_000 { // about 2.4 MB
				queue.Add("shop/" + strings.Repeat("w", 60))
			}
			ring.flush()
			rec.Handler("outer", ring.Handler("web", clumsy{})).OnDelete(tomb{"shop/web", nil})
			return nil
		})(t.Context(), "shop/web")
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestAProcessThatPanics$")
	cmd.Env = append(os.Environ(), "RECORD_AND_PANIC="+dir)
	var exit *exec.ExitError
	if out, err := cmd.CombinedOutput(); !errors.As(err, &exit) || !bytes.Contains(out, []byte("interface conversion")) {
		t.Fatalf("%v: %s", err, out)
	}
	for name, handler := range map[string]string{"file": "outer", "crash": "web", "trigger": "web"} {
		b, err := os.ReadFile(filepath.Join(dir, name+".trace.jsonl"))
		if err != nil {
			t.Error(err)
			continue
		}
		log := logOf(t, b)
		var calls []string
		for line := range strings.Lines(string(b)) {
			if _, call, ok := strings.Cut(line, `"call":`); ok {
				calls = append(calls, call)
			}
		}
		want := `{"handler":"` + handler + `","fn":"OnDelete","key":"shop/web",`
		if len(calls) != 1 || !strings.HasPrefix(calls[0], want) || !strings.Contains(calls[0], `"tombstone":true,"panicked":true`) {
			t.Errorf("%s: calls %s", name, calls)
		}
		if name == "file" {
			continue
		}
		if len(log.Reconciles) != 1 || log.Reconciles[0].Ended != 0 || log.Reconciles[0].Key != "shop/web" {
			t.Errorf("%s: reconciles %+v", name, log.Reconciles)
		}
		if cut := name == "crash"; cut != (len(b) < 2<<20) || cut && len(b) > 1<<20+4096 {
			t.Errorf("%s: %d bytes", name, len(b))
		}
	}
}

// hanging is a writer that never returns from Write, until it is let go.
type hanging chan struct{}

func (s hanging) Write(b []byte) (int, error) { <-s; return len(b), nil }

// Neither New nor anything that the controller calls waits for the writer, and CloseContext waits as long as it is told.
func TestAWriterThatHangs(t *testing.T) {
	w := make(hanging)
	rec, err := New(w, Options{Note: strings.Repeat("n", 1<<20)})
	if err != nil {
		t.Fatal(err)
	}
	rec.Mark("a mark")
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := rec.CloseContext(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("CloseContext: %v", err)
	}
	rec.panicked("a test") // which would never return if it waited for the writer
	close(w)
	if err := rec.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// A panic waits no longer for a CrashOutput that hangs, and then OnTrigger runs.
func TestACrashOutputThatHangs(t *testing.T) {
	w := make(hanging)
	defer close(w)
	triggered := make(chan string, 1)
	ring, err := NewRing(RingOptions{CrashOutput: w, Triggers: Triggers{Panic: true}, OnTrigger: func(_ *Ring, why string) { triggered <- why }})
	if err != nil {
		t.Fatal(err)
	}
	ring.panicked("OnDelete of web") // which would never return if it waited for the writer
	if why := <-triggered; why != "OnDelete of web has panicked" {
		t.Error(why)
	}
}

// An end is told whatever else waits, once its beginning was: otherwise the trace would say that a reconcile or a call
// goes on for ever.
func TestEndsHaveRoom(t *testing.T) {
	q := newQueue(64 << 10)
	r := &Recorder{queue: q, start: time.Now()}
	c := r.controller("web")
	long := func() {
		x := calls{r: r, name: "web", registered: &registered{}}.begin(trace.OnUpdate, nil, nil, false)
		x.slow.Stop()
		x.runsLong()
		for q.put(entry{kind: aMark}, nil, 100) {
		}
		x.returned = true
		x.end()
	}
	var under []*running
	for range 50 {
		under = append(under, c.begin("shop/web"))
	}
	long()
	for _, x := range under {
		c.end(x, trace.Finished{Result: trace.ResultError, Error: strings.Repeat("e", maxName), Message: strings.Repeat("m", maxMessage)})
	}
	count := map[kind]int{}
	for _, e := range q.entries {
		count[e.kind]++
	}
	if count[aReconcile] == 0 || count[aReconcile] != count[aReconciled] || count[aCalling] != 1 || count[aCall] != 1 {
		t.Errorf("entries by kind: %v", count)
	}
	if q.reserved != 0 {
		t.Errorf("%d bytes stay reserved", q.reserved)
	}
	if lost := r.Lost(); lost != int64(2*(50-count[aReconcile])) {
		t.Errorf("%d are counted as lost of %v", lost, count)
	}
}

// Whatever is called of a nil Recorder or Ring does nothing, and what it wraps works. A method that is added is called here, too.
func TestNothingRecords(t *testing.T) {
	var ring *Ring
	var rec *Recorder
	w := httptest.NewRecorder()
	arguments := map[reflect.Type]any{
		reflect.TypeFor[string]():                 "web",
		reflect.TypeFor[http.RoundTripper]():      http.DefaultTransport,
		reflect.TypeFor[EventHandler]():           clumsy{},
		reflect.TypeFor[EventHandlerBeforeV027](): handlerBeforeV027{},
		reflect.TypeFor[context.Context]():        t.Context(),
		reflect.TypeFor[io.Writer]():              io.Discard,
		reflect.TypeFor[http.ResponseWriter]():    http.ResponseWriter(w),
		reflect.TypeFor[*http.Request]():          httptest.NewRequest("GET", "/debug/informerscope/", nil),
	}
	for _, recording := range []Recording{rec, ring} {
		v := reflect.ValueOf(recording)
		for i := range v.NumMethod() {
			name, m := v.Type().Method(i).Name, v.Method(i)
			var in []reflect.Value
			for j := range m.Type().NumIn() {
				x, known := arguments[m.Type().In(j)]
				if !known {
					t.Fatalf("%T.%s wants a %s, which this test doesn't have", recording, name, m.Type().In(j))
				}
				in = append(in, reflect.ValueOf(x))
			}
			for j, out := range m.Call(in) {
				want := reflect.Zero(out.Type())
				switch name {
				case "Wrap":
					want = in[0]
				case "Handler", "HandlerBeforeV027":
					want = in[1]
				}
				if got := out.Interface(); got != want.Interface() {
					t.Errorf("%T.%s returns %v as number %d", recording, name, got, j)
				}
			}
		}
		if rt := rec.Wrap(nil); rt != http.DefaultTransport {
			t.Errorf("Wrap: %v", rt)
		}
		inner := &fakePriority[string]{}
		queue, priority := Queue(recording, "web", &inner.fakeQueue), PriorityQueue(recording, "web", TypedPriorityQueue[string, addOpts](inner))
		queue.Add("shop/web")
		priority.AddWithOpts(addOpts{}, "shop/web")
		RateLimiter[string](recording, "web", inner).When("shop/web")
		ran := 0
		Because(recording, "timer", func() { ran++ })
		Read(recording, "Get", "Pod", nil)
		IndexerFunc(recording, "index", func(string) []string { ran++; return nil })("a")
		Indexers(recording, map[string]func(any) ([]string, error){"index": func(any) ([]string, error) { ran++; return nil, nil }})["index"](nil)
		Transform(recording, "transform", func(any) (any, error) { ran++; return nil, nil })(nil)
		Reconcile(recording, "web", func(context.Context, string) (int, error) { ran++; return 0, nil })(t.Context(), "shop/web")
		if err := Sync(recording, "web", func(context.Context, string) error { ran++; return io.EOF })(t.Context(), "shop/web"); err != io.EOF || ran != 6 {
			t.Errorf("%v, %d of 6 functions ran", err, ran)
		}
		if got := strings.Join(inner.called, " "); got != "Add AddWithOpts When" {
			t.Errorf("%T: the queue was called by %s", recording, got)
		}
	}
	if w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}

// Options that make no sense are refused by name.
func TestRingOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]RingOptions{
		"invalid MaxBytes -1 of a ring; want 0 or more":                             {MaxBytes: -1},
		"invalid MaxBytes 4095 of a ring; want 0 for the default, or at least 4096": {MaxBytes: 4095},
		"invalid Memory 5 of a ring; want 0 for the default, or at least 65536":     {Options: Options{Memory: 5}},
		"invalid MinAge -1 of a ring; want 0 or more":                               {MinAge: -1},
		"invalid Memory -5 of a ring; want 0 or more":                               {Options: Options{Memory: -5}},
		"invalid Triggers.Behind -2 of a ring; want 0 or more":                      {Triggers: Triggers{Behind: -2}},
		"invalid Triggers.Cooldown -1 of a ring; want 0 or more":                    {Triggers: Triggers{Cooldown: -1}},
	} {
		if _, err := NewRing(o); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
