package apiserver

import (
	"github.com/informerscope/informerscope/engine/object"
)

// Continue returns a simulated server that goes on from where the recording has come
// by the time now: it holds the objects that the recording amounts to, at the
// newest revision that it has told. A watch that was open stays open. The caller
// sends a pending request again.
//
// The recording doesn't say what else the server knew, so nothing older than that
// revision can be listed or watched. Least is how many records other informers
// have that play the same recording. If those are more, the server has them, too.
// An open watch can't bring them any more, so it is cut.
func (p *Playback) Continue(seed uint64, now int64, least int) *Simulated {
	upTo, rest, initial := p.reached()
	behind := upTo < least
	upTo = max(upTo, least)
	newest := int64(upTo) // where resourceVersions are no numbers
	held := p.rec.objectsAfter(nil, upTo, &newest)
	s := NewSimulated(&SimConfig{Table: p.rec.table, Versions: p.versions, Seed: seed, Revision: newest})
	for _, r := range held {
		s.Storage.etcd.hold(p.rec.table, r)
	}
	s.Storage.etcd.compact = s.Storage.etcd.revision
	v := p.View(TapeLen, 0)
	s.sent.sent, s.sent.newest, s.sent.latest = p.events, p.newest, v.Latest
	for i := len(v.Recent) - 1; i >= 0; i-- {
		s.sent.tape = append(s.sent.tape, v.Recent[i])
	}
	if p.state == Open {
		rev, end := s.Storage.etcd.revision, s.Storage.etcd.end()
		s.state = Open
		s.stream = stream{from: rev, rev: rev, next: end, live: end, killed: -1, initial: rest, end: initial, opened: now, deadline: now + minWatch + int64(s.rand.Float()*minWatch), broken: p.cut || behind}
		s.stream.bookmark = nextBookmark(now, s.stream.deadline)
	}
	return s
}

// Reached returns how many records a server would have that Continue made here.
func (p *Playback) Reached() int {
	upTo, _, _ := p.reached()
	return upTo
}

// reached returns how many records a server would have that Continue made here, and, amid initial
// events, which of their objects are still to be sent.
func (p *Playback) reached() (upTo int, rest []object.Ref, amid bool) {
	switch {
	case p.initial.sending:
		return p.pos, p.initial.list[p.initial.sent:], true
	case p.state == Open:
		return p.rec.streamed(p.pos)
	}
	return p.pos, nil, false
}

// Revision returns the newest revision that the recording has told so far. Where resourceVersions
// are no numbers, the count of its records is taken for one.
func (p *Playback) Revision() int64 {
	newest := int64(p.pos)
	for i := range p.pos {
		r := p.rec.feed.At(i)
		raiseRevision(&newest, p.rec.table, &r)
	}
	return newest
}

// Get returns the version of k that a server would hold which Continue made here, or 0. It
// looks through the whole recording, as [Playback.Continue] does.
func (p *Playback) Get(k object.Key) object.Ref {
	upTo, _, _ := p.reached()
	for _, r := range p.Objects(nil, upTo) {
		if p.rec.table.KeyOf(r) == k {
			return r
		}
	}
	return 0
}
