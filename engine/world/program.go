package world

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// What is done to the program itself, and to the way from the server to it.

// alter makes a handler slower, faster, or wrong.
func (w *World) alter(x *informer.Informer, c *Command) {
	e := event.Event{Kind: event.HandlerMended, Listener: int16(c.Listener)}
	switch {
	case c.Kind == PaceHandler && c.N == informer.Forever:
		e.Kind = event.HandlerBlocks
	case c.Kind == PaceHandler:
		e = event.Event{Kind: event.HandlerPaced, Listener: int16(c.Listener), N: c.N}
	case c.Kind == PanicHandler:
		e.Kind = event.HandlerPanics
	case c.Kind == BlindHandler && c.Handler.Panics:
		e.Kind = event.HandlerAsserts
	case c.Kind == BlindHandler:
		e.Kind = event.HandlerBlind
	}
	w.Log.Emit(e)
	if c.Kind == PaceHandler {
		x.PaceHandler(&w.Set, c.Listener, c.N)
		return
	}
	blind := c.Kind == BlindHandler
	x.SpoilHandler(c.Listener, blind, c.Kind == PanicHandler || blind && c.Handler.Panics)
}

// tamper does something to the watch events that are on their way to x.
func (w *World) tamper(x *informer.Informer, c *Command) {
	if c.Kind == WithholdInitialEnd {
		w.Log.Emit(event.Event{Kind: event.InitialWithheld})
		x.WithholdInitialEnd()
		return
	}
	t := apiserver.Drop + apiserver.Tamper(c.Kind-DropEvent)
	e := event.Event{Kind: event.NextDropped + event.Kind(c.Kind-DropEvent)}
	switch c.Kind {
	case DelayEvent:
		e.N = c.N
	case SpoilMeta, SpoilKind, SpoilType:
		e = event.Event{Kind: event.NextSpoilt, N: int64(event.SkipNoMeta) + int64(c.Kind-SpoilMeta)}
	}
	w.Log.Emit(e)
	x.Tamper(t, c.N)
}

// restart ends the process, as kill -9 or a panic does, and starts the same
// program again: all informers anew, with empty caches, queues and workqueues. The
// server and the clock go on. A handler that had been added by then is added
// before Run, and one that had been removed is not. One that is still to be added
// or removed keeps its time.
func (w *World) restart() {
	begin(w, 0, len(w.Informers))
	w.horizon = 0
}

// Ended returns the fact with which the process of an informer has ended in w's last step. It
// reports false if that process goes on.
func (w *World) Ended(informer int) (e event.Event, ok bool) {
	for _, e := range w.Log.Events {
		if e.Kind == event.ProcessKilled {
			return e, w.Set.SameProcess(w.Last.Informer, int16(informer))
		}
	}
	return e, false
}

// begin ends the process of some informers, and makes them anew.
func begin(w *World, from, to int) {
	w.Set.Kill(int16(from))
	for i := from; i < to; i++ {
		w.Informers[i] = informer.Again(&w.Set, w.Informers[i])
	}
}
