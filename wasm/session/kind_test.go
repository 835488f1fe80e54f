package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// What the viewer says of the kind of a file's objects is kept with the file, and of the last files alone.
func TestTheKindOfAFileIsKept(t *testing.T) {
	g := opened(t)
	refuse := func() {
		at := &link.Sentence{ID: "error.lineByte", Args: map[string]link.Arg{"why": {Kind: "why", Reason: &link.Sentence{ID: "error.noKind"}}}}
		g.play(Replied{&link.Reply{ID: lastID[link.Open](g), News: &link.Failure{Sentence: link.Sentence{ID: "fail.open"}, Reason: at}}})
	}
	g.play(Chose{Name: "a.json", Size: 7})
	if g.m.NeedsKind() {
		t.Fatal("it asks for the kind of what is being opened")
	}
	refuse()
	if !g.m.NeedsKind() {
		t.Fatal("it doesn't ask for the kind")
	}
	g.play(Acted{Act: "writeKind", Value: " Pod "}, Acted{"enterKind", "x", " Pod "}, Acted{"enterKind", "Enter", " "})
	if n := count[link.Open](g); n != 2 {
		t.Fatalf("%d times something is opened", n)
	}
	g.play(Acted{Act: "openKind"})
	if q := last[link.Open](g); q.Kind != "Pod" || q.Name != "a.json" || !slices.Contains(g.cmds, Cmd(navigation.Rechoose{N: 2})) || !slices.Contains(g.cmds, Cmd(desk.StoreSetting{Name: "kinds", Value: "Pod 7 a.json"})) {
		t.Fatalf("it opens %+v, and does %+v", q, g.cmds)
	}
	refuse() // with another reason it would be no question of the kind
	g.play(Acted{"enterKind", "Enter", "x.io/v1/Web"})
	if q := last[link.Open](g); q.Kind != "x.io/v1/Web" || g.m.Kinds.Typed != q.Kind {
		t.Fatalf("it opens %+v; %q is typed", q, g.m.Kinds.Typed)
	}
	g.play(Chose{Name: "b.json", Size: 7})
	if q := last[link.Open](g); q.Kind != "" {
		t.Errorf("another file is opened as %s", q.Kind)
	}
	for i := range int64(25) {
		g.m.Kinds.setKind("Pod", &navigation.Source{Name: "c", Size: i})
	}
	g.play(Chose{Name: "a.json", Size: 7})
	if q, n := last[link.Open](g), len(g.m.Kinds.answers); q.Kind != "" || n != maxKinds {
		t.Errorf("%d are kept, the oldest as %q", n, q.Kind)
	}
	g.play(Replied{&link.Reply{ID: lastID[link.Open](g), News: &link.Opened{Name: "a", Informers: []link.Informer{{Name: "pods"}}}}})
	g.m.Front.Dialog = "second"
	g.play(Chose{Name: "d.json", Size: 9})
	if q := last[link.SecondCapture](g); q.Kind != "" || q.Name != "d.json" {
		t.Fatalf("%+v is shown beside", q)
	}
	g.play(Replied{&link.Reply{News: &link.Failure{Sentence: link.Sentence{ID: "fail.open"}, Reason: &link.Sentence{ID: "error.noKind"}}}})
	if !g.m.NeedsKind() {
		t.Fatal("it doesn't ask for the kind of what is to stand beside")
	}
	opens := count[link.Open](g)
	g.play(Acted{"enterKind", "Enter", "Pod"})
	if q := last[link.SecondCapture](g); q.Kind != "Pod" || q.Name != "d.json" || count[link.Open](g) != opens || g.m.NeedsKind() || !slices.Contains(g.cmds, Cmd(desk.StoreSetting{Name: "kinds", Value: strings.Join(g.m.Kinds.answers, "\n")})) {
		t.Errorf("%+v is shown beside, after %+v", q, g.cmds)
	}
	again := New("en", "", -1)
	again.Restore(func(name string) string {
		return map[string]string{"kinds": strings.Join(g.m.Kinds.answers, "\n")}[name]
	})
	if kind := again.Kinds.Named(&navigation.Source{Name: "c", Size: 24}); kind != "Pod" {
		t.Errorf("after a reload it is %q", kind)
	}
}
