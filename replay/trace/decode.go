package trace

import (
	"errors"
	"strings"

	json "github.com/goccy/go-json"
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

func (e DecodeError) Error() string {
	var kind *json.UnmarshalTypeError
	if errors.As(e.Err, &kind) {
		found, _, _ := strings.Cut(kind.Value, " ")
		name := kind.Field
		if name == "" {
			name = "it"
		}
		return name + " is " + article(found) + ", and should be " + wanted(kind.Type.Kind().String())
	}
	says := strings.TrimPrefix(e.Err.Error(), "json: ")
	if strings.Contains(says, "unexpected end") {
		return "the JSON ends too early"
	}
	return "not JSON: " + says
}

// wanted is what JSON calls a kind of Go's.
func wanted(kind string) string {
	switch kind {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "slice", "array":
		return "an array"
	case "map", "struct", "ptr":
		return "an object"
	}
	return "a whole number"
}

func article(kind string) string {
	switch kind {
	case "array", "object":
		return "an " + kind
	case "bool":
		return "true or false"
	}
	return "a " + kind
}
