package event

import (
	"github.com/informerscope/informerscope/engine/object"
)

// Kind says what happened.
type Kind uint8

// The kinds, grouped by the station that emits them. Each comment lists the fields
// that are set, by the names of Event's fields and of the methods that read N and
// Listener.
const (
	_ Kind = iota

	// reflector
	ListRequested      // RV: the one asked for; Limit: of items on a page
	ListReceived       // Items
	ListFailed         // Code, Failure
	WatchRequested     // RV: to start from; Flags: Streaming
	WatchOpened        //
	WatchFailed        // Code, Failure
	WatchEventReceived // Delta, Key, New: the object; Flags: Streaming for the bookmark that ends the initial events; Number: of the event in the feed
	WatchEventSkipped  // Delta, New, Skip
	WatchErrorReceived // Code: of the Status; Failure; Cause
	WatchClosed        // Received: watch events on this watch; Failure: how it ended; Cause
	VeryShortWatch     // Closed within a second with no event: an error, so a relist follows
	ResourceVersionSet // RV: lastSyncResourceVersion now
	BackoffStarted     // Duration
	BackoffEnded       //
	ResyncFired        // Duration: of the resync period. The timer ran out
	ResyncNotDue       // ShouldResync said false
	ResyncGaveUp       // The queue refused an object, and the resync goroutine ends
	WatchEventLost     // Delta, Key, New. It was lost on its way to the reflector
	WatchEventHeld     // Delta, Key, New. It is held back on its way to the reflector
	InitialEndLost     // The bookmark that ends the initial events was lost on its way
	BookmarkLost       // RV. A bookmark that tells of progress was lost on its way
	ListFiltered       // Items: that the client has taken out of a list, or of a page of it, since they aren't of its shard
	WatchEventFiltered // Delta, Key, New. The client has thrown it away, since the object isn't of its shard

	// queue
	ReplaceStarted         // Items
	ReplaceEnded           // Queued: deltas
	Enqueued               // Delta, Key, New, Flags, Depth. The key was not in the queue, and is now its tail
	DeltaAppended          // Delta, Key, New, Flags, Length. The key was queued already, and keeps its place
	DeltasDeduplicated     // Delta, Key, Flags, Old: the loser; New: the winner of two adjacent Deleted; Length
	DeleteIgnored          // Key, New, Flags. Neither queue nor store knows the key
	SyncSkipped            // Key, New. Resync found deltas queued for the key already, or no object any more
	Popped                 // Delta, Key, New, Flags, Length. A DeltaFIFO tells only the key
	PopWaits               // The queue is empty
	InitialPopulationCount // Remaining: keys of the first list
	HasSynced              // The queue became synced
	Requeued               // Key, Length. AddIfNotPresent put the Deltas back
	RequeueSkipped         // Key. Something newer for the key was queued meanwhile
	QueueClosed            //

	// indexer
	StoreAdded    // Key, New
	StoreUpdated  // Key, Old, New
	StoreDeleted  // Key, Old: 0 where the key was absent
	StoreReplaced // Items
	StoreListed   // Items. A SyncAll took all objects, to be handed out once more
	IndexAdded    // Index, Value, Key
	IndexRemoved  // Index, Value, Key

	// processor
	Distributed      // Delta: Added or Updated or Deleted; Key, Old, New, Flags, Cause. The notification was made
	ListenerSkipped  // Handler. It is not syncing, so it gets no sync
	ListenerAddCh    // Handler, Delta, Key, Old, New, Flags, Cause. The pop goroutine took it from addCh. The next fact says where it went
	ListenerSlot     // Handler, Key. It went into the one-slot notification
	ListenerPending  // Handler, Key, Pending
	ListenerNextCh   // Handler, Delta, Key, Old, New, Flags, Cause, Pending. The pop goroutine handed it to run through nextCh
	ListenerSyncing  // Handler, Syncing
	ListenerAdded    // Handler, Duration: of its resync period
	ListenersStarted // Started: listeners. Their pop and run goroutines, by sharedProcessor.run where that is apart
	ListenerStopped  // Handler, Discarded: notifications
	HandlerCalled    // Handler, Delta, Key, Old, New, Flags, Cause, Duration: of the call, negative if it doesn't return by itself
	HandlerReturned  // Handler, Delta, Key
	HandlerHasSynced // Handler
	HandlerPanicked  // Handler, Delta, Key. The process dies of it
	TombstoneIgnored // Handler, Key, Old. A type assertion failed on the DeletedFinalStateUnknown, and the handler has returned
	HandlerUnled     // Handler, Key. The handler asks whether its process leads, and returns, since it doesn't

	// locks
	LockAcquired // Lock
	LockReleased // Lock
	LockWaits    // Lock, Flags: Blocked; Holder

	// workqueue and workers
	WorkAdded         // Key, Depth
	WorkDirty         // Key. It is in the dirty set already, so nothing changes
	WorkDeferred      // Key. It is being processed, so it is only marked dirty
	WorkGot           // Worker, Key
	WorkGetWaits      // Worker. The queue is empty, or paused
	WorkDone          // Worker, Key
	WorkRequeued      // Key, Depth. Done found it dirty
	WorkDelayed       // Key, Duration: until it is ready
	WorkDelayKept     // Key, Duration: until it is ready. It waits already, and the earlier time stays
	WorkReady         // Key. Its delay is over, or counts no longer
	WorkRateLimited   // Key, Requeues
	WorkForgotten     // Key
	WorkShutDown      //
	WorkPaused        // Get waits from now on, whatever is queued
	WorkResumed       // Depth. It waits no longer
	WorkBuffered      // Key, Priority: with which it was added. It lies in the addBuffer of a priority queue
	WorkQueued        // Key, Priority. It is in the priority queue, and ready
	WorkRaised        // Key, Priority. Its priority rose. Since controller-runtime v0.23 it is the last of those that have it
	WorkUnlocked      // Worker, Key. Done: other workers may get it from the priority queue again
	WorkKept          // Key, Priority. It is ready already, so nothing changes
	ReconcileStarted  // Worker, Key, New: what the cache holds; Duration: of the reconcile, negative if it doesn't return by itself
	ReconcileEnded    // Worker, Key
	ReconcileFailed   // Worker, Key
	ReconcilePanicked // Worker, Key. The program has panicked

	// what a recorded controller does
	WorkOvertook  // Worker, Key, Depth: how many other keys were before it in the queue. The worker got the key all the same
	WorkMissing   // Worker, Key. The worker got the key, though the queue didn't have it
	WriteSent     // Worker, Key, Number: of the act that says what. The reconcile has asked the API server for a write
	WriteReturned // Worker, Key, Code: 0 without an answer

	// a controller's program and its guard
	ChildrenRead      // Worker, Key: the owner's; Items
	OwnerRead         // Worker, Key, New: 0 if it is gone. The program has read the owner from the API server before it adopts
	CreatesSkipped    // Worker, Key, Remaining: creates of a slow start that failed, or that were not sent because others failed
	WriteAnswered     // Worker, Key, Code. The program has asked for a write, and nothing was written
	Unreached         // Key, of a program's. A request of a replica has not reached the API server
	OutsideChanged    // Worker, Key, Delta: Added or Deleted. A resource outside of the cluster was made or given back
	ExpectationsSet   // Worker, Key, Remaining: creates, or deletes, that the controller has still to see
	ExpectationsUnmet // Worker, Key, Remaining. The reconcile makes and deletes no children
	CacheStale        // Worker, Key, RV: written and not yet seen. The reconcile ends before it has read anything
	ReadWaits         // Worker, Key, RV: that the read waits for, 0 if it waits for deletions only
	CachesAwaited     // Remaining: informers that have not synced. WaitForCacheSync asks again in 100 ms
	CachesSynced      // WaitForCacheSync returns, and the workers start

	// the election of a leader among several processes
	ReplicaStarted   // a process begins, with everything empty
	LeaseWritten     // Delta: Added where the holder is another one, Deleted where it gives the lease back; Revision
	LeaseRefused     // Code. Somebody else has written the Lease
	LeaseHeld        // Duration: until the candidate takes the lease for expired, unless it sees the Lease change
	LeadershipGained // OnStartedLeading is called
	LeadershipLost   // OnStoppedLeading is called. The process ends with a ProcessKilled, or goes on

	// informer
	InformerStarted   //
	InformerStopped   //
	InformerHasSynced //

	// since v0.27 or later, and calls from outside
	ListPageReceived  // Items: so far. Another page follows
	ListStreamed      // Delta, Key, New, Items: in the temporary store. An initial event of a streaming list was stored there
	WatchListFellBack // The streaming list failed, and a list follows
	WatchLeft         // Items: watches that the server has open for the client. A streaming list is given up, and nobody stops its watch
	WatchErrorHandled // Code, Flags: Silent. ListAndWatch returned an error, and WatchErrorHandler was called
	StoreBookmarked   // RV. The store was told how far it is
	ProcessFailed     // Delta, Key, New: what was lost; Flags. The process function returned an error, which is ignored
	CallRefused       // Refused, Handler: where that is AddHandlerStopped
	ObjectMutated     // Key, Old: as it was; New: as it reads now. The mutation detector found a cached object changed

	// request, between reflector and server
	RequestFailed  // Code, Failure. rest.Request is going to send the request again by itself, and the reflector waits
	RequestWaits   // Duration: until it is sent again; Retry
	RequestRetried // Retry. The request was sent again
	RequestGaveUp  // Code, Retry: how many there were. The request is sent no more, and the reflector hears of the failure

	// the outside world: what commands do, and what workers write back
	ObjectWritten    // Delta, Key, Old, New, Revision. A simulated server has added, updated or deleted an object, for a command or for a worker that writes back
	ServerGoesOn     // Items. A simulated server takes over from the recording
	ServerCompacted  // Revision. etcd keeps none that is older
	ServerRestarted  // Duration: how long it is down
	ServerRestored   // Revision. etcd is back at it
	ServerLags       // Duration, negative for ever. The watch cache is that far behind etcd
	RequestsFail     // Failure, Requests: how many, negative for all
	WatchCut         // the connection of the open watch was cut
	WatchSilenced    // the open watch's connection is half-open
	StopRequested    // Cause: why it changes nothing. The stop channel was closed
	HandlerRequested // Handler. AddEventHandler was called
	RemovalRequested // Handler. RemoveEventHandler was called
	HandlerPaced     // Handler, Duration: of each of its calls from now on
	HandlerBlocks    // Handler. From now on its calls don't return
	HandlerPanics    // Handler. From now on its calls panic
	HandlerBlind     // Handler. From now on it ignores tombstones
	HandlerAsserts   // Handler. From now on it panics on tombstones
	HandlerMended    // Handler. It no longer panics, and knows tombstones
	ReconcilesFail   // Key: whose, 0 for any; Reconciles: how many, negative for all
	ReconcileHangs   // Key: whose, 0 for any; Duration: how much longer the next one takes, negative for ever, 0 if those that hang return
	RunRequested     // Run was called again
	FactoryStarted   // Started. SharedInformerFactory.Start was called
	IndexRequested   // AddIndexers was called
	KeysRefused      // from now on, the key function of the store refuses tombstones
	ProcessKilled    // the process was killed, or has ended, and the same program starts again
	ReplicaKilled    // Duration, negative for ever: until it starts again. The process of a replica was killed
	ReplicaPaused    // Duration. The process of a replica doesn't move
	ReplicaStopped   // the process of a replica was asked to end
	ReplicaResharded // Duration: until it starts again. The process of a replica was asked to end, and has another shard then
	ReplicaCut       // nothing goes between a replica and the API server any more
	ReplicaJoined    // something does again
	NextDropped      // the next watch event will be lost
	NextDelayed      // Duration. The next watch event will be late, and so will those behind it
	NextDuplicated   // the next watch event will arrive twice
	NextSwapped      // the next two watch events will arrive in the other order
	NextSpoilt       // Skip. The next watch event will arrive so that it is skipped
	InitialWithheld  // the next bookmark that ends initial events will be lost
	BookmarksDropped // Interval: of how many bookmarks one is lost from now on, 0 for none
	CacheMutated     // Key, Old, New: as the object reads now. A cached object was changed in place
	CacheWritten     // Key, Old, New. The program wrote a version that it has from the API server into the informer's indexer
	TimePasses       // Deadline
	TimePassed       // Deadline
	StepsTakeNoTime  // from now on, only waiting takes time

	numKinds
)

