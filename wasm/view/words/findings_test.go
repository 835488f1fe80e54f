package words_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// The page says of a finding what the command line says, and has a sentence, a title and a remedy for each rule.
func TestFindingsAreInTheCatalogues(t *testing.T) {
	english := viewtest.Catalogue(t, "en")
	for id, text := range english {
		name, ok := strings.CutPrefix(id, "finding.")
		ok = ok || slices.ContainsFunc([]string{"cache.", "card.", "format.", "guard.", "harm."}, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
		if ok && text != said.Texts[name] {
			t.Errorf("the page says %q of %s, and the command line %q", text, name, said.Texts[name])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(said.Texts)) {
		if english["finding."+id]+english[id] == "" {
			t.Errorf("the page has no text for %s", id)
		}
	}
	for _, r := range findings.Rules {
		for _, id := range []string{r.ID, r.ID + ".title", r.ID + ".instead"} {
			if said.Texts[id] == "" {
				t.Errorf("there is no text for %s", id)
			}
		}
	}
	for _, h := range findings.Harms {
		if english["harm."+string(h)] == "" {
			t.Errorf("the page has no word for %s", h)
		}
	}
	for _, r := range findings.Reasons {
		if said.Texts["reason."+r] == "" {
			t.Errorf("there are no words for the reason %s", r)
		}
	}
}
