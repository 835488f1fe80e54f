package trace

import (
	"sort"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Object is what the machine reads of an object. Its strings are parts of the
// line that it was read from, and hold as long as that.
type Object struct {
	Kind       string
	APIVersion string
	Metadata   Metadata
}

// Metadata is what the machine reads of an ObjectMeta or ListMeta.
type Metadata struct {
	Name             string
	Namespace        string
	UID              string
	ResourceVersion  string
	InitialEventsEnd string // the annotation k8s.io/initial-events-end

	labels []label   // in the order of their names
	rv     object.RV // the resourceVersion, where a Digester has read it, and ResourceVersion has no text
}

type label struct{ name, value string }

// Reset makes o ready for the next line. The memory of the labels is used again.
func (o *Object) Reset() {
	o.Kind, o.APIVersion = "", ""
	o.Metadata.Reset()
}

// Reset makes m ready for the next line. The memory of the labels is used again.
func (m *Metadata) Reset() { *m = Metadata{labels: m.labels[:0]} }

// Decode reads o from b, which must be JSON.
func (o *Object) Decode(b []byte) error {
	o.Reset()
	r := jsonscan.NewReader(b)
	o.Read(&r)
	return Misread(r.End())
}

// Read reads o as the next value.
func (o *Object) Read(r *jsonscan.Reader) {
	for name := range r.Fields("kind", "apiVersion", "metadata") {
		switch name {
		case "kind":
			r.Text(&o.Kind)
		case "apiVersion":
			r.Text(&o.APIVersion)
		case "metadata":
			o.Metadata.Read(r)
		}
	}
}

// Read reads m as the next value.
func (m *Metadata) Read(r *jsonscan.Reader) {
	for name := range r.Fields("name", "namespace", "uid", "resourceVersion", "labels", "annotations") {
		switch name {
		case "name":
			r.Text(&m.Name)
		case "namespace":
			r.Text(&m.Namespace)
		case "uid":
			r.Text(&m.UID)
		case "resourceVersion":
			r.Text(&m.ResourceVersion)
		case "labels":
			m.readLabels(r)
		case "annotations":
			for range r.Fields("k8s.io/initial-events-end") {
				r.Text(&m.InitialEventsEnd)
			}
		}
	}
}

// readLabels reads labels in any order. Of several with one name the last one counts.
func (m *Metadata) readLabels(r *jsonscan.Reader) {
	sorted := true
	for name := range r.Members() {
		n := len(m.labels)
		sorted = sorted && (n == 0 || m.labels[n-1].name < name)
		m.labels = append(m.labels, label{name: name})
		r.Text(&m.labels[n].value)
	}
	if sorted {
		return
	}
	// slices.SortFunc would add 4 kB to the page's program, as it does for each type.
	sort.SliceStable(m.labels, func(i, j int) bool { return m.labels[i].name < m.labels[j].name })
	kept := m.labels[:0]
	for i, l := range m.labels {
		if i+1 == len(m.labels) || m.labels[i+1].name != l.name {
			kept = append(kept, l)
		}
	}
	m.labels = kept
}

// Label returns the value of a label.
func (m *Metadata) Label(name string) (value string, ok bool) {
	for _, l := range m.labels {
		if l.name == name {
			return l.value, true
		}
	}
	return "", false
}

// Labels yields the labels in the order of their names.
func (m *Metadata) Labels() func(yield func(name, value string) bool) {
	return func(yield func(string, string) bool) {
		for _, l := range m.labels {
			if !yield(l.name, l.value) {
				return
			}
		}
	}
}

// Event is a watch event as it comes over the wire.
type Event struct {
	Type   string
	Object Object

	digest uint64 // the hash of what it was read from, if a Digester has written that down; otherwise 0
}

// Reset makes e ready for the next line.
func (e *Event) Reset() {
	e.Type = ""
	e.digest = 0
	e.Object.Reset()
}

// Decode reads e from b, which must be JSON.
func (e *Event) Decode(b []byte) error {
	e.Reset()
	r := jsonscan.NewReader(b)
	e.Read(&r)
	return Misread(r.End())
}

// Read reads e as the next value.
func (e *Event) Read(r *jsonscan.Reader) {
	for name := range r.Fields("type", "object") {
		switch name {
		case "type":
			r.Text(&e.Type)
		case "object":
			e.Object.Read(r)
		}
	}
}

// intern adds an object's version to the Resource's Table.
func (r *Resource) intern(o *Object, src object.Source) object.Ref {
	t, m := r.Table, &o.Metadata
	if r.Kind == "" {
		r.Kind = strings.Clone(o.Kind)
	}
	if r.apiVersion == "" && o.Kind == r.Kind {
		r.apiVersion = strings.Clone(o.APIVersion)
	}
	row := object.Meta{UID: t.Sym(m.UID), RV: m.rv, Source: src}
	if row.RV == 0 {
		row.RV = t.RV(m.ResourceVersion)
	}
	// Most rows are a new version of a known object, and most of their fields are the
	// same. Comparing is quicker than looking each field up.
	old := r.version(row.UID)
	known := t.Meta(old)
	row.Labels = r.labels(m, known.Labels)
	if old != 0 && t.Equals(known.Namespace, m.Namespace) && t.Equals(known.Name, m.Name) {
		row.Namespace, row.Name = known.Namespace, known.Name
		r.last[row.UID] = t.AddVersion(old, row)
		return r.last[row.UID]
	}
	row.Namespace, row.Name = t.Sym(m.Namespace), t.Sym(m.Name)
	ref := t.Add(row)
	if missing := int(row.UID) + 1 - len(r.last); missing > 0 {
		r.last = append(r.last, make([]object.Ref, missing)...)
	}
	r.last[row.UID] = ref
	return ref
}

// version returns the last version of the object with that UID, 0 if none is known. The
// Table may have let go of it.
func (r *Resource) version(uid object.Sym) object.Ref {
	if uid == 0 || int(uid) >= len(r.last) || r.Table.Meta(r.last[uid]).UID != uid {
		return 0
	}
	return r.last[uid]
}

// labels interns a label set in the order of the names, because a map has no
// order. It is quick if the set is known.
func (r *Resource) labels(m *Metadata, known object.Labels) object.Labels {
	if r.sameLabels(m.labels, r.Table.LabelsOf(known)) {
		return known
	}
	set := r.trace.labelSet[:0]
	for _, l := range m.labels {
		set = append(set, object.Label{Name: r.Table.Sym(l.name), Value: r.Table.Sym(l.value)})
	}
	r.trace.labelSet = set
	return r.Table.LabelSet(set)
}

func (r *Resource) sameLabels(labels []label, set []object.Label) bool {
	if len(labels) != len(set) {
		return false
	}
	for i, l := range set {
		if !r.Table.Equals(l.Name, labels[i].name) || !r.Table.Equals(l.Value, labels[i].value) {
			return false
		}
	}
	return true
}

// AddEvent appends the record of a watch event. src is the place of line, which
// holds the event; for an ERROR its Status is read from there.
func (r *Resource) AddEvent(at int64, request int32, e *Event, line []byte, src object.Source) {
	rec := Record{Time: at, Request: request, Kind: WatchEvent}
	switch e.Type {
	case "ADDED":
		rec.Type = TypeAdded
	case "MODIFIED":
		rec.Type = TypeModified
	case "DELETED":
		rec.Type = TypeDeleted
	case "BOOKMARK":
		rec.Kind, rec.RV = WatchBookmark, r.Table.RV(e.Object.Metadata.ResourceVersion)
		switch {
		case r.otherKind(&e.Object):
			rec.Failure = OtherKind // such an event doesn't end the watch either
		case e.Object.Metadata.InitialEventsEnd == "true":
			rec.Kind = InitialEnd
		}
		r.Append(rec)
		return
	case "ERROR":
		rec.Type, rec.RV = TypeError, r.Table.RV(e.Object.Metadata.ResourceVersion)
		if raw, err := Raw(line, src); err == nil {
			s := DecodeStatus(raw)
			rec.Failure, rec.Code, rec.Text = s.Failure(), int32(s.Code), r.text(s.Message)
		} else {
			rec.Failure = OtherFailure
		}
		r.Append(rec)
		return
	default:
		rec.Type = TypeUnknown
	}
	other := r.otherKind(&e.Object)
	rec.Obj = r.intern(&e.Object, src)
	rec.RV = r.Table.RVOf(rec.Obj)
	if other {
		rec.Failure = OtherKind
	} else if e.Object.Metadata.Name != "" { // otherwise nothing is known of it, so nothing follows from it
		r.checkEvent(e.Object.Metadata.hash(), &rec, src.Offset)
	}
	if e.digest != 0 {
		r.remember(e, &rec)
	}
	r.Append(rec)
}

// otherKind reports whether an event's object is of another kind or apiVersion than the
// objects of the Resource, as far as that is known.
func (r *Resource) otherKind(o *Object) bool {
	return r.Kind != "" && o.Kind != r.Kind || r.apiVersion != "" && o.APIVersion != "" && o.APIVersion != r.apiVersion
}

// List is a list's own part of the JSON; its items are read one by one. Its strings are parts of the JSON.
type List struct {
	Kind            string
	APIVersion      string
	ResourceVersion string
	Continue        string // there are more pages
	Name            string // it is no list, but an object whose kind ends like one
}

// Decode reads l from b, which must be JSON.
func (l *List) Decode(b []byte) error {
	*l = List{}
	r := jsonscan.NewReader(b)
	for name := range r.Fields("kind", "apiVersion", "metadata") {
		switch name {
		case "kind":
			r.Text(&l.Kind)
		case "apiVersion":
			r.Text(&l.APIVersion)
		case "metadata":
			for name := range r.Fields("resourceVersion", "continue", "name") {
				switch name {
				case "name":
					r.Text(&l.Name)
				case "resourceVersion":
					r.Text(&l.ResourceVersion)
				case "continue":
					r.Text(&l.Continue)
				}
			}
		}
	}
	return Misread(r.End())
}

const errNoItems = fault.Plain("noItems")

// Items calls f for each item of the list in b, where its offset in the input
// is at. As for client-go, a list without the field has no items. The item is decoded into o, which f must not use after it has
// returned. The Source is the item's own place. An item that is no object is
// passed over. The error is then the ItemError of the first such item, and all
// other items were read.
func Items(b []byte, at int64, o *Object, f func(src object.Source) error) error {
	from, to, ok := jsonscan.Field(b, "items")
	list := b[from:to]
	if !ok || string(list) == "null" {
		return nil
	}
	if list[0] != '[' {
		return errNoItems
	}
	var bad, err error
	jsonscan.Elements(list, func(n, i, j int) bool {
		if err := o.Decode(list[i:j]); err != nil {
			if bad == nil {
				bad = ItemError{n, err}
			}
			return true
		}
		err = f(object.Source{Offset: at + int64(from+i), Length: int32(j - i), Item: -2})
		return err == nil
	})
	if err != nil {
		return err
	}
	return bad
}

// IsList reports whether o, an item of kubectl's own kind List, is a list itself. An
// object whose kind merely ends like that has a name.
func (o *Object) IsList() bool {
	return strings.HasSuffix(o.Kind, "List") && o.Metadata.Name == ""
}

// ItemError says which item of a list is no object, counted from 0.
type ItemError struct {
	Item int
	Err  error
}

// Error returns the English sentence.
func (e ItemError) Error() string { return e.Fault().Error() }

// Fault returns the error with an id.
func (e ItemError) Fault() error { return fault.New("inItem item why", e.Item, e.Err) }

// Unwrap returns the decoder's error.
func (e ItemError) Unwrap() error { return e.Err }

// addItems appends the items of the list in b as records.
func (r *Resource) addItems(when int64, request int32, b []byte, at int64, o *Object) error {
	return Items(b, at, o, func(src object.Source) error {
		r.AddItem(when, request, o, src)
		return nil
	})
}

// AddItem appends an item of a list as a record.
func (r *Resource) AddItem(when int64, request int32, o *Object, src object.Source) {
	ref := r.intern(o, src)
	rv := r.Table.RVOf(ref)
	r.listed(rv)
	h := o.Metadata.hash()
	r.gaps.names.set(r.gaps.names.slot(h), name{hash: h, uid: r.Table.UIDOf(ref), state: alive})
	r.Append(Record{Time: when, Request: request, Kind: ListItem, Obj: ref, RV: rv})
}

const (
	errNoObject = fault.Plain("noObjectThere")
	errTooDeep  = fault.Plain("deepObject")
)

// Raw finds an object's own JSON. line has the bytes at which src points:
// src.Length bytes of the uncompressed input from src.Offset on. The result is
// a part of line. The result nests no deeper than jsonscan.MaxDepth, but it may be
// invalid JSON if line isn't what was read.
func Raw(line []byte, src object.Source) ([]byte, error) { return new(Cursor).Raw(line, src) }

// Cursor finds the JSON of objects of one input. It reads a list once if it is asked for items in their order. Raw would begin
// with the first item each time.
type Cursor struct {
	offset int64 // of the list's line
	pos    int   // where in the line an item begins, 0 for none
	item   int32 // its number
}

// Of returns the JSON of an object that stands at src in a capture. bytes returns a part of the capture, or nil where that is not at hand;
// then Of returns nil, too, and also where no object stands there.
func (c *Cursor) Of(src object.Source, bytes func(offset int64, length int) []byte) []byte {
	line := bytes(src.Offset, int(src.Length))
	if line == nil {
		return nil
	}
	raw, err := c.Raw(line, src)
	if err != nil {
		return nil
	}
	return raw
}

// Raw does what the function Raw does.
func (c *Cursor) Raw(line []byte, src object.Source) ([]byte, error) {
	b := line
	descend := func(name string) (from int) {
		from, to, ok := jsonscan.Field(b, name)
		b = b[from:to]
		if !ok {
			b = nil
		}
		return from
	}
	switch {
	case src.Item == -1:
		if from, to, is := jsonscan.Field(b, "event"); is {
			b = b[from:to]
		}
		descend("object")
	case src.Item >= 0:
		if c.pos == 0 || c.offset != src.Offset || src.Item < c.item {
			from := 0
			if at, to, is := jsonscan.Field(b, "body"); is {
				b, from = b[at:to], at
			}
			from += descend("items")
			if len(b) == 0 || b[0] != '[' {
				return nil, errNoObject
			}
			*c = Cursor{offset: src.Offset, pos: jsonscan.SkipSpace(line, from+1)}
		}
		for b = nil; ; c.item++ {
			end := jsonscan.ValueEnd(line, c.pos)
			if end < 0 {
				break
			}
			if c.item == src.Item {
				b = line[c.pos:end]
				break
			}
			if end = jsonscan.SkipSpace(line, end); end >= len(line) || line[end] != ',' {
				break
			}
			c.pos = jsonscan.SkipSpace(line, end+1)
		}
	}
	if len(b) == 0 {
		return nil, errNoObject
	}
	if !jsonscan.WithinMaxDepth(b) {
		return nil, errTooDeep
	}
	return b, nil
}

// Head appends the object b up to and including its metadata. What is read of
// an object stands in that part, which is a small one. An object whose kind
// doesn't stand there is appended as it is.
func Head(dst, b []byte) []byte {
	kind, end := false, 0
	jsonscan.Fields(b, func(key []byte, _, to int) bool {
		kind = kind || jsonscan.IsKey(key, "kind")
		if jsonscan.IsKey(key, "metadata") {
			end = to
		}
		return end == 0
	})
	if !kind || end == 0 {
		return append(dst, b...)
	}
	return append(append(dst, b[:end]...), '}')
}

// WithoutStamp returns what stands in a line of our own format besides t, id and in,
// with the bracket that closes it. ok is false where these, if they are there, don't
// stand first.
func WithoutStamp(line []byte) (rest []byte, ok bool) {
	i := jsonscan.SkipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return nil, false
	}
	i = jsonscan.SkipSpace(line, i+1)
	for i < len(line) && line[i] == '"' {
		end := jsonscan.StringEnd(line, i)
		if end < 0 {
			return nil, false
		}
		if !jsonscan.IsKey(line[i:end], "t") && !jsonscan.IsKey(line[i:end], "id") && !jsonscan.IsKey(line[i:end], "in") {
			break
		}
		if end = jsonscan.SkipSpace(line, end); end >= len(line) || line[end] != ':' {
			return nil, false
		}
		if i = jsonscan.ValueEnd(line, jsonscan.SkipSpace(line, end+1)); i < 0 {
			return nil, false
		}
		if i = jsonscan.SkipSpace(line, i); i < len(line) && line[i] == ',' {
			i = jsonscan.SkipSpace(line, i+1)
		}
	}
	rest = line[i:]
	first := true
	jsonscan.Fields(line, func(key []byte, from, _ int) bool {
		first = from < i || !jsonscan.IsKey(key, "t") && !jsonscan.IsKey(key, "id") && !jsonscan.IsKey(key, "in")
		return first
	})
	return rest, first && len(rest) > 0
}

