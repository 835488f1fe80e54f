package processor

import "github.com/informerscope/informerscope/engine/object"

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

// Mark adds the objects that the notification is about.
func (n *Notification) Mark(live *object.Live) {
	live.Key(n.Key)
	live.Ref(n.Old)
	live.Ref(n.New)
}
