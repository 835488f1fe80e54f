package cr025

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// configMap is an object of the API server.
type configMap struct {
	name, uid, data  string
	rv               int
	bare, fin, marks bool // bare: it has no namespace; marks: it has a deletionTimestamp
}

func (o *configMap) json() map[string]any {
	meta := map[string]any{"name": o.name, "uid": o.uid, "resourceVersion": fmt.Sprint(o.rv)}
	if !o.bare {
		meta["namespace"] = "ns"
	}
	if o.fin {
		meta["finalizers"] = []string{"x/y"}
	}
	if o.marks {
		meta["deletionTimestamp"] = "2000-01-01T00:00:00Z"
	}
	return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": map[string]any{"v": o.data}}
}

// apiRequest is a request that waits for its answer.
type apiRequest struct {
	due          time.Time // zero while it is withheld
	method, path string
	name         string
	body         []byte
	code         int
	out          []byte
	watch        *proof.Stream
	done         chan struct{}
	caller       *rywCall // nil for an informer's
}

// apiEvent is a watch event that nobody has got yet.
type apiEvent struct {
	due  time.Time // zero while it is withheld
	rv   int
	typ  string
	json map[string]any
}

// apiServer is an API server for ConfigMaps. It does one thing at a time, and lets
// everything else fall quiet in between. All of its methods but RoundTrip are called by the
// one who plays the script.
type apiServer struct {
	mu       sync.Mutex
	rv, uids int
	objects  map[string]*configMap
	events   []*apiEvent
	mode     string
	lag      time.Duration
	watches  []*proof.Stream
	requests []*apiRequest
	holds    map[string]bool
	fails    []apiFailure
	wake     chan struct{} // a request has come
	record   func(string)
}

type apiFailure struct {
	verb, name, err string
	n               int
}

// RoundTrip implements http.RoundTripper.
func (a *apiServer) RoundTrip(r *http.Request) (*http.Response, error) {
	q := &apiRequest{method: r.Method, path: r.URL.Path, done: make(chan struct{})}
	_, q.name, _ = strings.Cut(q.path, "/configmaps/")
	if r.Body != nil {
		q.body, _ = io.ReadAll(r.Body)
	}
	if q.caller, _ = r.Context().Value(callerKey{}).(*rywCall); q.caller != nil {
		q.caller.waits.Store("api")
	}
	if r.URL.Query().Get("watch") != "" {
		q.watch = proof.NewStream()
		q.name = r.URL.RawQuery
	}
	a.mu.Lock()
	if !a.holds[q.method] && !(a.holds["*"] && q.method != "GET") {
		q.due = time.Now().Add(10 * time.Microsecond)
	}
	a.requests = append(a.requests, q)
	a.mu.Unlock()
	select {
	case a.wake <- struct{}{}:
	default:
	}
	select {
	case <-q.done:
	case <-r.Context().Done():
		a.mu.Lock()
		a.requests = slices.DeleteFunc(a.requests, func(o *apiRequest) bool { return o == q })
		a.mu.Unlock()
		return nil, r.Context().Err()
	}
	res := &http.Response{StatusCode: q.code, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(q.out)), Request: r}
	if q.watch != nil {
		res.Body = q.watch
	}
	return res, nil
}

// next is when the server has something to do.
func (a *apiServer) next() (at time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, q := range a.requests {
		if !q.due.IsZero() && (!ok || q.due.Before(at)) {
			at, ok = q.due, true
		}
	}
	if len(a.events) > 0 && !a.events[0].due.IsZero() && (!ok || a.events[0].due.Before(at)) {
		at, ok = a.events[0].due, true
	}
	return at, ok
}

// run lets everything happen up to a time of the bubble, and then whatever the server has to do without
// a pause of a millisecond.
func (a *apiServer) run(until time.Time) {
	for {
		synctest.Wait()
		if a.act() {
			continue
		}
		now := time.Now()
		switch at, ok := a.next(); {
		case ok && !at.After(until), ok && at.Sub(now) <= time.Millisecond && !now.Before(until):
			proof.Pass(at.Sub(now))
		case now.Before(until):
			select { // a request may come in that time
			case <-time.After(until.Sub(now)):
			case <-a.wake:
			}
		default:
			return
		}
	}
}

// act does one thing that is due.
func (a *apiServer) act() bool {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	var first *apiRequest
	for _, q := range a.requests {
		if !q.due.IsZero() && !q.due.After(now) && (first == nil || cmp.Or(q.due.Compare(first.due), cmp.Compare(q.method, first.method), cmp.Compare(q.path, first.path), bytes.Compare(q.body, first.body)) < 0) {
			first = q
		}
	}
	if len(a.events) > 0 {
		if e := a.events[0]; !e.due.IsZero() && !e.due.After(now) && (first == nil || e.due.Before(first.due)) {
			a.events = a.events[1:]
			for _, w := range a.watches {
				if w.Open() && w.From < e.rv {
					w.Send(e.typ, e.json)
				}
			}
			return true
		}
	}
	if first == nil {
		return false
	}
	a.requests = slices.DeleteFunc(a.requests, func(o *apiRequest) bool { return o == first })
	a.answer(first)
	close(first.done)
	return true
}

