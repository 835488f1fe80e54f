package picture

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/wasm/link"
)

// queue returns the window over the queue, oldest first, and who holds its lock.
func (s *Stage) queue() link.Queue {
	q := s.x.Queue
	n := q.Counters()
	out := link.Queue{
		Kind: queueKind(s.x), Depth: q.Depth(), Populated: q.Populated(), Initial: q.InitialPopulationCount(), HasSynced: q.HasSynced(),
		Holder: s.holder(actor.FIFOLock), In: n.In, Deduped: n.Deduped, Popped: n.Popped,
	}
	for _, id := range s.x.Locks[actor.FIFOLock].Waiters() {
		out.Waiting = append(out.Waiting, s.actor(id))
	}
	out.From = min(s.window.QueueFrom, max(0, q.Depth()-s.window.Queue))
	var deltas []fifo.Delta
	for i := out.From; i < q.Depth() && len(out.Rows) < s.window.Queue; i++ {
		k, _ := q.Row(i)
		deltas = q.RowDeltas(i, deltas[:0])
		row := link.Row{Key: s.t.KeyText(k), ID: s.t.KeyText(k)}
		if s.inOrder() {
			row.ID = link.RowID(n.Popped + int64(i))
		}
		row.Deltas, row.More = s.deltas(deltas, maxRowDeltas)
		out.Rows = append(out.Rows, row)
	}
	return out
}

// inOrder reports whether the queue is a RealFIFO.
func (s *Stage) inOrder() bool { return s.x.Config().Profile.InOrder }

func queueKind(x *informer.Informer) string {
	if x.Config().Profile.InOrder {
		return link.RealFIFO
	}
	return link.DeltaFIFO
}

// maxRowDeltas is how many Deltas of a key are shown, the newest ones.
const maxRowDeltas = 8

func (s *Stage) deltas(ds []fifo.Delta, limit int) (chips []link.Chip, more int) {
	more = max(0, len(ds)-limit)
	for _, d := range ds[more:] {
		chips = append(chips, s.deltaChip(d))
	}
	return chips, more
}

func (s *Stage) deltaChip(d fifo.Delta) link.Chip {
	c := s.chip(deltaLetter(d.Type), d.Obj)
	c.Key, c.Tomb = s.t.KeyText(d.Key), d.Tomb > 0
	if d.List != 0 {
		refs, rv := s.x.Queue.List(d)
		c.N, c.RV = len(refs), s.t.RVText(rv)
	}
	name(&c, d.Type, s.x.Indexer.Len())
	return c
}

// name names a delta that stands for several objects. A SyncAll carries none. It stands
// for those that the cache holds when it is processed.
func name(c *link.Chip, d event.Delta, cached int) {
	switch d {
	case event.ReplacedAll:
		c.Name = link.NameReplacedAll
	case event.SyncAll:
		c.Name, c.N = link.NameSyncAll, cached
	}
}
