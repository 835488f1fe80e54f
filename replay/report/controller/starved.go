package controller

import (
	"sort"

	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Starved is a key that has waited on a workqueue while keys that were added later were taken. Only a priority queue lets them pass.
type Starved struct {
	Key    string `json:"key"`
	Since  int64  `json:"since"` // when it was added, or the worker had called Done
	Until  int64  `json:"until"` // when a worker took it, 0 for never
	Passed int64  `json:"passed"`
}

// What makes a key a starved one: how long it has waited, in nanoseconds, and how many have passed it. A priority queue has low priority for
// what a first list and a resync bring, so some pass at each start.
const (
	starvedFor = minute
	manyPassed = 100
)

// served is a Get, and since when its key had waited.
type served struct{ time, since int64 }

// mostServed is how many Gets are remembered.
const mostServed = 1 << 10

// serve takes in a Get.
func (w *work) serve(k *ofKey, q *worker.Queued, rows int) {
	if !k.waits {
		return
	}
	s := served{q.Time, max(k.since, k.done)}
	if s.time-s.since >= waitsLong {
		w.get(k, s)
	}
	if s.time-s.since >= starvedFor && w.passed(s, manyPassed) >= manyPassed {
		w.starves++
		w.starved = append(w.starved, Starved{k.name, s.since, s.time, w.passed(s, mostServed)})
		if rows > 0 && len(w.starved) > rows*2 {
			w.starved = worst(w.starved, rows, q.Time)
		}
	}
	if w.served = append(w.served, s); len(w.served) > mostServed*2 {
		w.served = w.served[:copy(w.served, w.served[len(w.served)-mostServed:])]
	}
}

// passed returns how many keys were added after one and taken before it, among the last Gets. It counts no further than most.
func (w *work) passed(s served, most int64) (n int64) {
	for i := len(w.served) - 1; i >= max(0, len(w.served)-mostServed) && w.served[i].time > s.since && n < most; i-- {
		if g := w.served[i]; g.since > s.since && g.time < s.time {
			n++
		}
	}
	return n
}

// starving returns the keys that are starved, by now as well, and how many.
func (w *work) starving(now int64, rows int) (all []Starved, n int64) {
	all, n = append(all, w.starved...), w.starves
	for _, k := range w.keys {
		s := served{now, max(k.since, k.done)}
		if k.waits && s.time-s.since >= starvedFor && (k.last == nil || k.last.Ended != 0) && w.passed(s, manyPassed) >= manyPassed {
			all = append(all, Starved{k.name, s.since, 0, w.passed(s, mostServed)})
			n++
		}
	}
	return worst(all, rows, now), n
}

// worst keeps the rows that have waited longest.
func worst(all []Starved, rows int, now int64) []Starved {
	sort.Slice(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return rowBefore(a.Waited(now), b.Waited(now), a.Key, b.Key)
	})
	if rows > 0 {
		all = all[:min(rows, len(all))]
	}
	return all
}

// Waited returns for how long a key has waited by now, in nanoseconds.
func (s *Starved) Waited(now int64) int64 {
	if s.Until != 0 {
		now = s.Until
	}
	return now - s.Since
}
