package view

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// setup is the tab in which the viewer edits the process to which the trace plays.
func (p *page) setup() *tree.Node {
	d := p.m.Draft.Setup
	if o := p.m.Open.Trace; o != nil && o.Script {
		return tree.El("div", "panel setup", tree.Text("p", "quiet", p.t("ui.setup.script")))
	}
	n := tree.El("div", "panel setup", tree.El("p", "quiet", badge("waits", p.t("ui.simulated")), tree.Text("span", "", p.t("ui.setup.intro"))))
	for i, h := range d.Handlers {
		at := itoa(i) + "."
		box := tree.El("fieldset", "", tree.Text("legend", "visually-hidden", h.Name))
		head := tree.El("div", "setup-head",
			p.setupField("text", at+"name", p.t("ui.setup.name"), h.Name, ""),
			iconButton("tiny", "close", p.tn("ui.setup.drop", "name", h.Name), "dropHandler", itoa(i)))
		box.Add(head, tree.El("div", "setup-fields",
			p.setupField("number", at+"takes", p.t("ui.setup.takes"), decimal(h.Takes, 6), "ms"),
			p.setupField("number", at+"resync", p.t("ui.setup.resync"), decimal(h.Resync, 9), "s"),
			p.setupField("number", at+"from", p.t("ui.setup.from"), decimal(h.From, 9), "s")))
		box.Add(check("setup", at+"workqueue", p.t("ui.setup.workqueue"), h.Workqueue, false))
		if h.Recorded {
			box.Add(tree.Text("p", "quiet", p.t("ui.setup.recorded")))
		}
		n.Add(box.Key(itoa(i)))
	}
	if len(d.Handlers) < link.MaxHandlers {
		n.Add(tree.El("button", "button add", icon("plus"), tree.Text("span", "", p.t("ui.setup.add"))).Attr("type", "button").Act("addHandler", ""))
	}
	n.Add(tree.El("fieldset", "", tree.Text("legend", "visually-hidden", p.t("ui.setup.informer")),
		tree.El("div", "setup-fields",
			p.setupField("text", "index", p.t("ui.setup.index"), d.Index, ""),
			p.setupField("number", "resync", p.t("ui.setup.defaultResync"), decimal(d.Resync, 9), "s"),
			p.setupField("number", "workers", p.t("ui.workers"), itoa(d.Workers), ""),
			p.setupField("number", "workTime", p.t("ui.setup.workTime"), decimal(d.WorkTime, 6), "ms"))))
	if p.m.Open.Trace != nil {
		n.Add(tree.El("fieldset", "", tree.Text("legend", "visually-hidden", p.t("ui.profile.title")),
			p.profiles(), tree.Text("p", "quiet", p.changed(d.Profile))))
	}
	return n.Add(tree.El("div", "setup-foot",
		button("primary", p.t("ui.setup.apply"), "applySetup", "").Flag("disabled", !p.m.Draft.Edited(p.m) || len(p.m.Draft.Refused) > 0),
		button("", p.t("ui.setup.reset"), "resetSetup", "").Flag("disabled", !p.m.Draft.Edited(p.m) && len(p.m.Draft.Refused) == 0)))
}

// setupField is a field of the setup. Where its value can't be taken, the field says
// why.
func (p *page) setupField(kind, arg, name, value, unit string) *tree.Node {
	f := field("setup", kind, arg, name, value, unit)
	box := tree.El("div", "entered", f).Key(arg + " " + strconv.Itoa(p.m.Draft.Rewritten)) // the text that was typed disappears with the element
	if why, ok := p.m.Draft.Refused[arg]; ok {
		f.Attr("data-refused", "")
		box.Add(p.say("p", "refused", why).Attr("role", "alert"))
	}
	return box
}

// field is an input with its name and perhaps a unit.
func field(act, kind, arg, name, value, unit string) *tree.Node {
	in := tree.El("input", "").Attr("type", kind).Act(act, arg).Prop("value", value)
	if kind == "number" {
		in.Attr("min", "0").Attr("step", "any").Attr("inputmode", "decimal")
	} else {
		in.Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("maxlength", "200")
	}
	l := tree.El("label", "field", tree.Text("span", "", name), in)
	if unit != "" {
		l.Add(tree.Text("span", "unit", unit))
	}
	return l
}

// check is a checkbox, disabled if off is set.
func check(act, arg, name string, on, off bool) *tree.Node {
	in := tree.El("input", "").Attr("type", "checkbox").Act(act, arg).Prop("checked", truth(on)).Flag("disabled", off)
	return tree.El("label", "check", in, tree.Text("span", "", name))
}

// decimal writes nanoseconds in a larger unit, with no more digits than needed.
// The unit has ten to the power of digits nanoseconds.
func decimal(ns int64, digits int) string {
	s := itoa(ns)
	if len(s) <= digits {
		s = strings.Repeat("0", digits+1-len(s)) + s
	}
	whole, part := s[:len(s)-digits], strings.TrimRight(s[len(s)-digits:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}
