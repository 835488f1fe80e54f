package picture

import "github.com/informerscope/informerscope/wasm/link"

// DefaultWindow is the window of a page of common size.
var DefaultWindow = link.Window{Tape: 10, Queue: 12, Store: 240, Pending: 24, Work: 8}

// SaneWindow returns w with everything within what can be drawn.
func SaneWindow(w link.Window) link.Window {
	clamp := func(v *int, lo, hi int) { *v = min(max(*v, lo), hi) }
	clamp(&w.Tape, upcoming+1, 64)
	clamp(&w.Queue, 1, 200)
	clamp(&w.QueueFrom, 0, 1<<30)
	clamp(&w.Store, 1, 4096)
	clamp(&w.StoreFrom, 0, 1<<30)
	clamp(&w.Pending, 0, 200)
	clamp(&w.Work, 1, 200)
	return w
}
