package panel

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// home shows four doors: the ways on from the recording that the page opens by itself. In a frame
// of another page, those that lead to the viewer's own files are not there. Whoever was here before
// finds the way back above them, in the place of what the page is.
func home(w *words.Words, m *session.Model) *tree.Node {
	framed := m.Site.Embedded
	n := tree.El("section", "home").Attr("aria-label", w.T("ui.home"))
	last := lastDoor(w, m)
	if last != nil {
		n.Add(last)
	} else {
		n.Add(tree.Text("h2", "", w.T("ui.home")), tree.Text("p", "quiet", w.T("ui.home.says")))
	}
	for _, d := range []struct{ name, act, arg, class string }{
		{"learn", "lesson", learn.First, "primary"}, {"own", "open", "", ""}, {"cluster", "live", "", ""}, {"break", "tab", "gestures", ""},
	} {
		if framed && (d.act == "open" || d.act == "live") {
			continue
		}
		if last != nil {
			d.class = ""
		}
		n.Add(door(d.name, w.T("ui.home."+d.name), w.T("ui.home."+d.name+".says"), widget.Button(d.class, w.T("ui.home."+d.name+".do"), d.act, d.arg)))
	}
	if m.Open.Trace != nil && m.Open.Trace.Setup.Profile == world.Classic.Name {
		n.Add(tree.Text("p", "quiet", w.T("ui.home.classic")).Key("version"))
	}
	return n
}

// lastDoor leads to what the viewer has opened last, or is nil.
func lastDoor(w *words.Words, m *session.Model) *tree.Node {
	last := m.Density.Last
	says, do := last.Title, w.T("ui.home.last.do")
	switch last.Act {
	case "lesson":
		name, stop, _ := strings.Cut(last.Arg, "#.")
		if read := m.Lesson.Read[name]; read.All > 0 {
			says += " · " + w.Tn("ui.lesson.of", "step", stop, "all", strconv.Itoa(read.All))
		}
	case "script":
		says = w.T("script." + last.Arg)
	case "open":
		do = w.T("ui.home.own.do")
	default:
		return nil
	}
	return door("last", w.T("ui.home.last"), says, widget.Button("primary", do, last.Act, last.Arg))
}

// door shows where a button leads.
func door(name, title, says string, button *tree.Node) *tree.Node {
	return tree.El("div", "door", tree.El("div", "", tree.Text("h3", "", title), tree.Text("p", "", says)), button).Key(name)
}
