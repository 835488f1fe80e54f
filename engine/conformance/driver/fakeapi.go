package main

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

// How long things take at the API server of ryw.* and rs.*, in nanoseconds.
const (
	answerTakes = 10_000 // from a request to its answer
	eventTakes  = 1_000  // from a write to its event

	pause = 1_000_000 // for so long there is nothing to do when an operation is over
	rest  = 2_000     // and so long it takes beside, if the server has done something
)

// fakeAPI is the API server behind ryw.* and rs.*. It does one thing at a time, and lets
// everything else fall quiet in between.
type fakeAPI struct {
	reg       *registry.Registry
	now       int64
	resources []*fakeResource
	caches    []*fakeCache
	requests  []*fakeRequest
	holds     map[string]bool
	fails     []failRule
	trace     []string
	stamps    bool // each line of the trace begins with the time
}

// fakeResource is what the server has to say of one resource.
type fakeResource struct {
	name string
	t    *object.Table
	// row makes the row of an object as an event or a list carries it.
	row    func(o registry.Object) object.Ref
	mode   string // of its watches: live, lag or hold
	lag    int64
	events []fakeEvent // that nobody has got yet
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
	do           func(failure string)
}

// failRule lets requests fail.
type failRule struct {
	verb, resource, name, err string
	n                         int
}

