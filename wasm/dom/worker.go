//go:build js && wasm

package dom

import "github.com/hack-pad/safejs"

// Role returns what this instance of the program is there for: "page", or in a worker "engine" or "digest".
func Role() string { return text(get(scope(), "role")) }

// Reply answers the page.
func Reply(b []byte) {
	array := construct(safejs.Global(), "Uint8Array", len(b))
	copyOut(array, b)
	call(scope(), "reply", array)
}

// Serve receives the page's requests, each with the files that came with it. Requests
// never overlap. Those that wait already are received before Serve returns.
func Serve(receive func(request []byte, files []*Source)) {
	call(scope(), "serve", function(func(args []safejs.Value) any {
		var files []*Source
		if list := get(args[0], "files"); truthy(list) {
			for i := range integer(get(list, "length")) {
				files = append(files, &Source{blob: index(list, i)})
			}
		}
		receive(bytesOf(get(args[0], "bytes")), files)
		return nil
	}).Value())
}

// Now returns a monotonic clock in nanoseconds.
func Now() int64 { return int64(float(call(get(safejs.Global(), "performance"), "now")) * 1e6) }

// Later calls f after the waiting messages have been received. Long work is
// done in pieces, so that requests come in between.
func Later(f func()) {
	var fn safejs.Func
	fn = function(func([]safejs.Value) any { fn.Release(); f(); return nil })
	call(get(scope(), "source"), "later", fn.Value())
}

// Digests answers each piece of an input by what digest appends to a slice for it.
func Digests(digest func(to, piece []byte) []byte) {
	var piece, made []byte
	call(scope(), "serve", function(func(args []safejs.Value) any {
		n := integer(get(args[0], "length"))
		if cap(piece) < n {
			piece = make([]byte, n)
		}
		copyIn(piece[:n], args[0])
		made = digest(made[:0], piece[:n])
		array := construct(safejs.Global(), "Uint8Array", len(made))
		copyOut(array, made)
		return array
	}).Value())
}
