package informer

import (
	"errors"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
)

// AddHandler calls AddEventHandler once more: now, or before Run if that has not been
// called yet, or at h.From.
func (x *Informer) AddHandler(s *actor.Set, h Handler) {
	cfg := *x.cfg // which other copies of the world share
	i := len(cfg.Handlers)
	h.From = max(h.From, s.Now)
	if !x.life.started {
		h.From = 0
	}
	cfg.Handlers = append(slices.Clip(cfg.Handlers), h)
	x.cfg = &cfg
	add := func(k actor.Kind) actor.ID {
		return s.ActorOf(actor.Role{Kind: k, Informer: x.index, Index: int16(i)})
	}
	x.Processor.New(h.Resync, s.Now, add(actor.Pop), add(actor.Run))
	if x.life.started {
		x.call(s, call{time: h.From, handler: int16(i)})
	}
	if h.Until > 0 && cfg.Profile.Registrations {
		x.call(s, call{time: h.Until, handler: int16(i), removes: true})
	}
}

// RemoveHandler calls RemoveEventHandler now. It does nothing for a handler that
// has not joined, and nothing before v0.26, which has no such call.
func (x *Informer) RemoveHandler(s *actor.Set, i int, log *event.Log) {
	switch {
	case !x.cfg.Profile.Registrations || i < 0 || i >= len(x.Processor.Listeners):
	case x.life.started:
		x.call(s, call{time: s.Now, handler: int16(i), removes: true})
	case x.cfg.Handlers[i].From == 0: // the handler is only left out
		x.alter(i).From = actor.Never
		x.Processor.Listeners[i].Removed = true
		log.Emit(event.Event{Kind: event.ListenerStopped, Listener: int16(i)})
	}
}

// call lets the user make another call, in the order of their times. None is made
// before Run.
func (x *Informer) call(s *actor.Set, c call) {
	if x.life.crash != nil {
		return
	}
	underWay := 0
	if x.life.started && x.user.calling(s) {
		underWay = 1
	}
	if next := x.user.insert(c, underWay); next && x.life.started {
		x.user.await(s)
	}
}

// takesBlockDeltas makes AddEventHandler and RemoveEventHandler on a running
// informer wait for the deltas being processed.
func (x *Informer) takesBlockDeltas(s *actor.Set, log *event.Log) (finished bool) {
	c := x.user.nextCall()
	if x.life.stopped && !c.removes {
		if x.cfg.Profile.Registrations {
			log.Emit(event.Event{Kind: event.CallRefused, Listener: c.handler, N: int64(event.AddHandlerStopped)})
		}
		x.user.returned(s)
		return true
	}
	if l := &x.Locks[actor.BlockDeltas]; l.Holder() != x.user.id && !s.Acquire(l, actor.BlockDeltas, x.user.id, actor.UserAdd, log) {
		return false
	}
	if l := &x.Locks[actor.ListenersLock]; x.life.returning > 0 && l.Holder() != actor.Nobody {
		s.WaitFor(l, actor.ListenersLock, x.user.id, actor.UserAdd, log)
		return false
	}
	i := int(c.handler)
	if c.removes {
		// A handle that is none of the listeners is no error.
		if x.Processor.Listeners[i].Joined {
			x.Processor.Stop(i, log)
			x.silence(s, i)
			x.Processor.Listeners[i].Removed = true
		}
		x.user.sendNext(s)
		return false
	}
	x.start(s, i, log)
	x.user.joins(s, x.Indexer.List(nil))
	return false
}

// PaceHandler lets each call of handler i that begins from now on take ns, or
// Forever, instead of what it took before. A call that lasts Forever returns now,
// unless ns is Forever again.
func (x *Informer) PaceHandler(s *actor.Set, i int, ns int64) {
	h := x.alter(i)
	h.Duration, h.DurationOf = ns, nil
	l := &x.Processor.Listeners[i]
	for j := range l.Pairs() {
		run := l.PairAt(j).Run
		if s.State(run).Wait == actor.OnCall && s.ReadyAt(run) == actor.Never && ns != Forever {
			s.Wake(run)
		}
	}
}

// SpoilHandler lets handler i be Blind, or panic, or neither, in calls that end
// from now on.
func (x *Informer) SpoilHandler(i int, blind, panics bool) {
	h := x.alter(i)
	h.Blind, h.Panics = blind, panics
}

// alter returns handler i of a configuration that no other copy of the world
// shares.
func (x *Informer) alter(i int) *Handler {
	cfg := *x.cfg
	cfg.Handlers = slices.Clone(cfg.Handlers)
	x.cfg = &cfg
	return &cfg.Handlers[i]
}

// RefuseTombstones lets the key function of the store fail for tombstones from now
// on.
func (x *Informer) RefuseTombstones() {
	cfg := *x.cfg
	cfg.RefusesTombstones = true
	x.cfg = &cfg
}

// AddIndexers adds indices while the informer runs, or is refused: after the
// stop, and before v0.30 from the start on.
func (x *Informer) AddIndexers(indexers []indexer.Named, log *event.Log) error {
	refuse := func(r event.Refusal, err error) error {
		log.Emit(event.Event{Kind: event.CallRefused, N: int64(r)})
		return err
	}
	switch {
	case x.life.stopped && x.cfg.Profile.LateIndexers:
		return refuse(event.AddIndexersLate, ErrStopped)
	case x.life.started && !x.cfg.Profile.LateIndexers:
		return refuse(event.AddIndexersLate, ErrStarted)
	}
	err := x.Indexer.AddIndexers(indexers, log)
	if errors.As(err, new(indexer.ConflictError)) {
		return refuse(event.IndexerConflict, err)
	}
	if err == nil {
		cfg := *x.cfg
		cfg.Indexers = append(slices.Clip(cfg.Indexers), indexers...)
		x.cfg = &cfg
	}
	return err
}

// Errors of calls that come too late.
var (
	ErrStarted = errors.New("informer has already started")
	ErrStopped = errors.New("it has stopped already")
)
