package session

import (
	"reflect"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// paired is a game in which two versions of client-go stand beside each other, and
// differ at the steps 10 and 40.
func paired(t *testing.T) *game {
	g := opened(t)
	g.m.Open.Trace.Profiles = []link.Profile{{Name: "classic"}, {Name: "delta"}, {Name: "current"}}
	g.m.Open.Trace.Setup.Profile = "classic"
	g.play(Pressed{Key: "="})
	if q := last[link.SecondProfile](g); q.Profile != "current" || g.m.Front.Tab != desk.Compare {
		t.Fatalf("= asks for %+v", q)
	}
	at := func(step, time int64) link.Differ {
		return link.Differ{Handler: "metrics", Key: "n/a", Time: time, First: []link.Call{{Step: step, Time: time}}, Second: []link.Call{{Step: step + 1, Time: time}}}
	}
	g.play(Replied{&link.Reply{ID: lastID[link.SecondProfile](g), News: &link.SecondMachine{Second: link.Standing{Second: link.SecondProfile{Profile: "current"}}, Done: true, Count: 2, Differs: []link.Differ{at(10, 100), at(40, 400)}}}})
	answerFrames[link.SecondProfile](g, 0, 0)
	return g
}

// answerFrames answers the last request of a kind with two frames.
func answerFrames[T link.Op](g *game, step, time int64) {
	g.t.Helper()
	g.standsAfter(lastID[T](g), step, time)
}

func (g *game) standsAfter(id int, step, time int64) {
	g.t.Helper()
	g.play(Replied{&link.Reply{ID: id, News: &link.Frame{Step: step, Steps: 100, Time: time, Complete: true, Second: &link.Frame{Step: step + 1, Time: time}}}})
}

// d goes to the next difference from where the viewer is, and D to the one before.
// After the last one comes the first.
func TestGoesToDifferences(t *testing.T) {
	g := paired(t)
	leads := func(key string, n int, step int64) {
		t.Helper()
		asked := count[link.SeekDiffer](g)
		g.play(Pressed{Key: key})
		if q := last[link.SeekDiffer](g); count[link.SeekDiffer](g) != asked+1 || q.Differ != n {
			t.Fatalf("%s asks for %+v", key, q)
		}
		if g.m.Second.AtDiffer() != nil {
			t.Error("the difference is lit before it is shown")
		}
		answerFrames[link.SeekDiffer](g, step, 10*step)
		if d := g.m.Second.AtDiffer(); d == nil || d.First[0].Step != step {
			t.Errorf("%s leads to %+v", key, d)
		}
	}
	leads("d", 0, 10)
	leads("d", 1, 40)
	leads("d", 0, 10)
	leads("D", 1, 40)
	g.play(Pressed{Key: "ArrowLeft"})
	answerFrames[link.Step](g, 39, 390)
	if g.m.Second.AtDiffer() != nil {
		t.Error("a difference is lit at another step")
	}
	leads("D", 0, 10)
}

// The key = shows one machine again, and so does opening another trace. Nothing
// of the second one stays.
func TestShowsOneMachineAgain(t *testing.T) {
	for name, end := range map[string]func(*game){
		"=": func(g *game) {
			g.play(Pressed{Key: "="})
			if q := g.sent[len(g.sent)-1].Op; q != link.Op(link.HideSecond{}) {
				t.Errorf("= asks for %+v", q)
			}
			g.play(Replied{&link.Reply{ID: lastID[link.HideSecond](g), News: &link.SecondMachine{}}})
		},
		"open": func(g *game) { g.play(Chose{Name: "b.json"}); g.reopen() },
	} {
		g := paired(t)
		end(g)
		if g.m.Second.Comparison != nil || g.m.Second.Chosen != nil || g.m.Stage.Frame.Second != nil || g.m.Second.AtDiffer() != nil {
			t.Errorf("%s: %+v stays", name, g.m.Second.Comparison)
		}
	}
}

// What can be chosen to compare with becomes a setup, or a lane.
func TestChoosesTheSecondMachine(t *testing.T) {
	g := opened(t)
	choose := func(with string) link.Op {
		g.play(Acted{Act: "compareWith", Value: with})
		q := g.sent[len(g.sent)-1]
		g.standsAfter(q.ID, 0, 0)
		return q.Op
	}
	g.m.Draft.Setup.Workers = 7
	for _, want := range []link.Second{link.SecondProfile{Profile: "delta"}, link.SecondResync{}, link.SecondSetup{Setup: g.m.Draft.Setup}, link.SecondLane{Lane: 3}} {
		if q := choose(Choice(want)); !reflect.DeepEqual(q, link.Op(want)) {
			t.Errorf("%s asks for %+v", Choice(want), q)
		}
	}
	for _, cannot := range []string{"nonsense", "apart"} {
		if q := choose(cannot); q != link.Op(link.HideSecond{}) {
			t.Errorf("%s asks for %+v", cannot, q)
		}
	}
}

// What is compared with is kept over a reload, and so in a link. The address has it as a field of
// its own, with what it needs.
func TestAnAddressHasTheSecondMachine(t *testing.T) {
	way := []link.PathStep{{Step: 9, Line: "compact"}}
	edited := link.Setup{Profile: "delta", Workers: 3, Handlers: []link.Handler{{Name: "a"}}}
	for _, x := range []struct {
		is     link.Second
		second link.SecondMachine
		want   string
	}{
		{link.SecondProfile{Profile: "delta"}, link.SecondMachine{}, "beside=profile&profile=delta"},
		{link.SecondResync{}, link.SecondMachine{}, "beside=resync"},
		{link.SecondSetup{Setup: edited}, link.SecondMachine{}, "beside=setup&profile=delta&workers=3&handler=:a"},
		{link.SecondApart{Handler: "b"}, link.SecondMachine{Apart: []string{"a", "b"}}, "beside=apart&informer=b"},
		{link.SecondGuard{Guard: "expectations"}, link.SecondMachine{}, "beside=guard-expectations"},
		{link.SecondLane{Lane: 1, Path: way}, link.SecondMachine{}, "beside=future&step=9&do=compact"},
		{link.SecondLane{}, link.SecondMachine{}, "beside=future"},
	} {
		g := opened(t)
		g.m.Open.Trace.Profiles = []link.Profile{{Name: "classic"}, {Name: "delta"}}
		g.m.Stage.Frame.Processor.Listeners = []link.Listener{{Name: "a"}, {Name: "b"}}
		g.m.Stage.Frame.Work.Controller = &link.Controller{Guard: "none"}
		x.second.Second.Second = x.is
		g.play(Replied{&link.Reply{News: &x.second}})
		stay := g.m.Nav.CurrentAddress()
		if text := stay.String(); !strings.HasSuffix(text, "&"+x.want) {
			t.Errorf("%+v is kept as %s, want %s", x.is, text, x.want)
		}
		again, err := address.Read(stay.String())
		if err != nil {
			t.Fatal(err)
		}
		h := opened(t)
		h.m.Open.Trace.Profiles, h.m.Stage.Frame.Processor.Listeners = g.m.Open.Trace.Profiles, g.m.Stage.Frame.Processor.Listeners
		h.m.Stage.Frame.Work.Controller = g.m.Stage.Frame.Work.Controller
		h.m.Open.Loading, h.m.Open.Trace.Setup = false, g.m.Open.Trace.Setup
		h.sent = append(h.sent, operations(h.m.Nav.FollowAddress(&again))...)
		if lane, is := x.is.(link.SecondLane); is {
			if q := last[link.Travel](h); q.Second == nil || len(q.Second.Path) != len(lane.Path) {
				t.Errorf("the page goes to %+v by %+v", x.is, q)
			}
			continue
		}
		q := h.sent[len(h.sent)-1]
		if !reflect.DeepEqual(q.Op, link.Op(x.is)) || !reflect.DeepEqual(h.m.Second.Chosen, x.is) || h.m.Nav.Goal == nil {
			t.Errorf("%+v comes back as %+v, and the page asks for %+v", x.is, h.m.Second.Chosen, q.Op)
		}
		h.standsAfter(q.ID, 0, 0)
		if h.m.Nav.Goal != nil {
			t.Errorf("%+v: it doesn't go on to where the viewer was", x.is)
		}
	}
}

// Another capture is chosen in a dialog, and read beside the one shown. What the viewer has chosen is
// sent along. Where only the viewer has the file of a link, the page asks for it when it is there.
func TestChoosesASecondCapture(t *testing.T) {
	g := opened(t)
	g.play(Acted{Act: "second"}, Chose{Name: "b.json", Size: 9})
	q := last[link.SecondCapture](g)
	if q.Name != "b.json" || q.URL != "" || g.m.Front.Dialog != "" || Choice(g.m.Second.Chosen) != "capture" || count[link.Open](g) != 1 {
		t.Fatalf("the page asks for %+v in the dialog %q", q, g.m.Front.Dialog)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.SecondCapture](g), News: &link.SecondMachine{Second: link.Standing{Second: link.SecondCapture{Name: "b.json"}}, Read: 3, Size: 9}}})
	if first, second := g.m.Nav.StayFiles(); first != -1 || second != 2 {
		t.Errorf("the files %d and %d are kept", first, second)
	}
	stay := g.m.Nav.CurrentAddress()
	if text := stay.String(); !strings.HasSuffix(text, "&beside=capture&file=b.json&size=9") {
		t.Errorf("it is kept as %s", text)
	}

	back := func(files int) *game {
		h := opened(t)
		again, err := address.Read(stay.String())
		if err != nil {
			t.Fatal(err)
		}
		again.Files = files
		h.m.Open.Trace.Setup = g.m.Open.Trace.Setup
		h.sent = append(h.sent, operations(h.m.Nav.FollowAddress(&again))...)
		if h.m.Nav.Goal != nil {
			t.Errorf("it doesn't go on to where the viewer was")
		}
		return h
	}
	if h := back(1); last[link.SecondCapture](h).Name != "b.json" || h.m.Front.Dialog != "" || h.m.Second.source.Files != 1 {
		t.Errorf("after a reload it asks for %+v in the dialog %q", last[link.SecondCapture](h), h.m.Front.Dialog)
	}
	h := back(0)
	if count[link.SecondCapture](h) != 0 || h.m.Front.Dialog != "expected" || h.m.Nav.Expected.Name != "b.json" {
		t.Fatalf("for a link it asks in the dialog %q for %+v", h.m.Front.Dialog, h.m.Nav.Expected)
	}
	h.play(Chose{Name: "c.json", Size: 9})
	if q := last[link.SecondCapture](h); q.Name != "c.json" || h.m.Front.Dialog != "" || h.m.Nav.Expected != nil || h.m.Open.Failure == nil || h.m.Open.Failure.Sentence.ID != "fail.otherFile" {
		t.Errorf("it takes %+v, and says %+v", q, h.m.Open.Failure)
	}

	g.play(Acted{Act: "compareWith", Value: Sample})
	if q := last[link.SecondCapture](g); q.URL != navigation.Bundled.URL {
		t.Errorf("the page asks for %+v", q)
	}
	g.m.Open.Trace.Script = true
	asked := count[link.SecondCapture](g)
	g.play(Acted{Act: "second"}, Chose{Name: "d.json"})
	if count[link.SecondCapture](g) != asked {
		t.Error("a capture stands beside a script")
	}
}

