package panel

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Setup returns the tab in which the viewer edits the process to which the trace plays.
func Setup(w *words.Words, m *session.Model) *tree.Node {
	d := m.Draft.Setup
	if o := m.Open.Trace; o != nil && o.Script {
		return tree.El("div", "panel setup", tree.Text("p", "quiet", w.T("ui.setup.script")))
	}
	n := tree.El("div", "panel setup")
	if m.Open.Trace == nil || !m.Open.Trace.HasSetup {
		n.Add(tree.El("p", "quiet", widget.Badge("made", w.T("ui.simulated")), tree.Text("span", "", w.T("ui.setup.intro"))))
	}
	for i, h := range d.Handlers {
		at := words.Itoa(i) + "."
		box := tree.El("fieldset", "", tree.Text("legend", "visually-hidden", h.Name))
		head := tree.El("div", "setup-head",
			setupField(w, &m.Draft, "text", at+"name", w.T("ui.setup.name"), h.Name, ""),
			widget.IconButton("tiny", "close", w.Tn("ui.setup.drop", "name", h.Name), "dropHandler", words.Itoa(i)))
		box.Add(head, tree.El("div", "setup-fields",
			setupField(w, &m.Draft, "number", at+"takes", w.T("ui.setup.takes"), words.Decimal(h.Duration, 6), "ms"),
			setupField(w, &m.Draft, "number", at+"resync", w.T("ui.setup.resync"), words.Decimal(h.Resync, 9), "s"),
			setupField(w, &m.Draft, "number", at+"from", w.T("ui.setup.from"), words.Decimal(h.From, 9), "s")))
		box.Add(widget.Check("setup", at+"workqueue", w.T("ui.setup.workqueue"), h.Workqueue, false))
		if h.Recorded {
			box.Add(tree.Text("p", "quiet", w.T("ui.setup.recorded")))
		}
		n.Add(box.Key(words.Itoa(i)))
	}
	if len(d.Handlers) < link.MaxHandlers {
		n.Add(widget.Labeled("add", "plus", w.T("ui.setup.add"), "addHandler", ""))
	}
	n.Add(tree.El("fieldset", "", tree.Text("legend", "visually-hidden", w.T("ui.setup.informer")),
		tree.El("div", "setup-fields",
			setupField(w, &m.Draft, "text", "index", w.T("ui.setup.index"), d.Index, ""),
			setupField(w, &m.Draft, "number", "resync", w.T("ui.setup.defaultResync"), words.Decimal(d.Resync, 9), "s"),
			setupField(w, &m.Draft, "number", "workers", w.T("ui.workers"), words.Itoa(d.Workers), ""),
			setupField(w, &m.Draft, "number", "workTime", w.T("ui.setup.workTime"), words.Decimal(d.WorkTime, 6), "ms"))))
	if name, others := m.Draft.Controllers(); name != "" {
		box := tree.El("fieldset", "", tree.Text("legend", "visually-hidden", w.T("ui.setup.controller")),
			widget.Check("setup", "follows", w.Tn("ui.setup.follows", "name", name), d.Follows, false), tree.Text("p", "quiet", w.T("ui.setup.follows.why")))
		if len(others) > 0 {
			box.Add(tree.Text("p", "quiet", w.Tn("ui.setup.follows.others", "left", strings.Join(others, ", "))))
		}
		n.Add(box)
	}
	if m.Draft.Converts() {
		n.Add(tree.El("fieldset", "", tree.Text("legend", "visually-hidden", w.T("ui.setup.lists")),
			widget.Check("setup", "listed", w.T("ui.setup.listed"), d.Listed, false), tree.Text("p", "quiet", w.T("ui.setup.listed.why"))))
	}
	if m.Open.Trace != nil {
		why := widget.Chosen(w, m.Open.Trace, m.Open.Source.IsViewers())
		n.Add(tree.El("fieldset", "", tree.Text("legend", "visually-hidden", w.T("ui.profile.title")),
			widget.Profiles(w, m.Open.Trace, why), tree.Text("p", "quiet", widget.Changed(w, d.Profile)), widget.Button("", w.T("ui.changes.ask"), "changes", "")))
		if why != "" {
			n.Add(tree.Text("p", "quiet", why))
		}
	}
	return n.Add(tree.El("div", "setup-foot",
		widget.Button("primary", w.T("ui.setup.apply"), "applySetup", "").Flag("disabled", !m.Draft.Edited() || len(m.Draft.Refused) > 0),
		widget.Button("", w.T("ui.setup.reset"), "resetSetup", "").Flag("disabled", !m.Draft.Edited() && len(m.Draft.Refused) == 0)))
}

// setupField returns a field of the setup. Where its value can't be taken, the field says
// why.
func setupField(w *words.Words, d *session.Draft, kind, arg, name, value, unit string) *tree.Node {
	f := widget.Field("setup", kind, arg, name, value, unit)
	box := tree.El("div", "entered", f).Key(arg + " " + strconv.Itoa(d.Rewritten)) // the text that was typed disappears with the element
	if why, ok := d.Refused[arg]; ok {
		f.Attr("data-refused", "")
		box.Add(widget.Sentence(w, "p", "refused", why).Attr("role", "alert"))
	}
	return box
}
