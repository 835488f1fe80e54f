//go:build js && wasm

package dom

import (
	"errors"

	"github.com/hack-pad/safejs"
)

// What a live trace needs of the browser: web/worker/live.js.

func liveScope() safejs.Value { return get(scope(), "live") }

// Get asks for an address of the site. It calls head once, data for each part
// of the answer, and end last. The bytes are valid until data returns. The
// returned function gives the request up; nothing is called after that.
func Get(url, accept string, head func(status int, contentType, retryAfter string), data func([]byte), end func(error)) (stop func()) {
	over := false
	onHead := function(func(args []safejs.Value) any {
		if !over {
			head(integer(args[0]), text(args[1]), text(args[2]))
		}
		return nil
	})
	onData := function(func(args []safejs.Value) any {
		if !over {
			data(bytesOf(args[0]))
		}
		return nil
	})
	var onEnd safejs.Func
	release := func() {
		over = true
		onHead.Release()
		onData.Release()
		onEnd.Release()
	}
	onEnd = function(func(args []safejs.Value) any {
		release()
		if why := text(args[0]); why != "" {
			end(errors.New(why))
		} else {
			end(nil)
		}
		return nil
	})
	abort := call(liveScope(), "get", url, accept, onHead.Value(), onData.Value(), onEnd.Value())
	return func() {
		if !over {
			release()
			if _, err := abort.Invoke(); err != nil {
				return // it is over all the same
			}
		}
	}
}

// Clusters returns the addresses of the site at which an API server may be.
func Clusters() (all []string) {
	list := call(liveScope(), "clusters")
	for i := range integer(get(list, "length")) {
		all = append(all, text(index(list, i)))
	}
	return all
}

// Store keeps bytes where the browser may put them on disk.
type Store struct{ store safejs.Value }

// NewStore returns an empty Store.
func NewStore() *Store { return &Store{call(liveScope(), "store")} }

// Append adds b.
func (s *Store) Append(b []byte) {
	array := construct(safejs.Global(), "Uint8Array", len(b))
	copyOut(array, b)
	call(s.store, "append", array)
}

// Size returns the number of bytes.
func (s *Store) Size() int64 { return int64(float(call(s.store, "size"))) }

// ReadAt returns the n bytes at an offset.
func (s *Store) ReadAt(offset int64, n int) ([]byte, error) {
	return slice(s.store, offset, n)
}

// Download gives the bytes to the viewer as a file, gzipped if its name ends in .gz. Done gets
// the size of the file.
func Download(k Blob, name string, done func(size int64, err error)) {
	var fn safejs.Func
	fn = function(func(args []safejs.Value) any {
		fn.Release()
		if why := text(args[1]); why != "" {
			done(0, errors.New(why))
		} else {
			done(int64(float(args[0])), nil)
		}
		return nil
	})
	call(scope(), "give", k.asBlob(), name, fn.Value())
}

// After calls f once, after ns nanoseconds, unless stop is called before.
func After(ns int64, f func()) (stop func()) {
	over := false
	var fn safejs.Func
	fn = function(func([]safejs.Value) any {
		if !over {
			over = true
			fn.Release()
			f()
		}
		return nil
	})
	id := call(safejs.Global(), "setTimeout", fn.Value(), float64(ns)/1e6)
	return func() {
		if !over {
			over = true
			fn.Release()
			call(safejs.Global(), "clearTimeout", id)
		}
	}
}

// Wall returns the time of day in the format of RFC 3339.
func Wall() string { return text(call(construct(safejs.Global(), "Date"), "toISOString")) }

// Random returns a number in [0, 1).
func Random() float64 { return float(call(get(safejs.Global(), "Math"), "random")) }
