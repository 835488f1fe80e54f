//go:build !js

package says

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

var recordedLaws = map[string]law{
	"step.recordedLimited": func(m *moment) bool {
		return m.carriesOut(informer.CallAddRateLimited) && m.failed() && m.later()
	},
	"step.recordedLimitedKept": func(m *moment) bool {
		return m.carriesOut(informer.CallAddRateLimited) && m.failed() && m.x.Work.Queue.WaitingLen() == m.y.Work.Queue.WaitingLen() && m.x.Work.Queue.WaitingLen() > 0
	},
	"step.recordedLimitedNow": func(m *moment) bool {
		return m.carriesOut(informer.CallAddRateLimited) && m.failed() && m.x.Work.Queue.WaitingLen() >= m.y.Work.Queue.WaitingLen() && !m.fact(event.WorkDelayKept)
	},
	"step.recordedDelayed": func(m *moment) bool {
		return m.carriesOut(informer.CallAddAfter) && m.later()
	},
	"step.recordedDelayKept": func(m *moment) bool {
		return m.carriesOut(informer.CallAddAfter) && m.x.Work.Queue.WaitingLen() == m.y.Work.Queue.WaitingLen() && m.x.Work.Queue.WaitingLen() > 0
	},
	"step.recordedAdded": func(m *moment) bool {
		return m.acts() && m.work(1) && int64(m.y.Work.Queue.Len()) == m.number("n") && !m.rated()
	},
	"step.recordedDirty": func(m *moment) bool {
		return m.acts() && m.work(0) && m.x.Work.Queue.IsDirty(m.e.Key) && !m.rated()
	},
	"step.recordedDeferred": func(m *moment) bool {
		return m.acts() && m.work(0) && m.y.Work.Queue.IsProcessing(m.e.Key) && m.y.Work.Queue.IsDirty(m.e.Key) && !m.x.Work.Queue.IsDirty(m.e.Key) && !m.rated()
	},
	"step.recordedGot": func(m *moment) bool {
		q := &m.x.Work.Queue
		return m.carriesOut(informer.CallGet) && q.Len() > 0 && q.At(0) == m.e.Key && m.inHand()
	},
	"step.recordedOvertook": func(m *moment) bool {
		q, n := &m.x.Work.Queue, m.number("n")
		return m.carriesOut(informer.CallGet) && n > 0 && int64(q.Len()) > n && q.At(int(n)) == m.e.Key && m.inHand()
	},
	"why.recordedOvertook": func(m *moment) bool { return m.carriesOut(informer.CallGet) && m.work(-1) },
	"step.recordedMissing": func(m *moment) bool {
		for i := range m.x.Work.Queue.Len() {
			if m.x.Work.Queue.At(i) == m.e.Key {
				return false
			}
		}
		return m.carriesOut(informer.CallGet) && m.work(0) && m.inHand()
	},
	"why.recordedMissing": func(m *moment) bool { return m.carriesOut(informer.CallGet) && !m.x.Work.Queue.IsDirty(m.e.Key) },
	"step.recordedBegan": func(m *moment) bool {
		_, is := m.cachedVersions()
		return m.carriesOut(informer.ReconcileBegin) && is != 0 && is == m.y.Work.Workers[m.e.Worker()].Obj && m.inHand()
	},
	"step.recordedBeganGone": func(m *moment) bool {
		_, is := m.cachedVersions()
		return m.carriesOut(informer.ReconcileBegin) && is == 0 && m.y.Work.Workers[m.e.Worker()].Obj == 0 && m.inHand()
	},
	"step.recordedWrites": func(m *moment) bool {
		return m.carriesOut(informer.ReconcileWrite) && m.act().Request == m.args["what"].V
	},
	"why.recordedWrites": func(m *moment) bool {
		return m.carriesOut(informer.ReconcileWrite) && m.after.Simulated(m.y.Index()) == nil
	},
	"step.recordedUnanswered": func(m *moment) bool { return m.carriesOut(informer.ReconcileAnswer) && m.act().N == 0 },
	"why.recordedUnanswered":  func(m *moment) bool { return m.carriesOut(informer.ReconcileAnswer) && m.act().N == 0 },
	"step.recordedAccepted": func(m *moment) bool {
		return m.carriesOut(informer.ReconcileAnswer) && m.act().N >= 200 && m.act().N < 300
	},
	"step.recordedRefused": func(m *moment) bool { return m.carriesOut(informer.ReconcileAnswer) && m.act().N >= 300 },
	"step.recordedEnded":   func(m *moment) bool { return m.carriesOut(informer.ReconcileEnd) && !m.act().Failed },
	"step.recordedFailed":  func(m *moment) bool { return m.carriesOut(informer.ReconcileEnd) && m.act().Failed },
	"step.recordedRequeued": func(m *moment) bool {
		return m.carriesOut(informer.CallDone) && m.work(1) && m.x.Work.Queue.IsDirty(m.e.Key) && !m.y.Work.Queue.IsProcessing(m.e.Key)
	},
	"step.recordedDone": func(m *moment) bool {
		return m.carriesOut(informer.CallDone) && m.work(0) && !m.y.Work.Queue.IsDirty(m.e.Key) && !m.y.Work.Queue.IsProcessing(m.e.Key)
	},
	"step.recordedForgot": func(m *moment) bool {
		return m.carriesOut(informer.CallForget) && m.y.Work.Queue.NumRequeues(m.act().Key) == 0
	},
	"step.recordedShut": func(m *moment) bool {
		return m.carriesOut(informer.CallShutDown) && !m.x.Work.Queue.ShuttingDown() && m.y.Work.Queue.ShuttingDown()
	},
	"step.recordedIgnored": func(m *moment) bool { return m.acts() && m.x.Work.Queue.ShuttingDown() && m.work(0) },
}

// acts holds if the recorded controller acts.
func (m *moment) acts() bool { return m.role() == actor.Recorded && m.pc == actor.RecordedAct }

// act is what it does.
func (m *moment) act() *informer.Act { return &m.y.Config().Recorded.Acts[m.x.Work.Acted()] }

// carriesOut holds if the act is one of these.
func (m *moment) carriesOut(d informer.Method) bool { return m.acts() && m.act().Method == d }

// later holds if the key of the sentence will be ready when the sentence says.
func (m *moment) later() bool {
	q := &m.y.Work.Queue
	for i := range q.WaitingLen() {
		if w := q.WaitingAt(i); w.Key == m.e.Key {
			return w.ReadyAt == m.after.Now()+m.e.Duration() && m.x.Work.Queue.WaitingLen() <= q.WaitingLen()
		}
	}
	return false
}

// failed holds if the rate limiter has counted a failure of the key, and now has the number of the
// sentence.
func (m *moment) failed() bool {
	is := m.y.Work.Queue.NumRequeues(m.e.Key)
	return is == m.x.Work.Queue.NumRequeues(m.e.Key)+1 && (m.args["n"].V == "" || int64(is) == m.number("n"))
}

// rated holds if the rate limiter has counted.
func (m *moment) rated() bool { return m.fact(event.WorkRateLimited) }

// inHand holds if the worker of the sentence has its key.
func (m *moment) inHand() bool { return m.y.Work.Workers[m.e.Worker()].Key == m.e.Key }
