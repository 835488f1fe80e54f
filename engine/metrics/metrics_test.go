//go:build !js

package metrics_test

import (
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
)

// TestMetricsAreTheState holds the metrics against the queues and stores that they are about, after each
// step of random runs.
func TestMetricsAreTheState(t *testing.T) {
	longest, processed, worked, retried, early := int64(0), int64(0), int64(0), int64(0), 0
	runtest.Random(t, func(r runtest.Run) {
		var o *metrics.Observer
		r.Each(t, func(before, after *world.World) {
			if o == nil {
				o = metrics.NewObserver(before)
			}
			o.Look(after)
			if after.ByHand() {
				return // calls by hand may end what was never begun
			}
			for i, x := range after.Informers {
				m, q := &o.Informers[i], o.Queues[i]
				if int(m.QueuedItems) != x.Queue.Depth() {
					t.Fatalf("%s, step %d: %d items are said to be queued, and %d are", r.Name, after.Steps(), m.QueuedItems, x.Queue.Depth())
				}
				processed = max(processed, m.ProcessingLatency.Count)
				if q == nil {
					continue
				}
				w := &x.Work
				want := w.Queue.Len()
				for _, k := range w.Queue.Processing(nil, w.Queue.ProcessingLen()) {
					if w.Queue.IsDirty(k) {
						want++
						early++
					}
				}
				if w.Priority != nil {
					want = w.Priority.Queue.ReadyLen()
				}
				if w.Controller == nil && x.Config().Recorded != nil {
					continue // a recorded worker gets what the queue does not have
				}
				if int(q.Depth) != want {
					t.Fatalf("%s, step %d (%s): the depth is said to be %d, and is %d", r.Name, after.Steps(), after.Last.PC, q.Depth, want)
				}
				if q.QueueDuration.Count > q.Adds || q.WorkDuration.Count > q.QueueDuration.Count {
					t.Fatalf("%s, step %d: %d adds, %d gets, %d done", r.Name, after.Steps(), q.Adds, q.QueueDuration.Count, q.WorkDuration.Count)
				}
				longest, worked, retried = max(longest, q.LongestRunning), max(worked, q.WorkDuration.Count), max(retried, o.Retries(i))
			}
		})
	})
	if longest == 0 || processed == 0 || worked == 0 || retried == 0 || early == 0 {
		t.Errorf("the runs reach too little: %d %d %d %d %d", longest, processed, worked, retried, early)
	}
}

// TestAHistogramCountsBelowItsBounds looks at durations on the bounds of the buckets and between them.
func TestAHistogramCountsBelowItsBounds(t *testing.T) {
	q := metrics.NewQueue(0)
	now := int64(0)
	for i, took := range []int64{10, 11, 1e9, 1e9 + 1, 11e9} { // ns
		k := object.Key(i + 1)
		q.Look(added(k), now)
		now += took
		q.Look(delivered(k), now)
	}
	want := []int64{1, 2, 2, 2, 2, 2, 2, 2, 3, 4}
	for i, n := range q.QueueDuration.Below {
		if n != want[i] {
			t.Errorf("%d were at most %v s, want %d", n, metrics.QueueDuration.Buckets[i], want[i])
		}
	}
	if q.QueueDuration.Count != 5 || q.QueueDuration.Sum != now {
		t.Errorf("%d took %d ns", q.QueueDuration.Count, q.QueueDuration.Sum)
	}
}

func added(k object.Key) *event.Event     { return &event.Event{Kind: event.WorkAdded, Key: k} }
func delivered(k object.Key) *event.Event { return &event.Event{Kind: event.WorkGot, Key: k} }
