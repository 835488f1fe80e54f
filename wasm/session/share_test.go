package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// linked answers that the way leads to a step.
func (v *visit) linked(l link.Linked) {
	v.t.Helper()
	v.do(Acted{Act: "link"})
	v.do(Replied{&link.Reply{ID: lastID[link.MakeLink](v.game), News: &l}})
}

// traveled answers where the way of a link has led. The page must have asked for that.
func (v *visit) traveled(step int64, t link.Traveled) {
	v.t.Helper()
	id := lastID[link.Travel](v.game)
	v.do(Replied{&link.Reply{ID: id, News: &t}}, Replied{&link.Reply{ID: id, News: &link.Frame{Step: step, Steps: 100, Complete: true}}})
}

func (v *visit) fails(id string) {
	v.t.Helper()
	if f := v.m.Open.Failure; id == "" && f != nil || id != "" && (f == nil || f.Sentence.ID != id) {
		v.t.Errorf("the page says %+v, want %q", f, id)
	}
}

var target = []link.PathStep{{Moment: "3.1.loop.Popped", Step: 12, Line: "break watch"}, {Moment: "4-1.2.loop.Popped", Step: 30}}

// A link to what is open opens it again on another page, at the same step, with the same informer,
// version, setup, selection and language.
func TestALinkOpensTheSame(t *testing.T) {
	v := arrive(t, "")
	v.m.Site.URL = "https://example.org/scope/"
	v.settle()
	v.do(Acted{Act: "setup", Arg: "workers", Value: "5"}, Acted{Act: "applySetup"})
	setup := last[link.SetUp](v.game)
	v.do(Replied{&link.Reply{ID: lastID[link.SetUp](v.game), News: &link.Opened{Name: "shop", Complete: true, Informers: []link.Informer{{Name: "pods"}, {Name: "nodes"}}, Informer: 1, Setup: setup.Setup, Chosen: true}}},
		Replied{&link.Reply{ID: lastID[link.SetUp](v.game), News: &link.Frame{Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	answer[link.Fit](v.game, 0)
	v.m.Expr.Asked, v.m.Expr.Breaks = "relist()", []ask.Break{{Text: "depth() > 3"}, {Text: "pop()", Disabled: true}}
	v.do(Acted{Act: "keyFollow", Arg: "shop/web-0"}, Acted{Act: "unit", Arg: "event"}, Replied{&link.Reply{News: &link.Object{Key: "shop/db", RV: "7"}}})
	v.linked(link.Linked{Path: target})
	s := *v.m.Sharing.Share
	want := "https://example.org/scope/#trace=shop&informer=nodes&workers=5&when=3.1.loop.Popped&step=12&do=break+watch&when=4-1.2.loop.Popped&step=30&follow=shop/web-0&object=shop/db&rv=7&unit=event&search=relist%28%29&ask=depth%28%29+%3E+3&lang=en"
	if s.URL != want || !s.Setup || s.Long() || s.NeedsFile() {
		t.Fatalf("the link is\n%s, want\n%s, of %+v", s.URL, want, s)
	}
	v.do(Acted{Act: "linkLang", Value: "false"})
	if strings.Contains(v.m.Sharing.Share.URL, "lang=") {
		t.Errorf("without the language it is %s", v.m.Sharing.Share.URL)
	}

	w := arrive(t, strings.Replace(s.Fragment, "lang=en", "lang=zh", 1))
	w.do(Spoke{"zh", map[string]string{"step.start": "尚无"}})
	if w.m.Settings.Lang != "zh" {
		t.Errorf("it speaks %s", w.m.Settings.Lang)
	}
	w.opens(navigation.Bundled.URL)
	id := lastID[link.Open](w.game)
	opened := func(id int, setup link.Setup, informer int) {
		w.do(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "shop", Complete: true, Informers: []link.Informer{{Name: "pods"}, {Name: "nodes"}}, Informer: informer, Setup: setup}}},
			Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
		answer[link.Fit](w.game, 0)
	}
	opened(id, link.Setup{Workers: 2}, 0)
	q := last[link.SetUp](w.game)
	if q.Setup.Workers != 5 {
		t.Fatalf("it sets up %+v", q.Setup)
	}
	opened(lastID[link.SetUp](w.game), q.Setup, 0)
	shown := last[link.ShowInformer](w.game)
	if shown.Informer != 1 {
		t.Fatalf("it shows informer %d", shown.Informer)
	}
	opened(lastID[link.ShowInformer](w.game), link.Setup{Workers: 5}, 1)
	way := last[link.Travel](w.game)
	if len(way.Path) != 2 || way.Path[0] != target[0] || way.Path[1] != target[1] || way.Key != "shop/db" || way.RV != "7" {
		t.Fatalf("it goes %+v", way)
	}
	w.traveled(30, link.Traveled{})
	w.fails("")
	if e := w.m.Expr; e.Asked != "relist()" || len(e.Breaks) != 1 || e.Breaks[0].Text != "depth() > 3" || len(last[link.WatchFor](w.game).Watches) != 2 {
		t.Errorf("it asks %+v", e)
	}
	if w.m.Find.Follow != "shop/web-0" || w.m.Transport.Unit != link.WatchEvent || w.m.Nav.Goal != nil {
		t.Errorf("it follows %q by %s", w.m.Find.Follow, w.m.Transport.Unit)
	}
	w.addressIs(strings.Replace(s.Fragment, "lang=en", "lang=zh", 1), 1)
}

// A page says when a link doesn't lead where it led once.
func TestALinkSaysWhatIsLost(t *testing.T) {
	for id, result := range map[string]link.Traveled{
		"": {}, "fail.linkLost": {Lost: true}, "fail.linkLine": {Lost: true, Failure: &link.LineFailure{Text: "takes nobody 1s", Reason: link.FaultText("no such handler")}},
	} {
		v := arrive(t, "#library=11-resync&when=1.1.loop.Popped&step=4")
		v.opens("scripts/11-resync.txt")
		v.settle()
		v.traveled(4, result)
		v.fails(id)
	}
	v := arrive(t, "#library=11-resync&future=1")
	v.settle()
	v.fails("fail.linkStrange")
}

// A script of the viewer's own is in the link, and a capture isn't: the link says which file is
// needed, and asks for it.
func TestALinkToAFile(t *testing.T) {
	v := arrive(t, "")
	v.settle()
	v.do(Chose{Name: "mine.txt", Size: 30})
	v.settle()
	v.linked(link.Linked{Path: target, Text: "informer pods\n"})
	if s := v.m.Sharing.Share; s.NeedsFile() || !strings.HasPrefix(s.Fragment, "#script=informer+pods%0A&") {
		t.Errorf("the link to a script is %s", s.Fragment)
	}
	v.do(Acted{Act: "close"}, Chose{Name: "night <1>.json", Size: 1200})
	v.settle()
	v.linked(link.Linked{Path: target})
	if s := v.m.Sharing.Share; !s.NeedsFile() || !strings.HasPrefix(s.Fragment, "#file=night+%3C1%3E.json&size=1200&") {
		t.Fatalf("the link to a file is %s", s.Fragment)
	}
	fragment := v.m.Sharing.Share.Fragment

	for _, c := range []struct {
		Chose
		says string
	}{{Chose{"night <1>.json", 1200}, ""}, {Chose{"night <1>.json", 1300}, "fail.otherFile"}, {Chose{"day.json", 1200}, "fail.otherFile"}} {
		w := arrive(t, fragment)
		w.settle()
		if w.opens(navigation.Bundled.URL); w.m.Front.Dialog != "expected" || w.m.Nav.Expected.Name != "night <1>.json" {
			t.Fatalf("it asks for %+v in the dialog %q", w.m.Nav.Expected, w.m.Front.Dialog)
		}
		if w.m.Nav.CurrentAddress() != nil {
			t.Error("over a reload it would no longer ask")
		}
		w.do(c.Chose)
		if q := last[link.Open](w.game); q.Name != c.Name || q.URL != "" || w.m.Front.Dialog != "" {
			t.Fatalf("it opens %+v", q)
		}
		w.settle()
		w.traveled(30, link.Traveled{})
		w.fails(c.says)
		w.addressIs(fragment, 2)
	}

	w := arrive(t, fragment)
	w.settle()
	w.do(Acted{Act: "close"}, Chose{"other.json", 1})
	w.settle()
	if w.fails(""); count[link.Travel](w.game) != 0 {
		t.Error("a file that is opened later is taken for the one of the link")
	}
}

// A link that is long is packed, and is unpacked before anything is opened.
func TestLongLinksArePacked(t *testing.T) {
	v := arrive(t, "")
	v.settle()
	v.do(Chose{Name: "mine.txt", Size: 30})
	v.settle()
	text := "informer pods\n" + strings.Repeat("create pod default/a\n", 100)
	v.linked(link.Linked{Path: target, Text: text})
	var pack Pack
	for _, c := range v.cmds {
		if p, ok := c.(Pack); ok {
			pack = p
		}
	}
	if !strings.HasPrefix(pack.Text, "script=informer+pods%0A") || v.m.Sharing.Share.Fragment != "" {
		t.Fatalf("it packs %.40q, and the link is %.40q", pack.Text, v.m.Sharing.Share.Fragment)
	}
	v.do(Packed{"something else", "zzz"}, Packed{pack.Text, "abc"})
	if v.m.Sharing.Share.Fragment != "#s1:abc" {
		t.Fatalf("the link is %s", v.m.Sharing.Share.Fragment)
	}
	v.do(Acted{Act: "linkLang", Value: "false"}, Packed{strings.TrimSuffix(pack.Text, "&lang=en"), ""})
	if !strings.HasPrefix(v.m.Sharing.Share.Fragment, "#script=") {
		t.Errorf("where the browser can't pack, the link is %.40q", v.m.Sharing.Share.Fragment)
	}

	w := arrive(t, "#s1:abc")
	if count[link.Open](w.game) != 0 {
		t.Fatal("it opens something before it knows what")
	}
	w.do(navigation.Unpacked{Data: "other", Text: "trace=shop"})
	w.do(navigation.Unpacked{Data: "abc", Text: pack.Text})
	if q := last[link.Open](w.game); q.Text != text {
		t.Fatalf("it opens %.40q", q.Text)
	}
	w.settle()
	w.traveled(30, link.Traveled{})
	w.addressIs("#s1:abc", 1)
	w.do(Acted{Act: "script", Arg: "11-resync"})
	w.settle()
	w.addressIs("#library=11-resync", 2)
	w.browse(-1)
	if q := last[link.Open](w.game); q.Text != text {
		t.Errorf("Back opens %.40q", q.Text)
	}
}

// A link that can't be followed is said to be so, and what is open stays.
func TestALinkThatLeadsNowhere(t *testing.T) {
	for fragment, id := range map[string]string{
		"#url=//example.org/x.json": "fail.linkPath", "#url=api/v1/pods": "fail.linkPath", "#library=nosuch": "fail.linkPath", "#trace=shop&step=x": "fail.linkBroken",
		"#s2:abc": "fail.linkNewer", "#s1:<b>": "fail.linkBroken",
		"#script=" + strings.Repeat("x", address.MaxText): "fail.linkLong",
	} {
		v := arrive(t, fragment)
		v.opens(navigation.Bundled.URL)
		v.settle()
		v.fails(id)
		v.addressIs("", 1)

		opens := count[link.Open](v.game)
		v.m.Open.Failure = nil
		v.entries, v.at = append(v.entries, navigation.Returned{Place: -1, Fragment: fragment}), 1
		v.browse(0)
		v.fails(id)
		if count[link.Open](v.game) != opens {
			t.Errorf("%.30s opens something", fragment)
		}
		v.addressIs("", 2)
	}
	v := arrive(t, "#s1:abc")
	v.do(navigation.Unpacked{Data: "abc", Failed: true})
	v.opens(navigation.Bundled.URL)
	v.settle()
	v.fails("fail.linkBroken")
	v.addressIs("", 1)
}

// A link that is written into the address of an open page, or opened as a file, is followed there.
func TestALinkIntoAnOpenPage(t *testing.T) {
	v := arrive(t, "")
	v.settle()
	v.entries, v.at = append(v.entries, navigation.Returned{Place: -1, Fragment: "#url=captures/a.json&step=7"}), 1
	v.browse(0)
	v.opens("../captures/a.json")
	v.settle()
	answer[link.Seek](v.game, 7)
	v.addressIs("#url=captures/a.json&step=7", 2)
	v.browse(-1)
	v.opens(navigation.Bundled.URL)
	v.settle()
	v.browse(1)
	v.opens("../captures/a.json")
	v.settle()
	if q := last[link.Seek](v.game); q.Step != 7 {
		t.Errorf("it goes to step %d", q.Step)
	}
	answer[link.Seek](v.game, 7)
	v.do(Chose{Name: "a.link.txt"})
	v.do(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Traveled{Address: "#library=11-resync"}}})
	v.opens("scripts/11-resync.txt")
	v.settle()
}

