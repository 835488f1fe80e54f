package testserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
)

// namePattern is a DNS subdomain, which most names must be.
var namePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// check validates what every object must have.
func (k *kind) check(o tree) *failure {
	if k.custom() && (text(o, "kind") == "" || text(o, "apiVersion") == "") {
		return badRequest("Object 'Kind' or 'apiVersion' is missing")
	}
	if got := text(o, "kind"); k.custom() && got != k.Kind {
		return k.invalid(text(metaOf(o), "name"), "kind", fmt.Sprintf("Invalid value: %q: must be %s", got, k.Kind))
	} else if got != "" && got != k.Kind {
		return badRequest("%s in version %q cannot be handled as a %s", got, text(o, "apiVersion"), k.Kind)
	}
	if got := text(o, "apiVersion"); got != "" && got != k.GroupVersion() {
		return badRequest("the API version in the data (%s) does not match the expected API version (%s)", got, k.GroupVersion())
	}
	meta, is := o["metadata"].(tree)
	if o["metadata"] != nil && !is {
		return badRequest("metadata: an object is expected")
	}
	for name, v := range meta {
		if !validType(name, v) {
			return badRequest("metadata.%s: %v is not what is expected there", name, v)
		}
	}
	labels, _ := meta["labels"].(tree)
	for name, v := range labels {
		if value, _ := v.(string); !labelName(name) || value != "" && !labelPattern.MatchString(value) || len(value) > 63 {
			return k.invalid(text(meta, "name"), "metadata.labels", fmt.Sprintf("Invalid value: %q is no label of the value %q", name, value))
		}
	}
	return nil
}

// labelPattern is what the value of a label looks like, and the name after its prefix.
var labelPattern = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)

func labelName(s string) bool {
	prefix, name, has := strings.Cut(s, "/")
	if !has {
		prefix, name = "", s
	}
	return len(name) <= 63 && labelPattern.MatchString(name) && (!has || len(prefix) <= 253 && namePattern.MatchString(prefix))
}

// validType reports whether a field of the metadata has the type that it must have.
func validType(name string, v any) bool {
	switch name {
	case "name", "namespace", "generateName", "uid", "resourceVersion":
		_, is := v.(string)
		return v == nil || is
	case "labels", "annotations":
		m, is := v.(tree)
		for _, item := range m {
			if _, is := item.(string); !is {
				return false
			}
		}
		return v == nil || is
	case "finalizers":
		_, is := texts(v)
		return is
	}
	return true
}

// texts returns a list of strings.
func texts(v any) ([]string, bool) {
	if v == nil {
		return nil, true
	}
	list, is := v.([]any)
	var out []string
	for _, item := range list {
		s, is := item.(string)
		if !is {
			return nil, false
		}
		out = append(out, s)
	}
	return out, is
}

