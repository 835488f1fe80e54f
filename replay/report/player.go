package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
)

// player plays one resource to an informer while the capture is still being read,
// and forgets the records that it has played. Where two versions are compared, it
// plays the resource to an informer of each.
type player struct {
	feed *feed.Passing
	o    *Options

	handlers  []Handler
	machines  []*machine  // one, or the two that are compared
	comparers []*comparer // of handlers, with the recorded calls; nil where there is nothing to compare with
	against   *Contrast   // of the two machines; nil for one

	asked    []*ask.Eval
	recorded recorded
	tally    *findings.Tally
	asker    *asker // nil if nobody asks why
}

// newPlayer returns a player of resource i of a trace, whose first record must have been read. The pass has read
// all that is played.
func newPlayer(t *trace.Trace, i int, pass *findings.Pass, o *Options) (*player, error) {
	r := t.Resources[i]
	p := &player{o: o, handlers: o.handlers(r), recorded: recorded{r: r, lists: relisted{t: r.Table}, changes: changes{t: r.Table}}, tally: pass.Resource(i)}
	gone := func(k object.Key) { pass.Retire(i, k) }
	p.feed = &feed.Passing{Feed: feed.Feed{Trace: t, Resource: r, AnyKind: o.Recorded[r.Name()].Dynamic()}, Sweeper: trace.Sweeper{MinVersions: o.Forget, Keys: o.MaxKeys, Deleted: gone}}
	began := max(0, r.Records[0].Time-millisecond)
	cfg := o.informer(r, p.feed, began)
	for _, h := range p.handlers {
		var c *comparer
		if o.compares(r, h.Name) {
			c = newComparer(r, o, &p.recorded.lists, o.Recorded[r.Name()].Named(h.Name))
		}
		p.comparers = append(p.comparers, c)
	}
	for _, x := range o.Asked {
		p.asked = append(p.asked, x.Eval(0))
	}
	profiles := []informer.Profile{o.Profile}
	if o.Against != nil {
		profiles = append(profiles, *o.Against)
	}
	p.recorded.listed = Listed(r)
	for _, cfg.Profile = range profiles {
		cfg.Profile = o.asking(cfg.Profile, r)
		m, err := newMachine(cfg, began, &p.recorded.changes)
		if err != nil {
			return nil, err
		}
		if f := m.observed.report.Controller; f != nil {
			f.NotPlayed = o.Controllers[r.Name()].NotPlayed
		}
		p.machines = append(p.machines, m)
	}
	if o.Against != nil {
		p.against = NewContrast([2]*history.History{p.machines[0].h, p.machines[1].h}, [2][]int{{0}, {0}}, nil)
	}
	p.asker = newAsker(o.Chains, r, p.handlers, cfg.Recorded)
	return p, nil
}

// play plays what has been read.
func (p *player) play() error {
	p.recorded.readNew(p.addRecorded)
	for _, m := range p.machines {
		m.rests = false
	}
	for n := 0; ; n++ {
		if n%4096 == 0 {
			if err := p.o.Stopped(); err != nil {
				return err
			}
		}
		i := p.next()
		if i < 0 {
			break
		}
		m := p.machines[i]
		if m.ahead(p.feed) || !m.h.Step() {
			m.rests = true
			continue
		}
		m.observe()
		if p.o.Stepped != nil && i == 0 {
			if err := p.o.Stepped(p.feed.Resource, m.world); err != nil {
				return err
			}
		}
		if err := p.resyncs(m); err != nil {
			return err
		}
		if err := p.tellCalls(i); err != nil {
			return err
		}
		if i == 0 {
			if err := p.ask(m.world); err != nil {
				return err
			}
		}
	}
	played, reached := math.MaxInt, math.MaxInt
	for _, m := range p.machines {
		played, reached = min(played, m.played()), min(reached, m.stale.firstMissing)
	}
	p.feed.Forget(played)
	p.recorded.changes.forget(reached)
	p.feed.Sweep(p.asker.mark(func(live *object.Live) bool {
		for _, m := range p.machines {
			if !m.world.Informers[0].Mark(live) {
				return false
			}
		}
		return true
	}))
	return nil
}

