package record

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/record/internal/metadata"
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

// asksForTable reports whether the answer may be a Table, as for kubectl get.
func asksForTable(accept string) bool { return strings.Contains(accept, "as=Table") }

// untabled returns the list of the objects that a Table's rows have, or b if it is no Table or a row has none.
func untabled(b []byte) []byte {
	rows := rowsOf(b)
	if rows == nil {
		return b
	}
	out := []byte(`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",`)
	if from, to, ok := jsonscan.Field(b, "metadata"); ok {
		out = append(append(append(out, `"metadata":`...), b[from:to]...), ',')
	}
	out, all := append(out, `"items":[`...), true
	first := true
	jsonscan.Elements(rows, func(_, from, to int) bool {
		row := rows[from:to]
		at, end, ok := jsonscan.Field(row, "object")
		if all = ok && row[at] == '{'; !all {
			return false
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, row[at:end]...)
		return true
	})
	if !all {
		return b
	}
	return append(out, `]}`...)
}

// untabledEvent returns a watch event with the object of the Table's row in the place of the Table, or line if it has no such object.
func untabledEvent(line []byte) []byte {
	from, to, ok := jsonscan.Field(line, "object")
	if !ok {
		return line
	}
	var object []byte
	rows := rowsOf(line[from:to])
	jsonscan.Elements(rows, func(_, from, to int) bool {
		if at, end, ok := jsonscan.Field(rows[from:to], "object"); ok {
			object = rows[from:to][at:end]
		}
		return false
	})
	if len(object) == 0 || object[0] != '{' {
		return line
	}
	return append(append(append([]byte(nil), line[:from]...), object...), line[to:]...)
}

// rowsOf returns the rows of a Table, or nil if b is no Table.
func rowsOf(b []byte) []byte {
	if from, to, ok := jsonscan.Field(b, "kind"); !ok || string(b[from:to]) != `"Table"` {
		return nil
	}
	if from, to, ok := jsonscan.Field(b, "rows"); ok && b[from] == '[' {
		return b[from:to]
	}
	return nil
}

// ownWrite is a write of the controller.
type ownWrite struct {
	verb, patch string
	path        trace.Path
	form        metadata.Form // of the request's body
	in          *cause        // a reconcile; nil for none that is known
	object      *metadata.Object
	content     uint64 // of what is created: see contentOf; 0 where the client hasn't named it
	keyless     bool   // the request doesn't tell which object it is about
}

// writeOf returns what a request writes, nil for one that is none. Connections to a pod or a
// service are none, whatever their method is.
func writeOf(req *http.Request, p trace.Path) *ownWrite {
	w := &ownWrite{path: p, form: metadata.FormOf(req.Header.Get("Content-Type"))}
	switch sub, _, _ := strings.Cut(p.Subresource, "/"); sub {
	case "exec", "attach", "portforward", "proxy":
		return nil
	}
	switch req.Method {
	case http.MethodPost:
		w.verb = "create"
	case http.MethodPut:
		w.verb = "update"
	case http.MethodPatch:
		w.verb, w.patch = "patch", patchOf(req.Header.Get("Content-Type"))
	case http.MethodDelete:
		if w.verb = "delete"; p.Name == "" {
			w.verb = "deletecollection"
		}
	default:
		return nil
	}
	return w
}

// patchOf returns the kind of a patch (types.PatchType).
func patchOf(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "application/json-patch+json":
		return "json"
	case "application/merge-patch+json":
		return "merge"
	case "application/strategic-merge-patch+json":
		return "strategic"
	case "application/apply-patch+yaml", "application/apply-patch+cbor":
		return "apply"
	}
	return ""
}

// write sends a write on.
func (t *transport) write(req *http.Request, w *ownWrite) (*http.Response, error) {
	if in, ok := req.Context().Value(reconcileOf{t.r}).(*running); ok {
		w.in = &in.cause
		in.writes()
	}
	x := &exchange{r: t.r, write: w}
	return t.record(req, x, entry{kind: aWrite, x: x, cause: w.in}, head(req), &t.r.lost.writes)
}

