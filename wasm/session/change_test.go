package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// atWork is a page on which a script is open.
func atWork() *Model {
	m := New("en", "", -1)
	m.ask.opening = false
	m.Nav.Journey, m.Nav.Entry = navigation.Arrived, navigation.CurrentEntry
	m.Open.Trace = &link.Opened{Script: true, Informers: []link.Informer{{Name: "pods"}, {Name: "services"}}}
	m.Stage.Frame = &link.Frame{
		Step: 3, Steps: 9, Complete: true, Store: link.Store{Tiles: []link.Tile{{Key: "a/x"}}},
		Work:      link.Work{Fed: true, Fails: -1},
		Processor: link.Processor{Listeners: []link.Listener{{ID: 0, Name: "metrics", Joined: true}, {ID: 1, Name: "late"}}},
		Actors:    []link.Actor{{ID: "loop", Ready: true}, {ID: "run/1", Ready: true}, {ID: "reflector"}},
	}
	return m
}

// sent are the requests among commands.
func sent(cmds []Cmd) (out []link.Request) {
	for _, c := range cmds {
		if s, ok := c.(desk.Send); ok {
			out = append(out, s.Request)
		}
	}
	return out
}

func act(m *Model, act, arg, value string) []link.Request {
	cmds := m.Update(Acted{Act: act, Arg: arg, Value: value})
	return sent(cmds)
}

// While the machine moves, more can be asked for: of moves the last one counts, and what is done to the
// machine is done in its order, however soon something else is asked for.
func TestWhatWaitsIsNotLost(t *testing.T) {
	m := atWork()
	do := func(act, arg, value string) []link.Request {
		cmds := m.Update(Acted{Act: act, Arg: arg, Value: value})
		return sent(cmds)
	}
	if q := do("seek", "0", ""); len(q) != 1 {
		t.Fatalf("the page sent %+v", q)
	}
	do("seek", "5", "")
	do("seek", "9", "")
	do("line", "Enter", "compact")
	do("line", "Enter", "break watch")
	do("seek", "5", "")
	do("seek", "0", "")
	for _, want := range []link.Op{link.Seek{Step: 9}, link.PlayLine{Line: "compact"}, link.PlayLine{Line: "break watch"}, link.Seek{}} {
		var cmds []Cmd
		f := *m.Stage.Frame
		cmds = m.Update(Replied{&link.Reply{ID: m.ask.moving, News: &f}})
		var got []link.Op
		for _, q := range sent(cmds) {
			got = append(got, q.Op)
		}
		if !slices.Contains(got, want) {
			t.Fatalf("then the page asks for %+v, not %+v", got, want)
		}
	}
	if m.ask.moving == 0 || len(m.ask.waiting) > 0 {
		t.Errorf("still waiting: %+v", m.ask.waiting)
	}
}

func TestLinesAreSentAndComeBack(t *testing.T) {
	m := atWork()
	q := act(m, "line", "Enter", "  compact ")
	if len(q) != 1 || q[0].Op != link.Op(link.PlayLine{Line: "compact"}) || m.Hands.Line != "" {
		t.Fatalf("the page sent %+v, the line is %q", q, m.Hands.Line)
	}
	m.ask.moving = 0
	act(m, "line", "Enter", "run")
	for _, c := range []struct{ key, want string }{{"ArrowUp", "run"}, {"ArrowUp", "compact"}, {"ArrowUp", "compact"}, {"ArrowDown", "run"}, {"ArrowDown", ""}, {"ArrowDown", ""}} {
		if act(m, "line", c.key, ""); m.Hands.Line != c.want {
			t.Errorf("%s gives %q, not %q", c.key, m.Hands.Line, c.want)
		}
	}
	m.Update(Replied{Reply: &link.Reply{News: &link.Console{Failure: &link.LineFailure{Col: 1, Text: "bogus", Reason: link.FaultText("no")}}}})
	if m.Hands.Line != "bogus" || m.Hands.Wrong == nil || m.Front.Tab != desk.Console {
		t.Errorf("what is wrong comes back as %q, in %s", m.Hands.Line, m.Front.Tab)
	}
	if q = act(m, "line", "Enter", " "); len(q) != 0 {
		t.Errorf("an empty line sends %+v", q)
	}
}

