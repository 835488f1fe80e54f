// Package jsonscan reads JSON in bytes without decoding it into types. It has four ways, from the most careful to
// the quickest:
//
//   - A Reader reads a value that must be JSON, field by field, as its caller asks for them. Valid, Check and
//     Compact need no caller.
//   - A Tape has where each value of a text begins and ends.
//   - Field, Fields and Elements find places in bytes that were read before. In what they pass over they check that
//     strings end and brackets pair, and nothing else.
//   - PlainMembers, PlainText and PlainNumber read JSON without spaces, as Go and the API server write it, eight bytes at a time. They
//     stop as soon as their caller has what it needs, and refuse whatever is unusual.
//
// All of them bound how deep a value nests (MaxDepth), recurse nowhere, and copy nothing that needs no unescaping.
// Their strings then are parts of the bytes, and hold as long as these don't change.
package jsonscan

import (
	"strconv"
	"strings"
	"unsafe"
)

// A Reader reads one JSON value from its beginning to its end. Its caller says what it expects at
// each place:
//
//	r := jsonscan.NewReader(b)
//	for name := range r.Fields("kind", "count") {
//		switch name {
//		case "kind":
//			r.String(&kind)
//		case "count":
//			r.Int(&count)
//		}
//	}
//	err := r.End()
//
// What encoding/json does, a Reader does, too: names may differ in case, of several fields of a name
// the last one counts, null leaves a variable as it is, and a value of another kind is passed over.
// The first error is kept until End, and the calls after a SyntaxError do nothing. A Reader
// allocates for errors and for strings alone. It calls itself nowhere, whatever it reads.
type Reader struct {
	b       []byte
	i       int
	depth   int  // of the arrays and objects around b[i]
	odd     bool // the last string has escapes, or bytes that are not ASCII
	mangled bool // a string has bytes that are not UTF-8
	syntax  *SyntaxError
	kind    *KindError
	name    []byte // of the field whose value is read, in its quotes
	matched bool   // Is has reported true for the member that a loop over Members has come to
}

// NewReader returns a Reader of b.
func NewReader(b []byte) Reader { return Reader{b: b} }

// End returns what was wrong with the value: a SyntaxError, or else the first KindError, or nil. More
// text after the value is a SyntaxError.
func (r *Reader) End() error {
	if r.space(); r.syntax == nil && r.i < len(r.b) {
		r.fail(afterTop)
	}
	switch {
	case r.syntax != nil:
		return r.syntax
	case r.kind != nil:
		return r.kind
	}
	return nil
}

// UTF8 reports whether what was read and passed over is all UTF-8.
func (r *Reader) UTF8() bool { return !r.mangled }

// Fields reads an object. It yields the names that the object has, as they are spelled here,
// in the order of the object. The other fields are passed over, and so is a value that the loop
// doesn't read. To break the loop passes over the rest of the object.
func (r *Reader) Fields(names ...string) func(yield func(name string) bool) {
	return func(yield func(string) bool) {
		next := 0 // objects of one kind mostly have their fields in one order
		r.members(func(quoted []byte) bool {
			if next < len(names) && string(quoted[1:len(quoted)-1]) == names[next] && !r.odd {
				next++
				return yield(names[next-1])
			}
			i := r.pick(quoted, names)
			if i < 0 {
				return true
			}
			next = i + 1
			return yield(names[i])
		})
	}
}

// Members reads an object with any fields, and yields the name of each. The names are parts of
// the Reader's bytes where they have no escapes.
func (r *Reader) Members() func(yield func(name string) bool) {
	return func(yield func(string) bool) {
		r.members(func(quoted []byte) bool { return yield(r.unquoted(quoted)) })
	}
}

// members reads an object. It calls each with the name of each field, in its quotes, until that
// returns false.
func (r *Reader) members(each func(quoted []byte) bool) {
	if !r.open('{', Object) {
		return
	}
	more, outer := true, r.name
	if r.space(); r.nextIs('}') {
		r.close()
		return
	}
	for {
		if r.space(); !r.nextIs('"') {
			r.fail(objectKey)
			return
		}
		from := r.i
		r.odd = false
		if r.i = r.stringEnd(from); r.syntax != nil {
			return
		}
		quoted := r.b[from:r.i]
		if r.space(); !r.nextIs(':') {
			r.fail(afterKey)
			return
		}
		r.i++
		r.space()
		value, kind := r.i, r.kind
		r.matched = false
		if r.name = quoted; more {
			more = each(quoted)
		}
		if r.i == value {
			r.Skip()
		}
		if kind == nil && r.kind != nil {
			r.kind.inField(text(r.name))
		}
		if r.space(); r.syntax != nil || r.nextIs('}') {
			r.name, r.matched = outer, true
			r.close()
			return
		}
		if !r.nextIs(',') {
			r.fail(afterField)
			return
		}
		r.i++
	}
}

