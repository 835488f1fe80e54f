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
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
)

type rsOp struct {
	Op, Name, UID, Owner, Phase, Data string
	Resource, Mode, Verb, Err         string
	Gate, TermGate, Ready             *bool
	Graceful, NoExpectations          bool
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
	if op.NoExpectations {
		uid := field(p.rsc, "expectations").Interface().(*controller.UIDTrackingControllerExpectations)
		uid.ControllerExpectationsInterface = unexpecting{controller.NewControllerExpectations()}
	}
	p.watch()
	res["consistencyStore"] = reflect.TypeOf(p.store()).String()
	p.start = func() {
		p.factory.Start(ctx.Done())
		go p.rsc.Run(ctx, max(op.Workers, 1))
	}
}

// unexpecting are expectations of nothing: a controller with them has only the other guard.
type unexpecting struct {
	*controller.ControllerExpectations
}

func (unexpecting) SatisfiedExpectations(klog.Logger, string) bool { return true }
func (unexpecting) ExpectCreations(klog.Logger, string, int) error { return nil }
func (unexpecting) ExpectDeletions(klog.Logger, string, int) error { return nil }

func (p *rsPlayer) store() consistency.ConsistencyStore {
	return field(p.rsc, "consistencyStore").Interface().(consistency.ConsistencyStore)
}

func (p *rsPlayer) queue() *rsQueue { return field(p.rsc, "queue").Interface().(*rsQueue) }

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
	if plain, real := uid.ControllerExpectationsInterface.(*controller.ControllerExpectations); real {
		res["expectations"] = expectationsOf(plain, uid)
	}
	res["queueLen"] = p.queue().Len()
	res["storeRV"] = map[string]string{"pods": p.pods().LastStoreSyncResourceVersion(), "replicasets": p.sets().LastStoreSyncResourceVersion()}
	res["written"] = recordsText(p.store())
}