// head returns the beginning of a request's body, nil where it can't be had without touching
// the request.
func head(req *http.Request) []byte {
	if req.GetBody == nil || req.Header.Get("Content-Encoding") != "" {
		return nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil
	}
	defer body.Close()
	size := int64(mostOfBody)
	if req.ContentLength >= 0 {
		size = min(size, req.ContentLength)
	}
	b := make([]byte, size)
	n, _ := io.ReadFull(body, b)
	return b[:n]
}

// sent says what was sent. Body is the beginning of the request's body.
func (w *ownWrite) sent(url string, body []byte) trace.Written {
	out := trace.Written{Verb: w.verb, Patch: w.patch, URL: url, Key: w.path.Key()}
	w.object = &metadata.Object{}
	if len(body) > 0 && w.patch != "json" && w.object.Read(w.form, body) == nil {
		o := w.object
		out.RV, out.UID = bounded(o.ResourceVersion), bounded(o.UID)
		if out.Key == "" && w.verb == "create" {
			p := w.path
			p.Name = bounded(o.Name)
			if out.Key, out.GenerateName = p.Key(), bounded(o.GenerateName); p.Name != "" && len(body) < mostOfBody {
				w.content = contentOf(p, body, o.Name)
			}
		}
	}
	w.keyless = out.Key == ""
	return out
}

// contentOf returns a hash of an object without its name, wherever that stands.
func contentOf(p trace.Path, body, name []byte) uint64 {
	h := fnv.New64a()
	fmt.Fprintln(h, p.Group, p.Resource, p.Namespace)
	for part := range bytes.SplitSeq(body, name) {
		h.Write(part)
	}
	return max(h.Sum64(), 1)
}

// sentWrite writes that a write is sent, and whether it creates what an earlier one has created, too.
func (r *Recorder) sentWrite(e *entry, body []byte) {
	w := e.x.write
	sent := w.sent(e.text, body)
	sent.Like = r.created[w.content]
	e.x.id = r.log.Write(e.t, e.cause.knownID(), sent)
	if w.content != 0 && sent.Like == 0 {
		if r.created == nil || len(r.created) >= mostCreated {
			r.created = map[uint64]int64{}
		}
		r.created[w.content] = e.x.id
	}
}

// mostCreated is how many creates are remembered, for later ones that are like them.
const mostCreated = 1 << 12

// bounded returns a field of an object. Nobody is bound to send a short one.
func bounded(b []byte) string { return short(string(b), maxKey) }

// wrote writes what came of a write.
func (r *Recorder) wrote(x *exchange, t int64, how follow.Ending, text string) {
	w := x.write
	a := trace.WriteResult{Status: x.status, Error: text}
	if x.status == 0 || how != follow.EOF && how != follow.Canceled { // what was read of the answer counts
		a.Ending = how.String()
	}
	body := x.part
	if x.gzip && len(body) > 0 {
		body, _ = gunzip(body, r.o.Memory/8)
	}
	if o := w.object; !x.skip && len(body) > 0 && o.Read(x.form, body) == nil {
		w.answered(&a, o)
	}
	r.log.Wrote(t, x.id, a)
	r.release(x)
	w.object = nil
}

// answered reads the object in an answer, or the Status in its place.
func (w *ownWrite) answered(a *trace.WriteResult, o *metadata.Object) {
	if string(o.Kind) == "Status" {
		if a.UID = bounded(o.Status.UID); a.Status >= 400 {
			a.Reason, a.UID = bounded(o.Status.Reason), ""
		}
		return
	}
	a.RV, a.UID, a.Deleting = bounded(o.ResourceVersion), bounded(o.UID), len(o.Deleted) > 0
	if w.keyless && w.verb == "create" {
		p := w.path
		p.Name = bounded(o.Name)
		a.Key = p.Key()
	}
}
