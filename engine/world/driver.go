package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// A Driver is a World with the right to move it: to let an actor make a step, and to do
// something from outside. It belongs to whoever made it, as a run's does to its history,
// and everybody else is given the World.
type Driver struct{ view }

type view = World

// World returns the world that d moves. It is always the same one.
func (d *Driver) World() *World { return &d.view }

// CopyFrom makes d's world equal to w, reusing memory. Both go their own ways afterwards.
func (d *Driver) CopyFrom(w *World) { d.copyFrom(w) }

// Step moves the actor id, which must be able to move, to its next visible point. The facts
// are in the world's Log until the next step.
func (d *Driver) Step(id actor.ID) { d.step(id) }

// StepUntil makes steps that the default scheduler picks, until the given one is made or there
// is none. With kinds, it also stops after a step that has a fact of one of them, and reports
// whether it did. There must be no horizon.
func (d *Driver) StepUntil(step int64, kinds *event.Set) (has bool) { return d.runTo(step, kinds) }

// Do carries out a command as one step. It reports false, and nothing has changed, if there
// is nothing to do.
func (d *Driver) Do(c *Command) bool { return d.do(c) }

// ReachHorizon makes the step at which the time of a PassTime is up.
func (d *Driver) ReachHorizon() { d.timePassed() }

// TakeNoTime makes steps due at once from now on, those that are under way included. Only
// waiting takes time then.
func (d *Driver) TakeNoTime() { d.takeNoTime() }
