// Package navigation says what can happen to the viewer's navigation: three tables of states and
// events. Package session carries out what follows from them.
package navigation

// Act is what follows from an event.
type Act uint8

const (
	DoNone     Act = iota
	DoStart        // open what was offered, what was open before a reload, or what the address names
	DoKeep         // keep the trace until the page is set up
	DoOffered      // open the trace
	DoPart         // remember what was open, for Back
	DoAim          // keep the moment
	DoGo           // keep the moment, and take the next step towards it
	DoLead         // take the next step towards the moment
	DoRedirect     // go to that moment when the file is there
	DoStop         // forget the moment
	DoAsk          // ask for the file
	DoChoose       // open it, or have it stand beside what is open
	DoTake         // open it, and go where the link leads
	DoPair         // have it stand beside what is open
	DoDrop         // ask for the file no more
	DoBundled      // open the bundled trace
	DoRemember     // take that entry for the page's first one
	DoForget       // forget the places of what was open
	DoArrive       // go on from that entry
	DoStray        // leave what is open as it is
	DoUnpack       // have the browser unpack it
	DoFollow       // follow it
	DoSee          // go to the place
	DoNote         // make an entry for the place
	DoPush         // make an entry for what is open
	DoTell         // keep the address right
	DoJump         // note the place that is left
	DoLeave        // remember where in its place the viewer was

	numActs
)

// step is what an event makes of a state.
type step[S any] struct {
	to S // 0 where the event can't come in the state
	do Act
}

// A Transition is one entry of a table, by the names of what it has.
type Transition struct {
	Table, State, Event, To string
	Do                      Act
}

// All returns every transition there is.
func All() (all []Transition) {
	for s := range numJourneys {
		for e := range numTrips {
			if to, do := s.On(e); to != 0 {
				all = append(all, Transition{"journey", s.String(), e.String(), to.String(), do})
			}
		}
	}
	for s := range numEntries {
		for e := range numTurns {
			if to, do := s.On(e); to != 0 {
				all = append(all, Transition{"entry", s.String(), e.String(), to.String(), do})
			}
		}
	}
	for s := range numJumps {
		for e := range numHops {
			if to, do := s.On(e); to != 0 {
				all = append(all, Transition{"jump", s.String(), e.String(), to.String(), do})
			}
		}
	}
	return all
}
