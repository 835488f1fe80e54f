// Package informers says what the informers of a recorded process hold: who started each and when it had its first list, how many
// objects that is and about how much heap they take, and who is called by it or reads it. It reads what a recorder within the process has
// written (package record), and formats no text.
package informers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Contents is what an informer holds.
type Contents struct {
	Watched bool  // there was a watch, or a list that became one
	Asked   int64 // when it first asked, in nanoseconds
	Synced  int64 // when its first list or initial events were whole; 0 for not yet
	Objects int64
	Weighed int64 // of these, the ones whose size is known
	Bytes   int64 // of their JSON, as it came

	Namespaces, Labels Parts // of the objects; HeldBy sets them
	Metadata           int64 // bytes of their PartialObjectMetadata, 0 where that is not known; HeldBy sets it
}

// Parts are the objects of an informer by their namespace, or by their labels, such as "app=web".
type Parts map[string]Part

// Part is a part of the objects.
type Part struct{ Objects, Bytes int64 }

// Add adds an object.
func (p Parts) Add(name string, bytes int64) {
	part := p[name]
	p[name] = Part{part.Objects + 1, part.Bytes + bytes}
}

// AddNamespace adds an object to its namespace, if it has one.
func (p Parts) AddNamespace(key string, bytes int64) {
	if space, _, ok := strings.Cut(key, "/"); ok {
		p.Add(space, bytes)
	}
}

// Saving is what would be left of an informer. The recording doesn't tell whether the program needs more.
type Saving struct {
	Restriction string `json:"only"`           // namespace, label or metadata
	Name        string `json:"name,omitempty"` // of the namespace, or the label with its value
	Objects     int64  `json:"objects"`
	Heap        int64  `json:"heap"` // bytes
}

// mostSavings is how many namespaces and how many labels are told of an informer: those with most objects.
const mostSavings = 3

// Savings returns what would be left with one namespace, and with one label, the largest parts first, and with metadata only. Bytes is the size of
// all objects, and metadata of their PartialObjectMetadata; they are 0 where a part's objects have no size.
func (x *Informer) Savings(namespaces, labels Parts, bytes, metadata int64) (all []Saving) {
	left := func(only string, costs Parts) {
		var parts []Saving
		for name, p := range costs {
			if p.Objects == x.Objects || p.Objects == 1 {
				continue // that is no part, or one object that nobody selects by a label
			}
			share := float64(p.Objects) / float64(x.Objects)
			if bytes > 0 {
				share = float64(p.Bytes) / float64(bytes)
			}
			parts = append(parts, Saving{only, name, p.Objects, int64(share * float64(x.Heap.Bytes))})
		}
		slices.SortFunc(parts, func(a, b Saving) int {
			return cmp.Or(cmp.Compare(b.Heap, a.Heap), strings.Compare(a.Name, b.Name))
		})
		all = append(all, parts[:min(len(parts), mostSavings)]...)
	}
	if x.Trace.Namespace == "" {
		left("namespace", namespaces)
	}
	if x.Trace.LabelSelector == "" {
		left("label", labels)
	}
	if x.Form != trace.MetadataOnly && bytes > 0 && metadata > 0 {
		all = append(all, Saving{Restriction: "metadata", Objects: x.Objects, Heap: HeapOf(trace.MetadataOnly, x.Objects, metadata).Bytes})
	}
	return all
}

// Informer is one informer of the process.
type Informer struct {
	Resource string          `json:"resource"`
	Trace    *trace.Resource `json:"-"`
	Before   bool            `json:"before,omitempty"` // it ran before the recording begins: Asked and Synced are not known
	Asked    int64           `json:"asked"`            // nanoseconds
	Synced   int64           `json:"synced"`           // when its first list was whole, in nanoseconds; 0 for not yet. HasSynced is true soon after
	Objects  int64           `json:"objects"`
	Bytes    int64           `json:"bytes"` // of its objects, as they came; 0 where that is not known
	Protobuf bool            `json:"protobuf,omitempty"`

	Form trace.Form `json:"form,omitempty"`
	Heap *Heap      `json:"heap,omitempty"` // nil where the sizes of its objects are not known

	Started  *trace.Started    `json:"started,omitempty"`
	Handlers []Handler         `json:"handlers,omitempty"`
	Reads    []trace.CacheRead `json:"reads,omitempty"` // by code, the most frequent first
}

