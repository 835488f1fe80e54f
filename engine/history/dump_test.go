package history

import (
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
)

// dump writes down the whole state of w, as far as anyone can tell.
func dump(w *world.World) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("now %d rand %d steps %d\n", w.Now(), w.Set.Rand, w.Steps())
	for id := range actor.ID(w.Set.Len()) {
		p("actor %d at %d %+v\n", id, w.Set.ReadyAt(id), w.Set.State(id))
	}
	for _, x := range w.Informers {
		t := x.Config().Table
		for i := range x.Locks {
			p("lock %d %d %v\n", i, x.Locks[i].Holder(), x.Locks[i].Waiters())
		}
		p("server %v %d %d; reflector %+v\n", x.Server.State(), x.Server.View(0, 0).Played, x.Server.View(0, 0).Sent, x.Reflector)
		q := x.Queue
		p("queue populated %v initial %d synced %v %+v\n", q.Populated(), q.InitialPopulationCount(), q.HasSynced(), q.Counters())
		for i := range q.Depth() {
			k, n := q.Row(i)
			p("  %s %d %v\n", t.KeyText(k), n, q.RowDeltas(i, nil))
		}
		for _, k := range x.Indexer.ListKeys(nil) {
			r, _ := x.Indexer.GetByKey(k)
			p("  store %s %d\n", t.KeyText(k), r)
		}
		for i := range x.Indexer.Indices() {
			for _, v := range x.Indexer.ValueCounts(i, nil) {
				p("  index %d %v\n", i, v)
			}
		}
		deltas, at := x.Popped()
		note, to := x.Distributing()
		p("hand %v %d %v %d\n", deltas, at, note, to)
		for i := range x.Processor.Listeners {
			l := &x.Processor.Listeners[i]
			p("listener %d %v %v %d %d slot %v hand %v %d %d %d ring %d:", i, l.Joined, l.Syncing, l.Resync, l.NextResync, l.PairAt(0).Slot, l.PairAt(0).InHand, l.PairAt(0).Started, l.PairAt(0).Duration, l.Calls, l.Ring())
			for j := range l.Pending() {
				p(" %v", l.PendingAt(j))
			}
			p("\n")
		}
		wq := &x.Work.Queue
		for i := range wq.Len() {
			p(" work %d", wq.At(i))
		}
		p(" dirty %v processing %v waiting %d sent %d %+v\n", wq.Dirty(nil, 1<<20), wq.Processing(nil, 1<<20), wq.WaitingLen(), wq.Sent(), x.Work.Workers)
	}
	return b.String()
}

// describe is a notification as text.
func describe(t *object.Table, n processor.Notification) string {
	v := func(r object.Ref) string { return t.RVText(t.RVOf(r)) }
	s := ""
	switch n.Type {
	case processor.Add:
		s = "add " + t.KeyText(n.Key) + "@" + v(n.New)
	case processor.Update:
		s = "update " + t.KeyText(n.Key) + "@" + v(n.Old) + "→" + v(n.New)
	case processor.Delete:
		s = "delete " + t.KeyText(n.Key) + "@" + v(n.Old)
		if n.Flags&event.Tombstone != 0 {
			s += " tombstone"
		}
	}
	if n.Flags&event.IsSync != 0 {
		s += " sync"
	}
	if n.Flags&event.IsInInitialList != 0 {
		s += " initial"
	}
	return s
}
