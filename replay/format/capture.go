package format

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Spacing is the time between two events of a format without times, in
// nanoseconds. Events are about that close in a cluster of a few thousand pods
// that is rolling out. Times made with it are not true, so the Trace says
// NoTimes.
const Spacing = 10_000_000

// capture makes a Trace of watch events and lists of any kinds, as they come:
// each kind of object is a Resource, whose watch opens before its first event.
type capture struct {
	t       *trace.Trace
	value   value
	item    trace.Object
	sources map[kindOf]*source
	last    *source // of the last watch event
	lists   int
	time    int64
}

// kindOf is a kind of object.
type kindOf struct{ apiVersion, kind string }

// source is what is known of one kind's lists and watches.
type source struct {
	r     *trace.Resource
	kind  kindOf
	open  bool // the watch
	pages int  // pages so far of a list whose end has not come
	rv    object.RV
}

// value is any value of such a capture.
type value struct {
	trace.Event
	Kind       string
	APIVersion string
}

// read reads c.value, whose strings hold as long as what they are read from.
func (c *capture) read(r *jsonscan.Reader) {
	v := &c.value
	v.Event.Reset()
	v.Kind, v.APIVersion = "", ""
	for name := range r.Fields("type", "object", "kind", "apiVersion") {
		switch name {
		case "type":
			r.Text(&v.Type)
		case "object":
			v.Object.Read(r)
		case "kind":
			r.Text(&v.Kind)
		case "apiVersion":
			r.Text(&v.APIVersion)
		}
	}
}

func (c *capture) glance(b []byte) int {
	c.value.Kind, c.value.APIVersion = "", ""
	return c.value.Glance(b)
}

// add adds the value that was decoded from b, which lies at offset.
func (c *capture) add(b []byte, offset, _ int64) error {
	switch v := &c.value; {
	case v.Type != "" && v.Object.Kind != "" && (v.Object.APIVersion != "" || v.Type == "ERROR"):
		return c.event(b, offset, int32(len(b)))
	case v.Kind == "Status":
		return fault.Named("serverRefused text", trace.DecodeStatus(b).Message)
	case v.Kind == "Table":
		return c.strange(errTable)
	case v.Kind == "PartialObjectMetadataList":
		return c.strange(errMetadata)
	case strings.HasSuffix(v.Kind, "List"):
		return c.list(b, offset)
	case v.Kind != "":
		return c.strange(fault.Named("objectAlone kind", strings.Clone(v.Kind)))
	}
	return c.strange(fault.Plain("noEventNorList"))
}

// strange refuses a value that c can't read. If there was no watch event before
// it, other readers may know it.
func (c *capture) strange(why error) error {
	for _, s := range c.sources {
		if s.r.Events > 0 {
			return why
		}
	}
	return Foreign{why}
}

// Lists and errors that hold no objects of the resource that was asked for.
const (
	errTable    = fault.Plain("tableOfNothing")
	errMetadata = fault.Plain("metadataOfAny")
)

// event adds the event of a line or value of n bytes. It reads them, b, for the format of the capture and for an ERROR only.
func (c *capture) event(b []byte, offset int64, n int32) error {
	e := &c.value.Event
	switch e.Object.Kind {
	case "Table":
		return c.strange(errTable)
	case "PartialObjectMetadata":
		return c.strange(errMetadata)
	}
	var s *source
	if e.Type == "ERROR" {
		if s = c.last; s == nil {
			// The next event shows which resource it is.
			s = &source{r: c.resource(kindOf{})}
		}
	} else {
		s = c.source(kindOf{e.Object.APIVersion, e.Object.Kind})
	}
	c.last = s
	if c.t.Format == "" && !asSent(e.Type, b) {
		return Foreign{fault.Plain("noEventNorList")}
	}
	if c.t.Format == "" || c.t.Format == "kubectl" && e.Type == "BOOKMARK" {
		c.setFormat(b)
	}
	if !s.open {
		s.r.Append(trace.Record{Time: c.time, Kind: trace.WatchOpen, RV: s.rv})
		s.open = true
	}
	s.r.AddEvent(c.time, 0, e, b, object.Source{Offset: offset, Length: n, Item: -1})
	if e.Type == "ERROR" {
		s.r.Append(trace.Record{Time: c.time, Kind: trace.WatchEnd})
		s.open = false
	}
	c.time += Spacing
	return nil
}

// asSent reports whether an event is of a type that the API server sends, and has nothing beside it, such as the time
// that a client has written down.
func asSent(typ string, b []byte) bool {
	switch typ {
	case "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR":
	default:
		return false
	}
	n := 0
	jsonscan.Fields(b, func([]byte, int, int) bool {
		n++
		return n < 3
	})
	return n < 3
}

// setFormat sets the format: it tells the API server's own stream from kubectl's, which sorts the
// fields of objects and asks for no bookmarks.
func (c *capture) setFormat(b []byte) {
	c.t.Format, c.t.NoTimes = "watch", true
	from, to, ok := jsonscan.Field(b, "object")
	if !ok || c.value.Type == "BOOKMARK" {
		return
	}
	if first := strings.TrimLeft(string(b[from:min(to, from+200)]), "{ \t\r\n"); strings.HasPrefix(first, `"apiVersion"`) {
		c.t.Format = "kubectl"
	}
}

