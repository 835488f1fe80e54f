package session

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// Playing at the end begins anew, by steps and by the recording's clock.
func TestPlayAtTheEndBeginsAnew(t *testing.T) {
	for _, key := range []string{"", "w"} {
		g := opened(t)
		g.play(Pressed{Key: key}, Pressed{Key: "End"})
		answer[link.Seek](g, 100)
		g.play(Pressed{Key: " "})
		if r := last[link.Seek](g); !g.m.Transport.Playing || r.Step != 0 {
			t.Fatalf("at the end, playing %v, it seeks %d", g.m.Transport.Playing, r.Step)
		}
		answer[link.Seek](g, 0)
		g.tick(20)
		g.tick(2000)
		if !g.m.Transport.Playing || g.m.Stage.Frame.Step != 0 {
			t.Errorf("playing %v at step %d", g.m.Transport.Playing, g.m.Stage.Frame.Step)
		}
		if n := count[link.Step](g) + count[link.SeekTime](g); n == 0 {
			t.Error("it doesn't play on")
		}
	}
}

// By the recording's clock, a step comes when its time has come, and the clock goes on
// between two steps.
func TestPlaysByTheRecordingsClock(t *testing.T) {
	g := opened(t)
	g.play(Pressed{Key: "w"})
	if !g.m.Transport.byClock() || Speeds[g.m.Transport.Speed].Times != 1 {
		t.Fatalf("the speed is %+v", Speeds[g.m.Transport.Speed])
	}
	g.play(Pressed{Key: " "})
	g.m.Stage.Frame.Next = 3_000_000_000
	g.tick(10)
	for range 28 {
		g.tick(100)
	}
	if n := count[link.SeekTime](g); n != 0 || g.m.Transport.Now() != 2_800_000_000 {
		t.Fatalf("after 2.8 s it has asked for %d steps, and the clock is at %d", n, g.m.Transport.Now())
	}
	g.tick(100)
	g.tick(150)
	r := last[link.SeekTime](g)
	if !r.Play || r.Time < 3_000_000_000 || r.Time > 3_100_000_000 {
		t.Fatalf("it asks for %+v", r)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.SeekTime](g), News: &link.Frame{Step: 7, Dir: 1, Steps: 100, Time: 3_000_000_000, Next: 3_000_000_100, Complete: true}}})
	if g.m.Transport.Crowded() {
		t.Error("a single step is too much to be shown")
	}
	// Where more steps come at once than can be shown, the lists come to rest.
	g.tick(10)
	g.play(Replied{&link.Reply{ID: lastID[link.SeekTime](g), News: &link.Frame{Step: 700, Steps: 1000, Time: 3_100_000_000, Next: 9_000_000_000, Complete: true}}})
	if !g.m.Transport.Crowded() {
		t.Error("700 steps at once can be read")
	}
	if g.tick(250); !g.m.Transport.Crowded() {
		t.Error("the lists rest for less than half a second")
	}
	for range 3 {
		g.tick(250)
	}
	if g.m.Transport.Crowded() {
		t.Error("they never come back")
	}
	g.play(Pressed{Key: ">"}, Pressed{Key: ">"})
	if Speeds[g.m.Transport.Speed].Times != 5 {
		t.Errorf("twice faster is %+v", Speeds[g.m.Transport.Speed])
	}
	for range len(Speeds) {
		g.play(Pressed{Key: "<"})
	}
	if !g.m.Transport.byClock() {
		t.Error("slower and slower, it doesn't play by the clock any more")
	}
	g.play(Pressed{Key: "w"})
	if g.m.Transport.byClock() || g.m.Transport.Speed != usualSpeed {
		t.Errorf("by steps, the speed is %+v", Speeds[g.m.Transport.Speed])
	}
	g.play(Pressed{Key: "w"})
	if Speeds[g.m.Transport.Speed].Times != .01 {
		t.Errorf("back at the clock, the speed is %+v, and not the one that was chosen", Speeds[g.m.Transport.Speed])
	}
}

// While a key is followed, every way of stepping visits its steps only, until the viewer
// lets it go.
func TestFollowsAKey(t *testing.T) {
	g := opened(t)
	g.m.Stage.Frame.Sentence = link.Sentence{ID: "step.popped", Args: map[string]link.Arg{"key": {Kind: "key", V: "shop/web"}}}
	g.play(Pressed{Key: "f"})
	if g.m.Find.Follow != "shop/web" {
		t.Fatalf("it follows %q", g.m.Find.Follow)
	}
	for _, p := range []Pressed{{Key: "ArrowRight"}, {Key: "ArrowLeft"}, {Key: "]"}, {Key: "ArrowRight", Shift: true}} {
		g.play(p)
		if r := last[link.Step](g); r.Key != "shop/web" {
			t.Errorf("%+v asks for %+v", p, r)
		}
		answer[link.Step](g, 9)
	}
	g.play(Pressed{Key: " "})
	g.tick(10)
	g.tick(400)
	if r := last[link.Step](g); r.Key != "shop/web" || !g.m.Transport.Playing {
		t.Errorf("playing %v, it asks for %+v", g.m.Transport.Playing, r)
	}
	// There are no more: it stops, and says so.
	id := lastID[link.Step](g)
	g.play(Replied{&link.Reply{News: &link.Missed{Key: "shop/web"}}}, Replied{&link.Reply{ID: id, News: &link.Frame{Step: 9, Steps: 100, Complete: true}}})
	if g.m.Transport.Playing || g.m.Find.Missed == nil {
		t.Errorf("after the last step, playing %v, missed %v", g.m.Transport.Playing, g.m.Find.Missed)
	}
	g.play(Pressed{Key: "f"}, Pressed{Key: "ArrowRight"})
	if r := last[link.Step](g); g.m.Find.Follow != "" || r.Key != "" || g.m.Find.Missed != nil {
		t.Errorf("it follows %q, and asks for %+v", g.m.Find.Follow, r)
	}
	// Another informer has other keys.
	answer[link.Step](g, 10)
	g.play(Acted{"keyFollow", "shop/web", ""}, Pressed{Key: "i"})
	if g.m.Find.Follow != "" {
		t.Error("it follows a key of another informer")
	}
}

