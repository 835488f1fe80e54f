package metadata

import (
	"encoding/binary"
	"math"
)

// The major types of CBOR.
const (
	unsigned = iota
	negative
	byteString // apimachinery encodes texts so
	textString
	array
	mapping
	tagged
	simple
)

// indefinite is the length of an item that goes on until a break.
const indefinite = math.MaxUint64

// head reads the head of an item. n is its value or its length. Size 0 is for one that isn't
// complete.
func head(b []byte) (major int, n uint64, size int, err error) {
	if len(b) == 0 {
		return 0, 0, 0, nil
	}
	major, info := int(b[0]>>5), b[0]&31
	switch {
	case info < 24:
		return major, uint64(info), 1, nil
	case info < 28:
		size := 1 << (info - 24)
		if len(b) < 1+size {
			return 0, 0, 0, nil
		}
		var full [8]byte
		copy(full[8-size:], b[1:])
		return major, binary.BigEndian.Uint64(full[:]), 1 + size, nil
	case info == 31 && major >= byteString && major <= mapping:
		return major, indefinite, 1, nil
	}
	return 0, 0, 0, ErrShape
}

// isBreak reports whether an item of indefinite length ends here.
func isBreak(b []byte) bool { return len(b) > 0 && b[0] == 0xff }

// skipItem returns the length of the first item, 0 if it isn't complete.
func skipItem(b []byte, depth int) (int, error) {
	if depth > maxDepth {
		return 0, ErrShape
	}
	major, n, at, err := head(b)
	if err != nil || at == 0 {
		return 0, err
	}
	items := uint64(0)
	switch major {
	case unsigned, negative, simple:
		return at, nil
	case tagged:
		items = 1
	case byteString, textString:
		if n != indefinite {
			if n > uint64(len(b)-at) {
				return 0, nil
			}
			return at + int(n), nil
		}
		items = indefinite
	case array, mapping:
		items = n
		if major == mapping && n != indefinite {
			if n > math.MaxInt64 {
				return 0, ErrShape
			}
			items = 2 * n
		}
	}
	for i := uint64(0); i < items; i++ {
		if items == indefinite && isBreak(b[at:]) {
			return at + 1, nil
		}
		size, err := skipItem(b[at:], depth+1)
		if err != nil || size == 0 {
			return 0, err
		}
		at += size
	}
	return at, nil
}

// untagged returns the item without the tags before it.
func untagged(b []byte) []byte {
	for range maxDepth {
		major, _, size, err := head(b)
		if err != nil || size == 0 || major != tagged {
			return b
		}
		b = b[size:]
	}
	return b
}

// elements begins to take an array or a map apart. Other items have no elements.
func (p *parts) elements() {
	b := untagged(p.rest)
	major, n, size, err := head(b)
	p.rest, p.left, p.keyed, p.err = nil, 0, major == mapping, err
	if err == nil && size > 0 && (major == array || major == mapping) {
		p.rest, p.left = b[size:], n
	}
}

// nextElement goes to the next element of an array, or to the next key and value of a map.
func (p *parts) nextElement() bool {
	if p.left == 0 || p.left == indefinite && isBreak(p.rest) {
		return false
	}
	if p.left != indefinite {
		p.left--
	}
	if p.key = nil; p.keyed {
		key, ok := p.item()
		if !ok {
			return false
		}
		p.key = str(key)
	}
	item, ok := p.item()
	p.part.b = item
	return ok
}

// item takes the next item.
func (p *parts) item() (item []byte, ok bool) {
	size, err := skipItem(p.rest, 0)
	if err != nil || size == 0 {
		return nil, p.fail(ErrShape)
	}
	item, p.rest = p.rest[:size], p.rest[size:]
	return item, true
}

// str returns a text, nil for what is none.
func str(b []byte) []byte {
	b = untagged(b)
	major, n, size, err := head(b)
	if err != nil || size == 0 || major != byteString && major != textString {
		return nil
	}
	if n != indefinite {
		if n > uint64(len(b)-size) {
			return nil
		}
		return b[size : size+int(n)]
	}
	var whole []byte
	for b = b[size:]; !isBreak(b); {
		m, n, size, err := head(b)
		if err != nil || size == 0 || m != major || n > uint64(len(b)-size) {
			return nil
		}
		whole, b = append(whole, b[size:size+int(n)]...), b[size+int(n):]
	}
	return whole
}

// integer returns a whole number, 0 for what is none.
func integer(b []byte) int64 {
	major, n, size, err := head(untagged(b))
	switch {
	case err != nil || size == 0 || n > math.MaxInt64:
	case major == unsigned:
		return int64(n)
	case major == negative:
		return -1 - int64(n)
	}
	return 0
}

// isTrue reports whether an item is true.
func isTrue(b []byte) bool { return len(b) == 1 && b[0] == 0xf5 }
