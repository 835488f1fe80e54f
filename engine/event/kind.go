package event

// Kind says what happened.
type Kind uint8

// The kinds, grouped by the station that emits them.
const (
	_ Kind = iota

	// reflector
	ListRequested      // N: the object.RV asked for; Listener: the limit, 0 for none
	ListReceived       // N: number of items
	ListFailed         // N: HTTP status code, or 0 where there was none
	WatchRequested     // N: the object.RV asked for; Flags: Streaming
	WatchOpened        //
	WatchFailed        // N: HTTP status code, or 0
	WatchEventReceived // Delta, New: the object; N: the event's number in the feed
	WatchEventSkipped  // Delta, New; N: a SkipReason
	WatchErrorReceived // N: the Status code
	WatchClosed        // N: events received on it
	VeryShortWatch     // closed within a second with no event: an error, so a relist follows
	ResourceVersionSet // lastSyncResourceVersion moved on; N: the object.RV
	BackoffStarted     // N: nanoseconds
	BackoffEnded       //
	ResyncFired        // the timer ran out; N: nanoseconds of the period
	ResyncNotDue       // ShouldResync said false

	// queue
	ReplaceStarted         // N: number of items
	ReplaceEnded           // N: deltas queued by it
	Enqueued               // Delta, Key, New: the key was not in the queue, and is now its tail; N: depth
	DeltaAppended          // Delta, Key, New: the key was queued already, its place is kept; N: length of its Deltas
	DeltasDeduplicated     // Key, Old: the loser, New: the winner of two adjacent Deleted
	DeleteIgnored          // Key, New: nobody knows the key
	SyncSkipped            // Key: resync found deltas queued for the key already, or no object any more
	Popped                 // Key; N: length of the Deltas
	PopWaits               // the queue is empty
	InitialPopulationCount // N: how many of the first list are still to be popped
	HasSynced              // the queue became synced
	Requeued               // Key: AddIfNotPresent put the Deltas back; N: their length
	RequeueSkipped         // Key: something newer for the key was queued meanwhile
	QueueClosed            //

	// indexer
	StoreAdded    // Key, New
	StoreUpdated  // Key, Old, New
	StoreDeleted  // Key, Old; Old is 0 where the key was absent
	StoreReplaced // N: number of items
	IndexAdded    // Listener: the index, N: the value's object.Sym, Key
	IndexRemoved  // Listener: the index, N: the value's object.Sym, Key

	// processor
	Distributed      // Delta (Added, Updated, Deleted), Key, Old, New, Flags: the notification was made
	ListenerSkipped  // Listener: not syncing, so a sync passes it by
	ListenerAddCh    // Listener, Key, Old, New, Delta: taken from addCh by pop; what follows says where to
	ListenerSlot     // Listener: into the one-slot notification
	ListenerPending  // Listener; N: length of pendingNotifications
	ListenerNextCh   // Listener, Key, Old, New, Delta: handed by pop to run through nextCh; N: length of pendingNotifications now
	ListenerSyncing  // Listener; N: 1 syncing, 0 not
	ListenerAdded    // Listener
	ListenerStopped  // Listener; N: notifications thrown away
	HandlerCalled    // Listener, Delta, Key, Old, New, Flags; N: nanoseconds that it will take
	HandlerReturned  // Listener, Delta, Key
	HandlerHasSynced // Listener

	// locks
	LockAcquired // N: the actor.LockID
	LockReleased // N
	LockWaits    // N

	// workqueue and workers
	WorkAdded        // Key; N: depth
	WorkDirty        // Key: in the dirty set already, so nothing changes
	WorkDeferred     // Key: being processed, so only marked dirty
	WorkGot          // Listener: the worker, Key
	WorkGetWaits     // Listener: the worker: the queue is empty
	WorkDone         // Listener, Key
	WorkRequeued     // Key: Done found it dirty; N: depth
	WorkDelayed      // Key; N: nanoseconds until it is ready
	WorkDelayKept    // Key: it waits already, the earlier time stays; N: nanoseconds until then
	WorkReady        // Key: its delay is over
	WorkRateLimited  // Key; N: how often the limiter has seen it
	WorkForgotten    // Key
	WorkShutDown     //
	ReconcileStarted // Listener: the worker, Key, New: what the cache holds, 0 for nothing; N: nanoseconds that it will take
	ReconcileEnded   // Listener, Key
	ReconcileFailed  // Listener, Key

	// informer
	InformerStarted
	InformerStopped
	InformerHasSynced

	// since v0.27 or later, and calls from outside
	ListPageReceived  // N: number of items so far; another page follows
	ListStreamed      // Delta, Key, New: an initial event of a streaming list went to its temporary store; N: objects in there
	WatchListFellBack // the streaming list could not be had: a list follows
	WatchErrorHandled // ListAndWatch returned an error, and WatchErrorHandler was called; N: HTTP status code, or 0
	StoreBookmarked   // the store was told how far it is; N: the object.RV
	ProcessFailed     // the process function returned an error, which nobody looks at; Delta, Key, New: what was lost
	CallRefused       // N: a Refusal
	ObjectMutated     // the mutation detector found a cached object changed: Key, Old: as it was, New: as it reads now

	numKinds
)

// SkipReason says why the reflector passed over a watch event.
type SkipReason int64

const (
	SkipNoMeta       SkipReason = iota + 1 // the object has no metadata
	SkipExpectedType                       // the object is of another kind than the reflector expects
	SkipUnknownType                        // the event's type is none of the five
	SkipTransform                          // the TransformFunc failed
)

// Refusal says which call on an informer was refused, in the class of the
// library's message.
type Refusal int64

const (
	RunTwice          Refusal = iota + 1 // Run: it has started, and runs once
	AddHandlerStopped                    // AddEventHandler: it has stopped already
	AddIndexersLate                      // AddIndexers: it has started (up to v0.29) or stopped already
	IndexerConflict                      // AddIndexers: there is an index of that name
	SetTransformLate                     // SetTransform: it has started already
)