// The dialog compares the release that is shown with the one beside it, or with the newest if nothing is
// beside it.
func TestReleasesOfWhatIsShown(t *testing.T) {
	for _, c := range []struct{ shown, beside, want string }{
		{"classic", "", "v0.22.0-v0.37.2"},
		{"classic", "delta", "v0.22.0-v0.31.14"},
		{"delta", "classic", "v0.28.0-v0.22.17"},
		{"v0.32.3", "", "v0.32.3-v0.37.2"},
		{"classic", "v0.34.1", "v0.22.0-v0.34.1"},
		{"current", "", ""},
		{"", "", ""},
	} {
		g := opened(t)
		g.m.Open.Trace.Setup.Profile = c.shown
		g.m.Open.Trace.Profiles = []link.Profile{{Name: "classic", Versions: "v0.22.0–v0.22.17"}, {Name: "delta", Versions: "v0.28.0–v0.31.14"}, {Name: "current", Versions: "v0.36.0–v0.37.2"}}
		if c.beside != "" {
			g.m.Second.Comparison = &link.SecondMachine{Second: link.Standing{Second: link.SecondProfile{Profile: c.beside}}}
		}
		g.play(Acted{Act: "changes"})
		if got := g.m.Second.Releases(); got != c.want || g.m.Front.Dialog != "changes" {
			t.Errorf("beside %q, %q leads to %q in the dialog %q", c.beside, c.shown, got, g.m.Front.Dialog)
		}
	}
}
