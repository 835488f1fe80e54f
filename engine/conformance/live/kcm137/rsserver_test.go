package kcm137

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// object is a Pod or a ReplicaSet.
type object interface {
	runtime.Object
	meta.Object
}

// rsResource is what the server has of one resource.
type rsResource struct {
	name    string
	group   string // of its names in errors
	objects map[string]object
	mode    string
	lag     time.Duration
	events  []*rsEvent // that nobody has got yet
	watches []*proof.Stream
}

type rsEvent struct {
	due time.Time // zero while it is withheld
	rv  int
	typ string
	o   object
}

// rsRequest is a request that waits for its answer.
type rsRequest struct {
	due          time.Time
	method, path string
	query        map[string][]string
	resource     *rsResource
	name, sub    string
	body         []byte
	code         int
	unchanged    bool // the answer is 200, and nothing was written
	out          []byte
	watch        *proof.Stream
	done         chan struct{}
}

// rsServer is an API server for Pods and ReplicaSets. It does one thing at a time, and lets everything else fall quiet
// in between. All of its methods but RoundTrip are called by the one who plays the script.
type rsServer struct {
	mu        sync.Mutex
	rv, uids  int
	names     map[string]int // how many names were made of a prefix
	graceful  bool           // a delete of a pod only marks it
	resources [2]*rsResource // pods and replicasets
	requests  []*rsRequest
	fails     []rsFailure
	asked     []string // what the controller has asked for since it was printed: what was done, and what was not found
	rechecked bool     // the next adoption comes after a GET of its ReplicaSet
	batches   []rsBatch
	seen      map[string]int // the number of each name of an object, as it was created first
	rereads   map[string]reread
	wake      chan struct{}    // a request has come
	soon      func() time.Time // when a worker begins its sync, zero if none is about to
}

// reread is where updateReplicaSetStatus stands, which reads a ReplicaSet and writes its status once more if that has failed.
type reread int

const (
	noReread reread = iota
	rereads         // the next GET is its own
	writesAgain
)

// rsBatch is how many pods an owner has asked for at once.
type rsBatch struct {
	due   time.Time
	owner string
	size  int
}

type rsFailure struct {
	verb, resource, name, err string
	n                         int
}

func newRSServer() *rsServer {
	return &rsServer{rv: 100, names: map[string]int{}, seen: map[string]int{}, rereads: map[string]reread{}, wake: make(chan struct{}, 1), resources: [2]*rsResource{
		{name: "pods", group: "pods", objects: map[string]object{}, mode: "live"},
		{name: "replicasets", group: "replicasets.apps", objects: map[string]object{}, mode: "live"},
	}}
}

// RoundTrip implements http.RoundTripper. Events of the controller's recorder are taken at once.
func (a *rsServer) RoundTrip(r *http.Request) (*http.Response, error) {
	q := &rsRequest{method: r.Method, path: r.URL.Path, query: r.URL.Query(), done: make(chan struct{}), due: time.Now().Add(10 * time.Microsecond)}
	if r.Body != nil {
		q.body, _ = io.ReadAll(r.Body)
	}
	answer := func() *http.Response {
		return &http.Response{StatusCode: q.code, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(q.out)), Request: r}
	}
	parts := strings.Split(q.path, "/")
	for i, part := range parts {
		for _, of := range a.resources {
			if part == of.name {
				q.resource = of
				q.name, q.sub = append(parts, "", "")[i+1], append(parts, "", "")[min(i+2, len(parts))]
			}
		}
	}
	if q.resource == nil {
		q.code, q.out = 201, q.body
		return answer(), nil
	}
	if q.query["watch"] != nil {
		q.watch = proof.NewStream()
	}
	if r.Method == "GET" && q.name == "" { // a list or a watch, which takes as long as in the engine
		q.due = time.Now().Add(5 * time.Millisecond)
	}
	a.mu.Lock()
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
		a.requests = slices.DeleteFunc(a.requests, func(o *rsRequest) bool { return o == q })
		a.mu.Unlock()
		return nil, r.Context().Err()
	}
	res := answer()
	if q.watch != nil {
		res.Body = q.watch
	}
	return res, nil
}

