package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// latency is how long an answer takes that was not recorded, in nanoseconds.
const latency = 5_000_000

// minDelayAfterFailure is by how much a request must come later than the recorded client's, in
// nanoseconds, to get no failure that was over by then.
const minDelayAfterFailure = 1_000_000_000

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
// written once it goes on as a simulated server: see Continue.
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

// Pos returns the number of the record that comes next.
func (p *Playback) Pos() int { return p.pos }

// Newest returns the resourceVersion last sent.
func (p *Playback) Newest() object.RV { return p.newest }

// NextRequest returns when the recorded client sent its next request, after an answer
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
		return r.Time, r.Delta != event.Error || p.rec.foreseen(p.pos+1)
	}
	n := p.plan()
	switch a := n.answer; {
	case a.Answer == ListFailed, a.Answer == OpenFailed, a.Answer == Closed, a.Delta == event.Error:
		n.ok = n.ok && p.rec.foreseen(n.next)
	}
	if !n.ok {
		return min(n.time, p.rec.feed.Now()), false
	}
	return n.time, true
}

// Take returns what [Playback.Due] announced.
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
		p.initial = initial{sending: true, list: a.List, rv: a.RV, time: n.time}
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

// nextEvent handles the usual case of plan: the watch is open, and the next record
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

// IsEvent reports whether the record is one line of a watch stream.
func (r Record) IsEvent() bool {
	return r.Kind == WatchEvent || r.Kind == WatchBookmark || r.Kind == InitialEnd
}

// CopyTo makes dst, if it is a [Playback], equal to p, or else a new one.
func (p *Playback) CopyTo(dst Server) Server {
	c, ok := dst.(*Playback)
	if !ok {
		c = new(Playback)
	}
	scratch := c.rec.scratch
	*c = *p
	c.rec.scratch = scratch
	return c
}

// KnownUntil returns the time up to which the recording has been read.
func (p *Playback) KnownUntil() int64 { return p.rec.feed.Now() }

// Retried reports whether the recording was made above rest.Request.
func (p *Playback) Retried() bool { return p.rec.feed.Retried() }

// Quiet reports false: nothing can be written to a recording.
func (p *Playback) Quiet() bool { return false }

// Dial returns a playback of the same recording from its beginning. The
// recording is of one connection, so a later client gets everything that is
// past at once.
func (p *Playback) Dial() Server { return NewPlayback(p.rec.table, p.rec.feed, p.versions) }

// View describes the server to an observer, with up to past and coming watch events on either side.
func (p *Playback) View(past, coming int) View {
	v := View{
		Recorded: true, State: p.state, Due: actor.Never,
		Sent: p.events, Total: p.rec.feed.Events(), Newest: p.newest, Objects: -1, Played: p.pos, Converted: p.converted,
	}
	if at, ok := p.Due(); ok {
		v.Due = at
	}
	v.Amid, v.Cut = p.initial.sending, p.cut
	if p.state == Open && !v.Amid {
		_, _, v.Amid = p.rec.streamed(p.pos)
	}
	if p.failed > 0 {
		v.Message = p.rec.feed.Message(p.failed - 1)
	}
	past = min(past, TapeLen)
	n := p.events
	for i := p.pos - 1; i >= 0 && (len(v.Recent) < past || v.Latest == 0); i-- {
		r := p.rec.feed.At(i)
		if v.Latest == 0 {
			v.Latest = r.Obj
		}
		if r.IsEvent() && len(v.Recent) < past {
			v.Recent = append(v.Recent, Sent{r, n})
			n--
		}
	}
	n = p.events
	for i := p.pos; i < p.rec.feed.Len() && len(v.Coming) < coming; i++ {
		switch r := p.rec.feed.At(i); {
		case r.IsEvent():
			n++
			v.Coming = append(v.Coming, Sent{r, n})
		case len(v.Coming) > 0:
		case r.Kind == ListBegin, r.Kind == ListError:
			v.List = ComingList{}
		case r.Kind == ListItem:
			v.List.N++
		case r.Kind == ListEnd:
			v.List.OK, v.List.RV, v.List.Time = true, r.RV, r.Time
		}
	}
	return v
}

// Hash adds what is still to come of the recording at the time now.
func (p *Playback) Hash(h *actor.Hash, now int64) {
	h.Add(uint64(p.pos))
	h.Add(uint64(p.newest))
	h.Bools(p.began, p.cut)
	h.Add(uint64(p.state))
	if p.state == Listing || p.state == Opening {
		h.Since(p.asked, now, longAgo)
	}
}

