// Package chains tells what came of what: of a thing that stands on the stage, the facts
// that led to it, and what came of it. It writes the nodes of engine/cause as the page has
// them.
package chains

import (
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

// Causes describes a thing's chain in both directions, as far as the Tracker has
// come.
func (m *Moment) Causes(t *cause.Tracker, n *cause.Node) []link.WhySection {
	c := writer{m, t}
	out := []link.WhySection{c.path(link.WhyChain, n, n.Last().Step)}
	merged := 0
	for _, b := range n.Chain() {
		for _, a := range b.Merged {
			if merged++; merged > maxMerged {
				out[len(out)-1].More++
				continue
			}
			until := a.Last().Step
			for i := range a.Links {
				if e := a.Links[i].Event; e.Kind == event.WorkDirty || e.Kind == event.WorkDelayKept {
					until = a.Links[i].Step
				}
			}
			out = append(out, c.path(link.WhyMerged, a, until))
		}
	}
	effects := link.WhySection{Name: link.WhyEffects}
	c.effects(n, &effects, map[*cause.Node]bool{n: true})
	if len(effects.Links) > 0 {
		out = append(out, effects)
	}
	return out
}

// writer writes chains as the page has them.
type writer struct {
	m *Moment
	t *cause.Tracker
}

// path returns the chain that leads to n, up to a step.
func (c writer) path(name string, n *cause.Node, until int64) link.WhySection {
	out := link.WhySection{Name: name}
	path := n.Path()
	for len(path) > 1 && path[len(path)-1].Step > until {
		path = path[:len(path)-1]
	}
	var why *cause.Link
	chain := n.Chain()
	for _, b := range chain {
		if b.Trigger.Step > 0 && b.Kind != cause.Recorded {
			why = &b.Trigger
		}
	}
	if why != nil {
		l := c.link(*why, "relist.", "", -1)
		l.Until = why.Step
		out.Links = append(out.Links, l)
	}
	place := ""
	for i, l := range path {
		took := int64(-1)
		if i > 0 {
			took = max(0, l.Time-path[i-1].Time)
		}
		for _, b := range chain {
			if b.Caller != "" && b.First().Step == l.Step {
				id := "chain.calledBy"
				switch {
				case b.Kind == cause.Write:
					id = "chain.writtenBy"
				case b.Early():
					id = "chain.calledEarly"
				}
				out.Links = append(out.Links, link.WhyLink{Step: l.Step, Time: l.Time, Duration: took, Until: l.Step,
					Sentence: link.Sentence{ID: id, Args: map[string]link.Arg{"what": {Kind: "code", V: b.Caller}}}})
				took = 0
			}
		}
		place = c.place(&l, n.Key, place)
		w := c.link(l, c.prefix(n, &l), place, took)
		if w.Until = l.Step; i+1 < len(path) {
			w.Until = max(l.Step, path[i+1].Step-1)
		} else if c.rests(n) {
			w.Until = -1
		}
		out.Links = append(out.Links, w)
	}
	times, elsewhere := cause.Times(path).Largest()
	for at, ns := range times {
		if ns > 0 {
			out.Spent = append(out.Spent, link.WhySpent{Station: link.WhyStations[at], Ns: ns})
		}
	}
	if elsewhere > 0 {
		out.Spent = append(out.Spent, link.WhySpent{Station: link.WhyStations[cause.Nowhere], Ns: elsewhere})
	}
	return out
}

// rests reports whether the thing stays where its last link has put it.
func (c writer) rests(n *cause.Node) bool { return !n.Final || c.t.Cached(n.Key) == n }

// effects adds what came of n: each thing once.
func (c writer) effects(n *cause.Node, out *link.WhySection, seen map[*cause.Node]bool) {
	for _, e := range n.Effects {
		if seen[e] {
			continue
		}
		seen[e] = true
		if e.Kind == cause.Recorded && n.Kind == cause.Delivery && !e.Early() { // what it adds to the workqueue says the same
			c.effects(e, out, seen)
			continue
		}
		c.effect(n, e, out)
		if e.Kind != cause.Write && e.Kind != cause.Recorded { // what is written back is a chain of its own
			c.effects(e, out, seen)
		}
	}
	if n.Kind == cause.Notification && n.Final {
		c.unheard(n, out)
	}
}

// effect adds the links of one thing that came of n.
func (c writer) effect(n, e *cause.Node, out *link.WhySection) {
	before := n.First()
	for i := range n.Links {
		if n.Links[i].Step <= e.First().Step {
			before = &n.Links[i]
		}
	}
	place := ""
	for i := range e.Links {
		l := e.Links[i]
		place = c.place(&l, e.Key, place)
		if l.Step < before.Step || l.Step == before.Step && l.Event == before.Event && i == 0 && len(e.Links) > 1 {
			continue
		}
		if len(out.Links) >= maxEffects {
			out.More++
			continue
		}
		prefix := c.prefix(e, &l)
		if n.Key == 0 && e.Kind == cause.Notification && i == 0 { // of a whole list: the key is another one each time
			prefix = "each."
		}
		w := c.link(l, prefix, place, l.Time-before.Time)
		w.Branch = len(n.Effects) > 1 && i == 0
		if w.Until = l.Step; i+1 < len(e.Links) {
			w.Until = e.Links[i+1].Step - 1
		} else if c.rests(e) {
			w.Until = -1
		}
		out.Links = append(out.Links, w)
		before = &e.Links[i]
	}
}

// unheard adds the handlers that were no listeners when a notification was distributed.
func (c writer) unheard(n *cause.Node, out *link.WhySection) {
	for i, h := range c.m.x.Config().Handlers {
		if notified, m := n.Notified(i); notified || m.Node != n || m.Link != nil {
			continue
		}
		l := n.First()
		out.Links = append(out.Links, link.WhyLink{Step: l.Step, Time: l.Time, Duration: -1, Until: l.Step, Branch: true,
			Sentence: link.Sentence{ID: "chain.noListener", Args: map[string]link.Arg{"listener": {Kind: "text", V: h.Name}}}})
	}
}

// prefix returns "merged." for the fact that made a thing a part of another one.
func (c writer) prefix(n *cause.Node, l *cause.Link) string {
	if n.MergedInto != nil && l.Step == n.Last().Step && l.Event == n.Last().Event {
		return "merged."
	}
	return "chain."
}

// link describes one fact.
func (c writer) link(l cause.Link, prefix, place string, took int64) link.WhyLink {
	args := says.Arguments(c.m.x, l.Event)
	rv := func(name string, v object.RV) {
		if _, ok := args[name]; !ok && v != 0 {
			args[name] = link.Arg{Kind: "rv", V: c.m.t.RVText(v)}
		}
	}
	rv("rv", l.RV)
	rv("old", l.OldRV)
	if _, ok := args["old"]; !ok && l.Event.Kind == event.StoreDeleted { // the store had nothing to delete
		args["old"] = link.Arg{Kind: "rv"}
	}
	if l.Event.Kind == event.LockWaits {
		args["lock"] = link.Arg{Kind: "lock", V: actor.LockID(l.Event.Lock()).String()}
	}
	name := l.Event.Kind.String()
	if l.Event.Kind == event.WatchEventReceived && l.Event.Delta != event.Deleted && c.m.Manager != nil {
		if by := c.m.Manager(l.Event.New); by != "" {
			name, args["manager"] = name+"By", link.Arg{Kind: "code", V: by}
		}
	}
	return link.WhyLink{Step: l.Step, Time: l.Time, Duration: took, Place: place, Sentence: link.Sentence{ID: prefix + strings.ToLower(name[:1]) + name[1:], Args: args}}
}

// place returns where a thing is after a fact. Before the fact it was at another place.
func (c writer) place(l *cause.Link, k object.Key, before string) string {
	name := c.m.t.KeyText(k)
	switch e := l.Event; e.Kind {
	case event.WatchEventReceived, event.ListReceived, event.ReplaceStarted, event.ListStreamed:
		return link.PlaceReflector
	case event.Enqueued:
		if c.m.x.Config().Profile.InOrder {
			return link.PlaceDelta(link.RowID(l.Row), 0)
		}
		return link.PlaceDelta(name, 0)
	case event.DeltaAppended:
		return link.PlaceDelta(name, e.Length()-1)
	case event.Popped:
		return link.PlaceLoop
	case event.StoreAdded, event.StoreUpdated, event.StoreReplaced:
		if k == 0 {
			return link.PlaceStore
		}
		return link.PlaceTile(name)
	case event.Distributed:
		return link.PlaceProcessor
	case event.ListenerAddCh:
		return link.PlaceLane(e.Handler(), link.LaneSlot)
	case event.ListenerPending:
		return link.PlaceLane(e.Handler(), link.LanePending)
	case event.ListenerNextCh:
		return link.PlaceLane(e.Handler(), link.LaneNextCh)
	case event.HandlerCalled:
		return link.PlaceLane(e.Handler(), link.LaneHandler)
	case event.WorkBuffered:
		return link.PlaceBuffer
	case event.WorkAdded, event.WorkRequeued:
		return link.PlaceKey(link.SetQueue, name)
	case event.WorkDeferred, event.WorkDirty:
		return link.PlaceKey(link.SetDirty, name)
	case event.WorkGot, event.ReconcileStarted, event.ReconcileEnded, event.ReconcileFailed, event.ReconcilePanicked:
		if i := e.Worker(); i >= 0 {
			return link.PlaceWorker(i)
		}
	case event.WorkDelayed, event.WorkDelayKept:
		return link.PlaceKey(link.SetDelayed, name)
	case event.LockWaits, event.StoreListed, event.ListenerSkipped:
		return before
	}
	return ""
}
