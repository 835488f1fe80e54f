package findings

import "github.com/informerscope/informerscope/replay/report/controller"

// ownWrites looks for controllers that feed themselves: nothing but its own writes has woken a reconcile, and it has written again. Most
// controllers hear once of each write of their own, and find nothing to do. Those that do one step in each reconcile end after some. 120
// for one key within ten minutes are one in five seconds, and come to no end. The rule hot-loop tells of those that are faster.
func ownWrites(w *work) (f *Finding) {
	if hot := hotLoop(w); hot != nil && hot.Feeder == controller.ByWrite {
		return nil
	}
	for i := range w.OwnWrites {
		x := &w.OwnWrites[i]
		if x.Times < manyOwnWrites || !w.timed() {
			continue
		}
		if f == nil {
			f = keyFinding(x.Key, x.From, x.To, w.count("times", x.Times), spanOf(x.From, x.To),
				w.count("woken", w.Woken), Count{Name: "share", N: w.Woken * 100 / max(w.Reconciles.Count, 1), Unit: Percent})
			f.Other = x.Resource
		}
		f.Evidence = show(f.Evidence, controllerEvidence(x.From, x.Key, x.Times))
	}
	return f
}

// manyOwnWrites is the threshold: reconciles of a key within ten minutes.
const manyOwnWrites = 120