// NumKinds is more than any Kind, for tables by kind.
const NumKinds = int(numKinds)

// SkipReason says why the reflector passed over a watch event.
type SkipReason int64

const (
	SkipNoMeta       SkipReason = iota + 1 // the object has no metadata
	SkipExpectedType                       // the object is of another kind than the reflector expects
	SkipUnknownType                        // the event's type is none of the five
	SkipTransform                          // the TransformFunc failed
)

// Refusal says which call on an informer was refused, and why.
type Refusal int64

const (
	RunTwice          Refusal = iota + 1 // Run: it has started, and runs once
	AddHandlerStopped                    // AddEventHandler: it has stopped already
	AddIndexersLate                      // AddIndexers: it has started (up to v0.29) or stopped already
	IndexerConflict                      // AddIndexers: there is an index of that name
)

// String returns the kind's name in transcripts.
func (k Kind) String() string {
	if k < numKinds {
		return kinds[k].name
	}
	return ""
}

// KindNamed returns the kind with a name in transcripts; ok is false if there is none.
func KindNamed(name string) (k Kind, ok bool) {
	for k = 1; k < numKinds; k++ {
		if kinds[k].name == name {
			return k, true
		}
	}
	return 0, false
}

// Outside reports whether facts of the kind are about the outside world.
func (k Kind) Outside() bool { return k >= ObjectWritten && k < numKinds }

