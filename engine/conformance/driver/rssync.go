package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/object"
)

// rsContents are what the objects of rs.* hold beside their metadata.
type rsContents struct {
	t     *object.Table
	pods  map[object.Ref]replicaset.Pod
	sets  map[object.Ref]replicaset.ReplicaSet
	metas []rsMeta
	specs []rsSpec
	podSt []podStatus
	rsSt  []replicaset.Status
	texts []string // of errors, by their numbers
}

// rsMeta is the metadata that a controller reads, of either resource.
type rsMeta struct {
	ownerName, ownerUID object.Sym
	labels              object.Labels
	data                string // an annotation
}

type rsSpec struct {
	replicas, minReady int32
	labels             object.Labels
}

type podStatus struct {
	told  bool // somebody has written it
	phase replicaset.Phase
	ready bool
	since int64
}

func newRSContents(t *object.Table) rsContents {
	return rsContents{t: t, pods: map[object.Ref]replicaset.Pod{}, sets: map[object.Ref]replicaset.ReplicaSet{},
		podSt: []podStatus{{}}, rsSt: []replicaset.Status{{}}, texts: []string{""}}
}

// intern returns the number of x.
func intern[T comparable](all *[]T, x T) int32 {
	i := slices.Index(*all, x)
	if i < 0 {
		i = len(*all)
		*all = append(*all, x)
	}
	return int32(i)
}

func (c *rsContents) labels(l map[string]string) object.Labels {
	return (&objects{t: c.t}).labels(l)
}

func (c *rsContents) podRow(o registry.Object) object.Ref {
	r := c.row(o)
	c.pods[r] = c.pod(o)
	return r
}

func (c *rsContents) rsRow(o registry.Object) object.Ref {
	r := c.row(o)
	c.sets[r] = c.set(o)
	return r
}

func (c *rsContents) row(o registry.Object) object.Ref {
	ns, name, _ := strings.Cut(c.t.KeyText(o.Key), "/")
	return c.t.Add(object.Meta{Namespace: c.t.Sym(ns), Name: c.t.Sym(name), UID: o.UID, RV: object.NumberRV(uint64(o.RV))})
}

func (c *rsContents) pod(o registry.Object) replicaset.Pod {
	m, st := c.metas[o.Meta], c.podSt[o.Status]
	return replicaset.Pod{Key: o.Key, UID: o.UID, RV: object.NumberRV(uint64(o.RV)), OwnerName: m.ownerName, OwnerUID: m.ownerUID, Labels: m.labels,
		Phase: st.phase, Ready: st.ready, ReadySince: st.since, Created: o.Created / 1e9, Deleting: o.Deleting}
}

func (c *rsContents) set(o registry.Object) replicaset.ReplicaSet {
	m, spec := c.metas[o.Meta], c.specs[o.Spec]
	_, name, _ := strings.Cut(c.t.KeyText(o.Key), "/")
	return replicaset.ReplicaSet{Key: o.Key, Name: c.t.Sym(name), UID: o.UID, RV: object.NumberRV(uint64(o.RV)), Generation: o.Generation, Owned: m.ownerUID != 0,
		Replicas: spec.replicas, MinReadySeconds: spec.minReady, Selector: spec.labels, Template: spec.labels, Deleting: o.Deleting, Status: c.rsSt[o.Status]}
}

// starts returns when a worker begins a sync that it takes at a time: nanoseconds later, when everything
// else has fallen quiet. The key has the last six bits of that time, so that two keys never begin at once.
func starts(t *object.Table, k object.Key, now int64) int64 {
	text := t.KeyText(k)
	return now + 1 + (int64(text[len(text)-1])-now-1)&0x3f
}

// work lets a worker go on.
func (p *rsPart) work(w *rsWorker) bool {
	switch {
	case w.key == 0 && p.q.CanGet():
		w.key, _ = p.q.Get(0, nil)
		w.begins, w.wait, w.then = true, starts(p.t, w.key, p.api.now), func() { p.beginSync(w) }
	case w.key != 0 && p.api.now >= w.wait:
		w.begins, w.wait = false, actor.Never
		w.then()
	default:
		return false
	}
	return true
}

func (p *rsPart) beginSync(w *rsWorker) {
	p.syncs++
	number := p.syncs
	p.api.writeLine("sync #%d begin %s cachePods=%d", number, p.t.KeyText(w.key), len(p.caches[rsPods].objects()))
	w.sync = p.rc.Begin(w.key, p, p.api.now)
	p.goOn(w, number)
}

// goOn sends what a sync asks for, or ends it.
func (p *rsPart) goOn(w *rsWorker, number int) {
	s := w.sync
	resume := func() {
		p.rc.Continue(s, p.api.now)
		p.goOn(w, number)
	}
	switch {
	case s.Done():
		p.endSync(w, number)
	case s.Pauses:
		w.wait, w.then = p.handleError(), resume
	default:
		w.open = len(s.Requests)
		for i := range s.Requests {
			p.request(&s.Requests[i], func() {
				w.open--
				if s.Requests[i].Answer.Order = int32(len(s.Requests) - w.open); w.open == 0 {
					resume()
				}
			})
		}
	}
}