// longAgo is how far back a request may be to make a difference. A request from
// before that has given up waiting.
const longAgo = 2 * freshWait

// plan is the next answer: when, what, and which record comes after it.
type plan struct {
	time   int64
	ok     bool
	next   int
	answer Answer
	list   func(*recording, plan) []object.Ref
	from   int  // the records that list is made of: from there to next, or all before
	whole  bool // the list was recorded as one
}

func (p *Playback) plan() plan {
	switch p.state {
	case Listing:
		return p.planList()
	case Opening:
		if p.streams {
			return p.planStreaming()
		}
		return p.planOpen()
	case Open:
		return p.planStream()
	}
	return plan{time: actor.Never, ok: true, next: p.pos}
}

func (p *Playback) planStream() plan {
	if p.cut {
		return plan{time: p.asked, ok: true, next: p.pos, answer: Answer{Answer: Closed, Record: Record{Kind: WatchEnd, Failure: Reset}}}
	}
	if p.initial.sending {
		return plan{time: p.initial.time, ok: true, next: p.pos}
	}
	for i := p.pos; i < p.rec.feed.Len(); i++ {
		r := p.rec.feed.At(i)
		switch r.Kind {
		case WatchEvent, WatchBookmark, InitialEnd: // after records that the stream doesn't show
			return plan{time: r.Time, ok: true, next: i + 1, answer: Answer{Answer: Event, Record: r}}
		case WatchEnd:
			if p.rec.endedItself(i) {
				return p.unanswered()
			}
			return plan{time: r.Time, ok: true, next: i + 1, answer: Answer{Answer: Closed, Record: r}}
		case ListBegin, ListError:
			anew := Record{Kind: WatchEvent, Delta: event.Error, Failure: ListedAnew, Time: r.Time}
			return plan{time: r.Time, ok: true, next: i, answer: Answer{Answer: Event, Record: anew}}
		}
	}
	return plan{time: actor.Never, ok: p.rec.feed.Complete(), next: p.pos}
}

func (p *Playback) planOpen() plan {
	simulated := plan{time: p.asked + latency, ok: true, answer: Answer{Answer: Opened}}
	for i := p.pos; i < p.rec.feed.Len(); i++ {
		simulated.next = i
		r := p.rec.feed.At(i)
		switch r.Kind {
		case WatchOpen:
			return p.recorded(i, Opened)
		case WatchError:
			if n, over := p.planFailed(i, OpenFailed); !over {
				return n
			}
		case ListBegin, ListError, WatchEvent, WatchBookmark, InitialEnd:
			return simulated
		case WatchEnd:
			if r.Time > p.asked && !p.rec.afterError(i) {
				return simulated
			}
		}
	}
	if p.rec.failing() {
		return p.unanswered()
	}
	simulated.ok, simulated.next = p.rec.feed.Complete(), p.rec.feed.Len()
	return simulated
}

// recorded plans record i as the answer to a request: when it was recorded, or at once if that is past.
func (p *Playback) recorded(i int, kind AnswerKind) plan {
	r := p.rec.feed.At(i)
	return plan{time: max(r.Time, p.asked), ok: true, next: i + 1, answer: Answer{Answer: kind, Record: r}}
}

// planFailed plans the failure of record i as the answer, unless it was over when the request was sent. If that depends on
// what has not been read yet, so does the answer.
func (p *Playback) planFailed(i int, kind AnswerKind) (n plan, over bool) {
	over, known := p.rec.predates(i, p.asked)
	if !known {
		return plan{time: p.asked, next: p.pos}, false
	}
	return p.recorded(i, kind), over
}

// unanswered returns a request that gets no answer as far as the recording goes.
func (p *Playback) unanswered() plan {
	return plan{time: actor.Never, ok: p.rec.feed.Complete(), next: p.pos}
}

