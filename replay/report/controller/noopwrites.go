package controller

import "sort"

// NoOpWrites are updates and patches of a resource by a controller that have changed nothing, though it had written the same objects before:
// the API server has answered with the resourceVersion that the object had.
type NoOpWrites struct {
	Resource string
	Key      string // that was reconciled, of the last one
	Object   string
	Span
	All   int64 // in all
	Total int64 // updates and patches of objects that it had written before
}

// ofResource is what is known of a controller's writes of a resource.
type ofResource struct {
	NoOpWrites
	versions map[string]string // of the last answers, by object
	often    often
}

// wrote takes in an accepted write.
func (w *work) wrote(s *sent, bounded bool) {
	r, object := w.written[s.Target()], s.Key()
	if r == nil {
		if w.written == nil || bounded && len(w.written) >= mostKept>>8 {
			w.written = map[string]*ofResource{}
		}
		r = &ofResource{}
		w.written[s.Target()] = r
	}
	before := r.versions[object]
	if r.versions == nil || bounded && len(r.versions) >= mostKept {
		r.versions = map[string]string{}
	}
	r.versions[object] = s.Answer.RV
	if before == "" || s.Answer.RV == "" || s.Verb != "update" && s.Verb != "patch" || s.Answer.Deleting { // an update that removes the last finalizer is answered so, too
		return
	}
	r.Total++
	if s.Answer.RV != before && s.Answer.RV != s.Written.RV {
		return
	}
	if r.All++; r.often.add(s.Answered) {
		r.Key, r.Object, r.Span = s.run.Key, object, r.often.busiest
	}
}

// noOps fills in which writes have changed nothing.
func (w *work) noOps(c *Controller) {
	for name, r := range w.written {
		if row := r.NoOpWrites; row.Times > 0 {
			row.Resource = name
			c.NoOps = append(c.NoOps, row)
		}
	}
	sort.Slice(c.NoOps, func(i, j int) bool {
		a, b := &c.NoOps[i], &c.NoOps[j]
		return rowBefore(a.Times, b.Times, a.Resource, b.Resource)
	})
}
