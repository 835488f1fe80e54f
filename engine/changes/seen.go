package changes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

// Part is one thing that a program sees of its informers.
type Part uint8

const (
	Calls      Part = iota // the calls of each handler, in their order
	Synced                 // what HasSynced says, of the informer and of its handlers, and when
	Lister                 // what the cache and its indices hold during each call, and at the end
	Requests               // what the API server is asked for, and how long the reflector waits before that
	Errors                 // calls that are refused, objects that are lost, errors that WatchErrorHandler gets
	Stop                   // what Run does after the stop: whether it returns at once, and what is lost
	Locks                  // who waits for a lock
	Elections              // what each process asks of its Lease, and when it leads
	Reconciles             // the reconciles of each key
	Metrics                // when the informers export the resourceVersion of their stores

	NumParts = int(iota)
)

func (p Part) String() string {
	return [...]string{"calls", "synced", "lister", "requests", "errors", "stop", "locks", "elections", "reconciles", "metrics"}[p]
}

// Observation is what a program sees of a run: lines for each Part. Times are not in it, because
// two versions never take the same time. Back-offs are random, so only the interval is told
// from which each was drawn.
type Observation [NumParts][]string

// Differs returns the parts in which two runs differ.
func (s *Observation) Differs(t *Observation) []Part {
	var parts []Part
	for p := range s {
		if !slices.Equal(s[p], t[p]) {
			parts = append(parts, Part(p))
		}
	}
	return parts
}

// Play plays a script without its profile lines on a machine of a profile, and returns what a
// program sees. Failed is how many lines could not be played, such as a step of an actor that
// has nothing to do in this version. They are passed over.
func Play(text string, p world.Profile) (seen *Observation, failed int) {
	o, failed := observe(text, p)
	return o.observation(), failed
}

// observe does what Play does, and also keeps when each line was seen.
func observe(text string, p world.Profile) (o *observer, failed int) {
	o = &observer{}
	r := script.NewRunner(func(script.Entry) {})
	r.Limit(maxSteps, explore.Limits{})
	r.OnFacts(func(facts []string) { o.look(r.History().Front(), facts) })
	failed = r.PlayAs(text, p)
	if o.run = r.History(); o.run != nil {
		o.end(o.run.Front())
	}
	return o, failed
}

const (
	maxSteps   = 20_000
	shortDelay = 100_000_000 // nanoseconds
)

// observer gathers what a program sees of a run that goes on.
type observer struct {
	lines  [NumParts][]line
	calls  []int  // by informer
	synced []bool // what HasSynced said last, by informer
	reads  []reading
	export *metrics.Observer
	stored []bool // by informer: the resourceVersion of its store was exported
	stop   int64  // when the last stop was asked for
	step   int64  // at which the run is
	now    int64
	run    *history.History // nil where the script sets up none
}

// reading is the read of the Lease that a process waits for.
type reading struct{ pending, release bool }

// line is a line of a Part, which a goroutine of the program sees: there is no
// order between the lines of two goroutines.
type line struct {
	goroutine, text string
	step, now       int64 // when it was seen
}

func (l line) String() string { return l.goroutine + ": " + l.text }

func (o *observer) add(p Part, whose, text string) {
	o.lines[p] = append(o.lines[p], line{whose, text, o.step, o.now})
}

// look takes in the last step of w, whose facts are told in words.
func (o *observer) look(w *world.World, facts []string) {
	for len(o.calls) < len(w.Informers) {
		o.calls, o.synced = append(o.calls, 0), append(o.synced, false)
	}
	x := w.Informers[w.Last.Informer]
	o.step, o.now = w.Steps(), w.Now()
	name := x.Config().Name
	for i, e := range w.Log.Events {
		switch e.Kind {
		case event.HandlerCalled:
			o.calls[x.Index()]++
			handler := x.Config().Handlers[e.Handler()].Name
			o.add(Calls, name+"/"+handler, strings.TrimPrefix(facts[i], "HandlerCalled "+handler+" "))
			fn := [...]string{event.Added: "OnAdd", event.Updated: "OnUpdate", event.Deleted: "OnDelete"}[e.Delta]
			o.add(Lister, name+"/"+handler, fn+" "+x.Config().Table.KeyText(e.Key)+": "+cacheContents(x))
		case event.HandlerHasSynced:
			o.add(Synced, name+"/"+x.Config().Handlers[e.Handler()].Name, "the handler's HasSynced is true after "+o.number(x)+" calls")
		case event.ListRequested, event.WatchRequested, event.RequestRetried, event.RequestGaveUp, event.WatchListFellBack:
			o.add(Requests, name, facts[i])
		case event.BackoffStarted:
			o.add(Requests, name, "BackoffStarted "+interval(e.Duration()))
		case event.CallRefused, event.HandlerPanicked, event.ProcessFailed, event.WatchErrorHandled, event.ResyncGaveUp, event.ObjectMutated:
			o.add(Errors, name, facts[i])
		case event.ReconcileStarted:
			key := x.Config().Table.KeyText(e.Key)
			o.add(Reconciles, name+"/"+key, key+" is reconciled")
		case event.StopRequested:
			o.stop = w.Now()
		case event.ListenerStopped:
			o.add(Stop, name, facts[i])
		case event.InformerStopped:
			when := "at once"
			if w.Now()-o.stop > shortDelay {
				when = "later"
			}
			o.add(Stop, name, "Run returns "+when)
		case event.LockWaits:
			role := w.Set.Role(w.Last.Actor)
			o.add(Locks, name, role.Kind.String()+" waits for "+actor.LockID(e.Lock()).String()+", which "+w.Set.Role(actor.ID(e.Holder())).Kind.String()+" holds")
		}
	}
	o.elections(w)
	o.metrics(w)
	for i, x := range w.Informers {
		if now := x.HasSynced(); now != o.synced[i] {
			o.synced[i] = now
			o.add(Synced, x.Config().Name, "HasSynced is "+strconv.FormatBool(now)+", the cache holds "+strconv.Itoa(x.Indexer.Len())+", "+o.number(x)+" calls were made")
		}
	}
}

