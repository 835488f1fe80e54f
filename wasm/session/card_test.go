package session

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// A capture opens on its card, unless a link names something of its run or of the machine.
func TestWhatOpensOnTheCard(t *testing.T) {
	for fragment, card := range map[string]bool{
		"#url=captures/a.json": true, "#url=captures/a.json&informer=pods&profile=v0.34&lang=zh": true, "#url=captures/a.json&step=9&view=card": true,
		"#url=captures/a.json&step=9": false, "#url=captures/a.json&search=relist%28%29": false, "#url=captures/a.json&tab=setup": false, "#url=captures/a.json&beside=resync": false,
		"": false, "#trace=shop": false, "#lesson=ghost": false,
	} {
		v := arrive(t, fragment)
		v.settle()
		if v.m.OnCard() != card {
			t.Errorf("%q opens on the card: %v", fragment, v.m.OnCard())
		}
	}
}

// The card leads to the moment that it names, with its key in focus, in its informer. One press leads back, and a command
// that is about the machine leads to it.
func TestTheCardLeadsToTheMachine(t *testing.T) {
	v := arrive(t, "#url=captures/a.json")
	id := lastID[link.Open](v.game)
	v.do(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "a.json", Complete: true, Informers: []link.Informer{{Name: "pods"}, {Name: "nodes"}}}}},
		Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Card{Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	answer[link.Fit](v.game, 0)
	if !v.m.OnCard() || v.m.Card.Card == nil {
		t.Fatal("it doesn't open on the card")
	}
	v.do(Acted{Act: "show", Arg: "1 5000 lists shop/web"})
	if q := last[link.Show](v.game); q != (link.Show{Informer: 1, Time: 5000, Key: "shop/web", Lists: true}) || v.m.OnCard() || v.m.Find.Follow != "shop/web" || v.m.Open.Trace.Informer != 1 {
		t.Errorf("it shows %+v", q)
	}
	v.do(Replied{&link.Reply{ID: lastID[link.Show](v.game), News: &link.Frame{Step: 40, Steps: 100, Complete: true}}})
	v.browse(-1)
	if !v.m.OnCard() || v.m.Card.Shown != "1 5000 lists shop/web" {
		t.Errorf("Back leads from what was shown to the machine, or forgets %q", v.m.Card.Shown)
	}
	v.do(Acted{Act: "card"})
	for range 2 {
		v.do(Pressed{Key: "O"})
		if !v.m.OnCard() {
			t.Error("nothing leads back to the card")
		}
		v.do(Pressed{Key: "]"})
		if v.m.OnCard() {
			t.Error("a step is made where nobody sees it")
		}
	}
	v.do(Acted{Act: "card"}, Acted{Act: "addHandlers"})
	if v.m.OnCard() || v.m.Front.Tab != "setup" {
		t.Errorf("handlers are added on %s", v.m.Front.Tab)
	}
}

// A trace that was saved where somebody was at work in it opens in the machine, and what can't be opened leaves the
// viewer where that was looked at before.
func TestWhatOpensInTheMachine(t *testing.T) {
	v := arrive(t, "#url=captures/a.json")
	opened := func(edited bool) {
		v.do(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Opened{Name: "a.json", Complete: true, Edited: edited, Informers: []link.Informer{{Name: "pods"}}}}},
			Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Frame{Steps: 100, Complete: true}}})
	}
	if opened(true); v.m.OnCard() {
		t.Error("it opens on the card")
	}
	refused := func() {
		v.do(Chose{Name: "b.json", Size: 3})
		v.do(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Failure{Sentence: link.Sentence{ID: "fail.open"}}}})
	}
	refused()
	if opened(false); v.m.OnCard() {
		t.Error("a file that can't be opened leads to the card of the one before")
	}
	v.do(Acted{Act: "card"})
	refused()
	if opened(false); !v.m.OnCard() {
		t.Error("a file that can't be opened leads away from the card of the one before")
	}
}

// A cluster that is followed shows its card after a minute, unless the viewer is at work.
func TestTheCardOfACluster(t *testing.T) {
	for _, busy := range []bool{false, true} {
		m := atWork()
		m.Open.Trace.Script, m.Card.acted = false, busy
		m.Update(Replied{&link.Reply{News: &link.Live{Following: true, Now: 59e9}}})
		if m.OnCard() {
			t.Error("the card is shown too early")
		}
		if m.Update(Replied{&link.Reply{News: &link.Live{Following: true, Now: 61e9}}}); m.OnCard() == busy {
			t.Errorf("after a minute the card is shown: %v", m.OnCard())
		}
	}
}

// A page that is loaded again stays where the viewer was, however old the cluster's trace is by then.
func TestTheCardAfterAReload(t *testing.T) {
	for _, on := range []bool{false, true} {
		stay := &address.Address{Source: address.Source{URL: "opened/live/1"}}
		stay.Page.Card = on
		g := &game{t: t, m: full()}
		g.play(Started{Address: stay, Files: true})
		g.play(Replied{&link.Reply{News: &link.Opened{Name: "-", Live: true, Informers: []link.Informer{{Name: "pods"}}}}})
		for _, now := range []int64{0, 90e9, 91e9} {
			g.play(Replied{&link.Reply{News: &link.Live{Following: true, Now: now}}})
			if g.m.OnCard() != on {
				t.Errorf("the viewer was on the card: %v; after %d s it is shown: %v", on, now/1e9, g.m.OnCard())
			}
		}
		g.play(Replied{&link.Reply{News: &link.Frame{Step: 3, Steps: 4}}})
		if a := g.m.Nav.CurrentAddress(); a == nil || a.Source.URL != stay.Source.URL || a.Page.Card != on || len(a.Steps) > 0 {
			t.Errorf("loaded again, it would go to %+v", a)
		}
	}
}

// The card of a whole recording from within a process asks once what the recorder tells of its own work. That of any other capture
// asks nothing.
func TestTheCardAsksForOwnWork(t *testing.T) {
	for _, inside := range []bool{false, true} {
		m := atWork()
		m.Open.Trace.Script = false
		asked := 0
		for _, complete := range []bool{false, true, true} {
			for _, c := range m.Update(Replied{&link.Reply{News: &link.Card{Complete: complete, Inside: inside}}}) {
				if s, is := c.(desk.Send); is {
					if _, is := s.Op.(link.AskOwnWork); is && complete {
						asked++
					} else {
						t.Errorf("it sends %+v", s.Op)
					}
				}
			}
		}
		if asked == 1 != inside {
			t.Errorf("of a recording from inside %v it has asked %d times", inside, asked)
		}
	}
}

// A stale read on the card leads to the lesson about guards, with its lag in the scene. The lesson keeps it while other lessons and
// files are opened, until the reader looks for another recording.
func TestAStaleReadLeadsToTheLesson(t *testing.T) {
	for late, line := range map[int64]string{13_712_345: "lag server 13.7ms pods", -1: "lag server forever pods", 5_000_000_000: "lag server 5s pods"} {
		v := arrive(t, "#url=captures/a.json")
		v.settle()
		v.m.Expr.OwnWork = &link.OwnWork{Cases: []link.Table{{Late: 7}, {Late: late}}}
		v.do(Acted{Act: "chooseGuard", Arg: "9"}, Acted{Act: "chooseGuard", Arg: "1"})
		q := last[link.Open](v.game)
		if len(q.Chosen) != 1 || q.Chosen[0] != line || !strings.Contains(q.URL, "choose-a-guard.md") || v.m.Lesson.Recording.Case.Late != late {
			t.Errorf("%d ns lead to %+v", late, q)
		}
	}
}
