package host

import (
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// effect says what an operation needs, and what it does to the document beside its own work.
type effect uint8

const (
	// anytime: it needs no document.
	anytime effect = 1 << iota
	// touches: the viewer has done something to the document, so the informer shown stays.
	touches
)

// operation is what the host does when the page asks for an operation.
type operation struct {
	name   string // of its link.Op
	effect effect
	ends   schedule.Event // the jobs that these events end, and other work that isn't done yet: Host.prepare
	do     func(id int, op link.Op, files []browser.Input)
}

// row returns the row of an operation of the type Q.
func row[Q link.Op](e effect, ends schedule.Event, do func(id int, q Q)) operation {
	return rowWithFiles(e, ends, func(id int, q Q, _ []browser.Input) { do(id, q) })
}

// rowWithFiles returns the row of an operation with which the page sends files.
func rowWithFiles[Q link.Op](e effect, ends schedule.Event, do func(id int, q Q, files []browser.Input)) operation {
	var none Q
	return operation{link.Name(none), e, ends, func(id int, op link.Op, files []browser.Input) { do(id, op.(Q), files) }}
}
