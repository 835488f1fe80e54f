package session

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// paired is a game in which two versions of client-go stand beside each other, and
// differ at the steps 10 and 40.
func paired(t *testing.T) *game {
	g := opened(t)
	g.m.Opened.Profiles = []link.Profile{{Name: "classic"}, {Name: "delta"}, {Name: "current"}}
	g.m.Opened.Setup.Profile = "classic"
	g.play(Pressed{Key: "="})
	if q := last[link.BesideSetup](g); q.Setup.Profile != "current" || len(q.Setup.Handlers) != 1 || g.m.Tab != Compare {
		t.Fatalf("= asks for %+v", q)
	}
	at := func(step, time int64) link.Differ {
		return link.Differ{Handler: "metrics", Key: "n/a", Time: time, First: []link.Call{{Step: step, Time: time}}, Second: []link.Call{{Step: step + 1, Time: time}}}
	}
	g.play(Replied{&link.Reply{ID: lastID[link.BesideSetup](g), Beside: &link.Beside{On: true, Done: true, Count: 2, Differs: []link.Differ{at(10, 100), at(40, 400)}}}})
	stands[link.BesideSetup](g, 0, 0)
	return g
}

// stands answers the last request of a kind with two frames.
func stands[T link.Op](g *game, step, time int64) {
	g.t.Helper()
	g.standsAfter(lastID[T](g), step, time)
}

func (g *game) standsAfter(id int, step, time int64) {
	g.t.Helper()
	g.play(Replied{&link.Reply{ID: id, Frame: &link.Frame{Step: step, Steps: 100, Time: time, Complete: true, Second: &link.Frame{Step: step + 1, Time: time}}}})
}

// d goes to the next difference from where the viewer is, and D to the one before.
// Behind the last one comes the first.
func TestGoesToDifferences(t *testing.T) {
	g := paired(t)
	leads := func(key string, n int, step int64) {
		t.Helper()
		asked := count[link.SeekDiffer](g)
		g.play(Pressed{Key: key})
		if q := last[link.SeekDiffer](g); count[link.SeekDiffer](g) != asked+1 || q.Differ != n {
			t.Fatalf("%s asks for %+v", key, q)
		}
		if g.m.AtDiffer() != nil {
			t.Error("the difference is lit before it is shown")
		}
		stands[link.SeekDiffer](g, step, 10*step)
		if d := g.m.AtDiffer(); d == nil || d.First[0].Step != step {
			t.Errorf("%s leads to %+v", key, d)
		}
	}
	leads("d", 0, 10)
	leads("d", 1, 40)
	leads("d", 0, 10)
	leads("D", 1, 40)
	g.play(Pressed{Key: "ArrowLeft"})
	stands[link.Step](g, 39, 390)
	if g.m.AtDiffer() != nil {
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
			if q := g.sent[len(g.sent)-1].Do; q != link.Op(link.BesideNothing{}) {
				t.Errorf("= asks for %+v", q)
			}
			g.play(Replied{&link.Reply{ID: lastID[link.BesideNothing](g), Beside: &link.Beside{}}})
		},
		"open": func(g *game) { g.play(Chose{Name: "b.json"}); g.reopen() },
	} {
		g := paired(t)
		end(g)
		if g.m.Beside != nil || g.m.With != "" || g.m.Frame.Second != nil || g.m.AtDiffer() != nil {
			t.Errorf("%s: %+v stays", name, g.m.Beside)
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
		return q.Do
	}
	if q, is := choose(WithProfile + "delta").(link.BesideSetup); !is || q.Setup.Profile != "delta" {
		t.Errorf("the page asks for %+v", q)
	}
	if q, is := choose(WithResync).(link.BesideSetup); !is || q.Setup.Resync == 0 || q.Setup.Handlers[0].Resync == 0 {
		t.Errorf("the page asks for %+v", q)
	}
	if g.m.Opened.Setup.Handlers[0].Resync != 0 {
		t.Error("the first machine's setup has changed")
	}
	if q := choose(WithLane + "3"); q != link.Op(link.BesideLane{Lane: 3}) {
		t.Errorf("the page asks for %+v", q)
	}
	if q := choose("nonsense"); q != link.Op(link.BesideNothing{}) {
		t.Errorf("the page asks for %+v", q)
	}
}

