package timeline

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// drawn is the timeline of a model, with its controls.
func drawn(m *session.Model) *tree.Node {
	w := viewtest.Speaking(m.Settings.Words)
	return tree.El("div", "", Controls(w, m, m.Stage.Frame, nil), Draw(w, widget.Cache{}, m, m.Stage.Frame, false))
}

// A mark says in words what it stands for and where it is, leads there, and is no part
// of the slider, whose children a screen reader doesn't see.
func TestMarksSayWhatTheyAre(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "relist ×2, note in the trace: <b>rollout</b> · step 9 · 00:00:01.500\u202f000",
		"zh": "relist ×2, 录制中的备注：<b>rollout</b> · 第 9 步 · 00:00:01.500\u202f000",
	} {
		m := viewtest.Busy(t, lang)
		m.Stage.Timeline.Marks = []link.Mark{{Step: 9, Time: 1_500_000_000, Kind: link.MarkRelist, Sentences: []link.MarkSays{{Kind: link.MarkRelist, N: 2}, {Kind: link.MarkNote, N: 1, Texts: []string{"<b>rollout</b>"}}}}}
		root := drawn(m)
		marks := viewtest.WithClass(root, "mark")
		if len(marks) != 1 {
			t.Fatalf("%s: the timeline has %d marks", lang, len(marks))
		}
		for _, name := range []string{"title", "aria-label"} {
			if got, _ := marks[0].Value(name); got != want {
				t.Errorf("%s: the mark's %s is %q, and not %q", lang, name, got, want)
			}
		}
		if act, _ := marks[0].Value("data-act"); act != "seek" {
			t.Errorf("%s: the mark sends the command %q", lang, act)
		}
		if arg, _ := marks[0].Value("data-arg"); arg != "9" {
			t.Errorf("%s: the mark leads to step %q", lang, arg)
		}
		slider := root.Find(func(n *tree.Node) bool { role, _ := n.Value("role"); return role == "slider" })
		if len(viewtest.WithClass(slider, "mark")) != 0 {
			t.Errorf("%s: the slider hides its marks from a screen reader", lang)
		}
	}
}

// While a key is followed or searched for, the page says so in the place of the
// choice of a unit, and offers the way out.
func TestFollowingIsSeen(t *testing.T) {
	m := viewtest.Busy(t, "en")
	find := func(act, arg string) *tree.Node {
		root := drawn(m)
		return root.Find(func(n *tree.Node) bool {
			a, _ := n.Value("data-act")
			v, _ := n.Value("data-arg")
			return a == act && v == arg
		})
	}
	if find("unit", "micro") == nil || find("keyFollow", "") != nil {
		t.Error("nothing is followed, and the page says that something is")
	}
	m.Find.Follow = "shop/web"
	if find("unit", "micro") != nil || find("keyFollow", "") == nil {
		t.Error("there is no way out of following")
	}
	m.Find.Search = &link.Searching{Key: "shop/web", Step: 7}
	if find("stopSearch", "") == nil {
		t.Error("a search can't be canceled")
	}
	m.Find.Missed, m.Settings.Lang = &link.Missed{Key: "shop/web", Back: true}, "en"
	root := drawn(m)
	if says := viewtest.WithClass(root, "missed"); len(says) != 1 || !strings.Contains(says[0].TextContent(), "no earlier step of shop/web") {
		t.Errorf("there are %d remarks on a search that isn't there", len(says))
	}
}

// The choice of a speed says whether it counts steps or recorded time.
func TestSpeedsSayWhatTheyCount(t *testing.T) {
	m := viewtest.Busy(t, "en")
	for unit, want := range map[link.Unit]string{link.Micro: "3 steps/s", link.Operation: "3 operations/s", link.WatchEvent: "3 events/s"} {
		m.Transport.Unit = unit
		root := drawn(m)
		var texts []string
		root.Find(func(n *tree.Node) bool {
			if v, ok := n.Value("label"); ok {
				texts = append(texts, v)
			}
			return false
		})
		all := strings.Join(append(texts, root.TextContent()), "\n")
		for _, text := range []string{want, "0.01× recorded", "600× recorded", "By steps", "By recorded time"} {
			if !strings.Contains(all, text) {
				t.Errorf("in %s, no speed is %q", unit, text)
			}
		}
	}
}
