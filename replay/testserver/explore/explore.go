// Package explore runs the test of a controller many times, each time in a bubble of
// testing/synctest with an API server of its own, other orders of delivery, lags and faults. A
// run that fails can be repeated by its seed. It is made smaller, and left as a trace.
//
//	func TestWeb(t *testing.T) {
//		explore.Explore(t, explore.Options{Runs: 1000}, func(r *explore.Run) {
//			config := explore.Config[rest.Config](r)
//			go run(r.Context(), config) // the controller
//			…
//			time.Sleep(time.Minute) // takes no time
//			if … {
//				r.Errorf("there are two of them")
//			}
//		})
//	}
//
// A seed decides when each request arrives and is answered, how far each watch lags, and whether a write loses its answer. It
// decides which faults a resource has, and when. It also seeds math/rand, from which client-go takes its back-offs. No two of
// these things happen at the same instant. What a program chooses itself, by a select,
// by the order of a map or of goroutines that are ready at the same instant, is up to Go. So Explore repeats a seed that
// fails, and says how often it failed again, and at which request two runs part.
//
// A bubble's clock begins in the year 2000. One of apimachinery's error handlers sleeps until some
// time after the process was started, which is decades later there. So a test of a controller takes it out first. What
// klog writes is not shown, unless -explore.log is set:
//
//	func TestMain(m *testing.M) {
//		utilruntime.ErrorHandlers = nil // k8s.io/apimachinery/pkg/util/runtime
//		explore.Main(m)
//	}
package explore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// Host is the API server's, for a rest.Config whose Transport is a Run's.
const Host = "http://testserver"

// Options say what is explored. The zero value is fit for use.
type Options struct {
	Runs int    // 0 is 100
	Seed uint64 // of the first run; the others follow. 0 is 1
	// Server is what each API server is made with. Its Delays, Lags and Seed are the run's.
	Server testserver.Options
	// Faults are lines of package whatif. Each run has up to three of them, at any time within
	// Within. nil is Usual; an empty list is for none.
	Faults []string
	Within time.Duration // 0 is 10 s
	Folder string        // for traces of runs that failed, without their secrets; "" is the folder of the test
	Values bool          // a Failure quotes values of the trace; otherwise it quotes only the shape
}

// Usual are the faults that any controller must bear.
var Usual = []string{
	"break watch", "silence watch for=2s", "delay event 500ms", "fail requests expired", "fail requests toomany after=1s n=2", "fail requests internal",
	"fail requests reset n=2", "lag server 1s",
}

// Run is one run. It is the testing.TB of the test that is explored.
type Run struct {
	testing.TB
	Seed      uint64
	Server    *testserver.Server // also a RoundTripper, for what the test itself asks without faults
	Transport http.RoundTripper  // to the server, with the faults and the recorder before it
	Recorder  *record.Recorder
	Faults    *whatif.Faults

	ctx    context.Context
	began  time.Time
	mu     sync.Mutex
	failed time.Duration // when, from the beginning; less than 0 for not at all
	output []string
	ends   []func()
}

// Flags to repeat a run: go test -run TestWeb -explore.seed 17
var (
	onlySeed = flag.Uint64("explore.seed", 0, "explore only the run with this seed")
	runs     = flag.Int("explore.runs", 0, "explore so many runs")
	logs     = flag.Bool("explore.log", false, "show what is written to os.Stderr, as by klog")
)

// Main runs the tests of a package, and ends the process. What they write to os.Stderr is not shown unless -explore.log is
// set. What the runtime says of a panic is.
func Main(m *testing.M) {
	flag.Parse()
	if !*logs {
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			panic(err) // every system has it
		}
		os.Stderr = null
	}
	os.Exit(m.Run())
}

// Config returns a rest.Config of client-go, whose clients use the run's Transport:
//
//	config := explore.Config[rest.Config](r)
//
// A type parameter stands for it because this package imports nothing of Kubernetes.
func Config[C any](r *Run) *C {
	config := new(C)
	fields := reflect.ValueOf(config).Elem()
	for name, v := range map[string]any{"Host": Host, "Transport": r.Transport, "QPS": float32(-1), "ContentType": "application/json"} {
		fields.FieldByName(name).Set(reflect.ValueOf(v))
	}
	return config
}

