package session

import (
	"testing"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// What would leave is made and shown before anything is saved, and again when the viewer changes
// what is taken out. An answer to an earlier question doesn't count.
func TestSaveShowsWhatLeaves(t *testing.T) {
	g := opened(t)
	looked := func(id int, n int64) Replied {
		return Replied{&link.Reply{ID: id, News: &link.SavePreview{Size: 9, Removed: []link.RedactionCount{{Name: "texts", N: n}}}}}
	}
	g.play(Acted{Act: "save"})
	q, first := last[link.Save](g), lastID[link.Save](g)
	if !q.Look || !q.Redact.Share || q.Redact.Names || !g.m.Save.Looking() {
		t.Fatalf("it asks for %+v", q)
	}
	g.play(Acted{Act: "saveNow"})
	if lastID[link.Save](g) != first {
		t.Error("something is saved that the viewer has not seen")
	}
	g.play(Acted{Act: "redact", Arg: "for", Value: "later"})
	second := lastID[link.Save](g)
	if q := last[link.Save](g); second == first || !q.Look || q.Redact.Share {
		t.Errorf("after a change it asks for %+v", q)
	}
	if g.play(looked(first, 1)); g.m.Save.Looked != nil {
		t.Error("what was asked for before the change is shown")
	}
	if g.play(looked(second, 2)); g.m.Save.Looked == nil || g.m.Save.Looking() || g.m.Save.Unseen() {
		t.Error("what leaves isn't shown")
	}
	g.play(Acted{Act: "saveNow"})
	if q := last[link.Save](g); q.Look || q.Redact.Share || !g.m.Save.Busy {
		t.Errorf("it saves %+v", q)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Save](g), News: &link.Saved{Name: "a", Size: 5}}})
	if g.m.Save.Busy || g.m.Save.Saved == nil || g.m.Save.Looked == nil {
		t.Error("what was saved isn't shown")
	}
	// What was shown of another choice doesn't count where the new one can't be shown.
	g.play(Acted{Act: "redact", Arg: "names", Value: "true"}, Replied{&link.Reply{ID: lastID[link.Save](g), News: &link.Failure{}}})
	if !g.m.Save.Unseen() {
		t.Error("what was shown before the change counts")
	}
	// A path is still being written, and a large recording takes its time: the viewer says when.
	asked := lastID[link.Save](g)
	g.play(Acted{Act: "redact", Arg: "paths", Value: ".spec.x"})
	if lastID[link.Save](g) != asked || !g.m.Save.Unseen() {
		t.Error("it asks while the viewer writes")
	}
	g.m.Open.Trace.Informers[0].Events = 100_000
	g.play(Acted{Act: "close"}, Acted{Act: "save"})
	if lastID[link.Save](g) != asked {
		t.Error("it makes a large trace, and nobody wants it")
	}
	g.play(Acted{Act: "saveNow"})
	if !last[link.Save](g).Look || last[link.Save](g).Redact.Paths[0] != ".spec.x" {
		t.Errorf("it asks for %+v", last[link.Save](g))
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Save](g), News: &link.Failure{}}}, Acted{Act: "saveNow"})
	if !last[link.Save](g).Look {
		t.Error("after a failure, something is saved that the viewer has not seen")
	}
}

// What is chosen for one purpose doesn't go into a file for the other.
func TestSaveForOnePurpose(t *testing.T) {
	g := opened(t)
	g.m.Open.Trace.Informers[0].Events = 100_000 // it asks when the viewer says so
	g.play(Acted{Act: "save"}, Acted{Act: "redact", Arg: "names", Value: "true"}, Acted{Act: "redact", Arg: "keep", Value: "spec.a, spec.b"}, Acted{Act: "saveNow"})
	if q := last[link.Save](g).Redact; !q.Share || !q.Names || len(q.Keep) != 2 || len(q.Paths) != 0 {
		t.Errorf("to share, it asks for %+v", q)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Save](g), News: &link.SavePreview{}}}, Acted{Act: "redact", Arg: "for", Value: "later"}, Acted{Act: "redact", Arg: "paths", Value: ".spec.x"}, Acted{Act: "saveNow"})
	if q := last[link.Save](g).Redact; q.Share || q.Names || len(q.Keep) != 0 || len(q.Paths) != 1 {
		t.Errorf("to go on later, it asks for %+v", q)
	}
}

// shots are the pictures that were taken so far.
func (g *game) shots() (all []save.Shoot) {
	for _, c := range g.cmds {
		if s, ok := c.(save.Shoot); ok {
			all = append(all, s)
		}
	}
	return all
}

