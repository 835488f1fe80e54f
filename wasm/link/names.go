package link

import (
	"strconv"
	"strings"
)

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

// PlaceTape returns watch event n of the feed on the server's tape.
func PlaceTape(n int64) string { return "tape/" + strconv.FormatInt(n, 10) }

// PlaceRow returns a row of the queue, by its Row.ID.
func PlaceRow(id string) string { return PlaceQueue + "/" + id }

// RowID returns the Row.ID of a RealFIFO's row: delta n since the queue was made.
func RowID(n int64) string { return "#" + strconv.FormatInt(n, 10) }

// PlaceDelta returns delta n of a row of the queue.
func PlaceDelta(id string, n int) string { return PlaceRow(id) + "/" + strconv.Itoa(n) }

// PlacePopped returns delta n of those in the process loop's hand.
func PlacePopped(n int) string { return PlaceLoop + "/" + strconv.Itoa(n) }

// PlaceTile returns the tile of a key.
func PlaceTile(key string) string { return PlaceStore + "/" + key }

// PlaceCell returns cell n of the density map.
func PlaceCell(n int) string { return "cell/" + strconv.Itoa(n) }

// The parts of a listener's lane.
const (
	LaneAddCh   = "addCh"
	LaneSlot    = "slot"
	LanePending = "pending"
	LaneNextCh  = "nextCh"
	LaneHandler = "handler"
)

// PlaceListener returns the lane of listener n.
func PlaceListener(n int) string { return "listener/" + strconv.Itoa(n) }

// PlaceLane returns a part of the lane of listener n.
func PlaceLane(n int, part string) string { return PlaceListener(n) + "/" + part }

// The sets of the workqueue.
const (
	SetQueue      = "queue"
	SetDirty      = "dirty"
	SetProcessing = "processing"
	SetDelayed    = "delayed"
)

// PlaceSet returns a set of the workqueue.
func PlaceSet(set string) string { return PlaceWork + "/" + set }

// PlaceKey returns a key in a set of the workqueue.
func PlaceKey(set, key string) string { return PlaceSet(set) + "/" + key }

// PlaceWorker returns the hand of worker n.
func PlaceWorker(n int) string { return PlaceWorkers + "/" + strconv.Itoa(n) }

// stationOf has the stations of places that have other names.
var stationOf = map[string]string{
	"tape": StationServer, "cell": StationStore, "listener": StationProcessor,
	PlaceWorkers: StationWork, PlaceBuffer: StationWork, PlaceGuard: StationWork, PlaceVoid: "",
}

// StationOf returns the station at which a place is, "" for none.
func StationOf(place string) string {
	name, _, _ := strings.Cut(place, "/")
	if s, is := stationOf[name]; is {
		return s
	}
	return name
}

// Motion is how a thing goes from one place to another.
type Motion string

const (
	Travels Motion = ""       // it flies there
	Merges  Motion = "merge"  // it closes into what is there
	Bounces Motion = "bounce" // it bounces off the queue, and falls
	Drops   Motion = "drop"   // it falls from where it is
	Touches Motion = "touch"  // the text of its key flies there, and returns
	Spreads Motion = "sheaf"  // it is a stack that spreads
	KeyOnly Motion = "key"    // only the text of its key flies there
)

// Motions lists all motions but Travels.
var Motions = []Motion{Merges, Bounces, Drops, Touches, Spreads, KeyOnly}

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

// What a chip is called that stands for several objects together: the deltas that
// client-go calls so, and a list before Replace has taken it.
const (
	NameReplacedAll = "ReplacedAll"
	NameSyncAll     = "SyncAll"
	NameList        = "list"
)

// MarkKind says what a flag on the timeline stands for.
type MarkKind string

func (k *MarkKind) fields(c *coder) { c.text((*string)(k)) }

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
	ActorRecorded  = "recorded"
	ActorAddBuffer = "addBuffer"
	ActorReady     = "readyItems"
	ActorWaiting   = "waitingItems"
	ActorCollector = "collector"
	ActorElector   = "elector"
	ActorProcessor = "processor"
	ActorNobody    = "nobody" // of a step that was made from outside
)