func (p *Playback) planList() plan {
	for i := p.pos; i < p.rec.feed.Len(); i++ {
		r := p.rec.feed.At(i)
		switch r.Kind {
		case ListBegin:
			end := p.rec.listEnd(i, p.rec.feed.Len())
			for end < p.rec.feed.Len() && p.rec.feed.At(end).Kind == ListBegin {
				i = end // the recorded client gave the list up, and began another
				end = p.rec.listEnd(i, p.rec.feed.Len())
			}
			if end == p.rec.feed.Len() || p.rec.feed.At(end).Kind != ListError {
				return p.planItems(i, end, ListEnd)
			}
			i = end
			fallthrough
		case ListError:
			if n, over := p.planFailed(i, ListFailed); !over {
				return n
			}
			continue
		case ListItem, ListEnd, WatchError:
			continue
		}
		if !p.began && i == 0 {
			return p.planInitial()
		}
		if r.Kind == WatchOpen && r.Streaming {
			return p.planItems(i, p.rec.initialEnd(i, p.rec.feed.Len()), InitialEnd)
		}
		if r.Time > p.asked && !(r.Kind == WatchEnd && p.rec.afterError(i)) {
			return p.planState(i)
		}
	}
	if p.rec.failing() {
		return p.unanswered()
	}
	n := p.planState(p.rec.feed.Len())
	n.ok = p.rec.feed.Complete()
	return n
}

// planItems answers with the list, or the initial events of the streaming list, that begins at record i, and whose items
// end before record end. If the recording ends there, not all of them arrived. Without a record of the kind last there, the
// answer is made of what has come.
func (p *Playback) planItems(i, end int, last RecordKind) plan {
	switch {
	case end == p.rec.feed.Len():
		return p.unanswered()
	case p.rec.feed.At(end).Kind != last:
		return p.planState(end)
	}
	n := p.recorded(end, Listed)
	n.from, n.whole, n.list = i+1, true, (*recording).recorded
	return n
}

// planInitial answers the first list where the recording begins with a watch.
func (p *Playback) planInitial() plan {
	var asked object.RV
	streaming := false
	for j, added := 0, 0; j < p.rec.feed.Len(); j++ {
		r := p.rec.feed.At(j)
		switch {
		case r.Kind == WatchOpen && j == 0:
			asked, streaming = r.RV, r.Streaming
			continue
		case r.Kind == WatchEvent && r.Delta == event.Added && (streaming || added < streamingGuess):
			added++
			continue
		case r.Kind == InitialEnd:
			return p.planItems(-1, j, InitialEnd)
		}
		return plan{time: p.asked + latency, ok: true, answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: asked}}}
	}
	return plan{time: p.asked + latency, ok: p.rec.feed.Complete(), answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: asked}}}
}

// planState answers with the objects that exist after records 0 to i.
func (p *Playback) planState(i int) plan {
	rv := p.newest
	for j := p.pos; j < i; j++ {
		if r := p.rec.feed.At(j); r.RV != 0 && (r.IsEvent() || r.Kind == ListEnd) {
			rv = r.RV
		}
	}
	return plan{time: p.asked + latency, ok: true, next: i, from: i,
		answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: rv}},
		list:   func(f *recording, n plan) []object.Ref { return f.objectsAfter(nil, n.from, nil) }}
}

// initial is the beginning of a streaming list that was not recorded as one:
// Added for each object, and the bookmark after them.
type initial struct {
	sending bool
	list    []object.Ref // immutable
	sent    int
	rv      object.RV
	time    int64
}

func (p *Playback) nextInitial() Answer {
	n := &p.initial
	a := Answer{Answer: Event, N: p.events, Record: Record{Time: n.time, Kind: InitialEnd, RV: n.rv}}
	if n.sent < len(n.list) {
		a.Kind, a.Delta, a.Obj = WatchEvent, event.Added, n.list[n.sent]
		a.RV = p.rec.table.RVOf(a.Obj)
		n.sent++
		return a
	}
	p.began, p.newest = true, n.rv
	p.initial = initial{}
	return a
}

// planStreaming answers a request for a streaming list: with the recorded one
// that comes next, or with what a list would have got.
func (p *Playback) planStreaming() plan {
	for i := p.pos; i < p.rec.feed.Len(); i++ {
		r := p.rec.feed.At(i)
		if r.Kind == WatchOpen && r.Streaming {
			return p.recorded(i, Opened)
		}
		if r.Kind == WatchError && r.Streaming {
			return p.recorded(i, OpenFailed)
		}
		switch r.Kind {
		case ListItem, ListEnd, WatchError:
			continue
		case ListBegin, ListError:
		default:
			if r.Time <= p.asked || r.Kind == WatchEnd && p.rec.afterError(i) {
				continue
			}
		}
		break
	}
	n := p.planList()
	if n.answer.Answer == ListFailed {
		n.answer.Answer = OpenFailed
	}
	return n
}

// Mark adds the objects that are still to be sent of a streaming list that was not
// recorded as one. The feed's own objects are not among them.
func (p *Playback) Mark(live *object.Live) { live.Refs(p.initial.list) }
