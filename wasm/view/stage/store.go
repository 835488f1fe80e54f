package stage

import (
	"encoding/binary"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Up to hugeTiles objects, tiles have room for name and resourceVersion; up to
// bigTiles, for the name.
const (
	hugeTiles = 12
	bigTiles  = 40
)

// store returns the indexer: a tile for each object, or a density map if there are too
// many, and the indices.
func (st *Stage) store() *tree.Node {
	s, l := st.Frame.Store, st.Lists.Store
	var body *tree.Node
	if len(s.Density) > 0 {
		body = st.Cache.Draw("density", cellsOf(l), func() *tree.Node { return density(st.Words, l) })
	} else {
		body = st.Cache.Draw("tiles", st.Lists, func() *tree.Node { return tiles(st.Words, l) })
	}
	indices := st.Cache.Draw("indices", st.Lists, func() *tree.Node { return indices(st.Words, l) })
	return st.station(link.StationStore, "Indexer",
		[]*tree.Node{tree.Text("span", "quiet", st.Words.Tn("ui.store.objects", "n", words.Grouped(s.Objects))), widget.IconButton("tiny", "find", st.Words.T("ui.query.open"), "query", "")},
		body, indices, st.Cache.Draw("store table", st.Lists, func() *tree.Node { return storeTable(st.Words, l.Indices) }))
}

func tiles(w *words.Words, l link.Store) *tree.Node {
	class := "tiles"
	switch {
	case len(l.Tiles) <= hugeTiles:
		class += " big huge"
	case len(l.Tiles) <= bigTiles:
		class += " big"
	}
	body := tree.El("ol", class).Key("tiles").Attr("data-clip", "").Attr("data-grid", "").Attr("aria-label", w.T("ui.store.tiles"))
	for i, t := range l.Tiles {
		body.Add(tile(t, i == 0))
	}
	if len(l.Tiles) == 0 {
		body.Add(tree.Text("li", "tail-text", w.T("ui.store.empty")).Key("\x00empty"))
	}
	return body.Place(link.PlaceStore)
}

func indices(w *words.Words, l link.Store) *tree.Node {
	indices := tree.El("dl", "indices")
	for _, x := range l.Indices {
		values := tree.El("dd", "")
		for _, v := range x.Top {
			class := "index-value"
			switch v.Lit {
			case "+":
				class += " plus"
			case "-":
				class += " minus"
			}
			values.Add(tree.El("button", class, tree.Text("code", "", words.FirstNonEmpty(v.Value, w.T("ui.emptyValue"))), tree.Text("span", "n", words.Grouped(v.Keys))).
				Key(v.Value).Attr("type", "button").Attr("title", call("ByIndex", x.Name, v.Value)).Act("inspectIndex", x.Name+"="+v.Value))
		}
		all := tree.El("button", "index-name", tree.Text("code", "", x.Name), tree.Text("span", "n", words.Grouped(x.Values))).
			Attr("type", "button").Attr("title", "ListIndexFuncValues("+x.Name+")").Act("inspectIndex", x.Name)
		indices.Add(tree.El("dt", "", all).Key(x.Name+"\x00"), values.Key(x.Name))
	}
	return indices
}

// tile returns one object. The arrow keys go from tile to tile (web/page/grid.js), so only
// the first one is in the order of Tab.
func tile(t link.Tile, first bool) *tree.Node {
	name := t.Key
	if _, n, ok := strings.Cut(t.Key, "/"); ok {
		name = n
	}
	b := tree.El("button", "tile heat"+words.Itoa(min(max(t.Heat, 0), 3)), widget.Key(name), tree.Text("span", "tile-rv", t.RV))
	return tree.El("li", "", b.
		Attr("type", "button").Attr("tabindex", tabIndex(first)).Act("inspect", words.Itoa(t.Ref)).
		Attr("title", t.Key+" @"+t.RV).Place(link.PlaceTile(t.Key))).Key(t.Key)
}

func tabIndex(inOrder bool) string {
	if inOrder {
		return "0"
	}
	return "-1"
}

// shades is how many shades a cell of the density map can have, besides the one of an empty cell.
const shades = 5

// cellsOf tells the cells of two maps apart. Most steps change none of them.
func cellsOf(l link.Store) string {
	b := binary.AppendVarint(nil, int64(l.Lit))
	for i, n := range l.Density {
		b = binary.AppendUvarint(append(b, byte(l.Heat[i])), uint64(n))
	}
	return string(b)
}

// density returns the map of a large cache: cells for equal parts of the keys in their
// order.
func density(w *words.Words, l link.Store) *tree.Node {
	most := 1
	for _, n := range l.Density {
		most = max(most, n)
	}
	cells := tree.El("div", "cells").Attr("data-grid", "").Attr("role", "group").Attr("aria-label", w.T("ui.store.cells")).Place(link.PlaceStore)
	for i, n := range l.Density {
		class := "cell shade" + words.Itoa((n*shades+most-1)/most) + " heat" + words.Itoa(min(max(l.Heat[i], 0), 3))
		if i == l.Lit {
			class += " touched"
		}
		cells.Add(tree.El("button", class).Attr("type", "button").Attr("tabindex", tabIndex(i == 0)).
			Attr("aria-label", words.Grouped(n)).Act("askCell", words.Itoa(i)).Place(link.PlaceCell(i)).Key(words.Itoa(i)))
	}
	legend := tree.El("p", "map-legend", tree.Text("span", "", w.T("ui.store.perCell")), tree.Text("span", "n", "0"))
	for s := range shades + 1 {
		legend.Add(tree.El("span", "cell shade"+words.Itoa(s)).Attr("aria-hidden", "true"))
	}
	legend.Add(tree.Text("span", "n", words.Grouped(most)),
		tree.El("span", "cell shade"+words.Itoa(shades)+" heat3").Attr("aria-hidden", "true"), tree.Text("span", "", w.T("ui.store.lately")))
	return tree.El("div", "tiles density", cells, legend).Key("density")
}

// storeTable shows the indices as a table, for screen readers.
func storeTable(w *words.Words, all []link.Index) *tree.Node {
	body := tree.El("tbody", "")
	for _, x := range all {
		for _, v := range x.Top {
			body.Add(widget.Row("td", x.Name, words.FirstNonEmpty(v.Value, w.T("ui.emptyValue")), words.Grouped(v.Keys)))
		}
	}
	return widget.Unseen(tree.Text("caption", "", w.T("ui.store.table")),
		tree.El("thead", "", widget.Row("th", w.T("ui.index"), w.T("ui.value"), w.T("ui.keysCount"))), body)
}

// call writes a call of a function of the indexer.
func call(fn, index, value string) string {
	if index != "" {
		index += ", "
	}
	return fn + "(" + index + words.FirstNonEmpty(value, `""`) + ")"
}
