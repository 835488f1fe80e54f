package navigation

// step is what an event makes of a state.
type step struct {
	to State // 0 where the event can't come in the state
	do Act
}

// On returns the state to which an event leads from s, and what follows from it. The state is 0
// where the event can't come.
func (s State) On(e Event) (State, Act) {
	t := table[s][e]
	return t.to, t.do
}

// A Transition is what an event makes of a state.
type Transition struct {
	From State
	On   Event
	To   State
	Do   Act
}

// All returns every transition there is.
func All() (all []Transition) {
	for s := range numStates {
		for e := range numEvents {
			if to, do := s.On(e); to != 0 {
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
		OnBegan:   {Waiting, DoStart},
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
		OnBound:     {Travelling, DoGo},
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
		OnBound:     {Travelling, DoGo},
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
		OnBound:     {Travelling, DoGo},
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
		OnRead: {Own, DoNone},
		OnOwn:  {Unread, DoRemember},
		OnTold: {Unread, DoNone},
	},
	Own: {
		OnNew:      {Fresh, DoForget},
		OnReplaced: {Own, DoNone},
		OnLanded:   {Own, DoArrive},
		OnOwn:      {Own, DoSee},
		OnAstray:   {Astray, DoStray},
		OnPacked:   {Unpacking, DoUnpack},
		OnUnpacked: {Own, DoNone},
		OnNoted:    {Own, DoNote},
		OnTold:     {Own, DoTell},
	},
	Fresh: {
		OnReplaced: {Own, DoNone},
		OnLanded:   {Own, DoArrive},
		OnTold:     {Own, DoPush},
	},
	Astray: {
		OnNew:      {Fresh, DoForget},
		OnReplaced: {Astray, DoNone},
		OnLanded:   {Own, DoArrive},
		OnOwn:      {Own, DoSee},
		OnAstray:   {Astray, DoStray},
		OnPacked:   {Unpacking, DoUnpack},
		OnUnpacked: {Astray, DoNone},
		OnNoted:    {Own, DoNote},
		OnTold:     {Astray, DoTell},
	},
	Unpacking: {
		OnNew:      {Fresh, DoForget},
		OnReplaced: {Unpacking, DoNone},
		OnLanded:   {Own, DoArrive},
		OnOwn:      {Own, DoSee},
		OnPacked:   {Unpacking, DoUnpack},
		OnUnpacked: {Own, DoFollow},
		OnNoted:    {Unpacking, DoNone},
		OnTold:     {Unpacking, DoNone},
	},

	Still: {
		OnJump: {Jumping, DoJump}, OnMark: {Jumping, DoJump}, OnVisit: {Jumping, DoLeave}, OnHeld: {Dragging, DoJump}, OnLetGo: {Jumping, DoJump},
		OnAsked: {Still, DoNone}, OnAskedMark: {Marked, DoNone}, OnAnswered: {Still, DoNone}, OnForgotten: {Still, DoNone},
	},
	Jumping: {
		OnJump: {Jumping, DoNone}, OnMark: {Jumping, DoNone}, OnVisit: {Jumping, DoNone}, OnHeld: {Dragging, DoNone}, OnLetGo: {Jumping, DoNone},
		OnAsked: {Jumping, DoNone}, OnAskedMark: {Marking, DoNone}, OnAnswered: {Still, DoNone}, OnForgotten: {Still, DoNone},
	},
	Dragging: {
		OnJump: {Dragging, DoNone}, OnMark: {Dragging, DoNone}, OnVisit: {Dragging, DoNone}, OnHeld: {Dragging, DoNone}, OnLetGo: {Jumping, DoNone},
		OnAsked: {Dragging, DoNone}, OnAskedMark: {Dragging, DoNone}, OnAnswered: {Dragging, DoNone}, OnForgotten: {Still, DoNone},
	},
	Marking: {
		OnJump: {Jumping, DoNone}, OnMark: {Marking, DoNone}, OnVisit: {Jumping, DoNone}, OnHeld: {Dragging, DoNone}, OnLetGo: {Jumping, DoNone},
		OnAsked: {Jumping, DoNone}, OnAskedMark: {Marking, DoNone}, OnAnswered: {Marked, DoNone}, OnForgotten: {Still, DoNone},
	},
	Marked: {
		OnJump: {Jumping, DoJump}, OnMark: {Marked, DoNone}, OnVisit: {Jumping, DoLeave}, OnHeld: {Dragging, DoJump}, OnLetGo: {Jumping, DoJump},
		OnAsked: {Still, DoNone}, OnAskedMark: {Marked, DoNone}, OnAnswered: {Marked, DoNone}, OnForgotten: {Still, DoNone},
	},
}