// elections takes in what processes that elect a leader have done in the last step.
func (o *observer) elections(w *world.World) {
	e := w.Election
	if e == nil {
		return
	}
	name := func(replica int) string { return w.Informers[replica*len(w.Informers)/len(e.Replicas)].Config().Name }
	process := name(w.Replica(int(w.Last.Informer)))
	for _, f := range w.Log.Events {
		switch f.Kind {
		case event.LeaseWritten:
			what := [...]string{event.Added: "takes the Lease", event.Updated: "renews the Lease", event.Deleted: "gives the Lease back"}[f.Delta]
			o.add(Elections, process, what)
		case event.LeaseRefused:
			o.add(Elections, process, "may not write to the Lease: it has changed")
		case event.LeadershipGained:
			o.add(Elections, process, "leads")
		case event.LeadershipLost:
			o.add(Elections, process, "leads no more")
		}
	}
	for i := range e.Replicas {
		if i == len(o.reads) {
			o.reads = append(o.reads, reading{})
		}
		r := &e.Replicas[i]
		now := reading{r.Reads(), r.Releasing()}
		if now.pending && now != o.reads[i] {
			o.add(Elections, name(i), "reads the Lease")
		}
		o.reads[i] = now
	}
}

// metrics takes in which informers export the resourceVersion of their stores since the last step.
func (o *observer) metrics(w *world.World) {
	if o.export == nil {
		o.export, o.stored = metrics.NewObserver(w), make([]bool, len(w.Informers))
	}
	o.export.Look(w)
	for i := range o.export.Informers {
		m := &o.export.Informers[i]
		if m.Store && !o.stored[i] {
			o.add(Metrics, w.Informers[i].Config().Name, metrics.StoreResourceVersion.Name+" is exported, first as "+strconv.FormatInt(m.StoreResourceVersion, 10))
		}
		o.stored[i] = m.Store
	}
}

func (o *observer) number(x *informer.Informer) string { return strconv.Itoa(o.calls[x.Index()]) }

func (o *observer) end(w *world.World) {
	for _, x := range w.Informers {
		o.add(Lister, x.Config().Name, "at the end: "+cacheContents(x))
	}
}

// observation puts together the lines of each goroutine.
func (o *observer) observation() *Observation {
	s := &Observation{}
	for p := range o.lines {
		for _, l := range o.sorted(Part(p)) {
			s[p] = append(s[p], l.String())
		}
	}
	return s
}

// sorted returns the lines of a part, with the lines of each goroutine together.
func (o *observer) sorted(p Part) []line {
	slices.SortStableFunc(o.lines[p], func(a, b line) int { return strings.Compare(a.goroutine, b.goroutine) })
	return o.lines[p]
}

// cacheContents returns what the cache of an informer holds, and what each of its indices finds in it.
func cacheContents(x *informer.Informer) string {
	t := x.Config().Table
	var b strings.Builder
	b.WriteByte('[')
	for i, o := range x.Indexer.List(nil) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.KeyText(t.KeyOf(o)) + "@" + t.RVText(t.RVOf(o)))
	}
	b.WriteByte(']')
	for i := range x.Indexer.Indices() {
		name := x.Indexer.IndexName(i)
		if name == indexer.NamespaceIndex {
			continue
		}
		for _, v := range x.Indexer.ListIndexFuncValues(name, nil) {
			keys, _ := x.Indexer.IndexKeys(name, t.Text(v), nil)
			b.WriteString(" " + name + "=" + t.Text(v) + "[")
			for j, k := range keys {
				if j > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(t.KeyText(k))
			}
			b.WriteByte(']')
		}
	}
	return b.String()
}

// interval returns the interval from which a back-off was drawn. The first is drawn from 0.8s to
// 1.6s, and each next one from an interval of twice the length. The last two overlap, and count as
// one.
func interval(ns int64) string {
	from := int64(800)
	for from < 25_600 && from*2_000_000 <= ns {
		from *= 2
	}
	return "of " + strconv.FormatInt(from, 10) + "ms or more"
}
