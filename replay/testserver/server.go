// Package testserver is an API server for tests of controllers. It keeps objects as JSON,
// and does with lists, watches and writes what a real server does: resourceVersions and
// conflicts, pages, selectors, bookmarks, streaming lists, 410 after a compaction,
// subresources status, finalizers, graceful deletion. It imports nothing of Kubernetes, needs
// no port, and works within a bubble of testing/synctest, where a test of five minutes takes
// milliseconds.
//
//	synctest.Test(t, func(t *testing.T) {
//		server := testserver.New(testserver.Options{})
//		defer server.Close()
//		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://testserver", Transport: server, QPS: -1,
//			ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
//		…
//	})
//
// It refuses what is created in a namespace that is being deleted. It has no other admission, and no defaults. It validates
// metadata, immutable fields, and custom resources by the schema of their CustomResourceDefinition. A definition is served
// as soon as it is made. Options.Defaults adds the defaults of Pods and Services: what kube-apiserver and its admission give
// them, the refusals that clients meet most often, and the addresses of Services. Quantities stay as they were written. Nobody
// runs pods, and a namespace needn't exist. Options.CollectAfter adds the garbage collector and the controller that empties namespaces
// which are being deleted, and no other controller. Options.ManagedFields adds server-side apply and managedFields. The server
// answers in JSON, and reads protobuf and strategic merge patches of Kubernetes' own kinds.
//
// It refuses what it can't do, as a real server does:
//
//   - 400: fieldValidation=Strict for a kind that has no schema here;
//   - 404: subresources other than status, scale, eviction and finalize;
//   - 406: Tables of kinds that are no custom resources, since only a real server knows their columns;
//   - 415: CBOR, protobuf and strategic merge patches of custom resources, and server-side apply without Options.ManagedFields, of a
//     Scale, of an Event of events.k8s.io, or in YAML that isn't JSON;
//   - 422: definitions with several versions, definitions with rules such as x-kubernetes-validations, and changes of a definition;
//   - 500: server-side apply where a list that is merged has an element twice, or has elements without a key.
//
// With Options.Recorded, it shows a recording's objects with their resourceVersions, and has none of its own. All
// recorded kinds are shown as Tables, too, with the columns of custom resources.
//
// Its answers are held against a real API server's: testdata/custom.txt has requests for custom
// resources, builtin.txt for kinds that every server has, pods.txt for the defaults of Pods and Services,
// strategic.txt strategic merge patches, apply.txt server-side apply, refusals.txt what is refused, and shards.txt shard selectors, each
// with what the real one answered, and "make controlplane" asks it again. What definitions.txt says follows
// its source. A refusal has the code, the reason and the time to wait of a real one, in other words. Two more things differ:
// there are no managedFields without Options.ManagedFields, and there is no remainingItemCount.
package testserver

import (
	"cmp"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Options are what a Server is made with.
type Options struct {
	// Resources are more kinds of objects than those which every Server has.
	Resources []Resource
	// Latency is how long a request takes to arrive, and its answer to come back. 0 is half
	// a millisecond.
	Latency time.Duration
	// ManagedFields keeps metadata.managedFields, and takes server-side apply, as every real server does. Without it, objects have no
	// managedFields, which are often longer than all else.
	ManagedFields bool
	// Defaults gives Pods and Services what kube-apiserver gives them where a write leaves it out, and refuses those
	// that it refuses, by the rules that clients meet most often. Without it, a Pod needs no containers.
	Defaults bool
	// Shards applies the shardSelector of lists, watches and deletes of collections, as a server with the feature
	// ShardedListAndWatch does, which is on from v1.38. Without it, shardSelector is ignored, as older servers do.
	Shards bool
	// Recorded, if it isn't nil, is what the server shows. It has no other kinds, and nothing before Rewind is called. The Resources
	// of the Options and Defaults don't count.
	Recorded *Recording
	// Delays, if it isn't nil, stands in the place of Latency, for each request.
	Delays func(method, path string) (there, back time.Duration)
	// Lags, if it isn't nil, says how much later than the server a watch gets to know of a
	// change.
	Lags func(path string) time.Duration
	// CollectAfter is how long after a write the garbage collector looks at all objects: it
	// deletes those whose owners are gone, and ends deletions that wait for dependents, as the
	// propagation policy says. It also deletes what is in namespaces that are being deleted. 0 is never: a Server has no
	// controllers unless it is told to, and a namespace stays Terminating, as with envtest.
	CollectAfter time.Duration
	// Seed decides the random part of names, and what else a real server leaves to chance.
	Seed uint64
}

// Server is a simulated API server. It is an http.Handler, and an http.RoundTripper which
// needs no port. It reads the clock of the package time, and so it works within a bubble of
// testing/synctest.
type Server struct {
	opts  Options
	held  atomic.Pointer[[]*kind] // which is replaced as a whole
	began time.Time
	done  chan struct{}

	written chan struct{} // for the garbage collector

	mu      sync.Mutex
	rv      int64
	created int64 // objects
	parts   map[string]int32
	closed  bool
}

// kind is a resource and its objects.
type kind struct {
	Resource
	builtIn  bool             // every Server has it
	schema   tree             // of the CustomResourceDefinition, nil for none
	recorded *Recording       // whose objects it has; nil for none
	number   int              // its number there
	written  map[string]bool  // keys of objects that clients have written to a Recording
	ends     bool             // its CustomResourceDefinition is being deleted
	items    map[string]*item // by key
	versions []*version
	log      []commit // oldest first
	table    *object.Table
	etcd     *apiserver.Simulated
	clients  map[*client]struct{}
}

// item is an object that exists.
type item struct {
	registry.Object
	*version
}

// commit is a write of an object.
type commit struct {
	key  string
	item *item // with its final content, if it was deleted
	typ  event.Delta
}

// version is one version of an object. Nothing in it changes.
type version struct {
	body tree // nil where kind.whole is to read it
	raw  []byte

	source object.Source // in a Recording
	rv     int64
}

// New returns a server without objects. Close ends what is under way.
func New(o Options) *Server { return newAt(o, 1) }

func newAt(o Options, rv int64) *Server {
	s := &Server{opts: o, began: time.Now(), done: make(chan struct{}), written: make(chan struct{}, 1), parts: map[string]int32{}, rv: rv}
	s.opts.Latency = cmp.Or(o.Latency, time.Millisecond/2)
	var all []*kind
	for _, r := range builtIn {
		k := s.newKind(r, s.rv)
		k.builtIn = true
		all = append(all, k)
	}
	for _, r := range o.Resources {
		all = append(all, s.newKind(r, s.rv))
	}
	if o.Recorded != nil {
		all = nil
	}
	s.setKinds(all)
	if o.CollectAfter > 0 {
		go collector{s}.run()
	}
	return s
}

// newKind returns a kind without objects.
func (s *Server) newKind(r Resource, revision int64) *kind {
	k := &kind{Resource: r, items: map[string]*item{}, versions: make([]*version, 1), table: object.NewTable(nil), clients: map[*client]struct{}{}, written: map[string]bool{}}
	k.etcd = apiserver.NewSimulated(&apiserver.SimConfig{Table: k.table, Versions: apiserver.NewVersions(k.table), Revision: revision, Seed: s.opts.Seed})
	return k
}

func (s *Server) kinds() []*kind { return *s.held.Load() }

func (s *Server) setKinds(all []*kind) { s.held.Store(&all) }

// now returns the time since the server began, in nanoseconds.
func (s *Server) now() int64 { return int64(time.Since(s.began)) }

// Close breaks off all requests. Later ones are refused.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
}

