package apiserver

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

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
				return p.planRecorded(i, end)
			}
			i, r = end, p.rec.feed.At(end)
			fallthrough
		case ListError:
			if over, known := p.rec.over(i, p.asked); !known {
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
		if r.At > p.asked && !(r.Kind == WatchEnd && p.rec.afterError(i)) {
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

// planRecorded answers with the list that begins at record i, and whose items end
// before record end. If the recording ends there, the list never arrived.
func (p *Playback) planRecorded(i, end int) plan {
	if end == p.rec.feed.Len() {
		return p.unanswered()
	}
	r := p.rec.feed.At(end)
	if r.Kind != ListEnd {
		return p.planState(end)
	}
	return plan{at: max(r.At, p.asked), ok: true, next: end + 1, from: i + 1, whole: true,
		answer: Answer{Answer: Listed, Record: r}, list: (*recording).recorded}
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
			return plan{at: max(r.At, p.asked), ok: true, next: j + 1, whole: true,
				answer: Answer{Answer: Listed, Record: r}, list: (*recording).recorded}
		}
		return plan{at: p.asked + latency, ok: true, answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: asked}}}
	}
	return plan{at: p.asked + latency, ok: p.rec.feed.Complete(), answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: asked}}}
}

// planState answers with the objects that exist after records 0 to i.
func (p *Playback) planState(i int) plan {
	rv := p.newest
	for j := p.pos; j < i; j++ {
		if r := p.rec.feed.At(j); r.RV != 0 && (r.IsEvent() || r.Kind == ListEnd) {
			rv = r.RV
		}
	}
	return plan{at: p.asked + latency, ok: true, next: i, from: i,
		answer: Answer{Answer: Listed, Record: Record{Kind: ListEnd, RV: rv}},
		list:   func(f *recording, n plan) []object.Ref { return f.amount(nil, n.from, nil) }}
}
