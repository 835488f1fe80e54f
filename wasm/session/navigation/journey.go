package navigation

// Journey says where the viewer is on the way to what is to be seen.
type Journey uint8

const (
	Unbegun    Journey = iota + 1 // the page is being set up
	Waiting                       // nothing was asked for yet, since the link is still packed
	Opening                       // something is being opened, and the viewer has nowhere to go in it
	Bound                         // something is being opened, and the viewer goes to a moment in it then
	Travelling                    // it is open, and the viewer is being led to that moment
	Arrived                       // it is open, and the viewer goes about in it
	Expecting                     // a file that only the viewer has is asked for, and the bundled trace is being opened
	StandingIn                    // that file is asked for, and the bundled trace is open
	Pairing                       // it is open, and a file that is to stand beside it is asked for
	Nowhere                       // it could not be opened

	numJourneys
)

// Trip is what moves a journey.
type Trip uint8

const (
	OnBegan     Trip = iota // the page was set up
	OnOffered               // the page around this one has sent a trace
	OnOpens                 // something else is opened
	OnBound                 // there is a moment to go to
	OnMissing               // a file is needed that only the viewer has
	OnOpened                // the worker knows what it holds, or shows again what was open before
	OnRefused               // the worker could not open it, or the viewer has cancelled that
	OnShown                 // a step is shown
	OnArrived               // nothing is left of the way but its last move
	OnElsewhere             // the viewer does something else
	OnChose                 // the viewer has chosen a file
	OnDismissed             // the viewer has closed a dialog
	OnMisled                // a link can't be followed

	numTrips
)

// journeys has every transition of a journey.
var journeys = [numJourneys][numTrips]step[Journey]{
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
}

var (
	journeyNames = [numJourneys]string{"", "Unbegun", "Waiting", "Opening", "Bound", "Travelling", "Arrived", "Expecting", "StandingIn", "Pairing", "Nowhere"}
	tripNames    = [numTrips]string{"OnBegan", "OnOffered", "OnOpens", "OnBound", "OnMissing", "OnOpened", "OnRefused", "OnShown", "OnArrived", "OnElsewhere", "OnChose", "OnDismissed", "OnMisled"}
)

func (s Journey) String() string { return journeyNames[s] }
func (e Trip) String() string    { return tripNames[e] }

// On returns the state to which e leads from s, and what is to be done. It is 0 where e can't come.
func (s Journey) On(e Trip) (to Journey, do Act) { t := &journeys[s][e]; return t.to, t.do }