// What is compared with is kept over a reload, and so in a link. The address has it as a field of
// its own, with what it needs.
func TestAnAddressHasTheSecondMachine(t *testing.T) {
	way := []link.Waypoint{{Step: 9, Line: "compact"}}
	edited := link.Setup{Profile: "delta", Workers: 3, Handlers: []link.Handler{{Name: "a"}}}
	for with, x := range map[string]struct {
		told link.Beside
		want string
	}{
		WithProfile + "delta": {link.Beside{Setup: &link.Setup{Profile: "delta"}}, "beside=profile&profile=delta"},
		WithResync:            {link.Beside{Setup: &link.Setup{Profile: "classic"}}, "beside=resync"},
		WithDraft:             {link.Beside{Setup: &edited}, "beside=setup&profile=delta&workers=3&handler=:a"},
		WithApart:             {link.Beside{Apart: []string{"a", "b"}, Shown: 1}, "beside=apart&informer=b"},
		WithLane + "1":        {link.Beside{Lane: 1, Way: way}, "beside=future&step=9&do=compact"},
		WithLane + "0":        {link.Beside{}, "beside=future"},
	} {
		g := opened(t)
		g.m.Opened.Profiles = []link.Profile{{Name: "classic"}, {Name: "delta"}}
		g.m.Frame.Processor.Listeners = []link.Listener{{Name: "a"}, {Name: "b"}}
		g.m.With = with
		x.told.On = true
		g.play(Replied{&link.Reply{Beside: &x.told}})
		if g.m.With != with {
			t.Errorf("%s became %s", with, g.m.With)
		}
		stay := g.m.Stay()
		if text := stay.String(); !strings.HasSuffix(text, "&"+x.want) {
			t.Errorf("%s is kept as %s, want %s", with, text, x.want)
		}
		again, err := address.Read(stay.String())
		if err != nil {
			t.Fatal(err)
		}
		h := opened(t)
		h.m.Opened.Profiles, h.m.Frame.Processor.Listeners = g.m.Opened.Profiles, g.m.Frame.Processor.Listeners
		h.m.back, h.m.Loading = &again, false
		h.m.Opened.Setup = g.m.Opened.Setup
		h.sent = append(h.sent, requests(h.m.comeBack())...)
		if with == WithLane+"1" || with == WithLane+"0" {
			if q := last[link.Travel](h); !q.Beside || len(q.Second) != len(x.told.Way) {
				t.Errorf("the page goes to %s by %+v", with, q)
			}
			continue
		}
		q := h.sent[len(h.sent)-1]
		setup, _ := q.Do.(link.BesideSetup)
		switch {
		case h.m.With != with || h.m.back == nil:
			t.Errorf("%s comes back as %s", with, h.m.With)
		case with == WithApart && q.Do != link.Op(link.BesideApart{Shown: 1}), with == WithDraft && !sameSetup(setup.Setup, edited), with == WithProfile+"delta" && setup.Setup.Profile != "delta", with == WithResync && setup.Setup.Resync == 0:
			t.Errorf("%s asks for %+v", with, q.Do)
		}
		h.standsAfter(q.ID, 0, 0)
		if h.m.back != nil {
			t.Errorf("%s: it doesn't go on to where the viewer was", with)
		}
	}
}

// Another capture is chosen in a dialog, and read beside the one shown. What the viewer has chosen is
// sent along. Where only the viewer has the file of a link, the page asks for it when it is there.
func TestChoosesASecondCapture(t *testing.T) {
	g := opened(t)
	g.play(Acted{Act: "second"}, Chose{Name: "b.json", Size: 9})
	q := last[link.BesideCapture](g)
	if q.Name != "b.json" || q.URL != "" || g.m.Dialog != "" || g.m.With != WithCapture || count[link.Open](g) != 1 {
		t.Fatalf("the page asks for %+v in the dialog %q", q, g.m.Dialog)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.BesideCapture](g), Beside: &link.Beside{On: true, Capture: "b.json", Read: 3, Size: 9}}})
	if first, second := g.m.StayFiles(); first != -1 || second != g.m.chosen {
		t.Errorf("the files %d and %d are kept", first, second)
	}
	stay := g.m.Stay()
	if text := stay.String(); !strings.HasSuffix(text, "&beside=capture&file=b.json&size=9") {
		t.Errorf("it is kept as %s", text)
	}

	back := func(files int) *game {
		h := opened(t)
		again, err := address.Read(stay.String())
		if err != nil {
			t.Fatal(err)
		}
		again.Beside.Files = files
		h.m.back, h.m.Opened.Setup = &again, g.m.Opened.Setup
		h.sent = append(h.sent, requests(h.m.comeBack())...)
		if h.m.back != nil {
			t.Errorf("it doesn't go on to where the viewer was")
		}
		return h
	}
	if h := back(1); last[link.BesideCapture](h).Name != "b.json" || h.m.Dialog != "" || h.m.second.Files != 1 {
		t.Errorf("after a reload it asks for %+v in the dialog %q", last[link.BesideCapture](h), h.m.Dialog)
	}
	h := back(0)
	if count[link.BesideCapture](h) != 0 || h.m.Dialog != "expected" || h.m.Expected.File != "b.json" {
		t.Fatalf("for a link it asks in the dialog %q for %+v", h.m.Dialog, h.m.Expected)
	}
	h.play(Chose{Name: "c.json", Size: 9})
	if q := last[link.BesideCapture](h); q.Name != "c.json" || h.m.Dialog != "" || h.m.Expected != nil || h.m.Failure == nil || h.m.Failure.Say.ID != "fail.otherFile" {
		t.Errorf("it takes %+v, and says %+v", q, h.m.Failure)
	}

	g.play(Acted{Act: "compareWith", Value: WithSample})
	if q := last[link.BesideCapture](g); q.URL != bundled.URL {
		t.Errorf("the page asks for %+v", q)
	}
	g.m.Opened.Script = true
	asked := count[link.BesideCapture](g)
	g.play(Acted{Act: "second"}, Chose{Name: "d.json"})
	if count[link.BesideCapture](g) != asked {
		t.Error("a capture stands beside a script")
	}
}
