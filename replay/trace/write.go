package trace

import (
	"bytes"
	"encoding/base64"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Writer writes our own format, a line for each call. Times are nanoseconds since the start. If a time is earlier than the
// time before it, the Writer writes the time before it. Raw JSON goes in as it came, without newlines. The first error is returned by all later calls.
type Writer struct {
	w      io.Writer
	now    int64 // the time of the last line
	buf    []byte
	err    error
	mended int64
	f      fields // of the line that is written
}

// Mended returns how many of the values to be written were not UTF-8. Each run of
// such bytes was written as the replacement character.
func (x *Writer) Mended() int64 { return x.mended }

// Err returns the first error.
func (x *Writer) Err() error { return x.err }

// Now returns the time of the last line.
func (x *Writer) Now() int64 { return x.now }

// NewWriter writes the header.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	x := &Writer{w: w}
	x.buf = append(x.buf, `{"informerscope":"trace","version":`...)
	x.buf = strconv.AppendInt(x.buf, Version, 10)
	x.text("start", h.Start)
	x.text("recorder", h.Recorder)
	x.text("server", h.Server)
	x.text("note", h.Note)
	if len(h.Redacted) > 0 {
		x.buf = append(x.buf, `,"redacted":[`...)
		for i, s := range h.Redacted {
			if i > 0 {
				x.buf = append(x.buf, ',')
			}
			x.quote(s)
		}
		x.buf = append(x.buf, ']')
	}
	x.flag("truncated", h.Truncated)
	x.text("from", h.From)
	x.text("level", h.Level)
	if h.Spaced {
		x.text("times", spaced)
	}
	return x, x.end("}\n")
}

// Request writes that a request was sent. id names it from then on.
func (x *Writer) Request(t, id int64, method, url string) error {
	return x.request(t, id, reqLine{Method: method, URL: url})
}

// BaseRequest writes a request that was sent before the recording begins. The part of its answer that is not
// in the recording either follows, as far as it is known.
func (x *Writer) BaseRequest(t, id int64, url string) error {
	return x.request(t, id, reqLine{"GET", url, true})
}

func (x *Writer) request(t, id int64, l reqLine) error {
	l.fields(x.begin(t, id, "req"))
	return x.end("}}\n")
}

// Response writes that the head of the answer came. retryAfter is the header of
// that name, "" for none.
func (x *Writer) Response(t, id int64, status int, contentType, retryAfter string) error {
	return x.ResponseAt(t, id, "", status, contentType, retryAfter)
}

// LevelMetadata is the level of an answer if the trace has only the metadata of its objects.
const LevelMetadata = "metadata"

// ResponseAt does what Response does, with how much the objects of the answer have: LevelMetadata, or "" for all.
func (x *Writer) ResponseAt(t, id int64, level string, status int, contentType, retryAfter string) error {
	l := respLine{status, contentType, retryAfter, level}
	l.fields(x.begin(t, id, "resp"))
	return x.end("}}\n")
}

// Event writes a watch event, whose last byte came at t.
func (x *Writer) Event(t, id int64, raw []byte) error {
	x.begin(t, id, "event")
	x.raw(raw)
	return x.end("}\n")
}

// EventOf writes the watch event of a type about an object.
func (x *Writer) EventOf(t, id int64, typ string, object []byte) error {
	x.begin(t, id, "event").text("type", &typ)
	x.buf = append(x.buf, `,"object":`...)
	x.raw(object)
	return x.end("}}\n")
}

// Body writes a whole answer: a list, or a Status.
func (x *Writer) Body(t, id int64, raw []byte) error {
	x.begin(t, id, "body")
	x.raw(raw)
	return x.end("}\n")
}

// End writes that the answer ended: how is eof, timeout, reset, canceled,
// refused or recorder-stopped. rest is the part of an event that had come by
// then.
func (x *Writer) End(t, id int64, how, text string, rest []byte) error {
	l := endLine{how, text}
	l.fields(x.begin(t, id, "end"))
	if len(rest) > 0 {
		x.text("rest", base64.StdEncoding.EncodeToString(rest))
	}
	return x.end("}}\n")
}

