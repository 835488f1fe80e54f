package record

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// base is what a Ring remembers of the lines that are gone: who was reading what, which objects were
// there, and which reconciles and writes have not ended. Nothing else is needed to read the rest.
type base struct {
	maxBytes int // bytes of identities
	size     int
	missing  int // identities for which there was no room

	readers  []*baseReader
	open     map[int64]*baseRequest // requests without an end
	underWay map[int64][]byte       // the lines with which reconciles and writes began, by their ids
	remarks  []string               // lines that must be known to read the rest rightly
	sites    map[string]string      // the last lines about handlers and reads, by what they are about
}

// baseReader is one reader of a resource, as trace.Decoder tells them apart: what a reflector asks
// for, one thing after the other.
type baseReader struct {
	asked            string // the URL without what changes from request to request
	busy             *baseRequest
	listed           bool // there is a state to begin from
	objects          map[string]identity
	rv               string
	kind, apiVersion string

	started []byte      // the line that tells who started the informer; nil for none
	sizes   trace.Sizes // of its objects, as the lines tell them

	pages map[string]identity // of a list that is not yet complete
	token string              // the continue token of its next page
}

// baseRequest is a list or a watch that has not ended.
type baseRequest struct {
	id      int64
	url     string
	reader  *baseReader
	watch   bool
	initial bool   // the watch sends its initial events
	resp    []byte // the line with the head of the answer
	whole   bool   // its objects are recorded whole
}

func newBase(most int) base {
	return base{maxBytes: most, open: map[int64]*baseRequest{}, underWay: map[int64][]byte{}}
}

// most are kept of requests, and of reconciles and writes under way.
const mostUnderWay = 10000

// addLine remembers what must be known of a line that goes.
func (b *base) addLine(l *ringLine) {
	switch l.kind {
	case "req":
		b.request(l)
	case "resp":
		if q := b.open[l.id]; q != nil {
			q.resp, q.whole = bytes.Clone(l.raw), textAt(l.value, "level") != trace.LevelMetadata
		}
	case "body":
		if q := b.open[l.id]; q != nil && !q.watch {
			b.list(q, l.value)
		}
	case "event":
		if q := b.open[l.id]; q != nil {
			b.event(q, l.value)
		}
	case "end":
		if q := b.open[l.id]; q != nil {
			q.reader.busy = nil
			delete(b.open, l.id)
		}
	case "reconcile", "write":
		if len(b.underWay) < mostUnderWay {
			b.underWay[l.id] = bytes.Clone(l.raw)
		}
	case "reconciled", "wrote":
		delete(b.underWay, l.id)
	case "informer":
		if q := b.open[l.id]; q != nil {
			q.reader.started = bytes.Clone(l.raw)
		}
	case "sizes":
		if q := b.open[l.id]; q != nil {
			json.Unmarshal(l.value, &q.reader.sizes) // one that can't be read says nothing
		}
	case "registered", "read":
		b.site(l)
	case "remark":
		if len(b.remarks) < 50 {
			b.remarks = append(b.remarks, string(l.raw))
		}
	}
}

// site remembers the last line about a handler, or about code that reads a cache. What tells more of it stands last.
func (b *base) site(l *ringLine) {
	more := `,"form":`
	if l.kind == "read" {
		more = `,"n":`
	}
	about := string(l.value)
	if i := strings.LastIndex(about, more); i >= 0 {
		about = about[:i]
	}
	if b.sites == nil {
		b.sites = map[string]string{}
	}
	if _, known := b.sites[about]; known || len(b.sites) < mostUnderWay {
		b.sites[about] = string(l.raw)
	}
}

// skip returns the end of the lines, without the first n bytes at least, and what must be known of the lines before
// that to read it. That is all of a base but its objects, whose lines would take too long.
func (b *base) skip(parts [][]byte, n int) (*base, [][]byte) {
	short := newBase(0)
	short.remarks, short.underWay = slices.Clone(b.remarks), maps.Clone(b.underWay)
	for _, id := range slices.Sorted(maps.Keys(b.open)) {
		q := *b.open[id]
		q.reader = &baseReader{asked: q.reader.asked, busy: &q}
		short.open[id], short.readers = &q, append(short.readers, q.reader)
	}
	for len(parts) > 0 && n > 0 {
		end := len(parts[0])
		if n < end {
			end = n + bytes.IndexByte(parts[0][n:], '\n') + 1
		}
		for line := range bytes.Lines(parts[0][:end]) {
			if l := split(line); l.kind != "body" && l.kind != "event" {
				short.addLine(&l)
			}
		}
		n -= end
		if parts[0] = parts[0][end:]; len(parts[0]) == 0 {
			parts = parts[1:]
		}
	}
	return &short, parts
}

// changing are the parameters that change from request to request of one reader.
var changing = []string{"watch", "resourceVersion", "resourceVersionMatch", "limit", "continue", "timeoutSeconds", "timeout", "allowWatchBookmarks", "sendInitialEvents"}

