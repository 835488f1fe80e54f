package dialog

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

func kbd(key string) *tree.Node {
	n := tree.El("span", "key-caps")
	for _, c := range words.Caps(key) {
		n.Add(tree.Text("kbd", "", c))
	}
	return n
}

// shownKeys returns the keys of a command, digits as a range.
func shownKeys(k *session.Keyboard, c *session.Command) []*tree.Node {
	keys := k.KeysOf(c.Name)
	if c.Digit && len(keys) > 1 {
		return []*tree.Node{tree.El("span", "key-caps", tree.Text("kbd", "", keys[0]), tree.Text("span", "", "–"), tree.Text("kbd", "", keys[len(keys)-1]))}
	}
	var all []*tree.Node
	for _, key := range keys {
		all = append(all, kbd(key))
	}
	return all
}

// Keys returns the list of keys, in which they can be changed, with the page's legend.
func Keys(w *words.Words, m *session.Model, f *link.Frame) []*tree.Node {
	k := m.Keyboard.Keying
	singles := tree.El("label", "check", tree.El("input", "").Attr("type", "checkbox").Act("singleKeys", "").Prop("checked", strconv.FormatBool(!m.Keyboard.Map.Disabled)),
		tree.Text("span", "", w.T("ui.keys.single")), tree.Text("span", "quiet", w.T("ui.keys.single.long")))
	groups := tree.El("div", map[bool]string{false: "key-groups", true: "key-groups wide"}[k.Editing])
	for _, g := range session.Groups {
		list := tree.El("ul", "")
		for _, c := range g.Commands {
			if m.Site.Allows(c) && (k.Editing && c.CanHaveKeys() || len(m.Keyboard.KeysOf(c.Name)) > 0) {
				list.Add(keyRow(w, &m.Keyboard, c).Key(c.Name))
			}
		}
		groups.Add(tree.El("section", "", tree.Text("h3", "", w.T("ui.keys."+g.Name)), list))
	}
	deltas := tree.El("div", "legend")
	for _, l := range link.Deltas {
		deltas.Add(tree.El("span", "chip chip-"+l, tree.Text("span", "l", l), tree.Text("span", "v", link.DeltaNames[l])))
	}
	marks := tree.El("ul", "row-legend")
	for _, k := range link.Marks {
		marks.Add(tree.El("li", "", widget.MarkShape(k), tree.Text("span", "", w.T("ui.mark."+string(k)))))
	}
	body := tree.El("div", "dialog-body", groups, singles, tree.Text("h3", "", w.T("ui.legend")), deltas, marks, legend(w, f), tree.Text("p", "quiet", w.T("ui.simulated.long"))).Attr("tabindex", "0") // it scrolls, and nothing in it has the focus
	var reporting *tree.Node
	if !m.Site.Embedded {
		reporting = widget.Button("", w.T("ui.do.report"), "report", "")
	}
	changed := len(m.Keyboard.Map.Custom) > 0 || m.Keyboard.Map.Disabled
	return []*tree.Node{body, widget.Foot(
		widget.Button("", w.T("ui.keys.change.keys"), "editKeys", "").Is("aria-pressed", k.Editing),
		widget.Button("", w.T("ui.keys.reset"), "resetKeys", "").Flag("disabled", !changed),
		widget.Button("", w.T("ui.keys.commands"), "palette", ""), reporting)}
}