// Is reports whether the next value belongs to a member of this name. A loop over Members asks for each name that it knows,
// in the usual order. Where Is reports true, the loop must read the value at once:
//
//	for range r.Members() {
//		r.StringField("kind", &kind)
//		if r.Is("items") {
//			readItems(r)
//		}
//	}
func (r *Reader) Is(name string) bool {
	if r.matched {
		return r.nextMember(name)
	}
	r.matched = r.pick(r.name, []string{name}) == 0
	return r.matched
}

// nextMember reports whether the object goes on, without space, with a member that is spelled as name is here, and goes
// to its value then. Where it reports false, the loop over Members comes to the next member, whatever that is.
func (r *Reader) nextMember(name string) bool {
	i := r.i + len(`,"`)
	end := i + len(name)
	if end+2 > len(r.b) || r.b[r.i] != ',' || r.b[end+1] != ':' || r.b[end] != '"' || r.b[i-1] != '"' || string(r.b[i:end]) != name || r.kind != nil {
		return false
	}
	r.name = r.b[i-1 : end+1]
	r.i = end + 2
	return true
}

// StringField reads the next value into s, as String does, if it belongs to a member of this name. The methods below do the
// same for Text, Int, Int64 and Bool.
func (r *Reader) StringField(name string, s *string) {
	if r.Is(name) {
		r.String(s)
	}
}

// TextField reads a member as Text does.
func (r *Reader) TextField(name string, s *string) {
	if r.Is(name) {
		r.Text(s)
	}
}

// IntField reads a member as Int does.
func (r *Reader) IntField(name string, n *int) {
	if r.Is(name) {
		r.Int(n)
	}
}

// Int64Field reads a member as Int64 does.
func (r *Reader) Int64Field(name string, n *int64) {
	if r.Is(name) {
		r.Int64(n)
	}
}

// BoolField reads a member as Bool does.
func (r *Reader) BoolField(name string, is *bool) {
	if r.Is(name) {
		r.Bool(is)
	}
}

// Elements reads an array, and yields the index of each element. An element that the loop doesn't
// read is passed over. To break the loop passes over the rest of the array.
func (r *Reader) Elements() func(yield func(i int) bool) {
	return func(yield func(int) bool) {
		if !r.open('[', Array) {
			return
		}
		more := true
		if r.space(); r.nextIs(']') {
			r.close()
			return
		}
		for n := 0; ; n++ {
			r.space()
			value, kind := r.i, r.kind
			if more {
				more = yield(n)
			}
			if r.i == value {
				r.Skip()
			}
			if kind == nil && r.kind != nil {
				r.kind.inField(strconv.Itoa(n))
			}
			if r.space(); r.syntax != nil || r.nextIs(']') {
				r.close()
				return
			}
			if !r.nextIs(',') {
				r.fail(afterElement)
				return
			}
			r.i++
		}
	}
}

// String reads a string into s, which is a copy.
func (r *Reader) String(s *string) {
	if quoted := r.string(); quoted != nil {
		*s = strings.Clone(r.unquoted(quoted))
	}
}

// Text reads a string into s, which is a part of the Reader's bytes where it has no escapes.
func (r *Reader) Text(s *string) {
	if r.nextIs('"') { // most strings are plain
		from := r.i + 1
		if to := skipPlain(r.b, from); to < len(r.b) && r.b[to] == '"' {
			*s = unsafe.String(&r.b[from], to-from)
			r.i = to + 1
			return
		}
	}
	if quoted := r.string(); quoted != nil {
		*s = r.unquoted(quoted)
	}
}

// string returns a string in its quotes, or nil where there is none.
func (r *Reader) string() []byte {
	if !r.expect('"', String) {
		return nil
	}
	from := r.i
	r.odd = false
	if r.i = r.stringEnd(from); r.syntax != nil {
		return nil
	}
	return r.b[from:r.i]
}

