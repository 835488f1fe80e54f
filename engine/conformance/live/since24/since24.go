// Package since24 is what the modules of client-go v0.24 to v0.26 compile alike: a transformer of a queue.
package since24

import (
	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since23"
	"k8s.io/client-go/tools/cache"
)

// Version is what the comparison needs to know of a version of client-go, by its name.
func Version(name string) live.Version {
	v := since23.Version(name)
	v.NewQueue = func(_ string, key cache.KeyFunc, known cache.KeyListerGetter, replaced bool, x live.Transform) cache.Queue {
		return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: key, KnownObjects: known, EmitDeltaTypeReplaced: replaced, Transformer: x})
	}
	return v
}
