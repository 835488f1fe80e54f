package since36

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// toMetrics is an InformerMetricsProvider.
type toMetrics struct{ *proof.Metrics }

func (m toMetrics) NewQueuedItemMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return m.Named("queuedItems")
}

func (m toMetrics) NewProcessingLatencyMetric(cache.InformerNameAndResource) cache.HistogramMetric {
	return m.Named("processingLatency")
}

func (m toMetrics) NewStoreResourceVersionMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return m.Named("storeResourceVersion")
}

var informers atomic.Int64

// measured makes an informer that has a name: only those have metrics.
func measured(lw *cache.ListWatch, expected runtime.Object, resync time.Duration, in cache.Indexers, m *proof.Metrics) cache.SharedIndexInformer {
	name, err := cache.NewInformerName(fmt.Sprint("informer ", informers.Add(1)))
	if err != nil {
		panic(err)
	}
	return cache.NewSharedIndexInformerWithOptions(lw, expected, cache.SharedIndexInformerOptions{
		ResyncPeriod: resync, Indexers: in, Identifier: name.WithResource(schema.GroupVersionResource{Version: "v1", Resource: "things"}),
		InformerMetricsProvider: toMetrics{m},
	})
}
