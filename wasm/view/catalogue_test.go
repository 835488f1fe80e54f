package view

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

func catalogue(t *testing.T, lang string) map[string]string {
	t.Helper()
	b, err := os.ReadFile("../../web/locales/" + lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	if err := json.Unmarshal(b, &words); err != nil {
		t.Fatalf("the catalogue %s is no JSON: %v", lang, err)
	}
	return words
}

// speaking is a page that has words and nothing else.
func speaking(words map[string]string) *page {
	return &page{m: &session.Model{Settings: session.Settings{Words: words}}, f: &link.Frame{}, view: &View{}}
}

// languages returns the Codes of all Languages. Each has a catalogue, and each
// catalogue is a Language's.
func languages(t *testing.T) (codes []string) {
	t.Helper()
	for _, l := range session.Languages {
		codes = append(codes, l.Code)
	}
	files, err := filepath.Glob("../../web/locales/*.json")
	for i, name := range files {
		files[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	if sorted := slices.Sorted(slices.Values(codes)); err != nil || !slices.Equal(sorted, files) {
		t.Fatalf("there are catalogues of %s, and the languages are %s: %v", files, codes, err)
	}
	return codes
}

// A third language is one more file, so entries that concern one language only,
// such as the rules of its plurals, are under "plural.".
func TestCataloguesSayTheSame(t *testing.T) {
	codes := languages(t)
	first := catalogue(t, codes[0])
	for _, code := range codes[1:] {
		words := catalogue(t, code)
		for _, fault := range differences(first, words) {
			t.Errorf("%s and %s: %s", codes[0], code, fault)
		}
	}
}

// Every catalogue says a count as its language does.
func TestCountsAgree(t *testing.T) {
	for _, code := range languages(t) {
		for _, fault := range disagreements(catalogue(t, code)) {
			t.Errorf("%s: %s", code, fault)
		}
	}
}

// Every entry of a station's menu, and every script of the library, has its words.
func TestMenusAndScriptsHaveWords(t *testing.T) {
	words := catalogue(t, languages(t)[0])
	m := session.New("en", "", -1)
	m.Open.Trace = &link.Opened{Script: true, Informers: []link.Informer{{Name: "pods"}}}
	m.Stage.Frame = &link.Frame{Work: link.Work{Fed: true, Fails: 1}, Processor: link.Processor{Listeners: []link.Listener{{Name: "audit", Joined: true}}}}
	for i, f := range link.Faults {
		m.Stage.Frame.Processor.Listeners = append(m.Stage.Frame.Processor.Listeners, link.Listener{ID: i + 1, Name: f, Joined: true, Fault: f})
	}
	entries := 0
	for _, s := range link.Stations {
		for _, g := range m.Hands.Gestures(&m, s) {
			entries++
			if words["gesture."+g.ID] == "" {
				t.Errorf("the entry %s of the menu of %s has no words", g.ID, s)
			}
		}
	}
	if entries < 49 {
		t.Errorf("the menus have %d entries", entries)
	}
	for _, name := range session.Scripts {
		if words["script."+name] == "" {
			t.Errorf("the script %s has no words", name)
		}
	}
}

// Every command has a title in each language, every group has one, and so has every reason
// why a command can't be done.
func TestCommandsHaveTitles(t *testing.T) {
	for _, code := range languages(t) {
		words := catalogue(t, code)
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
				if m.Palette.Text = c.Name; len(m.Palette.Offers(&m)) == 0 && !c.Fixed && c.Name != "palette" {
					t.Errorf("%s: the palette doesn't find %s", code, c.Name)
				}
				for _, o := range m.Palette.Offers(&m) {
					if o.Not != "" && words["ui.not."+o.Not] == "" {
						t.Errorf("%s: nobody says why %s can't be done: %s", code, o.Name, o.Not)
					}
				}
			}
		}
	}
}

// The catalogues have every text that the view asks for by its whole id.
func TestEveryTextIsInTheCatalogue(t *testing.T) {
	words := catalogue(t, languages(t)[0])
	asked := regexp.MustCompile(`p\.tn?\("([a-zA-Z0-9.]+)"`)
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(b), -1) {
			id := m[1]
			if _, ok := words[id]; !ok && id[len(id)-1] != '.' {
				t.Errorf("%s asks for %q", f.Name(), id)
			}
		}
	}
}

// Chinese texts have the punctuation of Chinese, and one word for a thing.
func TestChineseIsWrittenAsChinese(t *testing.T) {
	words := catalogue(t, "zh")
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

// What a profile has changed is said with the exact versions that it stands for.
func TestProfilesSayTheirVersions(t *testing.T) {
	for _, code := range languages(t) {
		p := speaking(catalogue(t, code))
		p.m.Open.Trace = &link.Opened{}
		for _, x := range world.Profiles() {
			p.m.Open.Trace.Profiles = append(p.m.Open.Trace.Profiles, link.Profile{Name: x.Name, Versions: x.Versions})
		}
		for _, x := range p.m.Open.Trace.Profiles {
			p.m.Open.Trace.Setup.Profile = x.Name
			said, _ := p.profiles().Value("title")
			if !strings.HasPrefix(said, x.Versions) || len(regexp.MustCompile(`v0\.\d`).FindAllString(said, -1)) != strings.Count(x.Versions, "v0.") {
				t.Errorf("%s says of %s: %s", code, x.Name, said)
			}
		}
	}
}
