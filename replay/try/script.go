package try

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
)

// namespace is where objects are written unless the command asks for another namespace.
const namespace = "informerscope-try"

// object is one in JSON.
type object = map[string]any

// target is where the script writes for a reader.
type target struct {
	r        *reader
	kind     testserver.Resource
	path     string // of the objects
	single   string // the one object that the reader is about; "" for any
	labels   map[string]any
	template object
}

// ownUse are resources which programs write for their own purposes.
var ownUse = []string{"leases", "events"}

// notWritten are resources which programs read for their own purposes. The script writes them only if it is told to.
var notWritten = append([]string{"namespaces", "nodes", "customresourcedefinitions"}, ownUse...)

// annotation is what the script changes of each object.
const annotation = "informerscope/try"

// targets returns where the script writes. What the command creates, too, is left to it, unless there is nothing else.
func (l *lane) targets() (all []*target, err error) {
	for _, r := range l.followers() {
		name := r.resource()
		if named := l.o.Resources; len(named) > 0 && !slices.Contains(named, name) && !slices.Contains(named, r.path.Resource) ||
			len(named) == 0 && slices.Contains(notWritten, r.path.Resource) {
			continue
		}
		kinds := l.server.Resources()
		i := slices.IndexFunc(kinds, func(k testserver.Resource) bool {
			return k.Group == r.path.Group && k.Version == r.path.Version && k.Name == r.path.Resource
		})
		if i < 0 {
			continue
		}
		t := &target{r: r, kind: kinds[i], labels: map[string]any{}, template: object{}}
		t.path = pathOf(&t.kind, cmp.Or(r.path.Namespace, namespace))
		if t.labels, err = required(r.selector.Get("labelSelector")); err != nil {
			return nil, err
		}
		fields, err := required(r.selector.Get("fieldSelector"))
		if err != nil {
			return nil, err
		}
		t.single, _ = fields["metadata.name"].(string)
		for _, o := range l.o.Objects {
			if o["kind"] == t.kind.Kind && o["apiVersion"] == t.kind.GroupVersion() {
				t.template = o
				break
			}
		}
		all = append(all, t)
	}
	if len(l.o.Resources) > 0 {
		return all, nil
	}
	inputs := slices.DeleteFunc(slices.Clone(all), func(t *target) bool {
		return l.wire.lastWrite(func(w *written) bool { return w.created && w.resource == t.r.resource() }) != nil
	})
	if len(inputs) > 0 {
		all = inputs
	}
	return all, nil
}

// required returns the labels or fields that objects must have for a selector of equalities.
func required(selector string) (map[string]any, error) {
	all := map[string]any{}
	for part := range strings.SplitSeq(selector, ",") {
		name, value, has := strings.Cut(strings.Replace(part, "==", "=", 1), "=")
		switch {
		case part == "" || strings.HasSuffix(name, "!"):
		case !has && !strings.ContainsAny(part, " !("): // the label must exist
			all[part] = "try"
		case !has:
			return nil, fmt.Errorf("the command selects by %q, for which no objects can be written; give some with --apply", selector)
		default:
			all[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return all, nil
}

// pathOf returns the path of a kind's objects in a namespace, "" for all.
func pathOf(k *testserver.Resource, namespace string) string {
	p := trace.Path{Group: k.Group, Version: k.Version, Resource: k.Name}
	if !k.Cluster {
		p.Namespace = namespace
	}
	return p.All()
}

// send sends a request to the server, past all faults. The answer must be a good one, or have the code that is allowed.
func (l *lane) send(method, path string, o object, allowed int) ([]byte, error) {
	b, err := whatif.Send(l.ctx, l.server, method, "http://server"+path, o, allowed)
	if err != nil {
		err = fmt.Errorf("the script can't write: %w", err)
	}
	return b, err
}

// apply creates an object that is to be there when the command starts.
func (l *lane) apply(o object) error {
	kinds := l.server.Resources()
	i := slices.IndexFunc(kinds, func(k testserver.Resource) bool { return k.Kind == o["kind"] && k.GroupVersion() == o["apiVersion"] })
	if i < 0 {
		return fmt.Errorf("the server has no %v of %v; apply its CustomResourceDefinition before", o["kind"], o["apiVersion"])
	}
	meta, _ := o["metadata"].(object)
	in, _ := meta["namespace"].(string)
	_, err := l.send(http.MethodPost, pathOf(&kinds[i], cmp.Or(in, namespace)), o, http.StatusConflict)
	return err
}

func (l *lane) create(t *target, name string) error {
	o, meta := maps.Clone(t.template), object{"name": name}
	was, _ := t.template["metadata"].(object)
	labels, _ := was["labels"].(object)
	labels = maps.Clone(labels)
	if labels == nil {
		labels = object{}
	}
	maps.Copy(labels, t.labels)
	meta["labels"] = labels
	o["metadata"], o["kind"], o["apiVersion"] = meta, t.kind.Kind, t.kind.GroupVersion()
	_, err := l.send(http.MethodPost, t.path, o, http.StatusConflict)
	return err
}

// update writes a value that has not been written to the object in this stage of the fault.
func (l *lane) update(t *target, name string) error {
	value := l.named(l.stage)
	change := object{"metadata": object{"annotations": object{annotation: value}}}
	switch {
	case t.kind.Scale:
		change["spec"] = object{"replicas": slices.Index(stages, l.stage) + 1}
	case t.kind.Group == "" && t.kind.Name == "configmaps":
		change["data"] = object{"try": value}
	}
	_, err := l.send(http.MethodPatch, t.path+"/"+name, change, http.StatusNotFound)
	return err
}

// stages are the parts of a fault. An update writes its own, so that what comes of a fault doesn't depend on how many there were.
var stages = []string{"before", "during", "again", "after"}

func (l *lane) delete(t *target, name string) error {
	_, err := l.send(http.MethodDelete, t.path+"/"+name, object{"propagationPolicy": "Background", "gracePeriodSeconds": 0}, http.StatusNotFound)
	return err
}

// write carries out some of the script for each target. A line is a verb and the name of an object.
func (l *lane) write(targets []*target, lines ...string) error {
	for _, t := range targets {
		for _, line := range lines {
			verb, name, _ := strings.Cut(line, " ")
			do := map[string]func(*target, string) error{"create": l.create, "update": l.update, "delete": l.delete}[verb]
			if t.single != "" { // which stays
				name = t.single
				if verb == "delete" {
					do = l.update
				}
			}
			if err := do(t, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// elsewhere writes an object that the command doesn't read, so that there is a newer version.
func (l *lane) elsewhere() error {
	name := "secrets"
	for _, other := range []string{"secrets", "configmaps", "endpoints", "services"} {
		if !slices.ContainsFunc(l.wire.allReaders(), func(r *reader) bool { return r.path.Resource == other }) {
			name = other
			break
		}
	}
	i := slices.IndexFunc(l.server.Resources(), func(k testserver.Resource) bool { return k.Name == name && k.Group == "" })
	k := l.server.Resources()[i]
	return l.create(&target{kind: k, path: pathOf(&k, namespace+"-elsewhere"), template: object{}}, fmt.Sprint("tick-", l.server.Revision()))
}
