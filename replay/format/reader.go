// Package format reads captures of API traffic, in whatever of the formats it
// knows they are, into a trace.Trace. It tells formats apart by what is in them
// and never by a file's name.
package format

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// MaxLine is how long a line, or a value that goes over several lines, may be
// unless Options say otherwise, in bytes. One list is one such value.
const MaxLine = 64 << 20

// Options of a Reader.
type Options struct {
	MaxLine int // bytes; 0 is the constant MaxLine

	// Glance makes a Reader look only at those parts of watch events that it reads
	// something of, as trace.Event.Glance does. Check finds the damage in the
	// other parts.
	Glance bool

	// OtherLine is Trace.OtherLine.
	OtherLine func(at int64, line []byte) error
}

// Reader takes an uncompressed capture in chunks of any size, and adds what
// each chunk says to its Trace at once. It is not safe for concurrent use.
type Reader struct {
	t       *trace.Trace
	maxLine int
	glance  bool  // see Options
	glanced int   // the length of the longest line that it was enough for
	err     error // the input was refused, for good
	closed  bool
	until   int64 // where Stop was called, and Check ends; 0 for the input's end

	buf       []byte              // the beginning of what is not complete yet
	searched  int                 // how many bytes of buf are known to have no newline
	offset    int64               // where buf begins in the input
	lines     int64               // newlines before offset
	dropping  bool                // the rest of a line
	lost      lostCounter         // in what is dropped
	place     *trace.Problem      // the problem that is dropped; nil where it was reported already
	text      bool                // what is dropped looks like a prompt or a warning, and not like damage
	between   int64               // such lines
	bare      bool                // the Reader makes no Trace
	onProblem func(trace.Problem) // gets all problems; may be nil

	parts parts // of the format; nil until that is known
}

// parts is a format: it takes the input in the parts that it is made of.
type parts interface {
	// take reads the first part of b, which lies at r.offset, and returns its
	// length, or 0 if it is not complete yet.
	take(r *Reader, b []byte) int
	// finish reads what is left, which is no complete part, at the input's end.
	finish(r *Reader, b []byte)
}

// NewReader returns a Reader for one input.
func NewReader(o Options) *Reader {
	if o.MaxLine <= 0 {
		o.MaxLine = MaxLine
	}
	return &Reader{t: &trace.Trace{OtherLine: o.OtherLine}, maxLine: o.MaxLine, glance: o.Glance}
}

// Trace returns what was read so far. It is the same Trace every time.
func (r *Reader) Trace() *trace.Trace { return r.t }

// Passed returns how many lines were passed over between the values, such as a prompt or a warning.
func (r *Reader) Passed() int64 { return r.between }

// ValueOffset returns the offset in the input at which the value begins that the Reader has not read to its end. It has read
// everything before.
func (r *Reader) ValueOffset() int64 { return r.offset }

// Write takes the next bytes. It keeps nothing of chunk. An error means that
// the input can't be read at all, and comes again each time. Places that can't
// be read are Problems of the Trace.
func (r *Reader) Write(chunk []byte) error {
	if r.err != nil || r.closed {
		return r.err
	}
	if len(r.buf) > 0 {
		// The bytes that are held back end at the next newline, most likely. Then
		// only the bytes up to there need be copied.
		n := bytes.IndexByte(chunk, '\n') + 1
		if n == 0 {
			n = len(chunk)
		}
		r.buf = append(r.buf, chunk[:n]...)
		chunk = chunk[n:]
		used := r.take(r.buf)
		if used < len(r.buf) {
			r.buf = append(r.buf, chunk...)
			chunk = nil
			used += r.take(r.buf[used:])
		}
		r.buf = r.buf[:copy(r.buf, r.buf[used:])]
	}
	if len(chunk) > 0 && r.err == nil {
		r.buf = append(r.buf, chunk[r.take(chunk):]...)
	}
	return r.err
}

// Fail reports to the Trace that the input could not be read on, and why: a disk, a network, a
// broken compression. Close must still be called.
func (r *Reader) Fail(why error) {
	r.report(trace.Source, r.offset+int64(len(r.buf)), r.lines+1, why, 0)
}

// Close ends the input. An error means that nothing in it could be read.
func (r *Reader) Close() error {
	if r.closed {
		return r.err
	}
	r.closed = true
	if r.err == nil {
		r.finish()
	}
	if r.err == nil && r.t.Records == 0 && r.t.Header.Version == 0 && !r.bare {
		r.err = r.emptyError()
	}
	r.buf = nil
	r.t.Complete = true
	return r.err
}

// Stop ends the input where nobody wants more of it. What has come of a line or an object
// that is not complete is left out, and is no damage.
func (r *Reader) Stop() {
	if !r.closed {
		r.buf, r.until = nil, r.offset
		r.Close()
	}
}

// take consumes what is complete in b, which lies at r.offset, and returns how
// many bytes that was.
func (r *Reader) take(b []byte) int {
	used := 0
	for used < len(b) && r.err == nil {
		n := r.takeOne(b[used:])
		if n == 0 {
			return used
		}
		used += n
		r.offset += int64(n)
		r.searched = 0
	}
	return used
}

func (r *Reader) takeOne(b []byte) int {
	switch {
	case r.dropping:
		n := bytes.IndexByte(b, '\n') + 1
		if n == 0 {
			r.lost.add(b)
			return len(b)
		}
		r.lost.add(b[:n])
		r.endDrop()
		r.lines++
		return n
	case r.parts == nil:
		return r.sniff(b, false)
	}
	return r.parts.take(r, b)
}

