package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// How long things take at the API server of ryw.*, in nanoseconds.
const (
	answerTakes = 10_000 // from a request to its answer
	eventTakes  = 1_000  // from a write to its event

	pause = 1_000_000 // for so long there is nothing to do when an operation is over
	rest  = 2_000     // and so long it takes beside, if the server has done something
)

// fakeAPI is the engine's API server behind ryw.*, with one resource: its writes are those of engine/apiserver/registry. It does one
// thing at a time, at the times of live/fakeapi, which real controllers have, and lets everything else fall quiet in between.
type fakeAPI struct {
	etcd
	now      int64
	row      func(o registry.Object) object.Ref // makes the row of an object as an event or a list carries it
	mode     string                             // of the watches: live, lag or hold
	lag      int64
	events   []fakeEvent // that nobody has got yet
	caches   []*fakeCache
	requests []*fakeRequest
	holds    map[string]bool
	fails    []failRule
	trace    []string
}

// etcd has the objects of the server.
type etcd struct {
	t        *object.Table
	rv, uids int64
	objects  []registry.Object // by key; one without a UID isn't there
}

// get returns an object.
func (s *etcd) get(k object.Key) (o registry.Object, exists bool) {
	if int(k) < len(s.objects) {
		o = s.objects[k]
	}
	return o, o.UID != 0
}

// put stores an object at the next resourceVersion, or removes it.
func (s *etcd) put(o registry.Object, answer registry.Answer) (registry.Object, registry.Answer) {
	if !answer.Wrote() {
		return o, answer
	}
	s.rv++
	o.RV = s.rv
	for int(o.Key) >= len(s.objects) {
		s.objects = append(s.objects, registry.Object{})
	}
	if s.objects[o.Key] = o; answer == registry.Removed {
		s.objects[o.Key] = registry.Object{}
	}
	return o, answer
}

// create writes a new object. Without a UID it gets u1, u2 and so on.
func (s *etcd) create(o registry.Object, now int64) (registry.Object, registry.Answer) {
	if old, exists := s.get(o.Key); exists {
		return old, registry.AlreadyExists
	}
	if o.UID == 0 {
		s.uids++
		o.UID = s.t.Sym("u" + strconv.FormatInt(s.uids, 10))
	}
	o.Generation, o.Created, o.Deleting = 1, now, false
	return s.put(o, registry.Created)
}

// change writes what a function makes of an object. A UID or RV in o that isn't the object's is a conflict.
func (s *etcd) change(o registry.Object, write func(registry.Object) (registry.Object, registry.Answer)) (registry.Object, registry.Answer) {
	old, exists := s.get(o.Key)
	if !exists {
		return old, registry.NotFound
	}
	if answer := old.Meets(o.UID, o.RV); answer.Failed() {
		return old, answer
	}
	return s.put(write(old))
}

type fakeEvent struct {
	due int64 // actor.Never while it is withheld
	typ event.Delta
	rv  int64
	obj object.Ref
}

// fakeRequest is a request on its way.
type fakeRequest struct {
	due          int64 // actor.Never while it is withheld
	client       string
	verb         string // as in failRule, where it is not the method
	method, path string
	name, body   string // method, path and body order requests that are due together
	carryOut     func(failure string)
}

// failRule lets requests fail.
type failRule struct {
	verb, resource, name, err string
	n                         int
}

// writeLine adds a line to what the operation prints.
func (a *fakeAPI) writeLine(format string, args ...any) {
	a.trace = append(a.trace, fmt.Sprintf(format, args...))
}

// send takes a request.
func (a *fakeAPI) send(q *fakeRequest) {
	q.due = a.now + answerTakes
	if a.holds[q.method] || a.holds["*"] && q.method != "GET" {
		q.due = actor.Never
	}
	a.requests = append(a.requests, q)
}

// cancel forgets a request whose client has gone.
func (a *fakeAPI) cancel(q *fakeRequest) {
	a.requests = slices.DeleteFunc(a.requests, func(o *fakeRequest) bool { return o == q })
}

