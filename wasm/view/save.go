package view

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// save is the dialog that asks what to take out of the file, and then says what was
// taken out.
func (p *page) save() []*tree.Node {
	m, r := p.m, &p.m.Redact
	takes := tree.El("fieldset", "takes", tree.Text("legend", "", p.t("ui.save.takeOut")))
	for _, x := range []struct {
		name string
		on   bool
	}{{"secrets", r.Secrets}, {"env", r.Env}, {"applied", r.Applied}, {"tokens", r.Tokens}, {"managedFields", r.ManagedFields}, {"names", r.Names}} {
		what := check("redact", x.name, p.t("ui.save."+x.name), x.on, false)
		takes.Add(what.Add(tree.Text("span", "quiet", p.t("ui.save."+x.name+".why"))))
	}
	takes.Add(field("redact", "text", "paths", p.t("ui.save.paths"), strings.Join(r.Paths, " "), ""),
		tree.Text("p", "quiet hint", p.t("ui.save.paths.why")))

	body := tree.El("div", "dialog-body", tree.Text("p", "", p.t("ui.save.intro")))
	if m.Live != nil && m.Live.Following {
		body.Add(tree.Text("p", "quiet", p.t("ui.save.live")))
	}
	body.Add(takes)
	says := tree.El("div", "save-says").Attr("role", "status")
	switch {
	case m.Saving:
		says.Add(tree.El("progress", "").Attr("aria-label", p.t("ui.save.saving")), tree.Text("span", "quiet", p.t("ui.save.saving")))
	case m.Saved != nil:
		says.Add(tree.El("div", "saved", icon("check"),
			tree.El("div", "",
				tree.El("p", "", tree.Text("code", "key", m.Saved.Name), tree.Text("span", "quiet", weight(m.Saved.Size))),
				tree.Text("p", "quiet", p.tn("ui.save.taken", "what", p.takenOut(strings.Split(m.Saved.Taken, ", ")))))))
	case m.Suspects != nil:
		says.Add(p.suspects(m.Suspects))
	case m.Failure != nil:
		says.Add(p.failure(m.Failure)...)
	}
	now := "ui.save.now"
	if m.Suspects != nil {
		now = "ui.save.anyway"
	}
	return []*tree.Node{body.Add(says, tree.Text("p", "quiet", p.t("ui.save.noPromise")), p.private("ui.save.private")), foot(
		button("primary", p.t(now), "saveNow", "").Flag("disabled", m.Saving),
		button("", p.t("ui.do.close"), "close", ""))}
}

// suspects lists what would be left that looks like a secret.
func (p *page) suspects(s *link.Suspects) *tree.Node {
	list := tree.El("ul", "suspects")
	for _, f := range s.Found {
		item := tree.El("li", "", tree.Text("code", "key", f.Path), tree.Text("span", "", p.tn("ui.save.suspect", "why", p.detail(f.Why), "mask", f.Mask)))
		if f.Count > 1 {
			item.Add(tree.Text("span", "quiet", p.tn("ui.save.times", "n", grouped(f.Count))))
		}
		list.Add(item)
	}
	if s.More > 0 {
		list.Add(tree.Text("li", "quiet", p.tn("ui.more", "n", grouped(s.More))))
	}
	return tree.El("div", "", tree.Text("p", "", p.t("ui.save.suspects")), list)
}

// private says, beside a shield, what never happens.
func (p *page) private(id string) *tree.Node {
	return tree.El("p", "quiet private", icon("shield"), tree.Text("span", "", p.t(id)))
}
