package session

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Each name stands for one thing, and each key for one command where it counts.
func TestEachCommandIsThereOnce(t *testing.T) {
	names, keys := map[string]bool{}, map[string]string{}
	each := func(c *Command) {
		if names[c.Name] || c.run == nil {
			t.Errorf("%s is there twice, or does nothing", c.Name)
		}
		names[c.Name] = true
		for _, k := range c.Keys {
			if other := keys[c.mode+" "+k]; other != "" {
				t.Errorf("%s and %s have the key %q", other, c.Name, k)
			}
			keys[c.mode+" "+k] = c.Name
		}
	}
	for _, g := range Groups {
		for _, c := range g.Commands {
			each(c)
		}
	}
	for _, c := range elements {
		if each(c); len(c.Keys) > 0 || c.takes || c.mode != "" {
			t.Errorf("%s is an element's, and has what only a command of the table can have", c.Name)
		}
	}
}

// widgets are the only files beside the table that name keys, and which keys
// they name: those by which each field, list of tabs, grid and button works on
// every page. The packages of the view write the names of keys, and read none.
var widgets = map[string]string{
	"dom/listen.go":      "Enter ArrowUp ArrowDown ArrowLeft ArrowRight Home End Escape",
	"page/grid.js":       "ArrowUp ArrowDown ArrowLeft ArrowRight Home End",
	"page/room.js":       "Enter", // which presses a button
	"page/menu.js":       "ArrowUp ArrowDown Home End Tab",
	"session/keys.go":    "Enter Escape Tab", // what no command can have
	"ask/ask.go":         "Enter Escape",     // the rest are fields, to which dom/listen.go gives them
	"ask/expr.go":        "Enter ArrowUp ArrowDown Escape",
	"hands/console.go":   "ArrowUp ArrowDown Escape",
	"session/palette.go": "Enter ArrowUp ArrowDown Escape",
	"session/kind.go":    "Enter Escape",
	"ask/indexer.go":     "Enter ArrowUp ArrowDown Escape",
}

