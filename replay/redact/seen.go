package redact

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// seen remembers where nothing was found, because most of what a watch's events hold comes
// again. What is found in a value depends only on its bytes and its place, unless names are
// learnt or paths lead through it. So a value that is passed over is one that a search would
// leave as it is.
type seen struct {
	on      bool
	changes int // how often a search changed something else than the line
	slots   []seenValue

	sets          [][waysSeen]seenLine
	turn          int64
	line          *seenLine // the line at work, if it is remembered
	shape, object uint64    // of this line
	moved         []moved   // how it differs from an earlier one
}

const (
	// maxSeen is how many values are remembered, as a power of two.
	maxSeen = 1 << 12
	// longestSeen is how many bytes the longest of them has. Its parts are remembered, too.
	longestSeen = 1 << 10
	// shortestSeen is how many bytes the shortest has: shorter ones are soon searched.
	shortestSeen = 8

	// setsSeen and waysSeen are how many lines are remembered. Those of the same shape are in
	// the same set.
	setsSeen, waysSeen = 32, 8
	// longestLineSeen is how many bytes the longest of them has, and nodesSeen how many nodes.
	longestLineSeen, nodesSeen = 16 << 10, 1 << 10
	// movesSeen is in how many values and names a line may differ from one that is remembered.
	movesSeen = 64
)

// may reports whether values at p may be passed over. The cells of a Table depend on its
// columns, and texts within texts on how deep they are.
func (m *seen) may(r *Redactor, p place) bool {
	return m.on && r.report == nil && !p.row && !p.cells && len(r.sheet.outer) == 0 && p.letters == "" && p.ref == 0
}

// seenValue is a value in which nothing was found, wherever it comes.
type seenValue struct {
	b     []byte
	place marks
}

// slot returns where the value at n is remembered, or nil if it is too long or too short.
func (m *seen) slot(r *Redactor, n int32) *seenValue {
	b := r.sheet.Text(n)
	if len(b) < shortestSeen || len(b) > longestSeen {
		return nil
	}
	if c := b[0]; c != '"' && c != '{' && c != '[' {
		return nil
	}
	if m.slots == nil {
		m.slots = make([]seenValue, maxSeen)
	}
	return &m.slots[mixed(b)%maxSeen]
}

func (v *seenValue) holds(b []byte, p place) bool {
	return v != nil && v.place == p.marks && string(v.b) == string(b)
}

func (v *seenValue) note(b []byte, p place) {
	if v != nil {
		v.b, v.place = append(v.b[:0], b...), p.marks
	}
}

// mixed returns a number that differs for most values. It has at least 8 bytes to read.
func mixed(b []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := uint64(len(b))
	last := binary.LittleEndian.Uint64(b[len(b)-8:])
	for ; len(b) > 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * odd
		h ^= h >> 32
	}
	h = (h ^ last) * odd
	return h ^ h>>32
}

// seenLine is a line that was read. The next event of an object often differs from it in a
// few values only, so that it needn't be parsed, and only these values are searched, and the
// values that hold them.
type seenLine struct {
	shape, object uint64 // of how many parts it is, and of what object
	turn          int64  // when it was last used
	b             []byte
	nodes         []jsonscan.Node
	places        []marks // of each value, and of each field by its name, if nothing was found there
	says          []says  // of each object, what its fields were searched by
	up            []int32 // of each value, the node that holds it, and of a field's name ^ of that
}

// at returns what is known about the node n of the line.
func (l *seenLine) at(n int32) *marks {
	if l == nil {
		return nil
	}
	return &l.places[n]
}

// holds reports whether nothing was found in a value that stood in this place.
func (was *marks) holds(p place) bool {
	p.clean = true
	return was != nil && *was == p.marks
}

// note notes that nothing was found in the value at p.
func (was *marks) note(p place) {
	if was != nil {
		*was = p.marks
		was.clean = true
	}
}

// parse reads the line as the sheet's parse does. What is known of a line that differs from
// it in a few strings, numbers and literals holds for the rest of it.
func (m *seen) parse(r *Redactor, line []byte) (ok bool) {
	m.line = nil
	if !m.on || r.report != nil || len(line) > longestLineSeen || len(line) < shortestSeen {
		return r.sheet.Parse(line)
	}
	like, l := m.find(line)
	switch {
	case like != nil:
		if like != l {
			l.nodes, l.up = append(l.nodes[:0], like.nodes...), append(l.up[:0], like.up...)
			l.places, l.says = append(l.places[:0], like.places...), append(l.says[:0], like.says...)
		}
		l.move(m.moved)
		r.sheet.B, r.sheet.Nodes = line, append(r.sheet.Nodes[:0], l.nodes...)
	case !r.sheet.Parse(line):
		return false
	case len(r.sheet.Nodes) > nodesSeen:
		return true
	default:
		l.nodes = append(l.nodes[:0], r.sheet.Nodes...)
		l.places = append(l.places[:0], make([]marks, len(l.nodes))...)
		l.says = append(l.says[:0], make([]says, len(l.nodes))...)
		l.family(line)
	}
	l.b = append(l.b[:0], line...)
	m.turn++
	l.shape, l.object, l.turn = m.shape, m.object, m.turn
	m.line = l
	return true
}