// kinds holds, for each kind, its name in transcripts and the fields that its
// facts have.
var kinds = [numKinds]struct {
	name   string
	fields Fields
}{
	ListRequested:          {"ListRequested", RV | Limit},
	ListReceived:           {"ListReceived", Items},
	ListFailed:             {"ListFailed", Code | Failure},
	WatchRequested:         {"WatchRequested", RV | flags},
	WatchOpened:            {"WatchOpened", 0},
	WatchFailed:            {"WatchFailed", Code | Failure},
	WatchEventReceived:     {"WatchEventReceived", delta | flags | key | newObject | Number},
	WatchEventSkipped:      {"WatchEventSkipped", delta | newObject | Skip},
	WatchErrorReceived:     {"WatchErrorReceived", Code | Failure | cause},
	WatchClosed:            {"WatchClosed", Received | Failure | cause},
	VeryShortWatch:         {"VeryShortWatch", 0},
	ResourceVersionSet:     {"ResourceVersionSet", RV},
	BackoffStarted:         {"BackoffStarted", Duration},
	BackoffEnded:           {"BackoffEnded", 0},
	ResyncFired:            {"ResyncFired", Duration},
	ResyncNotDue:           {"ResyncNotDue", 0},
	ResyncGaveUp:           {"ResyncGaveUp", 0},
	WatchEventLost:         {"WatchEventLost", delta | key | newObject},
	WatchEventHeld:         {"WatchEventHeld", delta | key | newObject},
	InitialEndLost:         {"InitialEndLost", 0},
	BookmarkLost:           {"BookmarkLost", RV},
	ListFiltered:           {"ListFiltered", Items},
	WatchEventFiltered:     {"WatchEventFiltered", delta | key | newObject},
	ReplaceStarted:         {"ReplaceStarted", Items},
	ReplaceEnded:           {"ReplaceEnded", Queued},
	Enqueued:               {"Enqueued", delta | key | newObject | flags | Depth},
	DeltaAppended:          {"DeltaAppended", delta | key | newObject | flags | Length},
	DeltasDeduplicated:     {"DeltasDeduplicated", delta | key | flags | oldObject | newObject | Length},
	DeleteIgnored:          {"DeleteIgnored", key | newObject | flags},
	SyncSkipped:            {"SyncSkipped", key | newObject},
	Popped:                 {"Popped", delta | key | newObject | flags | Length},
	PopWaits:               {"PopWaits", 0},
	InitialPopulationCount: {"InitialPopulationCount", Remaining},
	HasSynced:              {"HasSynced", 0},
	Requeued:               {"Requeued", key | Length},
	RequeueSkipped:         {"RequeueSkipped", key},
	QueueClosed:            {"QueueClosed", 0},
	StoreAdded:             {"StoreAdded", key | newObject},
	StoreUpdated:           {"StoreUpdated", key | oldObject | newObject},
	StoreDeleted:           {"StoreDeleted", key | oldObject},
	StoreReplaced:          {"StoreReplaced", Items},
	StoreListed:            {"StoreListed", Items},
	IndexAdded:             {"IndexAdded", Index | Value | key},
	IndexRemoved:           {"IndexRemoved", Index | Value | key},
	Distributed:            {"Distributed", delta | key | oldObject | newObject | flags | cause},
	ListenerSkipped:        {"ListenerSkipped", Handler},
	ListenerAddCh:          {"ListenerAddCh", Handler | delta | key | oldObject | newObject | flags | cause},
	ListenerSlot:           {"ListenerSlot", Handler | key},
	ListenerPending:        {"ListenerPending", Handler | key | Pending},
	ListenerNextCh:         {"ListenerNextCh", Handler | delta | key | oldObject | newObject | flags | cause | Pending},
	ListenerSyncing:        {"ListenerSyncing", Handler | Syncing},
	ListenerAdded:          {"ListenerAdded", Handler | Duration},
	ListenersStarted:       {"ListenersStarted", Started},
	ListenerStopped:        {"ListenerStopped", Handler | Discarded},
	HandlerCalled:          {"HandlerCalled", Handler | delta | key | oldObject | newObject | flags | cause | Duration},
	HandlerReturned:        {"HandlerReturned", Handler | delta | key},
	HandlerHasSynced:       {"HandlerHasSynced", Handler},
	HandlerPanicked:        {"HandlerPanicked", Handler | delta | key},
	TombstoneIgnored:       {"TombstoneIgnored", Handler | key | oldObject},
	HandlerUnled:           {"HandlerUnled", Handler | key},
	LockAcquired:           {"LockAcquired", Lock},
	LockReleased:           {"LockReleased", Lock},
	LockWaits:              {"LockWaits", Lock | flags | Holder},
	WorkAdded:              {"WorkAdded", key | Depth},
	WorkDirty:              {"WorkDirty", key},
	WorkDeferred:           {"WorkDeferred", key},
	WorkGot:                {"WorkGot", Worker | key},
	WorkGetWaits:           {"WorkGetWaits", Worker},
	WorkDone:               {"WorkDone", Worker | key},
	WorkRequeued:           {"WorkRequeued", key | Depth},
	WorkDelayed:            {"WorkDelayed", key | Duration},
	WorkDelayKept:          {"WorkDelayKept", key | Duration},
	WorkReady:              {"WorkReady", key},
	WorkRateLimited:        {"WorkRateLimited", key | Requeues},
	WorkForgotten:          {"WorkForgotten", key},
	WorkShutDown:           {"WorkShutDown", 0},
	WorkPaused:             {"WorkPaused", 0},
	WorkResumed:            {"WorkResumed", Depth},
	WorkBuffered:           {"WorkBuffered", key | Priority},
	WorkQueued:             {"WorkQueued", key | Priority},
	WorkRaised:             {"WorkRaised", key | Priority},
	WorkUnlocked:           {"WorkUnlocked", Worker | key},
	WorkKept:               {"WorkKept", key | Priority},
	ReconcileStarted:       {"ReconcileStarted", Worker | key | newObject | Duration},
	ReconcileEnded:         {"ReconcileEnded", Worker | key},
	ReconcileFailed:        {"ReconcileFailed", Worker | key},
	ReconcilePanicked:      {"ReconcilePanicked", Worker | key},
	WorkOvertook:           {"WorkOvertook", Worker | key | Depth},
	WorkMissing:            {"WorkMissing", Worker | key},
	WriteSent:              {"WriteSent", Worker | key | Number},
	WriteReturned:          {"WriteReturned", Worker | key | Code},
	ChildrenRead:           {"ChildrenRead", Worker | key | Items},
	OwnerRead:              {"OwnerRead", Worker | key | newObject},
	CreatesSkipped:         {"CreatesSkipped", Worker | key | Remaining},
	WriteAnswered:          {"WriteAnswered", Worker | key | Code},
	Unreached:              {"Unreached", key},
	OutsideChanged:         {"OutsideChanged", Worker | delta | key},
	ExpectationsSet:        {"ExpectationsSet", Worker | key | Remaining},
	ExpectationsUnmet:      {"ExpectationsUnmet", Worker | key | Remaining},
	CacheStale:             {"CacheStale", Worker | key | RV},
	ReadWaits:              {"ReadWaits", Worker | key | RV},
	CachesAwaited:          {"CachesAwaited", Remaining},
	CachesSynced:           {"CachesSynced", 0},
	ReplicaStarted:         {"ReplicaStarted", 0},
	LeaseWritten:           {"LeaseWritten", delta | Revision},
	LeaseRefused:           {"LeaseRefused", Code},
	LeaseHeld:              {"LeaseHeld", Duration},
	LeadershipGained:       {"LeadershipGained", 0},
	LeadershipLost:         {"LeadershipLost", 0},
	InformerStarted:        {"InformerStarted", 0},
	InformerStopped:        {"InformerStopped", 0},
	InformerHasSynced:      {"InformerHasSynced", 0},
	ListPageReceived:       {"ListPageReceived", Items},
	ListStreamed:           {"ListStreamed", delta | key | newObject | Items},
	WatchListFellBack:      {"WatchListFellBack", 0},
	WatchLeft:              {"WatchLeft", Items},
	WatchErrorHandled:      {"WatchErrorHandled", Code | flags},
	StoreBookmarked:        {"StoreBookmarked", RV},
	ProcessFailed:          {"ProcessFailed", delta | key | newObject | flags},
	CallRefused:            {"CallRefused", Refused | Handler},
	ObjectMutated:          {"ObjectMutated", key | oldObject | newObject},
	RequestFailed:          {"RequestFailed", Code | Failure},
	RequestWaits:           {"RequestWaits", Duration | Retry},
	RequestRetried:         {"RequestRetried", Retry},
	RequestGaveUp:          {"RequestGaveUp", Code | Retry},
	ObjectWritten:          {"ObjectWritten", delta | key | oldObject | newObject | Revision},
	ServerGoesOn:           {"ServerGoesOn", Items},
	ServerCompacted:        {"ServerCompacted", Revision},
	ServerRestarted:        {"ServerRestarted", Duration},
	ServerRestored:         {"ServerRestored", Revision},
	ServerLags:             {"ServerLags", Duration},
	RequestsFail:           {"RequestsFail", Failure | Requests},
	WatchCut:               {"WatchCut", 0},
	WatchSilenced:          {"WatchSilenced", 0},
	StopRequested:          {"StopRequested", cause},
	HandlerRequested:       {"HandlerRequested", Handler},
	RemovalRequested:       {"RemovalRequested", Handler},
	HandlerPaced:           {"HandlerPaced", Handler | Duration},
	HandlerBlocks:          {"HandlerBlocks", Handler},
	HandlerPanics:          {"HandlerPanics", Handler},
	HandlerBlind:           {"HandlerBlind", Handler},
	HandlerAsserts:         {"HandlerAsserts", Handler},
	HandlerMended:          {"HandlerMended", Handler},
	ReconcilesFail:         {"ReconcilesFail", key | Reconciles},
	ReconcileHangs:         {"ReconcileHangs", key | Duration},
	RunRequested:           {"RunRequested", 0},
	FactoryStarted:         {"FactoryStarted", Started},
	IndexRequested:         {"IndexRequested", 0},
	KeysRefused:            {"KeysRefused", 0},
	ProcessKilled:          {"ProcessKilled", 0},
	ReplicaKilled:          {"ReplicaKilled", Duration},
	ReplicaPaused:          {"ReplicaPaused", Duration},
	ReplicaStopped:         {"ReplicaStopped", 0},
	ReplicaResharded:       {"ReplicaResharded", Duration},
	ReplicaCut:             {"ReplicaCut", 0},
	ReplicaJoined:          {"ReplicaJoined", 0},
	NextDropped:            {"NextDropped", 0},
	NextDelayed:            {"NextDelayed", Duration},
	NextDuplicated:         {"NextDuplicated", 0},
	NextSwapped:            {"NextSwapped", 0},
	NextSpoilt:             {"NextSpoilt", Skip},
	InitialWithheld:        {"InitialWithheld", 0},
	BookmarksDropped:       {"BookmarksDropped", Interval},
	CacheMutated:           {"CacheMutated", key | oldObject | newObject},
	CacheWritten:           {"CacheWritten", key | oldObject | newObject},
	TimePasses:             {"TimePasses", Deadline},
	TimePassed:             {"TimePassed", Deadline},
	StepsTakeNoTime:        {"StepsTakeNoTime", 0},
}

