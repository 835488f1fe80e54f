package redact

import (
	"cmp"
	"strings"

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