// Handler is a handler of an informer.
type Handler struct {
	Name  string `json:"name"`
	Calls int64  `json:"calls"`
	trace.Site
}

// Heap is an estimate of heap memory, in bytes.
type Heap struct {
	Bytes int64 `json:"bytes"`
	Min   int64 `json:"least"`
	Max   int64 `json:"most"`
}

// rate is what objects of a form take of the heap: so many bytes each, for their structs and their places in the indexer, and so many for
// each byte of their JSON.
type rate struct{ perObject, perByte float64 }

// rates are measured. TestCacheOfAProcess in record/clients/v037 compares them with the heap of whole caches, and TestHeapOfObjects in
// testserver/clientgo with the heap of single kinds. A small typed object takes several times its JSON, since its empty fields take
// room, too.
var rates = map[trace.Form]struct{ usual, lowest, highest rate }{
	trace.Typed:        {rate{1500, 1.5}, rate{400, 1.1}, rate{2600, 2}},
	trace.Unstructured: {rate{300, 6}, rate{300, 4}, rate{600, 8}},
	trace.MetadataOnly: {rate{550, 1.3}, rate{250, 1}, rate{900, 2}},
	"":                 {rate{1500, 2.5}, rate{250, 1}, rate{2600, 8}},
}

// inProtobuf is how many bytes an object takes in protobuf for each of its JSON.
const inProtobuf = 0.65

// HeapOf estimates what objects of a form take, of whose JSON there are so many bytes.
func HeapOf(form trace.Form, objects, bytes int64) Heap {
	r := rates[form]
	total := func(t rate) int64 { return int64(t.perObject*float64(objects) + t.perByte*float64(bytes)) }
	return Heap{total(r.usual), total(r.lowest), total(r.highest)}
}

// List returns the informers of a process, those that take most heap first. held has what each resource of t holds. It leaves out resources
// that a client has only listed.
func List(t *trace.Trace, held []Contents) (all []Informer) {
	for i, r := range t.Resources {
		h := held[i]
		if !h.Watched && r.Started == nil {
			continue
		}
		x := Informer{Resource: r.Name(), Trace: r, Before: r.Base, Asked: h.Asked, Synced: h.Synced, Objects: h.Objects, Started: r.Started}
		x.sites(t, r)
		x.weigh(t, r, h)
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b Informer) int { return cmp.Compare(b.heap(), a.heap()) })
	return all
}

func (x *Informer) heap() int64 {
	if x.Heap == nil {
		return x.Objects
	}
	return x.Heap.Bytes
}

// sites finds who is called by the informer of r, and who reads it.
func (x *Informer) sites(t *trace.Trace, r *trace.Resource) {
	if r.Started != nil && r.Started.Metadata {
		x.Form = trace.MetadataOnly
	}
	form := func(f trace.Form) {
		if x.Form == "" {
			x.Form = f
		}
	}
	for _, h := range r.Handlers {
		handler := Handler{Name: h.Name, Calls: int64(h.Forgotten + len(h.Calls))}
		for _, at := range t.Registered {
			if at.Handler == h.Name {
				handler.Site = at.Site
				form(at.Form)
			}
		}
		x.Handlers = append(x.Handlers, handler)
	}
	kind := trace.Qualified(r.Kind, r.Group)
	for _, c := range t.CacheReads {
		if c.Kind == kind && (c.Form == trace.MetadataOnly) == (x.Form == trace.MetadataOnly) {
			x.Reads = append(x.Reads, c)
			form(c.Form)
		}
	}
	slices.SortStableFunc(x.Reads, func(a, b trace.CacheRead) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.String(), b.String()))
	})
}

// Whole reports whether the recording has whole objects of r. Otherwise it has their metadata.
func Whole(t *trace.Trace, r *trace.Resource) bool {
	name := trace.Qualified(r.Resource, r.Group)
	return r.Sizes.Objects == 0 && !r.Base && !slices.ContainsFunc(t.Remarks, func(m trace.Remark) bool { return m.ID == trace.MetadataAlone && m.Detail == name })
}

