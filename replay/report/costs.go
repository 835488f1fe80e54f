package report

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// costs adds up what an informer costs, step by step.
type costs struct {
	world    *world.World
	informer int
	out      Costs
	since    [actor.NumLocks]int64 // when the lock was taken
	waits    []wait                // by actor: a wait for a lock
}

// wait is an actor's wait for a lock.
type wait struct {
	lock  int // an actor.LockID
	since int64
	waits bool
}

// look counts what the last step cost.
func (c *costs) look() {
	w := c.world
	if int(w.Last.Informer) != c.informer {
		return
	}
	for i := range w.Log.Events {
		switch e := &w.Log.Events[i]; e.Kind {
		case event.ListRequested:
			c.out.ListRequests++
		case event.WatchRequested:
			c.out.WatchRequests++
		case event.ListenerAddCh:
			c.out.Notifications++
		case event.LockAcquired:
			c.acquired(e, w.Now())
		case event.LockReleased:
			l := &c.out.Locks[e.Lock()]
			held := w.Now() - c.since[e.Lock()]
			l.Held += held
			l.Longest = max(l.Longest, held)
		case event.LockWaits:
			c.waits = grown(c.waits, int(e.Actor))
			if at := &c.waits[e.Actor]; !at.waits { // the actor may have been overtaken when it was woken
				*at = wait{e.Lock(), w.Now(), true}
				c.out.Locks[e.Lock()].Waits++
			}
		}
	}
}

func (c *costs) acquired(e *event.Event, now int64) {
	l := &c.out.Locks[e.Lock()]
	l.Taken++
	c.since[e.Lock()] = now
	if int(e.Actor) < len(c.waits) && c.waits[e.Actor].waits && c.waits[e.Actor].lock == e.Lock() {
		l.Waited += now - c.waits[e.Actor].since
		c.waits[e.Actor] = wait{}
	}
}

// report returns what was counted.
func (c *costs) report() Costs {
	out := c.out
	for i := range out.Locks {
		out.Locks[i].Name = actor.LockID(i).String()
	}
	var u informer.Usage
	x := c.world.Informers[c.informer]
	x.AddUsage(&u)
	out.Lists, out.Objects, out.Copies = u.Lists, u.Objects, u.Copies
	q := x.Queue.Counters()
	out.Deltas, out.Deduplicated = q.In, q.Deduped
	return out
}

// add adds what another informer has cost.
func (c *Costs) add(more Costs) {
	c.ListRequests += more.ListRequests
	c.WatchRequests += more.WatchRequests
	c.Lists += more.Lists
	c.Objects += more.Objects
	c.Copies += more.Copies
	c.Deltas += more.Deltas
	c.Deduplicated += more.Deduplicated
	c.Notifications += more.Notifications
	for i := range c.Locks {
		l, m := &c.Locks[i], &more.Locks[i]
		l.Name = m.Name
		l.Taken += m.Taken
		l.Held += m.Held
		l.Longest = max(l.Longest, m.Longest)
		l.Waits += m.Waits
		l.Waited += m.Waited
	}
}
