package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// setup is the tab in which the viewer edits the process to which the trace plays.
func (p *page) setup() *tree.Node {
	d := p.m.Draft.Setup
	if o := p.m.Open.Trace; o != nil && o.Script {
		return tree.El("div", "panel setup", tree.Text("p", "quiet", p.w.T("ui.setup.script")))
	}
	n := tree.El("div", "panel setup", tree.El("p", "quiet", widget.Badge("waits", p.w.T("ui.simulated")), tree.Text("span", "", p.w.T("ui.setup.intro"))))
	for i, h := range d.Handlers {
		at := words.Itoa(i) + "."
		box := tree.El("fieldset", "", tree.Text("legend", "visually-hidden", h.Name))
		head := tree.El("div", "setup-head",
			p.setupField("text", at+"name", p.w.T("ui.setup.name"), h.Name, ""),
			widget.IconButton("tiny", "close", p.w.Tn("ui.setup.drop", "name", h.Name), "dropHandler", words.Itoa(i)))
		box.Add(head, tree.El("div", "setup-fields",
			p.setupField("number", at+"takes", p.w.T("ui.setup.takes"), words.Decimal(h.Takes, 6), "ms"),
			p.setupField("number", at+"resync", p.w.T("ui.setup.resync"), words.Decimal(h.Resync, 9), "s"),
			p.setupField("number", at+"from", p.w.T("ui.setup.from"), words.Decimal(h.From, 9), "s")))
		box.Add(widget.Check("setup", at+"workqueue", p.w.T("ui.setup.workqueue"), h.Workqueue, false))
		if h.Recorded {
			box.Add(tree.Text("p", "quiet", p.w.T("ui.setup.recorded")))
		}
		n.Add(box.Key(words.Itoa(i)))
	}
	if len(d.Handlers) < link.MaxHandlers {
		n.Add(tree.El("button", "button add", widget.Icon("plus"), tree.Text("span", "", p.w.T("ui.setup.add"))).Attr("type", "button").Act("addHandler", ""))
	}
	n.Add(tree.El("fieldset", "", tree.Text("legend", "visually-hidden", p.w.T("ui.setup.informer")),
		tree.El("div", "setup-fields",
			p.setupField("text", "index", p.w.T("ui.setup.index"), d.Index, ""),
			p.setupField("number", "resync", p.w.T("ui.setup.defaultResync"), words.Decimal(d.Resync, 9), "s"),
			p.setupField("number", "workers", p.w.T("ui.workers"), words.Itoa(d.Workers), ""),
			p.setupField("number", "workTime", p.w.T("ui.setup.workTime"), words.Decimal(d.WorkTime, 6), "ms"))))
	if p.m.Open.Trace != nil {
		n.Add(tree.El("fieldset", "", tree.Text("legend", "visually-hidden", p.w.T("ui.profile.title")),
			p.profiles(), tree.Text("p", "quiet", p.changed(d.Profile))))
	}
	return n.Add(tree.El("div", "setup-foot",
		widget.Button("primary", p.w.T("ui.setup.apply"), "applySetup", "").Flag("disabled", !p.m.Draft.Edited(p.m) || len(p.m.Draft.Refused) > 0),
		widget.Button("", p.w.T("ui.setup.reset"), "resetSetup", "").Flag("disabled", !p.m.Draft.Edited(p.m) && len(p.m.Draft.Refused) == 0)))
}

// setupField is a field of the setup. Where its value can't be taken, the field says
// why.
func (p *page) setupField(kind, arg, name, value, unit string) *tree.Node {
	f := widget.Field("setup", kind, arg, name, value, unit)
	box := tree.El("div", "entered", f).Key(arg + " " + strconv.Itoa(p.m.Draft.Rewritten)) // the text that was typed disappears with the element
	if why, ok := p.m.Draft.Refused[arg]; ok {
		f.Attr("data-refused", "")
		box.Add(widget.Say(p.w, "p", "refused", why).Attr("role", "alert"))
	}
	return box
}
