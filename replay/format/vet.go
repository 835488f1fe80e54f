package format

import (
	"bytes"
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/trace"
)

// Span is a part of a chunk: from one index to before another.
type Span struct{ From, To int }

// Vet returns where in a chunk of an input a Reader would find no damage and read what a
// glance reads. It looks at each whole line by itself, so it can be done for a chunk while
// others are read. It leaves out the lines at both ends of the chunk, which may not be whole.
func Vet(chunk []byte) (sound []Span) {
	var v trace.Vetter
	from := bytes.IndexByte(chunk, '\n') + 1
	for from > 0 && from < len(chunk) {
		n := bytes.IndexByte(chunk[from:], '\n') + 1
		if n == 0 {
			break
		}
		if line := chunk[from : from+n]; v.Sound(line) && utf8.Valid(line) {
			if last := len(sound) - 1; last >= 0 && sound[last].To == from {
				sound[last].To += n
			} else {
				sound = append(sound, Span{from, from + n})
			}
		}
		from += n
	}
	return sound
}

// WriteVetted is Write for a chunk that Vet has looked at: sound is what it returned.
func (r *Reader) WriteVetted(chunk []byte, sound []Span) error {
	at := 0
	for _, s := range sound {
		r.Write(chunk[at:s.From]) // returns the same error as the last one
		whole := r.glance
		r.glance = whole || len(r.buf) == 0 // unless the span begins within a value that goes over several lines
		r.Write(chunk[s.From:s.To])
		r.glance = whole
		at = s.To
	}
	return r.Write(chunk[at:])
}