// unquoted returns what the last string says, which is quoted.
func (r *Reader) unquoted(quoted []byte) string {
	if r.odd {
		return text(quoted)
	}
	b := quoted[1 : len(quoted)-1]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Int reads a whole number into n.
func (r *Reader) Int(n *int) {
	wide := int64(*n)
	r.Int64(&wide)
	*n = int(wide)
}

// Int64 reads a whole number into n.
func (r *Reader) Int64(n *int64) {
	var plain int64
	if end := PlainNumber(r.b, r.i, &plain); end > 0 && end < len(r.b) && (r.b[end] == ',' || r.b[end]|0x20 == '}') { // most numbers are
		*n, r.i = plain, end
		return
	}
	if s := r.number(); s != "" {
		if x, err := strconv.ParseInt(s, 10, 64); err == nil {
			*n = x
		} else {
			r.kindMismatch(Number, Integer)
		}
	}
}

// Float reads a number into x.
func (r *Reader) Float(x *float64) {
	if s := r.number(); s != "" {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			*x = f
		} else {
			r.kindMismatch(Number, Number)
		}
	}
}

// number returns the text of a number, "" where there is none.
func (r *Reader) number() string {
	if r.space(); r.syntax != nil {
		return ""
	}
	if k := r.Kind(); k != Number {
		r.unexpected(Number)
		return ""
	}
	from := r.i
	if r.i = r.numberEnd(from); r.syntax != nil {
		return ""
	}
	return unsafe.String(&r.b[from], r.i-from)
}

// Bool reads true or false into is.
func (r *Reader) Bool(is *bool) {
	switch r.space(); r.Kind() {
	case Bool:
		from := r.i
		if r.Skip(); r.syntax == nil {
			*is = r.b[from] == 't'
		}
	default:
		r.unexpected(Bool)
	}
}

// Null reports whether the value is null, and passes over it then.
func (r *Reader) Null() bool {
	if r.space(); r.Kind() != Null {
		return false
	}
	r.Skip()
	return r.syntax == nil
}

// Raw returns the bytes of any value, without the space around it; nil after a SyntaxError.
func (r *Reader) Raw() []byte {
	r.space()
	from := r.i
	if r.Skip(); r.syntax != nil {
		return nil
	}
	return r.b[from:r.i]
}

// Offset returns the index of the next value, or of what comes after the last one.
func (r *Reader) Offset() int {
	r.space()
	return r.i
}

// Kind returns the kind of the next value by its first byte, None where there is none.
func (r *Reader) Kind() Kind {
	if r.i >= len(r.b) {
		return None
	}
	switch c := r.b[r.i]; {
	case c == '{':
		return Object
	case c == '[':
		return Array
	case c == '"':
		return String
	case c == 't' || c == 'f':
		return Bool
	case c == 'n':
		return Null
	case c == '-' || c-'0' <= 9:
		return Number
	}
	return None
}

// open goes into an array or an object.
func (r *Reader) open(bracket byte, kind Kind) bool {
	if !r.expect(bracket, kind) {
		return false
	}
	if r.depth++; r.depth > MaxDepth {
		r.fail(tooDeep)
		return false
	}
	r.i++
	return true
}

// close goes out of it.
func (r *Reader) close() {
	r.depth--
	if r.syntax == nil {
		r.i++
	}
}

// expect reports whether a value begins with a byte. Another one is passed over, and is a KindError
// unless it is null.
func (r *Reader) expect(first byte, kind Kind) bool {
	r.space()
	if r.nextIs(first) {
		return true
	}
	r.unexpected(kind)
	return false
}

// unexpected passes over a value that is of another kind than is wanted.
func (r *Reader) unexpected(wanted Kind) {
	found := r.Kind()
	if r.Skip(); r.syntax == nil && found != Null {
		r.kindMismatch(found, wanted)
	}
}

func (r *Reader) kindMismatch(found, wanted Kind) {
	if r.kind == nil {
		r.kind = &KindError{Found: found, Wanted: wanted}
	}
}

// first returns the first byte of the value; the Reader must have read it.
func (r *Reader) first() byte { return r.b[SkipSpace(r.b, 0)] }

func (r *Reader) nextIs(c byte) bool { return r.i < len(r.b) && r.b[r.i] == c }