// FieldManager is an entry of an object's managedFields.
type FieldManager struct {
	Name        string
	Subresource string
	entry       uint64 // a hash of all but its fields
	size        int    // of its fields
}

// mostManagers is how many entries of an object are looked at.
const mostManagers = 64

// FieldManagers returns the managedFields of an object in JSON.
func FieldManagers(raw []byte) (all []FieldManager) {
	field(raw, "metadata", func(meta []byte) {
		field(meta, "managedFields", func(list []byte) {
			jsonscan.Elements(list, func(_, from, until int) bool {
				m, entry := FieldManager{}, list[from:until]
				jsonscan.Fields(entry, func(key []byte, at, end int) bool {
					value := entry[at:end]
					switch {
					case jsonscan.IsKey(key, "fieldsV1"):
						m.size = len(value)
						return true
					case jsonscan.IsKey(key, "manager"):
						name, _ := jsonscan.Unquote(value)
						m.Name = strings.Clone(name)
					case jsonscan.IsKey(key, "subresource"):
						name, _ := jsonscan.Unquote(value)
						m.Subresource = strings.Clone(name)
					}
					m.entry = (m.entry^object.Hash(key))*0x9e3779b97f4a7c15 ^ object.Hash(value)
					return true
				})
				all = append(all, m)
				return len(all) < mostManagers
			})
		})
	})
	return all
}

// field calls f with the value of a field of an object, if it is there.
func field(b []byte, name string, f func(value []byte)) {
	if from, until, ok := jsonscan.Field(b, name); ok {
		f(b[from:until])
	}
}

// WrittenBy returns the field manager whose write made a version of an object out of the version before, nil where nobody can tell. A write that takes
// fields sets the time of its manager's entry, and of no other one. Within the same second it makes the entry longer. A write that only
// removes fields does neither.
func WrittenBy(was, now []FieldManager) (only *FieldManager) {
	for i := range now {
		m, size := &now[i], -1
		for j := range was {
			if was[j].entry == m.entry {
				size = max(size, was[j].size)
			}
		}
		switch {
		case m.size <= size:
		case only != nil:
			return nil
		default:
			only = m
		}
	}
	return only
}
