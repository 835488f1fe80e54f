// Package registry is what an API server does with writes, as pure data: versions,
// conflicts, preconditions, finalizers and deletion, for any number of resources with one
// counter. Whoever uses it sends the events, and decides what an object's content is: the
// registry compares contents by their numbers.
package registry

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/object"
)

// Resource is the number of a resource.
type Resource int

// Content is an object's content. Two objects with the same numbers have the same
// content.
type Content struct {
	Meta       int32 // labels, owners and the like
	Spec       int32
	Status     int32 // of a resource with a status subresource: only UpdateStatus changes it
	Finalizers int32 // 0 for none
}

// Object is an object as the server has it.
type Object struct {
	Key        object.Key // by which the server files it
	UID        object.Sym
	RV         int64
	Generation int64 // how often Spec was written
	Created    int64 // nanoseconds
	Deleting   bool  // it has a deletionTimestamp
	Content
}

// Answer is what a write came to.
type Answer uint8

// The answers. Those before NoChange have written something, at a new resourceVersion.
const (
	Created  Answer = iota
	Updated         // the object is another
	Marked          // by Delete: the object has a deletionTimestamp now
	Gone            // the object doesn't exist any more; its RV is the deletion's
	NoChange        // nothing was to be changed, and the resourceVersion stays
	AlreadyExists
	NotFound
	Conflict  // the resourceVersion or uid is not the object's
	Invalid   // the object would break a rule, such as that it has one controller at most
	Forbidden // a quota is used up
	Unreached // no answer has come, because the request has not arrived
)

// Wrote reports whether there is an event.
func (a Answer) Wrote() bool { return a < NoChange }

// Failed reports whether the server refused the write.
func (a Answer) Failed() bool { return a > NoChange }

// Registry has the objects of all resources.
type Registry struct {
	// MarkingIsChange says that an object gets another generation with its
	// deletionTimestamp, as it does from a real server.
	MarkingIsChange bool

	t         *object.Table
	rv        int64
	uids      int64
	names     []generated
	resources [][]Object // by key; one without a UID isn't there
}

// generated counts the names made of a prefix.
type generated struct {
	prefix object.Sym
	n      int64
}

// New returns a server without objects. Its first write gets the resourceVersion rv + 1.
func New(t *object.Table, resources int, rv int64) *Registry {
	return &Registry{t: t, rv: rv, resources: make([][]Object, resources)}
}

// RV returns the resourceVersion of the last write.
func (r *Registry) RV() int64 { return r.rv }

// Get returns an object.
func (r *Registry) Get(of Resource, k object.Key) (Object, bool) {
	if int(k) >= len(r.resources[of]) || r.resources[of][k].UID == 0 {
		return Object{}, false
	}
	return r.resources[of][k], true
}

// List appends the objects of a resource, in the order of their keys' numbers.
func (r *Registry) List(of Resource, dst []Object) []Object {
	for _, o := range r.resources[of] {
		if o.UID != 0 {
			dst = append(dst, o)
		}
	}
	return dst
}

// GenerateName makes a name of a generateName prefix: the prefix and a number. A real
// server appends five random characters.
func (r *Registry) GenerateName(prefix string) string {
	p := r.t.Sym(prefix)
	for i := range r.names {
		if g := &r.names[i]; g.prefix == p {
			g.n++
			return prefix + strconv.FormatInt(g.n, 10)
		}
	}
	r.names = append(r.names, generated{p, 1})
	return prefix + "1"
}

// Create writes a new object. Without a UID it gets u1, u2 and so on.
func (r *Registry) Create(of Resource, o Object, now int64) (Object, Answer) {
	if old, exists := r.Get(of, o.Key); exists {
		return old, AlreadyExists
	}
	if o.UID == 0 {
		r.uids++
		o.UID = r.t.Sym("u" + strconv.FormatInt(r.uids, 10))
	}
	o.Generation, o.Created, o.Deleting = 1, now, false
	return r.put(of, o), Created
}