// next is when the server has something to do, or a worker begins its sync.
func (a *rsServer) next() (at time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	earlier := func(due time.Time) {
		if !due.IsZero() && (!ok || due.Before(at)) {
			at, ok = due, true
		}
	}
	for _, q := range a.requests {
		earlier(q.due)
	}
	for _, r := range a.resources {
		if len(r.events) > 0 {
			earlier(r.events[0].due)
		}
	}
	earlier(a.soon())
	return at, ok
}

// run lets everything happen up to a time of the bubble, and then whatever goes on without a pause of a millisecond.
// If an operation made the server do something, two more microseconds pass.
func (a *rsServer) run(until time.Time) {
	acts := !until.After(time.Now())
	for acted := false; ; {
		synctest.Wait()
		if a.act() {
			acted = true
			continue
		}
		now := time.Now()
		at, ok := a.next()
		switch {
		case ok && !at.After(until), ok && at.Sub(now) <= time.Millisecond && !now.Before(until):
		case now.Before(until):
			at = until
		default:
			if acts && acted {
				proof.Pass(2 * time.Microsecond)
			}
			return
		}
		select { // a request may come in that time
		case <-time.After(at.Sub(now)):
		case <-a.wake:
		}
	}
}

// act does one thing that is due: what is due first, and an answer before an event.
func (a *rsServer) act() bool {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	var first *rsRequest
	for _, q := range a.requests {
		if !q.due.After(now) && (first == nil || cmp.Or(q.due.Compare(first.due), cmp.Compare(q.method, first.method), cmp.Compare(q.path, first.path), cmp.Compare(q.owner(), first.owner())) < 0) {
			first = q
		}
	}
	for _, r := range a.resources {
		if len(r.events) == 0 {
			continue
		}
		if e := r.events[0]; !e.due.IsZero() && !e.due.After(now) && (first == nil || e.due.Before(first.due)) {
			r.events = r.events[1:]
			for _, w := range r.watches {
				if w.Open() && w.From < e.rv {
					w.Send(e.typ, e.o)
				}
			}
			return true
		}
	}
	if first == nil {
		return false
	}
	a.requests = slices.DeleteFunc(a.requests, func(o *rsRequest) bool { return o == first })
	a.answer(first)
	close(first.done)
	return true
}

// owner is the owner of the pod that a request creates. It orders creates that are due together.
func (q *rsRequest) owner() string {
	var o meta.PartialObjectMetadata
	if json.Unmarshal(q.body, &o); len(o.OwnerReferences) == 0 {
		return ""
	}
	return o.OwnerReferences[0].Name
}

func (a *rsServer) answer(q *rsRequest) {
	defer a.note(q)
	verb := q.method
	if q.sub != "" {
		verb += "/" + q.sub
	}
	if q.watch != nil {
		a.open(q)
		return
	}
	for i := range a.fails {
		f := &a.fails[i]
		if f.n > 0 && f.verb == verb && (f.resource == "" || f.resource == q.resource.name) && (f.name == "" || f.name == q.name) {
			f.n--
			q.code, q.out = rsStatus(f.err, q.resource.group, q.name)
			return
		}
	}
	rv := a.rv
	switch q.method {
	case "GET":
		q.code, q.out = a.get(q.resource, q.name)
	case "DELETE":
		q.code, q.out = a.delete(q.resource, q.name)
	case "PATCH":
		q.code, q.out = a.patch(q)
	case "POST":
		o := &core.Pod{}
		json.Unmarshal(q.body, o)
		a.names[o.GenerateName]++
		o.Name = o.GenerateName + fmt.Sprint(a.names[o.GenerateName])
		q.name = o.Name
		q.code, q.out = a.create(q.resource, o)
	default:
		o := &apps.ReplicaSet{}
		json.Unmarshal(q.body, o)
		q.code, q.out = a.update(q.resource, q.name, o.UID, o.ResourceVersion, func(old object) { old.(*apps.ReplicaSet).Status = o.Status })
	}
	q.unchanged = rv == a.rv
}

