package format

import (
	"bytes"
	"strconv"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// longHeader is more than the first line of our own format can be.
const longHeader = 1 << 20

// peek is how much of the beginning is looked at to name what can't be read.
const peek = 256

// sniff finds out what the input is, from its beginning b. It returns how many
// bytes of b it has taken, or 0 if it needs more. At the input's end there is
// no more.
func (r *Reader) sniff(b []byte, atEnd bool) int {
	if r.offset == 0 && bytes.HasPrefix(b, []byte("\ufeff")) {
		return len("\ufeff")
	}
	if len(b) < peek && b[0] != '{' && !atEnd {
		return 0
	}
	if space := len(b) - len(bytes.TrimLeft(b, " \t\r\n")); space > 0 {
		r.lines += int64(bytes.Count(b[:space], newline))
		return space
	}
	if b[0] != '{' || len(b) > 1 && b[1] == 0 { // the latter may be UTF-16
		r.err = unknown(b[:min(len(b), peek)])
		return len(b)
	}
	n := r.line(b)
	if n < 0 {
		if len(b) < longHeader && !atEnd {
			return 0
		}
		n = len(b)
	}
	if n < longHeader && trace.IsHeader(b[:n]) {
		d, err := trace.NewDecoder(r.t, b[:n])
		r.err, r.parts = err, traceParts{d}
		r.lines++
		return min(n+1, len(b))
	}
	known, undecided := familiar(b)
	if undecided && len(b) < longHeader && !atEnd {
		return 0
	}
	if !known {
		r.err = unknown(b[:min(len(b), peek)])
		return len(b)
	}
	r.parts = newValues(&capture{t: r.t, sources: map[kindOf]*source{}})
	if atEnd {
		return 0
	}
	return r.parts.take(r, b)
}

// familiar reports whether the object that begins b may be one of ours, by the name of
// its first field: other objects can be so large that it takes long to find out in the
// end. It is undecided where that name is not complete yet.
func familiar(b []byte) (known, undecided bool) {
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	if len(b) == 0 {
		return true, true
	}
	name, _, whole := bytes.Cut(b[1:], []byte{'"'})
	switch {
	case b[0] == '\'' || b[0]|0x20-'a' < 26:
		return false, false // a program has printed it in a form of its own
	case b[0] != '"' || bytes.Contains(name, newline):
		return true, false // something else is wrong with it
	case !whole:
		return true, true
	}
	switch string(name) {
	case "type", "object", "kind", "apiVersion", "metadata", "items":
		return true, false
	}
	return false, false
}

// Foreign is the error for an input that this package doesn't read, but that
// others may: package convert knows more.
type Foreign struct{ Err error }

// Error returns the English sentence.
func (f Foreign) Error() string { return f.Err.Error() }

// Fault returns the error with an id.
func (f Foreign) Fault() error { return f.Err }

func unknown(b []byte) error {
	const shown = 40
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n] // the rest may not have come yet
	}
	return Foreign{fault.Named("unknownFormat head", strconv.QuoteToASCII(string(b[:min(len(b), shown)])))}
}

// traceParts is informerscope's own format: a line is a part.
type traceParts struct{ d *trace.Decoder }

func (o traceParts) take(r *Reader, b []byte) int {
	if n, lines := jsonscan.EmptyLines(b); n > 0 {
		r.lines += int64(lines)
		return n
	}
	if r.glance {
		n, err := o.d.Glance(r.clip(b), r.offset)
		if err != nil {
			r.problem(trace.Damaged, b[:n], err, EventsIn(b[:n]))
		}
		if n > 0 {
			return r.glancedAt(b, n)
		}
	}
	n := r.line(b)
	switch {
	case n > r.maxLine || n < 0 && len(b) > r.maxLine:
		return r.dropLong(b)
	case n < 0:
		return 0
	}
	if line := bytes.TrimSpace(b[:n]); len(line) > 0 {
		if err := o.d.Line(b[:n], r.offset); err != nil {
			r.problem(trace.Damaged, line, err, EventsIn(line))
		} else {
			r.checkUTF8(line)
		}
	}
	r.lines++
	return n + 1
}

func (o traceParts) finish(r *Reader, b []byte) {
	if err := o.d.Line(b, r.offset); err != nil {
		r.problem(cutOrDamaged(b), b, err, EventsIn(b))
	} else {
		r.checkUTF8(b)
	}
}
