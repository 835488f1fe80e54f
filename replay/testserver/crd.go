package testserver

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/event"
)

// A CustomResourceDefinition is served as soon as it is made, and Established. apiextensions-apiserver does the same with
// some events in between. What isn't done here, such as several versions, is refused when the definition is written.

const crds, crdFinalizer = "customresourcedefinitions.apiextensions.k8s.io", "customresourcecleanup.apiextensions.k8s.io"

// notHere refuses what a real server does.
func (r *Resource) notHere(name, field string) *failure {
	return r.invalid(name, field, "Forbidden: testserver can't do this. Options.Resources can have the resource without it")
}

// defined returns the resource that a CustomResourceDefinition describes, and its schema.
func (k *kind) defined(o tree) (r Resource, schema tree, f *failure) {
	name, spec := text(metaOf(o), "name"), treeAt(o, "spec")
	names := treeAt(spec, "names")
	r = CustomResource(text(spec, "group"), "", text(names, "plural"), text(names, "kind"))
	r.ShortNames, _ = texts(names["shortNames"])
	r.Cluster = spec["scope"] == "Cluster"
	versions, _ := spec["versions"].([]any)
	for _, rule := range []struct {
		wrong         bool
		field, reason string
	}{
		{r.Group == "", "spec.group", "Required value"},
		{r.Name == "", "spec.names.plural", "Required value"},
		{r.Kind == "", "spec.names.kind", "Required value"},
		{!r.Cluster && spec["scope"] != "Namespaced", "spec.scope", `Unsupported value: supported values: "Cluster", "Namespaced"`},
		{name != r.Name+"."+r.Group, "metadata.name", fmt.Sprintf("Invalid value: %q: must be spec.names.plural+\".\"+spec.group", name)},
		{len(versions) == 0, "spec.versions", "Required value"},
	} {
		if rule.wrong {
			return r, nil, k.invalid(name, rule.field, rule.reason)
		}
	}
	if len(versions) > 1 {
		return r, nil, k.notHere(name, "spec.versions[1]")
	}
	v, _ := versions[0].(tree)
	r.Version, r.Status = text(v, "name"), treeAt(v, "subresources")["status"] != nil
	if r.Version == "" || v["served"] != true || v["storage"] != true {
		return r, nil, k.invalid(name, "spec.versions[0]", "Invalid value: there must be one version with a name that is served and stored")
	}
	if scale := treeAt(v, "subresources", "scale"); scale != nil {
		r.Scale = true
		if s := text(scale, "labelSelectorPath"); text(scale, "specReplicasPath") != ".spec.replicas" || text(scale, "statusReplicasPath") != ".status.replicas" || s != "" && s != ".status.selector" {
			return r, nil, k.notHere(name, "spec.versions[0].subresources.scale")
		}
	}
	if v["selectableFields"] != nil {
		return r, nil, k.notHere(name, "spec.versions[0].selectableFields")
	}
	schema = treeAt(v, "schema", "openAPIV3Schema")
	if schema == nil {
		return r, nil, k.invalid(name, "spec.versions[0].schema.openAPIV3Schema", "Required value: schemas are required")
	}
	if at := unknownRule(schema, "openAPIV3Schema"); at != "" {
		return r, nil, k.notHere(name, "spec.versions[0].schema."+at)
	}
	return r, schema, nil
}

// treeAt returns an object within another, nil if it isn't there.
func treeAt(o tree, path ...string) tree {
	for _, name := range path {
		o, _ = o[name].(tree)
	}
	return o
}

// define serves what a definition that was written describes.
func (s *Server) define(k *kind, v *version) *version {
	r, schema, f := k.defined(v.body)
	if f != nil {
		return v // it was looked at before
	}
	if s.kindOf(r.Group, r.Version, r.Name) == nil {
		made := s.newKind(r, s.rv)
		made.schema = schema
		s.setKinds(append(slices.Clone(s.kinds()), made))
	}
	name := text(metaOf(v.body), "name")
	it := k.items[name]
	body, meta := maps.Clone(v.body), maps.Clone(metaOf(v.body))
	list, _ := meta["finalizers"].([]any)
	meta["finalizers"], body["metadata"] = append(slices.Clone(list), crdFinalizer), meta
	now := stamp(time.Now())
	condition := func(kind, reason, message string) tree {
		return tree{"type": kind, "status": "True", "reason": reason, "message": message, "lastTransitionTime": now}
	}
	body["status"] = tree{
		"acceptedNames": treeAt(body, "spec", "names"), "storedVersions": []any{r.Version},
		"conditions": []any{condition("NamesAccepted", "NoConflicts", "no conflicts found"), condition("Established", "InitialNamesAccepted", "the initial names have been accepted")},
	}
	next := it.Object
	next.Content = s.content(k, body)
	s.commit(k, next, body, event.Updated, false)
	return v
}

