package view

import (
	"encoding/binary"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// Up to hugeTiles objects, tiles have room for name and resourceVersion; up to
// bigTiles, for the name.
const (
	hugeTiles = 12
	bigTiles  = 40
)

// store is the indexer: a tile for each object, or a density map if there are too
// many, and the indices.
func (p *page) store() *tree.Node {
	s, l := p.f.Store, p.l.Store
	var body *tree.Node
	if len(s.Density) > 0 {
		body = tree.El("div", "tiles density", tree.El("canvas", "").Attr("data-draw", "density").Attr("aria-hidden", "true").Draw(densityDrawing(s))).Key("density").Place(link.PlaceStore)
	} else {
		body = p.keep("tiles", p.l, func() *tree.Node { return p.tiles(l) })
	}
	indices := p.keep("indices", p.l, func() *tree.Node { return p.indices(l) })
	return p.station(link.StationStore, "Indexer",
		[]*tree.Node{tree.Text("span", "quiet", p.tn("ui.store.objects", "n", grouped(s.Objects)))},
		body, indices, p.keep("store table", p.l, p.storeTable))
}

func (p *page) tiles(l link.Store) *tree.Node {
	class := "tiles"
	switch {
	case len(l.Tiles) <= hugeTiles:
		class += " big huge"
	case len(l.Tiles) <= bigTiles:
		class += " big"
	}
	body := tree.El("ol", class).Key("tiles").Attr("data-clip", "").Attr("aria-label", p.t("ui.store.tiles"))
	for _, t := range l.Tiles {
		body.Add(tile(t))
	}
	if len(l.Tiles) == 0 {
		body.Add(tree.Text("li", "tail-text", p.t("ui.store.empty")).Key("\x00empty"))
	}
	return body.Place(link.PlaceStore)
}

func (p *page) indices(l link.Store) *tree.Node {
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
			values.Add(tree.El("button", class, tree.Text("code", "", or(v.Value, p.t("ui.emptyValue"))), tree.Text("span", "n", grouped(v.Keys))).
				Key(v.Value).Attr("type", "button").Attr("title", call("ByIndex", x.Name, v.Value)).Act("inspectIndex", x.Name+"="+v.Value))
		}
		if more := x.Values - len(x.Top); more > 0 {
			values.Add(tree.Text("span", "more", "+"+grouped(more)).Key("\x00more"))
		}
		indices.Add(tree.Text("dt", "", x.Name).Key(x.Name+"\x00"), values.Key(x.Name))
	}
	return indices
}

func tile(t link.Tile) *tree.Node {
	name := t.Key
	if _, n, ok := strings.Cut(t.Key, "/"); ok {
		name = n
	}
	b := tree.El("button", "tile heat"+itoa(min(max(t.Heat, 0), 3)), key(name), tree.Text("span", "tile-rv", t.RV))
	return tree.El("li", "", b.
		Attr("type", "button").Attr("tabindex", "-1").Act("inspect", itoa(t.Ref)).
		Attr("title", t.Key+" @"+t.RV).Place(link.PlaceTile(t.Key))).Key(t.Key)
}

func densityDrawing(s link.Store) []byte {
	b := binary.AppendUvarint(nil, uint64(s.Lit+1))
	b = binary.AppendUvarint(b, uint64(len(s.Density)))
	for i, n := range s.Density {
		b = binary.AppendUvarint(b, uint64(n))
		h := 0
		if i < len(s.Heat) {
			h = s.Heat[i]
		}
		b = binary.AppendUvarint(b, uint64(h))
	}
	return b
}

// storeTable has the indices as a table, for screen readers.
func (p *page) storeTable() *tree.Node {
	body := tree.El("tbody", "")
	for _, x := range p.l.Store.Indices {
		for _, v := range x.Top {
			body.Add(tr("td", x.Name, or(v.Value, p.t("ui.emptyValue")), grouped(v.Keys)))
		}
	}
	return unseen(tree.Text("caption", "", p.t("ui.store.table")),
		tree.El("thead", "", tr("th", p.t("ui.index"), p.t("ui.value"), p.t("ui.keysCount"))), body)
}

// unseen is a table that only a screen reader finds. Its box hides it, because Firefox
// paints the caption of a table that is hidden itself.
func unseen(parts ...*tree.Node) *tree.Node {
	return tree.El("div", "visually-hidden", tree.El("table", "", parts...))
}

// tr is a row of a table. Its cells are elements td or th.
func tr(cell string, texts ...string) *tree.Node {
	n := tree.El("tr", "")
	for _, s := range texts {
		n.Add(tree.Text(cell, "", s))
	}
	return n
}
