package picture

import (
	"sort"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// Ranks are the ranks of a table's keys in the order of keys. They say in which cell
// of the density map a key is.
type Ranks struct {
	t  *object.Table
	of []int32
}

// NewRanks returns the Ranks of the keys of t, including those that t gets later.
func NewRanks(t *object.Table) *Ranks { return &Ranks{t: t} }

// update ranks the keys again if there are new ones.
func (r *Ranks) update() {
	if r.t.Keys() == len(r.of) {
		return
	}
	order := r.t.KeyOrder()
	r.of = append(r.of, make([]int32, r.t.Keys()-len(r.of))...)
	for i, k := range order {
		r.of[k] = int32(i)
	}
}

// topValues is how many values of an index are shown, the most frequent ones.
const topValues = 6

// store shows each object as a tile. In a big cache it shows how many objects there
// are in each part of the key space.
func (s *Stage) store() link.Store {
	x := s.x.Indexer
	out := link.Store{Objects: x.Len(), Lit: -1}
	hot := s.hot()
	if x.Len() <= s.window.Store {
		for _, k := range x.ListKeys(nil) {
			r, _ := x.GetByKey(k)
			m := s.t.Meta(r)
			out.Tiles = append(out.Tiles, link.Tile{Key: s.t.KeyText(k), RV: s.t.RVText(m.RV), Ref: int32(r), Heat: hot[k]})
		}
	} else {
		s.density(&out, hot)
	}
	for i := range x.Indices() {
		out.Indices = append(out.Indices, s.indexView(i))
	}
	return out
}

func (s *Stage) density(out *link.Store, hot map[object.Key]int) {
	s.keys.update()
	cells := s.window.Store
	out.Density, out.Heat = make([]int, cells), make([]int, cells)
	total := len(s.keys.of)
	for k := object.Key(1); int(k) < total; k++ {
		_, ok := s.x.Indexer.GetByKey(k)
		cell := int(s.keys.of[k]) * cells / total
		if s.lit[k] {
			out.Lit = cell
		}
		if ok {
			out.Density[cell]++
			out.Heat[cell] = max(out.Heat[cell], hot[k])
		}
	}
}

// hot tells how lately the server has sent something about a key: 3 for the last
// few watch events, down to 0.
func (s *Stage) hot() map[object.Key]int {
	hot := map[object.Key]int{}
	for i, e := range s.x.Server.View(apiserver.TapeLen, 0).Past {
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

// maxAnswer is how many rows an answer has at most.
const maxAnswer = 200

// Query asks the indexer as it stands.
func (s *Stage) Query(q link.Query) *link.Answer {
	x := s.x.Indexer
	out := &link.Answer{Query: q}
	fail := func(err error) {
		if err != nil {
			out.Error = err.Error()
		}
	}
	switch q.Func {
	case "GetByKey":
		if k, ok := s.t.LookupKey(strings.TrimSpace(q.Value)); ok {
			if r, ok := x.GetByKey(k); ok {
				out.Rows = append(out.Rows, s.describe(r))
			}
		}
	case "ByIndex":
		refs, err := x.ByIndex(q.Index, q.Value, nil)
		fail(err)
		for _, r := range refs {
			out.Rows = append(out.Rows, s.describe(r))
		}
	case "IndexKeys":
		keys, err := x.IndexKeys(q.Index, q.Value, nil)
		fail(err)
		out.Rows = s.keyTexts(keys)
	case "ListIndexFuncValues":
		for _, v := range x.ListIndexFuncValues(q.Index, nil) {
			out.Rows = append(out.Rows, s.t.Text(v))
		}
	}
	out.Total = len(out.Rows)
	out.Rows = out.Rows[:min(len(out.Rows), maxAnswer)]
	return out
}

func (s *Stage) describe(r object.Ref) string {
	m := s.t.Meta(r)
	return s.t.KeyText(m.Key) + " @" + s.t.RVText(m.RV)
}
