package trace

import (
	"bytes"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
)

// Version is the newest version of our own format, and the one that is written.
const Version = 1

// Decoder reads our own format, a line at a time, into a Trace.
type Decoder struct {
	t        *Trace
	line     line
	now      int64
	requests map[int64]*exchange // those without an end so far
	last     *exchange           // of the last event, if it is among the requests
	numbered int32               // requests so far
	readers  map[asked][]*reader
	callers  map[string]*Resource // by handler: the resource of its last call
	byName   map[callerOf]*Handler
	samples  int // of all series
}

type callerOf struct {
	r    *Resource
	name string
}

// line is any line of the format but the first. Where a kind is absent, its
// pointer is nil; Event and Body say so by an empty type or kind.
type line struct {
	T     int64     `json:"t"`
	ID    int64     `json:"id"`
	Event Event     `json:"event"`
	Req   *reqLine  `json:"req"`
	Resp  *respLine `json:"resp"`
	Body  bodyLine  `json:"body"`
	End   *endLine  `json:"end"`
	Call  *callLine `json:"call"`
	Mark  *markLine `json:"mark"`

	Series *seriesLine `json:"series"`

	Remark  *remarkLine  `json:"remark"`
	Problem *problemLine `json:"problem"`
	Edits   *struct{}    `json:"future"`
}

func (l *line) reset() {
	l.Event.Reset()
	*l = line{Event: l.Event}
}

type reqLine struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Base   bool   `json:"base"`
}

type respLine struct {
	Status     int    `json:"status"`
	RetryAfter string `json:"retryAfter"`
}

type bodyLine struct {
	Kind     string `json:"kind"`
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
}

// here tells whether there is a body. client-go takes a body without a kind for what it has asked for.
func (b *bodyLine) here() bool { return b.Kind != "" || b.Metadata.ResourceVersion != "" }

type endLine struct {
	How   string `json:"how"`
	Error string `json:"error"`
}

type callLine struct {
	Handler   string `json:"handler"`
	Fn        string `json:"fn"`
	Key       string `json:"key"`
	OldRV     string `json:"oldRV"`
	RV        string `json:"rv"`
	Took      int64  `json:"took"`
	Initial   bool   `json:"initial"`
	Tombstone bool   `json:"tombstone"`
}

type markLine struct {
	Text string `json:"text"`
	Log  string `json:"log"`
}

type remarkLine struct {
	ID     string `json:"id"`
	Count  int64  `json:"count"`
	Detail string `json:"detail"`
}

type problemLine struct {
	Kind   string `json:"kind"`
	Line   int64  `json:"line"`
	Offset int64  `json:"offset"`
	Reason string `json:"reason"`
	Why    *said  `json:"why"`
	Lost   int64  `json:"lost"`
}

type headerLine struct {
	Informerscope string   `json:"informerscope"`
	Version       int      `json:"version"`
	Start         string   `json:"start"`
	Recorder      string   `json:"recorder"`
	Server        string   `json:"server"`
	Note          string   `json:"note"`
	Redacted      []string `json:"redacted"`
	Truncated     bool     `json:"truncated"`
	From          string   `json:"from"`
	Level         string   `json:"level"`
	Times         string   `json:"times"`
}

// spaced is the header's word for times that were made up.
const spaced = "spaced"

// IsHeader tells whether b is the first line of our own format, of whatever
// version.
func IsHeader(b []byte) bool {
	var h headerLine
	return json.Unmarshal(b, &h) == nil && h.Informerscope == "trace"
}

