// Package feed joins the two halves: it lets the engine's playback server read a
// resource of a trace. The packages that read captures know of the engine only its objects
// and its errors.
package feed

import (
	"cmp"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Feed is an apiserver.Feed of one resource, which may still be read. What the
// Resource has forgotten must not be asked for: Passing answers for that.
type Feed struct {
	Trace    *trace.Trace
	Resource *trace.Resource
	// AnyKind tells that the reflector expects no kind in particular. The reflector of a dynamic
	// informer takes an object of another kind like any other object.
	AnyKind bool
}

// Len returns the number of records read so far.
func (f Feed) Len() int { return f.Resource.Forgotten + len(f.Resource.Records) }

// Events returns how many of the records read so far are watch events.
func (f Feed) Events() int64 { return int64(f.Resource.Events) }

// Retried reports whether the trace was recorded above client-go's rest.Request.
func (f Feed) Retried() bool { return f.Trace.Header.Level == trace.AtClient }

// Complete reports whether the trace has been read to its end.
func (f Feed) Complete() bool { return f.Trace.Complete }

// Now returns the time up to which it is known what came.
func (f Feed) Now() int64 { return f.Trace.Now }

// At returns record i.
func (f Feed) At(i int) apiserver.Record {
	r := &f.Resource.Records[i-f.Resource.Forgotten]
	out := apiserver.Record{
		Time: r.Time, RV: r.RV, Obj: r.Obj, Code: r.Code, Kind: recordKinds[r.Kind], Delta: deltas[r.Type], Failure: failures[r.Failure], Streaming: r.Streaming, Canceled: r.Canceled,
		RetryAfter: apiserver.RetryAfter(r.RetryAfter),
	}
	if f.AnyKind && out.Failure == apiserver.OtherKind {
		out.Failure = apiserver.NoFailure
	}
	if r.Kind == trace.WatchBookmark || r.Kind == trace.InitialEnd {
		out.Delta = event.Bookmark
	}
	return out
}

// Message returns the server's own words in record i, "" for none.
func (f Feed) Message(i int) string {
	i -= f.Resource.Forgotten
	if i < 0 || i >= len(f.Resource.Records) {
		return ""
	}
	return f.Resource.Text(f.Resource.Records[i])
}

// What the trace's words are in the engine's.
var (
	recordKinds = [...]apiserver.RecordKind{
		trace.ListBegin: apiserver.ListBegin, trace.ListItem: apiserver.ListItem, trace.ListEnd: apiserver.ListEnd, trace.ListError: apiserver.ListError,
		trace.WatchOpen: apiserver.WatchOpen, trace.WatchError: apiserver.WatchError, trace.WatchEvent: apiserver.WatchEvent,
		trace.WatchBookmark: apiserver.WatchBookmark, trace.InitialEnd: apiserver.InitialEnd, trace.WatchEnd: apiserver.WatchEnd,
	}
	deltas = [...]event.Delta{
		trace.NoType: event.None, trace.TypeAdded: event.Added, trace.TypeModified: event.Updated, trace.TypeDeleted: event.Deleted,
		trace.TypeError: event.Error, trace.TypeUnknown: event.Unknown,
	}
	failures = [...]apiserver.Failure{
		trace.NoFailure: apiserver.NoFailure, trace.Expired: apiserver.Expired, trace.Gone: apiserver.Gone, trace.TooLarge: apiserver.TooLarge,
		trace.TooManyRequests: apiserver.TooManyRequests, trace.InternalError: apiserver.InternalError, trace.Refused: apiserver.Refused,
		trace.Reset: apiserver.Reset, trace.OtherFailure: apiserver.OtherFailure,
		trace.BrokenOff: apiserver.BrokenOff, trace.TimedOut: apiserver.TimedOut, trace.ConnectionLost: apiserver.ConnectionLost,
		trace.Undecodable: apiserver.Undecodable, trace.OtherKind: apiserver.OtherKind,
	}
)

// Notes are the times of a trace's marks, which may still be read.
type Notes struct{ Trace *trace.Trace }

// Len returns how many have been read so far.
func (n Notes) Len() int { return len(n.Trace.Marks) }

// Time returns the time of mark i, in nanoseconds since the trace's start.
func (n Notes) Time(i int) int64 { return n.Trace.Marks[i].Time }

// Named returns a function that finds the recording of a resource by its name, such as
// deployments.apps, in whichever namespace and with whichever selector it was asked
// for. It is what script.Runner's Recorded takes.
func Named(t *trace.Trace) func(resource string) (*object.Table, apiserver.Feed, bool) {
	return func(resource string) (*object.Table, apiserver.Feed, bool) {
		for _, res := range t.Resources {
			if name, _, _ := strings.Cut(res.Name(), " "); name == resource {
				return res.Table, Feed{Trace: t, Resource: res}, true
			}
		}
		return nil, nil, false
	}
}

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
