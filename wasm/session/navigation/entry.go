package navigation

// Entry says what the entry is about that the browser's history shows.
type Entry uint8

const (
	Unread    Entry = iota + 1 // the page is being set up
	Own                        // what is open
	Fresh                      // something else than what is open, which needs an entry of its own
	Astray                     // something that was open before, and isn't known any more
	Unpacking                  // a link that is still packed

	numEntries
)

// Turn is what moves an entry.
type Turn uint8

const (
	OnRead     Turn = iota // the page was set up
	OnNew                  // something else is opened
	OnReplaced             // what is opened takes the entry of what was open
	OnLanded               // what is open takes the entry that the browser shows
	OnOwn                  // the browser shows another entry of what is open
	OnAstray               // the browser shows an entry that isn't known
	OnPacked               // the link to be followed is packed
	OnUnpacked             // the browser has unpacked a link
	OnNoted                // the viewer has jumped from one place to another
	OnTold                 // a message was taken in

	numTurns
)

// entries has every transition of an entry.
var entries = [numEntries][numTurns]step[Entry]{
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
		OnNew:      {Fresh, DoForget},
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
}

var (
	entryNames = [numEntries]string{"", "Unread", "Own", "Fresh", "Astray", "Unpacking"}
	turnNames  = [numTurns]string{"OnRead", "OnNew", "OnReplaced", "OnLanded", "OnOwn", "OnAstray", "OnPacked", "OnUnpacked", "OnNoted", "OnTold"}
)

func (s Entry) String() string { return entryNames[s] }
func (e Turn) String() string  { return turnNames[e] }

// On returns the state to which e leads from s, and what is to be done. It is 0 where e can't come.
func (s Entry) On(e Turn) (to Entry, do Act) { t := &entries[s][e]; return t.to, t.do }
