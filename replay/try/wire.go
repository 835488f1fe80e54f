package try

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// wire is what has gone over a port: what clients asked for, and what they were sent.
type wire struct {
	mu      sync.Mutex
	readers []*reader
	writes  int       // of the client
	wrote   []written // the last of them that were carried out
	sent    time.Time // when a list or an event was sent last
	unknown []string  // writes that the server can't do, each once
	dialed  bool      // somebody has connected
	seen    []string  // the last three requests, whatever they ask for
	news    chan struct{}
}

// written is a write that was carried out.
type written struct {
	at          time.Time
	verb        string // "POST"
	resource    string
	contentType string // the type of its body
	created     bool
	uid         string
}

// reader is whoever lists and watches the same objects. Its fields are guarded by wire.mu.
type reader struct {
	path     trace.Path
	url      string     // of the list
	selector url.Values // what of the query selects

	// store is what is known to whoever takes in all that was sent: a version for each key.
	store    map[string]string
	upTo     int64                        // the newest version that was sent
	pages    map[string]map[string]string // by the token of the next page
	live     map[*exchange]struct{}
	requests []*exchange

	// settled is what upTo was when the client had had time to take it in.
	settled int64
}

// exchange is a list, a watch or a write, and its answer.
type exchange struct {
	w         *wire
	r         *reader // nil for a write
	write     written
	c         *conn
	at        time.Time
	watch     bool
	streaming bool
	from      string // resourceVersion
	token     string // of a further page
	limit     int

	// Guarded by wire.mu.
	code    int
	after   time.Duration // Retry-After, 0 for none
	failure time.Time     // when it was refused, if it was
	done    bool          // the list is whole, or the watch has opened
	expired bool          // an ERROR with 410 was sent on it
	initial map[string]string
	repeats int // events and lists that are older than what was settled
}

func newWire() *wire { return &wire{news: make(chan struct{}, 1)} }

// selecting are the parameters that say which objects are asked for.
var selecting = []string{"labelSelector", "fieldSelector", "shardSelector"}

// begin takes note of a request. It returns nil for what is neither a list nor a watch nor a write.
func (w *wire) begin(r *http.Request) *exchange {
	p, ok := trace.ParsePath(r.URL.Path)
	if !ok {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Method != http.MethodGet {
		w.writes++
		return &exchange{w: w, write: written{at: time.Now(), verb: r.Method, resource: resourceOf(p.Group, p.Resource), contentType: r.Header.Get("Content-Type")}}
	}
	q := r.URL.Query()
	watch := q.Get("watch") == "1" || strings.EqualFold(q.Get("watch"), "true")
	if p.Name != "" || p.Subresource != "" {
		return nil
	}
	limit, _ := strconv.Atoi(q.Get("limit"))
	x := &exchange{w: w, c: r.Context().Value(connKey{}).(*conn), at: time.Now(), watch: watch, streaming: q.Get("sendInitialEvents") == "true",
		from: q.Get("resourceVersion"), token: q.Get("continue"), limit: limit}
	x.r = w.readerOf(p, r.URL.Path, q)
	x.r.requests = append(x.r.requests, x)
	if len(x.r.requests) > mostAsked {
		x.r.requests = append(x.r.requests[:0:0], x.r.requests[mostAsked/2:]...)
	}
	return x
}

// mostAsked bounds what is kept of a storm.
const mostAsked = 1 << 16

func (w *wire) readerOf(p trace.Path, path string, q url.Values) *reader {
	selector := url.Values{}
	for _, name := range selecting {
		if v := q.Get(name); v != "" {
			selector.Set(name, v)
		}
	}
	for _, r := range w.readers {
		if r.url == path && r.selector.Encode() == selector.Encode() {
			return r
		}
	}
	r := &reader{path: p, url: path, selector: selector, pages: map[string]map[string]string{}, live: map[*exchange]struct{}{}}
	w.readers = append(w.readers, r)
	return r
}

// forget forgets all readers, before another process begins.
func (w *wire) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.readers, w.dialed, w.seen = nil, false, nil
}

