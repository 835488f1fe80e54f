package objects

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/wire"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// dumps reads lists. A list doesn't say which namespace or selector it was asked for
// with, so several lists of one resource may be parts of one state, or dumps made one
// after the other. Lists that share no object are parts, and become one list. A list
// that shares some is a later dump: its differences from the state before become
// events, as if somebody had watched. Even then an object is only deleted if scope
// says that the later dump would hold it. A list after watch events is what a
// reflector asks for when its watch broke, and stays a list.
type dumps struct {
	all   map[api.Resource]*dumped
	order []api.Resource // in which their lists came
	mixed []api.Resource // those in the last list of several kinds

	number    int   // of lists
	compared  int64 // lists whose differences from the state before were written
	uncertain int64 // objects that a later list lacks, and that may still be there
	older     int64 // lists that are older than the one before
}

// dumped is what is known of one resource's lists.
type dumped struct {
	lists     int
	watched   bool   // there were watch events since the last list
	token     string // of the next page, "" where the list is complete
	pages     []page // of the list that is being read
	items     [][]byte
	rv        string // of that list
	versioned bool   // the list itself has rv; else it is its newest object's
	alone     bool   // it is one object from a file of its own
	newest    uint64 // the highest rv of all lists
	from      string // the name of the input that the last list was in
	first     *state // nil once it is written
}

// page is a page of a list, as it came.
type page struct {
	query string
	raw   []byte
}

// state is what is written as a resource's first list. It is held back because
// further parts of it may follow.
type state struct {
	pages     []page // of the list, nil once there is more than one
	items     [][]byte
	positions map[capture.ObjectKey]int // in items
	rv        string
}

func (d *dumps) dump(r api.Resource) *dumped {
	if d.all == nil {
		d.all = map[api.Resource]*dumped{}
	}
	x := d.all[r]
	if x == nil {
		x = &dumped{}
		d.all[r] = x
		d.order = append(d.order, r)
	}
	return x
}

// maxLists is how deep lists may lie within lists.
const maxLists = 4

// dump reads a list, or a page of one. kubectl's own kind List may hold several
// kinds of objects, and lists: then it is as many lists. depth is how many lists it
// lies in.
func (c *Reader) dump(v *Value, b []byte, depth int) error {
	var l trace.List
	if err := l.Decode(b); err != nil {
		return err
	}
	c.Out.Space()
	if kind := strings.TrimSuffix(l.Kind, "List"); kind != "" {
		return c.Listed(c.ResourceOf(l.APIVersion, kind), &l, b)
	}
	if depth == 0 {
		b = bytes.Clone(b)
	}
	items := map[api.Resource][][]byte{}
	var order []api.Resource
	var lists [][]byte
	bad := trace.Items(b, 0, &v.Object, func(src object.Source) error {
		if trace.IsList(&v.Object) {
			lists = append(lists, b[src.Offset:src.Offset+int64(src.Length)])
			return nil
		}
		if v.Object.Kind == "" {
			v.Object.APIVersion, v.Object.Kind = c.kindOf(b[src.Offset : src.Offset+int64(src.Length)])
		}
		r := api.ResourceOf(strings.Clone(v.Object.APIVersion), strings.Clone(v.Object.Kind))
		if items[r] == nil {
			order = append(order, r)
		}
		items[r] = append(items[r], b[src.Offset:src.Offset+int64(src.Length)])
		return nil
	})
	if bad != nil && !errors.As(bad, new(trace.ItemError)) {
		return bad
	}
	for _, inner := range lists {
		err := error(fault.Plain("noEventObjectOrList"))
		if depth < maxLists {
			err = c.dump(v, inner, depth+1)
		}
		if errors.As(err, new(capture.FatalError)) {
			return err
		}
		if bad == nil {
			bad = err
		}
	}
	switch {
	case len(order) == 0 && len(lists) > 0:
		return bad
	case len(order) == 0 && len(c.dumps.mixed) == 0:
		return capture.NoCapture{Err: fault.Plain("listOfNothing")}
	}
	c.dumps.missing(&c.Live, items)
	for _, r := range order {
		d := c.dumps.dump(r)
		d.items, d.rv, d.versioned = items[r], strings.Clone(l.ResourceVersion), l.ResourceVersion != ""
		if err := c.addComplete(r, d); err != nil {
			return err
		}
	}
	if len(order) > 0 {
		c.dumps.mixed = order
	}
	return bad
}

// missing counts the objects of resources that the last list of several kinds had,
// and that the next one lacks although it is of the same kinds otherwise.
func (d *dumps) missing(known *capture.Tracker, next map[api.Resource][][]byte) {
	absent := map[api.Resource]bool{}
	for _, r := range d.mixed {
		if next[r] == nil {
			absent[r.WithoutKind()] = true
		}
	}
	if len(next) > 0 && len(absent) == len(d.mixed) {
		return // it is of other kinds
	}
	for k := range known.Objects {
		if absent[*k.R] {
			d.uncertain++
		}
	}
}

