package view

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// console is where lines of script are written, under what they have brought.
func (p *page) console() *tree.Node {
	m := p.m
	log := tree.El("ol", "transcript").Attr("aria-label", p.w.T("ui.transcript")).Attr("data-end", strconv.Itoa(len(m.Hands.Lines))).Attr("tabindex", "0")
	if len(m.Hands.Lines) == 0 {
		log.Add(tree.Text("li", "quiet", p.w.T("ui.console.empty")))
	}
	for i, l := range m.Hands.Lines {
		log.Add(p.transcriptLine(l).Key(strconv.Itoa(i)))
	}
	in := tree.El("input", "line-in").Attr("type", "search").Attr("id", "console-line").Attr("list", "console-completions").
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("autocapitalize", "off").Attr("maxlength", "4096").
		Attr("placeholder", p.w.T("ui.console.placeholder")).Attr("aria-label", p.w.T("ui.console.line")).
		Act("write", "").Attr("data-enter", "line").Prop("value", m.Hands.Line).Flag("disabled", m.Open.Trace == nil)
	if m.Hands.Focus > 0 {
		in.Attr("data-focus", strconv.Itoa(m.Hands.Focus))
	}
	list := tree.El("datalist", "").Attr("id", "console-completions")
	for _, c := range m.Hands.Completions(m.Rest()) {
		list.Add(tree.El("option", "").Attr("value", c))
	}
	foot := tree.El("div", "console-foot")
	if x := m.Hands.Explored; x != nil {
		foot.Add(tree.El("div", "exploring", tree.Text("span", "", p.w.Tn("ui.explore.states", "n", words.Grouped(x.States))), widget.Button("small", p.w.T("ui.explore.stop"), "enough", "")))
	}
	if w := m.Hands.Wrong; w != nil {
		foot.Add(p.wrong(w))
	}
	return tree.El("div", "panel console", log, foot.Add(in, list))
}

func (p *page) transcriptLine(l link.ConsoleLine) *tree.Node {
	n := tree.El("li", "said-"+l.Kind)
	switch l.Kind {
	case "statement":
		return n.Add(tree.Text("code", "", "> "+l.Text))
	case "step":
		who := words.Or(l.Actor, p.w.T("actor."+link.ActorNobody))
		return n.Add(tree.El("button", "", tree.Text("span", "at", words.Clock(l.Time)[3:]), tree.Text("span", "who", who), tree.Text("span", "facts", l.Text)).
			Attr("type", "button").Act("seek", words.Itoa(l.Step)))
	}
	if l.Kind == link.LineStopped {
		return n.Add(tree.Text("span", "quiet", p.w.Tn("ui.explore.stopped", "n", l.Text)))
	}
	return n.Add(tree.Text("code", "", "= "+l.Text))
}

// wrong shows a line with a caret where it is wrong, and why.
func (p *page) wrong(w *link.LineFailure) *tree.Node {
	n := tree.El("div", "wrong").Attr("role", "alert")
	if w.Line > 0 {
		n.Add(tree.Text("p", "quiet", p.w.Tn("ui.console.at", "line", strconv.Itoa(w.Line))))
	}
	if w.Col > 0 && w.Text != "" {
		col := min(w.Col-1, len(w.Text))
		n.Add(tree.Text("pre", "", w.Text+"\n"+strings.Repeat(" ", len([]rune(w.Text[:col])))+"^"))
	}
	return n.Add(tree.Text("p", "failure", p.w.Why(w.Why)))
}

// lanes are the futures, each a bar along the timeline from the step at which it
// leaves another one.
func (p *page) futures() *tree.Node {
	l := p.m.Hands.Lanes
	if l == nil || len(l.All) < 2 && !l.Undo && !l.Redo {
		return nil
	}
	rows := tree.El("ol", "futures").Attr("aria-label", p.w.T("ui.lanes"))
	for _, x := range l.All {
		rows.Add(p.future(x, x.ID == l.Shown))
	}
	return rows
}

// changes takes back and does again what the viewer did, and flips between two
// futures.
func (p *page) changes() *tree.Node {
	l := p.m.Hands.Lanes
	if l == nil || len(l.All) < 2 && !l.Undo && !l.Redo {
		return nil
	}
	return tree.El("div", "segments changes",
		widget.Button("segment", p.w.T("ui.do.undo"), "undo", "").Flag("disabled", !l.Undo).Attr("title", p.w.Title("undo")),
		widget.Button("segment", p.w.T("ui.do.redo"), "redo", "").Flag("disabled", !l.Redo).Attr("title", p.w.Title("redo")),
		widget.Button("segment", p.w.T("ui.flip"), "flip", "").Flag("disabled", len(l.All) < 2).Attr("title", p.w.Title("flip"))).
		Attr("role", "group").Attr("aria-label", p.w.T("ui.keys.change"))
}

