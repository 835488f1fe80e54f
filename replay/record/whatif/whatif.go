// Package whatif does to a real connection what the lines of a script do to the machine on the
// page, in the same words: it breaks watches, holds events back, lets requests fail. It stands
// above any API server: a cluster, envtest, or replay/testserver.
//
//	faults := whatif.New(transport)
//	config.Transport = faults
//	…
//	err := faults.Do("drop event pods")
//
// What it knows are these lines. RESOURCE is a name such as pods or deployments.apps. Without
// it, a line is about whatever comes next.
//
//	break watch [RESOURCE]
//	silence watch [for=TIME|forever] [RESOURCE]
//	drop event, delay event TIME, duplicate event, swap events [RESOURCE]
//	spoil event kind, spoil event type [RESOURCE]
//	withhold initial end [RESOURCE]
//	fail requests FAILURE [n=N|all] [after=SECONDS] [RESOURCE]
//	lag server TIME|forever [RESOURCE]
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
	under http.RoundTripper

	mu   sync.Mutex
	ways map[string]*way // by the resource, "" for any
	open []*stream
}

// way is what happens between the server and its clients, of a resource.
type way struct {
	next     world.CommandKind // to the next event that tells of a change; 0 is nothing
	delay    time.Duration     // of DelayEvent
	withhold bool              // the next bookmark that ends initial events is lost
	lag      time.Duration
	stuck    bool // nothing that changes from now on is passed on
	failing  apiserver.Failure
	fails    int64 // how many more requests; less than 0 is all
	after    apiserver.RetryAfter
}

// New returns a RoundTripper that sends requests on to under.
func New(under http.RoundTripper) *Faults {
	return &Faults{under: under, ways: map[string]*way{}}
}

// WrappedRoundTripper lets client-go find the transport below.
func (f *Faults) WrappedRoundTripper() http.RoundTripper { return f.under }

// Do does what a line says. The error says what is wrong with the line, or that it is none of
// those that can be done to a connection.
func (f *Faults) Do(line string) error {
	p, form, err := syntax.Begin(line, 1)
	if err != nil || form == nil {
		return err
	}
	if form.Open || form.Verb != syntax.CarryOut {
		return notHere(line)
	}
	m, err := form.Read(p)
	if err != nil {
		return err
	}
	return f.do(line, &m.Command, m.Informer.Text)
}

func notHere(line string) error {
	return fmt.Errorf("%q can't be done to a connection", line)
}

func (f *Faults) do(line string, c *world.Command, resource string) error {
	if !c.Kind.OnConnection() {
		return notHere(line)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.ways[resource]
	if w == nil {
		w = &way{}
		f.ways[resource] = w
	}
	switch c.Kind {
	case world.DropEvent, world.DelayEvent, world.DuplicateEvent, world.SwapEvents, world.SpoilKind, world.SpoilType:
		w.next, w.delay = c.Kind, time.Duration(c.N)
	case world.WithholdInitialEnd:
		w.withhold = true
	case world.LagServer:
		w.lag, w.stuck = time.Duration(max(c.N, 0)), c.N < 0
	case world.FailRequests:
		w.failing, w.fails, w.after = c.Failure, c.N, c.RetryAfter
	default: // BreakWatch, SilenceWatch
		for _, s := range f.open {
			if resource != "" && !slices.Contains(s.names, resource) {
				continue
			}
			if c.Kind == world.BreakWatch {
				s.cut = true
			} else {
				s.silence(c.N)
			}
		}
	}
	for _, s := range f.open {
		s.tell()
	}
	return nil
}

// find returns the first way of the names for which something is true.
func (f *Faults) find(names []string, is func(*way) bool) *way {
	for _, name := range names {
		if w := f.ways[name]; w != nil && is(w) {
			return w
		}
	}
	return nil
}