// request begins a list or a watch.
func (b *base) request(l *ringLine) {
	text := textAt(l.value, "url")
	u, err := url.Parse(text)
	if err != nil || len(b.open) >= mostUnderWay {
		return
	}
	query := u.Query()
	path, watched := strings.CutPrefix(u.Path, "/watch")
	q := &baseRequest{id: l.id, url: text, watch: watched || query.Get("watch") == "1" || strings.EqualFold(query.Get("watch"), "true"), initial: query.Get("sendInitialEvents") == "true"}
	rv, page := query.Get("resourceVersion"), query.Get("continue") != ""
	for _, name := range changing {
		query.Del(name)
	}
	asked := path
	if len(query) > 0 {
		asked += "?" + query.Encode()
	}
	q.reader = b.reader(asked, q.watch, rv, page)
	q.reader.busy = q
	b.open[l.id] = q
	if q.watch && q.initial {
		b.forget(q.reader)
	}
	if !page {
		b.release(q.reader.pages)
		q.reader.pages = nil
	}
}

// reader finds who asks, as trace.Decoder does.
func (b *base) reader(asked string, watch bool, rv string, page bool) *baseReader {
	var idle *baseReader
	for _, r := range b.readers {
		if r.asked != asked || r.busy != nil {
			continue
		}
		if watch && rv != "" && r.rv == rv || page && r.pages != nil {
			return r
		}
		if idle == nil {
			idle = r
		}
	}
	if idle == nil {
		idle = &baseReader{asked: asked, objects: map[string]identity{}}
		b.readers = append(b.readers, idle)
	}
	return idle
}

// forget lets go of a reader's objects, because it begins anew.
func (b *base) forget(r *baseReader) {
	b.release(r.objects)
	r.objects, r.listed, r.rv = map[string]identity{}, false, ""
}

// release gives back the room of objects that are not remembered any more.
func (b *base) release(objects map[string]identity) {
	for _, o := range objects {
		b.size -= o.cost()
	}
}

// cost returns what an identity takes, in bytes, with its place in a map.
func (o identity) cost() int { return len(o.key) + len(o.rv) + len(o.meta) + 128 }

func (b *base) put(objects map[string]identity, o identity) {
	old, known := objects[o.key]
	if known {
		b.size -= old.cost()
	}
	if b.size+o.cost() > b.maxBytes {
		b.missing++
		delete(objects, o.key)
		return
	}
	b.size += o.cost()
	objects[o.key] = o
}

func (b *base) list(q *baseRequest, body []byte) {
	r := q.reader
	from, to, ok := jsonscan.Field(body, "items")
	if !ok {
		return
	}
	if r.pages == nil {
		r.pages = map[string]identity{}
	}
	items := body[from:to]
	jsonscan.Elements(items, func(_, from, to int) bool {
		if o, _, _, _ := identified(items[from:to]); o.key != "" {
			q.weigh(to - from)
			b.put(r.pages, o)
		}
		return true
	})
	if from, to, ok = jsonscan.Field(body, "metadata"); !ok {
		return
	}
	meta := body[from:to]
	if from, to, ok = jsonscan.Field(meta, "continue"); ok && to-from > 2 {
		r.token = unquoted(meta[from:to])
		return
	}
	pages := r.pages
	b.forget(r)
	r.pages, r.objects, r.listed = nil, pages, true
	if from, to, ok = jsonscan.Field(meta, "resourceVersion"); ok {
		r.rv = unquoted(meta[from:to])
	}
	if from, to, ok = jsonscan.Field(body, "kind"); ok {
		r.kind = strings.TrimSuffix(unquoted(body[from:to]), "List")
	}
	if from, to, ok = jsonscan.Field(body, "apiVersion"); ok {
		r.apiVersion = unquoted(body[from:to])
	}
}

func (b *base) event(q *baseRequest, value []byte) {
	typ, object := eventOf(value)
	o, kind, apiVersion, initialEnd := identified(object)
	r := q.reader
	switch typ {
	case "ADDED", "MODIFIED":
		q.weigh(len(object))
		b.put(r.objects, o)
		r.kind, r.apiVersion = cmp.Or(r.kind, kind), cmp.Or(r.apiVersion, apiVersion)
	case "DELETED":
		if old, known := r.objects[o.key]; known {
			b.size -= old.cost()
			delete(r.objects, o.key)
		}
	case "BOOKMARK":
		if initialEnd {
			q.initial, r.listed = false, true
		}
	default: // an ERROR
		return
	}
	r.rv = cmp.Or(o.rv, r.rv)
}

// madeID is the first id of a request that is made.
const madeID = 1 << 32

