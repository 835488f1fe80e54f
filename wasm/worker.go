//go:build js && wasm

package main

import (
	"runtime"

	"github.com/informerscope/informerscope/wasm/dom"
	"github.com/informerscope/informerscope/wasm/host"
)

// worker is the program's other role: it answers the page from beside it.
func worker() {
	ballast := host.BoundHeap()
	h := host.New(browser{})
	dom.Serve(func(request []byte, files []*dom.Source) {
		var inputs []host.Input
		for _, f := range files {
			inputs = append(inputs, f)
		}
		h.Handle(request, inputs)
		runtime.KeepAlive(ballast)
	})
}

// browser is what the host needs of the worker's surroundings.
type browser struct{}

func (browser) Send(m []byte)                          { dom.Reply(m) }
func (browser) Later(f func())                         { dom.Later(f) }
func (browser) Complain(what string)                   { dom.Complain(what) }
func (browser) Now() int64                             { return dom.Now() }
func (browser) Fetch(url string) host.Input            { return dom.FromURL(url) }
func (browser) Wall() string                           { return dom.Wall() }
func (browser) Random() float64                        { return dom.Random() }
func (browser) Clusters() []string                     { return dom.Clusters() }
func (browser) After(ns int64, f func()) (stop func()) { return dom.After(ns, f) }
func (browser) Store() host.Store                      { return dom.NewStore() }
func (browser) Get(url, accept string, a host.Answer) (stop func()) {
	return dom.Get(url, accept, a.Head, a.Data, a.End)
}

func (browser) Convert(files []host.Bytes, options string) host.Stored {
	var kept []dom.Kept
	for _, f := range files {
		if k, ok := f.(dom.Kept); ok {
			kept = append(kept, k)
		}
	}
	return dom.Converted(kept, options)
}

func (browser) Give(what host.Bytes, name string, done func(size int64, err error)) {
	if k, ok := what.(dom.Kept); ok {
		dom.Give(k, name, done)
	}
}
