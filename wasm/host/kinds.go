package host

import "github.com/informerscope/informerscope/engine/event"

// whatN is what a fact's N counts, where it isn't a plain number.
type whatN uint8

const (
	nNumber whatN = iota
	nDuration
	nRV
	nIndexValue
	nReason // a code: the server's own words are looked up
)

// kindInfo is what the page says of a kind of fact.
type kindInfo struct {
	id       string // in the catalogues, after "step."
	fn       string // the client-go function (v0.22) that does it
	n        whatN
	listener bool // Listener is a listener's number
	supports bool // a part of another fact: it leads the sentence only when it stands alone
	why      bool // the catalogues have a "why." for it
}

var kinds = map[event.Kind]kindInfo{
	event.ListRequested:      {id: "listRequested", fn: "Reflector.ListAndWatch", n: nRV, why: true},
	event.ListReceived:       {id: "listReceived", fn: "Reflector.ListAndWatch"},
	event.ListFailed:         {id: "listFailed", fn: "Reflector.ListAndWatch", n: nReason, why: true},
	event.WatchRequested:     {id: "watchRequested", fn: "Reflector.ListAndWatch", n: nRV, why: true},
	event.WatchOpened:        {id: "watchOpened", fn: "Reflector.ListAndWatch"},
	event.WatchFailed:        {id: "watchFailed", fn: "Reflector.ListAndWatch", n: nReason, why: true},
	event.WatchEventReceived: {id: "watchEventReceived", fn: "Reflector.watchHandler"},
	event.WatchEventSkipped:  {id: "watchEventSkipped", fn: "Reflector.watchHandler", n: nReason, why: true},
	event.WatchErrorReceived: {id: "watchErrorReceived", fn: "Reflector.watchHandler", n: nReason, why: true},
	event.WatchClosed:        {id: "watchClosed", fn: "Reflector.watchHandler", why: true},
	event.VeryShortWatch:     {id: "veryShortWatch", fn: "Reflector.watchHandler", why: true},
	event.ResourceVersionSet: {id: "resourceVersionSet", fn: "Reflector.setLastSyncResourceVersion", n: nRV, supports: true},
	event.BackoffStarted:     {id: "backoffStarted", fn: "wait.BackoffUntil", n: nDuration, why: true},
	event.BackoffEnded:       {id: "backoffEnded", fn: "wait.BackoffUntil"},
	event.ResyncFired:        {id: "resyncFired", fn: "sharedProcessor.shouldResync", n: nDuration, why: true},
	event.ResyncNotDue:       {id: "resyncNotDue", fn: "sharedProcessor.shouldResync"},

	event.ReplaceStarted:         {id: "replaceStarted", fn: "DeltaFIFO.Replace", why: true},
	event.ReplaceEnded:           {id: "replaceEnded", fn: "DeltaFIFO.Replace"},
	event.Enqueued:               {id: "enqueued", fn: "DeltaFIFO.queueActionLocked"},
	event.DeltaAppended:          {id: "deltaAppended", fn: "DeltaFIFO.queueActionLocked", why: true},
	event.DeltasDeduplicated:     {id: "deltasDeduplicated", fn: "dedupDeltas", why: true},
	event.DeleteIgnored:          {id: "deleteIgnored", fn: "DeltaFIFO.Delete", why: true},
	event.SyncSkipped:            {id: "syncSkipped", fn: "DeltaFIFO.syncKeyLocked", why: true},
	event.Popped:                 {id: "popped", fn: "DeltaFIFO.Pop", why: true},
	event.PopWaits:               {id: "popWaits", fn: "DeltaFIFO.Pop"},
	event.InitialPopulationCount: {id: "initialPopulationCount", fn: "DeltaFIFO.Pop", supports: true},
	event.HasSynced:              {id: "hasSynced", fn: "DeltaFIFO.HasSynced", supports: true, why: true},
	event.Requeued:               {id: "requeued", fn: "DeltaFIFO.AddIfNotPresent"},
	event.RequeueSkipped:         {id: "requeueSkipped", fn: "DeltaFIFO.AddIfNotPresent"},
	event.QueueClosed:            {id: "queueClosed", fn: "DeltaFIFO.Close"},

	event.StoreAdded:    {id: "storeAdded", fn: "threadSafeMap.Add"},
	event.StoreUpdated:  {id: "storeUpdated", fn: "threadSafeMap.Update"},
	event.StoreDeleted:  {id: "storeDeleted", fn: "threadSafeMap.Delete"},
	event.StoreReplaced: {id: "storeReplaced", fn: "threadSafeMap.Replace"},
	event.IndexAdded:    {id: "indexAdded", fn: "threadSafeMap.updateIndices", n: nIndexValue, supports: true},
	event.IndexRemoved:  {id: "indexRemoved", fn: "threadSafeMap.updateIndices", n: nIndexValue, supports: true},

	event.Distributed:      {id: "distributed", fn: "sharedProcessor.distribute", supports: true},
	event.ListenerSkipped:  {id: "listenerSkipped", fn: "sharedProcessor.distribute", listener: true, why: true},
	event.ListenerAddCh:    {id: "listenerAddCh", fn: "processorListener.add", listener: true, supports: true},
	event.ListenerSlot:     {id: "listenerSlot", fn: "processorListener.pop", listener: true},
	event.ListenerPending:  {id: "listenerPending", fn: "processorListener.pop", listener: true, why: true},
	event.ListenerNextCh:   {id: "listenerNextCh", fn: "processorListener.pop", listener: true},
	event.ListenerSyncing:  {id: "listenerSyncing", fn: "sharedProcessor.shouldResync", listener: true, supports: true},
	event.ListenerAdded:    {id: "listenerAdded", fn: "sharedIndexInformer.AddEventHandler", listener: true, why: true},
	event.ListenerStopped:  {id: "listenerStopped", fn: "sharedProcessor.run", listener: true},
	event.HandlerCalled:    {id: "handlerCalled", fn: "processorListener.run", n: nDuration, listener: true},
	event.HandlerReturned:  {id: "handlerReturned", fn: "processorListener.run", listener: true},
	event.HandlerHasSynced: {id: "handlerHasSynced", fn: "processorListener.run", listener: true, supports: true},

	event.LockAcquired: {id: "lockAcquired", fn: "sync.RWMutex.Lock", supports: true},
	event.LockReleased: {id: "lockReleased", fn: "sync.RWMutex.Unlock", supports: true},
	event.LockWaits:    {id: "lockWaits", fn: "sync.RWMutex.Lock", why: true},

	event.WorkAdded:        {id: "workAdded", fn: "workqueue.Type.Add", supports: true},
	event.WorkDirty:        {id: "workDirty", fn: "workqueue.Type.Add", supports: true, why: true},
	event.WorkDeferred:     {id: "workDeferred", fn: "workqueue.Type.Add", supports: true, why: true},
	event.WorkGot:          {id: "workGot", fn: "workqueue.Type.Get"},
	event.WorkGetWaits:     {id: "workGetWaits", fn: "workqueue.Type.Get"},
	event.WorkDone:         {id: "workDone", fn: "workqueue.Type.Done"},
	event.WorkRequeued:     {id: "workRequeued", fn: "workqueue.Type.Done", supports: true, why: true},
	event.WorkDelayed:      {id: "workDelayed", fn: "workqueue.delayingType.AddAfter", n: nDuration},
	event.WorkDelayKept:    {id: "workDelayKept", fn: "workqueue.delayingType.AddAfter", n: nDuration},
	event.WorkReady:        {id: "workReady", fn: "workqueue.delayingType.waitingLoop"},
	event.WorkRateLimited:  {id: "workRateLimited", fn: "workqueue.rateLimitingType.AddRateLimited"},
	event.WorkForgotten:    {id: "workForgotten", fn: "workqueue.rateLimitingType.Forget", supports: true},
	event.WorkShutDown:     {id: "workShutDown", fn: "workqueue.Type.ShutDown"},
	event.ReconcileStarted: {id: "reconcileStarted", fn: "Reconcile", n: nDuration, why: true},
	event.ReconcileEnded:   {id: "reconcileEnded", fn: "Reconcile"},
	event.ReconcileFailed:  {id: "reconcileFailed", fn: "Reconcile"},

	event.InformerStarted:   {id: "informerStarted", fn: "sharedIndexInformer.Run"},
	event.InformerStopped:   {id: "informerStopped", fn: "sharedIndexInformer.Run"},
	event.InformerHasSynced: {id: "informerHasSynced", fn: "sharedIndexInformer.HasSynced", supports: true},
}
