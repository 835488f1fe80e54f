package kcm137

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/fakeapi"
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
		p.api.Close()
		p.api.Run(time.Now().Add(time.Minute)) // for what still waits for its time
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
	p.api = newRSServer(op.Graceful, p.soon)
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
		p.api.Run(time.Now().Add(time.Duration(op.Ms) * time.Millisecond))
		return
	case "start":
		p.passed += 200
		p.start()
		p.api.Run(time.Now())
		p.api.Run(time.Now().Add(200 * time.Millisecond))
		return
	case "fail":
		p.api.Fails = append(p.api.Fails, fakeapi.Failure{Verb: op.Verb, Resource: op.Resource, Name: op.Name, Err: op.Err, N: max(op.N, 1)})
	case "reap":
		p.api.Reap(p.api.pods)
	case "watch", "deliver", "bookmark", "watchClose", "watchExpire":
		r := p.api.pods
		if op.Resource == "replicasets" {
			r = p.api.sets
		}
		p.api.Tamper(r, verb, op.Mode, time.Duration(op.Ms)*time.Millisecond, op.N)
	default:
		p.playOtherClient(verb, &op)
	}
	p.api.Run(time.Now())
}

// print prints what the controller has asked for, and which pods there are, after an operation in which nothing lasts that
// a script didn't ask for.
func (p *rsPlayer) print(res map[string]any) {
	if !p.prints {
		return
	}
	pods, sets := []string{}, []string{}
	for _, o := range p.api.sets.Objects {
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
	for name, o := range p.api.pods.Objects {
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
