//go:build js && wasm

package main

import (
	"runtime/debug"

	"github.com/informerscope/informerscope/wasm/dom"
	"github.com/informerscope/informerscope/wasm/host"
)

// worker is the program's other role: it answers the page from beside it.
func worker() {
	// A WebAssembly instance never gives memory back, so what the collector lets
	// grow stays. There is little here for it to look through: collecting often
	// is cheap.
	debug.SetGCPercent(30)
	b := &browser{}
	h := host.New(b)
	b.reply = dom.Serve(func(request []byte, file *dom.Source) {
		if file == nil {
			h.Handle(request, nil)
			return
		}
		h.Handle(request, file)
	})
}

// browser is what the host needs of the worker's surroundings.
type browser struct{ reply func([]byte) }

func (b *browser) Send(m []byte)               { b.reply(m) }
func (b *browser) Later(f func())              { dom.Later(f) }
func (b *browser) Now() int64                  { return dom.Now() }
func (b *browser) Fetch(url string) host.Input { return dom.FromURL(url) }
