package dialog

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/save"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Save returns the dialog that asks what to make a file of, and then says which file it is.
func Save(w *words.Words, m *session.Model) []*tree.Node {
	kinds := tree.El("select", "").Act("saveAs", "")
	for _, as := range save.All {
		kinds.Add(tree.Text("option", "", w.T("ui.saveAs."+string(as))).Attr("value", string(as)).Flag("disabled", !as.Can(m.Surroundings())))
	}
	body := tree.El("div", "dialog-body",
		tree.El("label", "field save-as", tree.Text("span", "", w.T("ui.saveAs")), kinds.Prop("value", string(m.Save.Format)).Flag("disabled", m.Save.Busy)))
	switch {
	case m.Save.Format == save.File && m.Open.Trace != nil && m.Open.Trace.Script:
		body.Add(tree.Text("p", "", w.T("ui.save.script")))
	case m.Save.Format == save.File:
		body.Add(saveTrace(w, m, tree.Text("p", "", w.T("ui.save.intro")))...)
	case m.Save.Format == save.MinimisedTrace:
		body.Add(saveTrace(w, m, tree.El("div", "", tree.Text("p", "", w.T("ui.saveAs.least.why")), tree.El("p", "", tree.Text("code", "key", m.Expr.Minimised.Text))))...)
	default:
		body.Add(tree.Text("p", "", w.T("ui.saveAs."+string(m.Save.Format)+".why")))
		if m.Save.Format.Picture() {
			body.Add(shot(w, &m.Save))
		}
	}
	body.Add(saveSays(w, m))
	now := "ui.save.now"
	if m.Save.Unseen() && !m.Save.Looking() {
		now = "ui.save.look"
	}
	buttons := []*tree.Node{widget.Button("primary", w.T(now), "saveNow", "").Flag("disabled", m.Save.Busy || m.Save.Looking())}
	if m.Save.Format.CanCopy() {
		buttons = append(buttons, widget.Button("", w.T("ui.link.copy"), "copyText", "").Flag("disabled", m.Save.Busy))
	}
	return []*tree.Node{body.Add(widget.Private(w, "ui.save.private")), widget.Foot(append(buttons, widget.Button("", w.T("ui.do.close"), "close", ""))...)}
}

// saveTrace asks what a trace is saved for, and shows what leaves. Intro says what is in it.
func saveTrace(w *words.Words, m *session.Model, intro *tree.Node) []*tree.Node {
	r := &m.Save.Redact
	purpose := func(value string, on bool) *tree.Node {
		in := tree.El("input", "").Attr("type", "radio").Attr("name", "save-for").Attr("value", value).Act("redact", "for").Prop("checked", strconv.FormatBool(on))
		return tree.El("label", "check", in, tree.Text("span", "", w.T("ui.save.for."+value)), tree.Text("span", "quiet", w.T("ui.save.for."+value+".why")))
	}
	takes := tree.El("fieldset", "takes", tree.Text("legend", "", w.T("ui.save.for")), purpose("share", r.Share), purpose("later", !r.Share))
	if r.Share {
		takes.Add(widget.Check("redact", "names", w.T("ui.save.names"), r.Names, false).Add(tree.Text("span", "quiet", w.T("ui.save.names.why"))),
			widget.Field("redact", "text", "keep", w.T("ui.save.keep"), strings.Join(r.Keep, " "), ""), tree.Text("p", "quiet hint", w.T("ui.save.keep.why")))
	} else {
		takes.Add(widget.Field("redact", "text", "paths", w.T("ui.save.paths"), strings.Join(r.Paths, " "), ""), tree.Text("p", "quiet hint", w.T("ui.save.paths.why")))
	}
	nodes := []*tree.Node{intro}
	if m.Cluster.Live != nil && m.Cluster.Live.Following {
		nodes = append(nodes, tree.Text("p", "quiet", w.T("ui.save.live")))
	}
	if m.Hands.Changed() && m.Save.Format == save.File {
		nodes = append(nodes, tree.Text("p", "quiet", w.T("ui.save.future")))
	}
	return append(nodes, takes, savePreview(w, m))
}

