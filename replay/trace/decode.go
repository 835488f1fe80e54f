package trace

import (
	"errors"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Misread returns an error of a jsonscan.Reader with an id, so that it can be said in any language. It returns nil
// for nil.
func Misread(err error) error {
	if err == nil {
		return nil
	}
	return misread{err}
}

type misread struct{ err error }

// Unwrap returns the Reader's error.
func (e misread) Unwrap() error { return e.err }

// Error returns the English sentence.
func (e misread) Error() string { return e.Fault().Error() }

// Fault returns the error with an id.
func (e misread) Fault() error {
	var kind *jsonscan.KindError
	if errors.As(e.err, &kind) {
		found, wanted := kinds[kind.Found], kinds[kind.Wanted]
		if kind.Path == "" {
			return fault.New("valueKind found wanted", found, wanted)
		}
		return fault.New("fieldKind name found wanted", kind.Path, found, wanted)
	}
	var syntax *jsonscan.SyntaxError
	if errors.As(e.err, &syntax) {
		switch {
		case syntax.Cut():
			return fault.Plain("jsonCut")
		case syntax.TooDeep():
			return fault.Number("deepValue max", jsonscan.MaxDepth)
		}
	}
	return fault.Of("notJSONBut text", e.err.Error())
}

// kinds are what sentences call the kinds of values.
var kinds = [...]fault.Plain{
	jsonscan.Bool: "aBool", jsonscan.Number: "aNumber", jsonscan.Integer: "aWholeNumber", jsonscan.String: "aString",
	jsonscan.Array: "anArray", jsonscan.Object: "anyObject",
}
