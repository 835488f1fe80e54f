package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// AnswerKind says what came over the wire.
type AnswerKind uint8

const (
	Listed AnswerKind = iota + 1 // List, RV, Pages
	ListFailed
	Opened
	OpenFailed
	Event  // N: its number among the feed's watch events, from 1
	Closed // the stream ended
	Lost   // an Event was lost on its way: see Way
	Held   // an Event is held back on its way
)

// Answer is what came over the wire.
type Answer struct {
	Record
	Answer   AnswerKind
	N        int64
	List     []object.Ref // immutable
	Continue object.Sym   // Listed: where the next page begins, 0 after the last. A recording's pages come as one list
}

// The states of the connection, for the view.
type State uint8

const (
	Idle State = iota
	Listing
	Opening
	Open
)

func (s State) String() string { return [...]string{"idle", "listing", "opening", "open"}[s] }

// latency is how long an answer takes that was not recorded, in nanoseconds.
const latency = 5_000_000

// late is by how much a request must come later than the recorded client's, in
// nanoseconds, to get no failure that was over by then.
const late = 1_000_000_000

// streamingGuess is how many Added events in a row, without a list before them,
// are looked through for the bookmark that makes them a streaming list, where
// the recording doesn't say whether it was one.
const streamingGuess = 1000

// Playback is an API server made of a recording. The recording was made by
// somebody else's list and watch, and this reflector may ask for something else
// than that client did. It is answered all the same:
//
//   - what was recorded as the answer to such a request is the answer, when it
//     was recorded or at once if that is past;
//   - a list, where the recording goes on with a watch, is made of what the
//     events so far amount to. Where the recording begins with a watch, that is
//     the objects up to the end of its initial events if it has such, or else
//     nothing: then all of it arrives as events;
//   - a watch, where the recording goes on with a list, opens, stays silent, and
//     ends with an error (ListedAnew) when that list was recorded. The error has no
//     code, because the recording doesn't say why its client listed again;
//   - a streaming list gets what a list would have got, as initial events, where
//     none was recorded; and where one was, a list is made of its initial events;
//   - a request that comes more than a second after the recorded client had asked
//     again, because this one waited longer, gets none of the failures before that;
//   - a list that was never answered is not answered;
//   - a watch that the recorded client ended, and asked for nothing more, stays silent:
//     the server did not end it;
//   - after the recording's end lists are answered and watches stay silent. If the
//     last that was recorded is a request that failed, nothing is answered.
type Playback struct {
	rec      recording
	versions *Versions // of objects that are written once it goes on as a simulated server
	pos      int       // the next record
	events   int64     // how many of the feed's watch events are before pos
	newest   object.RV // that was sent
	asked    int64     // when the pending request was made
	state    State
	began    bool // a list was answered
	cut      bool // the connection was broken by a command
	failed   int  // the record of the last answer, counted from 1, if that was a recorded error; otherwise 0

	streams   bool    // the request is for a streaming list
	initial   initial // events that were not recorded as such
	converted bool    // see View
}

// NewPlayback returns a server that answers from feed. versions are what is
// written once it goes on as a simulated server: see GoOn.
func NewPlayback(table *object.Table, feed Feed, versions *Versions) *Playback {
	return &Playback{rec: recording{feed: feed, table: table}, versions: versions}
}

// List asks for a list at the time now.
func (p *Playback) List(_ object.ListOptions, now int64) { p.ask(Listing, false, now) }

// Watch asks for a watch at the time now.
func (p *Playback) Watch(o object.ListOptions, now int64) { p.ask(Opening, o.SendInitialEvents, now) }

func (p *Playback) ask(s State, streams bool, now int64) {
	p.state, p.asked, p.cut, p.streams, p.initial, p.converted = s, now, false, streams, initial{}, false
}

// Hangup stops the watch from the client's side.
func (p *Playback) Hangup() { p.state, p.initial = Idle, initial{} }

// Cut breaks an open watch: the client sees its end at once.
func (p *Playback) Cut() { p.cut = p.state == Open }

// State tells what the connection does.
func (p *Playback) State() State { return p.state }

// Pos is the number of the record that comes next.
func (p *Playback) Pos() int { return p.pos }

// Newest is the resourceVersion last sent.
func (p *Playback) Newest() object.RV { return p.newest }

// NextRequest is when the recorded client sent its next request, after an answer
// that made it send one; ok is false if it sent none.
func (p *Playback) NextRequest() (at int64, ok bool) {
	at, _ = p.rec.nextRequest(p.pos)
	return at, at != actor.Never
}

// Feed returns the recording.
func (p *Playback) Feed() Feed { return p.rec.feed }

// Due returns when the pending answer arrives, or the next thing on an open
// stream: actor.Never if nothing will. ok is false when that depends on what
// has not been read of the recording yet; then nothing arrives before at.
func (p *Playback) Due() (at int64, ok bool) {
	if r, ok := p.nextEvent(); ok {
		return r.At, r.Delta != event.Error || p.rec.foreseen(p.pos+1)
	}
	n := p.plan()
	switch a := n.answer; {
	case a.Answer == ListFailed, a.Answer == OpenFailed, a.Answer == Closed, a.Delta == event.Error:
		n.ok = n.ok && p.rec.foreseen(n.next)
	}
	if !n.ok {
		return min(n.at, p.rec.feed.Now()), false
	}
	return n.at, true
}

// Take returns what Due announced.
func (p *Playback) Take() Answer {
	if p.initial.sending && !p.cut {
		return p.nextInitial()
	}
	if r, ok := p.nextEvent(); ok {
		p.pos++
		p.events++
		if r.RV != 0 {
			p.newest = r.RV
		}
		if r.Delta == event.Error {
			p.failed = p.pos
		}
		return Answer{Answer: Event, Record: r, N: p.events}
	}
	n := p.plan()
	a := n.answer
	p.failed = 0
	if a.Failure != NoFailure && n.next > 0 && p.rec.feed.At(n.next-1) == a.Record {
		p.failed = n.next
	}
	if n.list != nil {
		a.List = n.list(&p.rec, n)
	}
	p.converted = n.whole && p.streams == (a.Kind == ListEnd)
	if p.streams && a.Answer == Listed {
		p.initial = initial{sending: true, list: a.List, rv: a.RV, at: n.at}
		a = Answer{Answer: Opened}
	}
	p.advance(n.next)
	a.N = p.events
	switch a.Answer {
	case Listed:
		p.state, p.began, p.newest = Idle, true, a.RV
	case Opened:
		p.state = Open
	case ListFailed, OpenFailed, Closed:
		p.state, p.cut = Idle, false
	}
	return a
}

// nextEvent is the usual case of plan: the watch is open, and the next record
// is an event on it. It is a function of its own because it runs most often.
func (p *Playback) nextEvent() (Record, bool) {
	if p.state != Open || p.cut || p.initial.sending || p.pos >= p.rec.feed.Len() {
		return Record{}, false
	}
	r := p.rec.feed.At(p.pos)
	return r, r.IsEvent()
}

// advance moves on to the record next, counting what it passes.
func (p *Playback) advance(next int) {
	for ; p.pos < next; p.pos++ {
		if r := p.rec.feed.At(p.pos); r.IsEvent() {
			p.events++
			if r.RV != 0 {
				p.newest = r.RV
			}
		}
	}
}

// IsEvent tells whether the record is one line of a watch stream.
func (r Record) IsEvent() bool {
	return r.Kind == WatchEvent || r.Kind == WatchBookmark || r.Kind == InitialEnd
}