// An entry of a menu that is a whole line is played at once. Any other is put into the console first.
func TestGestures(t *testing.T) {
	m := atWork()
	for _, s := range link.Stations {
		for _, g := range hands.Gestures(m.Surroundings(), s) {
			if _, err := script.Parse(strings.TrimSuffix(g.Line, "…")); err != nil {
				t.Errorf("the gesture %q is no line of script: %v", g.Line, err)
			}
			after := atWork()
			q := act(after, "gesture", g.Line, "")
			if full := len(q) == 1; full == (after.Front.Tab == desk.Console) || full && q[0].Op != link.Op(link.PlayLine{Line: g.Line}) {
				t.Errorf("%s sends %+v and leads to %s", g.Line, q, after.Front.Tab)
			}
		}
	}
	m.Stage.Frame.Reflector.ResyncIn = 29_990_000_000
	if g := hands.Gestures(m.Surroundings(), link.StationReflector); len(g) < 2 || g[1] != (hands.Gesture{ID: "resync", Line: "advance 29995ms"}) {
		t.Errorf("with a resync to come, the menu has %+v", g)
	}
	m.Stage.Frame.Reflector.ResyncIn = -1
	for _, g := range hands.Gestures(m.Surroundings(), link.StationReflector) {
		if g.ID == "resync" {
			t.Error("a resync is offered where there is none")
		}
	}
	m.Stage.Frame.Work.Fails = 0
	if g := hands.Gestures(m.Surroundings(), link.StationWork); len(g) != 4 || slices.ContainsFunc(g, func(g hands.Gesture) bool { return g.ID == "mendReconciles" || g.ID == "unhangReconcile" }) {
		t.Errorf("where no reconcile is made to fail, and none hangs: %+v", g)
	}
	m.Stage.Frame.Work.Workers = []link.Worker{{Key: "a/x", Duration: -1}}
	if g := hands.Gestures(m.Surroundings(), link.StationWork); len(g) != 5 || g[4].Line != "hang reconcile for=0s" {
		t.Errorf("where a reconcile hangs: %+v", g)
	}
	m.Stage.Frame.Work.Workers, m.Stage.Frame.Work.Pauses = nil, true
	for paused, want := range map[bool]string{false: "pause workqueue", true: "resume workqueue"} {
		m.Stage.Frame.Work.Paused = paused
		if g := hands.Gestures(m.Surroundings(), link.StationWork); len(g) != 5 || g[4].Line != want {
			t.Errorf("where a workqueue can be paused, %v: %+v", paused, g)
		}
	}
	m.Stage.Frame.Work.Pauses = false
	m.Stage.Frame.Work.Fed = false
	if g := hands.Gestures(m.Surroundings(), link.StationWork); hands.HasGestures(m.Surroundings(), link.StationWork) || len(g) != 0 {
		t.Errorf("where nothing feeds the workqueue: %+v", g)
	}
	m.Open.Trace.Informer = 1
	if g := hands.Gestures(m.Surroundings(), link.StationReflector); len(g) == 0 || g[0].Line != "break watch services" {
		t.Errorf("for the second informer, the menu has %+v", g)
	}
	m.Open.Trace.Informer, m.Stage.Frame.Work.Fed, m.Stage.Frame.Work.Workers = 0, true, nil
	for state, want := range map[string][2]string{
		link.WireOpen: {"breakWatch dropEvent silenceWatch compact slow restart", ""}, link.WireListing: {"fail410 fail429 refuse restart slow block", "breakWatch silenceWatch"},
		link.WireBackoff: {"compact refuse fail410 advance restart slow", "breakWatch silenceWatch"},
	} {
		m.Stage.Frame.Wire.State, m.Stage.Frame.Wire.Open = state, state == link.WireOpen
		var first, waits []string
		for _, g := range hands.Fitting(m.Surroundings()) {
			first = append(first, g.ID)
		}
		for _, g := range hands.Gestures(m.Surroundings(), link.StationServer) {
			if g.Until != "" {
				waits = append(waits, g.ID)
			}
		}
		if got := [2]string{strings.Join(first, " "), strings.Join(waits, " ")}; got != want {
			t.Errorf("where the wire is %s, first come and until then wait %q, not %q", state, got, want)
		}
	}
	lines := func(all ...hands.Gesture) (out []string) {
		for _, g := range all {
			out = append(out, g.Line)
		}
		return out
	}
	m.Stage.Frame.Server.Holdings = []link.Holding{{Key: "a/x", RV: "7"}, {Key: "a/y", Deleted: true}}
	for key, want := range map[string][]string{"a/x": {"patch pods a/x touched=7", "delete pods a/x"}, "a/y": {"create pods a/y"}, "a/z": nil} {
		if got := lines(hands.GesturesOf(m.Surroundings(), link.StationServer, key)...); !slices.Equal(got, want) {
			t.Errorf("at %s the server's shelf has %q", key, got)
		}
	}
	if got := lines(hands.GesturesOf(m.Surroundings(), link.StationProcessor, "metrics")...); len(got) < 5 || got[0] != "takes metrics 1s…" || got[1] != "takes metrics 1s" {
		t.Errorf("at a handler there is %q", got)
	}
	if got := hands.GesturesOf(m.Surroundings(), link.StationProcessor, "late"); len(got) == 0 || slices.ContainsFunc(got, func(g hands.Gesture) bool { return g.Waits != "joined" || g.Until != `fact("ListenerAdded")` }) {
		t.Errorf("at a handler that hasn't joined there is %+v", got)
	}
	for pace, want := range map[int64]bool{1e3: false, 1e6: false, 2e6: true, 1e9: true} {
		m.Stage.Frame.Processor.Listeners[0].Pace = pace
		if got := lines(hands.GesturesOf(m.Surroundings(), link.StationProcessor, "metrics")...); slices.Contains(got, "takes metrics 1ms") != want {
			t.Errorf("a handler that takes %d ns is offered %q", pace, got)
		}
	}
	work := &m.Stage.Frame.Work
	work.Controller = &link.Controller{Name: "sets", Owns: "pods"}
	m.Stage.Frame.Process.Informers = []link.Small{{Name: "sets", Open: true}, {Name: "pods"}}
	for _, open := range []bool{false, true} {
		m.Stage.Frame.Process.Informers[1].Open = open
		for _, g := range hands.Gestures(m.Surroundings(), link.StationWork) {
			if g.ID == "breakOwned" && g.Until != map[bool]string{false: `informer("pods").fact("WatchOpened")`, true: ""}[open] {
				t.Errorf("while the owned objects' watch is open (%t), breaking it waits for %q", open, g.Until)
			}
		}
	}
	work.Controller, m.Stage.Frame.Process.Informers = nil, nil
	for state, want := range map[string]string{link.WireQuiet: "break watch", link.WireHalfOpen: "break watch", link.WireBackoff: "advance 1205ms", link.WireListing: ""} {
		m.Stage.Frame.Wire = link.Wire{State: state, Remaining: 1_200_000_000, Open: state == link.WireQuiet || state == link.WireHalfOpen}
		if g := hands.Wire(m.Surroundings()); g.Line != want {
			t.Errorf("a click on the wire that is %s plays %q", state, g.Line)
		}
	}
	m.Stage.Frame.Processor.Listeners[0].Fault = link.FaultBlocks
	if g := hands.Fitting(m.Surroundings()); len(g) == 0 || g[0].ID != "unblock" || g[0].Handler != "metrics" {
		t.Errorf("where a handler blocks, first come %+v", g)
	}
	act(m, "menu", link.StationServer, "")
	if m.Hands.Menu != link.StationServer {
		t.Error("the menu is closed")
	}
	if act(m, "close", "", ""); m.Hands.Menu != "" {
		t.Error("Escape leaves the menu open")
	}
}

