package convert

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// dumps reads lists that follow one another. The first one of a resource is its
// list; what sets later ones apart from it is made events, as if somebody had
// watched. But a list that follows watch events is what a reflector asks for
// after its watch broke, and stays a list.
type dumps struct {
	of       map[resource]*dumped
	number   int
	compared int64 // lists of which the differences to the one before were written
}

// dumped is what is known of one resource's lists.
type dumped struct {
	lists   int
	watched bool   // since the last one there were watch events
	token   string // of the next page, "" where the list is complete
	mixed   bool   // it was in a list of several kinds
	page    [][]byte
	rv      string
}

func (d *dumps) at(r resource) *dumped {
	if d.of == nil {
		d.of = map[resource]*dumped{}
	}
	x := d.of[r]
	if x == nil {
		x = &dumped{}
		d.of[r] = x
	}
	return x
}

// watched takes note of a watch event of r.
func (d *dumps) watched(r resource) { d.at(r).watched = true }

// dump reads a list, or a page of one. kubectl's own kind List may hold several
// kinds of objects: then it is as many lists.
func (c *conversion) dump(v *value, b []byte) error {
	var l trace.List
	if err := trace.Decode(b, &l); err != nil {
		return err
	}
	c.space()
	if kind := strings.TrimSuffix(l.Kind, "List"); kind != "" {
		return c.typedList(c.resourceOf(l.APIVersion, kind), &l, b)
	}
	items := map[resource][][]byte{}
	var order []resource
	err := trace.Items(b, 0, &v.Object, func(src object.Source) error {
		r := resourceOf(strings.Clone(v.Object.APIVersion), strings.Clone(v.Object.Kind))
		if items[r] == nil {
			order = append(order, r)
		}
		items[r] = append(items[r], b[src.Offset:src.Offset+int64(src.Length)])
		return nil
	})
	if err != nil && !errors.As(err, new(trace.ItemError)) {
		return err
	}
	for r, d := range c.dumps.of {
		if _, here := items[r]; d.mixed && !here {
			order = append(order, r) // there are none any more
		}
	}
	if len(order) == 0 {
		return errors.New("an empty list, of nobody knows what")
	}
	slices.SortStableFunc(order, func(a, b resource) int { return cmp.Compare(len(items[b]), 0) - cmp.Compare(len(items[a]), 0) })
	for _, r := range order {
		d := c.dumps.at(r)
		d.mixed = true
		d.page, d.rv = items[r], newest(items[r], l.Metadata.ResourceVersion)
		if err := c.whole(r, d, nil); err != nil {
			return err
		}
	}
	return err
}

// typedList reads a list of one kind, or a page of it.
func (c *conversion) typedList(r resource, l *trace.List, b []byte) error {
	d := c.dumps.at(r)
	from, to, ok := trace.Field(b, "items")
	if !ok {
		return errors.New("a list without items")
	}
	first := d.lists == 0 || d.watched
	if first {
		// Its bytes go into the trace as they are.
		query := ""
		switch {
		case d.token != "":
			query = "limit=500&continue=" + d.token
		case l.Metadata.Continue != "":
			query = "limit=500"
		}
		if err := c.listBody(r, query, 200, l.Metadata.ResourceVersion, b); err != nil {
			return fatal(err)
		}
	}
	trace.Elements(b[from:to], func(_, i, j int) bool {
		d.page = append(d.page, bytes.Clone(b[from+i:from+j]))
		return true
	})
	d.token, d.rv = strings.Clone(l.Metadata.Continue), strings.Clone(l.Metadata.ResourceVersion)
	if d.token != "" {
		return nil
	}
	d.rv = newest(d.page, d.rv)
	if first {
		return c.whole(r, d, b)
	}
	return c.whole(r, d, nil)
}

// endDumps says what must be known of the lists, and ends those whose last page
// didn't come by an empty page: they are shown as far as they go.
func (c *conversion) endDumps() error {
	if c.dumps == nil {
		return nil
	}
	if c.dumps.compared > 0 {
		if err := c.remark(DumpDifferences, c.dumps.compared, ""); err != nil {
			return err
		}
	}
	var cut []resource
	for r, d := range c.dumps.of {
		if d.token != "" {
			cut = append(cut, r)
		}
	}
	slices.SortFunc(cut, func(a, b resource) int { return strings.Compare(a.url(""), b.url("")) })
	for _, r := range cut {
		d := c.dumps.of[r]
		err := errors.Join(c.remark(PagesMissing, 0, r.resource),
			c.listBody(r, "limit=500&continue="+d.token, 200, d.rv, emptyList(r, d.rv)))
		if err != nil {
			return err
		}
	}
	return nil
}

// newest is the list's resourceVersion, or its items' newest where it has none,
// as kubectl's lists.
func newest(items [][]byte, rv string) string {
	if rv != "" {
		return rv
	}
	var most uint64
	for _, raw := range items {
		var o trace.Object
		if trace.Decode(raw, &o) == nil {
			most = max(most, number(o.Metadata.ResourceVersion))
		}
	}
	if most == 0 {
		return ""
	}
	return itoa(int64(most))
}

// whole takes a list of which all pages have come. Written is its body if that
// is in the trace already.
func (c *conversion) whole(r resource, d *dumped, written []byte) error {
	items := d.page
	relist := d.lists == 0 || d.watched
	d.page, d.watched = nil, false
	d.lists++
	c.dumps.number++
	if relist && written == nil {
		if err := c.list(r, d.rv, items); err != nil {
			return fatal(err)
		}
	}
	changes, bad := c.compare(r, items)
	if relist {
		return bad
	}
	c.dumps.compared++
	for _, x := range changes {
		if err := c.event(r, x.typ, x.raw); err != nil {
			return fatal(err)
		}
		c.space()
	}
	return bad
}

// change is what became of an object between two dumps.
type change struct {
	typ string
	rv  uint64
	raw []byte
}

// compare takes note of a dump's objects, and returns what sets it apart from
// the one before, in the order of the resourceVersions, deletions last.
func (c *conversion) compare(r resource, items [][]byte) ([]change, error) {
	var changes []change
	var bad error
	d := c.dumps.at(r)
	for i, raw := range items {
		var o trace.Object
		if err := trace.Decode(raw, &o); err != nil {
			if bad == nil {
				bad = trace.ItemError{Item: i, Err: err}
			}
			continue
		}
		full := withKind(raw, r)
		k, what, err := c.live.see(r, &o)
		if err != nil {
			return nil, err
		}
		rv := number(o.Metadata.ResourceVersion)
		switch what {
		case recreated:
			changes = append(changes, change{"DELETED", rv, c.live.live[k].raw}, change{"ADDED", rv, full})
		case added:
			changes = append(changes, change{"ADDED", rv, full})
		case modified:
			changes = append(changes, change{"MODIFIED", rv, full})
		}
		c.live.keep(k, full, c.dumps.number)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.rv, b.rv) })
	var gone []change
	for k, v := range c.live.live {
		if *k.r == r.asked() && v.dump != c.dumps.number {
			raw := v.raw
			if d.rv != "" {
				raw = setResourceVersion(raw, d.rv)
			}
			gone = append(gone, change{"DELETED", 0, raw})
			c.live.gone(k)
		}
	}
	slices.SortFunc(gone, func(a, b change) int { return bytes.Compare(a.raw, b.raw) })
	return append(changes, gone...), bad
}
