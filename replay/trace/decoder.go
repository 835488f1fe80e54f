package trace

import (
	"bytes"
	"errors"
	"math"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Version is the newest version of our own format, and the one that is written.
const Version = 1

// Decoder reads our own format, a line at a time, into a Trace.
type Decoder struct {
	t        *Trace
	line     line
	now      int64
	ahead    int64               // by how much it is ahead of the lines' times
	requests map[int64]*exchange // those without an end so far
	last     *exchange           // of the last event, if it is among the requests
	numbered int32               // requests so far
	readers  map[requestKey][]*reader
	callers  map[string]*Resource // by handler: the resource of its last call
	byName   map[callerOf]*Handler
	samples  int               // of all series
	reads    map[CacheRead]int // which of the Trace's CacheReads, by those without N
}

type callerOf struct {
	r    *Resource
	name string
}

// line is any line of the format but the first. Where a kind is absent, its
// pointer is nil; Event and Body say so by an empty type or kind.
type line struct {
	T, ID   int64
	Event   Event
	Req     *reqLine
	Resp    *respLine
	Body    bodyLine
	End     *endLine
	Call    *HandlerCall
	Mark    *markLine
	Series  *seriesLine
	Remark  *Remark
	Problem *Problem
	Edits   bool

	Started    *Started
	Registered *Registered
	CacheRead  *CacheRead
	Sizes      *Sizes
}

func (l *line) reset() {
	l.Event.Reset()
	*l = line{Event: l.Event}
}

// decode reads l from b, which must be JSON.
func (l *line) decode(b []byte) error {
	l.reset()
	r := jsonscan.NewReader(b)
	for name := range r.Fields("t", "id", "event", "req", "resp", "body", "end", "call", "mark", "series", "remark", "problem", "future", "informer", "registered", "read", "sizes") {
		switch name {
		case "t":
			r.Int64(&l.T)
		case "id":
			r.Int64(&l.ID)
		case "event":
			l.Event.Read(&r)
		case "body":
			l.Body.read(&r)
		default:
			if !r.Null() {
				l.readRare(name, &r)
			}
		}
	}
	return Misread(r.End())
}

// readRare reads the value of a line whose kind is rare.
func (l *line) readRare(kind string, r *jsonscan.Reader) {
	switch kind {
	case "req":
		l.Req = readNew(r, &reqLine{})
	case "resp":
		l.Resp = readNew(r, &respLine{})
	case "end":
		l.End = readNew(r, &endLine{})
	case "call":
		l.Call = readNew(r, &HandlerCall{})
	case "mark":
		l.Mark = readNew(r, &markLine{})
	case "series":
		l.Series = &seriesLine{}
		l.Series.read(r)
	case "remark":
		l.Remark = readNew(r, &Remark{})
	case "problem":
		l.Problem = &Problem{}
		l.Problem.read(r)
	case "informer":
		l.Started = readNew(r, &Started{})
	case "registered":
		l.Registered = readNew(r, &Registered{})
	case "read":
		l.CacheRead = readNew(r, &CacheRead{})
	case "sizes":
		l.Sizes = readNew(r, &Sizes{})
	case "future":
		l.Edits = true
		for range r.Fields() {
			continue
		}
	}
}

type reqLine struct {
	Method, URL string
	Base        bool
}

func (l *reqLine) fields(f *fields) {
	f.text("method", &l.Method)
	f.text("url", &l.URL)
	f.flag("base", &l.Base)
}

type respLine struct {
	Status                         int
	ContentType, RetryAfter, Level string
}

func (l *respLine) fields(f *fields) {
	f.int("status", &l.Status)
	f.text("contentType", &l.ContentType)
	f.text("retryAfter", &l.RetryAfter)
	f.text("level", &l.Level)
}

// bodyLine is what a line needs of a list, or of a Status. It is read anew, with its items, when it is known who asked.
type bodyLine struct{ Kind, ResourceVersion string }

func (l *bodyLine) read(r *jsonscan.Reader) {
	for name := range r.Fields("kind", "metadata") {
		if name == "kind" {
			r.Text(&l.Kind)
			continue
		}
		for range r.Fields("resourceVersion") {
			r.Text(&l.ResourceVersion)
		}
	}
}

// present reports whether there is a body. client-go takes a body without a kind for what it has asked for.
func (l *bodyLine) present() bool { return l.Kind != "" || l.ResourceVersion != "" }

type endLine struct{ Reason, Error string }

func (l *endLine) fields(f *fields) {
	f.text("how", &l.Reason)
	f.text("error", &l.Error)
}

func (c *HandlerCall) fields(f *fields) {
	fn := c.Fn.String()
	f.text("handler", &c.Handler)
	f.text("fn", &fn)
	f.text("kind", &c.Kind)
	f.text("key", &c.Key)
	f.text("oldRV", &c.OldRV)
	f.text("rv", &c.RV)
	f.number("took", &c.Duration)
	f.flag("initial", &c.Initial)
	f.flag("tombstone", &c.Tombstone)
	f.flag("panicked", &c.Panicked)
	c.Fn = fnOf(fn)
}

func (x *Remark) fields(f *fields) {
	f.text("id", &x.ID)
	f.number("count", &x.Count)
	f.text("detail", &x.Detail)
}

func (p *Problem) read(r *jsonscan.Reader) {
	var reason string
	var why *writtenError
	for range r.Members() {
		r.StringField("kind", (*string)(&p.Kind))
		r.Int64Field("line", &p.Line)
		r.Int64Field("offset", &p.Offset)
		r.StringField("reason", &reason)
		if r.Is("why") {
			why = readWrittenError(r, 0)
		}
		r.Int64Field("lost", &p.Lost)
	}
	p.Err, p.Lost = why.err(reason, 0), max(p.Lost, 0)
}

// readHeader reads the first line. ok is false where it is not one of ours.
func readHeader(b []byte) (h Header, ok bool, err error) {
	r := jsonscan.NewReader(b)
	for range r.Members() {
		if r.Is("informerscope") {
			var format string
			r.Text(&format)
			ok = format == "trace"
		}
		r.IntField("version", &h.Version)
		r.StringField("start", &h.Start)
		r.StringField("recorder", &h.Recorder)
		r.StringField("server", &h.Server)
		r.StringField("note", &h.Note)
		if r.Is("redacted") {
			h.Redacted = nil
			for range r.Elements() {
				var s string
				r.String(&s)
				h.Redacted = append(h.Redacted, s)
			}
		}
		r.BoolField("truncated", &h.Truncated)
		r.StringField("from", &h.From)
		r.StringField("level", &h.Level)
		if r.Is("times") {
			var s string
			r.Text(&s)
			h.Spaced = s == spaced
		}
	}
	err = Misread(r.End())
	return h, ok && err == nil, err
}

// spaced is the header's word for times that were made up.
const spaced = "spaced"

// IsHeader reports whether b is the first line of our own format, of whatever
// version.
func IsHeader(b []byte) bool {
	_, ok, _ := readHeader(b)
	return ok
}

// NewDecoder reads a header line and returns a Decoder for the lines after it,
// which adds what they say to t. It fails if the format is of a newer version.
func NewDecoder(t *Trace, header []byte) (*Decoder, error) {
	h, _, err := readHeader(header)
	switch {
	case err != nil:
		return nil, err
	case h.Version > Version:
		return nil, fault.New("newerTrace version max", h.Version, Version)
	case h.Version < 1:
		return nil, fault.Plain("noVersion")
	}
	t.Format = "trace"
	if h.From != "" {
		t.Format = h.From
	}
	t.Header, t.NoTimes = h, h.Spaced
	for _, s := range h.Redacted {
		if s == ValuesKept {
			t.AddRemark(Remark{ID: ValuesRemark})
		}
	}
	switch h.From {
	case "", "trace", "watch", "kubectl":
	default:
		t.worked = true
	}
	return &Decoder{
		t: t, requests: map[int64]*exchange{}, readers: map[requestKey][]*reader{},
		callers: map[string]*Resource{}, byName: map[callerOf]*Handler{},
	}, nil
}

// Line reads one line, which lies at offset in the uncompressed input. It keeps
// nothing of b. After an error the next line can be read; the Trace then has
// what the bad line said before the error.
func (d *Decoder) Line(b []byte, offset int64) error {
	if err := d.line.decode(b); err != nil {
		return err
	}
	return d.take(b, offset)
}

// setBack is how far a time must go back, in nanoseconds, before the clock counts as set back.
const setBack = 1_000_000_000

// tick takes note of a line's time. It never goes back. Where a clock was set back, time goes on from there, so that what takes a
// while afterwards does.
func (d *Decoder) tick(t int64) {
	t += d.ahead
	if t < d.now-setBack && d.now < math.MaxInt64/4 {
		d.ahead += d.now - t
		t = d.now
	}
	d.now = max(d.now, t)
	d.t.Now = d.now
}

// take adds what d.line says.
func (d *Decoder) take(b []byte, offset int64) error {
	l := &d.line
	d.tick(l.T)
	switch {
	case l.Event.Type != "":
		return d.event(b, offset, int32(len(b)))
	case l.Req != nil:
		d.request()
	case l.Resp != nil:
		d.response()
	case l.Body.present():
		return d.body(b, offset)
	case l.End != nil:
		d.end()
	case l.Call != nil:
		return d.call(b)
	case l.Mark != nil:
		d.mark(l.Mark)
	case l.Series != nil:
		return d.series(l.Series)
	case l.Remark != nil:
		d.t.AddRemark(*l.Remark)
	case l.Edits:
		if from, to, ok := jsonscan.Field(b, "future"); ok && to-from <= maxEdits {
			d.t.Edits = bytes.Clone(b[from:to])
		}
	case l.Problem != nil: // a problem of the file from which the trace was converted
		d.t.Report(*l.Problem)
	case l.Started != nil || l.Registered != nil || l.CacheRead != nil || l.Sizes != nil:
		d.aboutInformer(l)
	case d.t.OtherLine != nil:
		return d.t.OtherLine(d.now, b)
	}
	return nil
}

const errNoRequest = fault.Plain("noRequest")

// event adds the event of a line of n bytes. It reads the line, b, for an ERROR only.
func (d *Decoder) event(b []byte, offset int64, n int32) error {
	x, err := d.watch()
	if x == nil {
		return err
	}
	x.reader.r.AddEvent(d.now, x.number, &d.line.Event, b, object.Source{Offset: offset, Length: n, Item: -1})
	if rv := d.line.Event.Object.Metadata.ResourceVersion; rv != "" {
		x.reader.rv = x.reader.r.Table.RV(rv)
	}
	return nil
}

// watch returns the exchange whose event the line holds, nil if nobody reads it. Most events belong to the watch of the
// event before.
func (d *Decoder) watch() (*exchange, error) {
	x := d.last
	if x == nil || x.id != d.line.ID {
		if x = d.requests[d.line.ID]; x == nil {
			return nil, errNoRequest
		}
		d.last = x
	}
	if x.reader == nil {
		return nil, nil
	}
	d.open(x)
	return x, nil
}

func (d *Decoder) body(b []byte, offset int64) error {
	x, known := d.requests[d.line.ID]
	if !known {
		return errNoRequest
	}
	from, to, ok := jsonscan.Field(b, "body")
	if x.reader == nil || !ok {
		return nil
	}
	body := b[from:to]
	if d.line.Body.Kind == "Status" || x.status >= 400 {
		s := DecodeStatus(body)
		if s.Kind != "Status" || s.Code == 0 {
			s.Code = x.status
		}
		if x.status >= 400 || s.Status != "Success" {
			d.fail(x, s.Failure(), s.Code, s.Message)
			return nil
		}
	}
	return d.list(x, body, offset+int64(from))
}

// maxHandlers is how many handlers' calls are kept. A process that registers more than that leaks them.
const maxHandlers = 1000

// call keeps a handler's call with the resource that it was about. A call that panicked may be all that is left of its object, as in the last
// megabyte of a recording, so Trace.OtherLine is called with it.
func (d *Decoder) call(b []byte) error {
	c := d.line.Call
	if c.Fn == 0 {
		return nil // a kind of call that is younger than this reader
	}
	if d.callers[c.Handler] == nil && len(d.byName) >= maxHandlers {
		return fault.Plain("manyHandlers")
	}
	r := d.handlerResource(c)
	if r == nil && c.Panicked && d.t.OtherLine != nil {
		return d.t.OtherLine(d.now, b)
	}
	if r == nil {
		return fault.Plain("callOfNothing")
	}
	h := d.byName[callerOf{r, c.Handler}]
	if h == nil {
		h = &Handler{Name: c.Handler}
		d.byName[callerOf{r, c.Handler}] = h
		r.Handlers = append(r.Handlers, h)
	}
	h.Kinds = h.Kinds || c.Kind != "" && c.Kind == r.Kind
	key, _ := r.Table.LookupKey(c.Key)
	h.add(Call{
		ID: d.line.ID, Time: d.now, Duration: c.Duration, OldRV: r.Table.RV(c.OldRV), RV: r.Table.RV(c.RV),
		Key: key, Fn: c.Fn, Initial: c.Initial, Tombstone: c.Tombstone, Panicked: c.Panicked,
	}, r.siblings)
	return nil
}

// handlerResource returns the resource that has an object of the call's kind and key, and prefers the resource of the handler's last call. Older recorders
// wrote no kind. A type of Go may have another name than the kind, and then the key alone tells.
func (d *Decoder) handlerResource(c *HandlerCall) *Resource {
	has := func(r *Resource) bool {
		_, ok := r.Table.LookupKey(c.Key)
		return ok && (c.Kind == "" || c.Kind == r.Kind)
	}
	if r := d.callers[c.Handler]; r != nil && has(r) {
		return r
	}
	for _, r := range d.t.Resources {
		if has(r) {
			d.callers[c.Handler] = r
			return r
		}
	}
	if c.Kind == "" {
		return nil
	}
	return d.handlerResource(&HandlerCall{Handler: c.Handler, Key: c.Key})
}

// exchange is one recorded request and what was answered.
type exchange struct {
	request
	id     int64 // as the lines have it
	number int32 // counted from 1
	reader *reader
	status int
	opened bool // the watch's WatchOpen is recorded
	failed bool
	listed bool

	retryAfter int32 // as in a Record
}

// reader is one reader of a resource: what a reflector asks for, one thing after
// the other.
type reader struct {
	r     *Resource
	busy  *exchange // the exchange that it waits for, or that is being sent to it
	style style     // of its first list
	rv    object.RV // the newest resourceVersion that it was sent
	pages int       // of a list that is not yet complete
	page  string    // the continue token of a page of it that failed, and may be asked for again
}

// request begins an exchange, and finds who asked.
func (d *Decoder) request() {
	req := d.line.Req
	d.numbered++
	x := &exchange{id: d.line.ID, number: d.numbered}
	d.requests[x.id], d.last = x, nil
	if req.Method != "" && req.Method != "GET" {
		return
	}
	q, ok := parseURL(req.URL)
	if !ok {
		return
	}
	q.base = req.Base
	x.request = q
	x.reader = d.reader(q)
	x.reader.busy = x
	if x.reader.style == unknownStyle {
		x.reader.style = q.style()
	}
	x.reader.r.Base = x.reader.r.Base || q.base
	d.resumeList(x.reader, x)
	r := x.reader.r
	if r.Asked, r.Canceled, r.Unanswered = d.now, 0, q.streaming; q.watch {
		x.reader.pages = 0
		return
	}
	if q.continues == "" || x.reader.pages == 0 {
		x.reader.pages = 0
		r.Append(Record{Time: d.now, Request: x.number, Kind: ListBegin, RV: r.Table.RV(q.resourceVersion)})
	}
}

// reader finds who asks. A reader has one request at a time, so one that is busy
// is someone else. Among the others, a watch belongs to the reader that was last
// sent its resourceVersion, and a further page belongs to the reader that has a
// part of the list. A program that reads past its cache asks for lists in another
// style than its informer does.
func (d *Decoder) reader(q request) *reader {
	var idle *reader
	for _, c := range d.readers[q.requestKey] {
		if c.busy != nil || q.style()+c.style == pastCache+reflects {
			continue
		}
		if q.watch && q.resourceVersion != "" && c.rv == c.r.Table.RV(q.resourceVersion) || q.continues != "" && c.pages > 0 {
			return c
		}
		if idle == nil {
			idle = c
		}
	}
	if idle != nil {
		return idle
	}
	c := &reader{r: d.t.NewResource(Resource{
		Group: q.group, Version: q.version, Resource: q.resource, Namespace: q.namespace,
		LabelSelector: q.labelSelector, FieldSelector: q.fieldSelector, Reader: len(d.readers[q.requestKey]) + 1,
	})}
	d.readers[q.requestKey] = append(d.readers[q.requestKey], c)
	return c
}

func (d *Decoder) response() {
	x := d.requests[d.line.ID]
	if x == nil || x.reader == nil {
		return
	}
	x.status, x.retryAfter, x.reader.r.Unanswered = d.line.Resp.Status, retryAfter(d.line.Resp.RetryAfter), false
	if x.watch && x.status < 400 {
		d.open(x)
	}
}

// open records that a watch was accepted, if that isn't recorded yet.
func (d *Decoder) open(x *exchange) {
	if x.opened {
		return
	}
	x.opened = true
	r := x.reader.r
	r.Append(Record{Time: d.now, Request: x.number, Kind: WatchOpen, RV: r.Table.RV(x.resourceVersion), Code: int32(x.status), Streaming: x.streaming, Bookmarks: x.bookmarks})
}

// list reads a page of a list.
func (d *Decoder) list(x *exchange, body []byte, at int64) error {
	if x.watch {
		return fault.Plain("listForWatch")
	}
	if d.line.Body.Kind == "Table" {
		return fault.Plain("tableOfNothing")
	}
	var l List
	if err := l.Decode(body); err != nil {
		return err
	}
	if l.Kind != "" && !strings.HasSuffix(l.Kind, "List") {
		d.otherKind(x, l.Kind)
		return nil
	}
	r := x.reader.r
	bad := r.addItems(d.now, x.number, body, at, &d.line.Event.Object)
	if bad != nil && !errors.As(bad, new(ItemError)) {
		return bad
	}
	if r.Kind == "" {
		r.Kind = strings.Clone(strings.TrimSuffix(l.Kind, "List"))
		if r.Kind != "" && r.apiVersion == "" {
			r.apiVersion = strings.Clone(l.APIVersion)
		}
	}
	x.listed = true
	x.reader.pages++
	if l.Continue != "" {
		return bad
	}
	end := Record{Time: d.now, Request: x.number, Kind: ListEnd, RV: r.Table.RV(l.ResourceVersion)}
	if x.reader.pages > 1 {
		end.Code = int32(x.reader.pages)
	}
	x.reader.pages, x.reader.rv = 0, end.RV
	r.Append(end)
	return bad
}

// otherKind records that a list was answered with a JSON object of another
// kind. A typed client drops that object without an error. It then has a list
// without items and without a resourceVersion.
func (d *Decoder) otherKind(x *exchange, kind string) {
	x.listed = true
	x.reader.pages, x.reader.rv = 0, 0
	r := x.reader.r
	r.Append(Record{Time: d.now, Request: x.number, Kind: ListEnd, Failure: Undecodable, Text: r.text("the answer is of kind " + kind)})
}

// fail records that the list or watch failed. A further page that fails may be
// asked for again, and only then is the list not lost.
func (d *Decoder) fail(x *exchange, f Failure, code int, text string) {
	if x.failed || x.listed {
		return
	}
	x.failed = true
	kind := ListError
	if x.watch {
		kind = WatchError
		if x.opened {
			kind = WatchEnd
		}
	}
	r := x.reader.r
	if kind == ListError && x.reader.pages > 0 {
		x.reader.page, r.keep = x.continues, r.lastList()+1
	}
	r.Append(Record{
		Time: d.now, Request: x.number, Kind: kind, Failure: f, Code: int32(code), Text: r.text(text),
		Streaming: x.streaming && x.watch, RetryAfter: x.retryAfter,
	})
}

// resumeList begins the list resumeList whose last page failed, if the reader asks for that
// page resumeList, with the items that it has. Otherwise the list is lost.
func (d *Decoder) resumeList(c *reader, x *exchange) {
	if c.page == "" {
		return
	}
	if x.continues == c.page {
		r := c.r
		begin := r.Records[r.keep-1-r.Forgotten]
		r.Append(Record{Time: d.now, Request: x.number, Kind: ListBegin, RV: begin.RV})
		for _, item := range r.Records[r.keep-r.Forgotten:] {
			if item.Kind == ListItem {
				r.Append(Record{Time: d.now, Request: x.number, Kind: ListItem, Obj: item.Obj, RV: item.RV})
			}
		}
	} else {
		c.pages = 0
	}
	c.page, c.r.keep = "", 0
}

// end ends an exchange.
func (d *Decoder) end() {
	x := d.requests[d.line.ID]
	if x == nil || x.reader == nil {
		return
	}
	delete(d.requests, d.line.ID)
	d.last = nil
	if x.reader.busy == x {
		x.reader.busy = nil
	}
	e := d.line.End
	if e.Reason == "recorder-stopped" {
		return // it is not known what came after, so a watch stays open
	}
	r := x.reader.r
	if r.Canceled = d.now; e.Reason != "canceled" {
		r.Canceled, r.Unanswered = 0, false
	}
	switch {
	case x.opened && !x.failed:
		failure := NoFailure
		switch e.Reason {
		case "eof", "canceled", "timeout":
			// A watch that runs into the client's time-out ends cleanly.
		case "undecodable":
			failure = Undecodable
		default:
			failure = failureOf(e.Reason, e.Error)
		}
		r.Append(Record{Time: d.now, Request: x.number, Kind: WatchEnd, Failure: failure, Canceled: e.Reason == "canceled", Text: r.text(e.Error)})
	case x.status >= 400:
		d.fail(x, Status{Code: x.status}.Failure(), x.status, e.Error)
	case e.Reason == "canceled":
	case x.status != 0: // the answer was no list, or only a part of one
		d.fail(x, Undecodable, x.status, e.Error)
	default:
		d.fail(x, failureOf(e.Reason, e.Error), 0, e.Error)
	}
}
