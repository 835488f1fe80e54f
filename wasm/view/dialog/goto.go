package dialog

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// GoTo returns the dialog in which the viewer says where to go: to a key, or to a
// mark. The dialog is also the timeline's legend.
func GoTo(w *words.Words, m *session.Model, f *link.Frame) []*tree.Node {
	in := tree.El("input", "").Attr("type", "search").Attr("placeholder", w.T("ui.goTo.placeholder")).Attr("aria-label", w.T("ui.goTo.key")).
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("autocapitalize", "off").Attr("maxlength", "600").
		Act("findKey", "").Attr("data-enter", "findFirst").Prop("value", m.Find.Text).Attr("data-focus", "goTo")
	found := tree.El("ul", "found-keys").Attr("aria-label", w.T("ui.goTo.key"))
	total := ""
	if k := m.Find.Keys; k != nil {
		for _, text := range k.Keys {
			found.Add(tree.El("li", "", widget.TextAction("found-key", "keyStep", text, text).Attr("title", w.Tn("ui.keyStep", "key", text)), widget.KeySteps(w, text, m.Find.Follow)).Key(text))
		}
		total = w.Tn("ui.goTo.found", "n", words.Grouped(k.Total))
		if k.Total == 0 {
			total = w.T("ui.goTo.none")
		}
		if k.Total > len(k.Keys) {
			found.Add(tree.Text("li", "quiet", w.T("ui.goTo.first")))
		}
	}
	keys := tree.El("section", "go-to-keys", tree.Text("h3", "", w.T("ui.goTo.key")), in, tree.Text("p", "quiet", total).Attr("role", "status"), found)
	return []*tree.Node{tree.El("div", "dialog-body go-to", keys, tree.El("section", "", tree.Text("h3", "", w.T("ui.goTo.mark")), markTable(w, m.Stage.Timeline)), legend(w, f))}
}

// markTable lists the kinds of marks that the timeline has, with the ways to them.
func markTable(w *words.Words, t *link.Timeline) *tree.Node {
	counts := map[link.MarkKind]int{}
	if t != nil {
		for _, m := range t.Marks {
			for _, s := range m.Sentences {
				counts[s.Kind] += s.N
			}
		}
	}
	list := tree.El("ul", "mark-kinds")
	for _, k := range link.Marks {
		name := w.T("ui.mark." + string(k))
		item := tree.El("li", "", widget.MarkShape(k), tree.Text("span", "", name), tree.Text("span", "n", words.Grouped(counts[k])))
		item.Add(widget.IconButton("tiny", "left", w.Tn("ui.markBack", "mark", name), "markBack", string(k)).Flag("disabled", counts[k] == 0),
			widget.IconButton("tiny", "right", w.Tn("ui.markStep", "mark", name), "markStep", string(k)).Flag("disabled", counts[k] == 0))
		list.Add(item.Flag("data-none", counts[k] == 0).Key(string(k)))
	}
	return list
}

// legend shows what the rows of the timeline show, for the listeners of a frame.
func legend(w *words.Words, f *link.Frame) *tree.Node {
	item := func(class, text string) *tree.Node {
		return tree.El("li", "", tree.El("i", "swatch "+class).Attr("aria-hidden", "true"), tree.Text("span", "", text))
	}
	list := tree.El("ul", "row-legend", item("row-queue", w.T("ui.timeline.queue")))
	for _, l := range f.Processor.Listeners {
		if l.Unknown {
			continue
		}
		list.Add(tree.El("li", "", widget.Swatch(l.ID), tree.Text("span", "", w.Tn("ui.legend.behind", "listener", l.Name))).Key(words.Itoa(l.ID)))
	}
	for _, row := range []struct{ class, id string }{
		{"row-A", "added"}, {"row-U", "modified"}, {"row-D", "deleted"}, {"row-B", "bookmark"}, {"row-error", "error"}, {"row-R", "list"},
	} {
		list.Add(item(row.class, w.T("ui.legend."+row.id)))
	}
	return tree.El("section", "", tree.Text("h3", "", w.T("ui.timeline")), tree.Text("p", "quiet", w.T("ui.legend.most")), list)
}