// Listed reads a list of one kind, or a page of it.
func (c *Reader) Listed(r api.Resource, l *trace.List, b []byte) error {
	d := c.dumps.dump(r)
	b = bytes.Clone(b)
	from, to, _ := jsonscan.Field(b, "items")
	if items := b[from:to]; len(items) > 0 && items[0] != '[' && string(items) != "null" {
		return fault.Plain("noItems")
	}
	p := page{raw: b}
	switch {
	case d.token != "":
		p.query = "limit=500&continue=" + d.token
	case l.Continue != "":
		p.query = "limit=500"
	}
	d.pages = append(d.pages, p)
	jsonscan.Elements(b[from:to], func(_, i, j int) bool {
		d.items = append(d.items, b[from+i:from+j])
		return true
	})
	d.token, d.rv = strings.Clone(l.Continue), strings.Clone(l.ResourceVersion)
	d.versioned = d.rv != ""
	if d.token != "" {
		return nil
	}
	return c.addComplete(r, d)
}

// addComplete takes a list whose pages have all come.
func (c *Reader) addComplete(r api.Resource, d *dumped) error {
	l, bad := c.readList(r, d)
	if f := (capture.FatalError{}); errors.As(bad, &f) {
		return bad
	}
	later := d.lists > 1 && (c.Sure || !l.isPartial())
	switch {
	case d.lists == 1:
		d.first = &state{pages: l.pages, rv: l.rv, positions: map[capture.ObjectKey]int{}}
		fallthrough
	case !later && d.first != nil:
		if d.lists > 1 {
			d.first.pages = nil
		}
		if err := c.addPart(r, d, l); err != nil {
			return err
		}
		if c.Sure {
			return cmp.Or(capture.Fatal(c.writeFirst(r, d)), bad)
		}
		return bad
	}
	if err := capture.Fatal(c.writeFirst(r, d)); err != nil {
		return err
	}
	changes, kept, err := c.compare(r, l, later)
	if err != nil {
		return err
	}
	if d.watched && later && kept == 0 {
		d.watched = false
		return cmp.Or(capture.Fatal(c.writeList(r, l.pages, l.rv, l.items)), bad)
	}
	if !l.alone {
		c.dumps.compared++
	}
	for _, x := range changes {
		if err := c.Out.Event(r, x.typ, x.raw); err != nil {
			return capture.Fatal(err)
		}
		c.Out.Space()
	}
	return bad
}

// writeFirst writes the list that is held back, if there is one.
func (c *Reader) writeFirst(r api.Resource, d *dumped) error {
	s := d.first
	if s == nil {
		return nil
	}
	d.first = nil
	return c.writeList(r, s.pages, s.rv, s.items)
}

// writeList writes a list as it came, in pages, or makes one of its items.
func (c *Reader) writeList(r api.Resource, pages []page, rv string, items [][]byte) error {
	if len(pages) == 0 {
		return c.Out.List(r, rv, items)
	}
	for _, p := range pages {
		if err := c.Out.ListBody(r, p.query, 200, rv, p.raw); err != nil {
			return err
		}
	}
	return nil
}

// flushLists writes the lists that are held back: an event comes that is later.
// Lists whose last page didn't come end with an empty page, and are shown as far as
// they go.
func (c *Reader) flushLists() error {
	for _, r := range c.dumps.order {
		d := c.dumps.all[r]
		if err := c.writeFirst(r, d); err != nil {
			return err
		}
		if d.token == "" {
			continue
		}
		if err := c.Remark(trace.PagesMissing, 0, r.Resource); err != nil {
			return err
		}
		pages := append(d.pages, page{"limit=500&continue=" + d.token, wire.EmptyList(r, d.rv)})
		d.token, d.pages, d.items = "", nil, nil
		if err := c.writeList(r, pages, d.rv, nil); err != nil {
			return err
		}
	}
	return nil
}

// Pending reports whether there was a list. The first one may be held back.
func (c *Reader) Pending() bool { return c.dumps.number > 0 }

// End writes what is held back, and says what must be known of the lists.
func (c *Reader) End() error {
	if err := c.flushLists(); err != nil {
		return err
	}
	for _, r := range []struct {
		id string
		n  int64
	}{{remarks.DumpDifferences, c.dumps.compared}, {remarks.DumpScope, c.dumps.uncertain}, {remarks.OlderLists, c.dumps.older}} {
		if r.n > 0 {
			if err := c.Remark(r.id, r.n, ""); err != nil {
				return err
			}
		}
	}
	return nil
}
