package picture

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/wasm/link"
)

// loopStates are the names of what the process loop does, by its program counter.
var loopStates = map[actor.PC]string{
	actor.LoopPop: link.LoopPopping, actor.LoopBlock: link.LoopPopping, actor.LoopStore: link.LoopStoring,
	actor.LoopLock: link.LoopDistributing, actor.LoopDistribute: link.LoopDistributing, actor.LoopRelease: link.LoopReleasing,
}

// batchRows is how many deltas of a batch are shown.
const batchRows = 3

// loop returns the process loop with the Deltas that it has popped.
func (s *Stage) loop() link.Loop {
	st := s.w.Set.State(find(s.w, s.x, actor.Loop, 0))
	deltas, at := s.x.Popped()
	out := link.Loop{State: loopStates[st.PC], Batch: s.x.Config().Profile.Batch, Total: len(deltas), Current: at}
	switch {
	case st.Wait == actor.Stopped:
		out.State = idleState(s.w, s.x)
	case st.Wait != actor.Ready && len(deltas) == 0:
		out.State = link.LoopWaiting
	}
	if len(deltas) > 0 {
		room := maxRowDeltas
		if out.Batch {
			room = batchRows
		} else {
			out.Key = s.t.KeyText(deltas[0].Key)
		}
		// The delta that is being applied is always among those shown.
		out.From = max(0, min(at-room/2, len(deltas)-room))
		for _, d := range deltas[out.From:min(len(deltas), out.From+room)] {
			out.Deltas = append(out.Deltas, s.deltaChip(d))
		}
	}
	return out
}
