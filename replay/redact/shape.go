package redact

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// named returns the value of a field of the object at n, -1 if there is none.
func (r *Redactor) named(n int32, name string) int32 {
	if r.tape.First(n) == '{' {
		for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
			if jsonscan.IsKey(r.tape.Text(k), name) {
				return k + 1
			}
		}
	}
	return -1
}

// spot is where the value stands whose shape is made.
type spot struct {
	place, anywhere *node  // where the list has it, and where it has it anywhere
	name            *key   // of its field
	object          bool   // it is an object of the API
	kind            string // what the object is
	hidden          bool   // the value is in a map whose keys users choose: all of it becomes tokens, except what the list keeps
	binary          bool   // it is base64
}

// value makes the shape of a value.
func (r *Redactor) value(v int32, s spot) {
	switch c := r.tape.First(v); {
	case c == '"' && !s.hidden:
		if s.anywhere != nil && (s.place == nil || s.place.form == nil) {
			s.place = s.anywhere
		}
		r.leaf(v, s.place, s.name)
	case r.tape.Nodes[v].Next == v+1:
		if s.hidden && c != '{' && c != '[' && c != 'n' {
			r.token(v, s.binary)
		}
	case c == '[':
		for x := v + 1; x < r.tape.Nodes[v].Next; x = r.tape.Nodes[x].Next {
			r.value(x, s)
		}
	default:
		if s.object = s.place.hasForm(asObject); s.object {
			s.kind = r.kind(v, s.kind)
			s.place, s.anywhere = cmp.Or(r.kinds[s.kind], r.object), nil
		}
		for k := v + 1; k < r.tape.Nodes[v].Next; k = r.tape.Nodes[k+1].Next {
			r.field(k, s)
		}
	}
}

// kind returns what the object at n says that it is, or what it is if it doesn't say so, as in lists.
func (r *Redactor) kind(n int32, is string) string {
	if v := r.named(n, "kind"); v >= 0 && r.tape.First(v) == '"' {
		if text, _ := r.textOf(v); asKind.looks(text) {
			return string(text)
		}
	}
	return is
}

// listed returns the kind of the items of a list.
func listed(kind string) string {
	if item, ok := strings.CutSuffix(kind, "List"); ok {
		return item
	}
	return ""
}

// field makes the shape of the field k of what stands at the spot.
func (r *Redactor) field(k int32, s spot) {
	v, name := k+1, r.keys.find(r.tape.Text(k))
	next, anyway := s.place.field(name), s.anywhere.field(name)
	mapped := next != nil && next == s.place.otherFields || anyway != nil && anyway == s.anywhere.otherFields // their keys stay, too
	if anyway == nil && !s.hidden {
		anyway = name.anywhere
	}
	switch {
	case mapped && (next.hasForm(asQuantity) || anyway.hasForm(asQuantity)):
		r.leaf(k, r.quantity, name)
	case mapped:
		r.leaf(k, r.labelKey, name)
	case next != nil || anyway != nil:
	case s.hidden && !(name.public && s.place.hasForm(asUsers)), !s.hidden && !name.word:
		r.token(k, false)
	}
	to := spot{place: next, anywhere: anyway, name: name, binary: s.binary}
	if s.object {
		to.kind, to.binary = listed(s.kind), s.kind == "Secret" && name.name == "data" || name.name == "binaryData"
	}
	to.hidden = s.hidden && next == nil || r.tape.First(v) == '{' && (name.users || next.hasForm(asUsers))
	switch {
	case next.hasForm(asNothing):
		r.blank(v, next)
	case next.hasForm(asIs):
		next.n.N++
	case next.hasForm(asManaged):
		r.managed(v)
	default:
		r.value(v, to)
	}
}

// put writes text, as JSON, in the place of the node n.
func (r *Redactor) put(n int32, text string) {
	x := r.tape.Nodes[n]
	r.out = append(append(r.out, r.tape.B[r.written:x.From]...), text...)
	r.written = x.To
}

