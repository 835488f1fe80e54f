package objects

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	json "github.com/goccy/go-json"

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
		if v.Object.IsList() {
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
	return c.RemarkCounts("", capture.Counted{ID: remarks.DumpDifferences, N: c.dumps.compared},
		capture.Counted{ID: remarks.DumpScope, N: c.dumps.uncertain}, capture.Counted{ID: remarks.OlderLists, N: c.dumps.older})
}

// tables reads the Tables that the API server writes for kubectl's columns. Only the
// first Table of a stream describes the columns, so they are kept here.
type tables struct {
	columns  []string     // as JSON
	resource api.Resource // the resource in the rows, if known
	buf      []byte
}

// table is a Table of meta.k8s.io.
type table struct {
	Metadata          json.RawMessage `json:"metadata"`
	ColumnDefinitions json.RawMessage `json:"columnDefinitions"`
	Rows              []tableRow      `json:"rows"`
}

// tableRow is a row of a Table.
type tableRow struct {
	Cells  json.RawMessage `json:"cells"`
	Object json.RawMessage `json:"object"`
}

// TablesAreOf says which resource the Tables that come next are about.
func (c *Reader) TablesAreOf(r api.Resource) { c.tables.resource = r }

// objectsOf returns the resource that a Table or a PartialObjectMetadata is about. Neither
// names it.
func (t *tables) objectsOf() api.Resource {
	r := t.resource
	if r.Resource == "" {
		r = api.Resource{Version: "v1", Resource: trace.Plural("")}
	}
	if r.Kind == "" {
		r.Kind = partial
	}
	return r
}

// partial is the kind of an object that has only its metadata.
const partial = "PartialObjectMetadata"

// describe takes note of a Table's columns, if it says what they are.
func (t *tables) describe(definitions []byte) {
	if !api.Filled(definitions) {
		return
	}
	t.columns = t.columns[:0]
	jsonscan.Elements(definitions, func(i, from, to int) bool {
		name := string(api.Member(definitions[from:to], "name"))
		if !strings.HasPrefix(name, `"`) || slices.Contains(t.columns, name) {
			name = columnNumber(i)
		}
		t.columns = append(t.columns, name)
		return true
	})
}

func columnNumber(i int) string { return `"` + api.Itoa(int64(i+1)) + `"` }

