// Package objects reads what the API server answers with: watch events, lists, Tables and
// objects, as they are or within other formats.
package objects

import (
	"bufio"
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
	kinds  kindly
	dumps  dumps
	tables tables
	orders orders
}

// ReaderOf returns the Reader of c's inputs.
func ReaderOf(c *capture.Conversion) *Reader {
	if r, ok := c.Shared.(*Reader); ok {
		return r
	}
	r := &Reader{Conversion: c}
	c.Shared = r
	return r
}

func read(c *capture.Conversion) error { return ReaderOf(c).read() }

// Value is anything that stands in a capture of JSON objects.
type Value struct {
	trace.Event
	Kind       string
	APIVersion string
	Metadata   trace.Metadata
	Time       []byte // the time beside an event, as JSON; nil for none
}

// read reads watch events, lists and bare objects, one after the other in
// any layout.
func (c *Reader) read() error {
	v := &Value{}
	logs := &dumpLogs{r: c.In}
	if c.From.Form.ID == "list" {
		c.In = capture.NewReader(logs)
	}
	if err := c.Values(v.Read, func(b []byte, _, _ int64) error { return c.Object(v, b) }); err != nil {
		return err
	}
	return c.RemarkCounts("", capture.Counted{ID: remarks.LogsPassed, N: logs.count})
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
	v.Time = nil
	for name := range r.Fields("type", "object", "kind", "apiVersion", "metadata", "time", "timestamp", "@timestamp", "ts", "t", "at", "date", "received", "receivedAt") {
		switch name {
		case "type":
			r.Text(&v.Type)
		case "object":
			if r.Kind() == jsonscan.String { // what Python prints, beside raw_object
				r.Skip()
				continue
			}
			v.Event.Object.Read(r)
		case "kind":
			r.Text(&v.Kind)
		case "apiVersion":
			r.Text(&v.APIVersion)
		case "metadata":
			v.Metadata.Read(r)
		default:
			v.Time = r.Raw()
		}
	}
}

// Object reads one value, which was decoded from b.
func (c *Reader) Object(v *Value, b []byte) error {
	if !v.isWritten() {
		if all := objectsByName(b); len(all) > 0 {
			var errs []error
			for _, raw := range all {
				var v Value
				errs = append(errs, v.Decode(raw), c.Object(&v, raw))
			}
			return capture.Join(errs...)
		}
		written, err := c.asWritten(b)
		if err != nil {
			return err
		}
		if written != nil {
			v = &Value{Time: v.Time}
			moment := v.Time
			if err := v.Decode(written); err != nil {
				return err
			}
			v.Time, b = moment, written
		}
	}
	if v.Type != "" && v.Time != nil {
		if at := capture.TimeOf(v.Time); !at.IsZero() {
			if err := c.Remark(remarks.FieldTimes, 0, ""); err != nil {
				return capture.Fatal(err)
			}
			c.Out.SetTime(at)
		}
	}
	return c.written(v, b)
}

// isWritten reports whether v is as the API server or kubectl writes it.
func (v *Value) isWritten() bool {
	switch {
	case v.Type != "":
		return v.Object.Kind != "" && v.Object.APIVersion != "" && isWatchType(v.Type)
	case v.Kind != "":
		return v.APIVersion != "" && v.Kind != admissionReview
	}
	return false
}

// written reads a value that is as the API server or kubectl writes it.
func (c *Reader) written(v *Value, b []byte) error {
	switch {
	case v.Type != "" && v.Object.Kind != "":
		return c.watchEvent(&v.Event, b)
	case c.From.Loose && (v.Kind == "Status" || v.Kind == "Table" && !api.Filled(api.Member(b, "rows"))):
		return capture.NoCapture{Err: fault.Plain("noEventObjectOrList")}
	case v.Kind == "Status":
		return fault.Named("serverRefused text", trace.DecodeStatus(b).Message)
	case v.Kind == "Table":
		return c.table(b)
	case strings.HasSuffix(v.Kind, "List") && v.Metadata.Name == "":
		if v.Kind == partial+"List" {
			if err := c.Remark(remarks.MetadataOnly, 0, ""); err != nil {
				return capture.Fatal(err)
			}
		}
		return c.dump(v, b, 0)
	case v.Kind != "" && v.Metadata.Name != "":
		return c.bare(v, b)
	case isWatchType(v.Type):
		return fault.Plain("noEventObjectOrList")
	case v.Kind == admissionReview:
		return capture.NoCapture{Err: fault.Plain("reviewOfNothing")}
	}
	return capture.NoCapture{Err: fault.Plain("noEventObjectOrList")}
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
	c.orders.watched(c.Findings, r, e.Type == "ADDED", e.Object.Metadata.ResourceVersion)
	return capture.Fatal(c.Out.RawEvent(r, b))
}