// Fields is a set of fields of facts. Each exported one is read by the method of
// Event that has its name.
type Fields uint64

const (
	// The fields of Event whose meaning is the same for all kinds.
	delta Fields = 1 << iota
	flags
	key
	oldObject
	newObject
	cause

	// What Listener holds.
	Handler
	Worker
	Index
	Limit
	Failure
	Retry
	Holder

	// What N holds.
	RV
	Code
	Number
	Duration
	Value
	Lock
	Syncing
	Skip
	Refused
	Revision
	Deadline

	// What N counts.
	Items
	Received
	Queued
	Depth
	Length
	Remaining
	Pending
	Discarded
	Requeues
	Requests
	Reconciles
	Started
	Priority
	Interval

	fieldsEnd
)

// Counts are the fields in which N is a number of things. Count reads them.
const Counts = fieldsEnd - Items

// Has reports whether facts of the kind have any of the fields in what.
func (k Kind) Has(what Fields) bool { return k < numKinds && kinds[k].fields&what != 0 }

// n returns N if N holds one of the fields in what, and 0 otherwise.
func (e *Event) n(what Fields) int64 {
	if e.Kind.Has(what) {
		return e.N
	}
	return 0
}

// listenerIf returns Listener if Listener holds one of the fields in what, and -1 otherwise.
func (e *Event) listenerIf(what Fields) int {
	if e.Kind.Has(what) {
		return int(e.Listener)
	}
	return -1
}

