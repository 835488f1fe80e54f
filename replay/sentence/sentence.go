// Package sentence fills in the English sentences of the command line, which have the form of those in the page's
// catalogues: {name} stands for an argument, and {name|one:A|other:B} for A if the argument is 1, and for B if it isn't.
package sentence

import (
	"iter"
	"strings"
)

// Lines yields the sentences of a text by their ids. Each of its lines is an id, a space and a sentence, or empty.
func Lines(text string) iter.Seq2[string, string] {
	return func(yield func(id, sentence string) bool) {
		for line := range strings.Lines(text) {
			id, sentence, ok := strings.Cut(strings.TrimSpace(line), " ")
			if ok && !yield(id, sentence) {
				return
			}
		}
	}
}

// Fill returns a sentence with its arguments filled in. Value returns what is written for an argument, and whether it is 1.
func Fill(s string, value func(name string) (text string, singular bool)) string {
	var b strings.Builder
	for s != "" {
		before, arg, _ := strings.Cut(s, "{")
		arg, s, _ = strings.Cut(arg, "}")
		b.WriteString(before)
		if arg == "" {
			continue
		}
		name, forms, plural := strings.Cut(arg, "|one:")
		text, singular := value(name)
		if plural {
			single, other, _ := strings.Cut(forms, "|other:")
			if text = other; singular {
				text = single
			}
		}
		b.WriteString(text)
	}
	return b.String()
}
