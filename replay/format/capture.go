package format

import (
	"bytes"
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
		for _, known := range lists {
			if known == s {
				return s
			}
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
			if trace.IsList(&c.item) {
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
		key := c.item.Metadata.Name
		if namespace := c.item.Metadata.Namespace; namespace != "" {
			key = namespace + "/" + key
		}
		if k, known := s.r.Table.LookupKey(key); known {
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