// handleError returns when utilruntime.HandleError returns: handled errors are a millisecond
// apart.
func (p *rsPart) handleError() int64 {
	since := p.api.now - p.handled
	p.handled = p.api.now
	return p.api.now + max(0, 1e6-since)
}

func (p *rsPart) endSync(w *rsWorker, number int) {
	s, key := w.sync, p.t.KeyText(w.key)
	result := "ok"
	switch {
	case len(s.Stale) > 0:
		result = "STALE " + staleText(p.t, s.Stale)
	case len(s.Problems) > 0:
		result = "ERR " + problemText(&p.rsContents, s.Problems)
	}
	if s.Requeue {
		p.addAfter(w.key, s.After)
	}
	p.api.writeLine("sync #%d end %s: %s", number, key, result)
	if result == "ok" {
		if n := p.q.NumRequeues(w.key); n > 0 {
			p.api.writeLine("queue.Forget %s after %d failures", key, n)
		}
		p.q.Forget(w.key, nil)
		p.doneWith(w)
		return
	}
	w.wait, w.then = p.handleError(), func() {
		n := p.q.NumRequeues(w.key) + 1
		backoff := time.Duration(min(math.Ldexp(5e6, n-1), 1000e9))
		p.api.writeLine("queue.AddRateLimited %s failure #%d (back-off %s)", key, n, backoff)
		p.q.AddRateLimited(w.key, p.api.now, nil)
		p.doneWith(w)
	}
}

func (p *rsPart) doneWith(w *rsWorker) {
	p.q.Done(w.key, 0, nil)
	*w = rsWorker{}
}

func (p *rsPart) addAfter(k object.Key, after int64) {
	p.api.writeLine("queue.AddAfter %s %s", p.t.KeyText(k), time.Duration(after).Round(time.Millisecond))
	p.q.AddAfter(k, after, p.api.now, nil)
}

// staleText writes which caches are behind.
func staleText(t *object.Table, all []consistency.Error) string {
	var out []string
	for _, s := range all {
		out = append(out, fmt.Sprintf("%s readRV=%s wroteRV=%s", rsResources[s.Resource], t.RVText(s.ReadRV), t.RVText(s.WroteRV)))
	}
	if slices.Sort(out); len(out) == 1 {
		return out[0]
	}
	return "any of [" + strings.Join(out, ", ") + "]"
}

