package hands

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// HasFutures reports whether there are futures to be shown: several, or one that was taken back.
func HasFutures(h *hands.Model) bool {
	l := h.Lanes
	return l != nil && (len(l.List) > 1 || l.Undo || l.Redo)
}

// Futures returns the futures, each a bar along the timeline from the step at which it leaves
// another one. At is where a step, made at a time, lies on the timeline.
func Futures(w *words.Words, h *hands.Model, script bool, at func(step, time int64) float64) *tree.Node {
	if !HasFutures(h) {
		return nil
	}
	rows := tree.El("ol", "futures").Attr("aria-label", w.T("ui.lanes"))
	for _, x := range h.Lanes.List {
		rows.Add(future(w, h, x, script, at))
	}
	return rows
}

// Changes takes back and does again what the viewer did, and flips between two
// futures.
func Changes(w *words.Words, l *link.Lanes) *tree.Node {
	if l == nil || len(l.List) < 2 && !l.Undo && !l.Redo {
		return nil
	}
	return tree.El("div", "segments changes",
		widget.Button("segment", w.T("ui.do.undo"), "undo", "").Flag("disabled", !l.Undo).Attr("title", w.Title("undo")),
		widget.Button("segment", w.T("ui.do.redo"), "redo", "").Flag("disabled", !l.Redo).Attr("title", w.Title("redo")),
		widget.Button("segment", w.T("ui.flip"), "flip", "").Flag("disabled", len(l.List) < 2).Attr("title", w.Title("flip"))).
		Attr("role", "group").Attr("aria-label", w.T("ui.keys.change"))
}

func future(w *words.Words, h *hands.Model, x link.Lane, script bool, at func(step, time int64) float64) *tree.Node {
	part := func(n float64) string { return strconv.FormatFloat(100*n, 'f', 2, 64) + "%" }
	shown := x.ID == h.Lanes.Shown
	left, end := at(x.BranchStep, x.LeftTime), at(x.Steps, x.End)
	if shown {
		end = 1 // the lane on the timeline grows while it is run
	}
	track := tree.El("span", "future-track", tree.El("span", "future-bar").Style("left", part(left)).Style("width", part(max(end-left, .01))))
	if x.Simulated > 0 {
		mark := tree.Text("span", "future-mark", w.T("ui.simulatedFromHere"))
		if left > .5 {
			mark.Style("right", "max("+part(1-left)+", 4rem)") // leaves room for the buttons
		} else {
			mark.Style("left", part(left))
		}
		track.Add(mark)
	}
	name := w.Lane(x, script)
	n := tree.El("li", "future").Key(strconv.Itoa(x.ID))
	if shown {
		n.Attr("data-shown", "true")
	}
	if h.Renames == x.ID && x.ID > 0 {
		n.Add(tree.El("input", "future-rename").Attr("type", "text").Attr("maxlength", strconv.Itoa(link.MaxName)).Act("laneName", strconv.Itoa(x.ID)).
			Prop("value", name).Attr("aria-label", w.T("ui.lane.rename")).Attr("data-focus", "rename"+strconv.Itoa(x.ID)))
	} else {
		n.Add(widget.TextAction("future-name", "lane", strconv.Itoa(x.ID), name).Is("aria-pressed", shown).Attr("title", strings.Join(x.Lines, "\n")))
	}
	n.Add(track)
	if x.Parent < 0 {
		return n
	}
	return n.Add(tree.El("span", "future-tools", widget.IconButton("tiny", "edit", w.T("ui.lane.rename"), "renameLane", strconv.Itoa(x.ID)), widget.IconButton("tiny", "close", w.T("ui.lane.drop"), "dropLane", strconv.Itoa(x.ID))))
}
