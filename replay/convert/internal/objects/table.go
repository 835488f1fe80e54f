package objects

import (
	"bytes"
	"slices"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/wire"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

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
func firstCell(cells []byte) (name string) {
	jsonscan.Elements(cells, func(_, from, to int) bool {
		name, _ = jsonscan.Unquote(cells[from:to])
		return false
	})
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
