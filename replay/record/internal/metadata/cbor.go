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

// elements calls f with each element of an array, or with each key and value of a map, until
// it returns an error. It does nothing for other items.
func elements(b []byte, f func(key, value []byte) error) error {
	b = untagged(b)
	major, n, size, err := head(b)
	if err != nil || size == 0 || major != array && major != mapping {
		return err
	}
	b = b[size:]
	for i := uint64(0); i < n; i++ {
		if n == indefinite && isBreak(b) {
			return nil
		}
		var parts [2][]byte
		for j := range parts {
			if j == 0 && major == array {
				continue
			}
			size, err := skipItem(b, 0)
			if err != nil {
				return err
			}
			if size == 0 {
				return ErrShape
			}
			parts[j], b = b[:size], b[size:]
		}
		if err := f(str(parts[0]), parts[1]); err != nil {
			return err
		}
	}
	return nil
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

// cbor reads an object.
func (o *Object) cbor(b []byte) error {
	return elements(b, func(key, value []byte) error {
		switch string(key) {
		case "kind":
			o.Kind = str(value)
		case "apiVersion":
			o.APIVersion = str(value)
		case "metadata", "preconditions": // the second is of DeleteOptions
			return o.cborMeta(value)
		case "status":
			o.Status.Status = str(value)
		case "message":
			o.Status.Message = str(value)
		case "reason":
			o.Status.Reason = str(value)
		case "code":
			o.Status.Code = integer(value)
		case "details":
			return o.Status.cborDetails(value)
		}
		return nil
	})
}

func (o *Object) cborMeta(b []byte) error {
	return elements(b, func(key, value []byte) error {
		switch string(key) {
		case "name":
			o.Name = str(value)
		case "generateName":
			o.GenerateName = str(value)
		case "namespace":
			o.Namespace = str(value)
		case "uid":
			o.UID = str(value)
		case "resourceVersion":
			o.ResourceVersion = str(value)
		case "generation":
			o.Generation = integer(value)
		case "creationTimestamp":
			o.Created = str(value)
		case "deletionTimestamp":
			o.Deleted = str(value)
		case "labels":
			return elements(value, func(key, value []byte) error {
				o.Labels = append(o.Labels, Pair{key, str(value)})
				return nil
			})
		case "annotations":
			return elements(value, func(key, value []byte) error {
				if string(key) == "k8s.io/initial-events-end" {
					o.InitialEventsEnd = str(value)
				}
				return nil
			})
		case "ownerReferences":
			return elements(value, func(_, value []byte) error {
				var w Owner
				err := w.cbor(value)
				o.Owners = append(o.Owners, w)
				return err
			})
		case "finalizers":
			return elements(value, func(_, value []byte) error {
				o.Finalizers = append(o.Finalizers, str(value))
				return nil
			})
		}
		return nil
	})
}

func (w *Owner) cbor(b []byte) error {
	return elements(b, func(key, value []byte) error {
		switch string(key) {
		case "apiVersion":
			w.APIVersion = str(value)
		case "kind":
			w.Kind = str(value)
		case "name":
			w.Name = str(value)
		case "uid":
			w.UID = str(value)
		case "controller":
			w.Controller = isTrue(value)
		}
		return nil
	})
}

func (s *Status) cborDetails(b []byte) error {
	return elements(b, func(key, value []byte) error {
		switch string(key) {
		case "name":
			s.Name = str(value)
		case "kind":
			s.Kind = str(value)
		case "uid":
			s.UID = str(value)
		case "retryAfterSeconds":
			s.RetryAfterSeconds = integer(value)
		case "causes":
			return elements(value, func(_, value []byte) error {
				var c Cause
				err := elements(value, func(key, value []byte) error {
					switch string(key) {
					case "reason":
						c.Reason = str(value)
					case "message":
						c.Message = str(value)
					}
					return nil
				})
				s.Causes = append(s.Causes, c)
				return err
			})
		}
		return nil
	})
}

// cborList appends a list as JSON.
func (o *Object) cborList(dst, b []byte, most int) ([]byte, error) {
	var l ListMeta
	var items []byte
	err := elements(b, func(key, value []byte) error {
		switch string(key) {
		case "kind":
			l.Kind = str(value)
		case "apiVersion":
			l.APIVersion = str(value)
		case "items":
			items = value
		case "metadata":
			return elements(value, func(key, value []byte) error {
				switch string(key) {
				case "resourceVersion":
					l.ResourceVersion = str(value)
				case "continue":
					l.Continue = str(value)
				case "remainingItemCount":
					l.Remaining = integer(value)
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return dst, err
	}
	dst = l.appendJSON(dst)
	err = elements(items, func(_, value []byte) error {
		o.reset()
		if err := o.cbor(value); err != nil {
			return err
		}
		if dst = o.AppendJSON(comma(dst)); len(dst) > most {
			return ErrLong
		}
		return nil
	})
	return append(dst, "]}"...), err
}

// cborEvent reads a metav1.WatchEvent.
func (o *Object) cborEvent(b []byte) (typ []byte, err error) {
	err = elements(b, func(key, value []byte) error {
		switch string(key) {
		case "type":
			typ = str(value)
		case "object":
			o.reset()
			return o.cbor(value)
		}
		return nil
	})
	return typ, err
}