// wrote makes the event of a write.
func (a *fakeAPI) wrote(o registry.Object, answer registry.Answer) {
	if !answer.Wrote() {
		return
	}
	e := fakeEvent{due: a.now + eventTakes, typ: event.Updated, rv: o.RV, obj: a.row(o)}
	switch answer {
	case registry.Created:
		e.typ = event.Added
	case registry.Removed:
		e.typ = event.Deleted
	}
	switch a.mode {
	case "hold":
		e.due = actor.Never
	case "lag":
		e.due = a.now + a.lag
	}
	a.events = append(a.events, e)
}

// watch changes how the events come. Back to live, what was withheld comes at
// once; with a lag it comes after that.
func (a *fakeAPI) watch(mode string, lag int64) {
	a.mode, a.lag = mode, lag
	for i := range a.events {
		switch mode {
		case "live":
			a.events[i].due = a.now
		case "lag":
			a.events[i].due = min(a.events[i].due, a.now+lag)
		}
	}
}

// release lets the first n events go, one after the other.
func (a *fakeAPI) release(n int) int {
	n = min(n, len(a.events))
	for i := range n {
		a.events[i].due = min(a.events[i].due, a.now+int64(i+1)*eventTakes)
	}
	return n
}

// bookmarkRV returns the resourceVersion of a bookmark: nothing up to it is still to come.
func (a *fakeAPI) bookmarkRV() int64 {
	if len(a.events) > 0 {
		return a.events[0].rv - 1
	}
	return a.rv
}

// toWatches gives an answer to the open watches.
func (a *fakeAPI) toWatches(answer apiserver.Answer) {
	for _, c := range a.caches {
		if c.conn.state == apiserver.Open {
			c.answer(a.now, answer)
		}
	}
}

func (a *fakeAPI) bookmark() {
	answer := apiserver.Answer{Answer: apiserver.Event}
	answer.Kind, answer.RV = apiserver.WatchBookmark, object.NumberRV(uint64(a.bookmarkRV()))
	a.toWatches(answer)
}

func (a *fakeAPI) closeWatch() { a.toWatches(apiserver.Answer{Answer: apiserver.Closed}) }

func (a *fakeAPI) expireWatch() {
	answer := failed(apiserver.Event, "expired")
	answer.Kind, answer.Delta = apiserver.WatchEvent, event.Error
	a.toWatches(answer)
}

// deliver sends the first event to those who watch.
func (a *fakeAPI) deliver() {
	e := a.events[0]
	a.events = a.events[1:]
	answer := apiserver.Answer{Answer: apiserver.Event}
	answer.Kind, answer.Delta, answer.Obj, answer.RV = apiserver.WatchEvent, e.typ, e.obj, a.t.RVOf(e.obj)
	for _, c := range a.caches {
		// What the watch began with is newer.
		if from, _ := c.watchStart().Number(); c.conn.state == apiserver.Open && int64(from) < e.rv {
			c.answer(a.now, answer)
		}
	}
}

// watchStart returns where the open watch began.
func (c *fakeCache) watchStart() object.RV { return c.conn.listOptions.RV }

// settle lets the informers fall quiet, and takes their requests.
func (a *fakeAPI) settle() {
	for _, c := range a.caches {
		c.settle(a.now)
		if c.conn.state == apiserver.Opening && !c.requested {
			c.requested = true
			a.requests = append(a.requests, &fakeRequest{due: a.now + answerTakes, method: "GET", path: configMaps, carryOut: func(string) { a.open(c) }})
		}
	}
}

// open answers a watch.
func (a *fakeAPI) open(c *fakeCache) {
	asked := c.conn.listOptions
	a.writeLine("api WATCH %s from=%s initialEvents=%v bookmarks=%v", configMaps, c.t.RVText(asked.RV), asked.SendInitialEvents, asked.Bookmarks)
	c.requested = false
	answers := []apiserver.Answer{{Answer: apiserver.Opened}}
	if asked.SendInitialEvents {
		for _, o := range a.objects {
			if o.UID == 0 {
				continue
			}
			answer := apiserver.Answer{Answer: apiserver.Event}
			answer.Kind, answer.Delta, answer.Obj = apiserver.WatchEvent, event.Added, a.row(o)
			answer.RV = a.t.RVOf(answer.Obj)
			answers = append(answers, answer)
		}
		end := apiserver.Answer{Answer: apiserver.Event}
		end.Kind, end.RV = apiserver.InitialEnd, object.NumberRV(uint64(a.rv))
		answers = append(answers, end)
		c.conn.listOptions.RV = end.RV
	}
	c.answer(a.now, answers...)
}

