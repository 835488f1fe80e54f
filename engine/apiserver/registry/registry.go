// Package registry is what an API server does with a write, as pure data: versions, conflicts, preconditions,
// finalizers and deletion. The rules follow Store in k8s.io/apiserver v0.37, pkg/registry/generic/registry. They
// leave the resourceVersion to the caller, who decides, too, what an object's content is: contents are compared by their
// numbers.
package registry

import "github.com/informerscope/informerscope/engine/object"

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
	Removed         // the object doesn't exist any more; its RV is the deletion's
	NoChange        // nothing was to be changed, and the resourceVersion stays
	AlreadyExists
	NotFound
	Conflict    // the resourceVersion or uid is not the object's
	Invalid     // the object would break a rule, such as that it has one controller at most
	Forbidden   // a quota is used up
	Terminating // the namespace is
	Unreached   // no answer has come, because the request has not arrived
)

// Wrote reports whether there is an event.
func (a Answer) Wrote() bool { return a < NoChange }

// Failed reports whether the server refused the write.
func (a Answer) Failed() bool { return a > NoChange }

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
		answer = Removed
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
		return o, Removed
	case o.Deleting:
		return o, NoChange
	}
	o.Deleting = true
	return o, Marked
}
