package ask

import (
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/manager"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/processor"
)

// paramKind says what is given to a function at one place.
type paramKind uint8

const (
	expression   paramKind = iota // of type param.typ
	keyName                       // a store key
	handlerName                   // a handler
	informerName                  // an informer
	deltaName                     // a delta type
	eventName                     // a type of watch events
	fnName                        // a handler's function
	lockName                      // a lock
	factName                      // a kind of fact
	reasonName                    // why a relist happens
	metricName                    // a metric of client-go
	durationName                  // a duration as text
	quantile                      // a number between 0 and 1, for a histogram
)

// param is one place between a function's parentheses.
type param struct {
	kind     paramKind
	typ      Type // of an expression
	optional bool // "", or the end, stands for any
}

// noun returns what stands at the place. Its id is the word for it in the form of a function, which
// is the same in every language.
func (a *param) noun() fault.Plain {
	switch a.kind {
	case expression:
		return terms[a.typ]
	case durationName:
		return durationTerm
	case quantile:
		return quantileTerm
	}
	return nouns[a.kind]
}

const (
	aReceiver    = fault.Plain("receiver")
	functionTerm = fault.Plain("function")
	quantileTerm = fault.Plain("quantile")
)

var nouns = [...]fault.Plain{
	keyName: fault.Plain("key"), handlerName: fault.Plain("handler"), informerName: fault.Plain("informer"), deltaName: fault.Plain("delta"),
	eventName: fault.Plain("event"), fnName: functionTerm, lockName: fault.Plain("lock"), factName: fault.Plain("fact"), reasonName: fault.Plain("reason"), metricName: fault.Plain("metric"),
}

func inQuotes(what error) error { return fault.Wrap("quoted what", what) }

func missing(what error) error { return fault.Wrap("missing what", what) }

func (a *param) expected() error {
	if a.kind == expression || a.kind == quantile {
		return a.noun()
	}
	return inQuotes(a.noun())
}

// known returns all names that there are for the place; nil where they depend on the run.
func (a *param) known() []string {
	switch a.kind {
	case deltaName:
		return deltaNames
	case eventName:
		return eventNames
	case fnName:
		return fnNames
	case lockName:
		return lockNames
	case factName:
		return factNames
	case reasonName:
		return reasons
	case metricName:
		return metricNames
	}
	return nil
}

var (
	deltaNames  = []string{"Added", "Updated", "Deleted", "Replaced", "Sync", "Bookmark", "ReplacedAll", "SyncAll"}
	eventNames  = []string{"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"}
	fnNames     = []string{"OnAdd", "OnUpdate", "OnDelete"}
	lockNames   = []string{"fifo", "blockDeltas", "listenersLock"}
	factNames   []string
	metricNames []string
	histograms  []string // the metricNames whose quantile is asked for
	actorNames  = []string{"nobody"}
)

// function is one row of the table: everything about a function of the language.
type function struct {
	name   string
	params []param
	result Type
	group  string
	help   string // a line
	alone  bool   // the function is called on no informer

	// A function with kinds is true in those steps in which match accepts a fact of one
	// of the kinds. Others have eval, which is asked at every step; or, if they take
	// expressions, in steps in which one of them has changed; or, if they have moves, in
	// steps that have a fact of one of these kinds or that no actor makes.
	kinds []event.Kind
	moves []event.Kind
	match func(e *Eval, n *node, x *informer.Informer, f *event.Event) bool
	eval  func(e *Eval, i int, n *node) Value

	perStep     bool // eval is asked at every step
	remembers   bool // the value depends on the steps before
	momentarily func(nodes []node, args []int16) bool

	values []string // of a function whose result is a String: all that there are
}

// The groups of functions, in the order in which help has them.
const (
	groupFacts  = "What a step does; true in that step"
	groupStates = "The state after a step"
	groupPast   = "What earlier steps did"
)

var groups = []string{groupFacts, groupStates, groupPast}

// functions is the table, which init sets, since the functions of its rows look into it. The rows
// are data and no code: a literal within init would weigh three times as much.
var functions []function

// What many functions take.
var (
	anyKey     = []param{{kind: keyName, optional: true}}
	oneKey     = []param{{kind: keyName}}
	anyHandler = []param{{kind: handlerName, optional: true}}
	condition  = []param{{typ: Bool}}
)

// The kinds of the facts that tell of a change of what a function looks at.
var (
	listenerMoves = []event.Kind{event.ListenerAddCh, event.ListenerPending, event.ListenerNextCh, event.HandlerCalled, event.HandlerReturned, event.HandlerPanicked,
		event.ListenerStopped, event.ReplicaStarted, event.LeadershipLost}
	queueMoves = []event.Kind{event.Enqueued, event.DeltaAppended, event.Popped, event.Requeued, event.ReplicaStarted, event.LeadershipLost}
	callMoves  = []event.Kind{event.HandlerCalled}
	cacheMoves = []event.Kind{event.StoreAdded, event.StoreUpdated, event.StoreDeleted, event.StoreReplaced, event.ReplicaStarted, event.LeadershipLost}
)