// next returns when the server does something by itself.
func (a *fakeAPI) next() int64 {
	next := actor.Never
	for _, q := range a.requests {
		next = min(next, q.due)
	}
	if len(a.events) > 0 {
		next = min(next, a.events[0].due)
	}
	return next
}

// surroundings are the informers and the controller beside the server.
type surroundings interface {
	// settle lets everything fall quiet.
	settle()
	// timers returns when something goes on by itself.
	timers() int64
}

// run lets everything happen up to a time, and then whatever goes on without a pause of a
// millisecond.
func (a *fakeAPI) run(until int64, p surroundings) {
	acts := until == a.now // an operation is carried out, and no time passes
	for acted := false; ; {
		p.settle()
		if a.act() {
			acted = true
			continue
		}
		soon := a.next()
		next := min(soon, p.timers())
		for _, c := range a.caches {
			next = min(next, c.next())
		}
		switch {
		case next <= until:
			a.now = max(a.now, next)
		case soon <= max(a.now, until)+pause:
			until = soon
		default:
			a.now = max(a.now, until)
			if acts && acted {
				a.passes(a.now+rest, p)
			}
			return
		}
	}
}

// passes lets time pass in which the server does nothing, and everything else goes on.
func (a *fakeAPI) passes(until int64, p surroundings) {
	for {
		next := p.timers()
		for _, c := range a.caches {
			next = min(next, c.next())
		}
		if next > until {
			break
		}
		a.now = max(a.now, next)
		p.settle()
	}
	a.now = until
}

// act does one thing that is due: what is due first, and an answer before an event. It
// reports false if there is none.
func (a *fakeAPI) act() bool {
	var first *fakeRequest
	for _, q := range a.requests {
		if q.due <= a.now && (first == nil || compareRequests(q, first) < 0) {
			first = q
		}
	}
	at := actor.Never
	if first != nil {
		at = first.due
	}
	if len(a.events) > 0 && a.events[0].due <= a.now && a.events[0].due < at {
		a.deliver()
		return true
	}
	if first == nil {
		return false
	}
	a.cancel(first)
	first.carryOut(a.failure(first))
	return true
}

func compareRequests(a, b *fakeRequest) int {
	return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.method, b.method), cmp.Compare(a.path, b.path), cmp.Compare(a.body, b.body))
}

// failure returns the error with which a request is to fail, or "".
func (a *fakeAPI) failure(q *fakeRequest) string {
	if q.client != "" {
		return ""
	}
	for i := range a.fails {
		f := &a.fails[i]
		if f.n > 0 && f.verb == cmp.Or(q.verb, q.method) && (f.resource == "" || strings.HasPrefix(q.path, f.resource)) && (f.name == "" || f.name == q.name) {
			f.n--
			return f.err
		}
	}
	return ""
}

// withheld counts the events that are still to come.
func (a *fakeAPI) withheld(out output) {
	if len(a.events) > 0 {
		out["withheldEvents"] = output{configMaps: len(a.events)}
	}
}

// scripted returns the status and the text of an error that a script lets a request fail with.
// What is the resource or, where the request names one, its object.
func scripted(err, resource, name string) (code int, reason, text string) {
	switch err {
	case "conflict":
		return 409, "Conflict", fmt.Sprintf("Operation cannot be fulfilled on %s %q: the object has been modified", resource, name)
	case "forbidden":
		return 403, "Forbidden", forbidden(resource, name) + "exceeded quota"
	case "notfound":
		return 404, "NotFound", fmt.Sprintf("%s %q not found", resource, name)
	case "exists":
		return 409, "AlreadyExists", fmt.Sprintf("%s %q already exists", resource, name)
	case "timeout":
		return 500, "ServerTimeout", "The op operation against " + resource + " could not be completed at this time, please try again."
	}
	return 500, "InternalError", "Internal error occurred: scripted"
}

func forbidden(resource, name string) string {
	if name != "" {
		resource += " " + strconv.Quote(name)
	}
	return resource + " is forbidden: "
}
