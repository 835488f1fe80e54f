package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// plan is the next answer: when, what, and which record comes after it.
type plan struct {
	at     int64
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
	return plan{at: actor.Never, ok: true, next: p.pos}
}

func (p *Playback) planStream() plan {
	if p.cut {
		return plan{at: p.asked, ok: true, next: p.pos, answer: Answer{Answer: Closed, Record: Record{Kind: WatchEnd, Failure: Reset}}}
	}
	if p.initial.sending {
		return plan{at: p.initial.at, ok: true, next: p.pos}
	}
	for i := p.pos; i < p.rec.feed.Len(); i++ {
		r := p.rec.feed.At(i)
		switch r.Kind {
		case WatchEvent, WatchBookmark, InitialEnd: // after records that the stream doesn't show
			return plan{at: r.At, ok: true, next: i + 1, answer: Answer{Answer: Event, Record: r}}
		case WatchEnd:
			if p.rec.endedItself(i) {
				return p.unanswered()
			}
			return plan{at: r.At, ok: true, next: i + 1, answer: Answer{Answer: Closed, Record: r}}
		case ListBegin, ListError:
			anew := Record{Kind: WatchEvent, Delta: event.Error, Failure: ListedAnew, At: r.At}
			return plan{at: r.At, ok: true, next: i, answer: Answer{Answer: Event, Record: anew}}
		}
	}
	return plan{at: actor.Never, ok: p.rec.feed.Complete(), next: p.pos}
}

func (p *Playback) planOpen() plan {
	own := plan{at: p.asked + latency, ok: true, answer: Answer{Answer: Opened}}
	for i := p.pos; i < p.rec.feed.Len(); i++ {
		own.next = i
		r := p.rec.feed.At(i)
		switch r.Kind {
		case WatchOpen:
			return plan{at: max(r.At, p.asked), ok: true, next: i + 1, answer: Answer{Answer: Opened, Record: r}}
		case WatchError:
			if over, known := p.rec.over(i, p.asked); !known {
				return p.undecided()
			} else if over {
				continue
			}
			return plan{at: max(r.At, p.asked), ok: true, next: i + 1, answer: Answer{Answer: OpenFailed, Record: r}}
		case ListBegin, ListError, WatchEvent, WatchBookmark, InitialEnd:
			return own
		case WatchEnd:
			if r.At > p.asked && !p.rec.afterError(i) {
				return own
			}
		}
	}
	if p.rec.failing() {
		return p.unanswered()
	}
	own.ok, own.next = p.rec.feed.Complete(), p.rec.feed.Len()
	return own
}

// undecided is a request whose answer depends on what has not been read yet.
func (p *Playback) undecided() plan { return plan{at: p.asked, next: p.pos} }

// unanswered is a request that gets no answer as far as the recording goes.
func (p *Playback) unanswered() plan {
	return plan{at: actor.Never, ok: p.rec.feed.Complete(), next: p.pos}
}
