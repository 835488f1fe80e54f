// Package widget has what several parts of the page are made of.
package widget

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
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

// Pager returns two buttons beside a long list whose rows from up to to are shown. They show the rows before, at most as many
// as most says, and the rows after. Act is the command that shows the rows from its argument on.
func Pager(w *words.Words, act string, from, to, total, most int) *tree.Node {
	if from == 0 && to >= total {
		return nil
	}
	return tree.El("span", "pager",
		IconButton("tiny", "up", w.T("ui.earlier"), act, strconv.Itoa(max(0, from-most))).Flag("disabled", from == 0),
		tree.Text("span", "", words.Grouped(from+1)+"–"+words.Grouped(to)),
		IconButton("tiny", "down", w.T("ui.later"), act, strconv.Itoa(to)).Flag("disabled", to >= total))
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

// Cache has the parts of a page that are drawn again only when they have changed. A patcher
// passes over a part that is the same node as before.
type Cache map[string]cached

type cached struct {
	source any
	node   *tree.Node
}

// Draw draws a part of the page, unless the part was last drawn from an equal input, which must be comparable.
func (k Cache) Draw(part string, input any, draw func() *tree.Node) *tree.Node {
	if last, ok := k[part]; ok && last.source == input {
		return last.node
	}
	n := draw()
	k[part] = cached{input, n}
	return n
}

// markShapes are the paths of the marks, on a grid of 10 by 10. Each kind has a shape of
// its own, so that none is known by its colour alone.
var markShapes = map[link.MarkKind]string{
	link.MarkExpired:   "M5 0L10 10H0zM4.3 3.6v3h1.4v-3zM4.3 7.4v1.4h1.4V7.4z",
	link.MarkError:     "M2 0 5 3 8 0l2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3-3-3z",
	link.MarkRelist:    "M0 0h10v2.4H0zM0 3.8h10v2.4H0zM0 7.6h10V10H0z",
	link.MarkTombstone: "M1 10V4.5a4 4 0 0 1 8 0V10zM4.3 3v1.3H3v1.4h1.3v2.6h1.4V5.7H7V4.3H5.7V3z",
	link.MarkClosed:    "M0 0h3v10H0zM7 0h3v10H7zM3 4.2h1.2v1.6H3zM5.8 4.2H7v1.6H5.8z",
	link.MarkCommand:   "M0 0h10v10H0z",
	link.MarkNote:      "M0 0h10v7H5.5L3 10V7H0z",
	link.MarkJoined:    "M5 0a5 5 0 1 1 0 10A5 5 0 0 1 5 0z",
	link.MarkList:      "M0 0h10v2.2H2.4V10H0z",
	link.MarkRetry:     "M5 0l5 5H7v5H3V5H0z",
	link.MarkBackoff:   "M1 0h8L6 5l3 5H1l3-5z",
	link.MarkResync:    "M5 0l5 5-5 5-5-5zM5 3 3 5l2 2 2-2z",
}

// MarkShape returns the shape of a kind of marks.
func MarkShape(k link.MarkKind) *tree.Node {
	return tree.El("svg:svg", "mark-shape mark-"+string(k), tree.El("svg:path", "").Attr("d", markShapes[k]).Attr("fill-rule", "evenodd")).
		Attr("viewBox", "0 0 10 10").Attr("aria-hidden", "true")
}

// Field returns an input of a kind, such as "number", with its name and perhaps a unit. Act and arg
// are the command that it sends when its value changes.
func Field(act, kind, arg, name, value, unit string) *tree.Node {
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

// Check returns a checkbox, disabled if off is set. Act and arg are the command that it sends.
func Check(act, arg, name string, on, off bool) *tree.Node {
	in := tree.El("input", "").Attr("type", "checkbox").Act(act, arg).Prop("checked", strconv.FormatBool(on)).Flag("disabled", off)
	return tree.El("label", "check", in, tree.Text("span", "", name))
}

// SaveButton leads to the dialog that saves what is open.
func SaveButton(w *words.Words) *tree.Node {
	return Labeled("", "save", w.T("ui.save.ask"), "save", "")
}

// Sentence shows a sentence, with its keys, versions and types set off.
func Sentence(w *words.Words, tag, class string, s link.Sentence) *tree.Node {
	n := tree.El(tag, class)
	var chip *tree.Node // not added yet: a full stop after it must stay on its line
	w.Pieces(s,
		func(text string) {
			if chip != nil {
				stop := len(text) - len(strings.TrimLeft(text, ".,;:!?。，；：！？"))
				n.Add(tree.El("span", "together", chip, tree.Text("span", "", text[:stop])))
				chip, text = nil, text[stop:]
			}
			if text != "" {
				n.Add(tree.Text("span", "", text))
			}
		},
		func(a link.Arg) {
			n.Add(chip)
			chip = nil
			switch a.Kind {
			case "key", "code":
				n.Add(tree.Text("code", "key", a.V))
			case "rv":
				n.Add(tree.Text("code", "rv", a.V))
			case "delta":
				letter := deltaLetter(a.V)
				chip = tree.El("span", "chip chip-"+letter, tree.Text("span", "l", letter), tree.Text("span", "v", a.V))
			default:
				n.Add(tree.Text("span", "arg", w.Value(a)))
			}
		})
	return n.Add(chip)
}

// deltaLetter returns the letter of a delta that client-go calls name.
func deltaLetter(name string) string {
	name = strings.TrimSuffix(name, "All") // ReplacedAll and SyncAll have the letters of Replaced and Sync
	for l, n := range link.DeltaNames {
		if n == name {
			return l
		}
	}
	return link.LetterUnknown
}

// Failure shows what went wrong, where, and why.
func Failure(w *words.Words, f *link.Failure) []*tree.Node {
	out := []*tree.Node{Sentence(w, "p", "failure", f.Sentence)}
	where := ""
	if f.Line > 0 {
		where = w.Tn("ui.where", "line", words.Grouped(f.Line), "byte", words.Grouped(f.Offset))
	}
	if where != "" {
		out = append(out, tree.Text("p", "quiet", where))
	}
	if f.Reason != nil {
		out = append(out, tree.Text("code", "detail", w.Fault(f.Reason)))
	}
	return out
}

// Private says, beside a shield, what the page never does with the viewer's data.
func Private(w *words.Words, id string) *tree.Node {
	return tree.El("p", "quiet private", Icon("shield"), tree.Text("span", "", w.T(id)))
}

// Profiles returns the choice of a version of client-go for what is open. Its title says what that
// version has changed, and why it is played, if the page has chosen it.
func Profiles(w *words.Words, o *link.Opened, why string) *tree.Node {
	list := tree.El("select", "").Act("profile", "").Attr("aria-label", w.T("ui.profile.title"))
	for _, x := range o.Profiles {
		// The line above an option is seen in the open list, and takes no room in the bar.
		p, _ := world.ProfileFor(x.Name)
		list.Add(tree.El("optgroup", "", tree.Text("option", "", "client-go "+x.Versions).Attr("value", x.Name)).Attr("label", w.T(p.Summary+".since")))
	}
	if p := o.Setup.Profile; p != "" && o.Versions(p) == "" { // a link has named a single version
		list.Add(tree.Text("option", "", "client-go "+p).Attr("value", p))
	}
	return tree.El("label", "profile", list.Prop("value", o.Setup.Profile)).Attr("title", strings.TrimSpace(Changed(w, o.Setup.Profile)+" "+why))
}

// Chosen returns why the page plays what is open as a version of client-go: the viewer's own capture as
// the newest, and the page's recording as v0.22, which most articles describe. It is "" if somebody has
// chosen another version.
func Chosen(w *words.Words, o *link.Opened, isOwn bool) string {
	if o == nil || o.Script || len(o.Profiles) == 0 {
		return ""
	}
	newest := o.Versions(world.Current.Name)
	switch profile := o.Setup.Profile; {
	case isOwn && profile == world.Current.Name:
		return w.Tn("ui.own.newest", "versions", newest)
	case !isOwn && profile == world.Classic.Name:
		return w.Tn("ui.own.classic", "versions", newest)
	}
	return ""
}

// Changed returns what the versions of client-go with that profile have changed, and as which one a
// version is played that isn't known yet.
func Changed(w *words.Words, profile string) string {
	name := words.FirstNonEmpty(profile, world.Classic.Name)
	p, _ := world.ProfileFor(name)
	says := w.Tn(p.Summary, "versions", p.Versions)
	if played, newer := world.Newer(name); newer {
		says = w.Tn("ui.profile.newer", "name", name, "versions", played) + " " + says
	}
	return says
}

// Table draws a table of sentences.
func Table(w *words.Words, t *link.Table) *tree.Node {
	heads, body := tree.El("tr", ""), tree.El("tbody", "")
	for i, cells := range t.Rows {
		row := tree.El("tr", "").Key(strconv.Itoa(i))
		for j, c := range cells {
			text := w.Plain(c)
			switch {
			case i == 0:
				heads.Add(tree.Text("th", "", text).Attr("scope", "col"))
			case j == 0:
				row.Add(tree.Text("th", "", text).Attr("scope", "row"))
			default:
				cell := tree.El("td", "", tree.Text("span", "", text))
				if j < len(t.Rows[0]) {
					cell.Attr("data-head", w.Plain(t.Rows[0][j]))
				}
				if at := 3 * ((i-1)*(len(cells)-1) + j - 1); at < len(t.Bars) {
					cell.Add(bar(t.Bars[at : at+3]))
				}
				row.Add(cell)
			}
		}
		if i > 0 {
			body.Add(row)
		}
	}
	return tree.El("table", "sentences", tree.El("thead", "", heads), body)
}

// bar draws how many are yes, no, and unknown.
func bar(counts []int64) *tree.Node {
	all := counts[0] + counts[1] + counts[2]
	if all == 0 {
		return nil
	}
	n := tree.El("span", "guard-bar").Attr("aria-hidden", "true")
	for i, class := range [...]string{"yes", "no", "unknown"} {
		n.Add(tree.El("i", class).Style("width", Percent(float64(counts[i])/float64(all))))
	}
	return n
}
