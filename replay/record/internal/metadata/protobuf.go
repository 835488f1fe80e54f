package metadata

import (
	"bytes"
	"encoding/binary"
)

// magic stands before each object in protobuf, which is a runtime.Unknown.
var magic = []byte{'k', '8', 's', 0}

// fields calls f with each field of a message: its number, and its bytes, or its value if it is a
// number. Cut allows the last field to be shorter than it says.
func fields(b []byte, cut bool, f func(field int, data []byte, n uint64) error) error {
	for len(b) > 0 {
		tag, size := binary.Uvarint(b)
		if size <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
			return ErrShape
		}
		b = b[size:]
		var data []byte
		var n uint64
		switch tag & 7 {
		case 0:
			if n, size = binary.Uvarint(b); size <= 0 {
				return ErrShape
			}
			b = b[size:]
		case 1, 5:
			if size = 8; tag&7 == 5 {
				size = 4
			}
			if len(b) < size {
				return ErrShape
			}
			b = b[size:]
		case 2:
			if n, size = binary.Uvarint(b); size <= 0 {
				return ErrShape
			}
			b = b[size:]
			if n > uint64(len(b)) {
				if !cut {
					return ErrShape
				}
				n = uint64(len(b))
			}
			data, b, n = b[:n:n], b[n:], 0
		default: // a group, which nothing of Kubernetes has
			return ErrShape
		}
		if err := f(int(tag>>3), data, n); err != nil {
			return err
		}
	}
	return nil
}

// unknown takes a runtime.Unknown apart: typeMeta 1, raw 2.
func unknown(b []byte, cut bool) (kind, apiVersion, raw []byte, err error) {
	b, ok := bytes.CutPrefix(b, magic)
	if !ok {
		return nil, nil, nil, ErrShape
	}
	err = fields(b, cut, func(field int, data []byte, _ uint64) error {
		switch field {
		case 1:
			return fields(data, false, func(field int, data []byte, _ uint64) error {
				switch field {
				case 1:
					apiVersion = data
				case 2:
					kind = data
				}
				return nil
			})
		case 2:
			raw = data
		}
		return nil
	})
	return kind, apiVersion, raw, err
}

// protobuf reads an object. Of one that is cut it reads what is there.
func (o *Object) protobuf(b []byte, cut bool) error {
	kind, apiVersion, raw, err := unknown(b, cut)
	if err != nil {
		return err
	}
	o.Kind, o.APIVersion = kind, apiVersion
	switch {
	case o.isStatus():
		return o.Status.protobuf(raw)
	case string(kind) == "DeleteOptions":
		return o.preconditions(raw)
	}
	return o.message(raw, cut)
}

// preconditions reads the metav1.Preconditions of DeleteOptions, which are field 2: uid 1,
// resourceVersion 2.
func (o *Object) preconditions(b []byte) error {
	return fields(b, false, func(field int, data []byte, _ uint64) error {
		if field != 2 {
			return nil
		}
		return fields(data, false, func(field int, data []byte, _ uint64) error {
			switch field {
			case 1:
				o.UID = data
			case 2:
				o.ResourceVersion = data
			}
			return nil
		})
	})
}

// message reads an object of any kind: its ObjectMeta is field 1.
func (o *Object) message(b []byte, cut bool) error {
	return fields(b, cut, func(field int, data []byte, _ uint64) error {
		if field != 1 {
			return nil
		}
		return o.objectMeta(data, cut)
	})
}

// objectMeta reads a metav1.ObjectMeta.
func (o *Object) objectMeta(b []byte, cut bool) error {
	return fields(b, cut, func(field int, data []byte, n uint64) (err error) {
		switch field {
		case 1:
			o.Name = data
		case 2:
			o.GenerateName = data
		case 3:
			o.Namespace = data
		case 5:
			o.UID = data
		case 6:
			o.ResourceVersion = data
		case 7:
			o.Generation = int64(n)
		case 8:
			o.Created, err = protobufTime(data)
		case 9:
			o.Deleted, err = protobufTime(data)
		case 11:
			var l Pair
			l, err = pair(data)
			o.Labels = append(o.Labels, l)
		case 12:
			var a Pair
			if a, err = pair(data); string(a.Name) == "k8s.io/initial-events-end" {
				o.InitialEventsEnd = a.Value
			}
		case 13:
			var w Owner
			err = w.protobuf(data)
			o.Owners = append(o.Owners, w)
		case 14:
			o.Finalizers = append(o.Finalizers, data)
		}
		if cut && err != nil {
			return nil // the last field is
		}
		return err
	})
}