var rows = [...]function{
	{name: "pop", params: anyKey, kinds: []event.Kind{event.Popped}, match: (*Eval).matchKey,
		help: "the process loop pops the key's Deltas"},
	{name: "delta", params: []param{{kind: deltaName, optional: true}, {kind: keyName, optional: true}}, kinds: []event.Kind{event.Enqueued, event.DeltaAppended, event.DeltasDeduplicated}, match: (*Eval).matchDelta,
		help: "a delta of that type is queued for the key"},
	{name: "call", params: []param{{kind: handlerName, optional: true}, {kind: fnName, optional: true}, {kind: keyName, optional: true}}, kinds: []event.Kind{event.HandlerCalled}, match: (*Eval).matchCall,
		help: "the handler is called with an object of the key"},
	{name: "watchEvent", params: []param{{kind: eventName, optional: true}, {kind: keyName, optional: true}}, kinds: []event.Kind{event.WatchEventReceived, event.WatchErrorReceived}, match: (*Eval).matchEvent,
		help: "the reflector receives such a watch event"},
	{name: "tombstone", params: anyKey, kinds: []event.Kind{event.Enqueued, event.DeltaAppended, event.Distributed}, match: (*Eval).matchTombstone,
		help: "a DeletedFinalStateUnknown is made for the key"},
	{name: "list", kinds: []event.Kind{event.ListReceived}, match: (*Eval).matchAny,
		help: "the reflector receives a list, streaming or not"},
	{name: "relist", params: []param{{kind: reasonName, optional: true}}, kinds: relistKinds, eval: (*Eval).evalRelist, remembers: true,
		help: "the reflector asks for a list again, for that reason"},
	{name: "resync", kinds: []event.Kind{event.ResyncFired}, match: (*Eval).matchAny,
		help: "the resync timer runs out"},
	{name: "reconcile", params: anyKey, kinds: []event.Kind{event.ReconcileStarted}, match: (*Eval).matchKey,
		help: "a worker reads the key's object from the cache, and its reconcile begins"},
	{name: "write", params: anyKey, kinds: []event.Kind{event.ObjectWritten}, match: (*Eval).matchKey,
		help: "a simulated server writes the key's object, for a command or for a worker"},
	{name: "panic", params: anyHandler, kinds: []event.Kind{event.HandlerPanicked, event.ObjectMutated}, match: (*Eval).matchPanic,
		help: "the process dies of a panic: the handler's, or the mutation detector's"},
	{name: "fact", params: []param{{kind: factName}, {kind: keyName, optional: true}, {kind: handlerName, optional: true}}, match: (*Eval).matchFact,
		help: "the step has a fact of that kind, as transcripts name it"},
	{name: "staleReconcile", params: []param{{typ: Duration}}, kinds: []event.Kind{event.ReconcileStarted, event.ObjectWritten, event.WatchEventReceived}, eval: (*Eval).evalStaleReconcile, remembers: true,
		help: "a reconcile begins with an older version than was written within that time before"},

	{name: "synced", params: anyHandler, result: Bool, eval: (*Eval).evalSynced,
		help: "HasSynced of the informer, or of the handler's registration"},
	{name: "behind", params: anyHandler, result: Number, moves: listenerMoves,
		eval: func(e *Eval, _ int, n *node) Value { return e.maxOfListeners(n, (*processor.Listener).Backlog) },
		help: "notifications on their way to the handler, or to the one that is furthest behind"},
	{name: "pending", params: anyHandler, result: Number, moves: listenerMoves,
		eval: func(e *Eval, _ int, n *node) Value { return e.maxOfListeners(n, (*processor.Listener).Pending) },
		help: "the length of pendingNotifications of the handler, or the longest one"},
	{name: "calls", params: anyHandler, result: Number, eval: (*Eval).evalCalls, moves: listenerMoves,
		help: "calls so far of the handler, or of all handlers of the informer"},
	{name: "depth", result: Number, moves: queueMoves,
		eval: func(e *Eval, _ int, n *node) Value { return Value{N: int64(e.informerOf(n).Queue.Depth())} },
		help: "the queue's depth: keys of a DeltaFIFO, deltas of a RealFIFO"},
	{name: "queued", params: oneKey, result: Bool, eval: (*Eval).evalQueued, moves: queueMoves,
		help: "deltas of the key are in the queue"},
	{name: "cached", params: oneKey, result: Bool, moves: cacheMoves,
		eval: func(e *Eval, _ int, n *node) Value { return truth(cachedOf(e.informerOf(n), n.names[0]) != 0) },
		help: "the cache holds an object of the key"},
	{name: "objects", result: Number, moves: cacheMoves,
		eval: func(e *Eval, _ int, n *node) Value { return Value{N: int64(e.informerOf(n).Indexer.Len())} },
		help: "objects in the cache"},
	{name: "version", params: oneKey, result: Number, eval: (*Eval).evalVersion, moves: cacheMoves,
		help: "the resourceVersion that the cache holds for the key, 0 for none"},
	{name: "workqueue", result: Number,
		eval: func(e *Eval, _ int, n *node) Value {
			return Value{N: int64(len(e.w.Queue(e.informerOf(n).Index()).Ready))}
		},
		help: "keys in the workqueue"},
	{name: "believes", params: anyKey, result: Number,
		eval: func(e *Eval, _ int, n *node) Value {
			return e.sum(n, func(b manager.ChildCounts) int { return b.Believed })
		},
		help: "children of the key's object that the controller would read now, or of all objects"},
	{name: "exists", params: anyKey, result: Number,
		eval: func(e *Eval, _ int, n *node) Value {
			return e.sum(n, func(b manager.ChildCounts) int { return b.Exists })
		},
		help: "children of the key's object that are on the server, or of all objects"},
	{name: "duplicates", params: anyKey, result: Number,
		eval: func(e *Eval, _ int, n *node) Value {
			return e.sum(n, func(b manager.ChildCounts) int { return b.Duplicates() })
		},
		help: "children on the server beyond those that the controller's program is to make"},
	{name: "stale", params: anyKey, result: Bool, eval: (*Eval).evalStale,
		help: "the controller would read another number of children than the server has"},
	{name: "waitsFor", params: oneKey, result: String, eval: (*Eval).evalWaitsFor,
		help: "what keeps the key's reconcile back: nothing, worker, sync, done, time, cache, events or leader"},
	{name: "priority", params: oneKey, result: Number, eval: (*Eval).evalPriority,
		help: "the key's priority in the controller's queue, 0 if it is not there"},
	{name: "requeues", params: oneKey, result: Number, eval: (*Eval).evalRequeues,
		help: "NumRequeues: how often the rate limiter has counted the key since it was forgotten"},
	{name: "written", params: oneKey, result: Number,
		eval: func(e *Eval, _ int, n *node) Value { return Value{N: e.unseen(n).RV} },
		help: "the resourceVersion that the guard waits to see for the key, 0 for none"},
	{name: "observed", params: oneKey, result: Number,
		eval: func(e *Eval, _ int, n *node) Value { return Value{N: e.unseen(n).Observed} },
		help: "how far the cache has come to what written() says"},
	{name: "lastSyncResourceVersion", result: Number,
		eval: func(e *Eval, _ int, n *node) Value {
			return Value{N: numberOf(e.informerOf(n).LastSyncResourceVersion())}
		},
		help: "how far the reflector is"},
	{name: "openWatches", result: Number,
		eval: func(e *Eval, _ int, n *node) Value { return Value{N: int64(e.informerOf(n).OpenWatches(e.w.Now()))} },
		help: "watches that the server has open for the informer, those included that it does not read any more"},
	{name: "backoff", result: Duration, eval: (*Eval).evalBackoff,
		help: "how long the reflector's present back-off is, 0 for none"},
	{name: "stopped", result: Bool,
		eval: func(e *Eval, _ int, n *node) Value { return truth(e.informerOf(n).Stopped()) },
		help: "the informer has stopped"},
	{name: "leaders", result: Number, eval: (*Eval).evalLeaders, alone: true,
		help: "processes that take themselves for the leader"},
	{name: "leads", result: Bool, eval: (*Eval).evalLeads,
		help: "the informer belongs to a process that takes itself for the leader"},
	{name: "holders", params: oneKey, result: Number, eval: (*Eval).evalHolders,
		help: "informers of the resource whose cache holds the key's object, in all processes that run"},
	{name: "reconciling", params: oneKey, result: Number, eval: (*Eval).evalReconciling,
		help: "workers that have the key in hand, in all processes that run"},
	{name: "crashed", result: Bool,
		eval: func(e *Eval, _ int, n *node) Value { return truth(e.informerOf(n).Crash() != nil) },
		help: "the process has died of a panic"},
	{name: "actor", result: String, eval: (*Eval).evalActor, alone: true,
		help: "who makes the step: reflector, resync, loop, pop, run, worker …, or nobody for a command"},
	{name: "time", result: Duration, alone: true,
		eval: func(e *Eval, _ int, _ *node) Value { return Value{N: e.w.Now()} },
		help: "the clock since the beginning of the trace"},
	{name: "step", result: Number, alone: true,
		eval: func(e *Eval, _ int, _ *node) Value { return Value{N: e.w.Steps()} },
		help: "the number of the step"},

	{name: "seen", params: []param{{kind: handlerName}, {kind: keyName}}, result: Number, eval: (*Eval).evalSeen, remembers: true, moves: callMoves,
		help: "the resourceVersion that the handler was called with last for the key, 0 for none or a deletion"},
	{name: "serverRevision", result: Number, remembers: true,
		eval: func(e *Eval, i int, n *node) Value {
			return Value{N: e.nodes[i].memory.server.revision(e.informerOf(n), e.w.Now())}
		},
		help: "the server's newest revision; of a recording, the newest that it had sent by then"},
	{name: "cacheRevision", result: Number, remembers: true,
		eval: func(e *Eval, i int, n *node) Value {
			return Value{N: e.nodes[i].memory.cache.revision(e, e.informerOf(n))}
		},
		help: "the newest revision that has come to the cache"},
	{name: "revisionsBehind", result: Number, eval: (*Eval).evalRevisionsBehind, remembers: true,
		help: "how many revisions the cache is behind the server, 0 until it has the first list"},
	{name: "lockWait", params: []param{{kind: lockName, optional: true}}, result: Duration, eval: (*Eval).evalLockWait, remembers: true,
		help: "how long somebody has waited for the lock, up to the step that ends the wait"},
	{name: "metric", params: []param{{kind: metricName}, {kind: quantile, optional: true}}, result: Number, eval: (*Eval).evalMetric, remembers: true,
		help: "what client-go exports under that name of the informer or its workqueue, or the quantile of a histogram, as histogram_quantile of Prometheus estimates it; 0 if it exports none"},
	{name: "once", params: condition, result: Bool, eval: (*Eval).evalOnce, remembers: true, alone: true,
		help: "it is true, or was true at an earlier step"},
	{name: "before", params: []param{{typ: Bool}, {typ: Bool}}, result: Bool, eval: (*Eval).evalBefore, remembers: true, alone: true,
		help: "the first is true, and the second hasn't been true until now", momentarily: firstMomentary},
	{name: "within", params: []param{{typ: Duration}, {typ: Bool}, {typ: Bool}}, result: Bool, eval: (*Eval).evalWithin, remembers: true, alone: true, perStep: true,
		help: "one of the two is true, and the other is, or was at most that long ago", momentarily: bothMomentary},
	{name: "since", params: condition, result: Duration, eval: (*Eval).evalSince, remembers: true, alone: true, perStep: true,
		help: "how long ago it was true last; the time since the beginning if it never was"},
	{name: "count", params: condition, result: Number, eval: (*Eval).evalCount, remembers: true, alone: true,
		help: "how often it has become true"},
}