// A file whose packed link is broken says so, and what was open before stays.
func TestAFileWithABrokenLink(t *testing.T) {
	for _, address := range []string{"#s1:abc", "#s1:<b>", "#lesson=Nobody", "#url=//example.org/x"} {
		v := arrive(t, "#library=11-resync")
		v.settle()
		v.do(Chose{Name: "a.link.txt"})
		v.do(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Traveled{Address: address}}})
		if address == "#s1:abc" {
			v.do(navigation.Unpacked{Data: "abc", Failed: true})
		}
		if count[link.Cancel](v.game) != 1 || v.m.Open.Loading {
			t.Fatalf("%s: opening is given up %d times, and that it goes on is %t", address, count[link.Cancel](v.game), v.m.Open.Loading)
		}
		why := v.m.Open.Failure
		v.refused(lastID[link.Cancel](v.game), "fail.withdrawn", "11-resync.txt")
		if v.m.Open.Failure != why || why == nil || why.Sentence.ID == "fail.withdrawn" || v.m.Open.Name != "11-resync.txt" {
			t.Errorf("%s: the page says %+v of %s", address, v.m.Open.Failure, v.m.Open.Name)
		}
	}
}

// refused answers that what was asked for last can't be opened, and shows what was open before.
func (v *visit) refused(id int, why, before string) {
	v.t.Helper()
	v.do(Replied{&link.Reply{ID: id, News: &link.Failure{Sentence: link.Sentence{ID: why}}}},
		Replied{&link.Reply{News: &link.Opened{Name: before, Complete: true, Informers: []link.Informer{{Name: "pods"}}}}},
		Replied{&link.Reply{News: &link.Frame{Step: 3, Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	answer[link.Fit](v.game, 3)
}

// What can't be opened is forgotten: a reload, a link and Back lead to what is shown in its place.
func TestARefusedOpeningLeavesNothing(t *testing.T) {
	v := arrive(t, "#library=11-resync")
	v.settle()
	for _, name := range []string{"damaged.json", "another.json"} {
		v.do(Chose{Name: name})
		v.refused(lastID[link.Open](v.game), "fail.open", "11-resync.txt")
	}
	if s := v.m.Nav.CurrentAddress(); s == nil || s.Source.Library != "11-resync" || v.m.Open.Name != "11-resync.txt" {
		t.Errorf("a reload leads to %+v, and the header says %s", s, v.m.Open.Name)
	}
	v.do(Acted{Act: "script", Arg: "20-dedup"})
	v.opens("scripts/20-dedup.txt")
	v.settle()
	v.browse(-1)
	v.opens("scripts/11-resync.txt")
}

// Nothing can be linked to while a cluster is followed.
func TestNoLinkToACluster(t *testing.T) {
	m := atWork()
	m.Cluster.Live = &link.Live{Following: true}
	cmds := m.Update(Pressed{Key: "L"})
	if m.Front.Dialog != "link" || !m.Sharing.Share.Live || len(operations(cmds)) != 0 {
		t.Errorf("the dialog is %q, and the link %+v", m.Front.Dialog, m.Sharing.Share)
	}
}

// In a frame of another page nothing opens the viewer's own files, saves them, or looks for a
// cluster. The trace that the page around it sends is opened in the place of the navigation.Bundled one.
func TestAFrame(t *testing.T) {
	m := New("en", "", -1)
	cmds := m.Update(navigation.Offered{Title: "night\n<1>", Size: 5, Step: 7})
	if len(operations(cmds)) != 0 {
		t.Fatal("it opens something before it has begun")
	}
	g := &game{t: t, m: m}
	g.play(navigation.Returned{}, Started{Embedded: true}, Spoke{"en", map[string]string{"step.start": "Nothing yet."}})
	if q := last[link.Open](g); count[link.Open](g) != 1 || q.Name != "night<1>" || q.URL != "" || q.Profile != "classic" {
		t.Fatalf("it opens %+v", q)
	}
	g.reopen()
	answer[link.Seek](g, last[link.Seek](g).Step)
	if g.m.Stage.Frame.Step != 7 {
		t.Errorf("it shows step %d", g.m.Stage.Frame.Step)
	}
	sent := len(g.sent)
	for _, key := range []string{"o", "l", "s"} {
		if g.m.HasKey(Pressed{Key: key}) {
			t.Errorf("it takes the key %s", key)
		}
		g.play(Pressed{Key: key})
	}
	if g.play(Chose{Name: "b.json"}); len(g.sent) != sent || g.m.Front.Dialog != "" {
		t.Errorf("it sends %+v", g.sent[sent:])
	}
	g.play(navigation.Offered{Title: "another", Time: "3.1.loop.Popped"})
	if q := last[link.Open](g); q.Name != "another" {
		t.Errorf("it opens %+v", q)
	}
	g.reopen()
	if q := last[link.Travel](g); len(q.Path) != 1 || q.Path[0].Moment != "3.1.loop.Popped" {
		t.Errorf("it goes %+v", q)
	}
	g.play(navigation.Offered{Title: "from its beginning"})
	if q := last[link.Open](g); q.Profile != "" {
		t.Errorf("it opens %+v", q)
	}
}

// A frame gives the viewer no file, takes none, and looks for no cluster. Each command is tried in a frame
// and on the page, with all there that it could be about; what makes a file on the page is in NotInFrame.
func TestAFrameSavesNothing(t *testing.T) {
	files := func(embedded bool, name string) bool {
		g := opened(t)
		g.m.Site.Embedded = embedded
		g.m.Cluster.Found = &link.Cluster{Found: true}
		g.m.Cluster.Want.Resources = []string{"pods"}
		g.m.Expr.Minimised = &link.Minimised{Text: "relist()", Objects: 1}
		g.m.Expr.Asked = "depth()"
		g.m.Save.Format = save.Session
		g.m.Open.Trace.Script = name == "copyText" || name == "saveNow" // which are about its text
		g.m.Sharing.Share = &Share{plain: "#trace=shop", Fragment: "#trace=shop", URL: "https://example.org/#trace=shop"}
		g.cmds = nil
		g.play(Acted{Act: name, Value: "pods"})
		for _, c := range g.cmds {
			switch c := c.(type) {
			case Pick, Download, save.Shoot:
				return true
			case desk.Send:
				switch c.Op.(type) {
				case link.Save, link.SaveLeast, link.SaveText, link.SavePlot, link.Discover, link.FollowCluster:
					return true
				}
			}
		}
		return g.m.Front.Dialog == "save" || g.m.Front.Dialog == "live"
	}
	refused := NotInFrame()
	for name := range byName {
		if files(true, name) {
			t.Errorf("in a frame, %s is about a file or a cluster", name)
		}
		if files(false, name) && !slices.Contains(refused, name) {
			t.Errorf("%s is about a file or a cluster, and isn't refused in a frame", name)
		}
	}
	for _, name := range []string{"open", "live", "save", "saveNow", "saveLink", "saveLeast", "plotted", "copyText", "discover", "follow"} {
		if !files(false, name) || !slices.Contains(refused, name) {
			t.Errorf("%s does nothing on the page, or is not refused in a frame", name)
		}
	}
}

// A link that names nothing but a language opens what the page opens by itself, in that language.
func TestALinkMayNameALanguageAlone(t *testing.T) {
	v := arrive(t, "#lang=zh")
	v.do(Spoke{"zh", map[string]string{"step.start": "尚无"}})
	if v.m.Settings.Lang != "zh" {
		t.Errorf("it speaks %s", v.m.Settings.Lang)
	}
	v.opens(navigation.Bundled.URL)
}
