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
		kinds.Add(tree.Text("option", "", w.T("ui.saveAs."+string(as))).Attr("value", string(as)).Flag("disabled", !as.Can(m.Rest())))
	}
	body := tree.El("div", "dialog-body",
		tree.El("label", "field save-as", tree.Text("span", "", w.T("ui.saveAs")), kinds.Prop("value", string(m.Save.As)).Flag("disabled", m.Save.Busy)))
	switch {
	case m.Save.As == save.File && m.Open.Trace != nil && m.Open.Trace.Script:
		body.Add(tree.Text("p", "", w.T("ui.save.script")))
	case m.Save.As == save.File:
		body.Add(saveTrace(w, m, tree.Text("p", "", w.T("ui.save.intro")))...)
	case m.Save.As == save.Least:
		body.Add(saveTrace(w, m, tree.El("div", "", tree.Text("p", "", w.T("ui.saveAs.least.why")), tree.El("p", "", tree.Text("code", "key", m.Expr.Least.Text))))...)
	default:
		body.Add(tree.Text("p", "", w.T("ui.saveAs."+string(m.Save.As)+".why")))
		if m.Save.As.Picture() {
			body.Add(shot(w, &m.Save))
		}
	}
	body.Add(saveSays(w, m))
	if m.Save.Traces() {
		body.Add(tree.Text("p", "quiet", w.T("ui.save.noPromise")))
	}
	now := "ui.save.now"
	switch {
	case m.Save.Suspects != nil:
		now = "ui.save.anyway"
	case m.Save.Unseen() && !m.Save.Looking():
		now = "ui.save.look"
	}
	buttons := []*tree.Node{widget.Button("primary", w.T(now), "saveNow", "").Flag("disabled", m.Save.Busy || m.Save.Looking())}
	if m.Save.As.CanCopy() {
		buttons = append(buttons, widget.Button("", w.T("ui.link.copy"), "copyText", "").Flag("disabled", m.Save.Busy))
	}
	return []*tree.Node{body.Add(widget.Private(w, "ui.save.private")), widget.Foot(append(buttons, widget.Button("", w.T("ui.do.close"), "close", ""))...)}
}

// saveTrace asks what to take out of a trace. Intro says what is in it.
func saveTrace(w *words.Words, m *session.Model, intro *tree.Node) []*tree.Node {
	r := &m.Save.Redact
	takes := tree.El("fieldset", "takes", tree.Text("legend", "", w.T("ui.save.takeOut"))).Flag("data-stale", m.Save.Looking())
	counts, known := takenFrom(&m.Save)
	refused := len(r.Paths) == 0
	for i, on := range [...]bool{r.Secrets, r.Env, r.Applied, r.Tokens, r.ManagedFields, r.Names} {
		name := "ui.save." + rules[i].name
		refused = refused && !on
		what := widget.Check("redact", rules[i].name, w.T(name), on, false)
		if known {
			says := tree.Text("b", "stays", w.T("ui.save.stays"))
			if len(counts) > 0 && strings.HasPrefix(counts[0], rules[i].counted) {
				says = tree.Text("b", "taken", w.Tn("ui.save.count", "n", counts[0][len(rules[i].counted):]))
				counts = counts[1:]
			}
			what.Add(says)
		}
		takes.Add(what.Add(tree.Text("span", "quiet", w.T(name+".why"))))
	}
	if len(counts) > 0 { // by the viewer's paths, and of what could not be read
		takes.Add(tree.Text("p", "hint", w.Tn("ui.save.taken", "what", takenOut(w, counts))))
	}
	takes.Add(widget.Field("redact", "text", "paths", w.T("ui.save.paths"), strings.Join(r.Paths, " "), ""),
		tree.Text("p", "quiet hint", w.T("ui.save.paths.why")))
	nodes := []*tree.Node{intro}
	if m.Cluster.Live != nil && m.Cluster.Live.Following {
		nodes = append(nodes, tree.Text("p", "quiet", w.T("ui.save.live")))
	}
	if m.Hands.Changed() && m.Save.As == save.File {
		id := "ui.save.future"
		if r.Names {
			id = "ui.save.noFuture"
		}
		nodes = append(nodes, tree.Text("p", "quiet", w.T(id)))
	}
	nodes = append(nodes, takes)
	if refused {
		nodes = append(nodes, tree.Text("p", "failure", w.T("ui.save.nothing")))
	}
	return append(nodes, leaves(w, m))
}

// rules are what can be taken out: as the catalogues name it, and as replay/redact counts it, in its order.
var rules = [...]struct{ name, counted string }{
	{"secrets", "secret data: "}, {"env", "env values: "}, {"applied", "last-applied annotations: "},
	{"tokens", "tokens: "}, {"managedFields", "managed fields: "}, {"names", "names: "},
}

