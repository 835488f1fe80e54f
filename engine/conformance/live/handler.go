package live

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing/synctest"
)

// Handler records its calls. A handler that blocks returns when the script
// releases it.
type Handler struct {
	id            string
	initial, late bool // its version tells what is in the initial list; it joined a running informer
	again         bool // its resyncs pass the transformer once more
	reg           registration
	open          atomic.Bool
	heard         func(what string) // gets the calls, if it is set
	gate          chan struct{}

	mu       sync.Mutex
	notified []string
	hands    []string // the calls under way; there can be several if Run was called again
}

// Add implements OnAdd. Before v0.27, initial is unknown.
func (h *Handler) Add(o any, initial bool) {
	if initial {
		h.call("add(initial) " + text(o))
	} else {
		h.call("add " + text(o))
	}
}

// Update implements OnUpdate.
func (h *Handler) Update(old, o any) {
	if old == o {
		h.call("resync " + text(o))
	} else {
		h.call("update " + text(old) + " -> " + text(o))
	}
}

// Delete implements OnDelete.
func (h *Handler) Delete(o any) {
	h.call("delete " + text(o))
}

// Calls is a Handler as cache.ResourceEventHandler is since v0.27.
type Calls struct{ *Handler }

func (c Calls) OnAdd(o any, initial bool) { c.Add(o, initial) }
func (c Calls) OnUpdate(old, o any)       { c.Update(old, o) }
func (c Calls) OnDelete(o any)            { c.Delete(o) }

// CallsBeforeV027 is a Handler as cache.ResourceEventHandler was before v0.27.
type CallsBeforeV027 struct{ *Handler }

func (c CallsBeforeV027) OnAdd(o any)         { c.Add(o, false) }
func (c CallsBeforeV027) OnUpdate(old, o any) { c.Update(old, o) }
func (c CallsBeforeV027) OnDelete(o any)      { c.Delete(o) }

func (h *Handler) call(what string) {
	if h.heard != nil {
		h.heard(what)
		return
	}
	h.mu.Lock()
	h.hands = append(h.hands, what)
	h.mu.Unlock()
	if !h.open.Load() {
		<-h.gate
	}
	h.mu.Lock()
	at := slices.Index(h.hands, what)
	h.notified, h.hands = append(h.notified, what), slices.Delete(h.hands, at, at+1)
	h.mu.Unlock()
}

// release lets up to n calls return, including calls that begin meanwhile.
func (h *Handler) release(n int) {
	for range n {
		synctest.Wait()
		select {
		case h.gate <- struct{}{}:
		default:
			return
		}
	}
}

func (h *Handler) unblock() {
	if h.open.Swap(true) {
		return
	}
	for { // where Run was called again, there is more than one call
		select {
		case h.gate <- struct{}{}:
		default:
			return
		}
	}
}

// print returns the calls since the last time. free is true if several goroutines
// call the handler, because their order is then random.
func (h *Handler) print(op *Op, snapshot, free bool) map[string]any {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[string]any{"pending": h.reg.pending()}
	if h.reg.synced != nil {
		out["synced"] = h.reg.synced()
	}
	if n := len(h.hands); n > 0 {
		out["inHandler"] = h.hands[n-1]
	}
	joins := !h.initial && h.late && op.Op == "inf.addHandler" && op.ID == h.id
	sortRuns(h.notified, func(s string) int {
		free := []string{"delete DFSU(", "resync ", "add(initial) "}
		change := strings.HasPrefix(s, "add ") || strings.HasPrefix(s, "update ")
		if change && snapshot {
			return 2 // what a streaming list changes comes in any order among what is new in it
		}
		if from, to, is := strings.Cut(strings.TrimPrefix(s, "update "), " -> "); is && h.again && to == from+"~" {
			return 1 // a resync that transforms once more
		}
		if i := slices.IndexFunc(free, func(p string) bool { return strings.HasPrefix(s, p) }); i >= 0 {
			return i
		}
		if change && joins {
			return len(free)
		}
		return -1
	})
	if free {
		slices.Sort(h.notified)
	}
	out["notified"] = append([]string{}, h.notified...)
	h.notified = nil
	return out
}

// sortRuns sorts each run of lines of one kind. It leaves runs of kind -1 as they are.
func sortRuns(s []string, kind func(string) int) {
	for from := 0; from < len(s); {
		to, k := from+1, kind(s[from])
		for to < len(s) && kind(s[to]) == k {
			to++
		}
		if k >= 0 {
			slices.Sort(s[from:to])
		}
		from = to
	}
}
