package cr025

import (
	"context"
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
	api   *apiServer
	c     client.Client
	cache cache.Cache
	stop  context.CancelFunc

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
		for _, w := range p.api.watches {
			w.Close()
		}
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
	p.api = &apiServer{rv: 100, objects: map[string]*configMap{}, holds: map[string]bool{}, wake: make(chan struct{}, 1), record: func(text string) { p.record(text, false) }}
	scheme := kruntime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		panic(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	cfg := &rest.Config{Host: "http://fake", QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	web := &http.Client{Transport: p.api}
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
		a.run(time.Now().Add(time.Duration(op.Ms) * time.Millisecond))
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
	case "extCreate", "extUpdate", "extDelete":
		method := map[string]string{"extCreate": "POST", "extUpdate": "PUT", "extDelete": "DELETE"}[verb]
		_, text, _ := a.write(method, &configMap{name: op.Name, data: op.Data, bare: verb == "extUpdate"}, "")
		p.record("other client: api "+method+" configmaps"+text, false)
	case "watch":
		a.mode, a.lag = op.Mode, time.Duration(op.Ms)*time.Millisecond
		for _, e := range a.events {
			if at := time.Now().Add(a.lag); op.Mode == "live" {
				e.due = time.Now()
			} else if op.Mode == "lag" && (e.due.IsZero() || at.Before(e.due)) {
				e.due = at
			}
		}
	case "deliver":
		n := len(a.events)
		if op.N > 0 {
			n = min(n, op.N)
		}
		for i, e := range a.events[:n] {
			if at := time.Now().Add(time.Duration(i+1) * time.Microsecond); e.due.IsZero() || at.Before(e.due) {
				e.due = at
			}
		}
		res["delivered"] = n
	case "bookmark", "watchClose", "watchExpire":
		for _, w := range a.watches {
			switch {
			case !w.Open():
			case verb == "bookmark":
				rv := a.rv
				if len(a.events) > 0 {
					rv = a.events[0].rv - 1
				}
				w.Send("BOOKMARK", bookmark(rv, false))
			case verb == "watchClose":
				w.Close()
			default:
				w.Send("ERROR", map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410, "reason": "Expired", "message": "too old"})
			}
		}
	case "hold":
		if clear(a.holds); op.Mode != "off" {
			a.holds[op.Verb] = true
		}
	case "answer":
		res["answered"] = p.answer(op.ID)
	case "fail":
		a.fails = append(a.fails, apiFailure{op.Verb, op.Name, op.Err, max(op.N, 1)})
	}
	a.run(time.Now())
}

// answer lets withheld requests be answered: one call's, or all.
func (p *rywPlayer) answer(id string) (n int) {
	for _, q := range p.api.requests {
		if q.due.IsZero() && (id == "" || q.caller.id == id) {
			q.due = time.Now().Add(10 * time.Microsecond)
			n++
		}
	}
	return n
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
	if n := len(p.api.events); n > 0 {
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
