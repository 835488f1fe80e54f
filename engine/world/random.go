package world

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// AtRandom is a schedule in which any actor may be next that could move soon.
type AtRandom struct {
	rand  actor.Rand
	among []actor.ID
}

// Random returns the schedule of a seed.
func Random(seed uint64) *AtRandom { return &AtRandom{rand: actor.Rand(seed)} }

// patience is for how long a random schedule may let an actor wait that could move,
// in nanoseconds.
const patience = 100_000_000

// Next picks one of the actors of w that can move within the patience. There is none if
// the default scheduler has none either.
func (s *AtRandom) Next(w *World) (actor.ID, bool) {
	first, ok := w.Next()
	if !ok {
		return first, false
	}
	until := max(w.Set.At(first), w.Now()) + patience
	s.among = s.among[:0]
	for id := range actor.ID(w.Set.Len()) {
		if w.CanMove(id) && w.Set.At(id) <= until {
			s.among = append(s.among, id)
		}
	}
	return s.among[s.rand.Below(len(s.among))], true
}

// Draws makes random runs that begin at one step of a History, one after the other. What
// was done from outside after that step is done again in each of them, at its time.
type Draws struct {
	from     *World
	w        *World
	commands []madeAt
	next     int // of commands
	schedule *AtRandom
}

type madeAt struct {
	at int64
	c  *Command
}

// Draws begins at a step, which must be known. It leaves h where it is.
func (h *History) Draws(step int64) *Draws {
	d := &Draws{from: new(World), w: new(World)}
	h.reach(d.from, step)
	at := new(World)
	for i := range h.inputs {
		if in := &h.inputs[i]; in.Command != nil && in.Step > step {
			h.reach(at, in.Step-1)
			d.commands = append(d.commands, madeAt{at.Now(), in.Command})
		}
	}
	return d
}

// Begin begins the run of a seed.
func (d *Draws) Begin(seed uint64) {
	d.w.copyFrom(d.from)
	d.next, d.schedule = 0, Random(seed)
}

// World is the world of the run. It belongs to d.
func (d *Draws) World() *World { return d.w }

// Step makes the next step of the run, and reports whether there is one.
func (d *Draws) Step() bool {
	w := d.w
	for d.next < len(d.commands) {
		c := &d.commands[d.next]
		if id, ok := w.Next(); ok && w.Set.At(id) <= c.at {
			break
		}
		d.next++
		if w.do(c.c) {
			return true
		}
	}
	id, ok := d.schedule.Next(w)
	if ok {
		w.step(id)
	}
	return ok
}

// AnyCommand returns something that the outside world may do to w: a write, time that
// passes, or a command of any other kind, with random values. It may have no effect, as
// Can tells. Random runs take their commands from it, so a new kind of command is among
// them without another line, unless its values must be of a kind that no other has.
func AnyCommand(r *actor.Rand, w *World) Command {
	const second = int64(1_000_000_000)
	i := r.Below(len(w.Informers))
	x := w.Informers[i]
	t := x.Config().Table
	c := Command{
		Kind: anyKind(r, w), Informer: i, Index: [...]string{"gold", "app"}[r.Below(2)], Warm: int64(r.Below(int(second))),
		Object:     object.Meta{Namespace: t.Sym("a"), Name: t.Sym(string(rune('a' + r.Below(6))))},
		Failure:    apiserver.Failure(1 + r.Below(int(apiserver.OtherFailure))),
		RetryAfter: apiserver.RetryAfter(r.Below(3)),
		N:          int64(r.Below(int(2 * second))),
	}
	if n := len(x.Config().Handlers); n > 0 {
		c.Listener = r.Below(n)
	}
	if r.Below(2) == 0 {
		c.Object.Labels = t.LabelSet([]object.Label{{Name: t.Sym("gold"), Value: t.Sym("yes")}})
	}
	switch c.Kind {
	case Create:
		c.Object.UID = t.Sym("uid-" + strconv.FormatInt(w.Revision(i)+1, 10))
	case Update:
		if c.N%3 == 0 {
			c.Kind = Patch
		}
	case Delete:
		c.Object.Key = t.MakeKey(c.Object)
	case MutateCached:
		if keys := x.Indexer.ListKeys(nil); len(keys) > 0 {
			c.Object.Key = keys[r.Below(len(keys))]
		}
	case AddHandler:
		c.Handler = informer.Handler{Name: "added" + strconv.FormatInt(w.Steps(), 10), Takes: c.N / 2000, Workqueue: r.Below(2) == 0}
	case BlindHandler:
		c.Handler.Panics = r.Below(4) == 0
	case PassTime:
		c.N = w.Now() + int64(r.Below(int(3*second)))
	case PaceHandler, DelayEvent:
		c.N /= 600
		if c.Kind == PaceHandler && r.Below(4) == 0 {
			c.N = informer.Forever
		}
	case RestoreServer:
		c.N = int64(r.Below(int(w.Revision(i)) + 1))
	case CutReplica, JoinReplica: // the one of the two that has an effect
		if c.Kind = CutReplica; unreachable(w, i) {
			c.Kind = JoinReplica
		}
	case SilenceWatch:
		c.N = [...]int64{-1, 0, c.N}[c.N%3] // forever, until a ping fails, or for a while
	case LagServer:
		if r.Below(3) == 0 {
			c.N = -int64(r.Below(2)) // as ever, or never
		}
	case FailRequests, FailReconciles:
		c.N = int64(r.Below(16)) - 1
		if c.Kind == FailReconciles && r.Below(2) == 0 {
			c.Object.Key = t.MakeKey(c.Object)
		}
	}
	return c
}

// anyKind is any kind of command except the calls by hand. Most are writes, so that there
// is something to watch. What ends a run, or can't be taken back in it, is rare.
func anyKind(r *actor.Rand, w *World) CommandKind {
	if w.election != nil && r.Below(8) == 0 {
		return KillReplica + CommandKind(r.Below(int(JoinReplica-KillReplica)+1))
	}
	switch n := r.Below(60); {
	case n < 15:
		return Create
	case n < 26:
		return Update
	case n < 33:
		return Delete
	}
	k := CommandKind(1 + r.Below(int(QueueAdd-DropEvent+KillReplica-2)))
	if k >= KillReplica {
		k += DropEvent - KillReplica
	}
	if k >= Patch { // AnyCommand turns some of the updates into patches
		k++
	}
	switch k {
	case StopInformer, RefuseTombstones, KillProcess, TakeNoTime, PanicHandler, RestoreServer:
		if r.Below(2) > 0 {
			return PassTime
		}
		return k
	default:
		return k
	}
}
