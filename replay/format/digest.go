package format

import (
	"bytes"
	"encoding/binary"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Digester makes digests of chunks, so that several threads can glance at an input. A Reader takes the digests in the
// place of the chunks. A Digester refers to the last chunk.
//
// A digest is a list of parts. A part has a head, which says for how many bytes of the chunk it stands, and its
// kind. It holds either those bytes, or what a glance has read of each of their lines. Whether a glance is enough
// is decided by the Reader, which knows what came before.
type Digester struct {
	lines     trace.Digester
	to        []byte // the digest
	run       []byte // what was read of the last lines
	ownFormat bool   // they are of our own format
}

// The kinds of parts, in the lowest bits of a head.
const (
	kindBytes  = iota // the bytes themselves
	kindEvents        // lines of watch events
	_
	kindTrace // lines of watch events in our own format

	kindBits  = 2
	headBytes = 4
)

// Append appends the digest of a chunk to a slice. A chunk has less than 1 GB.
func (d *Digester) Append(to, chunk []byte) []byte {
	d.to, d.run = to, d.run[:0]
	from := 0                              // where the part begins that is under way
	at := bytes.IndexByte(chunk, '\n') + 1 // the line there has begun before the chunk, most likely
	if at == 0 {
		at = len(chunk)
	}
	for at < len(chunk) {
		b := chunk[at:]
		n := d.lines.Glance(b)
		if run := len(d.run) > 0; run != (n > 0) || run && d.ownFormat != d.lines.IsTrace() {
			d.end(chunk[from:at])
			from = at
		}
		if n == 0 {
			if n = bytes.IndexByte(b, '\n') + 1; n == 0 {
				n = len(b)
			}
			at += n
			continue
		}
		whole := n + 1
		if b[n] == '\r' {
			whole++
		}
		d.ownFormat = d.lines.IsTrace()
		d.run = d.lines.Append(appendHead(d.run, n<<1|(whole-n-1)))
		at += whole
	}
	d.end(chunk[from:])
	return d.to
}

// end ends the part of the digest that stands for some bytes.
func (d *Digester) end(part []byte) {
	switch {
	case len(part) == 0:
	case len(d.run) == 0:
		d.to = append(appendHead(d.to, len(part)<<kindBits), part...)
	default:
		kind := kindEvents
		if d.ownFormat {
			kind = kindTrace
		}
		d.to = append(appendHead(appendHead(d.to, len(part)<<kindBits|kind), len(d.run)), d.run...)
		d.run = d.run[:0]
	}
}

func appendHead(to []byte, n int) []byte { return binary.LittleEndian.AppendUint32(to, uint32(n)) }

// nextHead returns the number that begins b, and what comes after it.
func nextHead(b []byte) (n int, rest []byte) {
	return int(binary.LittleEndian.Uint32(b)), b[headBytes:]
}

// TakesDigests reports whether the Reader has glanced at lines. If it hasn't, it would ask for the bytes of each digest.
func (r *Reader) TakesDigests() bool { return r.glanced > 0 && r.err == nil && !r.closed }

// WriteDigest does what Write does for the chunk whose digest is b. It keeps no part of b. If it needs bytes that the digest lacks,
// it calls raw, which returns n bytes of the input from an offset on. An error of raw ends the reading.
func (r *Reader) WriteDigest(b []byte, raw func(offset int64, n int) ([]byte, error)) error {
	for len(b) > 0 && r.err == nil && !r.closed {
		var n, size int
		n, b = nextHead(b)
		kind := n & (1<<kindBits - 1)
		n >>= kindBits
		if kind == kindBytes {
			r.Write(b[:n]) // returns the same error as the last one
			b = b[n:]
			continue
		}
		size, b = nextHead(b)
		run := b[:size]
		b = b[size:]
		if r.glance && !r.dropping && len(r.buf) == 0 && n <= r.maxLine {
			switch p := r.parts.(type) {
			case traceParts:
				if kind == kindTrace {
					p.digested(r, run, raw)
					continue
				}
			case *values:
				if c, is := p.taker.(*capture); is && kind == kindEvents && p.pos == 0 && p.byLine && !p.lost && !p.afterDamage && c.t.Format != "" {
					c.digested(r, run)
					p.yielded = true
					continue
				}
			}
		}
		if line, ok := r.reread(raw, r.offset+int64(len(r.buf)), n); ok {
			r.Write(line)
		}
	}
	return r.err
}

// reread returns bytes of the input that a digest stands for.
func (r *Reader) reread(raw func(offset int64, n int) ([]byte, error), offset int64, n int) (b []byte, ok bool) {
	b, err := raw(offset, n)
	if err != nil {
		r.Fail(err)
		r.err = err
	}
	return b, err == nil
}

// nextDigested returns the length n of the line that begins a run of a digest, the length with its line end, and the
// bytes after that head.
func nextDigested(run []byte) (rest []byte, n, whole int) {
	n, rest = nextHead(run)
	return rest, n >> 1, n>>1 + n&1 + 1
}

// passed goes on after a line that was digested.
func (r *Reader) passed(whole int) {
	r.lines++
	r.glanced = max(r.glanced, whole-1)
	r.offset += int64(whole)
}

// digested adds the events of a run.
func (c *capture) digested(r *Reader, run []byte) {
	for len(run) > 0 {
		rest, n, whole := nextDigested(run)
		var g trace.Digested
		g, run = trace.NextDigested(rest)
		// Most objects are of the kind of the last one.
		if s := c.last; s != nil && s.open && s.r.AddAgain(c.time, 0, &g, object.Source{Offset: r.offset, Length: int32(n), Item: -1}) {
			c.time += Spacing
		} else {
			c.value.Unpack(&g)
			c.value.Kind, c.value.APIVersion = "", ""
			c.event(nil, r.offset, int32(n)) // the Digester has left out what is refused
		}
		r.passed(whole)
	}
}

// digested adds the events of a run.
func (o traceParts) digested(r *Reader, run []byte, raw func(offset int64, n int) ([]byte, error)) {
	for len(run) > 0 && r.err == nil {
		rest, n, whole := nextDigested(run)
		var err error
		if run, err = o.d.Digested(rest, r.offset, int32(n)); err != nil {
			if b, ok := r.reread(raw, r.offset, n); ok {
				r.problem(trace.Damaged, b, err, EventsIn(b))
			}
		}
		r.passed(whole)
	}
}
