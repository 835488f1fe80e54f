package host

import (
	"testing"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// hitsOf are the steps at which an expression comes about in the run shown, found by
// evaluating it step by step.
func hitsOf(t *testing.T, p *page, text string) (all []int64) {
	t.Helper()
	x, err := ask.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, e, was := p.h.desk.doc.run(), x.Eval(0), false
	r.History().Find(0, false, func(w *world.World) bool {
		v, _ := e.Look(w)
		if v.True() && (!was || x.Momentary()) {
			all = append(all, w.Steps())
		}
		was = v.True()
		return false
	}).Run(1 << 40)
	return all
}

// watched returns the last reply about an expression.
func (p *page) watched(text string) (w *link.Watched) {
	for _, r := range p.replies {
		if news[*link.Watched](r) != nil && news[*link.Watched](r).Text == text {
			w = news[*link.Watched](r)
		}
	}
	return w
}

// The hits of an expression that is watched are counted, listed and put on the
// timeline. A number is plotted. It goes on when another future is shown.
func TestWatchesExpressions(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	p.ask(link.DrawTimeline{Axis: link.ByStep, Buckets: 200}, nil)
	for _, text := range []string{"pop()", `delta("Updated")`, "behind() > 1", "once(tombstone())", "relist()", "within(1s, resync(), call())"} {
		want := hitsOf(t, p, text)
		p.ask(link.WatchFor{Watches: []link.Watch{{Text: text, List: true}, {Text: "depth()"}}}, nil)
		w := p.watched(text)
		if w == nil || !w.Done || w.Hits != len(want) || len(w.Rows) != min(len(want), link.MaxHits) || len(w.Ticks) != 200 || w.Wrong != nil {
			t.Fatalf("%s has %d hits: %+v", text, len(want), w)
		}
		ticks := 0
		for _, n := range w.Ticks {
			ticks += n
		}
		if ticks < len(want) || !w.Lasts && ticks != len(want) {
			t.Errorf("%s has %d ticks of %d hits", text, ticks, len(want))
		}
		for i, row := range w.Rows {
			if row.Step != want[i] || row.Sentence.ID == "" || !w.Lasts && row.To != row.Step {
				t.Errorf("%s: hit %d is %+v, not at %d", text, i, row, want[i])
			}
		}
		if d := p.watched("depth()"); d == nil || d.Plot == nil || d.Min != 0 || d.Max != int64(p.h.desk.doc.run().Timeline(link.ByStep, 10).MaxQueue) || len(d.Plot.Max) != 200 {
			t.Errorf("depth() is %+v", d)
		}
		if len(want) > link.MaxHits {
			p.ask(link.WatchFor{Watches: []link.Watch{{Text: text, List: true, From: len(want) - 2}}}, nil)
			if w := p.watched(text); len(w.Rows) != 2 || w.Rows[1].Step != want[len(want)-1] {
				t.Errorf("%s: the last two hits are %+v", text, w.Rows)
			}
		}
		// Run to each of them, forwards and back.
		p.frame(link.Seek{Step: 0})
		for _, step := range want {
			if f := p.frame(link.RunTo{Expr: text}); f.Step != step {
				t.Fatalf("%s: it runs to step %d, and not to %d", text, f.Step, step)
			}
		}
		if at := p.frame(link.RunTo{Expr: text}); p.missed() == nil || p.missed().Expr != text {
			t.Errorf("%s: after the last hit it runs to step %d, and doesn't say so", text, at.Step)
		}
		for i := len(want) - 2; i >= 0; i-- {
			if f := p.frame(link.RunTo{Back: true, Expr: text}); f.Step != want[i] {
				t.Fatalf("%s: back, it runs to step %d, and not to %d", text, f.Step, want[i])
			}
		}
	}
	// Another future has other hits.
	p.frame(link.Seek{Step: 200})
	p.ask(link.WatchFor{Watches: []link.Watch{{Text: "relist()"}, {Text: `behind("odit") > 1`}}}, nil)
	if w := p.watched("relist()"); w.Hits != 1 {
		t.Fatalf("in another future relist() has %+v", w)
	}
	if w := p.watched(`behind("odit") > 1`); w == nil || inWords(w.Wrong) != `wantOne audit, metrics, controller (noHandler "odit")` {
		t.Errorf("an expression about no handler has %+v", w)
	}
	p.ask(link.PlayLine{Line: "fail requests expired\nbreak watch"}, nil)
	if want := hitsOf(t, p, "relist()"); len(want) == 0 || p.watched("relist()").Hits != len(want) {
		t.Errorf("after a broken watch there are %d relists, and it finds %+v", len(want), p.watched("relist()"))
	}
}

func (p *page) missed() (m *link.Missed) {
	for _, r := range p.replies {
		if news[*link.Missed](r) != nil {
			m = news[*link.Missed](r)
		}
	}
	return m
}

// Playing stops where a breakpoint comes about, by steps and by the clock. Single steps go
// on.
func TestPlayingStopsAtABreakpoint(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	const text = `delta("Deleted")`
	want := hitsOf(t, p, text)
	p.ask(link.WatchFor{Watches: []link.Watch{{Text: text, Break: true}}}, nil)
	for _, play := range []link.Op{link.Step{Unit: link.Operation, N: 400, Play: true}, link.SeekTime{Time: 1 << 60, Play: true}} {
		p.frame(link.Seek{Step: 0})
		for i, step := range want[:3] {
			f := p.frame(play)
			for f.Step < step && f.Break == "" {
				f = p.frame(play)
			}
			if f.Step != step || f.Break != text {
				t.Fatalf("%s: stop %d is at step %d, and not at %d: %q", link.Name(play), i, f.Step, step, f.Break)
			}
		}
	}
	p.frame(link.Seek{Step: want[0] - 1})
	if f := p.frame(link.Step{Unit: link.Micro, N: 3}); f.Step != want[0]+2 || f.Break != "" {
		t.Errorf("three steps lead to %d, and stop at %q", f.Step, f.Break)
	}
}

// A search is made in slices, says how far it is, and can be cancelled; what was found
// stays.
func TestASearchCanBeCancelled(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	p.ask(link.DrawTimeline{Axis: link.ByTime, Buckets: 100}, nil)
	p.ask(link.WatchFor{Watches: []link.Watch{{Text: "pop()", List: true, Stopped: true}}}, nil)
	w := p.watched("pop()")
	if w == nil || !w.Done || w.Step >= w.Steps {
		t.Fatalf("a search that was cancelled is at %+v", w)
	}
	p.ask(link.WatchFor{Watches: []link.Watch{{Text: "pop()", List: true}}}, nil)
	if w := p.watched("pop()"); !w.Done || w.Step != w.Steps || w.Hits != len(hitsOf(t, p, "pop()")) {
		t.Errorf("it goes on to %+v", w)
	}
	p.ask(link.WatchFor{}, nil)
	if p.watched("pop()") != nil || len(p.h.exprs.watched) != 0 {
		t.Error("it is still watched")
	}
}
