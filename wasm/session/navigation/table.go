package navigation

// State is one of a journey, an entry or a jump.
type State uint8

const (
	// The journey: where the viewer is on the way to what is to be seen.
	Unbegun    State = iota + 1 // the page is being set up
	Waiting                     // nothing was asked for yet, since the link is still packed
	Opening                     // something is being opened, and the viewer has nowhere to go in it
	Bound                       // something is being opened, and the viewer goes to a moment in it then
	Travelling                  // it is open, and the viewer is being led to that moment
	Arrived                     // it is open, and the viewer goes about in it
	Expecting                   // a file that only the viewer has is asked for, and the bundled trace is being opened
	StandingIn                  // that file is asked for, and the bundled trace is open
	Pairing                     // it is open, and a file that is to stand beside it is asked for
	Nowhere                     // it could not be opened

	// The entry: what the entry is about that the browser's history shows.
	Unread       // the page is being set up
	CurrentEntry // what is open
	Fresh        // something else than what is open, which needs an entry of its own
	Astray       // something that was open before, and isn't known any more
	Unpacking    // a link that is still packed

	// The jump: whether the next move makes another entry.
	Settled  // the last move is over, so the next one may be a jump
	Jumping  // a jump is not over, so that what follows is a part of it
	Dragging // the viewer holds the timeline
	Marking  // a jump to a mark or a hit is not over
	Marked   // the last move was to one, so that the next one to another is a part of it

	numStates
)

// Event is what moves a journey, an entry or a jump.
type Event uint8

const (
	// Of the journey.
	OnStart     Event = iota // the page was set up
	OnOffered                // the page around this one has sent a trace
	OnOpens                  // something else is opened
	OnBound                  // there is a moment to go to
	OnMissing                // a file is needed that only the viewer has
	OnOpened                 // the worker knows what it holds, or shows again what was open before
	OnRefused                // the worker could not open it, or the viewer has cancelled that
	OnShown                  // a step is shown
	OnArrived                // nothing is left of the way but its last move
	OnElsewhere              // the viewer does something else
	OnChose                  // the viewer has chosen a file
	OnDismissed              // the viewer has closed a dialog
	OnMisled                 // a link can't be followed

	// Of the entry.
	OnRead     // the page was set up
	OnNew      // something else is opened
	OnReplaced // what is opened takes the entry of what was open
	OnLanded   // what is open takes the entry that the browser shows
	OnPopState // the browser shows another entry of what is open
	OnAstray   // the browser shows an entry that isn't known
	OnPacked   // the link to be followed is packed
	OnUnpacked // the browser has unpacked a link
	OnNoted    // the viewer has jumped from one place to another
	OnMessage  // a message was taken in

	// Of the jump.
	OnJump         // the viewer jumps
	OnMark         // the viewer goes to a mark or a hit
	OnVisit        // the browser shows an entry of another place
	OnDragStart    // the viewer takes hold of the timeline, or drags it
	OnDragEnd      // the viewer lets go of the timeline
	OnRequest      // the worker is asked to move the machine
	OnAskedMark    // the worker is asked to move it to a mark or a hit
	OnRequestsDone // the worker has answered all that it was asked
	OnForgotten    // the places are forgotten

	numEvents
)

// Act is what follows from an event.
type Act uint8

const (
	DoNone          Act = iota
	DoStart             // open what was offered, what was open before a reload, or what the address names
	DoKeep              // keep the trace until the page is set up
	DoOffered           // open the trace
	DoPart              // remember what was open, for Back
	DoAim               // keep the moment
	DoStepTowards       // keep the moment, and take the next step towards it
	DoLead              // take the next step towards the moment
	DoRedirect          // go to that moment when the file is there
	DoStop              // forget the moment
	DoAsk               // ask for the file
	DoChoose            // open it, or have it stand beside what is open
	DoTake              // open it, and go where the link leads
	DoPair              // have it stand beside what is open
	DoDrop              // ask for the file no more
	DoBundled           // open the bundled trace
	DoRemember          // take that entry for the page's first one
	DoForget            // forget the places of what was open
	DoArrive            // go on from that entry
	DoStray             // leave what is open as it is
	DoUnpack            // have the browser unpack it
	DoFollow            // follow it
	DoShowPlace         // go to the place
	DoNote              // make an entry for the place
	DoPush              // make an entry for what is open
	DoUpdateAddress     // keep the address right
	DoJump              // note the place that is left
	DoLeave             // remember where in its place the viewer was

	numActs
)

