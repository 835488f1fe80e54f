package explore

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/trace"
)

// plan is the schedule of a run.
type plan struct {
	seed   uint64
	faults []fault
	lag    bool // watches lag
	late   bool // requests take different times
	lose   bool // writes lose their answers

	mu        sync.Mutex
	asked     map[string]int // requests so far, by method and path
	resources []string       // those that were listed or watched so far, sorted
	requests  []asked        // the first ones of the run
}

// asked is a request that was sent.
type asked struct {
	time    time.Duration // since the run began
	request string
}

// maxRequests is how many requests of a run are kept, to be compared with another run's.
const maxRequests = 10_000

// fault is a line of package whatif at a time. It is about one resource: what comes next of all that a process follows is
// up to the order of its goroutines.
type fault struct {
	time time.Duration
	line string
	pick uint64 // which of the resources that are asked for by then, if the line names none
}

func newPlan(seed uint64, o *Options) *plan {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &plan{seed: seed, lag: true, late: true, lose: r.IntN(4) == 0, asked: map[string]int{}}
	if len(o.Faults) > 0 {
		for range r.IntN(4) {
			p.faults = append(p.faults, fault{time.Duration(r.Int64N(int64(o.Within))), o.Faults[r.IntN(len(o.Faults))], r.Uint64()})
		}
	}
	slices.SortStableFunc(p.faults, func(a, b fault) int { return int(a.time - b.time) })
	return p
}

// altered returns a copy of the plan.
func (p *plan) altered(change func(c *plan)) *plan {
	c := &plan{seed: p.seed, faults: slices.Clone(p.faults), lag: p.lag, late: p.late, lose: p.lose, asked: map[string]int{}}
	change(c)
	return c
}

// smaller returns the plans that lack one thing of p.
func (p *plan) smaller() iter.Seq[*plan] {
	return func(yield func(*plan) bool) {
		for i := range p.faults {
			if !yield(p.altered(func(c *plan) { c.faults = slices.Delete(c.faults, i, i+1) })) {
				return
			}
		}
		_ = (!p.lose || yield(p.altered(func(c *plan) { c.lose = false }))) &&
			(!p.lag || yield(p.altered(func(c *plan) { c.lag = false }))) &&
			(!p.late || yield(p.altered(func(c *plan) { c.late = false })))
	}
}

// String lists what the plan has.
func (p *plan) String() string {
	var all []string
	for _, f := range p.faults {
		all = append(all, fmt.Sprintf("%s after %v", f.line, f.time.Round(time.Millisecond)))
	}
	for _, part := range []struct {
		set  bool
		name string
	}{{p.lose, "writes that lose their answers"}, {p.lag, "the lags of watches"}, {p.late, "the times that requests take"}} {
		if part.set {
			all = append(all, part.name)
		}
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// dice returns what chance says of the nth request of a kind, whatever else is asked meanwhile.
func (p *plan) dice(what string, n int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, what, " ", n)
	return rand.New(rand.NewPCG(p.seed, h.Sum64()))
}

// count counts the requests of a kind.
func (p *plan) count(what string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[what]++
	return p.asked[what]
}

// reset forgets what was asked in a run.
func (p *plan) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked, p.resources, p.requests = map[string]int{}, nil, nil
}

// front is what a run's clients send their requests to.
type front struct {
	next  http.RoundTripper
	p     *plan
	began time.Time
}

// RoundTrip notes what is asked for.
func (f *front) RoundTrip(r *http.Request) (*http.Response, error) {
	f.p.mu.Lock()
	if len(f.p.requests) < maxRequests {
		f.p.requests = append(f.p.requests, asked{time.Since(f.began), r.Method + " " + r.URL.Path})
	}
	if path, ok := trace.ParsePath(r.URL.Path); ok && path.Name == "" && r.Method == http.MethodGet {
		name := strings.TrimSuffix(path.Resource+"."+path.Group, ".")
		if i, has := slices.BinarySearch(f.p.resources, name); !has {
			f.p.resources = slices.Insert(f.p.resources, i, name)
		}
	}
	f.p.mu.Unlock()
	return f.next.RoundTrip(r)
}

// WrappedRoundTripper lets client-go find the transport below.
func (f *front) WrappedRoundTripper() http.RoundTripper { return f.next }

// randomDelay returns a time around usual. One in ten is much longer.
func randomDelay(r *rand.Rand, usual time.Duration) time.Duration {
	d := usual/4 + time.Duration(r.Int64N(int64(2*usual)))
	if r.IntN(10) == 0 {
		d *= 50
	}
	return d
}

// jitter is a little time more. Two things that happen at the same instant would happen in the order of Go's goroutines,
// which no seed repeats.
func jitter(r *rand.Rand) time.Duration { return time.Duration(r.Int64N(int64(50 * time.Microsecond))) }

// delays returns how long a request and its answer take.
func (p *plan) delays(method, path string) (there, back time.Duration) {
	const usual = time.Millisecond / 2
	r := p.dice(method+" "+path, p.count(method+" "+path))
	if !p.late {
		return usual + jitter(r), usual + jitter(r)
	}
	return randomDelay(r, usual), randomDelay(r, usual)
}

// lags returns how far a watch is behind: half of them hardly are.
func (p *plan) lags(path string) time.Duration {
	r := p.dice("lag "+path, p.count("lag "+path))
	if !p.lag || r.IntN(2) == 0 {
		return jitter(r)
	}
	return randomDelay(r, 20*time.Millisecond)
}

// losesAnswer reports whether a write loses its answer.
func (p *plan) losesAnswer(method, path string) bool {
	return p.lose && p.dice("lose "+method+path, p.count("lose "+method+path)).IntN(10) == 0
}

// lossy breaks the connection after some writes.
type lossy struct {
	next http.RoundTripper
	p    *plan
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(r)
	if err == nil && r.Method != http.MethodGet && l.p.losesAnswer(r.Method, r.URL.Path) {
		resp.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	return resp, err
}

// bind makes a fault one of a resource, and reports whether there is one.
func (p *plan) bind(f *fault) bool {
	named, err := whatif.Resource(f.line)
	if err != nil {
		panic(err) // the test's own line is wrong
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := uint64(len(p.resources)); named == "" && n > 0 {
		named = p.resources[f.pick%n]
		f.line += " " + named
	}
	return named != ""
}

// play makes the faults happen.
func (p *plan) play(ctx context.Context, f *whatif.Faults) {
	began := time.Now()
	for i := range p.faults {
		fault := &p.faults[i]
		select {
		case <-time.After(time.Until(began.Add(fault.time))):
		case <-ctx.Done():
			return
		}
		if !p.bind(fault) {
			continue // nothing was asked for that could fail
		}
		if err := f.Do(fault.line); err != nil {
			panic(err) // the test's own line is wrong
		}
	}
}
