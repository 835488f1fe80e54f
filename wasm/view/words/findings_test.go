package words_test

import (
	"testing"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
)

// There is a sentence, a title and a remedy for each rule. TestTheTerminalReadsTheSame holds that the page and the command line have the same.
func TestFindingsHaveSentences(t *testing.T) {
	for _, r := range findings.Rules {
		for _, id := range []string{r.ID, r.ID + ".title", r.ID + ".instead"} {
			if said.Texts[id] == "" {
				t.Errorf("there is no text for %s", id)
			}
		}
	}
	for _, h := range findings.Harms {
		if said.Texts["harm."+string(h)] == "" {
			t.Errorf("there is no word for %s", h)
		}
	}
	for _, r := range findings.Reasons {
		if said.Texts["reason."+r] == "" {
			t.Errorf("there are no words for the reason %s", r)
		}
	}
}
