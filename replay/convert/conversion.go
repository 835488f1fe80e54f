package convert

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/trace"
)

// conversion is one input, or several of a kind, on the way to be a trace.
type conversion struct {
	out
	*source                  // the input read now
	more     []*source       // the inputs that are read after it
	from     string          // the formats of all of them, as the trace's header says
	in       *bufio.Reader   // source, uncompressed
	remarked map[string]bool // once is enough for most
	sum      *Summary
	noted    []note // before the header was written
	notUTF8  bool   // a problem says that some of the input is not UTF-8

	last   resource // that an object was of
	live   tracker
	dumps  *dumps
	tables tables
	orders map[resource]*trace.Order
}

// note is a remark or a problem.
type note struct {
	remark  trace.Remark
	problem trace.Problem
}

// convert reads the inputs to their end, and ends the trace. One of several that
// can't be read is a problem of the trace.
func (c *conversion) convert() error {
	all := append([]*source{c.source}, c.more...)
	if together := c.form.together; together != nil && len(c.more) > 0 {
		if err := together(c, all); err != nil {
			return err
		}
		all = nil
	}
	for _, s := range all {
		err := c.read(s)
		if err != nil && (len(all) == 1 || c.broken != nil || errors.As(err, new(inflate.LimitError))) {
			return err
		}
		if err != nil {
			if err := c.problem(trace.Source, 0, 0, err.Error()); err != nil {
				return err
			}
		}
		if len(all) > 1 {
			s.Open, s.At = nil, nil // what an archive holds in memory is let go
		}
	}
	if err := c.endDumps(); err != nil {
		return err
	}
	if c.w == nil {
		for _, n := range c.noted {
			if n.remark.ID == "" {
				return n.problem
			}
		}
		return errNothing
	}
	if n := c.w.Mended(); n > 0 && !c.notUTF8 {
		if err := c.problem(trace.Encoding, 0, 0, "there is text in "+itoa(n)+" places that is not UTF-8; such bytes are read as U+FFFD"); err != nil {
			return err
		}
	}
	if err := c.tell(); err != nil {
		return err
	}
	return c.finish()
}

var errNothing = errors.New("there is no list and no watch event in it")

func (c *conversion) read(s *source) error {
	return c.readBy(s, func() error { return s.form.convert(c) })
}

// readBy opens an input as c.in, and reads it by convert.
func (c *conversion) readBy(s *source, convert func() error) error {
	in, closer, err := s.open()
	if err != nil {
		return err
	}
	defer closer.Close()
	if b, _ := in.Peek(3); string(b) == "\ufeff" {
		in.Discard(3)
	}
	c.source, c.in = s, in
	switch l := s.layout; {
	case l.cut:
		err = c.problem(trace.Damaged, 1, 0, "it begins inside something")
	case l.above > 0:
		err = c.remark(LinesAbove, l.lines, "")
	}
	if err != nil {
		return err
	}
	return convert()
}

// remark adds to what must be known about the trace; n counts, 0 for what is
// not counted.
func (c *conversion) remark(id string, n int64, detail string) error {
	if n == 0 {
		if c.remarked == nil {
			c.remarked = map[string]bool{}
		}
		if c.remarked[id+" "+detail] {
			return nil
		}
		c.remarked[id+" "+detail] = true
	}
	c.noted = append(c.noted, note{remark: trace.Remark{ID: id, Count: n, Detail: strings.Clone(detail)}})
	return c.tellIfBegun()
}

// problem reports a place of the input that can't be read. line and offset count in
// the uncompressed input, and are 0 if unknown.
func (c *conversion) problem(kind trace.ProblemKind, line, offset int64, reason string) error {
	return c.report(trace.Problem{Kind: kind, Line: line, Offset: offset, Reason: reason})
}

// report says what is wrong with the input.
func (c *conversion) report(p trace.Problem) error {
	c.notUTF8 = c.notUTF8 || p.Kind == trace.Encoding
	p = c.named(p)
	if c.layout.array {
		p.Line = 0
	}
	c.noted = append(c.noted, note{problem: p})
	return c.tellIfBegun()
}

// named returns p with the name of its input, if there are several.
func (c *conversion) named(p trace.Problem) trace.Problem {
	if len(c.more) > 0 || c.sum != nil && len(c.sum.Formats) > 1 {
		p.Reason = c.Name + ": " + p.Reason
	}
	return p
}

