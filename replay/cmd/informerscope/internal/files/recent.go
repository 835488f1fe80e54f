package files

// Recent holds what was read of the JSON since grown was called last, and the part before that
// whose end had not come by then.
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

// The methods below do nothing for a nil Recent.

func (r *Recent) reset() {
	if r != nil {
		*r = Recent{b: r.b[:0]}
	}
}

func (r *Recent) add(b []byte) {
	if r != nil {
		r.b = append(r.b, b...)
	}
}

// forget drops what is before a place.
func (r *Recent) forget(before int64) {
	if r != nil && before > r.from {
		n := min(int(before-r.from), len(r.b))
		r.b = r.b[:copy(r.b, r.b[n:])]
		r.from += int64(n)
	}
}