// problemText writes the error of a sync. An error's text has its reason in front of it,
// which nothing around it keeps.
func problemText(p *rsContents, all []replicaset.Problem) string {
	var texts []string
	for _, x := range all {
		whole := p.texts[x.Err]
		_, text, _ := strings.Cut(whole, ": ")
		pod := fmt.Sprintf("can't adopt Pod %s (%s): ", p.t.KeyText(x.Pod.Key), p.t.Text(x.Pod.UID))
		owner := p.t.KeyText(x.Owner.Key)
		switch x.Wrap {
		case replicaset.Plain:
			return whole
		case replicaset.UnableToDelete:
			return "unable to delete pods: " + text
		case replicaset.CannotRecheck:
			text = pod + "can't recheck DeletionTimestamp: " + text
		case replicaset.OtherOwner:
			text = pod + fmt.Sprintf("can't recheck DeletionTimestamp: original ReplicaSet %s is gone: got uid %s, wanted %s", owner, p.t.Text(x.Owner.UID), p.t.Text(x.Wanted))
		case replicaset.OwnerDeleted:
			text = pod + owner + " has just been deleted"
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// verbs are the methods of a sync's requests.
var verbs = map[replicaset.Verb]string{replicaset.GetOwner: "GET", replicaset.AdoptPod: "PATCH", replicaset.ReleasePod: "PATCH",
	replicaset.CreatePod: "POST", replicaset.DeletePod: "DELETE", replicaset.UpdateStatus: "PUT"}

// request sends a request, and calls then when it has been answered.
func (p *rsPart) request(q *replicaset.Request, then func()) {
	f := &fakeRequest{method: verbs[q.Verb]}
	_, f.name, _ = strings.Cut(p.t.KeyText(q.Pod.Key), "/")
	resource := "pods"
	switch q.Verb {
	case replicaset.GetOwner, replicaset.UpdateStatus:
		resource, f.name = "replicasets", p.t.Text(q.Owner.Name)
	case replicaset.CreatePod:
		f.name, f.body = "", p.t.Text(q.Owner.Name)
	}
	f.path = resource + "/" + f.name
	shown := " " + f.name
	switch q.Verb {
	case replicaset.UpdateStatus:
		f.verb, shown = "PUT/status", shown+"/status"
	case replicaset.CreatePod:
		shown = ""
	}
	f.do = func(failure string) {
		if failure != "" {
			p.refuse(q, f, shown, resource, failure)
		} else {
			p.answer(q, f, shown, resource)
		}
		then()
	}
	p.api.send(f)
}

// refuse answers a request as the script wants it to fail.
func (p *rsPart) refuse(q *replicaset.Request, f *fakeRequest, shown, resource, failure string) {
	code, reason, text := scripted(failure, fullName(resource), f.name)
	p.api.writeLine("api %s %s%s -> %d %s", f.method, resource, shown, code, reason)
	q.Answer.Failure = replicaset.OtherFailure
	switch failure {
	case "notfound":
		q.Answer.Failure = replicaset.NotFound
	case "nsterminating":
		q.Answer.Failure = replicaset.NamespaceTerminating
	}
	q.Answer.Err = intern(&p.texts, reason+": "+text)
}

// answer does what a request asks for.
func (p *rsPart) answer(q *replicaset.Request, f *fakeRequest, shown, resource string) {
	reg, pods, sets := p.api.reg, registry.Resource(rsPods), registry.Resource(rsReplicaSets)
	var o registry.Object
	answer := registry.NoChange
	of := rsPods
	switch q.Verb {
	case replicaset.GetOwner:
		of = rsReplicaSets
		var exists bool
		if o, exists = reg.Get(sets, q.Owner.Key); !exists {
			answer = registry.NotFound
		}
	case replicaset.UpdateStatus:
		of = rsReplicaSets
		rv, _ := q.Owner.RV.Number()
		o, answer = reg.UpdateStatus(sets, registry.Object{Key: q.Owner.Key, UID: q.Owner.UID, RV: int64(rv), Content: registry.Content{Status: intern(&p.rsSt, q.Owner.Status)}})
	case replicaset.CreatePod:
		name := reg.GenerateName(p.t.Text(q.Owner.Name) + "-")
		meta := intern(&p.metas, rsMeta{ownerName: q.Owner.Name, ownerUID: q.Owner.UID, labels: q.Owner.Template})
		o, answer = reg.Create(pods, registry.Object{Key: p.t.Key("ns/" + name), Content: registry.Content{Meta: meta}}, p.api.now)
		shown = " " + name
	case replicaset.DeletePod:
		o, answer = reg.Delete(pods, q.Pod.Key, 0, p.graceful)
	default:
		o, answer = p.patch(q)
	}
	p.api.wrote(of, o, answer)
	p.api.writeLine("%s", rsLine(f.method, resource, shown, o, answer))
	if answer.Failed() {
		_, reason, text := scripted(map[registry.Answer]string{registry.NotFound: "notfound", registry.Conflict: "conflict", registry.AlreadyExists: "exists"}[answer], fullName(resource), f.name)
		q.Answer.Failure, q.Answer.Err = replicaset.OtherFailure, intern(&p.texts, reason+": "+text)
		if answer == registry.NotFound {
			q.Answer.Failure = replicaset.NotFound
		}
		return
	}
	if of == rsReplicaSets {
		q.Answer.Owner = p.set(o)
	} else {
		q.Answer.Pod = p.pod(o)
	}
}

// fullName returns a resource with its group, as errors name it.
func fullName(resource string) string {
	if resource == "replicasets" {
		return "replicasets.apps"
	}
	return resource
}

// patch adopts or releases a pod. The patch has the pod's UID in it.
func (p *rsPart) patch(q *replicaset.Request) (registry.Object, registry.Answer) {
	o, exists := p.api.reg.Get(registry.Resource(rsPods), q.Pod.Key)
	if !exists {
		return o, registry.NotFound
	}
	m := p.metas[o.Meta]
	switch {
	case q.Verb == replicaset.AdoptPod && m.ownerUID == 0:
		m.ownerName, m.ownerUID = q.Owner.Name, q.Owner.UID
	case q.Verb == replicaset.ReleasePod && m.ownerUID == q.Owner.UID:
		m.ownerName, m.ownerUID = 0, 0
	}
	o.Meta, o.UID, o.RV = intern(&p.metas, m), q.Pod.UID, 0
	return p.api.reg.Update(registry.Resource(rsPods), o)
}

// rsLine writes what a request came to.
func rsLine(method, resource, shown string, o registry.Object, answer registry.Answer) string {
	head := "api " + method + " " + resource + shown + " -> "
	switch answer {
	case registry.Created:
		return fmt.Sprintf("%s201 rv=%d", head, o.RV)
	case registry.Gone:
		return fmt.Sprintf("%s200 gone rv=%d", head, o.RV)
	case registry.Marked:
		return fmt.Sprintf("%s200 deletionTimestamp set rv=%d", head, o.RV)
	case registry.NoChange:
		switch method {
		case "GET":
			return fmt.Sprintf("%s200 rv=%d", head, o.RV)
		case "DELETE":
			return fmt.Sprintf("%s200 already deleting rv=%d", head, o.RV)
		}
		return fmt.Sprintf("%s200 no change rv=%d", head, o.RV)
	case registry.NotFound:
		return head + "404 NotFound"
	case registry.AlreadyExists:
		return strings.Replace(head, resource+" ", resource, 1) + "409 AlreadyExists"
	case registry.Conflict:
		return head + "409 Conflict"
	}
	return fmt.Sprintf("%s200 rv=%d", head, o.RV)
}