// savePreview shows what is in the trace that would be saved. It has the same room before that is known.
func savePreview(w *words.Words, m *session.Model) *tree.Node {
	x := m.Save.Looked
	n := tree.El("section", "leaves").Flag("data-stale", m.Save.Looking())
	if x == nil {
		return n
	}
	items := []string{w.Tn("ui.save.size", "size", words.Weight(x.Size))}
	if taken := redactionCounts(w, x.Removed); taken != "" {
		items = append(items, w.Tn("ui.save.taken", "what", taken))
	}
	if m.Save.Format == save.File {
		for _, i := range m.Open.Trace.Informers[:min(len(m.Open.Trace.Informers), shownResources)] {
			items = append(items, w.Tn("ui.save.resource", "name", i.Name, "n", words.Grouped(i.Events+i.Lists)))
		}
		if n := len(m.Open.Trace.Informers) - shownResources; n > 0 {
			items = append(items, w.Tn("ui.more", "n", words.Grouped(n)))
		}
	}
	n.Add(listed(w, "ui.save.leaves", items))
	if len(x.Remaining) > 0 {
		rows := tree.El("tbody", "")
		for _, k := range x.Remaining {
			rows.Add(tree.El("tr", "", tree.El("td", "", tree.Text("code", "", w.Named("kept.", k.Name))), tree.Text("td", "number", words.Grouped(k.N))))
		}
		n.Add(tree.El("details", "", tree.Text("summary", "", w.Tn("ui.save.kept", "n", words.Grouped(len(x.Remaining)))),
			tree.El("div", "kept", tree.El("table", "", rows)).Attr("tabindex", "0"), tree.Text("p", "quiet", w.T("ui.save.kept.why"))))
	}
	return n.Add(tree.El("details", "", tree.Text("summary", "", w.T("ui.save.head")), tree.Text("pre", "", x.Head).Attr("tabindex", "0")))
}

// shownResources is how many resources of a trace that is saved are listed.
const shownResources = 4

// redactionCounts returns what was taken out of a trace that is saved, with its counts.
func redactionCounts(w *words.Words, counts []link.RedactionCount) string {
	var all []string
	for _, c := range counts {
		all = append(all, c.Name+": "+words.Grouped(c.N))
	}
	if len(all) == 0 {
		return ""
	}
	return redactionText(w, all)
}

// shot asks how a picture is to be taken.
func shot(w *words.Words, x *save.Model) *tree.Node {
	theme := tree.El("select", "").Act("shot", "theme")
	for _, name := range []string{"", "light", "dark"} {
		theme.Add(tree.Text("option", "", w.T("ui.shot.theme."+words.FirstNonEmpty(name, "same"))).Attr("value", name))
	}
	s := x.Shot
	fields := tree.El("div", "setup-fields",
		tree.El("label", "field", tree.Text("span", "", w.T("ui.shot.theme")), theme.Prop("value", s.Theme)))
	box := tree.El("fieldset", "shot", tree.Text("legend", "visually-hidden", w.T("ui.shot")), fields)
	if x.Format == save.GIF {
		fields.Add(widget.Field("shot", "number", "from", w.T("ui.shot.from"), words.Itoa(s.From), ""), widget.Field("shot", "number", "to", w.T("ui.shot.to"), words.Itoa(s.To), ""),
			widget.Field("shot", "number", "millis", w.T("ui.shot.millis"), strconv.Itoa(s.Millis), "ms"))
		box.Add(tree.Text("p", "quiet hint", w.Tn("ui.shot.steps", "n", words.Grouped(s.To-s.From+1), "max", strconv.Itoa(save.MaxFrames))))
	}
	return box.Add(widget.Check("shot", "says", w.T("ui.shot.says"), s.Caption, false)).Flag("disabled", x.Busy)
}

// saveSays tells how saving goes, or how it has ended.
func saveSays(w *words.Words, m *session.Model) *tree.Node {
	says := tree.El("div", "save-says").Attr("role", "status")
	switch {
	case m.Save.Busy, m.Save.Looking():
		id := "ui.save.making"
		if m.Save.Traces() {
			id = "ui.save.saving"
		}
		bar := tree.El("progress", "").Attr("aria-label", w.T(id))
		if f := m.Save.Film; f != nil {
			bar.Attr("max", words.Itoa(f.To-f.From+1)).Attr("value", words.Itoa(f.Step-f.From))
		} else if m.Save.Making != nil {
			bar.Attr("max", words.Itoa(max(m.Save.Making.Total, 1))).Attr("value", words.Itoa(m.Save.Making.Done))
		}
		says.Add(bar, tree.Text("span", "quiet", w.T(id)))
		if m.Save.Format.Stops() {
			says.Add(widget.Button("small", w.T("ui.save.stop"), "unsave", ""))
		}
	case m.Save.Saved != nil && m.Save.Saved.Text != "":
		switch m.Save.Copied {
		case "yes":
			says.Add(tree.El("div", "saved", widget.Icon("check"), tree.Text("p", "", w.T("ui.save.copied"))))
		case "no":
			says.Add(tree.Text("p", "failure", w.T("ui.save.notCopied")))
		}
	case m.Save.Saved != nil:
		what := tree.El("div", "", tree.El("p", "", tree.Text("code", "key", m.Save.Saved.Name), tree.Text("span", "quiet", words.Weight(m.Save.Saved.Size))))
		if taken := redactionCounts(w, m.Save.Saved.Removed); taken != "" {
			what.Add(tree.Text("p", "quiet", w.Tn("ui.save.taken", "what", taken)))
		}
		says.Add(tree.El("div", "saved", widget.Icon("check"), what))
	case m.Open.Failure != nil:
		says.Add(widget.Failure(w, m.Open.Failure)...)
	}
	return says
}
