package kamera

import "strconv"

// look works out of how many writes of each kind the caches of a reconcile had heard.
func (f *facts) look(d *Dump, r *result, i int, s *step) {
	s.view = map[kind]int{}
	type read struct {
		key  string
		hash hash
	}
	reads := map[kind][]read{}
	for _, o := range r.Changes.Observations {
		t := d.thing(o.Key, o.Version)
		reads[t.kind] = append(reads[t.kind], read{t.key, o.Version})
	}
	for k, all := range reads {
		for _, read := range all {
			if w := f.marked(k, read.key, read.hash); w != nil {
				s.wrong = "it reads " + w.String() + " as it was marked for deletion in step " + strconv.Itoa(w.step+1) + ", and without a finalizer an API server removes it at once"
			}
		}
	}
	latest := map[kind]int64{}
	for text, n := range r.KindSeqBefore {
		latest[canonical(text)] = n
	}
	for k, writes := range f.writes {
		at := 0 // of those before this step
		for at < len(writes) && writes[at].step < i {
			at++
		}
		n := at
		if seq, ok := latest[k]; ok {
			for n > 0 && writes[n-1].step >= 0 && writes[n-1].seq > seq {
				n--
			}
		}
		if f.observed && len(reads[k]) == 0 && (n == at || !f.reads[reader{s.controller, k}]) {
			continue // a reconcile that reads nothing of a kind may have any cache of it, unless kamera made it an old one
		}
		had := func(n int) bool {
			for _, read := range reads[k] {
				if !f.had(k, read.key, read.hash, n) {
					return false
				}
			}
			return true
		}
		if !had(n) {
			for n = at; n >= 0 && !had(n); n-- {
			}
		}
		if n < 0 {
			s.wrong = "no informer of " + k.String() + " ever had the versions together that it read"
			continue
		}
		s.view[k] = n
	}
}

// marked is the write that has marked an object for deletion which an API server would remove at once, nil if a version is
// of no such write. A Pod has a grace period.
func (f *facts) marked(k kind, key string, v hash) *write {
	for i := range f.writes[k] {
		w := &f.writes[k][i]
		if w.op == "DELETE" && w.key == key && (w.hashes[0] == v || w.hashes[1] == v) && w.object != nil && len(w.object.Metadata.Finalizers) == 0 && k != (kind{"", "Pod"}) {
			return w
		}
	}
	return nil
}

// had reports whether a cache that had heard of n writes of a kind held a version of an object. A version that no write
// made says nothing.
func (f *facts) had(k kind, key string, v hash, n int) bool {
	held, known := false, false
	for _, w := range f.before {
		if w.kind == k && w.key == key {
			held = w.hashes[0] == v
			known = known || held
		}
	}
	for i, w := range f.writes[k] {
		if w.key != key {
			continue
		}
		is := !w.removes() && (w.hashes[0] == v || w.hashes[1] == v)
		known = known || is
		if i < n {
			held = is
		}
	}
	return held || !known
}
