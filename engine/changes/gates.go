package changes

import "github.com/informerscope/informerscope/engine/world"

// Gates are all differences, in the order in which they came.
var Gates = []Gate{
	{
		Name: "runs-once", Refs: "kubernetes/kubernetes#104853", Shows: Requests,
		Says: "An informer runs once. Another call of Run only logs a warning; v0.22 began a second list and watch beside the first.",
		Do:   "Call Run once. To start again after a stop, make a new informer.",
		Script: `informer pods
run
start again
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.RunsOnce} },
	},
	{
		Name: "keeps-index", Refs: "kubernetes/kubernetes#105234", Shows: Lister,
		Says: "The store leaves an index alone if an object has the same single value in it before and after an update. A cached object that was changed in place thus stays filed under its old value.",
		Do:   "Never change an object that came from the cache. Change a copy.",
		Script: `informer pods index=app
exists pod default/a app=web
run
mutate default/a app=db
update pod default/a app=db
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Indexer.KeepUnchanged} },
	},
	{
		Name: "gone-by-code", Shows: Errors,
		Says: "apierrors.IsGone is true for a watch that was refused with code 410, also if the answer gives no reason. So DefaultWatchErrorHandler takes it for an expired version; v0.22 logged an error.",
		Do:   "Nothing.",
		Script: `informer pods
exists pod default/a
run
advance 2s
fail requests gone
break watch
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Request.GoneByCode} },
	},
	{
		Name: "finds-kept", Refs: "kubernetes/kubernetes#109137", Shows: Lister, needs: "keeps-index",
		Says:  "From v0.23.0 to v0.23.5, an object that had one value in an index and got others beside it was no longer found by the first. Since v0.23.6 it is.",
		Do:    "Don't use v0.23.0 to v0.23.5 with an index function that returns several values.",
		Why:   "Each index of a script has at most one value for an object.",
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Indexer.LosesKept} },
	},
	{
		Name: "sync-by-version", Refs: "kubernetes/client-go#1312", Shows: Calls,
		Says: "An update whose resourceVersion is the one that is cached counts as a resync, wherever it comes from, and goes only to handlers that resync. Up to v0.23 this held for lists and resyncs alone.",
		Do:   "Keep metadata.resourceVersion in a transform. Without it, all updates look like resyncs.",
		Script: `informer pods resync=5s
handler h resync=1h
exists pod default/a
run
advance 6s
duplicate event
update pod default/a
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.SyncByRV} },
	},
	{
		Name: "deletes-queued", Refs: "kubernetes/kubernetes#115620", Shows: Calls,
		Says: "A relist also deletes an object that only the queue knew. Before, its handlers heard of the object after it had gone, and heard of no deletion.",
		Do:   "Update: nothing in your code can avoid this.",
		Script: `informer pods
handler h
run
advance 2s
create pod default/a
step 3 reflector
restart server down=1s
delete pod default/a
step 15 reflector
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Queue.DeletesQueued} },
	},
	{
		Name: "transforms-early", Refs: "kubernetes/kubernetes#116623", Shows: Errors,
		Says: "A transform sees an object before it is queued. Before, it saw the object when the process loop had taken it from the queue.",
		Do:   "Let the transform accept a DeletedFinalStateUnknown, and objects that it has seen already.",
		Script: `informer pods untransformable=odd=yes
run
create pod default/a odd=yes
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.TransformsLate} },
	},
	{
		Name: "wraps-errors", Shows: Errors,
		Says: "WatchErrorHandler can tell the reason of a failed list from its error. Up to v0.24 only the text was left, so that an expired list was logged as an error.",
		Do:   "Ask apierrors.IsResourceExpired and the like in your WatchErrorHandler. Don't compare texts.",
		Script: `informer pods
fail requests expired n=2
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.WrapsErrors} },
	},
	{
		Name: "registrations", Refs: "kubernetes/kubernetes#111122", Shows: Errors,
		Says: "AddEventHandler returns a registration, by which the handler can be removed, and an error. After the stop it refuses a handler; up to v0.25 it dropped the handler, and the caller learned nothing.",
		Do:   "Check the error of AddEventHandler.",
		Script: `informer pods
run
stop
run
handler late
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Registrations} },
	},
	{
		Name: "keeps-lease", Shows: Elections,
		Says: "A process that gives its Lease back when it ends, by ReleaseOnCancel, does so even if it could not read the Lease last time. Up to v0.25 a read that failed had cost it the version that it writes to, so it gave nothing back.",
		Do:   "Nothing.",
		Script: `informer pods
replicas 2 lease=6s renew=4500ms retry=1s release
run
cut replica
advance 1100ms
join replica
stop replica
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.KeepsLease} },
	},
	{
		Name: "initial-list", Refs: "kubernetes/kubernetes#113985", Shows: Synced,
		Says: "A handler's registration has a HasSynced of its own, and OnAdd says whether the object is part of the initial list. Up to v0.26 nobody could tell when a handler had heard of all objects.",
		Do:   "Wait for the registration's HasSynced, and not the informer's, before you rely on what a handler has gathered.",
		Script: `informer pods
handler h
exists pod default/a
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.InitialList} },
	},
	{
		Name: "stop-ends-backoff", Refs: "kubernetes/kubernetes#116435", Shows: Stop,
		Says: "A stop ends the back-off before the next watch. Up to v0.26 Run returned only when the back-off was over, up to a minute later.",
		Do:   "Nothing.",
		Script: `informer pods
run
advance 2s
fail requests refused n=all
break watch
advance 100ms
stop
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StopEndsBackoff} },
	},
	{
		Name: "lease-tells", Shows: Elections,
		Says: "A lease lasts as many seconds as the Lease says. Up to v0.26 each process took the LeaseDuration that it had itself.",
		Do:   "Set LeaseDuration to whole seconds, and RenewDeadline to less: a fraction of a second is not written to the Lease, so the others don't know of it.",
		Script: `informer pods
replicas 2 lease=3900ms renew=2s retry=500ms
run
pause replica 4s
advance 6s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.LeaseTells} },
	},
	{
		Name: "one-backoff", Refs: "kubernetes/kubernetes#118132", Shows: Requests,
		Says: "Lists and watches share one back-off, so that the waits grow from a failed watch to a failed list. Up to v0.27 each had its own, and a busy server was asked more often.",
		Do:   "Expect up to a minute until a reflector has recovered from a row of failures.",
		Script: `informer pods
fail requests toomany n=2
run until ListReceived
fail requests toomany
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.OneBackoff} },
	},
	{
		Name: "falls-back", Refs: "kubernetes/kubernetes#120984", Shows: Requests,
		Says: "With WatchListClient on, a streaming list that fails is followed by an ordinary list, whatever the error was. Up to v0.28 that was so only if the server called the request invalid.",
		Do:   "Leave WatchListClient off before v0.29.",
		Script: `gate WatchListClient on
informer pods
fail requests internal
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.FallsBack} },
	},
	{
		Name: "late-indexers", Refs: "kubernetes/kubernetes#117046", Shows: Errors,
		Says: "AddIndexers works while the informer runs, and files what the cache holds. Up to v0.29 it returned an error once the informer had started.",
		Do:   "Add indices before the start if older versions must work, too.",
		Script: `informer pods
run
add index app
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.LateIndexers, &p.Indexer.IndexLate} },
	},
	{
		Name: "renews-fast", Shows: Elections,
		Says: "A leader renews its Lease with one request, a write. Up to v0.29 it read the Lease before each renewal.",
		Do:   "Nothing.",
		Script: `informer pods
replicas 2
run
advance 3s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.RenewsFast} },
	},
	{
		Name: "resync-as-cached", Refs: "kubernetes/kubernetes#124344", Shows: Calls,
		Says: "A resync hands out cached objects as they are. Up to v0.30 it gave each of them to the transform once more, while others were reading it.",
		Do:   "Write a transform so that it changes nothing the second time.",
		Script: `informer pods resync=10s untransformable=odd=yes
handler h
exists pod default/a
run
mutate default/a odd=yes
advance 11s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Queue.TransformsSync} },
	},
	{
		Name: "tombstones-as-cached", Refs: "kubernetes/kubernetes#124344", Shows: Calls,
		Says: "A relist queues the tombstone of an object that has gone without giving it to the transform. Up to v0.30 the transform saw it, and one that returned an error for it made each list fail: the object stayed in the cache, and no watch was opened.",
		Do:   "Let the transform return what isn't of its type as it is.",
		Script: `informer pods untransformable=tombstones
handler h
exists pod default/a
run
restart server down=1s
delete pod default/a
advance 5s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Queue.TransformsTombstones} },
	},
	{
		Name: "ends-release", Shows: Elections,
		Says:  "A process that gives its Lease back waits for the answer no longer than RenewDeadline. Up to v0.30 it waited until its client gave the request up.",
		Do:    "Before v0.31, give the client of the lock a timeout.",
		Why:   "In a script the server answers each request about the Lease within a millisecond.",
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.EndsRelease} },
	},
	{
		Name: "retries-lost", Refs: "kubernetes/kubernetes#126954", Shows: Requests,
		Says:  "A list whose HTTP/2 connection is lost is sent again by the request layer, a second later. Up to v0.31 the reflector heard of the failure and backed off.",
		Do:    "Nothing.",
		Why:   "No script loses the connection of a list. A recording can.",
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Request.RetriesLost} },
	},
	{
		Name: "reads-status", Shows: Requests,
		Says:  "The reflector reads the Status with which a server refuses a watch. Up to v0.31 it had only the code of the answer.",
		Do:    "Nothing.",
		Why:   "The failures of a script say with their code what they say with their Status.",
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Request.ReadsStatus} },
	},
	{
		Name: "keeps-ticks", Shows: Elections,
		Says: "A leader that can't renew its Lease tries again whenever another RetryPeriod has passed since it began to. Up to v0.31 the time counted from the end of the first attempt, and an attempt that took longer than RetryPeriod put off the next one.",
		Do:   "Nothing.",
		Script: `informer pods
replicas 2 lease=6s renew=4003ms retry=1s
run
cut replica
advance 6s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.KeepsTicks} },
	},
	{
		Name: "in-order", Refs: "kubernetes/kubernetes#129568", Shows: Calls,
		Says: "The queue is a RealFIFO: events of all objects reach handlers in the order in which they came, and two deletions stay two. A DeltaFIFO, up to v0.32, handed out all events of one object together. In a relist, deletions come first.",
		Do:   "Don't rely on hearing all about one object before the next one.",
		Script: `informer pods
handler h
exists pod default/a
exists pod default/b
run
update pod default/b
update pod default/a
update pod default/b
step 9 reflector
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.InOrder} },
	},
	{
		Name: "stops-at-once", Refs: "kubernetes/kubernetes#132005", Shows: Calls,
		Says: "After the stop, the process loop leaves in the queue what is there. Up to v0.33 it still processed all of that.",
		Do:   "Don't count on handlers hearing the last events before a stop.",
		Script: `informer pods
handler h
exists pod default/a
run
update pod default/a
step 3 reflector
stop
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.StopsAtOnce} },
	},
	{
		Name: "stop-ends-requests", Refs: "kubernetes/kubernetes#129341", Shows: Stop,
		Says: "A stop cancels a watch request that has not been answered. Up to v0.32 Run waited for the answer.",
		Do:   "Give a ListWatch of your own ListWithContextFunc and WatchFuncWithContext.",
		Script: `informer pods
run
advance 2s
fail requests toomany after=5s
break watch
advance 100ms
stop
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StopEndsRequests} },
	},
	{
		Name: "stream-transforms", Refs: "kubernetes/kubernetes#131799", Shows: Errors,
		Says: "With WatchListClient on, a streaming list gives each object to the transform when it arrives, and once more when it is queued. Up to v0.33 it gave all of them to the transform at its end, so one that could not be transformed stopped the whole list.",
		Do:   "Write a transform so that it changes nothing the second time.",
		Script: `gate WatchListClient on
informer pods untransformable=odd=yes
exists pod default/a odd=yes
advance 500ms
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StreamTransforms} },
	},
	{
		Name: "release-reads", Shows: Elections,
		Says: "A process that gives its Lease back reads it before. Up to v0.33 it wrote to the version that it had seen last. The write was refused if a renewal had reached the server whose answer had not come yet, and the others waited until the lease had run out.",
		Do:   "Nothing.",
		Script: `informer pods
replicas 2 lease=6s renew=4500ms retry=1s release
run until fact("LeadershipGained")
run until fact("LeaseWritten")
stop replica
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.ReleaseReads} },
	},
	{
		Name: "batches", Refs: "kubernetes/kubernetes#132240", Shows: Lister,
		Says: "The process loop takes up to a thousand events at a time and stores them all before any handler hears of the first. Up to v0.34 the cache was one event ahead.",
		Do:   "In a handler, use the objects that it was given. What the cache holds may be newer.",
		Script: `informer pods
handler h
exists pod default/a
exists pod default/b
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Batch} },
	},
	{
		Name: "streaming-list", Refs: "kubernetes/kubernetes#134180", Shows: Requests,
		Says: "WatchListClient is on: the first request is a watch that begins with all objects. Up to v0.34 a list came first.",
		Do:   "Allow the verb watch in RBAC. A fake client or a proxy must send the bookmark that ends the initial events, or refuse the request.",
		Script: `informer pods
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StreamingList} },
	},
	{
		Name: "atomic", Refs: "kubernetes/kubernetes#135462 kubernetes/kubernetes#136008", Shows: Calls,
		Says: "A relist is one event in the queue, and so is a resync. The cache becomes the new list as a whole before any handler hears of it. The store knows its resourceVersion.",
		Do:   "In a handler, don't take the cache for the state before the relist.",
		Script: `informer pods resync=5s
handler h
exists pod default/a
run
update pod default/a
step 3 reflector
step 2 resync
run
`,
		flags: func(p *world.Profile) []*bool {
			return []*bool{&p.RealFIFO.Atomic, &p.RealFIFO.EmitBookmark, &p.Indexer.TrackRV}
		},
	},
	{
		Name: "unlocks", Refs: "kubernetes/kubernetes#136264", Shows: Locks, needs: "atomic",
		Says: "The queue isn't locked while its events are processed, as long as fewer than 2000 others wait, so the reflector goes on receiving. Up to v0.35 it waited, and a slow store could cost it the watch.",
		Do:   "Expect a longer queue, and fewer broken watches, under load.",
		Script: `informer pods
exists pod default/a
run
update pod default/a
step 2 reflector
step loop
update pod default/a
step 3 reflector
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.RealFIFO.Unlock} },
	},
	{
		Name: "backoff-restarts", Refs: "kubernetes/kubernetes#136824", Shows: Requests,
		Says: "The back-off begins anew two minutes after it last began. Up to v0.35 it did so only after two minutes without any failure.",
		Do:   "Nothing.",
		Script: `informer pods
fail requests internal n=all
advance 200s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.BackoffSinceReset} },
	},
	{
		Name: "version-after-added", Refs: "kubernetes/kubernetes#136583", Shows: Requests,
		Says: "While a watch from the beginning still sends the objects that exist, their versions don't count as reached. Up to v0.35 a watch that broke there went on from such a version.",
		Do:   "Nothing.",
		Script: `gate WatchListClient off
informer pods
run
create pod default/a
run
advance 2s
break watch
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Reflector.RVAfterAdded} },
	},
	{
		Name: "latched-sync", Refs: "kubernetes/kubernetes#135315", Shows: Synced,
		Says: "HasSynced is a channel that is closed once. It never waits for the queue's lock, and WaitFor needs no polling. The registration of a handler that was removed before never becomes synced; up to v0.35 it went on asking the informer. Where a program switches InOrderInformers off, it is closed when the last object of the first list is popped, before the cache has that object.",
		Do:   "Wait with HasSyncedChecker and WaitFor, and for no handler that you remove.",
		Script: `informer pods
handler h
exists pod default/a
run until ListReceived
remove handler h
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.LatchedSync} },
	},
	{
		Name: "awaits-listeners", Refs: "kubernetes/kubernetes#136509", Shows: Calls,
		Says: "The process loop gives listenersLock back while the goroutines of the listeners have not been started. Up to v0.35 it kept the lock, and a resync that came before they were started made a deadlock.",
		Do:   "Nothing.",
		Script: `gate WatchListClient off
informer pods resync=50ms processor
handler h
exists pod default/a
step 1 user
step 6 reflector
step 3 loop
step 1 resync
step 1 processor
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.AwaitsListeners} },
	},
	{
		Name: "lists-stopped", Shows: Requests,
		Says: "A Run whose stop channel is closed already still asks for one list.",
		Do:   "Don't call Run after the stop.",
		Script: `gate WatchListClient off
informer pods
stop
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.ListsStopped} },
	},
	{
		Name: "releases-again", Shows: Elections,
		Says: "A process whose release of the Lease is a conflict reads the Lease and tries again. Up to v0.36 it gave up. It doesn't look at who holds the Lease by then, so it may give back that of a new leader.",
		Do:   "Let all workers end before the context of the election does.",
		Script: `informer pods
replicas 2 lease=6s renew=4500ms retry=1s release
run
cut replica
run until fact("Unreached")
advance 4400ms
join replica
advance 100500us
pause replica 3s
advance 4s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.ReleasesAgain} },
	},
	{
		Name: "repeated-keys", Shows: Lister, needs: "batches",
		Says: "A batch may hold several events of one object. Handlers hear of each of them, with the one before it as the old object. The cache gets the last one alone, so an object that was created and deleted within a batch is never in it, and index functions don't see what came in between. An event whose object has no key is left out, and the batch goes on behind it. Up to v0.37 a batch ended before an object that came again.",
		Do:   "In a handler, use the objects that it was given. Don't expect to find in the cache what OnAdd has told of.",
		Script: `informer pods
handler h
exists pod default/a
run
create pod default/b
update pod default/b
delete pod default/b
step 9 reflector
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.RealFIFO.Repeats} },
	},
	{
		Name: "sharded", Refs: "kubernetes/enhancements#5866", Shows: Calls,
		Says: "An informer can be given a shard selector by SetShardSelector. It then lists and watches the objects alone whose UID, or whose namespace, has a hash in a range. Servers from v1.38 on leave the others out. With an older server the informer gets all of them, and throws the others away. Up to v0.37 each process of a controller holds every object.",
		Do:   "With v0.38 and a server of v1.38, give each process its own shard. Don't shard by namespace where names differ at their end alone: such names are all in one shard.",
		Script: `informer pods shard=0/2
handler h
run
create pod default/a
create pod default/b
create pod default/c
create pod default/d
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Sharded} },
	},
	{
		Name: "pausable", Refs: "kubernetes/enhancements#6361", Shows: Reconciles,
		Says: "A workqueue can be paused and resumed: workqueue.Pausable. While it is paused, Get waits, and workers go on with the keys that they have. Keys are still added. If the workqueue shuts down before it is resumed, those that are queued are never handed out. Up to v0.37 a workqueue has no Pause.",
		Do:   "Ask by a type assertion to workqueue.Pausable whether a queue can be paused. A wrapper around a queue hides it, and the priority queue of controller-runtime has none. Resume before you shut down if what is queued is to be done.",
		Script: `informer pods work=10ms
handler h workqueue
run
pause workqueue
create pod default/a
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Pausable} },
	},
	{
		Name: "keeps-same-index", Shows: Lister, needs: "keeps-index",
		Says:  "The store leaves an index alone if an object has the same values in it before and after an update, however many. A cached object that was changed in place thus stays filed under its old values. From v0.23 to v0.37 this held for single values only.",
		Do:    "Never change an object that came from the cache. Change a copy.",
		Why:   "Each index of a script has at most one value for an object.",
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Indexer.KeepSame} },
	},
	{
		Name: "late-version-metric", Shows: Metrics,
		Says: "The metric informer_store_resource_version is exported once the store has a resourceVersion. In v0.36 and v0.37 it is there from the beginning, and 0 before the first list.",
		Do:   "Don't take a missing series for an informer that is behind. Alert on informers that have no series for too long.",
		Script: `informer pods
exists pod default/a
run
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.LateRVMetric} },
	},
	{
		Name: "adds-missing", Shows: Lister,
		Says:  "ByIndex of a MutationCache with IncludeAdds returns what you wrote, also if the cache loses the object while it is asked: the index had listed its key, and the store no longer has it. Up to v0.37 the object was missing.",
		Do:    "Up to v0.37: don't take an object for deleted because ByIndex left it out once.",
		Why:   "A controller of a script reads the index and the cache in one step.",
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Mutation.AddsMissing} },
	},
	{
		Name: "release-looks", Shows: Elections, needs: "release-reads",
		Says: "A process that gives its Lease back looks at who holds the Lease that it has read. If another process does, it leaves it alone. From v0.34 to v0.37 it trusted what it had seen last, and could take the Lease from a new leader.",
		Do:   "Up to v0.37: let all workers end before the context of the election does.",
		Script: `informer pods
replicas 2 lease=6s renew=4500ms retry=1s release
run
run until fact("LeaseWritten")
pause replica 9s
advance 11s
`,
		flags: func(p *world.Profile) []*bool { return []*bool{&p.Election.ReleaseLooks} },
	},
}
