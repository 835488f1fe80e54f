package format

// Recent holds what was read of the JSON since it was last told to forget. Its methods but Bytes do nothing for nil.
type Recent struct {
	b    []byte
	from int64 // where b begins in the JSON
}

// Bytes returns a part of the JSON, or nil if it is not there.
func (r *Recent) Bytes(offset int64, length int) []byte {
	i := offset - r.from
	if i < 0 || length <= 0 || i+int64(length) > int64(len(r.b)) {
		return nil
	}
	return r.b[i : i+int64(length)]
}

// Begin drops everything. What is added next stands at a place of the JSON.
func (r *Recent) Begin(from int64) {
	if r != nil {
		*r = Recent{b: r.b[:0], from: from}
	}
}

// Add adds what comes next.
func (r *Recent) Add(b []byte) {
	if r != nil {
		r.b = append(r.b, b...)
	}
}

// Forget drops what is before a place, which may be behind all that was added.
func (r *Recent) Forget(before int64) {
	if r == nil || before <= r.from {
		return
	}
	n := min(before-r.from, int64(len(r.b)))
	r.b = r.b[:copy(r.b, r.b[n:])]
	r.from = before
}
