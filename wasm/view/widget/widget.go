// Package widget has what several parts of the page are made of.
package widget

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Key shows a key in a narrow place. Styles cut it in the middle, since its ends tell
// most. A screen reader reads the title (the class spoken), so it hears the key whole.
func Key(k string) *tree.Node {
	runes := []rune(k)
	at := max(len(runes)-6, 0)
	part := func(runes []rune) *tree.Node { return tree.Text("span", "", string(runes)).Attr("aria-hidden", "true") }
	return tree.El("code", "key ends spoken", part(runes[:at]), part(runes[at:])).Attr("title", k)
}

// Badge returns a short remark on a station. Where it has no room, its title has all of it.
func Badge(class, text string) *tree.Node {
	return tree.Text("span", "badge "+class, text).Attr("title", text)
}

// Fact returns a name with its value.
func Fact(name, value string) *tree.Node {
	return tree.El("span", "fact", tree.Text("span", "fact-name", name), tree.Text("span", "fact-value", value))
}

// Letters are what the two machines are called where there is little room.
var Letters = [2]string{"A", "B"}

// Command shows a command line. A click selects all of it.
func Command(text string) *tree.Node { return tree.Text("code", "command", text).Attr("tabindex", "0") }

// Foot returns the row of buttons under a dialog.
func Foot(buttons ...*tree.Node) *tree.Node {
	return tree.El("footer", "dialog-foot", buttons...)
}

// Unseen returns a table that only a screen reader finds. The box around the table
// hides it, because Firefox paints the caption of a table that is hidden
// itself.
func Unseen(parts ...*tree.Node) *tree.Node {
	return tree.El("div", "visually-hidden", tree.El("table", "", parts...))
}

// Row returns a row of a table. Its cells are elements td or th.
func Row(cell string, texts ...string) *tree.Node {
	n := tree.El("tr", "")
	for _, s := range texts {
		n.Add(tree.Text(cell, "", s))
	}
	return n
}

// Lanes is how many colours there are for listeners, on the timeline and at their
// station.
const Lanes = 8

// Swatch returns the colour that a listener has on the timeline.
func Swatch(listener int) *tree.Node {
	return tree.El("i", "swatch lane"+strconv.Itoa(listener%Lanes)).Attr("aria-hidden", "true")
}

// KeySteps returns the ways from a key to the steps that concern it. Followed is the key that is
// followed, "" for none.
func KeySteps(w *words.Words, key, followed string) *tree.Node {
	follow := IconButton("tiny", "track", w.Tn("ui.followIt", "key", key), "keyFollow", key)
	if followed == key {
		follow = IconButton("tiny on", "track", w.Tn("ui.unfollow", "key", key), "keyFollow", "")
	}
	return tree.El("span", "key-steps",
		IconButton("tiny", "back", w.Tn("ui.keyBack", "key", key), "keyBack", key),
		IconButton("tiny", "step", w.Tn("ui.keyStep", "key", key), "keyStep", key),
		follow.Is("aria-pressed", followed == key))
}

// Percent returns a part, from 0 to 1, as styles have it.
func Percent(part float64) string { return strconv.FormatFloat(part*100, 'f', 3, 64) + "%" }

// Menu returns a button with the menu that it opens, which is nil while it is closed. The browser's
// own side (web/page/menu.js) puts the menu where there is room, and gives it its keys.
func Menu(class string, button, list *tree.Node) *tree.Node {
	return tree.El("div", class, button.Attr("aria-haspopup", "menu").Is("aria-expanded", list != nil), list)
}

// MenuList returns an empty menu.
func MenuList(label string) *tree.Node {
	return tree.El("ul", "menu-list").Attr("role", "menu").Attr("aria-label", label).Attr("popover", "manual")
}

// MenuItem returns an entry of a menu, with what it writes or runs to.
func MenuItem(says, writes, act, arg string) *tree.Node {
	b := tree.El("button", "", tree.Text("span", "", says)).Attr("type", "button").Attr("role", "menuitem").Attr("tabindex", "-1").Act(act, arg)
	if writes != "" {
		b.Add(tree.Text("code", "", writes))
	}
	return tree.El("li", "", b).Attr("role", "none")
}

// RunTo returns an entry of a menu that runs to the next step at which an expression comes about.
func RunTo(w *words.Words, id, expr, handler string) *tree.Node {
	return MenuItem(w.Tn("runTo."+id, "handler", handler), expr, "runTo", expr).Key(expr)
}
