package link

import "github.com/informerscope/informerscope/engine/fault"

// Fault returns what an error says as a Sentence; nil for no error. The catalogues have it
// under "error." and the error's id. Where they don't, it is a text in no language of
// theirs, which is the argument fault.Text.
func Fault(err error) *Sentence {
	if err == nil {
		return nil
	}
	s := &Sentence{Args: map[string]Arg{}}
	s.ID = "error." + fault.Say(err, func(name, text string, why error) {
		s.Args[name] = Arg{Kind: "why", V: text, Why: Fault(why)}
	})
	return s
}

// FaultText returns the Sentence of a text that is the same in every language, such as an
// error message of a browser.
func FaultText(text string) *Sentence {
	return &Sentence{ID: "error." + fault.Text, Args: map[string]Arg{fault.Text: {Kind: "why", V: text}}}
}
