package redact

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// shape makes a line's shape: what is on the list stays, and every other text becomes a token. The tape has the line.
func (r *Redactor) shape() {
	for k := int32(1); k < r.tape.Nodes[0].Next; k = r.tape.Nodes[k+1].Next {
		v := k + 1
		switch name := r.keys.find(r.tape.Text(k)); {
		case name.name == "redacted" || name.name == "kept":
			r.redacted(v)
		case name.name == "mark":
			r.mark(v)
		default:
			r.field(k, name, r.list.line, nil, false)
		}
	}
}

// mark takes in a mark. What a user wrote is a token, and what a process logged is free text.
func (r *Redactor) mark(v int32) {
	at := r.list.line.field(r.keys.named("mark"))
	log := r.named(v, "log") >= 0
	r.each(v, func(k int32) {
		name := r.keys.find(r.tape.Text(k))
		if name.name == "text" && log && r.tape.First(k+1) == '"' {
			r.leaf(k+1, r.logged, name)
			return
		}
		r.field(k, name, at, nil, false)
	})
}

// each calls f with the name of each field of the object at n.
func (r *Redactor) each(n int32, f func(k int32)) {
	if r.tape.First(n) != '{' {
		r.value(n, nil, nil, r.keys.named(""), "")
		return
	}
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		f(k)
	}
}

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

// object takes in an object of the API. Kind is what it is where it doesn't say so itself, as in lists.
func (r *Redactor) object(n int32, kind string) {
	if v := r.named(n, "kind"); v >= 0 && r.tape.First(v) == '"' {
		if text, _ := r.textOf(v); asKind.looks(text, nil) {
			kind = string(text)
		}
	}
	at := r.list.kinds[kind]
	if at == nil {
		at = r.list.object
	}
	for k := n + 1; k < r.tape.Nodes[n].Next; k = r.tape.Nodes[k+1].Next {
		name := r.keys.find(r.tape.Text(k))
		if name == r.items {
			r.value(k+1, at.field(name), nil, name, listed(kind))
			continue
		}
		r.field(k, name, at, nil, kind == "Secret" && name.name == "data" || name.name == "binaryData")
	}
}

// listed returns the kind of the items of a list.
func listed(kind string) string {
	if n := len(kind) - len("List"); n > 0 && kind[n:] == "List" {
		return kind[:n]
	}
	return ""
}

// field takes in the field k of an object. At is where the list has the object, and in where it has it anywhere.
func (r *Redactor) field(k int32, name *key, at, in *node, binary bool) {
	v := k + 1
	next, anyway := at.field(name), in.field(name)
	if anyway == nil {
		anyway = name.any
	}
	c := r.tape.First(v)
	switch {
	case next == nil && anyway == nil && !name.word:
		r.token(k, false)
	case r.o.Names && (at != nil && next != nil && next == at.each || in != nil && anyway == in.each):
		r.leaf(k, r.labelKey, name)
	case (at != nil && next != nil && next == at.each || in != nil && anyway == in.each) && !r.fits(k, next, anyway):
		r.token(k, false)
	}
	switch {
	case next != nil && next.form == asNothing:
		r.blank(v, next)
	case next != nil && next.form == asIs:
		next.n++
	case next != nil && next.whole:
		r.managed(v)
	case c == '{' && (name.users || next != nil && next.users):
		r.hide(v, next, binary)
	default:
		r.value(v, next, anyway, name, "")
	}
}

// fits reports whether the name at k may be the key of a map whose keys stay: of labels, or of quantities.
func (r *Redactor) fits(k int32, next, anyway *node) bool {
	text, _ := r.textOf(k)
	if next != nil && next.form == asQuantity || anyway != nil && anyway.form == asQuantity {
		return isResource(string(text))
	}
	return asLabelKey.looks(text, nil)
}

// value takes in a value. Kind is what an object is that doesn't say so.
func (r *Redactor) value(v int32, at, in *node, name *key, kind string) {
	switch c := r.tape.First(v); {
	case c == '"':
		if at == nil || at.form == asToken && in != nil {
			at = in
		}
		r.leaf(v, at, name)
	case r.tape.Nodes[v].Next == v+1: // {}, [], numbers and the like
	case c == '[':
		for x := v + 1; x < r.tape.Nodes[v].Next; x = r.tape.Nodes[x].Next {
			r.value(x, at, in, name, kind)
		}
	case at != nil && at.object:
		r.object(v, kind)
	default:
		for k := v + 1; k < r.tape.Nodes[v].Next; k = r.tape.Nodes[k+1].Next {
			r.field(k, r.keys.find(r.tape.Text(k)), at, in, false)
		}
	}
}

// hide takes in a map whose keys users choose: all in it becomes tokens, but for what the user's own list keeps.
func (r *Redactor) hide(v int32, at *node, binary bool) {
	switch c := r.tape.First(v); {
	case r.tape.Nodes[v].Next == v+1:
		if c != '{' && c != '[' && c != 'n' {
			r.token(v, binary)
		}
	case c == '[':
		for x := v + 1; x < r.tape.Nodes[v].Next; x = r.tape.Nodes[x].Next {
			r.hide(x, nil, binary)
		}
	default:
		for k := v + 1; k < r.tape.Nodes[v].Next; k = r.tape.Nodes[k+1].Next {
			name := r.keys.find(r.tape.Text(k))
			switch next := at.field(name); {
			case next != nil && next.form == asIs:
				next.n++
			case next != nil && next.form != asNothing:
				r.value(k+1, next, nil, name, "")
			default:
				if !name.public || at == nil || !at.users {
					r.token(k, false)
				}
				r.hide(k+1, next, binary)
			}
		}
	}
}

