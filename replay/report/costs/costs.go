// Package costs weighs what the objects of a capture cost a client: what the API server sends, and
// what the cache holds, by field. It says what would be left of both if a transform left fields out,
// or if the client asked for metadata only. It formats no text and does no I/O.
//
// All sizes are bytes of JSON without white space. The same objects take another number of bytes
// within a process, and fewer on a wire with protobuf or gzip.
package costs

import (
	"slices"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/trace"
)

// Options say what is weighed.
type Options struct {
	Drop     []Path
	Cache    bool   // what the informers of the process hold: see Meter.Cache
	Resource string // only resources of this name, such as pods or "pods in shop"; "" for all
	// Bytes returns a part of the capture. It has at least what was read since the last call of
	// Grown; nil stands for what is gone.
	Bytes func(offset int64, length int) []byte
}

// Meter weighs a capture while it is read.
type Meter struct {
	o      Options
	trace  *trace.Trace
	meters []*meter // by resource of the trace
	label  labels
}

// New returns a Meter of t, which may still be empty. The Meter forgets the records of t, so nobody
// else may need them.
func New(t *trace.Trace, o Options) *Meter { return &Meter{o: o, trace: t} }

// maxKeys is how many names of objects a Table may hold before it forgets those that are gone.
const maxKeys = 1 << 17

// Grown weighs what was added to the trace since the last call.
func (m *Meter) Grown() {
	for i, r := range m.trace.Resources {
		if i == len(m.meters) {
			x := &meter{
				r: r, sweeper: trace.Sweeper{Keys: maxKeys},
				objects: map[object.Key]*weight{}, scale: scale{fields: newFields()},
			}
			x.scale.wanted.leaveOut(Path{"metadata", "managedFields"}, noManaged)
			for _, p := range m.o.Drop {
				x.drop = append(x.drop, x.scale.wanted.leaveOut(p, dropping))
			}
			if m.o.Cache {
				x.label = &m.label
			}
			x.skip = !r.IsNamed(m.o.Resource)
			m.meters = append(m.meters, x)
		}
		m.meters[i].grown(m.o.Bytes)
	}
}

// meter weighs one resource.
type meter struct {
	r       *trace.Resource
	sweeper trace.Sweeper
	skip    bool
	done    int // records that were taken
	items   trace.Cursor
	scale   scale
	drop    []*omission // by path of the Options
	label   *labels     // nil where nobody wants to know them
	begun   informers.Contents
	objects map[object.Key]*weight // in the cache
	coming  map[object.Key]*weight // of a list that has not ended; nil for none
	size    CacheSize
	largest []count // the fields when held was largest
	rising  bool    // held is larger than ever, and largest is not yet of that
	first   int64
	second  Busiest
	minute  Busiest
	out     Resource
}

func (m *meter) grown(bytes func(int64, int) []byte) {
	r := m.r
	for i := m.done - r.Forgotten; i < len(r.Records); i++ {
		rec := &r.Records[i]
		if m.done == 0 {
			m.first, m.begun.Asked = rec.Time, rec.Time
		}
		m.done++
		if !m.skip {
			m.addRecord(rec, bytes)
		}
	}
	r.ForgetCalls()
	r.Forget(len(r.Records))
	m.sweeper.Sweep(r, func(live *object.Live) bool {
		for _, all := range []map[object.Key]*weight{m.objects, m.coming} {
			for k := range all {
				live.Key(k)
			}
		}
		return true
	})
}

// addRecord weighs what a record says.
func (m *meter) addRecord(r *trace.Record, bytes func(int64, int) []byte) {
	q := &m.out.Requests
	switch r.Kind {
	case trace.ListBegin:
		q.Lists++
		m.coming = map[object.Key]*weight{}
	case trace.ListItem:
		if w := m.weigh(r, bytes); w != nil {
			m.out.Lists.add(w, len(","))
			m.put(r, w)
		}
	case trace.ListEnd:
		q.Pages += int64(max(r.Code, 1))
		m.replace(r.Time)
	case trace.ListError:
		q.Failed++
		m.coming = nil
	case trace.WatchOpen:
		m.begun.Watched = true
		q.Watches++
		if m.coming = nil; r.Streaming {
			q.Streaming++
			m.coming = map[object.Key]*weight{}
		}
	case trace.WatchError:
		q.Watches++
		q.Failed++
	case trace.WatchEvent:
		m.event(r, bytes)
	case trace.WatchBookmark:
		q.Bookmarks++
	case trace.InitialEnd:
		q.Bookmarks++
		m.replace(r.Time)
	}
}

