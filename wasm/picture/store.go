package picture

import (
	"sort"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// Ranks are the ranks of a table's keys in the order of keys. They say in which cell
// of the density map a key is.
type Ranks struct {
	t     *object.Table
	ranks []int32
}

// NewRanks returns the Ranks of the keys of t, including those that t gets later.
func NewRanks(t *object.Table) *Ranks { return &Ranks{t: t} }

// update ranks the keys again if there are new ones.
func (r *Ranks) update() {
	if r.t.Keys() == len(r.ranks) {
		return
	}
	order := r.t.KeyOrder()
	r.ranks = append(r.ranks, make([]int32, r.t.Keys()-len(r.ranks))...)
	for i, k := range order {
		r.ranks[k] = int32(i)
	}
}

// topValues is how many values of an index are shown, the most frequent ones.
const topValues = 6

// store shows each object as a tile. In a big cache it shows how many objects there
// are in each part of the key space.
func (s *Stage) store() link.Store {
	x := s.x.Indexer
	out := link.Store{Objects: x.Len(), Lit: -1, Refuses: s.x.Config().RefusesTombstones}
	hot := s.hot()
	if !s.dense() {
		for _, k := range x.ListKeys(nil) {
			r, _ := x.GetByKey(k)
			m := s.t.Meta(r)
			out.Tiles = append(out.Tiles, link.Tile{Key: s.t.KeyText(k), RV: s.t.RVText(m.RV), Ref: int32(x.Read(r)), Heat: hot[k]})
		}
	} else {
		s.density(&out, hot)
	}
	for i := range x.Indices() {
		out.Indices = append(out.Indices, s.indexView(i))
	}
	return out
}

// dense reports whether there are too many objects to show each as a tile.
func (s *Stage) dense() bool { return s.x.Indexer.Len() > s.window.Store }

func (s *Stage) density(out *link.Store, hot map[object.Key]int) {
	cells := s.window.Store
	out.Density, out.Heat = make([]int, cells), make([]int, cells)
	for k := object.Key(1); int(k) < s.t.Keys(); k++ {
		_, ok := s.x.Indexer.GetByKey(k)
		cell := s.cell(k)
		if s.lit[k] {
			out.Lit = cell
		}
		if ok {
			out.Density[cell]++
			out.Heat[cell] = max(out.Heat[cell], hot[k])
		}
	}
}

// cell returns the cell of the density map in which k is.
func (s *Stage) cell(k object.Key) int {
	s.keys.update()
	return int(s.keys.ranks[k]) * s.window.Store / len(s.keys.ranks)
}

// tile returns the place of an object in the store: its own tile, or the cell of the
// density map in which it is.
func (s *Stage) tile(k object.Key) string {
	if k != 0 && s.dense() && s.keys != nil {
		return link.PlaceCell(s.cell(k))
	}
	return link.PlaceTile(s.t.KeyText(k))
}

// hot tells how lately the server has sent something about a key: 3 for the last
// few watch events, down to 0.
func (s *Stage) hot() map[object.Key]int {
	hot := map[object.Key]int{}
	for i, e := range s.x.Server.View(apiserver.TapeLen, 0).Recent {
		heat := 1
		switch {
		case i < 4:
			heat = 3
		case i < 16:
			heat = 2
		}
		k := s.t.KeyOf(e.Obj)
		hot[k] = max(hot[k], heat)
	}
	return hot
}

func (s *Stage) indexView(i int) link.Index {
	x := s.x.Indexer
	out := link.Index{Name: x.IndexName(i), Values: x.Values(i)}
	touched := map[object.Sym]string{}
	for _, e := range s.w.Log.Events {
		switch {
		case e.Index() != i:
		case e.Kind == event.IndexAdded:
			touched[e.Value()] += "+"
		case e.Kind == event.IndexRemoved:
			touched[e.Value()] += "-"
		}
	}
	values := x.ValueCounts(i, nil)
	sort.Slice(values, func(i, j int) bool {
		a, b := values[i], values[j]
		return a.Count > b.Count || a.Count == b.Count && s.t.CompareSyms(a.Value, b.Value) < 0
	})
	for n, v := range values {
		if lit := touched[v.Value]; n < topValues || lit != "" {
			out.Top = append(out.Top, link.IndexValue{Value: s.t.Text(v.Value), Keys: v.Count, Lit: lit})
		}
	}
	return out
}
