package kcm137

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
)

type expOp struct {
	Op, Key, Name string
	UIDTrack      bool
	Add, Del, N   int
	Ms            int64
	Keys          []string
}

// expPlayer plays exp.* to kube-controller-manager's expectations.
type expPlayer struct {
	plain *controller.ControllerExpectations
	uid   *controller.UIDTrackingControllerExpectations // nil without UIDs
}

func playExp(t *testing.T, script []proof.Op) []string {
	p := &expPlayer{}
	return proof.Play(t, script, p.play, func() {})
}

func (p *expPlayer) play(line proof.Op, res map[string]any) {
	var op expOp
	proof.Fields(line, &op)
	log := logr.Discard()
	var e interface {
		SatisfiedExpectations(klog.Logger, string) bool
		DeleteExpectations(klog.Logger, string)
		SetExpectations(klog.Logger, string, int, int) error
		ExpectCreations(klog.Logger, string, int) error
		CreationObserved(klog.Logger, string)
		RaiseExpectations(klog.Logger, string, int, int)
		LowerExpectations(klog.Logger, string, int, int)
		GetExpectations(string) (*controller.ControlleeExpectations, bool, error)
	} = p.plain
	if p.uid != nil {
		e = p.uid
	}
	switch op.Op {
	case "advance":
		proof.Advance(op.Ms)
	case "exp.new":
		p.plain, p.uid = controller.NewControllerExpectations(), nil
		if op.UIDTrack {
			p.uid = controller.NewUIDTrackingControllerExpectations(p.plain)
		}
	case "exp.set":
		res["ret"] = fmt.Sprint(e.SetExpectations(log, op.Key, op.Add, op.Del))
	case "exp.expectCreations":
		res["ret"] = fmt.Sprint(e.ExpectCreations(log, op.Key, op.N))
	case "exp.expectDeletions":
		if p.uid != nil {
			res["ret"] = fmt.Sprint(p.uid.ExpectDeletions(log, op.Key, op.Keys))
		} else {
			res["ret"] = fmt.Sprint(p.plain.ExpectDeletions(log, op.Key, op.N))
		}
	case "exp.creationObserved":
		e.CreationObserved(log, op.Key)
	case "exp.deletionObserved":
		if p.uid != nil {
			p.uid.DeletionObserved(log, op.Key, op.Name)
		} else {
			p.plain.DeletionObserved(log, op.Key)
		}
	case "exp.raise":
		e.RaiseExpectations(log, op.Key, op.Add, op.Del)
	case "exp.lower":
		e.LowerExpectations(log, op.Key, op.Add, op.Del)
	case "exp.satisfied":
		res["ret"] = e.SatisfiedExpectations(log, op.Key)
	case "exp.delete":
		e.DeleteExpectations(log, op.Key)
	case "exp.get":
		x, exists, _ := e.GetExpectations(op.Key)
		if res["exists"] = exists; exists {
			res["add"], res["del"] = x.GetExpectations()
		}
	}
	res["state"] = expectationsOf(p.plain, p.uid)
}

// expectationsOf writes expectations down, with their UIDs if there are any.
func expectationsOf(plain *controller.ControllerExpectations, uid *controller.UIDTrackingControllerExpectations) []string {
	state := []string{}
	for _, key := range plain.ListKeys() {
		x, _, _ := plain.GetExpectations(key)
		add, del := x.GetExpectations()
		age := time.Since(reach(reflect.ValueOf(x).Elem().FieldByName("timestamp")).Interface().(time.Time))
		text := fmt.Sprintf("%s add=%d del=%d age=%dms", key, add, del, age.Milliseconds())
		if x.Fulfilled() {
			text += " fulfilled"
		} else if age > controller.ExpectationsTimeout {
			text += " expired"
		}
		if uid != nil {
			text += " uids=[" + strings.Join(uid.GetUIDs(key).List(), " ") + "]"
		}
		state = append(state, text)
	}
	slices.Sort(state)
	return state
}

// reach makes a field that isn't exported readable.
func reach(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// expScript makes a script up for expectations.
func expScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	tracks := r.Intn(2) == 0
	script := []proof.Op{{"op": "exp.new", "uidTrack": tracks}}
	for range 20 + r.Intn(80) {
		op := proof.Op{"op": "exp." + pick("set", "expectCreations", "expectDeletions", "expectDeletions", "creationObserved", "creationObserved", "deletionObserved", "deletionObserved", "raise", "lower", "satisfied", "satisfied", "delete", "get"), "key": pick("ns/a", "ns/b", "c")}
		switch op["op"] {
		case "exp.set", "exp.raise", "exp.lower":
			op["add"], op["del"] = r.Intn(5)-1, r.Intn(4)
		case "exp.expectCreations":
			op["n"] = r.Intn(4)
		case "exp.expectDeletions":
			if tracks {
				op["keys"] = []string{pick("p1", "p2"), pick("p2", "p3"), "p3"}[:r.Intn(4)]
			} else {
				op["n"] = r.Intn(4)
			}
		case "exp.deletionObserved":
			if tracks {
				op["name"] = pick("p1", "p2", "p3", "p4")
			}
		}
		if r.Intn(6) == 0 {
			op = proof.Op{"op": "advance", "ms": []int{1, 1000, 60_000, 299_999, 300_000, 300_001}[r.Intn(6)]}
		}
		script = append(script, op)
	}
	return script
}
