package controller

import (
	"cmp"
	"slices"
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Reading sums up the controllers of a recording while that is read. Call Add again and again.
type Reading struct {
	trace    *trace.Trace
	log      *worker.Log
	rows     int
	next     int // of the Log's Steps
	arrivals arrivals
	works    map[string]*work
	runs     map[int64]*run  // by id: the reconciles under way, and the last ones of each key
	open     []*run          // under way
	writes   map[int64]*sent // under way, by id
	keys     int             // keys that are remembered
	unowned  int64           // see Report
	lost     []*lost         // creates without an answer, whose objects aren't known
	coming   []*sent         // accepted writes that have not come back
	aside    []*sent         // and writes of resources that nobody watches so far
	watched  int             // see arrivals, when aside was looked at last
	origins  origins
	tables   tables // nil for rules
}

// mostKept bounds what is remembered of each kind, where memory is bounded.
const mostKept = 1 << 14

// NewReading returns a Reading of t and of what log is told of it. Both may still be empty. It keeps so many rows of what rules look at, in
// bounded memory, and counts all.
func NewReading(t *trace.Trace, log *worker.Log, rows int) *Reading {
	return &Reading{
		trace: t, log: log, rows: rows, works: map[string]*work{}, runs: map[int64]*run{}, writes: map[int64]*sent{},
		arrivals: arrivals{bounded: rows > 0, bases: map[string]map[string]*additions{}, claimed: map[string]bool{}},
	}
}

// Add takes in what was read since the last call. Whoever forgets records of the trace, or lets the Log forget, must have called it.
func (r *Reading) Add() {
	keys := map[int64]string{} // of reconciles that begin now
	for _, s := range r.log.Steps[r.next:] {
		switch s.Kind {
		case worker.Began:
			x := &r.log.Reconciles[s.I]
			keys[x.ID] = x.Key
		case worker.Sent:
			w := &r.log.Writes[s.I]
			r.arrivals.awaits(w)
			key := keys[w.In]
			if x := r.runs[w.In]; x != nil {
				key = x.Key
			}
			r.arrivals.deletes.sends(w, cmp.Or(key, w.Key()))
		}
	}
	r.arrivals.add(r.trace, r.log.Worked)
	r.matchEchoes()
	for _, s := range r.log.Steps[r.next:] {
		switch s.Kind {
		case worker.Began:
			r.beginReconcile(&r.log.Reconciles[s.I])
		case worker.Ended:
			r.endReconcile(&r.log.Reconciles[s.I])
		case worker.Sent:
			r.sent(&r.log.Writes[s.I])
		case worker.Answered:
			r.answered(&r.log.Writes[s.I])
		case worker.Called:
			r.called(&r.log.Queued[s.I])
		case worker.Read:
			r.saw(&r.log.Saws[s.I])
		}
	}
	r.next = len(r.log.Steps)
	r.resolve(false)
	r.origins.look(r)
	if r.rows > 0 {
		r.arrivals.deletes.forget()
	}
}

// Forget lets the Log forget what was taken in.
func (r *Reading) Forget() {
	r.log.Forget()
	r.next = 0
}

// Retire takes note that the number of a key of a resource will be given to another one.
func (r *Reading) Retire(resource int, k object.Key) { r.arrivals.retire(resource, k) }

// work is what is known of a controller.
type work struct {
	c        Controller
	keys     map[string]*ofKey
	workers  []*run // the last one of each
	stale    []*StaleReconcile
	twice    []*duplicate
	stales   int64
	harmful  often  // stale reconciles that have written, or tried to
	stalest  string // key of the last of them
	panicked []Panic
	woken    int64    // reconciles that own writes have woken
	served   []served // the last Gets
	starved  []Starved
	starves  int64 // keys that were starved by the time of their Gets
	slow     slowness
	written  map[string]*ofResource // by Target
	shut     bool                   // the workqueue
	ready    int                    // keys that a worker could take
	taken    int64                  // when the last one was taken, or the first one came
}

// ofKey is what is known of a key of a controller.
type ofKey struct {
	name      string
	last      *run
	coming    []*Echo         // what its reconciles have written, and the informer hasn't got as far as was looked
	calls     []worker.Queued // that put it off, or say for how long, since the last reconcile began
	since     int64           // it is waiting to be got since then
	waits     bool
	done      int64 // when the worker called Done
	turns     turns
	adds      []*origin // since the last Get
	timer     timer
	failing   *Failing // nil where its last reconcile hasn't failed
	minute    minuteOf
	hot       Hot
	refusals  often
	conflicts Conflicts
	repeats   bool  // it has asked for a name that there was already, so the names are made of something that it reads
	loops     often // reconciles that own writes alone have woken, and that have written
	wrote     string
}

// run is a reconcile.
type run struct {
	worker.Reconcile
	work    *work
	key     *ofKey
	changed *Echo    // the last write of it that was accepted
	created []string // the resources in which it has created an object, or tried to
	lost    int64    // when its last create or delete was sent that has no answer
	unseen  []*Echo  // that were to come when it began
	arrived []*Echo  // that had come since the reconcile before it
	used    []bool   // each of unseen excuses one create
	stale   *StaleReconcile
	behind  SlowReconcile // what has waited for it
	asked   []*sent       // creates and deletes that were answered
}

// sent is a write under way, or on its way back.
type sent struct {
	worker.Write
	run     *run
	guessed bool
	echo    *Echo
}

// lost is a create whose answer was lost.
type lost struct {
	*sent
	base *additions
}

func (r *Reading) work(name string) *work {
	w := r.works[name]
	if w == nil {
		w = &work{c: Controller{Name: name}, keys: map[string]*ofKey{}}
		r.works[name] = w
	}
	return w
}

func (r *Reading) key(w *work, name string) *ofKey {
	k := w.keys[name]
	if k != nil {
		return k
	}
	if r.rows > 0 && r.keys >= mostKept {
		r.forgetKeys()
	}
	k = &ofKey{name: name}
	w.keys[name] = k
	r.keys++
	return k
}

// forgetKeys forgets the keys that have nothing to do with what comes: or all, if that isn't enough.
func (r *Reading) forgetKeys() {
	for _, all := range []bool{false, true} {
		for _, w := range r.works {
			for name, k := range w.keys {
				if all || !k.waits && k.turns == (turns{}) && len(k.coming) == 0 && k.failing == nil && k.hot.Reconciles < mostKept>>8 && k.conflicts.Times == 0 && k.loops.busiest.Times == 0 && (k.last == nil || k.last.Ended != 0) {
					if delete(w.keys, name); k.ready() {
						w.ready--
					}
					if k.last != nil {
						delete(r.runs, k.last.ID)
					}
					r.keys--
				}
			}
		}
		if r.keys < mostKept/2 {
			return
		}
	}
	r.open = nil
}

func (r *Reading) beginReconcile(l *worker.Reconcile) {
	if l.Controller == "" {
		return
	}
	w := r.work(l.Controller)
	k := r.key(w, l.Key)
	x := &run{Reconcile: *l, work: w, key: k}
	x.Ended, x.Finished = 0, trace.Finished{}
	if r.rows == 0 {
		w.c.Keys = len(w.keys)
	}
	w.c.Reconciles.Count++
	w.c.Reconciles.Open++
	if k.last != nil {
		if r.tables != nil {
			r.tables.addPutOff(w, k, x.Began)
		}
		if k.last.Ended == 0 && len(r.open) >= mostKept>>4 {
			r.close(k.last) // its end was left out
		}
		if r.rows > 0 {
			delete(r.runs, k.last.ID)
		}
	}
	k.countReconcile(x, w.c.Queue != nil)
	x.begin(r.rows)
	if r.tables != nil {
		r.tables.addRun(x)
	}
	k.last, k.calls = x, nil
	r.origins.began(x)
	if x.Worker > 0 && x.Worker <= mostKept {
		for len(w.workers) < x.Worker {
			w.workers = append(w.workers, nil)
		}
		w.workers[x.Worker-1] = x
	}
	r.runs[x.ID] = x
	r.open = append(r.open, x)
}

func (r *Reading) close(x *run) {
	if i := slices.Index(r.open, x); i >= 0 {
		r.open = slices.Delete(r.open, i, i+1)
	}
}

func (r *Reading) endReconcile(l *worker.Reconcile) {
	x := r.runs[l.ID]
	if l.Controller == "" || x == nil || x.Ended != 0 {
		return
	}
	x.Ended, x.Finished = l.Ended, l.Finished
	r.close(x)
	x.work.c.Reconciles.end(&x.Reconcile)
	for _, s := range x.asked {
		if x.Result != trace.ResultError && x.Result != trace.ResultTerminal && x.Result != trace.ResultPanic {
			x.work.asked(s, r.rows > 0)
		}
	}
	x.asked = nil
	x.key.failed(x)
	x.work.slow.end(x)
	if x.stale != nil {
		if x.stale.setEnd(x); x.stale.Wrote > 0 || len(x.stale.Refused) > 0 {
			if x.work.harmful.add(x.Began) {
				x.work.stalest = x.Key
			}
		}
	}
	if x.Result == trace.ResultPanic {
		x.work.panicked = appendUpTo(x.work.panicked, r.rows, Panic{x.Key, x.Ended})
	}
}

// appendUpTo adds a row, as far as rows are kept.
func appendUpTo[T any](all []T, rows int, row T) []T {
	if rows > 0 && len(all) >= rows {
		return all
	}
	return append(all, row)
}

// sent gives a write to the reconcile that has sent it. One that was sent without the context of its reconcile belongs to the only one
// under way, or else to the only one for the object's key.
func (r *Reading) sent(l *worker.Write) {
	s := &sent{Write: *l}
	s.Answered, s.Answer = 0, trace.WriteResult{}
	s.run = r.runs[l.In]
	if l.In == 0 {
		s.run, s.guessed = nil, true
		if !l.ByClientGo() {
			s.run = r.owner(l.Key())
		}
	}
	if s.run == nil {
		r.unowned++
	} else {
		s.run.work.c.Writes.Unanswered++
		if s.Verb == "create" && s.Subresource == "" && !slices.Contains(s.run.created, s.Target()) {
			s.run.created = append(s.run.created, s.Target())
		}
		if s.guessed {
			s.run.work.c.Writes.Guessed++
		}
	}
	r.writes[l.ID] = s
}

func (r *Reading) owner(key string) (owner *run) {
	if len(r.open) == 1 {
		return r.open[0]
	}
	for _, x := range r.open {
		if x.Key == key {
			if owner != nil {
				return nil
			}
			owner = x
		}
	}
	return owner
}

func (r *Reading) answered(l *worker.Write) {
	s := r.writes[l.ID]
	if s == nil {
		return
	}
	delete(r.writes, l.ID)
	s.Answered, s.Answer = l.Answered, l.Answer
	r.arrivals.answered(&s.Write)
	x := s.run
	if x == nil {
		return
	}
	c := &x.work.c.Writes
	if x.stale != nil {
		x.stale.answered(&s.Write)
	}
	if s.DryRun || s.Answer.Status != 0 {
		c.Unanswered--
	}
	if s.Answer.Status != 0 && !s.DryRun {
		x.asked = appendUpTo(x.asked, 256, s)
	}
	switch {
	case s.DryRun:
		c.DryRun++
	case s.Answer.Status == 0:
		if s.Verb == "create" || s.Verb == "delete" {
			x.lost = s.Sent
		}
		if base := r.arrivals.base(&s.Write); base != nil {
			s.echo = x.echoOf(&s.Write)
			s.echo.lost, s.echo.Object = true, ""
			x.key.addEcho(s.echo)
			r.lost = appendUpTo(r.lost, r.rows<<8, &lost{s, base})
		}
	case !s.Changed():
		c.Refused = count(c.Refused, refusal(&s.Write))
		x.key.repeats = x.key.repeats || s.Verb == "create" && s.Answer.Reason == "AlreadyExists"
		x.key.refused(s)
	default:
		c.Accepted++
		r.arrivals.deletes.accepted(s)
		seen, _ := r.arrivals.arrivalOf(&s.Write)
		x.work.wrote(s, seen != 0 && seen < s.Sent, r.rows > 0)
		if s.Written.RV != "" && s.Written.RV == s.Answer.RV && s.Verb != "delete" {
			c.NoChange++
			return
		}
		r.accepted(s)
	}
}

// accepted takes in a write that the API server has carried out.
func (r *Reading) accepted(s *sent) {
	x, c := s.run, &s.run.work.c.Writes
	seen, ok := r.arrivals.arrivalOf(&s.Write)
	switch {
	case !ok:
		c.Unwatched++
		r.aside = appendUpTo(r.aside, r.rows<<8, s)
		return
	case seen != 0 && seen < s.Sent: // such as a patch that changed nothing
		c.NoChange++
		return
	}
	s.echo = x.echoOf(&s.Write)
	s.echo.setSeen(seen)
	x.changed = s.echo
	r.origins.accepted(s)
	if r.tables != nil {
		r.tables.addEcho(x.work, s.echo)
	}
	x.key.addEcho(s.echo)
	x.addDuplicates(s.echo)
	if seen == 0 {
		r.coming = appendUpTo(r.coming, r.rows<<8, s)
	}
}

// matchEchoes looks which writes have come back.
func (r *Reading) matchEchoes() {
	if n := r.arrivals.watched; n != r.watched {
		r.watched = n
		all := r.aside
		r.aside = nil
		for _, s := range all {
			s.run.work.c.Writes.Unwatched--
			r.accepted(s)
		}
	}
	r.coming = slices.DeleteFunc(r.coming, func(s *sent) bool {
		seen, _ := r.arrivals.arrivalOf(&s.Write)
		s.echo.setSeen(seen)
		return seen != 0
	})
}

// resolve finds the objects of creates whose answers were lost. Where another create of such a name is under way, its answer is waited for.
func (r *Reading) resolve(last bool) {
	if len(r.lost) == 0 {
		return
	}
	under := map[*additions]bool{}
	for _, s := range r.writes {
		if base := r.arrivals.base(&s.Write); base != nil && !last {
			under[base] = true
		}
	}
	r.lost = slices.DeleteFunc(r.lost, func(l *lost) bool {
		if under[l.base] {
			return false
		}
		key, seen := r.arrivals.created(&l.Write, l.base)
		if key == "" {
			return false
		}
		l.echo.Object = key
		l.echo.setSeen(seen)
		l.run.addDuplicates(l.echo)
		return true
	})
}

func (r *Reading) called(q *worker.Queued) {
	w := r.works[q.Queue]
	if w == nil { // a workqueue may be called long before its first reconcile
		w = r.work(q.Queue)
	}
	r.queued(w, q)
}

// Report returns what is known by now. Without rows, it has the tables as well.
func (r *Reading) Report() *Report {
	l := &r.log.LeftOut
	out := &Report{LeftOut: l.Work+l.Reconciles+l.Writes+l.Requests > 0, Unowned: r.unowned, ended: r.trace.Now}
	for _, w := range r.works {
		c := w.c
		if *l == (trace.Omitted{}) {
			w.turnsBy(r.trace.Now, &c, r.rows)
			w.slow.rowsBy(&c, r.rows)
		} else {
			c.Held, c.Unserved = nil, nil
		}
		if c.Reconciles.Count == 0 && c.Unserved == nil {
			continue
		}
		c.Duplicates, c.Panicked, c.Workers, c.Stales = w.duplicates(), w.panicked, len(w.workers), w.stales
		c.Harmful, c.Woken = Harmful{w.stalest, w.harmful.busiest}, w.woken
		c.Starved, c.Starves = w.starving(r.trace.Now, r.rows)
		c.LateDeletes, c.Lates = r.arrivals.deletes.late(w, r.trace.Now, r.rows)
		w.loops(&c, r.rows)
		w.noOps(&c)
		if r.tables != nil {
			r.tables.fill(w, &c)
		}
		out.Controllers = append(out.Controllers, c)
	}
	sort.Slice(out.Controllers, func(i, j int) bool { return out.Controllers[i].Name < out.Controllers[j].Name })
	r.unseen(out)
	if r.tables != nil {
		out.Waiting = r.tables.waiting(r)
	}
	out.Waiting = append(out.Waiting, r.underWay()...)
	return out
}

// unseenFor is how long the informer doesn't get a write that counts as unseen, in nanoseconds.
const unseenFor = minute / 2

// unseen fills in which writes the informer has not got, though its cache has their objects. Of another object, nobody can tell whether
// the informer's selector would let it pass.
func (r *Reading) unseen(out *Report) {
	byName := map[string]*Controller{}
	for i := range out.Controllers {
		byName[out.Controllers[i].Name] = &out.Controllers[i]
	}
	for _, s := range r.coming {
		c := byName[s.run.work.c.Name]
		if c == nil || r.trace.Now-s.Answered < unseenFor || !r.arrivals.has(&s.Write) {
			continue
		}
		c.Unseens++
		c.Unseen = appendUpTo(c.Unseen, r.rows, *s.echo)
	}
}

// Idle returns the names of controllers whose workqueues have got keys, and whose workers have taken none.
func (r *Reading) Idle() (names []string) {
	for name, w := range r.works {
		if q := w.c.Queue; q != nil && q.Adds > 0 && q.Gets+w.c.Reconciles.Count == 0 {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// underWay returns the reconciles that have not returned.
func (r *Reading) underWay() (out []Waiting) {
	for _, x := range r.open {
		if now := r.trace.Now; now-x.Began >= lateAnswer && x.latest() {
			out = append(out, Waiting{Kind: AReconcile, Handler: x.Controller, Key: x.Key, Since: x.Began, Duration: now - x.Began, Unknown: r.log.LeftOut.Reconciles > 0})
		}
	}
	return out
}

// latest reports whether neither the key nor the worker of a reconcile under way has begun another one since. They have one at a time, so
// otherwise the recorder had no room for the end.
func (x *run) latest() bool {
	return x.key.last == x && (x.Worker == 0 || x.Worker > len(x.work.workers) || x.work.workers[x.Worker-1] == x)
}