// find returns a remembered line from which this one differs in a few values, preferably one
// of the same object, and where this line is to be remembered.
func (m *seen) find(line []byte) (like, l *seenLine) {
	if m.sets == nil {
		m.sets = make([][waysSeen]seenLine, setsSeen)
	}
	m.shape = uint64(bytes.Count(line, []byte{'"'}))<<20 ^ uint64(bytes.Count(line, []byte{'{'}))<<10 ^ uint64(bytes.Count(line, []byte{','}))
	m.object = 0
	uid := []byte(`"uid":"`)
	if i := bytes.Index(line, uid); i >= 0 && len(line)-i > len(uid)+16 {
		m.object = mixed(line[i+len(uid):][:16])
	}
	set := &m.sets[m.shape*0x9e3779b97f4a7c15>>40%setsSeen]
	l = &set[0]
	for i := range set {
		way := &set[i]
		if way.shape == m.shape && way.object == m.object && way.differs(m, line) {
			return way, way
		}
		if way.turn < l.turn {
			l = way
		}
	}
	for i := range set {
		way := &set[i]
		if way.shape == m.shape && way.object != m.object && way.differs(m, line) {
			return way, l
		}
	}
	return nil, l
}

// moved is a value or a field's name that differs between two lines.
type moved struct {
	node int32
	end  int32 // where it ends in the earlier line
	by   int32 // how much later it ends in the other one
}

// differs lists in what b differs from the line. It returns false if that is more than strings,
// numbers and literals, or too many of them.
func (l *seenLine) differs(m *seen, b []byte) bool {
	m.moved = m.moved[:0]
	i, by, after := 0, 0, 0
	for {
		if i += common(l.b[i:], b[i+by:]); i == len(l.b) && i+by == len(b) {
			return true
		}
		n := after + sort.Search(len(l.nodes)-after, func(n int) bool { return int(l.nodes[after+n].From) > i }) - 1
		if n < after || len(m.moved) == movesSeen {
			return false
		}
		x := l.nodes[n]
		if c := l.b[x.From]; c == '{' || c == '[' || l.up[n] < 0 && (int(x.From)+by >= len(b) || b[int(x.From)+by] != '"') {
			return false
		}
		end := jsonscan.ScalarEnd(b, int(x.From)+by)
		if end < 0 {
			return false
		}
		i, by, after = int(x.To), end-int(x.To), n+1
		m.moved = append(m.moved, moved{int32(n), x.To, int32(by)})
	}
}

// common returns how many bytes a and b have in common at their beginnings.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// move makes the nodes those of a line that differs in these values, and forgets what was
// found in them and in all that holds them.
func (l *seenLine) move(by []moved) {
	same := true
	for _, x := range by {
		same = same && x.by == 0
		n := x.node
		if l.up[n] < 0 {
			l.places[n] = marks{}
			n = ^l.up[n]
		}
		for ; n > 0; n = l.up[n] {
			l.places[n] = marks{}
			if l.up[n-1] < 0 {
				l.places[n-1] = marks{}
			}
		}
		l.places[0] = marks{}
	}
	if same {
		return
	}
	k := 0
	later := func(at int32, k int) int32 {
		for k < len(by) && by[k].end <= at {
			k++
		}
		if k == 0 {
			return at
		}
		return at + by[k-1].by
	}
	for i := range l.nodes {
		x := &l.nodes[i]
		for k < len(by) && by[k].end <= x.From {
			k++
		}
		x.From, x.To = later(x.From, k), later(x.To, k)
	}
}

// family notes which node holds which.
func (l *seenLine) family(b []byte) {
	l.up = append(l.up[:0], make([]int32, len(l.nodes))...)
	for n := range int32(len(l.nodes)) {
		switch b[l.nodes[n].From] {
		case '{':
			for k := n + 1; k < l.nodes[n].Next; k = l.nodes[k+1].Next {
				l.up[k], l.up[k+1] = ^n, n
			}
		case '[':
			for v := n + 1; v < l.nodes[n].Next; v = l.nodes[v].Next {
				l.up[v] = n
			}
		}
	}
}

// says is what the fields of an object are searched by: where it stands, and what it says of
// itself. It is 0 where it was not searched.
type says uint32

func saidAt(p marks, a about) says {
	x := says(1)
	for _, is := range [...]bool{p.root, p.listed, p.secret, p.inSecret, p.envList, p.envItem, p.envMap, p.identity, p.deep, p.keeper, p.digest,
		a.secret, a.secretList, a.keeper, a.refers, a.schema, a.requires} {
		x <<= 1
		if is {
			x |= 1
		}
	}
	return x<<4 | says(a.opens)
}

// seenFields are the fields of an object of the line at work.
type seenFields struct {
	l              *seenLine // nil if the line is not remembered
	same           bool      // they were searched by the same before
	edits, changes int       // before a field
}

func (m *seen) fields(r *Redactor, n int32, p place, a about) (f seenFields) {
	if m.line == nil || !m.may(r, p) {
		return f
	}
	x := saidAt(p.marks, a)
	f = seenFields{l: m.line, same: m.line.says[n] == x}
	m.line.says[n] = x
	return f
}

// clean reports whether nothing was found in the field k before, and it is as it was.
func (f *seenFields) clean(k int32) bool { return f.same && f.l.places[k].clean }

// begin and end note whether nothing is found in the field k. Arguments depend on the program
// that another field names.
func (f *seenFields) begin(r *Redactor) {
	f.edits, f.changes = len(r.sheet.edits), r.plain.changes
}

func (f *seenFields) end(r *Redactor, k int32, key string) {
	if f.l != nil {
		f.l.places[k].clean = key != "args" && len(r.sheet.edits) == f.edits && r.plain.changes == f.changes
	}
}