// resyncs fails if the resync timer of m has fired too often.
func (p *player) resyncs(m *machine) error {
	if m.observed.resyncs <= p.o.MaxResyncs {
		return nil
	}
	return fault.New("manyResyncs resource max time", p.feed.Resource.Name(), p.o.MaxResyncs, Moment(m.world.Now()))
}

// ask makes what is asked about the first machine look at its last step.
func (p *player) ask(w *world.World) error {
	for i, e := range p.asked {
		if _, changed := e.Look(w); changed {
			if err := p.o.Answered(p.feed.Resource, i, w, e); err != nil {
				return err
			}
		}
	}
	return p.asker.observe(w)
}

// next returns the machine that makes the next step, or -1 if none can: the one whose clock
// is behind, so that two machines stay close to each other.
func (p *player) next() int {
	next := -1
	for i, m := range p.machines {
		if !m.rests && (next < 0 || m.world.Now() < p.machines[next].world.Now()) {
			next = i
		}
	}
	return next
}

// addRecorded compares a call of a recorded handler.
func (p *player) addRecorded(handler string, c *trace.Call) {
	if i := p.compared(handler); i >= 0 {
		p.comparers[i].recorded(c)
	}
}

// compared returns the number of the handler of that name, if its calls are compared with
// recorded ones, and -1 otherwise.
func (p *player) compared(name string) int {
	return slices.IndexFunc(p.handlers, func(h Handler) bool { return h.Name == name && p.o.compares(p.feed.Resource, name) })
}

// compare fills in how the recorded handlers compare when the capture has ended.
func (p *player) compare(recorded []RecordedHandler, end int64) {
	for i := range recorded {
		handler := &recorded[i]
		if j := p.compared(handler.Name); j >= 0 {
			if handler.Compared = p.comparers[j].finish(end); handler.Compared != nil {
				h := &p.handlers[j]
				handler.Compared.From, handler.Compared.Until, handler.Compared.Resync = h.From, h.Until, h.Resync
			}
		}
	}
}

// tellCalls compares the calls of a machine's last step, and passes the calls of the first
// machine to Called.
func (p *player) tellCalls(i int) error {
	if p.against != nil {
		p.against.Look(i)
	}
	if i > 0 {
		return nil
	}
	w := p.machines[i].world
	for j := range w.Log.Events {
		e := &w.Log.Events[j]
		if e.Kind != event.HandlerCalled {
			continue
		}
		if c := p.comparers[e.Handler()]; c != nil {
			c.played(e, w.Now())
		}
		if p.o.Called == nil {
			continue
		}
		if err := p.o.Called(p.feed.Resource, callOf(p.feed.Resource, p.handlers[e.Handler()].Name, e, w.Now())); err != nil {
			return err
		}
	}
	return nil
}

// report returns what is known of the resource.
func (p *player) report() Resource {
	r := p.recorded.report(p.tally, p.feed.Trace.NoTimes)
	r.Informer = p.machines[0].report(p.handlers)
	p.compare(r.Handlers, r.Last)
	p.machines[0].converts(p, &r.Informer)
	if len(p.machines) > 1 {
		r.Against = &SecondVersion{Informer: p.machines[1].report(p.handlers), Handlers: p.against.Handlers(), Costs: p.against.Costs()}
		p.machines[1].converts(p, &r.Against.Informer)
	}
	return r
}

// machine is an informer that plays a resource, with what is observed of it.
type machine struct {
	h        *history.History
	world    *world.World
	rests    bool // until more of the capture has been read
	observed observed
	stale    *stale
}

func newMachine(cfg informer.Config, began int64, c *changes) (*machine, error) {
	h, err := history.NewPassing(&world.Config{Seed: 1, Start: began, Informers: []informer.Config{cfg}})
	if err != nil {
		return nil, err
	}
	m := &machine{h: h, world: h.Front(), stale: newStale(c, len(cfg.Handlers))}
	m.observed.init(cfg.Handlers, cfg.Recorded)
	return m, nil
}

// ahead reports whether the next step comes later than the part of the capture
// that has been read. It isn't known yet what the capture has at that time.
func (m *machine) ahead(f *feed.Passing) bool {
	now := f.Now()
	if f.Complete() || now == 0 {
		return false
	}
	id, ok := m.world.Next()
	return ok && m.world.Set.ReadyAt(id) > now
}

