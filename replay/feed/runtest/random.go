package runtest

import (
	"errors"
	"flag"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// randomRecords returns a recording that makes no sense: the machine must cope with it,
// and so must the sentences.
func randomRecords(t *testing.T, seed uint64, p world.Profile) Run {
	t.Helper()
	r := actor.Rand(seed)
	table := object.NewTable(nil)
	var records apiserver.Records
	at := int64(0)
	objects := func(n int) object.Ref {
		return table.Add(object.Meta{Namespace: table.Sym("a"), Name: table.Sym(string(rune('a' + n))), RV: table.RV(strconv.Itoa(10 + r.Intn(9)))})
	}
	p.Reflector.InternalErrorRetry = int64(r.Intn(2)) * 5 * Second
	for range 60 {
		rec := apiserver.Record{Time: at, Kind: apiserver.RecordKind(1 + r.Intn(int(apiserver.WatchEnd))), RV: table.RV(strconv.Itoa(10 + r.Intn(40))), Streaming: r.Intn(2) == 0}
		switch rec.Kind {
		case apiserver.ListItem:
			rec.Obj = objects(r.Intn(6))
		case apiserver.WatchEvent:
			rec.Delta = event.Delta([]event.Delta{event.Added, event.Updated, event.Deleted, event.Unknown, event.Error}[r.Intn(5)])
			if r.Intn(8) > 0 {
				rec.Obj = objects(r.Intn(6))
			}
		}
		if rec.Kind == apiserver.ListError || rec.Kind == apiserver.WatchError || rec.Delta == event.Error || rec.Kind == apiserver.WatchEnd {
			rec.Failure = apiserver.Failure(r.Intn(int(apiserver.ListedAnew) + 1))
			rec.Code = []int32{0, 410, 429, 500, 422, 404}[r.Intn(6)]
			if rec.Kind == apiserver.WatchEnd {
				rec.Code = 0
			}
			rec.RetryAfter = apiserver.RetryAfter(r.Intn(3))
		} else if rec.Kind == apiserver.WatchEvent && r.Intn(10) == 0 {
			rec.Failure = apiserver.OtherKind
		}
		records = append(records, rec)
		at += int64(r.Intn(int(Second)))
	}
	var played apiserver.Feed = records
	if r.Intn(3) == 0 {
		played = Retried{records}
	}
	cfg := &world.Config{Seed: r.Next(), Informers: []informer.Config{{
		Name: "things", Profile: p, Table: table, Feed: played, Resync: int64(r.Intn(2)) * 2 * Second, DetectMutations: r.Intn(3) == 0,
		Transform: failing(r.Intn(3) == 0, table),
		Handlers: []informer.Handler{
			{Name: "quick", Resync: 3 * Second}, {Name: "slow", Duration: int64(r.Intn(int(Second / 5))), Workqueue: true}, {Name: "late", From: 1 + int64(r.Intn(int(3*Second)))},
		},
		Indexers: []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}},
		Workers:  1 + r.Intn(2), WorkTime: Second / 300, WorkFails: func(k object.Key, n int) bool { return (int(k)+n)%3 == 0 },
	}}}
	return anySchedule(t, "records "+p.Name+" seed "+strconv.FormatUint(seed, 10), cfg, &r, seed)
}

// failing returns a TransformFunc that fails now and then, and takes a key away.
func failing(does bool, t *object.Table) fifo.TransformFunc {
	if !does {
		return nil
	}
	made := map[object.Ref]object.Ref{} // so that a run is the same when it is made again
	add := func(r object.Ref, m object.Meta) object.Ref {
		if made[r] == 0 {
			made[r] = t.Add(m)
		}
		return made[r]
	}
	return func(_ *object.Table, r object.Ref) (object.Ref, error) {
		switch n, _ := t.RVOf(r).Number(); n % 9 {
		case 1:
			return 0, errors.New("it can't be transformed")
		case 2:
			return add(r, object.Meta{RV: t.RVOf(r)}), nil
		case 3: // it succeeds only once
			m, once := t.Meta(r), t.Sym("once")
			if _, ok := t.LabelValue(m.Labels, once); ok {
				return 0, errors.New("it was transformed before")
			}
			m.Labels = t.LabelSet([]object.Label{{Name: once, Value: once}})
			return add(r, m), nil
		}
		return r, nil
	}
}

