package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// requests returns what the commands send to the worker.
func requests(cmds []Cmd) (ops []link.Request) {
	for _, c := range cmds {
		if s, ok := c.(Send); ok {
			ops = append(ops, s.Request)
		}
	}
	return ops
}

// After a reload the page opens the same capture, and goes to setup, informer and
// step one after the other. A viewer who steps meanwhile stays where he is.
func TestAReloadComesBack(t *testing.T) {
	stay := &address.Address{File: "pods.json", Way: []link.Waypoint{{Step: 12}}, Informer: "nodes", Unit: "operation", Axis: "time", Profile: "current"}
	var m Model
	var sent []link.Request
	do := func(msg Msg) {
		var cmds []Cmd
		m, cmds = Update(m, msg)
		sent = append(sent, requests(cmds)...)
	}
	last := func(op link.Op) *link.Request {
		for i := len(sent) - 1; i >= 0; i-- {
			if sent[i].Op == op {
				return &sent[i]
			}
		}
		return nil
	}
	// settled has the worker say that all has been run and show step 0.
	settled := func(id int) {
		do(Replied{&link.Reply{ID: id, Frame: &link.Frame{Steps: 40, Complete: true}}})
		do(Replied{&link.Reply{Progress: &link.Progress{Phase: link.Done}}})
		do(Replied{&link.Reply{Frame: &link.Frame{Steps: 40, Complete: true}}})
	}
	begin := func() {
		m, sent = New("en", "", -1), nil
		do(Began{Stay: stay, Files: true})
		if o := last(link.OpOpen); o == nil || o.Name != "pods.json" || o.URL != "" || m.Unit != link.Operation || m.Axis != link.ByTime {
			t.Fatalf("it opens %+v by %s on the axis %s", o, m.Unit, m.Axis)
		}
		do(Replied{&link.Reply{Opened: &link.Opened{Name: "pods.json", Setup: link.Setup{Profile: "classic"}, Informers: []link.Informer{{Name: "pods"}, {Name: "nodes"}}}}})
		settled(0)
	}
	begin()
	if s := last(link.OpSetup); s == nil || s.Setup.Profile != "current" || last(link.OpSeek) != nil {
		t.Fatalf("the page sends %+v first", sent)
	}
	settled(last(link.OpSetup).ID)
	if i := last(link.OpInformer); i == nil || i.N != 1 {
		t.Fatalf("the page sends %+v second", sent)
	}
	settled(last(link.OpInformer).ID)
	if s := last(link.OpSeek); s == nil || s.N != 12 {
		t.Fatalf("the page sends %+v last", sent)
	}
	if m.back != nil {
		t.Error("the page is where it was, and still wants to go there")
	}

	begin()
	do(Acted{Act: "step"})
	settled(last(link.OpSetup).ID)
	if last(link.OpInformer) != nil || last(link.OpSeek) != nil {
		t.Errorf("the viewer stepped, and the page leaves that step: %+v", sent)
	}
}

// Without the files the bundled trace is opened, and the page says why.
func TestAReloadWithoutTheFile(t *testing.T) {
	m, cmds := Update(New("en", "", -1), Began{Stay: &address.Address{File: "pods.json"}})
	if r := requests(cmds); len(r) != 1 || r[0].URL != bundled.URL {
		t.Errorf("it sends %+v", r)
	}
	if m.Failure == nil || m.Failure.Say.ID != "fail.reloaded" || m.back != nil {
		t.Errorf("it says %+v", m.Failure)
	}
}

// Another version of client-go leaves alone what the viewer has edited.
func TestEditsSurviveAnotherVersion(t *testing.T) {
	m := New("en", "", -1)
	m, _ = Update(m, Replied{&link.Reply{Opened: &link.Opened{Setup: link.Setup{Profile: "classic", Workers: 2}}}})
	m, _ = Update(m, Acted{Act: "setup", Arg: "workers", Value: "5"})
	m, cmds := Update(m, Acted{Act: "profile", Value: "current"})
	r := requests(cmds)
	if len(r) == 0 || r[0].Op != link.OpSetup || r[0].Setup.Profile != "current" || r[0].Setup.Workers != 2 {
		t.Errorf("it runs %+v", r)
	}
	if m.Draft.Workers != 5 || m.Draft.Profile != "current" {
		t.Errorf("the draft is %+v", m.Draft)
	}
}

// A value that can't be taken changes nothing, and the setup says why until the field
// has a value that can.
func TestSetupSaysWhatItRefuses(t *testing.T) {
	m := New("en", "", -1)
	m, _ = Update(m, Replied{&link.Reply{Opened: &link.Opened{Setup: link.Setup{Workers: 2, Handlers: []link.Handler{{Name: "metrics", Takes: 1e6}}}}}})
	before := m
	for _, c := range []struct{ field, value, why string }{
		{"workers", "9", "refuse.whole"}, {"workers", "1.5", "refuse.whole"}, {"workers", "", "refuse.whole"},
		{"0.takes", "-1", "refuse.number"}, {"0.takes", "3600001", "refuse.number"}, {"0.takes", "NaN", "refuse.number"}, {"0.from", "soon", "refuse.number"},
		{"0.resync", "86401", "refuse.number"}, {"resync", "1e300", "refuse.number"}, {"workTime", "", "refuse.number"},
		{"0.name", " ", "refuse.name"}, {"0.name", "a-handler-whose-name-has-41-characters-xy", "refuse.name"},
	} {
		m, _ := Update(before, Acted{Act: "setup", Arg: c.field, Value: c.value})
		if m.Refused[c.field].ID != c.why || m.Edited() {
			t.Errorf("%s of %q: refused with %q, and the draft is %+v", c.field, c.value, m.Refused[c.field].ID, m.Draft)
		}
		if len(before.Refused) != 0 {
			t.Fatal("it wrote into the earlier model")
		}
	}
	m, _ = Update(m, Acted{Act: "setup", Arg: "workers", Value: "9"})
	m, _ = Update(m, Acted{Act: "setup", Arg: "0.takes", Value: "3600000"})
	if len(m.Refused) != 1 || m.Draft.Handlers[0].Takes != link.MaxTakes {
		t.Errorf("refused %v, and the draft is %+v", m.Refused, m.Draft)
	}
	if m, _ := Update(m, Acted{Act: "setup", Arg: "workers", Value: "8"}); len(m.Refused) != 0 || m.Draft.Workers != 8 {
		t.Errorf("refused %v, and the draft is %+v", m.Refused, m.Draft)
	}
	if m, _ := Update(m, Acted{Act: "resetSetup"}); len(m.Refused) != 0 || m.Rewritten == 0 {
		t.Errorf("after Undo %v is still refused", m.Refused)
	}
}
