package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

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