// Restart starts a server again, just after etcd has dropped all revisions but the
// current ones. Watches end, and one that asks for an older revision gets 410, as does the
// next page of a list.
func (s *Server) Restart() {
	s.eachView(func(e *apiserver.Simulated, now int64) {
		e.Compact()
		e.Restart(now, 0, 0)
	})
}

// Compact has etcd forget what was before now. A watch from an older version gets 410.
func (s *Server) Compact() { s.eachView(func(e *apiserver.Simulated, _ int64) { e.Compact() }) }

// Resources returns the kinds of objects that the server has now.
func (s *Server) Resources() (all []Resource) {
	for _, k := range s.kinds() {
		all = append(all, k.Resource)
	}
	return all
}

// Revision returns the resourceVersion of the last write.
func (s *Server) Revision() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rv
}

// Bookmark sends a bookmark on each open watch that has asked for them.
func (s *Server) Bookmark() { s.eachView((*apiserver.Simulated).Bookmark) }

// Restore has etcd come back from a backup that was made at a revision: later writes are undone, and the next one gets the
// resourceVersion after it. Watches end. What definitions of custom resources serve stays as it is.
func (s *Server) Restore(revision int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv = min(revision, s.rv)
	for _, k := range s.kinds() {
		end := len(k.log)
		for end > 0 && k.log[end-1].item.RV > revision {
			end--
		}
		k.log, k.items = k.log[:end], map[string]*item{}
		for _, c := range k.log {
			if k.items[c.key] = c.item; c.typ == event.Deleted {
				delete(k.items, c.key)
			}
		}
	}
	s.eachLocked(func(e *apiserver.Simulated, now int64) { e.Restore(revision, now) })
}

// BreakWatches ends all open watches, as when the server goes away.
func (s *Server) BreakWatches() { s.eachView(func(e *apiserver.Simulated, _ int64) { e.Cut() }) }

// BreakWatch ends the open watches whose requests match.
func (s *Server) BreakWatch(match func(r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.kinds() {
		for c := range k.clients {
			if match(c.request) {
				c.etcd.Cut()
				c.poll()
			}
		}
	}
}

// eachView does something to the server as each client sees it.
func (s *Server) eachView(do func(e *apiserver.Simulated, now int64)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eachLocked(do)
}

func (s *Server) eachLocked(do func(e *apiserver.Simulated, now int64)) {
	for _, k := range s.kinds() {
		do(k.etcd, s.now())
		for c := range k.clients {
			c.share(k)
			do(c.etcd, s.now())
			c.poll()
		}
	}
}

// pause lets time pass, and reports whether the request is still wanted.
func (s *Server) pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return r.Context().Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
	case <-s.done:
	}
	return false
}

// client is a list or a watch that is under way. The engine has a server of its own for each, which holds what the kind's
// holds unless Options.Lags say that it comes later.
type client struct {
	request *http.Request
	etcd    *apiserver.Simulated
	lags    bool
	news    chan struct{} // something has changed
	head    bool          // the head of the Table has been sent
}

// share lets the client's server know what the kind's holds by now.
func (c *client) share(k *kind) {
	if !c.lags {
		c.etcd.Share(k.etcd)
	}
}

// notify tells of a write to the client's kind, or to another one.
func (c *client) notify(isOwn bool, write func(e *apiserver.Simulated)) {
	if c.lags {
		write(c.etcd)
	}
	// An open watch of another kind is told nothing.
	if c.lags || isOwn || c.etcd.State() != apiserver.Open {
		c.poll()
	}
}

// poll lets the client look again for what comes next.
func (c *client) poll() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// custom reports whether the resource is a custom one, which has no columns of its own.
func (k *kind) custom() bool { return !k.builtIn }