// Explore runs a test, and fails t at the first run that fails: it prints the Failure.
func Explore(t *testing.T, o Options, test func(r *Run)) {
	t.Helper()
	if f := Find(t, o, test); f != nil {
		t.Errorf("%s\nRepeat it with -run '^%s$' -explore.seed %d", f, strings.ReplaceAll(t.Name(), "/", "$/^"), f.Seed)
	}
}

// Failure is what is left of a run that failed.
type Failure struct {
	Seed              uint64
	Needs             string   // the part of the schedule that the failure needs
	Output            []string // what the test said
	Tries, Reproduced int      // how often the seed was repeated, and failed again
	Parts             string   // the request at which a repetition parted that didn't fail
	Trace             string   // the name of the file with the trace
	Link              string   // the fragment of the page's address that leads to the step, once the file is opened there
	Found             string   // what the trace shows, in at most ten lines, with the link to the step of the worst
	Err               error    // why there is no trace, or no link
}

// String returns the failure as a test prints it.
func (f *Failure) String() string {
	text := fmt.Sprintf("seed %d fails, and needs of its schedule: %s\n%s\n", f.Seed, f.Needs, strings.Join(f.Output, "\n"))
	text += fmt.Sprintf("Repeated, it fails %d of %d times.", f.Reproduced, f.Tries)
	if f.Parts != "" {
		text += " One that doesn't parts at " + f.Parts + ". Go chooses there: a select, the order of a map or of goroutines."
	}
	if f.Err != nil {
		return text + "\nThere is no trace of it: " + f.Err.Error()
	}
	return text + "\nThe trace is " + f.Trace + ". On the page, " + f.Link + " is the step.\n" + strings.TrimSuffix(f.Found, "\n")
}

// Find runs a test until a run fails, and returns what is left of it: nil if no run fails.
func Find(t *testing.T, o Options, test func(r *Run)) *Failure {
	t.Helper()
	x := &explorer{t: t, o: o.withDefaults(), test: test}
	p, got := x.find()
	if p == nil {
		return nil
	}
	f := &Failure{Seed: p.seed}
	x.repeat(p, got, f)
	p, got = x.shrink(p, got)
	f.Needs, f.Output = p.String(), got.output
	f.Err = x.writeTrace(p, got, f)
	return f
}

// repeats is how often a seed that fails is repeated, if that takes no longer than repeating.
var (
	repeats   = 20
	repeating = 20 * time.Second
)

// repeat repeats a run that has failed, and counts how often it fails again.
func (x *explorer) repeat(p *plan, got outcome, f *Failure) {
	for began := time.Now(); f.Tries < repeats && time.Since(began) < repeating; f.Tries++ {
		again := x.try(p)
		if again.failed {
			f.Reproduced++
		} else if f.Parts == "" {
			f.Parts = parting(got.requests, again.requests)
		}
	}
}

// parting returns the first request that two runs don't both send at the same time.
func parting(a, b []asked) string {
	for _, run := range [][]asked{a, b} {
		slices.SortFunc(run, func(a, b asked) int {
			return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.request, b.request))
		})
	}
	for i := range max(len(a), len(b)) {
		if i < len(a) && i < len(b) && a[i] == b[i] {
			continue
		}
		first := slices.Concat(a[min(i, len(a)):], b[min(i, len(b)):])
		earliest := slices.MinFunc(first, func(a, b asked) int { return cmp.Compare(a.time, b.time) })
		return fmt.Sprintf("its request %d, %s after %v", i+1, earliest.request, earliest.time)
	}
	return "the same requests"
}

func (o Options) withDefaults() Options {
	o.Runs, o.Seed, o.Within = cmp.Or(*runs, o.Runs, 100), cmp.Or(o.Seed, 1), cmp.Or(o.Within, 10*time.Second)
	if o.Faults == nil {
		o.Faults = Usual
	}
	if *onlySeed != 0 {
		o.Seed, o.Runs = *onlySeed, 1
	}
	return o
}

