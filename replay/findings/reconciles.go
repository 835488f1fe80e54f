package findings

// duplicates looks for objects that were created twice because the cache didn't have the first one yet, or because the answer to its
// create was lost. One is enough: nobody needs it.
func duplicates(w *work) *Finding {
	n := len(w.Duplicates)
	if n == 0 {
		return nil
	}
	d := &w.Duplicates[0]
	f := keyFinding(d.Key, d.Time, w.Duplicates[n-1].Time, w.count("duplicates", int64(n)), w.count("stale", w.Stales))
	f.Other, f.Message = d.Second, d.First
	for i := range w.Duplicates {
		x := &w.Duplicates[i]
		f.Evidence = show(f.Evidence, controllerEvidence(x.Time, x.Second, 0))
		f.Lost = f.Lost || x.Lost
	}
	return f
}

// reconcilePanic looks for reconciles that panicked. One is enough, as for a handler's calls.
func reconcilePanic(w *work) *Finding {
	n := len(w.Panicked)
	if n == 0 {
		return nil
	}
	f := keyFinding(w.Panicked[0].Key, w.Panicked[0].Time, w.Panicked[n-1].Time, w.count("times", w.Reconciles.Panics))
	for _, x := range w.Panicked {
		f.Evidence = show(f.Evidence, controllerEvidence(x.Time, x.Key, 0))
	}
	f.Last = w.Reconciles.Panics == int64(n) && w.pass.trace.Now-f.To.Time < lastCall
	return f
}

// stuckReconcile looks for reconciles that had not returned when the capture ended. Half a minute is as long as most clients wait
// for an answer, as for a handler's call. The worker does nothing else meanwhile.
func stuckReconcile(w *work) (f *Finding) {
	n := int64(0)
	for i := range w.waiting {
		x := &w.waiting[i]
		if x.Duration < stuckFor {
			continue
		}
		if n++; f == nil {
			f = keyFinding(x.Key, x.Since, x.Since+x.Duration, Count{Name: "ran", N: x.Duration, Unit: Duration})
			f.Unknown = x.Unknown
		}
		f.Evidence = show(f.Evidence, controllerEvidence(x.Since, x.Key, x.Duration))
	}
	if f != nil {
		f.Counts = append(f.Counts, Count{Name: "stuck", N: n}, Count{Name: "workers", N: int64(w.Workers)})
	}
	return f
}
