// Package doctor asks an API server what informers ask it, through each hop that leads to it, and
// says on which answer an informer would hang, in which versions of client-go, and at which hop.
//
// It only reads: each request is a GET. It sends at most MaxRequests of them and reads at most MaxBytes.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
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

	// Duration is how long a watch is looked at. The server is asked to end it after this time, in whole
	// seconds.
	Duration time.Duration
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
	Received []Received `json:"seen"`
	Findings []Finding  `json:"findings"`
	Requests int64      `json:"requests"`
	Duration int64      `json:"for"` // ns for which watches were looked at
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
	Text     string   `json:"says"`
	Versions string   `json:"versions"` // of client-go
	Asked    string   `json:"asked"`
	Evidence []string `json:"came"` // the evidence, from the first of Hops
	Advice   string   `json:"do"`
}

// Plan returns the requests of an examination in the order in which they are begun, as "hop: path".
// What depends on an answer is named by words in angle brackets.
func Plan(o Options) ([]string, error) {
	var all []string
	for _, r := range o.Resources {
		for _, h := range o.Hops {
			for _, path := range []string{r.firstPage(), r.secondPage("<the first page's continue>"), r.streaming(o.Duration), r.watching("<the list's version>", o.Duration), r.fromOld()} {
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
	r := &Report{Duration: int64(o.Duration), Received: make([]Received, 0, len(o.Hops)*len(o.Resources))}
	for _, resource := range o.Resources {
		for _, h := range o.Hops {
			r.Received = append(r.Received, Received{Resource: resource.Name, Hop: h.Name()})
		}
	}
	var meter meter
	var asking sync.WaitGroup
	for i := range r.Received {
		asking.Go(func() {
			a := &asker{hop: o.Hops[i%len(o.Hops)], resource: o.Resources[i/len(o.Hops)], o: o, meter: &meter}
			a.ask(ctx, &r.Received[i])
		})
	}
	asking.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.Requests, r.Bytes = int64(o.Sent)+meter.requests.Load(), meter.bytes.Load()
	for i := range o.Resources {
		r.Findings = append(r.Findings, judge(r.Received[i*len(o.Hops):][:len(o.Hops)], o.Duration)...)
	}
	return r, nil
}

// meter counts what an examination costs.
type meter struct{ requests, bytes, retries atomic.Int64 }

// mayRetry reports whether a request may be sent once more, so that no more than MaxRequests are sent in all.
func (m *meter) mayRetry(o Options) bool {
	return int64(o.Sent+5*len(o.Hops)*len(o.Resources))+m.retries.Add(1) <= MaxRequests
}

// Hop is a way to an API server.
type Hop interface {
	Name() string // for people: kubectl proxy

	// Get sends a GET request and returns once the answer's head has come. The body ends, with an
	// error, when ctx does.
	Get(ctx context.Context, path string) (Answer, error)
}

// Answer is what an API server answers.
type Answer struct {
	Code int    // HTTP status
	Type string // the media type, "" where the hop doesn't tell
	To   string // where a redirect leads
	Wait string // Retry-After: after how many seconds to ask again
	Body io.ReadCloser
}

// HTTP is a hop to a server, or to a proxy in front of it.
type HTTP struct {
	Called      string // for people
	Base        string // URL
	Agent       string // User-Agent
	Impersonate string // the user to impersonate, "" for nobody
	Client      http.RoundTripper
}

// Name returns what people call the hop.
func (h *HTTP) Name() string { return h.Called }

// Get sends a GET request for a path below Base, and returns when its answer begins.
func (h *HTTP) Get(ctx context.Context, path string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(h.Base, "/")+path, nil)
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", h.Agent)
	if h.Impersonate != "" {
		req.Header.Set("Impersonate-User", h.Impersonate)
	}
	// A redirect isn't followed: it may lead to a login page, or anywhere else.
	resp, err := h.Client.RoundTrip(req)
	if err != nil {
		return Answer{}, err
	}
	media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	return Answer{Code: resp.StatusCode, Type: strings.TrimSpace(media), To: resp.Header.Get("Location"), Wait: resp.Header.Get("Retry-After"), Body: resp.Body}, nil
}

// errTooMuch ends an answer at which the bound on an examination's bytes is reached.
var errTooMuch = errors.New("more was answered than is read in one examination")

// countingBody reads an answer and counts it.
type countingBody struct {
	io.ReadCloser
	meter *meter
	left  int64 // of what this answer may take
}

func (c *countingBody) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooMuch
	}
	n, err := c.ReadCloser.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	c.meter.bytes.Add(int64(n))
	return n, err
}
