package words_test

import (
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// The page of help on expressions is the one that the command line prints.
func TestHelpOnExpressionsIsTheEngines(t *testing.T) {
	words := viewtest.Catalogue(t, "en")
	for i, s := range ask.Help() {
		if id := "ask.help." + strconv.Itoa(i); words[id] != s.Title {
			t.Errorf("%s is %q, not %q", id, words[id], s.Title)
		}
		for j, l := range s.Lines {
			id := "ask." + l.Name
			if l.Name == "" {
				id = "ask.help." + strconv.Itoa(i) + "." + strconv.Itoa(j)
			}
			if words[id] != l.Meaning {
				t.Errorf("%s is %q, not %q", id, words[id], l.Meaning)
			}
		}
	}
}
