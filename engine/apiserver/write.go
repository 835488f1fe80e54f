package apiserver

import (
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Verb is a kind of write.
type Verb uint8

// The verbs.
const (
	Create Verb = iota
	Update
	UpdateStatus // of the subresource: only the fields of the status are written
	Patch        // only the labels and fields in the Object are written. An empty one is removed
	Delete
)

// Propagation is what a delete does to the objects that the deleted one owns.
type Propagation uint8

// The policies.
const (
	Background Propagation = iota // the garbage collector deletes them afterwards
	Foreground                    // it deletes them before
	Orphan                        // it takes the owner from them
)

// The finalizers by which the garbage collector knows what it is to do.
const (
	ForegroundFinalizer = "foregroundDeletion"
	OrphanFinalizer     = "orphan"
)

// Write is a request to write an object.
type Write struct {
	Verb Verb
	// Propagation is the policy of a Delete.
	Propagation Propagation
	// Object is the object's name and content. Of a delete only the name counts. A UID or RV
	// is a precondition, except in a create: there the UID is the new object's.
	Object object.Meta
	// NewVersion says that the write changes something which the machine doesn't read, such as an
	// annotation, so that there is another version even if all else stays.
	NewVersion bool
}

// Write follows Create, Update and Delete of the generic registry's Store: it does what a request
// asks for at a revision, which must be later than all before it, and says what it came to. If
// that is no write, the revision is not used.
func (s *Simulated) Write(w Write, rev, now int64) registry.Answer {
	t := s.cfg.Table
	k := t.MakeKey(w.Object)
	old := s.Storage.Get(k)
	if s.cfg.Refuses != nil {
		if a := s.cfg.Refuses(w); a.Failed() {
			return a
		}
	}
	if old == 0 {
		if w.Verb != Create {
			return registry.NotFound
		}
		if s.Storage.Full() {
			return registry.Forbidden
		}
		w.Object.Labels = initialLabels(t, w.Object.Labels)
		if now > 0 { // what is there when the world begins is older
			w.Object.Labels = s.cfg.withCreation(w.Object.Labels, seconds(now))
		}
		s.write(change{rev: rev, written: now, obj: s.cfg.Versions.RowAt(w.Object, rev), typ: event.Added})
		return registry.Created
	}
	if w.Verb == Create {
		return registry.AlreadyExists
	}
	have := objectOf(t, old)
	want, _ := w.Object.RV.Number()
	if a := have.Meets(w.Object.UID, int64(want)); a.Failed() {
		return a
	}
	next, answer := have, registry.Updated
	switch w.Verb {
	case Delete:
		if f := [...]string{Foreground: ForegroundFinalizer, Orphan: OrphanFinalizer}[w.Propagation]; f != "" {
			have.Finalizers = contentOf(t, addFinalizer(t, t.LabelSetOf(old), f)).Finalizers
		}
		next, answer = have.Deleted(s.cfg.Graceful)
	case Update:
		next, answer = have.Updated(contentOf(t, s.cfg.withCreation(w.Object.Labels, t.FieldOf(old, Created))))
	case Patch:
		if SecondOwner(t, old, w.Object.Labels) {
			return registry.Invalid
		}
		next, answer = have.Updated(contentOf(t, t.Merge(t.LabelSetOf(old), w.Object.Labels)))
	default:
		next, answer = have.StatusUpdated(contentOf(t, w.Object.Labels))
	}
	if answer == registry.NoChange {
		if !w.NewVersion {
			return answer
		}
		answer = registry.Updated
	}
	m := t.Meta(old)
	if w.Verb == Update || w.Verb == Patch {
		m.Source = w.Object.Source
	}
	if next.Content != have.Content || next.Deleting != have.Deleting {
		deletion := t.Field(m.Labels, Deletion)
		if !have.Deleting {
			deletion = seconds(now)
		}
		m.Labels = labelsOf(t, &next, deletion)
	}
	c := change{rev: rev, written: now, obj: s.cfg.Versions.RowAt(m, rev), old: old, typ: event.Updated}
	if answer == registry.Removed {
		c.typ = event.Deleted
	}
	s.write(c)
	return answer
}

// SecondOwner reports whether a patch would give an object another controller beside the one
// that it has, which ValidateOwnerReferences of apimachinery forbids.
func SecondOwner(t *object.Table, o object.Ref, patch object.Labels) bool {
	was, is := t.FieldOf(o, Owner), t.Field(patch, Owner)
	return was != "" && is != "" && was != is
}

// Hold takes in a version of an object that is older than the server's first revision.
func (s *Simulated) Hold(m object.Meta) { s.Storage.etcd.hold(s.cfg.Table, s.cfg.Table.Add(m)) }

// Commit writes a version of an object for a caller that keeps the objects' contents
// itself and has decided by the registry's rules what the write comes to: event.Added,
// Updated or Deleted, the last with the final content. The revision must be later than all
// before it.
func (s *Simulated) Commit(m object.Meta, typ event.Delta, rev, now int64) {
	s.write(change{rev: rev, written: now, obj: s.cfg.Versions.RowAt(m, rev), old: s.Storage.Get(s.cfg.Table.MakeKey(m)), typ: typ})
}
