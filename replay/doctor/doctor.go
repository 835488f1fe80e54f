// Package doctor asks an API server what informers ask it, through each hop that leads to it, and
// says on which answer an informer would hang, in which versions of client-go, and at which hop.
//
// It only reads: each request is a GET. It sends at most MaxRequests of them and reads at most MaxBytes.
package doctor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// What an examination may cost.
const (
	MaxRequests = 20
	MaxBytes    = 50 << 20
)

// Options of an examination.
type Options struct {
	Hops      []Hop
	Resources []Resource

	// For is how long a watch is looked at. The server is asked to end it after this time, in whole
	// seconds.
	For time.Duration
	// Sent is how many requests it took to find out the resources. They count, too.
	Sent int
	// Asked, if it isn't nil, is called for each request before it is sent, from several goroutines.
	Asked func(hop, path string)
}

// Resource is something that an informer lists and watches.
type Resource struct {
	Name string // for people: pods in shop
	Path string // of its list: /api/v1/namespaces/shop/pods
}

// Report is what an examination has found.
type Report struct {
	Seen     []Received `json:"seen"`
	Findings []Finding  `json:"findings"`
	Requests int64      `json:"requests"`
	For      int64      `json:"for"` // ns for which watches were looked at
	Bytes    int64      `json:"bytes"`
}

// Hangs reports whether an informer of some version would hang.
func (r *Report) Hangs() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Hangs })
}

// Finding is one thing that would harm an informer.
type Finding struct {
	Resource string   `json:"resource"`
	Hops     []string `json:"hops"`  // through which it is so
	Hangs    bool     `json:"hangs"` // an informer would wait forever, or begin again forever
	Says     string   `json:"says"`
	Versions string   `json:"versions"` // of client-go
	Asked    string   `json:"asked"`
	Came     []string `json:"came"` // the evidence, from the first of Hops
	Do       string   `json:"do"`
}

// Plan returns the requests of an examination in the order in which they are begun, as "hop: path".
// What depends on an answer is named by words in angle brackets.
func Plan(o Options) ([]string, error) {
	var all []string
	for _, r := range o.Resources {
		for _, h := range o.Hops {
			for _, path := range []string{firstPage(r), secondPage(r, "<the first page's continue>"), streaming(r, o.For), watching(r, "<the list's version>", o.For), fromOld(r)} {
				all = append(all, h.Name()+": "+path)
			}
		}
	}
	if n := o.Sent + len(all); n > MaxRequests {
		return nil, fmt.Errorf("%d requests would be sent, and at most %d are: name fewer resources", n, MaxRequests)
	}
	return all, nil
}

// Examine asks for each resource through each hop. It returns an error if it would send more
// requests than MaxRequests, or if ctx ends.
func Examine(ctx context.Context, o Options) (*Report, error) {
	if _, err := Plan(o); err != nil {
		return nil, err
	}
	r := &Report{For: int64(o.For), Seen: make([]Received, 0, len(o.Hops)*len(o.Resources))}
	for _, of := range o.Resources {
		for _, h := range o.Hops {
			r.Seen = append(r.Seen, Received{Resource: of.Name, Hop: h.Name()})
		}
	}
	var meter meter
	var asking sync.WaitGroup
	for i := range r.Seen {
		asking.Go(func() {
			a := &asker{hop: o.Hops[i%len(o.Hops)], of: o.Resources[i/len(o.Hops)], o: o, meter: &meter}
			a.ask(ctx, &r.Seen[i])
		})
	}
	asking.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.Requests, r.Bytes = int64(o.Sent)+meter.requests.Load(), meter.bytes.Load()
	for i := range o.Resources {
		r.Findings = append(r.Findings, judge(r.Seen[i*len(o.Hops):][:len(o.Hops)], o.For)...)
	}
	return r, nil
}

// meter counts what an examination costs.
type meter struct{ requests, bytes, retries atomic.Int64 }

// mayRetry reports whether a request may be sent once more, so that no more than MaxRequests are sent in all.
func (m *meter) mayRetry(o Options) bool {
	return int64(o.Sent+5*len(o.Hops)*len(o.Resources))+m.retries.Add(1) <= MaxRequests
}