// observe takes in what the last step did.
func (m *machine) observe() {
	m.observed.observe(m.world)
	m.stale.observe(m.world)
}

// played returns how many records of the capture have been played.
func (m *machine) played() int { return m.world.Informers[0].Server.View(0, 0).Played }

// converts notes how many lists of what was recorded are played as lists of another kind.
func (m *machine) converts(p *player, out *Informer) {
	streaming := m.world.Informers[0].Config().Profile.Reflector.StreamingList
	if streaming && p.recorded.listed {
		out.AsStreaming = p.tally.Requests.Lists
	}
	if !streaming {
		out.AsOrdinary = p.tally.Streamed
	}
}

// report returns what the informer did. The handlers come in the order of asked.
func (m *machine) report(asked []Handler) Informer {
	out := m.observed.finish(m.world, asked)
	m.stale.measure(m.world.Informers[0], m.world.Now(), m.world.Steps())
	out.Reflector, out.Store = m.stale.stations[0].out, m.stale.stations[1].out
	for i := range out.Listeners {
		j := slices.IndexFunc(m.observed.handlers, func(l Listener) bool { return l.Name == out.Listeners[i].Name })
		out.Listeners[i].Stale = m.stale.stations[2+j].out
	}
	return out
}

// asker follows the key of a ChainsOf through one resource.
type asker struct {
	*ChainsOf
	resource *trace.Resource
	handlers []Handler
	recorded *informer.Recording
	t        *cause.Tracker
}

func newAsker(w *ChainsOf, r *trace.Resource, handlers []Handler, recorded *informer.Recording) *asker {
	if w == nil {
		return nil
	}
	return &asker{w, r, handlers, recorded, cause.New(0, r.Table.Key(w.Key))}
}

// observe takes in a step.
func (a *asker) observe(w *world.World) error {
	if a == nil {
		return nil
	}
	a.t.Look(w)
	return a.flush(false)
}

// flush passes on the chains from which nothing more comes, or all of them.
func (a *asker) flush(rest bool) error {
	for _, n := range a.t.Roots(rest) {
		if n.Key != a.t.Key() { // it stands for a whole list
			continue
		}
		if err := a.Chain(&Chain{a.resource, a.handlers, a.recorded, n}); err != nil {
			return err
		}
	}
	return nil
}

// mark keeps the key in the Table.
func (a *asker) mark(x func(*object.Live) bool) func(*object.Live) bool {
	if a == nil {
		return x
	}
	return func(live *object.Live) bool {
		live.Key(a.t.Key())
		return x(live)
	}
}

// callOf returns a call of the engine for a Report.
func callOf(r *trace.Resource, handler string, e *event.Event, now int64) Call {
	m := matcher{t: r.Table, initial: true}
	c := m.call(m.engineCall(r.Table, e, now, 0))
	c.Handler = handler
	return *c
}

// recorded is what playing one resource needs to know of its records and calls, so that they
// need not be kept.
type recorded struct {
	r       *trace.Resource
	seen    int // how many records were counted
	lists   relisted
	changes changes
	listed  bool // see Listed
}

// readNew counts the records that were read since the last time, passes the recorded
// calls of handlers to told, and removes them from the trace.
func (s *recorded) readNew(f func(handler string, c *trace.Call)) {
	for ; s.seen < s.r.Forgotten+len(s.r.Records); s.seen++ {
		rec := &s.r.Records[s.seen-s.r.Forgotten]
		s.lists.addRecord(rec)
		s.changes.addRecord(rec)
	}
	for _, h := range s.r.Handlers {
		for i := range h.Calls {
			f(h.Name, &h.Calls[i])
		}
		h.Forget()
	}
}

