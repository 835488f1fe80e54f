package report

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
)

// change is a moment at which the server had a newer resourceVersion of the resource's
// objects, as far as the capture tells.
type change struct {
	at int64
	rv object.RV
}

// changes are the changes of a resource, as they are read. What a list alone tells
// counts from the moment at which the list was there. Bookmarks are no changes.
type changes struct {
	t      *object.Table
	all    []change
	gone   int // how many were before all
	newest object.RV
	listed object.RV // the newest that the list under way has brought
	lists  bool
}

func (c *changes) end() int { return c.gone + len(c.all) }

func (c *changes) at(i int) *change { return &c.all[i-c.gone] }

// take takes a record in.
func (c *changes) take(rec *trace.Record) {
	switch rec.Kind {
	case trace.ListBegin:
		c.lists, c.listed = true, 0
	case trace.WatchOpen:
		c.lists, c.listed = rec.Streaming, 0
	case trace.ListEnd, trace.InitialEnd:
		c.came(rec.At, c.listed)
		c.lists = false
	case trace.ListItem:
		c.listed = later(c.listed, c.t.RVOf(rec.Obj))
	case trace.WatchEvent:
		if rec.Obj == 0 {
			return
		}
		if rv := c.t.RVOf(rec.Obj); c.lists {
			c.listed = later(c.listed, rv)
		} else {
			c.came(rec.At, rv)
		}
	}
}

func (c *changes) came(at int64, rv object.RV) {
	if _, ok := rv.Number(); ok && rv > c.newest {
		c.newest = rv
		c.all = append(c.all, change{at, rv})
	}
}

// later is the later one of two resourceVersions, without those that are no numbers.
func later(a, b object.RV) object.RV {
	if _, ok := b.Number(); ok {
		return max(a, b)
	}
	return a
}

// forget lets go of all before change i.
func (c *changes) forget(i int) {
	if n := i - c.gone; n > 1024 && 2*n > len(c.all) {
		c.all = c.all[:copy(c.all, c.all[n:])]
		c.gone = i
	}
}

// stale measures how far the stations of an informer are behind the server.
type stale struct {
	changes *changes
	known   int       // changes that have come by now
	least   int       // the first change that some station has not reached
	of      []station // reflector, cache, and then the handlers
}

// station is how far one station is.
type station struct {
	at     object.RV
	behind int // the first change that it has not reached
	out    Staleness
}

func newStale(c *changes, handlers int) *stale {
	return &stale{changes: c, of: make([]station, 2+handlers)}
}

// look measures before a station moves on, which is when it is behind the most: after
// a step that may have moved one.
func (s *stale) look(w *world.World) {
	switch w.Last.PC {
	case actor.ReflectorRV, actor.ReflectorReplaced, actor.LoopStore, actor.LoopDistribute, actor.LoopRelease, actor.RunReturn:
		s.measure(w.Informers[0], w.Now(), w.Steps()-1)
	}
}

// measure measures at the time now, up to which step was the last one.
func (s *stale) measure(x *informer.Informer, now, step int64) {
	c := s.changes
	for s.known = max(s.known, c.gone); s.known < c.end() && c.at(s.known).at <= now; s.known++ {
	}
	least := s.known
	for i := range s.of {
		st := &s.of[i]
		if i > 1 && x.Processor.Listeners[i-2].Removed {
			continue
		}
		st.measure(c, s.known, now, step)
		var rv object.RV
		switch i {
		case 0:
			rv = x.Reflector.RV()
		case 1:
			rv = x.CacheReached()
		default:
			rv = x.HandlerReached(i - 2)
		}
		if _, ok := rv.Number(); ok && rv != st.at {
			st.at = rv
			for st.behind = max(st.behind, c.gone); st.behind < c.end() && c.at(st.behind).rv <= rv; st.behind++ {
			}
		}
		if st.at != 0 {
			least = min(least, st.behind)
		}
	}
	s.least = least
}

// measure notes how far the station is behind, once it has reached anything.
func (st *station) measure(c *changes, known int, now, step int64) {
	if st.at == 0 || st.behind >= known {
		return
	}
	out := &st.out
	if n := int64(c.at(known-1).rv - st.at); n > out.Revisions {
		out.Revisions, out.Changes, out.RevisionsAt, out.RevisionsStep = n, int64(known-st.behind), now, step
	}
	if d := now - c.at(st.behind).at; d > out.Time {
		out.Time, out.TimeAt, out.TimeStep = d, now, step
	}
}
