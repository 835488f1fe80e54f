// Package guard is how a controller keeps from acting on a cache that lacks its own
// writes. Each guard is a package of its own. A Guard has the guard that a controller uses.
package guard

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/controller/mutation"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/object"
)

// Kind is one of the guards.
type Kind uint8

// The guards.
const (
	None           Kind = iota
	Expectations        // kube-controller-manager's ControllerExpectations
	Consistency         // kube-controller-manager's consistency store
	ReadYourWrites      // controller-runtime's client with EnableReadYourWritesConsistency
	Mutation            // client-go's mutation cache
	Live                // every read is a request to the API server
	Both                // Expectations and Consistency, as the ReplicaSet controller has them since v1.36
)

var names = [...]string{"none", "expectations", "consistency", "readyourwrites", "mutation", "live", "expectations+consistency"}

func (k Kind) String() string { return names[k] }

// Expects reports whether a controller with the guard has expectations.
func (k Kind) Expects() bool { return k == Expectations || k == Both }

// Remembers reports whether it has a consistency store.
func (k Kind) Remembers() bool { return k == Consistency || k == Both }

// Named returns the guard of a name.
func Named(name string) (Kind, bool) {
	for k, n := range names {
		if n == name {
			return Kind(k), true
		}
	}
	return None, false
}

// Names returns the names of all guards.
func Names() []string { return names[:] }

// The two resources of a controller.
const (
	Parents  = 0 // whose objects it reconciles
	Children = 1 // whose objects they own
)

// Guard is a controller's guard. Only the part that belongs to its Kind is used.
type Guard struct {
	Kind
	Expectations expectations.UIDTrackingControllerExpectations
	Consistency  *consistency.Store
	Clients      [2]readyourwrites.Client
	Mutations    [2]*mutation.Cache
}

// New returns a guard that knows of no write. The keys and versions are t's.
func New(t *object.Table, k Kind, gates mutation.Gates) Guard {
	g := Guard{Kind: k, Consistency: consistency.New(t)}
	for i := range g.Mutations {
		g.Mutations[i] = mutation.New(t, mutation.Options{IncludeAdds: true, Gates: gates})
		g.Clients[i].Registered = true
	}
	return g
}

// CopyFrom makes g equal to src.
func (g *Guard) CopyFrom(src *Guard) {
	g.Kind = src.Kind
	g.Expectations.CopyFrom(&src.Expectations)
	g.Consistency = src.Consistency.Clone()
	for i := range g.Clients {
		g.Clients[i].CopyFrom(&src.Clients[i])
		g.Mutations[i] = src.Mutations[i].Clone()
	}
}

// Hash adds what the guard knows at the time now.
func (g *Guard) Hash(h *actor.Hash, now int64) {
	if g.Expects() {
		g.Expectations.Hash(h, now)
	}
	if g.Remembers() {
		g.Consistency.Hash(h)
	}
	switch g.Kind {
	case ReadYourWrites:
		for i := range g.Clients {
			g.Clients[i].Hash(h)
		}
	case Mutation:
		for i := range g.Mutations {
			g.Mutations[i].Hash(h, now)
		}
	}
}
