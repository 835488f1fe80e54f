package processor

import "github.com/informerscope/informerscope/engine/actor"

// Pair is one call each of a listener's pop and run, with their variables. A
// listener has one, but for v0.22, whose sharedProcessor.run starts another of
// those listeners that there are each time that it is called. They share
// addCh, nextCh and pendingNotifications, so that the handler is called by
// several goroutines at a time, and in no order.
type Pair struct {
	Pop, Run actor.ID
	Slot     Notification // the variable notification of pop; its Type is 0 when it is empty
	InHand   Notification // being handled by run
	Started  int64        // when the handler was called
	Takes    int64        // how long that call takes, ns
}

// pairs are a listener's. Who waits on a channel is served in the order of
// coming there, and all come back behind the rest.
type pairs struct {
	at         [actor.MaxRuns]Pair
	n          uint8
	pops, runs [actor.MaxRuns]uint8 // all pairs by how long their pop or run has waited
}

// AddPair is pop and run of listener i being started once more. The pair gets the
// next number, which is what the Role of both actors must say.
func (p *Processor) AddPair(i int, pop, run actor.ID) {
	l := &p.Listeners[i]
	j := l.pairs.n
	l.pairs.n++
	*l.PairAt(int(j)) = Pair{Pop: pop, Run: run}
	l.pairs.pops[j], l.pairs.runs[j] = j, j
}

// Pairs is how many there are: 1, but for a listener whose informer was run more
// than once in v0.22.
func (l *Listener) Pairs() int { return int(l.pairs.n) }

// PairAt returns pair j, 0 being the first.
func (l *Listener) PairAt(j int) *Pair { return &l.pairs.at[uint(j)%actor.MaxRuns] }

// PopAt is the pair whose pop has waited longest but k.
func (l *Listener) PopAt(k int) int { return int(l.pairs.pops[k]) }

// RunAt is the pair whose run has waited longest but k, if it waits.
func (l *Listener) RunAt(k int) int { return int(l.pairs.runs[k]) }

// toEnd puts a pair behind the others, because it begins to wait anew.
func toEnd(order []uint8, pair int) {
	for k, j := range order {
		if int(j) == pair {
			copy(order[k:], order[k+1:])
			order[len(order)-1] = j
			return
		}
	}
}
