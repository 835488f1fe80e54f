package record

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/record/internal/wire"
	"github.com/informerscope/informerscope/replay/trace"
)

// transport records what goes through it.
type transport struct {
	http.RoundTripper
	r *Recorder
}

// WrappedRoundTripper lets client-go find the transport below
// (utilnet.RoundTripperWrapper).
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.RoundTripper }

// RoundTrip sends req on, and records it if it is a list, a watch or a write.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	p, ok := trace.ParsePath(req.URL.Path)
	switch {
	case !ok:
	case req.Method != http.MethodGet && req.Method != "":
		if w := writeOf(req, p); w != nil {
			return t.write(req, w)
		}
	case p.Name == "" && p.Subresource == "":
		return t.read(req, p)
	}
	return t.RoundTripper.RoundTrip(req)
}

// read sends a list or a watch on.
func (t *transport) read(req *http.Request, p trace.Path) (*http.Response, error) {
	r := t.r
	if r.o.AskJSON {
		req = wire.AcceptJSON(req)
	}
	watch := req.URL.Query().Get("watch")
	resource := p.Resource
	if p.Group != "" {
		resource += "." + p.Group
	}
	x := &exchange{r: r, resource: short(resource, maxName), watch: watch == "1" || strings.EqualFold(watch, "true") || p.Watch}
	x.started, x.table = r.reflectors.started(req), asksForTable(req.Header.Get("Accept"))
	return t.record(req, x, entry{kind: aRequest, x: x}, nil, &r.lost.requests)
}

// record sends req on, and records what comes. If there is no room for that, left is counted.
func (t *transport) record(req *http.Request, x *exchange, e entry, body []byte, left *atomic.Int64) (*http.Response, error) {
	r := t.r
	e.t, e.text = r.now(), req.URL.RequestURI()
	if !r.queue.put(e, body, len(e.text)) {
		r.countLost(left)
		return t.RoundTripper.RoundTrip(req)
	}
	if x.started != nil {
		r.queue.put(entry{kind: aStarted, t: e.t, x: x, content: x.started}, nil, 2*maxName)
	}
	resp, err := t.RoundTripper.RoundTrip(req)
	if err != nil {
		x.end(err)
		return resp, err
	}
	gzip := strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip")
	r.queue.addReserved(entry{kind: aResponse, t: r.now(), x: x, gzip: gzip, status: resp.StatusCode, text: short(resp.Header.Get("Content-Type"), longText/2), retryAfter: short(resp.Header.Get("Retry-After"), longText/8)}, 0)
	if resp.Body == nil || resp.StatusCode == http.StatusSwitchingProtocols {
		x.end(io.EOF)
		return resp, nil
	}
	x.body, resp.Body = resp.Body, x
	return resp, nil
}

// exchange is a request and its answer. As the answer's body it gives the Recorder what
// the client reads.
type exchange struct {
	r    *Recorder
	body io.ReadCloser

	mu    sync.Mutex // the client may close the body while it is read
	lost  int        // bytes left out since the last bytes that were recorded
	line  bool       // those end with a newline
	ended bool

	watch    bool
	table    bool // the answer may be a Table
	resource string
	write    *ownWrite      // nil for a list or a watch
	started  *trace.Started // who started the informer that sends it, for its first request
	assembly                // the writing goroutine's
}

func (x *exchange) Read(p []byte) (int, error) {
	n, err := x.body.Read(p)
	if n > 0 {
		x.chunk(p[:n])
	}
	if err != nil {
		x.end(err)
	}
	return n, err
}

func (x *exchange) Close() error {
	x.end(context.Canceled)
	return x.body.Close()
}

// chunk tells of a part of the body.
func (x *exchange) chunk(b []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	t := x.r.now()
	for len(b) > 0 {
		part := b[:min(len(b), maxChunk)]
		b = b[len(part):]
		if x.lost > 0 && x.r.queue.put(x.gap(t), nil, len(part)) {
			x.lost = 0
		}
		if x.lost == 0 && x.r.queue.put(entry{kind: aChunk, t: t, x: x}, part, 0) {
			continue
		}
		if x.lost == 0 {
			x.r.lost.marked.Add(1)
		}
		x.lost += len(part)
		x.line = part[len(part)-1] == '\n'
	}
}

// maxChunk is how much of an answer goes into one entry, in bytes: of a large
// read at least a part may find room.
const maxChunk = 32 << 10

// gap tells what was left out.
func (x *exchange) gap(t int64) entry {
	return entry{kind: aGap, t: t, x: x, n: x.lost, line: x.line}
}

// end records how the exchange ended. Only the first call counts.
func (x *exchange) end(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	x.ended = true
	t := x.r.now()
	if x.lost > 0 {
		x.r.queue.addReserved(x.gap(t), 0)
	}
	ended := wire.Ended(err)
	text := ""
	if ended != follow.EOF && ended != follow.Canceled {
		text = short(err.Error(), longText/2)
	}
	x.r.queue.addReserved(entry{kind: anEnd, t: t, x: x, transfer: ended, text: text}, reserve)
}
