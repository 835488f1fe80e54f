package link

import (
	"strconv"

	"github.com/informerscope/informerscope/replay/findings"
)

// Sentences returns sentences about a capture as the page has them.
func Sentences(lines []findings.Line) (all []Sentence) {
	for _, l := range lines {
		all = append(all, SentenceOf(l))
	}
	return all
}

// SentenceOf returns a sentence about a capture as the page has it.
func SentenceOf(l findings.Line) Sentence {
	s := Sentence{ID: l.ID, Args: map[string]Arg{}}
	for _, a := range l.Args {
		switch {
		case a.Line != nil:
			of := SentenceOf(*a.Line)
			s.Args[a.Name] = Arg{Kind: "why", Reason: &of}
		case a.Count != nil:
			s.Args[a.Name] = NumberOf(a.Count)
		default:
			s.Args[a.Name] = Arg{Kind: "code", V: a.Text}
		}
	}
	return s
}

// NumberOf returns a number of a finding. The catalogues say that it is a lower bound.
func NumberOf(n *findings.Count) Arg {
	a := Arg{Kind: map[findings.Unit]string{findings.Number: "num", findings.Duration: "time", findings.Bytes: "size", findings.Percent: "percent"}[n.Unit], V: strconv.FormatInt(n.N, 10)}
	if n.AtLeast {
		a = Arg{Kind: "why", V: a.V, Reason: &Sentence{ID: "finding.atLeast", Args: map[string]Arg{"value": a}}}
	}
	return a
}