// A key that is read elsewhere could neither be changed nor switched off.
func TestKeysAreReadInTheTable(t *testing.T) {
	named := regexp.MustCompile(`["'](?:Shift\+)?(Enter|Escape|Tab|Home|End|PageUp|PageDown|Backspace|Delete|Arrow(?:Up|Down|Left|Right))["']`)
	compared := regexp.MustCompile(`(?:\b[kK]ey|code) ?(?:===?|!==?) ?["']([^"' ])["']`)
	files := 0
	for _, root := range []string{"..", "../../web/page", "../../web/worker"} {
		err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
			short := filepath.Base(filepath.Dir(name)) + "/" + filepath.Base(name)
			if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") || filepath.Ext(name) != ".go" && filepath.Ext(name) != ".js" ||
				short == "session/commands.go" || strings.HasPrefix(filepath.ToSlash(name), "../view/") {
				return err
			}
			text, err := os.ReadFile(name)
			files++
			for _, m := range append(named.FindAllStringSubmatch(string(text), -1), compared.FindAllStringSubmatch(string(text), -1)...) {
				if !slices.Contains(strings.Fields(widgets[short]), m[1]) {
					t.Errorf("%s reads the key %q", short, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
}

// The viewer changes keys, is told of those that are taken, and finds them at the next visit.
func TestKeysCanBeChanged(t *testing.T) {
	g := opened(t)
	kept := func() string {
		for i := len(g.cmds) - 1; i >= 0; i-- {
			if k, ok := g.cmds[i].(desk.StoreSetting); ok && k.Name == "keys" {
				return k.Value
			}
		}
		t.Fatal("nothing was kept")
		return ""
	}
	steps := func(key string) int {
		before := count[link.Step](g)
		g.play(Pressed{Key: key})
		if n := count[link.Step](g) - before; n > 0 {
			answer[link.Step](g, 1)
			return n
		}
		return 0
	}
	g.play(Pressed{Key: "?"}, Acted{"editKeys", "", ""}, Acted{"addKey", "step", ""}, Pressed{Key: "Shift"}, Pressed{Key: "K"}, Pressed{Key: "Escape"})
	if steps("K") != 1 || steps(".") != 1 {
		t.Error("the command doesn't have both keys")
	}
	g.play(Acted{"help", "", ""}, Acted{"addKey", "step", ""}, Pressed{Key: "s"})
	if k := g.m.Keyboard.Keying; k.Clash != "save" || k.Key != "s" || steps("s") != 0 {
		t.Errorf("the page doesn't say that the key is taken: %+v", k)
	}
	g.play(Acted{"takeKey", "", ""}, Acted{"close", "", ""})
	if steps("s") != 1 || g.m.Front.Dialog != "" {
		t.Error("the key still belongs to another command")
	}
	for _, p := range []Pressed{{Key: "Enter"}, {Key: "w", Ctrl: true}, {Key: "x", Alt: true}, {Key: "4"}} {
		g.play(Acted{"help", "", ""}, Acted{"addKey", "step", ""}, p)
		if g.m.Keyboard.Keying.Wrong == "" {
			t.Errorf("%+v is taken for a key that a command can have", p)
		}
		g.play(Acted{"close", "", ""})
	}
	g.play(Acted{"help", "", ""}, Acted{"addKey", "undo", ""}, Pressed{Key: "Z", Ctrl: true, Shift: true}, Acted{"dropKey", "step\t.", ""}, Acted{"close", "", ""})
	if keys := g.m.Keyboard.KeysOf("undo"); !slices.Equal(keys, []string{"u", "Ctrl+Shift+z"}) || steps(".") != 0 {
		t.Errorf("undo has the keys %q", keys)
	}
	next := New("en", "", -1)
	next.Keyboard.Map = parseKeymap(kept() + "\nnobody\ta\nclose\tb\nplay")
	if !slices.Equal(next.Keyboard.KeysOf("step"), []string{"ArrowRight", "K", "s"}) || len(next.Keyboard.KeysOf("save")) != 0 || !slices.Equal(next.Keyboard.KeysOf("close"), []string{"Escape"}) || len(next.Keyboard.KeysOf("play")) != 0 {
		t.Errorf("the next visit has %q", next.Keyboard.Map.String())
	}
	g.play(Acted{"resetKeys", "save", ""})
	if g.m.Keyboard.Keying.Clash != "step" {
		t.Error("a key that another command has by now is taken back without a word")
	}
	g.play(Acted{"resetKeys", "", ""}, Acted{"close", "", ""})
	if kept() != "" || steps(".") != 1 || steps("s") != 0 {
		t.Error("not all keys are as they were")
	}
}

// Keys that are single characters can be switched off, as WCAG 2.1.4 wants.
func TestSingleCharactersCanBeSwitchedOff(t *testing.T) {
	g := opened(t)
	g.play(Acted{"singleKeys", "", "false"})
	for _, grp := range Groups {
		for _, c := range grp.Commands {
			for _, k := range g.m.Keyboard.KeysOf(c.Name) {
				if isSingle(k) {
					t.Errorf("%s still has %q", c.Name, k)
				}
			}
		}
	}
	for _, key := range []string{"g", "?", "5", "."} {
		if g.m.HasKey(Pressed{Key: key}) {
			t.Errorf("%s is still a command", key)
		}
	}
	for _, p := range []Pressed{{Key: "ArrowRight"}, {Key: " "}, {Key: "k", Ctrl: true}, {Key: "Escape"}} {
		if !g.m.HasKey(p) {
			t.Errorf("%+v is switched off, too", p)
		}
	}
	if m := (&Model{Keyboard: Keyboard{Map: parseKeymap(g.m.Keyboard.Map.String())}}); m.HasKey(Pressed{Key: "g"}) {
		t.Error("the next visit has them again")
	}
	g.play(Acted{"singleKeys", "", "true"})
	if !g.m.HasKey(Pressed{Key: "g"}) {
		t.Error("they can't be switched on again")
	}
}

// The palette finds commands by id and by the words of any language, offers what can be done
// now, and says of the rest why it can't.
func TestThePalette(t *testing.T) {
	g := opened(t)
	g.m.Settings.Words = map[string]string{"ui.do.save": "Save as a trace", "ui.do.undo": "Undo", "ui.do.tab": "Open the tab", "ui.tab.setup": "Setup", "ui.colon": ": "}
	g.play(Pressed{Key: "k", Ctrl: true, Typing: true})
	if g.m.Front.Dialog != "palette" || len(g.m.Offers()) < 30 {
		t.Fatalf("the dialog %q has %d offers", g.m.Front.Dialog, len(g.m.Offers()))
	}
	for _, o := range g.m.Offers() {
		if o.Refusal != "" {
			t.Errorf("%s is offered although: %s", o.Name, o.Refusal)
		}
	}
	if c := g.cmds[len(g.cmds)-1]; c != (Speak{"zh"}) {
		t.Errorf("the page asked for %v", c)
	}
	g.play(Spoke{"zh", map[string]string{"ui.do.save": "另存为 trace", "ui.tab.setup": "设置", "step.start": "还没有"}})
	for text, want := range map[string]string{"trace SAVE": "save", "另存": "save", "next tomb": "nextTombstone", "设置": "tab", "undo": "undo"} {
		g.play(Acted{"findCommand", "", text})
		if all := g.m.Offers(); len(all) == 0 || all[0].Name != want {
			t.Errorf("%q finds %v", text, all)
		}
	}
	g.play(Acted{"findCommand", "", "undo"}, Acted{"enterCommand", "Enter", "undo"})
	if all := g.m.Offers(); all[0].Refusal != "undo" || g.m.Front.Dialog != "palette" {
		t.Error("what can't be done is done, or nobody says why it isn't")
	}
	g.play(Acted{"findCommand", "", "tab setup"}, Acted{"enterCommand", "Enter", "tab setup"})
	if g.m.Front.Dialog != "" || g.m.Front.Tab != desk.Setup {
		t.Errorf("the palette leads to %q %q", g.m.Front.Dialog, g.m.Front.Tab)
	}
	g.play(Pressed{Key: "k", Ctrl: true}, Acted{"enterCommand", "ArrowUp", ""})
	if n := len(g.m.Offers()); g.m.Palette.Selected != n-1 {
		t.Errorf("the one before the first of %d is %d", n, g.m.Palette.Selected)
	}
	g.play(Acted{"enterCommand", "ArrowDown", ""})
	if g.m.Palette.Selected != 0 {
		t.Errorf("the one after the last is %d", g.m.Palette.Selected)
	}
}
