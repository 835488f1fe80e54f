package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/wire"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// chunk is how many bytes of an input are read at a time.
const chunk = 1 << 20

// Values reads one JSON object of the input after the other by read, however they are
// laid out, and calls add with each, as format.NewSplitter does. What add returns is a
// problem of that place, unless it is from Fatal.
func (c *Conversion) Values(read func(r *jsonscan.Reader), add func(b []byte, offset, line int64) error) error {
	var stop error
	r := format.NewSplitter(format.Options{MaxLine: c.From.Limits.MaxLine}, read, func(b []byte, offset, line int64) error {
		if stop != nil {
			return nil
		}
		if c.From.stamps != nil {
			if stop = c.setTime(line); stop != nil {
				return nil
			}
		}
		err := add(b, offset, line)
		if f := (FatalError{}); errors.As(err, &f) {
			stop = f.Err
			return nil
		}
		if c.Passes(err, line, offset) {
			return nil
		}
		return err
	}, func(p trace.Problem) {
		if err := c.Report(p); stop == nil {
			stop = err
		}
	})
	buf := make([]byte, chunk)
	for stop == nil {
		n, err := c.In.Read(buf)
		if refused := r.Write(buf[:n]); refused != nil {
			return cmp.Or(stop, refused)
		}
		if err != nil {
			if err != io.EOF {
				r.Fail(err)
			}
			break
		}
	}
	closed := r.Close()
	if n := r.Passed(); n > 0 && stop == nil {
		stop = c.Remark(trace.LinesBetween, n, "")
	}
	return cmp.Or(stop, closed)
}

// replacement is what bytes that are not UTF-8 become.
var replacement = []byte("\ufffd")

// Lines calls each with one line of the input after the other, without its end.
// What each returns is a problem of that line, unless it is from Fatal. Lines
// that are too long are passed over, and are problems. Empty lines are passed over, and
// counted in c.Empty.
func (c *Conversion) Lines(each func(line []byte, offset, number int64) error) error {
	var held []byte
	var offset, number int64
	for {
		if n, lines := emptyLines(c.In); n > 0 {
			c.In.Discard(n)
			offset, number, c.Empty = offset+int64(n), number+int64(lines), c.Empty+int64(lines)
			continue
		}
		number++
		line, size, err := readLine(c.In, &held, c.From.Limits.MaxLine)
		switch {
		case len(line) > c.From.Limits.MaxLine:
			p := trace.Problem{Kind: trace.TooLong, Line: number, Offset: offset, Err: fault.Number("longLine max", int64(c.From.Limits.MaxLine)), Lost: c.From.Form.LostEvents(line)}
			if e := c.Report(p); e != nil {
				return e
			}
		case len(line) > 0:
			if at := format.NotUTF8(line); at >= 0 {
				if e := c.Problem(trace.Encoding, number, offset+int64(at), format.ErrEncoding); e != nil {
					return e
				}
				line = bytes.ToValidUTF8(line, replacement)
			}
			e := each(bytes.TrimRight(line, "\r\n"), offset, number)
			c.Empty = 0
			if f := (FatalError{}); errors.As(e, &f) {
				return f.Err
			}
			if e != nil {
				kind := trace.Damaged
				if err == io.EOF && errors.Is(e, api.ErrNotJSON) { // it has no end
					kind = trace.Cut
				}
				if e := c.Report(trace.Problem{Kind: kind, Line: number, Offset: offset, Err: e, Lost: c.From.Form.LostEvents(line)}); e != nil {
					return e
				}
			}
		}
		offset += int64(size)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return c.Problem(trace.Source, number, offset, err)
		}
	}
}