// write writes what is remembered, as it was at the time from.
func (b *base) write(w *trace.Writer, from int64) error {
	begun := slices.SortedFunc(maps.Values(b.underWay), func(x, y []byte) int {
		p, q := split(x), split(y)
		return cmp.Or(cmp.Compare(p.t, q.t), cmp.Compare(p.id, q.id))
	})
	for _, line := range begun {
		if err := w.Raw(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return err
		}
	}
	for _, line := range append(slices.Clone(b.remarks), sorted(b.sites)...) {
		if rest, ok := trace.WithoutStamp([]byte(strings.TrimSuffix(line, "\n"))); ok {
			if err := w.Restamped(from, 0, 0, rest); err != nil {
				return err
			}
		}
	}
	if b.missing > 0 {
		if err := w.Mark(from, "the recorder had no room for the names of all objects: "+strconv.Itoa(b.missing)+" objects are missing at least"); err != nil {
			return err
		}
	}
	for i, r := range b.readers {
		if err := b.writeReader(w, from, madeID+2*int64(i), r); err != nil {
			return err
		}
	}
	return nil
}

// writeReader writes a list of what the reader had, the pages that it has of the next list, and the
// request that is under way.
func (b *base) writeReader(w *trace.Writer, t, id int64, r *baseReader) error {
	if r.listed {
		p, _ := trace.ParsePath(r.asked)
		detail := p.Resource
		if p.Group != "" {
			detail += "." + p.Group
		}
		if err := w.Remark(t, trace.Remark{ID: trace.BaseMade, Count: int64(len(r.objects)), Detail: detail}); err != nil {
			return err
		}
		if err := r.writeList(w, t, id, r.objects, ""); err != nil {
			return err
		}
	}
	if r.pages != nil {
		if err := r.writeList(w, t, id+1, r.pages, r.token); err != nil {
			return err
		}
	}
	q := r.busy
	if q == nil {
		return nil
	}
	link := q.url
	if q.watch && r.listed {
		link = fromVersion(q.url, r.rv)
	}
	if err := errors.Join(w.BaseRequest(t, q.id, link), r.about(w, t, q.id)); err != nil || q.resp == nil {
		return err
	}
	rest, ok := trace.WithoutStamp(bytes.TrimSuffix(q.resp, []byte("\n")))
	if !ok {
		return nil
	}
	if err := w.Restamped(t, q.id, 0, rest); err != nil || !q.watch || r.listed {
		return err
	}
	for _, o := range sorted(r.objects) {
		if err := w.EventOf(t, q.id, "ADDED", r.object(o)); err != nil {
			return err
		}
	}
	return nil
}

// about writes who started the informer, and how large its objects were, after the request of that id.
func (r *baseReader) about(w *trace.Writer, t, id int64) error {
	if rest, ok := trace.WithoutStamp(bytes.TrimSuffix(r.started, []byte("\n"))); ok {
		if err := w.Restamped(t, id, 0, rest); err != nil {
			return err
		}
	}
	if r.sizes.Objects == 0 {
		return nil
	}
	return w.Sizes(t, id, r.sizes)
}

// weigh counts an object that came as JSON, of so many bytes.
func (q *baseRequest) weigh(n int) {
	if q.whole {
		s := &q.reader.sizes
		s.Objects, s.Bytes, s.JSON = s.Objects+1, s.Bytes+int64(n), true
	}
}

// writeList writes a list, or its pages up to the one with the token.
func (r *baseReader) writeList(w *trace.Writer, t, id int64, objects map[string]identity, token string) error {
	for _, err := range []error{
		w.BaseRequest(t, id, r.asked),
		r.about(w, t, id),
		w.ResponseAt(t, id, trace.LevelMetadata, 200, "application/json", ""),
		w.Body(t, id, r.body(objects, token)),
		w.End(t, id, "eof", "", nil),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// fromVersion returns the URL of a watch that goes on from a list, whatever it began from.
func fromVersion(link, rv string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	query := u.Query()
	query.Del("sendInitialEvents")
	query.Del("resourceVersionMatch")
	query.Set("resourceVersion", rv)
	u.RawQuery = query.Encode()
	return u.String()
}

// body returns a list of objects.
func (r *baseReader) body(objects map[string]identity, token string) []byte {
	out := append([]byte(nil), '{')
	if r.kind != "" {
		out = append(jsonscan.AppendString(append(out, `"kind":`...), r.kind+"List"), ',')
	}
	if r.apiVersion != "" {
		out = append(jsonscan.AppendString(append(out, `"apiVersion":`...), r.apiVersion), ',')
	}
	out = jsonscan.AppendString(append(out, `"metadata":{"resourceVersion":`...), r.rv)
	if token != "" {
		out = jsonscan.AppendString(append(out, `,"continue":`...), token)
	}
	out = append(out, `},"items":[`...)
	for i, o := range sorted(objects) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, `{"metadata":`...), o.meta...), '}')
	}
	return append(out, "]}"...)
}

// object returns one object, as a watch sends it.
func (r *baseReader) object(o identity) []byte {
	out := jsonscan.AppendString([]byte(`{"kind":`), r.kind)
	out = jsonscan.AppendString(append(out, `,"apiVersion":`...), r.apiVersion)
	return append(append(append(out, `,"metadata":`...), o.meta...), '}')
}
