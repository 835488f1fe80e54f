package session

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Navigation is how the viewer comes to what is open: by a link, a reload, or Back and Forward.
// Three tables say what can happen to it: where the viewer is on the way, what the browser's
// entry is about, and whether a move makes another entry.
type Navigation struct {
	journey  navigation.Journey
	History  History
	Expected *Expected // the file that a link needs and only the viewer has, nil for none

	back      *address.Address // while bound or travelling: what is left of the way
	otherwise *link.Failure    // what is to be said at its end
	left      *address.Address // what would bring back what was open before the course's lessons
	leftFiles int              // the number of the choice of files that left needs
	offer     *Offered         // a trace that was offered before Began
	chosen    int              // how often files were chosen

	events
}

// events takes note of what happens to a table.
type events struct {
	impossible []string          // what the console is to be told
	watch      func(what string) // is told each event: its table, the state in which it came, and its name
}

// Watch has f told each event: its table, the state in which it comes, and its name.
func (n *Navigation) Watch(f func(what string)) { n.watch, n.History.watch = f, f }

// newNavigation is that of a page that is being set up.
func newNavigation() Navigation {
	return Navigation{
		journey: navigation.Unbegun,
		History: History{entry: navigation.Unread, jump: navigation.Still, places: placesFrom(0)},
		chosen:  kept,
	}
}

// occasion is what there is to know of an event.
type occasion struct {
	began    *Began
	offer    *Offered
	chosen   *Source
	to       *address.Address // the moment, or what would bring back what was open
	file     *Expected
	place    int // the number of the entry
	packed   string
	unpacked *Unpacked
}

// travel moves the journey. All that changes its state goes through here.
func (n *Navigation) travel(m *Model, on navigation.Trip, o occasion) []Cmd {
	to, do := n.journey.On(on)
	if !n.can("journey", n.journey.String(), on.String(), to != 0) {
		return nil
	}
	n.journey = to
	return n.do(m, do, o)
}

// stops is called at an event that can't come. The tests end there.
var stops func(what string)

// can takes note of an event, and has the console told of one that can't come in the state.
func (e *events) can(table, state, event string, possible bool) bool {
	if e.watch != nil {
		e.watch(table + " " + state + " " + event)
	}
	if !possible {
		what := "impossible: " + event + " comes while the " + table + " is " + state
		if stops != nil {
			stops(what)
		}
		e.impossible = append(e.impossible, what)
	}
	return possible
}

// do carries out what follows from an event.
func (n *Navigation) do(m *Model, what navigation.Act, o occasion) []Cmd {
	switch what {
	case navigation.DoStart:
		return n.start(m, *o.began)
	case navigation.DoKeep:
		n.offer = o.offer
	case navigation.DoOffered:
		return n.offered(m, *o.offer)
	case navigation.DoPart:
		n.part(m, o.to)
	case navigation.DoAim:
		n.back = o.to
	case navigation.DoGo:
		n.back, n.Expected = o.to, nil
		return n.lead(m)
	case navigation.DoLead:
		return n.lead(m)
	case navigation.DoRedirect:
		n.Expected.link = *o.to
	case navigation.DoStop:
		n.back = nil
	case navigation.DoAsk:
		n.Expected = o.file
		m.Front.ask("expected")
	case navigation.DoChoose:
		return n.choose(m, *o.chosen)
	case navigation.DoTake:
		return n.take(m, *o.chosen)
	case navigation.DoPair:
		return n.pair(m, *o.chosen)
	case navigation.DoDrop:
		n.Expected = nil
	case navigation.DoBundled:
		return m.open(bundled)
	}
	return nil
}
