package view

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// Whatever a script comes to can be drawn, and in it each chip has its place once.
func TestEveryStepOfEveryScriptIsDrawn(t *testing.T) {
	files, err := filepath.Glob("../../engine/script/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	every := int64(1)
	if testing.Short() {
		every = 23
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := script.NewRunner(func(script.Entry) {})
		if err := r.Play(string(statements.ReplaceAll(text, nil))); err != nil || r.History() == nil {
			continue // the script is about lines that can't be played
		}
		h := r.History()
		m := viewtest.Busy(t, "en")
		keys := picture.NewRanks(h.Front().Informers[0].Config().Table)
		for step := int64(0); step <= h.Steps(); step += every {
			h.SeekTo(step)
			m.Stage.Frame = picture.New(h.World(), h.World().Informers[0], m.Window(), keys).Frame()
			m.Stage.Lists = m.Stage.Frame
			root, _ := new(View).Page(m)
			places := map[string]bool{}
			root.Find(func(n *tree.Node) bool {
				if place, ok := n.Value("data-place"); ok {
					if places[place] {
						t.Errorf("%s, step %d: there are two places %s", filepath.Base(name), step, place)
					}
					places[place] = true
				}
				return false
			})
		}
	}
}

// statements matches what a golden file has beside the script's own lines.
var statements = regexp.MustCompile(`(?m)^> |^[^>#].*\n`)
