package kcm137

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
)

type rsOp struct {
	Op, Name, UID, Owner, Phase, Data string
	Resource, Mode, Verb, Err         string
	Gate, TermGate, Ready             *bool
	Graceful                          bool
	Workers, Burst, N                 int
	ResyncMs, Ms                      int64
	Replicas, MinReadyS               int32
	Labels                            map[string]string
}

// rsPlayer plays rs.*: kube-controller-manager's ReplicaSet controller on client-go's informers.
type rsPlayer struct {
	api     *rsServer
	rsc     *replicaset.ReplicaSetController
	factory informers.SharedInformerFactory
	start   func()
	stop    context.CancelFunc
	began   time.Time

	mu      sync.Mutex
	trace   []string
	syncs   int
	starts  []time.Time // when workers begin their syncs
	handled time.Time   // when an error was handled last
}

func playRS(t *testing.T, script []proof.Op) []string {
	p := &rsPlayer{}
	return proof.Play(t, script, func(op proof.Op, res map[string]any) {
		p.do(op, res)
		p.print(res)
	}, func() {
		p.stop()
		for _, r := range p.api.resources {
			for _, w := range r.watches {
				w.Close()
			}
		}
		p.api.run(time.Now().Add(time.Minute)) // for what still waits for its time
	})
}

func (p *rsPlayer) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trace = append(p.trace, fmt.Sprintf("t=%d ", time.Since(p.began).Milliseconds())+fmt.Sprintf(format, args...))
}

// handle is one of the two handlers that utilruntime has for errors. The other one, which logs, is left out. The real
// one's clock began with the process, outside of the bubble.
func (p *rsPlayer) handle(context.Context, error, string, ...any) {
	p.mu.Lock()
	since := time.Since(p.handled)
	p.handled = time.Now()
	p.mu.Unlock()
	proof.Pass(time.Millisecond - since)
}

func field(of any, name string) reflect.Value {
	return reach(reflect.ValueOf(of).Elem().FieldByName(name))
}

func (p *rsPlayer) open(op *rsOp, res map[string]any) {
	on := func(gate *bool) bool { return gate == nil || *gate }
	gates := map[string]bool{"StaleControllerConsistencyReplicaSet": on(op.Gate), "DeploymentReplicaSetTerminatingReplicas": on(op.TermGate)}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
		panic(err)
	}
	p.began, p.handled = time.Now(), time.Now()
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{p.handle}
	p.api = newRSServer()
	p.api.say, p.api.soon, p.api.graceful = p.say, p.soon, op.Graceful
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://fake", QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, &http.Client{Transport: p.api})
	if err != nil {
		panic(err)
	}
	klog.SetLogger(logr.Discard())
	p.factory = informers.NewSharedInformerFactory(client, time.Duration(op.ResyncMs)*time.Millisecond)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	p.stop = cancel
	p.rsc = replicaset.NewReplicaSetController(ctx, p.factory.Apps().V1().ReplicaSets(), p.factory.Core().V1().Pods(), client, cmp.Or(op.Burst, 500))
	p.watch()
	res["consistencyStore"] = reflect.TypeOf(p.store()).String()
	p.start = func() {
		p.factory.Start(ctx.Done())
		go p.rsc.Run(ctx, max(op.Workers, 1))
	}
}

func (p *rsPlayer) store() consistency.ConsistencyStore {
	return field(p.rsc, "consistencyStore").Interface().(consistency.ConsistencyStore)
}

func (p *rsPlayer) queue() *rsQueue { return field(p.rsc, "queue").Interface().(*rsQueue) }

// watch puts between the controller and its parts what writes down their calls. The two lookups whose order is that of
// a map are sorted.
func (p *rsPlayer) watch() {
	sync := field(p.rsc, "syncHandler").Interface().(func(context.Context, string) error)
	field(p.rsc, "syncHandler").Set(reflect.ValueOf(func(ctx context.Context, key string) error { return p.sync(ctx, key, sync) }))
	queue := field(p.rsc, "queue").Interface().(workqueue.TypedRateLimitingInterface[string])
	field(p.rsc, "queue").Set(reflect.ValueOf(&rsQueue{queue, p}))
	field(p.rsc, "podIndexer").Set(reflect.ValueOf(sortedIndexer{p.pods()}))
	field(p.rsc, "rsLister").Set(reflect.ValueOf(sortedLister{p.factory.Apps().V1().ReplicaSets().Lister()}))
}

