// Package actor models the goroutines of the real thing. An actor is a program
// counter, what it waits for, and the virtual time at which its next micro-step
// is done; all of that is plain data, so that a world of actors is copied by
// copying slices.
package actor

import "math"

// ID numbers the actors of a world from 0. It is also event.Event.Actor.
type ID = int16

// Nobody is the ID of no actor.
const Nobody ID = -1

// Never is later than any time. It stands for an event that does not come by itself.
const Never int64 = math.MaxInt64

// After returns now + delay, or Never if that is later than any time there is.
func After(now, delay int64) int64 {
	if delay > Never-now {
		return Never
	}
	return now + delay
}

// Kind says which goroutine an actor stands for.
type Kind uint8

// The goroutines of an informer and of the controller behind it.
const (
	User      Kind = iota // whoever calls Run and AddEventHandler
	Reflector             // Reflector.ListAndWatch
	Resync                // the resync goroutine of ListAndWatch
	Loop                  // controller.processLoop
	Pop                   // processorListener.pop
	Run                   // processorListener.run
	Delaying              // delayingType.waitingLoop
	Worker                // a controller's worker
	Detector              // the mutation detector's Run
	Recorded              // the recorded controller, which does what it did when it did it

	// Those of a controller's priority queue.
	AddBuffer    // handleAddBuffer
	ReadyItems   // handleReadyItems
	WaitingItems // handleWaitingItems

	Collector // the garbage collector of kube-controller-manager, which is another process
	Elector   // LeaderElector.Run, of a process that has several replicas

	Processor // sharedProcessor.run, where it is not a part of the user's Run
)

// LastKind is the last of them.
const LastKind = Processor

func (k Kind) String() string {
	return [...]string{"user", "reflector", "resync", "loop", "pop", "run", "delaying", "worker", "detector", "recorded", "addBuffer", "readyItems", "waitingItems", "collector", "elector", "processor"}[k]
}

// Role identifies the goroutine that an actor models.
type Role struct {
	Kind     Kind
	Pair     uint8 // number of the listener's pair (Pop, Run), counted from 0
	Informer int16 // which informer of the world
	Index    int16 // which listener (Pop, Run) or worker, counted from 0
	Run      int16 // number of the informer's Run call that started it, counted from 0
}

// Wait says what keeps an actor from going on.
type Wait uint8

const (
	Ready     Wait = iota // nothing: its next micro-step is due
	OnLock                // State.Target is the LockID
	OnCond                // a condition: something to pop, or listeners that run
	OnSend                // a channel send; State.Target is a Chan
	OnReceive             // a channel receive; State.Target is a Chan
	OnTimer               // a timer
	OnServer              // a response or the next watch event
	OnCall                // a handler or a reconcile that takes its time
	Stopped               // it has not been started, or has returned
)

func (w Wait) String() string {
	return [...]string{"", "lock", "cond", "channel", "channel", "timer", "server", "call", "stopped"}[w]
}

// Passes reports whether the wait ends by itself, with time or with the server.
func (w Wait) Passes() bool { return w >= OnTimer && w <= OnServer }

// Chan names a channel that an actor waits on.
type Chan = int16

const (
	AddCh Chan = iota + 1
	NextCh
)

// State is one actor.
type State struct {
	Since  int64 // when it began to wait
	PC     PC    // what its next micro-step does
	Wait   Wait
	Target int16
}

// Costs is the virtual time in nanoseconds that each kind of micro-step takes.
// Waiting comes on top of it.
type Costs [NumPC]int64

// Set is the actors of a world and their clock.
type Set struct {
	Now   int64 // nanoseconds
	Rand  Rand  // the one source of randomness
	Costs Costs

	// Starved is set by a reflector that waits for its feed to grow. It may
	// still be set when the feed has grown, so the scheduler checks.
	Starved bool

	// Apart is how many informers a process has, where there are several processes: the first
	// has the first of them. It is 0 if there is one process.
	Apart int16

	due    []int64 // when the actor's next micro-step is done; Never while it is blocked
	actors []details
}

// details is the rest of what a Set holds for an actor.
type details struct {
	State
	role Role
}

// ActorOf returns the actor of a role, which no other may have. It adds one, unless an
// earlier process had one of this role.
func (s *Set) ActorOf(r Role) ID {
	for id := range s.actors {
		if s.actors[id].role == r {
			return ID(id)
		}
	}
	return s.Add(r)
}

// Add appends an actor that has not been started.
func (s *Set) Add(r Role) ID {
	s.due = append(s.due, Never)
	s.actors = append(s.actors, details{State{Wait: Stopped}, r})
	return ID(len(s.actors) - 1)
}

