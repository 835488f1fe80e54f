//go:build !js

package says

import (
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/priorityqueue"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

var priorityLaws = map[string]law{
	"step.keyBufferedOld": func(m *moment) bool { return m.buffered() == 1 && m.number("n") == -100 && m.judgesAge() && m.aged() },
	"why.keyBufferedOld":  (*moment).judgesAge,
	"step.keyBufferedLow": func(m *moment) bool {
		return m.buffered() == 1 && m.number("n") == -100 && m.unmoved() && !m.judgesAge()
	},
	"why.keyBufferedLow": func(m *moment) bool { return m.unmoved() && !m.judgesAge() },
	"step.keyBuffered": func(m *moment) bool {
		return m.pc == actor.RunEnqueue && m.buffered() == 1 && m.number("n") == 0 && !m.unmoved()
	},
	"step.keyFiltered": func(m *moment) bool {
		return m.calledFor().Type == processor.Update && m.feed().Predicate != informer.Everything && m.buffered() == 0
	},
	"why.keyFiltered": func(m *moment) bool { a, b := m.fed(); return a.Len() == b.Len() },
	"step.keyUnnamed": func(m *moment) bool { return m.feed().Label != "" && m.buffered() == 0 },

	"step.priorityGot": func(m *moment) bool {
		a, b := m.queue()
		return !isIn(a.Locked(nil), m.e.Key) && isIn(b.Locked(nil), m.e.Key) && m.y.Work.Workers[m.number("worker")-1].Key == m.e.Key
	},
	"step.priorityWaited": func(m *moment) bool {
		a, b := m.queue()
		return m.pc == actor.PriorityWaiting && waitingIn(a, m.e.Key).ReadyAt <= m.after.Now() && int64(readyIn(b, m.e.Key).Priority) == m.number("n") && readyIn(a, m.e.Key).Key == 0
	},
	"why.priorityWaited": func(m *moment) bool {
		a, b := m.queue()
		return m.pc == actor.PriorityWaiting && readyIn(b, m.e.Key).AddedCounter >= a.AddedCounter()
	},
	"step.priorityRaised": func(m *moment) bool {
		a, b := m.queue()
		was := max(readyIn(a, m.e.Key).Priority, waitingIn(a, m.e.Key).Priority)
		is := max(readyIn(b, m.e.Key).Priority, waitingIn(b, m.e.Key).Priority)
		return int64(is) == m.number("n") && (is > was || was == 0)
	},
	"step.prioritySooner": func(m *moment) bool {
		a, b := m.queue()
		return readyIn(a, m.e.Key).ReadyAt != 0 && readyIn(b, m.e.Key).Key != 0 && readyIn(b, m.e.Key).ReadyAt == 0
	},
	"why.priorityPutOff": func(m *moment) bool {
		_, b := m.queue()
		late := map[int]bool{}
		for i := range b.ReadyLen() {
			it := b.ReadyAt(i)
			if late[it.Priority] && it.ReadyAt == 0 {
				return false
			}
			late[it.Priority] = late[it.Priority] || it.ReadyAt != 0
		}
		return b.Order() != priorityqueue.ByPriority && readyIn(b, m.e.Key).Key != 0
	},
	"why.priorityRaised": func(m *moment) bool {
		_, b := m.queue()
		return m.fact(event.WorkRaised) && b.Order() == priorityqueue.ByPriority
	},
	"step.priorityLimited": func(m *moment) bool {
		a, b := m.queue()
		return b.NumRequeues(m.e.Key) > a.NumRequeues(m.e.Key) && int64(b.NumRequeues(m.e.Key)) == m.number("n") && waitingIn(b, m.e.Key).ReadyAt-m.after.Now() == m.number("took")
	},
	"why.priorityLimited": func(m *moment) bool { return m.fact(event.WorkDelayed) },
	"step.priorityLimitedReady": func(m *moment) bool {
		a, b := m.queue()
		return b.NumRequeues(m.e.Key) > a.NumRequeues(m.e.Key) && int64(b.NumRequeues(m.e.Key)) == m.number("n") && readyIn(b, m.e.Key).Key != 0
	},
	"why.priorityLimitedReady": func(m *moment) bool {
		_, b := m.queue()
		return m.pc == actor.PriorityAdd && waitingIn(b, m.e.Key).Key == 0
	},
	"step.priorityDelayed": func(m *moment) bool {
		a, b := m.queue()
		return b.NumRequeues(m.e.Key) == a.NumRequeues(m.e.Key) && waitingIn(b, m.e.Key).ReadyAt-m.after.Now() == m.number("took")
	},
	"step.priorityKept": func(m *moment) bool {
		_, b := m.queue()
		return readyIn(b, m.e.Key).Key != 0 && int64(readyIn(b, m.e.Key).Priority) == m.number("n")
	},
	"step.priorityQueued": func(m *moment) bool {
		a, b := m.queue()
		return readyIn(a, m.e.Key).Key == 0 && readyIn(b, m.e.Key).Key != 0 && int64(readyIn(b, m.e.Key).Priority) == m.number("n")
	},
	"step.priorityNothing": func(m *moment) bool {
		a, b := m.queue()
		return (m.pc == actor.PriorityAdd || m.pc == actor.PriorityReady) && len(m.facts) == 0 && a.ReadyLen() == b.ReadyLen() && a.WaitingLen() == b.WaitingLen() && len(a.Buffered(nil)) == 0
	},

	"step.priorityGets": func(m *moment) bool {
		a, b := m.queue()
		return b.Waiters() == a.Waiters()+1 && m.is.Wait == actor.OnReceive
	},
	"step.priorityHandsBack": func(m *moment) bool {
		a, b := m.queue()
		return isIn(a.Locked(nil), m.e.Key) && !isIn(b.Locked(nil), m.e.Key) && len(b.Buffered(nil)) == len(a.Buffered(nil))+1
	},
	"step.workGivenUp": func(m *moment) bool {
		k := m.x.Work.Workers[m.number("worker")-1].Key
		return m.role() == actor.Worker && !m.fact(event.WorkForgotten) && k == m.e.Key && m.after.Informers[m.y.Index()].Work.Limiter().NumRequeues(k) == m.before.Informers[m.x.Index()].Work.Limiter().NumRequeues(k) && len(m.after.Queue(m.y.Index()).Waiting) == len(m.before.Queue(m.x.Index()).Waiting)
	},
	"why.workGivenUp": func(m *moment) bool { return m.role() == actor.Worker && !m.fact(event.WorkForgotten) },
	"step.priorityDone": func(m *moment) bool {
		a, b := m.queue()
		return isIn(a.Locked(nil), m.e.Key) && !isIn(b.Locked(nil), m.e.Key) && m.fact(event.WorkForgotten) && len(b.Buffered(nil)) == len(a.Buffered(nil)) && b.NumRequeues(m.e.Key) == 0
	},
	"step.programFails": func(m *moment) bool {
		return m.pc == actor.WorkerProgram && m.is.PC == actor.WorkerReconciled && m.controller().Runs[m.after.Set.Role(m.id).Index].Result.Failure != controller.NoError && len(m.facts) == 0
	},
	"step.programPrioritises": func(m *moment) bool {
		i := m.after.Set.Role(m.id).Index
		return !m.x.Work.Controller.Runs[i].Result.HasPriority && m.controller().Runs[i].Result.HasPriority
	},
	"why.programPrioritises": func(m *moment) bool { return m.is.PC == actor.WorkerProgram },
}

// queue is the priority queue of the acting goroutine, before and after the step; an empty
// one if there is none.
func (m *moment) queue() (before, after *priorityqueue.Queue) {
	if m.x.Work.Priority == nil || m.y.Work.Priority == nil {
		return new(priorityqueue.Queue), new(priorityqueue.Queue)
	}
	return &m.x.Work.Priority.Queue, &m.y.Work.Priority.Queue
}

// feed is how the handler that acts feeds a controller.
func (m *moment) feed() *informer.Feed {
	if m.pc != actor.RunEnqueue {
		return new(informer.Feed)
	}
	return m.y.Config().Handlers[m.after.Set.Role(m.id).Index].Feeds
}

func (m *moment) calledFor() *processor.Notification {
	if m.pc != actor.RunEnqueue {
		return new(processor.Notification)
	}
	return m.y.HandlerNotification(m.after.Set.Role(m.id))
}

// judgesAge holds if the handler was called with an added object and judges it by its age. Handlers of later versions
// judge by the initial list.
func (m *moment) judgesAge() bool {
	return m.calledFor().Type == processor.Add && m.after.Informers[m.feed().Informer].Work.Controller.Config().JudgesByAge
}

// aged holds if the handler was called with an object that was there when the world began, or that was
// created more than a minute ago.
func (m *moment) aged() bool {
	t, o := m.y.Config().Table, m.calledFor().New
	created := t.FieldOf(o, ".creationTimestamp")
	age, err := time.ParseDuration(created)
	return o != 0 && (created == "" || err == nil && age+time.Minute < time.Duration(m.after.Now()))
}

// unmoved holds if the handler was called with an object of an initial list, or with one
// that is as it was.
func (m *moment) unmoved() bool {
	n := m.calledFor()
	t := m.y.Config().Table
	if m.judgesAge() {
		return m.aged()
	}
	return n.Type == processor.Add && n.Flags&event.IsInInitialList != 0 || n.Type == processor.Update && t.RVOf(n.Old) == t.RVOf(n.New)
}

// buffered is by how many keys the buffer of the priority queue that the handler feeds has
// grown.
func (m *moment) buffered() int {
	i := m.feed().Informer
	a, b := m.before.Informers[i].Work.Priority, m.after.Informers[i].Work.Priority
	if a == nil || b == nil {
		return 0
	}
	return len(b.Queue.Buffered(nil)) - len(a.Queue.Buffered(nil))
}

func isIn(keys []object.Key, k object.Key) bool {
	for _, other := range keys {
		if other == k {
			return true
		}
	}
	return false
}

// readyIn and waitingIn are the item of a key in a set of the queue.
func readyIn(q *priorityqueue.Queue, k object.Key) (it priorityqueue.Item) {
	for i := range q.ReadyLen() {
		if q.ReadyAt(i).Key == k {
			return q.ReadyAt(i)
		}
	}
	return it
}

func waitingIn(q *priorityqueue.Queue, k object.Key) (it priorityqueue.Item) {
	for i := range q.WaitingLen() {
		if q.WaitingAt(i).Key == k {
			return q.WaitingAt(i)
		}
	}
	return it
}
