package view

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

// save is the dialog that asks what to make a file of, and then says which file it is.
func (p *page) save() []*tree.Node {
	m := p.m
	kinds := tree.El("select", "").Act("saveAs", "")
	for _, as := range session.Saves {
		kinds.Add(tree.Text("option", "", p.t("ui.saveAs."+string(as))).Attr("value", string(as)).Flag("disabled", !m.Save.Can(m, as)))
	}
	body := tree.El("div", "dialog-body",
		tree.El("label", "field save-as", tree.Text("span", "", p.t("ui.saveAs")), kinds.Prop("value", string(m.Save.As)).Flag("disabled", m.Save.Busy)))
	switch {
	case m.Save.As == session.SaveFile && m.Open.Trace != nil && m.Open.Trace.Script:
		body.Add(tree.Text("p", "", p.t("ui.save.script")))
	case m.Save.As == session.SaveFile:
		body.Add(p.saveTrace(tree.Text("p", "", p.t("ui.save.intro")))...)
	case m.Save.As == session.SaveLeast:
		body.Add(p.saveTrace(tree.El("div", "", tree.Text("p", "", p.t("ui.saveAs.least.why")), tree.El("p", "", tree.Text("code", "key", m.Expr.Least.Text))))...)
	default:
		body.Add(tree.Text("p", "", p.t("ui.saveAs."+string(m.Save.As)+".why")))
		if m.Save.As.Picture() {
			body.Add(p.shot())
		}
	}
	body.Add(p.saveSays())
	if m.Save.As == session.SaveLeast || m.Save.As == session.SaveFile && (m.Open.Trace == nil || !m.Open.Trace.Script) {
		body.Add(tree.Text("p", "quiet", p.t("ui.save.noPromise")))
	}
	now := "ui.save.now"
	if m.Save.Suspects != nil {
		now = "ui.save.anyway"
	}
	buttons := []*tree.Node{button("primary", p.t(now), "saveNow", "").Flag("disabled", m.Save.Busy)}
	if m.Save.As.CanCopy() {
		buttons = append(buttons, button("", p.t("ui.link.copy"), "copyText", "").Flag("disabled", m.Save.Busy))
	}
	return []*tree.Node{body.Add(p.private("ui.save.private")), foot(append(buttons, button("", p.t("ui.do.close"), "close", ""))...)}
}

// saveTrace asks what to take out of a trace. Intro says what is in it.
func (p *page) saveTrace(intro *tree.Node) []*tree.Node {
	m, r := p.m, &p.m.Save.Redact
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
	nodes := []*tree.Node{intro}
	if m.Cluster.Live != nil && m.Cluster.Live.Following {
		nodes = append(nodes, tree.Text("p", "quiet", p.t("ui.save.live")))
	}
	if m.Hands.Changed() && m.Save.As == session.SaveFile {
		id := "ui.save.future"
		if r.Names {
			id = "ui.save.noFuture"
		}
		nodes = append(nodes, tree.Text("p", "quiet", p.t(id)))
	}
	return append(nodes, takes)
}

// shot asks how a picture is to be taken.
func (p *page) shot() *tree.Node {
	theme := tree.El("select", "").Act("shot", "theme")
	for _, x := range []string{"", "light", "dark"} {
		theme.Add(tree.Text("option", "", p.t("ui.shot.theme."+or(x, "same"))).Attr("value", x))
	}
	s := p.m.Save.Shot
	fields := tree.El("div", "setup-fields",
		tree.El("label", "field", tree.Text("span", "", p.t("ui.shot.theme")), theme.Prop("value", s.Theme)))
	box := tree.El("fieldset", "shot", tree.Text("legend", "visually-hidden", p.t("ui.shot")), fields)
	if p.m.Save.As == session.SaveGIF {
		fields.Add(field("shot", "number", "from", p.t("ui.shot.from"), itoa(s.From), ""), field("shot", "number", "to", p.t("ui.shot.to"), itoa(s.To), ""),
			field("shot", "number", "millis", p.t("ui.shot.millis"), strconv.Itoa(s.Millis), "ms"))
		box.Add(tree.Text("p", "quiet hint", p.tn("ui.shot.steps", "n", grouped(s.To-s.From+1), "max", strconv.Itoa(session.MaxFrames))))
	}
	return box.Add(check("shot", "says", p.t("ui.shot.says"), s.Says, false)).Flag("disabled", p.m.Save.Busy)
}

// saveSays tells how saving goes, or how it has ended.
func (p *page) saveSays() *tree.Node {
	m := p.m
	says := tree.El("div", "save-says").Attr("role", "status")
	switch {
	case m.Save.Busy:
		id := "ui.save.making"
		if m.Save.As == session.SaveFile || m.Save.As == session.SaveLeast {
			id = "ui.save.saving"
		}
		bar := tree.El("progress", "").Attr("aria-label", p.t(id))
		if f := m.Save.Film; f != nil {
			bar.Attr("max", itoa(f.To-f.From+1)).Attr("value", itoa(f.At-f.From))
		} else if m.Save.Making != nil {
			bar.Attr("max", itoa(max(m.Save.Making.Total, 1))).Attr("value", itoa(m.Save.Making.Done))
		}
		says.Add(bar, tree.Text("span", "quiet", p.t(id)))
		if m.Save.As.Stops() {
			says.Add(button("small", p.t("ui.save.stop"), "unsave", ""))
		}
	case m.Save.Saved != nil && m.Save.Saved.Text != "":
		switch m.Save.Copied {
		case "yes":
			says.Add(tree.El("div", "saved", icon("check"), tree.Text("p", "", p.t("ui.save.copied"))))
		case "no":
			says.Add(tree.Text("p", "failure", p.t("ui.save.notCopied")))
		}
	case m.Save.Saved != nil:
		what := tree.El("div", "", tree.El("p", "", tree.Text("code", "key", m.Save.Saved.Name), tree.Text("span", "quiet", weight(m.Save.Saved.Size))))
		if m.Save.Saved.Taken != "" {
			what.Add(tree.Text("p", "quiet", p.tn("ui.save.taken", "what", p.takenOut(strings.Split(m.Save.Saved.Taken, ", ")))))
		}
		says.Add(tree.El("div", "saved", icon("check"), what))
	case m.Save.Suspects != nil:
		says.Add(p.suspects(m.Save.Suspects))
	case m.Open.Failure != nil:
		says.Add(p.failure(m.Open.Failure)...)
	}
	return says
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

// private says, beside a shield, what the page never does with the viewer's data.
func (p *page) private(id string) *tree.Node {
	return tree.El("p", "quiet private", icon("shield"), tree.Text("span", "", p.t(id)))
}
