package findings

import "github.com/informerscope/informerscope/replay/report/controller"

// hotLoop looks for keys that are reconciled 600 times within a minute. A rollout of a hundred pods makes some three hundred
// reconciles of its ReplicaSet, and those come to an end. What is called ten times a second feeds itself, mostly: by adding the key
// again, by what it writes, or by asking for too short a time.
func hotLoop(w *work) *Finding {
	if !w.timed() || len(w.Hot) == 0 || w.Hot[0].Reconciles < hotReconciles {
		return nil
	}
	h := &w.Hot[0]
	f := keyFinding(h.Key, h.From, h.To, w.count("reconciles", h.Reconciles), spanOf(h.From, h.To),
		Count{Name: "rate", N: h.Reconciles * second / max(h.To-h.From, 1)}, w.count("fed", h.Fed))
	if f.Feeder = h.Cause; h.Cause == controller.ByAdd && !w.pass.busy(h.Reconciles) {
		f.Feeder = "itself"
	}
	for i := range w.Hot {
		if x := &w.Hot[i]; x.Reconciles >= hotReconciles {
			f.Evidence = show(f.Evidence, controllerEvidence(x.From, x.Key, x.Reconciles))
		}
	}
	return f
}

// hotReconciles is the threshold: reconciles of one key within a minute.
const hotReconciles = 600

// busy reports whether the informers have brought enough for so many reconciles of one key. A handler adds a key once for each
// object or event.
func (p *Pass) busy(reconciles int64) bool {
	came := int64(0)
	for _, x := range p.readings {
		came += x.tally.Events.Changes() + x.tally.Requests.ListItems
		calls := int64(0)
		for _, h := range x.tally.Handlers {
			calls = max(calls, h.Calls)
		}
		came = max(came, calls)
	}
	return came*2 >= reconciles
}

// conflicts looks for keys whose writes are refused again and again because the object has changed since it was read. A
// reconcile that is tried again has mostly got the new version by then. Where twelve are refused within ten minutes, somebody else
// writes the object all the time, or the reconcile reads what is old. Those that come within a second are one burst of tries.
func conflicts(w *work) (f *Finding) {
	for i := range w.Conflicts {
		c := &w.Conflicts[i]
		if c.Times < manyConflicts || c.To-c.From < second || !w.timed() {
			continue
		}
		if f == nil {
			refused := int64(0)
			for _, r := range w.Writes.Refused {
				if r.Error == "Conflict" {
					refused = r.Count
				}
			}
			f = keyFinding(c.Key, c.From, c.To, w.count("times", c.Times), spanOf(c.From, c.To), w.count("refused", refused), w.count("accepted", w.Writes.Accepted))
			f.Other = c.Object
		}
		f.Evidence = show(f.Evidence, controllerEvidence(c.From, c.Key, c.Times))
	}
	return f
}

// manyConflicts is the threshold: refused writes for a key within ten minutes.
const manyConflicts = 12
