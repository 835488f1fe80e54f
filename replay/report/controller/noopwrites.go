package controller

// NoOpWrites are updates and patches of a resource by a controller that have changed nothing, though it had written the same objects before:
// the API server has answered with the resourceVersion that the object had. It was written, or in the last answer, or has come before the write.
type NoOpWrites struct {
	Resource string
	Verb     string // "" for updates and patches; creates were refused since the object was there, and deletes since it wasn't
	Key      string // that was reconciled, of the last one
	Object   string
	Span
	All   int64 // in all
	Total int64 // updates and patches of objects that it had written before; all creates or deletes
}

// ofResource is what is known of a controller's writes of a resource.
type ofResource struct {
	NoOpWrites
	versions map[string]string // of the last answers, by object
	often    often
}

// wrote takes in an accepted write. known says that its resourceVersion had come before it was sent.
func (w *work) wrote(s *sent, known, bounded bool) {
	r, object := w.resource(s, "", bounded), s.Key()
	before := r.versions[object]
	if r.versions == nil || bounded && len(r.versions) >= mostKept {
		r.versions = map[string]string{}
	}
	r.versions[object] = s.Answer.RV
	if before == "" || s.Answer.RV == "" || s.Verb != "update" && s.Verb != "patch" || s.Answer.Deleting { // an update that removes the last finalizer is answered so, too
		return
	}
	r.Total++
	if s.Answer.RV != before && s.Answer.RV != s.Written.RV && !known {
		return
	}
	r.noOp(s)
}

// resource returns what is known of the writes of a resource.
func (w *work) resource(s *sent, verb string, bounded bool) *ofResource {
	name := verb + s.Target()
	r := w.written[name]
	if r == nil {
		if w.written == nil || bounded && len(w.written) >= mostKept>>8 {
			w.written = map[string]*ofResource{}
		}
		r = &ofResource{NoOpWrites: NoOpWrites{Resource: s.Target(), Verb: verb}}
		w.written[name] = r
	}
	return r
}

// noOp counts a write that has changed nothing.
func (r *ofResource) noOp(s *sent) {
	if r.All++; r.often.add(s.Answered) {
		r.Key, r.Object, r.Span = s.run.Key, s.Key(), r.often.busiest
	}
}

// asked takes in a create or a delete of an object that the reconcile got over. It has changed nothing if the same was asked for before, and the API
// server has answered again that the object is there, or that it isn't.
func (w *work) asked(s *sent, bounded bool) {
	if s.Verb != "create" && s.Verb != "delete" || s.Subresource != "" || s.Name == "" && s.Written.Key == "" {
		return
	}
	r := w.resource(s, s.Verb, bounded)
	if r.versions == nil || bounded && len(r.versions) >= mostKept {
		r.versions = map[string]string{}
	}
	before := r.versions[s.Key()]
	r.versions[s.Key()] = s.Verb
	r.Total++
	if before != "" && (s.Answer.Reason == "AlreadyExists" || s.Verb == "delete" && s.Answer.Reason == "NotFound") {
		r.noOp(s)
	}
}

// noOps fills in which writes have changed nothing.
func (w *work) noOps(c *Controller) {
	for _, r := range w.written {
		if r.Times > 0 {
			c.NoOps = append(c.NoOps, r.NoOpWrites)
		}
	}
	c.NoOps = sorted(c.NoOps, 0, func(w *NoOpWrites) (int64, string) { return w.Times, w.Resource + w.Verb })
}
