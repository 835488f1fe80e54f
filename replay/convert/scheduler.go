package convert

import (
	"bytes"
	"errors"
	"time"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace"
)

// schedulerForm is what kube-scheduler-simulator's recorder writes: what its own
// informers told it, an object a line.
var schedulerForm = form{
	id: "scheduler", title: "a record of kube-scheduler-simulator", convert: (*conversion).scheduler, byLine: true, lost: oneEvent,
	knows: func(head []byte) bool {
		return simulated[firstField(head, "event")] != "" && firstField(head, "time") != ""
	},
}

// simulated are the types of watch events that the recorder's stand for.
var simulated = map[string]string{"Add": "ADDED", "Update": "MODIFIED", "Delete": "DELETED"}

func (c *conversion) scheduler() error {
	c.live.limit = c.o.MaxObjects
	newest := map[resource]uint64{}
	v := &schedulerRecord{}
	o := &v.object
	return c.lines(func(b []byte, _, _ int64) error {
		if len(bytes.TrimSpace(b)) == 0 {
			return nil
		}
		if !trace.Shallow(b) {
			return errTooDeep
		}
		raw, err := v.read(b)
		if err != nil {
			return undecoded(b, err)
		}
		typ := simulated[v.Event]
		if typ == "" {
			return errors.New("neither Add nor Update nor Delete")
		}
		if o.Kind == "" || o.Metadata.Name == "" {
			return errors.New("a record without an object")
		}
		at, err := time.Parse(time.RFC3339Nano, v.Time)
		if err != nil {
			return errors.New("a record without a time")
		}
		c.at(at)
		if err := c.remark(SimulatorInformer, 0, ""); err != nil {
			return fatal(err)
		}
		r := c.resourceOf(o.APIVersion, o.Kind)
		newest[r] = max(newest[r], number(o.Metadata.ResourceVersion))
		if typ == "DELETED" {
			key := c.live.key(r, o.Metadata.Namespace, o.Metadata.Name)
			if old := c.live.live[key]; old != nil {
				raw = old.raw
				c.live.gone(key)
			}
			if newest[r] > 0 {
				raw = setResourceVersion(raw, itoa(int64(newest[r])))
			}
			return fatal(c.event(r, typ, raw))
		}
		k, what, err := c.live.see(r, o)
		if err != nil {
			return err
		}
		if what == same && o.Metadata.ResourceVersion != "" {
			return nil // the informer's resync
		}
		c.live.live[k].raw = append(c.live.live[k].raw[:0], raw...)
		return fatal(c.event(r, typ, raw))
	})
}

// schedulerRecord is a line of it.
type schedulerRecord struct {
	Time     string          `json:"time"`
	Event    string          `json:"event"`
	Resource json.RawMessage `json:"resource"`

	object trace.Object // the Resource
	head   []byte
}

// read decodes b, and returns the object's JSON.
func (v *schedulerRecord) read(b []byte) (raw []byte, err error) {
	v.Time, v.Event, v.Resource = "", "", v.Resource[:0]
	v.object.Reset()
	// The recorder writes the object last. Then b is the rest of the record around
	// it, and each of the two is looked at once.
	const last = `"resource":`
	if i := bytes.Index(b[:min(len(b), 200)], []byte(last)); i >= 0 && b[len(b)-1] == '}' {
		i += len(last)
		v.head = append(append(v.head[:0], b[:i]...), "null}"...)
		raw := b[i : len(b)-1]
		if trace.Decode(v.head, v) == nil && v.object.Decode(raw) == nil {
			return raw, nil
		}
	}
	if err := trace.Decode(b, v); err != nil || len(v.Resource) == 0 {
		return nil, err
	}
	v.object.Decode(v.Resource) // b is JSON: what fails here is no object
	return v.Resource, nil
}
