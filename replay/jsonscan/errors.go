package jsonscan

import (
	"strconv"
	"strings"
)

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