// put writes an object at the next resourceVersion.
func (r *Registry) put(of Resource, o Object) Object {
	r.rv++
	o.RV = r.rv
	if all := r.resources[of]; int(o.Key) >= len(all) {
		r.resources[of] = append(all, make([]Object, int(o.Key)+1-len(all))...)
	}
	r.resources[of][o.Key] = o
	return o
}

// find returns the object that a write is for. A uid or rv other than 0 is a
// precondition.
func (r *Registry) find(of Resource, k object.Key, uid object.Sym, rv int64) (Object, Answer) {
	o, exists := r.Get(of, k)
	if !exists {
		return Object{}, NotFound
	}
	return o, o.Meets(uid, rv)
}

// Update writes what is in o but its Status. A UID or RV in o that isn't the object's is a
// conflict. If the object is being deleted and has no finalizer left, it is gone.
func (r *Registry) Update(of Resource, o Object) (Object, Answer) {
	old, answer := r.find(of, o.Key, o.UID, o.RV)
	if answer.Failed() {
		return old, answer
	}
	return r.keep(of)(old.Updated(o.Content))
}

// UpdateStatus updates the subresource status: it writes only the Status.
func (r *Registry) UpdateStatus(of Resource, o Object) (Object, Answer) {
	old, answer := r.find(of, o.Key, o.UID, o.RV)
	if answer.Failed() {
		return old, answer
	}
	return r.keep(of)(old.StatusUpdated(o.Content))
}

// keep returns what stores the object that a write has made.
func (r *Registry) keep(of Resource) func(Object, Answer) (Object, Answer) {
	return func(o Object, a Answer) (Object, Answer) {
		switch a {
		case Gone:
			return r.remove(of, o), a
		case NoChange:
			return o, a
		}
		return r.put(of, o), a
	}
}

// Delete deletes an object. With finalizers, or if its deletion is graceful, it is only
// marked. A uid other than 0 is a precondition.
func (r *Registry) Delete(of Resource, k object.Key, uid object.Sym, graceful bool) (Object, Answer) {
	o, answer := r.find(of, k, uid, 0)
	if answer.Failed() {
		return o, answer
	}
	o, answer = o.Deleted(graceful)
	if answer == Marked && r.MarkingIsChange {
		o.Generation++
	}
	return r.keep(of)(o, answer)
}

func (r *Registry) remove(of Resource, o Object) Object {
	o = r.put(of, o)
	r.resources[of][o.Key] = Object{}
	return o
}

// The rules of writes are those of Store in k8s.io/apiserver v0.37, pkg/registry/generic/registry.
// A Registry applies them to the objects that it has, and a
// simulated server to those of its etcd. They leave the resourceVersion to the caller.

// Meets reports Conflict if the uid or the resourceVersion that a write expects is not
// the object's, and Updated otherwise. 0 expects nothing.
func (o Object) Meets(uid object.Sym, rv int64) Answer {
	if uid != 0 && uid != o.UID || rv != 0 && rv != o.RV {
		return Conflict
	}
	return Updated
}

// Updated returns the object with another content, in which the Status stays.
func (o Object) Updated(to Content) (Object, Answer) {
	to.Status = o.Status
	return o.changed(to)
}

// StatusUpdated returns the object with another Status.
func (o Object) StatusUpdated(to Content) (Object, Answer) {
	content := o.Content
	content.Status = to.Status
	return o.changed(content)
}

// changed returns the object with another content. Without a finalizer, an object that is being
// deleted is gone (ShouldDeleteDuringUpdate). Only another Spec is another generation.
func (o Object) changed(to Content) (Object, Answer) {
	answer := Updated
	switch {
	case to == o.Content:
		return o, NoChange
	case o.Deleting && to.Finalizers == 0 && o.Finalizers != 0:
		answer = Gone
	case to.Spec != o.Spec:
		o.Generation++
	}
	o.Content = to
	return o, answer
}

// Deleted returns the object after a delete: gone, or marked (BeforeDelete, markAsDeleting) if it
// has finalizers or if its deletion is graceful.
func (o Object) Deleted(graceful bool) (Object, Answer) {
	switch {
	case !graceful && o.Finalizers == 0:
		return o, Gone
	case o.Deleting:
		return o, NoChange
	}
	o.Deleting = true
	return o, Marked
}
