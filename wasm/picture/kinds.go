package picture

import (
	"strings"

	"github.com/informerscope/informerscope/engine/event"
)

// whatN is what a fact's N counts, where it isn't a plain number.
type whatN uint8

const (
	nNumber whatN = iota
	nDuration
	nRV
	nIndexValue
	nLock
	nReason // a code: the server's own words are looked up
)

// kindInfo is what the page says of a kind of fact.
type kindInfo struct {
	fn       string // the client-go function (v0.22) that does it
	n        whatN
	listener bool // Listener is a listener's number
	supports bool // a part of another fact: it leads the sentence only when it stands alone
	why      bool // the catalogues have a "why." for it
}

var kinds = map[event.Kind]kindInfo{
	event.ListRequested:      {fn: "Reflector.ListAndWatch", n: nRV, why: true},
	event.ListReceived:       {fn: "Reflector.ListAndWatch"},
	event.ListFailed:         {fn: "Reflector.ListAndWatch", n: nReason, why: true},
	event.WatchRequested:     {fn: "Reflector.ListAndWatch", n: nRV, why: true},
	event.WatchOpened:        {fn: "Reflector.ListAndWatch"},
	event.WatchFailed:        {fn: "Reflector.ListAndWatch", n: nReason, why: true},
	event.WatchEventReceived: {fn: "Reflector.watchHandler"},
	event.WatchEventSkipped:  {fn: "Reflector.watchHandler", n: nReason, why: true},
	event.WatchErrorReceived: {fn: "Reflector.watchHandler", n: nReason, why: true},
	event.WatchClosed:        {fn: "Reflector.watchHandler", why: true},
	event.VeryShortWatch:     {fn: "Reflector.watchHandler", why: true},
	event.ResourceVersionSet: {fn: "Reflector.setLastSyncResourceVersion", n: nRV, supports: true},
	event.BackoffStarted:     {fn: "wait.BackoffUntil", n: nDuration, why: true},
	event.BackoffEnded:       {fn: "wait.BackoffUntil"},
	event.ResyncFired:        {fn: "sharedProcessor.shouldResync", n: nDuration, why: true},
	event.ResyncNotDue:       {fn: "sharedProcessor.shouldResync"},

	event.ListPageReceived:  {fn: "pager.ListPager.List"},
	event.ListStreamed:      {fn: "Reflector.watchList", why: true},
	event.WatchListFellBack: {fn: "Reflector.watchList", why: true},
	event.WatchErrorHandled: {fn: "DefaultWatchErrorHandler", n: nReason, supports: true},

	event.ReplaceStarted:         {fn: "DeltaFIFO.Replace", why: true},
	event.ReplaceEnded:           {fn: "DeltaFIFO.Replace"},
	event.Enqueued:               {fn: "DeltaFIFO.queueActionLocked"},
	event.DeltaAppended:          {fn: "DeltaFIFO.queueActionLocked", why: true},
	event.DeltasDeduplicated:     {fn: "dedupDeltas", why: true},
	event.DeleteIgnored:          {fn: "DeltaFIFO.Delete", why: true},
	event.SyncSkipped:            {fn: "DeltaFIFO.syncKeyLocked", why: true},
	event.Popped:                 {fn: "DeltaFIFO.Pop", why: true},
	event.PopWaits:               {fn: "DeltaFIFO.Pop"},
	event.InitialPopulationCount: {fn: "DeltaFIFO.Pop", supports: true},
	event.HasSynced:              {fn: "DeltaFIFO.HasSynced", supports: true, why: true},
	event.Requeued:               {fn: "DeltaFIFO.AddIfNotPresent"},
	event.RequeueSkipped:         {fn: "DeltaFIFO.AddIfNotPresent"},
	event.QueueClosed:            {fn: "DeltaFIFO.Close"},

	event.StoreAdded:    {fn: "threadSafeMap.Add"},
	event.StoreUpdated:  {fn: "threadSafeMap.Update"},
	event.StoreDeleted:  {fn: "threadSafeMap.Delete"},
	event.StoreReplaced: {fn: "threadSafeMap.Replace"},
	event.IndexAdded:    {fn: "threadSafeMap.updateIndices", n: nIndexValue, supports: true},
	event.IndexRemoved:  {fn: "threadSafeMap.updateIndices", n: nIndexValue, supports: true},

	event.StoreBookmarked: {fn: "cache.Bookmark", n: nRV, why: true},
	event.ProcessFailed:   {fn: "processDeltas", why: true},

	event.Distributed:      {fn: "sharedProcessor.distribute", supports: true},
	event.ListenerSkipped:  {fn: "sharedProcessor.distribute", listener: true, why: true},
	event.ListenerAddCh:    {fn: "processorListener.add", listener: true, supports: true},
	event.ListenerSlot:     {fn: "processorListener.pop", listener: true},
	event.ListenerPending:  {fn: "processorListener.pop", listener: true, why: true},
	event.ListenerNextCh:   {fn: "processorListener.pop", listener: true},
	event.ListenerSyncing:  {fn: "sharedProcessor.shouldResync", listener: true, supports: true},
	event.ListenerAdded:    {fn: "sharedIndexInformer.AddEventHandler", listener: true, why: true},
	event.ListenerStopped:  {fn: "sharedProcessor.run", listener: true},
	event.HandlerCalled:    {fn: "processorListener.run", n: nDuration, listener: true},
	event.HandlerReturned:  {fn: "processorListener.run", listener: true},
	event.HandlerHasSynced: {fn: "processorListener.run", listener: true, supports: true},

	event.LockAcquired: {fn: "sync.RWMutex.Lock", n: nLock, supports: true},
	event.LockReleased: {fn: "sync.RWMutex.Unlock", n: nLock, supports: true},
	event.LockWaits:    {fn: "sync.RWMutex.Lock", n: nLock, why: true},

	event.WorkAdded:        {fn: "workqueue.Type.Add", supports: true},
	event.WorkDirty:        {fn: "workqueue.Type.Add", supports: true, why: true},
	event.WorkDeferred:     {fn: "workqueue.Type.Add", supports: true, why: true},
	event.WorkGot:          {fn: "workqueue.Type.Get"},
	event.WorkGetWaits:     {fn: "workqueue.Type.Get"},
	event.WorkDone:         {fn: "workqueue.Type.Done"},
	event.WorkRequeued:     {fn: "workqueue.Type.Done", supports: true, why: true},
	event.WorkDelayed:      {fn: "workqueue.delayingType.AddAfter", n: nDuration},
	event.WorkDelayKept:    {fn: "workqueue.delayingType.AddAfter", n: nDuration},
	event.WorkReady:        {fn: "workqueue.delayingType.waitingLoop"},
	event.WorkRateLimited:  {fn: "workqueue.rateLimitingType.AddRateLimited"},
	event.WorkForgotten:    {fn: "workqueue.rateLimitingType.Forget", supports: true},
	event.WorkShutDown:     {fn: "workqueue.Type.ShutDown"},
	event.ReconcileStarted: {fn: "Reconcile", n: nDuration, why: true},
	event.ReconcileEnded:   {fn: "Reconcile"},
	event.ReconcileFailed:  {fn: "Reconcile"},

	event.CallRefused:       {fn: "sharedIndexInformer", n: nReason},
	event.ObjectMutated:     {fn: "defaultCacheMutationDetector.CompareObjects", why: true},
	event.InformerStarted:   {fn: "sharedIndexInformer.Run"},
	event.InformerStopped:   {fn: "sharedIndexInformer.Run"},
	event.InformerHasSynced: {fn: "sharedIndexInformer.HasSynced", supports: true},
}

// id is what a kind is called in the catalogues, after "step." or "why.".
func id(k event.Kind) string {
	name := k.String()
	return strings.ToLower(name[:1]) + name[1:]
}
