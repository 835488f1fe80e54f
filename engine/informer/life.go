package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

// life is how far the informer's Run has come, and what the process died of.
type life struct {
	waits     bool  // for the factory's Start, or until the process leads
	started   bool  // Run was called, and its goroutines run
	stopping  bool  // the stop channel is closed
	stopped   bool  // controller.Run has returned
	returning int8  // calls of Run that only wait for handlers to return
	unstarted bool  // Run was called, and the listeners' goroutines don't run yet
	runs      int16 // calls of Run, those included that have not begun
	crash     error // the process has died of it
}

func newLife(cfg *Config) life { return life{waits: cfg.Factory || cfg.Elected, runs: 1} }

// factoryStarts is the factory's Start. It reports whether Run waited for it.
func (l *life) factoryStarts() bool {
	waited := l.waits
	l.waits = false
	return waited
}

// again returns the number of a further call of Run.
func (l *life) again() int16 {
	l.runs++
	return l.runs - 1
}

// begin is Run setting started.
func (l *life) begin() { l.started = true }

// stop closes the stop channel. Where there is none to close any more, it returns why.
func (l *life) stop() event.Cause {
	switch {
	case l.crash != nil:
		return event.AlreadyDead
	case l.stopping:
		return event.AlreadyStopped
	}
	l.stopping = true
	return event.NoCause
}

// end is controller.Run returning.
func (l *life) end() { l.stopped = true }

// waitForHandlers lets a call of Run wait for the handlers that are in a call.
func (l *life) waitForHandlers() { l.returning++ }

// returned lets the calls of Run return that wait for handlers, and says how many they were.
func (l *life) returned() int8 {
	n := l.returning
	l.returning = 0
	return n
}

// die ends the process with an error.
func (l *life) die(err error) { l.crash = err }

// hash adds how far Run has come. How often it was called shows in the actors.
func (l *life) hash(h *actor.Hash) {
	h.Bools(l.waits, l.started, l.stopping, l.stopped, l.unstarted, l.crash != nil)
	h.Add(uint64(l.returning))
}