// Handler returns the number of the handler, or processorListener, counted from 0; -1
// where the fact is not about one.
func (e Event) Handler() int {
	if e.Kind == CallRefused && e.Refused() != AddHandlerStopped {
		return -1
	}
	return e.listenerIf(Handler)
}

// Worker returns the number of the worker, counted from 0; -1 where the fact is not
// about one.
func (e Event) Worker() int { return e.listenerIf(Worker) }

// Index returns the number of the index, counted from 0; -1 where the fact is not
// about one.
func (e Event) Index() int { return e.listenerIf(Index) }

// Limit returns how many items a page of the list may have, 0 for any number.
func (e Event) Limit() int { return max(e.listenerIf(Limit), 0) }

// Failure returns an apiserver.Failure: what went wrong, 0 for nothing.
func (e Event) Failure() int { return max(e.listenerIf(Failure), 0) }

// Retry returns the number of the retry, counted from 1.
func (e Event) Retry() int { return max(e.listenerIf(Retry), 0) }

// Holder returns the actor.ID of the actor that holds what the acting one waits for, -1
// where the fact is not about waiting.
func (e Event) Holder() int { return e.listenerIf(Holder) }

// RV returns a resourceVersion: the one from which a list or a watch is requested, or
// the newest that was reached.
func (e Event) RV() object.RV { return object.RV(e.n(RV)) }