// weigh estimates the heap of what is held. Where the recording has no whole objects, it takes their mean size from the sizes that the
// recorder has told.
func (x *Informer) weigh(t *trace.Trace, r *trace.Resource, h Contents) {
	n, bytes, factor := h.Weighed, float64(h.Bytes), 1.0
	if !Whole(t, r) {
		n, bytes = r.Sizes.Objects, float64(r.Sizes.Bytes)
		if x.Protobuf = n > 0 && !r.Sizes.JSON; x.Protobuf {
			factor = inProtobuf
			if x.Form == "" {
				x.Form = trace.Typed // an unstructured object has no protobuf
			}
		}
	}
	switch {
	case h.Objects == 0:
		x.Heap = &Heap{}
	case n > 0:
		bytes *= float64(h.Objects) / float64(n)
		x.Bytes = int64(bytes)
		heap := HeapOf(x.Form, h.Objects, int64(bytes/factor))
		x.Heap = &heap
	}
}

// Metadata is how many bytes the PartialObjectMetadata of versions take, by resource.
type Metadata map[*trace.Resource]map[object.Ref]int64

// Weigh takes in a version and its JSON.
func (m Metadata) Weigh(r *trace.Resource, version object.Ref, raw []byte) {
	if m[r] == nil {
		m[r] = map[object.Ref]int64{}
	}
	from, to, _ := jsonscan.Field(raw, "metadata")
	m[r][version] = int64(PartialSize(to - from))
}

// PartialSize returns how many bytes of JSON the PartialObjectMetadata of an object takes whose metadata takes so many.
func PartialSize(metadata int) int {
	return len(`{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":}`) + metadata
}

// HeldBy returns what the informer of a resource holds. No record of r may have been forgotten. Sizes are about as large as the JSON.
func HeldBy(r *trace.Resource, metadata Metadata) (h Contents) {
	type sized struct {
		bytes int64
		obj   object.Ref
	}
	size, lists := map[object.Key]sized{}, map[int64]int64{} // objects; and how many items lists have, by where their lines lie
	var coming map[object.Key]sized
	for i := range r.Records {
		if rec := &r.Records[i]; rec.Kind == trace.ListItem {
			lists[r.Table.Meta(rec.Obj).Source.Offset]++
		}
	}
	for i := range r.Records {
		rec := &r.Records[i]
		if i == 0 {
			h.Asked = rec.Time
		}
		into := size
		if coming != nil {
			into = coming
		}
		switch rec.Kind {
		case trace.ListBegin:
			coming = map[object.Key]sized{}
		case trace.ListError, trace.WatchError:
			coming = nil
		case trace.WatchOpen:
			h.Watched, coming = true, nil
			if rec.Streaming {
				coming = map[object.Key]sized{}
			}
		case trace.ListItem:
			src := r.Table.Meta(rec.Obj).Source
			into[r.Table.KeyOf(rec.Obj)] = sized{int64(src.Length) / max(lists[src.Offset], 1), rec.Obj}
		case trace.WatchEvent:
			switch {
			case rec.Obj == 0:
			case rec.Type == trace.TypeDeleted:
				delete(into, r.Table.KeyOf(rec.Obj))
			default:
				const overhead = len(`{"t":1000000000,"id":10,"event":{"type":"ADDED","object":}}`)
				into[r.Table.KeyOf(rec.Obj)] = sized{max(int64(r.Table.Meta(rec.Obj).Source.Length)-int64(overhead), 0), rec.Obj}
			}
		case trace.ListEnd, trace.InitialEnd:
			if coming != nil {
				size, coming = coming, nil
			}
			if h.Synced == 0 {
				h.Synced = max(rec.Time, 1)
			}
		}
	}
	h.Objects, h.Weighed = int64(len(size)), int64(len(size))
	h.Namespaces, h.Labels = Parts{}, Parts{}
	for k, candidate := range size {
		h.Bytes += candidate.bytes
		h.Metadata += metadata[r][candidate.obj]
		h.Namespaces.AddNamespace(r.Table.KeyText(k), candidate.bytes)
		for _, l := range r.Table.LabelsOf(r.Table.LabelSetOf(candidate.obj)) {
			h.Labels.Add(r.Table.Text(l.Name)+"="+r.Table.Text(l.Value), candidate.bytes)
		}
	}
	return h
}