// see takes note of a request before anything is asked of it.
func (w *wire) see(r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	what := r.Method + " " + r.URL.Path
	if r.Header.Get("Authorization") == "" {
		what += " without the token"
	}
	if !slices.Contains(w.seen, what) {
		w.seen = append(w.seen[max(0, len(w.seen)-2):], what)
	}
}

// did says what a command has done that follows nothing.
func (w *wire) did() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.seen) > 0:
		return "asked for " + strings.Join(w.seen, ", ")
	case w.dialed:
		return "connected, and asked for nothing: perhaps it doesn't trust the authority of the kubeconfig"
	}
	return "didn't connect: perhaps it doesn't take the kubeconfig that KUBECONFIG names"
}

// allReaders returns the readers.
func (w *wire) allReaders() []*reader {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.readers)
}

// anyRequest reports whether something is true of a request.
func (w *wire) anyRequest(is func(x *exchange) bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.readers, func(r *reader) bool { return slices.ContainsFunc(r.requests, is) })
}

// noneBefore reports whether all watches have ended that were asked for before a time.
func (w *wire) noneBefore(at time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.readers {
		for x := range r.live {
			if x.at.Before(at) {
				return false
			}
		}
	}
	return true
}

// restored takes note that the server has gone back to a version.
func (w *wire) restored(version int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.readers {
		r.settled, r.upTo = min(r.settled, version), min(r.upTo, version)
	}
}

// lastSent returns when a list or an event was sent last.
func (w *wire) lastSent() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent
}

// settle takes note that the clients have had time to take in what they were sent.
func (w *wire) settle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.readers {
		r.settled = r.upTo
	}
}

