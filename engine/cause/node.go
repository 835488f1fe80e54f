// Package cause tells what came of what in a run: which watch event made a handler's
// call, and what became of a watch event. A Tracker reads the facts of a run in their
// order and keeps a mirror of the stations, in which it knows the origin of each delta,
// notification and workqueue entry. The machine itself carries no causes, so runs that
// nobody asks about cost nothing.
package cause

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Kind says what a Node is.
type Kind uint8

// The kinds of nodes. A chain begins with one of the first eight.
const (
	Write    Kind = iota + 1 // a write to a simulated server. A write-back has a Cause, all others begin a chain
	Watch                    // a watch event. It has a Cause if its write was seen, or if a recorded controller has said so
	Item                     // an object of a list. It has a Cause if the list was streamed, or if its write was seen
	Gap                      // a list that lacks the key
	Resync                   // a resync of a cached object
	Listing                  // a handler that was added late, and gets a cached object
	Call                     // a call by hand, or by a handler of another informer
	Recorded                 // a call that a recorded controller made. Its Cause is the Delivery or the Reconcile within which it was made, or else the Reconcile whose write has come back

	Delta        // an entry of the queue, until the indexer has it
	Notification // what is distributed to the listeners
	Delivery     // a notification on its way to one handler, with the call
	Request      // an entry of the workqueue
	Reconcile    // a key in the hands of a worker
	Retry        // a key that AddRateLimited puts back later
)

// Node is one thing that moved through the machine. Nodes belong to their Tracker and
// change with every step that it looks at.
type Node struct {
	Kind       Kind
	Key        object.Key // 0 for a delta that stands for a whole list
	Links      []Link     // what happened to it, in order; at least one
	Final      bool       // nothing more happens to it itself
	Cause      *Node      // what it came of; nil where a chain begins
	Merged     []*Node    // other nodes that were merged into it
	MergedInto *Node      // what it was merged into, or overtaken by; nil if it was not
	Effects    []*Node    // what came of it, in order
	Cached     *Node      // of a Resync or Listing: the delta by which the object had come into the cache
	Caller     string     // of a Call or a Recorded: within what it was made, "" if by hand, or if nobody knows; of a Write: the informer and the key of another informer's controller that has made it
	Ahead      bool       // of a Recorded: the engine had not made the handler's call by then
	Trigger    Link       // of an Item or Gap: what made the reflector list again; of a Recorded: the write that has come back. Its Step is 0 for none
}

// Link is one fact about a Node. The Kind of the fact says what its numbers mean.
type Link struct {
	Step      int64
	Time      int64 // on the clock, in nanoseconds
	Event     event.Event
	RV, OldRV object.RV // of the objects Event.New and Event.Old; of a StoreReplaced, what it did to the key
	Row       int64     // of an Enqueued: how many rows the queue had seen before it
}

// First returns the first thing that happened to the Node.
func (n *Node) First() *Link { return &n.Links[0] }

// Last returns the last thing that happened to the Node.
func (n *Node) Last() *Link { return &n.Links[len(n.Links)-1] }

// Find returns the first Link with a fact of the kind, or nil.
func (n *Node) Find(k event.Kind) *Link {
	for i := range n.Links {
		if n.Links[i].Event.Kind == k {
			return &n.Links[i]
		}
	}
	return nil
}

// Handler returns the number of the handler that a Delivery goes to, and -1 for any other Node.
func (n *Node) Handler() int {
	if n.Kind != Delivery {
		return -1
	}
	return n.First().Event.Handler()
}

// Chain returns the chain from where it begins to n.
func (n *Node) Chain() (chain []*Node) {
	if n.Cause != nil {
		chain = n.Cause.Chain()
	}
	return append(chain, n)
}

// Origin returns where the chain of n enters the informer: a Watch, Item, Gap, Resync,
// Listing or Call. An object of a streaming list enters as a Watch.
func (n *Node) Origin() *Node {
	for n.Cause != nil && n.Cause.Kind != Write && n.Kind != Recorded {
		n = n.Cause
	}
	return n
}

// Done reports whether nothing more comes of n. For something that is written
// back, it asks only whether the write has arrived.
func (n *Node) Done() bool {
	if !n.Final {
		return false
	}
	for _, e := range n.Effects {
		if !e.Final || !e.comesBack() && !e.Done() {
			return false
		}
	}
	return true
}

// Each calls f for n and, as long as f returns true, for all that came of it: each Node
// once, parents first. It ends where something is written back.
func (n *Node) Each(f func(*Node) bool) {
	seen := map[*Node]bool{}
	var each func(*Node)
	each = func(c *Node) {
		if seen[c] || !f(c) {
			return
		}
		seen[c] = true
		if c.comesBack() && c != n {
			return
		}
		for _, e := range c.Effects {
			each(e)
		}
	}
	each(n)
}

// comesBack reports whether n begins a chain although it comes of another one.
func (n *Node) comesBack() bool { return n.Kind == Write || n.Kind == Recorded }

// newNode makes a Node that came of cause, which may be nil.
func newNode(kind Kind, k object.Key, cause *Node, links ...Link) *Node {
	n := &Node{Kind: kind, Key: k, Cause: cause, Links: links}
	if cause != nil {
		cause.Effects = append(cause.Effects, n)
	}
	return n
}

// link adds a fact. A nil Node takes none.
func (n *Node) link(l Link) {
	if n != nil {
		n.Links = append(n.Links, l)
	}
}

