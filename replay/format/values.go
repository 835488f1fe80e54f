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
	reader      jsonscan.Reader
	yielded     bool // one was taken
	byLine      bool // the last object was one line, so the next one is tried as one
	ending      bool // the input has ended
	pos         int  // how far the next object was looked through for its end
	inString    int  // how far a string that begins at pos and has no end yet was looked through
	depth       int  // how deep the object nests at pos
	lost        bool // within an object that is too long: the next one begins a line
	afterDamage bool // on the same line as a damaged object, and after it
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
		if n, lines := jsonscan.EmptyLines(b); n > 0 {
			r.lines += int64(lines)
			v.afterDamage = false
			return n
		}
		if space := len(b) - len(bytes.TrimLeft(b, " \t\r\n")); space > 0 {
			lines := bytes.Count(b[:space], newline)
			r.lines += int64(lines)
			v.afterDamage = v.afterDamage && lines == 0
			return space
		}
		if b[0] == ',' && v.yielded && !v.afterDamage { // between the elements of an array that lacks its brackets
			return 1
		}
		if b[0] != '{' && v.afterDamage { // more of the damaged object, most likely
			r.dropping, v.afterDamage = true, false
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
			r.text = isText(b)
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
		v.pos, v.inString, v.depth, v.byLine, v.afterDamage = 0, 0, 0, true, false
		v.giveUp(r)
		return n
	}
	if len(b) > r.maxLine {
		v.pos, v.inString, v.depth, v.lost = 0, 0, 0, true
		return r.dropLong(b)
	}
	return 0
}

// isText reports whether the line that begins b looks like a prompt, a warning or an entry of a log, and not like a part
// of JSON.
func isText(b []byte) bool {
	const looked = 400
	b = b[:min(len(b), looked)]
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n]
	}
	number := b[0]-'0' <= 9 && bytes.IndexByte(b, ' ') < 0
	if number || bytes.IndexByte([]byte("\"}],:"), b[0]) >= 0 || bytes.Contains(b, []byte(`":`)) {
		return false
	}
	for _, c := range b {
		if c < ' ' && c != '\t' && c != '\r' && c != 0x1b || c == 0x7f {
			return false
		}
	}
	return true
}

// takeLine tries the first line as an object. It returns the line's length if
// that was one, 0 if the line is not complete, and -1 if the object's end must
// be looked for.
func (v *values) takeLine(r *Reader, b []byte) int {
	const patience = 1 << 20 // a longer line's end is looked for while it arrives
	if r.glance {
		if n := v.glance(r.clip(b)); n > 0 {
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
	v.afterDamage = false
	if err := v.decode(value); err != nil {
		r.problem(trace.Damaged, value, err, EventsIn(value))
		v.afterDamage = true
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
		v.yielded = true
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
	if !v.yielded && r.t.ProblemCount >= enough {
		r.err = r.emptyError()
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

// cutOrDamaged returns what is wrong with the last part b of an input: Damaged if it is JSON, and Cut if it isn't whole.
func cutOrDamaged(b []byte) trace.ProblemKind {
	if jsonscan.Valid(b) {
		return trace.Damaged
	}
	return trace.Cut
}

var newline = []byte{'\n'}

type found uint8

const (
	incomplete found = iota // the end is not in b
	ended                   // the object is b[:pos]
	broken                  // the object is not complete, and something else begins at pos
)

// findEnd looks for the end of the object that begins b, going on where it
// stopped when b was shorter. It pairs brackets without looking at their shape.
func (v *values) findEnd(b []byte) found {
	i := v.pos
	defer func() { v.pos = i }()
	for i < len(b) {
		switch b[i] {
		case '"':
			from := max(i+1, v.inString)
			end := jsonscan.StringEndFrom(b, from)
			within := b[from:]
			if end >= 0 {
				within = b[from:end]
			}
			if n := bytes.IndexByte(within, '\n'); n >= 0 { // no JSON string goes over lines
				i, v.inString = from+n+1, 0
				return broken
			}
			if end < 0 {
				v.inString = len(b) // a long string comes in many parts
				return incomplete
			}
			i, v.inString = end, 0
			continue
		case '{', '[':
			v.depth++
		case '}', ']':
			if v.depth--; v.depth == 0 {
				i++
				return ended
			}
		case '\n':
			switch v.beginsAnew(b[i+1:]) {
			case incomplete:
				return incomplete
			case broken:
				i++
				return broken
			}
		}
		i++
	}
	return incomplete
}

// beginsAnew returns broken if the line which begins b, within an object,
// begins another one instead, so that the former must have been cut: an indented
// object doesn't go on with a bracket at the very left, and a watch event isn't
// a part of anything.
func (v *values) beginsAnew(b []byte) found {
	const event = `{"type":"`
	if len(b) > 0 && b[0] != '{' {
		return ended
	}
	n := bytes.IndexByte(b, '\n')
	if n < 0 || n+1 == len(b) {
		if !v.ending {
			return incomplete
		}
		n = len(b)
	}
	line := bytes.TrimRight(b[:n], " \t\r")
	if string(line) == "{" && n+1 < len(b) && (b[n+1] == ' ' || b[n+1] == '\t') {
		return broken
	}
	if bytes.HasPrefix(line, []byte(event)) && v.decode(line) == nil {
		return broken
	}
	return ended
}

// NewSplitter returns a Reader that makes no Trace, but finds one JSON object of
// the input after the other, however they are laid out. It calls add with each
// object that read finds no fault in, and tell with each place that is damaged, or that add
// returns an error for. b lies at offset and begins on that line. add must not keep it.
func NewSplitter(o Options, read func(r *jsonscan.Reader), add func(b []byte, offset, line int64) error, tell func(trace.Problem)) *Reader {
	r := NewReader(o)
	r.bare, r.onProblem = true, tell
	r.parts = newValues(splitter{read, add})
	return r
}

type splitter struct {
	reads func(r *jsonscan.Reader)
	added func(b []byte, offset, line int64) error
}

func (s splitter) read(r *jsonscan.Reader) { s.reads(r) }

func (s splitter) add(b []byte, offset, line int64) error { return s.added(b, offset, line) }

func (s splitter) glance([]byte) int { return 0 }

func (s splitter) complete() {}
