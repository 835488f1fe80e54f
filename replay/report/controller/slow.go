package controller

import (
	"math/bits"
	"slices"
	"sort"
)

// SlowReconcile is a reconcile that took long while other keys waited on the workqueue, since each worker was in such a reconcile.
type SlowReconcile struct {
	Key    string // that was reconciled
	Began  int64
	Took   int64
	Behind string // the key that waited longest meanwhile
	Since  int64  // since then
	Waited int64
	Keys   int64 // that waited
}

// A reconcile is slow, and a key waits long, from waitsLong nanoseconds on. Of a controller whose reconciles mostly take that long, none is slow:
// it must take slowerThan times as long as most.
const (
	waitsLong  = 5_000_000_000
	slowerThan = 10
)

// mostSlow is how many slow reconciles are remembered.
const mostSlow = 1 << 8

// slowness is what is known of a controller's slow reconciles.
type slowness struct {
	ended    []*run // the last slow ones
	blocking []*run // those that keys have waited for
	took     [64]int64
}

// end takes in a reconcile that has returned.
func (s *slowness) end(x *run) {
	took := max(x.Ended-x.Began, 0)
	if s.took[bits.Len64(uint64(took))]++; took < waitsLong {
		return
	}
	if s.ended = append(s.ended, x); len(s.ended) > mostSlow {
		s.ended = s.ended[:copy(s.ended, s.ended[mostSlow/2:])]
	}
}

// get takes in a Get of a key that has waited for long. It has waited for slow reconciles if each worker was in them for most of that time.
func (w *work) get(k *ofKey, s served) {
	var longest *run
	most, least := int64(0), s.time-s.since
	for i, last := range w.workers {
		sum := int64(0)
		all := w.slow.ended
		if last != nil && last.Ended == 0 {
			all = append(slices.Clip(all), last)
		}
		for _, x := range all {
			if x.Worker != i+1 {
				continue
			}
			until := s.time
			if x.Ended != 0 {
				until = min(until, x.Ended)
			}
			meanwhile := until - max(x.Began, s.since)
			if meanwhile <= 0 || until-x.Began < waitsLong {
				continue
			}
			if sum += meanwhile; meanwhile > most {
				longest, most = x, meanwhile
			}
		}
		least = min(least, sum)
	}
	if longest == nil || least < max(waitsLong, (s.time-s.since)/2) {
		return
	}
	b := &longest.behind
	if b.Keys++; b.Keys == 1 {
		w.slow.blocking = append(w.slow.blocking, longest)
	}
	if s.time-s.since > b.Waited {
		b.Behind, b.Since, b.Waited = k.name, s.since, s.time-s.since
	}
	if all := w.slow.blocking; len(all) > mostSlow {
		sort.Slice(all, func(i, j int) bool {
			return rowBefore(all[i].behind.Waited, all[j].behind.Waited, all[i].Key, all[j].Key)
		})
		w.slow.blocking = all[:mostSlow/2]
	}
}

// rowsBy fills in the slow reconciles that have returned.
func (s *slowness) rowsBy(c *Controller, rows int) {
	ended, usual, n := int64(0), int64(1), int64(0)
	for _, took := range s.took {
		ended += took
	}
	for i := range s.took { // at least half of them took less than that
		if n += s.took[i]; n*2 >= ended {
			usual = 1 << i
			break
		}
	}
	for _, x := range s.blocking {
		if row := x.behind; x.Ended-x.Began >= slowerThan*usual {
			row.Key, row.Began, row.Took = x.Key, x.Began, x.Ended-x.Began
			c.Slow = append(c.Slow, row)
		}
	}
	sort.Slice(c.Slow, func(i, j int) bool {
		a, b := &c.Slow[i], &c.Slow[j]
		return rowBefore(a.Waited, b.Waited, a.Behind, b.Behind)
	})
	if rows > 0 {
		c.Slow = c.Slow[:min(rows, len(c.Slow))]
	}
}
