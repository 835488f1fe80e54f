package cr025

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/fakeapi"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type rywOp struct {
	Op, ID, Name, Data, RV, UID, Rep string
	Verb, Mode, Err                  string
	Enable                           *bool
	Fin, NoWait                      bool
	Precond                          string
	TimeoutMs, Ms                    int64
	N                                int
}

type rywLine struct {
	text string
	done bool
	ms   int64
}

// rywPlayer plays ryw.* to controller-runtime's client and cache.
type rywPlayer struct {
	api        *fakeapi.Server
	configMaps *fakeapi.Resource
	c          client.Client
	cache      cache.Cache
	stop       context.CancelFunc

	mu    sync.Mutex
	trace []rywLine
	calls []*rywCall
	named int
	plain bool
}

func playRYW(t *testing.T, script []proof.Op) []string {
	p := &rywPlayer{}
	return proof.Play(t, script, func(op proof.Op, res map[string]any) {
		p.play(op, res)
		p.print(res)
	}, func() {
		if p.stop == nil {
			return
		}
		for _, c := range slices.Clone(p.calls) {
			c.cancel()
		}
		p.stop()
		p.api.Close()
		proof.Advance(60_000) // for what still waits for its time
	})
}

func (p *rywPlayer) record(text string, done bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trace = append(p.trace, rywLine{text, done, time.Now().UnixMilli()})
}

func (p *rywPlayer) open(op *rywOp, res map[string]any) {
	p.plain = op.Enable != nil && !*op.Enable
	p.configMaps = &fakeapi.Resource{Name: "configmaps", New: newConfigMap, Change: changeConfigMap}
	p.api = fakeapi.New(100, p.configMaps)
	p.api.Answered = func(q *fakeapi.Request) { p.record("api "+requestText(q), false) }
	scheme := kruntime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		panic(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	cfg := &rest.Config{Host: "http://fake", QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	web := &http.Client{Transport: waiting{p.api}}
	var err error
	if p.cache, err = cache.New(cfg, cache.Options{HTTPClient: web, Scheme: scheme, Mapper: mapper}); err != nil {
		panic(err)
	}
	enable := !p.plain
	o := client.Options{HTTPClient: web, Scheme: scheme, Mapper: mapper, Log: logr.Discard(), Cache: &client.CacheOptions{Reader: p.cache, Unstructured: true, EnableReadYourWritesConsistency: &enable}}
	if p.c, err = client.New(cfg, o); err != nil {
		panic(err)
	}
	res["clientType"] = reflect.TypeOf(p.c).String()
	ctx, cancel := context.WithCancel(context.Background())
	p.stop = cancel
	go p.cache.Start(ctx)
	synctest.Wait()
}

func (p *rywPlayer) play(line proof.Op, res map[string]any) {
	var op rywOp
	proof.Fields(line, &op)
	a := p.api
	switch verb := strings.TrimPrefix(op.Op, "ryw."); verb {
	case "new":
		p.open(&op, res)
		return
	case "advance":
		a.Run(time.Now().Add(time.Duration(op.Ms) * time.Millisecond))
		return
	case "create", "update", "patch", "delete", "get", "list", "deleteAllOf":
		p.call(verb, &op)
	case "cancel":
		p.mu.Lock()
		i := slices.IndexFunc(p.calls, func(c *rywCall) bool { return c.id == op.ID })
		if i < 0 {
			res["err"] = "no such call"
		} else {
			p.calls[i].cancel()
		}
		p.mu.Unlock()
	case "extCreate":
		p.otherClient(a.Create(p.configMaps, configMap(op.Name, op.Data)))
	case "extUpdate":
		p.otherClient(a.Update(p.configMaps, op.Name, func(o fakeapi.Object) { // its object has no namespace
			o.SetNamespace("")
			o.SetFinalizers(nil)
			o.(*corev1.ConfigMap).Data = map[string]string{"v": op.Data}
		}))
	case "extDelete":
		p.otherClient(a.Delete(p.configMaps, op.Name))
	case "watch", "deliver", "bookmark", "watchClose", "watchExpire":
		n := a.Tamper(p.configMaps, verb, op.Mode, time.Duration(op.Ms)*time.Millisecond, op.N)
		if verb == "deliver" {
			res["delivered"] = n
		}
	case "hold":
		if clear(a.Holds); op.Mode != "off" {
			a.Holds[op.Verb] = true
		}
	case "answer":
		res["answered"] = a.Answer(func(q *fakeapi.Request) bool { // one call's, or all
			c, _ := q.Context.Value(callerKey{}).(*rywCall)
			return op.ID == "" || c != nil && c.id == op.ID
		})
	case "fail":
		a.Fails = append(a.Fails, fakeapi.Failure{Verb: op.Verb, Name: op.Name, Err: op.Err, N: max(op.N, 1)})
	}
	a.Run(time.Now())
}

// otherClient records what another client has written.
func (p *rywPlayer) otherClient(q *fakeapi.Request) {
	p.record("other client: api "+requestText(q), false)
}

// requestText returns the line that tells of a request and its answer.
func requestText(q *fakeapi.Request) string {
	name := " " + q.Name
	switch {
	case q.Watch != nil:
		return fmt.Sprintf("WATCH configmaps from=%s initialEvents=%v bookmarks=%v", q.Query.Get("resourceVersion"), q.Query.Get("sendInitialEvents") == "true", q.Query.Get("allowWatchBookmarks") == "true")
	case q.Failed && q.Name == "":
		name = ""
	}
	switch {
	case q.Reason != "":
		return fmt.Sprintf("%s configmaps%s -> %d %s", q.Method, name, q.Code, q.Reason)
	case q.Object == nil: // a list
		return q.Method + " configmaps"
	}
	return fmt.Sprintf("%s configmaps%s -> %d %srv=%s", q.Method, name, q.Code, q.What, q.Object.GetResourceVersion())
}

// waiting notes of a call that it waits for the API server.
type waiting struct{ *fakeapi.Server }

func (s waiting) RoundTrip(r *http.Request) (*http.Response, error) {
	if c, ok := r.Context().Value(callerKey{}).(*rywCall); ok {
		c.waits.Store("api")
	}
	return s.Server.RoundTrip(r)
}

func newConfigMap() fakeapi.Object {
	return &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}}
}

