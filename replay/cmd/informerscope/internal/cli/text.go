package cli

import (
	"strings"

	"github.com/informerscope/informerscope/replay/plain"
)

// TextWidth is how many columns a report takes, unless names are long.
const TextWidth = 100

// Title returns name for the first of several lines, and "" for the others.
func Title(name string, i int) string {
	if i == 0 {
		return name
	}
	return ""
}

// Printable replaces what a terminal would act on in text from outside.
func Printable(s string) string { return plain.Text(s) }

// Wrap breaks text into lines of at most width columns. The first line begins
// with first, and the others are indented as far.
func Wrap(first, text string, width int) string {
	var b strings.Builder
	indent := len([]rune(first))
	b.WriteString(first)
	at := indent
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteByte('\n')
	return b.String()
}
