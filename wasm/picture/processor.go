package picture

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// processor returns the notification being distributed, and a lane for each listener.
func (s *Stage) processor() link.Processor {
	out := link.Processor{Removes: s.x.Config().Profile.Registrations}
	if n, _ := s.x.Distributing(); n.Type != 0 {
		c := s.noteChip(n)
		out.Hand = &c
	}
	for i := range s.x.Processor.Listeners {
		out.Listeners = append(out.Listeners, s.listenerLane(i))
	}
	out.Printed = printed(s.x, s.t)
	return out
}

func (s *Stage) listenerLane(i int) link.Listener {
	l, h := &s.x.Processor.Listeners[i], s.x.Config().Handlers[i]
	out := link.Listener{
		ID: i, Name: h.Name, Joined: l.Joined && (crashed(s.w, s.x) || s.w.Set.State(l.PairAt(0).Run).Wait != actor.Stopped), Syncing: l.Syncing, Resync: l.Resync,
		Pending: l.Pending(), Ring: l.Ring(), Calls: l.Calls, Behind: l.Backlog(), Feeds: h.Workqueue, Recorded: h.DurationOf != nil, Unknown: timeline.IsImplicit(&h),
		Fault: fault(&h), EndState: leaveReason(s.w, s.x, l),
	}
	if !out.Recorded {
		out.Pace = h.Duration
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
	out.Handler, out.Func, out.Duration = &c, l.PairAt(0).InHand.Type.String(), l.PairAt(0).Duration
	out.Elapsed = min(l.PairAt(0).Duration, max(0, s.w.Now()-l.PairAt(0).Started))
	return out
}

// leaveReason returns why a listener takes no notifications any more, "" if it does or may still join.
func leaveReason(w *world.World, x *informer.Informer, l *processor.Listener) string {
	switch {
	case crashed(w, x):
		return link.StateCrashed
	case l.Joined:
	case l.Removed:
		return link.StateRemoved
	case x.Stopped():
		return link.StateStopped
	}
	return ""
}

func fault(h *informer.Handler) string {
	switch {
	case h.Blind && h.Panics:
		return link.FaultAsserts
	case h.Blind:
		return link.FaultBlind
	case h.Panics:
		return link.FaultPanics
	case h.Duration == informer.Forever:
		return link.FaultBlocks
	}
	return ""
}
