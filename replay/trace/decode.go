package trace

import (
	"errors"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
)

// Decode reads b into v without copying strings out of b: they hold only until
// b changes. Its errors are DecodeErrors.
func Decode(b []byte, v any) error {
	if err := json.UnmarshalWithOption(b, v, json.DecodeNoCopyString()); err != nil {
		return DecodeError{err}
	}
	return nil
}

// DecodeError is a decoder's error in terms of JSON, without the names of Go's types.
type DecodeError struct{ Err error }

// Unwrap returns the decoder's own error.
func (e DecodeError) Unwrap() error { return e.Err }

// Error returns the English sentence.
func (e DecodeError) Error() string { return e.Fault().Error() }

// Fault returns the error with an id.
func (e DecodeError) Fault() error {
	var kind *json.UnmarshalTypeError
	if errors.As(e.Err, &kind) {
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
	says := strings.TrimPrefix(e.Err.Error(), "json: ")
	if strings.Contains(says, "unexpected end") {
		return fault.Plain("jsonCut")
	}
	return fault.Of("notJSONBut text", says)
}

const aNumber = fault.Plain("aNumber")

// kindOf is what JSON calls a kind of value, by its name in JSON or in Go.
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
