package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// gap is how many zeros between two segments of data are written rather than left out. A
// segment costs some six bytes that hardly compress, and a run of zeros next to nothing.
const gap = 64

// What https://webassembly.github.io/spec/core/binary/modules.html calls them.
const (
	preamble     = 8 // bytes
	dataSection  = 11
	countSection = 12
	i32Const     = 0x41
	end          = 0x0b
)

// segment is what a program has in memory from an address on when it starts.
type segment struct {
	address uint64
	data    []byte
}

var errNoModule = errors.New("the program is no WebAssembly module as Go's linker writes it")

// joinSegments returns the program with fewer segments of data. Go's linker leaves out each
// run of zeros and so writes 100 000 segments, which are a fifteenth of the program as it is
// sent. Memory is zero at first, so what the program finds there stays the same.
func joinSegments(program []byte) ([]byte, error) {
	if len(program) < preamble {
		return nil, errNoModule
	}
	out := bytes.Clone(program[:preamble])
	for rest := program[preamble:]; len(rest) > 0; {
		id, r := rest[0], &reader{left: rest[1:]}
		body := r.take(r.number())
		if r.failed || id == countSection {
			return nil, errNoModule
		}
		if id == dataSection {
			segments, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			body = appendSegments(nil, join(segments))
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(body))), body...)
		rest = r.left
	}
	return out, nil
}

// readSegments returns the segments of a data section, by their addresses.
func readSegments(section []byte) ([]segment, error) {
	r := &reader{left: section}
	var segments []segment
	for n := r.number(); n > 0 && !r.failed; n-- {
		memory, op := r.number(), r.byte()
		at := r.constant()
		if memory != 0 || op != i32Const || at > math.MaxInt32 || r.byte() != end {
			return nil, errNoModule
		}
		segments = append(segments, segment{at, r.take(r.number())})
	}
	if r.failed || len(r.left) > 0 {
		return nil, errNoModule
	}
	slices.SortFunc(segments, func(a, b segment) int { return cmp.Compare(a.address, b.address) })
	past := uint64(0)
	for _, s := range segments {
		if s.address < past {
			return nil, fmt.Errorf("two segments of data have something for address %d", s.address)
		}
		past = s.address + uint64(len(s.data))
	}
	return segments, nil
}

// join makes one segment of those between which there are at most gap bytes.
func join(segments []segment) []segment {
	var out []segment
	for _, s := range segments {
		if n := len(out); n > 0 {
			last := &out[n-1]
			if between := s.address - last.address - uint64(len(last.data)); between <= gap {
				last.data = append(append(last.data, make([]byte, between)...), s.data...)
				continue
			}
		}
		out = append(out, segment{s.address, bytes.Clone(s.data)})
	}
	return out
}

// appendSegments appends a data section's body to b.
func appendSegments(b []byte, segments []segment) []byte {
	b = binary.AppendUvarint(b, uint64(len(segments)))
	for _, s := range segments {
		b = append(b, 0, i32Const)
		if b = binary.AppendUvarint(b, s.address); b[len(b)-1]&0x40 != 0 { // a constant has a sign
			b[len(b)-1] |= 0x80
			b = append(b, 0)
		}
		b = append(b, end)
		b = append(binary.AppendUvarint(b, uint64(len(s.data))), s.data...)
	}
	return b
}

// reader reads a module. It has failed when something is missing.
type reader struct {
	left   []byte
	failed bool
}

func (r *reader) byte() byte {
	b := r.take(1)
	if r.failed {
		return 0
	}
	return b[0]
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.left)
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.left = r.left[size:]
	return n
}

// constant reads a number that has a sign, and fails where that is a minus.
func (r *reader) constant() uint64 {
	before := r.left
	n := r.number()
	if size := len(before) - len(r.left); size > 0 && before[size-1]&0x40 != 0 {
		r.failed = true
	}
	return n
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.left)) || r.failed {
		r.failed = true
		return nil
	}
	b := r.left[:n]
	r.left = r.left[n:]
	return b
}
