package findings

// starvation looks for keys that wait on a workqueue while keys that were added later are taken. A queue of client-go takes them in turn. The
// priority queue of controller-runtime lets keys of a higher priority pass, and gives a low priority to what a first list and a resync bring. A key that
// has waited for a minute and has let a hundred others pass waits until the others get fewer. Package controller has both thresholds.
func starvation(w *work) (f *Finding) {
	if !w.timed() {
		return nil
	}
	now := w.pass.trace.Now
	for i := range w.Starved {
		x := &w.Starved[i]
		if f == nil {
			waited := x.Waited(now)
			f = keyFinding(x.Key, x.Since, x.Since+waited, Count{Name: "waited", N: waited, Unit: Duration},
				Count{Name: "passed", N: x.Passed, AtLeast: true}, w.count("waiting", w.Starves))
			if x.Until == 0 {
				f.Lacks = "waits"
			}
		}
		f.Evidence = show(f.Evidence, controllerEvidence(x.Since, x.Key, x.Waited(now)))
	}
	return f
}

// slowReconcile looks for reconciles that keep other keys waiting: each worker was in one for most of the time that a key has waited, five seconds
// or more. Where most reconciles of a controller take a tenth of that or more, it needs more workers, and no reconcile stands out. One that
// hasn't returned is told by stuck-reconcile. Package controller has the thresholds.
func slowReconcile(w *work) (f *Finding) {
	if !w.timed() {
		return nil
	}
	for i := range w.Slow {
		x := &w.Slow[i]
		if f == nil {
			f = keyFinding(x.Behind, x.Since, x.Since+x.Waited, Count{Name: "waited", N: x.Waited, Unit: Duration},
				Count{Name: "took", N: x.Took, Unit: Duration}, Count{Name: "waiting", N: x.Keys}, Count{Name: "workers", N: int64(w.Workers)})
			f.Other = x.Key
		}
		f.Evidence = show(f.Evidence, controllerEvidence(x.Began, x.Key, x.Took))
	}
	return f
}
