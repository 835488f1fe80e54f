package capture

import (
	"errors"
	"iter"
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/wire"
)

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
		r := &lineReader{c: &Conversion{From: s, Told: c.Told, Several: c.Several, More: c.More}}
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
			if r.line != nil && (first == nil || r.at < first.at) {
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
	at   string
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
		r.at = strings.Clone(at)
	}
}