// list reads a list, or a page of one. kubectl's own kind List may hold several
// kinds of objects. It is then read as one list for each kind.
func (c *capture) list(b []byte, offset int64) error {
	var l trace.List
	if err := l.Decode(b); err != nil {
		return err
	}
	kind := kindOf{l.APIVersion, strings.TrimSuffix(l.Kind, "List")}
	audited := strings.HasPrefix(kind.apiVersion, "audit.k8s.io/") || kind.apiVersion == "" && kind.kind == "Event" && bytes.Contains(b, []byte(`"auditID"`))
	if l.Name != "" || audited { // what a webhook of an audit log got
		return Foreign{fault.Named("objectAlone kind", l.Kind)}
	}
	if c.relisted(kind) || c.listLacks(kind, b, offset) {
		return Foreign{fault.Plain("secondList")}
	}
	var lists []*source // in the order of their first items
	begin := func(k kindOf) *source {
		s := c.source(k)
		if slices.Contains(lists, s) {
			return s
		}
		lists = append(lists, s)
		if s.pages == 0 {
			s.r.Append(trace.Record{Time: c.time, Kind: trace.ListBegin})
		}
		s.pages++
		return s
	}
	if kind.kind != "" {
		begin(kind)
	}
	err := trace.Items(b, offset, &c.item, func(src object.Source) error {
		k := kind
		if kind.kind == "" {
			if c.item.IsList() {
				return Foreign{fault.Named("objectAlone kind", strings.Clone(c.item.Kind))}
			}
			k = kindOf{c.item.APIVersion, c.item.Kind}
		}
		s := begin(k)
		s.r.AddItem(c.time, 0, &c.item, src)
		return nil
	})
	for _, s := range lists {
		s.rv = s.r.Table.RV(l.ResourceVersion)
		if l.Continue == "" {
			s.endList(c.time)
		}
	}
	if c.t.Format == "" && len(lists) > 0 {
		c.t.Format, c.t.NoTimes = "list", true
	}
	c.time += Spacing
	c.lists++
	if err == nil && len(lists) == 0 {
		return fault.Plain("listOfNothing")
	}
	return err
}

// relisted reports whether a list of that kind was read before and nothing has come since
// that makes a reflector list again. Package convert finds out what such lists mean.
func (c *capture) relisted(kind kindOf) bool {
	if kind.kind == "" {
		return c.lists > 0 && c.last == nil
	}
	s := c.sources[kind]
	return s != nil && s.r.Lists > 0 && s.pages == 0 && s.r.Records[len(s.r.Records)-1].Kind == trace.ListEnd
}

// listLacks reports whether the list in b lacks objects that are there, although the watch
// before it didn't fail. They may have been deleted, or the list may be of another
// namespace or selector.
func (c *capture) listLacks(kind kindOf, b []byte, offset int64) bool {
	s := c.sources[kind]
	if s == nil || len(s.r.Records) == 0 || s.pages > 0 {
		return false
	}
	if k := s.r.Records[len(s.r.Records)-1].Kind; k == trace.WatchEnd {
		return false
	}
	alive := s.alive()
	trace.Items(b, offset, &c.item, func(object.Source) error {
		if k, known := s.r.Table.LookupKey(trace.ObjectKey(c.item.Metadata.Namespace, c.item.Metadata.Name)); known {
			delete(alive, k)
		}
		return nil
	})
	return len(alive) > 0 || s.r.Forgotten > 0
}

// alive returns the keys of the objects that exist after the records.
func (s *source) alive() map[object.Key]bool {
	alive := map[object.Key]bool{}
	for _, x := range s.r.Records {
		switch {
		case x.Kind == trace.ListBegin:
			clear(alive)
		case x.Kind == trace.ListItem, x.Type == trace.TypeAdded, x.Type == trace.TypeModified:
			alive[s.r.Table.KeyOf(x.Obj)] = true
		case x.Type == trace.TypeDeleted:
			delete(alive, s.r.Table.KeyOf(x.Obj))
		}
	}
	return alive
}

func (s *source) endList(at int64) {
	end := trace.Record{Time: at, Kind: trace.ListEnd, RV: s.rv}
	if s.pages > 1 {
		end.Code = int32(s.pages)
	}
	s.pages = 0
	s.r.Append(end)
}

// complete ends the lists whose last page did not come, and says so.
func (c *capture) complete() {
	for _, r := range c.t.Resources {
		for _, s := range c.sources {
			if s.r == r && s.pages > 0 {
				s.endList(c.time)
				c.t.AddRemark(trace.Remark{ID: trace.PagesMissing, Detail: r.Resource})
			}
		}
	}
}

// source finds the Resource of a kind, or makes it.
func (c *capture) source(k kindOf) *source {
	if s := c.last; s != nil && s.kind == k { // nearly always
		return s
	}
	if s := c.sources[k]; s != nil {
		return s
	}
	k = kindOf{strings.Clone(k.apiVersion), strings.Clone(k.kind)}
	s := c.last
	if s != nil && s.r.Kind == "" && len(c.sources) == 0 {
		name(s.r, k) // the Resource began with an ERROR event
	} else {
		s = &source{r: c.resource(k)}
	}
	s.kind = k
	c.sources[k] = s
	return s
}

