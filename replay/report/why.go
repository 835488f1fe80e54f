package report

import (
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
)

// Why asks for the chains of one key.
type Why struct {
	Key string
	// Chain gets what a chain begins with, when nothing more comes of it or when the
	// capture has ended, in the order in which the chains of a resource begin. An error
	// ends the playing.
	Chain func(*Chain) error
}

// Chain is what a Why is told.
type Chain struct {
	Resource *trace.Resource
	Handlers []Handler // by the number of the listener
	// Recording is the recorded controller that is played; nil for none.
	Recording *informer.Recording
	Begins    *cause.Node
}

// asker follows the key of a Why through one resource.
type asker struct {
	*Why
	of       *trace.Resource
	handlers []Handler
	recorded *informer.Recording
	t        *cause.Tracker
}

func newAsker(w *Why, r *trace.Resource, handlers []Handler, recorded *informer.Recording) *asker {
	if w == nil {
		return nil
	}
	return &asker{w, r, handlers, recorded, cause.New(0, r.Table.Key(w.Key))}
}

// look takes in a step.
func (a *asker) look(w *world.World) error {
	if a == nil {
		return nil
	}
	a.t.Look(w)
	return a.tell(false)
}

// tell passes on the chains from which nothing more comes, or all of them.
func (a *asker) tell(rest bool) error {
	for _, n := range a.t.Begun(rest) {
		if n.Key != a.t.Key() { // it stands for a whole list
			continue
		}
		if err := a.Chain(&Chain{a.of, a.handlers, a.recorded, n}); err != nil {
			return err
		}
	}
	return nil
}

// mark keeps the key in the Table.
func (a *asker) mark(x func(*object.Live) bool) func(*object.Live) bool {
	if a == nil {
		return x
	}
	return func(live *object.Live) bool {
		live.Key(a.t.Key())
		return x(live)
	}
}