// row makes an object of a Table's row: what it says of the object, and its cells
// as "columns". Where the object is left out (includeObject=None), its name is
// what stands in the first cell, and rv its resourceVersion; none for "". The
// object is good until the next row. What it is of is r, or what it says itself.
func (t *tables) row(row *tableRow, r api.Resource, rv string) (o []byte, resource api.Resource, without bool, err error) {
	var header struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
	}
	b := t.buf[:0]
	if object := row.Object; bytes.HasPrefix(object, []byte(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/`)) {
		b = append(b, object...) // what servers write
	} else if len(object) > 0 && object[0] == '{' {
		if err := api.Decode(object, &header); err != nil {
			return nil, r, false, err
		}
		if header.Kind != "" && header.Kind != partial {
			return object, api.ResourceOf(strings.Clone(header.APIVersion), strings.Clone(header.Kind)), false, nil // includeObject=Object
		}
		if header.Kind == "" || header.APIVersion == "" {
			object = api.AddKind(object, r)
		}
		b = append(b, object...)
	} else {
		without = true
		object := api.BareObject(r, "", firstCell(row.Cells), "")
		if rv != "" {
			object = api.SetResourceVersion(object, rv)
		}
		b = append(b, object...)
	}
	b = append(bytes.TrimRight(b[:len(b)-1], " \t\r\n"), `,"columns":{`...)
	jsonscan.Elements(row.Cells, func(i, from, to int) bool {
		if i > 0 {
			b = append(b, ',')
		}
		if i < len(t.columns) {
			b = append(b, t.columns[i]...)
		} else {
			b = append(b, columnNumber(i)...)
		}
		b = append(append(b, ':'), row.Cells[from:to]...)
		return true
	})
	t.buf = append(b, "}}"...)
	return t.buf, r, without, nil
}

// firstCell returns the text of a row's first cell, which is the name.
func firstCell(cells []byte) string {
	name, _ := jsonscan.Unquote(jsonscan.FirstElement(cells))
	return strings.Clone(name)
}

// toldTable remarks on what a Table leaves out.
func (c *Reader) toldTable(without bool) error {
	id := remarks.TableColumns
	if without {
		id = remarks.TableNoObjects
	}
	return c.Remark(id, 0, "")
}

// tableList makes a list of a Table.
func (c *Reader) tableList(b []byte) (api.Resource, []byte, error) {
	var decoded table
	if err := api.Decode(b, &decoded); err != nil {
		return api.Resource{}, nil, err
	}
	t := &c.tables
	t.describe(decoded.ColumnDefinitions)
	r := t.objectsOf()
	var items []byte
	for i := range decoded.Rows {
		o, kind, without, err := t.row(&decoded.Rows[i], t.objectsOf(), "")
		if err != nil {
			return r, nil, err
		}
		if err := c.toldTable(without); err != nil {
			return r, nil, capture.Fatal(err)
		}
		if i == 0 {
			r = kind
		} else {
			items = append(items, ',')
		}
		items = append(items, o...)
	}
	body := wire.EmptyList(r, "")
	if len(decoded.Metadata) > 0 {
		body = api.SetMember(body, "metadata", decoded.Metadata)
	}
	body = append(bytes.TrimSuffix(body, []byte("]}")), items...)
	return r, append(body, "]}"...), nil
}

// table reads a Table that answers a list.
func (c *Reader) table(b []byte) error {
	r, body, err := c.tableList(b)
	if err != nil {
		return err
	}
	var l trace.List
	if err := l.Decode(body); err != nil {
		return err
	}
	c.Out.Space()
	return c.Listed(r, &l, body)
}

// TableEvents calls f for each object of a watch event whose object is a Table:
// it has one row. The object is good until f returns.
func (c *Reader) TableEvents(typ string, b []byte, f func(r api.Resource, object []byte) error) error {
	var e struct {
		Object table `json:"object"`
	}
	if err := api.Decode(b, &e); err != nil {
		return err
	}
	t := &c.tables
	t.describe(e.Object.ColumnDefinitions)
	rv := api.FirstField(e.Object.Metadata, "resourceVersion")
	r := t.objectsOf()
	switch {
	case typ == "BOOKMARK":
		return f(r, tableBookmark(r, e.Object.Rows, rv))
	case len(e.Object.Rows) == 0:
		return fault.Plain("noRows")
	}
	for i := range e.Object.Rows {
		o, resource, without, err := t.row(&e.Object.Rows[i], r, rv)
		if err != nil {
			return err
		}
		if err := c.toldTable(without); err != nil {
			return capture.Fatal(err)
		}
		if err := f(resource, o); err != nil {
			return err
		}
	}
	return nil
}

// tableEvent reads a watch event whose object is a Table.
func (c *Reader) tableEvent(typ string, b []byte) error {
	if err := c.flushLists(); err != nil {
		return capture.Fatal(err)
	}
	return c.TableEvents(typ, b, func(r api.Resource, o []byte) error {
		c.Out.Space()
		c.dumps.dump(r).watched = true
		return capture.Fatal(c.Out.Event(r, typ, o))
	})
}

// tableBookmark returns a bookmark without the row of nothing that stands in it.
func tableBookmark(r api.Resource, rows []tableRow, rv string) []byte {
	metadata := []byte(`{"resourceVersion":` + string(jsonscan.AppendString(nil, rv)) + `}`)
	if len(rows) > 0 {
		if annotations := api.Member(api.Member(rows[0].Object, "metadata"), "annotations"); annotations != nil {
			metadata = api.Insert(metadata, 0, "annotations", annotations)
		}
	}
	return api.AddKind([]byte(`{"metadata":`+string(metadata)+`}`), r)
}
