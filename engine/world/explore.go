package world

import (
	"math"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
)

// Question asks whether something can happen in some interleaving.
type Question struct {
	// Look is asked about the beginning, with an empty Log, and about the state after every step,
	// whose facts are in the world's Log. It is given what it said before that
	// step, 0 at first, and says what to remember, and whether this is it. It
	// must depend on nothing else.
	Look func(w *World, memory uint64) (remember uint64, yes bool)
	// Visible are the steps that can change what Look says; nil for all of them.
	Visible []actor.PC
	// Settled, unless it is 0, is what Look remembers once it can never say yes
	// again.
	Settled uint64
}

// Limits bound an exploration. Each 0 stands for a default.
type Limits struct {
	States   int   // different states; a million by default
	Depth    int   // steps in a row; 4000 by default
	Patience int64 // for how long other actors may go before one that could move, ns; 100 ms by default
	Clock    int64 // how long after the beginning a timer may still fire that only keeps time, ns; 15 minutes by default, longer than a watch lasts
}

func (l Limits) orDefaults() Limits {
	if l.States == 0 {
		l.States = 1_000_000
	}
	if l.Depth == 0 {
		l.Depth = 4000
	}
	if l.Patience == 0 {
		l.Patience = 100_000_000
	}
	if l.Clock == 0 {
		l.Clock = 900_000_000_000
	}
	return l
}

// Exploration is an answer.
type Exploration struct {
	Yes      bool
	Schedule []actor.ID // the actors in the order in which they move, until it has happened
	Shortest bool       // no schedule is shorter
	Complete bool       // everything that can happen was tried: if Yes is false, it can't happen
	Met      Limits     // the limits that cut the search short; zero if none did
	States   int        // different ones that were seen
	Steps    int        // made to see them
}

// ErrCannotExplore is the error for a world with a server whose states have no
// hash.
const ErrCannotExplore = fault.Plain("cannotExplore")

// Explore tries all interleavings of cfg's run.
func Explore(cfg *Config, q Question, l Limits) (Exploration, error) {
	w, err := newWorld(cfg)
	if err != nil {
		return Exploration{}, err
	}
	return w.Explore(q, l)
}

// Explore answers q, and leaves w as it is. See Search for what it tries.
func (w *World) Explore(q Question, l Limits) (Exploration, error) {
	s, err := w.Search(q, l)
	if err != nil {
		return Exploration{}, err
	}
	for !s.Go(math.MaxInt) {
	}
	return s.Found(), nil
}

// Follow takes the steps of an Exploration's Schedule, which must have been found
// from h's furthest point. From there on, only waiting takes time. Follow reports
// false if h can't go that way.
func (h *History) Follow(schedule []actor.ID) bool {
	if !h.Do(Command{Kind: TakeNoTime}) {
		return false
	}
	for _, id := range schedule {
		if !h.Choose(id) {
			return false
		}
	}
	return true
}

// settle makes steps due at once that were under way when steps still took time.
func (w *World) settle() {
	for id := range actor.ID(w.Set.Len()) {
		if st := w.Set.State(id); st.Wait == actor.Ready && w.Set.At(id) != actor.Never {
			w.Set.Go(id, st.PC)
		}
	}
}

// hash adds the state to h, with what a question remembers.
func (w *World) hash(h *actor.Hash, memory uint64) bool {
	h.Add(memory)
	w.Set.Hash(h)
	w.election.hash(h, w.Set.Now)
	for _, x := range w.Informers {
		if !x.Hash(h, &w.Set) {
			return false
		}
	}
	return true
}
