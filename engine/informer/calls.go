package informer

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
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

// hash adds how far Run has come. How often it was called shows in the actors.
func (l *life) hash(h *actor.Hash) {
	h.Bools(l.waits, l.started, l.stopping, l.stopped, l.unstarted, l.crash != nil)
	h.Add(uint64(l.returning))
}

// user is whoever calls Run, and AddEventHandler and RemoveEventHandler later. It makes one
// call after another.
type user struct {
	id     actor.ID
	starts actor.ID // sharedProcessor.run, which Run calls in a goroutine, if that is apart
	calls  []call   // while the informer runs, in the order of their times; shared by copies
	next   int      // the call whose turn it is

	// What the AddEventHandler under way still sends to its handler.
	objects []object.Ref // the cache's when the handler joined, immutable
	sent    int
}

// call is AddEventHandler or RemoveEventHandler on a running informer.
type call struct {
	time    int64
	handler int16
	removes bool
}

// nextCall returns the call whose turn it is.
func (u *user) nextCall() call { return u.calls[u.next] }

// calling reports whether AddEventHandler or RemoveEventHandler is under way.
func (u *user) calling(s *actor.Set) bool {
	st := s.State(u.id)
	return st.Wait != actor.Stopped && st.Wait != actor.OnTimer
}

// insert puts a call among those to come, in the order of their times. The first skip of
// those stay before it. It reports whether the new call's turn is next.
func (u *user) insert(c call, skip int) (next bool) {
	at := u.next + skip
	for at < len(u.calls) && u.calls[at].time <= c.time {
		at++
	}
	u.calls = append(append(u.calls[:at:at], c), u.calls[at:]...)
	return at == u.next
}

// await lets the user wait for the time of the next call, or end after the last one.
func (u *user) await(s *actor.Set) {
	if u.next == len(u.calls) {
		s.Stop(u.id)
		return
	}
	s.Sleep(u.id, actor.UserAdd, actor.OnTimer, u.nextCall().time)
}

// returned ends the call under way.
func (u *user) returned(s *actor.Set) {
	u.objects, u.sent = nil, 0
	u.next++
	u.await(s)
}

// joins notes what the cache holds now that the call's handler joins.
func (u *user) joins(s *actor.Set, objects []object.Ref) {
	u.objects, u.sent = objects, 0
	u.sendNext(s)
}

// send returns the next object that the handler gets of what the cache held.
func (u *user) send(s *actor.Set) object.Ref {
	o := u.objects[u.sent]
	u.sent++
	u.sendNext(s)
	return o
}

// sendNext lets the user send the next object, or release the lock after the last one.
func (u *user) sendNext(s *actor.Set) {
	if u.sent < len(u.objects) {
		s.Schedule(u.id, actor.UserInitial)
	} else {
		s.Schedule(u.id, actor.UserReleases)
	}
}

// sendsTo reports whether handler i is still to get what the cache held when it joined.
func (u *user) sendsTo(i int) bool { return u.sent < len(u.objects) && int(u.nextCall().handler) == i }

func (u *user) hash(h *actor.Hash) {
	h.Add(uint64(u.next)<<32 | uint64(len(u.calls)))
	h.Add(uint64(u.sent))
	actor.HashAll(h, u.objects)
}
