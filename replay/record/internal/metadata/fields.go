package metadata

import (
	"strconv"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// kind is what stands in a field.
type kind uint8

const (
	aText kind = iota
	aNumber
	aBool
	aTime
	anObject
	objects // an array of them
	texts
	aMap // of texts
)

// field is what is read of a message of the API: its name in JSON and CBOR, and its number in protobuf.
type field struct {
	name    string
	number  int
	kind    kind
	fields  []field // of an object
	always  bool    // an object is written, though nothing is in it
	onlyKey string  // the only key of a map that is written; "" for all
}

// The messages, in the order in which their fields are written.
var (
	objectMeta = []field{
		{name: "name", number: 1}, {name: "generateName", number: 2}, {name: "namespace", number: 3}, {name: "uid", number: 5},
		{name: "resourceVersion", number: 6}, {name: "generation", number: 7, kind: aNumber},
		{name: "creationTimestamp", number: 8, kind: aTime}, {name: "deletionTimestamp", number: 9, kind: aTime},
		{name: "labels", number: 11, kind: aMap}, {name: "annotations", number: 12, kind: aMap, onlyKey: "k8s.io/initial-events-end"},
		{name: "ownerReferences", number: 13, kind: objects, fields: []field{
			{name: "apiVersion", number: 5}, {name: "kind", number: 1}, {name: "name", number: 3}, {name: "uid", number: 4},
			{name: "controller", number: 6, kind: aBool},
		}},
		{name: "finalizers", number: 14, kind: texts},
	}
	anyObject     = []field{{name: "metadata", number: 1, kind: anObject, fields: objectMeta, always: true}}
	deleteOptions = []field{{name: "preconditions", number: 2, kind: anObject, fields: []field{{name: "uid", number: 1}, {name: "resourceVersion", number: 2}}}}
	status        = []field{
		{name: "metadata", kind: anObject, always: true},
		{name: "status", number: 2}, {name: "message", number: 3}, {name: "reason", number: 4},
		{name: "details", number: 5, kind: anObject, fields: []field{
			{name: "name", number: 1}, {name: "kind", number: 3}, {name: "uid", number: 6},
			{name: "causes", number: 4, kind: objects, fields: []field{{name: "reason", number: 1}, {name: "message", number: 2}}},
			{name: "retryAfterSeconds", number: 5, kind: aNumber},
		}},
		{name: "code", number: 6, kind: aNumber},
	}
	list = []field{
		{name: "metadata", number: 1, kind: anObject, always: true, fields: []field{
			{name: "resourceVersion", number: 2}, {name: "continue", number: 3}, {name: "remainingItemCount", number: 4, kind: aNumber},
		}},
	}
	typeMeta       = []field{{name: "kind", number: 2}, {name: "apiVersion", number: 1}}
	watchEvent     = []field{{name: "type", number: 1}, {name: "object", number: 2}}
	items          = []field{{name: "items", number: 2}}
	runtimeUnknown = []field{{name: "typeMeta", number: 1}, {name: "raw", number: 2}}
	rawExtension   = []field{{name: "raw", number: 1}}
)

// mostFields is how many fields a message has at most.
const mostFields = 12

// isStatus reports whether an object is a Status.
func isStatus(kind, apiVersion []byte) bool {
	return string(kind) == "Status" && (len(apiVersion) == 0 || string(apiVersion) == "v1")
}

// fieldsOf returns the fields that are read of an object.
func fieldsOf(kind, apiVersion []byte) []field {
	switch {
	case isStatus(kind, apiVersion):
		return status
	case string(kind) == "DeleteOptions":
		return deleteOptions
	}
	return anyObject
}

// value is a value in protobuf or CBOR.
type value struct {
	form Form
	b    []byte
	n    uint64 // of a number in protobuf
	cut  bool   // its end may be missing; what is there is read
}

// parts takes a value apart: an array or a map of CBOR, a message of protobuf.
type parts struct {
	form   Form
	rest   []byte
	left   uint64 // of CBOR: how many parts there are still, or indefinite
	keyed  bool   // it is a map
	number int    // of the part that next has come to
	key    []byte // the same in CBOR
	part   value
	err    error
}

func (v value) parts() parts {
	p := parts{form: v.form, rest: v.b, part: value{form: v.form, cut: v.cut}}
	if v.form != Protobuf {
		p.elements()
	}
	return p
}

// next goes to the next part, if there is one.
func (p *parts) next() bool {
	switch {
	case p.err != nil:
		return false
	case p.form == Protobuf:
		return len(p.rest) > 0 && p.nextField()
	}
	return p.nextElement()
}

func (p *parts) fail(err error) bool {
	p.err = err
	return false
}

// find finds the fields that v has, each by its index. Of several with one name the last one counts.
func (v value) find(found *[mostFields]value, fields []field) error {
	p := v.parts()
	for p.next() {
		for i := range fields {
			if f := &fields[i]; v.form == Protobuf && f.number == p.number || v.form != Protobuf && f.name == string(p.key) {
				found[i] = p.part
				break
			}
		}
	}
	if v.cut {
		return nil
	}
	return p.err
}

func (v value) text() []byte {
	if v.form == Protobuf {
		return v.b
	}
	return str(v.b)
}

// appendFields appends the fields that v has, as members in JSON.
func (v value) appendFields(b []byte, fields []field) ([]byte, error) {
	var found [mostFields]value
	if err := v.find(&found, fields); err != nil {
		return b, err
	}
	for i := range fields {
		f, before := &fields[i], len(b)
		var err error
		b, err = v.appendField(b, f, found[i])
		if err != nil {
			if !v.cut {
				return b, err
			}
			b = b[:before]
		}
	}
	return b, nil
}

// appendField appends a field as a member in JSON, unless it is zero or empty. Part is what find has found.
func (v value) appendField(b []byte, f *field, part value) ([]byte, error) {
	if part.form == Unsupported && !f.always {
		return b, nil
	}
	var err error
	switch before := b; f.kind {
	case aText:
		b = text(b, f.name, part.text())
	case aTime:
		t := part.text()
		if part.form == Protobuf {
			t, err = protobufTime(part.b)
		}
		b = text(b, f.name, t)
	case aNumber:
		n := int64(part.n)
		if part.form == CBOR {
			n = integer(part.b)
		}
		if n != 0 {
			b = strconv.AppendInt(name(b, f.name), n, 10)
		}
	case aBool:
		if part.n != 0 || isTrue(part.b) {
			b = append(name(b, f.name), "true"...)
		}
	case anObject:
		b = append(name(b, f.name), '{')
		empty := len(b)
		if b, err = part.appendFields(b, f.fields); len(b) == empty && !f.always {
			return before, err
		}
		b = append(b, '}')
	case objects, texts, aMap:
		brackets := "[]"
		if f.kind == aMap {
			brackets = "{}"
		}
		b = append(name(b, f.name), brackets[0])
		empty := len(b)
		several := part // an array or a map, or in protobuf all fields of the number
		if part.form == Protobuf {
			several = v
		}
		p := several.parts()
		for err == nil && p.next() {
			switch {
			case part.form == Protobuf && p.number != f.number:
			case f.kind == objects:
				b, err = p.part.appendFields(append(comma(b), '{'), f.fields)
				b = append(b, '}')
			case f.kind == texts:
				b = quote(comma(b), p.part.text())
			default:
				key, item := p.key, p.part
				if part.form == Protobuf {
					key, item, err = p.part.pair()
				}
				if f.onlyKey == "" || f.onlyKey == string(key) {
					b = quote(append(quote(comma(b), key), ':'), item.text())
				}
			}
		}
		if p.err != nil && !v.cut {
			err = p.err
		}
		if len(b) == empty {
			return before, err
		}
		b = append(b, brackets[1])
	}
	return b, err
}

// comma appends what must stand between two members.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last != '{' && last != '[' {
		return append(b, ',')
	}
	return b
}

func name(b []byte, name string) []byte {
	return append(jsonscan.AppendString(comma(b), name), ':')
}

func quote(b, s []byte) []byte { return jsonscan.AppendString(b, string(s)) }

// text appends a member, unless it is nil or empty.
func text(b []byte, field string, s []byte) []byte {
	if len(s) == 0 {
		return b
	}
	return quote(name(b, field), s)
}
