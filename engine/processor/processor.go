// Package processor is client-go's sharedProcessor with its listeners (processorListener), as plain data.
// It follows tools/cache/shared_informer.go of v0.22 to v0.38.0-beta.0.
//
// [Processor.New] adds a listener, and [Processor.Join] lets it get notifications. To distribute one, the
// process loop asks [Processor.Receives] for each listener in turn, and hands the notification over with
// [Processor.Add]. In the listener, [Processor.Next] is pop's send to run, and [Processor.Call] and
// [Processor.Return] are run's call of the handler. Nothing here waits: package informer decides which
// goroutine may move.
//
// Times and durations are nanoseconds of virtual time. No method returns an error. Facts are appended to the
// event.Log that a method gets.
package processor

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Listener is a processorListener. Its addCh and nextCh are unbuffered, so they
// hold nothing: the sender has a notification until the receiver takes it.
type Listener struct {
	Resync     int64 // resyncPeriod now, ns; 0: none
	NextResync int64
	Requested  int64 // requestedResyncPeriod
	Joined     bool  // it is among the processor's listeners
	Syncing    bool  // it is among the syncingListeners
	Removed    bool  // RemoveEventHandler was called for it

	Calls    int64 // handler calls so far
	Received int64 // notifications taken from addCh so far

	// The listener's SingleFileTracker, which knows when the handler has
	// returned from all calls for the initial list (from v0.27).
	Initial  int64 // initial adds that the handler has not returned from
	Upstream bool  // the informer has synced
	Synced   bool  // HasSynced of the registration: the informer has synced, and Initial was 0 then. It stays true

	Reached object.RV // while notifications are on their way to the handler: the informer's HandlerReached

	Lost  int   // of pendingNotifications, when it was stopped
	Added int64 // when AddEventHandler was called, from which its first resync counts

	pending     pending
	undelivered int // notifications in pending, slots and hands: each step asks for it
	pairs       pairs
}

// Pending returns the length of pendingNotifications.
func (l *Listener) Pending() int { return l.pending.n }

// PendingAt returns the i-th notification of pendingNotifications, the oldest
// being 0.
func (l *Listener) PendingAt(i int) Notification { return *l.pending.at(i) }

// Ring returns the capacity of pendingNotifications.
func (l *Listener) Ring() int { return l.pending.ring }

// Backlog returns how many notifications are on their way to the handler, those in
// hand included.
func (l *Listener) Backlog() int { return l.undelivered }

// Processor is the sharedProcessor.
type Processor struct {
	Listeners []Listener // in the order in which they were made; those that have Joined are in the order of joining, too

	closed        bool // run has closed the addCh of at least one listener
	closedSyncing bool // one of these listeners was among syncingListeners

	printed printed
}

// New adds a listener that has not joined yet.
func (p *Processor) New(requested, now int64, pop, run actor.ID) int {
	i := len(p.Listeners)
	p.Listeners = append(p.Listeners, Listener{Requested: requested, Added: now, pending: pending{ring: initialRing}})
	p.AddPair(i, pop, run)
	return i
}

// Join models addListener: the listener gets notifications from now on. It counts
// as syncing until the first ShouldResync.
func (p *Processor) Join(i int, resync int64, log *event.Log) {
	l := &p.Listeners[i]
	l.Joined, l.Syncing, l.Resync, l.NextResync = true, true, resync, actor.After(l.Added, resync)
	log.Emit(event.Event{Kind: event.ListenerAdded, Listener: int16(i), N: resync})
}

// Receives returns the first listener from the i-th on to which sharedProcessor.distribute
// sends a notification, or -1. It logs listeners that it skips because they are not syncing.
func (p *Processor) Receives(i int, sync bool, log *event.Log) int {
	for ; i < len(p.Listeners); i++ {
		switch l := &p.Listeners[i]; {
		case !l.Joined:
		case sync && !l.Syncing:
			log.Emit(event.Event{Kind: event.ListenerSkipped, Listener: int16(i)})
		default:
			return i
		}
	}
	return -1
}

// Add models listener.add: the pop that has waited longest takes n from addCh, and
// puts it into its slot if that is empty, or into pendingNotifications. In the
// first case Add returns the pair whose slot it is, and otherwise -1.
func (p *Processor) Add(i int, n Notification, log *event.Log) (pair int) {
	l := &p.Listeners[i]
	l.Received++
	l.undelivered++
	if n.isInitial() {
		l.Initial++
	}
	n.Emit(event.ListenerAddCh, log).Listener = int16(i)
	pair = l.PopAt(0)
	if l.pairs.n > 1 {
		toEnd(l.pairs.pops[:l.pairs.n], pair)
	}
	if at := l.PairAt(pair); at.Slot.Type == 0 {
		at.Slot = n
		e := log.Add(event.ListenerSlot)
		e.Listener, e.Key = int16(i), n.Key
		return pair
	}
	l.pending.push(n)
	e := log.Add(event.ListenerPending)
	e.Listener, e.Key, e.N = int16(i), n.Key, int64(l.pending.n)
	return -1
}

