package picture

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// server is the tape around the playback's place: what was sent and what comes.
func (s *Stage) server() link.Server {
	p := s.x.Playback()
	feed := p.Feed()
	out := link.Server{RV: s.t.RVText(p.Newest()), State: p.State().String(), Sent: int(p.Events()), Next: -1}
	n := int(p.Events())
	for i := p.Pos() - 1; i >= 0 && len(out.Tape) < s.window.Tape-upcoming; i-- {
		if r := feed.At(i); r.IsEvent() {
			out.Tape = append(out.Tape, s.tape(n, r, true))
			n--
		}
	}
	var ahead []link.Tape
	n = int(p.Events())
	for i := p.Pos(); i < feed.Len() && len(ahead) < upcoming; i++ {
		if r := feed.At(i); r.IsEvent() {
			n++
			ahead = append(ahead, s.tape(n, r, false))
		}
	}
	if len(ahead) > 0 {
		out.Next = max(0, ahead[0].At-s.w.Now())
	}
	for i, j := 0, len(ahead)-1; i < j; i, j = i+1, j-1 {
		ahead[i], ahead[j] = ahead[j], ahead[i]
	}
	out.Tape = append(ahead, out.Tape...)
	return out
}

// upcoming is how many events of the tape are shown that are still to be sent.
const upcoming = 3

func (s *Stage) tape(n int, r apiserver.Record, sent bool) link.Tape {
	letter := watchLetter(r.Delta)
	if r.Kind != apiserver.WatchEvent {
		letter = "B"
	}
	c := s.chip(letter, r.Obj)
	if c.RV == "" {
		c.RV = s.t.RVText(r.RV)
	}
	return link.Tape{N: n, Chip: c, At: r.At, Sent: sent}
}

var reflectorStates = map[actor.PC]string{
	actor.ReflectorList: "start", actor.ReflectorListed: "listing",
	actor.ReflectorReplace: "replacing", actor.ReflectorReplaces: "replacing", actor.ReflectorReplaced: "replacing",
	actor.ReflectorWatch: "opening", actor.ReflectorOpened: "opening",
	actor.ReflectorReceive: "watching", actor.ReflectorEnqueue: "enqueueing", actor.ReflectorRV: "enqueueing",
	actor.ReflectorRewatch: "backoff", actor.ReflectorBackoff: "backoff",
}

func (s *Stage) reflector() link.Reflector {
	r := &s.x.Reflector
	id := s.find(actor.Reflector, 0)
	st := s.w.Set.State(id)
	out := link.Reflector{
		State: reflectorStates[st.PC], RV: s.t.RVText(r.RV()), Lists: int(r.Lists()), Watches: int(r.Watches()),
		ResyncPeriod: s.x.ResyncPeriod(), ResyncIn: -1,
	}
	if st.Wait == actor.Stopped {
		out.State = "start"
	}
	if out.State == "backoff" {
		out.Backoff, out.BackoffLeft = r.Slept(), s.left(id)
		out.Error = s.words.Message(s.x.Playback().Pos() - 1)
	}
	switch rs := s.find(actor.Resync, 0); s.w.Set.State(rs).Wait {
	case actor.OnTimer:
		out.ResyncIn = s.left(rs)
	case actor.Stopped:
	default:
		out.ResyncIn = 0 // it is at it
	}
	if d, obj := s.x.Received(); d != event.None {
		c := s.chip(watchLetter(d), obj)
		out.Hand = &c
	} else if n := s.x.Listed(); n > 0 {
		out.Hand = &link.Chip{T: "R", N: n}
	}
	return out
}

func (s *Stage) queue() link.Queue {
	q := s.x.Queue
	n := q.Counters()
	out := link.Queue{
		Kind: s.queueKind(), Depth: q.Depth(), Populated: q.Populated(), Initial: q.InitialPopulationCount(), HasSynced: q.HasSynced(),
		Holder: s.holder(actor.FIFOLock), In: n.In, Deduped: n.Deduped, Popped: n.Popped,
	}
	for _, id := range s.x.Locks[actor.FIFOLock].Waiters() {
		out.Waiting = append(out.Waiting, s.actor(int(id)))
	}
	out.From = min(s.window.QueueFrom, max(0, q.Depth()-s.window.Queue))
	var deltas []fifo.Delta
	for i := out.From; i < q.Depth() && len(out.Rows) < s.window.Queue; i++ {
		k, _ := q.Row(i)
		deltas = q.RowDeltas(i, deltas[:0])
		row := link.Row{Key: s.t.KeyText(k), ID: s.t.KeyText(k)}
		if s.inOrder() {
			row.ID = rowID(n.Popped + int64(i))
		}
		row.Deltas, row.More = s.deltas(deltas, maxRowDeltas)
		out.Rows = append(out.Rows, row)
	}
	return out
}

// inOrder tells whether the queue is a RealFIFO.
func (s *Stage) inOrder() bool { return s.x.Config().Profile.InOrder }

func (s *Stage) queueKind() string {
	if s.inOrder() {
		return "RealFIFO"
	}
	return "DeltaFIFO"
}

