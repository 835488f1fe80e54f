package timeline

import (
	"encoding/binary"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// columns are the columns of the expressions that are watched.
type columns struct {
	hits, breaks []int
	plot         *link.Watched // nil for none
	key          string        // changes whenever one of them does
}

func watched(e *ask.Expr, t *link.Timeline) (x columns) {
	if t == nil {
		return x
	}
	for i, w := range e.Watched {
		if w.Axis != t.Axis || w.Wrong != nil || len(w.Ticks) != t.Columns && (w.Plot == nil || len(w.Plot.Max) != t.Columns) {
			continue
		}
		x.key += words.Itoa(i) + " " + words.Itoa(w.Step) + " " + words.Itoa(w.Steps) + " " + w.Text + ";"
		for _, b := range e.Breaks {
			if b.Text == w.Text && !b.Disabled && w.Ticks != nil {
				if x.breaks == nil {
					x.breaks = make([]int, t.Columns)
				}
				for c, n := range w.Ticks {
					x.breaks[c] += n
				}
				x.key += "!"
			}
		}
		switch {
		case w.Text != e.Asked:
		case w.Plot != nil:
			x.plot = w
		default:
			x.hits = w.Ticks
		}
	}
	return x
}

// drawing returns the timeline as numbers, which web/page/draw.js draws.
func drawing(t *link.Timeline, x *columns) []byte {
	if t == nil {
		t = &link.Timeline{}
	}
	listeners := len(t.Pending)
	types := len(t.Events)
	b := make([]byte, 0, t.Columns*(2*listeners+types+2)+64)
	put := func(n int) { b = binary.AppendUvarint(b, uint64(max(n, 0))) }
	at := func(s []int, i int) int {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	plots := 0
	if x.plot != nil {
		plots = 1
	}
	for _, n := range []int{t.Columns, t.MaxQueue, t.MaxPending, listeners, types, plots} {
		put(n)
	}
	for i := range t.Columns {
		put(at(t.Queue.Max, i))
		put(at(t.Queue.Last, i))
		for _, s := range t.Pending {
			put(at(s.Max, i))
			put(at(s.Last, i))
		}
		for _, s := range t.Events {
			put(at(s, i))
		}
		put(at(x.hits, i))
		put(at(x.breaks, i))
		if x.plot != nil {
			put(at(x.plot.Plot.Max, i))
			put(at(x.plot.Plot.Last, i))
		}
	}
	return b
}