func TestFlips(t *testing.T) {
	m := atWork()
	m.Hands.Lanes = &link.Lanes{Shown: 2, List: []link.Lane{{ID: 0, Parent: -1}, {ID: 1, Parent: 0}, {ID: 2, Parent: 1}}}
	for _, want := range []int{1, 0, 2} {
		q := act(m, "flip", "", "")
		if len(q) != 1 || q[0].Op != link.Op(link.ShowLane{Lane: want}) {
			t.Fatalf("from lane %d the page sends %+v", m.Hands.Lanes.Shown, q)
		}
		m.ask.moving = 0
		l := *m.Hands.Lanes
		l.Shown = int(want)
		m.Hands.Lanes = &l
	}
}

func TestCompletions(t *testing.T) {
	m := atWork()
	m.Front.Tab = desk.Console
	for _, c := range []struct{ begun, want string }{
		{"delete p", "delete pods a/x"}, {"step ", "step run/late"}, {"remove", "remove handler late"}, {"show d", "show deltas a/x"},
	} {
		m.Hands.Line = c.begun
		if got := m.Hands.Completions(); !slices.Contains(got, c.want) {
			t.Errorf("%q goes on as %q", c.begun, got)
		}
	}
	m.Hands.Line = "bogus"
	if got := m.Hands.Completions(); len(got) != 0 {
		t.Errorf("no completion begins so, but %q is offered", got)
	}
}

