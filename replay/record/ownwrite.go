package record

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strings"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/record/internal/metadata"
	"github.com/informerscope/informerscope/replay/trace"
)

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
