package actor

import "github.com/informerscope/informerscope/engine/event"

// LockID names the locks of one informer.
type LockID uint8

const (
	FIFOLock      LockID = iota // the queue's
	BlockDeltas                 // sharedIndexInformer.blockDeltas
	ListenersLock               // sharedProcessor.listenersLock
	NumLocks
)

func (l LockID) String() string {
	return [...]string{"fifo", "blockDeltas", "listenersLock"}[l]
}

// MaxRuns is how many controllers one informer can have at the same time.
const MaxRuns = 4

// maxWaiters is how many actors of one informer can wait for the same lock. For
// listenersLock these are the resync goroutine of each controller, the caller
// of RemoveEventHandler and the processor; for blockDeltas, the process loop of each controller and
// the goroutines that called Run. The queue's lock is wanted by the reflector, the
// resync goroutine and the process loop.
const maxWaiters = 2 * MaxRuns

// Lock is held by one actor at a time. It models read-write locks, too, because no
// two readers of one ever meet here.
type Lock struct {
	holder  ID // plus one: the zero Lock is free
	waiters [maxWaiters]ID
	waiting uint8
}

// Holder returns who holds the lock, or Nobody.
func (l *Lock) Holder() ID { return l.holder - 1 }

// Waiters returns the actors that wait for the lock, in the order in which they
// came.
func (l *Lock) Waiters() []ID { return l.waiters[:l.waiting] }

// Acquire takes the lock for id and returns true. If another holds it, id is
// blocked before pc, and tries again there once it is woken: like a real mutex,
// this one does not promise that it will not be overtaken.
func (s *Set) Acquire(l *Lock, which LockID, id ID, pc PC, log *event.Log) bool {
	if l.holder == 0 {
		l.holder = id + 1
		log.Add(event.LockAcquired).N = int64(which)
		return true
	}
	s.WaitFor(l, which, id, pc, log)
	return false
}

// WaitFor blocks id before pc until the lock is released.
func (s *Set) WaitFor(l *Lock, which LockID, id ID, pc PC, log *event.Log) {
	l.waiters[l.waiting] = id
	l.waiting++
	s.Block(id, pc, OnLock, int16(which))
	log.Emit(event.Event{Kind: event.LockWaits, Flags: event.Blocked, Listener: l.Holder(), N: int64(which)})
}

// Release frees the lock and wakes the actor that has waited longest.
func (s *Set) Release(l *Lock, which LockID, log *event.Log) {
	l.holder = 0
	log.Add(event.LockReleased).N = int64(which)
	s.Passed(l)
}

// Passed notes that an actor took a free lock and released it within one
// micro-step. It wakes the next waiter, as Release does, so that no wake-up is
// lost.
func (s *Set) Passed(l *Lock) {
	if l.waiting > 0 {
		s.wakeFirst(l)
	}
}

func (s *Set) wakeFirst(l *Lock) {
	first := l.waiters[0]
	copy(l.waiters[:], l.waiters[1:l.waiting])
	l.waiting--
	s.Wake(first)
}

// Hash adds the lock's holder and its waiters.
func (l *Lock) Hash(h *Hash) {
	h.Add(uint64(uint16(l.holder)) | uint64(l.waiting)<<16)
	for _, w := range l.waiters[:l.waiting] {
		h.Add(uint64(w))
	}
}
