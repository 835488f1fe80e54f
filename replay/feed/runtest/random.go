package runtest

import (
	"errors"
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
