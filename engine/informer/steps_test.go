package informer

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
)

// TestPrograms: each program counter has a step, except where an actor only waits for
// another one to send.
func TestPrograms(t *testing.T) {
	receives := map[actor.PC]bool{actor.None: true, actor.PopReceive: true, actor.RunReceive: true, actor.DelayingReceive: true, actor.WorkerReceive: true}
	for pc := range actor.RunEnqueue { // the world plays those from there on
		if does := singleProgram[pc] != nil; does == receives[pc] {
			t.Errorf("%s has a step: %v", pc, does)
		}
	}
}
