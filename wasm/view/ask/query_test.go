package ask

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// Answers lead to objects, and the values of an index to the objects that have them.
func TestAnswersLeadOn(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "en"))
	var n *tree.Node
	leads := func(a *link.Answer) (out []string) {
		n = Answer(w, a)
		n.Find(func(n *tree.Node) bool {
			if act, _ := n.Value("data-act"); act != "" {
				arg, _ := n.Value("data-arg")
				out = append(out, act+" "+arg)
			}
			return false
		})
		return out
	}
	if got := leads(&link.Answer{Query: link.Query{Func: link.FuncByIndex, Index: "app", Value: "web"}, Step: 7, From: 100, Total: 230, Rows: []link.AnswerRow{{Text: "a/web", RV: "3", Ref: 9}}}); !slices.Equal(got, []string{"dropAnswer ", "askPage 0", "askPage 101", "inspect 9"}) {
		t.Errorf("an answer leads to %q", got)
	}
	if text := n.TextContent(); !strings.Contains(text, `ByIndex("app", "web")`) || !strings.Contains(text, "at step 7") {
		t.Errorf("the answer says %q", text)
	}
	if got := leads(&link.Answer{Query: link.Query{Func: link.FuncListIndexFuncValues, Index: "app"}, Total: 1, Rows: []link.AnswerRow{{Text: "web", Keys: 2}}}); !slices.Equal(got, []string{"dropAnswer ", "inspectIndex app=web"}) {
		t.Errorf("a value leads to %q", got)
	}
	if text := Answer(w, &link.Answer{Error: link.FaultText("Index with name x does not exist")}).TextContent(); !strings.Contains(text, "does not exist") {
		t.Errorf("an error is shown as %q", text)
	}
}
