package trace

import (
	"bytes"
	"encoding/base64"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Writer writes our own format, a line for each call. Times are nanoseconds
// since the start, and must not go back. Raw JSON goes in as it came, without
// newlines. The first error is returned by all later calls.
type Writer struct {
	w      io.Writer
	buf    []byte
	err    error
	mended int64
}

// Mended returns how many of the values to be written were not UTF-8. Each run of
// such bytes was written as the replacement character.
func (x *Writer) Mended() int64 { return x.mended }

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
	x.begin(t, id, "req", `{"method":`)
	x.quote(method)
	x.text("url", url)
	return x.end("}}\n")
}

// BaseRequest writes a request that was sent before the recording begins. What of its answer is not
// in the recording either is written after it, as it is known.
func (x *Writer) BaseRequest(t, id int64, url string) error {
	x.begin(t, id, "req", `{"method":"GET"`)
	x.text("url", url)
	x.flag("base", true)
	return x.end("}}\n")
}

// Response writes that the head of the answer came. retryAfter is the header of
// that name, "" for none.
func (x *Writer) Response(t, id int64, status int, contentType, retryAfter string) error {
	return x.ResponseAt(t, id, "", status, contentType, retryAfter)
}

// LevelMetadata is the level of an answer of whose objects there is only the metadata.
const LevelMetadata = "metadata"

// ResponseAt does what Response does, with how much the objects of the answer have: LevelMetadata, or "" for all.
func (x *Writer) ResponseAt(t, id int64, level string, status int, contentType, retryAfter string) error {
	x.begin(t, id, "resp", `{"status":`)
	x.buf = strconv.AppendInt(x.buf, int64(status), 10)
	x.text("contentType", contentType)
	x.text("retryAfter", retryAfter)
	x.text("level", level)
	return x.end("}}\n")
}

// Event writes a watch event, whose last byte came at t.
func (x *Writer) Event(t, id int64, raw []byte) error {
	x.begin(t, id, "event", "")
	x.raw(raw)
	return x.end("}\n")
}

// EventOf writes the watch event of a type about an object.
func (x *Writer) EventOf(t, id int64, typ string, object []byte) error {
	x.begin(t, id, "event", `{"type":`)
	x.quote(typ)
	x.buf = append(x.buf, `,"object":`...)
	x.raw(object)
	return x.end("}}\n")
}

// Body writes a whole answer: a list, or a Status.
func (x *Writer) Body(t, id int64, raw []byte) error {
	x.begin(t, id, "body", "")
	x.raw(raw)
	return x.end("}\n")
}

// End writes that the answer ended: how is eof, timeout, reset, canceled,
// refused or recorder-stopped. rest is the part of an event that had come by
// then.
func (x *Writer) End(t, id int64, how, text string, rest []byte) error {
	x.begin(t, id, "end", `{"how":`)
	x.quote(how)
	x.text("error", text)
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
	Key       string
	OldRV, RV string
	Took      int64 // nanoseconds, 0 where not known
	Initial   bool
	Tombstone bool
	Panicked  bool // it did not return: it panicked, or ended its goroutine
}

// Call writes that a handler was called.
func (x *Writer) Call(t int64, c HandlerCall) error { return x.call(t, "call", c) }

func (x *Writer) call(t int64, kind string, c HandlerCall) error {
	x.begin(t, c.ID, kind, `{"handler":`)
	x.quote(c.Handler)
	x.text("fn", c.Fn.String())
	x.text("key", c.Key)
	x.text("oldRV", c.OldRV)
	x.text("rv", c.RV)
	x.number("took", c.Took)
	x.flag("initial", c.Initial)
	x.flag("tombstone", c.Tombstone)
	x.flag("panicked", c.Panicked)
	return x.end("}}\n")
}

// Mark writes a note.
func (x *Writer) Mark(t int64, text string) error {
	x.begin(t, 0, "mark", `{"text":`)
	x.quote(text)
	return x.end("}}\n")
}

// Log writes what the recorded process logged.
func (x *Writer) Log(t int64, level Level, text string) error {
	x.begin(t, 0, "mark", `{"text":`)
	x.quote(text)
	x.text("log", string(level))
	return x.end("}}\n")
}

// Remark writes what must be known to read the trace rightly.
func (x *Writer) Remark(t int64, r Remark) error {
	x.begin(t, 0, "remark", `{"id":`)
	x.quote(r.ID)
	x.number("count", r.Count)
	x.text("detail", r.Detail)
	return x.end("}}\n")
}

// Problem writes that a place could not be read when a capture was converted.
func (x *Writer) Problem(t int64, p Problem) error {
	x.begin(t, 0, "problem", `{"kind":`)
	x.quote(string(p.Kind))
	x.number("line", p.Line)
	x.number("offset", p.Offset)
	x.text("reason", p.Why.Error())
	x.number("lost", p.Lost)
	if why := AppendFault(nil, p.Why); why != nil {
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
	x.buf = append(x.buf, `{"t":`...)
	x.buf = strconv.AppendInt(x.buf, t, 10)
	return x.end("}\n")
}

func (x *Writer) begin(t, id int64, kind, rest string) { x.beginIn(t, id, 0, kind, rest) }

func (x *Writer) beginIn(t, id, in int64, kind, rest string) {
	x.stamp(t, id, in)
	x.buf = append(x.buf, `,"`...)
	x.buf = append(x.buf, kind...)
	x.buf = append(x.buf, `":`...)
	x.buf = append(x.buf, rest...)
}

func (x *Writer) stamp(t, id, in int64) {
	x.buf = append(x.buf, `{"t":`...)
	x.buf = strconv.AppendInt(x.buf, t, 10)
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