// Next hands the notification in the slot of the pair from to the run of the pair
// to, through nextCh, and refills the slot from pendingNotifications. It reports
// whether the slot is full again.
func (p *Processor) Next(i, from, to int, log *event.Log) bool {
	l := &p.Listeners[i]
	at := l.PairAt(from)
	n := at.Slot
	l.PairAt(to).InHand = n
	at.Slot, _ = l.pending.pop()
	if l.pairs.n > 1 {
		toEnd(l.pairs.pops[:l.pairs.n], from)
	}
	e := n.Emit(event.ListenerNextCh, log)
	e.Listener, e.N = int16(i), int64(l.pending.n)
	return at.Slot.Type != 0
}

// Call models run calling the handler, which takes so many nanoseconds, or doesn't return
// if that is negative.
func (p *Processor) Call(i, pair int, now, takes int64, log *event.Log) {
	l := &p.Listeners[i]
	at := l.PairAt(pair)
	at.Started, at.Duration = now, takes
	l.Calls++
	n := &at.InHand
	said := p.printed.next() // in place, since each call of a handler comes by here
	said.Time, said.Listener, said.Delta, said.Flags = now, int16(i), event.Delta(n.Type), n.Flags
	said.Key, said.Old, said.New = n.Key, n.Old, n.New
	e := n.Emit(event.HandlerCalled, log)
	e.Listener, e.N = int16(i), takes
}

// Return models the handler returning to run.
func (p *Processor) Return(i, pair int, log *event.Log) {
	l := &p.Listeners[i]
	at := l.PairAt(pair)
	e := log.Add(event.HandlerReturned)
	e.Listener, e.Key, e.Delta = int16(i), at.InHand.Key, event.Delta(at.InHand.Type)
	if at.InHand.isInitial() {
		l.Initial--
		p.checkSynced(i, log)
	}
	at.InHand = Notification{}
	l.undelivered--
	if l.pairs.n > 1 {
		toEnd(l.pairs.runs[:l.pairs.n], pair)
	}
}

// UpstreamHasSynced tells the listener's tracker that the informer has synced.
func (p *Processor) UpstreamHasSynced(i int, log *event.Log) {
	p.Listeners[i].Upstream = true
	p.checkSynced(i, log)
}

func (p *Processor) checkSynced(i int, log *event.Log) {
	if l := &p.Listeners[i]; l.Upstream && l.Initial == 0 && !l.Synced {
		l.Synced = true
		log.Emit(event.Event{Kind: event.HandlerHasSynced, Listener: int16(i)})
	}
}

// ResyncCheckPeriodChanged models sharedProcessor.resyncCheckPeriodChanged: the listeners that
// have joined resync by the informer's new resyncCheckPeriod.
func (p *Processor) ResyncCheckPeriodChanged(check int64) {
	for i := range p.Listeners {
		if l := &p.Listeners[i]; l.Joined {
			l.Resync = DetermineResyncPeriod(l.Requested, check)
		}
	}
}

// DetermineResyncPeriod returns what determineResyncPeriod does: how often a listener resyncs that asks for
// desired, where the informer looks once in each period of check. Both are nanoseconds, 0 for none.
func DetermineResyncPeriod(desired, check int64) int64 {
	if desired == 0 || check == 0 {
		return 0
	}
	return max(desired, check)
}

// ShouldResync makes the listeners that are due at now syncing, and no others. It
// reports whether there are any.
func (p *Processor) ShouldResync(now int64, log *event.Log) bool {
	some := false
	for i := range p.Listeners {
		l := &p.Listeners[i]
		if !l.Joined {
			continue
		}
		due := l.Resync != 0 && now >= l.NextResync
		if due {
			l.NextResync = actor.After(now, l.Resync)
			some = true
		}
		if due != l.Syncing {
			e := event.Event{Kind: event.ListenerSyncing, Listener: int16(i)}
			if due {
				e.N = 1
			}
			log.Emit(e)
		}
		l.Syncing = due
	}
	return some
}

// Close models Stop at the end of run. Unlike a listener that was removed, this one is still sent
// what another call of the informer's Run distributes, and the send panics.
func (p *Processor) Close(i int, log *event.Log) {
	p.closed, p.closedSyncing = true, p.closedSyncing || p.Listeners[i].Syncing
	p.Stop(i, log)
}

// Closed reports whether run has ended, and there was a listener to Close.
func (p *Processor) Closed() bool { return p.closed }

// Panics reports whether distribute would send on a closed channel: with sync, the channel of one of the
// syncingListeners, and otherwise of any listener.
func (p *Processor) Panics(sync bool) bool { return p.closed && (!sync || p.closedSyncing) }

// Stop closes the listener's addCh: notifications that were not handed to run are
// lost.
func (p *Processor) Stop(i int, log *event.Log) {
	l := &p.Listeners[i]
	lost := int64(l.pending.n)
	for j := range l.Pairs() {
		at := l.PairAt(j)
		if at.Slot.Type != 0 {
			lost++
		}
		at.Slot = Notification{}
	}
	l.Lost = l.pending.n
	l.undelivered -= int(lost)
	l.Joined, l.Syncing = false, false
	l.pending = pending{ring: l.pending.ring}
	log.Emit(event.Event{Kind: event.ListenerStopped, Listener: int16(i), N: lost})
}

