// Package since23 is what the modules of client-go v0.23 to v0.26 compile alike: a transformer of an informer without
// handlers to share.
package since23

import (
	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since22"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Version is what the comparison needs to know of a version of client-go, by its name.
func Version(name string) live.Version {
	v := since22.Version(name)
	v.NewPipe = func(h *live.Handler, in cache.Indexers, x live.Transform) (cache.Indexer, cache.Controller) {
		return cache.NewTransformingIndexerInformer(&cache.ListWatch{}, &metav1.PartialObjectMetadata{}, 0, live.CallsBeforeV027{Handler: h}, in, x)
	}
	return v
}
