package link

import "strconv"

// The names by which the worker, the page's Go, its JavaScript, its styles and the
// catalogues know the same thing are declared in this file. The tests of wasm/view
// and wasm/picture hold all of them to it.

// Stations, as elements have them in data-station, and styles in "st-".
const (
	StationServer    = "server"
	StationReflector = "reflector"
	StationQueue     = "queue"
	StationLoop      = "loop"
	StationStore     = "store"
	StationProcessor = "processor"
	StationWork      = "work"
)

// Stations lists them, in the order in which data meets them.
var Stations = []string{StationServer, StationReflector, StationQueue, StationLoop, StationStore, StationProcessor, StationWork}

// The places at a station as a whole.
const (
	PlaceServer    = StationServer    // the API server's edge to the wire
	PlaceReflector = StationReflector // the reflector's hand
	PlaceQueue     = StationQueue     // the queue's tail
	PlaceLoop      = StationLoop      // the process loop's hand: the Deltas popped
	PlaceStore     = StationStore
	PlaceProcessor = StationProcessor // where a notification is made and split
	PlaceWork      = StationWork
	PlaceWorkers   = "worker"
	PlaceVoid      = "void" // where dropped things fall; nothing stands there
)

// PlaceTape is watch event n of the feed on the server's tape.
func PlaceTape(n int64) string { return "tape/" + strconv.FormatInt(n, 10) }

// PlaceRow is a row of the queue, by its Row.ID.
func PlaceRow(id string) string { return PlaceQueue + "/" + id }

// PlaceDelta is delta n of a row of the queue.
func PlaceDelta(id string, n int) string { return PlaceRow(id) + "/" + strconv.Itoa(n) }

// PlacePopped is delta n of those in the process loop's hand.
func PlacePopped(n int) string { return PlaceLoop + "/" + strconv.Itoa(n) }

// PlaceTile is the tile of a key: the density map's cell in a big cache.
func PlaceTile(key string) string { return PlaceStore + "/" + key }

// The parts of a listener's lane.
const (
	LaneAddCh   = "addCh"
	LaneSlot    = "slot"
	LanePending = "pending"
	LaneNextCh  = "nextCh"
	LaneHandler = "handler"
)

// PlaceListener is the lane of listener n.
func PlaceListener(n int) string { return "listener/" + strconv.Itoa(n) }

// PlaceLane is a part of the lane of listener n.
func PlaceLane(n int, part string) string { return PlaceListener(n) + "/" + part }

// The sets of the workqueue.
const (
	SetQueue      = "queue"
	SetDirty      = "dirty"
	SetProcessing = "processing"
	SetDelayed    = "delayed"
)

// PlaceSet is a set of the workqueue.
func PlaceSet(set string) string { return PlaceWork + "/" + set }

// PlaceKey is a key in a set of the workqueue.
func PlaceKey(set, key string) string { return PlaceSet(set) + "/" + key }

// PlaceWorker is the hand of worker n.
func PlaceWorker(n int) string { return PlaceWorkers + "/" + strconv.Itoa(n) }

// How a thing goes from one place to another.
type How string

const (
	Travels How = ""       // it flies there
	Merges  How = "merge"  // it closes into what is there
	Bounces How = "bounce" // it falls off
	Spreads How = "sheaf"  // it is a stack that spreads
	KeyOnly How = "key"    // only the text of its key flies there
)

// Hows lists those that aren't Travels.
var Hows = []How{Merges, Bounces, Spreads, KeyOnly}

// The letters that chips bear, and styles have in "chip-".
const (
	LetterAdded    = "A"
	LetterUpdated  = "U"
	LetterDeleted  = "D"
	LetterReplaced = "R"
	LetterSync     = "S"
	LetterBookmark = "B"
	LetterModified = "M" // a watch event
	LetterError    = "E" // a watch event
	LetterUnknown  = "X" // a watch event of a type that client-go does not know
)

// Deltas lists the letters of the deltas.
var Deltas = []string{LetterAdded, LetterUpdated, LetterDeleted, LetterReplaced, LetterSync, LetterBookmark}

// DeltaNames are what the letters stand for, as client-go and the wire spell it.
var DeltaNames = map[string]string{
	LetterAdded: "Added", LetterUpdated: "Updated", LetterDeleted: "Deleted", LetterReplaced: "Replaced", LetterSync: "Sync", LetterBookmark: "Bookmark",
	LetterModified: "MODIFIED", LetterError: "ERROR",
}

// MarkKind says what a flag on the timeline stands for.
type MarkKind string

