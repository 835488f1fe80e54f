package testserver

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// scale reads or writes the subresource scale: a Scale of the group autoscaling, whose
// replicas are the object's.
func (s *Server) scale(r *request) (int, any, *failure) {
	var change func(now tree) (tree, *failure)
	switch r.Method {
	case http.MethodGet:
	case http.MethodPut:
		o, f := r.object()
		if f != nil {
			return 0, nil, f
		}
		change = func(tree) (tree, *failure) { return o, nil }
	case http.MethodPatch:
		b, f := r.body()
		if f != nil {
			return 0, nil, f
		}
		kind := r.contentType()
		if !r.accepts(kind) {
			return 0, nil, unsupported(kind, patchTypes)
		}
		change = func(now tree) (tree, *failure) {
			return r.patched(kind, &version{body: now, raw: asJSON(now)}, b)
		}
	default:
		return 0, nil, methodNotAllowed()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, f := s.lookup(r)
	if f != nil {
		return 0, nil, f
	}
	now := r.kind.scaleOf(it.body)
	if change == nil {
		return http.StatusOK, now, nil
	}
	asked, f := change(now)
	if f == nil && text(asked, "kind") != "Scale" && asked["kind"] != nil {
		f = badRequest("%s in version %q cannot be handled as a Scale", text(asked, "kind"), text(asked, "apiVersion"))
	}
	if f != nil {
		return 0, nil, f
	}
	want, _ := asked["spec"].(tree)
	replicas := want["replicas"]
	if replicas == nil {
		replicas = json.Number("0")
	}
	if n, is := replicas.(json.Number); !is || strings.Trim(n.String(), "0123456789") != "" || len(n) > 9 {
		return 0, nil, r.kind.invalid(r.name, "spec.replicas", "Invalid value: must be greater than or equal to 0")
	}
	spec, _ := it.body["spec"].(tree)
	spec = maps.Clone(spec)
	if spec == nil {
		spec = tree{}
	}
	spec["replicas"] = replicas
	next := maps.Clone(it.body)
	meta := maps.Clone(metaOf(it.body))
	delete(meta, "resourceVersion")
	if given := metaOf(asked); given != nil {
		for _, name := range []string{"uid", "resourceVersion"} {
			if given[name] != nil {
				meta[name] = given[name]
			}
		}
	}
	next["spec"], next["metadata"] = spec, meta
	v, f := s.put(r, it, next, false)
	if f != nil {
		return 0, nil, f
	}
	return http.StatusOK, r.kind.scaleOf(v.body), nil
}

// scaleOf returns the Scale of an object.
func (k *kind) scaleOf(o tree) tree {
	meta := tree{}
	for _, name := range []string{"name", "namespace", "uid", "resourceVersion", "creationTimestamp"} {
		if v, has := metaOf(o)[name]; has {
			meta[name] = v
		}
	}
	spec, _ := o["spec"].(tree)
	status, _ := o["status"].(tree)
	want, have := tree{}, tree{"replicas": json.Number("0")}
	if n, has := spec["replicas"].(json.Number); has && n != "0" {
		want["replicas"] = n
	}
	if n, has := status["replicas"].(json.Number); has {
		have["replicas"] = n
	}
	selector := fieldOf(o, "status.selector")
	if in, has := spec["selector"].(tree); has && !k.custom() {
		selector = selectorText(in)
	}
	if selector != "" {
		have["selector"] = selector
	}
	return tree{"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": meta, "spec": want, "status": have}
}

// selectorText writes a LabelSelector, or a map of labels, as a query has it.
func selectorText(s tree) string {
	labels := s
	if s["matchLabels"] != nil || s["matchExpressions"] != nil {
		labels, _ = s["matchLabels"].(tree)
	}
	var all []string
	for name, v := range labels {
		if value, is := v.(string); is {
			all = append(all, name+"="+value)
		}
	}
	list, _ := s["matchExpressions"].([]any)
	for _, item := range list {
		e, _ := item.(tree)
		values, _ := texts(e["values"])
		list := " (" + strings.Join(slices.Sorted(slices.Values(values)), ",") + ")"
		switch key := text(e, "key"); text(e, "operator") {
		case "In":
			all = append(all, key+" in"+list)
		case "NotIn":
			all = append(all, key+" notin"+list)
		case "Exists":
			all = append(all, key)
		case "DoesNotExist":
			all = append(all, "!"+key)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}
