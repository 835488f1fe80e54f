package main

import (
	"bytes"
	"encoding/binary"
)

// The table of functions that Go's linker writes ("pclntab", runtime.pcHeader): a header, the functions'
// names, the compilation units, the files' names, the tables of values by program counter, and the
// functions themselves, to which an array of two numbers each leads.
const (
	tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08" // since Go 1.20, little-endian, with pointers of 8 bytes
	headerSize = 72
	// Offsets in the header.
	countAt     = 8
	namesAt     = 32
	unitsAt     = 40
	filesAt     = 48
	valuesAt    = 56
	functionsAt = 64
	// Offsets in a function (runtime._func), whose tables by number follow it.
	stackAt      = 16
	fileAt       = 20
	lineAt       = 24
	tablesAt     = 28
	unitAt       = 32
	startAt      = 36
	functionSize = 44
)

// dropLines returns a program whose segments are joined without the files and lines in its table of
// functions, and reports whether it has found that table. They are only printed where a program panics,
// where the names of the functions stay, and they are a twentieth of the program as it is sent. What the
// runtime works with stays: the sizes of frames, the maps of pointers, and which calls were inlined. For a
// function that has no lines, the runtime prints "?:0" (runtime.funcline1).
func dropLines(program []byte) (out []byte, found bool, err error) {
	out, err = changeSegments(bytes.Clone(program), func(segments []segment) []segment {
		for _, s := range segments {
			for rest := s.data; !found; rest = rest[1:] {
				at := bytes.Index(rest, []byte(tableMagic))
				if at < 0 {
					break
				}
				rest = rest[at:]
				found = withoutLines(rest)
			}
		}
		return segments
	})
	return out, found, err
}

// withoutLines changes the table at the beginning of data, and reports whether there is one. Only the values
// by program counter move: those that are kept close up.
func withoutLines(data []byte) bool {
	if len(data) < headerSize {
		return false
	}
	offset := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	names, units, files, values, functions := offset(namesAt), offset(unitsAt), offset(filesAt), offset(valuesAt), offset(functionsAt)
	if names != headerSize || units < names || files < units || values < files || functions < values || functions > uint64(len(data)) {
		return false
	}
	tables := newTables(data[values:functions])
	// All changes are collected first, so that nothing is written where a part of the table isn't understood.
	rest := data[functions:]
	type change struct {
		at    uint32
		value uint32
	}
	var changes []change
	for i := range offset(countAt) {
		if i*8+8 > uint64(len(rest)) {
			return false
		}
		f := binary.LittleEndian.Uint32(rest[i*8+4:])
		if uint64(f)+functionSize > uint64(len(rest)) {
			return false
		}
		n := binary.LittleEndian.Uint32(rest[f+tablesAt:])
		if uint64(f)+functionSize+4*uint64(n) > uint64(len(rest)) {
			return false
		}
		for _, at := range []uint32{fileAt, lineAt, unitAt, startAt} {
			changes = append(changes, change{f + at, 0})
		}
		keep := func(at uint32) bool {
			moved, known := tables.keep(binary.LittleEndian.Uint32(rest[at:]))
			changes = append(changes, change{at, moved})
			return known
		}
		if !keep(f + stackAt) {
			return false
		}
		for k := range n {
			if !keep(f + functionSize + 4*k) {
				return false
			}
		}
	}
	for _, c := range changes {
		binary.LittleEndian.PutUint32(rest[c.at:], c.value)
	}
	clear(data[units:functions])
	copy(data[values:], tables.kept)
	return true
}

// tables are those of values by program counter that are kept.
type tables struct {
	all, kept []byte
	moved     map[uint32]uint32 // where a table is in kept, by where it was in all
}

// newTables are none of those in all. The offset 0 means that there is no table.
func newTables(all []byte) *tables {
	return &tables{all: all, kept: []byte{0}, moved: map[uint32]uint32{0: 0}}
}

// keep returns where the table at is among those that are kept, and reports whether there is one.
func (t *tables) keep(at uint32) (uint32, bool) {
	if moved, is := t.moved[at]; is {
		return moved, true
	}
	size := t.size(at)
	if size == 0 {
		return 0, false
	}
	moved := uint32(len(t.kept))
	t.moved[at] = moved
	t.kept = append(t.kept, t.all[at:int(at)+size]...)
	return moved, true
}

// size returns the length of the table at, in bytes, or 0 if the table has no end. The table is a list of pairs
// (runtime.step): how much a value differs from the last one, and how many program counters have it. A value that
// doesn't differ ends the list.
func (t *tables) size(at uint32) int {
	for left, first := t.all[min(int(at), len(t.all)):], true; ; first = false {
		value, n := binary.Uvarint(left)
		if n <= 0 {
			return 0
		}
		if left = left[n:]; value == 0 && !first {
			return len(t.all) - int(at) - len(left)
		}
		_, n = binary.Uvarint(left)
		if n <= 0 {
			return 0
		}
		left = left[n:]
	}
}
