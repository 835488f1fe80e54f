package picture

import (
	"strings"

	"github.com/informerscope/informerscope/engine/informer"
)

// function is the client-go function that does what a sentence tells: its names in the
// order of levels, separated by commas. Where a level has none, the name before it stays.
type function string

// level is how far a version of client-go is along the changes of names: v0.22, v0.25,
// v0.27, v0.28, v0.31, RealFIFO (v0.33), PopBatch (v0.35), and atomic relists (v0.36).
func level(p *informer.Profile) int {
	switch {
	case p.InOrder && p.RealFIFO.Atomic:
		return 7
	case p.InOrder && p.Batch:
		return 6
	case p.InOrder:
		return 5
	case p.Reflector.OneBackoff && !p.Queue.TransformsSync:
		return 4
	case p.Reflector.OneBackoff:
		return 3
	case p.InitialList:
		return 2
	case p.Reflector.WrapsErrors:
		return 1
	}
	return 0
}

// in is the function's name in a version.
func (f function) in(p *informer.Profile) string {
	name := ""
	for i, n := range strings.Split(string(f), ",") {
		if n != "" && i <= level(p) {
			name = n
		}
	}
	return name
}

// The functions that several sentences stand for.
const (
	fnRun        function = "sharedIndexInformer.Run"
	fnStart      function = "sharedInformerFactory.Start"
	fnAddHandler function = "sharedIndexInformer.AddEventHandler"
	fnLoop       function = "controller.processLoop"

	fnList    function = "Reflector.ListAndWatch,Reflector.list"
	fnWatch   function = "Reflector.ListAndWatch,,Reflector.watch"
	fnStream  function = "Reflector.watchList"
	fnReceive function = "Reflector.watchHandler,watchHandler,,,handleAnyWatch"
	fnBackoff function = "wait.BackoffUntil,,,,,,,wait.DelayFunc.Until"
	fnPage    function = "pager.ListPager.List,,,pager.ListPager.ListWithAlloc"
	fnRequest function = "rest.Request"

	fnReplace function = "DeltaFIFO.Replace,,,,,RealFIFO.Replace"
	fnQueue   function = "DeltaFIFO.queueActionLocked,,,,,RealFIFO.addToItems_locked"
	fnResync  function = "DeltaFIFO.Resync,,,,,RealFIFO.Resync"
	fnPop     function = "DeltaFIFO.Pop,,,,,RealFIFO.Pop,RealFIFO.PopBatch"
	fnPopOne  function = "DeltaFIFO.Pop,,,,,RealFIFO.Pop"
	fnHandle  function = "sharedIndexInformer.HandleDeltas,,,,,,,sharedIndexInformer.handleDeltas"

	fnDelete function = "threadSafeMap.Delete,,,,,,,threadSafeMap.DeleteWithObject"

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
	fnLimit    function = "workqueue.rateLimitingType.AddRateLimited"
)
