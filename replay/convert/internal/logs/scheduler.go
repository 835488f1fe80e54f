package logs

import (
	"bytes"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Scheduler is what kube-scheduler-simulator's recorder writes: what its own
// informers told it, an object a line.
var Scheduler = capture.Form{
	ID: "scheduler", Convert: readScheduler, ByLine: true, Lost: recordsIn,
	Matches: func(head []byte) bool {
		return simulated[api.FirstField(head, "event")] != "" && api.FirstField(head, "time") != ""
	},
}

// recordsIn returns 1 for a line that is one of the recorder's, as far as can be seen.
func recordsIn(line []byte) int64 {
	if bytes.Contains(line, []byte(`"event":"`)) || bytes.Contains(line, []byte(`"resource":{`)) {
		return 1
	}
	return 0
}

// simulated are the types of watch events that the recorder's stand for.
var simulated = map[string]string{"Add": "ADDED", "Update": "MODIFIED", "Delete": "DELETED"}

func readScheduler(c *capture.Conversion) error {
	known := objects.ReaderOf(c)
	newest := map[api.Resource]uint64{}
	v := &schedulerRecord{}
	o := &v.object
	return c.Lines(func(b []byte, _, _ int64) error {
		if len(bytes.TrimSpace(b)) == 0 {
			return nil
		}
		raw, err := v.read(b)
		if err != nil {
			return err
		}
		typ := simulated[v.Event]
		if typ == "" {
			return fault.Plain("recordType")
		}
		if o.Kind == "" || o.Metadata.Name == "" {
			return fault.Plain("recordNoObject")
		}
		at, err := time.Parse(time.RFC3339Nano, v.Time)
		if err != nil {
			return fault.Plain("recordNoTime")
		}
		c.Out.SetTime(at)
		if err := c.Remark(remarks.SimulatorInformer, 0, ""); err != nil {
			return capture.Fatal(err)
		}
		r := known.ResourceOf(o.APIVersion, o.Kind)
		newest[r] = max(newest[r], api.Number(o.Metadata.ResourceVersion))
		if typ == "DELETED" {
			key := c.Live.Key(r, o.Metadata.Namespace, o.Metadata.Name)
			if old := c.Live.Objects[key]; old != nil {
				raw = old.Raw
				c.Live.Forget(key)
			}
			if newest[r] > 0 {
				raw = api.SetResourceVersion(raw, api.Itoa(int64(newest[r])))
			}
			return capture.Fatal(c.Out.Event(r, typ, raw))
		}
		k, what, err := c.Live.Record(r, o)
		if err != nil {
			return err
		}
		if what == capture.SameVersion && o.Metadata.ResourceVersion != "" {
			return nil // the informer's resync
		}
		c.Live.Objects[k].Raw = append(c.Live.Objects[k].Raw[:0], raw...)
		return capture.Fatal(c.Out.Event(r, typ, raw))
	})
}

// schedulerRecord is a line of it. Its strings are parts of the line.
type schedulerRecord struct {
	Time, Event string
	object      trace.Object // the resource
}

// read reads v from b, and returns the object's JSON.
func (v *schedulerRecord) read(b []byte) (raw []byte, err error) {
	v.Time, v.Event = "", ""
	v.object.Reset()
	r := jsonscan.NewReader(b)
	for range r.Members() {
		r.TextField("time", &v.Time)
		r.TextField("event", &v.Event)
		if r.Is("resource") {
			from := r.Offset()
			v.object.Read(&r)
			raw = b[from:r.Offset()]
		}
	}
	if err := r.End(); err != nil {
		return nil, api.Undecoded(trace.Misread(err))
	}
	return raw, nil
}
