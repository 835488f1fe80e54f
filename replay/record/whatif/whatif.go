// Package whatif does to a real connection what the lines of a script do to the machine on the
// page, in the same words: it breaks watches, holds events back, lets requests fail. It stands
// above any API server: a cluster, envtest, or replay/testserver.
//
//	faults := whatif.New(transport)
//	config.Transport = faults
//	…
//	err := faults.Do("drop event pods")
//
// What it knows are the lines that Forms returns, such as
//
//	break watch [INFORMER]
//	delay event TIME [INFORMER]
//	fail requests FAILURE [n=N|all] [after=SECONDS] [INFORMER]
//
// In the place of an informer stands a resource, such as pods or deployments.apps. Without it, a
// line is about whatever comes next. Above a Server, such as replay/testserver, there are these, too:
//
//	restart server
//	restore server N
//	compact
//
// The methods End, Fail and AtContinue are for what a program alone can order.
//
// What a line means is what engine/apiserver does. There is one difference: a connection
// can't make a server's lists old, so a lag holds back what watches bring, and no list. Events
// without metadata are left out, because a client that decodes JSON gives every object some.
// Objects come as JSON.
package whatif

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// Faults is an http.RoundTripper that does to lists and watches what it was told to do. It can
// be used by several goroutines.
type Faults struct {
	next http.RoundTripper

	mu          sync.Mutex
	connections map[string]*connection // by the resource, "" for any
	open        []*stream
	atContinue  func() // nil for nothing
}

// Server is an API server to which more can be done than to a connection.
type Server interface {
	http.RoundTripper
	Restart()
	Restore(revision int64)
	Compact()
}

// connection is what happens between the server and its clients, of a resource.
type connection struct {
	apiserver.Tampering
	lag   time.Duration
	stuck bool // nothing that changes from now on is passed on
	Failing
	fails int64 // how many more requests; less than 0 is all
}

// Failing says how requests fail.
type Failing struct {
	Failure   apiserver.Failure
	After     apiserver.RetryAfter
	Parameter string // only requests with this parameter, such as sendInitialEvents; "" for all
	Other     bool   // other requests than lists and watches fail, too, if no resource is named
}

// faults is what can be done to a connection beside tampering with its events: a row for each
// kind of command. Resource is the resource whose connections are meant, "" for all.
var faults = map[world.CommandKind]func(f *Faults, c *world.Command, resource string){
	world.BreakWatch: func(f *Faults, _ *world.Command, resource string) {
		f.eachOpen(resource, func(s *stream) { s.ending = Reset })
	},
	world.SilenceWatch: func(f *Faults, c *world.Command, resource string) {
		f.eachOpen(resource, func(s *stream) { s.silence(c.N) })
	},
	world.LagServer: func(f *Faults, c *world.Command, resource string) {
		w := f.connection(resource)
		w.lag, w.stuck = time.Duration(max(c.N, 0)), c.N < 0
	},
	world.FailRequests: func(f *Faults, c *world.Command, resource string) {
		w := f.connection(resource)
		w.Failing, w.fails = Failing{Failure: c.Failure, After: c.RetryAfter}, c.N
	},
}

// serverFaults is what can be done to a Server: a row for each kind of command.
var serverFaults = map[world.CommandKind]func(s Server, c *world.Command){
	world.RestartServer: func(s Server, _ *world.Command) { s.Restart() },
	world.RestoreServer: func(s Server, c *world.Command) { s.Restore(c.N) },
	world.Compact:       func(s Server, _ *world.Command) { s.Compact() },
}

// fault returns what a kind of command does to a connection, nil for nothing.
func fault(k world.CommandKind) func(f *Faults, c *world.Command, resource string) {
	if t := k.Tamper(); supported(t) {
		return func(f *Faults, c *world.Command, resource string) { f.connection(resource).Tamper(t, c.N) }
	}
	return faults[k]
}

// Forms returns what the lines look like that can be done to a connection.
func Forms() []string {
	return syntax.Forms(func(k world.CommandKind) bool { return fault(k) != nil })
}

// New returns a RoundTripper that sends requests on to under.
func New(under http.RoundTripper) *Faults {
	return &Faults{next: under, connections: map[string]*connection{}}
}

// WrappedRoundTripper lets client-go find the transport below.
func (f *Faults) WrappedRoundTripper() http.RoundTripper { return f.next }

// Do does what a line says. The error says what is wrong with the line, or that it is none of
// those that can be done to a connection.
func (f *Faults) Do(line string) error {
	m, err := read(line)
	if m == nil {
		return err
	}
	return f.carryOut(line, &m.Command, m.Informer.Text)
}

// Resource returns the resource that a line names. It returns "" for a line about the next request, whatever its resource.
// It refuses what Do refuses.
func Resource(line string) (string, error) {
	m, err := read(line)
	switch {
	case m == nil:
		return "", err
	case fault(m.Command.Kind) == nil:
		return "", notHere(line)
	}
	return m.Informer.Text, nil
}

// read reads a line. It returns nil if there is nothing on it.
func read(line string) (*syntax.Parsed, error) {
	p, form, err := syntax.Begin(line, 1)
	if err != nil || form == nil {
		return nil, err
	}
	if form.Open || form.Verb != syntax.CarryOut {
		return nil, notHere(line)
	}
	return form.Read(p)
}

func notHere(line string) error {
	return fmt.Errorf("%q can't be done to a connection", line)
}

func (f *Faults) carryOut(line string, c *world.Command, resource string) error {
	if do := serverFaults[c.Kind]; do != nil {
		if s, is := f.next.(Server); is {
			do(s, c)
			return nil
		}
	}
	do := fault(c.Kind)
	if do == nil {
		return notHere(line)
	}
	f.order(func() { do(f, c, resource) })
	return nil
}

// order has the open watches look again after a change.
func (f *Faults) order(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	for _, s := range f.open {
		s.wake()
	}
}

// End ends the open watches of a resource, "" for all.
func (f *Faults) End(how Ending, resource string) {
	f.order(func() { f.eachOpen(resource, func(s *stream) { s.ending = how }) })
}

// Fail has the next n requests for a resource fail, all if n is negative, none if it is 0.
func (f *Faults) Fail(how Failing, n int64, resource string) {
	f.order(func() {
		w := f.connection(resource)
		w.Failing, w.fails = how, n
	})
}

// AtContinue calls do once, before the next request for a further page of a list is sent on.
func (f *Faults) AtContinue(do func()) { f.order(func() { f.atContinue = do }) }

// Calm takes back what was ordered for requests and events that are still to come. Watches that end or are silent do so.
func (f *Faults) Calm() {
	f.order(func() {
		clear(f.connections)
		f.atContinue = nil
		f.eachOpen("", func(s *stream) {
			if s.ending == Torn || s.ending == AfterBookmark {
				s.ending = 0
			}
		})
	})
}

// connection returns what happens on the connections of a resource.
func (f *Faults) connection(resource string) *connection {
	w := f.connections[resource]
	if w == nil {
		w = &connection{}
		f.connections[resource] = w
	}
	return w
}

// eachOpen calls do with each open watch of a resource.
func (f *Faults) eachOpen(resource string, do func(*stream)) {
	for _, s := range f.open {
		if resource == "" || slices.Contains(s.names, resource) {
			do(s)
		}
	}
}

// find returns the first connection of the names for which something is true.
func (f *Faults) find(names []string, is func(*connection) bool) *connection {
	for _, name := range names {
		if w := f.connections[name]; w != nil && is(w) {
			return w
		}
	}
	return nil
}