// note notes what the controller has asked for. A pod that another controller has already is none that it has adopted.
func (a *rsServer) note(q *rsRequest) {
	if q.method == "POST" {
		if n := len(a.batches); n > 0 && a.batches[n-1].due.Equal(q.due) && a.batches[n-1].owner == q.owner() {
			a.batches[n-1].size++
		} else {
			a.batches = append(a.batches, rsBatch{q.due, q.owner(), 1})
		}
	}
	switch {
	case q.watch != nil:
	case q.method == "PUT":
		if q.code >= 400 && a.rereads[q.name] == noReread {
			a.rereads[q.name] = rereads
		} else {
			delete(a.rereads, q.name)
		}
	case q.method == "GET" && a.rereads[q.name] == rereads:
		if a.rereads[q.name] = writesAgain; q.code >= 400 {
			delete(a.rereads, q.name)
		}
	case q.method == "GET":
		a.rechecked = true
	case q.code < 400 && !q.unchanged:
		if a.asked = append(a.asked, q.method+" pods "+q.name); q.method == "PATCH" && a.rechecked && meta.GetControllerOf(q.resource.objects[q.name]) != nil {
			a.asked, a.rechecked = append(a.asked, "GET replicasets"), false
		}
	}
}

func marshal(x any) []byte {
	out, _ := json.Marshal(x)
	return out
}

func (a *rsServer) refused(err string, of *rsResource, name string) (code int, out []byte) {
	return rsStatus(err, of.group, name)
}

func (a *rsServer) get(of *rsResource, name string) (code int, out []byte) {
	o, exists := of.objects[name]
	if !exists {
		return a.refused("notfound", of, name)
	}
	return 200, marshal(o)
}

func (a *rsServer) create(of *rsResource, o object) (code int, out []byte) {
	if _, exists := of.objects[o.GetName()]; exists {
		return a.refused("exists", of, o.GetName())
	}
	if o.GetUID() == "" {
		a.uids++
		o.SetUID(types.UID(fmt.Sprintf("u%03d", a.uids)))
	}
	if _, seen := a.seen[o.GetName()]; !seen {
		a.seen[o.GetName()] = len(a.seen)
	}
	o.SetNamespace("ns")
	o.SetCreationTimestamp(meta.Now())
	a.put(of, o, "ADDED")
	return 201, marshal(o)
}

// update changes an object, if a uid and a resourceVersion are its own.
func (a *rsServer) update(of *rsResource, name string, uid types.UID, rv string, change func(object)) (code int, out []byte) {
	old, exists := of.objects[name]
	switch {
	case !exists:
		return a.refused("notfound", of, name)
	case uid != "" && uid != old.GetUID() || rv != "" && rv != old.GetResourceVersion():
		return a.refused("conflict", of, name)
	}
	o := old.DeepCopyObject().(object)
	if change(o); bytes.Equal(marshal(o), marshal(old)) {
		return 200, marshal(o)
	}
	if set, ok := o.(*apps.ReplicaSet); ok && !reflect.DeepEqual(set.Spec, old.(*apps.ReplicaSet).Spec) {
		set.Generation++
	}
	a.put(of, o, "MODIFIED")
	return 200, marshal(o)
}

// patch is the strategic merge patch of owner references with which pods are adopted and released.
func (a *rsServer) patch(q *rsRequest) (code int, out []byte) {
	var p struct {
		Metadata struct {
			UID             types.UID
			OwnerReferences []struct {
				meta.OwnerReference
				Patch string `json:"$patch"`
			}
		}
	}
	json.Unmarshal(q.body, &p)
	owner := p.Metadata.OwnerReferences[0]
	if o, exists := q.resource.objects[q.name]; exists && owner.Patch == "" && len(o.GetOwnerReferences()) > 0 && o.GetOwnerReferences()[0].UID != owner.UID {
		return a.refused("invalid", q.resource, q.name) // ValidateOwnerReferences: an object has one controller
	}
	return a.update(q.resource, q.name, p.Metadata.UID, "", func(o object) {
		has := o.GetOwnerReferences()
		switch {
		case owner.Patch == "delete" && len(has) > 0 && has[0].UID == owner.UID:
			o.SetOwnerReferences(nil)
		case owner.Patch == "":
			o.SetOwnerReferences([]meta.OwnerReference{owner.OwnerReference})
		}
	})
}