// HandlerCall is a handler's call as it is written: Call, in the words of the format.
type HandlerCall struct {
	ID        int64 // of the line, by which lines in the call name it; 0 for none
	Handler   string
	Fn        Fn
	Kind      string // of the object; "" where nobody knows it
	Key       string
	OldRV, RV string
	Duration  int64 // nanoseconds, 0 where not known
	Initial   bool
	Tombstone bool
	Panicked  bool // it did not return: it panicked, or ended its goroutine
}

// Call writes that a handler was called.
func (x *Writer) Call(t int64, c HandlerCall) error { return x.call(t, "call", c) }

// Calling writes that a handler's call has not returned yet. Its Duration is how long the call
// runs by then.
func (x *Writer) Calling(t int64, c HandlerCall) error { return x.call(t, "calling", c) }

func (x *Writer) call(t int64, kind string, c HandlerCall) error {
	c.fields(x.begin(t, c.ID, kind))
	return x.end("}}\n")
}

// Mark writes a note.
func (x *Writer) Mark(t int64, text string) error { return x.Log(t, "", text) }

// Log writes what the recorded process logged.
func (x *Writer) Log(t int64, level Level, text string) error {
	l := markLine{text, string(level)}
	l.fields(x.begin(t, 0, "mark"))
	return x.end("}}\n")
}

// Remark writes what must be known to read the trace rightly.
func (x *Writer) Remark(t int64, r Remark) error {
	r.fields(x.begin(t, 0, "remark"))
	return x.end("}}\n")
}

// Problem writes that a place could not be read when a capture was converted.
func (x *Writer) Problem(t int64, p Problem) error {
	x.begin(t, 0, "problem").text("kind", (*string)(&p.Kind))
	x.number("line", p.Line)
	x.number("offset", p.Offset)
	x.text("reason", p.Err.Error())
	x.number("lost", p.Lost)
	if why := AppendFault(nil, p.Err); why != nil {
		x.buf = append(append(x.buf, `,"why":`...), why...)
	}
	return x.end("}}\n")
}

// Restamped writes a line with another t, id and in. rest is what WithoutStamp returned.
func (x *Writer) Restamped(t, id, in int64, rest []byte) error {
	x.stamp(t, id, in)
	if len(rest) > 1 {
		x.buf = append(x.buf, ',')
	}
	x.buf = append(x.buf, x.utf8(rest)...)
	return x.end("\n")
}

// Raw writes a line of our own format as it is, without its newline.
func (x *Writer) Raw(line []byte) error {
	x.buf = append(x.buf, x.utf8(line)...)
	return x.end("\n")
}

// utf8 returns b as UTF-8.
func (x *Writer) utf8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	x.mended++
	return bytes.ToValidUTF8(b, []byte("\ufffd"))
}

// Tick writes that until t nothing more came.
func (x *Writer) Tick(t int64) error {
	x.stamp(t, 0, 0)
	return x.end("}\n")
}

func (x *Writer) begin(t, id int64, kind string) *fields { return x.beginIn(t, id, 0, kind) }

// beginIn begins a line of a kind, and returns the fields of its value.
func (x *Writer) beginIn(t, id, in int64, kind string) *fields {
	x.stamp(t, id, in)
	x.buf = append(append(append(x.buf, `,"`...), kind...), `":`...)
	x.f = fields{x: x}
	return &x.f
}

func (x *Writer) stamp(t, id, in int64) {
	x.now = max(x.now, t)
	x.buf = append(x.buf, `{"t":`...)
	x.buf = strconv.AppendInt(x.buf, x.now, 10)
	x.number("id", id)
	x.number("in", in)
}

func (x *Writer) end(s string) error {
	x.buf = append(x.buf, s...)
	if x.err == nil {
		_, x.err = x.w.Write(x.buf)
	}
	x.buf = x.buf[:0]
	return x.err
}

