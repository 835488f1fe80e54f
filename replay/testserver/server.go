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
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
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

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	there, back := s.opts.Latency, s.opts.Latency
	if ways := s.opts.Delays; ways != nil {
		there, back = ways(hr.Method, hr.URL.Path)
	}
	path := strings.Split(strings.Trim(hr.URL.Path, "/"), "/")
	if n := len(path); path[0] != "api" && path[0] != "apis" || n <= 2 || n == 3 && path[0] == "apis" {
		// Discovery takes no time. Clients hold a lock meanwhile, for which others wait, and the
		// clock of a bubble stands still as long as anybody waits for a lock.
		there, back = 0, 0
	}
	if !s.pause(hr, there) {
		panic(http.ErrAbortHandler)
	}
	code, answer, f := s.route(w, hr, path)
	switch {
	case f == nil && answer == nil: // the answer has been sent
		return
	case !s.pause(hr, back):
		panic(http.ErrAbortHandler)
	case f != nil:
		if recording := s.opts.Recorded; recording != nil && recording.Refused != nil {
			recording.Refused(hr, f.code, f.message)
		}
		if s.opts.Recorded == nil || !describes(w, hr, path[len(path)-1], f) {
			f.send(w)
		}
	default:
		send(w, code, answer)
	}
}

func (s *Server) route(w http.ResponseWriter, hr *http.Request, path []string) (int, any, *failure) {
	if slices.Contains([]string{"healthz", "livez", "readyz"}, path[0]) {
		return http.StatusOK, "ok", nil
	}
	r, f := s.parse(hr, path)
	if f != nil {
		return 0, nil, f
	}
	if r == nil {
		found := discovery{s.kinds(), s.opts.Recorded}.answer(path)
		switch {
		case found == nil:
			return 0, nil, noSuchPath()
		case hr.Method != http.MethodGet:
			return 0, nil, methodNotAllowed()
		}
		return http.StatusOK, found, nil
	}
	if f := cmp.Or(r.kind.refuses(r), r.accept()); f != nil {
		return 0, nil, f
	}
	switch {
	case r.subresource == "" || r.subresource == "status" && r.kind.Status:
		return s.serve(w, r)
	case r.subresource == "scale" && r.kind.Scale:
		return s.scale(r)
	case r.subresource == "finalize" && r.kind.Kind == "Namespace":
		return s.finalize(r)
	case r.subresource == "eviction" && r.kind.Kind == "Pod":
		return s.evict(r)
	}
	return 0, nil, noSuchPath()
}

func (s *Server) serve(w http.ResponseWriter, r *request) (int, any, *failure) {
	code, v, f := http.StatusOK, (*version)(nil), (*failure)(nil)
	switch {
	case r.Method == http.MethodGet && r.name == "":
		return s.read(w, r)
	case r.Method == http.MethodGet:
		v, f = s.get(r)
	case r.Method == http.MethodPost && r.name == "" && (r.namespace != "" || r.kind.Cluster):
		code = http.StatusCreated
		v, f = s.create(r)
	case r.Method == http.MethodPut && r.name != "":
		v, f = s.update(r)
	case r.Method == http.MethodPatch && r.name != "":
		code, v, f = s.patch(r)
	case r.Method == http.MethodDelete && r.subresource == "" && r.name != "":
		return s.delete(r)
	case r.Method == http.MethodDelete && r.subresource == "":
		return s.deleteCollection(r)
	default:
		return 0, nil, r.noSuchMethod()
	}
	if f != nil {
		return 0, nil, f
	}
	for _, warning := range r.warnings {
		w.Header().Add("Warning", fmt.Sprintf("299 - %q", warning))
	}
	return code, r.representation(v), nil
}

// noSuchMethod refuses a method, as custom resources and the others do.
func (r *request) noSuchMethod() *failure {
	switch {
	case r.kind.custom() && r.Method == http.MethodPost && r.name == "":
		return noSuchPath() // without a namespace
	case r.kind.custom() && r.Method == http.MethodPut:
		return badRequest("name must be provided")
	}
	return methodNotAllowed()
}

