// Package replicaset is kube-controller-manager's ReplicaSet controller
// (pkg/controller/replicaset) as pure data: its event handlers, and its sync as a
// sequence of requests and answers. It leaves out annotations, such as a pod's deletion
// cost, and nodes: no pod of its is ever scheduled. Times are nanoseconds of virtual time.
package replicaset

import (
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/object"
)

// The numbers of the resources in the consistency store.
const (
	Pods consistency.Resource = iota
	ReplicaSets
)

// Phase is a pod's phase.
type Phase uint8

// The phases of a pod. Those that end it are the last.
const (
	Pending Phase = iota
	Unknown
	Running
	Succeeded
	Failed
)

// Pod is what the controller reads of a pod.
type Pod struct {
	Key        object.Key
	UID        object.Sym
	RV         object.RV
	OwnerName  object.Sym // of the controller that owns it
	OwnerUID   object.Sym // 0 for an orphan
	Labels     object.Labels
	Phase      Phase
	Ready      bool
	ReadySince int64 // in whole seconds
	Created    int64 // in whole seconds
	Deleting   bool  // it has a deletionTimestamp
}

// Active reports whether a pod counts, as IsPodActive of pkg/controller does.
func (p *Pod) Active() bool { return p.Phase < Succeeded && !p.Deleting }

// Condition is the condition ReplicaFailure. Its zero value is none.
type Condition struct {
	Reason  Reason
	Message int32 // the caller's number of the error's text
	Since   int64 // in whole seconds
}

// Reason says which of the controller's requests failed.
type Reason uint8

// The reasons of a Condition.
const (
	NoFailure Reason = iota
	NoReason         // the condition is there and has none
	FailedCreate
	FailedDelete
)

func (r Reason) String() string { return [...]string{"", "", "FailedCreate", "FailedDelete"}[r] }

// Status is a ReplicaSet's status.
type Status struct {
	Replicas, FullyLabeled, Ready, Available int32
	Terminating                              int32
	CountsTerminating                        bool // Terminating is set
	ObservedGeneration                       int64
	Failure                                  Condition
}

// ReplicaSet is what the controller reads of a ReplicaSet.
type ReplicaSet struct {
	Key             object.Key
	Name            object.Sym
	UID             object.Sym
	RV              object.RV
	Generation      int64
	Owned           bool // it has a controller of its own, such as a Deployment
	Replicas        int32
	MinReadySeconds int32
	Selector        object.Labels // matchLabels
	Template        object.Labels
	Deleting        bool
	Status          Status
}

// Caches are the controller's two informers.
type Caches interface {
	consistency.Reader
	// ReplicaSet returns a ReplicaSet from the cache.
	ReplicaSet(object.Key) (ReplicaSet, bool)
	// EachReplicaSet and EachPod call visit for everything in the namespace of the key, in
	// the order of the keys. The real order is a map's.
	EachReplicaSet(visit func(ReplicaSet))
	EachPod(visit func(Pod))
}

// Options of a Controller. The zero value is not the default.
type Options struct {
	Burst             int  // burstReplicas: how many pods one sync creates or deletes at most; 500
	CountsTerminating bool // gate DeploymentReplicaSetTerminatingReplicas
	NoExpectations    bool // expectations are replaced by some that are always satisfied
	NoConsistency     bool // gate StaleControllerConsistencyReplicaSet is off
}

// Controller is ReplicaSetController without its queue and workers.
type Controller struct {
	Options
	Expectations expectations.UIDTrackingControllerExpectations
	Consistency  *consistency.Store
	// Ambiguous says that a handler calls HandleError before it enqueues anything. Who has
	// seen it sets it to false.
	Ambiguous bool

	t *object.Table
}

// New returns a controller that knows nothing. Keys and texts are t's.
func New(t *object.Table, o Options) *Controller {
	return &Controller{Options: o, Consistency: consistency.New(t), t: t}
}

// matches reports whether a selector's labels are all among an object's.
func (c *Controller) matches(selector, labels object.Labels) bool {
	for _, l := range c.t.LabelsOf(selector) {
		if v, has := c.t.LabelValue(labels, l.Name); !has || v != l.Value {
			return false
		}
	}
	return true
}
