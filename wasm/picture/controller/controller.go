// Package controller shows a controller of a world that plays a program. It doesn't know
// the rest of the picture.
package controller

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// The most that is shown of each list.
const (
	maxHolds    = 6
	maxUnseen   = 4
	maxChildren = 7
)

// OwnerOf returns the informer whose controller an informer feeds: the informer itself, or the informer of the owners
// of its objects. It returns x itself where there is no controller.
func OwnerOf(w *world.World, x *informer.Informer) *informer.Informer {
	if x.Work.Controller != nil {
		return x
	}
	for i := range x.Config().Handlers {
		if f := x.Config().Handlers[i].Feeds; f != nil {
			return w.Informers[f.Informer]
		}
	}
	return x
}

// show is what is shown of a controller.
type show struct {
	w *world.World
	x *informer.Informer
	c *reconciler.Controller
	t *object.Table
}

// Show returns the controller of an informer, or nil if it has none.
func Show(w *world.World, x *informer.Informer) *link.Controller {
	c := x.Work.Controller
	if c == nil {
		return nil
	}
	s := show{w, x, c, x.Config().Table}
	out := &link.Controller{Name: x.Config().Name, Program: lines(c.Config().Program.Text), Guard: c.Guard.Kind.String(), Unseen: s.written(), Belief: s.belief()}
	if owns := c.Config().Owns; owns >= 0 {
		out.Owns = w.Informers[owns].Config().Name
	}
	out.Holds, out.Shut = s.guardState()
	if !c.Started {
		out.Awaits, _ = w.Unsynced(x.Index())
		out.Warm = w.Warmed(x)
	}
	return out
}

