package history

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// simulated is a world of two informers of different resources on one cluster.
func simulated(r *actor.Rand, p world.Profile) *world.Config {
	cfg := &world.Config{Seed: r.Next()}
	p.Reflector.PageSize = int64(r.Intn(4)) // pages of a few objects, or the usual ones
	for _, name := range []string{"pods", "services"} {
		t := object.NewTable(nil)
		server := &apiserver.SimConfig{
			Table: t, Versions: apiserver.NewVersions(t), Revision: 1, Seed: r.Next(),
			Classic: r.Intn(3) == 0, Uncached: r.Intn(6) == 0, Buffer: 2 + r.Intn(20),
			// Without it, a paged list would be answered for ever at exactly the
			// resourceVersion for which a watch is too late.
			CompactEvery: 300 * sec,
		}
		if r.Intn(3) == 0 {
			gold := t.Sym("gold")
			server.Selects = func(t *object.Table, o object.Ref) bool {
				_, ok := t.LabelValue(t.LabelSetOf(o), gold)
				return ok
			}
		}
		cfg.Informers = append(cfg.Informers, informer.Config{
			Name: name, Profile: p, Table: t, Server: apiserver.NewSimulated(server), Resync: int64(r.Intn(2)) * 7 * sec,
			Handlers: []informer.Handler{{Name: "quick"}, {Name: "slow", Duration: int64(r.Intn(int(30 * ms))), Resync: 3 * sec}},
		})
	}
	return cfg
}

// randomCommand is something that the outside world may do, except for restoring etcd.
// After that, revisions are used a second time, and a watch may miss the writes between
// them.
func randomCommand(r *actor.Rand, w *world.World) world.Command {
	i := r.Intn(len(w.Informers))
	c := world.Command{Informer: i}
	t := w.Informers[i].Config().Table
	c.Object = object.Meta{Namespace: t.Sym("a"), Name: t.Sym(string(rune('a' + r.Intn(6))))}
	if r.Intn(2) == 0 {
		c.Object.Labels = t.LabelSet([]object.Label{{Name: t.Sym("gold"), Value: t.Sym("yes")}})
	}
	switch n := r.Intn(40); {
	case n < 14:
		c.Kind = world.Create
		if s := w.Simulated(i); s != nil {
			c.Object.UID = t.Sym(fmt.Sprint("uid-", s.Storage.Revision()))
		}
	case n < 26:
		c.Kind = world.Update
	case n < 32:
		c.Kind = world.Delete
		c.Object.Key = t.Key("a/" + t.Text(c.Object.Name))
	case n == 32:
		c.Kind = world.BreakWatch
	case n == 33:
		c.Kind = world.Compact
	case n == 34:
		c.Kind, c.N, c.Warm = world.RestartServer, int64(r.Intn(int(2*sec))), int64(r.Intn(int(sec)))
	case n == 35:
		c.Kind, c.N = world.LagServer, int64(r.Intn(int(4*sec)))-sec
	case n == 36:
		c.Kind, c.N = world.FailRequests, int64(1+r.Intn(3))
		c.Failure = []apiserver.Failure{apiserver.Expired, apiserver.TooLarge, apiserver.TooManyRequests, apiserver.InternalError, apiserver.Refused, apiserver.OtherFailure}[r.Intn(6)]
	case n == 37:
		c.Kind = world.SilenceWatch
	default:
		c.Kind, c.N = world.PassTime, w.Now()+int64(r.Intn(int(3*sec)))
	}
	return c
}

// TestSimulatedServers lets informers of every profile live with a server to
// which everything happens, and checks that their caches end as the server is,
// and that each handler was told each key's versions in their order.
func TestSimulatedServers(t *testing.T) {
	for _, p := range world.Profiles() {
		for seed := range uint64(100) {
			r := actor.Rand(seed)
			w, err := newPoint(simulated(&r, p))
			if err != nil {
				t.Fatal(err)
			}
			watcher := &teller{t: t, w: w, last: map[string]uint64{}, name: fmt.Sprintf("%s, seed %d", p.Name, seed)}
			var ready []actor.ID
			for range 60 {
				c := randomCommand(&r, w.World())
				w.Do(&c)
				for range r.Intn(30) {
					ready = slices.DeleteFunc(w.Ready(ready[:0]), w.Idle)
					if len(ready) == 0 {
						break
					}
					w.Step(ready[r.Intn(len(ready))])
					watcher.look()
				}
			}
			for i := range w.Informers { // all is well again
				w.Do(&world.Command{Kind: world.LagServer, Informer: i})
				w.Do(&world.Command{Kind: world.FailRequests, Informer: i})
				w.Do(&world.Command{Kind: world.BreakWatch, Informer: i})
			}
			for n := 0; ; n++ {
				if n > 100_000 {
					t.Fatalf("%s: the run does not end", watcher.name)
				}
				if w.run(1) == 0 {
					break
				}
				watcher.look()
			}
			for i, x := range w.Informers {
				s := w.Simulated(i)
				want := s.Storage.Objects(nil)
				if f := s.Config().Selects; f != nil {
					want = slices.DeleteFunc(want, func(o object.Ref) bool { return !f(s.Config().Table, o) })
				}
				got := x.Indexer.List(nil)
				if p.Name == "classic" { // which can keep ghosts
					got = slices.DeleteFunc(got, func(o object.Ref) bool { return !slices.Contains(want, o) })
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %s holds %v, and its server %v", watcher.name, x.Config().Name, names(x.Config().Table, got), names(x.Config().Table, want))
				}
			}
		}
	}
}

// teller checks the notifications of handlers.
type teller struct {
	t    *testing.T
	w    *point
	name string
	last map[string]uint64 // by informer, handler and key: the revision
}

func (c *teller) look() {
	for _, e := range c.w.Log.Events {
		if e.Kind != event.HandlerCalled || e.Flags&event.Tombstone != 0 {
			continue
		}
		x := c.w.Informers[c.w.Set.Role(e.Actor).Informer]
		o := e.New
		if o == 0 {
			o = e.Old
		}
		rev, _ := x.Config().Table.RVOf(o).Number()
		k := fmt.Sprint(x.Index(), e.Listener, e.Key)
		if rev < c.last[k] {
			c.t.Fatalf("%s: %s is told %s at %d after %d", c.name, x.Config().Handlers[e.Listener].Name, x.Config().Table.KeyText(e.Key), rev, c.last[k])
		}
		c.last[k] = rev
	}
}
