package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// operations returns what the commands send to the worker.
func operations(cmds []Cmd) (ops []link.Request) {
	for _, c := range cmds {
		if s, ok := c.(desk.Send); ok {
			ops = append(ops, s.Request)
		}
	}
	return ops
}

// After a reload the page opens the same capture, and goes to setup, informer and
// step one after the other. A viewer who steps meanwhile stays there.
func TestAReloadComesBack(t *testing.T) {
	stay := &address.Address{Source: address.Source{File: "pods.json"}, Steps: []link.PathStep{{Step: 12}}, Informer: "nodes", Unit: "operation", Axis: "time", Profile: "current"}
	var g *game
	// settled has the worker say that all has been run and show step 0.
	settled := func(id int) {
		g.play(Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 40, Complete: true}}})
		g.play(Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
		g.play(Replied{&link.Reply{News: &link.Frame{Steps: 40, Complete: true}}})
	}
	begin := func() {
		g = &game{t: t, m: full()}
		g.play(Started{Address: stay, Files: true})
		if o := last[link.Open](g); o.Name != "pods.json" || o.URL != "" || g.m.Transport.Unit != link.Operation || g.m.Stage.Axis != link.ByTime {
			t.Fatalf("it opens %+v by %s on the axis %s", o, g.m.Transport.Unit, g.m.Stage.Axis)
		}
		g.play(Replied{&link.Reply{News: &link.Opened{Name: "pods.json", Setup: link.Setup{Profile: "classic"}, Informers: []link.Informer{{Name: "pods"}, {Name: "nodes"}}}}})
		settled(0)
	}
	begin()
	if s := last[link.SetUp](g); s.Setup.Profile != "current" || count[link.Seek](g) != 0 {
		t.Fatalf("the page sends %+v first", g.sent)
	}
	if s := g.m.Nav.CurrentAddress(); s == nil || s.Profile != "current" || s.Informer != "nodes" {
		t.Errorf("loaded again on the way, it would go to %+v", s)
	}
	settled(lastID[link.SetUp](g))
	if i := last[link.ShowInformer](g); i.Informer != 1 {
		t.Fatalf("the page sends %+v second", g.sent)
	}
	settled(lastID[link.ShowInformer](g))
	if s := last[link.Seek](g); s.Step != 12 {
		t.Fatalf("the page sends %+v last", g.sent)
	}
	if g.m.Nav.Goal != nil {
		t.Error("the page is where it was, and still wants to go there")
	}

	begin()
	g.play(Acted{Act: "step"})
	settled(lastID[link.SetUp](g))
	if count[link.ShowInformer](g) != 0 || count[link.Seek](g) != 0 {
		t.Errorf("the viewer stepped, and the page leaves that step: %+v", g.sent)
	}
}

// Without the files the navigation.Bundled trace is opened, and the page says why.
func TestAReloadWithoutTheFile(t *testing.T) {
	m := New("en", "", -1)
	cmds := m.Update(Started{Address: &address.Address{Source: address.Source{File: "pods.json"}}})
	if r := operations(cmds); len(r) != 1 || r[0].Op.(link.Open).URL != navigation.Bundled.URL {
		t.Errorf("it sends %+v", r)
	}
	if m.Open.Failure == nil || m.Open.Failure.Sentence.ID != "fail.reloaded" || m.Nav.Goal != nil {
		t.Errorf("it says %+v", m.Open.Failure)
	}
}

// Another version of client-go leaves alone what the viewer has edited.
func TestEditsSurviveAnotherVersion(t *testing.T) {
	m := New("en", "", -1)
	m.Update(Started{})
	m.Update(Replied{&link.Reply{News: &link.Opened{Setup: link.Setup{Profile: "classic", Workers: 2}}}})
	m.Update(Acted{Act: "setup", Arg: "workers", Value: "5"})
	cmds := m.Update(Acted{Act: "profile", Value: "current"})
	r := operations(cmds)
	if set, is := r[0].Op.(link.SetUp); !is || set.Setup.Profile != "current" || set.Setup.Workers != 2 {
		t.Errorf("it runs %+v", r)
	}
	if m.Draft.Setup.Workers != 5 || m.Draft.Setup.Profile != "current" {
		t.Errorf("the draft is %+v", m.Draft.Setup)
	}
}

// A value that can't be taken changes nothing, and the setup says why until the field
// has a value that can.
func TestSetupSaysWhatItRefuses(t *testing.T) {
	m := New("en", "", -1)
	m.Update(Started{})
	m.Update(Replied{&link.Reply{News: &link.Opened{Setup: link.Setup{Workers: 2, Handlers: []link.Handler{{Name: "metrics", Duration: 1e6}}}}}})
	for _, c := range []struct{ field, value, why string }{
		{"workers", "9", "refuse.whole"}, {"workers", "1.5", "refuse.whole"}, {"workers", "", "refuse.whole"},
		{"0.takes", "-1", "refuse.number"}, {"0.takes", "3600001", "refuse.number"}, {"0.takes", "NaN", "refuse.number"}, {"0.from", "soon", "refuse.number"},
		{"0.resync", "86401", "refuse.number"}, {"resync", "1e300", "refuse.number"}, {"workTime", "", "refuse.number"},
		{"0.name", " ", "refuse.name"}, {"0.name", "a-handler-whose-name-has-41-characters-xy", "refuse.name"},
	} {
		before := m.Draft.Setup
		m.Update(Acted{Act: "setup", Arg: c.field, Value: c.value})
		if m.Draft.Refused[c.field].ID != c.why || m.Draft.Edited() {
			t.Errorf("%s of %q: refused with %q, and the draft is %+v", c.field, c.value, m.Draft.Refused[c.field].ID, m.Draft.Setup)
		}
		if !m.Draft.Setup.Equal(before) {
			t.Errorf("%s of %q changes the draft to %+v", c.field, c.value, m.Draft.Setup)
		}
		m.Update(Acted{Act: "resetSetup"})
	}
	m.Update(Acted{Act: "setup", Arg: "workers", Value: "9"})
	m.Update(Acted{Act: "setup", Arg: "0.takes", Value: "3600000"})
	if len(m.Draft.Refused) != 1 || m.Draft.Setup.Handlers[0].Duration != link.MaxTakes {
		t.Errorf("refused %v, and the draft is %+v", m.Draft.Refused, m.Draft.Setup)
	}
	if m.Update(Acted{Act: "setup", Arg: "workers", Value: "8"}); len(m.Draft.Refused) != 0 || m.Draft.Setup.Workers != 8 {
		t.Errorf("refused %v, and the draft is %+v", m.Draft.Refused, m.Draft.Setup)
	}
	if m.Update(Acted{Act: "resetSetup"}); len(m.Draft.Refused) != 0 || m.Draft.Rewritten == 0 {
		t.Errorf("after Undo %v is still refused", m.Draft.Refused)
	}
}
