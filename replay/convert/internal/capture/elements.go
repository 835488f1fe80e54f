package capture

import (
	"errors"
	"io"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// Elements calls each with the elements of the array that is the field of a
// field of the one JSON object that the input is, one after the other: the
// object as a whole may be larger than what fits. What each returns is a problem
// of that place, unless it is from Fatal.
func (c *Conversion) Elements(outer, inner string, each func(b []byte) error) error {
	s := &scanner{c: c, most: c.From.Limits.MaxLine}
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

// scanner reads JSON byte by byte.
type scanner struct {
	c      *Conversion
	offset int64
	line   int64
	held   []byte // of the string or the element that is read
	most   int
	long   bool // held ends at most, and the element goes on
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
	if len(s.held) < s.most {
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
			err = s.c.Problem(trace.TooLong, line, at, fault.Number("longValue max", int64(s.most)))
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
