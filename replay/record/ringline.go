package record

import (
	"bytes"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// ringLine is a line of a recording, as far as a Ring needs it. Its parts are parts of the line.
type ringLine struct {
	raw       []byte
	t, id, in int64
	kind      string
	value     []byte
}

// kinds are those that a Ring looks at.
var kinds = [...]string{"req", "resp", "body", "event", "end", "call", "calling", "reconcile", "reconciled", "write", "wrote", "work", "mark", "remark", "leftOut"}

// split reads a line that the Recorder has written. The kind is "" for a header.
func split(raw []byte) (l ringLine) {
	l.raw = raw
	rest, ok := bytes.CutPrefix(raw, []byte(`{"t":`))
	if !ok {
		return l
	}
	l.t, rest = leading(rest)
	if r, ok := bytes.CutPrefix(rest, []byte(`,"id":`)); ok {
		l.id, rest = leading(r)
	}
	if r, ok := bytes.CutPrefix(rest, []byte(`,"in":`)); ok {
		l.in, rest = leading(r)
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 || end+2 > len(rest) {
		return l
	}
	for _, k := range kinds {
		if string(rest[:end]) == k {
			l.kind = k
		}
	}
	l.value = bytes.TrimSuffix(bytes.TrimSuffix(rest[end+2:], []byte("\n")), []byte("}"))
	return l
}

// leading reads the number with which b begins.
func leading(b []byte) (n int64, rest []byte) {
	i := 0
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		n = n*10 + int64(b[i]-'0')
		i++
	}
	return n, b[i:]
}

// textAt is the text of an object's first field of that name; "" for none.
func textAt(b []byte, field string) (s string) {
	jsonscan.Fields(b, func(name []byte, from, to int) bool {
		if string(name[1:len(name)-1]) != field {
			return true
		}
		s = unquoted(b[from:to])
		return false
	})
	return s
}

// eventOf takes a watch event apart: its type, and its object with perhaps something after it. API
// servers write the type first.
func eventOf(value []byte) (typ string, object []byte) {
	if rest, ok := bytes.CutPrefix(value, []byte(`{"type":"`)); ok {
		if end := bytes.IndexByte(rest, '"'); end >= 0 {
			if object, ok := bytes.CutPrefix(rest[end:], []byte(`","object":`)); ok {
				return string(rest[:end]), object
			}
		}
	}
	from, to, _ := jsonscan.Field(value, "object")
	return textAt(value, "type"), value[from:to]
}

// identity is what a Ring keeps of an object whose lines are gone.
type identity struct {
	key, rv string
	meta    string // name, namespace, uid, resourceVersion, labels and ownerReferences, as they came
}

// identified reads an object up to its metadata, and that up to managedFields. Kind and apiVersion
// are "" where they don't stand before the metadata.
func identified(object []byte) (o identity, kind, apiVersion string, initialEnd bool) {
	if m := bytes.Index(object[:min(len(object), 400)], []byte(`,"metadata":{`)); m > 0 && bytes.IndexByte(object[1:m], '{') < 0 {
		// As API servers write it. What stands before the metadata, and the metadata up to
		// managedFields, is all that is looked at.
		kind, apiVersion = textAt(object[:m], "kind"), textAt(object[:m], "apiVersion")
		meta := object[m+len(`,"metadata":`):]
		if end := bytes.Index(meta, []byte(`,"managedFields":[`)); end >= 0 {
			meta = meta[:end]
		}
		initialEnd = o.read(meta)
		return o, kind, apiVersion, initialEnd
	}
	jsonscan.Fields(object, func(name []byte, from, to int) bool {
		value := object[from:to]
		switch string(name) {
		case `"kind"`:
			kind = unquoted(value)
		case `"apiVersion"`:
			apiVersion = unquoted(value)
		case `"metadata"`:
			initialEnd = o.read(value)
			return false
		}
		return true
	})
	return o, kind, apiVersion, initialEnd
}

// read reads an ObjectMeta, and reports whether it ends the initial events of a watch.
func (o *identity) read(meta []byte) (initialEnd bool) {
	var namespace, name []byte
	kept := make([]byte, 0, 256)
	jsonscan.Fields(meta, func(field []byte, from, to int) bool {
		value := meta[from:to]
		switch string(field) {
		case `"managedFields"`:
			return o.rv == "" || name == nil // nothing that is kept comes after it
		case `"annotations"`:
			initialEnd = bytes.Contains(value, []byte(`"k8s.io/initial-events-end":"true"`))
			return true
		case `"name"`:
			name = value
		case `"namespace"`:
			namespace = value
		case `"resourceVersion"`:
			o.rv = unquoted(value)
		case `"uid"`, `"labels"`, `"ownerReferences"`:
		default:
			return true
		}
		if kept = append(kept, ','); len(kept) == 1 {
			kept[0] = '{'
		}
		kept = append(append(append(kept, field...), ':'), value...)
		return true
	})
	if len(kept) > 0 {
		o.meta = string(append(kept, '}'))
	}
	if o.key = unquoted(name); len(namespace) > 2 {
		o.key = unquoted(namespace) + "/" + o.key
	}
	return initialEnd
}

// unquoted is a JSON text; "" for what is none.
func unquoted(b []byte) string {
	if len(b) < 2 || b[0] != '"' {
		return ""
	}
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b[1 : len(b)-1])
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}
