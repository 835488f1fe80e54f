package findings

// staleReads looks for reconciles that have written, or tried to, though the cache didn't have the controller's last write for their key yet:
// they wrote what they had worked out from an old cache. Some are usual where changes come fast. Twenty within ten minutes say that the cache
// is late, or that the controller wakes itself before it can know what it did. If objects were created twice by that, the rule duplicates tells of them.
func staleReads(w *work) *Finding {
	x := w.Harmful
	if x.Times < manyStale || !w.timed() || len(w.Duplicates) > 0 {
		return nil
	}
	f := keyFinding(x.Key, x.From, x.To, w.count("times", x.Times), spanOf(x.From, x.To), w.count("stale", w.Stales))
	f.Evidence = show(nil, controllerEvidence(x.From, x.Key, x.Times))
	return f
}

// manyStale is the threshold: reconciles within ten minutes.
const manyStale = 20
