package says

import (
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
)

// function is the client-go function that does what a sentence tells: its names in the
// order of levels, separated by commas. Where a level has none, the name before it stays.
type function string

// reaches reports whether a version of client-go is at a level, with its feature gates as
// they are set. The levels are the changes of names: v0.22, v0.25, v0.27, v0.28, v0.31,
// a RealFIFO (a gate, v0.33), PopBatch (a gate, v0.35), and v0.36.
func reaches(p *informer.Profile, level int) bool {
	switch level {
	case 1:
		return p.Reflector.WrapsErrors
	case 2:
		return p.InitialList
	case 3:
		return p.Reflector.OneBackoff
	case 4:
		return p.Reflector.OneBackoff && !p.Queue.TransformsSync
	case 5:
		return p.InOrder
	case 6:
		return p.InOrder && p.Batch
	case 7:
		return p.Reflector.BackoffSinceReset
	}
	return true
}

// nameIn returns the function's name in a version.
func (f function) nameIn(p *informer.Profile) string {
	name := ""
	for i, n := range strings.Split(string(f), ",") {
		if n != "" && reaches(p, i) {
			name = n
		}
	}
	return name
}

// atWork are the functions that the program counters stand for. A command and a
// reconcile are nothing that client-go does.
var atWork = [actor.NumPC]function{
	actor.UserRun: fnRun, actor.UserAdd: fnAddHandler, actor.UserInitial: fnAddHandler, actor.UserReleases: fnAddHandler,

	actor.ReflectorList: fnList, actor.ReflectorListed: fnList,
	actor.ReflectorReplace: fnReplace, actor.ReflectorReplaces: fnReplace, actor.ReflectorReplaced: fnReplace,
	actor.ReflectorWatch: fnWatch, actor.ReflectorOpened: fnWatch, actor.ReflectorReceive: fnReceive, actor.ReflectorEnqueue: fnReceive, actor.ReflectorRV: fnReceive,
	actor.ReflectorRewatch: fnWatch, actor.ReflectorBackoff: fnBackoff, actor.RequestRetry: fnRequest,
	actor.ResyncFire: fnDue, actor.ResyncStart: fnResync, actor.ResyncKey: fnResync,

	actor.LoopPop: fnLoop, actor.LoopBlock: fnHandle, actor.LoopStore: fnProcess,
	actor.LoopLock: fnDistribute, actor.LoopDistribute: fnDistribute, actor.LoopRelease: fnPop,
	actor.PopReceive: fnPopNext, actor.PopNext: fnPopNext, actor.RunReceive: fnHandler, actor.RunCall: fnHandler, actor.RunWork: fnWorkAdd, actor.RunReturn: fnHandler,

	actor.DelayingReceive: fnWaiting, actor.DelayingFire: fnWaiting, actor.WorkerStart: fnSync, actor.WorkerElected: fnElect, actor.WorkerGet: fnWorkGet, actor.WorkerDone: fnWorkDone,
	actor.DetectorCompare: fnCompare, actor.ProcessorRun: fnProcessor,

	actor.ElectorStart: "LeaderElector.Run", actor.ElectorWake: fnElect, actor.ElectorTry: fnElect, actor.ElectorAnswer: fnElect,
}

// The functions that several sentences stand for.
const (
	fnRun        function = "sharedIndexInformer.Run"
	fnStart      function = "sharedInformerFactory.Start"
	fnSync       function = "WaitForCacheSync"
	fnElect      function = "LeaderElector.tryAcquireOrRenew"
	fnAddHandler function = "sharedIndexInformer.AddEventHandler"
	fnLoop       function = "controller.processLoop"

	fnList    function = "Reflector.ListAndWatch,Reflector.list"
	fnWatch   function = "Reflector.ListAndWatch,,Reflector.watch"
	fnStream  function = "Reflector.watchList"
	fnReceive function = "Reflector.watchHandler,watchHandler,,,handleAnyWatch"
	fnBackoff function = "wait.BackoffUntil,,,,,,,wait.DelayFunc.Until"
	fnPage    function = "pager.ListPager.List,,,pager.ListPager.ListWithAlloc"
	fnRequest function = "rest.Request.request"

	fnReplace function = "DeltaFIFO.Replace,,,,,RealFIFO.Replace"
	fnQueue   function = "DeltaFIFO.queueActionLocked,,,,,RealFIFO.addToItems_locked"
	fnResync  function = "DeltaFIFO.Resync,,,,,RealFIFO.Resync"
	fnPop     function = "DeltaFIFO.Pop,,,,,RealFIFO.Pop,RealFIFO.PopBatch"
	fnPopOne  function = "DeltaFIFO.Pop,,,,,RealFIFO.Pop"
	fnHandle  function = "sharedIndexInformer.HandleDeltas,,,,,,,sharedIndexInformer.handleDeltas"
	fnProcess function = "sharedIndexInformer.HandleDeltas,processDeltas,,,,,processDeltasInBatch"

	fnDelete function = "threadSafeMap.Delete,,,,,,,threadSafeMap.DeleteWithObject"

	fnProcessor  function = "sharedProcessor.run"
	fnDistribute function = "sharedProcessor.distribute"
	fnDue        function = "sharedProcessor.shouldResync"
	fnAdd        function = "processorListener.add"
	fnPopNext    function = "processorListener.pop"
	fnHandler    function = "processorListener.run"

	fnWorkAdd  function = "workqueue.Type.Add,,,,workqueue.Typed.Add"
	fnWorkGet  function = "workqueue.Type.Get,,,,workqueue.Typed.Get"
	fnWorkDone function = "workqueue.Type.Done,,,,workqueue.Typed.Done"
	fnDelay    function = "workqueue.delayingType.AddAfter"
	fnWaiting  function = "workqueue.delayingType.waitingLoop"
	fnCompare  function = "defaultCacheMutationDetector.CompareObjects"
	fnLimit    function = "workqueue.rateLimitingType.AddRateLimited"
)
