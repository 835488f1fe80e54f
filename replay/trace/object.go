package trace

import (
	"bytes"
	"sort"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace/compact"
)

// Object is what the machine reads of an object. Its strings are parts of the
// line that it was decoded from, or hold until the next one is.
type Object struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   Metadata `json:"metadata"`

	parts parts
}

// parts is an Object while it is decoded.
type parts struct {
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	Metadata   json.RawMessage `json:"metadata"` // its memory is used again
}

// Metadata is what the machine reads of an ObjectMeta or ListMeta.
type Metadata struct {
	Name            string            `json:"name"`
	Namespace       string            `json:"namespace"`
	UID             string            `json:"uid"`
	ResourceVersion string            `json:"resourceVersion"`
	Labels          map[string]string `json:"labels"`
	Annotations     annotations       `json:"annotations"`

	sorted []label   // the labels, where Glance has read them
	rv     object.RV // the resourceVersion, where a Digester has read it, and ResourceVersion has no text
}

type annotations struct {
	InitialEventsEnd string `json:"k8s.io/initial-events-end"`
}

// Reset makes o ready for the next line. The map of labels is used again.
func (o *Object) Reset() {
	o.Kind, o.APIVersion = "", ""
	o.Metadata.Reset()
}

// Reset makes m ready for the next line. The map of labels is used again.
func (m *Metadata) Reset() {
	clear(m.Labels)
	*m = Metadata{Labels: m.Labels, sorted: m.sorted[:0]}
}

// Decode reads o from b, and looks at all of b. It reads the metadata in a second pass,
// which is faster than a struct in a struct.
func (o *Object) Decode(b []byte) error {
	o.Reset()
	p := &o.parts
	p.Kind, p.APIVersion, p.Metadata = "", "", p.Metadata[:0]
	if err := Decode(b, p); err != nil {
		return err
	}
	o.Kind, o.APIVersion = p.Kind, p.APIVersion
	if len(p.Metadata) == 0 || o.Metadata.glance(p.Metadata, 0, false) == len(p.Metadata) {
		return nil
	}
	o.Metadata.Reset()
	return Decode(p.Metadata, &o.Metadata)
}

var objectFields = []string{"kind", "apiVersion", "metadata"}

// Whole reads o from the object that begins at b[i], as compact.Object does. The strings in o
// are parts of b.
func (o *Object) Whole(b []byte, i int) int {
	o.Reset()
	return compact.Object(b, i, objectFields, func(n, i int) int {
		switch n {
		case 0:
			return compact.Text(b, i, &o.Kind)
		case 1:
			return compact.Text(b, i, &o.APIVersion)
		}
		return o.Metadata.Whole(b, i)
	})
}

var metadataFields = []string{"name", "namespace", "uid", "resourceVersion", "labels", "annotations"}

// Whole reads m from the object that begins at b[i], as compact.Object does. The strings in m
// are parts of b. The labels must be sorted.
func (m *Metadata) Whole(b []byte, i int) int {
	m.Reset()
	return compact.Object(b, i, metadataFields, func(n, i int) int {
		switch n {
		case 0:
			return compact.Text(b, i, &m.Name)
		case 1:
			return compact.Text(b, i, &m.Namespace)
		case 2:
			return compact.Text(b, i, &m.UID)
		case 3:
			return compact.Text(b, i, &m.ResourceVersion)
		case 4:
			return m.glanceLabels(b, i)
		}
		end := compact.Sound(b, i)
		if end < 0 || b[i] != '{' || bytes.Contains(b[i:end], []byte("initial-events-end")) {
			return -1
		}
		return end
	})
}

// Event is a watch event as it comes over the wire.
type Event struct {
	Type   string `json:"type"`
	Object Object `json:"object"`

	digest uint64 // the hash of what it was read from, if a Digester has written that down; otherwise 0
}

// Reset makes e ready for the next line.
func (e *Event) Reset() {
	e.Type = ""
	e.digest = 0
	e.Object.Reset()
}

// Intern adds an object's version to the Resource's Table.
func (r *Resource) Intern(o *Object, src object.Source) object.Ref {
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
	if old != 0 && t.Is(known.Namespace, m.Namespace) && t.Is(known.Name, m.Name) {
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

// version is the last version of the object with that UID, 0 if none is known. The
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
	if len(m.Labels) > 0 {
		m.sorted = m.sorted[:0]
		for name, value := range m.Labels {
			m.sorted = append(m.sorted, label{name, value})
		}
		// slices.SortFunc would add 4 kB to the page's program, as it does for each type.
		sort.Slice(m.sorted, func(i, j int) bool { return m.sorted[i].name < m.sorted[j].name })
	}
	if r.same(m.sorted, r.Table.LabelsOf(known)) {
		return known
	}
	set := r.trace.labelSet[:0]
	for _, l := range m.sorted {
		set = append(set, object.Label{Name: r.Table.Sym(l.name), Value: r.Table.Sym(l.value)})
	}
	r.trace.labelSet = set
	return r.Table.LabelSet(set)
}

type label struct{ name, value string }

func (r *Resource) same(labels []label, set []object.Label) bool {
	if len(labels) != len(set) {
		return false
	}
	for i, l := range set {
		if !r.Table.Is(l.Name, labels[i].name) || !r.Table.Is(l.Value, labels[i].value) {
			return false
		}
	}
	return true
}

// AddEvent appends the record of a watch event. src is the place of line, which
// holds the event; for an ERROR its Status is read from there.
func (r *Resource) AddEvent(at int64, request int32, e *Event, line []byte, src object.Source) {
	rec := Record{At: at, Request: request, Kind: WatchEvent}
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
		case r.isOther(&e.Object):
			rec.Failure = OtherKind // such an event doesn't end the watch either
		case e.Object.Metadata.Annotations.InitialEventsEnd == "true":
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
	other := r.isOther(&e.Object)
	rec.Obj = r.Intern(&e.Object, src)
	rec.RV = r.Table.RVOf(rec.Obj)
	if other {
		rec.Failure = OtherKind
	} else if e.Object.Metadata.Name != "" { // otherwise nothing is known of it, so nothing follows from it
		r.check(hashOf(&e.Object.Metadata), &rec, src.Offset)
	}
	if e.digest != 0 {
		r.remember(e, &rec)
	}
	r.Append(rec)
}

// isOther tells whether an event's object is of another kind or apiVersion than the
// objects of the Resource, as far as that is known.
func (r *Resource) isOther(o *Object) bool {
	return r.Kind != "" && o.Kind != r.Kind || r.apiVersion != "" && o.APIVersion != "" && o.APIVersion != r.apiVersion
}
