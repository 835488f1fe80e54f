package objects

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/compact"
)

// Reader reads what a Conversion's inputs hold.
type Reader struct {
	*capture.Conversion
	// Sure says that the inputs say what each list was asked for with.
	Sure bool

	last   api.Resource // that an object was of
	dumps  dumps
	tables tables
	orders orders
}

// Of returns the Reader of c's inputs.
func Of(c *capture.Conversion) *Reader {
	if r, ok := c.Shared.(*Reader); ok {
		return r
	}
	r := &Reader{Conversion: c}
	c.Shared = r
	return r
}

func read(c *capture.Conversion) error { return Of(c).read() }

// Value is anything that stands in a capture of JSON objects.
type Value struct {
	trace.Event
	Kind       string         `json:"kind"`
	APIVersion string         `json:"apiVersion"`
	Metadata   trace.Metadata `json:"metadata"`
}

// read reads watch events, lists and bare objects, one after the other in
// any layout.
func (c *Reader) read() error {
	v := &Value{}
	logs := &dumpLogs{r: c.In}
	if c.From.Form.ID == "list" {
		c.In = capture.NewReader(logs)
	}
	err := c.Values(v.Reading(), func(b []byte, _, _ int64) error { return c.Object(v, b) })
	if err == nil && logs.count > 0 {
		err = c.Remark(remarks.LogsPassed, logs.count, "")
	}
	return err
}

// Reading returns how a Value is read from each object of an input.
func (v *Value) Reading() format.Decode { return format.Decode{Whole: v.whole, Any: v.Decode} }

var fields = []string{"type", "object", "kind", "apiVersion", "metadata"}

func (v *Value) whole(b []byte) bool {
	v.reset()
	return len(b) == compact.Object(b, 0, fields, func(n, i int) int {
		switch n {
		case 0:
			return compact.Text(b, i, &v.Type)
		case 1:
			return v.Event.Object.Whole(b, i)
		case 2:
			return compact.Text(b, i, &v.Kind)
		case 3:
			return compact.Text(b, i, &v.APIVersion)
		}
		return v.Metadata.Whole(b, i)
	})
}

func (v *Value) reset() {
	v.Event.Reset()
	v.Kind, v.APIVersion = "", ""
	v.Metadata.Reset()
}

// Decode reads a Value from b.
func (v *Value) Decode(b []byte) error {
	v.reset()
	return trace.Decode(b, v)
}

// Object reads one value, which was decoded from b.
func (c *Reader) Object(v *Value, b []byte) error {
	switch {
	case v.Type != "" && v.Object.Kind != "":
		return c.watchEvent(&v.Event, b)
	case v.Kind == "Status":
		return fault.Of("serverRefused text", trace.DecodeStatus(b).Message)
	case v.Kind == "Table":
		return c.table(b)
	case strings.HasSuffix(v.Kind, "List"):
		if v.Kind == partial+"List" {
			if err := c.Remark(remarks.MetadataOnly, 0, ""); err != nil {
				return capture.Fatal(err)
			}
		}
		return c.dump(v, b, 0)
	case v.Kind != "" && v.Metadata.Name != "":
		return c.bare(v, b)
	}
	return fault.Plain("noEventObjectOrList")
}

// watchEvent reads a watch event.
func (c *Reader) watchEvent(e *trace.Event, b []byte) error {
	switch e.Object.Kind {
	case "Table":
		return c.tableEvent(e.Type, b)
	case partial:
		if err := c.Remark(remarks.MetadataOnly, 0, ""); err != nil {
			return capture.Fatal(err)
		}
	}
	if err := c.flushLists(); err != nil {
		return capture.Fatal(err)
	}
	c.Out.Space()
	if e.Type == "ERROR" {
		if c.last.Resource == "" {
			c.last = api.ResourceOf("v1", "")
		}
		if err := c.Out.RawEvent(c.last, b); err != nil {
			return capture.Fatal(err)
		}
		return capture.Fatal(c.Out.HangUp(c.last))
	}
	r := c.ResourceOf(e.Object.APIVersion, e.Object.Kind)
	if err := c.watchedObject(r, e, b); err != nil {
		return err
	}
	c.orders.watched(c.Told, r, e.Type == "ADDED", e.Object.Metadata.ResourceVersion)
	return capture.Fatal(c.Out.RawEvent(r, b))
}

// ResourceOf returns the resource of a kind.
func (c *Reader) ResourceOf(apiVersion, kind string) api.Resource {
	switch {
	case kind == partial:
		c.last = c.tables.objectsOf()
	case c.last.Kind != kind || c.last.APIVersion() != apiVersion:
		c.last = api.ResourceOf(strings.Clone(apiVersion), strings.Clone(kind))
	}
	return c.last
}

// bare reads an object that stands for itself, as kubectl get -w writes them
// without --output-watch-events.
func (c *Reader) bare(v *Value, b []byte) error {
	r := c.ResourceOf(v.APIVersion, v.Kind)
	if c.From.Alone && len(c.More) > 0 {
		c.Out.Space()
		d := c.dumps.of(r)
		d.items, d.rv, d.own, d.alone = append(d.items, bytes.Clone(b)), "", false, true
		return c.whole(r, d)
	}
	o := trace.Object{Kind: v.Kind, APIVersion: v.APIVersion, Metadata: v.Metadata}
	_, what, err := c.Live.See(r, &o)
	if err != nil {
		return err
	}
	if err := capture.Join(c.flushLists(), c.Remark(remarks.TypesWorkedOut, 0, ""), c.Remark(remarks.NoDeletions, 0, "")); err != nil {
		return capture.Fatal(err)
	}
	c.Out.Space()
	switch what {
	case capture.Added, capture.Recreated:
		// That the one before was deleted is certain, but when it was is not: an
		// informer hears of it by the other uid.
		return capture.Fatal(c.Out.Event(r, "ADDED", b))
	case capture.Modified:
		return capture.Fatal(c.Out.Event(r, "MODIFIED", b))
	}
	return nil // the same version again
}