// report returns the recorded part of a Resource. madeUp says that the capture has
// no times.
func (s *recorded) report(t *findings.Tally, madeUp bool) Resource {
	keys, atMost := t.Keys()
	out := Resource{
		Name: s.r.Name(), Group: s.r.Group, Version: s.r.Version, Resource: s.r.Resource, Kind: s.r.Kind,
		First: t.First, Last: t.Last, Bytes: t.Bytes, Events: t.Events, Requests: t.Requests,
		Rate: t.Rate(madeUp), Keys: keys, KeysAtMost: atMost, Hottest: t.Hottest(),
	}
	for _, h := range t.Handlers {
		out.Handlers = append(out.Handlers, RecordedHandler{Name: h.Name, Calls: h.Calls, Total: h.Total, Longest: h.Longest, LongestAt: h.Time})
	}
	if !madeUp {
		out.Gap = t.Gap()
	}
	return out
}

// Options say how a capture is played. The zero value of a limit is its default.
type Options struct {
	Profile  world.Profile
	Against  *world.Profile // plays as well, and its calls are compared with Profile's; nil for none
	Resync   int64          // the informer's resync period in nanoseconds; 0 for the longest that a handler asks for
	Handlers []Handler      // with different names; none for those in Recorded, or where nothing of the process was recorded, DefaultHandler
	// Recorded is what was found out about the recorded handlers of each resource, by its
	// Name: see Scan. Unless Against is set, their calls are compared with the calls of the
	// handlers that play under their names. A call of a handler that plays under such a
	// name takes as long as it was recorded to take, unless its Duration is set.
	Recorded map[string]*InferredHandlers
	// Controllers are the recorded controllers, by the Name of the resource that each is of. What
	// they did is played as it was, unless a handler feeds the engine's workqueue.
	Controllers map[string]*feed.Controller
	// Streaming plays ordinary lists as streaming ones where the version asks for these. By
	// default a resource that was listed is listed.
	Streaming bool
	Bytes     func(offset int64, length int) []byte // as findings.Options take it; nil for none
	Resource  string                                // play only resources of this name, such as pods or "pods in shop"; "" for all

	// Called gets every call of every handler. The calls of one resource come in
	// the order of their virtual time. An error ends the playing. Called may be
	// nil.
	Called func(*trace.Resource, Call) error
	// Asked are expressions. Answered gets each change of one: the resource, which of
	// the expressions it is, the world after the step, and the Eval, which has the new
	// value. An error ends the playing.
	Asked    []*ask.Expr
	Answered func(r *trace.Resource, i int, w *world.World, e *ask.Eval) error
	// WorkTime is how long each reconcile takes, in nanoseconds, of the one worker that
	// there is if a handler feeds the workqueue.
	WorkTime int64
	// Chains asks for the chains of a key; nil asks for none.
	Chains *ChainsOf
	// Stepped is called after each step of the informer that plays a resource, whose log
	// still holds what the step did. An error ends the playing. Stepped may be nil.
	Stepped func(*trace.Resource, *world.World) error
	// Stopped is called now and then, and its error ends the playing. It may be
	// nil. The method Err of a context fits.
	Stopped func() error

	MaxResyncs   int64 // how often the resync timer of one resource may fire; MaxResyncs
	MaxResources int   // how many resources may be played; MaxResources
	MaxKeys      int   // how many keys of a resource are counted in its Table; 131 072
	MaxRetired   int   // how many keys are counted by name after its Table has let them go: see findings.Options
	Forget       int   // the fewest records that are forgotten at once: see feed.Passing
}

// The limits, where Options give no others.
const (
	// MaxResyncs is what a timer that fires twice a minute comes to in a year. A
	// longer recording most likely has a wrong time in it, and playing it would
	// take for ever.
	MaxResyncs = 1_000_000
	// MaxResources is a few times as many as a cluster has. Each takes an informer.
	MaxResources = 1000
)

func (o Options) withDefaults() Options {
	o.MaxResyncs = cmp.Or(max(o.MaxResyncs, 0), MaxResyncs)
	o.MaxResources = cmp.Or(max(o.MaxResources, 0), MaxResources)
	o.MaxKeys = cmp.Or(max(o.MaxKeys, 0), maxKeys)
	if o.Stopped == nil {
		o.Stopped = func() error { return nil }
	}
	return o
}

