package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

func TestTheIndexerIsAsked(t *testing.T) {
	g := opened(t)
	g.m.Stage.Frame.Store.Indices = []link.Index{{Name: "app"}, {Name: "namespace"}}
	ask := func(want link.Query) {
		t.Helper()
		if got := last[link.AskIndexer](g).Query; got != want {
			t.Errorf("the page asked %+v, not %+v", got, want)
		}
		if g.m.Front.Tab != desk.Cache {
			t.Errorf("the answer comes to %s", g.m.Front.Tab)
		}
	}
	act := func(name, arg, value string) { g.play(Acted{Act: name, Arg: arg, Value: value}) }

	act("enterValue", "Enter", "default/web")
	ask(link.Query{Func: link.FuncGetByKey, Value: "default/web"})
	asked := count[link.AskIndexer](g)
	act("enterValue", "Escape", "other")
	if count[link.AskIndexer](g) != asked {
		t.Error("Escape asks")
	}
	act("editQuery", "func", link.FuncByIndex)
	act("editQuery", "value", "web")
	act("ask", "", "")
	ask(link.Query{Func: link.FuncByIndex, Index: "app", Value: "web"}) // the first index is the one that the page shows as chosen
	act("editQuery", "index", "namespace")
	act("ask", "", "")
	ask(link.Query{Func: link.FuncByIndex, Index: "namespace", Value: "web"})
	act("editQuery", "func", link.FuncList)
	act("enterNamespace", "Enter", "shop")
	ask(link.Query{Func: link.FuncList, Index: "namespace", Namespace: "shop"})
	act("inspectIndex", "app=a=b", "")
	ask(link.Query{Func: link.FuncByIndex, Index: "app", Value: "a=b"})
	act("inspectIndex", "app", "")
	ask(link.Query{Func: link.FuncListIndexFuncValues, Index: "app"})
	act("askCell", "12", "cell/12") // the place that was clicked
	ask(link.Query{Func: link.FuncListKeys, Cell: 12})
}

// An answer is of the step shown, unless that changes too fast to read it.
func TestAnAnswerFollowsTheStep(t *testing.T) {
	g := opened(t)
	g.play(Acted{Act: "enterValue", Arg: "Enter", Value: "default/web"})
	q := last[link.AskIndexer](g).Query
	answered := func(step int64) {
		g.play(Replied{&link.Reply{ID: lastID[link.AskIndexer](g), News: &link.Answer{Query: q, Step: step, Total: 250}}})
	}
	answered(g.m.Stage.Frame.Step)
	asked := count[link.AskIndexer](g)
	g.play(Acted{Act: "step"})
	answer[link.Step](g, g.m.Stage.Frame.Step+1)
	if count[link.AskIndexer](g) != asked+1 || last[link.AskIndexer](g).Query != q {
		t.Errorf("after a step the question was asked %d times", count[link.AskIndexer](g)-asked)
	}
	answered(g.m.Stage.Frame.Step)
	g.play(Acted{Act: "askPage", Arg: "100"})
	if got := last[link.AskIndexer](g).Query; got.From != 100 || got.Value != q.Value {
		t.Errorf("the next part is asked for by %+v", got)
	}
	g.play(Acted{Act: "dropAnswer"})
	answered(g.m.Stage.Frame.Step)
	if g.m.Indexer.Answer != nil {
		t.Error("an answer comes that nobody wants any more")
	}
	asked = count[link.AskIndexer](g)
	g.play(Acted{Act: "step"})
	answer[link.Step](g, g.m.Stage.Frame.Step+1)
	if count[link.AskIndexer](g) != asked {
		t.Error("the question is asked again after its answer was closed")
	}
}
