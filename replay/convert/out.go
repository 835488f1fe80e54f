package convert

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// errStopped is returned by a writer that wants no more.
var errStopped = errors.New("stopped")

// resource is what a request of the trace asks for.
type resource struct {
	group, version, resource string
	kind                     string // of its objects
	namespace                string // "" for all
	query                    string // more of the request's query, such as "labelSelector=app%3Dweb"
}

// resourceOf guesses the resource from a kind of object, as discovery would tell
// it (meta.UnsafeGuessKindToResource).
func resourceOf(apiVersion, kind string) resource {
	r := resource{version: apiVersion, resource: trace.Plural(kind), kind: kind}
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		r.group, r.version = group, version
	}
	if r.version == "" {
		r.version = "v1"
	}
	return r
}

func (r resource) apiVersion() string {
	if r.group == "" {
		return r.version
	}
	return r.group + "/" + r.version
}

// url is the request for it, with more of a query.
func (r resource) url(query string) string {
	path := "/api/" + r.version
	if r.group != "" {
		path = "/apis/" + r.group + "/" + r.version
	}
	if r.namespace != "" {
		path += "/namespaces/" + r.namespace
	}
	path += "/" + r.resource
	query = strings.Trim(query+"&"+r.query, "&")
	if query != "" {
		path += "?" + query
	}
	return path
}

// asked is r without what only names its objects.
func (r resource) asked() resource {
	r.kind = ""
	return r
}

// out writes what a converter finds, as if a recorder had seen it come over the
// wire. Its time is the capture's: set by at or offset, or moved on by space.
type out struct {
	sink   io.Writer // gets one line with each call
	broken error     // that sink gave
	header trace.Header
	w      *trace.Writer
	start  time.Time // of t
	timed  bool      // the input has times, even if it isn't known when they began
	t      int64
	ids    int64
	open   map[resource]*stream
	last   struct { // of open, which was looked up last
		r resource
		s *stream
	}
	body []byte
}

// stream is what is open of a resource.
type stream struct {
	id int64  // of the watch, 0 for none
	rv string // the newest resourceVersion
}

// begin writes the header, which can't be changed after that.
func (o *out) begin() error {
	if o.w != nil {
		return nil
	}
	if !o.start.IsZero() {
		o.header.Start = o.start.UTC().Format(time.RFC3339Nano)
	}
	if o.header.Recorder == "" {
		o.header.Recorder = "informerscope convert"
	}
	var err error
	o.w, err = trace.NewWriter(guard{o}, o.header)
	return err
}

// at sets the clock to a moment of the real world. The first one is the trace's
// start; none goes back.
func (o *out) at(t time.Time) {
	if o.start.IsZero() && o.w == nil {
		o.start = t
	}
	o.t = max(o.t, int64(t.Sub(o.start)))
}

// offset sets the clock to nanoseconds since the start.
func (o *out) offset(ns int64) { o.t = max(o.t, ns) }

// since sets the clock to nanoseconds after a moment that isn't known.
func (o *out) since(ns int64) {
	o.timed = true
	o.offset(ns)
}

// space moves the clock of a capture without times on, to the next event.
func (o *out) space() {
	if o.timed || !o.start.IsZero() {
		return // it has times
	}
	if o.w == nil {
		o.header.Spaced = true
		return
	}
	o.t += Spacing
}

// guard keeps the sink's error, so that it isn't taken for an error of the input.
type guard struct{ o *out }

func (g guard) Write(line []byte) (int, error) {
	n, err := g.o.sink.Write(line)
	g.o.broken = cmp.Or(g.o.broken, err)
	return n, err
}

func (o *out) stream(r resource) *stream {
	k := r.asked()
	if o.last.s != nil && o.last.r == k {
		return o.last.s
	}
	s := o.open[k]
	if s == nil {
		if o.open == nil {
			o.open = map[resource]*stream{}
		}
		s = &stream{}
		o.open[k] = s
	}
	o.last.r, o.last.s = k, s
	return s
}

