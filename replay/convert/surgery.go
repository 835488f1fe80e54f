package convert

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/trace"
)

// setResourceVersion returns raw with another metadata.resourceVersion.
func setResourceVersion(raw []byte, rv string) []byte {
	from, to, ok := trace.Field(raw, "metadata")
	if !ok {
		return raw
	}
	metadata := raw[from:to]
	i, j, ok := trace.Field(metadata, "resourceVersion")
	if ok {
		return splice(raw, from+i, from+j, trace.AppendString(nil, rv))
	}
	return insert(raw, from, "resourceVersion", trace.AppendString(nil, rv))
}

// withKind returns raw with the kind and apiVersion that items of a list lack.
func withKind(raw []byte, r resource) []byte {
	if _, _, ok := trace.Field(raw, "apiVersion"); !ok {
		raw = insert(raw, 0, "apiVersion", trace.AppendString(nil, r.apiVersion()))
	}
	if _, _, ok := trace.Field(raw, "kind"); !ok {
		raw = insert(raw, 0, "kind", trace.AppendString(nil, r.kind))
	}
	return raw
}

// appendWithKind appends raw, which is an object that has some field, with its kind
// and apiVersion at the end: there they count, whatever it says of them before.
func appendWithKind(b, raw []byte, r resource) []byte {
	raw = bytes.TrimRight(raw, " \t\r\n")
	b = append(b, raw[:len(raw)-1]...)
	b = append(b, `,"kind":`...)
	b = trace.AppendString(b, r.kind)
	b = append(b, `,"apiVersion":`...)
	return append(trace.AppendString(b, r.apiVersion()), '}')
}

// insert adds a first field to the object that begins at raw[at].
func insert(raw []byte, at int, name string, value []byte) []byte {
	open := bytes.IndexByte(raw[at:], '{')
	if open < 0 {
		return raw
	}
	at += open + 1
	field := append(trace.AppendString(nil, name), ':')
	field = append(field, value...)
	if rest := bytes.TrimLeft(raw[at:], " \t\r\n"); len(rest) > 0 && rest[0] != '}' {
		field = append(field, ',')
	}
	return splice(raw, at, at, field)
}

// setMember returns raw with another value of a field.
func setMember(raw []byte, name string, value []byte) []byte {
	if from, to, ok := trace.Field(raw, name); ok {
		return splice(raw, from, to, value)
	}
	return insert(raw, 0, name, value)
}

// bareObject is an object with nothing but its name.
func bareObject(r resource, namespace, name, uid string) []byte {
	b := []byte{'{'}
	if r.kind != "" {
		b = append(b, `"kind":`...)
		b = append(trace.AppendString(b, r.kind), ',')
	}
	b = append(b, `"apiVersion":`...)
	b = trace.AppendString(b, r.apiVersion())
	b = append(b, `,"metadata":{"name":`...)
	b = trace.AppendString(b, name)
	if namespace != "" {
		b = trace.AppendString(append(b, `,"namespace":`...), namespace)
	}
	if uid != "" {
		b = trace.AppendString(append(b, `,"uid":`...), uid)
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

// member returns the JSON of a field, or nil if b has no such field.
func member(b []byte, name string) []byte {
	from, to, ok := trace.Field(b, name)
	if !ok {
		return nil
	}
	return b[from:to]
}

// filled reports whether b is an array with an element.
func filled(b []byte) bool {
	return len(b) > 0 && b[0] == '[' && len(bytes.TrimSpace(b[1:])) > 1
}
