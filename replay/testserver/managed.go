package testserver

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/testserver/apply"
	"github.com/informerscope/informerscope/replay/testserver/builtin"
)

// Who manages which fields, as Options.ManagedFields asks for it, and server-side apply.

// empty returns an object before anything is written to it.
func (k *kind) empty(namespace, name string) tree {
	meta := tree{"name": name}
	if !k.Cluster {
		meta["namespace"] = namespace
	}
	return tree{"apiVersion": k.GroupVersion(), "kind": k.Kind, "metadata": meta}
}

// byManager returns the request as a write of its field manager.
func (r *request) byManager(force bool) *apply.Write {
	w := &apply.Write{Schema: r.kind.merging(), APIVersion: r.kind.GroupVersion(), Subresource: r.subresource, Manager: r.query.Get("fieldManager"), Force: force, Time: time.Now()}
	if w.Manager == "" {
		w.Manager, _, _ = strings.Cut(r.Header.Get("User-Agent"), "/")
	}
	switch {
	case r.subresource == "status" && r.kind.custom():
		w.Ignored = []string{"spec", "metadata"}
	case r.subresource == "status":
		w.Ignored = append([]string{"spec"}, keptByStatus[r.kind.qualified()]...)
	case r.kind.Status:
		w.Ignored = []string{"status"}
	}
	return w
}

// keptByStatus are fields besides the spec that a write of a status leaves as they are.
var keptByStatus = map[string][]string{"deployments.apps": {"metadata.labels"}, "pods": {"metadata.deletionTimestamp", "metadata.ownerReferences"}}

// managed returns an object with the fields that its writer manages, unless apply has made it.
func (r *request) managed(s *Server, live, o tree) tree {
	if !s.opts.ManagedFields || r.applied {
		return o
	}
	return r.byManager(true).Update(live, o)
}

// merging returns how server-side apply merges objects of the kind.
func (k *kind) merging() *apply.Schema {
	if s := builtin.Schema(k.GroupVersion(), k.Kind); s != nil {
		return s
	}
	if k.schema == nil {
		return embedded(&apply.Schema{Object: true, Element: apply.Any})
	}
	return embedded(mergingOf(k.schema, false))
}

// embedded gives a schema the fields that every object has.
func embedded(s *apply.Schema) *apply.Schema {
	fields, every := s.Fields, builtin.Schema("v1", "ConfigMap").Fields
	s.Fields = func(name string) *apply.Schema {
		if slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
			return every(name)
		}
		if fields == nil {
			return nil
		}
		return fields(name)
	}
	return s
}

// mergingOf returns how server-side apply merges what a schema is of. It keeps unknown fields if one around it does.
func mergingOf(s tree, keeps bool) *apply.Schema {
	keeps = keeps || s["x-kubernetes-preserve-unknown-fields"] == true
	typ := text(s, "type")
	m := &apply.Schema{Scalar: typ != "object" && typ != "array", Object: typ == "object" || typ == "", List: typ == "array" || typ == "", Atomic: text(s, "x-kubernetes-map-type") == "atomic"}
	properties := treeAt(s, "properties")
	m.Fields = func(name string) *apply.Schema {
		if p, is := properties[name].(tree); is {
			return mergingOf(p, keeps)
		}
		return nil
	}
	switch more := s["additionalProperties"].(type) {
	case tree:
		m.Element = mergingOf(more, keeps)
	case bool:
		if more {
			m.Element = apply.Any
		}
	default:
		if keeps || len(properties) == 0 {
			m.Element = apply.Any
		}
	}
	if s["x-kubernetes-embedded-resource"] == true {
		embedded(m)
	}
	items, is := s["items"].(tree)
	if !is {
		return m
	}
	m.Element = mergingOf(items, keeps)
	switch text(s, "x-kubernetes-list-type") {
	case "set":
		m.Keys = []string{"="}
	case "map":
		m.Keys, _ = texts(s["x-kubernetes-list-map-keys"])
		m.Defaults = tree{}
		for _, key := range m.Keys {
			if p := treeAt(treeAt(items, "properties"), key); p["default"] != nil {
				m.Defaults[key] = p["default"]
			}
		}
	}
	return m
}

// apply carries out a server-side apply. It makes the object if there is none.
func (r *request) apply(s *Server) (code int, v *version, f *failure) {
	b, f := r.body()
	if f != nil {
		return 0, nil, f
	}
	var patch tree
	if err := decode(b, &patch); err != nil {
		return 0, nil, fail(http.StatusUnsupportedMediaType, "UnsupportedMediaType", "what is applied must be JSON here, which is YAML, too: %v", err)
	}
	w := r.byManager(r.query.Get("force") == "true" || r.query.Get("force") == "1")
	switch given := patch["metadata"].(type) {
	case nil:
	case tree:
		if given["managedFields"] != nil {
			return 0, nil, badRequest("metadata.managedFields must be nil")
		}
	}
	switch {
	case r.query.Get("fieldManager") == "":
		return 0, nil, fail(http.StatusUnprocessableEntity, "Invalid", "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch")
	case text(patch, "apiVersion") != w.APIVersion || text(patch, "kind") != r.kind.Kind:
		return 0, nil, badRequest("invalid object type: %s, Kind=%s", text(patch, "apiVersion"), text(patch, "kind"))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, missing := s.lookup(r)
	live := r.kind.empty(r.namespace, r.name)
	if it != nil {
		live = it.body
	} else if r.subresource != "" {
		return 0, nil, missing
	}
	o, err := w.Apply(live, patch)
	if c := (*apply.Conflict)(nil); errors.As(err, &c) {
		f := fail(http.StatusConflict, "Conflict", "%v", err)
		var causes []any
		for _, cause := range c.Causes {
			causes = append(causes, tree{"reason": "FieldManagerConflict", "message": cause.Message, "field": cause.Field})
		}
		f.details = tree{"causes": causes}
		return 0, nil, f
	} else if err != nil {
		return 0, nil, fail(http.StatusInternalServerError, "", "%v", err)
	}
	o = withoutNull(o)
	if f := r.kind.check(o); f != nil {
		return 0, nil, f
	}
	if r.applied = true; it == nil {
		v, f = s.createObject(r, o)
		return http.StatusCreated, v, f
	}
	v, f = s.put(r, it, o, false)
	return http.StatusOK, v, f
}

// withoutNull returns an object without the fields that are null.
func withoutNull(o tree) tree {
	out := make(tree, len(o))
	for name, v := range o {
		if in, is := v.(tree); is {
			out[name] = withoutNull(in)
		} else if v != nil {
			out[name] = v
		}
	}
	return out
}

// timeless returns managed fields without the times at which they were written.
func timeless(fields any) any {
	list, _ := fields.([]any)
	var out []any
	for _, item := range list {
		entry, _ := item.(tree)
		entry = maps.Clone(entry)
		delete(entry, "time")
		out = append(out, entry)
	}
	return out
}