// writeLine adds a line to what the operation prints.
func (a *fakeAPI) writeLine(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if a.stamps {
		text = fmt.Sprintf("t=%d ", a.now/1e6) + text
	}
	a.trace = append(a.trace, text)
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
func (a *fakeAPI) wrote(of int, o registry.Object, answer registry.Answer) {
	if !answer.Wrote() {
		return
	}
	r := a.resources[of]
	e := fakeEvent{due: a.now + eventTakes, typ: event.Updated, rv: o.RV, obj: r.row(o)}
	switch answer {
	case registry.Created:
		e.typ = event.Added
	case registry.Gone:
		e.typ = event.Deleted
	}
	switch r.mode {
	case "hold":
		e.due = actor.Never
	case "lag":
		e.due = a.now + r.lag
	}
	r.events = append(r.events, e)
}

// watch changes how a resource's events come. Back to live, what was withheld comes at
// once; with a lag it comes after that.
func (r *fakeResource) watch(mode string, lag, now int64) {
	r.mode, r.lag = mode, lag
	for i := range r.events {
		switch mode {
		case "live":
			r.events[i].due = now
		case "lag":
			r.events[i].due = min(r.events[i].due, now+lag)
		}
	}
}

// release lets the first n events go, one after the other.
func (r *fakeResource) release(n int, now int64) int {
	n = min(n, len(r.events))
	for i := range n {
		r.events[i].due = min(r.events[i].due, now+int64(i+1)*eventTakes)
	}
	return n
}

// bookmarkRV returns the resourceVersion of a bookmark: nothing up to it is still to come.
func (a *fakeAPI) bookmarkRV(of int) int64 {
	if withheld := a.resources[of].events; len(withheld) > 0 {
		return withheld[0].rv - 1
	}
	return a.reg.RV()
}

// toWatches gives an answer to the open watches of a resource.
func (a *fakeAPI) toWatches(of int, answer apiserver.Answer) {
	for _, c := range a.caches {
		if c.resource == of && c.conn.state == apiserver.Open {
			c.answer(a.now, answer)
		}
	}
}

func (a *fakeAPI) bookmark(of int) {
	answer := apiserver.Answer{Answer: apiserver.Event}
	answer.Kind, answer.RV = apiserver.WatchBookmark, object.NumberRV(uint64(a.bookmarkRV(of)))
	a.toWatches(of, answer)
}

func (a *fakeAPI) closeWatch(of int) { a.toWatches(of, apiserver.Answer{Answer: apiserver.Closed}) }

func (a *fakeAPI) expireWatch(of int) {
	answer := failed(apiserver.Event, "expired")
	answer.Kind, answer.Delta = apiserver.WatchEvent, event.Error
	a.toWatches(of, answer)
}

// deliver sends the first event of a resource to those who watch it.
func (a *fakeAPI) deliver(of int) {
	r := a.resources[of]
	e := r.events[0]
	r.events = r.events[1:]
	answer := apiserver.Answer{Answer: apiserver.Event}
	answer.Kind, answer.Delta, answer.Obj, answer.RV = apiserver.WatchEvent, e.typ, e.obj, r.t.RVOf(e.obj)
	for _, c := range a.caches {
		// What the watch began with is newer.
		if from, _ := c.watchStart().Number(); c.resource == of && c.conn.state == apiserver.Open && int64(from) < e.rv {
			c.answer(a.now, answer)
		}
	}
}

// watchStart returns where the open watch began.
func (c *fakeCache) watchStart() object.RV { return c.conn.asked.RV }

// settle lets the informers fall quiet, and takes their requests.
func (a *fakeAPI) settle() {
	for _, c := range a.caches {
		c.settle(a.now)
		if c.conn.state == apiserver.Opening && !c.asks {
			c.asks = true
			a.requests = append(a.requests, &fakeRequest{due: a.now + answerTakes, method: "GET", path: a.resources[c.resource].name, do: func(string) { a.open(c) }})
		}
	}
}

// open answers a watch.
func (a *fakeAPI) open(c *fakeCache) {
	r, asked := a.resources[c.resource], c.conn.asked
	a.writeLine("api WATCH %s from=%s initialEvents=%v bookmarks=%v", r.name, c.t.RVText(asked.RV), asked.SendInitialEvents, asked.Bookmarks)
	c.asks = false
	answers := []apiserver.Answer{{Answer: apiserver.Opened}}
	if asked.SendInitialEvents {
		for _, o := range a.reg.List(registry.Resource(c.resource), nil) {
			answer := apiserver.Answer{Answer: apiserver.Event}
			answer.Kind, answer.Delta, answer.Obj = apiserver.WatchEvent, event.Added, r.row(o)
			answer.RV = r.t.RVOf(answer.Obj)
			answers = append(answers, answer)
		}
		end := apiserver.Answer{Answer: apiserver.Event}
		end.Kind, end.RV = apiserver.InitialEnd, object.NumberRV(uint64(a.reg.RV()))
		answers = append(answers, end)
		c.conn.asked.RV = end.RV
	}
	c.answer(a.now, answers...)
}

// next returns when the server does something by itself.
func (a *fakeAPI) next() int64 {
	next := actor.Never
	for _, q := range a.requests {
		next = min(next, q.due)
	}
	for _, r := range a.resources {
		if len(r.events) > 0 {
			next = min(next, r.events[0].due)
		}
	}
	return next
}

// around is what stands around the server.
type around interface {
	// settle lets everything fall quiet.
	settle()
	// soon is when something goes on for which an operation waits, and timers is when
	// anything else goes on by itself.
	nextStart() int64
	timers() int64
}

// run lets everything happen up to a time, and then whatever goes on without a pause of a
// millisecond.
func (a *fakeAPI) run(until int64, p around) {
	acts := until == a.now // an operation is carried out, and no time passes
	for acted := false; ; {
		p.settle()
		if a.act() {
			acted = true
			continue
		}
		soon := min(a.next(), p.nextStart())
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
func (a *fakeAPI) passes(until int64, p around) {
	for {
		next := min(p.nextStart(), p.timers())
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
	for of, r := range a.resources {
		if len(r.events) > 0 && r.events[0].due <= a.now && r.events[0].due < at {
			a.deliver(of)
			return true
		}
	}
	if first == nil {
		return false
	}
	a.cancel(first)
	first.do(a.failure(first))
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
	all := output{}
	for _, r := range a.resources {
		if len(r.events) > 0 {
			all[r.name] = len(r.events)
		}
	}
	if len(all) > 0 {
		out["withheldEvents"] = all
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
	case "nsterminating":
		return 403, "Forbidden", forbidden(resource, name) + "namespace is being terminated"
	}
	return 500, "InternalError", "Internal error occurred: scripted"
}

func forbidden(resource, name string) string {
	if name != "" {
		resource += " " + strconv.Quote(name)
	}
	return resource + " is forbidden: "
}
