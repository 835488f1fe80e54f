package registry

import "github.com/informerscope/informerscope/engine/object"

// The rules of writes. A Registry applies them to the objects that it has, and a
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
// deleted is gone. Only another Spec is another generation.
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

// Deleted returns the object after a delete: gone, or marked if it has finalizers or if its
// deletion is graceful.
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
