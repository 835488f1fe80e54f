package manager

import "github.com/informerscope/informerscope/engine/actor"

// Step lets an actor of the controllers' end make a step: a handler that feeds a queue, a worker,
// the garbage collector, or an elector. It returns the informer that the step was about, and
// whether the actor has finished what it was doing.
func (d Driver) Step(id actor.ID, pc actor.PC, role actor.Role) (about int16, finished bool) {
	switch {
	case pc == actor.RunEnqueue:
		d.handle(id, role)
		return role.Informer, false
	case pc == actor.WorkerStart:
		d.awaitCaches(id, role)
	case pc == actor.CollectorLook:
		return d.collect(id, role), true
	case pc >= actor.ElectorStart:
		d.elect(id, pc, role)
	default:
		d.runProgram(role)
		return role.Informer, false
	}
	return role.Informer, true
}
