package picture

import (
	"strings"

	"github.com/informerscope/informerscope/engine/event"
)

// kindInfo is what the page says of a kind of fact.
type kindInfo struct {
	fn       string // the function of client-go v0.22 that does it
	supports bool   // it is a part of another fact, and leads the sentence only if it is alone
	why      bool   // the catalogues say under "why." why it matters
	alone    bool   // that holds, too, for a station that is called by hand
	byHand   bool   // the catalogues have another sentence for a call by hand
}

var kinds = map[event.Kind]kindInfo{
	event.ListRequested:      {fn: "Reflector.ListAndWatch", why: true},
	event.ListReceived:       {fn: "Reflector.ListAndWatch"},
	event.ListFailed:         {fn: "Reflector.ListAndWatch", why: true},
	event.WatchRequested:     {fn: "Reflector.ListAndWatch", why: true},
	event.WatchOpened:        {fn: "Reflector.ListAndWatch"},
	event.WatchFailed:        {fn: "Reflector.ListAndWatch", why: true},
	event.WatchEventReceived: {fn: "Reflector.watchHandler"},
	event.WatchEventSkipped:  {fn: "Reflector.watchHandler", why: true},
	event.WatchErrorReceived: {fn: "Reflector.watchHandler", why: true},
	event.WatchClosed:        {fn: "Reflector.watchHandler", why: true},
	event.VeryShortWatch:     {fn: "Reflector.watchHandler", why: true},
	event.ResourceVersionSet: {fn: "Reflector.setLastSyncResourceVersion", supports: true},
	event.BackoffStarted:     {fn: "wait.BackoffUntil", why: true},
	event.BackoffEnded:       {fn: "wait.BackoffUntil"},
	event.ResyncFired:        {fn: "sharedProcessor.shouldResync", why: true},
	event.ResyncNotDue:       {fn: "sharedProcessor.shouldResync"},

	event.ListPageReceived:  {fn: "pager.ListPager.List"},
	event.ListStreamed:      {fn: "Reflector.watchList", why: true},
	event.WatchListFellBack: {fn: "Reflector.watchList", why: true},
	event.WatchErrorHandled: {fn: "DefaultWatchErrorHandler", supports: true},

	event.RequestFailed:  {fn: "rest.Request", why: true},
	event.RequestWaits:   {fn: "rest.Request", supports: true},
	event.RequestRetried: {fn: "rest.Request"},
	event.RequestGaveUp:  {fn: "rest.Request", supports: true, why: true},

	event.ReplaceStarted:         {fn: "DeltaFIFO.Replace", why: true},
	event.ReplaceEnded:           {fn: "DeltaFIFO.Replace"},
	event.Enqueued:               {fn: "DeltaFIFO.queueActionLocked"},
	event.DeltaAppended:          {fn: "DeltaFIFO.queueActionLocked", why: true, alone: true},
	event.DeltasDeduplicated:     {fn: "dedupDeltas", why: true, alone: true},
	event.DeleteIgnored:          {fn: "DeltaFIFO.Delete", why: true, alone: true},
	event.SyncSkipped:            {fn: "DeltaFIFO.syncKeyLocked", why: true, alone: true},
	event.Popped:                 {fn: "DeltaFIFO.Pop", why: true, byHand: true},
	event.PopWaits:               {fn: "DeltaFIFO.Pop", byHand: true},
	event.InitialPopulationCount: {fn: "DeltaFIFO.Pop", supports: true},
	event.HasSynced:              {fn: "DeltaFIFO.HasSynced", supports: true, why: true},
	event.Requeued:               {fn: "DeltaFIFO.AddIfNotPresent"},
	event.RequeueSkipped:         {fn: "DeltaFIFO.AddIfNotPresent"},
	event.QueueClosed:            {fn: "DeltaFIFO.Close"},

	event.StoreAdded:    {fn: "threadSafeMap.Add"},
	event.StoreUpdated:  {fn: "threadSafeMap.Update"},
	event.StoreDeleted:  {fn: "threadSafeMap.Delete"},
	event.StoreReplaced: {fn: "threadSafeMap.Replace"},
	event.IndexAdded:    {fn: "threadSafeMap.updateIndices", supports: true},
	event.IndexRemoved:  {fn: "threadSafeMap.updateIndices", supports: true},

	event.StoreBookmarked: {fn: "cache.Bookmark", why: true},
	event.ProcessFailed:   {fn: "processDeltas", why: true},

	event.Distributed:      {fn: "sharedProcessor.distribute", supports: true},
	event.ListenerSkipped:  {fn: "sharedProcessor.distribute", why: true},
	event.ListenerAddCh:    {fn: "processorListener.add", supports: true},
	event.ListenerSlot:     {fn: "processorListener.pop"},
	event.ListenerPending:  {fn: "processorListener.pop", why: true},
	event.ListenerNextCh:   {fn: "processorListener.pop"},
	event.ListenerSyncing:  {fn: "sharedProcessor.shouldResync", supports: true},
	event.ListenerAdded:    {fn: "sharedIndexInformer.AddEventHandler", why: true},
	event.ListenerStopped:  {fn: "sharedProcessor.run"},
	event.HandlerCalled:    {fn: "processorListener.run"},
	event.HandlerReturned:  {fn: "processorListener.run"},
	event.HandlerHasSynced: {fn: "processorListener.run", supports: true},

	event.LockAcquired: {fn: "sync.RWMutex.Lock", supports: true},
	event.LockReleased: {fn: "sync.RWMutex.Unlock", supports: true},
	event.LockWaits:    {fn: "sync.RWMutex.Lock", why: true},

	event.WorkAdded:        {fn: "workqueue.Type.Add", supports: true},
	event.WorkDirty:        {fn: "workqueue.Type.Add", supports: true, why: true, alone: true},
	event.WorkDeferred:     {fn: "workqueue.Type.Add", supports: true, why: true, alone: true},
	event.WorkGot:          {fn: "workqueue.Type.Get", byHand: true},
	event.WorkGetWaits:     {fn: "workqueue.Type.Get", byHand: true},
	event.WorkDone:         {fn: "workqueue.Type.Done", byHand: true},
	event.WorkRequeued:     {fn: "workqueue.Type.Done", supports: true, why: true, alone: true},
	event.WorkDelayed:      {fn: "workqueue.delayingType.AddAfter"},
	event.WorkDelayKept:    {fn: "workqueue.delayingType.AddAfter"},
	event.WorkReady:        {fn: "workqueue.delayingType.waitingLoop"},
	event.WorkRateLimited:  {fn: "workqueue.rateLimitingType.AddRateLimited"},
	event.WorkForgotten:    {fn: "workqueue.rateLimitingType.Forget", supports: true},
	event.WorkShutDown:     {fn: "workqueue.Type.ShutDown"},
	event.ReconcileStarted: {fn: "Reconcile", why: true},
	event.ReconcileEnded:   {fn: "Reconcile"},
	event.ReconcileFailed:  {fn: "Reconcile"},

	event.CallRefused:       {fn: "sharedIndexInformer"},
	event.ObjectMutated:     {fn: "defaultCacheMutationDetector.CompareObjects", why: true},
	event.InformerStarted:   {fn: "sharedIndexInformer.Run"},
	event.InformerStopped:   {fn: "sharedIndexInformer.Run"},
	event.InformerHasSynced: {fn: "sharedIndexInformer.HasSynced", supports: true},

	// What is done from outside of the machine has a function only where it is a
	// call.
	event.ObjectWritten:    {supports: true},
	event.ServerGoesOn:     {supports: true, why: true, alone: true},
	event.ServerCompacted:  {},
	event.ServerRestarted:  {},
	event.ServerRestored:   {},
	event.ServerLags:       {},
	event.RequestsFail:     {},
	event.WatchCut:         {},
	event.WatchSilenced:    {},
	event.StopRequested:    {},
	event.HandlerRequested: {fn: "sharedIndexInformer.AddEventHandler"},
	event.RemovalRequested: {fn: "sharedIndexInformer.RemoveEventHandler"},
	event.HandlerPaced:     {},
	event.RunRequested:     {fn: "sharedIndexInformer.Run"},
	event.CacheMutated:     {},
	event.TimePasses:       {},
	event.TimePassed:       {},
	event.StepsTakeNoTime:  {},
}

// id is the kind's name in the catalogues, after "step." or "why.".
func id(k event.Kind) string {
	name := k.String()
	return strings.ToLower(name[:1]) + name[1:]
}
