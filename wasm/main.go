//go:build js && wasm

// Command wasm is the page's program. It runs twice, from one compiled module:
// on the page it keeps the model and draws the view; in a worker it reads
// traces and runs the engine.
package main

import "github.com/informerscope/informerscope/wasm/dom"

func main() {
	if dom.InWorker() {
		worker()
	} else {
		dom.After(0, func() { newPage() }) // Go has just started, which took a task of its own
	}
	select {} // the browser calls from now on
}
