package cr025

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"reflect"
	"runtime"
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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// rywCall is a call of the client, in a goroutine of its own. It is also that call's
// context, which notes who asks it for Done.
type rywCall struct {
	context.Context
	cancel context.CancelFunc
	id     string
	what   string
	waits  atomic.Value
}

// callerKey is the key of the call in its context.
type callerKey struct{}

// Value implements context.Context.
func (c *rywCall) Value(key any) any {
	if key == (callerKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Done implements context.Context.
func (c *rywCall) Done() <-chan struct{} {
	var pcs [24]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		for _, known := range [][2]string{
			{"internal.(*Informers).Get", "informerSync"}, {"waitForHandlerSyncLocked", "handlerSync"}, {"consistentClient).Get", "barrier"},
			{"consistentClient).List", "barrier"}, {"waitForRV", "rv"}, {"waitDeletes", "deletes"},
		} {
			if strings.HasSuffix(f.Function, known[0]) {
				c.waits.Store(known[1])
				return c.Context.Done()
			}
		}
		if !more {
			return c.Context.Done()
		}
	}
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
		p.do(op, res)
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

func (p *rywPlayer) say(text string, done bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trace = append(p.trace, rywLine{text, done, time.Now().UnixMilli()})
}

func (p *rywPlayer) open(op *rywOp, res map[string]any) {
	p.plain = op.Enable != nil && !*op.Enable
	p.api = &apiServer{rv: 100, objects: map[string]*configMap{}, holds: map[string]bool{}, wake: make(chan struct{}, 1), say: func(text string) { p.say(text, false) }}
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

func (p *rywPlayer) do(line proof.Op, res map[string]any) {
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
		p.say("other client: api "+method+" configmaps"+text, false)
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

func (p *rywPlayer) call(verb string, op *rywOp) {
	c := &rywCall{id: op.ID, what: verb + " " + op.Name}
	if verb == "list" {
		c.what = verb
	}
	if c.id == "" {
		p.named++
		c.id = fmt.Sprintf("c%d", p.named)
	}
	c.Context, c.cancel = context.WithCancel(context.Background())
	if op.TimeoutMs > 0 {
		c.Context, c.cancel = context.WithTimeout(context.Background(), time.Duration(op.TimeoutMs)*time.Millisecond)
	}
	p.mu.Lock()
	p.calls = append(p.calls, c)
	p.mu.Unlock()
	go func() {
		result, err := p.perform(c, verb, op)
		if err != nil {
			result = "ERR " + errorText(err)
		}
		p.mu.Lock()
		p.calls = slices.DeleteFunc(p.calls, func(o *rywCall) bool { return o == c })
		p.mu.Unlock()
		c.cancel()
		p.say("done "+c.id+" "+c.what+" -> "+result, true)
	}()
}

func errorText(err error) string {
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status):
		return string(status.Status().Reason) + ": " + err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "DeadlineExceeded: " + err.Error()
	case errors.Is(err, context.Canceled):
		return "Canceled: " + err.Error()
	}
	return err.Error()
}

type noWait struct{}

func (noWait) ApplyToGet(o *client.GetOptions)       { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToList(o *client.ListOptions)     { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToCreate(o *client.CreateOptions) { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToUpdate(o *client.UpdateOptions) { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToPatch(o *client.PatchOptions)   { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToDelete(o *client.DeleteOptions) { o.DisableReadYourWritesConsistency = true }

// asking is the option of calls that don't wait, or none.
func asking[O any](op *rywOp) (all []O) {
	if op.NoWait {
		all = append(all, any(noWait{}).(O))
	}
	return all
}

func (p *rywPlayer) perform(ctx context.Context, verb string, op *rywOp) (string, error) {
	o := p.object(op)
	switch verb {
	case "get":
		err := p.c.Get(ctx, types.NamespacedName{Namespace: "ns", Name: op.Name}, o, asking[client.GetOption](op)...)
		return rywText(o), err
	case "list":
		var l corev1.ConfigMapList
		err := p.c.List(ctx, &l, append(asking[client.ListOption](op), client.InNamespace("ns"))...)
		all := []string{}
		for i := range l.Items {
			all = append(all, rywText(&l.Items[i]))
		}
		slices.Sort(all)
		return "[" + strings.Join(all, " ") + "]", err
	case "deleteAllOf":
		return "", p.c.DeleteAllOf(ctx, o)
	case "delete":
		o.SetUID(types.UID(op.UID))
		all := asking[client.DeleteOption](op)
		if op.Precond != "" {
			uid := types.UID(op.Precond)
			all = append(all, client.Preconditions{UID: &uid})
		}
		return "ok", p.c.Delete(ctx, o, all...)
	case "patch":
		err := p.c.Patch(ctx, o, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"data":{"v":%q}}`, op.Data)), asking[client.PatchOption](op)...)
		return rywText(o), err
	}
	o.SetUID(types.UID(op.UID))
	o.SetResourceVersion(op.RV)
	if op.Fin {
		o.SetFinalizers([]string{"x/y"})
	}
	switch x := o.(type) {
	case *corev1.ConfigMap:
		x.Data = map[string]string{"v": op.Data}
	case *unstructured.Unstructured:
		x.Object["data"] = map[string]any{"v": op.Data}
	}
	var err error
	if verb == "create" {
		err = p.c.Create(ctx, o, asking[client.CreateOption](op)...)
	} else {
		err = p.c.Update(ctx, o, asking[client.UpdateOption](op)...)
	}
	return rywText(o), err
}

func rywText(o client.Object) string {
	data := ""
	switch x := o.(type) {
	case *corev1.ConfigMap:
		data = x.Data["v"]
	case *unstructured.Unstructured:
		data, _, _ = unstructured.NestedString(x.Object, "data", "v")
	}
	return fmt.Sprintf("%s@%s#%s=%s", o.GetName(), o.GetResourceVersion(), o.GetUID(), data)
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

// rywScript makes a script up for the client. The reflector's back-off is random, so after
// the end of a watch so much time passes that it is over, and nothing times out in it.
func rywScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	script := []proof.Op{{"op": "ryw.new"}, {"op": "ryw.extCreate", "name": "a", "data": "0"}, {"op": "ryw.get", "name": "a"}, {"op": "advance", "ms": 200}}
	if r.Intn(10) == 0 {
		script[0]["enable"] = false
	}
	unstructured := r.Intn(4) == 0
	if unstructured {
		script = append(script, proof.Op{"op": "ryw.get", "name": "a", "rep": "unstructured"}, proof.Op{"op": "advance", "ms": 200})
	}
	expires := r.Intn(4) == 0 && !unstructured // two informers would be in their back-offs at once
	for i := range 15 + r.Intn(40) {
		name := pick("a", "b", "c")
		op := proof.Op{"name": name}
		switch verb := pick("create", "update", "update", "patch", "delete", "get", "get", "list", "extCreate", "extUpdate", "extDelete", "watch", "watch", "deliver", "deliver", "advance", "cancel", "hold", "answer", "answer", "fail", "bookmark"); verb {
		case "create", "update", "patch", "delete", "get", "list":
			op["op"], op["id"] = "ryw."+verb, fmt.Sprintf("%s%d", verb[:1], i)
			if r.Intn(6) == 0 {
				op["noWait"] = true
			}
			if r.Intn(4) == 0 && !expires {
				op["timeoutMs"] = 500 + i // two that end at once would race
			}
			switch verb {
			case "create", "update", "patch":
				op["data"] = fmt.Sprint(10 + i)
				if verb == "create" && r.Intn(5) == 0 {
					op["fin"] = true
				}
			case "delete":
				if r.Intn(5) == 0 {
					op["precond"] = pick("u1", "u2", "u3")
				} else if r.Intn(5) == 0 {
					op["uid"] = pick("u1", "u2", "u3")
				}
			case "list":
				delete(op, "name")
			}
			if unstructured && (verb == "get" || verb == "update") && r.Intn(2) == 0 {
				op["rep"] = "unstructured"
			}
		case "extCreate", "extUpdate", "extDelete":
			op["op"], op["data"] = "ryw."+verb, fmt.Sprint("x", i)
		case "watch":
			op = proof.Op{"op": "ryw.watch", "mode": pick("hold", "hold", "live", "live", "lag"), "ms": 50}
		case "deliver":
			op = proof.Op{"op": "ryw.deliver", "n": r.Intn(3)}
		case "advance":
			op = proof.Op{"op": "advance", "ms": []int{100, 200, 600, 1000}[r.Intn(4)]}
		case "cancel":
			op = proof.Op{"op": "ryw.cancel", "id": fmt.Sprintf("%s%d", pick("g", "l", "u", "c"), r.Intn(i+1))}
		case "hold":
			op = proof.Op{"op": "ryw.hold", "verb": pick("PUT", "POST", "*", "DELETE", "PATCH")}
			if r.Intn(2) == 0 {
				op = proof.Op{"op": "ryw.hold", "mode": "off"}
			}
		case "answer":
			op = proof.Op{"op": "ryw.answer"}
		case "fail":
			op = proof.Op{"op": "ryw.fail", "verb": pick("PUT", "POST", "DELETE", "PATCH"), "err": pick("conflict", "internal", "timeout", "notfound")}
		case "bookmark":
			op = proof.Op{"op": "ryw.bookmark"}
		}
		script = append(script, op)
		if expires && r.Intn(15) == 0 {
			script = append(script, proof.Op{"op": "ryw." + pick("watchExpire", "watchClose")}, proof.Op{"op": "advance", "ms": 61_002})
		}
	}
	return script
}