func (p *rsPlayer) pods() cache.Indexer { return p.factory.Core().V1().Pods().Informer().GetIndexer() }

func (p *rsPlayer) sets() cache.Indexer {
	return p.factory.Apps().V1().ReplicaSets().Informer().GetIndexer()
}

func byName(a, b meta.Object) int { return strings.Compare(a.GetName(), b.GetName()) }

type sortedIndexer struct{ cache.Indexer }

func (i sortedIndexer) ByIndex(name, value string) ([]any, error) {
	all, err := i.Indexer.ByIndex(name, value)
	slices.SortFunc(all, func(a, b any) int { return byName(a.(meta.Object), b.(meta.Object)) })
	return all, err
}

type sortedLister struct{ listers.ReplicaSetLister }

func (l sortedLister) GetPodReplicaSets(pod *core.Pod) ([]*apps.ReplicaSet, error) {
	all, err := l.ReplicaSetLister.GetPodReplicaSets(pod)
	slices.SortFunc(all, func(a, b *apps.ReplicaSet) int { return byName(a, b) })
	return all, err
}

// rsQueue writes down what is done to the controller's queue.
type rsQueue struct {
	workqueue.TypedRateLimitingInterface[string]
	p *rsPlayer
}

func (q *rsQueue) Add(key string) {
	q.p.say("queue.Add %s", key)
	q.TypedRateLimitingInterface.Add(key)
}

func (q *rsQueue) AddAfter(key string, after time.Duration) {
	q.p.say("queue.AddAfter %s %s", key, after.Round(time.Millisecond))
	q.TypedRateLimitingInterface.AddAfter(key, after)
}

func (q *rsQueue) AddRateLimited(key string) {
	n := q.NumRequeues(key)
	q.p.say("queue.AddRateLimited %s failure #%d (back-off %s)", key, n+1, min(5*time.Millisecond<<min(n, 20), 1000*time.Second))
	q.TypedRateLimitingInterface.AddRateLimited(key)
}

func (q *rsQueue) Forget(key string) {
	if n := q.NumRequeues(key); n > 0 {
		q.p.say("queue.Forget %s after %d failures", key, n)
	}
	q.TypedRateLimitingInterface.Forget(key)
}

// soon is when the next worker begins its sync.
func (p *rsPlayer) soon() (at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.starts {
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	return at
}

// sync lets everything else fall quiet before a sync: some nanoseconds, by the key.
func (p *rsPlayer) sync(ctx context.Context, key string, sync func(context.Context, string) error) error {
	at := time.Now().Add(time.Duration(key[len(key)-1] & 0x3f))
	p.mu.Lock()
	p.starts = append(p.starts, at)
	p.mu.Unlock()
	proof.Pass(time.Until(at))
	p.mu.Lock()
	i := slices.Index(p.starts, at)
	p.starts = slices.Delete(p.starts, i, i+1)
	p.syncs++
	n := p.syncs
	p.mu.Unlock()
	p.say("sync #%d begin %s cachePods=%d", n, key, len(p.pods().List()))
	stale := staleOf(p.store(), p.stores(), owner(key))
	err := sync(ctx, key)
	result := "ok"
	if behind := new(consistency.ConsistencyError); errors.As(err, &behind) {
		if result = "STALE " + strings.Join(stale, ", "); len(stale) != 1 {
			result = "STALE any of [" + strings.Join(stale, ", ") + "]"
		}
	} else if err != nil {
		result = "ERR " + rsError(err)
	}
	p.say("sync #%d end %s: %s", n, key, result)
	return err
}

func (p *rsPlayer) stores() map[string]consistency.LastSyncRVGetter {
	return map[string]consistency.LastSyncRVGetter{"pods": p.pods(), "apps/replicasets": p.sets()}
}

var deletedAt = regexp.MustCompile(`has just been deleted at [-0-9]+ [:0-9]+ [-+0-9]+ [A-Z]+`)

func rsError(err error) string {
	text := deletedAt.ReplaceAllString(err.Error(), "has just been deleted")
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		return string(status.Status().Reason) + ": " + text
	}
	return text
}