// resyncFails returns a run of v0.28 with a TransformFunc that lets no object through a Second
// time: the resync fails, and ends the watch.
func resyncFails(t *testing.T) Run {
	t.Helper()
	p, _ := world.ProfileFor("v0.28.0")
	table := object.NewTable(nil)
	records := apiserver.Records{
		{Kind: apiserver.ListBegin},
		{Kind: apiserver.ListItem, Obj: table.Add(object.Meta{Name: table.Sym("a"), RV: table.RV("1")})},
		{Kind: apiserver.ListEnd, RV: table.RV("10")},
		{Kind: apiserver.WatchOpen},
		{Kind: apiserver.WatchBookmark, RV: table.RV("20"), Time: 10 * Second},
	}
	seen := map[object.Ref]object.Ref{}
	transform := func(_ *object.Table, r object.Ref) (object.Ref, error) {
		for _, made := range seen {
			if made == r {
				return 0, errors.New("it has been here before")
			}
		}
		if seen[r] == 0 {
			m := table.Meta(r)
			m.UID = table.Sym("seen")
			seen[r] = table.Add(m)
		}
		return seen[r], nil
	}
	return Finished("a resync fails", &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "things", Profile: p, Table: table, Feed: records, Transform: transform, Resync: 2 * Second,
		Handlers: []informer.Handler{{Name: "h", Resync: 2 * Second}},
	}}}, nil)
}

// rareEvents returns a run of v0.37 whose streaming list has a deletion, and whose watch sends
// a version once more that the cache holds already.
func rareEvents(t *testing.T) Run {
	t.Helper()
	table := object.NewTable(nil)
	version := func(name, rv string) object.Ref {
		return table.Add(object.Meta{Name: table.Sym(name), RV: table.RV(rv)})
	}
	return Finished("rare events", &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "things", Profile: world.Current, Table: table, Handlers: []informer.Handler{{Name: "h"}},
		Feed: apiserver.Records{
			{Kind: apiserver.WatchOpen, Streaming: true},
			{Kind: apiserver.WatchEvent, Delta: event.Added, Obj: version("a", "1")},
			{Kind: apiserver.WatchEvent, Delta: event.Added, Obj: version("b", "2")},
			{Kind: apiserver.WatchEvent, Delta: event.Deleted, Obj: version("a", "3")},
			{Kind: apiserver.InitialEnd, RV: table.RV("3")},
			{Kind: apiserver.WatchEvent, Delta: event.Updated, Obj: version("b", "2"), Time: Second},
		},
	}}}, nil)
}

// stationKinds and notifyKinds are the calls of stations that are used alone. A new one is appended, since a seed
// stands for the place.
var (
	stationKinds = [...]world.CommandKind{
		world.QueueAdd, world.QueueUpdate, world.QueueDelete, world.QueueReplace, world.QueueResync, world.QueueClose, world.QueueUnknown,
		world.QueuePop, world.QueuePopFails, world.QueuePopErrs, world.QueueRetry, world.WorkAdd, world.WorkAddAfter, world.WorkAddRateLimited,
		world.WorkGet, world.WorkDone, world.WorkForget, world.WorkWait, world.WorkShutDown, world.WorkShutDownWithDrain,
		world.PauseWork, world.ResumeWork,
	}
	notifyKinds = [...]world.CommandKind{world.NotifyAdd, world.NotifyUpdate, world.NotifyDelete}
)

