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
