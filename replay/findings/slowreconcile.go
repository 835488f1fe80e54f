package findings

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

// noOpWrites looks for controllers that write objects as they are. Twenty within ten minutes are one in half a minute, and half of all writes of
// the resource are no exception. The first write of an object by the process doesn't count: a server-side apply at the start is how some
// controllers compare.
func noOpWrites(w *work) *Finding {
	for i := range w.NoOps {
		x := &w.NoOps[i]
		if x.Times < manyNoOps || x.All*2 < x.Of || !w.timed() {
			continue
		}
		f := keyFinding(x.Key, x.From, x.To, w.count("times", x.Times), Count{Name: "span", N: x.To - x.From, Unit: Duration},
			w.count("all", x.All), w.count("writes", x.Of))
		f.Other, f.Message = x.Resource, x.Object
		f.Evidence = show(f.Evidence, controllerEvidence(x.To, x.Object, 0))
		return f
	}
	return nil
}

// manyNoOps is the threshold: writes within ten minutes.
const manyNoOps = 20