func (p *rsPlayer) do(line proof.Op, res map[string]any) {
	var op rsOp
	proof.Fields(line, &op)
	verb := strings.TrimPrefix(op.Op, "rs.")
	switch verb {
	case "new":
		p.open(&op, res)
		return
	case "advance":
		p.api.run(time.Now().Add(time.Duration(op.Ms) * time.Millisecond))
		return
	case "start":
		p.start()
		p.api.run(time.Now())
		p.api.run(time.Now().Add(200 * time.Millisecond))
		return
	case "fail":
		p.api.fails = append(p.api.fails, rsFailure{op.Verb, op.Resource, op.Name, op.Err, max(op.N, 1)})
	case "watch", "deliver", "bookmark", "watchClose", "watchExpire":
		r := p.api.resources[0]
		if op.Resource == "replicasets" {
			r = p.api.resources[1]
		}
		p.events(verb, &op, r, res)
	case "reap":
		n := 0
		pods := p.api.resources[0]
		for _, name := range sortedNames(pods) {
			if o := pods.objects[name]; o.GetDeletionTimestamp() != nil {
				p.api.put(pods, o.DeepCopyObject().(object), "DELETED")
				n++
			}
		}
		res["reaped"] = n
	default:
		if code := p.other(verb, &op); code != 0 {
			res["code"] = code
		}
	}
	p.api.run(time.Now())
}