// readLine returns the next line of r with its end, and its size in bytes. The line is good until the next call. One that
// is longer than r's buffer is gathered in held: all of it if it has at most as many bytes as most, and otherwise more than these.
func readLine(r *bufio.Reader, held *[]byte, most int) (line []byte, size int, err error) {
	line, err = r.ReadSlice('\n')
	if size = len(line); !errors.Is(err, bufio.ErrBufferFull) {
		return line, size, err
	}
	*held = append((*held)[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.ReadSlice('\n')
		if size += len(line); len(*held) <= most {
			*held = append(*held, line...)
		}
	}
	return *held, size, err
}

// FatalError is an error that ends the conversion.
type FatalError struct{ Err error }

// Error returns the English sentence.
func (f FatalError) Error() string { return f.Err.Error() }

// Fault returns the error that ends it.
func (f FatalError) Fault() error { return f.Err }

// Join returns an error that says all of the errors that are not nil, as errors.Join does; nil
// if there are none.
func Join(errs ...error) (all error) {
	for _, err := range errs {
		switch {
		case err == nil:
		case all == nil:
			all = err
		default:
			all = fault.New("both first second", all, err)
		}
	}
	return all
}

// Fatal makes err, from writing the trace, end the conversion; nil stays nil.
func Fatal(err error) error {
	if err == nil {
		return nil
	}
	return FatalError{err}
}

// Elements calls each with the elements of the array that is the field of a
// field of the one JSON object that the input is, one after the other: the
// object as a whole may be larger than what fits. What each returns is a problem
// of that place, unless it is from Fatal.
func (c *Conversion) Elements(outer, inner string, each func(b []byte) error) error {
	s := &scanner{c: c, maxLine: c.From.Limits.MaxLine}
	depth := 0
	var names [2]string // of the fields that the place is in
	for {
		b, err := s.next()
		if err != nil {
			return s.failed(err)
		}
		switch b {
		case '{', '[':
			if depth++; b == '[' && depth == 3 && names == [2]string{outer, inner} {
				return s.array(each)
			}
		case '}', ']':
			if depth--; depth == 0 {
				return nil
			}
		case '"':
			if err := s.text(); err != nil {
				return s.failed(err)
			}
			if depth == 1 || depth == 2 {
				names[depth-1] = string(s.held[1 : len(s.held)-1])
			}
		}
	}
}

// scanner reads JSON from a stream, byte by byte. Package jsonscan wants all of a value's bytes, and the
// object that Elements reads may be larger than memory: only one element of it is held at a time.
type scanner struct {
	c       *Conversion
	offset  int64
	line    int64
	held    []byte // of the string or the element that is read
	maxLine int
	long    bool // held has maxLine bytes, and the element goes on
}

func (s *scanner) next() (byte, error) {
	b, err := s.c.In.ReadByte()
	if err == nil {
		s.offset++
		if b == '\n' {
			s.line++
		}
	}
	return b, err
}

// failed makes the end of the input, or what keeps it from being read, a problem.
func (s *scanner) failed(err error) error {
	if f := (FatalError{}); errors.As(err, &f) {
		return f.Err
	}
	if err == io.EOF {
		return s.c.Problem(trace.Cut, s.line+1, s.offset, fault.Plain("jsonEndless"))
	}
	return s.c.Problem(trace.Source, s.line+1, s.offset, err)
}

// text reads a string whose opening quote was read, into held.
func (s *scanner) text() error {
	s.held = append(s.held[:0], '"')
	for {
		b, err := s.next()
		if err != nil {
			return err
		}
		s.keep(b)
		switch b {
		case '\\':
			if b, err = s.next(); err != nil {
				return err
			}
			s.keep(b)
		case '"':
			return nil
		}
	}
}

func (s *scanner) keep(b byte) {
	if len(s.held) < s.maxLine {
		s.held = append(s.held, b)
	} else {
		s.long = true
	}
}

// array calls each for the elements that are objects of an array, whose bracket
// was read.
func (s *scanner) array(each func(b []byte) error) error {
	depth, quoted := 0, false
	var at, line int64 // where the element begins
	for {
		b, err := s.next()
		if err != nil {
			return s.failed(err)
		}
		if depth == 0 {
			switch b {
			case '{':
				s.held, s.long, depth = append(s.held[:0], b), false, 1
				at, line = s.offset-1, s.line+1
			case ']':
				return nil
			}
			continue
		}
		s.keep(b)
		switch {
		case b == '\\' && quoted:
			if b, err = s.next(); err != nil {
				return s.failed(err)
			}
			s.keep(b)
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{', b == '[':
			depth++
		case b == '}', b == ']':
			depth--
		}
		if depth > 0 {
			continue
		}
		if s.long {
			err = s.c.Problem(trace.TooLong, line, at, fault.Number("longValue max", int64(s.maxLine)))
		} else if err = each(s.held); err != nil {
			if f := (FatalError{}); errors.As(err, &f) {
				return f.Err
			}
			err = s.c.Problem(trace.Damaged, line, at, err)
		}
		if err != nil {
			return err
		}
	}
}

// Interleaved calls each with the lines of several inputs, as Lines does, in the
// order of what when says of each: text that sorts, "" for a line that stays
// after the one before it.
func (c *Conversion) Interleaved(all []*Source, when func(line []byte) string, each func(line []byte) error) error {
	if len(all) == 1 {
		return c.Lines(func(line []byte, _, _ int64) error { return each(line) })
	}
	var readers []*lineReader
	defer func() {
		for _, r := range readers {
			r.stop()
		}
	}()
	for _, s := range all {
		r := &lineReader{c: &Conversion{From: s, Findings: c.Findings, Several: c.Several, Rest: c.Rest}}
		var err error
		var closer interface{ Close() error }
		if r.c.In, closer, err = s.Open(); err != nil {
			return Named(s.Name, err)
		}
		defer closer.Close()
		r.next, r.stop = iter.Pull(r.lines)
		readers = append(readers, r)
		r.advance(when)
	}
	for {
		var first *lineReader
		for _, r := range readers {
			// What a reader can't read is the common trace's problem.
			c.noted = append(c.noted, r.c.noted...)
			r.c.noted = nil
			if r.line != nil && (first == nil || r.time < first.time) {
				first = r
			}
		}
		if len(c.noted) > 0 {
			if err := c.tellIfBegun(); err != nil {
				return err
			}
		}
		if first == nil {
			for _, r := range readers {
				if r.err != nil {
					return r.err
				}
			}
			return nil
		}
		first.bad = each(first.line)
		if f := (FatalError{}); errors.As(first.bad, &f) {
			return f.Err
		}
		first.advance(when)
	}
}

// lineReader is one of several inputs.
type lineReader struct {
	c    *Conversion
	next func() ([]byte, bool)
	stop func()
	line []byte // nil at the end
	time string
	bad  error // what is wrong with the line
	err  error
}

func (r *lineReader) lines(yield func([]byte) bool) {
	r.err = r.c.Lines(func(line []byte, _, _ int64) error {
		r.bad = nil
		if !yield(line) {
			return Fatal(wire.ErrStopped)
		}
		return r.bad
	})
}

func (r *lineReader) advance(when func(line []byte) string) {
	line, ok := r.next()
	if !ok {
		r.line = nil
		return
	}
	r.line = line
	if line == nil {
		r.line = []byte{}
	}
	if at := when(line); at != "" {
		r.time = strings.Clone(at)
	}
}
