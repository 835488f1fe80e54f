package world

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/manager"
)

// A Driver is a [World] with the right to move it: to let an actor make a step, and to do
// something from outside. It belongs to whoever made it, as a run's does to its history,
// and everybody else is given the [World].
type Driver struct{ view }

type view = World

// New returns the driver of a world before its first step. The error is what
// [informer.New] returns for one of its informers.
func New(cfg *Config) (*Driver, error) {
	d := new(Driver)
	s := &d.Set
	s.Now, s.Rand, s.Costs = cfg.Start, actor.Rand(cfg.Seed), actor.DefaultCosts
	if cfg.Costs != nil {
		s.Costs = *cfg.Costs
	}
	for i := range cfg.Informers {
		if c := &cfg.Informers[i]; c.Versions == nil { // so that all runs of cfg share them
			c.Versions = apiserver.NewVersions(c.Table)
		}
		x, err := informer.New(s, i, &cfg.Informers[i])
		if err != nil {
			return nil, err
		}
		d.Informers = append(d.Informers, x)
	}
	if cfg.Replicas > 0 {
		d.controllers().Elect(cfg.Replicas, cfg.Election)
	}
	if cfg.Collector > 0 {
		d.controllers().Collect(cfg.Collector)
	}
	return d, nil
}

// World returns the world that d moves. It is always the same one.
func (d *Driver) World() *World { return &d.view }

// controllers returns what moves the controllers' end of d's world.
func (d *Driver) controllers() manager.Driver { return manager.Driver{Manager: &d.Manager} }

// CopyFrom makes d's world equal to w, reusing memory. Both go their own ways afterwards.
func (d *Driver) CopyFrom(w *World) {
	d.Manager.CopyFrom(&w.Manager)
	d.Last, d.Returned, d.popped = w.Last, w.Returned, w.popped
	d.steps, d.horizon, d.moved, d.hands = w.steps, w.horizon, w.moved, w.hands
}

// Step moves the actor id, which must be able to, to its next visible point. The
// facts are in d.Log until the next step.
func (d *Driver) Step(id actor.ID) {
	s := &d.Set
	pc, role := s.Begin(id)
	d.Log.Reset()
	d.Log.Actor = id
	d.Last.Actor, d.Last.PC, d.Last.Informer = id, pc, role.Informer
	if pc < actor.RunEnqueue {
		d.Last.Finished = d.Informers[role.Informer].Step(s, id, pc, &d.Log)
		if pc == actor.WorkerReconciled {
			d.controllers().WriteBack(role)
		}
	} else {
		d.Last.Informer, d.Last.Finished = d.controllers().Step(id, pc, role)
	}
	if d.Election != nil {
		d.controllers().HoldUp()
	}
	d.steps++
	d.moved = true
}

// StepUntil makes steps that the default scheduler picks, until the given one is made or there is none. With
// kinds, it also stops after a step that has a fact of one of them, and reports whether it did. There
// must be no horizon.
func (d *Driver) StepUntil(step int64, kinds *event.Set) (has bool) {
	for d.steps < step && !has {
		id, ok := d.Next()
		if !ok {
			break
		}
		d.Step(id)
		has = kinds != nil && d.Log.Has(kinds)
	}
	return has
}

// ReachHorizon makes the step at which the time of a PassTime is up.
func (d *Driver) ReachHorizon() {
	d.Log.Reset()
	d.Log.Actor = actor.Nobody
	d.Set.Now, d.horizon = max(d.Set.Now, d.horizon), 0
	d.Log.Emit(event.Event{Kind: event.TimePassed, N: d.Set.Now})
	d.Last = Step{Actor: actor.Nobody, Finished: true}
	d.steps++
}

// TakeNoTime makes steps due at once, those included that were under way when steps still took
// time.
func (d *Driver) TakeNoTime() {
	d.Set.Costs = actor.Costs{}
	for id := range actor.ID(d.Set.Len()) {
		if st := d.Set.State(id); st.Wait == actor.Ready && d.Set.ReadyAt(id) != actor.Never {
			d.Set.Schedule(id, st.PC)
		}
	}
}
