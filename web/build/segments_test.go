package main

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"testing"
)

// memory is what a program has in its memory when it starts: the bytes that are not zero, by their addresses.
func memory(t *testing.T, program []byte) (image map[uint64]byte, segments int) {
	t.Helper()
	image = map[uint64]byte{}
	for rest := program[preamble:]; len(rest) > 0; {
		id, r := rest[0], &reader{left: rest[1:]}
		body := r.take(r.number())
		if r.failed {
			t.Fatal("the module is cut")
		}
		if rest = r.left; id != dataSection {
			continue
		}
		all, err := readSegments(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			for i, b := range s.data {
				if b != 0 {
					image[s.address+uint64(i)] = b
				}
			}
		}
		segments += len(all)
	}
	return image, segments
}

// module has other sections around a data section.
func module(segments []segment) []byte {
	data := appendSegments(nil, segments)
	b := append([]byte("\x00asm\x01\x00\x00\x00"), 5, 3, 1, 0, 16)
	r := append(append(b, dataSection), 0xff&byte(len(data))|0x80, byte(len(data)>>7)|0x80, byte(len(data)>>14))
	return append(append(r, data...), 0, 2, 1, 'x')
}

// Joining changes nothing of what a program finds in its memory, in whatever order its segments are.
func TestJoinedSegmentsFillTheSameMemory(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var segments []segment
		at := uint64(r.IntN(5000))
		for range 1 + r.IntN(100) {
			data := make([]byte, 1+r.IntN(9))
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			segments = append(segments, segment{at, data})
			at += uint64(len(data)) + uint64(r.IntN(3*gap))
		}
		r.Shuffle(len(segments), func(i, j int) { segments[i], segments[j] = segments[j], segments[i] })
		program := module(segments)
		joined, err := joinSegments(program)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		before, n := memory(t, program)
		after, m := memory(t, joined)
		if !maps.Equal(before, after) {
			t.Fatalf("seed %d: the memory is another one", seed)
		}
		if m > n || n > 20 && m == n {
			t.Errorf("seed %d: of %d segments, %d are left", seed, n, m)
		}
		if !bytes.HasSuffix(joined, []byte{0, 2, 1, 'x'}) {
			t.Errorf("seed %d: the section after the data is lost", seed)
		}
	}
}

// joinSegments returns an error for a module that Go's linker would not write.
func TestSegmentsAreNotGuessed(t *testing.T) {
	good := module([]segment{{8, []byte("ab")}, {16, []byte("cd")}})
	passive := bytes.Clone(good)
	passive[bytes.Index(passive, []byte{0, i32Const, 8})] = 1
	negative := bytes.Clone(good)
	negative[bytes.Index(good, []byte{i32Const, 8})+1] = 0x7f
	for name, program := range map[string][]byte{
		"negative":         negative,
		"empty":            nil,
		"cut":              good[:len(good)-6],
		"passive":          passive,
		"with a count":     append(bytes.Clone(good[:preamble]), countSection, 1, 2),
		"with an overlap":  module([]segment{{8, []byte("abcd")}, {10, []byte("x")}}),
		"beyond its limit": module([]segment{{1 << 31, []byte("x")}}),
	} {
		if _, err := joinSegments(program); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzJoinSegments(f *testing.F) {
	f.Add(module([]segment{{8, []byte("ab")}, {16, []byte("cd")}, {900, []byte("ef")}}))
	f.Fuzz(func(t *testing.T, program []byte) {
		joined, err := joinSegments(program)
		if err != nil {
			return
		}
		if again, err := joinSegments(joined); err != nil || !bytes.Equal(again, joined) {
			t.Fatalf("joined again, it changes: %v", err)
		}
		before, _ := memory(t, program)
		after, _ := memory(t, joined)
		if !maps.Equal(before, after) {
			t.Error("the memory is another one")
		}
	})
}