func (a *apiServer) answer(q *apiRequest) {
	if q.watch != nil {
		a.open(q)
		return
	}
	for i := range a.fails {
		f := &a.fails[i]
		if f.n > 0 && f.verb == q.method && (f.name == "" || f.name == q.name) {
			f.n--
			name := q.name
			if name != "" {
				name = " " + name
			}
			reason := ""
			q.code, reason, q.out = failureStatus(f.err, q.name)
			a.record(fmt.Sprintf("api %s configmaps%s -> %d %s", q.method, name, q.code, reason))
			return
		}
	}
	var body struct {
		Metadata struct {
			Name, Namespace, UID, ResourceVersion string
			Finalizers                            []string
		}
		Data          map[string]string
		Preconditions struct{ UID string }
	}
	json.Unmarshal(q.body, &body)
	name := cmp.Or(q.name, body.Metadata.Name)
	o := &configMap{name: name, uid: body.Metadata.UID, data: body.Data["v"], fin: len(body.Metadata.Finalizers) > 0, bare: body.Metadata.Namespace == ""}
	if q.method == "DELETE" {
		o.uid = body.Preconditions.UID
	}
	line := ""
	q.code, line, q.out = a.write(q.method, o, body.Metadata.ResourceVersion)
	a.record("api " + q.method + " configmaps" + line)
}

// write does a write. It returns the code, the end of the line that tells of it, and the
// answer's body.
func (a *apiServer) write(method string, o *configMap, rv string) (int, string, []byte) {
	old, exists := a.objects[o.name]
	switch {
	case method == "POST" && exists:
		_, _, out := failureStatus("exists", o.name)
		return 409, o.name + " -> 409 AlreadyExists", out
	case method != "POST" && !exists:
		_, _, out := failureStatus("notfound", o.name)
		return 404, " " + o.name + " -> 404 NotFound", out
	case exists && (o.uid != "" && o.uid != old.uid || rv != "" && rv != fmt.Sprint(old.rv)):
		_, _, out := failureStatus("conflict", o.name)
		return 409, " " + o.name + " -> 409 Conflict", out
	}
	typ, what, code := "MODIFIED", "", 200
	switch method {
	case "POST":
		typ, code = "ADDED", 201
		if o.uid == "" {
			a.uids++
			o.uid = fmt.Sprintf("u%d", a.uids)
		}
	case "PATCH":
		o.uid, o.bare, o.fin, o.marks = old.uid, old.bare, old.fin, old.marks
	case "PUT":
		o.uid, o.marks = old.uid, old.marks
	case "DELETE":
		deleted := *old
		o = &deleted
		switch {
		case !old.fin:
			typ, what = "DELETED", "gone "
		case old.marks:
			return 200, fmt.Sprintf(" %s -> 200 already deleting rv=%d", o.name, o.rv), marshal(o.json())
		default:
			o.marks, what = true, "deletionTimestamp set "
		}
	}
	if old != nil {
		if o.rv = old.rv; *o == *old && typ == "MODIFIED" {
			return 200, fmt.Sprintf(" %s -> 200 no change rv=%d", o.name, o.rv), marshal(o.json())
		}
		if old.marks && old.fin && !o.fin {
			typ, what = "DELETED", "gone "
		}
	}
	a.rv++
	o.rv = a.rv
	if a.objects[o.name] = o; typ == "DELETED" {
		delete(a.objects, o.name)
	}
	e := &apiEvent{due: time.Now().Add(time.Microsecond), rv: o.rv, typ: typ, json: o.json()}
	switch a.mode {
	case "hold":
		e.due = time.Time{}
	case "lag":
		e.due = time.Now().Add(a.lag)
	}
	a.events = append(a.events, e)
	out := marshal(o.json())
	if typ == "DELETED" && method == "DELETE" {
		out = marshal(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Success"})
	}
	return code, fmt.Sprintf(" %s -> %d %srv=%d", o.name, code, what, o.rv), out
}

func marshal(x any) []byte {
	out, _ := json.Marshal(x)
	return out
}

// open answers a watch.
func (a *apiServer) open(q *apiRequest) {
	query := map[string]string{}
	for pair := range strings.SplitSeq(q.name, "&") {
		k, v, _ := strings.Cut(pair, "=")
		query[k] = v
	}
	initial := query["sendInitialEvents"] == "true"
	a.record(fmt.Sprintf("api WATCH configmaps from=%s initialEvents=%v bookmarks=%v", query["resourceVersion"], initial, query["allowWatchBookmarks"] == "true"))
	q.code = 200
	fmt.Sscan(query["resourceVersion"], &q.watch.From)
	if initial {
		for _, name := range slices.Sorted(maps.Keys(a.objects)) {
			q.watch.Send("ADDED", a.objects[name].json())
		}
		q.watch.Send("BOOKMARK", bookmark(a.rv, true))
		q.watch.From = a.rv
	}
	a.watches = append(a.watches, q.watch)
}

func bookmark(rv int, end bool) map[string]any {
	meta := map[string]any{"resourceVersion": fmt.Sprint(rv)}
	if end {
		meta["annotations"] = map[string]any{"k8s.io/initial-events-end": "true"}
	}
	return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta}
}

// failureStatus is the Status of an error by its name in scripts.
func failureStatus(err, name string) (code int, reason string, out []byte) {
	text := ""
	switch err {
	case "conflict":
		code, reason, text = 409, "Conflict", fmt.Sprintf("Operation cannot be fulfilled on configmaps %q: the object has been modified", name)
	case "notfound":
		code, reason, text = 404, "NotFound", fmt.Sprintf("configmaps %q not found", name)
	case "exists":
		code, reason, text = 409, "AlreadyExists", fmt.Sprintf("configmaps %q already exists", name)
	case "timeout":
		code, reason, text = 500, "ServerTimeout", "The op operation against configmaps could not be completed at this time, please try again."
	default:
		code, reason, text = 500, "InternalError", "Internal error occurred: scripted"
	}
	return code, reason, marshal(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": text})
}
