package costs

import (
	"bytes"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// weight is how many bytes an object takes as JSON without white space.
type weight struct {
	whole    int
	metadata int          // of that, the value of its metadata
	saved    [changes]int // how much less it is after each change
	parts    []part       // its fields
	labels   []int32      // of labels; nil where nobody wants to know them
}

// part is what an object has of a field: with its name, its colon and its comma.
type part struct {
	field int32
	bytes int32
}

// scale weighs objects. It keeps its memory from one to the next.
type scale struct {
	fields *fields
	wanted omission
	tape   jsonscan.Tape
	out    weight
}

// weigh weighs the object in b. ok is false where b is no object. The parts hold until the next object is weighed.
func (s *scale) weigh(b []byte) (w *weight, ok bool) {
	if !s.tape.Parse(b) || s.tape.First(0) != '{' {
		return nil, false
	}
	s.out = weight{parts: s.out.parts[:0]}
	all := [changes]bool{}
	for i := range all {
		all[i] = true
	}
	s.out.whole = s.object(0, 0, &s.wanted, all)
	return &s.out, true
}

// value weighs the value at node n, which belongs to a field. wanted may be nil. left are the
// changes that have left out none of what the value is part of.
func (s *scale) value(n, field int32, wanted *omission, left [changes]bool) int {
	x := s.tape.Nodes[n]
	switch s.tape.First(n) {
	case '{':
		return s.object(n, field, wanted, left)
	case '[': // its elements count as parts of no field
		size := 2
		for element := n + 1; element < x.Next; element = s.tape.Nodes[element].Next {
			size += s.value(element, unnamed, wanted, left) + len(",")
		}
		return max(size-len(","), 2)
	}
	return int(x.To - x.From)
}

// object weighs the object at node n.
func (s *scale) object(n, field int32, wanted *omission, left [changes]bool) int {
	size, members := 2, 0
	var gone [changes]int // fields that a change leaves out
	for k := n + 1; k < s.tape.Nodes[n].Next; k = s.tape.Nodes[k+1].Next {
		members++
		key := s.tape.Text(k)
		below, child, still := wanted.child(key), s.fields.child(field, key), left
		if below != nil {
			below.seen = true
			for c := range below.omitted {
				still[c] = left[c] && !below.omitted[c]
			}
		}
		at := len(s.out.parts)
		if child > 0 {
			s.out.parts = append(s.out.parts, part{field: child})
		}
		value := s.value(k+1, child, below, still)
		if field == 0 && child == s.fields.metadata {
			s.out.metadata = value
		}
		length := len(key) + len(":") + value
		for c := range gone {
			if left[c] && !still[c] {
				gone[c]++
				s.out.saved[c] += length
			}
		}
		size += length + len(",")
		if child > 0 {
			s.out.parts[at].bytes = int32(length + len(","))
		}
	}
	for c := range gone { // n fields have n-1 commas
		s.out.saved[c] += min(gone[c], max(members-1, 0))
	}
	return max(size-len(","), 2)
}

// child returns the field below w that has a name, nil if nothing is wanted of that one.
func (w *omission) child(quoted []byte) *omission {
	if w == nil || w.children == nil {
		return nil
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return w.children[string(quoted[1:len(quoted)-1])]
	}
	var name string
	if json.Unmarshal(quoted, &name) != nil {
		return nil
	}
	return w.children[name]
}

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
