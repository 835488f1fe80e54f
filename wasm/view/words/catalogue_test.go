package words_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// A third language is one more file, so entries that concern one language only,
// such as the rules of its plurals, are under "plural.".
func TestCataloguesSayTheSame(t *testing.T) {
	codes := viewtest.Languages(t)
	first := viewtest.Catalogue(t, codes[0])
	for _, code := range codes[1:] {
		words := viewtest.Catalogue(t, code)
		for _, fault := range differences(first, words) {
			t.Errorf("%s and %s: %s", codes[0], code, fault)
		}
	}
}

// Every catalogue says a count as its language does.
func TestCountsAgree(t *testing.T) {
	for _, code := range viewtest.Languages(t) {
		for _, fault := range disagreements(viewtest.Catalogue(t, code)) {
			t.Errorf("%s: %s", code, fault)
		}
	}
}

// Every entry of a station's menu, and every script of the library, has its words.
func TestMenusAndScriptsHaveWords(t *testing.T) {
	words := viewtest.Catalogue(t, viewtest.Languages(t)[0])
	m := session.New("en", "", -1)
	m.Open.Trace = &link.Opened{Script: true, Informers: []link.Informer{{Name: "pods"}}}
	m.Stage.Frame = &link.Frame{Reflector: link.Reflector{Streams: true}, Work: link.Work{Fed: true, Fails: 1, Controller: &link.Controller{Name: "shops", Owns: "pods"}, Workers: []link.Worker{{Key: "shop/db"}}}, Processor: link.Processor{Removes: true, Listeners: []link.Listener{{Name: "audit", Joined: true}}}}
	for i, f := range link.Faults {
		m.Stage.Frame.Processor.Listeners = append(m.Stage.Frame.Processor.Listeners, link.Listener{ID: i + 1, Name: f, Joined: true, Fault: f})
	}
	entries := 0
	runs := m.Expr.RunTosOf("shop/db")
	for _, s := range link.Stations {
		runs = append(runs, m.Expr.RunTos(s)...)
		for _, g := range hands.Gestures(m.Surroundings(), s) {
			entries++
			if words["gesture."+g.ID] == "" {
				t.Errorf("the entry %s of the menu of %s has no words", g.ID, s)
			}
		}
	}
	for _, r := range runs {
		if text := words["runTo."+r.ID]; text == "" || strings.Contains(text, "{handler}") != (r.Handler != "") {
			t.Errorf("the entry %s, which runs to %s, is called %q", r.ID, r.Expr, text)
		}
	}
	if entries < 55 {
		t.Errorf("the menus have %d entries", entries)
	}
	for _, name := range navigation.Scripts {
		if words["script."+name] == "" {
			t.Errorf("the script %s has no words", name)
		}
	}
}

// Every command has a title in each language, every group has one, and so has every reason
// why a command can't be done.
func TestCommandsHaveTitles(t *testing.T) {
	for _, code := range viewtest.Languages(t) {
		words := viewtest.Catalogue(t, code)
		m := session.New(code, "", -1)
		m.Settings.Words = words
		for _, g := range session.Groups {
			if words["ui.keys."+g.Name] == "" {
				t.Errorf("%s: the group %s has no title", code, g.Name)
			}
			for _, c := range g.Commands {
				if words["ui.do."+c.Name] == "" {
					t.Errorf("%s: the command %s has no title", code, c.Name)
				}
				if m.Palette.Text = c.Name; len(m.Offers()) == 0 && !c.Fixed && c.Name != "palette" {
					t.Errorf("%s: the palette doesn't find %s", code, c.Name)
				}
				for _, o := range m.Offers() {
					if o.Refusal != "" && words["ui.not."+o.Refusal] == "" {
						t.Errorf("%s: nobody says why %s can't be done: %s", code, o.Name, o.Refusal)
					}
				}
			}
		}
	}
}

// The catalogues have every text that the view asks for by its whole id.
func TestEveryTextIsInTheCatalogue(t *testing.T) {
	texts := viewtest.Catalogue(t, viewtest.Languages(t)[0])
	asked := regexp.MustCompile(`\.Tn?\("([a-zA-Z0-9.]+)"`)
	found := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		b, err := os.ReadFile(name)
		for _, m := range asked.FindAllStringSubmatch(string(b), -1) {
			id := m[1]
			found++
			if _, ok := texts[id]; !ok && id[len(id)-1] != '.' {
				t.Errorf("%s asks for %q", name, id)
			}
		}
		return err
	})
	if err != nil || found < 500 {
		t.Errorf("the view asks for %d texts: %v", found, err)
	}
}

// Chinese texts have the punctuation of Chinese, and one word for a thing.
func TestChineseIsWrittenAsChinese(t *testing.T) {
	words := viewtest.Catalogue(t, "zh")
	halfWidth := regexp.MustCompile(`[\p{Han}}][ ]?[,:;!?]|[,:;!?]\s*[\p{Han}{]|\p{Han}[ ]?[()]|[()]\p{Han}|\p{Han}\.`)
	gloss := regexp.MustCompile(`([A-Za-z]+(?: [A-Za-z]+)*)（\p{Han}+）`)
	glossed := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(words)) {
		s := words[id]
		plain := placeholder.ReplaceAllString(s, "{x}")
		if m := halfWidth.FindString(plain); m != "" {
			t.Errorf("%s has the half-width %q: %s", id, m, s)
		}
		// A key of a keyboard is a 键, and a key of the cache is a key.
		if rest := regexp.MustCompile("快捷键|空格键|按键|关键").ReplaceAllString(s, ""); strings.Contains(rest, "键") {
			t.Errorf("%s says 键 for a key: %s", id, s)
		}
		// A chip is a 色块, a tab a 标签页, and a label a 标签.
		if strings.Contains(s, "点选一个标签") {
			t.Errorf("%s says 标签 for a chip: %s", id, s)
		}
		for _, m := range gloss.FindAllStringSubmatch(s, -1) {
			if other, ok := glossed[m[1]]; ok {
				t.Errorf("%s and %s both explain %s", other, id, m[1])
			}
			glossed[m[1]] = id
		}
	}
	if len(glossed) < 5 {
		t.Errorf("the only terms that are explained are %v", glossed)
	}
}

// A station says in at most five words what it is for.
func TestCaptionsAreShort(t *testing.T) {
	for _, code := range viewtest.Languages(t) {
		words := viewtest.Catalogue(t, code)
		for _, station := range link.Stations {
			if n := len(strings.Fields(words["ui.caption."+station])); n == 0 || n > 5 {
				t.Errorf("in %s the caption of %s has %d words", code, station, n)
			}
		}
	}
}