// rowID names a row of a RealFIFO: delta n counted since the queue was made.
func rowID(n int64) string { return "#" + strconv.FormatInt(n, 10) }

// maxRowDeltas is how many Deltas of a key are shown; of more, the first and
// the last ones are.
const maxRowDeltas = 8

func (s *Stage) deltas(ds []fifo.Delta, limit int) (chips []link.Chip, more int) {
	for i, d := range ds {
		if len(ds) > limit && i > 0 && i < len(ds)-limit+1 {
			more++
			continue
		}
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
	return c
}

var loopStates = map[actor.PC]string{
	actor.LoopPop: "popping", actor.LoopBlock: "popping", actor.LoopStore: "storing",
	actor.LoopLock: "distributing", actor.LoopDistribute: "distributing", actor.LoopRelease: "releasing",
}

func (s *Stage) loop() link.Loop {
	st := s.w.Set.State(s.find(actor.Loop, 0))
	deltas, at := s.x.Popped()
	out := link.Loop{State: loopStates[st.PC], At: at}
	if st.Wait != actor.Ready && len(deltas) == 0 {
		out.State = "waiting"
	}
	if len(deltas) > 0 {
		out.Key = s.t.KeyText(deltas[min(at, len(deltas)-1)].Key)
		// The delta at work is always among those shown.
		from := max(0, min(at-maxRowDeltas/2, len(deltas)-maxRowDeltas))
		to := min(len(deltas), from+maxRowDeltas)
		out.At -= from
		for _, d := range deltas[from:to] {
			out.Deltas = append(out.Deltas, s.deltaChip(d))
		}
	}
	return out
}

func (s *Stage) processor() link.Processor {
	var out link.Processor
	if n, _ := s.x.Distributing(); n.Type != 0 {
		c := s.noteChip(n)
		out.Hand = &c
	}
	for i := range s.x.Processor.Listeners {
		out.Listeners = append(out.Listeners, s.listenerLane(i))
	}
	return out
}

func (s *Stage) listenerLane(i int) link.Listener {
	l, h := &s.x.Processor.Listeners[i], s.x.Config().Handlers[i]
	out := link.Listener{
		ID: i, Name: h.Name, Joined: l.Joined, Syncing: l.Syncing, Resync: l.Resync,
		Pending: l.Pending(), Ring: l.Ring(), Calls: l.Calls, Behind: l.Behind(), Feeds: h.Workqueue, Recorded: h.Took != nil,
	}
	if l.PairAt(0).Slot.Type != 0 {
		c := s.noteChip(l.PairAt(0).Slot)
		out.Slot = &c
	}
	for j := range min(l.Pending(), s.window.Pending) {
		out.Head = append(out.Head, s.noteChip(l.PendingAt(j)))
	}
	if l.PairAt(0).InHand.Type == 0 {
		return out
	}
	c := s.noteChip(l.PairAt(0).InHand)
	if s.w.Set.State(l.PairAt(0).Run).PC == actor.RunCall {
		out.NextCh = &c
		return out
	}
	out.Handler, out.Func, out.Takes = &c, l.PairAt(0).InHand.Type.String(), l.PairAt(0).Takes
	out.Took = min(l.PairAt(0).Takes, max(0, s.w.Now()-l.PairAt(0).Started))
	return out
}

func (s *Stage) work() link.Work {
	q := &s.x.Work.Queue
	n := q.Counters()
	limit := s.window.Work
	out := link.Work{
		Queued: q.Len(), DirtyLen: q.DirtyLen(), Waiting: q.WaitingLen(), Adds: n.Added, Deduped: n.Merged,
		Dirty: s.keyTexts(q.Dirty(nil, limit)), Processing: s.keyTexts(q.Processing(nil, limit)),
	}
	for i := range min(q.Len(), limit) {
		out.Queue = append(out.Queue, s.t.KeyText(q.At(i)))
	}
	for i := range min(q.WaitingLen(), limit) {
		d := q.WaitingAt(i)
		out.Delayed = append(out.Delayed, link.Delayed{Key: s.t.KeyText(d.Key), Left: max(0, d.ReadyAt-s.w.Now()), Retries: q.NumRequeues(d.Key)})
	}
	for i := range s.x.Work.Workers {
		w := &s.x.Work.Workers[i]
		v := link.Worker{ID: i, State: "waiting", Done: w.Done}
		if w.Key != 0 {
			v.State, v.Key, v.Takes = "reconciling", s.t.KeyText(w.Key), w.Takes
			if pc := s.w.Set.State(w.ID).PC; pc == actor.WorkerReconciled || pc == actor.WorkerDone {
				v.Ref, v.RV = int32(w.Obj), s.t.RVText(s.t.RVOf(w.Obj))
				v.Took = min(w.Takes, max(0, s.w.Now()-w.Started))
			}
		}
		out.Workers = append(out.Workers, v)
	}
	return out
}

func (s *Stage) keyTexts(keys []object.Key) []string {
	var out []string
	for _, k := range keys {
		out = append(out, s.t.KeyText(k))
	}
	return out
}
