//go:build !js

package says

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

var handLaws = map[string]law{
	"step.hasSyncedRequeued": func(m *moment) bool { return m.hand() && m.flips() && m.grew() == 0 && m.fact(event.Requeued) },
	"why.hasSyncedRequeued": func(m *moment) bool {
		return m.flips() && m.grew() == 0 && m.d.Queue.Depth() > 0 && m.fact(event.Requeued)
	},
	"step.hasSyncedByHand": func(m *moment) bool { return m.hand() && m.flips() && m.pops() == 1 },
	"why.hasSyncedByHand": func(m *moment) bool {
		return m.hand() && m.flips() && m.pops() == 1 && m.d.Queue.InitialPopulationCount() == 0
	},
	"step.hasSyncedRefused": func(m *moment) bool {
		return m.hand() && m.flips() && m.grew() == 0 && m.after.Returned.Err != nil && m.d.Queue.Depth() == 0
	},
	"step.hasSyncedIgnored": func(m *moment) bool {
		return m.hand() && m.flips() && m.grew() == 0 && m.d.Queue.Counters().Ignored > m.c.Queue.Counters().Ignored
	},
	"step.distributedByHand": func(m *moment) bool {
		for i := range m.y.Processor.Listeners {
			if a, b := &m.x.Processor.Listeners[i], &m.y.Processor.Listeners[i]; b.Joined && b.Received != a.Received+1 {
				return false
			}
		}
		return m.command() && m.y.Distributes()
	},
	"why.distributedByHand": func(m *moment) bool {
		for i := range m.y.Processor.Listeners {
			if l := &m.y.Processor.Listeners[i]; l.Joined && l.Pairs() != 1 {
				return false
			}
		}
		return true
	},
	"step.workReadySeveral": func(m *moment) bool {
		return m.hand() && m.number("n") > 1 && int64(m.x.Work.Queue.WaitingLen()) >= m.number("n")
	},
	"step.retried": func(m *moment) bool {
		return m.hand() && m.added() == m.number("n") && m.d.Queue.Find(m.e.Key) == m.d.Queue.Depth()-1 && m.c.Queue.Find(m.e.Key) < 0
	},
	"step.retrySkipped": func(m *moment) bool { return m.hand() && m.added() == 0 },
	"why.retrySkipped":  func(m *moment) bool { return m.c.Queue.Find(m.e.Key) >= 0 },
	"step.requeued": func(m *moment) bool {
		return m.hand() && m.grew() == 0 && m.d.Queue.Find(m.e.Key) == m.d.Queue.Depth()-1
	},
	"why.requeued":                 func(m *moment) bool { return m.d.Queue.Find(m.e.Key) >= 0 },
	"step.poppedByHandOne":         func(m *moment) bool { return m.hand() && m.pops() == 1 && m.inOrder() && m.e.Key != 0 },
	"step.poppedByHandAll":         func(m *moment) bool { return m.hand() && m.pops() == 1 && m.e.Key == 0 },
	"step.poppedByHand":            func(m *moment) bool { return m.hand() && m.pops() == 1 && !m.inOrder() },
	"why.poppedByHand":             func(m *moment) bool { return m.hand() && m.c.Queue.Find(m.e.Key) == 0 && m.d.Queue.Find(m.e.Key) < 0 },
	"step.popWaitsByHand":          func(m *moment) bool { return m.hand() && m.c.Queue.Depth() == 0 && m.grew() == 0 },
	"step.replacedByHandTombstone": func(m *moment) bool { return m.hand() && m.added() == m.number("n") && m.wrapped(m.args["key"].V) },
	"step.replacedByHand":          func(m *moment) bool { return m.hand() && m.added() == m.number("n") && !m.wrapsMore() },
	"step.resyncedByHand":          func(m *moment) bool { return m.hand() && m.grew() > 0 && m.queues(event.Sync) },
	"step.resyncedByHandAll":       func(m *moment) bool { return m.hand() && m.grew() == 1 && m.queues(event.SyncAll) },
	"step.byHandNothing":           func(m *moment) bool { return m.hand() && m.grew() == 0 && len(m.facts) == 0 },
	"step.queueClosed":             func(m *moment) bool { return m.hand() && m.y.Queue.Closed() },

	"step.workGotByHand":          func(m *moment) bool { return m.hand() && m.y.Work.Queue.IsProcessing(m.e.Key) },
	"step.workGetWaitsByHand":     func(m *moment) bool { return m.hand() && m.x.Work.Queue.Len() == 0 && !m.x.Work.Queue.Paused() },
	"step.workGetPausedByHand":    func(m *moment) bool { return m.hand() && m.x.Work.Queue.Paused() },
	"step.workDoneByHandRequeued": func(m *moment) bool { return m.hand() && m.requeued() },
	"step.workDoneByHand":         func(m *moment) bool { return m.hand() && !m.y.Work.Queue.IsProcessing(m.e.Key) && !m.requeued() },
	"step.workRateLimited":        func(m *moment) bool { return m.limits() && m.earlier() && !m.x.Work.Queue.ShuttingDown() },
	"step.workRateLimitedKept":    func(m *moment) bool { return m.limits() && !m.earlier() && !m.x.Work.Queue.ShuttingDown() },
	"step.workRateLimitedShut":    func(m *moment) bool { return m.limits() && m.x.Work.Queue.ShuttingDown() },
	"step.workForgotten": func(m *moment) bool {
		return m.hand() && m.y.Work.Queue.NumRequeues(m.e.Key) == 0 && m.work(0) && m.grew() == 0
	},
	"step.workShutDown": func(m *moment) bool {
		return m.hand() && !m.x.Work.Queue.ShuttingDown() && m.y.Work.Queue.ShuttingDown()
	},
}

func (m *moment) hand() bool { return m.command() && m.after.ByHand() }

// limited holds if the rate limiter has counted the told key once more.
func (m *moment) limited() bool {
	return m.y.Work.Queue.NumRequeues(m.e.Key) == m.x.Work.Queue.NumRequeues(m.e.Key)+1
}

// limits holds if the rate limiter has counted the told key once more, and the sentence says how often it has.
func (m *moment) limits() bool {
	return m.hand() && m.limited() && int64(m.y.Work.Queue.NumRequeues(m.e.Key)) == m.number("n")
}

// earlier holds if the told key waits for a time for which it did not wait before.
func (m *moment) earlier() bool { return m.delay(m.y) != m.delay(m.x) }

// delay is when the told key goes onto the workqueue, -1 if it doesn't wait for that.
func (m *moment) delay(x *informer.Informer) int64 {
	for i := range x.Work.Queue.WaitingLen() {
		if w := x.Work.Queue.WaitingAt(i); w.Key == m.e.Key {
			return w.ReadyAt
		}
	}
	return -1
}

// added is how many deltas went to the queue, including those that were merged.
func (m *moment) added() int64 { return m.d.Queue.Counters().In - m.c.Queue.Counters().In }

// requeued holds if the workqueue got the key again.
func (m *moment) requeued() bool {
	return m.y.Work.Queue.Len() == m.x.Work.Queue.Len()+1 && m.y.Work.Queue.At(m.y.Work.Queue.Len()-1) == m.e.Key && !m.y.Work.Queue.IsProcessing(m.e.Key)
}
