package session

import (
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// answerWith answers the last step with a frame that has this sentence, and perhaps a
// more telling step that was passed.
func (g *game) answerWith(step int64, passed *link.StepSummary) {
	g.t.Helper()
	f := &link.Frame{Step: step, Steps: 1 << 20, Complete: true, Sentence: link.Sentence{ID: "step." + decimal(step)}, Passed: passed}
	if step%2 == 0 {
		f.Reason = &link.Sentence{ID: "why." + decimal(step)}
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Step](g), News: f}})
}

func TestAStepByHandIsReadAtOnce(t *testing.T) {
	g := opened(t)
	for step := int64(1); step < 5; step++ {
		g.play(Pressed{Key: "ArrowRight"})
		g.answerWith(step, nil)
		if h := g.m.Stage.Heard; h.Step != step || (h.Reason != nil) != (step%2 == 0) {
			t.Errorf("after step %d, %+v is read", step, h)
		}
	}
}

// While it plays, a sentence is read every few seconds at most, and the most telling one
// since the last goes first.
func TestPlayingIsReadNowAndThen(t *testing.T) {
	g := opened(t)
	g.play(Pressed{Key: " "})
	for range 4 {
		g.play(Pressed{Key: ">", Shift: true})
	}
	step, start := int64(0), g.m.Stage.Heard
	play := func(ms int, passed map[int64]*link.StepSummary) (heard []link.StepSummary) {
		for range ms / 10 {
			before, n := g.m.Stage.Heard, count[link.Step](g)
			g.tick(10)
			if count[link.Step](g) > n {
				step += last[link.Step](g).N
				g.answerWith(step, passed[step])
				delete(passed, step)
			}
			if g.m.Stage.Heard.Step != before.Step {
				heard = append(heard, g.m.Stage.Heard)
			}
		}
		return heard
	}
	if play(announceEvery-100, nil); g.m.Stage.Heard.Step != start.Step {
		t.Errorf("after less than %d ms, %+v is read", announceEvery, g.m.Stage.Heard)
	}
	if heard := play(3*announceEvery, nil); len(heard) != 3 || heard[2].Sentence.ID != "step."+decimal(heard[2].Step) {
		t.Errorf("in %d ms, these are read: %+v", 3*announceEvery, heard)
	}
	resync := &link.StepSummary{Step: step + 1, Mark: link.MarkResync, Sentence: link.Sentence{ID: "step.resyncFired"}}
	relist := &link.StepSummary{Step: step + 2, Mark: link.MarkRelist, Sentence: link.Sentence{ID: "step.listReceived"}, Reason: &link.Sentence{ID: "why.list"}}
	closed := &link.StepSummary{Step: step + 3, Mark: link.MarkClosed, Sentence: link.Sentence{ID: "step.watchClosed"}}
	heard := play(2*announceEvery, map[int64]*link.StepSummary{step + 1: resync, step + 2: relist, step + 3: closed})
	if len(heard) != 2 || heard[0].Sentence.ID != "step.listReceived" || heard[0].Reason == nil || heard[1].Step <= closed.Step || heard[1].Mark != "" {
		t.Errorf("with a relist among them, %+v is read", heard)
	}
	g.play(Pressed{Key: " "})
	if g.m.Stage.Heard.Step != step {
		t.Errorf("paused at step %d, and step %d is read", step, g.m.Stage.Heard.Step)
	}
}

// At high speed most frames lack the steps before. The page doesn't show the
// lists of such a frame, and asks for the last frame again.
func TestBriefFramesAreCompletedAtTheEnd(t *testing.T) {
	g := opened(t)
	for range len(Speeds) {
		g.play(Pressed{Key: ">", Shift: true})
	}
	g.play(Pressed{Key: " "})
	step, brief := int64(0), 0
	for range 100 { // one second
		g.tick(10)
		r := last[link.Step](g)
		step += r.N
		if r.Brief {
			brief++
		}
		g.play(Replied{&link.Reply{ID: lastID[link.Step](g), News: &link.Frame{Step: step, Steps: 1 << 40, Complete: true, Brief: r.Brief}}})
		if g.m.Stage.Frame.Brief && g.m.Stage.Lists == g.m.Stage.Frame {
			t.Fatal("a brief frame has replaced the lists")
		}
	}
	if brief < 90 || brief > 98 {
		t.Errorf("of 100 requests, %d are brief", brief)
	}
	for !g.m.Stage.Frame.Brief {
		g.tick(10)
		g.play(Replied{&link.Reply{ID: lastID[link.Step](g), News: &link.Frame{Step: step, Steps: 1 << 40, Complete: true, Brief: true}}})
	}
	windows := count[link.Fit](g)
	if g.play(Pressed{Key: " "}); count[link.Fit](g) != windows+1 {
		t.Error("the steps before aren't asked for")
	}
}
