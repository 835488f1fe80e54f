//go:build js && wasm

package main

import (
	"bytes"
	"io"

	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/wasm/link"
)

// smallestPart returns a function that writes a part of the recording that convert
// writes. The part is kept in memory, since it is written several times and is
// small.
func smallestPart(l *link.Least, convert func(io.Writer) error) (write func(io.Writer) error, err error) {
	from := func(line func([]byte)) error { return convert(lines(line)) }
	part, err := excerpt.Of(from, &l.Plan, excerpt.Content(l.Content))
	return func(w io.Writer) error {
		for _, line := range part {
			if _, err := w.Write(append(line[:len(line):len(line)], '\n')); err != nil {
				return err
			}
		}
		return nil
	}, err
}

// lines is called with each line that is written, without its end.
type lines func([]byte)

func (f lines) Write(b []byte) (int, error) {
	f(bytes.TrimSuffix(b, []byte{'\n'}))
	return len(b), nil
}
