package findings

// Newest remembers the newest values that were added, by their keys. Its zero value is empty.
type Newest[K comparable, V any] struct {
	recent []entry[K, V] // by number modulo mostNewest
	number map[K]int     // of the last value of a key
	n      int
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// mostNewest is how many values are remembered. A handler that is behind by more changes looks as if it had caught up.
const mostNewest = 1 << 16

// Add adds a value. If there is no room, it forgets the oldest one.
func (x *Newest[K, V]) Add(k K, v V) {
	if x.number == nil {
		x.number = map[K]int{}
	}
	if i := x.n % mostNewest; i < len(x.recent) {
		if old := x.recent[i].key; x.number[old] == x.n-mostNewest {
			delete(x.number, old)
		}
		x.recent[i] = entry[K, V]{k, v}
	} else {
		x.recent = append(x.recent, entry[K, V]{k, v})
	}
	x.number[k] = x.n
	x.n++
}

// Len returns how many values were added.
func (x *Newest[K, V]) Len() int { return x.n }

// First returns the number of the first value that is remembered.
func (x *Newest[K, V]) First() int { return max(0, x.n-mostNewest) }

// Find returns the number of the newest value of a key, from 0.
func (x *Newest[K, V]) Find(k K) (number int, ok bool) {
	number, ok = x.number[k]
	return number, ok
}

// At returns the value of a number that is still remembered.
func (x *Newest[K, V]) At(number int) V { return x.recent[number%mostNewest].value }
