package redact

import "encoding/binary"

// seen remembers values in which nothing was found, because most values of a watch's events
// come again. What is found in a value depends only on its bytes and its place, unless names
// are learnt or paths lead through it. So a value that is passed over is one that a search
// would leave as it is.
type seen struct {
	on      bool
	changes int // how often a search changed something else than the line
	slots   []seenValue
}

// seenValue is one of them.
type seenValue struct {
	b     []byte
	place place
}

const (
	// maxSeen is how many values are remembered, as a power of two.
	maxSeen = 1 << 12
	// longestSeen is how many bytes the longest of them has. Its parts are remembered, too.
	longestSeen = 1 << 10
	// shortestSeen is how many bytes the shortest has: shorter ones are soon searched.
	shortestSeen = 8
)

// slot returns where the value at n is remembered, or nil if it can't be. The cells of a
// Table depend on its columns, and texts within texts on how deep they are.
func (m *seen) slot(r *Redactor, n int32, p place) *seenValue {
	b := r.sheet.bytes(n)
	if len(b) < shortestSeen || len(b) > longestSeen || !m.on || r.report != nil || p.row || p.cells || len(r.sheet.outer) > 0 {
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

func (v *seenValue) holds(b []byte, p place) bool { return string(v.b) == string(b) && v.place == p }

// mixed is a number that differs for most values. It has at least 8 bytes to read.
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