func (m *meter) event(r *trace.Record, bytes func(int64, int) []byte) {
	if r.Type == trace.TypeError || r.Failure == trace.OtherKind || r.Obj == 0 {
		return
	}
	w := m.weigh(r, bytes)
	if w == nil {
		return
	}
	const overhead = len(`{"type":"","object":}`) + len("\n")
	size := overhead + len(r.Type.String())
	if m.coming != nil {
		m.out.Lists.add(w, size)
		m.put(r, w)
		return
	}
	m.out.Watches.add(w, size)
	m.second.add(&m.out.Second, r.Time, 1e9, int64(w.whole+size))
	m.minute.add(&m.out.Minute, r.Time, 60e9, int64(w.whole+size))
	m.put(r, w)
}

// weigh weighs the object of a record. It returns nil where its JSON is not at hand.
func (m *meter) weigh(r *trace.Record, bytes func(int64, int) []byte) *weight {
	src := m.r.Table.Meta(r.Obj).Source
	if raw := m.items.Of(src, bytes); raw != nil {
		if w, ok := m.scale.weigh(raw); ok {
			return w
		}
	}
	m.out.NotWeighed++
	return nil
}

// put makes an object part of the cache, or of the list that is coming, or takes it away.
func (m *meter) put(r *trace.Record, w *weight) {
	k := m.r.Table.KeyOf(r.Obj)
	into := m.objects
	if m.coming != nil {
		into = m.coming
	}
	old := into[k]
	var now *weight
	if r.Type != trace.TypeDeleted {
		kept := *w
		kept.parts = slices.Clone(w.parts)
		kept.labels = m.label.numbers(m.r.Table, r.Obj)
		now = &kept
		into[k] = now
	} else {
		delete(into, k)
	}
	if m.coming == nil {
		m.change(r.Time, func() { m.add(old, -1); m.add(now, 1) })
	}
}

// replace makes the list that has come the content of the cache.
func (m *meter) replace(at int64) {
	if m.coming == nil {
		return
	}
	if m.begun.Synced == 0 {
		m.begun.Synced = max(at, 1)
	}
	m.change(at, func() {
		for _, old := range m.objects {
			m.add(old, -1)
		}
		for _, now := range m.coming {
			m.add(now, 1)
		}
	})
	m.objects, m.coming = m.coming, nil
}

// change changes what the cache holds.
func (m *meter) change(at int64, how func()) {
	if m.rising { // what it holds now may be the largest
		m.largest = append(m.largest[:0], m.scale.fields.counts...)
	}
	how()
	m.size.Time = at
	if m.rising = m.size.Bytes > m.out.Largest.Bytes; m.rising {
		m.out.Largest = m.size
	}
}

func (m *meter) add(w *weight, sign int64) {
	if w == nil {
		return
	}
	h := &m.size
	h.Objects += sign
	h.Bytes += sign * int64(w.whole)
	h.Unmanaged += sign * int64(w.whole-w.saved[noManaged])
	h.Dropped += sign * int64(w.whole-w.saved[dropping])
	h.Metadata += sign * int64(w.partial())
	h.Trimmed += sign * int64(w.partial()-w.saved[noManaged])
	m.scale.fields.add(w.parts, sign)
}

// partial returns the size of the object's PartialObjectMetadata.
func (w *weight) partial() int { return informers.PartialSize(w.metadata) }

// add counts an object with what stands around it.
func (s *Sent) add(w *weight, around int) {
	s.Objects++
	s.Bytes += int64(w.whole + around)
	s.Metadata += int64(w.partial() + around)
}

// add counts an event to the second or minute that it is in, and keeps the busiest one.
func (b *Busiest) add(busiest *Busiest, at, every, bytes int64) {
	if begin := at - at%every; begin != b.Time {
		*b = Busiest{Time: begin}
	}
	b.Objects++
	if b.Bytes += bytes; b.Bytes > busiest.Bytes {
		*busiest = *b
	}
}

