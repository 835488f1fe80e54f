package main

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/object"
)

// codes are the HTTP codes of a registry's answers.
var codes = map[registry.Answer]int{registry.Created: 201, registry.AlreadyExists: 409, registry.Conflict: 409, registry.NotFound: 404}

// phases are the phases of pods.
var phases = map[string]replicaset.Phase{"": replicaset.Running, "Pending": replicaset.Pending, "Unknown": replicaset.Unknown,
	"Running": replicaset.Running, "Succeeded": replicaset.Succeeded, "Failed": replicaset.Failed}

// otherClient does what another client does, at once. It returns the HTTP code of its last
// request, or 0.
func (p *rsPart) otherClient(verb string, op *rsOp) (int, error) {
	key := p.t.Key("ns/" + op.Name)
	pods, sets := registry.Resource(rsPods), registry.Resource(rsReplicaSets)
	reg := p.api.reg
	switch verb {
	case "createRS":
		labels := op.Labels
		if labels == nil {
			labels = map[string]string{"app": op.Name}
		}
		m := rsMeta{}
		if op.Owner != "" {
			m.ownerName, m.ownerUID = p.owner(op.Owner)
		}
		content := registry.Content{Meta: intern(&p.metas, m), Spec: intern(&p.specs, rsSpec{op.Replicas, op.MinReadyS, p.labels(labels)})}
		o, answer := reg.Create(sets, registry.Object{Key: key, UID: p.t.Sym(op.UID), Content: content}, p.api.now)
		return p.did("POST", "replicasets", rsReplicaSets, op.Name, "", o, answer), nil
	case "createPod":
		m := rsMeta{labels: p.labels(op.Labels)}
		if op.Owner != "" {
			m.ownerName, m.ownerUID = p.owner(op.Owner)
		}
		o, answer := reg.Create(pods, registry.Object{Key: key, UID: p.t.Sym(op.UID), Content: registry.Content{Meta: intern(&p.metas, m)}}, p.api.now)
		return p.did("POST", "pods", rsPods, op.Name, "", o, answer), nil
	case "scale", "touchRS":
		return p.change("replicasets", rsReplicaSets, op.Name, func(o *registry.Object) {
			if verb == "scale" {
				spec := p.specs[o.Spec]
				spec.replicas = op.Replicas
				o.Spec = intern(&p.specs, spec)
			} else {
				m := p.metas[o.Meta]
				m.data = op.Data
				o.Meta = intern(&p.metas, m)
			}
		}), nil
	case "finalizeRS":
		p.change("replicasets", rsReplicaSets, op.Name, func(o *registry.Object) { o.Finalizers = 1 })
		fallthrough
	case "deleteRS":
		o, answer := reg.Delete(sets, key, 0, false)
		return p.did("DELETE", "replicasets", rsReplicaSets, op.Name, "", o, answer), nil
	case "deletePod":
		o, answer := reg.Delete(pods, key, 0, p.graceful)
		return p.did("DELETE", "pods", rsPods, op.Name, "", o, answer), nil
	case "podLabels":
		return p.change("pods", rsPods, op.Name, func(o *registry.Object) {
			m := p.metas[o.Meta]
			m.labels = p.labels(op.Labels)
			o.Meta = intern(&p.metas, m)
		}), nil
	case "podStatus":
		o, exists := p.read("pods", rsPods, op.Name)
		if !exists {
			return 0, nil
		}
		st := podStatus{true, phases[op.Phase], op.Ready != nil && *op.Ready, p.api.now / 1e9}
		o.Status = intern(&p.podSt, st)
		o, answer := reg.UpdateStatus(pods, o)
		return p.did("PUT", "pods", rsPods, op.Name, "/status", o, answer), nil
	}
	return 0, unknown(verb)
}

// owner reads an owner reference: name#uid.
func (p *rsPart) owner(text string) (name, uid object.Sym) {
	n, u, _ := strings.Cut(text, "#")
	return p.t.Sym(n), p.t.Sym(u)
}

// read makes a GET of another client.
func (p *rsPart) read(resource string, of int, name string) (registry.Object, bool) {
	o, exists := p.api.reg.Get(registry.Resource(of), p.t.Key("ns/"+name))
	answer := registry.NoChange
	if !exists {
		answer = registry.NotFound
	}
	p.did("GET", resource, of, name, "", o, answer)
	return o, exists
}

// change makes a GET and a PUT of another client.
func (p *rsPart) change(resource string, of int, name string, change func(*registry.Object)) int {
	o, exists := p.read(resource, of, name)
	if !exists {
		return p.did("PUT", resource, of, name, "", o, registry.NotFound)
	}
	change(&o)
	o, answer := p.api.reg.Update(registry.Resource(of), o)
	return p.did("PUT", resource, of, name, "", o, answer)
}

// did takes down what another client did.
func (p *rsPart) did(method, resource string, of int, name, sub string, o registry.Object, answer registry.Answer) int {
	p.api.wrote(of, o, answer)
	p.api.writeLine("other client: %s", rsLine(method, resource, " "+name+sub, o, answer))
	if code := codes[answer]; code != 0 {
		return code
	}
	return 200
}

// reap ends the pods that are being deleted, as their nodes do. It returns how many.
func (p *rsPart) reap() (n int) {
	all := p.api.reg.List(registry.Resource(rsPods), nil)
	slices.SortFunc(all, func(a, b registry.Object) int { return p.t.CompareKeys(a.Key, b.Key) })
	for _, o := range all {
		if o.Deleting {
			gone, answer := p.api.reg.Delete(registry.Resource(rsPods), o.Key, 0, false)
			p.api.wrote(rsPods, gone, answer)
			n++
		}
	}
	return n
}