// Len returns the number of actors.
func (s *Set) Len() int { return len(s.actors) }

// Role returns whose goroutine id is.
func (s *Set) Role(id ID) Role { return s.actors[id].role }

// State returns the actor's state.
func (s *Set) State(id ID) State { return s.actors[id].State }

// ReadyAt returns when the actor's next micro-step is done: Never if it is blocked
// until another actor moves.
func (s *Set) ReadyAt(id ID) int64 { return s.due[id] }

// Earliest returns the actor whose next micro-step is done first, and when that
// is. Of several at the same time it is the one with the lowest ID. If all are
// blocked it returns Nobody and Never.
func (s *Set) Earliest() (first ID, least int64) { return earliest(s.due) }

// earliest finds the first of the smallest times. It looks at four at a time:
// BenchmarkEarliest says what that brings.
func earliest(at []int64) (first ID, least int64) {
	first, least = Nobody, Never
	i := 0
	for ; i+4 <= len(at); i += 4 {
		t := at[i : i+4 : i+4]
		if t[0] < least {
			first, least = ID(i), t[0]
		}
		if t[1] < least {
			first, least = ID(i+1), t[1]
		}
		if t[2] < least {
			first, least = ID(i+2), t[2]
		}
		if t[3] < least {
			first, least = ID(i+3), t[3]
		}
	}
	for ; i < len(at); i++ {
		if at[i] < least {
			first, least = ID(i), at[i]
		}
	}
	return first, least
}

// Begin moves the clock to the end of the next micro-step of id. It returns what
// that micro-step does, and whose goroutine id is.
func (s *Set) Begin(id ID) (PC, Role) {
	a := &s.actors[id]
	s.Now = max(s.Now, s.due[id])
	return a.PC, a.role
}

// Schedule lets id do pc next, after the time that pc costs.
func (s *Set) Schedule(id ID, pc PC) {
	s.set(id, pc, Ready, 0, s.Now+s.Costs[pc])
}

// Sleep lets id do pc at the time until, and no earlier. A past time is now.
func (s *Set) Sleep(id ID, pc PC, w Wait, until int64) {
	s.set(id, pc, w, 0, max(until, s.Now))
}

// Block stops id before pc until another actor calls Wake.
func (s *Set) Block(id ID, pc PC, w Wait, on int16) {
	s.set(id, pc, w, on, Never)
}

// Wake lets a blocked actor go on with its PC.
func (s *Set) Wake(id ID) { s.Schedule(id, s.actors[id].PC) }

// Stop ends id: it has returned.
func (s *Set) Stop(id ID) { s.Block(id, None, Stopped, 0) }

// set writes each field by itself. A State that is made first would be copied in wide loads, which wait until
// its small fields are stored.
func (s *Set) set(id ID, pc PC, w Wait, on int16, at int64) {
	a := &s.actors[id]
	a.Since, a.PC, a.Wait, a.Target = s.Now, pc, w, on
	s.due[id] = at
}

// Kill stops all actors of the process that an informer belongs to, as the end of that process
// does.
func (s *Set) Kill(informer int16) {
	for id := range s.actors {
		if s.actors[id].role.Kind != Collector && s.SameProcess(s.actors[id].role.Informer, informer) {
			s.Stop(ID(id))
		}
	}
	s.Starved = false
}

// SameProcess reports whether two informers belong to one process.
func (s *Set) SameProcess(a, b int16) bool { return s.Apart == 0 || a/s.Apart == b/s.Apart }

// Delay lets id not move before a time.
func (s *Set) Delay(id ID, until int64) { s.due[id] = max(s.due[id], until) }

// CopyFrom makes s equal to src. Both can be used on.
func (s *Set) CopyFrom(src *Set) {
	at, actors := s.due, s.actors
	*s = *src
	s.due = append(at[:0], src.due...)
	s.actors = append(actors[:0], src.actors...)
}

// Hash adds the actors, except workers. Those of a controller are alike, so whoever has them
// adds them by HashOf, in an order that doesn't matter.
func (s *Set) Hash(h *Hash) {
	h.Add(uint64(s.Rand))
	for i := range s.actors {
		if s.actors[i].role.Kind != Worker {
			s.HashOf(h, ID(i))
		}
	}
}

// HashOf adds one actor.
func (s *Set) HashOf(h *Hash, id ID) {
	st := &s.actors[id]
	h.Add(uint64(st.PC) | uint64(st.Wait)<<8 | uint64(uint16(st.Target))<<16)
	h.Due(s.due[id], s.Now)
}
