package runtest

import (
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
)

// cluster returns a run of two or three informers of two resources, some of them a factory's. In the
// newest version some feature gates are set the other way.
func cluster(t *testing.T, seed uint64, p world.Profile) Run {
	t.Helper()
	r := actor.Rand(seed)
	for _, gate := range gates {
		if p.Name == world.Current.Name && r.Intn(3) == 0 {
			p, _ = p.WithGate(gate, false)
		}
	}
	cfg := &world.Config{Seed: r.Next()}
	var table *object.Table
	var versions *apiserver.Versions
	for i := range 2 + r.Intn(2) {
		if i < 2 { // the third informer is of the second one's resource
			table = object.NewTable(nil)
			versions = apiserver.NewVersions(table)
		}
		server := &apiserver.SimConfig{
			Table: table, Versions: versions, Revision: 1, Seed: r.Next(),
			Classic: r.Intn(3) == 0, Uncached: r.Intn(6) == 0, Buffer: 2 + r.Intn(20), CompactEvery: 300 * Second,
		}
		if r.Intn(3) == 0 {
			gold := table.Sym("gold")
			server.Selects = func(t *object.Table, o object.Ref) bool {
				_, ok := t.LabelValue(t.LabelSetOf(o), gold)
				return ok
			}
		}
		cfg.Informers = append(cfg.Informers, informer.Config{
			Name: "things" + strconv.Itoa(i), Profile: p, Table: table, Server: apiserver.NewSimulated(server),
			Resync: int64(r.Intn(2)) * 5 * Second, DetectMutations: r.Intn(4) == 0, Factory: r.Intn(3) == 0, StartsApart: seed%4 == 1,
			Handlers: []informer.Handler{
				{Name: "quick", Workqueue: r.Intn(2) == 0}, {Name: "slow", Duration: int64(r.Intn(int(Second / 30))), Resync: 3 * Second}, {Name: "late", From: 1 + int64(r.Intn(int(Second)))},
			},
			Workers: 1 + r.Intn(2), WritesBack: writesBack(r.Intn(2) == 0),
		})
	}
	return anySchedule(t, "cluster "+p.Name+" seed "+strconv.FormatUint(seed, 10), cfg, &r, seed)
}

// elected returns a run of two processes of a controller, which elect a leader.
func elected(t *testing.T, seed uint64, p world.Profile) Run {
	t.Helper()
	name, r := "elected "+p.Name+" seed "+strconv.FormatUint(seed, 10), actor.Rand(seed)
	lines := []string{
		"informer replicasets", "informer pods", "controller replicasets owns=pods program=replicas guard=expectations", "replicas 2 release",
		"create replicaset default/web .spec.replicas=2", "run",
	}
	if seed%2 == 1 {
		lines[2] += " warmup"
	}
	return anySchedule(t, name, scriptRun(t, name, lines, p.Name).Config, &r, seed)
}

// sharded returns a run of two processes of an informer, which have a shard each, and a third one without.
func sharded(t *testing.T, seed uint64, p world.Profile) Run {
	t.Helper()
	name, r := "sharded "+p.Name+" seed "+strconv.FormatUint(seed, 10), actor.Rand(seed)
	lines := []string{"server", "informer things", "handler h workqueue", "shards 2 processes=3", "create thing a/a", "create thing a/b", "run"}
	if seed%2 == 1 {
		lines[0], lines[3] = "server shards=ignored", "shards 2 by=namespace processes=3"
	}
	return anySchedule(t, name, scriptRun(t, name, lines, p.Name).Config, &r, seed)
}

// gates are the feature gates that change what an informer does. AtomicFIFO comes first,
// since others depend on it.
var gates = []string{"AtomicFIFO", "UnlockWhileProcessingFIFO", "InOrderInformersBatchProcess", "InOrderInformers", "WatchListClient"}

// anySchedule makes random steps: the default schedule's next step, a step of any actor
// that can move, or a command.
func anySchedule(t *testing.T, name string, cfg *world.Config, r *actor.Rand, seed uint64) Run {
	t.Helper()
	h, err := history.New(cfg, history.NewMemory(1))
	if err != nil {
		t.Fatal(name, err)
	}
	var ready []actor.ID
	commands := 8 + r.Intn(60) // commands for a thousand steps
	do := func() bool {
		c := world.AnyCommand(r, h.Front(), seed)
		if _, recorded := cfg.Informers[0].Feed.(feed.Feed); cfg.Informers[0].Feed != nil && !recorded && c.Kind.Simulates() {
			return false // no server can go on from records that make no sense
		}
		return h.Do(c)
	}
	if r.Intn(20) == 0 {
		h.Do(world.Command{Kind: world.StopInformer})
	}
	for h.Steps() < 2500 {
		switch n := r.Intn(1000); {
		case n < commands:
			do()
		case n < 250:
			if ready = h.Front().Ready(ready[:0]); len(ready) > 0 {
				h.Choose(ready[r.Intn(len(ready))])
			}
		default:
			if h.Extend(1) == 0 && !do() && r.Intn(50) == 0 {
				return Run{name, cfg, h.Inputs(), h.Steps()}
			}
		}
	}
	return Run{name, cfg, h.Inputs(), h.Steps()}
}
