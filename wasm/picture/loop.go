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

// loop is the process loop with the Deltas that it has popped.
func (s *Stage) loop() link.Loop {
	st := s.w.Set.State(s.find(actor.Loop, 0))
	deltas, at := s.x.Popped()
	out := link.Loop{State: loopStates[st.PC], At: at}
	if st.Wait != actor.Ready && len(deltas) == 0 {
		out.State = link.LoopWaiting
	}
	if len(deltas) > 0 {
		out.Key = s.t.KeyText(deltas[min(at, len(deltas)-1)].Key)
		// The delta that is being applied is always among those shown.
		from := max(0, min(at-maxRowDeltas/2, len(deltas)-maxRowDeltas))
		to := min(len(deltas), from+maxRowDeltas)
		out.At -= from
		for _, d := range deltas[from:to] {
			out.Deltas = append(out.Deltas, s.deltaChip(d))
		}
	}
	return out
}
