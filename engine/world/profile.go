package world

import (
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
)

// Profile is a set of gates that makes the world one client-go version's.
type Profile = informer.Profile

// Classic is client-go v0.22: DeltaFIFO and HandleDeltas in their first shape.
var Classic = Profile{
	Name:  "classic",
	Queue: fifo.Options{EmitDeltaTypeReplaced: true},
}
