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

// morePairs are those after the first. Who waits on a channel is served in the
// order of coming there, and all come back behind the rest.
type morePairs struct {
	pairs      []Pair
	pops, runs []uint8 // all pairs by how long their pop or run has waited
}

// AddPair is pop and run of listener i being started once more.
func (p *Processor) AddPair(i int, pop, run actor.ID) {
	l := &p.Listeners[i]
	if l.more == nil {
		l.more = &morePairs{pops: []uint8{0}, runs: []uint8{0}}
	}
	m := l.more
	m.pairs = append(m.pairs, Pair{Pop: pop, Run: run})
	j := uint8(len(m.pairs))
	m.pops, m.runs = append(m.pops, j), append(m.runs, j)
}

// Pairs is how many there are: 1, but for a listener whose informer was run more
// than once in v0.22.
func (l *Listener) Pairs() int {
	if l.more == nil {
		return 1
	}
	return 1 + len(l.more.pairs)
}

// PairAt returns pair j, 0 being the first.
func (l *Listener) PairAt(j int) *Pair {
	if j == 0 {
		return &l.Pair
	}
	return &l.more.pairs[j-1]
}

// PairOf returns the number of the pair whose pop or run the actor is.
func (l *Listener) PairOf(id actor.ID) int {
	if l.more == nil {
		return 0
	}
	for j := range l.more.pairs {
		if p := &l.more.pairs[j]; p.Pop == id || p.Run == id {
			return j + 1
		}
	}
	return 0
}

// PopAt is the pair whose pop has waited longest but k.
func (l *Listener) PopAt(k int) int {
	if l.more == nil {
		return k
	}
	return int(l.more.pops[k])
}

// RunAt is the pair whose run has waited longest but k, if it waits.
func (l *Listener) RunAt(k int) int {
	if l.more == nil {
		return k
	}
	return int(l.more.runs[k])
}

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

// copyTo makes dst, which may be nil, equal to m, and returns it.
func (m *morePairs) copyTo(dst *morePairs) *morePairs {
	if m == nil {
		return nil
	}
	if dst == nil {
		dst = &morePairs{}
	}
	dst.pairs = append(dst.pairs[:0], m.pairs...)
	dst.pops, dst.runs = append(dst.pops[:0], m.pops...), append(dst.runs[:0], m.runs...)
	return dst
}
