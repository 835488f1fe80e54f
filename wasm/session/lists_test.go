package session

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// ran answers that a recording with an ordinary list was run with a setup.
func (v *visit) ran(id int, s link.Setup) {
	v.t.Helper()
	v.do(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "shop", Complete: true, Informers: []link.Informer{{Name: "pods", Listed: true}}, Setup: s, HasSetup: true}}},
		Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	answer[link.Fit](v.game, 0)
}

// A link that names a moment opens it with the lists as they were played where the link was made.
// An earlier page said nothing of them, and converted them to streaming ones.
func TestLinksKeepTheLists(t *testing.T) {
	usual := link.Setup{Profile: "classic", Workers: 2, Listed: true}
	for fragment, want := range map[string]link.Setup{
		"#trace=shop&profile=current&when=2.1.loop.Popped&step=9":                              {Profile: "current", Workers: 2},
		"#trace=shop&profile=current&lists=recorded&when=2.1.loop.Popped&step=9":               {Profile: "current", Workers: 2, Listed: true},
		"#trace=shop&profile=current&workers=5&when=2.1.loop.Popped&step=9":                    {Profile: "current", Workers: 5},
		"#trace=shop&profile=current&lists=recorded&workers=5&when=2.1.loop.Popped&step=9":     {Profile: "current", Workers: 5, Listed: true},
		"#trace=shop&profile=classic&when=2.1.loop.Popped&step=9":                              usual,
		"#trace=shop&profile=classic&when=2.1.loop.Popped&step=9&beside=profile&profile=v0.37": {Profile: "classic", Workers: 2},
		"#trace=shop&profile=current":                                                          {Profile: "current", Workers: 2, Listed: true},
	} {
		v := arrive(t, fragment)
		v.ran(lastID[link.Open](v.game), usual)
		got := usual
		if count[link.SetUp](v.game) > 0 {
			got = last[link.SetUp](v.game).Setup
		}
		if !got.Equal(want) {
			t.Errorf("%s sets up %+v", fragment, got)
		}
	}
}

// A link of a time at which a recording without handlers of its own was played to three of the page's still counts
// on these, if it names something of the run. A link that is made now says which handlers it counts on.
func TestEarlierLinksKeepTheHandlersOfTheirTime(t *testing.T) {
	usual := link.Setup{Profile: "current", Handlers: []link.Handler{{Name: link.Simulated}}, Index: "app", Workers: 2, Listed: true}
	for fragment, handlers := range map[string]int{
		"#url=captures/a.json": 1, "#url=captures/a.json&profile=v0.34": 1, "#url=captures/a.json&informer=pods&lang=zh&tab=setup&density=plain": 1,
		"#url=captures/a.json&step=9": 3, "#url=captures/a.json&when=2.1.loop.Popped": 3, "#url=captures/a.json&search=relist%28%29": 3, "#url=captures/a.json&ask=depth%28%29+%3E+3": 3,
		"#url=captures/a.json&follow=shop/web": 3, "#url=captures/a.json&object=shop/web&rv=3": 3, "#url=captures/a.json&beside=profile&profile=v0.34": 3,
		"#url=captures/a.json&handlers=recorded&step=9": 1, "#url=captures/a.json&workers=1&handler=:a&handler=takes=3:b&step=9": 2, "#url=captures/a.json&workers=2&step=9": 0,
	} {
		v := arrive(t, fragment)
		id := lastID[link.Open](v.game)
		v.do(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "a.json", Complete: true, Informers: []link.Informer{{Name: "pods"}}, Setup: usual}}},
			Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
		answer[link.Fit](v.game, 0)
		got := usual
		if count[link.SetUp](v.game) > 0 {
			got = last[link.SetUp](v.game).Setup
		}
		if len(got.Handlers) != handlers || handlers == 3 && (got.Handlers[2] != link.Handler{Name: "audit", Duration: 20e6} || got.Resync != 60e9) {
			t.Errorf("%s sets up %+v", fragment, got)
		}
	}
}

// What is made now says how lists are played, and the viewer may choose it.
func TestTheSetupSaysHowListsArePlayed(t *testing.T) {
	v := arrive(t, "")
	v.ran(lastID[link.Open](v.game), link.Setup{Profile: "classic", Listed: true})
	links := func() string {
		v.linked(link.Linked{Path: target})
		v.do(Acted{Act: "close"})
		return v.m.Sharing.Share.Fragment
	}
	if l := links(); !strings.HasPrefix(l, "#trace=shop&profile=classic&lists=recorded&handlers=recorded&when=") {
		t.Errorf("the link is %s", l)
	}
	if v.m.Draft.Converts() {
		t.Error("v0.22 converts lists")
	}
	v.do(Acted{Act: "profile", Value: "current"})
	v.ran(lastID[link.SetUp](v.game), last[link.SetUp](v.game).Setup)
	if s := last[link.SetUp](v.game).Setup; s.Profile != "current" || !s.Listed || !v.m.Draft.Converts() {
		t.Fatalf("it sets up %+v", s)
	}
	v.do(Acted{Act: "setup", Arg: "listed", Value: "false"}, Acted{Act: "applySetup"})
	v.ran(lastID[link.SetUp](v.game), last[link.SetUp](v.game).Setup)
	if s := last[link.SetUp](v.game).Setup; s.Listed {
		t.Fatalf("it sets up %+v", s)
	}
	if l := links(); !strings.HasPrefix(l, "#trace=shop&profile=current&handlers=recorded&when=") {
		t.Errorf("the link is %s", l)
	}
	v.do(Acted{Act: "profile", Value: "batched"})
	v.ran(lastID[link.SetUp](v.game), last[link.SetUp](v.game).Setup)
	if s := last[link.SetUp](v.game).Setup; s.Listed {
		t.Errorf("with another version it sets up %+v", s)
	}
	v.do(Acted{Act: "profile", Value: "classic"})
	v.ran(lastID[link.SetUp](v.game), last[link.SetUp](v.game).Setup)
	v.do(Acted{Act: "profile", Value: "current"})
	if s := last[link.SetUp](v.game).Setup; !s.Listed {
		t.Errorf("after a version without streaming lists it sets up %+v", s)
	}
}
