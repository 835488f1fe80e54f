package syntax

import (
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
)

// Names are the names that there are to complete lines with.
type Names struct{ Informers, Keys, Handlers, Actors, Indices []string }

// Completions appends to dst up to max lines that begin with what was written.
func Completions(dst []string, begun string, n Names, max int) []string {
	holders := []struct {
		name   string
		values []string
	}{{"INFORMER", n.Informers}, {"KEY", n.Keys}, {"HANDLER", n.Handlers}, {"ACTOR", n.Actors}, {"INDEX", n.Indices}}
	for i := range forms {
		for _, s := range forms[i].templates() {
			lines := []string{s}
			for _, h := range holders {
				lines = substitute(lines, h.name, h.values)
			}
			for _, l := range lines {
				if strings.HasPrefix(l, begun) && l != begun && len(dst) < max {
					dst = append(dst, l)
				}
			}
		}
	}
	return completeExpression(dst, begun, n, max)
}

// completeExpression appends lines with the expression at their end completed.
func completeExpression(dst []string, begun string, n Names, max int) []string {
	for _, verb := range []string{"run until ", "expect ", "show ", "can "} {
		x, ok := strings.CutPrefix(begun, verb)
		if !ok || x == "" {
			continue
		}
		for _, c := range ask.Complete(x, len(x), &ask.Names{Informers: n.Informers, Handlers: n.Handlers, Keys: n.Keys}, max) {
			if line := verb + x[:c.From] + c.Text; strings.HasPrefix(line, begun) && len(dst) < max {
				dst = append(dst, line)
			}
		}
	}
	return dst
}

// templates returns the form's samples. A form without samples has one, if it
// can be played once a machine runs, isn't a call by hand, and has a form that
// needs no values except names.
func (f *Form) templates() []string {
	if f.samples != nil || f.Setup || f.Open || f.kind.ByHand() {
		return f.samples
	}
	var words []string
	for _, x := range f.parts {
		switch {
		case x.kind == literalPart:
			words = append(words, x.name)
		case x.kind != valuePart:
		case x.slot.name == "HANDLER" || x.slot.name == "KEY":
			words = append(words, x.slot.name)
		default:
			return nil
		}
	}
	return []string{strings.Join(words, " ")}
}

// substitute replaces a word of the lines by each of the values.
func substitute(lines []string, word string, values []string) []string {
	var out []string
	for _, l := range lines {
		if !strings.Contains(l, word) {
			out = append(out, l)
			continue
		}
		for _, v := range values {
			out = append(out, strings.Replace(l, word, Quote(v), 1))
		}
	}
	return out
}

// subjectSamples returns lines that begin with a verb and ask for each subject that
// names complete.
func subjectSamples(verb string) (out []string) {
	for i := range subjects {
		line, known := verb+subjects[i].name, true
		for _, a := range subjects[i].args {
			name := map[error]string{AKey: "KEY", AHandler: "HANDLER", anActor: "ACTOR", anIndex: "INDEX", aLock: "fifo"}[a]
			line += " " + name
			known = known && name != ""
		}
		if known {
			out = append(out, line)
		}
	}
	return out
}
