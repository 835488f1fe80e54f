package findings

import "cmp"

// alwaysFailing looks for keys whose reconciles all fail. By default a workqueue of client-go tries a key again after 5 ms,
// and then after twice as long each time, so twelve failures in a row take ten seconds: more than an API server that restarts,
// or a webhook whose pods are replaced, takes mostly. A key whose last reconcile hasn't failed is not one of them. Conflicts have a
// rule of their own.
func alwaysFailing(w *work) (f *Finding) {
	for i := range w.Failing {
		x := &w.Failing[i]
		if x.Times < failures || x.Error == "Conflict" {
			continue
		}
		if f == nil {
			f = keyFinding(x.Key, x.From, x.Last, w.count("times", x.Times), w.count("failing", int64(w.Fails)))
			f.Message = cmp.Or(x.Message, x.Error)
			if f.Lacks = "untimed"; x.Next != 0 && w.timed() {
				f.Lacks = ""
				f.Counts = append(f.Counts, Count{Name: "next", N: x.Next - x.Last, Unit: Duration})
			}
		}
		f.Evidence = show(f.Evidence, controllerEvidence(x.From, x.Key, x.Times))
	}
	return f
}

// failures is the threshold: how many reconciles of a key have failed in a row.
const failures = 12