// byHand returns random calls on a queue and a workqueue that are used alone.
func byHand(t *testing.T, seed uint64, p world.Profile) Run {
	t.Helper()
	r := actor.Rand(seed)
	table := object.NewTable(nil)
	cfg := &world.Config{Seed: 1, Informers: []informer.Config{{Name: "things", Profile: p, Table: table, Feed: apiserver.Records{}}}}
	h, err := history.New(cfg, history.NewMemory(1))
	if err != nil {
		t.Fatal(err)
	}
	version := func(n int) object.Ref {
		return table.Add(object.Meta{Namespace: table.Sym("a"), Name: table.Sym(string(rune('a' + n))), RV: table.RV(strconv.FormatInt(h.Steps()+1, 10))})
	}
	for range 150 {
		c := world.Command{Kind: stationKinds[r.Intn(len(stationKinds))]}
		switch c.Kind {
		case world.QueueAdd, world.QueueUpdate, world.QueueDelete:
			c.Refs = []object.Ref{version(r.Intn(4))}
		case world.QueueReplace:
			for n := range r.Intn(4) {
				c.Refs = append(c.Refs, version(n))
			}
			c.N = h.Steps() + 1
		case world.QueueUnknown, world.QueueClose, world.WorkShutDown, world.WorkShutDownWithDrain:
			if r.Intn(20) > 0 {
				continue
			}
		case world.WorkAddAfter, world.WorkWait:
			c.N = int64(r.Intn(int(Second)))
		}
		if c.Kind >= world.WorkAdd {
			c.Object.Key = table.Key("a/" + string(rune('a'+r.Intn(3))))
		}
		h.Do(c)
	}
	return Run{"by hand " + p.Name + " seed " + strconv.FormatUint(seed, 10), cfg, h.Inputs(), h.Steps()}
}

// notified returns random calls of distribute on a processor that is used alone.
func notified(t *testing.T, seed uint64, p world.Profile) Run {
	t.Helper()
	r := actor.Rand(seed)
	table := object.NewTable(nil)
	cfg := &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "things", Profile: p, Table: table, Feed: apiserver.Records{},
		Handlers: []informer.Handler{{Name: "quick"}, {Name: "slow", Duration: int64(r.Intn(1000)), Workqueue: r.Intn(2) == 0}},
	}}}
	h, err := history.New(cfg, history.NewMemory(1))
	if err != nil {
		t.Fatal(err)
	}
	version := func() object.Ref {
		return table.Add(object.Meta{Namespace: table.Sym("a"), Name: table.Sym("x"), RV: table.RV(strconv.FormatInt(h.Steps()+1, 10))})
	}
	for range 60 {
		c := world.Command{Kind: notifyKinds[r.Intn(len(notifyKinds))], Refs: []object.Ref{version()}}
		if c.Kind == world.NotifyUpdate {
			c.Refs = append(c.Refs, version())
		}
		switch r.Intn(12) {
		case 0:
			c = world.Command{Kind: world.AddHandler, Handler: informer.Handler{Name: "another"}}
		case 1:
			c = world.Command{Kind: world.RemoveHandler, Listener: r.Intn(2)}
		}
		h.Do(c)
		h.Extend(int64(r.Intn(8)))
	}
	return Finished("notified "+p.Name+" seed "+strconv.FormatUint(seed, 10), cfg, h.Inputs())
}

// randomServer returns a simulated API server to which everything happens.
func randomServer(t *testing.T, seed uint64, p world.Profile) Run {
	t.Helper()
	r := actor.Rand(seed)
	table := object.NewTable(nil)
	p.Reflector.PageSize = int64(r.Intn(4))
	server := &apiserver.SimConfig{
		Table: table, Versions: apiserver.NewVersions(table), Revision: 1, Seed: r.Next(),
		Classic: r.Intn(3) == 0, Uncached: r.Intn(6) == 0, Buffer: 2 + r.Intn(20), CompactEvery: 300 * Second,
	}
	cfg := &world.Config{Seed: r.Next(), Informers: []informer.Config{{
		Name: "things", Profile: p, Table: table, Server: apiserver.NewSimulated(server), Resync: int64(r.Intn(2)) * 7 * Second, DetectMutations: r.Intn(3) == 0,
		Handlers: []informer.Handler{{Name: "quick"}, {Name: "slow", Duration: int64(r.Intn(int(Second / 30))), Resync: 3 * Second, Workqueue: true}},
		Indexers: []indexer.Named{{Name: "gold", Func: indexer.LabelIndexFunc(table.Sym("gold"))}},
		Workers:  1, WorkFails: func(k object.Key, n int) bool { return (int(k)+n)%3 == 0 },
		WritesBack: writesBack(r.Intn(2) == 0),
	}}}
	return anySchedule(t, "server "+p.Name+" seed "+strconv.FormatUint(seed, 10), cfg, &r, seed)
}