func init() {
	for k := event.Kind(1); k.String() != ""; k++ {
		factNames = append(factNames, k.String())
	}
	for k := actor.User; k <= actor.LastKind; k++ {
		actorNames = append(actorNames, k.String())
	}
	for _, f := range metrics.Families {
		if f.Type == metrics.Histogram {
			metricNames = append(metricNames, f.Name+countSuffix, f.Name+sumSuffix)
			histograms = append(histograms, f.Name)
		}
		metricNames = append(metricNames, f.Name)
	}
	functions = rows[:]
	group := 0
	for i := range functions {
		f := &functions[i]
		switch f.name {
		case "synced", "seen":
			group++
		case "fact":
			f.kinds = allKinds()
		case "actor":
			f.values = actorNames
		case "waitsFor":
			f.values = manager.WaitReasons()
		}
		f.group = groups[group]
		if f.kinds != nil {
			f.result = Bool
		} else if f.moves == nil && (len(f.params) == 0 || f.params[0].kind != expression) {
			f.perStep = true
		}
	}
}

func allKinds() (all []event.Kind) {
	for k := event.Kind(1); k.String() != ""; k++ {
		all = append(all, k)
	}
	return all
}

func firstMomentary(nodes []node, args []int16) bool { return nodes[args[0]].momentary }

func bothMomentary(nodes []node, args []int16) bool {
	return len(args) == 3 && nodes[args[1]].momentary && nodes[args[2]].momentary
}

func functionNamed(name string) *function {
	for i := range functions {
		if functions[i].name == name {
			return &functions[i]
		}
	}
	return nil
}

// form returns how the function is called: "delta([delta type, key])".
func (f *function) form() string {
	var b strings.Builder
	b.WriteString(f.name + "(")
	options := 0
	for i := range f.params {
		a := &f.params[i]
		if a.optional {
			b.WriteByte('[')
			options++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(a.noun()))
	}
	b.WriteString(strings.Repeat("]", options) + ")")
	return b.String()
}
