package world

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// AnyCommand returns something that the outside world may do to w in the random run of a seed: a
// write, time that passes, or a command of any other kind, with random values. It may have no
// effect, as Can tells.
func AnyCommand(r *actor.Rand, w *World, seed uint64) Command {
	const second = int64(1_000_000_000)
	i := r.Intn(len(w.Informers))
	x := w.Informers[i]
	t := x.Config().Table
	c := Command{
		Kind: anyKind(r, w, seed), Informer: i, Index: [...]string{"gold", "app"}[r.Intn(2)], Warm: int64(r.Intn(int(second))),
		Object:     object.Meta{Namespace: t.Sym("a"), Name: t.Sym(string(rune('a' + r.Intn(6))))},
		Failure:    randomFailures[r.Intn(len(randomFailures))],
		RetryAfter: apiserver.RetryAfter(r.Intn(3)),
		N:          int64(r.Intn(int(2 * second))),
	}
	if n := len(x.Config().Handlers); n > 0 {
		c.Listener = r.Intn(n)
	}
	if r.Intn(2) == 0 {
		c.Object.Labels = t.LabelSet([]object.Label{{Name: t.Sym("gold"), Value: t.Sym("yes")}})
	}
	switch c.Kind {
	case Create:
		c.Object.UID = t.Sym("uid-" + strconv.FormatInt(w.Revision(i)+1, 10))
		if w.Election != nil && w.Election.Sharded {
			c.Object.UID = t.Sym(RandomUID(w.Revision(i) + 1))
		}
	case Reshard:
		c.Shard.Total = int16(1 + r.Intn(3))
		c.Shard.Index, c.Shard.Key = int16(r.Intn(int(c.Shard.Total))), w.Shard(w.Replica(i)).Key
	case Update:
		if c.N%3 == 0 {
			c.Kind = Patch
		}
	case Delete:
		c.Object.Key = t.MakeKey(c.Object)
	case MutateCached:
		if keys := x.Indexer.ListKeys(nil); len(keys) > 0 {
			c.Object.Key = keys[r.Intn(len(keys))]
		}
		if s := w.Simulated(i); s != nil && seed>>32 >= 2 && c.N%2 == 0 {
			c.Kind = WriteBack
			if all := s.Storage.Written(c.Object.Key, nil); len(all) > 0 { // the version that lives, or an older one
				rv, _ := t.RVOf(all[c.N%int64(len(all))]).Number()
				c.N = int64(rv)
			}
		}
	case AddHandler:
		c.Handler = informer.Handler{Name: "added" + strconv.FormatInt(w.Steps(), 10), Duration: c.N / 2000, Workqueue: r.Intn(2) == 0}
	case BlindHandler:
		c.Handler.Panics = r.Intn(4) == 0
	case PassTime:
		c.N = w.Now() + int64(r.Intn(int(3*second)))
	case PaceHandler, DelayEvent:
		c.N /= 600
		if c.Kind == PaceHandler && r.Intn(4) == 0 {
			c.N = informer.Forever
		}
	case RestoreServer:
		c.N = int64(r.Intn(int(w.Revision(i)) + 1))
	case CutReplica, JoinReplica: // the one of the two that has an effect
		if c.Kind = CutReplica; w.Unreachable(i) {
			c.Kind = JoinReplica
		}
	case SilenceWatch:
		c.N = [...]int64{-1, 0, c.N}[c.N%3] // forever, until a ping fails, or for a while
	case LagServer:
		if r.Intn(3) == 0 {
			c.N = -int64(r.Intn(2)) // as ever, or never
		}
	case HangReconcile:
		if c.N = [...]int64{informer.Forever, 0, 0, c.N}[r.Intn(4)]; r.Intn(2) == 0 {
			c.Object.Key = t.MakeKey(c.Object)
		}
	case FailRequests, FailReconciles:
		c.N = int64(r.Intn(16)) - 1
		if c.Kind == FailReconciles && r.Intn(2) == 0 {
			c.Object.Key = t.MakeKey(c.Object)
		}
	default:
		if c.Kind.Tamper() != 0 && kinds[c.Kind].fact.Kind.Has(event.Counts) {
			c.N %= 5
		}
	}
	return c
}

// RandomUID returns the uid of an object that is created at a revision, as random as one of an API server. FNV-1a gives
// short texts that differ at their end alone nearly the same hash, and so the same shard. Of the objects of the first four
// revisions, two are in each of two shards, and of three shards the first has one, the second two, and the third one.
func RandomUID(revision int64) string {
	r := actor.Rand(revision + 79)
	text := []byte("xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx")
	for i, c := range text {
		if c == 'x' {
			text[i] = "0123456789abcdef"[r.Intn(16)]
		}
	}
	return string(text)
}

// RandomSeeds calls f with n seeds of random runs, from one on, in each generation of kinds.
func RandomSeeds(from, n uint64, f func(seed uint64)) {
	for g := range randomKinds {
		for seed := from; seed < from+n; seed++ {
			f(uint64(g)<<32 | seed)
		}
	}
}

// anyKind returns any kind of command except the calls by hand. Most are writes, so that there
// is something to watch. What ends a run, or can't be taken back in it, is rare.
func anyKind(r *actor.Rand, w *World, seed uint64) CommandKind {
	if w.Election != nil && r.Intn(8) == 0 {
		kinds := replicaKinds[:]
		if w.Election.Sharded {
			kinds = shardKinds
		}
		return kinds[r.Intn(len(kinds))]
	}
	switch n := r.Intn(60); {
	case n < 15:
		return Create
	case n < 26:
		return Update // AnyCommand turns some of them into patches
	case n < 33:
		return Delete
	}
	all := slices.Concat(randomKinds[:min(seed>>32, uint64(len(randomKinds)-1))+1]...)
	switch k := all[r.Intn(len(all))]; k {
	case StopInformer, RefuseTombstones, KillProcess, TakeNoTime, PanicHandler, RestoreServer:
		if r.Intn(2) > 0 {
			return PassTime
		}
		return k
	default:
		return k
	}
}
