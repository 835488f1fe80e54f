package fakeapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// versionOf is which object, and which version of it, a write is meant for; each is "" for any.
type versionOf struct {
	UID             types.UID
	ResourceVersion string
}

func (v versionOf) meets(o Object) bool {
	return (v.UID == "" || v.UID == o.GetUID()) && (v.ResourceVersion == "" || v.ResourceVersion == o.GetResourceVersion())
}

// Create does what another client's POST does, at once.
func (s *Server) Create(r *Resource, o Object) *Request {
	return s.write(&Request{Method: "POST", Resource: r}, func(q *Request) { s.create(q, o) })
}

// Update does what another client's PUT does, at once.
func (s *Server) Update(r *Resource, name string, change func(Object)) *Request {
	return s.write(&Request{Method: "PUT", Resource: r, Name: name}, func(q *Request) {
		s.update(q, versionOf{}, func(o Object) string {
			change(o)
			return ""
		})
	})
}

// Delete does what another client's DELETE does, at once.
func (s *Server) Delete(r *Resource, name string) *Request {
	return s.write(&Request{Method: "DELETE", Resource: r, Name: name}, func(q *Request) { s.delete(q, versionOf{}) })
}

// Reap removes the objects that are marked.
func (s *Server) Reap(r *Resource) {
	s.write(&Request{Resource: r}, func(q *Request) {
		for _, o := range r.sorted() {
			if o.GetDeletionTimestamp() != nil {
				s.put(q, o.DeepCopyObject().(Object), "DELETED")
			}
		}
	})
}

func (s *Server) write(q *Request, do func(q *Request)) *Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(q)
	s.wakeUp()
	return q
}

// sorted returns the objects by their names.
func (r *Resource) sorted() (all []Object) {
	for _, name := range slices.Sorted(maps.Keys(r.Objects)) {
		all = append(all, r.Objects[name])
	}
	return all
}

func (s *Server) read(q *Request) {
	if q.Name == "" {
		kind := q.Resource.New().GetObjectKind().GroupVersionKind()
		q.Code, q.out = 200, marshal(map[string]any{"kind": kind.Kind + "List", "apiVersion": kind.GroupVersion().String(), "metadata": map[string]any{"resourceVersion": fmt.Sprint(s.RV)}, "items": q.Resource.sorted()})
		return
	}
	if o, exists := q.Resource.Objects[q.Name]; exists {
		q.answer(200, o)
	} else {
		q.refuse("notfound")
	}
}

func (s *Server) create(q *Request, o Object) {
	if o.GetName() == "" {
		prefix := o.GetGenerateName()
		s.names[prefix]++
		o.SetName(prefix + fmt.Sprint(s.names[prefix]))
	}
	q.Name = o.GetName()
	if _, exists := q.Resource.Objects[q.Name]; exists {
		q.refuse("exists")
		return
	}
	if o.GetUID() == "" {
		s.uids++
		o.SetUID(types.UID(fmt.Sprintf(s.UIDs, s.uids)))
	}
	if created := o.GetCreationTimestamp(); created.IsZero() {
		o.SetCreationTimestamp(metav1.Now())
	}
	s.put(q, o, "ADDED")
	q.answer(201, o)
}

// update writes what change makes of an object, unless change returns an error. The last finalizer of a marked object keeps it.
func (s *Server) update(q *Request, v versionOf, change func(Object) (err string)) {
	old, exists := q.Resource.Objects[q.Name]
	if !exists {
		q.refuse("notfound")
		return
	}
	o, typ := old.DeepCopyObject().(Object), "MODIFIED"
	err := change(o)
	switch {
	case err != "":
		q.refuse(err)
		return
	case !v.meets(old):
		q.refuse("conflict")
		return
	case bytes.Equal(marshal(o), marshal(old)):
		q.What = "no change "
		q.answer(200, o)
		return
	case old.GetDeletionTimestamp() != nil && len(old.GetFinalizers()) > 0 && len(o.GetFinalizers()) == 0:
		typ, q.What = "DELETED", "gone "
	}
	s.put(q, o, typ)
	q.answer(200, o)
}

func (s *Server) delete(q *Request, v versionOf) {
	old, exists := q.Resource.Objects[q.Name]
	if !exists {
		q.refuse("notfound")
		return
	}
	if !v.meets(old) {
		q.refuse("conflict")
		return
	}
	o := old.DeepCopyObject().(Object)
	switch {
	case !q.Resource.Graceful && len(o.GetFinalizers()) == 0:
		s.put(q, o, "DELETED")
		q.What = "gone "
		q.Code, q.Object, q.out = 200, o, marshal(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Success"})
		return
	case o.GetDeletionTimestamp() == nil:
		now := metav1.Now()
		o.SetDeletionTimestamp(&now)
		s.put(q, o, "MODIFIED")
		q.What = "deletionTimestamp set "
	default:
		q.What = "already deleting "
	}
	q.answer(200, o)
}

// put stores an object at the next resourceVersion, and makes the event.
func (s *Server) put(q *Request, o Object, typ string) {
	r := q.Resource
	s.RV++
	o.SetResourceVersion(fmt.Sprint(s.RV))
	if r.Objects[o.GetName()] = o; typ == "DELETED" {
		delete(r.Objects, o.GetName())
	}
	q.Wrote = true
	e := &event{due: time.Now().Add(eventTakes), rv: s.RV, typ: typ, o: o}
	switch r.mode {
	case "hold":
		e.due = time.Time{}
	case "lag":
		e.due = time.Now().Add(r.lag)
	}
	r.events = append(r.events, e)
}

func (q *Request) answer(code int, o Object) {
	q.Code, q.Object, q.out = code, o, marshal(o)
}

// refuse answers with the error that has a name in scripts.
func (q *Request) refuse(err string) {
	resource, details := q.Resource.Name, map[string]any(nil)
	if group := q.Resource.New().GetObjectKind().GroupVersionKind().Group; group != "" {
		resource += "." + group
	}
	named := fmt.Sprintf("%s %q", resource, q.Name)
	forbidden := named
	if q.Name == "" {
		forbidden = resource
	}
	text := ""
	switch err {
	case "conflict":
		q.Code, q.Reason, text = 409, "Conflict", "Operation cannot be fulfilled on "+named+": the object has been modified"
	case "forbidden":
		q.Code, q.Reason, text = 403, "Forbidden", forbidden+" is forbidden: exceeded quota"
	case "nsterminating":
		q.Code, q.Reason, text = 403, "Forbidden", forbidden+" is forbidden: unable to create new content because it is being terminated"
		details = map[string]any{"causes": []any{map[string]any{"reason": "NamespaceTerminating"}}}
	case "notfound":
		q.Code, q.Reason, text = 404, "NotFound", named+" not found"
	case "exists":
		q.Code, q.Reason, text = 409, "AlreadyExists", named+" already exists"
	case "invalid":
		q.Code, q.Reason, text = 422, "Invalid", named+" is invalid: metadata.ownerReferences: only one reference can have Controller set to true"
	case "timeout":
		q.Code, q.Reason, text = 500, "ServerTimeout", "The op operation against "+resource+" could not be completed at this time, please try again."
	default:
		q.Code, q.Reason, text = 500, "InternalError", "Internal error occurred: scripted"
	}
	q.out = marshal(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": q.Code, "reason": q.Reason, "message": text, "details": details})
}

func marshal(x any) []byte {
	out, err := json.Marshal(x)
	if err != nil {
		panic(err) // an object can be written
	}
	return out
}