// Code returns the HTTP status code of an answer, or the code of a Status; 0 where
// there was no answer.
func (e Event) Code() int { return int(e.n(Code)) }

// Number returns the number of the watch event in its feed, or of the act in its recording.
func (e Event) Number() int64 { return e.n(Number) }

// Duration returns how long something takes from here, or how often it is due, in
// nanoseconds.
func (e Event) Duration() int64 { return e.n(Duration) }

// Value returns the indexed value.
func (e Event) Value() object.Sym { return object.Sym(e.n(Value)) }

// Lock returns an actor.LockID.
func (e Event) Lock() int { return int(e.n(Lock)) }

// Syncing reports whether the listener takes part in the next resync.
func (e Event) Syncing() bool { return e.n(Syncing) != 0 }

// Skip returns why the reflector passed over a watch event.
func (e Event) Skip() SkipReason { return SkipReason(e.n(Skip)) }

// Refused returns which call was refused, and why.
func (e Event) Refused() Refusal { return Refusal(e.n(Refused)) }

// Revision returns a revision of the cluster's etcd.
func (e Event) Revision() int64 { return e.n(Revision) }

// Deadline returns a time on the clock, in nanoseconds.
func (e Event) Deadline() int64 { return e.n(Deadline) }

// Items returns how many objects a list has, or has so far.
func (e Event) Items() int { return int(e.n(Items)) }

