package testserver

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/testserver/builtin"
)

// maxOperations is how many a JSON patch may have, as in a real server.
const maxOperations = 10_000

const (
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	applyPatch     = "application/apply-patch+yaml"
	patchTypes     = jsonPatch + ", " + mergePatch
)

func (s *Server) patch(r *request) (code int, v *version, f *failure) {
	kind := r.contentType()
	if kind == applyPatch && s.opts.ManagedFields && !r.newEvents {
		return r.apply(s)
	}
	if !r.accepts(kind) {
		return 0, nil, unsupported(kind, patchTypes)
	}
	b, f := r.body()
	if f != nil {
		return 0, nil, f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, f := s.lookup(r)
	if f != nil {
		return 0, nil, f
	}
	o, f := r.patched(kind, r.shown(it.version), b)
	if f == nil {
		o, f = r.stored(o)
	}
	if o, f = r.checked(o, f); f != nil {
		return 0, nil, f
	}
	v, f = s.put(r, it, o, false)
	return http.StatusOK, v, f
}

// patched returns an object after a patch. A Scale has no lists, so that its strategic merge patches are merge patches.
func (r *request) patched(kind string, v *version, patch []byte) (tree, *failure) {
	switch {
	case kind == jsonPatch:
		return jsonPatched(v.raw, patch)
	case kind == strategicPatch && r.subresource != "scale":
		return r.strategicPatched(v.raw, patch)
	}
	return mergePatched(v.body, patch)
}

// accepts reports whether patches of a type can be done. A custom resource has no strategic merge patches.
func (r *request) accepts(kind string) bool {
	return kind == jsonPatch || kind == mergePatch || kind == strategicPatch && (r.subresource == "scale" || builtin.Known(r.groupVersion(), r.kind.Kind))
}

func (r *request) strategicPatched(raw, b []byte) (tree, *failure) {
	var o, patch tree
	if err := cmp.Or(decode(b, &patch), decode(raw, &o)); err != nil { // a copy that can be changed
		return nil, badRequest("error decoding patch: %v", err)
	}
	o, err := builtin.Strategic(r.groupVersion(), r.kind.Kind, o, patch)
	if bad := (*builtin.PatchError)(nil); errors.As(err, &bad) {
		reason := map[int]string{http.StatusBadRequest: "BadRequest", http.StatusUnprocessableEntity: "Invalid"}[bad.Code]
		return nil, fail(bad.Code, reason, "%v", err)
	}
	return o, nil
}

func mergePatched(o tree, b []byte) (tree, *failure) {
	var patch tree
	if err := decode(b, &patch); err != nil {
		return nil, badRequest("error decoding patch: %v", err)
	}
	return builtin.Merge(o, patch), nil
}

// operation is one of a JSON patch, RFC 6902.
type operation struct {
	Op, Path, From string
	Value          json.RawMessage
}

func jsonPatched(raw, b []byte) (tree, *failure) {
	var ops []operation
	if err := decode(b, &ops); err != nil {
		return nil, badRequest("error decoding patch: %v", err)
	}
	if len(ops) > maxOperations {
		return nil, fail(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", "the allowed maximum operations in a JSON patch is %d, got %d", maxOperations, len(ops))
	}
	var doc any
	if err := decode(raw, &doc); err != nil { // a copy that can be changed
		return nil, badRequest("%v", err)
	}
	left := MaxBody
	for i := range ops {
		var err error
		if doc, err = ops[i].apply(doc, &left); err != nil {
			return nil, fail(http.StatusUnprocessableEntity, "Invalid", "the server rejected our request due to an error in our request: %v", err)
		}
	}
	o, is := doc.(tree)
	if !is {
		return nil, badRequest("the patched object is none")
	}
	return o, nil
}

// apply changes doc and returns it. left is how many bytes may still be copied: each copy
// can double what there is.
func (op *operation) apply(doc any, left *int) (any, error) {
	var value any
	switch op.Op {
	case "add", "replace", "test":
		if err := decode(op.Value, &value); err != nil {
			return nil, fmt.Errorf("%s %s has no value", op.Op, op.Path)
		}
	case "move", "copy":
		from, err := valueAt(doc, op.From)
		if err != nil {
			return nil, err
		}
		if value = clone(from, left); *left < 0 {
			return nil, fmt.Errorf("too much is copied")
		}
		if op.Op == "move" {
			if doc, err = edit(doc, op.From, "remove", nil); err != nil {
				return nil, err
			}
		}
	case "remove":
	default:
		return nil, fmt.Errorf("unexpected kind of operation %q", op.Op)
	}
	switch op.Op {
	case "test":
		have, err := valueAt(doc, op.Path)
		if err != nil || !reflect.DeepEqual(have, value) {
			return nil, fmt.Errorf("testing value %s failed", op.Path)
		}
		return doc, nil
	case "move", "copy":
		return edit(doc, op.Path, "add", value)
	}
	return edit(doc, op.Path, op.Op, value)
}

func clone(v any, left *int) any {
	*left--
	if *left < 0 {
		return nil
	}
	switch v := v.(type) {
	case tree:
		out := make(tree, len(v))
		for name := range v {
			*left -= len(name)
			out[name] = clone(v[name], left)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i], left)
		}
		return out
	case string:
		*left -= len(v)
	}
	return v
}

// steps returns the parts of a JSON pointer.
func steps(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	if path[0] != '/' {
		return nil, fmt.Errorf("%q is not a JSON pointer", path)
	}
	all := strings.Split(path[1:], "/")
	for i := range all {
		all[i] = strings.ReplaceAll(strings.ReplaceAll(all[i], "~1", "/"), "~0", "~")
	}
	return all, nil
}

// valueAt returns the value that a JSON pointer leads to.
func valueAt(doc any, path string) (any, error) {
	all, err := steps(path)
	for _, name := range all {
		switch in := doc.(type) {
		case tree:
			v, there := in[name]
			if !there {
				return nil, fmt.Errorf("%s is not there", path)
			}
			doc = v
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(in) {
				return nil, fmt.Errorf("%s is not there", path)
			}
			doc = in[i]
		default:
			return nil, fmt.Errorf("%s is not there", path)
		}
	}
	return doc, err
}

// edit changes doc at a JSON pointer and returns it.
func edit(doc any, path, how string, value any) (any, error) {
	all, err := steps(path)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		if how == "remove" {
			return nil, fmt.Errorf("the whole object can't be removed")
		}
		return value, nil
	}
	return editAt(doc, all, how, value)
}

func editAt(doc any, path []string, how string, value any) (any, error) {
	name, last := path[0], len(path) == 1
	missing := fmt.Errorf("%s is not there", strings.Join(path, "/"))
	switch in := doc.(type) {
	case tree:
		old, there := in[name]
		switch {
		case !there && (!last || how != "add"):
			return nil, missing
		case last && how == "remove":
			delete(in, name)
		case last:
			in[name] = value
		default:
			changed, err := editAt(old, path[1:], how, value)
			if err != nil {
				return nil, err
			}
			in[name] = changed
		}
		return in, nil
	case []any:
		if last && how == "add" && name == "-" {
			return append(in, value), nil
		}
		i, err := strconv.Atoi(name)
		switch {
		case err != nil || i < 0 || i > len(in) || i == len(in) && (!last || how != "add"):
			return nil, missing
		case last && how == "add":
			return slices.Insert(in, i, value), nil
		case last && how == "remove":
			return slices.Delete(in, i, i+1), nil
		case last:
			in[i] = value
			return in, nil
		}
		in[i], err = editAt(in[i], path[1:], how, value)
		return in, err
	}
	return nil, missing
}

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