// ResourceOf returns the resource of a kind.
func (c *Reader) ResourceOf(apiVersion, kind string) api.Resource {
	switch {
	case kind == partial:
		c.last = c.tables.objectsOf()
		return c.last
	case c.last.Kind != kind || c.last.APIVersion() != apiVersion:
		c.last = api.ResourceOf(strings.Clone(apiVersion), strings.Clone(kind))
	}
	c.noteKind(apiVersion, kind)
	return c.last
}

// bare reads an object that stands for itself, as kubectl get -w writes them
// without --output-watch-events.
func (c *Reader) bare(v *Value, b []byte) error {
	r := c.ResourceOf(v.APIVersion, v.Kind)
	if c.From.Alone && len(c.Rest) > 0 {
		c.Out.Space()
		d := c.dumps.dump(r)
		d.items, d.rv, d.versioned, d.alone = append(d.items, bytes.Clone(b)), "", false, true
		return c.addComplete(r, d)
	}
	o := trace.Object{Kind: v.Kind, APIVersion: v.APIVersion, Metadata: v.Metadata}
	_, what, err := c.Live.Record(r, &o)
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

// Forms are the formats that are JSON, which anything may be that begins with a
// bracket.
var Forms = []capture.Form{
	{
		ID: "watch", Convert: read,
		Matches: func(head []byte) bool { return isEvent(head) && firstObject(head) != "apiVersion" },
	},
	{
		ID: "kubectl", Convert: read,
		Matches: isEvent,
	},
	{
		ID: "list", Convert: read,
		Matches: func(head []byte) bool {
			kind := api.FirstField(head, "kind")
			return !discovery[kind] && strings.HasSuffix(kind, "List") && !named(api.Member(head, "metadata")) || kind == "Table" || kind == "" && head[0] == '{' && isKindlessList(head)
		},
	},
	{
		ID: "objects", Convert: read,
		Matches: func(head []byte) bool {
			kind := api.FirstField(head, "kind")
			return head[0] == '{' && !discovery[kind] && (kind != "" && (api.Member(head, "apiVersion") != nil || named(api.Member(head, "metadata"))) || isStored(head) || len(objectsByName(head)) > 0)
		},
	},
	{
		ID: "objects", Convert: read, Suffixes: []string{".json", ".jsonl", ".ndjson"},
		Matches: func(head []byte) bool { return false },
	},
}

// discovery has the kinds of what the API server says of itself. They have no objects.
var discovery = map[string]bool{
	"APIVersions": true, "APIGroup": true, "APIGroupList": true, "APIResourceList": true, "APIGroupDiscoveryList": true, "APIGroupDiscovery": true,
}

// isEvent reports whether head begins a watch event, of whatever client.
func isEvent(head []byte) bool {
	typ, object := api.FirstField(head, "type"), `"object"`
	if typ == "" {
		typ, object = api.FirstField(head, "Type"), `"Object"`
	}
	_, isVerb := verbOf(typ)
	return isVerb && bytes.Contains(head, []byte(object)) || typ != "" && firstObject(head) != ""
}

// isKindlessList reports whether head begins a list that doesn't say its kind.
func isKindlessList(head []byte) bool {
	i := bytes.Index(head, []byte(`"items"`))
	if i < 0 {
		return false
	}
	rest := bytes.TrimLeft(head[i+len(`"items"`):], ": \t\r\n")
	if len(rest) == 0 || rest[0] != '[' {
		return false
	}
	item := bytes.TrimLeft(rest[1:], " \t\r\n")
	return Kindless(item) && (i < len(`{"items"`) || bytes.HasPrefix(bytes.TrimLeft(head[1:], " \t\r\n"), []byte(`"metadata"`)) || api.Member(head, "metadata") != nil) ||
		api.FirstField(item, "kind") != "" && named(api.Member(item, "metadata"))
}

// firstObject returns the name of the first field of the event's object, or "". The
// API server writes kind first, kubectl sorts.
func firstObject(head []byte) string {
	i := bytes.Index(head, []byte(`"object"`))
	if i < 0 {
		return ""
	}
	rest := bytes.TrimLeft(head[i+len(`"object"`):], ": {\t\r\n")
	name, _, _ := bytes.Cut(bytes.TrimPrefix(rest, []byte{'"'}), []byte{'"'})
	return string(name)
}

// dumpLogs replaces by spaces the logs of containers, which kubectl cluster-info dump
// prints after its lists.
type dumpLogs struct {
	r      *bufio.Reader
	inside bool // a log
	within bool // a line
	blank  bool // that line is part of a log
	count  int64
}

// What kubectl prints before and after each log.
var (
	logBegins = []byte("==== START logs for container ")
	logEnds   = []byte("==== END logs for container ")
)

func (d *dumpLogs) Read(p []byte) (int, error) {
	if !d.within {
		if n, end := capture.ReadEmptyLines(d.r, p); n > 0 {
			d.within, d.blank = !end, d.inside
			return n, nil
		}
		head, _ := d.r.Peek(len(logBegins))
		d.within, d.blank = true, d.inside
		switch {
		case !d.inside && bytes.HasPrefix(head, logBegins):
			d.inside, d.blank = true, true
			d.count++
		case d.inside && bytes.HasPrefix(head, logEnds):
			d.inside = false
		}
	}
	n, end, err := capture.ReadInLine(d.r, p)
	d.within = !end
	if d.blank {
		capture.BlankOut(p[:n])
	}
	return n, err
}

// Exchange writes a list as it was asked for and answered. A Table becomes a list.
func (c *Reader) Exchange(path string, r api.Resource, status int, body []byte) error {
	body, err := c.ListOf(r, body)
	if err != nil {
		return err
	}
	id, err := c.Out.Request(path, status)
	if err != nil {
		return capture.Fatal(err)
	}
	return capture.Fatal(capture.Join(c.Out.Trace.Body(c.Out.Now(), id, body), c.Out.Trace.End(c.Out.Now(), id, "eof", "", nil)))
}

// ListOf returns the answer to a list, which is a list or a Status. A Table of r becomes a
// list.
func (c *Reader) ListOf(r api.Resource, body []byte) ([]byte, error) {
	if err := api.Sound(body); err != nil {
		return nil, err
	}
	switch kind := api.FirstField(body, "kind"); {
	case kind == "Table":
		c.tables.resource = r
		_, list, err := c.tableList(body)
		return list, err
	case strings.HasSuffix(kind, "List"), kind == "Status":
		return body, nil
	}
	return nil, fault.Plain("noListNorStatus")
}

// First is the list that "kubectl get -w" begins with. kubectl prints its objects as if they
// had been added, in the order of their keys, and goes on with the watch in the same form.
type First struct {
	c        *Reader
	complete bool
	resource api.Resource
	items    [][]byte
	rv       string // the newest resourceVersion of the items
	last     string // the key of the last item
}

// NewFirst returns the First of what c reads.
func NewFirst(c *Reader) *First { return &First{c: c} }

// Take takes a value that was decoded from b, if it can be an item of the list. If it can't, the
// list is over.
func (f *First) Take(v *Value, b []byte) bool {
	if f.complete {
		return false
	}
	kind, apiVersion, m, raw := v.Kind, v.APIVersion, &v.Metadata, b
	switch {
	case v.Type == "ADDED" && firstObject(b) == "apiVersion":
		o := &v.Event.Object
		kind, apiVersion, m, raw = o.Kind, o.APIVersion, &o.Metadata, api.Member(b, "object")
	case v.Type != "" || m.Name == "":
		return false
	}
	key := m.Namespace + "/" + m.Name // etcd sorts by these bytes
	r := f.c.ResourceOf(apiVersion, kind)
	if len(f.items) > 0 && (key <= f.last || r != f.resource) {
		return false
	}
	f.resource, f.last = r, key
	f.items = append(f.items, bytes.Clone(raw))
	if api.Number(m.ResourceVersion) >= api.Number(f.rv) {
		f.rv = strings.Clone(m.ResourceVersion)
	}
	return true
}

// End writes the list, if there is one.
func (f *First) End() error {
	if f.complete = true; len(f.items) == 0 {
		return nil
	}
	items := f.items
	f.items = nil
	if err := f.c.Out.List(f.resource, f.rv, items); err != nil {
		return err
	}
	v := &Value{}
	for _, item := range items {
		if err := v.Decode(item); err != nil {
			return err
		}
		o := v.Event.Object
		o.Kind, o.APIVersion, o.Metadata = v.Kind, v.APIVersion, v.Metadata
		if _, _, err := f.c.Live.Record(f.resource, &o); err != nil {
			return err
		}
	}
	return f.c.Remark(remarks.FirstByPause, int64(len(items)), "")
}

// Settle writes what c holds back, because nothing has come for a while.
func (c *Reader) Settle() error { return capture.Fatal(c.flushLists()) }
