package session

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// game plays messages to a model and keeps what was asked for.
type game struct {
	t    *testing.T
	m    *Model
	sent []link.Request
	cmds []Cmd
	now  float64
}

func (g *game) play(messages ...Msg) {
	for _, msg := range messages {
		cmds := g.m.Update(msg)
		g.cmds = append(g.cmds, cmds...)
		for _, c := range cmds {
			switch c := c.(type) {
			case desk.Send:
				g.sent = append(g.sent, c.Request)
			case desk.Complain:
				g.t.Error(c.Text)
			}
		}
	}
}

// last returns the last operation of a kind that was asked for.
func last[T link.Op](g *game) T {
	g.t.Helper()
	return lastRequest[T](g).Op.(T)
}

// lastID returns the ID of its request.
func lastID[T link.Op](g *game) int {
	g.t.Helper()
	return lastRequest[T](g).ID
}

func lastRequest[T link.Op](g *game) link.Request {
	g.t.Helper()
	for i := len(g.sent) - 1; i >= 0; i-- {
		if _, is := g.sent[i].Op.(T); is {
			return g.sent[i]
		}
	}
	var op T
	g.t.Fatalf("no %s was asked for", link.Name(op))
	return link.Request{}
}

func count[T link.Op](g *game) int {
	n := 0
	for _, r := range g.sent {
		if _, is := r.Op.(T); is {
			n++
		}
	}
	return n
}

// answer answers the last request of a kind with a frame.
func answer[T link.Op](g *game, step int64) {
	g.t.Helper()
	g.play(Replied{&link.Reply{ID: lastID[T](g), News: &link.Frame{Step: step, Steps: 100, Complete: true, Dir: 1}}})
}

func (g *game) tick(ms float64) {
	g.now += ms
	g.play(Ticked{g.now})
}

// opened is a game with a trace of 100 steps, read and run, at step 0.
func opened(t *testing.T) *game {
	g := &game{t: t, m: full()}
	g.play(Started{}, Spoke{"en", map[string]string{"step.start": "Nothing yet."}})
	g.reopen()
	return g
}

// reopen answers what was asked to be opened with such a trace.
func (g *game) reopen() {
	g.t.Helper()
	id := lastID[link.Open](g)
	g.play(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "a.json", Complete: true, Informers: []link.Informer{{Name: "pods"}, {Name: "nodes"}}, Setup: link.Setup{Handlers: []link.Handler{{Name: "metrics"}}}, HasSetup: true}}})
	g.play(Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 100, Complete: true}}})
	g.play(Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	answer[link.Fit](g, 0)
	if g.m.Open.Loading || !g.m.Ready() || g.m.Transport.Playing {
		g.t.Fatalf("after opening, the page is loading: %v, ready: %v, playing: %v", g.m.Open.Loading, g.m.Ready(), g.m.Transport.Playing)
	}
}

func TestOpensTheBundledTraceFirst(t *testing.T) {
	g := opened(t)
	if r, is := g.sent[0].Op.(link.Open); !is || r.URL != navigation.Bundled.URL {
		t.Errorf("the page asks for %+v", r)
	}
}

// The page shows how far a second reading is, and the viewer can cancel it.
func TestShowsTheSecondReading(t *testing.T) {
	again := Replied{&link.Reply{News: &link.Progress{Phase: link.Rereading, Done: 7}}}
	for name, end := range map[string]Msg{
		"it is shown":  Replied{&link.Reply{News: &link.Opened{}}},
		"it failed":    Replied{&link.Reply{News: &link.Failure{Sentence: link.Sentence{ID: "fail.misread"}}}},
		"cancelled":    Acted{Act: "cancel"},
		"another file": Chose{Name: "b.json"},
	} {
		g := opened(t)
		g.play(again)
		if g.m.Open.Rereading == nil || g.m.Open.Rereading.Done != 7 || g.m.Open.Loading || g.m.Stage.Frame == nil {
			t.Fatalf("the second reading is %+v, and the page is loading: %v", g.m.Open.Rereading, g.m.Open.Loading)
		}
		if !slices.Contains(g.cmds, Cmd(Painted{})) {
			t.Error("the worker isn't told of the painting")
		}
		if g.play(end); g.m.Open.Rereading != nil {
			t.Errorf("after %s, the second reading is still shown", name)
		}
	}
}

// While a trace is opened, the page reports each painting to the worker, and afterwards
// none.
func TestTellsOfThePainting(t *testing.T) {
	g := &game{t: t, m: full()}
	g.play(Started{})
	announced := func() bool {
		g.cmds = nil
		g.play(Replied{&link.Reply{ID: lastID[link.DrawTimeline](g), News: &link.Timeline{Axis: link.ByStep}}})
		return slices.Contains(g.cmds, Cmd(Painted{}))
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Open](g), News: &link.Opened{}}})
	if g.play(Replied{&link.Reply{News: &link.Frame{}}}); !announced() {
		t.Error("the worker isn't told of the painting while the trace is read")
	}
	progress := Replied{&link.Reply{News: &link.Progress{Phase: link.Reading}}}
	if g.play(progress); !slices.Contains(g.cmds, Cmd(Painted{})) {
		t.Error("the worker isn't told that the progress was painted")
	}
	g.play(Hid{Hidden: true}, progress)
	if count[link.Painted](g) != 1 {
		t.Error("the worker waits for a painting that nobody sees")
	}
	g.play(Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	answer[link.Fit](g, 0)
	if announced() || count[link.Painted](g) != 1 {
		t.Error("the page reports a painting though nothing is being opened")
	}
}

