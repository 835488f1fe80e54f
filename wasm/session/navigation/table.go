package navigation

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
