package findings

import (
	"cmp"
	"slices"
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Options say what a Pass looks at.
type Options struct {
	Resource string // only resources of this name, such as pods or "pods in shop"; "" for all
	// Bytes returns a part of the capture, or nil for what is not at hand. It may be nil; then no finding
	// names fields.
	Bytes func(offset int64, length int) []byte
	// Log has the lines that Trace.OtherLine was called with. It may be nil; then there are no findings about controllers.
	Log *worker.Log
	// MaxRetired is how many keys are counted by name after the Table has let them go; 0 is 65 536.
	MaxRetired int
}

// Pass looks for findings in a trace while it is read. It forgets nothing of the trace. Its memory is
// bounded by the objects that exist at one time, as an informer's is.
type Pass struct {
	o        Options
	trace    *trace.Trace
	readings []*reading          // by resource of the trace
	work     *controller.Reading // nil where Options.Log is
}

// NewPass returns a Pass over t, which may still be empty.
func NewPass(t *trace.Trace, o Options) *Pass {
	p := &Pass{o: o, trace: t}
	if o.Log != nil {
		p.work = controller.NewReading(t, o.Log, mostEvidence)
	}
	return p
}

// Add reads at most that many of the records that have come since the last call, and reports whether more are left. A caller that
// forgets records or calls of the trace must call Add before, until none is left.
func (p *Pass) Add(most int) (more bool) {
	for i := range p.trace.Resources {
		if most -= p.reading(i).add(most); most <= 0 {
			return true
		}
	}
	if p.work != nil {
		p.work.Add()
	}
	return false
}

// Forget lets the Log forget what was read. Add must have been called until nothing was left.
func (p *Pass) Forget() { p.work.Forget() }

// Resource returns what was counted of a resource, by its number in the trace.
func (p *Pass) Resource(i int) *Tally { return &p.reading(i).tally }

// Retire notes that the Table will give the number of a key of resource i to another key.
func (p *Pass) Retire(i int, k object.Key) {
	p.readings[i].retire(k)
	if p.work != nil {
		p.work.Retire(i, k)
	}
}

func (p *Pass) reading(i int) *reading {
	for len(p.readings) <= i {
		p.readings = append(p.readings, newReading(p, len(p.readings)))
	}
	return p.readings[i]
}

// Findings returns what was found so far: harm first, then in the order of Rules, then the most of it first. Of what is costly, a controller's comes
// first, since it is the cause of the rest.
func (p *Pass) Findings() (all []Finding) {
	works := p.works()
	for i, r := range Rules {
		from := len(all)
		for _, x := range p.readings {
			if r.new == nil {
				break
			}
			for _, f := range x.rules[i].find(x) {
				f.Resource, f.ResourceIndex = x.r.Name(), x.resource
				all = append(all, f)
			}
		}
		for j := range works {
			if r.find == nil {
				break
			}
			if f := r.find(&works[j]); f != nil {
				f.Controller = works[j].Name
				if x := p.ofCall("", "", f.Key); x != nil {
					f.Resource, f.ResourceIndex = x.r.Name(), x.resource
				}
				all = append(all, *f)
			}
		}
		for j := 0; r.fault != nil && p.o.Log != nil && j < len(p.o.Log.Faults); j++ {
			x := &p.o.Log.Faults[j]
			f := r.fault(p, x)
			if f == nil {
				continue
			}
			f.Key, f.Handler, f.Fn, f.From, f.To = x.Key, x.Name, x.Fn, Moment{Time: x.First}, Moment{Time: x.Last}
			f.Counts = []Count{{Name: "times", N: x.Times, AtLeast: p.lossy()}}
			if reading := p.ofCall(x.Name, "", x.Key); reading != nil {
				f.Resource, f.ResourceIndex = reading.r.Name(), reading.resource
			}
			all = append(all, *f)
		}
		for j := range all[from:] {
			f := &all[from+j]
			f.ID, f.Harm, f.Source = r.ID, r.Harm, Recorded
		}
		found := all[from:]
		sort.SliceStable(found, func(i, j int) bool {
			a, b := found[i].Counts, found[j].Counts
			return len(a) > 0 && len(b) > 0 && a[0].N > b[0].N
		})
	}
	rank := func(f *Finding) int {
		n := 2 * slices.Index(Harms, f.Harm)
		if f.Harm == Costly && f.Controller == "" {
			n++
		}
		return n
	}
	sort.SliceStable(all, func(i, j int) bool { return rank(&all[i]) < rank(&all[j]) })
	return all
}

// reading is what is known of one resource.
type reading struct {
	pass     *Pass
	resource int
	r        *trace.Resource
	skip     bool
	records  int   // records that were read
	calls    []int // by handler: calls that were read
	tally    Tally
	server   serverState
	watch    watch
	items    trace.Cursor
	rules    []rule // in the order of Rules, which begin with the rules about resources
}

func newReading(p *Pass, i int) *reading {
	r := p.trace.Resources[i]
	x := &reading{pass: p, resource: i, r: r, tally: Tally{r: r, keys: keyCounts{t: r.Table, max: cmp.Or(p.o.MaxRetired, maxRetired)}}}
	x.skip = !r.IsNamed(p.o.Resource)
	for _, r := range Rules {
		if r.new != nil {
			x.rules = append(x.rules, r.new())
		}
	}
	return x
}

// never is later than everything.
const never = 1<<63 - 1

// add reads at most so many records, and returns how many it has read. The calls between them are read, too.
func (x *reading) add(most int) (n int) {
	if x.skip {
		return 0
	}
	all := x.r.Forgotten + len(x.r.Records)
	for ; x.records < all && n < most; n++ {
		rec := &x.r.Records[x.records-x.r.Forgotten]
		if len(x.r.Handlers) > 0 {
			x.addCalls(rec.Time)
		}
		x.record(rec)
		x.records++
	}
	if x.records == all {
		x.addCalls(never)
	}
	return n
}

// addCalls reads the calls of handlers that have returned before a time.
func (x *reading) addCalls(until int64) {
	for i, h := range x.r.Handlers {
		if i == len(x.calls) {
			x.calls = append(x.calls, h.Forgotten)
			x.tally.Handlers = append(x.tally.Handlers, Timed{Name: h.Name})
		}
		for ; x.calls[i] < h.Forgotten+len(h.Calls); x.calls[i]++ {
			c := &h.Calls[x.calls[i]-h.Forgotten]
			if c.Time >= until {
				break
			}
			x.tally.Handlers[i].add(c)
			for _, r := range x.rules {
				r.call(x, h, c)
			}
		}
	}
}

func (x *reading) record(rec *trace.Record) {
	x.tally.add(rec)
	x.server.record(x.r.Table, rec)
	x.watch.record(rec)
	if why := x.watch.relist; why != "" && x.server.whole {
		x.tally.Relists++
		x.tally.Relisted = show(x.tally.Relisted, Evidence{Moment: x.now(rec), Reason: why})
	}
	for _, r := range x.rules {
		r.record(x, rec)
	}
}

func (x *reading) retire(k object.Key) {
	x.tally.keys.retire(k)
	x.server.retire(k)
	for _, r := range x.rules {
		r.retire(int(k))
	}
}

// stateOf returns the state of a rule.
func stateOf[R rule](x *reading) (state R) {
	for _, r := range x.rules {
		if s, ok := r.(R); ok {
			state = s
		}
	}
	return state
}

// now returns the moment of the record that is being read.
func (x *reading) now(rec *trace.Record) Moment { return Moment{rec.Time, x.records} }

// raw returns the JSON of a record's object, nil where that isn't at hand.
func (x *reading) raw(rec *trace.Record) []byte {
	if x.pass.o.Bytes == nil || rec.Obj == 0 {
		return nil
	}
	return x.items.Of(x.r.Table.Meta(rec.Obj).Source, x.pass.o.Bytes)
}

// isChange reports whether a record tells of a change of an object, and is no part of a streaming list.
func (x *reading) isChange(rec *trace.Record) bool {
	return rec.Kind == trace.WatchEvent && rec.Type < trace.TypeError && rec.Obj != 0 && !x.server.listing
}

// count returns a number that is exact unless the capture lacks something.
func (x *reading) count(name string, n int64) Count {
	return Count{Name: name, N: n, AtLeast: x.lossy()}
}

// lossy reports whether more may have happened than the capture has: then no count is exact.
func (x *reading) lossy() bool { return x.pass.lossy() }

func (p *Pass) lossy() bool {
	return p.trace.Header.Truncated || p.trace.Lost > 0 || p.leftOut()
}

// leftOut reports whether the recorder had no room for some of it.
func (p *Pass) leftOut() bool {
	return p.o.Log != nil && p.o.Log.LeftOut != trace.Omitted{}
}

// timed reports whether the times of the capture are true.
func (x *reading) timed() bool { return !x.pass.trace.NoTimes }

// watch is the last watch of a resource.
type watch struct {
	open     bool
	began    int64
	events   int64 // that came on it, bookmarks included
	failed   bool  // an ERROR event came on it
	ended    bool  // the record that is being read is its end
	canceled bool  // the client has ended it, although nothing was wrong
	lasted   int64
	endedAt  int64  // when it ended, or was refused
	reason   string // the Reason for a list that follows; "" while the watch is open
	relist   string // the record that is being read begins a list, for this Reason; "" for another record
}

// Reasons are why a client lists again. Those of engine/ask have the same names.
const (
	Expired        = "expired"        // the resourceVersion is too old: 410
	WatchError     = "watchError"     // another error came on the watch
	VeryShortWatch = "veryShortWatch" // a watch ended within a second, with nothing on it
	WatchRefused   = "watchRefused"   // the watch could not be opened
	WatchClosed    = "watchClosed"    // the watch ended
	Undecodable    = "undecodable"    // what came on the watch can't be decoded
)

// Reasons has all of them, for catalogues.
var Reasons = [...]string{Expired, WatchError, VeryShortWatch, WatchRefused, WatchClosed, Undecodable}

func (w *watch) record(rec *trace.Record) {
	w.ended, w.relist = false, ""
	switch rec.Kind {
	case trace.ListBegin:
		w.relist, w.reason = w.reason, ""
	case trace.WatchOpen:
		n := watch{open: true, began: rec.Time, endedAt: w.endedAt}
		if rec.Streaming {
			n.relist = w.reason
		}
		*w = n
	case trace.WatchError:
		w.open, w.reason, w.endedAt = false, WatchRefused, rec.Time
		if rec.Failure == trace.Expired || rec.Failure == trace.Gone {
			w.reason = Expired
		}
	case trace.WatchEvent, trace.WatchBookmark, trace.InitialEnd:
		w.events++
		if rec.Type == trace.TypeError {
			w.failed, w.reason = true, WatchError
			if rec.Failure == trace.Expired || rec.Failure == trace.Gone {
				w.reason = Expired
			}
		}
	case trace.WatchEnd:
		w.end(rec)
	}
}

func (w *watch) end(rec *trace.Record) {
	w.ended, w.open, w.endedAt = w.open, false, rec.Time
	w.lasted, w.canceled = rec.Time-w.began, rec.Canceled && !w.failed
	switch {
	case w.reason != "":
	case w.canceled && rec.Failure != trace.Undecodable: // the client has stopped this informer; another one makes the next list
	case rec.Failure == trace.Undecodable:
		w.reason = Undecodable
	case w.events == 0 && w.lasted < second:
		w.reason = VeryShortWatch
	default:
		w.reason = WatchClosed
	}
}

// serverState is what the server has told of the objects: those that exist, as far as a client can know.
type serverState struct {
	objects []standing // by key
	bytes   int64      // of those that exist
	number  int
	whole   bool // a list has come whole
	listing bool
	list    []item
	lists   uint32
	news    *news // what the record that is being read, the end of a list, has brought; nil for another record
}

// standing is the version of an object that was told last.
type standing struct {
	rv     object.RV
	time   int64
	size   int32
	list   uint32 // the last list that had it
	exists bool
}

type item struct {
	key  object.Key
	rv   object.RV
	size int32
}

// news is what a list has brought that no watch has told of.
type news struct {
	first                     bool // it is the first list
	items                     int
	bytes                     int64
	created, changed, deleted int64
}

func (t *serverState) record(table *object.Table, rec *trace.Record) {
	t.news = nil
	switch rec.Kind {
	case trace.ListBegin:
		t.listing, t.list = true, t.list[:0]
	case trace.WatchOpen:
		t.listing, t.list = rec.Streaming, t.list[:0]
	case trace.ListItem:
		t.list = append(t.list, itemOf(table, rec))
	case trace.ListEnd:
		if rec.Failure == trace.NoFailure {
			t.listed(rec.Time)
		}
	case trace.InitialEnd:
		if t.listing {
			t.listed(rec.Time)
		}
	case trace.ListError, trace.WatchEnd:
		t.listing = false
	case trace.WatchEvent:
		if rec.Obj == 0 || rec.Type >= trace.TypeError || rec.Failure == trace.OtherKind {
			return
		}
		i := itemOf(table, rec)
		switch {
		case t.listing && rec.Type == trace.TypeAdded:
			t.list = append(t.list, i)
		case rec.Type == trace.TypeDeleted:
			t.retire(i.key)
		default:
			t.put(i, rec.Time)
		}
	}
}

func itemOf(table *object.Table, rec *trace.Record) item {
	m := table.Meta(rec.Obj)
	return item{m.Key, m.RV, m.Source.Length}
}

func (t *serverState) put(i item, at int64) {
	t.objects = object.Grown(t.objects, i.key)
	o := &t.objects[i.key]
	if !o.exists {
		t.number++
	}
	t.bytes += int64(i.size - o.size)
	o.exists, o.rv, o.size, o.time = true, i.rv, i.size, at
}

// retire takes note that an object is gone.
func (t *serverState) retire(k object.Key) {
	if int(k) >= len(t.objects) || !t.objects[k].exists {
		return
	}
	t.number--
	t.bytes -= int64(t.objects[k].size)
	t.objects[k] = standing{}
}

// listed makes the list that has come whole the objects that exist.
func (t *serverState) listed(at int64) {
	n := &news{first: !t.whole, items: len(t.list)}
	t.lists++
	for _, i := range t.list {
		var was standing
		if int(i.key) < len(t.objects) {
			was = t.objects[i.key]
		}
		n.bytes += int64(i.size)
		since := at
		switch {
		case !was.exists:
			n.created++
		case was.rv != i.rv:
			n.changed++
		default:
			since = was.time
		}
		t.put(i, since)
		t.objects[i.key].list = t.lists
	}
	for k := range t.objects {
		if t.objects[k].exists && t.objects[k].list != t.lists {
			n.deleted++
			t.retire(object.Key(k))
		}
	}
	t.whole, t.listing, t.news = true, false, n
}
