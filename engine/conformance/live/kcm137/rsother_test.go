package kcm137

import (
	"cmp"
	"strings"

	"github.com/informerscope/informerscope/engine/conformance/live/fakeapi"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ownedBy are the owner references to a controller named NAME#UID.
func ownedBy(text, kind string) []meta.OwnerReference {
	if text == "" {
		return nil
	}
	name, uid, _ := strings.Cut(text, "#")
	yes := true
	return []meta.OwnerReference{{APIVersion: "apps/v1", Kind: kind, Name: name, UID: types.UID(uid), Controller: &yes, BlockOwnerDeletion: &yes}}
}

// playOtherClient does what another client does, at once.
func (p *rsPlayer) playOtherClient(verb string, op *rsOp) {
	a := p.api
	change := func(of *fakeapi.Resource, change func(fakeapi.Object)) { a.Update(of, op.Name, change) }
	switch verb {
	case "createRS":
		labels := op.Labels
		if labels == nil {
			labels = map[string]string{"app": op.Name}
		}
		o := newSet().(*apps.ReplicaSet)
		o.Name, o.Namespace, o.UID, o.Generation, o.OwnerReferences = op.Name, "ns", types.UID(op.UID), 1, ownedBy(op.Owner, "Deployment")
		o.Spec = apps.ReplicaSetSpec{Replicas: &op.Replicas, MinReadySeconds: op.MinReadyS, Selector: &meta.LabelSelector{MatchLabels: labels}}
		o.Spec.Template.Labels = labels
		a.see(a.Create(a.sets, o))
	case "createPod":
		o := newPod().(*core.Pod)
		o.Name, o.Namespace, o.UID, o.Labels, o.OwnerReferences = op.Name, "ns", types.UID(op.UID), op.Labels, ownedBy(op.Owner, "ReplicaSet")
		o.Status.Phase = core.PodPhase(op.Phase)
		a.see(a.Create(a.pods, o))
	case "scale":
		change(a.sets, func(o fakeapi.Object) {
			if spec := &o.(*apps.ReplicaSet).Spec; *spec.Replicas != op.Replicas {
				spec.Replicas = &op.Replicas
				o.SetGeneration(o.GetGeneration() + 1)
			}
		})
	case "touchRS":
		change(a.sets, func(o fakeapi.Object) { o.SetAnnotations(map[string]string{"data": op.Data}) })
	case "podLabels":
		change(a.pods, func(o fakeapi.Object) { o.SetLabels(op.Labels) })
	case "podStatus":
		change(a.pods, func(o fakeapi.Object) {
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
			change(a.sets, func(o fakeapi.Object) { o.SetFinalizers([]string{"x/y"}) })
		}
		a.Delete(a.sets, op.Name)
	case "deletePod":
		a.Delete(a.pods, op.Name)
	default:
		panic("unknown operation " + verb)
	}
}
