package format

import (
	"bytes"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// values is all formats that are JSON objects one after the other: one a line,
// without newlines between them, or each over many lines. A part is an object,
// or the space between.
type values struct {
	taker
	reader   jsonscan.Reader
	some     bool // one was taken
	byLine   bool // the last object was one line, so the next one is tried as one
	ending   bool // the input has ended
	pos      int  // how far the next object was looked through for its end
	inString int  // how far a string that begins at pos and has no end yet was looked through
	depth    int  // how deep the object nests at pos
	lost     bool // within an object that is too long: the next one begins a line
	behind   bool // on the same line as a damaged object, and after it
}

// logsBegin begins the log of a container in what kubectl cluster-info dump prints.
var logsBegin = []byte("==== START logs for container ")

// taker is what is done with the objects.
type taker interface {
	// read reads an object.
	read(r *jsonscan.Reader)
	// glance is read for the line that begins b, if there is one that Options.Glance
	// speaks of. It returns its length, as trace.Event.Glance does, or 0.
	glance(b []byte) int
	// add takes the object last read, from b, which lies at offset and begins
	// on that line. An error says that nothing can be done with the object.
	add(b []byte, offset, line int64) error
	// complete is called when no more will come.
	complete()
}

func newValues(t taker) *values { return &values{taker: t, byLine: true} }

func (v *values) take(r *Reader, b []byte) int {
	if v.lost {
		if b[0] != '{' {
			r.dropping = true
			return r.takeOne(b)
		}
		v.lost = false
	}
	if v.pos == 0 {
		if space := len(b) - len(bytes.TrimLeft(b, " \t\r\n")); space > 0 {
			lines := bytes.Count(b[:space], newline)
			r.lines += int64(lines)
			v.behind = v.behind && lines == 0
			return space
		}
		if b[0] != '{' && v.behind { // more of the damaged object, most likely
			r.dropping, v.behind = true, false
			return r.takeOne(b)
		}
		if len(b) < len(logsBegin) && !v.ending && bytes.HasPrefix(logsBegin, b) {
			return 0
		}
		if bytes.HasPrefix(b, logsBegin) && !r.bare {
			r.err = Foreign{fault.Plain("containerLogs")}
			return len(b)
		}
		if b[0] != '{' {
			n := r.drop(b, trace.Damaged, fault.Plain("noJSONObject"))
			v.giveUp(r)
			return n
		}
		if v.byLine && !v.ending {
			if n := v.takeLine(r, b); n >= 0 {
				return n
			}
		}
	}
	switch v.findEnd(b) {
	case ended:
		if v.pos <= r.maxLine {
			return v.takeValue(r, b)
		}
	case broken:
		n := v.pos
		lines := int64(bytes.Count(b[:n], newline))
		r.report(trace.Damaged, r.offset+int64(n)-1, r.lines+lines,
			fault.Number("objectCut byte", r.offset), EventsIn(b[:n]))
		r.lines += lines
		v.pos, v.inString, v.depth, v.byLine, v.behind = 0, 0, 0, true, false
		v.giveUp(r)
		return n
	}
	if len(b) > r.maxLine {
		v.pos, v.inString, v.depth, v.lost = 0, 0, 0, true
		return r.dropLong(b)
	}
	return 0
}

// takeLine tries the first line as an object. It returns the line's length if
// that was one, 0 if the line is not complete, and -1 if the object's end must
// be looked for.
func (v *values) takeLine(r *Reader, b []byte) int {
	const patience = 1 << 20 // a longer line's end is looked for while it arrives
	if r.glance {
		if n := v.glance(r.within(b)); n > 0 {
			v.add(r, b[:n])
			return r.glancedAt(b, n)
		}
	}
	n := r.line(b)
	if n < 0 && len(b) < patience {
		return 0
	}
	if n < 0 || n > r.maxLine {
		return -1
	}
	line := bytes.TrimRight(b[:n], " \t\r")
	switch {
	case line[len(line)-1] != '}':
		return -1
	case v.decode(line) != nil:
		return -1
	default:
		v.add(r, line)
		v.checkUTF8(r, line)
	}
	r.lines++
	return n + 1
}

// takeValue reads the object that begins b, whose end is found.
func (v *values) takeValue(r *Reader, b []byte) int {
	n := v.pos
	v.pos, v.inString, v.depth = 0, 0, 0
	value := b[:n]
	lines := bytes.Count(value, newline)
	v.behind = false
	if err := v.decode(value); err != nil {
		r.problem(trace.Damaged, value, err, EventsIn(value))
		v.behind = true
		v.giveUp(r)
	} else {
		v.add(r, value)
		v.checkUTF8(r, value)
	}
	r.lines += int64(lines)
	v.byLine = lines == 0 && n < len(b) && b[n] == '\n'
	return n
}

// decode reads an object.
func (v *values) decode(b []byte) error {
	v.reader = jsonscan.NewReader(b)
	v.read(&v.reader)
	return trace.Misread(v.reader.End())
}

// checkUTF8 does what the Reader's does with b, which was decoded.
func (v *values) checkUTF8(r *Reader, b []byte) {
	if !v.reader.UTF8() {
		r.checkUTF8(b)
	}
}

// add adds the object that was decoded from b.
func (v *values) add(r *Reader, b []byte) {
	err := v.taker.add(b, r.offset, r.lines+1)
	switch err.(type) {
	case nil:
		v.some = true
	case Foreign:
		r.err = err
	default:
		r.report(trace.Strange, r.offset, r.lines+1, err, eventsBefore(b, len(b)))
		v.giveUp(r)
	}
}

// giveUp refuses an input in which nothing but problems was found.
func (v *values) giveUp(r *Reader) {
	const enough = 20
	if !v.some && r.t.ProblemCount >= enough {
		r.err = r.nothing()
	}
}

func (v *values) finish(r *Reader, b []byte) {
	v.ending = true
	for len(b) > 0 && r.err == nil {
		n := r.takeOne(b)
		if n == 0 {
			r.problem(cutOrDamaged(b), b, v.decode(b), EventsIn(b))
			return
		}
		r.offset += int64(n)
		b = b[n:]
	}
}

// cutOrDamaged tells whether the last part b is wrong because it isn't whole.
func cutOrDamaged(b []byte) trace.ProblemKind {
	if jsonscan.Valid(b) {
		return trace.Damaged
	}
	return trace.Cut
}