// A picture is taken of the step that is shown, in the theme that was chosen.
func TestAPictureIsOfTheStep(t *testing.T) {
	g := opened(t)
	g.play(Preferred{Dark: true}, Acted{Act: "step"})
	answer[link.Step](g, 5)
	g.play(Acted{Act: "save"}, Acted{Act: "saveAs", Value: "svg"}, Acted{Act: "saveNow"})
	if got, want := g.shots(), (save.Shoot{Format: save.SVG, Theme: "dark", Caption: true, Name: "a-step-5.svg"}); len(got) != 1 || got[0] != want || !g.m.Save.Busy {
		t.Fatalf("for an SVG it shoots %+v", got)
	}
	g.play(save.Developed{Name: "a-step-5.svg", Size: 7})
	if g.m.Save.Busy || g.m.Save.Saved == nil || g.m.Save.Saved.Size != 7 {
		t.Errorf("after the SVG was saved, Saved is %+v", g.m.Save.Saved)
	}
	g.play(Acted{Act: "saveAs", Value: "png"}, Acted{Act: "shot", Arg: "theme", Value: "light"}, Acted{Act: "shot", Arg: "says", Value: "false"}, Acted{Act: "saveNow"})
	if got := g.shots()[1]; got.Format != save.PNG || got.Theme != "light" || got.Caption {
		t.Errorf("for a PNG it shoots %+v", got)
	}
	g.play(save.Developed{Failed: "no room"})
	if f := g.m.Open.Failure; g.m.Save.Busy || f == nil || f.Reason.Args[fault.Text].V != "no room" {
		t.Errorf("it tells the failure as %+v", f)
	}
}

// A film has a picture of each of its steps. When it is made, the step from before is shown.
func TestAFilmGoesThroughItsSteps(t *testing.T) {
	g := opened(t)
	g.play(Acted{Act: "seek", Arg: "40"})
	answer[link.Seek](g, 40)
	g.play(Acted{Act: "save"}, Acted{Act: "saveAs", Value: "gif"})
	if s := g.m.Save.Shot; s.From != 40 || s.To != 69 {
		t.Errorf("it is to be of the steps %d to %d", s.From, s.To)
	}
	g.play(Acted{Act: "shot", Arg: "from", Value: "38"}, Acted{Act: "shot", Arg: "to", Value: "41"}, Acted{Act: "saveNow"})
	for step := int64(38); step <= 41; step++ {
		if got := last[link.Seek](g).Step; got != step {
			t.Fatalf("it goes to %d for the picture of %d", got, step)
		}
		n := len(g.shots())
		answer[link.Seek](g, step)
		all := g.shots()
		if len(all) != n+1 || all[n].Continues != (step < 41) || all[n].Millis != save.New(nil).Shot.Millis || all[n].Name != "a-steps-38-41.gif" {
			t.Fatalf("at step %d the pictures are %+v", step, all[n:])
		}
		g.play(Replied{&link.Reply{News: &link.Frame{Step: step, Steps: 100, Complete: true}}}) // such as after a change of the window
		if len(g.shots()) != n+1 {
			t.Fatalf("there are two pictures of step %d", step)
		}
		g.play(save.Developed{Name: all[n].Name, Size: map[bool]int64{true: 0, false: 99}[all[n].Continues]})
	}
	if g.m.Save.Film != nil || g.m.Save.Busy || g.m.Save.Saved == nil || g.m.Save.Saved.Size != 99 || last[link.Seek](g).Step != 40 {
		t.Errorf("the film is saved as %+v, and then the page goes to step %d", g.m.Save.Saved, last[link.Seek](g).Step)
	}
}

// A film can be stopped, also by closing the dialog, and drops its frames. It has no more
// of them than are allowed.
func TestAFilmCanBeStopped(t *testing.T) {
	for _, stop := range []Msg{Acted{Act: "unsave"}, Acted{Act: "close"}, Pressed{Key: "Escape"}} {
		g := opened(t)
		g.play(Acted{Act: "save"}, Acted{Act: "saveAs", Value: "gif"}, Acted{Act: "saveNow"}, save.Developed{})
		answer[link.Seek](g, 1)
		g.play(stop)
		if _, dropped := g.cmds[len(g.cmds)-1].(save.Unshoot); !dropped || g.m.Save.Film != nil || g.m.Save.Busy || last[link.Seek](g).Step != 0 {
			t.Errorf("%v leaves the film %+v", stop, g.m.Save.Film)
		}
		n := len(g.shots())
		g.play(save.Developed{}) // of the frame that was under way
		answer[link.Seek](g, 0)
		if len(g.shots()) != n || g.m.Save.Saved != nil {
			t.Errorf("%v: it goes on", stop)
		}
	}
	g := opened(t)
	g.m.Stage.Frame.Steps = 10_000
	g.play(Acted{Act: "save"}, Acted{Act: "saveAs", Value: "gif"}, Acted{Act: "shot", Arg: "to", Value: "5000"})
	if s := g.m.Save.Shot; s.To != 5000 || s.To-s.From+1 != save.MaxFrames {
		t.Errorf("with a later end, the film is of %+v", s)
	}
	g.play(Acted{Act: "shot", Arg: "from", Value: "3"})
	if s := g.m.Save.Shot; s.From != 3 || s.To-s.From+1 != save.MaxFrames {
		t.Errorf("with an earlier beginning, the film is of %+v", s)
	}
}