func configMap(name, data string) fakeapi.Object {
	o := newConfigMap().(*corev1.ConfigMap)
	o.Name, o.Namespace, o.Data = name, "ns", map[string]string{"v": data}
	return o
}

// changeConfigMap does to a ConfigMap what the body of a PUT or PATCH asks for.
func changeConfigMap(q *fakeapi.Request, o fakeapi.Object) string {
	var body corev1.ConfigMap
	json.Unmarshal(q.Body, &body)
	if o.(*corev1.ConfigMap).Data = body.Data; q.Method == "PUT" {
		o.SetFinalizers(body.Finalizers)
		o.SetNamespace(body.Namespace)
	}
	return ""
}

func (p *rywPlayer) object(op *rywOp) client.Object {
	if op.Rep == "unstructured" {
		u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
		u.SetName(op.Name)
		u.SetNamespace("ns")
		return u
	}
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: op.Name, Namespace: "ns"}}
}

func (p *rywPlayer) print(res map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var trace []string
	for from := 0; from < len(p.trace); {
		to := from + 1
		for to < len(p.trace) && p.trace[from].done && p.trace[to].done && p.trace[from].ms == p.trace[to].ms {
			to++
		}
		run := p.trace[from:to]
		slices.SortFunc(run, func(a, b rywLine) int { return strings.Compare(a.text, b.text) })
		for _, l := range run {
			trace = append(trace, l.text)
		}
		from = to
	}
	if p.trace = nil; len(trace) > 0 {
		res["trace"] = trace
	}
	blocked := []string{}
	for _, c := range p.calls {
		blocked = append(blocked, fmt.Sprintf("%s %s waits in %v", c.id, c.what, c.waits.Load()))
	}
	slices.Sort(blocked)
	res["blocked"] = blocked
	if n := p.configMaps.Withheld(); n > 0 {
		res["withheldEvents"] = map[string]int{"configmaps": n}
	}
	if !p.plain {
		p.state(res)
	}
}

// state reads what the client keeps.
func (p *rywPlayer) state(res map[string]any) {
	c := reflect.ValueOf(p.c).Elem()
	var handlers []string
	writes := []string{}
	names := map[int64]string{0: "unstructured", 2: "typed"}
	barriers := controllers.Reach(c.FieldByName("writeBarriers")).Elem()
	all := controllers.Reach(barriers.FieldByName("data"))
	for _, k := range all.MapKeys() {
		data := controllers.Reach(all.MapIndex(k).Elem().Elem().FieldByName("data"))
		for _, key := range data.MapKeys() {
			writes = append(writes, fmt.Sprintf("%s inFlight=%d", key.Interface().(types.NamespacedName), data.MapIndex(key).Elem().FieldByName("inFlightWrites").Int()))
		}
	}
	kept := controllers.Reach(c.FieldByName("consistencyHandlers")).Elem()
	all = controllers.Reach(kept.FieldByName("data"))
	for _, k := range all.MapKeys() {
		h, name := all.MapIndex(k).Elem(), names[k.FieldByName("representation").Int()]
		registered := h.FieldByName("registered").Bool()
		var minimums, deletes []string
		observed := controllers.Reach(h.FieldByName("observedRV")).Addr().Interface().(*atomic.Int64).Load()
		for key, rv := range controllers.Reach(h.FieldByName("minimumRVs")).Interface().(map[types.NamespacedName]int64) {
			if rv > observed {
				minimums = append(minimums, fmt.Sprintf("%s>=%d", key, rv))
			}
		}
		pending := controllers.Reach(h.FieldByName("pendingDeletes"))
		for _, key := range pending.MapKeys() {
			var uids []string
			for _, uid := range pending.MapIndex(key).MapKeys() {
				uids = append(uids, uid.String())
			}
			slices.Sort(uids)
			deletes = append(deletes, fmt.Sprintf("%s%v", key.Interface().(types.NamespacedName), uids))
		}
		slices.Sort(minimums)
		slices.Sort(deletes)
		handlers = append(handlers, fmt.Sprintf("%s registered=%v observedRV=%d minimumRVs=%v pendingDeletes=%v", name, registered, observed, minimums, deletes))
		if registered {
			res["cache."+name] = p.cached(name)
		}
	}
	slices.Sort(handlers)
	slices.Sort(writes)
	res["handlers"], res["writesInFlight"] = handlers, writes
}

func (p *rywPlayer) cached(name string) []string {
	op := &rywOp{Rep: name}
	informer, err := p.cache.GetInformer(context.Background(), p.object(op), cache.BlockUntilSynced(false))
	if err != nil {
		panic(err)
	}
	store := informer.(toolscache.SharedIndexInformer).GetIndexer()
	all := []string{}
	for _, o := range store.List() {
		all = append(all, rywText(o.(client.Object)))
	}
	slices.Sort(all)
	return append(all, "storeRV="+store.LastStoreSyncResourceVersion())
}