// Received returns how many watch events a watch has delivered.
func (e Event) Received() int64 { return e.n(Received) }

// Queued returns how many deltas a Replace has queued.
func (e Event) Queued() int { return int(e.n(Queued)) }

// Depth returns how many keys are in the queue, or workqueue, now; in a RealFIFO, how
// many deltas.
func (e Event) Depth() int { return int(e.n(Depth)) }

// Length returns how many deltas the key has now, or had as it was popped.
func (e Event) Length() int { return int(e.n(Length)) }

// Remaining returns how many are still to come: keys of the first list to be popped, creates or deletes to be seen, informers to
// sync, or creates that were not made.
func (e Event) Remaining() int { return int(e.n(Remaining)) }

// Pending returns the length of pendingNotifications now.
func (e Event) Pending() int { return int(e.n(Pending)) }

// Discarded returns how many notifications were discarded.
func (e Event) Discarded() int { return int(e.n(Discarded)) }

// Requeues returns how often the rate limiter has seen the key since it was forgotten.
func (e Event) Requeues() int { return int(e.n(Requeues)) }

// Started returns how many informers a factory has started, or how many listeners a processor.
func (e Event) Started() int { return int(e.n(Started)) }

// Priority returns the key's priority in a priority queue. It may be negative.
func (e Event) Priority() int { return int(e.n(Priority)) }

// Interval returns of how many bookmarks one is lost, 0 for none.
func (e Event) Interval() int64 { return e.n(Interval) }

// Count returns the fact's number, whatever it counts: see Counts.
func (e Event) Count() int64 { return e.n(Counts) }

// Requests returns how many requests will fail: negative for all, 0 if requests no
// longer fail.
func (e Event) Requests() int { return int(e.n(Requests)) }

// Reconciles returns how many reconciles will fail: negative for all, 0 if commands no
// longer make any fail.
func (e Event) Reconciles() int { return int(e.n(Reconciles)) }