// request writes a request with its answer's head, and returns its id.
func (o *out) request(url string, status int) (int64, error) {
	if err := o.begin(); err != nil {
		return 0, err
	}
	o.ids++
	if err := o.w.Request(o.t, o.ids, "GET", url); err != nil {
		return 0, err
	}
	return o.ids, o.w.Response(o.t, o.ids, status, "application/json", "")
}

// listBody writes a list of r as it came: one page, or a Status.
func (o *out) listBody(r resource, query string, status int, rv string, body []byte) error {
	if err := o.hangUp(r); err != nil {
		return err
	}
	id, err := o.request(r.url(query), status)
	if err != nil {
		return err
	}
	if rv != "" {
		o.stream(r).rv = strings.Clone(rv)
	}
	if err := o.w.Body(o.t, id, body); err != nil {
		return err
	}
	return o.w.End(o.t, id, "eof", "", nil)
}

// list writes a list of r that is made of these objects.
func (o *out) list(r resource, rv string, items [][]byte) error {
	b := appendList(o.body[:0], r, rv)
	b = append(b, bytes.Join(items, []byte{','})...)
	o.body = append(b, "]}"...)
	return o.listBody(r, "", 200, rv, o.body)
}

// appendList appends the beginning of a list, up to its items.
func appendList(b []byte, r resource, rv string) []byte {
	b = append(b, `{"kind":`...)
	b = trace.AppendString(b, r.kind+"List")
	b = append(b, `,"apiVersion":`...)
	b = trace.AppendString(b, r.apiVersion())
	b = append(b, `,"metadata":{"resourceVersion":`...)
	b = trace.AppendString(b, rv)
	return append(b, `},"items":[`...)
}

func emptyList(r resource, rv string) []byte { return append(appendList(nil, r, rv), "]}"...) }

// watch opens a watch of r if none is open. Query is added to the request's.
func (o *out) watch(r resource, query string) (*stream, error) {
	if err := o.begin(); err != nil {
		return nil, err
	}
	s := o.stream(r)
	if s.id != 0 {
		return s, nil
	}
	q := "watch=true"
	if s.rv != "" {
		q += "&resourceVersion=" + s.rv
	}
	var err error
	s.id, err = o.request(r.url(strings.Trim(q+"&"+query, "&")), 200)
	return s, err
}

// event writes a watch event of r, whose object is raw.
func (o *out) event(r resource, typ string, raw []byte) error {
	s, err := o.watch(r, "")
	if err != nil {
		return err
	}
	return o.w.EventOf(o.t, s.id, typ, bytes.TrimSpace(raw))
}

// rawEvent writes a watch event of r as it came.
func (o *out) rawEvent(r resource, raw []byte) error {
	s, err := o.watch(r, "")
	if err != nil {
		return err
	}
	return o.w.Event(o.t, s.id, raw)
}

// hangUp ends r's watch, if one is open, in the server's ordinary way.
func (o *out) hangUp(r resource) error { return o.end(r, "eof", "", nil) }

// end ends r's watch, if one is open. How is trace.Writer.End's.
func (o *out) end(r resource, how, text string, rest []byte) error {
	s := o.stream(r)
	if s.id == 0 {
		return nil
	}
	id := s.id
	s.id = 0
	return o.w.End(o.t, id, how, text, rest)
}

// called writes that a handler of the captured process was called.
func (o *out) called(c trace.Called) error {
	if err := o.begin(); err != nil {
		return err
	}
	return o.w.Call(o.t, c)
}

// mark writes a note.
func (o *out) mark(text string) error {
	if err := o.begin(); err != nil {
		return err
	}
	return o.w.Mark(o.t, text)
}

// finish ends what is open: the recording stops, and what came after it isn't
// known.
func (o *out) finish() error {
	if err := o.begin(); err != nil {
		return err
	}
	var ids []int64
	for _, s := range o.open {
		if s.id != 0 {
			ids = append(ids, s.id)
			s.id = 0
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if err := o.w.End(o.t, id, "recorder-stopped", "", nil); err != nil {
			return err
		}
	}
	return nil
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