func (s *Server) create(r *request) (*version, *failure) {
	o, f := r.checked(r.object())
	if f != nil {
		return nil, f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.createObject(r, o)
}

// createObject writes a new object.
func (s *Server) createObject(r *request, o tree) (*version, *failure) {
	k, meta := r.kind, maps.Clone(metaOf(o))
	if meta == nil {
		meta = tree{}
	}
	name := text(meta, "name")
	if prefix := text(meta, "generateName"); name == "" && prefix != "" {
		name = prefix[:min(len(prefix), 58)] + s.suffix()
	}
	switch ns := text(meta, "namespace"); {
	case name == "":
		return nil, k.invalid("", "metadata.name", "Required value: name or generateName is required")
	case len(name) > 253 || !namePattern.MatchString(name):
		return nil, k.invalid(name, "metadata.name", fmt.Sprintf("Invalid value: %q: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character", name))
	case ns != "" && ns != r.namespace:
		return nil, badRequest("the namespace of the provided object does not match the namespace sent on the request")
	case text(meta, "resourceVersion") != "":
		return nil, fail(http.StatusInternalServerError, "", "resourceVersion should not be set on objects to be created")
	}
	if s.item(k, k.key(r.namespace, name)) != nil {
		return nil, k.alreadyExists(name)
	}
	if f := s.refuseCreate(k, r.namespace, name); f != nil {
		return nil, f
	}
	for _, field := range []string{"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		delete(meta, field)
	}
	if !r.applied {
		delete(meta, "managedFields")
	}
	uid := s.newUID()
	meta["name"], meta["uid"], meta["creationTimestamp"] = name, uid, stamp(time.Now())
	if !k.Cluster {
		meta["namespace"] = r.namespace
	}
	o["metadata"] = meta
	if k.Status {
		delete(o, "status")
	}
	switch k.qualified() { // the status of the others has no field that is always there, or nobody has looked
	case "pods":
		o["status"] = tree{"phase": "Pending"}
	case "deployments.apps":
		o["status"] = tree{}
	case "replicasets.apps":
		o["status"] = tree{"replicas": json.Number("0")}
	case crds:
		r, _, f := k.defined(o)
		if f != nil {
			return nil, f
		}
		o["status"] = tree{"acceptedNames": tree{"kind": "", "plural": ""}, "conditions": nil, "storedVersions": []any{r.Version}}
	}
	o, f := k.completed(s, o, nil)
	if f != nil {
		return nil, f
	}
	o = r.managed(s, k.empty(r.namespace, name), o)
	made := registry.Object{UID: k.table.Sym(uid), Generation: 1, Created: s.now(), Content: s.content(k, o)}
	v := s.commit(k, made, o, event.Added, r.dry)
	if k.qualified() == crds && !r.dry {
		s.define(k, v)
	}
	return v, nil
}

// lookup finds the object of a request.
func (s *Server) lookup(r *request) (*item, *failure) {
	it := s.item(r.kind, r.kind.key(r.namespace, r.name))
	if it == nil {
		return nil, r.kind.notFound(r.name)
	}
	return it, nil
}

func (s *Server) get(r *request) (*version, *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, f := s.lookup(r)
	if f != nil {
		return nil, f
	}
	return it.version, nil
}

func (s *Server) update(r *request) (*version, *failure) {
	o, f := r.checked(r.object())
	if f != nil {
		return nil, f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, f := s.lookup(r)
	if f != nil {
		return nil, f
	}
	return s.put(r, it, o, r.kind.Conditional)
}

// put writes an object over the one that is there.
func (s *Server) put(r *request, it *item, o tree, conditional bool) (*version, *failure) {
	k, meta, old := r.kind, maps.Clone(metaOf(o)), metaOf(it.body)
	if meta == nil {
		meta = tree{}
	}
	rv := int64(0)
	switch name := text(meta, "name"); {
	case name != "" && name != r.name:
		return nil, badRequest("the name of the object (%s) does not match the name on the URL (%s)", name, r.name)
	case text(meta, "namespace") != "" && text(meta, "namespace") != r.namespace:
		return nil, badRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if given := text(meta, "resourceVersion"); given != "" {
		n, err := strconv.ParseInt(given, 10, 64)
		if err != nil {
			return nil, fail(http.StatusInternalServerError, "", "the resourceVersion %q is no number", given)
		}
		rv = n
	} else if conditional {
		return nil, k.invalid(r.name, "metadata.resourceVersion", "Invalid value: 0: must be specified for an update")
	}
	if uid := text(meta, "uid"); uid != "" && it.Meets(k.table.Sym(uid), 0).Failed() {
		return nil, k.conflict(r.name, fmt.Sprintf("Precondition failed: UID in precondition: %s, UID in object meta: %s", uid, old["uid"]))
	}
	if rv != 0 && it.Meets(0, rv).Failed() {
		return nil, k.conflict(r.name, modified)
	}
	status, wanted := r.subresource == "status", o
	if status {
		o = withStatus(it.body, o["status"])
		meta = maps.Clone(old)
	} else if k.Status {
		o = withStatus(o, it.body["status"])
	}
	fields := meta["managedFields"]
	if status {
		fields = metaOf(wanted)["managedFields"]
	}
	keepOwn(meta, old)
	if r.applied {
		meta["managedFields"] = fields
	}
	o = maps.Clone(o)
	o["metadata"] = meta
	o, f := k.completed(s, o, it.body)
	if f != nil {
		return nil, f
	}
	o = r.managed(s, it.body, o)
	if f := k.newFinalizers(it, o); f != nil {
		return nil, f
	}
	if status {
		next, answer := it.StatusUpdated(s.content(k, o))
		return s.settle(k, it, next, answer, o, r.dry), nil
	}
	return s.write(k, it, o, r.dry), nil
}

// write gives an object another body, in which the status is the same.
func (s *Server) write(k *kind, it *item, body tree, dry bool) *version {
	next, answer := it.Updated(s.content(k, body))
	return s.settle(k, it, next, answer, body, dry)
}

// settle commits what the registry's rules have made of a write.
func (s *Server) settle(k *kind, it *item, next registry.Object, answer registry.Answer, body tree, dry bool) *version {
	switch answer {
	case registry.NoChange:
		return it.version
	case registry.Removed:
		return s.bury(k, it, next, body, dry)
	}
	return s.commit(k, next, body, event.Updated, dry)
}

// bury commits a deletion. Its event has another resourceVersion, and the answer to the client
// has the last one that the object had.
func (s *Server) bury(k *kind, it *item, next registry.Object, body tree, dry bool) *version {
	s.commit(k, next, body, event.Deleted, dry)
	next.RV = it.RV
	return k.newVersion(next, body)
}

func withStatus(o tree, status any) tree {
	o = maps.Clone(o)
	delete(o, "status")
	if status != nil {
		o["status"] = status
	}
	return o
}

// keepOwn gives back the fields of the metadata that no client writes.
func keepOwn(meta, old tree) {
	for _, name := range serverOwn {
		if name == "finalizers" {
			continue
		}
		delete(meta, name)
		if v, had := old[name]; had {
			meta[name] = v
		}
	}
}

// newFinalizers refuses those that are added to an object which is being deleted.
func (k *kind) newFinalizers(it *item, o tree) *failure {
	if !it.Deleting {
		return nil
	}
	had, _ := texts(metaOf(it.body)["finalizers"])
	has, _ := texts(metaOf(o)["finalizers"])
	for _, item := range has {
		if !slices.Contains(had, item) {
			return k.invalid(text(metaOf(o), "name"), "metadata.finalizers", fmt.Sprintf("Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{%q}", item))
		}
	}
	return nil
}
