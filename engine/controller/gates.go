package controller

import "github.com/informerscope/informerscope/engine/controller/priorityqueue"

// LowPriority is the priority that handlers of controller-runtime give to the objects of an
// initial list, and to those that a resync brings unchanged.
const LowPriority = -100

// Runtime is what differs between versions of controller-runtime. Each field is a gate, and
// its comment names the version that opened it. A version is the newest release of its minor.
type Runtime struct {
	RecoversPanics bool // RecoverPanic's default; v0.19
	PriorityQueue  bool // there is one, and handlers give it a LowPriority; v0.20
	Warmup         bool // sources may start before the leader's election; v0.22
	UsesPriorities bool // UsePriorityQueue's default; v0.23
	ResultPriority bool // reconcile.Result has a Priority; v0.23
	AwaitsHandlers bool // workers start after the handlers have synced, too; v0.23
	ReadYourWrites bool // the client can wait for its own writes; v0.25

	HeedsStop bool // ShutDown of the priority queue ends the workers that wait; v0.22

	Order       priorityqueue.Order // of the priority queue
	JudgesByAge bool                // handlers give a LowPriority to objects older than a minute, and to no others; v0.20 alone
}

// The minor versions of controller-runtime that RuntimeOf knows.
const (
	OldestRuntime = 15
	NewestRuntime = 25
)

// RuntimeOf returns the gates of controller-runtime v0 with that minor version. It reports
// false for an unknown version.
func RuntimeOf(minor int) (Runtime, bool) {
	order := priorityqueue.ByPriority
	switch {
	case minor < 22:
		order = priorityqueue.ByDelays
	case minor < 23:
		order = priorityqueue.ByPriorityDelays
	}
	return Runtime{
		RecoversPanics: minor >= 19, PriorityQueue: minor >= 20, Warmup: minor >= 22, HeedsStop: minor >= 22,
		UsesPriorities: minor >= 23, ResultPriority: minor >= 23, AwaitsHandlers: minor >= 23, ReadYourWrites: minor >= 25,
		Order: order, JudgesByAge: minor == 20,
	}, minor >= OldestRuntime && minor <= NewestRuntime
}

// StaleControllers returns the resources whose controllers in kube-controller-manager v1 with that minor version have a
// consistency store, as its StaleControllerConsistency gates say.
func StaleControllers(minor int) []string {
	all := []string{"daemonsets", "jobs", "replicasets", "statefulsets", "horizontalpodautoscalers"}
	switch {
	case minor < 36:
		return all[:0]
	case minor < 37:
		return all[:4]
	}
	return all
}

// TerminatingReplicas reports whether kube-controller-manager v1 with that minor version writes terminatingReplicas into the
// status of a ReplicaSet, as its gate DeploymentReplicaSetTerminatingReplicas says.
func TerminatingReplicas(minor int) bool { return minor >= 35 }