// Report sums up what was weighed so far. The caller fills in Inputs.
func (m *Meter) Report() *Report {
	out := &Report{Format: m.trace.Format, TimesMadeUp: m.trace.NoTimes}
	for i, p := range m.o.Drop {
		out.Drop = append(out.Drop, p.String())
		if !slices.ContainsFunc(m.meters, func(x *meter) bool { return x.drop[i].seen }) {
			out.Unknown = append(out.Unknown, p.String())
		}
	}
	for i, r := range m.trace.Resources {
		if i == len(m.meters) || m.meters[i].done == 0 || m.meters[i].skip {
			continue
		}
		meter := m.meters[i]
		if meter.rising {
			meter.largest = append(meter.largest[:0], meter.scale.fields.counts...)
		}
		res := meter.out
		res.Name, res.End = r.Name(), meter.size
		res.Fields = meter.scale.fields.list(meter.largest)
		if len(m.o.Drop) == 0 {
			res.Largest.Dropped, res.End.Dropped = 0, 0
		}
		if n := len(r.Records); n > 0 {
			res.Duration = r.Records[n-1].Time - meter.first
		}
		out.Resources = append(out.Resources, res)
	}
	return out
}

// Report says what the resources of a capture cost.
type Report struct {
	Inputs      []string   `json:"inputs"`
	Format      string     `json:"format"`
	TimesMadeUp bool       `json:"timesMadeUp,omitempty"`
	Drop        []string   `json:"drop,omitempty"`    // what is left out by Dropped
	Unknown     []string   `json:"unknown,omitempty"` // of Drop, what no object has
	Resources   []Resource `json:"resources"`
}

// Resource is one resource of a capture, as one client reads it.
type Resource struct {
	Name     string   `json:"name"`
	Duration int64    `json:"duration"` // from the first record to the last, in nanoseconds
	Requests Requests `json:"requests"`
	Lists    Sent     `json:"lists"` // their items, the initial events of streaming lists among them
	Watches  Sent     `json:"watches"`
	Second   Busiest  `json:"second"` // in which most bytes came on a watch
	Minute   Busiest  `json:"minute"`

	Largest CacheSize `json:"largest"` // the cache when it took most bytes
	End     CacheSize `json:"end"`     // the cache at the end
	Fields  []Field   `json:"fields"`  // of Largest

	NotWeighed int64 `json:"notWeighed,omitempty"` // objects whose JSON is not at hand any more when it is needed
}

// Requests counts requests and their answers.
type Requests struct {
	Lists     int64 `json:"lists"` // a list in pages counts once
	Pages     int64 `json:"pages"`
	Streaming int64 `json:"streaming"` // watches that began with a list
	Watches   int64 `json:"watches"`   // those among them
	Failed    int64 `json:"failed"`    // of all these
	Bookmarks int64 `json:"bookmarks"` // events that have no object of the resource
}

// Sent is what came from the API server.
type Sent struct {
	Objects  int64 `json:"objects"`
	Bytes    int64 `json:"bytes"`
	Metadata int64 `json:"metadata"` // what it would be if the client asked for PartialObjectMetadata
}

// Busiest is the second or minute in which most bytes came.
type Busiest struct {
	Time    int64 `json:"at"` // when it began, in nanoseconds
	Objects int64 `json:"objects"`
	Bytes   int64 `json:"bytes"`
}

// CacheSize is what a cache holds at a moment, and what it would hold otherwise.
type CacheSize struct {
	Time    int64 `json:"at"` // in nanoseconds
	Objects int64 `json:"objects"`
	Bytes   int64 `json:"bytes"`

	Unmanaged int64 `json:"unmanaged"`         // without metadata.managedFields
	Dropped   int64 `json:"dropped,omitempty"` // without what the user names
	Metadata  int64 `json:"metadata"`          // as PartialObjectMetadata
	Trimmed   int64 `json:"least"`             // as PartialObjectMetadata without managedFields
}

// Field is a field of the objects.
type Field struct {
	Path    string `json:"path"`
	Objects int64  `json:"objects"` // those that have it
	Bytes   int64  `json:"bytes"`   // with the fields in it

	path Path
}

// Depth returns how many fields f is in.
func (f *Field) Depth() int { return len(f.path) - 1 }