// pair reads an entry of a map: key 1, value 2.
func pair(b []byte) (p Pair, err error) {
	err = fields(b, false, func(field int, data []byte, _ uint64) error {
		switch field {
		case 1:
			p.Name = data
		case 2:
			p.Value = data
		}
		return nil
	})
	return p, err
}

// protobufTime reads a metav1.Time: seconds 1. No seconds at all are no time.
func protobufTime(b []byte) (out []byte, err error) {
	err = fields(b, false, func(field int, _ []byte, n uint64) error {
		if s := int64(n); field == 1 && s > -62135596800 && s < 253402300800 { // the years 1 to 9999
			out = stamp(s)
		}
		return nil
	})
	return out, err
}

func (w *Owner) protobuf(b []byte) error {
	return fields(b, false, func(field int, data []byte, n uint64) error {
		switch field {
		case 1:
			w.Kind = data
		case 3:
			w.Name = data
		case 4:
			w.UID = data
		case 5:
			w.APIVersion = data
		case 6:
			w.Controller = n != 0
		}
		return nil
	})
}

// protobuf reads a metav1.Status.
func (s *Status) protobuf(b []byte) error {
	return fields(b, false, func(field int, data []byte, n uint64) error {
		switch field {
		case 2:
			s.Status = data
		case 3:
			s.Message = data
		case 4:
			s.Reason = data
		case 5:
			return s.details(data)
		case 6:
			s.Code = int64(int32(n))
		}
		return nil
	})
}

// details reads a metav1.StatusDetails.
func (s *Status) details(b []byte) error {
	return fields(b, false, func(field int, data []byte, n uint64) error {
		switch field {
		case 1:
			s.Name = data
		case 3:
			s.Kind = data
		case 4:
			var c Cause
			err := fields(data, false, func(field int, data []byte, _ uint64) error {
				switch field {
				case 1:
					c.Reason = data
				case 2:
					c.Message = data
				}
				return nil
			})
			s.Causes = append(s.Causes, c)
			return err
		case 5:
			s.RetryAfterSeconds = int64(int32(n))
		case 6:
			s.UID = data
		}
		return nil
	})
}

// protobufList appends a list as JSON: ListMeta is field 1, the items are field 2.
func (o *Object) protobufList(dst, b []byte, most int) ([]byte, error) {
	var l ListMeta
	kind, apiVersion, raw, err := unknown(b, false)
	if err != nil {
		return dst, err
	}
	l.Kind, l.APIVersion = kind, apiVersion
	err = fields(raw, false, func(field int, data []byte, _ uint64) error {
		if field != 1 {
			return nil
		}
		return fields(data, false, func(field int, data []byte, n uint64) error {
			switch field {
			case 2:
				l.ResourceVersion = data
			case 3:
				l.Continue = data
			case 4:
				l.Remaining = int64(n)
			}
			return nil
		})
	})
	if err != nil {
		return dst, err
	}
	dst = l.appendJSON(dst)
	err = fields(raw, false, func(field int, data []byte, _ uint64) error {
		if field != 2 {
			return nil
		}
		o.reset()
		if err := o.message(data, false); err != nil {
			return err
		}
		if dst = o.AppendJSON(comma(dst)); len(dst) > most {
			return ErrLong
		}
		return nil
	})
	return append(dst, "]}"...), err
}

// protobufEvent reads a metav1.WatchEvent: type 1, object 2, which is a RawExtension: raw 1.
func (o *Object) protobufEvent(b []byte) (typ []byte, err error) {
	err = fields(b, false, func(field int, data []byte, _ uint64) error {
		switch field {
		case 1:
			typ = data
		case 2:
			return fields(data, false, func(field int, data []byte, _ uint64) error {
				if field != 1 {
					return nil
				}
				o.reset()
				return o.protobuf(data, false)
			})
		}
		return nil
	})
	return typ, err
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