// NewDecoder reads a header line and returns a Decoder for the lines after it,
// which adds what they say to t. It fails if the format is of a newer version.
func NewDecoder(t *Trace, header []byte) (*Decoder, error) {
	var h headerLine
	if err := json.Unmarshal(header, &h); err != nil {
		return nil, DecodeError{err}
	}
	switch {
	case h.Version > Version:
		return nil, fault.New("newerTrace version max", h.Version, Version)
	case h.Version < 1:
		return nil, fault.Plain("noVersion")
	}
	t.Format = "trace"
	if h.From != "" {
		t.Format = h.From
	}
	t.Header = Header{
		Version: h.Version, Start: h.Start, Recorder: h.Recorder, Server: h.Server, Note: h.Note,
		Redacted: h.Redacted, Truncated: h.Truncated, From: h.From, Level: h.Level, Spaced: h.Times == spaced,
	}
	t.NoTimes = t.Header.Spaced
	switch h.From {
	case "", "trace", "watch", "kubectl":
	default:
		t.worked = true
	}
	return &Decoder{
		t: t, requests: map[int64]*exchange{}, readers: map[asked][]*reader{},
		callers: map[string]*Resource{}, byName: map[callerOf]*Handler{},
	}, nil
}

// Line reads one line, which lies at offset in the uncompressed input. It keeps
// nothing of b. After an error the next line can be read; the Trace then has
// what the bad line said before the error.
func (d *Decoder) Line(b []byte, offset int64) error {
	d.line.reset()
	if err := Decode(b, &d.line); err != nil {
		return err
	}
	return d.take(b, offset)
}

// take adds what d.line says.
func (d *Decoder) take(b []byte, offset int64) error {
	l := &d.line
	d.now = max(d.now, l.T)
	d.t.Now = d.now
	switch {
	case l.Event.Type != "":
		return d.event(b, offset, int32(len(b)))
	case l.Req != nil:
		d.request()
	case l.Resp != nil:
		d.response()
	case l.Body.here():
		return d.body(b, offset)
	case l.End != nil:
		d.end()
	case l.Call != nil:
		return d.call()
	case l.Mark != nil:
		d.mark(l.Mark)
	case l.Series != nil:
		return d.series(l.Series)
	case l.Remark != nil:
		d.t.AddRemark(Remark{strings.Clone(l.Remark.ID), l.Remark.Count, strings.Clone(l.Remark.Detail)})
	case l.Edits != nil:
		if from, to, ok := Field(b, "future"); ok && to-from <= maxEdits {
			d.t.Edits = bytes.Clone(b[from:to])
		}
	case l.Problem != nil: // a problem of the file from which the trace was converted
		p := l.Problem
		d.t.Report(Problem{ProblemKind(strings.Clone(p.Kind)), p.Line, p.Offset, p.Why.err(p.Reason, 0), max(p.Lost, 0)})
	case d.t.Others != nil:
		return d.t.Others(d.now, b)
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
	from, to, ok := Field(b, "body")
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

// call keeps a handler's call with the resource that it was about. The format
// doesn't name the resource: it is the one that has such an object.
func (d *Decoder) call() error {
	c := d.line.Call
	fn := FnOf(c.Fn)
	if fn == 0 {
		return nil // a kind of call that is younger than this reader
	}
	r := d.calledFor(c.Handler, c.Key)
	if r == nil {
		return fault.Plain("callOfNothing")
	}
	h := d.byName[callerOf{r, c.Handler}]
	if h == nil {
		name := strings.Clone(c.Handler)
		h = &Handler{Name: name}
		d.byName[callerOf{r, name}] = h
		r.Handlers = append(r.Handlers, h)
	}
	key, _ := r.Table.LookupKey(c.Key)
	h.Calls = append(h.Calls, Call{
		At: d.now, Took: c.Took, OldRV: r.Table.RV(c.OldRV), RV: r.Table.RV(c.RV),
		Key: key, Fn: fn, Initial: c.Initial, Tombstone: c.Tombstone,
	})
	return nil
}

func (d *Decoder) calledFor(handler, key string) *Resource {
	if r := d.callers[handler]; r != nil {
		if _, ok := r.Table.LookupKey(key); ok {
			return r
		}
	}
	for _, r := range d.t.Resources {
		if _, ok := r.Table.LookupKey(key); ok {
			d.callers[strings.Clone(handler)] = r
			return r
		}
	}
	return nil
}
