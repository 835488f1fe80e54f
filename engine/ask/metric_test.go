package ask_test

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/metrics"
)

// exported is what an informer or its workqueue exports under a name. It reports false where it exports none.
var exported = map[string]func(*metrics.Informer, *metrics.Queue) (int64, bool){
	"informer_queued_items":                     func(m *metrics.Informer, _ *metrics.Queue) (int64, bool) { return m.QueuedItems, m.Queue },
	"informer_processing_latency_seconds_count": func(m *metrics.Informer, _ *metrics.Queue) (int64, bool) { return m.ProcessingLatency.Count, m.Queue },
	"informer_processing_latency_seconds_sum":   func(m *metrics.Informer, _ *metrics.Queue) (int64, bool) { return m.ProcessingLatency.Sum, m.Queue },
	"informer_store_resource_version":           func(m *metrics.Informer, _ *metrics.Queue) (int64, bool) { return m.StoreResourceVersion, m.Store },
	"workqueue_depth":                           ofQueue(func(q *metrics.Queue) int64 { return q.Depth }),
	"workqueue_adds_total":                      ofQueue(func(q *metrics.Queue) int64 { return q.Adds }),
	"workqueue_queue_duration_seconds_sum":      ofQueue(func(q *metrics.Queue) int64 { return q.QueueDuration.Sum }),
	"workqueue_queue_duration_seconds_count":    ofQueue(func(q *metrics.Queue) int64 { return q.QueueDuration.Count }),
	"workqueue_work_duration_seconds_sum":       ofQueue(func(q *metrics.Queue) int64 { return q.WorkDuration.Sum }),
	"workqueue_work_duration_seconds_count":     ofQueue(func(q *metrics.Queue) int64 { return q.WorkDuration.Count }),
	"workqueue_queue_duration_seconds\", 0.99":  ofQueue(func(q *metrics.Queue) int64 { return q.QueueDuration.Quantile(&metrics.QueueDuration, 0.99) }),
	"workqueue_work_duration_seconds\", 1":      ofQueue(func(q *metrics.Queue) int64 { return q.WorkDuration.Quantile(&metrics.WorkDuration, 1) }),
	"informer_processing_latency_seconds\", 0.5": func(m *metrics.Informer, _ *metrics.Queue) (int64, bool) {
		return m.ProcessingLatency.Quantile(&metrics.ProcessingLatency, 0.5), m.Queue
	},
	"workqueue_unfinished_work_seconds":           ofQueue(func(q *metrics.Queue) int64 { return q.UnfinishedWork }),
	"workqueue_longest_running_processor_seconds": ofQueue(func(q *metrics.Queue) int64 { return q.LongestRunning }),
}

func ofQueue(f func(*metrics.Queue) int64) func(*metrics.Informer, *metrics.Queue) (int64, bool) {
	return func(_ *metrics.Informer, q *metrics.Queue) (int64, bool) {
		if q == nil {
			return 0, false
		}
		return f(q), true
	}
}

// TestMetrics holds each metric, after each step of many runs, against what an Observer of its own has.
func TestMetrics(t *testing.T) {
	reached := map[string]bool{}
	eachRun(t, func(name string, h *history.History) {
		var o *metrics.Observer
		evals := map[string]*ask.Eval{}
		for metric := range exported {
			call := `metric("` + metric + `")`
			if strings.Contains(metric, ",") {
				call = `metric("` + metric + `)`
			}
			x, err := ask.Parse(call)
			if err != nil {
				t.Fatal(err)
			}
			evals[metric] = x.Eval(len(h.Front().Informers) - 1)
		}
		for step := int64(1); step <= h.Steps(); step++ {
			w := h.SeekTo(step)
			if o == nil {
				o = metrics.NewObserver(w)
			}
			o.Look(w)
			i := len(w.Informers) - 1
			if q := o.Queues[i]; q != nil {
				q.Tick(w.Now())
			}
			for metric, value := range exported {
				want, is := value(&o.Informers[i], o.Queues[i])
				if !is {
					want = 0
				}
				got, _ := evals[metric].Look(w)
				if got.N != want {
					t.Fatalf("%s, step %d: %s is %d, and not %d", name, step, metric, got.N, want)
				}
				reached[metric] = reached[metric] || want != 0
			}
		}
	})
	for metric := range exported {
		if !reached[metric] {
			t.Errorf("%s is 0 in all runs", metric)
		}
	}
}