// notify wakes whoever waits for something to change.
func (w *wire) notify() {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// answered takes note of the head of an answer.
func (x *exchange) answered(resp *http.Response) {
	if x == nil {
		return
	}
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	if x.code = resp.StatusCode; x.r == nil {
		what := x.write.verb + " " + x.write.resource + " as " + x.write.contentType
		if x.code == http.StatusUnsupportedMediaType && !slices.Contains(x.w.unknown, what) && len(x.w.unknown) < mostUnknown {
			x.w.unknown = append(x.w.unknown, what)
		}
		return
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		x.after = time.Duration(seconds) * time.Second
	}
	if x.code != http.StatusOK {
		x.failure = time.Now()
		return
	}
	if !x.watch {
		return
	}
	x.r.live[x] = struct{}{}
	if x.done = !x.streaming; x.from == "" || x.from == "0" {
		x.initial = map[string]string{}
		if x.done {
			x.r.store, x.r.upTo, x.initial = x.initial, 0, nil // it begins with an ADDED for each object
		}
	}
	if x.streaming && x.initial == nil {
		x.initial = map[string]string{}
	}
	x.w.notify()
}

// mostUnknown bounds how many of them are named.
const mostUnknown = 20

// end takes note of the end of an answer.
func (x *exchange) end() {
	if x == nil || x.r == nil {
		return
	}
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	delete(x.r.live, x)
	x.w.notify()
}

// sent is what is read of an object in JSON.
type sent struct {
	Kind     string `json:"kind"`
	Code     int    `json:"code"`
	Metadata struct {
		Namespace       string            `json:"namespace"`
		Name            string            `json:"name"`
		UID             string            `json:"uid"`
		ResourceVersion string            `json:"resourceVersion"`
		Continue        string            `json:"continue"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
	Items []sent `json:"items"`
	Rows  []struct {
		Object sent `json:"object"`
	} `json:"rows"`
}

func (o *sent) key() string {
	if o.Metadata.Namespace == "" {
		return o.Metadata.Name
	}
	return o.Metadata.Namespace + "/" + o.Metadata.Name
}

// objects returns the objects of a list, which may be a Table.
func (o *sent) objects() map[string]string {
	all := make(map[string]string, len(o.Items)+len(o.Rows))
	for i := range o.Items {
		all[o.Items[i].key()] = o.Items[i].Metadata.ResourceVersion
	}
	for i := range o.Rows {
		all[o.Rows[i].Object.key()] = o.Rows[i].Object.Metadata.ResourceVersion
	}
	return all
}

// number returns a resourceVersion as a number.
func number(rv string) int64 {
	n, _ := strconv.ParseInt(rv, 10, 64)
	return n
}

// body takes in the body of a list or of the answer to a write, which was sent whole. Of a refusal it takes the token with which a list
// may go on though its version is gone.
func (x *exchange) body(b []byte) {
	if x == nil {
		return
	}
	expired := x.r != nil && x.code == http.StatusGone
	if !expired && (x.code >= 300 || x.r != nil && x.code != http.StatusOK) {
		return
	}
	var o sent
	if json.Unmarshal(b, &o) != nil {
		return
	}
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	if x.r == nil {
		if x.write.uid, x.write.created = o.Metadata.UID, x.code == http.StatusCreated; len(x.w.wrote) == mostAsked {
			x.w.wrote = append(x.w.wrote[:0:0], x.w.wrote[mostAsked/2:]...)
		}
		x.w.wrote = append(x.w.wrote, x.write)
		x.w.notify()
		return
	}
	if expired {
		if next := o.Metadata.Continue; next != "" {
			x.r.pages[next] = x.r.pages[x.token]
		}
		return
	}
	x.w.sent = time.Now()
	all := o.objects()
	if x.token != "" {
		maps.Copy(all, x.r.pages[x.token])
	}
	if next := o.Metadata.Continue; next != "" {
		x.r.pages[next] = all
		return
	}
	clear(x.r.pages)
	x.done = true
	x.r.store, x.r.upTo = all, number(o.Metadata.ResourceVersion)
	if x.r.upTo < x.r.settled {
		x.repeats++
	}
	x.w.notify()
}

// event takes in an event of a watch, which was sent whole.
func (x *exchange) event(line []byte) {
	var e struct {
		Type   string `json:"type"`
		Object sent   `json:"object"`
	}
	if x == nil || json.Unmarshal(line, &e) != nil {
		return
	}
	o := &e.Object
	if len(o.Rows) > 0 {
		o = &o.Rows[0].Object
	}
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	x.w.sent = time.Now()
	r, rv := x.r, number(o.Metadata.ResourceVersion)
	store := r.store
	if x.initial != nil {
		store = x.initial
	}
	switch e.Type {
	case "ADDED", "MODIFIED":
		if store == nil {
			store = map[string]string{}
			r.store = store
		}
		store[o.key()] = o.Metadata.ResourceVersion
	case "DELETED":
		delete(store, o.key())
	case "BOOKMARK":
		if x.initial != nil && o.Metadata.Annotations["k8s.io/initial-events-end"] == "true" {
			r.store, r.upTo, x.initial, x.done = x.initial, 0, nil, true
		}
	case "ERROR":
		x.expired = o.Code == http.StatusGone
		return
	}
	if x.done {
		if e.Type != "BOOKMARK" && x.from != "" && x.from != "0" && !x.streaming && rv <= r.settled {
			x.repeats++
		}
		r.upTo = max(r.upTo, rv)
	}
	x.w.notify()
}

// open returns how many watches of a reader are open that were asked for before a time, on connections that let something
// through.
func (r *reader) open(before time.Time) (n int) {
	for x := range r.live {
		if !x.c.quiet() && x.done && !x.expired && x.at.Before(before) {
			n++
		}
	}
	return n
}

// name returns the reader as people name it: "pods", "pods in shop", "deployments.apps app=web".
func (r *reader) name() string {
	s := r.resource()
	if r.path.Namespace != "" {
		s += " in " + r.path.Namespace
	}
	for _, name := range selecting {
		if v := r.selector.Get(name); v != "" {
			s += " " + v
		}
	}
	return s
}

// resource returns the resource with its group.
func (r *reader) resource() string { return resourceOf(r.path.Group, r.path.Resource) }

func resourceOf(group, name string) string { return strings.TrimSuffix(name+"."+group, ".") }

// lastWrite returns the last write that is as wanted, nil for none.
func (w *wire) lastWrite(wanted func(*written) bool) *written {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := len(w.wrote) - 1; i >= 0; i-- {
		if wanted(&w.wrote[i]) {
			return &w.wrote[i]
		}
	}
	return nil
}