const (
	MarkExpired   MarkKind = "expired" // 410: the resourceVersion is too old
	MarkError     MarkKind = "error"
	MarkRelist    MarkKind = "relist"    // a list after the first
	MarkTombstone MarkKind = "tombstone" // a DeletedFinalStateUnknown
	MarkClosed    MarkKind = "closed"    // the end of a watch
	MarkCommand   MarkKind = "command"   // something that was done from outside
	MarkNote      MarkKind = "note"      // a mark of the trace itself
	MarkJoined    MarkKind = "joined"    // a handler
	MarkList      MarkKind = "list"
	MarkRetry     MarkKind = "retry" // of rest.Request
	MarkBackoff   MarkKind = "backoff"
	MarkResync    MarkKind = "resync"
)

// Marks lists them, the most telling first.
var Marks = []MarkKind{MarkExpired, MarkError, MarkRelist, MarkTombstone, MarkClosed, MarkCommand, MarkNote, MarkJoined, MarkList, MarkRetry, MarkBackoff, MarkResync}

// The rows of Timeline.Events, in their order.
const (
	RowAdded = iota
	RowModified
	RowDeleted
	RowBookmark
	RowError
	RowList
	NumRows
)

// Goroutines, by actor.Kind. Where a kind has several, a number follows: "pop/0".
const (
	ActorUser      = "user"
	ActorReflector = "reflector"
	ActorResync    = "resync"
	ActorLoop      = "loop"
	ActorPop       = "pop"
	ActorRun       = "run"
	ActorDelaying  = "delaying"
	ActorWorker    = "worker"
	ActorDetector  = "detector"
	ActorNobody    = "nobody" // of a step that was made from outside
)

// ActorKinds lists them.
var ActorKinds = []string{ActorUser, ActorReflector, ActorResync, ActorLoop, ActorPop, ActorRun, ActorDelaying, ActorWorker, ActorDetector, ActorNobody}

// WaitsForLock is what an Actor.Waits says for a lock, as actor.Wait does.
const WaitsForLock = "lock"

// Locks, by actor.LockID, and channels.
const (
	LockFIFO        = "fifo"
	LockBlockDeltas = "blockDeltas"
	LockListeners   = "listenersLock"

	ChanAddCh           = "addCh"
	ChanNextCh          = "nextCh"
	ChanWaitingForAddCh = "waitingForAddCh"
)

// What the stations are at: the states of their frames. The catalogues have them
// behind "ui." and the station, and styles behind "is-".
const (
	ServerIdle    = "idle" // by apiserver.State
	ServerListing = "listing"
	ServerOpening = "opening"
	ServerOpen    = "open"

	ReflectorStart      = "start"
	ReflectorListing    = "listing"
	ReflectorReplacing  = "replacing"
	ReflectorOpening    = "opening"
	ReflectorWatching   = "watching"
	ReflectorEnqueueing = "enqueueing"
	ReflectorBackoff    = "backoff"
	ReflectorRetrying   = "retrying" // rest.Request tries again

	LoopWaiting      = "waiting"
	LoopPopping      = "popping"
	LoopStoring      = "storing"
	LoopDistributing = "distributing"
	LoopReleasing    = "releasing"
)

// States lists them by station.
var States = map[string][]string{
	StationServer:    {ServerIdle, ServerListing, ServerOpening, ServerOpen},
	StationReflector: {ReflectorStart, ReflectorListing, ReflectorReplacing, ReflectorOpening, ReflectorWatching, ReflectorEnqueueing, ReflectorBackoff, ReflectorRetrying},
	StationLoop:      {LoopWaiting, LoopPopping, LoopStoring, LoopDistributing, LoopReleasing},
}

// QueueKinds are what a queue is called.
const (
	DeltaFIFO = "DeltaFIFO"
	RealFIFO  = "RealFIFO"
)

// The states of a stream that is followed, by follow.State, and the reason to wait
// that is no failure, by follow.Reason.
const (
	StreamWaiting  = "waiting"
	StreamListing  = "listing"
	StreamWatching = "watching"
	StreamEnded    = "ended"

	ReasonExpired = "expired"
)

// Limits on what a viewer may ask for: the stage has no room for more.
const (
	MaxHandlers = 8
	MaxWorkers  = 8
	MaxName     = 40                   // of a handler, in characters
	MaxTakes    = 3600 * 1_000_000_000 // the longest call and reconcile, in ns
	MaxPeriod   = 24 * MaxTakes        // the longest resync period, and the latest time to join, in ns
	MaxFollowed = 5                    // resources at once: each takes a connection, and a browser makes no more than six to a server
)