func sortedNames(of *rsResource) (all []string) {
	for name := range of.objects {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func (p *rsPlayer) events(verb string, op *rsOp, r *rsResource, res map[string]any) {
	switch verb {
	case "watch":
		r.mode, r.lag = op.Mode, time.Duration(op.Ms)*time.Millisecond
		for _, e := range r.events {
			if at := time.Now().Add(r.lag); op.Mode == "live" {
				e.due = time.Now()
			} else if op.Mode == "lag" && (e.due.IsZero() || at.Before(e.due)) {
				e.due = at
			}
		}
		return
	case "deliver":
		n := min(cmp.Or(op.N, len(r.events)), len(r.events))
		for i, e := range r.events[:n] {
			if at := time.Now().Add(time.Duration(i+1) * time.Microsecond); e.due.IsZero() || at.Before(e.due) {
				e.due = at
			}
		}
		res["delivered"] = n
		return
	}
	for _, w := range r.watches {
		switch {
		case !w.Open():
		case verb == "bookmark":
			rv := p.api.rv
			if len(r.events) > 0 {
				rv = r.events[0].rv - 1
			}
			w.Send("BOOKMARK", r.bookmark(rv, false))
		case verb == "watchClose":
			w.Close()
		default:
			w.Send("ERROR", map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410, "reason": "Expired", "message": "too old"})
		}
	}
}

// ownedBy are the owner references to a controller named NAME#UID.
func ownedBy(text, kind string) []meta.OwnerReference {
	if text == "" {
		return nil
	}
	name, uid, _ := strings.Cut(text, "#")
	yes := true
	return []meta.OwnerReference{{APIVersion: "apps/v1", Kind: kind, Name: name, UID: types.UID(uid), Controller: &yes, BlockOwnerDeletion: &yes}}
}

// other does what another client does, at once. It returns the HTTP code of its last request.
func (p *rsPlayer) other(verb string, op *rsOp) (code int) {
	a := p.api
	pods, sets := a.resources[0], a.resources[1]
	line := ""
	did := func(method string, of *rsResource, shown string) int {
		if method == "POST" && code == 409 { // the name is the object's
			shown = strings.TrimPrefix(shown, " ")
		}
		p.say("other client: api %s %s%s -> %s", method, of.name, shown, line)
		return code
	}
	change := func(of *rsResource, sub string, change func(object)) int {
		o, exists := of.objects[op.Name]
		code, line, _ = a.get(of, op.Name)
		did("GET", of, " "+op.Name)
		rv := ""
		if exists {
			rv = o.GetResourceVersion()
		} else if sub != "" {
			return 0
		}
		code, line, _ = a.update(of, op.Name, "", rv, change)
		return did("PUT", of, " "+op.Name+sub)
	}
	switch verb {
	case "createRS":
		labels := op.Labels
		if labels == nil {
			labels = map[string]string{"app": op.Name}
		}
		o := &apps.ReplicaSet{TypeMeta: meta.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"}}
		o.Name, o.UID, o.Generation, o.OwnerReferences = op.Name, types.UID(op.UID), 1, ownedBy(op.Owner, "Deployment")
		o.Spec = apps.ReplicaSetSpec{Replicas: &op.Replicas, MinReadySeconds: op.MinReadyS, Selector: &meta.LabelSelector{MatchLabels: labels}}
		o.Spec.Template.Labels = labels
		code, line, _ = a.create(sets, o)
		return did("POST", sets, " "+op.Name)
	case "createPod":
		o := &core.Pod{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
		o.Name, o.UID, o.Labels, o.OwnerReferences = op.Name, types.UID(op.UID), op.Labels, ownedBy(op.Owner, "ReplicaSet")
		code, line, _ = a.create(pods, o)
		return did("POST", pods, " "+op.Name)
	case "scale":
		return change(sets, "", func(o object) { o.(*apps.ReplicaSet).Spec.Replicas = &op.Replicas })
	case "touchRS":
		return change(sets, "", func(o object) { o.SetAnnotations(map[string]string{"data": op.Data}) })
	case "podLabels":
		return change(pods, "", func(o object) { o.SetLabels(op.Labels) })
	case "podStatus":
		return change(pods, "/status", func(o object) {
			status := core.PodStatus{Phase: core.PodPhase(cmp.Or(op.Phase, "Running"))}
			ready := core.PodCondition{Type: core.PodReady, Status: core.ConditionFalse, LastTransitionTime: meta.Now()}
			if op.Ready != nil && *op.Ready {
				ready.Status = core.ConditionTrue
			}
			status.Conditions = []core.PodCondition{ready}
			o.(*core.Pod).Status = status
		})
	case "finalizeRS", "deleteRS":
		if verb == "finalizeRS" {
			change(sets, "", func(o object) { o.SetFinalizers([]string{"x/y"}) })
		}
		code, line, _ = a.delete(sets, op.Name)
		return did("DELETE", sets, " "+op.Name)
	case "deletePod":
		code, line, _ = a.delete(pods, op.Name)
		return did("DELETE", pods, " "+op.Name)
	}
	panic("unknown operation " + verb)
}

func (p *rsPlayer) print(res map[string]any) {
	p.mu.Lock()
	if len(p.trace) > 0 {
		res["trace"] = p.trace
	}
	p.trace = nil
	res["syncs"] = p.syncs
	p.mu.Unlock()
	withheld := map[string]int{}
	for _, r := range p.api.resources {
		if len(r.events) > 0 {
			withheld[r.name] = len(r.events)
		}
	}
	if len(withheld) > 0 {
		res["withheldEvents"] = withheld
	}
	apiRS, cacheRS, cachePods := []string{}, []string{}, []string{}
	for _, o := range p.api.resources[1].objects {
		set := o.(*apps.ReplicaSet)
		st, ending := set.Status, int32(0)
		if st.TerminatingReplicas != nil {
			ending = *st.TerminatingReplicas
		}
		text := fmt.Sprintf("ns/%s@%s#%s want=%d status=%d ready=%d avail=%d term=%d", set.Name, set.ResourceVersion, set.UID, *set.Spec.Replicas, st.Replicas, st.ReadyReplicas, st.AvailableReplicas, ending)
		for _, c := range st.Conditions {
			text += " " + string(c.Type) + "/" + c.Reason
		}
		apiRS = append(apiRS, text)
	}
	for _, o := range p.sets().List() {
		set := o.(*apps.ReplicaSet)
		cacheRS = append(cacheRS, fmt.Sprintf("ns/%s@%s#%s want=%d status=%d", set.Name, set.ResourceVersion, set.UID, *set.Spec.Replicas, set.Status.Replicas))
	}
	for _, o := range p.pods().List() {
		pod := o.(*core.Pod)
		text := pod.Name + "@" + pod.ResourceVersion
		if pod.DeletionTimestamp != nil {
			text += " deleting"
		}
		cachePods = append(cachePods, text)
	}
	slices.Sort(apiRS)
	slices.Sort(cacheRS)
	slices.Sort(cachePods)
	res["apiRS"], res["cacheRS"], res["cachePods"] = apiRS, cacheRS, cachePods
	res["apiPods"] = len(p.api.resources[0].objects)
	uid := field(p.rsc, "expectations").Interface().(*controller.UIDTrackingControllerExpectations)
	res["expectations"] = expectationsOf(uid.ControllerExpectationsInterface.(*controller.ControllerExpectations), uid)
	res["queueLen"] = p.queue().Len()
	res["storeRV"] = map[string]string{"pods": p.pods().LastStoreSyncResourceVersion(), "replicasets": p.sets().LastStoreSyncResourceVersion()}
	res["written"] = recordsText(p.store())
}
