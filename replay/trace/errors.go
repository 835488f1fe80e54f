package trace

import (
	"errors"
	"strings"

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
		case syntax.IsTooDeep():
			return fault.Number("deepValue max", jsonscan.MaxDepth)
		}
	}
	return fault.Named("notJSONBut text", e.err.Error())
}

// kinds are what sentences call the kinds of values.
var kinds = [...]fault.Plain{
	jsonscan.Bool: "aBool", jsonscan.Number: "aNumber", jsonscan.Integer: "aWholeNumber", jsonscan.String: "aString",
	jsonscan.Array: "anArray", jsonscan.Object: "anyObject",
}

// writtenError is an error as it is written: its id, and what it is filled with.
type writtenError struct {
	id   string
	args []writtenArg
}

// writtenArg is an argument: a text, or another error.
type writtenArg struct {
	name, text string
	err        *writtenError
}

// maxNestedErrors is how deep errors may stand in each other when they are read.
const maxNestedErrors = 20

// readWrittenError reads an error that stands in depth others. It returns nil for null, and where there are too many.
func readWrittenError(r *jsonscan.Reader, depth int) *writtenError {
	if depth > maxNestedErrors || r.Null() {
		r.Skip()
		return nil
	}
	s := &writtenError{}
	for name := range r.Fields("id", "args") {
		if name == "id" {
			r.String(&s.id)
			continue
		}
		for range r.Elements() {
			var a writtenArg
			for name := range r.Fields("name", "text", "why") {
				switch name {
				case "name":
					r.String(&a.name)
				case "text":
					r.String(&a.text)
				case "why":
					a.err = readWrittenError(r, depth+1)
				}
			}
			s.args = append(s.args, a)
		}
	}
	return s
}

// err returns the error that was written. Text is what it said in English.
func (s *writtenError) err(text string, depth int) error {
	if s == nil || s.id == "" || depth > maxNestedErrors {
		return errors.New(text)
	}
	var names strings.Builder
	var args []any
	for _, a := range s.args {
		names.WriteString(strings.ReplaceAll(a.name, " ", "") + " ")
		if a.err != nil {
			args = append(args, a.err.err(a.text, depth+1))
		} else {
			args = append(args, a.text)
		}
	}
	return fault.Written(s.id, names.String(), args, text)
}

// AppendFault appends an error as JSON, with its id and its arguments. It appends nothing
// for an error that is only a text.
func AppendFault(b []byte, err error) []byte {
	var args []byte
	id := fault.Describe(err, func(name, text string, why error) {
		if name == fault.English {
			return
		}
		if args != nil {
			args = append(args, ',')
		}
		args = jsonscan.AppendString(append(args, `{"name":`...), name)
		var inner []byte
		if why != nil {
			if inner = AppendFault(nil, why); inner == nil {
				text = why.Error()
			}
		}
		if inner != nil {
			args = append(append(args, `,"why":`...), inner...)
		} else {
			args = jsonscan.AppendString(append(args, `,"text":`...), text)
		}
		args = append(args, '}')
	})
	if id == fault.Text {
		return b
	}
	b = jsonscan.AppendString(append(b, `{"id":`...), id)
	if args != nil {
		b = append(append(append(b, `,"args":[`...), args...), ']')
	}
	return append(b, '}')
}

// ReadFault returns the error that AppendFault has written, where b is that. Text is what the
// error says in English.
func ReadFault(b []byte, text string) error {
	r := jsonscan.NewReader(b)
	s := readWrittenError(&r, 0)
	if r.End() != nil {
		s = nil
	}
	return s.err(text, 0)
}
