package election

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var leases = schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}

// Get implements LeaseInterface, and so do Create and Update.
func (x *process) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	return x.send(ctx, "get", nil)
}

func (x *process) Create(ctx context.Context, l *coordinationv1.Lease, _ metav1.CreateOptions) (*coordinationv1.Lease, error) {
	return x.send(ctx, "create", l)
}

func (x *process) Update(ctx context.Context, l *coordinationv1.Lease, _ metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	return x.send(ctx, "update", l)
}

// send sends a request, which arrives even if its client doesn't wait for the answer.
func (x *process) send(ctx context.Context, verb string, l *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	type answer struct {
		l   *coordinationv1.Lease
		err error
	}
	p := x.p
	p.Lock()
	dead, before, after := x.dead, x.before, x.after
	p.Unlock()
	none := new(coordinationv1.Lease) // which the client of client-go returns with each error
	if dead {
		return none, errors.New("dead")
	}
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if verb == "update" && l.Name == "" { // as that client does
		return none, errors.New("resource name may not be empty")
	}
	body, _ := json.Marshal(l)
	answers := make(chan answer, 1)
	go func() {
		proof.Pass(before)
		p.Lock()
		got, err := x.serve(verb, body)
		p.Unlock()
		proof.Pass(after)
		answers <- answer{got, err}
	}()
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case a := <-answers:
		if a.err != nil {
			return none, a.err
		}
		return a.l, nil
	}
}

func (x *process) serve(verb string, body []byte) (got *coordinationv1.Lease, err error) {
	p, said := x.p, "ok"
	result := ""
	for _, fail := range x.fails {
		if fail.n > 0 && (fail.verb == verb || fail.verb == "any") {
			fail.n--
			result = fail.result
			break
		}
	}
	do := func() {
		var l coordinationv1.Lease
		_ = json.Unmarshal(body, &l)
		switch {
		case verb == "create" && p.lease != nil:
			err, said = apierrors.NewAlreadyExists(leases, "lease"), "exists"
		case verb != "create" && p.lease == nil:
			err, said = apierrors.NewNotFound(leases, "lease"), "notfound"
		case verb == "update" && p.read().ResourceVersion != l.ResourceVersion:
			err, said = apierrors.NewConflict(leases, "lease", errors.New("changed")), "conflict"
		case verb != "get":
			p.rv++
			p.write(&l)
		}
		if err == nil {
			got = p.read()
		}
	}
	if x.cut {
		result = "unreached"
	}
	switch result {
	case "":
		do()
	case "lost":
		do()
		got, err, said = nil, apierrors.NewTimeoutError("lost", 1), "failed"
	case "conflict":
		err, said = apierrors.NewConflict(leases, "lease", errors.New("so they say")), "conflict"
	case "notfound":
		err, said = apierrors.NewNotFound(leases, "lease"), "notfound"
	default:
		err, said = apierrors.NewInternalError(errors.New("broken")), "failed"
	}
	version := "0"
	if p.lease != nil {
		version = p.read().ResourceVersion
	}
	p.record(fmt.Sprintf("%s %s %s @%s", x.name, verb, said, version))
	return got, err
}