var errBroken = errors.New("testserver: the connection broke")

// RoundTrip lets the server answer a request without a port. Set it as the Transport of a
// rest.Config, whose Host can be any.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.RawQuery, "watch=") {
		return Transport(s).RoundTrip(r)
	}
	if r.Body != nil {
		defer r.Body.Close()
	}
	return s.respond(r)
}

// respond returns an answer that is written before it is read, which needs no goroutine: in most tests that is half of
// what a request costs.
func (s *Server) respond(r *http.Request) (resp *http.Response, err error) {
	a := &wholeAnswer{header: http.Header{}}
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			resp, err = nil, cmp.Or(r.Context().Err(), errBroken)
		} else if p != nil {
			panic(p)
		}
	}()
	s.ServeHTTP(a, r)
	return response(r, cmp.Or(a.code, http.StatusOK), a.header, io.NopCloser(&a.body)), nil
}

// wholeAnswer is a ResponseWriter that keeps the answer.
type wholeAnswer struct {
	header http.Header
	body   bytes.Buffer
	code   int
}

func (a *wholeAnswer) Header() http.Header { return a.header }

func (a *wholeAnswer) WriteHeader(code int) { a.code = cmp.Or(a.code, code) }

func (a *wholeAnswer) Write(b []byte) (int, error) { return a.body.Write(b) }

// withBody returns r with a body that was read.
func withBody(r *http.Request) (*http.Request, error) {
	if r.Body == nil {
		return r, nil
	}
	defer r.Body.Close()
	b, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1)) // before it is closed
	if err != nil {
		return nil, err
	}
	r = r.WithContext(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(b))
	return r, nil
}

// response returns the answer to r with a code.
func response(r *http.Request, code int, header http.Header, body io.ReadCloser) *http.Response {
	length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	return &http.Response{StatusCode: code, Status: strconv.Itoa(code) + " " + http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, ContentLength: length, Request: r, Body: body}
}

// Transport returns a RoundTripper that lets h answer, without a port between them. A handler
// that panics with http.ErrAbortHandler breaks the connection.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ h http.Handler }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	r, err := withBody(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	body, w := io.Pipe()
	a := &answer{header: http.Header{}, w: w, began: make(chan struct{})}
	go func() {
		defer func() {
			p := recover()
			if p == nil {
				a.WriteHeader(http.StatusOK)
				w.CloseWithError(context.Cause(r.Context()))
				return
			}
			// A request that was cancelled fails by that, even if the handler ends before AfterFunc has told the reader.
			w.CloseWithError(cmp.Or(context.Cause(r.Context()), io.ErrUnexpectedEOF))
			a.begin(0)
			if p != http.ErrAbortHandler {
				panic(p)
			}
		}()
		t.h.ServeHTTP(a, r.WithContext(ctx))
	}()
	select {
	case <-a.began:
	case <-ctx.Done():
		cancel()
		body.Close()
		return nil, r.Context().Err()
	}
	if a.code == 0 {
		cancel()
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		return nil, errBroken
	}
	// The reader of a body notices that its request was cancelled.
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })
	return response(r, a.code, a.sent, &answerBody{body, func() { stop(); cancel() }}), nil
}

// answer is a ResponseWriter whose body is read as it is written.
type answer struct {
	header http.Header
	w      *io.PipeWriter
	once   sync.Once
	began  chan struct{}
	code   int         // 0: the connection broke before
	sent   http.Header // what the header was then
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(code int) { a.begin(code) }

func (a *answer) begin(code int) {
	a.once.Do(func() {
		a.code, a.sent = code, a.header.Clone()
		close(a.began)
	})
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.w.Write(b)
}

// Flush does nothing. Write sends each part through a pipe, which keeps nothing back.
func (a *answer) Flush() {}

type answerBody struct {
	*io.PipeReader
	end func()
}

func (b *answerBody) Close() error {
	b.end()
	return b.PipeReader.Close()
}

// MaxBody is how large the body of a request may be, in bytes, as etcd and the API server have it.
const MaxBody = 3 << 20