func (x *Writer) text(name, s string) {
	if s != "" {
		x.buf = append(x.buf, `,"`+name+`":`...)
		x.quote(s)
	}
}

func (x *Writer) number(name string, n int64) {
	if n != 0 {
		x.buf = append(x.buf, `,"`+name+`":`...)
		x.buf = strconv.AppendInt(x.buf, n, 10)
	}
}

func (x *Writer) flag(name string, is bool) {
	if is {
		x.buf = append(x.buf, `,"`+name+`":true`...)
	}
}

func (x *Writer) quote(s string) { x.buf = jsonscan.AppendString(x.buf, s) }

func (x *Writer) raw(b []byte) {
	b = bytes.TrimSpace(b)
	if jsonscan.Printable(b) { // most are
		x.buf = append(x.buf, b...)
		return
	}
	b = x.utf8(b)
	if bytes.IndexByte(b, '\n') < 0 {
		x.buf = append(x.buf, b...)
		return
	}
	var err error
	if x.buf, err = jsonscan.Compact(x.buf, b); err != nil && x.err == nil {
		x.err = err
	}
}

// fields reads or writes the fields of a line's value. Each type names its fields once, in the order in which they are
// written. The first field is always written, and the others unless they are zero.
type fields struct {
	r         *jsonscan.Reader // nil where they are written
	x         *Writer
	separated bool // the first one was written
}

// Read reads the value of a line as the next value.
func Read(r *jsonscan.Reader, v interface{ fields(f *fields) }) {
	f := fields{r: r}
	for range r.Members() {
		v.fields(&f)
	}
}

// readNew reads v as the next value, and returns it.
func readNew[T interface{ fields(f *fields) }](r *jsonscan.Reader, v T) T {
	Read(r, v)
	return v
}

func (f *fields) text(name string, s *string) {
	if f.r != nil {
		f.r.StringField(name, s)
	} else if f.begin(name, *s == "") {
		f.x.quote(*s)
	}
}

func (f *fields) number(name string, n *int64) {
	if f.r != nil {
		f.r.Int64Field(name, n)
	} else if f.begin(name, *n == 0) {
		f.x.buf = strconv.AppendInt(f.x.buf, *n, 10)
	}
}

func (f *fields) int(name string, n *int) {
	wide := int64(*n)
	f.number(name, &wide)
	*n = int(wide)
}

func (f *fields) flag(name string, is *bool) {
	if f.r != nil {
		f.r.BoolField(name, is)
	} else if f.begin(name, !*is) {
		f.x.buf = strconv.AppendBool(f.x.buf, *is)
	}
}

// begin writes the name of a field, and reports whether its value is to be written.
func (f *fields) begin(name string, zero bool) bool {
	if zero && f.separated {
		return false
	}
	first := byte('{')
	if f.separated {
		first = ','
	}
	f.separated = true
	f.x.buf = append(append(append(f.x.buf, first, '"'), name...), `":`...)
	return true
}

// Edits are a viewer's changes to the run of a trace, in the page. The line after the header
// has them, under the name "future". Only the page reads what they are.

const editsBegin = `{"t":0,"future":`

// maxEdits is how many bytes edits may have.
const maxEdits = 1 << 20

// WithEdits returns a Writer that hands lines on to w, one with each Write, and puts edits
// after the first one. Edits that the lines have already are left out. The edits are an
// object of JSON without line breaks, or "" for none.
func WithEdits(w io.Writer, edits string) io.Writer { return &withEdits{w: w, edits: edits} }

type withEdits struct {
	w     io.Writer
	edits string
	begun bool
}

func (f *withEdits) Write(line []byte) (int, error) {
	if bytes.HasPrefix(line, []byte(editsBegin)) {
		return len(line), nil
	}
	n, err := f.w.Write(line)
	if err == nil && !f.begun && f.edits != "" {
		_, err = f.w.Write([]byte(editsBegin + f.edits + "}\n"))
	}
	f.begun = true
	return n, err
}
