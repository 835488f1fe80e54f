package record

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/record/internal/how"
)

// transport records what goes through it.
type transport struct {
	http.RoundTripper
	r *Recorder
}

// WrappedRoundTripper lets client-go find the transport below
// (utilnet.RoundTripperWrapper).
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.RoundTripper }

// RoundTrip sends req on, and records it if it is a list or a watch.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet && req.Method != "" || !isCollection(req.URL.Path) {
		return t.RoundTripper.RoundTrip(req)
	}
	r := t.r
	if accept := req.Header.Values("Accept"); !r.o.KeepAccept && len(accept) > 0 {
		if wanted := strings.Join(accept, ","); askJSON(wanted) != wanted {
			copied := *req
			copied.Header = req.Header.Clone()
			copied.Header.Set("Accept", askJSON(wanted))
			req = &copied
		}
	}
	url := req.URL.RequestURI()
	watch := req.URL.Query().Get("watch")
	x := &exchange{r: r, watch: watch == "1" || strings.EqualFold(watch, "true") || strings.Contains(req.URL.Path, "/watch/")}
	if !r.queue.put(entry{kind: aRequest, t: r.now(), x: x, text: url}, nil, len(url)) {
		r.lost.Add(1)
		return t.RoundTripper.RoundTrip(req)
	}
	resp, err := t.RoundTripper.RoundTrip(req)
	if err != nil {
		x.end(err)
		return resp, err
	}
	x.gzip = strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip")
	r.queue.must(entry{kind: aResponse, t: r.now(), x: x, status: resp.StatusCode, text: short(resp.Header.Get("Content-Type"), longText/2), retryAfter: short(resp.Header.Get("Retry-After"), longText/8)}, false)
	if resp.Body == nil {
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

	watch, gzip bool
	assembly    // the writing goroutine's
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
			x.r.lost.Add(1)
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
		x.r.queue.must(x.gap(t), false)
	}
	ended := how.Of(err)
	text := ""
	if ended != follow.EOF && ended != follow.Canceled {
		text = short(err.Error(), longText/2)
	}
	x.r.queue.must(entry{kind: anEnd, t: t, x: x, how: ended, text: text}, true)
}

// isCollection reports whether a path can be listed and watched: it is no single object,
// no subresource and no discovery.
func isCollection(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for len(parts) > 0 && parts[0] != "api" && parts[0] != "apis" { // behind a proxy
		parts = parts[1:]
	}
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return false
	}
	if parts[0] == "watch" && len(parts) > 1 {
		parts = parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) >= 3 {
		parts = parts[2:]
	}
	return len(parts) == 1 && parts[0] != ""
}

// askJSON returns an Accept header with JSON in the place of what cannot be
// recorded: protobuf and CBOR. What is asked for besides (as=Table,
// as=PartialObjectMetadata) stays.
func askJSON(accept string) string {
	var out []string
	seen := map[string]bool{}
	for part := range strings.SplitSeq(accept, ",") {
		part = strings.TrimSpace(part)
		media, params, has := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(media)) {
		case "application/vnd.kubernetes.protobuf", "application/cbor", "application/cbor-seq":
			media = "application/json"
			params = strings.ReplaceAll(params, "stream=watch", "")
			params = strings.Trim(params, "; ")
			has = params != ""
		}
		if has {
			media += ";" + params
		}
		if !seen[media] {
			seen[media] = true
			out = append(out, media)
		}
	}
	return strings.Join(out, ",")
}

// short cuts s.
func short(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "")
	}
	return s
}
