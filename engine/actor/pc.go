package actor

// PC is a program counter: what an actor does in its next micro-step.
type PC uint8

// The program counters by actor. Their String is the page catalogue's id.
const (
	None PC = iota

	UserRun       // sharedIndexInformer.Run
	UserAdd       // AddEventHandler on a running informer: takes blockDeltas
	UserInitial   // one cached object goes to the new listener
	UserReleases  // gives blockDeltas back
	ReflectorList // sends a list request
	ReflectorListed
	ReflectorReplace  // Replace: takes the queue's lock
	ReflectorReplaces // one item of it
	ReflectorReplaced // gives the lock back
	ReflectorWatch    // sends a watch request
	ReflectorOpened
	ReflectorReceive // the next watch event
	ReflectorEnqueue // queue.Add, Update or Delete
	ReflectorRV      // lastSyncResourceVersion moves on
	ReflectorRewatch // a back-off before another watch is over
	ReflectorBackoff // a back-off before another list is over
	ResyncFire       // the timer runs out: ShouldResync
	ResyncStart      // Resync: takes the queue's lock
	ResyncKey        // one known key of it
	LoopPop          // Pop: takes the queue's lock
	LoopBlock        // HandleDeltas: takes blockDeltas
	LoopStore        // writes one delta to the indexer
	LoopLock         // distribute: takes listenersLock
	LoopDistribute   // one notification to one listener
	LoopRelease      // Pop returns: gives the locks back
	PopReceive       // selects: nothing to hand on
	PopNext          // selects: offers its notification to nextCh
	RunReceive       // the next notification from nextCh
	RunCall          // calls the handler
	RunWork          // the handler puts the key on the workqueue
	RunReturn        // the handler returns
	DelayingReceive  // waitingLoop: nothing to wait for
	DelayingFire     // a delayed item is ready
	WorkerGet        // queue.Get
	WorkerReconcile  // reads the object from the cache
	WorkerReconciled // the reconcile ends
	WorkerDone       // Forget or AddRateLimited, then Done
	DetectorCompare  // the mutation detector's timer runs out: CompareObjects
	RequestRetry     // rest.Request sends the reflector's request again
	RecordedAct      // the recorded controller does what it did next
	PriorityAdd      // handleAddBuffer takes in what was added to the priority queue
	PriorityReady    // handleReadyItems hands out keys
	PriorityWaiting  // handleWaitingItems: the delay of keys is over
	WorkerReceive    // the next key from the priority queue
	ProcessorRun     // sharedProcessor.run: starts the listeners' goroutines

	// Those of a controller, whose steps concern several informers.
	RunEnqueue    // the handler puts the key of the object, or of its owner, on a controller's workqueue
	WorkerProgram // the next statement of the reconcile
	WorkerStart   // WaitForCacheSync asks whether the caches have synced
	WorkerElected // the controller has warmed up, and Start is called when the process leads
	CollectorLook // the garbage collector looks for what has lost its owner
	ElectorStart  // a process begins
	ElectorWake   // the elector's timer fires
	ElectorTry    // tryAcquireOrRenew looks at the clock, and sends a request
	ElectorAnswer // the answer to a request about the Lease

	NumPC
)

var pcNames = [NumPC]string{
	"none", "userRun", "userAdd", "userInitial", "userReleases",
	"reflectorList", "reflectorListed", "reflectorReplace", "reflectorReplaces", "reflectorReplaced",
	"reflectorWatch", "reflectorOpened", "reflectorReceive", "reflectorEnqueue", "reflectorRV", "reflectorRewatch", "reflectorBackoff",
	"resyncFire", "resyncStart", "resyncKey",
	"loopPop", "loopBlock", "loopStore", "loopLock", "loopDistribute", "loopRelease",
	"popReceive", "popNext", "runReceive", "runCall", "runWork", "runReturn",
	"delayingReceive", "delayingFire", "workerGet", "workerReconcile", "workerReconciled", "workerDone", "detectorCompare", "requestRetry", "recordedAct",
	"priorityAdd", "priorityReady", "priorityWaiting", "workerReceive", "processorRun",
	"runEnqueue", "workerProgram", "workerStart", "workerElected", "collectorLook",
	"electorStart", "electorWake", "electorTry", "electorAnswer",
}

func (p PC) String() string { return pcNames[p] }

// DefaultCosts are plausible times on a common machine. What matters are their
// proportions: decoding a watch event is far slower than what the queue and the
// cache do with it, so that a burst is limited by the reflector, and a handler
// that does anything at all is slower than the process loop.
var DefaultCosts = Costs{
	UserRun: 1_000, UserAdd: 1_000, UserInitial: 1_000, UserReleases: 500,
	ReflectorList: 50_000, ReflectorListed: 100_000, ReflectorOpened: 10_000, ReflectorReplace: 2_000, ReflectorReplaces: 2_000, ReflectorReplaced: 1_000,
	RequestRetry: 20_000, ReflectorWatch: 20_000, ReflectorReceive: 20_000, ReflectorEnqueue: 2_000, ReflectorRV: 500,
	ResyncFire: 500, ResyncStart: 1_000, ResyncKey: 1_500,
	LoopPop: 2_000, LoopBlock: 500, LoopStore: 3_000, LoopLock: 300, LoopDistribute: 1_000, LoopRelease: 500,
	PopNext: 1_000, RunCall: 500, RunWork: 1_000, RunReturn: 500,
	DelayingFire: 1_000, WorkerGet: 1_000, WorkerReconcile: 2_000, WorkerDone: 1_000,
	PriorityAdd: 1_000, PriorityReady: 1_000, PriorityWaiting: 1_000,
	ProcessorRun: 1_000,
	RunEnqueue:   1_000, WorkerProgram: 2_000, WorkerStart: 1_000,
	ElectorTry: 1_000,
}