func TestOnlyOneMoveIsUnderWay(t *testing.T) {
	g := opened(t)
	for range 5 {
		g.play(Pressed{Key: "ArrowRight"})
	}
	if n := count[link.Step](g); n != 1 {
		t.Fatalf("%d requests are under way", n)
	}
	answer[link.Step](g, 1)
	if r := last[link.Step](g); count[link.Step](g) != 2 || r.N != 4 {
		t.Errorf("what waited is %+v", r)
	}
	g.play(Pressed{Key: "ArrowLeft"}, Pressed{Key: "End"})
	answer[link.Step](g, 5)
	if r := last[link.Seek](g); r.Step != newest {
		t.Errorf("the last wish was the end, asked for %+v", r)
	}
}

func TestKeysDoWhatTheListSays(t *testing.T) {
	for _, c := range []struct {
		key Pressed
		op  link.Op
	}{
		{Pressed{Key: "."}, link.Step{Unit: link.Micro, N: 1}},
		{Pressed{Key: ","}, link.Step{Unit: link.Micro, N: -1}},
		{Pressed{Key: "ArrowRight", Shift: true}, link.Step{Unit: link.WatchEvent, N: 1}},
		{Pressed{Key: "ArrowLeft", Shift: true}, link.Step{Unit: link.WatchEvent, N: -1}},
		{Pressed{Key: "]"}, link.Step{Unit: link.Operation, N: 1}},
		{Pressed{Key: "["}, link.Step{Unit: link.Operation, N: -1}},
		{Pressed{Key: "Home"}, link.Seek{Step: 0}},
		{Pressed{Key: "End"}, link.Seek{Step: newest}},
		{Pressed{Key: "7"}, link.Seek{Step: 70}},
		{Pressed{Key: "i"}, link.ShowInformer{Informer: 1}},
	} {
		g := opened(t)
		g.play(c.key)
		if q := g.sent[len(g.sent)-1]; q.Op != c.op {
			t.Errorf("%+v asks for %+v", c.key, q.Op)
		}
	}
	g := opened(t)
	before := len(g.sent)
	g.play(Pressed{Key: "5", Typing: true}, Pressed{Key: "ArrowRight", Ctrl: true})
	g.play(Pressed{Key: "?", Shift: true}, Pressed{Key: "5"})
	if len(g.sent) != before || g.m.Front.Dialog != "help" {
		t.Errorf("the page asked for %+v in the dialog %q", g.sent[before:], g.m.Front.Dialog)
	}
	g.play(Pressed{Key: "Escape"})
	if g.m.Front.Dialog != "" {
		t.Error("Escape leaves the dialog open")
	}
}

func TestPlayingKeepsTime(t *testing.T) {
	g := opened(t)
	g.play(Pressed{Key: " "})
	step := int64(0)
	for range 200 { // two seconds, each request answered at once
		before := count[link.Step](g)
		g.tick(10)
		if count[link.Step](g) > before {
			step += last[link.Step](g).N
			answer[link.Step](g, step)
		}
	}
	if step < 6 || step > 8 {
		t.Errorf("in 2 s at 1×, %d steps were played", step)
	}
	if !g.m.Transport.Playing {
		t.Error("it does not play any more")
	}
	// An answer that is late, and a page out of sight, are not made up for.
	g.tick(10)
	g.tick(60_000)
	if r := last[link.Step](g); r.N > 1 {
		t.Errorf("after a minute away, %d steps at once", r.N)
	}
	answer[link.Step](g, 100)
	if g.m.Transport.Playing {
		t.Error("it plays on behind the end")
	}
}

func TestFasterIsMoreAtOnceAndFewerMovements(t *testing.T) {
	g := opened(t)
	if ms := g.m.Transport.Millis(); ms < 180 || ms > 320 {
		t.Errorf("a step by hand takes %d ms", ms)
	}
	g.play(Pressed{Key: " "})
	millis := g.m.Transport.Millis()
	for range len(Speeds) {
		g.play(Pressed{Key: ">", Shift: true})
		if now := g.m.Transport.Millis(); now > millis {
			t.Errorf("faster takes longer: %d ms after %d", now, millis)
		} else {
			millis = now
		}
	}
	if millis != 0 || !g.m.Transport.Crowded() {
		t.Errorf("at full speed a step takes %d ms, crowded: %v", millis, g.m.Transport.Crowded())
	}
	g.tick(10)
	first := last[link.Step](g).N
	answer[link.Step](g, 10)
	g.tick(10)
	if again := last[link.Step](g).N; again <= first {
		t.Errorf("answered fast, it asks for %d after %d", again, first)
	}
	g.play(Preferred{ReducedMotion: true})
	g.play(Pressed{Key: " "})
	if g.m.Transport.Millis() != 0 {
		t.Error("with reduced motion, things travel")
	}
}