// A search that takes long can be canceled, and any other move ends it.
func TestASearchCanBeCanceled(t *testing.T) {
	g := opened(t)
	g.play(Acted{"keyStep", "shop/web", ""})
	step := lastID[link.Step](g)
	g.play(Replied{&link.Reply{News: &link.Searching{Key: "shop/web", Step: 70}}})
	if g.m.Find.Search == nil {
		t.Fatal("nothing says that it searches")
	}
	g.play(Pressed{Key: "Escape"})
	if count[link.EndSearch](g) != 1 || g.m.Find.Search != nil || g.m.Open.Loading {
		t.Fatalf("it asks for %+v", g.sent)
	}
	g.play(Replied{&link.Reply{News: &link.Searching{Key: "shop/web", Step: 80}}})
	if g.m.Find.Search != nil {
		t.Error("a search that was canceled is reported")
	}
	g.play(Replied{&link.Reply{ID: step, News: &link.Frame{Step: 5, Steps: 100, Complete: true}}})
	g.play(Pressed{Key: "n"}) // the key that was looked for last
	if r := last[link.Step](g); r.Key != "shop/web" || r.N != 1 {
		t.Fatalf("n asks for %+v", r)
	}
	step = lastID[link.Step](g)
	g.play(Pressed{Key: "m"})
	if count[link.EndSearch](g) != 2 || count[link.SeekMark](g) != 0 {
		t.Fatalf("another move during a search asks for %+v", g.sent)
	}
	g.play(Replied{&link.Reply{ID: step, News: &link.Frame{Step: 5, Steps: 100, Complete: true}}})
	if count[link.SeekMark](g) != 1 {
		t.Error("the other move isn't made")
	}
}

func TestMarksAndKeysByKey(t *testing.T) {
	g := opened(t)
	for key, want := range map[string]link.SeekMark{
		"m": {}, "M": {Back: true}, "R": {Marks: []link.MarkKind{link.MarkRelist}}, "T": {Marks: []link.MarkKind{link.MarkTombstone}},
		"E": {Marks: []link.MarkKind{link.MarkExpired, link.MarkError}},
	} {
		g.play(Pressed{Key: key, Shift: key != "m"})
		if r := last[link.SeekMark](g); r.Back != want.Back || !slices.Equal(r.Marks, want.Marks) {
			t.Errorf("%s asks for %+v", key, r)
		}
		answer[link.SeekMark](g, 5)
	}
	g.play(Pressed{Key: "n"}) // there is no key yet
	if g.m.Front.Dialog != "goTo" || last[link.FindKeys](g).Text != "" {
		t.Fatalf("the dialog is %q", g.m.Front.Dialog)
	}
	g.play(Acted{"findKey", "", "we"})
	if last[link.FindKeys](g).Text != "we" {
		t.Errorf("it looks for %q", last[link.FindKeys](g).Text)
	}
	g.play(Acted{"findFirst", "Enter", "we"})
	if g.m.Front.Dialog == "" {
		t.Error("it goes somewhere before it knows the keys")
	}
	g.play(Replied{&link.Reply{ID: lastID[link.FindKeys](g), News: &link.Keys{Text: "we", Keys: []string{"shop/web-1", "shop/web"}, Total: 2}}})
	g.play(Acted{"findFirst", "Enter", "we"})
	if r := last[link.Step](g); g.m.Front.Dialog != "" || r.Key != "shop/web-1" || r.N != 1 {
		t.Errorf("Enter asks for %+v", r)
	}
}

// Enter counts even if it comes before the keys that were asked for.
func TestEnterWaitsForTheKeys(t *testing.T) {
	g := opened(t)
	g.play(Pressed{Key: "g"}, Acted{"findKey", "", "hot"}, Acted{"findFirst", "Enter", "hot"})
	asked := count[link.Step](g)
	g.play(Replied{&link.Reply{News: &link.Keys{Text: "ho", Keys: []string{"gt/hop"}}}})
	if count[link.Step](g) != asked {
		t.Fatal("it goes to a key that was not typed")
	}
	g.play(Replied{&link.Reply{News: &link.Keys{Text: "hot", Keys: []string{"gt/hot"}}}})
	if r := last[link.Step](g); count[link.Step](g) != asked+1 || r.Key != "gt/hot" {
		t.Errorf("it asks for %+v", r)
	}
}
