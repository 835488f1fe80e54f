package kcm137

import (
	"cmp"
	"strings"

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
	pods, sets := a.resources[0], a.resources[1]
	change := func(of *rsResource, change func(object)) { a.update(of, op.Name, "", "", change) }
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
		a.create(sets, o)
	case "createPod":
		o := &core.Pod{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
		o.Name, o.UID, o.Labels, o.OwnerReferences = op.Name, types.UID(op.UID), op.Labels, ownedBy(op.Owner, "ReplicaSet")
		o.Status.Phase = core.PodPhase(op.Phase)
		a.create(pods, o)
	case "scale":
		change(sets, func(o object) { o.(*apps.ReplicaSet).Spec.Replicas = &op.Replicas })
	case "touchRS":
		change(sets, func(o object) { o.SetAnnotations(map[string]string{"data": op.Data}) })
	case "podLabels":
		change(pods, func(o object) { o.SetLabels(op.Labels) })
	case "podStatus":
		change(pods, func(o object) {
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
			change(sets, func(o object) { o.SetFinalizers([]string{"x/y"}) })
		}
		a.delete(sets, op.Name)
	case "deletePod":
		a.delete(pods, op.Name)
	default:
		panic("unknown operation " + verb)
	}
}
