package lesson

import (
	"strings"
	"testing"
)

// TestTheGlossaryIsRead: the page looks words up in the lesson words, in which each language has the same ones in the same order.
func TestTheGlossaryIsRead(t *testing.T) {
	var first []Word
	for _, language := range languages(t) {
		words := parsed(t, language, "words").Words()
		if first == nil {
			first = words
		}
		if len(words) < 20 || len(words) != len(first) {
			t.Errorf("%s has %d words, and %s %d", language, len(words), languages(t)[0], len(first))
		}
		for _, w := range words {
			for _, term := range w.Terms {
				if says := PlainText(w.Says); term.Text == "" || len(strings.TrimSpace(says)) < 20 || strings.HasPrefix(says, ":") {
					t.Errorf("%s: %q means %q", language, term.Text, says)
				}
			}
		}
	}
	l, err := Parse(head + "- **One**, `two`: the first.\n- **Three**： *the* second.\n- Four: no word.\n- **Five** has no colon.\n- [six](a.md): a link.\n\n**Seven**: a paragraph.\n")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, w := range l.Words() {
		for _, term := range w.Terms {
			got += term.Text + " "
		}
		got += "= " + PlainText(w.Says) + "\n"
	}
	if got != "One two = the first.\nThree =  the second.\n" {
		t.Errorf("the words are\n%s", got)
	}
}