// managed takes out managedFields: their names and values are the object's. Their size stays, and whether they
// are the same.
func (r *Redactor) managed(v int32) {
	if r.tape.Nodes[v].Next == v+1 && r.tape.First(v) != '"' {
		return
	}
	const before, after = `[{"fieldsV1":{"`, `":{}}}]`
	b := r.tape.Text(v)
	r.put(v, before)
	r.out = append(r.tokens.append(r.out, b, len(b)-len(before)-len(after)), after...)
	r.counts.managed.N++
}

// blanks are what is left, by its first byte, of a value that the user wants out. Another is a number.
var blanks = map[byte]string{'{': "{}", '[': "[]", 't': "false", 'f': "false", '"': placeholder}

// blank takes out a value that the user wants out, and leaves one of its type.
func (r *Redactor) blank(v int32, at *node) {
	c := r.tape.First(v)
	if c == 'n' {
		return
	}
	at.n.N++
	r.put(v, cmp.Or(blanks[c], "0"))
}

// token puts a token in the place of the value or the name at n.
func (r *Redactor) token(n int32, binary bool) {
	text, size := r.textOf(n)
	if size == 0 {
		return
	}
	r.counts.tokens.N++
	r.put(n, `"`)
	if binary {
		r.out = r.tokens.appendBase64(r.out, text, size)
	} else {
		r.out = r.tokens.append(r.out, text, size)
	}
	r.out = append(r.out, '"')
}

// textOf returns what the string at n says, and how many bytes it has as JSON. It holds until the next call.
func (r *Redactor) textOf(n int32) (text []byte, size int) {
	b := r.tape.Text(n)
	if b[0] != '"' {
		return b, len(b)
	}
	text, size = unquoted(r.plain, b)
	if len(text) > 0 && len(b) > 2 && &text[0] != &b[1] {
		r.plain = text
	}
	return text, size
}

// leaf makes the shape of the string at v. At is its place in the list, nil for none.
func (r *Redactor) leaf(v int32, at *node, name *key) {
	text, size := r.textOf(v)
	if size == 0 {
		return
	}
	if at == nil || at.form == nil {
		switch {
		case name.enum != nil && size <= longestEnum && name.enum[string(text)]:
			r.counts.enums.N++
		case name.time && isTime(text):
			r.counts.times.N++
		default:
			r.token(v, name.name == "caBundle")
		}
		return
	}
	switch f := at.form; {
	case f == asCut:
		r.counts.cut.N++
		r.put(v, `""`)
		return
	case f.writes != nil:
		at.n.N++
		r.buf = f.writes(r, r.buf[:0], text)
	case f == asEnum && !name.enum[string(text)], f.looks != nil && !f.looks(text):
		r.token(v, false)
		return
	case f.renames != nil && r.o.Names:
		r.counts.names.N++
		r.buf = f.renames(r, r.buf[:0], text)
	default:
		at.n.N++
		return
	}
	r.put(v, "")
	r.out = quote(r.out, r.buf)
}

// quote appends text as a string of JSON.
func quote(out, text []byte) []byte { return jsonscan.AppendString(out, string(text)) }

// form is what a kept text must look like. A text of another look becomes a token: what a list keeps is then
// what the list means, and a field of the same name in a kind of somebody's own gives nothing away.
type form struct {
	looks   func(s []byte) bool                     // of texts that stay as they are
	writes  func(r *Redactor, out, s []byte) []byte // appends what stays of any text
	renames func(r *Redactor, out, s []byte) []byte // appends what stands for the text with Options.Names
}