// managed takes out managedFields: their names and values are those of the object. Their size stays, and whether they
// are the same.
func (r *Redactor) managed(v int32) {
	if r.tape.Nodes[v].Next == v+1 && r.tape.First(v) != '"' {
		return
	}
	const before, after = `[{"fieldsV1":{"`, `":{}}}]`
	b := r.tape.Text(v)
	r.upTo(v)
	r.out = append(r.out, before...)
	r.out = r.tokens.append(r.out, b, len(b)-len(before)-len(after))
	r.out = append(r.out, after...)
	r.counts.managed++
}

// blank takes out a value that the user wants out, and leaves one of its type.
func (r *Redactor) blank(v int32, at *node) {
	by := "0"
	switch r.tape.First(v) {
	case 'n':
		return
	case '{':
		by = "{}"
	case '[':
		by = "[]"
	case 't', 'f':
		by = "false"
	case '"':
		by = placeholder
	}
	at.n++
	r.upTo(v)
	r.out = append(r.out, by...)
}

// token puts a token in the place of the value or the name at n.
func (r *Redactor) token(n int32, binary bool) {
	if text, size := r.textOf(n); size > 0 {
		r.tokenOf(n, text, size, binary)
	}
}

// tokenOf puts the token of a text in the place of the node n, which has it.
func (r *Redactor) tokenOf(n int32, text []byte, size int, binary bool) {
	r.counts.tokens++
	r.upTo(n)
	r.out = append(r.out, '"')
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
	text, size = plainText(r.plain, b, bytes.IndexByte(b, '\\') >= 0)
	if len(text) > 0 && len(b) > 2 && &text[0] != &b[1] {
		r.plain = text
	}
	return text, size
}

// leaf takes in the string at v, of which the list has at, which may be nil.
func (r *Redactor) leaf(v int32, at *node, name *key) {
	text, size := r.textOf(v)
	if size == 0 {
		return
	}
	f := asToken
	if at != nil {
		f = at.form
	}
	if f == asToken {
		switch {
		case name.enum != nil && size <= longestEnum && name.enum[string(text)]:
			at = r.enumerated
		case name.time && isTime(text):
			at = r.timed
		default:
			r.tokenOf(v, text, size, name.binary)
			return
		}
		at.n++
		return
	}
	r.buf = r.buf[:0]
	switch f {
	case asCut:
		r.counts.cut++
		r.upTo(v)
		r.out = append(r.out, `""`...)
		return
	case asText, asStatus:
		r.buf = r.text(r.buf, text, f == asStatus)
	case asURL:
		r.buf = r.url(r.buf, text)
	case asMetric:
		r.buf = r.metric(r.buf, text)
	case asFuture:
		r.buf = r.scriptLine(r.buf, text)
	case asOwn:
		r.buf = append(r.buf, ownWord(text)...)
	default:
		if !f.looks(text, name) {
			r.tokenOf(v, text, size, false)
			return
		}
		if !r.o.Names || !r.rename(f, text) {
			at.n++
			return
		}
		r.counts.names++
		at = &r.renamed
	}
	at.n++
	r.upTo(v)
	r.out = quote(r.out, r.buf)
}

// rename writes the token of a name to buf. It reports false for what is no name.
func (r *Redactor) rename(f form, text []byte) bool {
	switch f {
	case asName:
		r.buf = r.tokens.appendName(r.buf, text)
	case asKey:
		r.buf = r.renamedKey(r.buf, text)
	case asLabel:
		r.buf = r.renamedLabel(r.buf, text)
	case asLabelKey:
		r.buf = r.renamedLabelKey(r.buf, text)
	default:
		return false
	}
	return true
}

// renamedKey appends an object's key with the tokens of its names.
func (r *Redactor) renamedKey(out, key []byte) []byte {
	namespace, name, both := bytes.Cut(key, []byte{'/'})
	out = r.tokens.appendName(out, namespace)
	if both {
		out = r.tokens.appendName(append(out, '/'), name)
	}
	return out
}

// renamedLabel appends the token of a label's value. Flags and numbers are no names.
func (r *Redactor) renamedLabel(out, value []byte) []byte {
	if isDigits(value, 3) || string(value) == "true" || string(value) == "false" {
		return append(out, value...)
	}
	return r.tokens.appendName(out, value)
}

// renamedLabelKey appends the token of a label's key, unless it is one of Kubernetes itself.
func (r *Redactor) renamedLabelKey(out, key []byte) []byte {
	if publicKeys[string(key)] {
		return append(out, key...)
	}
	return r.tokens.appendName(out, key)
}

// ownWord returns a name that the recorded program has chosen. Of a path, such as that of a caller's file, the last
// element stays.
func ownWord(s []byte) []byte {
	if i := bytes.LastIndexByte(s, '/'); i >= 0 && (s[0] == '/' || bytes.Contains(s, []byte(".go:"))) {
		return s[i+1:]
	}
	return s
}

// quote appends text as a string of JSON.
func quote(out, text []byte) []byte { return jsonscan.AppendString(out, string(text)) }
