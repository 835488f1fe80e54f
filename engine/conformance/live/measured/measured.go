// Package measured looks at the metrics that real workqueues export.
package measured

import (
	"fmt"
	"sync"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"k8s.io/client-go/util/workqueue"
)

// Queues is a workqueue.MetricsProvider: it gives the metrics of a queue by the name of the queue.
type Queues struct {
	mu    sync.Mutex
	named map[string]*proof.Metrics
}

// Names are what Print of a queue's metrics is asked for.
var Names = []string{"depth", "adds", "retries", "queueDuration.count", "queueDuration.sum", "workDuration.count", "workDuration.sum", "unfinishedWorkSeconds", "longestRunningSeconds"}

// NewQueues returns the metrics of no queue.
func NewQueues() *Queues { return &Queues{named: map[string]*proof.Metrics{}} }

// Fresh returns the metrics of a queue that is still to be made under the name that it returns.
func (p *Queues) Fresh() (name string, metrics *proof.Metrics) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name, metrics = fmt.Sprint("queue ", len(p.named)), proof.NewMetrics()
	p.named[name] = metrics
	return name, metrics
}

func (p *Queues) metric(name, metricName string) proof.Metric {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.named[name].Named(metricName)
}

func (p *Queues) NewDepthMetric(n string) workqueue.GaugeMetric     { return p.metric(n, "depth") }
func (p *Queues) NewAddsMetric(n string) workqueue.CounterMetric    { return p.metric(n, "adds") }
func (p *Queues) NewRetriesMetric(n string) workqueue.CounterMetric { return p.metric(n, "retries") }
func (p *Queues) NewLatencyMetric(n string) workqueue.HistogramMetric {
	return p.metric(n, "queueDuration")
}
func (p *Queues) NewWorkDurationMetric(n string) workqueue.HistogramMetric {
	return p.metric(n, "workDuration")
}
func (p *Queues) NewUnfinishedWorkSecondsMetric(n string) workqueue.SettableGaugeMetric {
	return p.metric(n, "unfinishedWorkSeconds")
}
func (p *Queues) NewLongestRunningProcessorSecondsMetric(n string) workqueue.SettableGaugeMetric {
	return p.metric(n, "longestRunningSeconds")
}
