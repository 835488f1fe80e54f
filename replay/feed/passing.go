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
	// Least is how many records are forgotten, and versions of objects swept, at
	// once at least: 0 for as many as make it cheap.
	MinVersions int
	// Keys is how many keys the Resource's Table may hold before it forgets those
	// that nobody refers to: 0 for any number. Gone is called with each before.
	Keys    int
	Deleted func(object.Key)

	standing []object.Ref // what the forgotten records amount to
	kept     int          // how many versions the last sweep has left
}

// How many records are forgotten, and versions swept, at once, because it takes
// a look at all that are standing.
const (
	forgetBy = 1 << 14
	sweepBy  = 1 << 16
)

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

// Sweep lets the Resource's Table forget the versions of objects that are no
// longer referred to, when that is worth it. mark adds what whoever plays the
// Feed refers to, and reports false where it cannot say: then all is kept.
func (p *Passing) Sweep(mark func(*object.Live) bool) {
	t := p.Resource.Table
	if t.LiveRows()-p.kept < max(cmp.Or(p.MinVersions, sweepBy), p.kept) {
		return
	}
	live := t.Live()
	if !mark(live) {
		return
	}
	live.Refs(p.standing)
	for i := range p.Resource.Records {
		live.Ref(p.Resource.Records[i].Obj)
	}
	t.Sweep(live)
	p.kept = t.LiveRows()
	if p.Keys > 0 && t.HeldKeys() > p.Keys {
		for _, h := range p.Resource.Handlers {
			for _, c := range h.Calls {
				live.Key(c.Key)
			}
		}
		t.SweepKeys(live, p.Deleted)
	}
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
