package cause

import "github.com/informerscope/informerscope/engine/event"

// Missed is where a chain stopped before it came to a handler.
type Missed struct {
	Node *Node
	// Link is the fact at which it stopped. It is nil if the Node is still on its way, and
	// if the Node is a Notification for which the handler was no listener.
	Link *Link
}

// Told reports whether the chain that begins with n has come to a handler. Otherwise it
// says where the chain stopped. A chain of a Listing for another handler never comes to
// this one.
func (n *Node) Told(handler int) (told bool, m Missed) {
	switch {
	case n.Kind == Delivery:
		if n.Find(event.HandlerCalled) != nil {
			return true, Missed{}
		}
		return false, n.stopped()
	case n.Kind == Notification || n.Kind == Listing:
		for _, e := range n.Effects {
			if e.Handler() == handler {
				return e.Told(handler)
			}
		}
		for i := range n.Links {
			if e := n.Links[i].Event; e.Kind == event.ListenerSkipped && e.Handler() == handler {
				return false, Missed{n, &n.Links[i]}
			}
		}
		return false, Missed{Node: n}
	case n.Into != nil || len(n.Effects) == 0:
		return false, n.stopped()
	}
	for _, e := range n.Effects {
		if told, m = e.Told(handler); told {
			return true, Missed{}
		}
	}
	return false, m
}

// stopped is where n itself stopped.
func (n *Node) stopped() Missed {
	if !n.Over {
		return Missed{Node: n}
	}
	return Missed{n, n.Last()}
}
