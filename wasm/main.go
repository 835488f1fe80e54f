//go:build js && wasm

// Command wasm is the page's program. It runs twice, from one compiled module:
// on the page it keeps the model and draws the view; in a worker it reads
// traces and runs the engine. For a large file it runs in other workers, too,
// which glance at parts of the file for the engine's worker.
package main

import (
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/wasm/dom"
)

func main() {
	switch dom.Role() {
	case "engine":
		worker()
	case "digest":
		dom.Digests(new(format.Digester).Append)
	default:
		dom.After(0, func() { newPage() }) // Go has just started, which took a task of its own
	}
	select {} // the browser calls from now on
}
