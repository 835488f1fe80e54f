package view

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// shown is a part of the page of a model: the first element with a class.
func shown(m *session.Model, class string) *tree.Node {
	root, _ := new(View).Page(m)
	return root.Find(func(n *tree.Node) bool {
		c, _ := n.Value("class")
		return slices.Contains(strings.Fields(c), class)
	})
}

// Answers lead to objects, and the values of an index to the objects that have them.
func TestAnswersLeadOn(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Front.Tab = desk.Object
	leads := func() (out []string) {
		shown(m, "answer").Find(func(n *tree.Node) bool {
			if act, _ := n.Value("data-act"); act != "" {
				arg, _ := n.Value("data-arg")
				out = append(out, act+" "+arg)
			}
			return false
		})
		return out
	}
	m.Indexer.Answer = &link.Answer{Query: link.Query{Func: link.FuncByIndex, Index: "app", Value: "web"}, Step: 7, From: 100, Total: 230, Rows: []link.AnswerRow{{Text: "a/web", RV: "3", Ref: 9}}}
	if got := leads(); !slices.Equal(got, []string{"dropAnswer ", "askPage 0", "askPage 101", "inspect 9"}) {
		t.Errorf("an answer leads to %q", got)
	}
	if text := shown(m, "answer").TextContent(); !strings.Contains(text, `ByIndex("app", "web")`) || !strings.Contains(text, "at step 7") {
		t.Errorf("the answer says %q", text)
	}
	m.Indexer.Answer = &link.Answer{Query: link.Query{Func: link.FuncListIndexFuncValues, Index: "app"}, Total: 1, Rows: []link.AnswerRow{{Text: "web", Keys: 2}}}
	if got := leads(); !slices.Equal(got, []string{"dropAnswer ", "inspectIndex app=web"}) {
		t.Errorf("a value leads to %q", got)
	}
	m.Indexer.Answer = &link.Answer{Error: link.FaultText("Index with name x does not exist")}
	if text := shown(m, "answer").TextContent(); !strings.Contains(text, "does not exist") {
		t.Errorf("an error is shown as %q", text)
	}
}

// Whatever a script comes to can be drawn, and in it each chip has its place once.
func TestEveryStepOfEveryScriptIsDrawn(t *testing.T) {
	files, err := filepath.Glob("../../engine/script/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
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
		for step := range h.Steps() + 1 {
			h.SeekTo(step)
			m.Stage.Frame = picture.New(h.At(), h.At().Informers[0], m.Window(), keys).Frame()
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
