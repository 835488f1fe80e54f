package fifo

// ring is a queue in one slice whose length is a power of two.
type ring[T any] struct {
	slots []T
	head  int
	n     int
}

func (r *ring[T]) at(i int) *T { return &r.slots[(r.head+i)&(len(r.slots)-1)] }

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) {
		grown := make([]T, max(16, 2*len(r.slots)))
		for i := range r.n {
			grown[i] = *r.at(i)
		}
		r.slots, r.head = grown, 0
	}
	r.n++
	*r.at(r.n - 1) = v
}

func (r *ring[T]) pop() T {
	v := *r.at(0)
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	return v
}

// copyFrom makes r hold what src holds. Only what is queued is copied, because
// a ring stays as large as the longest queue that it ever held.
func (r *ring[T]) copyFrom(src *ring[T]) {
	if len(r.slots) < src.n || len(r.slots) == 0 && len(src.slots) > 0 {
		size := 16
		for size < src.n {
			size *= 2
		}
		r.slots = make([]T, size)
	}
	r.head, r.n = 0, src.n
	if src.n == 0 {
		return
	}
	first := copy(r.slots, src.slots[src.head:min(len(src.slots), src.head+src.n)])
	copy(r.slots[first:], src.slots[:src.n-first])
}
