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
)

// plan is the schedule of a run.
type plan struct {
	seed   uint64
	faults []fault
	lag    bool // watches lag
	late   bool // requests take different times
	lose   bool // writes lose their answers

	mu    sync.Mutex
	asked map[string]int // requests so far, by method and path
}

// fault is a line of package whatif at a time.
type fault struct {
	at   time.Duration
	line string
}

func newPlan(seed uint64, o *Options) *plan {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &plan{seed: seed, lag: true, late: true, lose: r.IntN(4) == 0}
	if len(o.Faults) > 0 {
		for range r.IntN(4) {
			p.faults = append(p.faults, fault{time.Duration(r.Int64N(int64(o.Within))), o.Faults[r.IntN(len(o.Faults))]})
		}
	}
	slices.SortStableFunc(p.faults, func(a, b fault) int { return int(a.at - b.at) })
	return p
}

// altered returns a copy of the plan.
func (p *plan) altered(change func(c *plan)) *plan {
	c := &plan{seed: p.seed, faults: slices.Clone(p.faults), lag: p.lag, late: p.late, lose: p.lose}
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
		all = append(all, fmt.Sprintf("%s after %v", f.line, f.at.Round(time.Millisecond)))
	}
	for _, of := range []struct {
		has  bool
		what string
	}{{p.lose, "writes that lose their answers"}, {p.lag, "the lags of watches"}, {p.late, "the times that requests take"}} {
		if of.has {
			all = append(all, of.what)
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
	if p.asked == nil {
		p.asked = map[string]int{}
	}
	p.asked[what]++
	return p.asked[what]
}

// randomDelay returns a time around usual. One in ten is much longer.
func randomDelay(r *rand.Rand, usual time.Duration) time.Duration {
	d := usual/4 + time.Duration(r.Int64N(int64(2*usual)))
	if r.IntN(10) == 0 {
		d *= 50
	}
	return d
}

// delays returns how long a request and its answer take.
func (p *plan) delays(method, path string) (there, back time.Duration) {
	const usual = time.Millisecond / 2
	if !p.late {
		return usual, usual
	}
	r := p.dice(method+" "+path, p.count(method+" "+path))
	return randomDelay(r, usual), randomDelay(r, usual)
}

// lags returns how far a watch is behind: half of them are not.
func (p *plan) lags(path string) time.Duration {
	r := p.dice("lag "+path, p.count("lag "+path))
	if !p.lag || r.IntN(2) == 0 {
		return 0
	}
	return randomDelay(r, 20*time.Millisecond)
}

// losesAnswer reports whether a write loses its answer.
func (p *plan) losesAnswer(method, path string) bool {
	return p.lose && p.dice("lose "+method+path, p.count("lose "+method+path)).IntN(10) == 0
}

// lossy breaks the connection after some writes.
type lossy struct {
	under http.RoundTripper
	p     *plan
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.under.RoundTrip(r)
	if err == nil && r.Method != http.MethodGet && l.p.losesAnswer(r.Method, r.URL.Path) {
		resp.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	return resp, err
}

// play makes the faults happen.
func (p *plan) play(ctx context.Context, f *whatif.Faults) {
	began := time.Now()
	for _, one := range p.faults {
		select {
		case <-time.After(time.Until(began.Add(one.at))):
		case <-ctx.Done():
			return
		}
		if err := f.Do(one.line); err != nil {
			panic(err) // the test's own line is wrong
		}
	}
}