// The forms that more is known of than what list.txt says.
var (
	asName        = &form{looks: name, renames: (*Redactor).renamed}                                        // of an object or a namespace
	asKind        = &form{looks: beginningWith("ABCDEFGHIJKLMNOPQRSTUVWXYZ", plain)}                        // of an object
	asGroup       = &form{looks: parted(domain, domain, plain)}                                             // of the API, with a version or without
	asLabelKey    = &form{looks: parted(label, domain, label), renames: (*Redactor).renamedLabelKey}        // of a label, a finalizer
	asEnum        = &form{}                                                                                 // a word of the enumeration of the field, whose key knows it
	asQuantity    = &form{looks: isQuantity}                                                                // of a resource: 100m, 2Gi
	asText        = &form{writes: func(r *Redactor, out, s []byte) []byte { return r.text(out, s, false) }} // free text, whose words may stay
	asMetric      = &form{writes: (*Redactor).metric}                                                       // the name of a time series
	asResource    = &form{looks: beginningWith(letters[:26], madeOf(120, "-."))}                            // pods, deployments.apps
	asSubresource = &form{looks: inSet("subresources")}                                                     // of a URL's path
	asServerPath  = &form{looks: inSet("server paths")}                                                     // a part of a path that names no resource
	asQuantityKey = &form{looks: isQuantityKey}                                                             // the name of a resource: cpu
	asToken       = &form{}                                                                                 // becomes a token, whatever it is
	asIs          = &form{looks: func([]byte) bool { return true }}                                         // the user's own list keeps it
	asCut         = &form{}                                                                                 // the rest of an event that was cut: nobody can tell what it holds
	asNothing     = &form{}                                                                                 // the user takes it out
	asObject      = &form{}                                                                                 // an object of the API
	asUsers       = &form{}                                                                                 // a map whose keys users choose
	asManaged     = &form{}                                                                                 // managedFields

	name, label, domain, plain = madeOf(253, "-.:_@"), madeOf(63, "-._"), madeOf(253, "-."), madeOf(63, "")
)

// forms are the forms as list.txt calls them.
var forms = map[string]*form{
	"name":          asName,
	"key":           {looks: parted(name, name, name), renames: (*Redactor).renamedKey}, // of an object: NAMESPACE/NAME, or NAME
	"uid":           {looks: madeOf(64, "-")},                                           // of an object
	"version":       {looks: orNothing(madeOf(64, "-._:"), decimals)},                   // a resourceVersion
	"count":         {looks: digits(20)},                                                // a whole number as text
	"time":          {looks: isTime},                                                    // RFC 3339
	"kind":          asKind,
	"group":         asGroup,
	"word":          {looks: madeOf(100, "*._/-:+")}, // one word as programs write them: BackOff, *url.Error
	"labelKey":      asLabelKey,
	"label":         {looks: orNothing(label, ""), renames: (*Redactor).renamedLabel}, // the value of a label
	"enum":          asEnum,
	"quantity":      asQuantity,
	"percent":       {looks: isPercent}, // 25%
	"text":          asText,
	"status":        {writes: func(r *Redactor, out, s []byte) []byte { return r.text(out, s, true) }}, // free text of a Status, whose numbers may stay, too
	"url":           {writes: (*Redactor).url},                                                         // of a request
	"own":           {writes: ownWord},                                                                 // the program's own word: a handler, a controller, a queue
	"mediaType":     {looks: isMediaType},                                                              // of an answer
	"metric":        asMetric,
	"server":        {looks: serverVersion.Match}, // the version of an API server
	"resource":      asResource,
	"parameterWord": {looks: inSet("parameter words")},                                  // of a parameter that has few
	"duration":      {looks: isDuration},                                                // 30s
	"selector":      {looks: madeOf(4096, "-._/=!,() "), renames: (*Redactor).selector}, // of labels
	"fieldSelector": {writes: (*Redactor).fieldSelector},                                // a selector of fields
	"future":        {writes: (*Redactor).scriptLine},                                   // a line of script
	"moment":        {looks: madeOf(100, "-./")},                                        // a moment of a run
	"token":         asToken,
	"is":            asIs,
	"cut":           asCut,
	"object":        asObject,
	"users":         asUsers,
	"managed":       asManaged,
}

