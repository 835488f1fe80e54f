//go:build js && wasm

package main

import (
	"runtime"

	"github.com/informerscope/informerscope/wasm/dom"
	"github.com/informerscope/informerscope/wasm/host"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
)

// boundAfter is when the heap is bounded, in nanoseconds: that collects garbage once, for which the first step would have to wait.
const boundAfter = 500 * machine.Millisecond

// worker plays the program's other role: it answers the page from beside it.
func worker() {
	h := host.New(surroundings{})
	var ballast []byte
	dom.After(boundAfter, func() { ballast = browser.BoundHeap() })
	dom.Serve(func(request []byte, files []*dom.Source) {
		var inputs []browser.Input
		for _, f := range files {
			inputs = append(inputs, f)
		}
		h.Handle(request, inputs)
		runtime.KeepAlive(ballast)
	})
}

// surroundings are what the host needs of the worker.
type surroundings struct{}

func (surroundings) Send(m []byte)                          { dom.Reply(m) }
func (surroundings) Later(f func())                         { dom.Later(f) }
func (surroundings) Complain(what string)                   { dom.Complain(what) }
func (surroundings) Debug(what string)                      { dom.Debug(what) }
func (surroundings) Now() int64                             { return dom.Now() }
func (surroundings) Fetch(url string) browser.Input         { return dom.FromURL(url) }
func (surroundings) StoreText(text string) browser.Stored   { return dom.FromText(text) }
func (surroundings) Wall() string                           { return dom.Wall() }
func (surroundings) Random() float64                        { return dom.Random() }
func (surroundings) Clusters() []string                     { return dom.Clusters() }
func (surroundings) After(ns int64, f func()) (stop func()) { return dom.After(ns, f) }
func (surroundings) Store() browser.Store                   { return dom.NewStore() }
func (surroundings) Get(url, accept string, a browser.Answer) (stop func()) {
	return dom.Get(url, accept, a.Head, a.Data, a.End)
}

func (surroundings) Convert(files []browser.Bytes, options string) browser.Stored {
	var kept []dom.Blob
	for _, f := range files {
		if k, ok := f.(dom.Blob); ok {
			kept = append(kept, k)
		}
	}
	return dom.Converted(kept, options)
}

func (surroundings) Download(what browser.Bytes, name string, done func(size int64, err error)) {
	if k, ok := what.(dom.Blob); ok {
		dom.Download(k, name, done)
	}
}