// keyRow returns a command with its keys. While the keys can be changed, each of them goes when
// it is pressed, and the last button takes another one.
func keyRow(w *words.Words, b *session.Keyboard, c *session.Command) *tree.Node {
	k, title := b.Keying, w.T("ui.do."+c.Name)
	keys := tree.El("span", "key-list")
	row := tree.El("li", "", keys, tree.Text("span", "", title))
	if !k.Editing || c.Fixed {
		keys.Add(shownKeys(b, c)...)
		return row
	}
	drop := func(shown *tree.Node, text, arg string) {
		says := w.Tn("ui.keys.drop", "key", text, "title", title)
		keys.Add(widget.Action("button tiny key-drop", "dropKey", arg, shown.Attr("aria-hidden", "true"), tree.Text("span", "visually-hidden", says), widget.Icon("close")).Attr("title", says))
	}
	bound := b.Map.Keys(c)
	switch {
	case c.Digit && len(bound) > 0:
		drop(tree.El("span", "key-caps", tree.Text("kbd", "", bound[0]), tree.Text("span", "", "–"), tree.Text("kbd", "", bound[len(bound)-1])), bound[0]+"–"+bound[len(bound)-1], c.Name)
	case !c.Digit:
		for _, key := range bound {
			drop(kbd(key), strings.Join(words.Caps(key), " "), c.Name+"\t"+key)
		}
		add := widget.IconButton("tiny key-add", "plus", w.Tn("ui.keys.add", "title", title), "addKey", c.Name)
		if k.Command == c.Name {
			add = widget.Action("button tiny key-add on", "addKey", c.Name, widget.Icon("plus")).
				Attr("aria-label", w.Tn("ui.keys.press", "title", title)).Attr("data-listens", "")
		}
		keys.Add(add)
	}
	if b.Map.Changed(c) {
		keys.Add(widget.IconButton("tiny", "again", w.Tn("ui.keys.back", "title", title), "resetKeys", c.Name))
	}
	says := tree.El("p", "key-says").Attr("role", "status")
	switch {
	case k.Command == c.Name:
		says.Add(tree.Text("span", "", w.T("ui.keys.listens")))
	case k.Failed != c.Name:
	case k.Clash != "":
		says.Add(tree.Text("span", "", w.Tn("ui.keys.clash", "key", strings.Join(words.Caps(k.Key), " "), "title", w.T("ui.do."+k.Clash))),
			widget.Button("tiny", w.T("ui.keys.take"), "takeKey", ""), widget.Button("tiny", w.T("ui.cancel"), "leaveKey", ""))
	case k.Wrong != "":
		says.Add(tree.Text("span", "", w.Tn("ui.not."+k.Wrong, "key", strings.Join(words.Caps(k.Key), " "))))
	}
	if k.Command == c.Name || k.Failed == c.Name {
		row.Add(says)
	}
	return row
}

// Palette finds any command by what is typed.
func Palette(w *words.Words, m *session.Model) []*tree.Node {
	offers := m.Offers()
	in := tree.El("input", "").Attr("type", "search").Attr("role", "combobox").Attr("aria-expanded", "true").Attr("aria-autocomplete", "list").
		Attr("aria-controls", "offers").Attr("placeholder", w.T("ui.palette.placeholder")).Attr("aria-label", w.T("ui.do.palette")).
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("autocapitalize", "off").Attr("maxlength", "200").
		Act("findCommand", "").Attr("data-enter", "enterCommand").Prop("value", m.Palette.Text).Attr("data-focus", "palette")
	list := tree.El("ul", "offers").Attr("role", "listbox").Attr("id", "offers").Attr("aria-label", w.T("ui.keys.commands"))
	for i, o := range offers {
		item := tree.El("li", "offer", tree.Text("span", "offer-title", o.Title)).Attr("role", "option").Attr("id", "offer-"+strconv.Itoa(i)).
			Act("runCommand", strconv.Itoa(i)).Is("aria-selected", i == m.Palette.Selected)
		if i == m.Palette.Selected {
			item.Attr("data-near", "")
			in.Attr("aria-activedescendant", "offer-"+strconv.Itoa(i))
		}
		if o.Refusal != "" {
			item.Attr("aria-disabled", "true").Add(tree.Text("span", "quiet", w.T("ui.not."+o.Refusal)))
		}
		if o.Arg == "" {
			item.Add(tree.El("span", "key-list", shownKeys(&m.Keyboard, o.Command)...))
		}
		list.Add(item.Key(o.Name + " " + o.Arg))
	}
	says := w.Tn("ui.palette.found", "n", words.Grouped(len(offers)))
	if len(offers) == 0 {
		says = w.T("ui.palette.none")
	}
	return []*tree.Node{tree.El("div", "dialog-body", in, tree.Text("p", "quiet", says).Attr("role", "status"), list)}
}
