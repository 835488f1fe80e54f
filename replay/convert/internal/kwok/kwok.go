// Package kwok reads recordings of kwokctl.
package kwok

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/yaml"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/testserver/builtin"
	"github.com/informerscope/informerscope/replay/trace"
)

// Texts that are found in recordings of kwokctl only.
const (
	kwokPatch  = "action.kwok.x-k8s.io/"
	kwokOffset = "$(time-offset-nanosecond "
)

// Form is what "kwokctl snapshot export --record" writes.
var Form = capture.Form{ID: "kwok", Matches: isKwok, Convert: read}

func isKwok(head []byte) bool {
	return yaml.FirstKey(head) != "" && (bytes.Contains(head, []byte(kwokOffset)) || bytes.Contains(head, []byte(kwokPatch)))
}

// kwokEpoch stands for the beginning of a recording of kwokctl. A recording has
// offsets from its beginning only, and doesn't say when that was.
var kwokEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// kwokDoc is a document of a recording: an object as it was at the beginning, or
// a ResourcePatch.
type kwokDoc struct {
	object   trace.Object
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

// read reads what "kwokctl snapshot export --record" wrote: first objects, then
// patches of them.
func read(c *capture.Conversion) error {
	k := kwokctl{c: c, live: map[capture.ObjectKey]map[string]any{}, lists: map[api.Resource][][]byte{}}
	if err := c.Remark(remarks.VersionsMadeUp, 0, ""); err != nil {
		return err
	}
	if err := yaml.Documents(c, k.document); err != nil {
		return err
	}
	return k.listed()
}

type kwokctl struct {
	c       *capture.Conversion
	version int64 // the last resourceVersion that was made up
	live    map[capture.ObjectKey]map[string]any
	order   []api.Resource
	lists   map[api.Resource][][]byte // objects from before the first patch
	begun   map[api.Resource]bool     // resources whose list was written
	start   time.Time                 // the time at offset 0
}

func (k *kwokctl) document(b []byte) error {
	var d kwokDoc
	if err := api.Decode(b, &d); err != nil {
		return err
	}
	o := &d.object
	if err := o.Decode(b); err != nil {
		return err
	}
	if o.Kind != "ResourcePatch" {
		if o.Kind == "" || o.Metadata.Name == "" {
			return fault.Plain("noObjectNorPatch")
		}
		r := api.ResourceOf(strings.Clone(o.APIVersion), strings.Clone(o.Kind))
		return k.create(r, strings.Clone(o.Metadata.Namespace), strings.Clone(o.Metadata.Name), b)
	}
	if d.Resource.Resource == "" || d.Target.Name == "" {
		return fault.Plain("patchOfNothing")
	}
	if err := k.listed(); err != nil {
		return capture.Fatal(err)
	}
	k.c.Out.Offset(d.Duration)
	r := api.Resource{Group: d.Resource.Group, Version: d.Resource.Version, Resource: d.Resource.Resource}.Cloned()
	key := k.c.Live.Key(r, strings.Clone(d.Target.Namespace), strings.Clone(d.Target.Name))
	switch d.Method {
	case "create":
		var o trace.Object
		if err := o.Decode(d.Template); err != nil {
			return err
		}
		r.Kind = strings.Clone(o.Kind)
		return k.create(r, key.Namespace, key.Name, d.Template)
	case "patch":
		return k.patch(key, d.Template)
	case "delete":
		return k.delete(key)
	}
	return fault.Quoted("patchMethod method", d.Method)
}

// create writes the event of a new object.
func (k *kwokctl) create(r api.Resource, namespace, name string, raw []byte) error {
	object, err := k.decode(raw)
	if err != nil {
		return err
	}
	if len(k.live) >= k.c.From.Limits.MaxObjects {
		return capture.Fatal(capture.TooManyObjects(k.c.From.Limits.MaxObjects))
	}
	k.live[k.c.Live.Key(r, namespace, name)] = object
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
func (k *kwokctl) patch(key capture.ObjectKey, template []byte) error {
	object := k.live[key]
	if object == nil {
		return fault.Named("patchMissing object", named(key))
	}
	patch, err := k.decode(template)
	if err != nil {
		return err
	}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if builtin.Known(apiVersion, kind) {
		object, err = builtin.Strategic(apiVersion, kind, object, patch)
	} else {
		object, err = builtin.Merge(object, patch), k.c.Remark(remarks.MergePatched, 0, key.R.Resource)
		err = capture.Fatal(err)
	}
	if err != nil {
		return err
	}
	k.live[key] = object
	b, err := k.encode(object)
	if err != nil {
		return err
	}
	return k.event(*key.R, "MODIFIED", b)
}

// delete writes the event of a deleted object.
func (k *kwokctl) delete(key capture.ObjectKey) error {
	object := k.live[key]
	if object == nil {
		return fault.Named("deletionMissing object", named(key))
	}
	delete(k.live, key)
	b, err := k.encode(object)
	if err != nil {
		return err
	}
	return k.event(*key.R, "DELETED", b)
}

// event writes an event, after an empty list for a resource that had no objects
// at the beginning.
func (k *kwokctl) event(r api.Resource, typ string, raw []byte) error {
	if !k.begun[r.WithoutKind()] {
		k.begun[r.WithoutKind()] = true
		if err := k.c.Out.List(r, api.Itoa(k.version-1), nil); err != nil {
			return capture.Fatal(err)
		}
	}
	return capture.Fatal(k.c.Out.Event(r, typ, raw))
}

// listed writes the lists of the objects from the beginning.
func (k *kwokctl) listed() error {
	if k.begun != nil {
		return nil
	}
	k.begun = map[api.Resource]bool{}
	for _, r := range k.order {
		k.begun[r.WithoutKind()] = true
		if err := k.c.Out.List(r, api.Itoa(k.version), k.lists[r]); err != nil {
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
		return nil, fault.Plain("noMetadata")
	}
	k.version++
	metadata["resourceVersion"] = api.Itoa(k.version)
	return json.Marshal(object)
}

// noTime is the null that Kubernetes' types write for the fields lastProbeTime and eventTime where these have no time. A patch
// doesn't delete it.
var noTime = json.RawMessage("null")

// times returns x with times in place of offsets.
func (k *kwokctl) times(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for name, value := range x {
			if x[name] = k.times(value); value == nil && (name == "lastProbeTime" || name == "eventTime") {
				x[name] = noTime
			}
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
		if err := k.c.Remark(remarks.OffsetsOnly, 0, kwokEpoch.Format(time.RFC3339)); err != nil {
			return s // the next write fails as well
		}
	}
	return k.start.Add(time.Duration(offset)).Format(time.RFC3339Nano)
}

// named returns the name of an object for a message.
func named(k capture.ObjectKey) string {
	if k.Namespace == "" {
		return k.R.Resource + " " + k.Name
	}
	return k.R.Resource + " " + k.Namespace + "/" + k.Name
}