// writesBack makes a worker write a label to what it has read, once.
func writesBack(does bool) func(*object.Table, object.Ref) (object.Meta, bool) {
	if !does {
		return nil
	}
	return func(t *object.Table, o object.Ref) (object.Meta, bool) {
		m := t.Meta(o)
		seen := t.Sym("seen")
		if _, ok := t.LabelValue(m.Labels, seen); ok {
			return m, false
		}
		m.Labels = t.LabelSet([]object.Label{{Name: seen, Value: t.Sym("yes")}})
		return m, true
	}
}

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

// With -fresh, random runs are made of so many seeds, from -from on, instead of the seeds
// that are kept.
var (
	fresh = flag.Uint64("fresh", 0, "how many fresh seeds the random runs of each profile have")
	from  = flag.Uint64("from", 1, "the first fresh seed")
)

// Fresh reports whether random runs have other seeds than those that are kept. Nobody
// promises then that each sentence is said.
func Fresh() bool { return *fresh > 0 }

// seeds calls f with the first n seeds, or with the fresh ones.
func seeds(n uint64, f func(seed uint64)) {
	first := uint64(0)
	if Fresh() {
		first, n = *from, *fresh
	}
	world.RandomSeeds(first, n, f)
}

// Random calls f with the runs that are made for tests, most of them by chance.
func Random(t *testing.T, f func(Run)) {
	t.Helper()
	f(resyncFails(t))
	f(rareEvents(t))
	for _, p := range Profiles(t) {
		seeds(20, func(seed uint64) {
			f(randomRecords(t, seed, p))
			f(randomServer(t, seed, p))
			f(byHand(t, seed, p))
			f(notified(t, seed, p))
		})
		clusters := uint64(8)
		if p.Name == world.Current.Name {
			clusters = 24 // with gates set the other way
		}
		seeds(clusters, func(seed uint64) { f(cluster(t, seed, p)) })
		pods := func(seed uint64) Run {
			return scheduled(t, "replay/report/testdata/small-pods.trace.jsonl.gz", seed, p)
		}
		controller := func(seed uint64) Run {
			return scheduled(t, "wasm/picture/says/testdata/controller.trace.jsonl", seed, p)
		}
		seeds(4, func(seed uint64) {
			f(pods(seed))
			f(controller(seed))
			f(elected(t, seed, p))
			if p.Sharded {
				f(sharded(t, seed, p))
			}
		})
		// These have found something.
		switch p.Name {
		case world.Classic.Name:
			f(controller(47))   // a handler adds to a workqueue that is shut down
			f(controller(1051)) // Run is called again, and the recorded worker stops at that
			f(controller(1022)) // the watch of one of two controllers never begins
			f(pods(1096))       // the first of two controllers has popped its list after the other one
			f(randomServer(t, 1005, p))
			f(byHand(t, 20108, p)) // Replace merges a deletion while the queue has a tombstone of another key
		case world.Delta.Name:
			f(randomRecords(t, 5006, p)) // a resync fails while the watch breaks
		case world.Ordered.Name:
			f(cluster(t, 20064, p)) // a process loop returns last, while another informer's reflector goes on
		case world.Batched.Name:
			f(randomRecords(t, 1003, p))  // a list's end without a beginning
			f(randomRecords(t, 20098, p)) // the same, after a list that has failed
			f(randomRecords(t, 3009, p))
		}
	}
}

// scheduled returns a run of a recording with random steps. It reads the recording anew: what one
// run adds to a table, another one would find there.
func scheduled(t *testing.T, file string, seed uint64, p world.Profile) Run {
	t.Helper()
	var log worker.Log
	tr := openTrace(t, filepath.Join(top(t), file), &log)
	cfg := TraceConfig(tr, tr.Resources[0], p)
	cfg.Informers[0].Follow(feed.Controllers(tr, &log)[tr.Resources[0].Name()].Recording(tr.Resources[0].Table))
	r := actor.Rand(seed)
	return anySchedule(t, filepath.Base(file)+" "+p.Name+" seed "+strconv.FormatUint(seed, 10), cfg, &r, seed)
}
