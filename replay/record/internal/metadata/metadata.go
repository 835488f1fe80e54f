// Package metadata reads of the API's objects what can be read without knowing their types: the
// kind, the metadata, and what a Status says. It reads JSON, and protobuf and CBOR as
// k8s.io/apimachinery encodes them. What it reads is untrusted.
package metadata

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"time"

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
