package trace

import (
	"errors"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
)

// said is an error as it is written: its id, and what it is filled with.
type said struct {
	ID   string    `json:"id"`
	Args []saidArg `json:"args"`
}

// saidArg is an argument: a text, or another error.
type saidArg struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Why  *said  `json:"why"`
}

// maxSaid is how deep errors may stand in each other when they are read.
const maxSaid = 20

// err returns the error that was written. Text is what it said in English.
func (s *said) err(text string, depth int) error {
	if s == nil || s.ID == "" || depth > maxSaid {
		return errors.New(strings.Clone(text))
	}
	var names strings.Builder
	var args []any
	for _, a := range s.Args {
		names.WriteString(strings.ReplaceAll(a.Name, " ", "") + " ")
		if a.Why != nil {
			args = append(args, a.Why.err(a.Text, depth+1))
		} else {
			args = append(args, strings.Clone(a.Text))
		}
	}
	return fault.Written(strings.Clone(s.ID), names.String(), args, strings.Clone(text))
}

// AppendFault appends an error as JSON, with its id and its arguments. It appends nothing
// for an error that is only a text.
func AppendFault(b []byte, err error) []byte {
	var args []byte
	id := fault.Say(err, func(name, text string, why error) {
		if name == fault.English {
			return
		}
		if args != nil {
			args = append(args, ',')
		}
		args = AppendString(append(args, `{"name":`...), name)
		var inner []byte
		if why != nil {
			if inner = AppendFault(nil, why); inner == nil {
				text = why.Error()
			}
		}
		if inner != nil {
			args = append(append(args, `,"why":`...), inner...)
		} else {
			args = AppendString(append(args, `,"text":`...), text)
		}
		args = append(args, '}')
	})
	if id == fault.Text {
		return b
	}
	b = AppendString(append(b, `{"id":`...), id)
	if args != nil {
		b = append(append(append(b, `,"args":[`...), args...), ']')
	}
	return append(b, '}')
}

// ReadFault returns the error that AppendFault has written, where b is that. Text is what the
// error says in English.
func ReadFault(b []byte, text string) error {
	var s *said
	if !Shallow(b) || json.Unmarshal(b, &s) != nil {
		s = nil
	}
	return s.err(text, 0)
}