type explorer struct {
	t    *testing.T
	o    Options
	test func(r *Run)
	// passed is how long all bubbles so far have taken. The next one begins after that,
	// because libraries remember the time at which they did something last.
	passed time.Duration
}

// find returns the first plan that fails, nil if none does.
func (x *explorer) find() (*plan, outcome) {
	for i := range x.o.Runs {
		p := newPlan(x.o.Seed+uint64(i), &x.o)
		if got := x.try(p); got.failed {
			return p, got
		}
	}
	return nil, outcome{}
}

// outcome is what came of a run.
type outcome struct {
	failed bool
	time   time.Duration
	output []string
	trace  []byte

	requests []asked
}

// try runs the test by a plan.
func (x *explorer) try(p *plan) (got outcome) {
	defer func() {
		if e := recover(); e != nil { // goroutines of the test that don't end
			got.failed, got.time = true, math.MaxInt64
			got.output = append(got.output, fmt.Sprint(e))
		}
	}()
	synctest.Test(x.t, func(t *testing.T) {
		time.Sleep(x.passed.Truncate(day) + day) // at the same time of a day, as objects have whole seconds
		defer func(began time.Time) { x.passed += day + time.Since(began) }(time.Now())
		got = x.run(t, p)
	})
	return got
}

const day = 24 * time.Hour

