package metadata

import (
	"bytes"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Read reads an object that was sent or answered. Of one in JSON or protobuf that is cut it reads
// what is there.
func (o *Object) Read(form Form, b []byte) error {
	o.reset()
	switch form {
	case JSON:
		return o.json(bytes.TrimSpace(b))
	case Protobuf:
		return o.protobuf(b, true)
	case CBOR:
		return o.cbor(b)
	}
	return ErrShape
}

// AppendAnswer appends what can be read of the answer to a list, as JSON: a list, or a Status.
// The result has at most that many bytes.
func (o *Object) AppendAnswer(dst []byte, form Form, b []byte, most int) ([]byte, error) {
	o.reset()
	switch form {
	case Protobuf:
		kind, _, _, err := unknown(b, false)
		if err != nil {
			return dst, err
		}
		if bytes.HasSuffix(kind, []byte("List")) {
			return o.protobufList(dst, b, len(dst)+most)
		}
		err = o.protobuf(b, false)
		return o.AppendJSON(dst), err
	case CBOR:
		if size, err := skipItem(b, 0); err != nil || size == 0 {
			return dst, ErrShape
		}
		isList := false
		err := elements(b, func(key, _ []byte) error {
			isList = isList || string(key) == "items"
			return nil
		})
		if err != nil {
			return dst, err
		}
		if isList {
			return o.cborList(dst, b, len(dst)+most)
		}
		err = o.cbor(b)
		return o.AppendJSON(dst), err
	}
	return dst, ErrShape
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
func (o *Object) AppendEvent(dst []byte, form Form, frame []byte) ([]byte, error) {
	o.reset()
	var typ []byte
	var err error
	switch {
	case form == Protobuf && len(frame) >= 4:
		typ, err = o.protobufEvent(frame[4:])
	case form == CBOR:
		typ, err = o.cborEvent(frame)
	default:
		return dst, ErrShape
	}
	if err != nil {
		return dst, err
	}
	if len(typ) == 0 {
		return dst, ErrShape
	}
	dst = quote(append(dst, `{"type":`...), typ)
	return append(o.AppendJSON(append(dst, `,"object":`...)), '}'), nil
}

// json reads an object, or what is there of one that is cut. It reads no labels, owners and
// finalizers, which are recorded as they come.
func (o *Object) json(b []byte) error {
	if len(b) == 0 || b[0] != '{' {
		return ErrShape
	}
	o.Kind, o.APIVersion = member(b, "kind"), member(b, "apiVersion")
	if o.isStatus() {
		o.Status.Reason, o.Status.Status = member(b, "reason"), member(b, "status")
		if from, to, ok := jsonscan.Field(b, "details"); ok {
			o.Status.Name, o.Status.UID = member(b[from:to], "name"), member(b[from:to], "uid")
		}
		return nil
	}
	from, to, ok := jsonscan.Field(b, "metadata")
	if !ok {
		if from, to, ok = jsonscan.Field(b, "preconditions"); !ok { // of DeleteOptions
			return nil
		}
	}
	m := b[from:to]
	o.Name, o.GenerateName, o.Namespace = member(m, "name"), member(m, "generateName"), member(m, "namespace")
	o.UID, o.ResourceVersion, o.Deleted = member(m, "uid"), member(m, "resourceVersion"), member(m, "deletionTimestamp")
	return nil
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
