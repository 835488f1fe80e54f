package feed

import (
	"cmp"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Passing is a Feed that is played once, from its beginning to its end, and lets
// go of what has been played: a recording larger than memory passes through. In
// the place of what it has forgotten stand the objects that were there then, so
// that a list which was not recorded can be made all the same. Runs that go
// back, or are copied, need a Feed.
type Passing struct {
	Feed
	trace.Sweeper // whose MinVersions says also how many records are forgotten at once

	standing []object.Ref // what the forgotten records amount to
}

// forgetBy is how many records are forgotten at once, because it takes a look at all that are standing.
const forgetBy = 1 << 14

// At returns record i. Of what is forgotten there are first the objects that
// were standing, as if they had been added, and then nothing.
func (p *Passing) At(i int) apiserver.Record {
	switch {
	case i >= p.Resource.Forgotten:
		return p.Feed.At(i)
	case i < len(p.standing):
		return apiserver.Record{Kind: apiserver.WatchEvent, Delta: event.Added, Obj: p.standing[i]}
	}
	return apiserver.Record{}
}

// Forget lets go of what comes before record played, when that is worth it.
func (p *Passing) Forget(played int) {
	r := p.Resource
	least := max(cmp.Or(p.MinVersions, forgetBy), len(p.standing))
	// The server looks one record back, to see how a watch ended.
	limit := min(min(played, p.Len())-1, r.FirstKept())
	if limit-r.Forgotten < least {
		return
	}
	n := p.lastBoundary(limit) - r.Forgotten
	if n < least {
		return
	}
	behind := make(apiserver.Records, 0, len(p.standing)+n)
	for i := range p.standing {
		behind = append(behind, p.At(i))
	}
	for i := range n {
		behind = append(behind, p.Feed.At(r.Forgotten+i))
	}
	p.standing = apiserver.NewPlayback(r.Table, behind, nil).Objects(p.standing[:0], len(behind))
	r.Forget(n)
}

// Sweep lets the Resource's Table forget: see trace.Sweeper. mark adds what whoever plays the Feed refers to.
func (p *Passing) Sweep(mark func(*object.Live) bool) {
	p.Sweeper.Sweep(p.Resource, func(live *object.Live) bool {
		live.Refs(p.standing)
		return mark(live)
	})
}

// Skip forgets all that has been read and will not be played.
func (p *Passing) Skip() {
	p.Resource.Forget(len(p.Resource.Records))
	p.Sweep(func(*object.Live) bool { return true })
}

// lastBoundary returns the last record up to the one given before which everything can
// be forgotten: not in the middle of a list, or of the initial events of a
// streaming one, which count only once their end has come.
func (p *Passing) lastBoundary(limit int) int {
	records := p.Resource.Records
	first := p.Resource.Forgotten
	for i := 0; first+i < limit; i++ {
		r := &records[i]
		end := i
		switch {
		case r.Kind == trace.ListBegin:
			for end++; end < len(records) && records[end].Kind == trace.ListItem; end++ {
			}
		case r.Kind == trace.WatchOpen && r.Streaming:
			for end++; end < len(records) && records[end].Kind == trace.WatchEvent && records[end].Type == trace.TypeAdded; end++ {
			}
		}
		if first+end >= limit {
			return first + i
		}
		i = max(i, end-1)
	}
	return limit
}