func (x *explorer) run(t *testing.T, p *plan) (got outcome) {
	p.reset()
	seedRand(p.seed)
	so := x.o.Server
	so.Seed, so.Delays, so.Lags = p.seed, p.delays, p.lags
	server := testserver.New(so)
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{Recorder: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	faults := whatif.New(&lossy{server, p})
	ctx, cancel := context.WithCancel(t.Context())
	r := &Run{TB: t, Seed: p.seed, Server: server, Faults: faults, Recorder: rec, ctx: ctx, began: time.Now(), failed: -1}
	r.Transport = rec.Wrap(&front{faults, p, r.began})
	var around sync.WaitGroup
	around.Go(func() { p.play(ctx, faults) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.test(r)
	}()
	<-done
	cancel()
	for i := len(r.ends) - 1; i >= 0; i-- {
		r.ends[i]()
	}
	around.Wait()
	time.Sleep(time.Minute) // what waits for a time ends
	server.Close()
	if err := rec.Close(); err != nil {
		r.Errorf("the recording: %v", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return outcome{failed: r.failed >= 0, time: r.failed, output: r.output, trace: out.Bytes(), requests: p.requests}
}

// seedRand has the functions of math/rand say the same in each run of a seed.
func seedRand(seed uint64) {
	const name = "GODEBUG"
	had, has := os.LookupEnv(name)
	os.Setenv(name, "randseednop=0,"+had)
	//lint:ignore SA1019 client-go asks these functions, and there is no other way to seed them
	rand.Seed(int64(seed))
	if os.Setenv(name, had); !has {
		os.Unsetenv(name)
	}
}

// shrink leaves out of a plan what the failure doesn't need.
func (x *explorer) shrink(p *plan, got outcome) (*plan, outcome) {
	for smaller := range p.smaller() {
		if again := x.try(smaller); again.failed {
			return x.shrink(smaller, again)
		}
	}
	return p, got
}

// writeTrace writes the trace of a run, and says in f what it shows.
func (x *explorer) writeTrace(p *plan, got outcome, f *Failure) error {
	if len(got.trace) == 0 {
		return errors.New("the run did not end")
	}
	short := fmt.Sprintf("%s-%d.trace.jsonl", evidence.FileName(x.t.Name()), p.seed)
	f.Trace = filepath.Join(x.o.Folder, short)
	if err := os.WriteFile(f.Trace, got.trace, 0o600); err != nil {
		return err
	}
	to, err := address(got.trace, short, got.time)
	if err != nil {
		return err
	}
	f.Link = to.Fragment()
	s, err := evidence.OfTest(got.trace, short, x.o.Values)
	if err != nil {
		return err
	}
	var b strings.Builder
	err = s.WriteText(&b)
	f.Found = b.String()
	return err
}

// Context ends when the test has returned.
func (r *Run) Context() context.Context { return r.ctx }

// Cleanup calls f when the test has returned and its Context has ended.
func (r *Run) Cleanup(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends = append(r.ends, f)
}

// Fail says that the run has failed.
func (r *Run) Fail() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed < 0 {
		r.failed = time.Since(r.began)
		r.Recorder.Mark("the test fails")
	}
}

// Failed reports whether the run has failed.
func (r *Run) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed >= 0
}

// FailNow ends the run.
func (r *Run) FailNow() {
	r.Fail()
	runtime.Goexit()
}

// Log keeps a line, which is shown if the run fails.
func (r *Run) Log(args ...any) { r.log(fmt.Sprintln(args...)) }

// Logf logs with a format.
func (r *Run) Logf(format string, args ...any) { r.log(fmt.Sprintf(format, args...)) }

func (r *Run) log(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.output = append(r.output, strings.TrimRight(text, "\n"))
}

// Error calls Log and Fail.
func (r *Run) Error(args ...any) {
	r.Log(args...)
	r.Fail()
}

// Errorf calls Logf and Fail.
func (r *Run) Errorf(format string, args ...any) {
	r.Logf(format, args...)
	r.Fail()
}

// Fatal calls Log and FailNow.
func (r *Run) Fatal(args ...any) {
	r.Log(args...)
	r.FailNow()
}

// Fatalf calls Logf and FailNow.
func (r *Run) Fatalf(format string, args ...any) {
	r.Logf(format, args...)
	r.FailNow()
}

// FindKnown does what Find does, for a fault that is known and not mended yet, such as a race. It fails t if no run
// fails, if the failure's seed does not repeat it, or if the trace has no step at which it opens.
func FindKnown(t *testing.T, o Options, test func(r *Run)) *Failure {
	t.Helper()
	f := Find(t, o, test)
	if f == nil {
		t.Fatal("no run fails")
	}
	t.Log(f)
	if f.Reproduced == 0 {
		t.Errorf("seed %d does not fail again", f.Seed)
	}
	if !strings.Contains(f.Link, "&step=") || strings.Contains(f.Link, "&step=0") {
		t.Errorf("the link is %q", f.Link)
	}
	return f
}

// address returns the fragment of the page's address that leads to the last step before a time of a
// trace, of the resource whose watch has brought something last.
func address(text []byte, name string, at time.Duration) (l evidence.Link, err error) {
	recorded, err := scan(text)
	if err != nil {
		return l, err
	}
	profile, ok := world.ProfileFor("current")
	if !ok {
		return l, errors.New("unknown profile \"current\"")
	}
	r := format.NewReader(format.Options{})
	steps := map[string]int64{}
	last, when := "", int64(-1)
	p := report.Play(r.Trace(), report.Options{Profile: profile, Recorded: recorded, Stepped: func(resource *trace.Resource, w *world.World) error {
		if w.Now() <= int64(at) {
			steps[resource.Name()] = w.Steps()
			if w.Now() >= when {
				last, when = resource.Name(), w.Now()
			}
		}
		return nil
	}})
	if err := errors.Join(r.Write(text), p.Grown(), r.Close(), p.Grown()); err != nil {
		return l, err
	}
	resource, _, _ := strings.Cut(last, " ")
	return evidence.ToFile(name, int64(len(text))).Add("informer", resource).Add("step", strconv.FormatInt(steps[last], 10)), nil
}

// scan finds out who the recorded handlers were.
func scan(text []byte) (map[string]*report.InferredHandlers, error) {
	r := format.NewReader(format.Options{})
	s := report.NewScan(r.Trace())
	if err := errors.Join(r.Write(text), s.Grown(), r.Close(), s.Grown()); err != nil {
		return nil, err
	}
	return s.Inferred(), nil
}
