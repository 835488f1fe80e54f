//go:build js && wasm

package dom

import (
	"errors"
	"io"

	"github.com/hack-pad/safejs"
)

// InWorker returns whether this instance is the worker.
func InWorker() bool { return text(get(safejs.Global(), "informerscopeRole")) == "worker" }

// Serve receives the page's requests, each with the file that came with it or
// nil, and returns how to answer. Requests never overlap.
func Serve(receive func(request []byte, file *Source)) (reply func([]byte)) {
	g := safejs.Global()
	port := get(g, "informerscopePort")
	reply = func(b []byte) {
		array := construct(g, "Uint8Array", len(b))
		copyOut(array, b)
		list := construct(g, "Array", get(array, "buffer"))
		call(port, "postMessage", array, list)
	}
	call(g, "informerscopeReady", function(func(args []safejs.Value) any {
		var file *Source
		if files := get(args[0], "files"); truthy(files) {
			file = &Source{blob: index(files, 0)}
		}
		receive(bytesOf(get(args[0], "bytes")), file)
		return nil
	}).Value())
	return reply
}

// Later calls f when the messages that wait have been received: what takes long
// is done in pieces, so that a request can come in between.
func Later(f func()) {
	var fn safejs.Func
	fn = function(func([]safejs.Value) any { fn.Release(); f(); return nil })
	call(get(safejs.Global(), "informerscopeSource"), "later", fn.Value())
}

// Source is a file, or an address, that a trace is read from.
type Source struct {
	blob safejs.Value
	url  string
}

// FromURL is a source at an address, relative to the page's.
func FromURL(url string) *Source { return &Source{url: url} }

// Size is the length of the file as it is, gzipped or not; 0 where that isn't
// known.
func (s *Source) Size() int64 {
	if s.url != "" {
		return 0
	}
	return int64(float(get(s.blob, "size")))
}

// Stream reads the source to its end, unpacked where it is gzipped, and returns
// at once. Chunk gets a piece that is its own, of about 1 MiB, and how many
// bytes of the source have been read; when it returns false, reading ends. Then
// done is told whether the source was gzipped, and what went wrong.
func (s *Source) Stream(chunk func(piece []byte, read int64) bool, done func(zipped bool, err error)) {
	onChunk := function(func(args []safejs.Value) any { return chunk(bytesOf(args[0]), int64(float(args[1]))) })
	var onDone safejs.Func
	onDone = function(func(args []safejs.Value) any {
		onChunk.Release()
		onDone.Release()
		var err error
		if why := text(args[1]); why != "" {
			err = errors.New(why)
		}
		done(truthy(args[0]), err)
		return nil
	})
	reader := get(safejs.Global(), "informerscopeSource")
	if s.url != "" {
		call(reader, "url", s.url, onChunk.Value(), onDone.Value())
		return
	}
	call(reader, "blob", s.blob, onChunk.Value(), onDone.Value())
}

// ReadAt reads from a file, as it is. It implements io.ReaderAt.
func (s *Source) ReadAt(p []byte, off int64) (int, error) {
	if s.url != "" {
		return 0, errors.New("an address can only be read from its beginning")
	}
	array, err := get(safejs.Global(), "informerscopeSource").Call("slice", s.blob, float64(off), float64(off+int64(len(p))))
	if err != nil {
		return 0, err
	}
	n := copy(p, bytesOf(array))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
