// Package recordtest records what the controller of a test sees and does, and says what was wrong when the test has
// failed. A test that passes leaves nothing behind.
//
//	func TestWeb(t *testing.T) {
//		config := rest.CopyConfig(suite) // a rest.Config of envtest, of kind, or of package testserver
//		ring := recordtest.New(t, config, recordtest.Options{})
//		…
//
// As the last block of its output the failed test then says what was found, the worst first, and where the step is:
//
//	TestWeb.trace.jsonl: Objects are created twice. 41 events of 3 resources in 2.3 s.
//	  wrong, 0:01.204: Controller web created 1 object twice: …
//	The step: https://…#file=TestWeb.trace.jsonl&…
//	informerscope open TestWeb.trace.jsonl shows it, too.
//
// Where the environment has CI=true, as GitHub Actions and others set it, the link holds the recording's shape itself if that is
// at most 20 kB, so that whoever reads the output needs no file.
//
// The findings about a controller need its reconciles and its workqueue, which package record wraps; the Ring is what
// record.Reconcile, record.Queue and the modules for controller-runtime take.
package recordtest

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/record"
)

// TB has those methods of a testing.TB that are used. Ginkgo's GinkgoTB has them, too.
type TB interface {
	Cleanup(func())
	Failed() bool
	Helper()
	Log(args ...any)
	Name() string
}

// Config has the method of a rest.Config by which clients get their transport. F is client-go's transport.WrapperFunc;
// Go infers it.
type Config[F ~func(http.RoundTripper) http.RoundTripper] interface{ Wrap(F) }

// Options of a recording. The zero value is fit for use.
type Options struct {
	// Values shows the recording's values in the output of the test, which is often public. Otherwise the output has
	// what the shape of the recording has: see package redact. The trace keeps values in either case.
	Values bool

	// Folder is where the trace of a failed test goes; "" is the package's folder, in which go test runs it.
	Folder string

	// Ring has what a record.Ring does otherwise, such as how many bytes it holds. CrashOutput is set where it is nil.
	Ring record.RingOptions
}

// stop is how long New waits at the end of a failed test for requests and reconciles to end, so that the recording has
// the whole of it.
const stop = 2 * time.Second

// New records what goes through the transport of config's clients, which must be made afterwards, until t has ended. The recording
// is held in memory, its last 32 MB unless Options.Ring say otherwise. If t has failed, New leaves it as a trace, and
// tells t what it shows. That is the last of t's cleanups if New is called before what needs to be stopped is started, as
// cleanups run in the reverse order: the recording then has the manager's end, too.
//
// A config that several tests share must be copied for each (rest.CopyConfig), or else each of them records what all of
// them do. A fake clientset has no transport: only what is wrapped by package record is recorded of it.
//
// A handler or a reconcile that panics ends the process before t can end. The trace then has the last megabyte.
func New[F ~func(http.RoundTripper) http.RoundTripper](t TB, config Config[F], o Options) *record.Ring {
	t.Helper()
	r := &recording{t: t, o: o}
	r.name = sync.OnceValue(func() string { return newName(o.Folder, t.Name()) })
	if o.Ring.CrashOutput == nil {
		r.crash.name = r.name
		o.Ring.CrashOutput = &r.crash
	}
	o.Ring.Lazy = o.Ring.Lazy || o.Ring.OnTrigger == nil
	var err error
	if r.ring, err = record.NewRing(o.Ring); err != nil {
		t.Log("recordtest records nothing:", err)
		return nil
	}
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper {
		r.wrapped.Store(true)
		return r.ring.Wrap(rt)
	})
	t.Cleanup(func() {
		t.Helper()
		r.end()
	})
	return r.ring
}

// recording is what New has begun.
type recording struct {
	t       TB
	o       Options
	name    func() string // of the trace, which is taken when there is one
	crash   crash
	ring    *record.Ring
	wrapped atomic.Bool // a client has taken the transport
}

// end ends the recording, and says what it shows if the test has failed.
func (r *recording) end() {
	r.t.Helper()
	defer r.ring.Close()
	r.crash.Close()
	if !r.t.Failed() {
		if r.crash.file != nil { // controller-runtime goes on after a panic
			os.Remove(r.name())
		}
		return
	}
	r.ring.Mark("the test has failed")
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(stop); r.ring.UnderWay() > 0 && time.Now().Before(until); {
		<-tick.C
	}
	text, err := r.leave()
	if err != nil {
		text = "recordtest leaves no trace: " + err.Error()
	}
	r.t.Log("\n" + strings.TrimRight(text, "\n"))
}

// leave writes the trace, and returns what is said of it.
func (r *recording) leave() (string, error) {
	var trace bytes.Buffer
	if _, err := r.ring.WriteTo(&trace); err != nil {
		return "", err
	}
	if err := os.WriteFile(r.name(), trace.Bytes(), 0o600); err != nil {
		return "", err
	}
	s, err := evidence.OfTest(trace.Bytes(), filepath.Base(r.name()), r.o.Values)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := s.WriteText(&b); err != nil {
		return "", err
	}
	if !r.wrapped.Load() {
		fmt.Fprintf(&b, "No client was made of the rest.Config, so no list and no watch was recorded. A fake clientset has no transport.\n")
	}
	if n := r.ring.UnderWay(); n > 0 {
		fmt.Fprintf(&b, "%s not ended %s after the test: stop the manager in a cleanup, and the recording has its end, too.\n",
			plain.Plural64(int64(n), "request, call or reconcile has", "requests, calls and reconciles have"), stop)
	}
	fmt.Fprintf(&b, "informerscope open %s shows it, too.\n", r.name())
	return b.String(), nil
}

// names counts the traces of each test and folder in this process. A test that runs many times leaves each of its failures.
var names struct {
	sync.Mutex
	counts map[string]int
}

// newName returns the name of another trace of a test, with its folder.
func newName(folder, test string) string {
	names.Lock()
	defer names.Unlock()
	if names.counts == nil {
		names.counts = map[string]int{}
	}
	stem := filepath.Join(folder, evidence.FileName(test))
	names.counts[stem]++
	if n := names.counts[stem]; n > 1 {
		stem += "-" + strconv.Itoa(n)
	}
	return stem + ".trace.jsonl"
}

// crash is a file that is made when a panic is written to it.
type crash struct {
	name func() string
	mu   sync.Mutex
	file *os.File
}

// Close closes the file, if there is one.
func (c *crash) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file != nil {
		c.file.Close()
	}
}

// Write writes to the file.
func (c *crash) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		var err error
		if c.file, err = os.OpenFile(c.name(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600); err != nil {
			return 0, err
		}
		fmt.Fprintf(os.Stderr, "informerscope: the last seconds before the panic are in %s\n", c.name())
	}
	return c.file.Write(b)
}
