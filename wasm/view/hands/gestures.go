package hands

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Gestures lists what can be done to the machine: first what fits the moment, then station by station
// what the stations' menus have. Where nothing is broken that could be fixed, it says so. What can't be done yet says until when, and leads there.
func Gestures(w *words.Words, r desk.Surroundings) *tree.Node {
	says := "ui.gestures.none"
	var sections []*tree.Node
	section := func(key, title string, all []hands.Gesture) {
		if len(all) == 0 {
			return
		}
		list := tree.El("ul", "").Attr("aria-label", title)
		for _, g := range all {
			name, writes, act, arg := choice(w, g)
			list.Add(tree.El("li", "", widget.Action("", act, arg, tree.Text("span", "", name), tree.Text("code", "", writes)).Flag("data-waits", g.Until != "")).Key(g.Line))
		}
		says = "ui.gestures"
		sections = append(sections, tree.El("section", "", tree.Text("h3", "", title), list).Key(key))
	}
	fitting := hands.Fitting(r)
	section("now", w.T("ui.gestures.now"), fitting)
	var whole *tree.Node
	if len(fitting) > 0 && !slices.ContainsFunc(fitting, hands.Mends) {
		whole = tree.Text("p", "quiet", w.T("ui.gestures.whole"))
	}
	for _, station := range link.Stations {
		section(station, w.T("ui.station."+station), hands.Gestures(r, station))
	}
	return tree.El("div", "panel gestures", tree.Text("p", "quiet", w.T(says)), whole).Add(sections...)
}

// choice returns what a gesture's button says, what stands under or beside that, and what a click does:
// the gesture, or a run to where the gesture can be done.
func choice(w *words.Words, g hands.Gesture) (says, writes, act, arg string) {
	says = w.Tn("gesture."+g.ID, "handler", g.Handler)
	if g.Until != "" {
		return says, w.T("ui.until." + g.Waits), "runTo", g.Until
	}
	return says, g.Line, "gesture", g.Line
}

// Menu returns what can be done at a station, behind a button in its title: to play a gesture, or
// to run to where something comes about there. More entries may stand between the two.
func Menu(w *words.Words, r desk.Surroundings, station, title string, runs []ask.RunTo, open bool, more ...*tree.Node) *tree.Node {
	if len(runs) == 0 && !hands.HasGestures(r, station) {
		return nil
	}
	says := w.Tn("ui.menu", "station", title)
	return widget.Menu("menu", widget.IconButton("tiny", "more", says, "menu", station), list(w, r, station, says, runs, open, more))
}

// Wire returns what a click on the connection does, and the line that it plays, "" and "" for nothing.
func Wire(w *words.Words, r desk.Surroundings) (says, line string) {
	g := hands.Wire(r)
	if g.Line == "" {
		return "", ""
	}
	return w.T("gesture." + g.ID), g.Line
}

// Grip returns what can be done at one thing of a station, a handler or an object, behind a button that
// covers what it is put into.
func Grip(w *words.Words, r desk.Surroundings, station, target, menu string) *tree.Node {
	says, name := w.Tn("ui.menu", "station", target), station+" "+target
	var n *tree.Node
	if menu == name {
		n = widget.MenuList(says)
		for i, g := range hands.GesturesOf(r, station, target) {
			n.Add(widget.MenuItem(choice(w, g)).Key(strconv.Itoa(i)))
		}
	}
	return widget.Menu("menu grip", tree.El("button", "").Attr("type", "button").Attr("aria-label", says).Act("menu", name), n)
}

func list(w *words.Words, r desk.Surroundings, station, says string, runs []ask.RunTo, open bool, more []*tree.Node) *tree.Node {
	if !open {
		return nil
	}
	n := widget.MenuList(says)
	if station != link.StationServer {
		n.Add(widget.MenuItem(w.T("ui.do.why"), "", "whyAt", station).Key("why"))
	}
	if len(runs) > 0 {
		n.Add(tree.Text("li", "menu-title", w.T("ui.expr.next")).Attr("role", "presentation").Key("next"))
		for _, r := range runs {
			n.Add(widget.RunTo(w, r.ID, r.Expr, r.Handler))
		}
	}
	n.Add(more...)
	for i, g := range hands.Gestures(r, station) {
		n.Add(widget.MenuItem(choice(w, g)).Key(strconv.Itoa(i)))
	}
	return n
}
