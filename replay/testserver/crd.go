package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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

// The schema of a custom resource: its fields, what they must be, and what they are where a write leaves them out.

// rules are what is known of a schema. A definition with any other rule is refused.
var rules = strings.Fields("type properties additionalProperties items required enum default nullable description title example externalDocs minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems minProperties maxProperties format x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-map-type")

// formats are those that are looked at, or that a real server doesn't look at either.
var formats = []string{"", "int32", "int64", "float", "double", "date-time"}

// unknownRule returns where a schema has a rule that isn't known, "" for nowhere.
func unknownRule(schema tree, at string) string {
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		// controller-gen writes anyOf of a field that is a number or a text.
		if !slices.Contains(rules, name) && !(name == "anyOf" && schema["x-kubernetes-int-or-string"] == true) || name == "format" && !slices.Contains(formats, text(schema, name)) {
			return at + "." + name
		}
	}
	if p := text(schema, "pattern"); p != "" {
		if _, err := regexp.Compile(p); err != nil {
			return at + ".pattern"
		}
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if s, is := schema[name].(tree); is {
			if at := unknownRule(s, at+"."+name); at != "" {
				return at
			}
		}
	}
	properties := treeAt(schema, "properties")
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if s, is := properties[name].(tree); is {
			if at := unknownRule(s, at+".properties["+name+"]"); at != "" {
				return at
			}
		}
	}
	return ""
}

// conforms applies the schema to an object: what it doesn't know is left out, and what has a default is filled in. It
// returns the fields that were left out.
func (k *kind) conforms(o tree) (out tree, unknown []string, f *failure) {
	if k.schema == nil {
		return o, nil, nil
	}
	if err := decode(asJSON(o), &out); err != nil { // nothing of it is shared with another version
		return nil, nil, badRequest("%v", err)
	}
	c := &conforming{}
	c.object(k.schema, out, "", true)
	if c.wrong != "" {
		return nil, c.unknown, k.invalid(text(metaOf(o), "name"), c.field, c.wrong)
	}
	return out, c.unknown, nil
}

// conforming is one application of a schema.
type conforming struct {
	unknown      []string
	field, wrong string // the first thing that is wrong
}

func (c *conforming) refuse(at, format string, args ...any) {
	if c.wrong == "" {
		c.field, c.wrong = at, fmt.Sprintf(format, args...)
	}
}

// object applies a schema to the fields of an object. An embedded one has those that every object has.
func (c *conforming) object(s, o tree, at string, embedded bool) {
	properties := treeAt(s, "properties")
	for name, p := range properties {
		p, _ := p.(tree)
		if v, has := o[name]; p["default"] != nil && (!has || v == nil && p["nullable"] != true) {
			var v any
			if decode(asJSON(p["default"]), &v) == nil {
				o[name] = v
			}
		}
	}
	more, typed := s["additionalProperties"].(tree)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		below := strings.TrimPrefix(at+"."+name, ".")
		p, known := properties[name].(tree)
		switch {
		case embedded && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name):
		case known:
			o[name] = c.value(p, o[name], below)
		case typed:
			o[name] = c.value(more, o[name], below)
		case s["additionalProperties"] == true || s["x-kubernetes-preserve-unknown-fields"] == true:
		default:
			c.unknown = append(c.unknown, below)
			delete(o, name)
		}
	}
	required, _ := texts(s["required"])
	for _, name := range required {
		if _, has := o[name]; !has {
			c.refuse(strings.TrimPrefix(at+"."+name, "."), "Required value")
		}
	}
	c.size(s, "Properties", len(o), at)
}

// value applies a schema to a value.
func (c *conforming) value(s tree, v any, at string) any {
	if v == nil && s["nullable"] == true {
		return v
	}
	is := map[string]bool{}
	switch v := v.(type) {
	case tree:
		is["object"] = true
		c.object(s, v, at, s["x-kubernetes-embedded-resource"] == true)
	case []any:
		is["array"] = true
		item, _ := s["items"].(tree)
		for i := range v {
			v[i] = c.value(item, v[i], fmt.Sprintf("%s[%d]", at, i))
		}
		c.size(s, "Items", len(v), at)
		c.unique(s, v, at)
	case string:
		is["string"] = true
		c.size(s, "Length", utf8.RuneCountInString(v), at)
		if p := text(s, "pattern"); p != "" && !regexp.MustCompile(p).MatchString(v) {
			c.refuse(at, "Invalid value: %q: should match '%s'", v, p)
		}
		if _, err := time.Parse(time.RFC3339, v); s["format"] == "date-time" && err != nil {
			c.refuse(at, "Invalid value: %q: must be of type date-time", v)
		}
	case bool:
		is["boolean"] = true
	case json.Number:
		n, ok := new(big.Rat).SetString(string(v))
		is["number"], is["integer"] = true, ok && n.IsInt()
		if ok {
			c.bounds(s, n, at)
		}
	}
	if want := text(s, "type"); s["x-kubernetes-int-or-string"] == true && !is["integer"] && !is["string"] || want != "" && !is[want] {
		c.refuse(at, "Invalid value: must be of type %s", cmp.Or(want, "integer or string"))
	}
	if all, has := s["enum"].([]any); has && !slices.ContainsFunc(all, func(allowed any) bool { return reflect.DeepEqual(allowed, v) }) {
		c.refuse(at, "Unsupported value: %s: supported values: %s", asJSON(v), asJSON(all))
	}
	return v
}

// size looks at the bounds of a number of things, such as minItems.
func (c *conforming) size(s tree, unit string, n int, at string) {
	for _, b := range []struct {
		name string
		sign int
	}{{"min", -1}, {"max", 1}} {
		if bound, ok := number(s[b.name+unit]); ok && big.NewRat(int64(n), 1).Cmp(bound) == b.sign {
			c.refuse(at, "Invalid value: %s%s is %s", b.name, unit, bound.RatString())
		}
	}
}

func number(v any) (*big.Rat, bool) {
	n, is := v.(json.Number)
	if !is {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

func (c *conforming) bounds(s tree, n *big.Rat, at string) {
	if b, ok := number(s["minimum"]); ok && (n.Cmp(b) < 0 || s["exclusiveMinimum"] == true && n.Cmp(b) == 0) {
		c.refuse(at, "Invalid value: should be greater than or equal to %s", b.RatString())
	}
	if b, ok := number(s["maximum"]); ok && (n.Cmp(b) > 0 || s["exclusiveMaximum"] == true && n.Cmp(b) == 0) {
		c.refuse(at, "Invalid value: should be less than or equal to %s", b.RatString())
	}
	bits := map[string]int{"int32": 31, "int64": 63}[text(s, "format")]
	if bits > 0 && n.IsInt() && new(big.Int).Abs(n.Num()).BitLen() > bits {
		c.refuse(at, "Invalid value: must be of type %s", text(s, "format"))
	}
}

// unique looks for what is twice in a list that is a set, or a map.
func (c *conforming) unique(s tree, list []any, at string) {
	keys, _ := texts(s["x-kubernetes-list-map-keys"])
	kind, seen := text(s, "x-kubernetes-list-type"), map[string]bool{}
	if kind != "set" && kind != "map" {
		return
	}
	for i, item := range list {
		if o, is := item.(tree); is && kind == "map" {
			values := make([]any, len(keys))
			for j, key := range keys {
				values[j] = o[key]
			}
			item = values
		}
		key := string(asJSON(item))
		if seen[key] {
			c.refuse(fmt.Sprintf("%s[%d]", at, i), "Duplicate value: %s", key)
		}
		seen[key] = true
	}
}