func (a *rsServer) delete(of *rsResource, name string) (code int, out []byte) {
	old, exists := of.objects[name]
	if !exists {
		return a.refused("notfound", of, name)
	}
	o := old.DeepCopyObject().(object)
	switch {
	case !(of.name == "pods" && a.graceful) && len(o.GetFinalizers()) == 0:
		a.put(of, o, "DELETED")
	case o.GetDeletionTimestamp() == nil:
		now := meta.Now()
		o.SetDeletionTimestamp(&now)
		a.put(of, o, "MODIFIED")
	}
	return 200, marshal(o)
}

// put stores an object at the next resourceVersion, and makes the event.
func (a *rsServer) put(of *rsResource, o object, typ string) {
	a.rv++
	o.SetResourceVersion(fmt.Sprint(a.rv))
	if of.objects[o.GetName()] = o; typ == "DELETED" {
		delete(of.objects, o.GetName())
	}
	e := &rsEvent{due: time.Now().Add(time.Microsecond), rv: a.rv, typ: typ, o: o}
	switch of.mode {
	case "hold":
		e.due = time.Time{}
	case "lag":
		e.due = time.Now().Add(of.lag)
	}
	of.events = append(of.events, e)
}

// open answers a watch.
func (a *rsServer) open(q *rsRequest) {
	first := func(name string) string { return strings.Join(q.query[name], "") }
	initial := first("sendInitialEvents") == "true"
	q.code = 200
	fmt.Sscan(first("resourceVersion"), &q.watch.From)
	if initial {
		for _, name := range slices.Sorted(maps.Keys(q.resource.objects)) {
			q.watch.Send("ADDED", q.resource.objects[name])
		}
		q.watch.Send("BOOKMARK", q.resource.bookmark(a.rv, true))
		q.watch.From = a.rv
	}
	q.resource.watches = append(q.resource.watches, q.watch)
}

func (of *rsResource) bookmark(rv int, end bool) map[string]any {
	m := map[string]any{"resourceVersion": fmt.Sprint(rv)}
	if end {
		m["annotations"] = map[string]any{"k8s.io/initial-events-end": "true"}
	}
	if of.name == "pods" {
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": m}
	}
	return map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": m}
}

// rsStatus is the Status of an error by its name in scripts.
func rsStatus(err, resource, name string) (code int, out []byte) {
	forbidden := resource
	if name != "" {
		forbidden += fmt.Sprintf(" %q", name)
	}
	reason, text, details := "", "", map[string]any(nil)
	switch err {
	case "conflict":
		code, reason, text = 409, "Conflict", fmt.Sprintf("Operation cannot be fulfilled on %s %q: the object has been modified", resource, name)
	case "forbidden":
		code, reason, text = 403, "Forbidden", forbidden+" is forbidden: exceeded quota"
	case "nsterminating":
		code, reason, text = 403, "Forbidden", forbidden+" is forbidden: unable to create new content because it is being terminated"
		details = map[string]any{"causes": []any{map[string]any{"reason": core.NamespaceTerminatingCause}}}
	case "notfound":
		code, reason, text = 404, "NotFound", fmt.Sprintf("%s %q not found", resource, name)
	case "exists":
		code, reason, text = 409, "AlreadyExists", fmt.Sprintf("%s %q already exists", resource, name)
	case "invalid":
		code, reason, text = 422, "Invalid", fmt.Sprintf("%s %q is invalid: metadata.ownerReferences: only one reference can have Controller set to true", resource, name)
	case "timeout":
		code, reason, text = 500, "ServerTimeout", "The op operation against "+resource+" could not be completed at this time, please try again."
	default:
		code, reason, text = 500, "InternalError", "Internal error occurred: scripted"
	}
	return code, marshal(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": text, "details": details})
}