// ActorKinds lists them.
var ActorKinds = []string{ActorUser, ActorReflector, ActorResync, ActorLoop, ActorPop, ActorRun, ActorDelaying, ActorWorker, ActorDetector, ActorRecorded, ActorAddBuffer, ActorReady, ActorWaiting, ActorCollector, ActorElector, ActorProcessor, ActorNobody}

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
// behind "ui." and the station, and styles behind "is-". Those of the wire are behind
// "ui.wire." and in data-wire.
const (
	// These are states of the reflector, the process loop, a listener and a worker alike.
	StateStart   = "start"   // Run has not been called yet
	StateStopped = "stopped" // it has returned
	StateCrashed = "crashed" // the process has died of a panic
	StateRemoved = "removed" // RemoveEventHandler was called for the listener

	WireNone      = "none"
	WireListing   = "listing"
	WireRelisting = "relisting"
	WireOpening   = "opening" // a watch was asked for
	WireOpen      = "open"
	WireQuiet     = "quiet"    // it is open, and nothing has come for a while
	WireHalfOpen  = "halfOpen" // it is open, and nothing can come
	WireClosed    = "closed"   // the server has ended the watch
	WireBroken    = "broken"
	WireBackoff   = "backoff"
	WireRetrying  = "retrying" // rest.Request waits before it sends the request again

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

// Wires lists the states of the wire.
var Wires = []string{WireNone, WireListing, WireRelisting, WireOpening, WireOpen, WireQuiet, WireHalfOpen, WireClosed, WireBroken, WireBackoff, WireRetrying}

// States lists them by station.
var States = map[string][]string{
	StationReflector: {StateStart, StateStopped, StateCrashed, ReflectorListing, ReflectorReplacing, ReflectorOpening, ReflectorWatching, ReflectorEnqueueing, ReflectorBackoff, ReflectorRetrying},
	StationLoop:      {StateStart, StateStopped, StateCrashed, LoopWaiting, LoopPopping, LoopStoring, LoopDistributing, LoopReleasing},
}

// EndStates lists what a listener that takes no notifications any more can be.
var EndStates = []string{StateStopped, StateCrashed, StateRemoved}

// Faults are what can be wrong with a handler.
const (
	FaultBlocks  = "blocks"  // its calls don't return
	FaultPanics  = "panics"  // each call panics
	FaultBlind   = "blind"   // it ignores tombstones
	FaultAsserts = "asserts" // it panics at tombstones
)

// Faults lists them.
var Faults = []string{FaultBlocks, FaultPanics, FaultBlind, FaultAsserts}

// QueueKinds are what a queue is called.
const (
	DeltaFIFO = "DeltaFIFO"
	RealFIFO  = "RealFIFO"
)

// What the indexer and its lister can be asked. The names are client-go's, and the names of
// the lister are GenericLister's.
const (
	FuncGetByKey            = "GetByKey"
	FuncByIndex             = "ByIndex"
	FuncIndexKeys           = "IndexKeys"
	FuncListIndexFuncValues = "ListIndexFuncValues"
	FuncList                = "List"
	FuncGet                 = "Get"
	FuncListKeys            = "ListKeys" // the keys of one cell of the density map
)

// Funcs lists those that the viewer chooses from.
var Funcs = []string{FuncGetByKey, FuncByIndex, FuncIndexKeys, FuncListIndexFuncValues, FuncList, FuncGet}

// The states of a stream that is followed, by follow.State, and the reason to wait
// that is no failure, by follow.Reason.
const (
	StreamWaiting  = "waiting"
	StreamListing  = "listing"
	StreamWatching = "watching"
	StreamEnded    = "ended"

	ReasonExpired = "expired"
)

// MaxAnswer is how many rows of an Answer the page is sent at a time.
const MaxAnswer = 100

// Limits on what a viewer may ask for: the stage has no room for more.
const (
	MaxHandlers = 8
	MaxWorkers  = 8
	MaxName     = 40                   // of a handler, in characters
	MaxTakes    = 3600 * 1_000_000_000 // the longest call and reconcile, in ns
	MaxPeriod   = 24 * MaxTakes        // the longest resync period, and the latest time to join, in ns
	MaxFollowed = 5                    // resources at once: each takes a connection, and a browser makes no more than six to a server
)