// When a can line has its answer, the way there is played to the step at which
// it comes about, and no further.
func TestTheWayIsPlayed(t *testing.T) {
	m := atWork()
	answer := func(x link.Explored) []Cmd {
		cmds := m.Update(Replied{Reply: &link.Reply{News: &x}})
		return cmds
	}
	answer(link.Explored{Line: "can synced true", States: 7})
	if m.Hands.Explored == nil || m.Hands.Explored.States != 7 || m.Transport.Playing {
		t.Fatalf("while exploring, the page has %+v", m.Hands.Explored)
	}
	answer(link.Explored{States: 9, Done: true})
	if m.Hands.Explored != nil || m.Transport.Playing {
		t.Fatal("an answer without a way plays something")
	}
	if cmds := answer(link.Explored{States: 9, Done: true, Until: 6}); !m.Transport.Playing || len(cmds) == 0 {
		t.Fatal("the way isn't played")
	}
	for step := int64(4); step < 9 && m.Transport.Playing; step++ {
		f := *m.Stage.Frame
		f.Step = step
		m.Update(Replied{Reply: &link.Reply{News: &f}})
	}
	if m.Stage.Frame.Step != 6 {
		t.Errorf("playing ends at step %d", m.Stage.Frame.Step)
	}
	act(m, "play", "", "")
	if f := *m.Stage.Frame; m.Transport.Playing {
		f.Step = 7
		m.Update(Replied{Reply: &link.Reply{News: &f}})
	}
	if !m.Transport.Playing {
		t.Error("after that, playing ends too early")
	}
}

// Each click on a random schedule gives another one.
func TestRandomSchedules(t *testing.T) {
	m := atWork()
	seen := map[string]bool{}
	for range 3 {
		q := act(m, "random", "", "")
		line, is := q[0].Op.(link.PlayLine)
		if len(q) != 1 || !is || seen[line.Line] {
			t.Fatalf("the page sent %+v after %v", q, seen)
		}
		seen[line.Line] = true
		m.ask.moving = 0
	}
}