func (c *capture) resource(k kindOf) *trace.Resource {
	r := c.t.NewResource(trace.Resource{Resource: "objects", Reader: 1})
	if k.kind != "" {
		name(r, k)
	}
	return r
}

func name(r *trace.Resource, k kindOf) {
	r.Kind, r.Resource, r.Version = k.kind, trace.Plural(k.kind), k.apiVersion
	if group, version, ok := strings.Cut(k.apiVersion, "/"); ok {
		r.Group, r.Version = group, version
	}
}

// longHeader is more than the first line of our own format can be.
const longHeader = 1 << 20

// peek is how much of the beginning is looked at to name what can't be read.
const peek = 256

// sniff finds out what the input is, from its beginning b. It returns how many
// bytes of b it has taken, or 0 if it needs more. At the input's end there is
// no more.
func (r *Reader) sniff(b []byte, atEnd bool) int {
	if r.offset == 0 && bytes.HasPrefix(b, []byte("\ufeff")) {
		return len("\ufeff")
	}
	if len(b) < peek && b[0] != '{' && !atEnd {
		return 0
	}
	if space := len(b) - len(bytes.TrimLeft(b, " \t\r\n")); space > 0 {
		r.lines += int64(bytes.Count(b[:space], newline))
		return space
	}
	if b[0] != '{' || len(b) > 1 && b[1] == 0 { // the latter may be UTF-16
		r.err = unknown(b[:min(len(b), peek)])
		return len(b)
	}
	n := r.line(b)
	if n < 0 {
		if len(b) < longHeader && !atEnd {
			return 0
		}
		n = len(b)
	}
	if n < longHeader && trace.IsHeader(b[:n]) {
		d, err := trace.NewDecoder(r.t, b[:n])
		r.err, r.parts = err, traceParts{d}
		r.lines++
		return min(n+1, len(b))
	}
	known, undecided := familiar(b)
	if undecided && len(b) < longHeader && !atEnd {
		return 0
	}
	if !known {
		r.err = unknown(b[:min(len(b), peek)])
		return len(b)
	}
	r.parts = newValues(&capture{t: r.t, sources: map[kindOf]*source{}})
	if atEnd {
		return 0
	}
	return r.parts.take(r, b)
}

// familiar reports whether the object that begins b may be one of ours, by the name of
// its first field: other objects can be so large that it takes long to find out in the
// end. It is undecided where that name is not complete yet.
func familiar(b []byte) (known, undecided bool) {
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	if len(b) == 0 {
		return true, true
	}
	name, _, whole := bytes.Cut(b[1:], []byte{'"'})
	switch {
	case b[0] == '\'' || b[0]|0x20-'a' < 26:
		return false, false // a program has printed it in a form of its own
	case b[0] != '"' || bytes.Contains(name, newline):
		return true, false // something else is wrong with it
	case !whole:
		return true, true
	}
	switch string(name) {
	case "type", "object", "kind", "apiVersion", "metadata", "items":
		return true, false
	}
	return false, false
}

// Foreign is the error for an input that this package doesn't read, but that
// others may: package convert knows more.
type Foreign struct{ Err error }

// Error returns the English sentence.
func (f Foreign) Error() string { return f.Err.Error() }

// Fault returns the error with an id.
func (f Foreign) Fault() error { return f.Err }

func unknown(b []byte) error {
	const shown = 40
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n] // the rest may not have come yet
	}
	return Foreign{fault.Named("unknownFormat head", strconv.QuoteToASCII(string(b[:min(len(b), shown)])))}
}

// traceParts is informerscope's own format: a line is a part.
type traceParts struct{ d *trace.Decoder }

func (o traceParts) take(r *Reader, b []byte) int {
	if n, lines := jsonscan.EmptyLines(b); n > 0 {
		r.lines += int64(lines)
		return n
	}
	if r.glance {
		n, err := o.d.Glance(r.clip(b), r.offset)
		if err != nil {
			r.problem(trace.Damaged, b[:n], err, EventsIn(b[:n]))
		}
		if n > 0 {
			return r.glancedAt(b, n)
		}
	}
	n := r.line(b)
	switch {
	case n > r.maxLine || n < 0 && len(b) > r.maxLine:
		return r.dropLong(b)
	case n < 0:
		return 0
	}
	if line := bytes.TrimSpace(b[:n]); len(line) > 0 {
		if err := o.d.Line(b[:n], r.offset); err != nil {
			r.problem(trace.Damaged, line, err, EventsIn(line))
		} else {
			r.checkUTF8(line)
		}
	}
	r.lines++
	return n + 1
}

func (o traceParts) finish(r *Reader, b []byte) {
	if err := o.d.Line(b, r.offset); err != nil {
		r.problem(cutOrDamaged(b), b, err, EventsIn(b))
	} else {
		r.checkUTF8(b)
	}
}
