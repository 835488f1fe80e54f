package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// An expression is completed by keys, searched by Enter, and then run to from hit to hit.
func TestWritesAnExpression(t *testing.T) {
	g := opened(t)
	g.m.Stage.Frame.Processor.Listeners = []link.Listener{{Name: "audit"}}
	g.play(Pressed{Key: "/"})
	if g.m.Front.Tab != desk.Search || len(g.m.Expr.Completions()) != 0 {
		t.Fatalf("the tab is %s, with %v", g.m.Front.Tab, g.m.Expr.Completions())
	}
	write := func(text string) { g.play(Acted{Act: "writeExpr", Value: text}) }
	enter := func(key string) { g.play(Acted{Act: "enterExpr", Arg: key, Value: g.m.Expr.Text}) }
	write("beh")
	enter("ArrowDown")
	enter("Enter")
	if g.m.Expr.Text != "behind(" {
		t.Fatalf("it goes on as %q", g.m.Expr.Text)
	}
	if wrong := g.m.Expr.SyntaxError(); wrong == nil || wrong.Pos != 7 {
		t.Errorf("of an unfinished expression it says %+v", wrong)
	}
	enter("Enter")
	if count[link.WatchFor](g) != 0 {
		t.Error("what is wrong is searched")
	}
	write(`behind("audit") > 1`)
	enter("Escape")
	if len(g.m.Expr.Completions()) != 0 || g.m.Expr.SyntaxError() != nil {
		t.Errorf("after Escape it still offers %v, and says %v", g.m.Expr.Completions(), g.m.Expr.SyntaxError())
	}
	enter("Enter")
	if r := last[link.WatchFor](g); len(r.Watches) != 1 || r.Watches[0] != (link.Watch{Text: `behind("audit") > 1`, List: true}) {
		t.Errorf("Enter watches %+v", r.Watches)
	}
	if r := last[link.RunTo](g); r.Expr != `behind("audit") > 1` || r.Back {
		t.Errorf("Enter runs with %+v", r)
	}
	answer[link.RunTo](g, 40)
	g.m.Stage.Frame.Processor.Listeners = []link.Listener{{Name: "audit"}}
	g.play(Pressed{Key: "V", Shift: true})
	if r := last[link.RunTo](g); !r.Back || count[link.WatchFor](g) != 1 {
		t.Errorf("the request is %+v, after %d requests for a watch", r, count[link.WatchFor](g))
	}
	if write(`behind("odit") > 1`); g.m.Expr.SyntaxError() == nil {
		t.Error("it knows a handler that isn't there")
	}
	// Keys that contain what is being written are asked for.
	if write(`pop("def`); last[link.FindKeys](g).Text != "def" {
		t.Errorf("keys with %q are asked for", last[link.FindKeys](g).Text)
	}
	g.play(Replied{&link.Reply{News: &link.Keys{Text: "def", Keys: []string{"default/web"}}}})
	if c := g.m.Expr.Completions(); len(c) != 1 || c[0].Text != `"default/web"` {
		t.Errorf("it completes the key with %+v", c)
	}
}

// Breakpoints stay when something else is searched or opened, and stop playing while they
// are on.
func TestBreakpoints(t *testing.T) {
	g := opened(t)
	g.play(Acted{Act: "writeExpr", Value: "relist()"}, Acted{Act: "addBreak"}, Acted{Act: "addBreak"})
	if len(g.m.Expr.Breaks) != 1 || !last[link.WatchFor](g).Watches[0].Break {
		t.Fatalf("the breakpoints are %+v, and %+v is watched", g.m.Expr.Breaks, last[link.WatchFor](g).Watches)
	}
	g.play(Acted{Act: "writeExpr", Value: "depth()"}, Acted{Act: "addBreak"}, Acted{Act: "watchExpr"})
	want := []link.Watch{{Text: "depth()", List: true}, {Text: "relist()", Break: true}}
	if w := last[link.WatchFor](g).Watches; len(w) != 2 || w[0] != want[0] || w[1] != want[1] {
		t.Errorf("it watches %+v", w)
	}
	g.play(Replied{&link.Reply{News: &link.Watched{Text: "relist()", Hits: 2}}}, Replied{&link.Reply{News: &link.Watched{Text: "pop()"}}})
	if w := g.m.Expr.StopResult("relist()"); w == nil || w.Hits != 2 || g.m.Expr.StopResult("pop()") != nil {
		t.Errorf("it has found %+v", g.m.Expr.Watched)
	}
	g.play(Acted{Act: "play"})
	g.tick(16)
	g.tick(500)
	if r := last[link.Step](g); !r.Play {
		t.Errorf("playing past a breakpoint asks for %+v", r)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Step](g), News: &link.Frame{Step: 9, Steps: 100, Break: "relist()"}}})
	if g.m.Transport.Playing || g.m.Expr.Break != "relist()" {
		t.Errorf("it plays on, at %q", g.m.Expr.Break)
	}
	if g.play(Acted{Act: "step"}); g.m.Expr.Break != "" {
		t.Error("it has not gone on")
	}
	g.play(Acted{Act: "toggleBreak", Arg: "relist()"})
	if w := last[link.WatchFor](g).Watches; len(w) != 1 || w[0].Text != "depth()" {
		t.Errorf("one that is off is watched: %+v", w)
	}
	g.play(Acted{Act: "toggleBreak", Arg: "relist()"})
	n := count[link.WatchFor](g)
	g.play(Acted{Act: "bundled"})
	if g.reopen(); count[link.WatchFor](g) == n || len(last[link.WatchFor](g).Watches) != 2 {
		t.Errorf("after another trace was opened, %+v is watched", last[link.WatchFor](g).Watches)
	}
	g.play(Acted{Act: "dropBreak", Arg: "relist()"}, Acted{Act: "dropExpr"})
	if w := last[link.WatchFor](g).Watches; len(w) != 0 || len(g.m.Expr.Breaks) != 0 {
		t.Errorf("after all were dropped, %+v is watched", w)
	}
}