// lines returns the statements of a program.
func lines(text string) (out []string) {
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Line returns where a worker stands in the program: a link.Worker.At.
func Line(x *informer.Informer, worker int) int {
	r := &x.Work.Controller.Runs[worker]
	switch {
	case x.Work.Workers[worker].Key == 0 || r.Next < 0:
		return link.LineNone
	case r.Last < 0:
		return link.LineGet
	}
	return link.LineGet + 1 + r.Last
}

// informer returns the informer of one of the controller's resources, or nil.
func (s *show) informer(resource int) *informer.Informer {
	switch {
	case resource == guard.Parents:
		return s.x
	case s.c.Config().Owns >= 0:
		return s.w.Informers[s.c.Config().Owns]
	}
	return nil
}

// written returns the newest versions that the controller wrote and its caches lack. Each guard
// notes them, though only one asks for them.
func (s *show) written() (out []link.Unseen) {
	for _, k := range s.c.Guard.Consistency.Owners(nil) {
		_, versions := s.c.Guard.Consistency.Written(k)
		for _, v := range versions {
			if len(out) < maxUnseen && s.unseen(v) {
				x := s.informer(int(v.Resource))
				out = append(out, link.Unseen{Key: s.t.KeyText(k), Resource: x.Config().Name, RV: s.t.RVText(v.RV), Seen: s.t.RVText(cacheRV(x))})
			}
		}
	}
	return out
}

// unseen reports whether a cache hasn't come to what was written.
func (s *show) unseen(v consistency.Version) bool {
	x := s.informer(int(v.Resource))
	if x == nil {
		return false
	}
	order, ok := s.t.CompareResourceVersion(v.RV, cacheRV(x))
	return ok && order > 0
}

func cacheRV(x *informer.Informer) object.RV {
	if rv := x.Indexer.LastStoreSyncResourceVersion(); rv != 0 {
		return rv
	}
	return x.CacheReached()
}

// guardState returns what the guard knows of, and whether it holds something back.
func (s *show) guardState() (out []link.Hold, shut bool) {
	g, now := &s.c.Guard, s.w.Now()
	add := func(h link.Hold, k object.Key) {
		if h.Key = s.t.KeyText(k); len(out) < maxHolds {
			out = append(out, h)
		}
	}
	if g.Expects() {
		for _, k := range g.Expectations.Keys(nil) {
			e, _ := g.Expectations.GetExpectations(k)
			if e.Fulfilled() {
				continue
			}
			shut = shut || !e.Expired(now)
			add(link.Hold{Kind: link.HoldExpects, N: max(e.Add, 0), M: max(e.Del, 0), Remaining: max(0, e.Timestamp+expectations.Timeout-now), Expired: e.Expired(now)}, k)
		}
	}
	if g.Remembers() {
		for _, k := range g.Consistency.Owners(nil) {
			if _, versions := g.Consistency.Written(k); slices.ContainsFunc(versions, s.unseen) {
				shut = true
			}
		}
	}
	switch g.Kind {
	case guard.ReadYourWrites:
		for i := range g.Clients {
			for _, m := range g.Clients[i].Minimums() {
				add(link.Hold{Kind: link.HoldMinimum, RV: strconv.FormatInt(m.RV, 10)}, m.Key)
			}
			for _, d := range g.Clients[i].PendingDeletes() {
				add(link.Hold{Kind: link.HoldDeleting}, d.Key)
			}
		}
		shut = slices.ContainsFunc(s.c.Runs, func(r reconciler.Run) bool { return r.Waits })
	case guard.Mutation:
		for _, cache := range g.Mutations {
			for _, e := range cache.LRU() {
				h := link.Hold{Kind: link.HoldKept, RV: s.t.RVText(s.t.RVOf(e.Obj)), Remaining: max(0, e.Expires-now), Expired: now > e.Expires}
				if e.Tombstone {
					h.Kind = link.HoldTombstone
				}
				add(h, e.Key)
			}
		}
	}
	return out, shut
}

// belief returns what the controller takes the children of an object for, and what they are.
func (s *show) belief() *link.Belief {
	k := s.subject()
	b, ok := s.w.Belief(s.x.Index(), k)
	if !ok {
		return nil
	}
	out := &link.Belief{
		Key: s.t.KeyText(k), Wants: b.Wants, Cached: len(b.Cached), Actual: len(b.Actual), Count: b.Count(), Asked: b.Asked, Created: b.Created, Expected: b.Expected,
	}
	cached, held, read := s.keys(b.Cached), s.keys(b.Actual), s.keys(b.Read)
	all := slices.Clone(held) // in the order of their names, and then what the server lacks
	for _, more := range [][]object.Key{cached, read} {
		for _, k := range more {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	if len(all) > maxChildren { // those that differ come first
		var differ, same []object.Key
		for _, k := range all {
			if slices.Contains(cached, k) == slices.Contains(held, k) {
				same = append(same, k)
			} else {
				differ = append(differ, k)
			}
		}
		all = append(differ, same...)[:maxChildren]
	}
	for _, k := range all {
		_, name, namespaced := strings.Cut(s.t.KeyText(k), "/")
		if !namespaced {
			name = s.t.KeyText(k)
		}
		out.Children = append(out.Children, link.Child{
			Name: name, Exists: slices.Contains(held, k), Cached: slices.Contains(cached, k), Read: slices.Contains(read, k),
		})
	}
	return out
}

func (s *show) keys(refs []object.Ref) (keys []object.Key) {
	for _, o := range refs {
		keys = append(keys, s.t.KeyOf(o))
	}
	return keys
}

// subject returns the object that a worker has in hand, or had last, or else the first that the
// server has.
func (s *show) subject() object.Key {
	last := object.Key(0)
	for i := range s.x.Work.Workers {
		if k := s.x.Work.Workers[i].Key; k != 0 {
			return k
		}
		if o := s.c.Runs[i].Obj; o != 0 {
			last = s.t.KeyOf(o)
		}
	}
	if last != 0 {
		return last
	}
	if held := s.w.Objects(s.x.Index()); len(held) > 0 {
		return s.t.KeyOf(held[0])
	}
	return 0
}
