package objects

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Payload is an object of the API, a list, or an event about an object. An event may have any names for its
// fields, as programs log them.
var Payload = capture.Payload{
	Extract: func(b []byte) []byte {
		switch kind := api.FirstField(b, "kind"); {
		case kind == admissionReview:
			return b
		case kind == "" && api.Member(b, "oldObject") != nil && api.FirstField(b, "operation") != "": // what a webhook logs of the review
			return slices.Concat([]byte(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":`), b, []byte{'}'})
		case api.FirstField(b, "type") != "" && kind == "" && named(api.Member(api.Member(b, "object"), "metadata")):
			if b[0] == '{' && !bytes.HasPrefix(bytes.TrimLeft(b[1:], " \t\r\n"), []byte(`"type"`)) { // another field comes first: it may be a line of a log
				return eventOf(api.FirstField(b, "type"), api.Member(b, "object"))
			}
			return b
		case kind != "" && (api.Member(b, "items") != nil || named(api.Member(b, "metadata"))):
			return b
		case Kindless(b), kind == "" && isKindlessList(b):
			return b
		}
		if b[0] == '[' { // a word and an object
			b = append(append([]byte(`{"type":`), bytes.TrimLeft(b[1:len(b)-1], " ")...), '}')
			if b = bytes.Replace(b, []byte(`",`), []byte(`","object":`), 1); !jsonscan.Valid(b) {
				return nil
			}
			if typ, ok := verbOf(api.FirstField(b, "type")); !ok || typ == "" {
				return nil
			}
		}
		if len(objectsByName(b)) > 0 {
			return b
		}
		if verb, object := loggedEvent(b); object != nil {
			return eventOf(verb, object)
		}
		return nil
	},
	After: func(prefix, b []byte) []byte {
		verb, object := loggedEvent(b)
		if typ, ok := verbBefore(prefix); ok && api.Member(b, "items") == nil && verb == "" && object == nil {
			return eventOf(typ, b)
		}
		return b
	},
	Stamped: true,
}

// verbs are the words for what happened to an object, as programs that have an informer or a watch print
// them. Those without a type don't tell whether the object is new or has changed.
var verbs = map[string]string{
	"added": "ADDED", "add": "ADDED", "create": "ADDED", "created": "ADDED", "new": "ADDED", "insert": "ADDED",
	"modified": "MODIFIED", "modify": "MODIFIED", "update": "MODIFIED", "updated": "MODIFIED", "change": "MODIFIED", "changed": "MODIFIED",
	"deleted": "DELETED", "delete": "DELETED", "remove": "DELETED", "removed": "DELETED",
	"bookmark": "BOOKMARK", "error": "ERROR",
	"sync": "", "applied": "", "synced": "", "resync": "", "replace": "", "replaced": "",
}

// verbOf returns the type of watch event that a word stands for.
func verbOf(word string) (typ string, ok bool) {
	word = strings.ToLower(word)
	if typ, ok = verbs[word]; ok {
		return typ, true
	}
	rest, on := strings.CutPrefix(word, "on")
	if typ, ok = verbs[rest]; ok && on {
		return typ, true
	}
	return "", false
}

// isWatchType reports whether the API server sends events of that type.
func isWatchType(s string) bool { return s != "" && verbs[strings.ToLower(s)] == s }

// verbFields and objectFields are what such programs call what happened, and what it happened to, as it is
// now. Names are compared in small letters and without _.
var (
	verbFields   = []string{"type", "watchevent", "event", "eventtype", "action", "op", "operation", "verb", "phase", "msg", "message"}
	objectFields = []string{"rawobject", "object", "newobject", "newobj", "new", "obj", "apiobj", "resource", "item", "current", "after"}
	formerFields = []string{"old", "oldobject", "oldobj", "previous", "before"}
)

// loggedEvent takes apart an event that a program logs: what happened, "" where it isn't said, and the object; nil
// where there is none.
func loggedEvent(b []byte) (verb string, object []byte) {
	best := len(objectFields) + 2 // the index in objectFields; then objects with another name, and former ones
	bestVerb := len(verbFields)
	jsonscan.Fields(b, func(key []byte, from, to int) bool {
		name := strings.ToLower(strings.ReplaceAll(string(key[1:len(key)-1]), "_", ""))
		v := b[from:to]
		if bytes.HasPrefix(v, []byte(`"{`)) { // an object as text
			if s, ok := jsonscan.Unquote(v); ok && jsonscan.Valid([]byte(s)) {
				v = []byte(s)
			}
		}
		switch {
		case from == to: // it is damaged
		case v[0] == '"':
			i := slices.Index(verbFields, name)
			s, _ := jsonscan.Unquote(v)
			if typ, ok := lastVerb(s); ok && i >= 0 && i < bestVerb {
				verb, bestVerb = typ, i
			}
		case v[0] == '{':
			if typ, ok := verbOf(name); ok && bestVerb == len(verbFields) { // as kube of Rust has it
				verb, bestVerb = typ, len(verbFields)-1
			}
			rank := slices.Index(objectFields, name)
			if rank < 0 {
				rank = len(objectFields)
			}
			if slices.Contains(formerFields, name) {
				rank = len(objectFields) + 1
			}
			if rank < best && (Kindless(v) || api.FirstField(v, "kind") != "" && api.Member(v, "metadata") != nil || api.FirstField(v, "api_version") != "") {
				object, best = v, rank
			}
		}
		return true
	})
	if bestVerb == len(verbFields) {
		verb = ""
	}
	return verb, object
}

// admissionReview is the kind of what the API server asks an admission webhook.
const admissionReview = "AdmissionReview"

// reviewed returns the event that an admission webhook was asked about, nil where nothing is to be stored: in an answer, in a dry run,
// of a connection, and of what is no field of the object itself.
func (c *Reader) reviewed(request []byte) ([]byte, error) {
	typ := map[string]string{"CREATE": "ADDED", "UPDATE": "MODIFIED", "DELETE": "DELETED"}[api.FirstField(request, "operation")]
	name := "object"
	if typ == "DELETED" {
		name = "oldObject"
	}
	object := api.Member(request, name)
	sub := api.FirstField(request, "subResource")
	if typ == "" || len(object) < 2 || object[0] != '{' || string(api.Member(request, "dryRun")) == "true" || sub != "" && sub != "status" {
		return nil, nil
	}
	if err := c.Remark(remarks.Admission, 0, ""); err != nil {
		return nil, capture.Fatal(err)
	}
	kind := api.Member(request, "kind")
	apiVersion := strings.TrimPrefix(api.FirstField(kind, "group")+"/"+api.FirstField(kind, "version"), "/")
	object, err := c.kinded(withKind(object, apiVersion, api.FirstField(kind, "kind")))
	if object == nil || err != nil {
		return nil, err
	}
	return eventOf(typ, object), nil
}

// objectsByName returns the objects of a value all of whose fields have objects with their kinds, such as a map by their names.
// It returns nil for any other value, and where the names say what an object is to another one.
func objectsByName(b []byte) (all [][]byte) {
	whole := true
	jsonscan.Fields(b, func(key []byte, from, to int) bool {
		v, name := b[from:to], strings.ToLower(strings.Trim(string(key), `"`))
		_, verb := verbOf(name)
		whole = from < to && v[0] == '{' && api.FirstField(v, "kind") != "" && named(api.Member(v, "metadata")) && !verb &&
			!slices.Contains(objectFields, name) && !slices.Contains(formerFields, name)
		all = append(all, v)
		return whole
	})
	if !whole || len(all) < 2 {
		return nil
	}
	return all
}

// verbBefore returns the type that the last word before an object stands for.
func verbBefore(prefix []byte) (typ string, ok bool) {
	return lastVerb(strings.TrimRight(string(prefix[max(0, len(prefix)-100):]), " :=\r"))
}

// SaysVerb reports whether a line that stands above an object says what happened to it.
func SaysVerb(line []byte) bool {
	_, ok := verbBefore(line)
	return ok
}

// lastVerb returns the type that the last word of a text stands for, or else one that is a type as the API server writes it.
func lastVerb(s string) (typ string, ok bool) {
	if len(s) > 100 {
		return "", false
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t:.", r) })
	if i := slices.IndexFunc(words, isWatchType); i >= 0 {
		typ = words[i]
	}
	if n := len(words); n > 0 {
		if last, ok := verbOf(words[n-1]); ok {
			return last, true
		}
	}
	return typ, typ != ""
}

// eventOf returns a watch event, or the object where its type isn't known.
func eventOf(typ string, object []byte) []byte {
	if typ == "" {
		return object
	}
	b := append([]byte(`{"type":"`), typ...)
	b = append(b, `","object":`...)
	b = append(b, object...)
	return append(b, '}')
}

// asWritten returns a value as the API server would have written it: fields that a client of Python has renamed have
// their names again, and what the kinds of objects are is found out. It returns nil where b is nothing of
// that kind. An error says what is missing.
func (c *Reader) asWritten(b []byte) ([]byte, error) {
	if bytes.Contains(b, []byte(`"api_version"`)) || bytes.Contains(b, []byte(`"resource_version"`)) {
		if err := c.Remark(remarks.PythonNames, 0, ""); err != nil {
			return nil, capture.Fatal(err)
		}
		b = renamed(b)
	}
	if m := api.Member(b, "metadata"); m != nil && api.Member(b, "object") == nil && api.Member(b, "Object") == nil {
		if items := api.Member(b, "items"); items != nil {
			return c.kindedList(b, items)
		}
		if !named(m) {
			return nil, nil
		}
		return c.kinded(b)
	}
	if api.FirstField(b, "kind") == admissionReview {
		return c.reviewed(api.Member(b, "request"))
	}
	verb, object := loggedEvent(b)
	if object == nil {
		return c.unnamed(b)
	}
	typ := api.FirstField(b, "type") + api.FirstField(b, "Type")
	if _, known := lastVerb(typ); known && !isWatchType(typ) {
		if err := c.Remark(remarks.TypesReadAs, 0, typ); err != nil {
			return nil, capture.Fatal(err)
		}
	}
	object, err := c.kinded(object)
	if object == nil || err != nil {
		return nil, err
	}
	return eventOf(verb, object), nil
}

// unnamed returns a watch event of Go's whose object has no name and no kind: an error, or a bookmark, which has
// the kind of the objects before it.
func (c *Reader) unnamed(b []byte) ([]byte, error) {
	typ := cmp.Or(api.FirstField(b, "type"), api.FirstField(b, "Type"))
	object := api.Member(b, "object")
	if object == nil {
		object = api.Member(b, "Object")
	}
	var err error
	switch {
	case typ == "ERROR":
		object = api.AddKind(object, api.Resource{Version: "v1", Kind: "Status"})
	case typ == "BOOKMARK" && api.FirstField(api.Member(object, "metadata"), "resourceVersion") != "":
		object, err = c.kinded(object)
	default:
		return nil, nil
	}
	if object == nil || err != nil {
		return nil, err
	}
	return eventOf(typ, object), nil
}

// errNoKind says that the kind of an object isn't known.
const errNoKind = fault.Plain("noKind")

// kinded returns an object with its kind.
func (c *Reader) kinded(raw []byte) ([]byte, error) {
	if api.FirstField(raw, "kind") != "" && api.FirstField(raw, "apiVersion") != "" {
		return raw, nil
	}
	apiVersion, kind := c.kindOf(raw)
	if said := api.FirstField(raw, "kind"); said != "" {
		kind = said
		if apiVersion = kindNamed(said, managedBy(raw)).apiVersion; apiVersion == "" {
			apiVersion = "v1"
		}
	}
	if kind == "" {
		return nil, errNoKind
	}
	return withKind(raw, apiVersion, kind), nil
}

// withKind returns an object with a kind that it doesn't have, or has empty.
func withKind(raw []byte, apiVersion, kind string) []byte {
	for _, x := range [][2]string{{"apiVersion", apiVersion}, {"kind", kind}} {
		if api.FirstField(raw, x[0]) == "" {
			raw = api.SetMember(raw, x[0], jsonscan.AppendString(nil, x[1]))
		}
	}
	return raw
}

// kindedList returns a list with the kind that its items have.
func (c *Reader) kindedList(b, items []byte) ([]byte, error) {
	first := jsonscan.FirstElement(items)
	switch {
	case strings.HasSuffix(api.FirstField(b, "kind"), "List"):
		return withKind(b, "v1", ""), nil
	case api.FirstField(first, "kind") != "":
		return withKind(b, "v1", "List"), nil
	}
	apiVersion, kind := c.kindOf(first)
	if kind == "" {
		return nil, errNoKind
	}
	return withKind(b, apiVersion, kind+"List"), nil
}

// freeFields are those whose own fields are names of the user's, in snake case.
var freeFields = []string{
	"labels", "annotations", "data", "string_data", "binary_data", "node_selector", "match_labels", "limits", "requests", "capacity", "allocatable", "hard", "used",
	"default", "default_request", "max", "min", "max_limit_request_ratio", "parameters", "volume_attributes", "options", "extra", "fields_v1", "allocated_resources", "overhead",
}

// endings are parts of names that are written in capitals, in the names of the API.
var endings = [][2]string{
	{"_i_ps", "IPs"}, {"_cid_rs", "CIDRs"}, {"_ur_ls", "URLs"}, {"_ww_ns", "WWNs"}, {"_ip", "IP"}, {"_id", "ID"}, {"_uuid", "UUID"}, {"_uri", "URI"}, {"_cidr", "CIDR"},
	{"_ipc", "IPC"}, {"_pid", "PID"}, {"_apiv3_schema", "APIV3Schema"}, {"_url", "URL"},
}

// camel returns the API's name of a field that a client of Python has renamed.
func camel(name string) string {
	name = strings.TrimPrefix(name, "_")
	if !strings.Contains(name, "_") {
		return name
	}
	if rest, ok := strings.CutPrefix(name, "x_kubernetes_"); ok {
		return "x-kubernetes-" + strings.ReplaceAll(rest, "_", "-")
	}
	end := ""
	for _, e := range endings {
		if rest, ok := strings.CutSuffix(name, e[0]); ok {
			name, end = rest, e[1]
			break
		}
	}
	var b strings.Builder
	for i, part := range strings.Split(name, "_") {
		if i > 0 && part != "" {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	return b.String() + end
}

// renamed returns JSON with the API's names of its fields, and without the fields that are null, since the
// client of Python writes all that a type has. b must be JSON that nests no deeper than jsonscan.MaxDepth.
func renamed(b []byte) []byte { return appendRenamed(nil, b, "") }

// appendRenamed appends the value of a field.
func appendRenamed(out, b []byte, field string) []byte {
	switch {
	case len(b) == 0:
		return out
	case slices.Contains(freeFields, field), field == "selector" && api.Member(b, "match_labels") == nil && api.Member(b, "match_expressions") == nil:
		return append(out, b...)
	case b[0] == '{':
		out = append(out, '{')
		begun := false
		jsonscan.Fields(b, func(key []byte, from, to int) bool {
			if string(b[from:to]) == "null" {
				return true
			}
			if begun {
				out = append(out, ',')
			}
			begun = true
			name, _ := jsonscan.Unquote(key)
			out = append(jsonscan.AppendString(out, camel(name)), ':')
			out = appendRenamed(out, b[from:to], name)
			return true
		})
		return append(out, '}')
	case b[0] == '[':
		out = append(out, '[')
		jsonscan.Elements(b, func(i, from, to int) bool {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendRenamed(out, b[from:to], "")
			return true
		})
		return append(out, ']')
	case strings.HasSuffix(field, "_timestamp") || strings.HasSuffix(field, "_time"):
		if len(b) > 12 && b[11] == ' ' { // what str makes of a datetime
			b = bytes.Replace(bytes.Replace(b, []byte{' '}, []byte{'T'}, 1), []byte("+00:00"), []byte{'Z'}, 1)
		}
	}
	return append(out, b...)
}
