// Package api has what the converters know of Kubernetes' API: the resources that requests
// ask for, and the JSON of objects, which is looked at and changed without decoding it.
package api

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Resource is what a request asks for.
type Resource struct {
	Group, Version, Resource string
	Kind                     string // of its objects
	Namespace                string // "" for all
	Query                    string // more of the request's query, such as "labelSelector=app%3Dweb"
}

// ResourceOf guesses the resource from a kind of object, as discovery would tell
// it (meta.UnsafeGuessKindToResource).
func ResourceOf(apiVersion, kind string) Resource {
	r := Resource{Version: apiVersion, Resource: trace.Plural(kind), Kind: kind}
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		r.Group, r.Version = group, version
	}
	if r.Version == "" {
		r.Version = "v1"
	}
	return r
}

// APIVersion returns the resource's group and version, as objects have them.
func (r Resource) APIVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// URL returns the path of a request for r, with more of a query.
func (r Resource) URL(query string) string {
	path := trace.Path{Group: r.Group, Version: r.Version, Namespace: r.Namespace, Resource: r.Resource}.All()
	query = strings.Trim(query+"&"+r.Query, "&")
	if query != "" {
		path += "?" + query
	}
	return path
}

// WithoutKind returns r without its Kind, which no request contains.
func (r Resource) WithoutKind() Resource {
	r.Kind = ""
	return r
}

// EqualWithoutKind reports whether r is q, apart from their Kinds.
func (r *Resource) EqualWithoutKind(q *Resource) bool {
	return r.Resource == q.Resource && r.Group == q.Group && r.Version == q.Version && r.Namespace == q.Namespace && r.Query == q.Query
}

// Cloned returns r with strings of its own.
func (r Resource) Cloned() Resource {
	for _, s := range []*string{&r.Group, &r.Version, &r.Resource, &r.Kind, &r.Namespace, &r.Query} {
		*s = strings.Clone(*s)
	}
	return r
}

// Number returns a resourceVersion as a revision of etcd, or 0 if it is no number.
func Number(rv string) uint64 {
	n, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Itoa returns n in decimal.
func Itoa(n int64) string { return strconv.FormatInt(n, 10) }

// ParsePath returns what a URL of the API server asks for. ok is false for all that is no
// list and no watch: single objects, subresources, discovery. path is the URL
// without the host; a proxy's prefix stays before it.
func ParsePath(url string) (path string, r Resource, watch, ok bool) {
	path, _, _ = strings.Cut(url, "#")
	p, ok := trace.ParsePath(path)
	if !ok || p.Name != "" || p.Subresource != "" || !isVersion(p.Version) {
		return "", r, false, false
	}
	names, query, _ := strings.Cut(path, "?")
	if _, rest, found := strings.Cut(names, "://"); found {
		path = path[len(names)-len(rest)+strings.IndexByte(rest, '/'):]
	}
	watch = p.Watch
	for field := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(field, "=")
		watch = watch || name == "watch" && (value == "1" || strings.EqualFold(value, "true"))
	}
	return path, Resource{Group: p.Group, Version: p.Version, Resource: p.Resource, Namespace: p.Namespace}, watch, true
}

// isVersion reports whether s is the version of an API, as v1 or v1beta2.
func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && s[1] >= '1' && s[1] <= '9'
}

// ErrNotJSON says that an input is no JSON.
const ErrNotJSON = fault.Plain("notJSON")

// ErrTooDeep says that an input nests too deeply.
var ErrTooDeep = fault.Number("deepValue max", jsonscan.MaxDepth)

// Sound returns what is wrong with b if it is not JSON, or nests too deep.
func Sound(b []byte) error {
	if err := jsonscan.Check(b); err != nil {
		return Undecoded(err)
	}
	return nil
}

// Undecoded returns err, or ErrNotJSON or ErrTooDeep where err says where a text is not JSON.
func Undecoded(err error) error {
	var syntax *jsonscan.SyntaxError
	switch {
	case !errors.As(err, &syntax):
		return err
	case syntax.IsTooDeep():
		return ErrTooDeep
	}
	return ErrNotJSON
}

// Decode reads b, which nests no deeper than jsonscan.MaxDepth, into v without copying strings out of b: they hold
// only until b changes. It is for what is read seldom: types that a jsonscan.Reader reads are quicker.
func Decode(b []byte, v any) error {
	if err := json.UnmarshalWithOption(b, v, json.DecodeNoCopyString()); err != nil {
		return decodeError{err}
	}
	return nil
}

// decodeError is a decoder's error in terms of JSON, without the names of Go's types.
type decodeError struct{ err error }

// Unwrap returns the decoder's own error.
func (e decodeError) Unwrap() error { return e.err }

// Error returns the English sentence.
func (e decodeError) Error() string { return e.Fault().Error() }

// Fault returns the error with an id.
func (e decodeError) Fault() error {
	var kind *json.UnmarshalTypeError
	if errors.As(e.err, &kind) {
		word, _, _ := strings.Cut(kind.Value, " ")
		wanted := kindOf(kind.Type.Kind().String())
		if wanted == aNumber {
			wanted = fault.Plain("aWholeNumber")
		}
		if kind.Field == "" {
			return fault.New("valueKind found wanted", kindOf(word), wanted)
		}
		return fault.New("fieldKind name found wanted", kind.Field, kindOf(word), wanted)
	}
	says := strings.TrimPrefix(e.err.Error(), "json: ")
	if strings.Contains(says, "unexpected end") {
		return fault.Plain("jsonCut")
	}
	return fault.Named("notJSONBut text", says)
}

const aNumber = fault.Plain("aNumber")

// kindOf returns what JSON calls a kind of value, by its name in JSON or in Go.
func kindOf(name string) fault.Plain {
	switch name {
	case "string":
		return fault.Plain("aString")
	case "bool":
		return fault.Plain("aBool")
	case "slice", "array":
		return fault.Plain("anArray")
	case "map", "struct", "ptr", "object":
		return fault.Plain("anyObject")
	}
	return aNumber
}

// Member returns the JSON of a field, or nil if b has no such field.
func Member(b []byte, name string) []byte {
	from, to, ok := jsonscan.Field(b, name)
	if !ok {
		return nil
	}
	return b[from:to]
}

// FirstField returns the text of a field of the object that begins head, or "" if there
// is none.
func FirstField(head []byte, name string) string {
	from, to, ok := jsonscan.Field(head, name)
	if !ok {
		return ""
	}
	s, _ := jsonscan.Unquote(head[from:to])
	return s
}

// Filled reports whether b is an array with an element.
func Filled(b []byte) bool {
	return len(b) > 0 && b[0] == '[' && len(bytes.TrimSpace(b[1:])) > 1
}

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

// AddKind returns raw with the kind and apiVersion that items of a list lack.
func AddKind(raw []byte, r Resource) []byte {
	if _, _, ok := jsonscan.Field(raw, "apiVersion"); !ok {
		raw = Insert(raw, 0, "apiVersion", jsonscan.AppendString(nil, r.APIVersion()))
	}
	if _, _, ok := jsonscan.Field(raw, "kind"); !ok {
		raw = Insert(raw, 0, "kind", jsonscan.AppendString(nil, r.Kind))
	}
	return raw
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
