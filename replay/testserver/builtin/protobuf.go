package builtin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"
)

// MediaType is the media type of objects in protobuf.
const MediaType = "application/vnd.kubernetes.protobuf"

var errDamaged = errors.New("the object isn't protobuf")

// ErrUnknown says that the fields of the kind are not known.
var ErrUnknown = errors.New("the fields of the kind are not known")

// JSON returns an object in JSON.
func JSON(b []byte) ([]byte, error) {
	b, is := bytes.CutPrefix(b, []byte("k8s\x00"))
	if !is {
		return nil, errDamaged
	}
	// It is a runtime.Unknown: its apiVersion and kind, and the object.
	var apiVersion, kind string
	var raw []byte
	err := eachField(b, func(n int, v value) error {
		switch n {
		case 1:
			return eachField(v.bytes, func(n int, v value) error {
				if n == 1 {
					apiVersion = string(v.bytes)
				} else if n == 2 {
					kind = string(v.bytes)
				}
				return nil
			})
		case 2:
			raw = v.bytes
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	name := apiVersion + "/" + kind
	if types()[name] == nil {
		name = kind // DeleteOptions are of any group
	}
	if types()[name] == nil {
		return nil, fmt.Errorf("%s %s: %w", apiVersion, kind, ErrUnknown)
	}
	o := map[string]any{"apiVersion": apiVersion, "kind": kind}
	if err := read(o, name, raw); err != nil {
		return nil, err
	}
	return json.Marshal(o)
}

// value is the value of a field: a number, or bytes.
type value struct {
	number uint64
	bytes  []byte
}

// eachField calls f for each field of a message.
func eachField(b []byte, f func(n int, v value) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 > math.MaxInt32 {
			return errDamaged
		}
		b = b[n:]
		var v value
		switch tag & 7 {
		case 0:
			if v.number, n = binary.Uvarint(b); n <= 0 {
				return errDamaged
			}
			b = b[n:]
		case 1, 5: // no field of Kubernetes' own kinds is one
			n := map[uint64]int{1: 8, 5: 4}[tag&7]
			if len(b) < n {
				return errDamaged
			}
			b = b[n:]
			continue
		case 2:
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return errDamaged
			}
			v.bytes, b = b[n:n+int(size)], b[n+int(size):]
		default:
			return errDamaged
		}
		if err := f(int(tag>>3), v); err != nil {
			return err
		}
	}
	return nil
}

// read adds the fields of a message to o. No type holds itself.
func read(o map[string]any, name string, b []byte) error {
	return eachField(b, func(n int, v value) error {
		f, is := types()[name].numbers[n]
		switch {
		case !is:
			return nil // it is of a newer version
		case f.name == "": // its fields are o's
			return read(o, f.holds, v.bytes)
		case f.keyed:
			var key string
			var in any = map[string]any{"s": "", "y": []byte{}}[f.holds]
			err := eachField(v.bytes, func(n int, v value) (err error) {
				if n == 1 {
					key = string(v.bytes)
				} else if n == 2 {
					in, err = f.value(v)
				}
				return err
			})
			all, _ := o[f.name].(map[string]any)
			if all == nil {
				all = map[string]any{}
			}
			all[key], o[f.name] = in, all
			return err
		}
		in, err := f.value(v)
		if err != nil {
			return err
		}
		if f.several {
			all, _ := o[f.name].([]any)
			o[f.name] = append(all, in)
			return nil
		}
		if f.opt && (in == "" || in == int64(0) || in == false) {
			return nil
		}
		o[f.name] = in
		return nil
	})
}

// value returns what JSON has for a value.
func (f *field) value(v value) (any, error) {
	switch f.holds {
	case "s":
		return string(v.bytes), nil
	case "y":
		return v.bytes, nil // encoding/json makes base64 of it
	case "i":
		return int64(v.number), nil
	case "b":
		return v.number != 0, nil
	}
	parts := map[int]value{}
	few := func() error {
		return eachField(v.bytes, func(n int, v value) error { parts[n] = v; return nil })
	}
	switch f.holds {
	case "Time", "MicroTime":
		err := few()
		if len(v.bytes) == 0 || err != nil {
			return nil, err
		}
		layout := map[string]string{"Time": time.RFC3339, "MicroTime": "2006-01-02T15:04:05.000000Z07:00"}[f.holds]
		return time.Unix(int64(parts[1].number), int64(int32(parts[2].number))).UTC().Format(layout), nil
	case "Duration":
		err := few()
		return time.Duration(parts[1].number).String(), err
	case "Quantity":
		err := few()
		return string(parts[1].bytes), err
	case "IntOrString":
		if err := few(); err != nil || parts[1].number == 0 {
			return int64(int32(parts[2].number)), err
		}
		return string(parts[3].bytes), nil
	case "FieldsV1", "RawExtension":
		err := few()
		if raw := parts[1].bytes; len(raw) > 0 && json.Valid(raw) {
			return json.RawMessage(raw), err
		}
		return nil, err
	}
	o := map[string]any{}
	return o, read(o, f.holds, v.bytes)
}
