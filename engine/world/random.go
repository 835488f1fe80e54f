package world

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

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
		if c.Kind = CutReplica; w.Unreachable(i) {
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
	if w.Election != nil && r.Below(8) == 0 {
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
