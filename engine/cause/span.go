package cause

import "github.com/informerscope/informerscope/engine/event"

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

// Station is where a Node is after the fact.
func (l *Link) Station() Station { return stations[l.Event.Kind] }

// Path returns the links of a chain from its beginning to n, each once and in the order
// of their steps. Path leaves out what happened to a node after its effect began.
func (n *Node) Path() (path []Link) {
	chain := n.Back()
	for i, c := range chain {
		until := c.Last().Step
		if i+1 < len(chain) {
			if next := chain[i+1].First().Step; next >= c.First().Step { // a list begins before what it streams
				until = next
			}
		}
		for _, l := range c.Links {
			if k := len(path); l.Step <= until && (k == 0 || l.Step > path[k-1].Step || l.Step == path[k-1].Step && l.Event != path[k-1].Event) {
				path = append(path, l)
			}
		}
	}
	return path
}

// Spent is how long a path was at each station, in nanoseconds.
type Spent [NumStations]int64

// Times says where the time of a path was spent.
func Times(path []Link) (at Spent) {
	for i := 1; i < len(path); i++ {
		at[path[i-1].Station()] += path[i].At - path[i-1].At
	}
	return at
}

// Most returns the stations at which at least a hundredth of the time was spent, and how long
// the path was elsewhere: at any other station or at none.
func (at Spent) Most() (most Spent, elsewhere int64) {
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
