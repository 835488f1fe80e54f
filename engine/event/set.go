package event

// Set is a set of kinds. It has a bit for each value that a Kind can have.
type Set [4]uint64

// Add adds a kind.
func (s *Set) Add(k Kind) { s[k/64] |= 1 << (k % 64) }

// Join adds all kinds of another set.
func (s *Set) Join(o *Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Has reports whether a kind is in the set.
func (s *Set) Has(k Kind) bool { return s[k/64]>>(k%64)&1 != 0 }

// Meets reports whether a kind is in both sets.
func (s *Set) Meets(o *Set) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}
