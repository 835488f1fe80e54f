package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Tamper is what somebody does to the next watch event that tells of a change, on
// its way to the client.
type Tamper uint8

const (
	Drop      Tamper = iota + 1 // it never arrives
	Delay                       // it arrives later, and so does everything behind it
	Duplicate                   // it arrives twice
	Swap                        // it arrives right after whatever comes next on the stream
	LoseMeta                    // it arrives without metadata
	MixKind                     // it arrives with an object of another kind
	MixType                     // it arrives with a type that is not known
)

// Way is the way of watch events from a server to its client. Usually nothing
// happens to them there. TCP neither loses nor reorders anything on one connection,
// so what can be done here stands for proxies, caches and servers with a defect.
type Connection struct {
	next     Tamper // what happens to the next event that tells of a change; 0 for nothing
	delay    int64  // of Delay, ns
	withhold bool   // the next bookmark that ends initial events is lost

	held Answer // an event that has not arrived yet; its Answer is 0 if there is none
	due  int64  // when it arrives; actor.Never before something has come after it
}

// Tamper does something to the next event that tells of a change, on this watch or
// on a later one. d is how long a Delay lasts, in nanoseconds.
func (w *Connection) Tamper(t Tamper, d int64) { w.next, w.delay = t, d }

// Withhold loses the next bookmark that ends initial events.
func (w *Connection) WithholdInitialEnd() { w.withhold = true }

// Next is what happens to the next event that tells of a change, 0 for nothing.
func (w *Connection) Next() Tamper { return w.next }

// Withholds tells whether the next bookmark that ends initial events is lost.
func (w *Connection) WithholdsInitialEnd() bool { return w.withhold }

// Clear loses the events that are on their way, because their connection is gone.
func (w *Connection) Clear() { w.held, w.due = Answer{}, 0 }

// Holds tells whether something is on its way that will arrive by itself.
func (w *Connection) Holds() bool { return w.held.Answer != 0 && w.due != actor.Never }

// Due is Server.Due, with what is on its way.
func (w *Connection) Due(s Server) (at int64, ok bool) {
	if w.Holds() {
		return w.due, true
	}
	return s.Due()
}

// Untouched reports whether nothing is on its way, and nothing happens to what comes next.
func (w *Connection) Untouched() bool { return w.next == 0 && w.held.Answer == 0 && !w.withhold }

// Take is Server.Take at the time now. What comes may be Lost or Held, and then the
// client sees nothing of it.
func (w *Connection) Take(s Server, now int64) Answer {
	if w.Holds() {
		a := w.held
		w.Clear()
		return a
	}
	a := s.Take()
	if a.Answer != Event || a.Delta == event.Error {
		w.Clear()
		return a
	}
	if w.held.Answer != 0 {
		w.due = now
	}
	switch tells := a.Kind == WatchEvent && a.Obj != 0; {
	case w.withhold && a.Kind == InitialEnd:
		w.withhold = false
		a.Answer = Lost
	case w.next == 0 || !tells || w.held.Answer != 0:
	case w.next == Drop:
		w.next = 0
		a.Answer = Lost
	case w.next == Duplicate:
		w.next, w.held, w.due = 0, a, now
	case w.next >= LoseMeta:
		switch w.next {
		case LoseMeta:
			a.Obj = 0
		case MixKind:
			a.Failure = OtherKind
		default:
			a.Delta = event.Unknown
		}
		w.next = 0
	default:
		w.held, w.due = a, actor.Never
		if w.next == Delay {
			w.due = actor.After(now, w.delay)
		}
		w.next = 0
		a.Answer = Held
	}
	return a
}

// Hash adds what is on its way, and what is going to happen there, at the time now.
func (w *Connection) Hash(h *actor.Hash, now int64) {
	h.Add(uint64(w.next)<<8 | uint64(w.held.Answer)<<16 | uint64(uint32(w.held.Obj))<<32)
	h.Bool(w.withhold)
	if w.next == Delay {
		h.Add(uint64(w.delay))
	}
	if w.held.Answer != 0 {
		h.Add(uint64(w.held.RV))
		h.Due(w.due, now)
	}
}

// Mark adds the object of the event that is on its way.
func (w *Connection) Mark(live *object.Live) { live.Ref(w.held.Obj) }
