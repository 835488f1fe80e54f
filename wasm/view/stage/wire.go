package stage

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// wire returns the connection between server and reflector, which is clicked to cut it or to have the reflector try
// again. It stands on the line that web/page/wires.js draws from the one to the other.
func (st *Stage) wire() *tree.Node {
	w := st.Frame.Wire
	text := st.Words.T("ui.wire." + w.State)
	sign := widget.Icon(wireIcons[w.State])
	switch w.State {
	case link.WireQuiet:
		text = st.Words.Tn("ui.wire.quietFor", "time", words.Duration(w.Since))
	case link.WireBackoff:
		text = st.Words.Tn("ui.wire.backoffLeft", "state", st.Words.T("ui.wire."+w.After), "left", words.Duration(w.Remaining))
		sign = ring(float64(w.Remaining) / float64(max(w.BackOff, 1)))
	case link.WireRetrying:
		text = st.Words.Tn("ui.wire.retryingIn", "left", words.Duration(w.Remaining))
	}
	n, label, does := tree.El("div", "wire-state").Attr("role", "group"), st.Words.Tn("ui.wire", "state", text), ""
	if !st.Second {
		var line string
		does, line = st.Cuts()
		n = tree.El("button", "wire-state").Attr("type", "button").Is("aria-disabled", line == "")
		if line != "" {
			n.Act("gesture", line)
			label += ". " + does
		}
	}
	n.Add(sign, tree.Text("b", "", text)).Attr("data-wire", w.State).Attr("aria-label", label)
	if w.BackOff > 0 {
		text += " / " + words.Duration(w.BackOff)
	}
	if w.Reason != nil {
		why := st.Words.Value(*w.Reason)
		text += ": " + why
		n.Add(tree.Text("span", "wire-why", why))
	}
	if does != "" {
		text += ". " + does
	}
	return n.Attr("title", text)
}

// wireIcons are the icons of the states of the wire. A back-off has a ring.
var wireIcons = map[string]string{
	link.WireNone: "unplugged", link.WireListing: "list", link.WireRelisting: "again", link.WireOpening: "plug", link.WireOpen: "plugged",
	link.WireQuiet: "plugged", link.WireHalfOpen: "unplugged", link.WireClosed: "unplugged", link.WireBroken: "broken", link.WireBackoff: "broken",
	link.WireRetrying: "again",
}

// ring draws a part, from 0 to 1, of a circle.
func ring(part float64) *tree.Node {
	n := int64(min(max(part, 0), 1) * 100)
	circle := func(class string) *tree.Node {
		return tree.El("svg:circle", class).Attr("cx", "10").Attr("cy", "10").Attr("r", "8").Attr("pathLength", "100")
	}
	return tree.El("svg:svg", "ring-timer", circle("ring-whole"), circle("ring-part").Attr("stroke-dasharray", words.Itoa(n)+" 100")).
		Attr("viewBox", "0 0 20 20").Attr("aria-hidden", "true")
}

// wires returns the element in which web/page/wires.js draws the wires between the stations. The first stage's
// has an ID.
func wires(first bool) *tree.Node {
	n := tree.El("svg:svg", "wires").Attr("aria-hidden", "true").Attr("data-transient", "")
	if first {
		n.Attr("id", "wires")
	}
	return n
}

// chainLine returns what web/page/chain.js draws on.
func chainLine() *tree.Node {
	return tree.El("svg:svg", "chain-line").Attr("id", "chain-line").Attr("aria-hidden", "true").Attr("data-transient", "")
}