func (r *Reader) space() {
	if r.i < len(r.b) && r.b[r.i] <= ' ' {
		r.i = SkipSpace(r.b, r.i)
	}
}

// fail keeps the error at b[i], unless there is one, and goes to the end.
func (r *Reader) fail(where place) { r.failAt(r.i, where) }

func (r *Reader) failAt(i int, where place) {
	if r.syntax == nil {
		r.syntax = &SyntaxError{Offset: min(i+1, len(r.b)), cut: i >= len(r.b), expected: where}
		if i < len(r.b) {
			r.syntax.found = rune(r.b[i])
		}
	}
	r.i = len(r.b)
}

// pick returns the index of the one of names that a decoder takes the last string for, which is quoted, or -1.
func (r *Reader) pick(quoted []byte, names []string) int {
	if r.odd {
		quoted = AppendString(nil, text(quoted))
	}
	bare, folded := quoted[1:len(quoted)-1], -1
	for i, n := range names {
		switch {
		case len(n) != len(bare) && !r.odd || len(n) == 0:
		case string(bare) == n:
			return i
		case folded < 0 && (r.odd || bare[0]|0x20 == n[0]|0x20) && strings.EqualFold(string(bare), n):
			folded = i
		}
	}
	return folded
}

// Kind is a kind of JSON value.
type Kind uint8

// The kinds. Integer is a Number that was wanted.
const (
	None Kind = iota
	Null
	Bool
	Number
	Integer
	String
	Array
	Object
)

var kinds = [...]string{"nothing", "null", "true or false", "a number", "a whole number", "a string", "an array", "an object"}

// String returns what a sentence calls a value of the kind.
func (k Kind) String() string { return kinds[k] }

// KindError says that a value has the wrong kind.
type KindError struct {
	Path          string // where it is: names and indices with dots between, "" for the whole
	Found, Wanted Kind
}

func (e *KindError) inField(name string) {
	if e.Path != "" {
		name += "." + e.Path
	}
	e.Path = strings.Clone(name)
}

// Error returns the English sentence.
func (e *KindError) Error() string {
	name := e.Path
	if name == "" {
		name = "the value"
	}
	return name + " is " + e.Found.String() + ", and should be " + e.Wanted.String()
}

// SyntaxError says where a text is not JSON. Its sentences are encoding/json's.
type SyntaxError struct {
	Offset   int // after the byte at which it was found
	cut      bool
	expected place
	found    rune
}

// place is where something else was wanted.
type place uint8

const (
	anyValue place = iota
	objectKey
	afterKey
	afterField
	afterElement
	afterTop
	inString
	inEscape
	inHex
	inNumber
	inFraction
	inExponent
	inLiteral // and its letters, see literals
)

var places = [...]string{
	"looking for beginning of value", "looking for beginning of object key string", "after object key",
	"after object key:value pair", "after array element", "after top-level value", "in string literal",
	"in string escape code", `in \u hexadecimal character escape`, "in numeric literal",
	"after decimal point in numeric literal", "in exponent of numeric literal",
}

// literals are the letters that place may want, each with the literal that has it.
const literals = "truefalsenull"

// tooDeep is a place that nests deeper than MaxDepth.
const tooDeep = place(100)

// Cut reports whether the text ends too early, and may be valid otherwise.
func (e *SyntaxError) Cut() bool { return e.cut }

// IsTooDeep reports whether the text nests deeper than MaxDepth.
func (e *SyntaxError) IsTooDeep() bool { return e.expected == tooDeep }

// Error returns the English sentence.
func (e *SyntaxError) Error() string {
	switch {
	case e.expected == tooDeep:
		return "exceeded max depth"
	case e.cut:
		return "unexpected end of JSON input"
	}
	where := ""
	if e.expected >= inLiteral {
		at := int(e.expected - inLiteral)
		word := literals[9:]
		if at < 4 {
			word = literals[:4]
		} else if at < 9 {
			word = literals[4:9]
		}
		where = "in literal " + word + " (expecting '" + literals[at:at+1] + "')"
	} else {
		where = places[e.expected]
	}
	return "invalid character " + quoteRune(e.found) + " " + where
}

func quoteRune(c rune) string {
	switch c {
	case '\'':
		return `'\''`
	case '"':
		return `'"'`
	}
	s := strconv.Quote(string(c))
	return "'" + s[1:len(s)-1] + "'"
}
