//go:build js && wasm

package dom

import (
	"errors"

	"github.com/hack-pad/safejs"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// Source is where a trace is read from: a file, an address, or files that are
// converted.
type Source struct {
	blob    safejs.Value
	url     string
	files   []Blob       // to be converted together
	options string       // what that is to do, a link.Conversion
	opened  safejs.Value // what web/worker/source.js keeps of it: how to stop, and its bytes
	streams safejs.Value // what it keeps of the last stream, which Restream may have begun
	piece   []byte       // reused from piece to piece

	digest func(b []byte, read int64) // gets the digests of pieces: see Spread
}

// FromURL returns the source at an address. A relative address is among this
// version's files.
func FromURL(url string) *Source { return &Source{url: url} }

// FromText returns the source of a text that the program has.
func FromText(text string) *Source {
	return &Source{blob: construct(safejs.Global(), "Blob", []any{text})}
}

// Converted returns the source that the converting program makes of files: one
// trace in our own format.
func Converted(files []Blob, how string) *Source { return &Source{files: files, options: how} }

// Size returns the length of the file as it is stored, or 0 where that isn't
// known. Of an address that is read in parts it is the length once unpacked.
func (s *Source) Size() (size int64) {
	blob := s.blob
	if s.url != "" {
		blob = s.opened
	}
	if len(s.files) == 0 {
		return int64(float(get(blob, "size")))
	}
	for _, f := range s.files {
		size += int64(float(get(f.asBlob(), "size")))
	}
	return size
}

// Stream reads the source to its end, and unpacks it where it is gzipped. It
// returns at once. Chunk gets pieces of up to 4 MB, each valid until chunk
// returns, and how many bytes of the source have been read. End is called last,
// with an error or nil. The returned function stops the reading.
func (s *Source) Stream(chunk func(piece []byte, read int64), end func(error)) (cancel func()) {
	return s.stream(chunk, end, func(onChunk, onEnd safejs.Value) safejs.Value {
		reader := get(scope(), "source")
		switch {
		case s.url != "":
			s.opened = call(reader, "url", s.url, onChunk, onEnd)
		case len(s.files) > 0:
			list := construct(safejs.Global(), "Array")
			for _, f := range s.files {
				call(list, "push", f.asBlob())
			}
			s.opened = call(reader, "converted", list, s.options, onChunk, onEnd)
		default:
			s.opened = call(reader, "blob", s.blob, onChunk, onEnd)
		}
		return s.opened
	})
}

// Restream streams the source once more, in pieces of up to 1 MB. The source must
// have been streamed to its end and settled.
func (s *Source) Restream(chunk func(piece []byte, read int64), end func(error)) (cancel func()) {
	return s.stream(chunk, end, func(onChunk, onEnd safejs.Value) safejs.Value {
		return call(s.opened, "again", onChunk, onEnd)
	})
}

func (s *Source) stream(chunk func(piece []byte, read int64), end func(error), open func(onChunk, onEnd safejs.Value) safejs.Value) (cancel func()) {
	over := false
	onChunk := function(func(args []safejs.Value) any {
		switch {
		case over:
		case len(args) > 2:
			s.digest(s.bytes(args[0]), int64(float(args[1])))
		default:
			chunk(s.bytes(args[0]), int64(float(args[1])))
		}
		return nil
	})
	var onEnd safejs.Func
	onEnd = function(func(args []safejs.Value) any {
		onChunk.Release()
		onEnd.Release()
		if over {
			return nil
		}
		over = true
		switch why := text(args[0]); {
		case why == "":
			end(nil)
		case len(args) > 1: // the converting program knows more of its error than the English
			end(trace.ReadFault([]byte(text(args[1])), why))
		default:
			end(errors.New(why))
		}
		return nil
	})
	opened := open(onChunk.Value(), onEnd.Value())
	s.streams = opened
	return func() {
		over = true
		call(opened, "cancel")
	}
}

func (s *Source) bytes(array safejs.Value) []byte {
	n := integer(get(array, "length"))
	if cap(s.piece) < n {
		s.piece = make([]byte, n)
	}
	copyIn(s.piece[:n], array)
	return s.piece[:n]
}

// Spread makes several workers read on from where the last stream is. Digest gets the digests
// that their programs make of the next pieces: see Digests.
func (s *Source) Spread(digest func(b []byte, read int64)) {
	s.digest = digest
	call(s.streams, "spread")
}

// Hold keeps back the next pieces of the last stream, or lets them come.
func (s *Source) Hold(on bool) { call(s.streams, "hold", on) }

// Settle moves one streamed piece out of the page's memory. It reports whether
// there was one.
func (s *Source) Settle() (moved bool) { return truthy(call(s.opened, "settle")) }

// ReadAt returns n bytes at an offset of the unpacked stream.
func (s *Source) ReadAt(offset int64, n int) ([]byte, error) { return slice(s.opened, offset, n) }

func slice(value safejs.Value, offset int64, n int) ([]byte, error) {
	array, err := value.Call("slice", float64(offset), float64(offset+int64(n)))
	if err != nil {
		return nil, err
	}
	if why := text(array); why != "" {
		return nil, trace.ReadFault([]byte(why), why)
	}
	b := bytesOf(array)
	if len(b) < n {
		return nil, fault.Plain("shorterFile")
	}
	return b, nil
}

// Blob is something whose bytes the browser keeps.
type Blob interface{ asBlob() safejs.Value }

func (s *Source) asBlob() safejs.Value {
	if truthy(s.blob) {
		return s.blob
	}
	return call(s.opened, "blob")
}

func (s *Store) asBlob() safejs.Value { return call(s.store, "blob") }
