package findings

// noWorker looks for keys that wait on a workqueue at the end of a recording, or when it is shut down, while none of its workers takes them, or only some are busy. A
// worker that has called Done has nothing to do but to take the next key, so after ten seconds its goroutine has ended, or waits for something
// else. Where no worker has ever taken a key, half a minute must be over, and the informers must have synced: workers wait for that.
func noWorker(w *work) *Finding {
	x := w.Unserved
	if x == nil || !w.timed() {
		return nil
	}
	f := keyFinding(x.Key, x.Since, x.Until, Count{Name: "waited", N: x.Until - x.Since, Unit: Duration}, w.count("waiting", x.Keys),
		Count{Name: "busy", N: int64(x.Busy)}, Count{Name: "workers", N: int64(w.Workers)})
	if x.Never {
		f.Lacks = "never"
		for _, reading := range w.pass.readings {
			if t := &reading.tally; !reading.skip && !reading.server.whole && (t.Records > 0 || reading.r.Unanswered) {
				return nil
			}
		}
	}
	return f
}

// noDone looks for keys whose reconcile has returned and for which the worker hasn't called Done ten seconds later. The workqueue hands such a
// key to no worker, and an Add of it meanwhile waits for ever.
func noDone(w *work) *Finding {
	if len(w.Held) == 0 || !w.timed() {
		return nil
	}
	x := &w.Held[0]
	f := keyFinding(x.Key, x.Since, x.Until, w.count("stuck", w.Helds), Count{Name: "waited", N: x.Until - x.Since, Unit: Duration})
	for _, x := range w.Held {
		f.Evidence = show(f.Evidence, controllerEvidence(x.Since, x.Key, 0))
	}
	return f
}

// noForget looks for keys that succeed again and again and that nobody has the rate limiter forget. It still counts their failures, so the next
// one waits as if it were one more in a row. A controller that calls Forget does so at once, so three successes are enough.
func noForget(w *work) (f *Finding) {
	for i := range w.Unforgotten {
		x := &w.Unforgotten[i]
		if x.Successes < manySuccesses {
			continue
		}
		if f == nil {
			f = keyFinding(x.Key, x.From, x.To, w.count("times", x.Successes), w.count("failures", x.Failures))
		}
		f.Evidence = show(f.Evidence, controllerEvidence(x.To, x.Key, x.Successes))
	}
	return f
}

// manySuccesses is the threshold.
const manySuccesses = 3

// lateDeletes looks for deletes that were decided by an old cache: what had happened before came to the informer more than a second after the
// delete was sent. One is enough, since nothing brings the object back. A cache that is late by less is usual.
func lateDeletes(w *work) *Finding {
	if len(w.LateDeletes) == 0 || !w.timed() {
		return nil
	}
	x := &w.LateDeletes[0]
	f := keyFinding(x.Key, x.Time, w.LateDeletes[len(w.LateDeletes)-1].Time, w.count("deletes", w.Lates), Count{Name: "late", N: x.Late, Unit: Duration})
	f.Other, f.Message = x.Object, x.Child
	for _, x := range w.LateDeletes {
		f.Evidence = show(f.Evidence, controllerEvidence(x.Time, x.Object, 0))
	}
	return f
}