// undefine deletes the objects of a definition that is being deleted, and then what serves them. An object with a
// finalizer keeps the definition.
func (s *Server) undefine(k *kind, it *item) {
	r, _, _ := k.defined(it.body)
	old := s.kindOf(r.Group, r.Version, r.Name)
	if old != nil && !old.builtIn {
		old.ends = true
		for _, key := range sortedKeys(old.items) {
			s.remove(old, old.items[key], deletion{})
		}
		if len(old.items) > 0 {
			return
		}
		s.setKinds(slices.DeleteFunc(slices.Clone(s.kinds()), func(o *kind) bool { return o == old }))
		for c := range old.clients {
			c.etcd.Cut()
			c.poll()
		}
	}
	s.withoutFinalizer(k, it, crdFinalizer)
}

// withoutFinalizer takes a finalizer from an object.
func (s *Server) withoutFinalizer(k *kind, it *item, name string) {
	body, meta := maps.Clone(it.body), maps.Clone(metaOf(it.body))
	list, _ := meta["finalizers"].([]any)
	list = slices.DeleteFunc(slices.Clone(list), func(version any) bool { return version == name })
	if meta["finalizers"] = list; len(list) == 0 {
		delete(meta, "finalizers")
	}
	body["metadata"] = meta
	s.write(k, it, body, false)
}

// refuseCreate says why an object can't be made now.
func (s *Server) refuseCreate(k *kind, namespace, name string) *failure {
	ns := (*item)(nil)
	if kind := s.kindOf("", "v1", "namespaces"); kind != nil {
		ns = s.item(kind, namespace)
	}
	switch {
	case k.ends:
		return fail(http.StatusMethodNotAllowed, "MethodNotAllowed", "create not allowed while custom resource definition is terminating")
	case !k.Cluster && ns != nil && ns.Deleting:
		f := k.objectFailure(http.StatusForbidden, "Forbidden", name, "%s %q is forbidden: unable to create new content in namespace %s because it is being terminated", k.qualified(), name, namespace)
		f.details["causes"] = []any{tree{"reason": "NamespaceTerminating", "message": "namespace " + namespace + " is being terminated", "field": "metadata.namespace"}}
		return f
	}
	return nil
}

// emptied looks whether a definition or a namespace waits for an object that is gone.
func (s *Server) emptied(gone *kind) {
	if !gone.ends {
		return
	}
	k := s.kindOf("apiextensions.k8s.io", "v1", "customresourcedefinitions")
	if it := k.items[gone.qualified()]; it != nil && it.Deleting && len(gone.items) == 0 {
		s.undefine(k, it)
	}
}

// finalize serves the subresource finalize of namespaces. It alone writes spec.finalizers; updates leave them as they are.
func (s *Server) finalize(r *request) (int, any, *failure) {
	if r.Method != http.MethodPut {
		return 0, nil, methodNotAllowed()
	}
	o, f := r.object()
	if f == nil {
		f = r.kind.check(o)
	}
	if f != nil {
		return 0, nil, f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, f := s.lookup(r)
	if f != nil {
		return 0, nil, f
	}
	return http.StatusOK, r.representation(s.setFinalizers(r.kind, it, treeAt(o, "spec")["finalizers"], r.dry)), nil
}

// setFinalizers writes the finalizers of a namespace's spec.
func (s *Server) setFinalizers(k *kind, it *item, list any, dry bool) *version {
	body, spec := maps.Clone(it.body), tree{}
	if all, _ := list.([]any); len(all) > 0 {
		spec["finalizers"] = all
	}
	body["spec"] = spec
	return s.write(k, it, body, dry)
}

// begun returns a namespace as a server makes it, or keeps what no update changes of the old one.
func begun(o, old tree) tree {
	o, meta := maps.Clone(o), maps.Clone(metaOf(o))
	labels, _ := meta["labels"].(tree)
	labels = maps.Clone(labels)
	if labels == nil {
		labels = tree{}
	}
	labels["kubernetes.io/metadata.name"] = meta["name"]
	meta["labels"], o["metadata"] = labels, meta
	if old != nil {
		o["spec"] = old["spec"]
		return o
	}
	list, _ := treeAt(o, "spec")["finalizers"].([]any)
	if !slices.Contains(list, any("kubernetes")) {
		list = append(slices.Clone(list), "kubernetes")
	}
	o["spec"], o["status"] = tree{"finalizers": list}, tree{"phase": "Active"}
	return o
}

// terminate does what the namespace controller does: it deletes what is in namespaces that are being deleted, and then
// lets them go. What has a finalizer, or is a pod that nobody ends, keeps its namespace.
func (c collector) terminate() {
	s, k := c.s, c.s.kindOf("", "v1", "namespaces")
	for _, name := range sortedKeys(k.items) {
		it := k.items[name]
		if !it.Deleting {
			continue
		}
		left := 0
		for _, kind := range s.kinds() {
			for _, key := range sortedKeys(kind.items) {
				if !kind.Cluster && strings.HasPrefix(key, name+"/") {
					if _, gone, _ := s.remove(kind, kind.items[key], deletion{propagation: "Background"}); !gone {
						left++
					}
				}
			}
		}
		if left == 0 {
			all, _ := treeAt(it.body, "spec")["finalizers"].([]any)
			s.setFinalizers(k, it, slices.DeleteFunc(slices.Clone(all), func(finalizer any) bool { return finalizer == "kubernetes" }), false)
		}
	}
}

func sortedKeys(items map[string]*item) []string { return slices.Sorted(maps.Keys(items)) }
