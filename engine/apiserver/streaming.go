package apiserver

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// initial is the beginning of a streaming list that was not recorded as one:
// Added for each object, and the bookmark after them.
type initial struct {
	sending bool
	list    []object.Ref // immutable
	sent    int
	rv      object.RV
	at      int64
}

func (p *Playback) nextInitial() Answer {
	n := &p.initial
	a := Answer{Answer: Event, N: p.events, Record: Record{At: n.at, Kind: InitialEnd, RV: n.rv}}
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
			return plan{at: max(r.At, p.asked), ok: true, next: i + 1, answer: Answer{Answer: Opened, Record: r}}
		}
		if r.Kind == WatchError && r.Streaming {
			return plan{at: max(r.At, p.asked), ok: true, next: i + 1, answer: Answer{Answer: OpenFailed, Record: r}}
		}
		switch r.Kind {
		case ListItem, ListEnd, WatchError:
			continue
		case ListBegin, ListError:
		default:
			if r.At <= p.asked || r.Kind == WatchEnd && p.rec.afterError(i) {
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

// planStreamed answers a list with the initial events of the streaming list that
// opens at record i.
func (p *Playback) planStreamed(i int) plan {
	end := p.rec.initialEnd(i, p.rec.feed.Len())
	if end == p.rec.feed.Len() {
		return p.unanswered()
	}
	r := p.rec.feed.At(end)
	if r.Kind != InitialEnd {
		return p.planState(end)
	}
	return plan{at: max(r.At, p.asked), ok: true, next: end + 1, from: i + 1, whole: true,
		answer: Answer{Answer: Listed, Record: r}, list: (*recording).recorded}
}

// Mark adds the objects that are still to be sent of a streaming list that was not
// recorded as one. The feed's own objects are not among them.
func (p *Playback) Mark(live *object.Live) { live.Refs(p.initial.list) }