// CopyFrom makes p equal to src. Each then changes on its own.
func (p *Processor) CopyFrom(src *Processor) {
	p.Listeners = object.Resized(p.Listeners, len(src.Listeners))
	for i := range src.Listeners {
		pending := p.Listeners[i].pending
		p.Listeners[i] = src.Listeners[i]
		p.Listeners[i].pending = pending
		p.Listeners[i].pending.copyFrom(&src.Listeners[i].pending)
	}
	p.closed, p.closedSyncing, p.printed = src.closed, src.closedSyncing, src.printed
}

// Emit appends the notification to the log as a fact of kind k, and returns the fact.
func (n *Notification) Emit(k event.Kind, log *event.Log) *event.Event {
	e := log.Add(k)
	e.Delta, e.Flags, e.Cause = event.Delta(n.Type), n.Flags, n.Cause
	e.Key, e.Old, e.New = n.Key, n.Old, n.New
	return e
}

// isInitial reports whether the listener's tracker counts the notification.
func (n *Notification) isInitial() bool {
	return n.Flags&event.IsInInitialList != 0 && n.Type == Add
}

// Hash adds the listeners' state at the time now.
func (p *Processor) Hash(h *actor.Hash, now int64) {
	h.Bools(p.closed, p.closedSyncing)
	for i := range p.Listeners {
		l := &p.Listeners[i]
		h.Bools(l.Joined, l.Syncing, l.Removed, l.Upstream, l.Synced)
		h.Add(uint64(l.Initial))
		h.Add(uint64(l.Resync))
		if l.Resync != 0 {
			h.Due(l.NextResync, now)
		}
		for j := range l.Pairs() {
			l.PairAt(j).Slot.Hash(h)
			l.PairAt(j).InHand.Hash(h)
			h.Bools(l.PairAt(j).Unled)
		}
		if l.Pairs() > 1 {
			for k := range l.Pairs() {
				h.Add(uint64(l.PopAt(k))<<8 | uint64(l.RunAt(k)))
			}
		}
		h.Add(uint64(l.pending.n))
		for i := range l.pending.n {
			n := l.pending.at(i)
			n.Hash(h)
		}
	}
}

// Mark adds the objects of all notifications that have not been handled.
func (p *Processor) Mark(live *object.Live) {
	for i := range p.Listeners {
		l := &p.Listeners[i]
		for j := range l.Pairs() {
			l.PairAt(j).Slot.Mark(live)
			l.PairAt(j).InHand.Mark(live)
		}
		for i := range l.pending.n {
			l.pending.at(i).Mark(live)
		}
	}
	p.printed.mark(live)
}

// Pair is one pop goroutine and one run goroutine of a listener, with their
// variables. A listener has one pair. In v0.22, sharedProcessor.run starts another
// pair for each listener whenever it is called again. The pairs of a listener
// share addCh, nextCh and pendingNotifications, so several goroutines call its
// handler at the same time, in no particular order.
type Pair struct {
	Pop, Run actor.ID
	Slot     Notification // the variable notification of pop; its Type is 0 when it is empty
	InHand   Notification // being handled by run
	Started  int64        // when the handler was called
	Duration int64        // how long that call takes, ns
	Unled    bool         // that call found that its process doesn't lead
}

// pairs are the pairs of a listener. Goroutines that wait on a channel are
// served in the order in which they came. One that waits again goes to the end
// of that order.
type pairs struct {
	slots      [actor.MaxRuns]Pair
	n          uint8
	pops, runs [actor.MaxRuns]uint8 // all pairs, ordered by how long their pop or run has waited
}

// AddPair adds a pair to listener i: its pop and run are started once more. The
// pair gets the next number, which the Role of both actors must have as its Pair.
func (p *Processor) AddPair(i int, pop, run actor.ID) {
	l := &p.Listeners[i]
	j := l.pairs.n
	l.pairs.n++
	*l.PairAt(int(j)) = Pair{Pop: pop, Run: run}
	l.pairs.pops[j], l.pairs.runs[j] = j, j
}

// Pairs returns how many pairs the listener has: 1, or more if Run was called again in
// v0.22.
func (l *Listener) Pairs() int { return int(l.pairs.n) }

// PairAt returns pair j, 0 being the first.
func (l *Listener) PairAt(j int) *Pair { return &l.pairs.slots[j] }

// PopAt returns the pair whose pop is the k-th in order of waiting, the longest first.
func (l *Listener) PopAt(k int) int { return int(l.pairs.pops[k]) }

// RunAt returns the pair whose run is the k-th in order of waiting, the longest first.
// That run may not wait now.
func (l *Listener) RunAt(k int) int { return int(l.pairs.runs[k]) }

// toEnd moves a pair behind the others, because the pair begins to wait again.
func toEnd(order []uint8, pair int) {
	for k, j := range order {
		if int(j) == pair {
			copy(order[k:], order[k+1:])
			order[len(order)-1] = j
			return
		}
	}
}
