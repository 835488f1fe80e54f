package processor

import "github.com/informerscope/informerscope/engine/actor"

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
	Takes    int64        // how long that call takes, ns
}

// pairs are the pairs of a listener. Goroutines that wait on a channel are
// served in the order in which they came. One that waits again goes to the end
// of that order.
type pairs struct {
	at         [actor.MaxRuns]Pair
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

// Pairs is how many pairs the listener has: 1, or more if Run was called again in
// v0.22.
func (l *Listener) Pairs() int { return int(l.pairs.n) }

// PairAt returns pair j, 0 being the first.
func (l *Listener) PairAt(j int) *Pair { return &l.pairs.at[j] }

// PopAt is the pair whose pop is the k-th in order of waiting, the longest first.
func (l *Listener) PopAt(k int) int { return int(l.pairs.pops[k]) }

// RunAt is the pair whose run is the k-th in order of waiting, the longest first.
// It may be one that doesn't wait now.
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
