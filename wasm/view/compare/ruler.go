package compare

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// ruler shows how far the server, the reflector, the cache and the handlers are, as bars
// on one scale: each is as long as its station is behind the server, so that a stale read
// is seen as a distance. With two machines, each station has two bars.
func ruler(w *words.Words, f *link.Frame, paired bool) *tree.Node {
	reached := [2][]link.Reached{f.Reached}
	if paired {
		reached[1] = f.Second.Reached
	}
	most := int64(1)
	for _, all := range reached {
		for _, r := range all {
			most = max(most, r.Behind)
		}
	}
	n := tree.El("ol", "ruler").Attr("aria-label", w.T("ui.reached"))
	if len(reached[0]) == 0 {
		return tree.Text("p", "quiet", w.T("ui.reached.none"))
	}
	for _, r := range reached[0] {
		row := tree.El("li", "", tree.Text("span", "ruler-name", reachedName(w, r))).Key(r.Name + "/" + words.Itoa(r.Listener))
		row.Add(reach(w, paired, 0, r, most))
		for _, s := range reached[1] {
			if s.Name == r.Name && s.Listener >= 0 == (r.Listener >= 0) {
				row.Add(reach(w, paired, 1, s, most))
				break
			}
		}
		n.Add(row)
	}
	return n
}

func reachedName(w *words.Words, r link.Reached) string {
	switch {
	case r.Listener >= 0:
		return r.Name
	case r.Name == link.StationStore:
		return w.T("ui.reached.cache")
	case r.Name == link.StationWork:
		return w.T("ui.reached.wrote")
	}
	return w.T("ui." + r.Name)
}

// reach returns the bar of one station.
func reach(w *words.Words, paired bool, i int, r link.Reached, most int64) *tree.Node {
	text := "–"
	if r.RV != "" {
		text = w.Tn("ui.reached.at", "rv", r.RV)
	}
	title := text
	if r.Behind > 0 {
		text = "−" + words.Grouped(r.Behind) + " · " + words.Duration(r.Time)
		title = w.Tn("ui.reached.behind", "rv", r.RV, "n", words.Grouped(r.Behind), "time", words.Duration(r.Time))
	}
	line := tree.El("span", "reach")
	if paired {
		line.Add(tree.Text("b", "pane-letter", widget.Letters[i]))
	}
	bar := tree.El("span", "reach-bar").Style("width", widget.Percent(float64(r.Behind)/float64(most)))
	class := "reach-track"
	if r.RV == "" {
		class += " absent"
	}
	return line.Add(tree.El("span", class, bar).Attr("aria-hidden", "true"), tree.Text("span", "reach-text spoken", text).Attr("title", title))
}