// takenFrom returns how often something was taken out of the trace that would be saved, as
// replay/redact lists it: first by its rules, in their order. It reports whether that is known yet.
func takenFrom(x *save.Model) (counts []string, known bool) {
	text := ""
	switch {
	case x.Looked != nil:
		text = x.Looked.Taken
	case x.Suspects != nil:
		text = x.Suspects.Taken
	default:
		return nil, false
	}
	if text == "" {
		return nil, true
	}
	return strings.Split(text, ", "), true
}

// leaves shows what is in the trace that would be saved. It has the same room before that is known.
func leaves(w *words.Words, m *session.Model) *tree.Node {
	x := m.Save.Looked
	if m.Save.Suspects != nil {
		return nil // they stand in its place
	}
	n := tree.El("section", "leaves").Flag("data-stale", m.Save.Looking())
	if x == nil {
		return n
	}
	items := []string{w.Tn("ui.save.size", "size", words.Weight(x.Size))}
	if m.Save.As == save.File {
		for _, i := range m.Open.Trace.Informers[:min(len(m.Open.Trace.Informers), shownResources)] {
			items = append(items, w.Tn("ui.save.resource", "name", i.Name, "n", words.Grouped(i.Events+i.Lists)))
		}
		if n := len(m.Open.Trace.Informers) - shownResources; n > 0 {
			items = append(items, w.Tn("ui.more", "n", words.Grouped(n)))
		}
	}
	names := "ui.save.named"
	if m.Save.Redact.Names {
		names = "ui.save.unnamed"
	}
	return n.Add(listed(w, "ui.save.leaves", append(items, w.T(names))),
		tree.El("details", "", tree.Text("summary", "", w.T("ui.save.head")), tree.Text("pre", "", x.Head).Attr("tabindex", "0")))
}

// shownResources is how many resources of a trace that is saved are listed.
const shownResources = 4

// shot asks how a picture is to be taken.
func shot(w *words.Words, x *save.Model) *tree.Node {
	theme := tree.El("select", "").Act("shot", "theme")
	for _, name := range []string{"", "light", "dark"} {
		theme.Add(tree.Text("option", "", w.T("ui.shot.theme."+words.Or(name, "same"))).Attr("value", name))
	}
	s := x.Shot
	fields := tree.El("div", "setup-fields",
		tree.El("label", "field", tree.Text("span", "", w.T("ui.shot.theme")), theme.Prop("value", s.Theme)))
	box := tree.El("fieldset", "shot", tree.Text("legend", "visually-hidden", w.T("ui.shot")), fields)
	if x.As == save.GIF {
		fields.Add(widget.Field("shot", "number", "from", w.T("ui.shot.from"), words.Itoa(s.From), ""), widget.Field("shot", "number", "to", w.T("ui.shot.to"), words.Itoa(s.To), ""),
			widget.Field("shot", "number", "millis", w.T("ui.shot.millis"), strconv.Itoa(s.Millis), "ms"))
		box.Add(tree.Text("p", "quiet hint", w.Tn("ui.shot.steps", "n", words.Grouped(s.To-s.From+1), "max", strconv.Itoa(save.MaxFrames))))
	}
	return box.Add(widget.Check("shot", "says", w.T("ui.shot.says"), s.Says, false)).Flag("disabled", x.Busy)
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
			bar.Attr("max", words.Itoa(f.To-f.From+1)).Attr("value", words.Itoa(f.At-f.From))
		} else if m.Save.Making != nil {
			bar.Attr("max", words.Itoa(max(m.Save.Making.Total, 1))).Attr("value", words.Itoa(m.Save.Making.Done))
		}
		says.Add(bar, tree.Text("span", "quiet", w.T(id)))
		if m.Save.As.Stops() {
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
		if m.Save.Saved.Taken != "" {
			what.Add(tree.Text("p", "quiet", w.Tn("ui.save.taken", "what", takenOut(w, strings.Split(m.Save.Saved.Taken, ", ")))))
		}
		says.Add(tree.El("div", "saved", widget.Icon("check"), what))
	case m.Save.Suspects != nil:
		says.Add(suspects(w, m.Save.Suspects))
	case m.Open.Failure != nil:
		says.Add(widget.Failure(w, m.Open.Failure)...)
	}
	return says
}

// suspects lists what would be left that looks like a secret.
func suspects(w *words.Words, s *link.Suspects) *tree.Node {
	list := tree.El("ul", "suspects")
	for _, f := range s.Found {
		item := tree.El("li", "", tree.Text("code", "key", f.Path), tree.Text("span", "", w.Tn("ui.save.suspect", "why", w.Fault(f.Why), "mask", f.Mask)))
		if f.Count > 1 {
			item.Add(tree.Text("span", "quiet", w.Tn("ui.save.times", "n", words.Grouped(f.Count))))
		}
		list.Add(item)
	}
	if s.More > 0 {
		list.Add(tree.Text("li", "quiet", w.Tn("ui.more", "n", words.Grouped(s.More))))
	}
	return tree.El("div", "", tree.Text("p", "", w.T("ui.save.suspects")), list)
}