// The names by which the console is told of a state and an event.
var (
	stateNames = [numStates]string{
		"",
		"Unbegun", "Waiting", "Opening", "Bound", "Travelling", "Arrived", "Expecting", "StandingIn", "Pairing", "Nowhere",
		"Unread", "CurrentEntry", "Fresh", "Astray", "Unpacking",
		"Settled", "Jumping", "Dragging", "Marking", "Marked",
	}
	eventNames = [numEvents]string{
		"OnStart", "OnOffered", "OnOpens", "OnBound", "OnMissing", "OnOpened", "OnRefused", "OnShown", "OnArrived", "OnElsewhere", "OnChose", "OnDismissed", "OnMisled",
		"OnRead", "OnNew", "OnReplaced", "OnLanded", "OnPopState", "OnAstray", "OnPacked", "OnUnpacked", "OnNoted", "OnMessage",
		"OnJump", "OnMark", "OnVisit", "OnDragStart", "OnDragEnd", "OnRequest", "OnAskedMark", "OnRequestsDone", "OnForgotten",
	}
)

func (s State) String() string { return stateNames[s] }
func (e Event) String() string { return eventNames[e] }

// step is what an event makes of a state.
type step struct {
	to  State // 0 where the event can't come in the state
	act Act
}

// Transition returns the state to which an event leads from s, and what follows from it. The state is 0
// where the event can't come.
func (s State) Transition(e Event) (State, Act) {
	t := table[s][e]
	return t.to, t.act
}

// A Transition is what an event makes of a state.
type Transition struct {
	From  State
	Event Event
	To    State
	Act   Act
}

// All returns every transition there is.
func All() (all []Transition) {
	for s := range numStates {
		for e := range numEvents {
			if to, do := s.Transition(e); to != 0 {
				all = append(all, Transition{s, e, to, do})
			}
		}
	}
	return all
}

