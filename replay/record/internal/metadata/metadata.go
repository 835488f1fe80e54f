// Package metadata reads of the API's objects what can be read without knowing their types: the
// kind, the metadata, and what a Status says. It reads JSON, and protobuf and CBOR as
// k8s.io/apimachinery encodes them. What it reads is untrusted.
package metadata

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Form is an encoding of objects.
type Form uint8

// The encodings that a Kubernetes API server speaks.
const (
	Unsupported Form = iota // none that this package reads
	JSON                    // application/json
	Protobuf                // application/vnd.kubernetes.protobuf
	CBOR                    // application/cbor, and cbor-seq for watches
)

// FormOf returns the encoding of a Content-Type. Without one it is JSON.
func FormOf(contentType string) Form {
	media, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "", "application/json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/json-patch+json", "application/apply-patch+yaml":
		return JSON // an apply patch in YAML is not read, and most clients send JSON
	case "application/vnd.kubernetes.protobuf":
		return Protobuf
	case "application/cbor", "application/cbor-seq", "application/apply-patch+cbor":
		return CBOR
	}
	return Unsupported
}

// Object is what is read of an object that was sent or answered. Its texts are parts of what it was read from.
type Object struct {
	Kind, APIVersion []byte

	Name, GenerateName, UID, ResourceVersion []byte
	Deleted                                  []byte // the deletionTimestamp; nil where there is none

	Status Status // of the kind Status; empty for others
}

// Status is what a metav1.Status says.
type Status struct {
	Reason []byte
	UID    []byte // of the object that it is about
}

var (
	// ErrShape is returned for bytes that are not what the encoding wants.
	ErrShape = errors.New("the answer is not what its content type says")
	// ErrLong is returned if the result would be longer than it may be.
	ErrLong = errors.New("the answer holds more metadata than the recorder may keep")
)

// maxDepth is how deep CBOR may nest, as in apimachinery.
const maxDepth = 64

// Read reads an object that was sent or answered. Of one in JSON or protobuf that is cut it reads
// what is there.
func (o *Object) Read(form Form, b []byte) (err error) {
	switch form {
	case JSON:
		b = bytes.TrimSpace(b)
	case Protobuf, CBOR:
		if b, err = appendObject(nil, value{form: form, b: b, cut: form == Protobuf}); err != nil {
			return err
		}
	}
	*o = Object{}
	if form == Unsupported || len(b) == 0 || b[0] != '{' {
		return ErrShape
	}
	o.json(b)
	return nil
}

// json reads an object, or what is there of one that is cut.
func (o *Object) json(b []byte) {
	o.Kind, o.APIVersion = member(b, "kind"), member(b, "apiVersion")
	if isStatus(o.Kind, o.APIVersion) {
		o.Status.Reason = member(b, "reason")
		if from, to, ok := jsonscan.Field(b, "details"); ok {
			o.Status.UID = member(b[from:to], "uid")
		}
		return
	}
	from, to, ok := jsonscan.Field(b, "metadata")
	if !ok {
		if from, to, ok = jsonscan.Field(b, "preconditions"); !ok { // of DeleteOptions
			return
		}
	}
	m := b[from:to]
	o.Name, o.GenerateName, o.Deleted = member(m, "name"), member(m, "generateName"), member(m, "deletionTimestamp")
	o.UID, o.ResourceVersion = member(m, "uid"), member(m, "resourceVersion")
}

// member returns an object's field that is a text.
func member(b []byte, name string) []byte {
	from, to, ok := jsonscan.Field(b, name)
	if !ok || b[from] != '"' {
		return nil
	}
	quoted := b[from:to]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return nil
	}
	return []byte(s)
}

// open returns an object's kind and apiVersion, and where its fields are.
func open(v value) (kind, apiVersion []byte, fields value, err error) {
	if v.form == Protobuf {
		return unknown(v.b, v.cut)
	}
	var types [mostFields]value
	err = v.find(&types, typeMeta)
	return types[0].text(), types[1].text(), v, err
}

// appendObject appends an object as JSON: its kind, apiVersion and metadata, or all of a Status.
func appendObject(b []byte, v value) ([]byte, error) {
	kind, apiVersion, fields, err := open(v)
	if err != nil {
		return b, err
	}
	return appendTyped(b, kind, apiVersion, fields)
}

func appendTyped(b, kind, apiVersion []byte, v value) ([]byte, error) {
	b = text(append(b, '{'), "kind", kind)
	b = text(b, "apiVersion", apiVersion)
	b, err := v.appendFields(b, fieldsOf(kind, apiVersion))
	return append(b, '}'), err
}

// AppendAnswer appends what can be read of the answer to a list, as JSON: a list, or a Status.
// The result has at most that many bytes.
func AppendAnswer(b []byte, form Form, answer []byte, most int) ([]byte, error) {
	if form != Protobuf && form != CBOR {
		return b, ErrShape
	}
	if size, err := skipItem(answer, 0); form == CBOR && (err != nil || size == 0) {
		return b, ErrShape
	}
	kind, apiVersion, fields, err := open(value{form: form, b: answer})
	if err != nil {
		return b, err
	}
	var found [mostFields]value
	err = fields.find(&found, items)
	if isList := form == Protobuf && bytes.HasSuffix(kind, []byte("List")) || form == CBOR && found[0].b != nil; err != nil || !isList {
		return appendTyped(b, kind, apiVersion, fields)
	}
	most += len(b)
	b = text(append(b, '{'), "kind", kind)
	b = text(b, "apiVersion", apiVersion)
	if b, err = fields.appendFields(b, list); err != nil {
		return b, err
	}
	b = append(name(b, "items"), '[')
	all := found[0]
	if form == Protobuf {
		all = fields
	}
	p := all.parts()
	for err == nil && p.next() {
		switch {
		case form == CBOR:
			b, err = appendObject(comma(b), p.part)
		case p.number == items[0].number: // which has no type of its own
			b, err = appendTyped(comma(b), nil, nil, p.part)
		}
		if err == nil && len(b) > most {
			err = ErrLong
		}
	}
	return append(b, "]}"...), cmp.Or(err, p.err)
}

// Frame returns the length of the first event of a watch, 0 if it isn't complete. An event may have
// at most that many bytes.
func Frame(form Form, b []byte, most int) (int, error) {
	switch form {
	case Protobuf:
		return protobufFrame(b, most)
	case CBOR:
		size, err := skipItem(b, 0)
		if size > most || size == 0 && len(b) > most {
			return 0, ErrLong
		}
		return size, err
	}
	return 0, ErrShape
}

// AppendEvent appends the event of a frame as JSON.
func AppendEvent(b []byte, form Form, frame []byte) ([]byte, error) {
	switch {
	case form == Protobuf && len(frame) >= 4:
		frame = frame[4:]
	case form != CBOR:
		return b, ErrShape
	}
	var found, raw [mostFields]value
	if err := (value{form: form, b: frame}).find(&found, watchEvent); err != nil {
		return b, err
	}
	typ, object := found[0].text(), found[1]
	if len(typ) == 0 {
		return b, ErrShape
	}
	if form == Protobuf {
		if err := object.find(&raw, rawExtension); err != nil {
			return b, err
		}
		object = raw[0]
	}
	b = quote(append(b, `{"type":`...), typ)
	b = append(b, `,"object":`...)
	var err error
	if object.b == nil {
		b, err = appendTyped(b, nil, nil, object)
	} else {
		b, err = appendObject(b, object)
	}
	return append(b, '}'), err
}
