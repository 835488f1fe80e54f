// Package metrics is what client-go exports about a run, had the program registered its metrics: the
// seven of each workqueue (workqueue.MetricsProvider) and the three of each informer (from v0.36;
// cache.InformerMetricsProvider). Names, labels and buckets are those with which
// k8s.io/component-base registers them.
//
// An Observer looks at each step of a run. It reads facts and state, and costs the engine nothing.
package metrics

import "strings"

// Type is the type of a metric family in OpenMetrics.
type Type string

// The types of the families.
const (
	Gauge     Type = "gauge"
	Counter   Type = "counter"
	Histogram Type = "histogram"
)

// Family is what is registered under one name.
type Family struct {
	Name    string // with the suffix _total of a counter
	Type    Type
	Help    string
	Buckets []float64 // of a histogram: the upper bounds without +Inf
}

// Seconds reports whether the values are durations, which are exported in seconds.
func (f *Family) Seconds() bool { return strings.HasSuffix(f.Name, "_seconds") }

// OfInformer reports whether the family is an informer's. All others are a workqueue's.
func (f *Family) OfInformer() bool { return f.Name[0] == 'i' }

// Families are all of them, in the order of a file.
var Families = []*Family{
	&QueuedItems, &ProcessingLatency, &StoreResourceVersion,
	&Depth, &Adds, &QueueDuration, &WorkDuration, &UnfinishedWork, &LongestRunning, &Retries,
}

// The families of a workqueue, whose label is name.
var (
	Depth          = Family{"workqueue_depth", Gauge, "Current depth of workqueue", nil}
	Adds           = Family{"workqueue_adds_total", Counter, "Total number of adds handled by workqueue", nil}
	QueueDuration  = Family{"workqueue_queue_duration_seconds", Histogram, "How long in seconds an item stays in workqueue before being requested.", powersOfTen}
	WorkDuration   = Family{"workqueue_work_duration_seconds", Histogram, "How long in seconds processing an item from workqueue takes.", powersOfTen}
	UnfinishedWork = Family{"workqueue_unfinished_work_seconds", Gauge, "How many seconds of work is in progress and not yet observed by work_duration.", nil}
	LongestRunning = Family{"workqueue_longest_running_processor_seconds", Gauge, "How many seconds the longest running processor has been running.", nil}
	Retries        = Family{"workqueue_retries_total", Counter, "Total number of retries handled by workqueue", nil}
)

// The families of an informer, whose labels are name, group, version and resource.
var (
	QueuedItems          = Family{"informer_queued_items", Gauge, "Number of items currently queued in the FIFO.", nil}
	ProcessingLatency    = Family{"informer_processing_latency_seconds", Histogram, "Time taken to process events after popping from the queue.", latencies}
	StoreResourceVersion = Family{"informer_store_resource_version", Gauge, "The 15 least significant digits of the resource version of the store.", nil}
)

var (
	powersOfTen = []float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10}
	latencies   = []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
)

// Observed is the state of a histogram.
type Observed struct {
	Count int64
	Sum   int64   // ns
	Below []int64 // by bucket: how many observations were at most its bound
}

func newObserved(f *Family) Observed { return Observed{Below: make([]int64, len(f.Buckets))} }

// Quantile is what histogram_quantile of Prometheus makes of the histogram, in ns: within a bucket, the observations
// are taken to be spread evenly. It is at most the highest bound, and 0 if nothing was observed.
func (o *Observed) Quantile(f *Family, q float64) int64 {
	if o.Count == 0 {
		return 0
	}
	rank, low, before := q*float64(o.Count), 0.0, 0.0
	for i, bound := range f.Buckets {
		n := float64(o.Below[i])
		if n >= rank {
			return int64((low+(bound-low)*((rank-before)/(n-before)))*1e9 + 0.5)
		}
		low, before = bound, n
	}
	return int64(low * 1e9)
}

// observe counts a duration in ns.
func (o *Observed) observe(f *Family, d int64) {
	o.Count++
	o.Sum += d
	for i, bound := range f.Buckets {
		if float64(d)/1e9 <= bound {
			o.Below[i]++
		}
	}
}
