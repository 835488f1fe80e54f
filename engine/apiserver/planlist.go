package apiserver

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

func (p *Playback) planList() plan {
	for i := p.pos; i < p.feed.Len(); i++ {
		r := p.feed.At(i)
		switch r.Kind {
		case ListBegin:
			end := p.listEnd(i, p.feed.Len())
			for end < p.feed.Len() && p.feed.At(end).Kind == ListBegin {
				i = end // the recorded client gave the list up, and began another
				end = p.listEnd(i, p.feed.Len())
			}
			if end == p.feed.Len() || p.feed.At(end).Kind != ListError {
				return p.planRecorded(i, end)
			}
			i, r = end, p.feed.At(end)
			fallthrough
		case ListError:
			if over, known := p.over(i); !known {
				return p.undecided()
			} else if over {
				continue
			}
			return plan{at: max(r.At, p.asked), ok: true, next: i + 1, answer: Answer{Answer: ListFailed, Record: r}}
		case ListItem, ListEnd, WatchError:
			continue
		}
		if !p.began && i == 0 {
			return p.planInitial()
		}
		if r.Kind == WatchOpen && r.Streaming {
			return p.planStreamed(i)
		}
		if r.At > p.asked && !(r.Kind == WatchEnd && p.afterError(i)) {
			return p.planState(i)
		}
	}
	if p.failing() {
		return p.unanswered()
	}
	n := p.planState(p.feed.Len())
	n.ok = p.feed.Complete()
	return n
}

// planRecorded answers with the list that begins at record i, and whose items end
// before record end. If the recording ends there, the list never arrived.
func (p *Playback) planRecorded(i, end int) plan {
	if end == p.feed.Len() {
		return p.unanswered()
	}
	r := p.feed.At(end)
	if r.Kind != ListEnd {
		return p.planState(end)
	}
	return plan{at: max(r.At, p.asked), ok: true, next: end + 1, from: i + 1, whole: true,
		answer: Answer{Answer: Listed, Record: r}, list: (*Playback).recorded}
}

// planInitial answers the first list where the recording begins with a watch.
func (p *Playback) planInitial() plan {
	var asked object.RV
	streaming := false
	for j, added := 0, 0; j < p.feed.Len(); j++ {
		r := p.feed.At(j)
		switch {
		case r.Kind == WatchOpen && j == 0:
			asked, streaming = r.RV, r.Streaming
			continue
		case r.Kind == WatchEvent && r.Delta == event.Added && (streaming || added < streamingGuess):
			added++
			continue
		case r.Kind == InitialEnd:
			return plan{at: max(r.At, p.asked), ok: true, next: j + 1, whole: true,
				answer: Answer{Answer: Listed, Record: r}, list: (*Playback).recorded}
		}
		return plan{at: p.asked + latency, ok: true, answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: asked}}}
	}
	return plan{at: p.asked + latency, ok: p.feed.Complete(), answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: asked}}}
}

// recorded collects the objects of the records between from and next.
func (p *Playback) recorded(n plan) []object.Ref {
	list := make([]object.Ref, 0, n.next-n.from)
	for i := n.from; i < n.next; i++ {
		if r := p.feed.At(i); (r.Kind == ListItem || r.Kind == WatchEvent) && r.Failure != OtherKind {
			list = append(list, r.Obj)
		}
	}
	return list
}

// planState answers with the objects that exist after records 0 to i.
func (p *Playback) planState(i int) plan {
	rv := p.newest
	for j := p.pos; j < i; j++ {
		if r := p.feed.At(j); r.RV != 0 && (r.IsEvent() || r.Kind == ListEnd) {
			rv = r.RV
		}
	}
	return plan{at: p.asked + latency, ok: true, next: i, from: i,
		answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: rv}},
		list:   func(p *Playback, n plan) []object.Ref { return p.Objects(nil, n.from) }}
}