// end adds the last fact.
func (n *Node) end(l Link) {
	if n != nil {
		n.Links = append(n.Links, l)
		n.Final = true
	}
}

// finish says that nothing more happens to n itself.
func (n *Node) finish() {
	if n != nil {
		n.Final = true
	}
}

// merge ends n, which goes on as part of into.
func (n *Node) merge(into *Node, l Link) {
	n.end(l)
	n.MergedInto = into
	into.Merged = append(into.Merged, n)
}

// Station is where something is after a fact about it.
type Station uint8

// The stations, in the order in which a chain meets them.
const (
	Nowhere   Station = iota // the thing's way has ended, or has not begun
	Server                   // on the API server, or on the wire
	User                     // in the hands of AddEventHandler
	Reflector                // in the reflector's hands
	Lock                     // in the hands of a goroutine that waits for a lock
	Queue                    // in the queue
	Loop                     // in the hands of the process loop
	Listener                 // in the slot of a pop goroutine, or in pendingNotifications
	Run                      // in the hands of a run goroutine, before the call and after it
	Handler                  // in a call of the handler
	Workqueue                // in the workqueue
	Worker                   // in the hands of a worker
	Delaying                 // in the delaying queue
	NumStations
)

// stations says where something is after a fact of each kind.
var stations = [event.NumKinds]Station{
	event.ObjectWritten:      Server,
	event.WatchEventHeld:     Server,
	event.ListRequested:      Server,
	event.WatchRequested:     Server,
	event.ListPageReceived:   Server,
	event.WatchEventReceived: Reflector,
	event.ListStreamed:       Reflector,
	event.ListReceived:       Reflector,
	event.ReplaceStarted:     Reflector,
	event.ResyncFired:        Reflector,
	event.ListenerAdded:      User,
	event.LockWaits:          Lock,
	event.Enqueued:           Queue,
	event.DeltaAppended:      Queue,
	event.DeltasDeduplicated: Queue,
	event.Requeued:           Queue,
	event.Popped:             Loop,
	event.StoreAdded:         Loop,
	event.StoreUpdated:       Loop,
	event.StoreDeleted:       Loop,
	event.StoreReplaced:      Loop,
	event.StoreListed:        Loop,
	event.StoreBookmarked:    Loop,
	event.Distributed:        Loop,
	event.ListenerSkipped:    Loop,
	event.ListenerAddCh:      Listener,
	event.ListenerPending:    Listener,
	event.ListenerNextCh:     Run,
	event.HandlerCalled:      Handler,
	event.TombstoneIgnored:   Handler,
	event.HandlerUnled:       Handler,
	event.WorkAdded:          Workqueue,
	event.WorkDirty:          Workqueue,
	event.WorkDeferred:       Workqueue,
	event.WorkRequeued:       Workqueue,
	event.WorkGot:            Worker,
	event.ReconcileStarted:   Worker,
	event.ReconcileEnded:     Worker,
	event.ReconcileFailed:    Worker,
	event.ReconcilePanicked:  Worker,
	event.WorkRateLimited:    Delaying,
	event.WorkDelayed:        Delaying,
	event.WorkDelayKept:      Delaying,
	event.WorkReady:          Delaying,
}

// Station returns where a Node is after the fact.
func (l *Link) Station() Station { return stations[l.Event.Kind] }

// Path returns the links of a chain from its beginning to n, each once and in the order
// of their steps. Path leaves out what happened to a node after its effect began. It goes back
// where a recorded controller was faster than the engine: see [Node.Early].
func (n *Node) Path() (path []Link) {
	chain := n.Chain()
	for i, c := range chain {
		until, after := c.Last().Step, int64(0)
		if i+1 < len(chain) {
			switch next := chain[i+1]; {
			case next.Early():
				until = c.Find(event.HandlerCalled).Step
			case next.First().Step >= c.First().Step: // a list begins before what it streams
				until = next.First().Step
			}
		}
		for _, l := range c.Links {
			if k := len(path); l.Step <= until && (k == 0 || c.Early() && l.Step > after || l.Step > path[k-1].Step || l.Step == path[k-1].Step && l.Event != path[k-1].Event) {
				path = append(path, l)
				after = l.Step
			}
		}
	}
	return path
}

// Early reports whether a recorded controller made the call before the engine called the handler within which it was.
func (n *Node) Early() bool {
	if n.Kind != Recorded || n.Cause == nil || n.Cause.Kind != Delivery {
		return false
	}
	called := n.Cause.Find(event.HandlerCalled)
	return called != nil && called.Step > n.First().Step
}

// Spent is how long a path was at each station, in nanoseconds.
type Spent [NumStations]int64

// Times says where the time of a path was spent.
func Times(path []Link) (at Spent) {
	for i := 1; i < len(path); i++ {
		at[path[i-1].Station()] += max(0, path[i].Time-path[i-1].Time)
	}
	return at
}

// Largest returns the stations at which at least a hundredth of the time was spent, and how long
// the path was elsewhere: at any other station or at none.
func (at Spent) Largest() (most Spent, elsewhere int64) {
	all := int64(0)
	for _, ns := range at {
		all += ns
	}
	for s, ns := range at {
		if Station(s) != Nowhere && ns >= all/100 {
			most[s] = ns
		} else {
			elsewhere += ns
		}
	}
	return most, elsewhere
}