// handlers returns the handlers that play a resource.
func (o *Options) handlers(r *trace.Resource) []Handler {
	found := o.Recorded[r.Name()]
	switch {
	case len(o.Handlers) > 0:
		all := slices.Clone(o.Handlers)
		for i := range all {
			if h := found.Named(all[i].Name); h != nil && all[i].Duration == 0 {
				all[i].DurationOf = h.durations.estimate
			}
		}
		return all
	case found == nil && len(o.Recorded)+len(o.Controllers) > 0:
		return nil // something of the process was recorded, and no handler of this resource
	case found == nil:
		return []Handler{{Name: DefaultHandler}}
	}
	var all []Handler
	for i := range found.Handlers {
		all = append(all, found.Handlers[i].Handler(o.Profile))
	}
	return all
}

// compares reports whether the calls of a resource's handler are compared with
// recorded ones. Where a recording begins later than the informer, nobody knows which calls had come
// before, and where two informers' handlers have one name, which calls are whose.
func (o *Options) compares(r *trace.Resource, handler string) bool {
	found := o.Recorded[r.Name()].Named(handler)
	return o.Against == nil && !r.Base && found != nil && !found.Shared
}

// DefaultHandler is the name of the only handler where none is named and nothing of the process was recorded.
const DefaultHandler = "simulated"

// Config returns the process that a feed of a resource is played to: an informer with the
// handlers that o says. The informer starts a little before the resource's first record.
func (o Options) Config(r *trace.Resource, f apiserver.Feed) *world.Config {
	began := max(0, f.At(0).Time-millisecond)
	return &world.Config{Seed: 1, Start: began, Informers: []informer.Config{o.informer(r, f, began)}}
}

// Listed reports whether the first request for a resource was for an ordinary list. The
// resource must not have forgotten its first record.
func Listed(r *trace.Resource) bool {
	if r.Forgotten > 0 || len(r.Records) == 0 {
		return false
	}
	switch r.Records[0].Kind {
	case trace.ListBegin, trace.ListItem, trace.ListEnd, trace.ListError:
		return true
	}
	return false
}

// Asking returns a profile that asks for a resource's first state as the recorded client did:
// without streaming lists where that client listed. Otherwise the items of a list that was
// recorded would be told as watch events that nobody sent.
func Asking(p world.Profile, r *trace.Resource) world.Profile {
	if Listed(r) {
		p.Reflector.StreamingList = false
	}
	return p
}

// asking returns the profile that plays a resource in place of p.
func (o *Options) asking(p world.Profile, r *trace.Resource) world.Profile {
	if o.Streaming {
		return p
	}
	return Asking(p, r)
}

// informer returns the informer that plays a resource from the time began on.
func (o *Options) informer(r *trace.Resource, f apiserver.Feed, began int64) informer.Config {
	cfg := informer.Config{Name: r.Name(), Profile: o.asking(o.Profile, r), Table: r.Table, Feed: f, Resync: o.Resync}
	for _, h := range o.handlers(r) {
		if o.Resync == 0 {
			cfg.Resync = max(cfg.Resync, h.Resync)
		}
		if h.From <= began { // it is added when the recording begins
			h.From = 0
		}
		if h.Workqueue {
			cfg.Workers, cfg.WorkTime = 1, o.WorkTime
		}
		cfg.Handlers = append(cfg.Handlers, h)
	}
	if cfg.Workers == 0 {
		cfg.Follow(o.Controllers[r.Name()].Recording(r.Table))
	}
	if found := o.Recorded[r.Name()]; found != nil && found.Resync > 0 && o.Resync == 0 && len(o.Handlers) == 0 {
		cfg.Resync = found.Resync
	}
	return cfg
}

// maxKeys is how many keys a resource's Table holds before it lets go of those that the engine
// doesn't refer to.
const maxKeys = 1 << 17

// ChainsOf asks for the chains of one key.
type ChainsOf struct {
	Key string
	// Chain gets what a chain begins with, when nothing more comes of it or when the
	// capture has ended, in the order in which the chains of a resource begin. An error
	// ends the playing.
	Chain func(*Chain) error
}

// Chain is what a ChainsOf gets: what a chain begins with, and whose it is.
type Chain struct {
	Resource *trace.Resource
	Handlers []Handler // by the number of the listener
	// Recording is the recorded controller that is played; nil for none.
	Recording *informer.Recording
	Begins    *cause.Node
}
