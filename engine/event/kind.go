package event

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
	InitialPopulationCount // Left: keys of the first list
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
	ListenerStopped  // Handler, Lost: notifications
	HandlerCalled    // Handler, Delta, Key, Old, New, Flags, Cause, Duration: of the call, negative if it doesn't return by itself
	HandlerReturned  // Handler, Delta, Key
	HandlerHasSynced // Handler
	HandlerPanicked  // Handler, Delta, Key. The process dies of it
	TombstoneIgnored // Handler, Key, Old. A type assertion failed on the DeletedFinalStateUnknown, and the handler has returned

	// locks
	LockAcquired // Lock
	LockReleased // Lock
	LockWaits    // Lock, Flags: Blocked; Holder

	// workqueue and workers
	WorkAdded         // Key, Depth
	WorkDirty         // Key. It is in the dirty set already, so nothing changes
	WorkDeferred      // Key. It is being processed, so it is only marked dirty
	WorkGot           // Worker, Key
	WorkGetWaits      // Worker. The queue is empty
	WorkDone          // Worker, Key
	WorkRequeued      // Key, Depth. Done found it dirty
	WorkDelayed       // Key, Duration: until it is ready
	WorkDelayKept     // Key, Duration: until it is ready. It waits already, and the earlier time stays
	WorkReady         // Key. Its delay is over, or counts no longer
	WorkRateLimited   // Key, Requeues
	WorkForgotten     // Key
	WorkShutDown      //
	WorkBuffered      // Key, Priority: with which it was added. It lies in the addBuffer of a priority queue
	WorkQueued        // Key, Priority. It is in the priority queue, and ready
	WorkRaised        // Key, Priority. Its priority rose. Since controller-runtime v0.23 it is the last of those that have it
	WorkUnlocked      // Worker, Key. Done: other workers may get it from the priority queue again
	WorkKept          // Key, Priority. It is ready already, so nothing changes
	ReconcileStarted  // Worker, Key, New: what the cache holds; Duration: of the reconcile
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
	CreatesSkipped    // Worker, Key, Left: creates of a slow start that failed, or that were not sent because others failed
	WriteAnswered     // Worker, Key, Code. The program has asked for a write, and nothing was written
	Unreached         // Key, of a program's. A request of a replica has not reached the API server
	OutsideChanged    // Worker, Key, Delta: Added or Deleted. A resource outside of the cluster was made or given back
	ExpectationsSet   // Worker, Key, Left: creates, or deletes, that the controller has still to see
	ExpectationsUnmet // Worker, Key, Left. The reconcile makes and deletes no children
	CacheStale        // Worker, Key, RV: written and not yet seen. The reconcile ends before it has read anything
	ReadWaits         // Worker, Key, RV: that the read waits for, 0 if it waits for deletions only
	CachesAwaited     // Left: informers that have not synced. WaitForCacheSync asks again in 100 ms
	CachesSynced      // WaitForCacheSync returns, and the workers start

	// the election of a leader among several processes
	ReplicaStarted   // a process begins, with everything empty
	LeaseWritten     // Delta: Added where the holder is another one, Deleted where it gives the lease back; Revision
	LeaseRefused     // Code. Somebody else has written the Lease
	LeaseHeld        // Duration: until the candidate takes the lease for expired, unless it sees the Lease change
	LeadershipGained // OnStartedLeading is called
	LeadershipLost   // OnStoppedLeading is called, and the process ends

	// informer
	InformerStarted   //
	InformerStopped   //
	InformerHasSynced //

	// since v0.27 or later, and calls from outside
	ListPageReceived  // Items: so far. Another page follows
	ListStreamed      // Delta, Key, New, Items: in the temporary store. An initial event of a streaming list was stored there
	WatchListFellBack // The streaming list failed, and a list follows
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
	RunRequested     // Run was called again
	FactoryStarted   // Started. SharedInformerFactory.Start was called
	IndexRequested   // AddIndexers was called
	KeysRefused      // from now on, the key function of the store refuses tombstones
	ProcessKilled    // the process was killed, or has ended, and the same program starts again
	ReplicaKilled    // Duration, negative for ever: until it starts again. The process of a replica was killed
	ReplicaPaused    // Duration. The process of a replica doesn't move
	ReplicaStopped   // the process of a replica was asked to end
	ReplicaCut       // nothing goes between a replica and the API server any more
	ReplicaJoined    // something does again
	NextDropped      // the next watch event will be lost
	NextDelayed      // Duration. The next watch event will be late, and so will those behind it
	NextDuplicated   // the next watch event will arrive twice
	NextSwapped      // the next watch event will arrive after the one that follows it
	NextSpoilt       // Skip. The next watch event will arrive so that it is skipped
	InitialWithheld  // the next bookmark that ends initial events will be lost
	CacheMutated     // Key, Old, New: as the object reads now. A cached object was changed in place
	TimePasses       // Until
	TimePassed       // Until
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
	SetTransformLate                     // SetTransform: it has started already
)

// String is the kind's name in transcripts.
func (k Kind) String() string {
	if k < numKinds {
		return kinds[k].name
	}
	return ""
}

// Outside reports whether facts of the kind are about the outside world.
func (k Kind) Outside() bool { return k >= ObjectWritten && k < numKinds }
