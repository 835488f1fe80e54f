package objects

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
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
	Kind       string
	APIVersion string
	Metadata   trace.Metadata
}

// read reads watch events, lists and bare objects, one after the other in
// any layout.
func (c *Reader) read() error {
	v := &Value{}
	logs := &dumpLogs{r: c.In}
	if c.From.Form.ID == "list" {
		c.In = capture.NewReader(logs)
	}
	err := c.Values(v.Read, func(b []byte, _, _ int64) error { return c.Object(v, b) })
	if err == nil && logs.count > 0 {
		err = c.Remark(remarks.LogsPassed, logs.count, "")
	}
	return err
}

// Decode reads v from b, which must be JSON.
func (v *Value) Decode(b []byte) error {
	r := jsonscan.NewReader(b)
	v.Read(&r)
	return trace.Misread(r.End())
}

// Read reads v as the next value.
func (v *Value) Read(r *jsonscan.Reader) {
	v.Event.Reset()
	v.Kind, v.APIVersion = "", ""
	v.Metadata.Reset()
	for name := range r.Fields("type", "object", "kind", "apiVersion", "metadata") {
		switch name {
		case "type":
			r.Text(&v.Type)
		case "object":
			v.Event.Object.Read(r)
		case "kind":
			r.Text(&v.Kind)
		case "apiVersion":
			r.Text(&v.APIVersion)
		case "metadata":
			v.Metadata.Read(r)
		}
	}
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
