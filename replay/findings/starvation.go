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