func (p *page) future(x link.Lane, shown bool) *tree.Node {
	part := func(n float64) string { return strconv.FormatFloat(100*n, 'f', 2, 64) + "%" }
	left, end := p.onAxis(x.Left, x.LeftTime), p.onAxis(x.Steps, x.End)
	if shown {
		end = 1 // the lane on the timeline grows while it is run
	}
	track := tree.El("span", "future-track", tree.El("span", "future-bar").Style("left", part(left)).Style("width", part(max(end-left, .01))))
	if x.Simulated > 0 {
		mark := tree.Text("span", "future-mark", p.w.T("ui.simulatedFromHere"))
		if left > .5 {
			mark.Style("right", "max("+part(1-left)+", 4rem)") // leaves room for the buttons
		} else {
			mark.Style("left", part(left))
		}
		track.Add(mark)
	}
	name := p.laneName(x)
	n := tree.El("li", "future").Key(strconv.Itoa(x.ID))
	if shown {
		n.Attr("data-shown", "true")
	}
	if p.m.Hands.Renames == x.ID && x.ID > 0 {
		n.Add(tree.El("input", "future-rename").Attr("type", "text").Attr("maxlength", strconv.Itoa(link.MaxName)).Act("laneName", strconv.Itoa(x.ID)).
			Prop("value", name).Attr("aria-label", p.w.T("ui.lane.rename")).Attr("data-focus", "rename"+strconv.Itoa(x.ID)))
	} else {
		n.Add(tree.Text("button", "future-name", name).Attr("type", "button").Act("lane", strconv.Itoa(x.ID)).Is("aria-pressed", shown).Attr("title", strings.Join(x.Lines, "\n")))
	}
	n.Add(track)
	if x.Of < 0 {
		return n
	}
	return n.Add(tree.El("span", "future-tools", widget.IconButton("tiny", "edit", p.w.T("ui.lane.rename"), "renameLane", strconv.Itoa(x.ID)), widget.IconButton("tiny", "close", p.w.T("ui.lane.drop"), "dropLane", strconv.Itoa(x.ID))))
}

func (p *page) laneName(x link.Lane) string {
	switch {
	case x.Name != "":
		return x.Name
	case x.Of >= 0 && len(x.Lines) > 0:
		return x.Lines[0]
	case p.m.Open.Trace != nil && p.m.Open.Trace.Script:
		return p.w.T("ui.lane.script")
	}
	return p.w.T("ui.lane.recorded")
}

// menu is what can be done at a station, behind a button in its title.
func (p *page) menu(station, title string) *tree.Node {
	runs := p.m.Expr.RunTos(p.m.Rest(), station)
	if p.m.Stage.Frame == nil || p.m.Open.Trace == nil || len(runs) == 0 && !hands.HasGestures(p.m.Rest(), station) {
		return nil
	}
	open := p.m.Hands.Menu == station
	n := tree.El("div", "menu", widget.IconButton("tiny", "more", p.w.Tn("ui.menu", "station", title), "menu", station).
		Attr("aria-haspopup", "menu").Is("aria-expanded", open))
	if !open {
		return n
	}
	list := tree.El("ul", "menu-list").Attr("role", "menu").Attr("aria-label", p.w.Tn("ui.menu", "station", title))
	if station != link.StationServer {
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "", p.w.T("ui.do.why"))).
			Attr("type", "button").Attr("role", "menuitem").Act("whyAt", station)).Attr("role", "none").Key("why"))
	}
	if len(runs) > 0 {
		list.Add(tree.Text("li", "menu-title", p.w.T("ui.expr.next")).Attr("role", "presentation").Key("next"))
		p.runTos(list, runs)
	}
	for i, g := range hands.Gestures(p.m.Rest(), station) {
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "", p.w.Tn("gesture."+g.ID, "handler", g.Handler)), tree.Text("code", "", g.Line)).
			Attr("type", "button").Attr("role", "menuitem").Act("gesture", g.Line)).Attr("role", "none").Key(strconv.Itoa(i)))
	}
	return n.Add(list)
}

// scripts is the library of scripts, to choose from.
func (p *page) scripts() []*tree.Node {
	list := tree.El("ul", "script-list")
	for _, name := range session.Scripts {
		list.Add(tree.El("li", "", tree.El("button", "", tree.Text("span", "", p.w.T("script."+name)), tree.Text("code", "", name)).
			Attr("type", "button").Act("script", name)).Key(name))
	}
	return []*tree.Node{tree.El("div", "dialog-body", tree.Text("p", "quiet", p.w.T("ui.scripts.intro")), list)}
}

// scriptsButton leads to the library.
func (p *page) scriptsButton() *tree.Node {
	return tree.El("button", "button scripts", widget.Icon("script"), tree.Text("span", "", p.w.T("ui.scripts"))).Attr("type", "button").Act("scripts", "").
		Attr("title", p.w.T("ui.do.scripts"))
}