// bytesOf returns the set of the bytes of s.
func bytesOf(s string) (is [256]bool) {
	for _, c := range []byte(s) {
		is[c] = true
	}
	return is
}

const letters, decimals = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"

// madeOf returns the look of at most most letters, digits and others.
func madeOf(most int, others string) func(s []byte) bool {
	is := bytesOf(letters + decimals + others)
	return func(s []byte) bool {
		for _, c := range s {
			if !is[c] {
				return false
			}
		}
		return 0 < len(s) && len(s) <= most
	}
}

// orNothing returns the look of no text, and of those that look so and have one of the characters, if there are any.
func orNothing(looks func(s []byte) bool, value string) func(s []byte) bool {
	return func(s []byte) bool { return len(s) == 0 || looks(s) && (value == "" || bytes.ContainsAny(s, value)) }
}

// beginningWith returns the look of what looks so and begins with one of the characters.
func beginningWith(first string, looks func(s []byte) bool) func(s []byte) bool {
	return func(s []byte) bool { return looks(s) && strings.IndexByte(first, s[0]) >= 0 }
}

// parted returns the look of what is alone, or before and after a slash.
func parted(alone, before, after func(s []byte) bool) func(s []byte) bool {
	return func(s []byte) bool {
		if first, rest, both := bytes.Cut(s, []byte{'/'}); both {
			return before(first) && after(rest)
		}
		return alone(s)
	}
}

// inSet returns the look of the words of a set.
func inSet(set string) func(s []byte) bool {
	return func(s []byte) bool { return sets[set][string(s)] }
}

func isAlnum(c byte) bool { return c|0x20-'a' < 26 || c-'0' < 10 }

// isDigits reports whether s is a whole number of at most most digits.
func isDigits(s []byte, most int) bool {
	for _, c := range s {
		if c-'0' >= 10 {
			return false
		}
	}
	return 0 < len(s) && len(s) <= most
}

func digits(most int) func(s []byte) bool {
	return func(s []byte) bool { return isDigits(s, most) }
}

func isTime(s []byte) bool     { return len(s) <= 40 && new(time.Time).UnmarshalText(s) == nil }
func isPercent(s []byte) bool  { return isDigits(bytes.TrimSuffix(s, []byte{'%'}), 3) }
func isDuration(s []byte) bool { return isDigits(bytes.TrimRight(s, "hms"), 6) }

// isQuantity reports whether s is a quantity, as resource.ParseQuantity reads it.
func isQuantity(s []byte) bool {
	number := bytes.TrimRight(s, "numkMGTPEi")
	unit := len(s) - len(number)
	number = bytes.TrimPrefix(number, []byte("-"))
	if whole, rest, ok := bytes.Cut(number, []byte(".")); ok {
		return isDigits(whole, 20) && isDigits(rest, 20) && unit <= 2
	}
	if whole, rest, ok := bytes.Cut(number, []byte("e")); ok {
		return isDigits(whole, 20) && isDigits(bytes.TrimLeft(rest, "+-"), 2) && unit == 0
	}
	return isDigits(number, 20) && unit <= 2
}

// isQuantityKey reports whether the key of a quantity is a resource of Kubernetes itself.
func isQuantityKey(s []byte) bool {
	s = bytes.TrimPrefix(bytes.TrimPrefix(s, []byte("requests.")), []byte("limits."))
	size, huge := bytes.CutPrefix(s, []byte("hugepages-"))
	return huge && isQuantity(size) || sets["resources"][string(s)]
}

func isMediaType(s []byte) bool {
	return sets["media types"][strings.ReplaceAll(string(bytes.ToLower(bytes.TrimSpace(s))), "; ", ";")]
}

// serverVersion is a version as Kubernetes and its distributions write it.
var serverVersion = regexp.MustCompile(`^v?[0-9]{1,4}\.[0-9]{1,4}(?:[.+-](?:k3s|rke|rke2r|k0s|gke|eks|aks|alpha|beta|rc)?[0-9]{0,9}){0,6}$`)
