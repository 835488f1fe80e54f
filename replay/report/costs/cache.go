package costs

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/informers"
)

// Cache says what the informers of a process hold, and what would save some of it.
type Cache struct {
	Inputs    []string       `json:"inputs"`
	Informers []CacheOf      `json:"informers"` // those that take most heap first
	Objects   int64          `json:"objects"`
	Heap      informers.Heap `json:"heap"`              // of those whose heap is known
	Unknown   int            `json:"unknown"`           // informers whose heap is not known
	Sites     bool           `json:"sites"`             // the recorder has told who started informers, or who is called by them
	Reads     bool           `json:"reads"`             // the recorder has told who reads the caches
	LeftOut   bool           `json:"leftOut,omitempty"` // the recorder left something out, so that counts are the least
}

// CacheOf is an informer, and what would save some of its heap.
type CacheOf struct {
	informers.Informer
	Saved []informers.Saving `json:"saved,omitempty"` // the largest parts first
}

// labels gives numbers to labels with their values.
type labels struct {
	number map[string]int32
	text   []string
}

// mostLabels is how many labels have a number. Names of pods and hashes among them are without end.
const mostLabels = 1 << 16

// numbers returns the numbers of an object's labels. It does nothing where l is nil.
func (l *labels) numbers(t *object.Table, r object.Ref) (all []int32) {
	if l == nil {
		return nil
	}
	if l.number == nil {
		l.number = map[string]int32{}
	}
	for _, label := range t.LabelsOf(t.LabelSetOf(r)) {
		text := t.Text(label.Name) + "=" + t.Text(label.Value)
		n, known := l.number[text]
		if !known {
			if n = int32(len(l.text)); n == mostLabels {
				continue
			}
			l.number[text], l.text = n, append(l.text, text)
		}
		all = append(all, n)
	}
	return all
}

// Cache sums up what the process holds at the end of what was weighed. Options.Cache must be set. The caller fills in Inputs and LeftOut.
func (m *Meter) Cache() *Cache {
	held := make([]informers.Contents, len(m.trace.Resources))
	meters := map[string]*meter{}
	for i, meter := range m.meters {
		if r := m.trace.Resources[i]; !meter.skip {
			held[i] = meter.begun
			held[i].Objects, held[i].Weighed, held[i].Bytes = meter.size.Objects, meter.size.Objects, meter.size.Bytes
			meters[r.Name()] = meter
		}
	}
	out := &Cache{Sites: len(m.trace.Registered) > 0, Reads: len(m.trace.CacheReads) > 0}
	for _, x := range informers.List(m.trace, held) {
		meter := meters[x.Resource]
		if meter == nil {
			continue
		}
		out.Sites = out.Sites || x.Started != nil
		out.Objects += x.Objects
		if x.Heap == nil {
			out.Unknown++
		} else {
			out.Heap.Bytes, out.Heap.Min, out.Heap.Max = out.Heap.Bytes+x.Heap.Bytes, out.Heap.Min+x.Heap.Min, out.Heap.Max+x.Heap.Max
		}
		c := CacheOf{Informer: x}
		if x.Heap != nil && x.Objects > 0 {
			c.Saved = meter.savings(&x, informers.Whole(m.trace, meter.r))
		}
		out.Informers = append(out.Informers, c)
	}
	return out
}

// savings returns what would be left of x with one namespace, with one label, or with metadata only.
func (m *meter) savings(x *informers.Informer, whole bool) []informers.Saving {
	spaces, labelled, bytes := informers.Parts{}, informers.Parts{}, int64(0)
	for k, w := range m.objects {
		spaces.AddNamespace(m.r.Table.KeyText(k), int64(w.whole))
		for _, l := range w.labels {
			labelled.Add(m.label.text[l], int64(w.whole))
		}
	}
	if whole {
		bytes = m.size.Bytes
	}
	return x.Savings(spaces, labelled, bytes, m.size.Metadata)
}
