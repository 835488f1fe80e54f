//go:build js && wasm

package dom

import (
	"errors"

	"github.com/hack-pad/safejs"
)

// What a live trace needs of the browser: web/worker/live.js.

func liveScope() safejs.Value { return get(scope(), "live") }

// Get asks for an address of the site, and calls head once, data as often as
// there is more, and end at last. Data is only valid until data returns. The
// function returned gives it up: then nothing more is called.
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

// Clusters are the addresses of the site at which an API server may be.
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

// Size is how many bytes there are.
func (s *Store) Size() int64 { return int64(float(call(s.store, "size"))) }

// ReadAt returns the n bytes at an offset.
func (s *Store) ReadAt(offset int64, n int) ([]byte, error) {
	return slice(s.store, offset, n)
}

// Give sends what is kept to the page, gzipped, for the viewer to have as a file
// of that name, and tells how large that is.
func Give(k Kept, name string, done func(size int64, err error)) {
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

// After calls f once, so many nanoseconds from now, unless it is stopped.
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

// Wall is the time of day, as RFC 3339 writes it.
func Wall() string { return text(call(construct(safejs.Global(), "Date"), "toISOString")) }

// Random is from 0 up to 1.
func Random() float64 { return float(call(get(safejs.Global(), "Math"), "random")) }
