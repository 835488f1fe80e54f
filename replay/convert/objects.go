package convert

import (
	"bytes"
	"errors"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// value is anything that stands in a capture of JSON objects.
type value struct {
	trace.Event
	Kind       string         `json:"kind"`
	APIVersion string         `json:"apiVersion"`
	Metadata   trace.Metadata `json:"metadata"`
}

// objects reads watch events, lists and bare objects, one after the other in
// any layout.
func (c *conversion) objects() error {
	v := c.newValue()
	logs := &dumpLogs{r: c.in}
	if c.form.id == "list" {
		c.in = newReader(logs)
	}
	err := c.values(v.decode, func(b []byte, _, _ int64) error { return c.object(v, b) })
	if err == nil && logs.count > 0 {
		err = c.remark(LogsPassed, logs.count, "")
	}
	return err
}

// newValue returns what the values are decoded into, one after the other.
func (c *conversion) newValue() *value {
	if c.dumps == nil {
		c.live.limit = c.o.MaxObjects
		c.dumps = &dumps{}
	}
	return &value{}
}

func (v *value) decode(b []byte) error {
	v.Event.Reset()
	labels := v.Metadata.Labels
	clear(labels)
	*v = value{Event: v.Event, Metadata: trace.Metadata{Labels: labels}}
	return trace.Decode(b, v)
}

// object reads one value, which was decoded from b.
func (c *conversion) object(v *value, b []byte) error {
	switch {
	case v.Type != "" && v.Object.Kind != "":
		return c.watchEvent(&v.Event, b)
	case v.Kind == "Status":
		return errors.New("the API server refused: " + trace.DecodeStatus(b).Message)
	case v.Kind == "Table":
		return c.table(b)
	case strings.HasSuffix(v.Kind, "List"):
		if v.Kind == partial+"List" {
			if err := c.remark(MetadataOnly, 0, ""); err != nil {
				return fatal(err)
			}
		}
		return c.dump(v, b)
	case v.Kind != "" && v.Metadata.Name != "":
		return c.bare(v, b)
	}
	return errors.New("neither a watch event nor an object nor a list")
}

// watchEvent reads a watch event.
func (c *conversion) watchEvent(e *trace.Event, b []byte) error {
	switch e.Object.Kind {
	case "Table":
		return c.tableEvent(e.Type, b)
	case partial:
		if err := c.remark(MetadataOnly, 0, ""); err != nil {
			return fatal(err)
		}
	}
	if err := c.flushLists(); err != nil {
		return fatal(err)
	}
	c.space()
	if e.Type == "ERROR" {
		if c.last.resource == "" {
			c.last = resourceOf("v1", "")
		}
		if err := c.rawEvent(c.last, b); err != nil {
			return fatal(err)
		}
		return fatal(c.hangUp(c.last))
	}
	r := c.resourceOf(e.Object.APIVersion, e.Object.Kind)
	if err := c.watchedObject(r, e, b); err != nil {
		return err
	}
	c.ordered(r, e.Type == "ADDED", e.Object.Metadata.ResourceVersion)
	return fatal(c.rawEvent(r, b))
}

// ordered looks at the resourceVersion of a watch event. Its remark goes into the
// summary and not into the trace, because reading the trace makes the same remark.
func (c *conversion) ordered(r resource, added bool, rv string) {
	if rv == "" {
		return
	}
	o := c.orders[r.asked()]
	if o == nil {
		if c.orders == nil {
			c.orders = map[resource]*trace.Order{}
		}
		o = &trace.Order{}
		c.orders[r.asked()] = o
	}
	if id := o.Check(added, number(rv), number(rv) != 0); id != "" {
		c.sum.remark(trace.Remark{ID: id, Count: 1, Detail: r.resource})
	}
}

// resourceOf is the resource of a kind, and the last one from now on.
func (c *conversion) resourceOf(apiVersion, kind string) resource {
	switch {
	case kind == partial:
		c.last = c.tables.objectsOf()
	case c.last.kind != kind || c.last.apiVersion() != apiVersion:
		c.last = resourceOf(strings.Clone(apiVersion), strings.Clone(kind))
	}
	return c.last
}

// bare reads an object that stands for itself, as kubectl get -w writes them
// without --output-watch-events.
func (c *conversion) bare(v *value, b []byte) error {
	r := c.resourceOf(v.APIVersion, v.Kind)
	if c.alone && len(c.more) > 0 {
		c.space()
		d := c.dumps.at(r)
		d.items, d.rv, d.own, d.alone = append(d.items, bytes.Clone(b)), "", false, true
		return c.whole(r, d)
	}
	o := trace.Object{Kind: v.Kind, APIVersion: v.APIVersion, Metadata: v.Metadata}
	_, what, err := c.live.see(r, &o)
	if err != nil {
		return err
	}
	if err := errors.Join(c.flushLists(), c.remark(TypesWorkedOut, 0, ""), c.remark(NoDeletions, 0, "")); err != nil {
		return fatal(err)
	}
	c.space()
	switch what {
	case added, recreated:
		// That the one before was deleted is certain, but when it was is not: an
		// informer hears of it by the other uid.
		return fatal(c.event(r, "ADDED", b))
	case modified:
		return fatal(c.event(r, "MODIFIED", b))
	}
	return nil // the same version again
}
