package link

import "github.com/informerscope/informerscope/engine/fault"

// Sentence is an entry of the catalogues, with its arguments.
type Sentence struct {
	ID   string
	Args map[string]Arg
}

func (x *Sentence) fields(c *coder) {
	c.text("id", &x.ID)
	c.args("args", &x.Args)
}

// Arg is an argument of a Sentence. Kind says what V is, and so how it is shown:
//
//	key, code, rv  a key, a piece of code, a resourceVersion: in type for code
//	delta          the type of a delta: as a chip
//	num            a number, whose digits are grouped
//	time           a duration in nanoseconds
//	word           the catalogue has it under "reason."
//	lock, who      a lock, or who holds it: the catalogue has it under "lock." or "who."
//	size           bytes
//	percent        a share
//	text           any text
//	why            a part of an error: Why if that is set, or else V as it is
type Arg struct {
	Kind string
	V    string
	Why  *Sentence
}

func (x *Arg) fields(c *coder) {
	c.text("k", &x.Kind)
	c.text("v", &x.V)
	pointer(c, "why", &x.Why)
}

// Fault returns what an error says as a Sentence; nil for no error. The catalogues have it
// under "error." and the error's id. Where they don't, it is a text in no language of
// theirs, which is the argument fault.Text.
func Fault(err error) *Sentence {
	if err == nil {
		return nil
	}
	s := &Sentence{Args: map[string]Arg{}}
	s.ID = "error." + fault.Describe(err, func(name, text string, why error) {
		s.Args[name] = Arg{Kind: "why", V: text, Why: Fault(why)}
	})
	return s
}

// Is reports whether s, or what it says is the reason, is the sentence id.
func (s *Sentence) Is(id string) bool {
	if s == nil || s.ID == id {
		return s != nil
	}
	for _, a := range s.Args {
		if a.Why.Is(id) {
			return true
		}
	}
	return false
}

// FaultText returns the Sentence of a text that is the same in every language, such as an
// error message of a browser.
func FaultText(text string) *Sentence {
	return &Sentence{ID: "error." + fault.Text, Args: map[string]Arg{fault.Text: {Kind: "why", V: text}}}
}
