package api

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// SetResourceVersion returns raw with another metadata.resourceVersion.
func SetResourceVersion(raw []byte, rv string) []byte {
	from, to, ok := jsonscan.Field(raw, "metadata")
	if !ok {
		return raw
	}
	metadata := raw[from:to]
	i, j, ok := jsonscan.Field(metadata, "resourceVersion")
	if ok {
		return splice(raw, from+i, from+j, jsonscan.AppendString(nil, rv))
	}
	return Insert(raw, from, "resourceVersion", jsonscan.AppendString(nil, rv))
}

// WithKind returns raw with the kind and apiVersion that items of a list lack.
func WithKind(raw []byte, r Resource) []byte {
	if _, _, ok := jsonscan.Field(raw, "apiVersion"); !ok {
		raw = Insert(raw, 0, "apiVersion", jsonscan.AppendString(nil, r.APIVersion()))
	}
	if _, _, ok := jsonscan.Field(raw, "kind"); !ok {
		raw = Insert(raw, 0, "kind", jsonscan.AppendString(nil, r.Kind))
	}
	return raw
}

// AppendWithKind appends raw, which is an object that has some field, with its kind
// and apiVersion at the end: there they count, whatever it says of them before.
func AppendWithKind(b, raw []byte, r Resource) []byte {
	raw = bytes.TrimRight(raw, " \t\r\n")
	b = append(b, raw[:len(raw)-1]...)
	b = append(b, `,"kind":`...)
	b = jsonscan.AppendString(b, r.Kind)
	b = append(b, `,"apiVersion":`...)
	return append(jsonscan.AppendString(b, r.APIVersion()), '}')
}

// Insert adds a first field to the object that begins at raw[at].
func Insert(raw []byte, at int, name string, value []byte) []byte {
	open := bytes.IndexByte(raw[at:], '{')
	if open < 0 {
		return raw
	}
	at += open + 1
	field := append(jsonscan.AppendString(nil, name), ':')
	field = append(field, value...)
	if rest := bytes.TrimLeft(raw[at:], " \t\r\n"); len(rest) > 0 && rest[0] != '}' {
		field = append(field, ',')
	}
	return splice(raw, at, at, field)
}

// SetMember returns raw with another value of a field.
func SetMember(raw []byte, name string, value []byte) []byte {
	if from, to, ok := jsonscan.Field(raw, name); ok {
		return splice(raw, from, to, value)
	}
	return Insert(raw, 0, name, value)
}

// BareObject returns an object with nothing but its name.
func BareObject(r Resource, namespace, name, uid string) []byte {
	b := []byte{'{'}
	if r.Kind != "" {
		b = append(b, `"kind":`...)
		b = append(jsonscan.AppendString(b, r.Kind), ',')
	}
	b = append(b, `"apiVersion":`...)
	b = jsonscan.AppendString(b, r.APIVersion())
	b = append(b, `,"metadata":{"name":`...)
	b = jsonscan.AppendString(b, name)
	if namespace != "" {
		b = jsonscan.AppendString(append(b, `,"namespace":`...), namespace)
	}
	if uid != "" {
		b = jsonscan.AppendString(append(b, `,"uid":`...), uid)
	}
	return append(b, "}}"...)
}

// splice returns raw with raw[from:to] replaced.
func splice(raw []byte, from, to int, by []byte) []byte {
	out := make([]byte, 0, len(raw)-(to-from)+len(by))
	out = append(out, raw[:from]...)
	out = append(out, by...)
	return append(out, raw[to:]...)
}
