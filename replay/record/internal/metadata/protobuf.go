package metadata

import (
	"bytes"
	"encoding/binary"
	"time"
)

// magic stands before each object in protobuf, which is a runtime.Unknown.
var magic = []byte{'k', '8', 's', 0}

// nextField goes to the next field of a message.
func (p *parts) nextField() bool {
	tag, size := binary.Uvarint(p.rest)
	if size <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
		return p.fail(ErrShape)
	}
	b := p.rest[size:]
	p.number, p.part.b, p.part.n = int(tag>>3), nil, 0
	switch tag & 7 {
	case 0:
		if p.part.n, size = binary.Uvarint(b); size <= 0 {
			return p.fail(ErrShape)
		}
	case 1, 5:
		if size = 8; tag&7 == 5 {
			size = 4
		}
		if len(b) < size {
			return p.fail(ErrShape)
		}
	case 2:
		n, head := binary.Uvarint(b)
		if head <= 0 || n > uint64(len(b)-head) && !p.part.cut {
			return p.fail(ErrShape)
		}
		b, size = b[head:], int(min(n, uint64(len(b)-head)))
		p.part.b = b[:size:size]
	default: // a group, which nothing of Kubernetes has
		return p.fail(ErrShape)
	}
	p.rest = b[size:]
	return true
}

// unknown takes a runtime.Unknown apart.
func unknown(b []byte, cut bool) (kind, apiVersion []byte, raw value, err error) {
	b, ok := bytes.CutPrefix(b, magic)
	if !ok {
		return nil, nil, raw, ErrShape
	}
	var found, types [mostFields]value
	if err := (value{form: Protobuf, b: b, cut: cut}).find(&found, runtimeUnknown); err != nil {
		return nil, nil, raw, err
	}
	err = value{form: Protobuf, b: found[0].b}.find(&types, typeMeta)
	return types[0].b, types[1].b, value{form: Protobuf, b: found[1].b, cut: cut}, err
}

// protobufTime returns a metav1.Time in JSON. No seconds at all are no time.
func protobufTime(b []byte) ([]byte, error) {
	p := value{form: Protobuf, b: b}.parts()
	seconds := int64(0)
	for p.next() {
		if p.number == 1 {
			seconds = int64(p.part.n)
		}
	}
	if p.err != nil || seconds == 0 || seconds <= -62135596800 || seconds >= 253402300800 { // the years 1 to 9999
		return nil, p.err
	}
	return time.Unix(seconds, 0).UTC().AppendFormat(nil, time.RFC3339), nil
}

// pair reads an entry of a map: key 1, value 2.
func (v value) pair() (key []byte, item value, err error) {
	p := v.parts()
	for p.next() {
		switch p.number {
		case 1:
			key = p.part.b
		case 2:
			item = p.part
		}
	}
	return key, item, p.err
}

// protobufFrame returns the length of the first frame of a watch, with the four bytes that tell
// it, 0 if it isn't complete.
func protobufFrame(b []byte, most int) (int, error) {
	if len(b) < 4 {
		return 0, nil
	}
	n := uint64(binary.BigEndian.Uint32(b))
	if n > uint64(most) {
		return 0, ErrLong
	}
	if uint64(len(b)) < 4+n {
		return 0, nil
	}
	return int(4 + n), nil
}
