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
	journey  navigation.State
	History  History
	Expected *Expected // the file that a link needs and only the viewer has, nil for none

	back      *address.Address // while bound or travelling: what is left of the way
	otherwise *link.Failure    // what is to be said at its end
	left      *address.Address // what would bring back what was open before the course's lessons
	leftFiles int              // the number of the choice of files that left needs
	offer     *Offered         // a trace that was offered before Began
	chosen    int              // how often files were chosen
	plays     string           // the version of client-go as which the viewer's own captures are played, "" for the newest
	carried   bool             // what is being opened is a file with a link, which is followed in its place

	impossible string // what the console is to be told
	watch      func(s navigation.State, on navigation.Event)
}

// Watch has f told each event, and the state in which it comes.
func (n *Navigation) Watch(f func(s navigation.State, on navigation.Event)) { n.watch = f }

// newNavigation returns the Navigation with which a page begins.
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

// happen moves a state of n, and carries out what follows. All that changes them goes through here.
func (n *Navigation) happen(m *Model, s *navigation.State, on navigation.Event, o *occasion) []Cmd {
	if n.watch != nil {
		n.watch(*s, on)
	}
	to, do := s.On(on)
	if to == 0 {
		what := "impossible: " + on.String() + " comes to a navigation that is " + s.String()
		if stops != nil {
			stops(what)
		}
		n.impossible = what
		return nil
	}
	*s = to
	return n.do(m, do, o)
}

// stops is called at an event that can't come. The tests end there.
var stops func(what string)

// travel moves the journey.
func (n *Navigation) travel(m *Model, on navigation.Event, o *occasion) []Cmd {
	return n.happen(m, &n.journey, on, o)
}

// do carries out what follows from an event.
func (n *Navigation) do(m *Model, what navigation.Act, o *occasion) []Cmd {
	h := &n.History
	switch what {
	case navigation.DoStart:
		return n.start(m, o.began)
	case navigation.DoKeep:
		n.offer = o.offer
	case navigation.DoOffered:
		return n.offered(m, o.offer)
	case navigation.DoPart:
		n.part(m, o.to)
	case navigation.DoAim:
		n.back = o.to
	case navigation.DoGo:
		n.back, n.Expected = o.to, nil
		fallthrough
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
		return n.choose(m, o.chosen)
	case navigation.DoTake, navigation.DoPair:
		return n.take(m, o.chosen)
	case navigation.DoDrop:
		n.Expected = nil
	case navigation.DoBundled:
		return m.open(bundled)
	case navigation.DoRemember:
		h.places.first = o.place
	case navigation.DoForget:
		h.restart(m, o.place)
	case navigation.DoArrive:
		h.arrive(m, o.place)
	case navigation.DoStray:
		h.stray = o.place
	case navigation.DoUnpack:
		h.stray, h.packed = o.place, o.packed
		data, _, _ := address.Packed(o.packed)
		return []Cmd{Unpack{data}}
	case navigation.DoFollow:
		return n.unpack(m, o)
	case navigation.DoSee:
		return h.see(m, o.place)
	case navigation.DoNote:
		return h.note(m, o.place)
	case navigation.DoPush, navigation.DoTell:
		return h.tell(m, what == navigation.DoPush)
	case navigation.DoJump:
		return h.enter(m, navigation.OnNoted, &occasion{place: h.number()})
	case navigation.DoLeave:
		h.places.remember(standing(m))
	}
	return nil
}