func TestWhatWasOpenBeforeIsNotShown(t *testing.T) {
	g := opened(t)
	g.play(Pressed{Key: "ArrowRight"})
	old := lastID[link.Step](g)
	g.play(Chose{Name: "b.json", Size: 10})
	if g.m.Stage.Frame != nil || !g.m.Open.Loading || g.m.Open.Name != "b.json" {
		t.Error("the stage isn't empty")
	}
	g.play(Replied{&link.Reply{ID: old, News: &link.Frame{Step: 1}}}, Replied{&link.Reply{News: &link.Frame{Step: 1}}})
	if g.m.Stage.Frame != nil {
		t.Error("a frame of the trace before is shown")
	}
	if r := last[link.Open](g); r.URL != "" || r.Name != "b.json" {
		t.Errorf("the page asks for %+v", r)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Open](g), News: &link.Failure{Sentence: link.Sentence{ID: "fail.open"}}}})
	if g.m.Open.Loading || !g.m.Ready() {
		t.Error("after a failure the page can't be used")
	}
	g.play(Acted{Act: "bundled"})
	if g.m.Open.Failure != nil || last[link.Open](g).URL != navigation.Bundled.URL {
		t.Error("the navigation.Bundled trace isn't opened")
	}
}

func TestTheWorkerCanBeReplaced(t *testing.T) {
	g := opened(t)
	g.play(Pressed{Key: "ArrowRight"}, Perished{Reason: "RangeError"})
	if g.m.Open.Died == "" {
		t.Fatal("nothing says that it ended")
	}
	g.play(Acted{Act: "restart"})
	if _, ok := g.cmds[len(g.cmds)-2].(Restart); !ok || last[link.Open](g).URL != navigation.Bundled.URL {
		t.Errorf("restarting the worker gives %+v", g.cmds[len(g.cmds)-2:])
	}
}

func TestSetup(t *testing.T) {
	g := opened(t)
	if g.m.Draft.Edited() {
		t.Error("the setup is edited before anything was entered")
	}
	g.play(Acted{"addHandler", "", ""}, Acted{"setup", "1.takes", "2.5"}, Acted{"setup", "1.resync", "-3"}, Acted{"setup", "1.workqueue", "true"}, Acted{"setup", "workers", "x"})
	g.play(Acted{Act: "applySetup"})
	s := last[link.SetUp](g).Setup
	if len(s.Handlers) != 2 || s.Handlers[1].Duration != 2_500_000 || s.Handlers[1].Resync != 0 || !s.Handlers[1].Workqueue {
		t.Errorf("the setup that was applied is %+v", s)
	}
	g.play(Acted{"dropHandler", "0", ""}, Acted{"dropHandler", "7", ""})
	if len(g.m.Draft.Setup.Handlers) != 1 || len(g.m.Open.Trace.Setup.Handlers) != 1 || g.m.Open.Trace.Setup.Handlers[0].Name != "metrics" {
		t.Errorf("the draft is %+v", g.m.Draft.Setup)
	}
}

func TestScrubbing(t *testing.T) {
	g := opened(t)
	g.play(Scrubbed{0.25, true}, Scrubbed{0.5, true}, Scrubbed{0.75, true})
	if r := last[link.Seek](g); count[link.Seek](g) != 1 || r.Step != 25 {
		t.Fatalf("the page asks for %+v", r)
	}
	answer[link.Seek](g, 25)
	if r := last[link.Seek](g); count[link.Seek](g) != 2 || r.Step != 75 {
		t.Errorf("the page asks for %+v, and not for the newest place", r)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Seek](g), News: &link.Frame{Step: 75, Steps: 100}}}, Acted{"axis", "time", ""})
	g.play(Replied{&link.Reply{News: &link.Timeline{Axis: link.ByTime, Start: 100, End: 1100}}}, Scrubbed{0.5, false})
	if r := last[link.SeekTime](g); r.Time != 600 {
		t.Errorf("the page asks for %+v", r)
	}
}

// What can't come to the page is told in the console, with the state, and changes nothing.
func TestTheImpossibleIsTold(t *testing.T) {
	g := opened(t)
	for _, msg := range []Msg{Acted{Act: "nonsense"}, Replied{&link.Reply{}}} {
		before := *g.m
		cmds := g.m.Update(msg)
		if len(cmds) != 1 {
			t.Fatalf("%+v brings %+v", msg, cmds)
		}
		if c, is := cmds[0].(desk.Complain); !is || !strings.Contains(c.Text, "comes to a page that has something open") {
			t.Errorf("%+v brings %+v", msg, cmds)
		}
		if !reflect.DeepEqual(&before, g.m) {
			t.Errorf("%+v changes the page", msg)
		}
	}
}
