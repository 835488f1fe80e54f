package convert

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace"
)

// Texts that are found in recordings of kwokctl only.
const (
	kwokPatch  = "action.kwok.x-k8s.io/"
	kwokOffset = "$(time-offset-nanosecond "
)

func isKwok(head []byte) bool {
	return firstKey(head) != "" && (bytes.Contains(head, []byte(kwokOffset)) || bytes.Contains(head, []byte(kwokPatch)))
}

// kwokEpoch stands for the beginning of a recording of kwokctl. A recording has
// offsets from its beginning only, and doesn't say when that was.
var kwokEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// kwokDoc is a document of a recording: an object as it was at the beginning, or
// a ResourcePatch.
type kwokDoc struct {
	trace.Object
	Duration int64  `json:"durationNanosecond"`
	Method   string `json:"method"`
	Resource struct {
		Group    string `json:"group"`
		Version  string `json:"version"`
		Resource string `json:"resource"`
	} `json:"resource"`
	Target struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"target"`
	Template json.RawMessage `json:"template"`
}

// kwok reads what "kwokctl snapshot export --record" wrote: first objects, then
// patches of them.
func (c *conversion) kwok() error {
	k := kwokctl{c: c, live: map[objectKey]map[string]any{}, lists: map[resource][][]byte{}}
	if err := c.remark(VersionsMadeUp, 0, ""); err != nil {
		return err
	}
	if err := c.documents(k.document); err != nil {
		return err
	}
	return k.listed()
}

type kwokctl struct {
	c       *conversion
	version int64 // the last resourceVersion that was made up
	live    map[objectKey]map[string]any
	order   []resource
	lists   map[resource][][]byte // objects from before the first patch
	begun   map[resource]bool     // resources whose list was written
	start   time.Time             // the time at offset 0
}

func (k *kwokctl) document(b []byte) error {
	var d kwokDoc
	if err := trace.Decode(b, &d); err != nil {
		return err
	}
	if d.Kind != "ResourcePatch" {
		if d.Kind == "" || d.Metadata.Name == "" {
			return errors.New("neither an object nor a ResourcePatch")
		}
		r := resourceOf(strings.Clone(d.APIVersion), strings.Clone(d.Kind))
		return k.create(r, strings.Clone(d.Metadata.Namespace), strings.Clone(d.Metadata.Name), b)
	}
	if d.Resource.Resource == "" || d.Target.Name == "" {
		return errors.New("a ResourcePatch without resource or target")
	}
	if err := k.listed(); err != nil {
		return fatal(err)
	}
	k.c.offset(d.Duration)
	r := cloned(resource{group: d.Resource.Group, version: d.Resource.Version, resource: d.Resource.Resource})
	key := k.c.live.key(r, strings.Clone(d.Target.Namespace), strings.Clone(d.Target.Name))
	switch d.Method {
	case "create":
		var o trace.Object
		if err := trace.Decode(d.Template, &o); err != nil {
			return err
		}
		r.kind = strings.Clone(o.Kind)
		return k.create(r, key.namespace, key.name, d.Template)
	case "patch":
		return k.patch(key, d.Template)
	case "delete":
		return k.delete(key)
	}
	return errors.New("a ResourcePatch with the method " + strconv.Quote(d.Method))
}

// create writes the event of a new object.
func (k *kwokctl) create(r resource, namespace, name string, raw []byte) error {
	object, err := k.decode(raw)
	if err != nil {
		return err
	}
	if len(k.live) >= k.c.o.MaxObjects {
		return fatal(errors.New("more than " + itoa(int64(k.c.o.MaxObjects)) + " objects are alive at once, which is the limit"))
	}
	k.live[k.c.live.key(r, namespace, name)] = object
	b, err := k.encode(object)
	if err != nil {
		return err
	}
	if k.begun != nil {
		return k.event(r, "ADDED", b)
	}
	if k.lists[r] == nil {
		k.order = append(k.order, r)
	}
	k.lists[r] = append(k.lists[r], b)
	return nil
}

// patch writes the event of a changed object.
func (k *kwokctl) patch(key objectKey, template []byte) error {
	object := k.live[key]
	if object == nil {
		return errors.New("a patch of " + key.text() + ", which isn't there")
	}
	patch, err := k.decode(template)
	if err != nil {
		return err
	}
	p := patcher{strategic: isBuiltIn(key.r.group)}
	if !p.strategic {
		if err := k.c.remark(MergePatched, 0, key.r.resource); err != nil {
			return fatal(err)
		}
	}
	k.live[key] = p.object(object, patch, "")
	b, err := k.encode(k.live[key])
	if err != nil {
		return err
	}
	return k.event(*key.r, "MODIFIED", b)
}

// delete writes the event of a deleted object.
func (k *kwokctl) delete(key objectKey) error {
	object := k.live[key]
	if object == nil {
		return errors.New("a deletion of " + key.text() + ", which isn't there")
	}
	delete(k.live, key)
	b, err := k.encode(object)
	if err != nil {
		return err
	}
	return k.event(*key.r, "DELETED", b)
}

// event writes an event, after an empty list for a resource that had no objects
// at the beginning.
func (k *kwokctl) event(r resource, typ string, raw []byte) error {
	if !k.begun[r.asked()] {
		k.begun[r.asked()] = true
		if err := k.c.list(r, itoa(k.version-1), nil); err != nil {
			return fatal(err)
		}
	}
	return fatal(k.c.event(r, typ, raw))
}

// listed writes the lists of the objects from the beginning.
func (k *kwokctl) listed() error {
	if k.begun != nil {
		return nil
	}
	k.begun = map[resource]bool{}
	for _, r := range k.order {
		k.begun[r.asked()] = true
		if err := k.c.list(r, itoa(k.version), k.lists[r]); err != nil {
			return err
		}
	}
	k.lists = nil
	return nil
}

// decode decodes an object, and replaces offsets by times.
func (k *kwokctl) decode(raw []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return nil, err
	}
	k.times(object)
	return object, nil
}

// encode returns the object as JSON, with the next resourceVersion.
func (k *kwokctl) encode(object map[string]any) ([]byte, error) {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return nil, errors.New("an object without metadata")
	}
	k.version++
	metadata["resourceVersion"] = itoa(k.version)
	return json.Marshal(object)
}

// times returns x with times in place of offsets.
func (k *kwokctl) times(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, value := range x {
			x[name] = k.times(value)
		}
	case []any:
		for i, value := range x {
			x[i] = k.times(value)
		}
	case string:
		return k.time(x)
	}
	return x
}

// time returns the time for an offset. It returns s if s is no offset.
//
// Nearly all timestamps of Kubernetes are whole seconds. So time chooses the
// fraction of a second at which the recording began such that the first timestamp
// is one.
func (k *kwokctl) time(s string) string {
	if len(s) <= len(kwokOffset) || s[:len(kwokOffset)] != kwokOffset || s[len(s)-1] != ')' {
		return s
	}
	offset, err := strconv.ParseInt(s[len(kwokOffset):len(s)-1], 10, 64)
	if err != nil {
		return s
	}
	if k.start.IsZero() {
		second := int64(time.Second)
		k.start = kwokEpoch.Add(time.Duration((second - (offset%second+second)%second) % second))
		if err := k.c.remark(OffsetsOnly, 0, kwokEpoch.Format(time.RFC3339)); err != nil {
			return s // the next write fails as well
		}
	}
	return k.start.Add(time.Duration(offset)).Format(time.RFC3339Nano)
}

// text names an object for a message.
func (k objectKey) text() string {
	if k.namespace == "" {
		return k.r.resource + " " + k.name
	}
	return k.r.resource + " " + k.namespace + "/" + k.name
}

// cloned returns r with strings of its own.
func cloned(r resource) resource {
	for _, s := range []*string{&r.group, &r.version, &r.resource, &r.kind, &r.namespace, &r.query} {
		*s = strings.Clone(*s)
	}
	return r
}

// isBuiltIn reports whether a group is one of Kubernetes' own. A strategic merge
// patch knows the types of those only.
func isBuiltIn(group string) bool { return slices.Contains(builtIn, group) }

var builtIn = []string{
	"", "apps", "autoscaling", "batch", "extensions", "policy",
	"admissionregistration.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io",
	"certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "flowcontrol.apiserver.k8s.io",
	"internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io", "rbac.authorization.k8s.io", "resource.k8s.io",
	"scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}
