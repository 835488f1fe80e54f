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
	list   func(*Playback, plan) []object.Ref
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
	for i := p.pos; i < p.feed.Len(); i++ {
		r := p.feed.At(i)
		switch r.Kind {
		case WatchEvent, WatchBookmark, InitialEnd: // after records that the stream doesn't show
			return plan{at: r.At, ok: true, next: i + 1, answer: Answer{Answer: Event, Record: r}}
		case WatchEnd:
			if endedItself(p.feed, i) {
				return p.unanswered()
			}
			return plan{at: r.At, ok: true, next: i + 1, answer: Answer{Answer: Closed, Record: r}}
		case ListBegin, ListError:
			anew := Record{Kind: WatchEvent, Delta: event.Error, Failure: ListedAnew, At: r.At}
			return plan{at: r.At, ok: true, next: i, answer: Answer{Answer: Event, Record: anew}}
		}
	}
	return plan{at: actor.Never, ok: p.feed.Complete(), next: p.pos}
}

// endedItself reports whether record i of f is the end of a watch by the recorded client, which asks
// for nothing more as far as the recording was read.
func endedItself(f Feed, i int) bool {
	return i == f.Len()-1 && f.At(i).Canceled
}

func (p *Playback) planOpen() plan {
	own := plan{at: p.asked + latency, ok: true, answer: Answer{Answer: Opened}}
	for i := p.pos; i < p.feed.Len(); i++ {
		own.next = i
		r := p.feed.At(i)
		switch r.Kind {
		case WatchOpen:
			return plan{at: max(r.At, p.asked), ok: true, next: i + 1, answer: Answer{Answer: Opened, Record: r}}
		case WatchError:
			if over, known := p.over(i); !known {
				return p.undecided()
			} else if over {
				continue
			}
			return plan{at: max(r.At, p.asked), ok: true, next: i + 1, answer: Answer{Answer: OpenFailed, Record: r}}
		case ListBegin, ListError, WatchEvent, WatchBookmark, InitialEnd:
			return own
		case WatchEnd:
			if r.At > p.asked && !p.afterError(i) {
				return own
			}
		}
	}
	if p.failing() {
		return p.unanswered()
	}
	own.ok, own.next = p.feed.Complete(), p.feed.Len()
	return own
}

// over tells whether the failure of record i was over when the pending request
// was sent, because the recorded client had sent another request long before.
// Where that can't be told yet, known is false.
func (p *Playback) over(i int) (is, known bool) {
	before := p.asked - late
	if p.feed.At(i).At >= before {
		return false, true
	}
	for j := i + 1; j < p.feed.Len(); j++ {
		switch r := p.feed.At(j); {
		case r.At > before:
			return false, true
		case r.Kind == ListBegin || r.Kind == ListError || r.Kind == WatchOpen || r.Kind == WatchError:
			return true, true
		}
	}
	return false, p.feed.Complete() || p.feed.Now() > before
}

// undecided is a request whose answer depends on what has not been read yet.
func (p *Playback) undecided() plan { return plan{at: p.asked, next: p.pos} }

// failing tells whether the last record is a request that failed.
func (p *Playback) failing() bool {
	n := p.feed.Len()
	if n == 0 {
		return false
	}
	k := p.feed.At(n - 1).Kind
	return k == ListError || k == WatchError
}

// unanswered is a request that gets no answer as far as the recording goes.
func (p *Playback) unanswered() plan {
	return plan{at: actor.Never, ok: p.feed.Complete(), next: p.pos}
}

// afterError tells whether record i ends a watch that an ERROR event has ended.
func (p *Playback) afterError(i int) bool {
	return i > 0 && p.feed.At(i-1).Delta == event.Error
}
