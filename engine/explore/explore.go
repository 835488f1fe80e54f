// Package explore tries all interleavings of a world, to answer whether something can happen
// in one of them, and in which.
package explore

import (
	"cmp"
	"math"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
)

// Question asks whether something can happen in some interleaving.
type Question struct {
	// Look is asked about the beginning, with an empty Log, and about the state after every step,
	// whose facts are in the world's Log. It is given what it said before that
	// step, 0 at first, and says what to remember, and whether this is it. It
	// must depend on nothing else.
	Look func(w *world.World, memory uint64) (remember uint64, yes bool)
	// Visible are the steps that can change what Look says; nil for all of them.
	Visible []actor.PC
	// Settled, unless it is 0, is what Look remembers once it can never say yes
	// again.
	Settled uint64
}

// Patience is how long others go by default before a goroutine that could move, in nanoseconds.
const Patience = 100_000_000

// Limits bound an exploration. Each 0 stands for a default.
type Limits struct {
	States   int   // different states; a million by default
	Depth    int   // steps in a row; 4000 by default
	Patience int64 // for how long an actor that could move may wait, ns; 0 is Patience
	Clock    int64 // how long after the beginning a timer may still fire that only keeps time, ns; 15 minutes by default, longer than a watch lasts
}

func (l Limits) orDefaults() Limits {
	return Limits{
		States: cmp.Or(l.States, 1_000_000), Depth: cmp.Or(l.Depth, 4000),
		Patience: cmp.Or(l.Patience, Patience), Clock: cmp.Or(l.Clock, 900_000_000_000),
	}
}

// A Result is the answer to a Question.
type Result struct {
	Yes      bool
	Schedule []actor.ID // the actors in the order in which they move, until it has happened
	Shortest bool       // no schedule is shorter
	Complete bool       // everything that can happen was tried: if Yes is false, it can't happen
	Reached  Limits     // the limits that cut the search short; zero if none did
	States   int        // different ones that were seen
	Steps    int        // made to see them
}

// Explore tries all interleavings of cfg's run. The error is what [world.New] returns.
func Explore(cfg *world.Config, q Question, l Limits) (Result, error) {
	d, err := world.New(cfg)
	if err != nil {
		return Result{}, err
	}
	return Run(d.World(), q, l), nil
}

// Run answers q about w, and leaves it as it is. See Search for what it tries.
func Run(w *world.World, q Question, l Limits) Result {
	s := NewSearch(w, q, l)
	for !s.Advance(math.MaxInt) {
	}
	return s.Result()
}