// table has every transition there is. An event that changes nothing has one that stays in its
// state.
var table = [numStates][numEvents]step{
	Unbegun: {
		OnStart:   {Waiting, DoStart},
		OnOffered: {Unbegun, DoKeep},
	},
	Waiting: {
		OnOffered:   {Waiting, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnElsewhere: {Waiting, DoNone},
		OnChose:     {Waiting, DoChoose},
		OnDismissed: {Waiting, DoNone},
		OnMisled:    {Waiting, DoBundled},
	},
	Opening: {
		OnOffered:   {Opening, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {Bound, DoAim},
		OnMissing:   {Expecting, DoAsk},
		OnOpened:    {Arrived, DoNone},
		OnRefused:   {Nowhere, DoNone},
		OnElsewhere: {Opening, DoNone},
		OnChose:     {Opening, DoChoose},
		OnDismissed: {Opening, DoNone},
		OnMisled:    {Opening, DoNone},
	},
	Bound: {
		OnOffered:   {Bound, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {Bound, DoAim},
		OnOpened:    {Travelling, DoNone},
		OnRefused:   {Nowhere, DoStop},
		OnElsewhere: {Opening, DoStop},
		OnChose:     {Bound, DoChoose},
		OnDismissed: {Bound, DoNone},
		OnMisled:    {Bound, DoNone},
	},
	Travelling: {
		OnOffered:   {Travelling, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {Travelling, DoStepTowards},
		OnMissing:   {Pairing, DoAsk},
		OnShown:     {Travelling, DoLead},
		OnArrived:   {Arrived, DoStop},
		OnElsewhere: {Arrived, DoStop},
		OnChose:     {Travelling, DoChoose},
		OnDismissed: {Travelling, DoNone},
		OnMisled:    {Travelling, DoNone},
	},
	Arrived: {
		OnOffered:   {Arrived, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {Travelling, DoStepTowards},
		OnShown:     {Arrived, DoNone},
		OnArrived:   {Arrived, DoNone}, // the capture that is to stand beside it has ended the way
		OnElsewhere: {Arrived, DoNone},
		OnChose:     {Arrived, DoChoose},
		OnDismissed: {Arrived, DoNone},
		OnMisled:    {Arrived, DoNone},
	},
	Expecting: {
		OnOffered:   {Expecting, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {Expecting, DoRedirect},
		OnOpened:    {StandingIn, DoNone},
		OnRefused:   {Expecting, DoNone},
		OnElsewhere: {Expecting, DoNone},
		OnChose:     {Expecting, DoTake},
		OnDismissed: {Opening, DoDrop},
		OnMisled:    {Expecting, DoNone},
	},
	StandingIn: {
		OnOffered:   {StandingIn, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {StandingIn, DoRedirect},
		OnShown:     {StandingIn, DoNone},
		OnElsewhere: {StandingIn, DoNone},
		OnChose:     {StandingIn, DoTake},
		OnDismissed: {Arrived, DoDrop},
		OnMisled:    {StandingIn, DoNone},
	},
	Pairing: {
		OnOffered:   {Pairing, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {Travelling, DoStepTowards},
		OnShown:     {Pairing, DoNone},
		OnArrived:   {Pairing, DoStop},
		OnElsewhere: {Pairing, DoNone},
		OnChose:     {Arrived, DoPair},
		OnDismissed: {Arrived, DoDrop},
		OnMisled:    {Pairing, DoNone},
	},
	Nowhere: {
		OnOffered:   {Nowhere, DoOffered},
		OnOpens:     {Opening, DoPart},
		OnBound:     {Nowhere, DoNone},
		OnOpened:    {Arrived, DoNone},
		OnElsewhere: {Nowhere, DoNone},
		OnChose:     {Nowhere, DoChoose},
		OnDismissed: {Nowhere, DoNone},
		OnMisled:    {Nowhere, DoNone},
	},

	Unread: {
		OnRead:     {CurrentEntry, DoNone},
		OnPopState: {Unread, DoRemember},
		OnMessage:  {Unread, DoNone},
	},
	CurrentEntry: {
		OnNew:      {Fresh, DoForget},
		OnReplaced: {CurrentEntry, DoNone},
		OnLanded:   {CurrentEntry, DoArrive},
		OnPopState: {CurrentEntry, DoShowPlace},
		OnAstray:   {Astray, DoStray},
		OnPacked:   {Unpacking, DoUnpack},
		OnUnpacked: {CurrentEntry, DoNone},
		OnNoted:    {CurrentEntry, DoNote},
		OnMessage:  {CurrentEntry, DoUpdateAddress},
	},
	Fresh: {
		OnReplaced: {CurrentEntry, DoNone},
		OnLanded:   {CurrentEntry, DoArrive},
		OnMessage:  {CurrentEntry, DoPush},
	},
	Astray: {
		OnNew:      {Fresh, DoForget},
		OnReplaced: {Astray, DoNone},
		OnLanded:   {CurrentEntry, DoArrive},
		OnPopState: {CurrentEntry, DoShowPlace},
		OnAstray:   {Astray, DoStray},
		OnPacked:   {Unpacking, DoUnpack},
		OnUnpacked: {Astray, DoNone},
		OnNoted:    {CurrentEntry, DoNote},
		OnMessage:  {Astray, DoUpdateAddress},
	},
	Unpacking: {
		OnNew:      {Fresh, DoForget},
		OnReplaced: {Unpacking, DoNone},
		OnLanded:   {CurrentEntry, DoArrive},
		OnPopState: {CurrentEntry, DoShowPlace},
		OnPacked:   {Unpacking, DoUnpack},
		OnUnpacked: {CurrentEntry, DoFollow},
		OnNoted:    {Unpacking, DoNone},
		OnMessage:  {Unpacking, DoNone},
	},

	Settled: {
		OnJump: {Jumping, DoJump}, OnMark: {Jumping, DoJump}, OnVisit: {Jumping, DoLeave}, OnDragStart: {Dragging, DoJump}, OnDragEnd: {Jumping, DoJump},
		OnRequest: {Settled, DoNone}, OnAskedMark: {Marked, DoNone}, OnRequestsDone: {Settled, DoNone}, OnForgotten: {Settled, DoNone},
	},
	Jumping: {
		OnJump: {Jumping, DoNone}, OnMark: {Jumping, DoNone}, OnVisit: {Jumping, DoNone}, OnDragStart: {Dragging, DoNone}, OnDragEnd: {Jumping, DoNone},
		OnRequest: {Jumping, DoNone}, OnAskedMark: {Marking, DoNone}, OnRequestsDone: {Settled, DoNone}, OnForgotten: {Settled, DoNone},
	},
	Dragging: {
		OnJump: {Dragging, DoNone}, OnMark: {Dragging, DoNone}, OnVisit: {Dragging, DoNone}, OnDragStart: {Dragging, DoNone}, OnDragEnd: {Jumping, DoNone},
		OnRequest: {Dragging, DoNone}, OnAskedMark: {Dragging, DoNone}, OnRequestsDone: {Dragging, DoNone}, OnForgotten: {Settled, DoNone},
	},
	Marking: {
		OnJump: {Jumping, DoNone}, OnMark: {Marking, DoNone}, OnVisit: {Jumping, DoNone}, OnDragStart: {Dragging, DoNone}, OnDragEnd: {Jumping, DoNone},
		OnRequest: {Jumping, DoNone}, OnAskedMark: {Marking, DoNone}, OnRequestsDone: {Marked, DoNone}, OnForgotten: {Settled, DoNone},
	},
	Marked: {
		OnJump: {Jumping, DoJump}, OnMark: {Marked, DoNone}, OnVisit: {Jumping, DoLeave}, OnDragStart: {Dragging, DoJump}, OnDragEnd: {Jumping, DoJump},
		OnRequest: {Settled, DoNone}, OnAskedMark: {Marked, DoNone}, OnRequestsDone: {Marked, DoNone}, OnForgotten: {Settled, DoNone},
	},
}