// line returns the length of b's first line without its newline, or -1 if it is
// not complete.
func (r *Reader) line(b []byte) int {
	n := bytes.IndexByte(b[r.searched:], '\n')
	if n < 0 {
		r.searched = len(b)
		return -1
	}
	return r.searched + n
}

// clip returns as much of b as a line may be long.
func (r *Reader) clip(b []byte) []byte { return b[:min(len(b), r.maxLine+1)] }

// glancedAt takes note that a glance was enough for the line that begins b, and
// ends at n. It returns the index after that line.
func (r *Reader) glancedAt(b []byte, n int) int {
	r.lines++
	if b[n] == '\r' {
		n++
	}
	r.glanced = max(r.glanced, n)
	return n + 1
}

// drop skips what begins b to the end of its line, and then reports it.
func (r *Reader) drop(b []byte, kind trace.ProblemKind, why error) int {
	r.place = &trace.Problem{Kind: kind, Line: r.lines + 1, Offset: r.offset, Err: why}
	r.dropping = true
	return r.takeOne(b)
}

// dropLong drops a value that is too long, which may be one event over many lines.
func (r *Reader) dropLong(b []byte) int {
	lost := min(EventsIn(b[:min(len(b), r.maxLine)]), 1)
	r.place = &trace.Problem{Kind: trace.TooLong, Line: r.lines + 1, Offset: r.offset, Err: fault.Number("longValue max", int64(r.maxLine)), Lost: lost}
	r.dropping = true
	return r.takeOne(b)
}

func (r *Reader) endDrop() {
	r.dropping = false
	n := r.lost.count()
	p, text := r.place, r.text && n == 0
	r.place, r.text = nil, false
	switch {
	case p == nil:
	case text:
		r.between++
	default:
		p.Lost = max(p.Lost, n)
		r.addProblem(*p)
	}
}

// finish reads what is left when the input has ended.
func (r *Reader) finish() {
	for used := 0; ; {
		b := r.buf[used:]
		if r.dropping {
			r.endDrop()
			break
		}
		if len(bytes.TrimSpace(b)) == 0 || r.err != nil {
			break
		}
		if r.parts == nil {
			n := r.sniff(b, true)
			r.offset += int64(n)
			used += n
			used += r.take(r.buf[used:])
			continue
		}
		r.parts.finish(r, b)
		break
	}
	if v, ok := r.parts.(*values); ok {
		v.complete()
	}
	if r.between > 0 && !r.bare {
		r.t.AddRemark(trace.Remark{ID: trace.LinesBetween, Count: r.between})
	}
}

// emptyError returns an error that says why the Trace is empty.
func (r *Reader) emptyError() error {
	if len(r.t.Problems) > 0 {
		return r.t.Problems[0]
	}
	if r.offset == 0 {
		return errEmpty
	}
	return fault.Plain("noEvents")
}

const errEmpty = fault.Plain("emptyInput")

func (r *Reader) report(kind trace.ProblemKind, offset, line int64, why error, lost int64) {
	r.addProblem(trace.Problem{Kind: kind, Line: line, Offset: offset, Err: why, Lost: lost})
}

func (r *Reader) addProblem(p trace.Problem) {
	r.t.Report(p)
	if r.onProblem != nil {
		r.onProblem(p)
	}
}

// checkUTF8 takes note of bytes in b, which was read, that are not UTF-8.
func (r *Reader) checkUTF8(b []byte) {
	if at := NotUTF8(b); at >= 0 {
		r.report(trace.Encoding, r.offset+int64(at), r.lines+1+int64(bytes.Count(b[:at], newline)), ErrEncoding, 0)
	}
}

// NotUTF8 returns the index of the first byte of b that is not UTF-8, -1 where there is none.
func NotUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	at := 0
	for {
		c, n := utf8.DecodeRune(b[at:])
		if c == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
}

// ErrEncoding is the error for bytes that are not UTF-8.
const ErrEncoding = fault.Plain("notUTF8")

// problem reports err, which is about b at r.offset, at the byte where it was
// found if that is known. lost is how many events are lost by it.
func (r *Reader) problem(kind trace.ProblemKind, b []byte, err error, lost int64) {
	offset, line := r.offset, r.lines+1
	var syntax *jsonscan.SyntaxError
	switch {
	case !errors.As(err, &syntax):
	case syntax.IsTooDeep():
		kind = trace.TooDeep
	default:
		at := min(syntax.Offset, len(b))
		offset += int64(at)
		line += int64(bytes.Count(b[:at], newline))
	}
	r.report(kind, offset, line, err, lost)
}

// Recent holds what was read of the JSON since it was last told to forget. Its methods but Bytes do nothing for nil.
type Recent struct {
	b    []byte
	from int64 // where b begins in the JSON
}

// Bytes returns a part of the JSON, or nil if it is not there.
func (r *Recent) Bytes(offset int64, length int) []byte {
	i := offset - r.from
	if i < 0 || length <= 0 || i+int64(length) > int64(len(r.b)) {
		return nil
	}
	return r.b[i : i+int64(length)]
}

// Begin drops everything. What is added next stands at a place of the JSON.
func (r *Recent) Begin(from int64) {
	if r != nil {
		*r = Recent{b: r.b[:0], from: from}
	}
}

// Add adds what comes next.
func (r *Recent) Add(b []byte) {
	if r != nil {
		r.b = append(r.b, b...)
	}
}

// Forget drops what is before a place, which may be behind all that was added.
func (r *Recent) Forget(before int64) {
	if r == nil || before <= r.from {
		return
	}
	n := min(before-r.from, int64(len(r.b)))
	r.b = r.b[:copy(r.b, r.b[n:])]
	r.from = before
}
