package kcm137

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	apps "k8s.io/api/apps/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/replicaset"
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
	prints  bool
	passed  int64 // the time that the script lets pass, in milliseconds: what an operation brings takes some, and more or less of it in the engine

	mu      sync.Mutex
	starts  []time.Time // when workers begin their syncs
	handled time.Time   // when an error was handled last
}

func playRS(t *testing.T, script []proof.Op) []string {
	p := &rsPlayer{}
	return proof.Play(t, script, func(op proof.Op, res map[string]any) {
		p.play(op, res)
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
	p.handled = time.Now()
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{p.handle}
	p.api = newRSServer()
	p.api.graceful = op.Graceful
	p.api.soon = p.soon
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://fake", QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, &http.Client{Transport: p.api})
	if err != nil {
		panic(err)
	}
	klog.SetLogger(logr.Discard())
	p.factory = informers.NewSharedInformerFactory(client, time.Duration(op.ResyncMs)*time.Millisecond)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	p.stop = cancel
	p.rsc = replicaset.NewReplicaSetController(ctx, p.factory.Apps().V1().ReplicaSets(), p.factory.Core().V1().Pods(), client, cmp.Or(op.Burst, replicaset.BurstReplicas))
	if op.NoExpectations {
		uid := field(p.rsc, "expectations").Interface().(*controller.UIDTrackingControllerExpectations)
		uid.ControllerExpectationsInterface = unexpecting{controller.NewControllerExpectations()}
	}
	p.watch()
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

func (p *rsPlayer) play(line proof.Op, res map[string]any) {
	var op rsOp
	proof.Fields(line, &op)
	verb := strings.TrimPrefix(op.Op, "rs.")
	p.prints = verb == "advance" && op.Ms >= 50
	defer func() { res["t"] = fmt.Sprint(p.passed) }()
	switch verb {
	case "new":
		p.open(&op, res)
		return
	case "advance":
		p.passed += op.Ms
		p.api.run(time.Now().Add(time.Duration(op.Ms) * time.Millisecond))
		return
	case "start":
		p.passed += 200
		p.start()
		p.api.run(time.Now())
		p.api.run(time.Now().Add(200 * time.Millisecond))
		return
	case "fail":
		p.api.fails = append(p.api.fails, rsFailure{op.Verb, op.Resource, op.Name, op.Err, max(op.N, 1)})
	case "reap":
		pods := p.api.resources[0]
		for _, name := range slices.Sorted(maps.Keys(pods.objects)) {
			if o := pods.objects[name]; o.GetDeletionTimestamp() != nil {
				p.api.put(pods, o.DeepCopyObject().(object), "DELETED")
			}
		}
	case "watch", "deliver", "bookmark", "watchClose", "watchExpire":
		r := p.api.resources[0]
		if op.Resource == "replicasets" {
			r = p.api.resources[1]
		}
		p.events(verb, &op, r, res)
	default:
		p.playOtherClient(verb, &op)
	}
	p.api.run(time.Now())
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

// print prints what the controller has asked for, and which pods there are, after an operation in which nothing lasts that
// a script didn't ask for.
func (p *rsPlayer) print(res map[string]any) {
	if !p.prints {
		return
	}
	pods, sets := []string{}, []string{}
	for _, o := range p.api.resources[1].objects {
		s := o.(*apps.ReplicaSet).Status
		text := fmt.Sprintf("%s replicas=%d readyReplicas=%d availableReplicas=%d", o.GetName(), s.Replicas, s.ReadyReplicas, s.AvailableReplicas)
		if s.TerminatingReplicas != nil {
			text += fmt.Sprint(" terminatingReplicas=", *s.TerminatingReplicas)
		}
		text += fmt.Sprint(" observedGeneration=", s.ObservedGeneration)
		for _, c := range s.Conditions {
			text += " " + strings.TrimSuffix(string(c.Type)+"="+c.Reason, "=")
		}
		sets = append(sets, text)
	}
	for name, o := range p.api.resources[0].objects {
		if owner := meta.GetControllerOf(o); owner != nil {
			name += " " + owner.Name
		}
		pods = append(pods, name)
	}
	for _, b := range p.api.batches {
		p.api.asked = append(p.api.asked, fmt.Sprint("POST batch of ", b.size))
	}
	slices.Sort(pods)
	slices.Sort(sets)
	slices.Sort(p.api.asked)
	res["pods"], res["sets"], res["requests"] = pods, sets, append([]string{}, p.api.asked...)
	p.api.asked, p.api.batches = nil, nil
}
