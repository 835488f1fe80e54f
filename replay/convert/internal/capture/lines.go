package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
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
	return cmp.Or(stop, closed)
}

// replacement is what bytes that are not UTF-8 become.
var replacement = []byte("\ufffd")

// Lines calls each with one line of the input after the other, without its end.
// What each returns is a problem of that line, unless it is from Fatal. Lines
// that are too long are passed over, and are problems.
func (c *Conversion) Lines(each func(line []byte, offset, number int64) error) error {
	var held []byte
	var offset, number int64
	for {
		number++
		line, err := c.In.ReadSlice('\n')
		size := int64(len(line))
		if errors.Is(err, bufio.ErrBufferFull) {
			held = append(held[:0], line...)
			for errors.Is(err, bufio.ErrBufferFull) {
				line, err = c.In.ReadSlice('\n')
				size += int64(len(line))
				if len(held) <= c.From.Limits.MaxLine {
					held = append(held, line...)
				}
			}
			line = held
		}
		switch {
		case len(line) > c.From.Limits.MaxLine:
			p := trace.Problem{Kind: trace.TooLong, Line: number, Offset: offset, Why: fault.Number("longLine max", int64(c.From.Limits.MaxLine)), Lost: c.From.Form.LostIn(line)}
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
			if f := (FatalError{}); errors.As(e, &f) {
				return f.Err
			}
			if e != nil {
				kind := trace.Damaged
				if err == io.EOF && errors.Is(e, api.ErrNotJSON) { // it has no end
					kind = trace.Cut
				}
				if e := c.Report(trace.Problem{Kind: kind, Line: number, Offset: offset, Why: e, Lost: c.From.Form.LostIn(line)}); e != nil {
					return e
				}
			}
		}
		offset += size
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return c.Problem(trace.Source, number, offset, err)
		}
	}
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