func (c *conversion) tellIfBegun() error {
	switch {
	case c.w != nil, c.dumps != nil && c.dumps.number > 0 && len(c.noted) > trace.MaxProblems:
		return c.tell()
	case len(c.noted) > trace.MaxProblems && len(c.more) == 0:
		return c.noted[0].problem
	}
	return nil
}

// tell writes what was noted.
func (c *conversion) tell() error {
	if len(c.noted) == 0 {
		return nil
	}
	if err := c.begin(); err != nil {
		return err
	}
	for _, n := range c.noted {
		if n.remark.ID != "" {
			c.sum.remark(n.remark)
			if err := c.w.Remark(c.t, n.remark); err != nil {
				return err
			}
			continue
		}
		c.sum.problem(n.problem)
		if err := c.w.Problem(c.t, n.problem); err != nil {
			return err
		}
	}
	c.noted = c.noted[:0]
	return nil
}

// chunk is how many bytes of an input are read at a time.
const chunk = 1 << 20

// values calls decode and add with one JSON object of the input after the other,
// however they are laid out, as format.NewSplitter does. What add returns is a
// problem of that place, unless it is from fatal.
func (c *conversion) values(decode func(b []byte) error, add func(b []byte, offset, line int64) error) error {
	var stop error
	r := format.NewSplitter(format.Options{MaxLine: c.o.MaxLine}, decode, func(b []byte, offset, line int64) error {
		if stop != nil {
			return nil
		}
		if c.stamps != nil {
			if stop = c.setTime(line); stop != nil {
				return nil
			}
		}
		err := add(b, offset, line)
		if f := (fatalError{}); errors.As(err, &f) {
			stop = f.error
			return nil
		}
		return err
	}, func(p trace.Problem) {
		if err := c.report(p); stop == nil {
			stop = err
		}
	})
	buf := make([]byte, chunk)
	for stop == nil {
		n, err := c.in.Read(buf)
		if refused := r.Write(buf[:n]); refused != nil {
			return cmp.Or(stop, refused)
		}
		if err != nil {
			if err != io.EOF {
				r.Fail(err.Error())
			}
			break
		}
	}
	closed := r.Close()
	return cmp.Or(stop, closed)
}

// replacement is what bytes that are not UTF-8 become.
var replacement = []byte("\ufffd")

// lines calls each with one line of the input after the other, without its end.
// What each returns is a problem of that line, unless it is from fatal. Lines
// that are too long are passed over, and are problems.
func (c *conversion) lines(each func(line []byte, offset, number int64) error) error {
	var held []byte
	var offset, number int64
	for {
		number++
		line, err := c.in.ReadSlice('\n')
		size := int64(len(line))
		if errors.Is(err, bufio.ErrBufferFull) {
			held = append(held[:0], line...)
			for errors.Is(err, bufio.ErrBufferFull) {
				line, err = c.in.ReadSlice('\n')
				size += int64(len(line))
				if len(held) <= c.o.MaxLine {
					held = append(held, line...)
				}
			}
			line = held
		}
		switch {
		case len(line) > c.o.MaxLine:
			p := trace.Problem{Kind: trace.TooLong, Line: number, Offset: offset, Reason: "longer than " + itoa(int64(c.o.MaxLine)) + " bytes", Lost: c.form.lostIn(line)}
			if e := c.report(p); e != nil {
				return e
			}
		case len(line) > 0:
			if at := format.NotUTF8(line); at >= 0 {
				if e := c.problem(trace.Encoding, number, offset+int64(at), format.ErrEncoding.Error()); e != nil {
					return e
				}
				line = bytes.ToValidUTF8(line, replacement)
			}
			e := each(bytes.TrimRight(line, "\r\n"), offset, number)
			if f := (fatalError{}); errors.As(e, &f) {
				return f.error
			}
			if e != nil {
				kind := trace.Damaged
				if err == io.EOF && errors.Is(e, errNotJSON) { // it has no end
					kind = trace.Cut
				}
				if e := c.report(trace.Problem{Kind: kind, Line: number, Offset: offset, Reason: e.Error(), Lost: c.form.lostIn(line)}); e != nil {
					return e
				}
			}
		}
		offset += size
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return c.problem(trace.Source, number, offset, err.Error())
		}
	}
}

// fatalError is an error that ends the conversion.
type fatalError struct{ error }

// fatal makes err, from writing the trace, end the conversion; nil stays nil.
func fatal(err error) error {
	if err == nil {
		return nil
	}
	return fatalError{err}
}
