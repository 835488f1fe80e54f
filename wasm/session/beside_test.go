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
	if q := g.last(link.OpBeside); q.Setup == nil || q.Setup.Profile != "current" || len(q.Setup.Handlers) != 1 || g.m.Tab != Compare {
		t.Fatalf("= asks for %+v", q)
	}
	at := func(step, time int64) link.Differ {
		return link.Differ{Handler: "metrics", Key: "n/a", Time: time, First: []link.Call{{Step: step, Time: time}}, Second: []link.Call{{Step: step + 1, Time: time}}}
	}
	g.play(Replied{&link.Reply{ID: g.last(link.OpBeside).ID, Beside: &link.Beside{On: true, Done: true, Count: 2, Differs: []link.Differ{at(10, 100), at(40, 400)}}}})
	g.stands(link.OpBeside, 0, 0)
	return g
}

// stands answers the last request of an op with two frames.
func (g *game) stands(op link.Op, step, time int64) {
	g.t.Helper()
	g.play(Replied{&link.Reply{ID: g.last(op).ID, Frame: &link.Frame{Step: step, Steps: 100, Time: time, Complete: true, Second: &link.Frame{Step: step + 1, Time: time}}}})
}

// d goes to the next difference from where the viewer is, and D to the one before.
// Behind the last one comes the first.
func TestGoesToDifferences(t *testing.T) {
	g := paired(t)
	leads := func(key string, n, step int64) {
		t.Helper()
		asked := g.count(link.OpDiffer)
		g.play(Pressed{Key: key})
		if q := g.last(link.OpDiffer); g.count(link.OpDiffer) != asked+1 || q.N != n {
			t.Fatalf("%s asks for %+v", key, q)
		}
		if g.m.AtDiffer() != nil {
			t.Error("the difference is lit before it is shown")
		}
		g.stands(link.OpDiffer, step, 10*step)
		if d := g.m.AtDiffer(); d == nil || d.First[0].Step != step {
			t.Errorf("%s leads to %+v", key, d)
		}
	}
	leads("d", 0, 10)
	leads("d", 1, 40)
	leads("d", 0, 10)
	leads("D", 1, 40)
	g.play(Pressed{Key: "ArrowLeft"})
	g.stands(link.OpStep, 39, 390)
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
			if q := g.last(link.OpBeside); q.Setup != nil || q.Lane != "" {
				t.Errorf("= asks for %+v", q)
			}
			g.play(Replied{&link.Reply{ID: g.last(link.OpBeside).ID, Beside: &link.Beside{}}})
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
	choose := func(with string) link.Request {
		g.play(Acted{Act: "compareWith", Value: with})
		q := g.last(link.OpBeside)
		g.stands(link.OpBeside, 0, 0)
		return q
	}
	if q := choose(WithProfile + "delta"); q.Setup == nil || q.Setup.Profile != "delta" {
		t.Errorf("the page asks for %+v", q)
	}
	if q := choose(WithResync); q.Setup == nil || q.Setup.Resync == 0 || q.Setup.Handlers[0].Resync == 0 {
		t.Errorf("the page asks for %+v", q)
	}
	if g.m.Opened.Setup.Handlers[0].Resync != 0 {
		t.Error("the first machine's setup has changed")
	}
	if q := choose(WithLane + "3"); q.Setup != nil || q.Lane != link.ShowLane || q.N != 3 {
		t.Errorf("the page asks for %+v", q)
	}
	if q := choose("nonsense"); q.Setup != nil || q.Lane != "" {
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
			if q := h.last(link.OpTravel); q.Lane != link.ShowLane || len(q.Second) != len(x.told.Way) {
				t.Errorf("the page goes to %s by %+v", with, q)
			}
			continue
		}
		q := h.last(link.OpBeside)
		switch {
		case h.m.With != with || h.m.back == nil:
			t.Errorf("%s comes back as %s", with, h.m.With)
		case with == WithApart && (!q.Apart || q.N != 1), with == WithDraft && (q.Setup == nil || !sameSetup(*q.Setup, edited)), with == WithProfile+"delta" && q.Setup.Profile != "delta", with == WithResync && q.Setup.Resync == 0:
			t.Errorf("%s asks for %+v", with, q)
		}
		h.stands(link.OpBeside, 0, 0)
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
	q := g.last(link.OpBeside)
	if q.Name != "b.json" || q.URL != "" || g.m.Dialog != "" || g.m.With != WithCapture || g.count(link.OpOpen) != 1 {
		t.Fatalf("the page asks for %+v in the dialog %q", q, g.m.Dialog)
	}
	g.play(Replied{&link.Reply{ID: q.ID, Beside: &link.Beside{On: true, Capture: "b.json", Read: 3, Size: 9}}})
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
	if h := back(1); h.last(link.OpBeside).Name != "b.json" || h.m.Dialog != "" || h.m.second.Files != 1 {
		t.Errorf("after a reload it asks for %+v in the dialog %q", h.last(link.OpBeside), h.m.Dialog)
	}
	h := back(0)
	if h.count(link.OpBeside) != 0 || h.m.Dialog != "expected" || h.m.Expected.File != "b.json" {
		t.Fatalf("for a link it asks in the dialog %q for %+v", h.m.Dialog, h.m.Expected)
	}
	h.play(Chose{Name: "c.json", Size: 9})
	if q := h.last(link.OpBeside); q.Name != "c.json" || h.m.Dialog != "" || h.m.Expected != nil || h.m.Failure == nil || h.m.Failure.Say.ID != "fail.otherFile" {
		t.Errorf("it takes %+v, and says %+v", q, h.m.Failure)
	}

	g.play(Acted{Act: "compareWith", Value: WithSample})
	if q := g.last(link.OpBeside); q.URL != bundled.URL {
		t.Errorf("the page asks for %+v", q)
	}
	g.m.Opened.Script = true
	asked := g.count(link.OpBeside)
	g.play(Acted{Act: "second"}, Chose{Name: "d.json"})
	if g.count(link.OpBeside) != asked {
		t.Error("a capture stands beside a script")
	}
}
