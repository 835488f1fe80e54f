package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Tamper is what somebody does to watch events on their way to the client: to the next event that tells
// of a change, or to bookmarks. Each has a row in effects.
type Tamper uint8

const (
	Drop               Tamper = iota + 1 // it never arrives
	Delay                                // it arrives n nanoseconds later, and so does everything behind it
	Duplicate                            // it arrives twice
	Swap                                 // it arrives right after whatever comes next on the stream
	LoseMeta                             // it arrives without metadata
	MixKind                              // it arrives with an object of another kind
	MixType                              // it arrives with a type that is not known
	WithholdInitialEnd                   // the next bookmark that ends initial events never arrives
	DropBookmarks                        // of the bookmarks that tell of progress, every n-th never arrives; 0 for none of them

	NumTampers
)

// Effect is what a [Tamper] does. The machine's Connection and a real one both follow it.
type Effect struct {
	Bookmarks bool    // it is done to bookmarks, which Tampering.LosesBookmark decides about
	Lost      bool    // the event does not arrive when it comes
	Holding   Holding // until when it, or another copy of it, is held back; 0 if it isn't
	Spoilt    Spoil   // what is wrong with the event that arrives
}

// Holding says until when an event is held back.
type Holding uint8

const (
	HeldForNone Holding = iota + 1 // not at all: it arrives right away
	HeldForDelay
	HeldForNext // until another event has come
)

// Spoil says what is wrong with an event that arrives.
type Spoil uint8

const (
	NoMetadata Spoil = iota + 1
	WrongKind
	UnknownType
)

var effects = [NumTampers]Effect{
	Drop:               {Lost: true},
	Delay:              {Lost: true, Holding: HeldForDelay},
	Duplicate:          {Holding: HeldForNone},
	Swap:               {Lost: true, Holding: HeldForNext},
	LoseMeta:           {Spoilt: NoMetadata},
	MixKind:            {Spoilt: WrongKind},
	MixType:            {Spoilt: UnknownType},
	WithholdInitialEnd: {Bookmarks: true},
	DropBookmarks:      {Bookmarks: true},
}

// Effect returns what t does. The Effect of 0 is that the event arrives as it is.
func (t Tamper) Effect() Effect { return effects[t] }

// Tampering is what is going to happen to watch events on their way. The machine's Connection and a
// real one are told what to do by the same one.
type Tampering struct {
	next     Tamper // what happens to the next event that tells of a change; 0 for nothing
	delay    int64  // of Delay, ns
	withhold bool
	period   int64 // of DropBookmarks
	passed   int64 // how many bookmarks have arrived since one was lost
}

// Tamper does something from now on, on this watch or on a later one. What n means depends on t.
func (w *Tampering) Tamper(t Tamper, n int64) {
	switch t {
	case WithholdInitialEnd:
		w.withhold = true
	case DropBookmarks:
		w.period, w.passed = n, 0
	default:
		w.next, w.delay = t, n
	}
}

// Next returns what happens to the next event that tells of a change, 0 for nothing.
func (w *Tampering) Next() Tamper { return w.next }

// TakeNext returns what happens to an event that tells of a change and has come now, 0 for nothing,
// and how long a Delay lasts, in nanoseconds.
func (w *Tampering) TakeNext() (t Tamper, delay int64) {
	t, w.next = w.next, 0
	return t, w.delay
}

// WithholdsInitialEnd reports whether the next bookmark that ends initial events is lost.
func (w *Tampering) WithholdsInitialEnd() bool { return w.withhold }

// DropsBookmarks returns n if each n-th bookmark is lost, and 0 if none is.
func (w *Tampering) DropsBookmarks() int64 { return w.period }

// LosesBookmark reports whether the bookmark that has come now is lost. End tells whether it ends
// initial events.
func (w *Tampering) LosesBookmark(end bool) (lost bool) {
	switch {
	case end:
		lost, w.withhold = w.withhold, false
	case w.period > 0:
		w.passed++
		if lost = w.passed >= w.period; lost {
			w.passed = 0
		}
	}
	return lost
}

// Connection carries watch events from a server to its client. Usually nothing happens
// to them there. TCP neither loses nor reorders anything on one connection, so what can
// be done here stands for proxies, caches and servers with a defect.
type Connection struct {
	Tampering

	delayed Answer // an event that has not arrived yet; its Answer is 0 if there is none
	due     int64  // when it arrives; actor.Never before something has come after it
}

// Clear loses the events that are on their way, because their connection is gone.
func (w *Connection) Clear() { w.delayed, w.due = Answer{}, 0 }

// InFlight reports whether something is on its way that will arrive by itself.
func (w *Connection) InFlight() bool { return w.delayed.Answer != 0 && w.due != actor.Never }

// Due returns what [Server.Due] returns, with what is on its way.
func (w *Connection) Due(s Server) (at int64, ok bool) {
	if w.InFlight() {
		return w.due, true
	}
	return s.Due()
}

// Untouched reports whether nothing is on its way, and nothing happens to what comes next.
func (w *Connection) Untouched() bool {
	return w.next == 0 && !w.withhold && w.period == 0 && w.delayed.Answer == 0
}

// Take does what [Server.Take] does at the time now. What comes may be Lost or Delayed, and then the
// client sees nothing of it.
func (w *Connection) Take(s Server, now int64) Answer {
	if w.InFlight() {
		a := w.delayed
		w.Clear()
		return a
	}
	a := s.Take()
	if a.Answer != Event || a.Delta == event.Error {
		w.Clear()
		return a
	}
	if w.delayed.Answer != 0 {
		w.due = now
	}
	switch {
	case a.Kind == InitialEnd || a.Kind == WatchBookmark:
		if w.LosesBookmark(a.Kind == InitialEnd) {
			a.Answer = Lost
		}
	case a.Kind == WatchEvent && a.Obj != 0 && w.delayed.Answer == 0:
		w.tamper(&a, now)
	}
	return a
}

// tamper does what happens to an event that tells of a change.
func (w *Connection) tamper(a *Answer, now int64) {
	t, delay := w.TakeNext()
	e := t.Effect()
	switch e.Holding {
	case HeldForNone:
		w.delayed, w.due = *a, now
	case HeldForDelay:
		w.delayed, w.due = *a, actor.After(now, delay)
	case HeldForNext:
		w.delayed, w.due = *a, actor.Never
	}
	switch {
	case e.Lost && e.Holding != 0:
		a.Answer = Delayed
	case e.Lost:
		a.Answer = Lost
	}
	switch e.Spoilt {
	case NoMetadata:
		a.Obj = 0
	case WrongKind:
		a.Failure = OtherKind
	case UnknownType:
		a.Delta = event.Unknown
	}
}

// Hash adds what is on its way, and what is going to happen there, at the time now.
func (w *Connection) Hash(h *actor.Hash, now int64) {
	h.Add(uint64(w.next)<<8 | uint64(w.delayed.Answer)<<16 | uint64(uint32(w.delayed.Obj))<<32)
	h.Bool(w.withhold)
	if w.period != 0 {
		h.Add(uint64(w.period))
		h.Add(uint64(w.passed))
	}
	if w.next == Delay {
		h.Add(uint64(w.delay))
	}
	if w.delayed.Answer != 0 {
		h.Add(uint64(w.delayed.RV))
		h.Due(w.due, now)
	}
}

// Mark adds the object of the event that is on its way.
func (w *Connection) Mark(live *object.Live) { live.Ref(w.delayed.Obj) }
