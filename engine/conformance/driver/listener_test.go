package driver

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
)

// describe writes a notification down.
func (f *infFamily) describe(n processor.Notification) notified {
	text := f.s.text
	switch {
	case n.Type == processor.Add && n.Cause == event.FromCache && !f.d.profile.InitialList:
		return notified{"add " + text(n.New), initialAdd}
	case n.Type == processor.Add && n.Flags&event.IsInInitialList != 0:
		return notified{"add(initial) " + text(n.New), initialAdd}
	case n.Type == processor.Add:
		return notified{"add " + text(n.New), change}
	case n.Type == processor.Update && f.s.equal(n.Old, n.New):
		return notified{"resync " + text(n.New), resync}
	case n.Type == processor.Update && (f.d.profile.Queue.TransformsSync || f.d.profile.TransformsLate) && text(n.New) == text(n.Old)+"~": // it is transformed once more
		return notified{"update " + text(n.Old) + " -> " + text(n.New), resync}
	case n.Type == processor.Update:
		return notified{"update " + text(n.Old) + " -> " + text(n.New), change}
	case n.Flags&event.Tombstone != 0:
		return notified{"delete " + f.s.itemText(fifo.Tombstone(n.Key, n.Old)), tombstone}
	}
	return notified{"delete " + text(n.Old), deletion}
}

// listener is a handler and what it was told since the last operation.
type listener struct {
	id       string
	block    bool
	credits  int64    // calls that may return though it blocks
	hands    []inHand // one, but where Run was called more than once
	lost     int64    // pendingNotifications when it was stopped: there they stay
	notified []notified
	snapshot bool // among them is what came of a streaming list
}

// inHand is a call that one of the listener's goroutines is in.
type inHand struct {
	run actor.ID
	notified
}

func (h *listener) begin(run actor.ID, n notified) { h.hands = append(h.hands, inHand{run, n}) }

func (h *listener) end(run actor.ID) {
	i := slices.IndexFunc(h.hands, func(c inHand) bool { return c.run == run })
	h.notified = append(h.notified, h.hands[i].notified)
	h.hands = slices.Delete(h.hands, i, i+1)
}

type notified struct {
	text string
	kind kind
}

type kind uint8

const (
	deletion   kind = iota
	change          // add or update
	initialAdd      // of the first list or, in v0.22, of a late handler
	resync
	tombstone
)

// take returns what the handler was told. What comes out of a Go map is sorted,
// and all of it where the handler is called by several goroutines: then free is
// true.
func (h *listener) take(free bool) []string {
	for from := 0; from < len(h.notified); {
		to, k := from+1, h.kindOf(from)
		for to < len(h.notified) && h.kindOf(to) == k {
			to++
		}
		if k > change {
			slices.SortFunc(h.notified[from:to], func(a, b notified) int { return strings.Compare(a.text, b.text) })
		}
		from = to
	}
	out := []string{}
	for _, n := range h.notified {
		out = append(out, n.text)
	}
	if free {
		slices.Sort(out)
	}
	h.notified, h.snapshot = nil, false
	return out
}

// kindOf returns the kind of a call. What a streaming list changes comes in any order among what is new in
// it.
func (h *listener) kindOf(i int) kind {
	n := &h.notified[i]
	if h.snapshot && (n.kind == change || n.kind == resync && strings.HasPrefix(n.text, "update ")) {
		return initialAdd
	}
	return n.kind
}

func (f *infFamily) addHandler(l *line, out output) {
	if f.x.Stopped() {
		out["err"] = "Stopped"
		if !f.d.profile.Registrations {
			out["untold"] = true // the caller hears of no error
		}
		return
	}
	h := &listener{id: l.ID, block: l.Block}
	cfg := informer.Handler{Name: l.ID, Resync: f.x.Config().Resync}
	if l.ResyncMs != nil {
		cfg.Resync = *l.ResyncMs * 1e6
	}
	cfg.DurationOf = func(int) int64 {
		switch {
		case !h.block:
			return 0
		case h.credits > 0:
			h.credits--
			return 0
		}
		return forEver
	}
	f.handlers = append(f.handlers, h)
	f.h.Do(world.Command{Kind: world.AddHandler, Handler: cfg})
	f.look()
}

func (f *infFamily) removeHandler(l *line, out output) {
	if !f.d.profile.Registrations {
		out["unsupported"] = true
		return
	}
	for i, h := range f.handlers {
		if h.id == l.ID {
			f.h.Do(world.Command{Kind: world.RemoveHandler, Listener: i})
			f.look()
		}
	}
}

// release lets n calls of a blocked handler return: the present one and those
// that follow before it has caught up.
func (f *infFamily) release(id string, n int64) {
	for i, h := range f.handlers {
		if h.id != id {
			continue
		}
		h.credits = n
		if n == forEver {
			h.block = false
		}
		l := &f.x.Processor.Listeners[i]
		for j := range l.Pairs() {
			run := l.PairAt(j).Run
			if st := f.w.Set.State(run); st.Wait == actor.OnCall && h.credits > 0 {
				h.credits--
				f.w.Set.Sleep(run, st.PC, st.Wait, f.w.Now())
			}
		}
	}
}
