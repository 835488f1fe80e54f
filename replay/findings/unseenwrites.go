package findings

// unseenWrites looks for writes that the API server has carried out and the informer hasn't heard of when the recording ends: the watch is
// mute, or somebody holds it back. A watch brings a write within milliseconds. After half a minute, a watch that had ended is there again.
func unseenWrites(w *work) *Finding {
	if w.Unseens == 0 || !w.timed() {
		return nil
	}
	x, now := &w.Unseen[0], w.pass.trace.Now
	f := keyFinding(x.Key, x.Answered, now, w.count("writes", w.Unseens), Count{Name: "waited", N: now - x.Answered, Unit: Duration})
	f.Other, f.Message = x.Object, x.Resource
	for i := range w.Unseen {
		f.Evidence = show(f.Evidence, controllerEvidence(w.Unseen[i].Answered, w.Unseen[i].Object, 0))
	}
	return f
}
