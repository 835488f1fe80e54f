package changes

import (
	"encoding/json"
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

// The page has each gate in both languages, and each link leads to a lesson that can be played.
func TestPage(t *testing.T) {
	files := map[string][]byte{}
	for _, l := range session.Languages {
		b, err := os.ReadFile("../../locales/" + l.Code + ".json")
		if err != nil {
			t.Fatal(err)
		}
		files["locales/"+l.Code+".json"] = b
	}
	made, lists, err := NewFile(files)
	if err != nil {
		t.Fatal(err)
	}
	page := string(made)
	links := regexp.MustCompile(`lang="(en|zh)" href="\./(#[^"]*)"`).FindAllStringSubmatch(page, -1)
	scripts := 0
	for i := range changes.Gates {
		g := &changes.Gates[i]
		if !strings.Contains(page, `<article id="`+g.Name+`"`) || !strings.Contains(html.UnescapeString(page), g.Difference) {
			t.Errorf("%s is missing", g.Name)
		}
		if g.Script != "" {
			scripts++
		}
	}
	if len(links) != 2*scripts {
		t.Errorf("%d links to %d scripts in two languages", len(links), scripts)
	}
	for _, l := range links {
		a, err := address.Read(html.UnescapeString(l[2]))
		if err != nil || a.Source.Script == "" || a.Page.Lang != l[1] || a.Strange {
			t.Errorf("%s: %+v, %v", l[2], a, err)
			continue
		}
		if _, err := lesson.Parse(a.Source.Script); err != nil {
			t.Errorf("%v:\n%s", err, a.Source.Script)
		}
		if s, is := a.Second.(link.SecondProfile); !is || !strings.Contains(a.Source.Script, "profile v0.") || !slices.Contains(world.Releases(), s.Profile) || len(a.Steps) != 1 || a.Steps[0].Step < 1 {
			t.Errorf("%s leads to %v beside %v", l[2], a.Steps, a.Second)
		}
		var list struct{ Gates []listed }
		if err := json.Unmarshal(lists[l[1]], &list); err != nil || len(list.Gates) != len(changes.Gates) ||
			!slices.ContainsFunc(list.Gates, func(g listed) bool { return string(g.Link) == "./"+html.UnescapeString(l[2]) }) {
			t.Errorf("the list of %s doesn't have the link %s: %v", l[1], l[2], err)
		}
	}
	for name, has := range map[string]string{
		"deletes-queued": "- - 13 9 4 0 0 0 0 0 0 0 0 0 0 0 0",
		"finds-kept":     "0 6 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
		"in-order":       "- - - - - - - - - - - 0 0 0 0 0 0",
		"repeated-keys":  "- - - - - - - - - - - - - - - - 0",
	} {
		if !strings.Contains(page, `<article id="`+name+`" data-has="`+has+`">`) {
			t.Errorf("%s doesn't say %s", name, has)
		}
	}
	if !strings.Contains(page, `<option data-last="17">v0.22</option>`) || !strings.Contains(page, `<option data-last="2">v0.37</option><option value="v0.38" data-beta=".0-beta.0" data-last="0">v0.38 beta</option>`) {
		t.Error("the page doesn't have the last patch releases")
	}
	if strings.Contains(page, "ZgotmplZ") || strings.Contains(page, "style=") || strings.Contains(page, "onclick") {
		t.Error("the page has what its policy forbids, or what the template refused")
	}
	if len(made) > 140_000 {
		t.Errorf("the page has %d bytes", len(made))
	}
}
