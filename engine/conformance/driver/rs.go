package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller/consistency"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/workqueue"
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

// The resources of rs.*, by their numbers at the API server and in the consistency store.
const (
	rsPods        = int(replicaset.Pods)
	rsReplicaSets = int(replicaset.ReplicaSets)
)

// rsResources are their names there.
var rsResources = []string{"pods", "apps/replicasets"}

// rsPart plays rs.*: the ReplicaSet controller on two informers.
type rsPart struct {
	c        *controllerPlay
	t        *object.Table
	api      *fakeAPI
	options  replicaset.Options
	rc       *replicaset.Controller
	q        *workqueue.RateLimiting
	workers  []*rsWorker
	caches   [2]*fakeCache
	handlers [2]rsHandler
	polls    int64 // when Run looks again whether the caches have synced
	resync   int64
	graceful bool
	syncs    int
	handled  int64 // when utilruntime.HandleError was called last
	rsContents

	trace []string
}

// rsWorker is a worker of the controller.
type rsWorker struct {
	key  object.Key // 0 while it waits in Get
	wait int64      // it goes on then; actor.Never while it waits for answers
	then func()

	begins bool // what it waits for is the beginning of a sync
	sync   *replicaset.Sync
	open   int // answers that are still to come
}

func (p *rsPart) begin(op *rsOp, out output) {
	on := func(gate *bool) bool { return gate == nil || *gate }
	p.t = object.NewTable(nil)
	p.rsContents = newRSContents(p.t)
	p.options = replicaset.Options{Burst: cmp.Or(op.Burst, 500), CountsTerminating: on(op.TermGate), NoExpectations: op.NoExpectations, NoConsistency: !on(op.Gate)}
	p.workers = make([]*rsWorker, max(op.Workers, 1))
	p.resync, p.graceful = op.ResyncMs*1e6, op.Graceful
	p.api = &fakeAPI{reg: registry.New(p.t, 2, 100), now: p.c.now, holds: map[string]bool{}, stamps: true}
	p.api.resources = []*fakeResource{{name: "pods", t: p.t, row: p.podRow, mode: "live"}, {name: "replicasets", t: p.t, row: p.rsRow, mode: "live"}}
	p.newProcess()
	out["consistencyStore"] = "*consistency.RealConsistencyStore"
	if p.options.NoConsistency {
		out["consistencyStore"] = "*consistency.NoopConsistencyStore"
	}
}

func (p *rsPart) do(verb string, text []byte, out output) error {
	var op rsOp
	if err := fields(text, &op); err != nil {
		return err
	}
	if verb == "new" {
		p.begin(&op, out)
		return nil
	}
	p.trace = nil
	of := rsPods
	if op.Resource == "replicasets" {
		of = rsReplicaSets
	}
	r := p.api.resources[of]
	switch verb {
	case "start":
		p.start()
		p.api.run(p.api.now, p)
		p.api.run(p.api.now+200e6, p)
		p.c.now += 200e6
		return nil
	case "stop":
		p.stop()
	case "watch":
		r.watch(op.Mode, op.Ms*1e6, p.api.now)
	case "deliver":
		out["delivered"] = r.release(cmp.Or(op.N, len(r.events)), p.api.now)
	case "bookmark":
		p.api.bookmark(of)
	case "watchClose":
		p.api.closeWatch(of)
	case "watchExpire":
		p.api.expireWatch(of)
	case "fail":
		p.api.fails = append(p.api.fails, failRule{op.Verb, op.Resource, op.Name, op.Err, max(op.N, 1)})
	case "reap":
		out["reaped"] = p.reap()
	default:
		code, err := p.otherClient(verb, &op)
		if err != nil {
			return err
		}
		if code != 0 {
			out["code"] = code
		}
	}
	p.api.run(p.api.now, p)
	return nil
}

// newProcess makes the controller and its informers, which remember nothing.
func (p *rsPart) newProcess() {
	p.rc, p.q = replicaset.New(p.t, p.options), workqueue.NewRateLimiting(workqueue.DefaultController())
	p.polls = actor.Never
	clear(p.workers)
	for of := range p.caches {
		p.caches[of] = newFakeCache(of, p.t, p.resync)
		p.caches[of].addHandler(p.resync)
	}
}

// stop ends the context of Run, and with it the informers.
func (p *rsPart) stop() {
	p.q.ShutDown(nil)
	p.polls = actor.Never
	for _, c := range p.api.caches {
		c.stop(p.api.now)
	}
	p.api.caches = nil
}

// start calls Run. After stop, another process calls it.
func (p *rsPart) start() {
	if p.q.ShuttingDown() {
		p.newProcess()
	}
	for _, c := range p.caches {
		p.api.caches = append(p.api.caches, c)
		c.start(p.api.now)
	}
	p.polls = p.api.now + pollEvery
}

// nextStart implements around: workers that are about to begin a sync.
func (p *rsPart) nextStart() int64 {
	next := actor.Never
	for _, w := range p.workers {
		if w != nil && w.key != 0 && w.begins {
			next = min(next, w.wait)
		}
	}
	return next
}

// timers implements around: queue, workers and handlers.
func (p *rsPart) timers() int64 {
	next := p.polls
	if at, ok := p.q.NextReady(); ok {
		next = min(next, at)
	}
	for _, w := range p.workers {
		if w != nil && w.key != 0 {
			next = min(next, w.wait)
		}
	}
	for _, h := range p.handlers {
		if len(h.late) > 0 {
			next = min(next, h.until)
		}
	}
	return next
}

// settle lets informers, queue and workers go on until all are blocked.
func (p *rsPart) settle() {
	for moved := true; moved; {
		p.api.settle()
		moved = p.callHandlers()
		for p.q.LoopTurn(p.api.now, nil) {
			moved = true
		}
		if p.api.now >= p.polls {
			if p.polls += pollEvery; p.caches[0].x.HasSynced() && p.caches[1].x.HasSynced() {
				p.polls = actor.Never
				for i := range p.workers {
					p.workers[i] = &rsWorker{}
				}
			}
		}
		for i, w := range p.workers {
			switch {
			case w == nil:
			case w.key == 0 && p.q.ShuttingDown() && p.q.Len() == 0:
				p.workers[i] = nil
			default:
				moved = p.work(w) || moved
			}
		}
	}
}

// rsHandler is the goroutine that calls the handlers of one informer.
type rsHandler struct {
	until int64                // utilruntime.HandleError holds it so long
	late  []replicaset.Enqueue // what it does then
}

// callHandlers calls the controller's handlers.
func (p *rsPart) callHandlers() bool {
	moved := false
	for of, c := range p.caches {
		h := &p.handlers[of]
		if len(h.late) > 0 && p.api.now >= h.until {
			p.enqueue(h.late)
			h.late, moved = nil, true
		}
		for len(c.told) > 0 && len(h.late) == 0 {
			n := c.told[0]
			c.told, moved = c.told[1:], true
			enqueued := p.handle(of, n)
			if p.rc.Ambiguous {
				p.rc.Ambiguous = false
				if h.until = p.handleError(); h.until > p.api.now {
					h.late = enqueued
					break
				}
			}
			p.enqueue(enqueued)
		}
	}
	return moved
}

func (p *rsPart) handle(of int, n processor.Notification) []replicaset.Enqueue {
	old, cur := n.Old, n.New
	if old != 0 && p.t.IsTombstone(old) {
		old = p.t.InTombstone(old)
	}
	if of == rsReplicaSets {
		was, is := p.sets[old], p.sets[cur]
		switch n.Type {
		case processor.Add:
			return p.rc.AddRS(&is, nil)
		case processor.Update:
			return p.rc.UpdateRS(&was, &is, nil)
		}
		return p.rc.DeleteRS(&was, nil)
	}
	was, is := p.pods[old], p.pods[cur]
	switch n.Type {
	case processor.Add:
		return p.rc.AddPod(&is, p, nil)
	case processor.Update:
		return p.rc.UpdatePod(&was, &is, p, nil)
	}
	return p.rc.DeletePod(&was, p, nil)
}

func (p *rsPart) enqueue(all []replicaset.Enqueue) {
	for _, e := range all {
		if e.Delayed {
			p.addAfter(e.Key, e.After)
		} else {
			p.api.writeLine("queue.Add %s", p.t.KeyText(e.Key))
			p.q.Add(e.Key, nil)
		}
	}
}

// LastStoreSyncResourceVersion implements consistency.Reader.
func (p *rsPart) LastStoreSyncResourceVersion(r consistency.Resource) (object.RV, bool) {
	return p.caches[r].x.Indexer.LastStoreSyncResourceVersion(), true
}

// ReplicaSet implements replicaset.Caches.
func (p *rsPart) ReplicaSet(k object.Key) (replicaset.ReplicaSet, bool) {
	r, exists := p.caches[rsReplicaSets].get(k)
	return p.sets[r], exists
}

// EachReplicaSet implements replicaset.Caches.
func (p *rsPart) EachReplicaSet(visit func(replicaset.ReplicaSet)) {
	for _, r := range p.caches[rsReplicaSets].sorted() {
		visit(p.sets[r])
	}
}

// EachPod implements replicaset.Caches.
func (p *rsPart) EachPod(visit func(replicaset.Pod)) {
	for _, r := range p.caches[rsPods].sorted() {
		visit(p.pods[r])
	}
}

func (p *rsPart) advance(to int64, _ output) {
	p.trace = nil
	p.api.run(p.api.now+to-p.c.now, p)
}

func (p *rsPart) print(out output) {
	if p.trace, p.api.trace = p.api.trace, nil; len(p.trace) > 0 {
		out["trace"] = p.trace
	}
	p.api.withheld(out)
	apiRS, cacheRS, cachePods := []string{}, []string{}, []string{}
	for _, o := range p.api.reg.List(registry.Resource(rsReplicaSets), nil) {
		rs := p.set(o)
		text := fmt.Sprintf("%s@%d#%s want=%d status=%d ready=%d avail=%d term=%d", p.t.KeyText(o.Key), o.RV, p.t.Text(o.UID), rs.Replicas, rs.Status.Replicas, rs.Status.Ready, rs.Status.Available, rs.Status.Terminating)
		if rs.Status.Failure.Reason != replicaset.NoFailure {
			text += " ReplicaFailure/" + rs.Status.Failure.Reason.String()
		}
		apiRS = append(apiRS, text)
	}
	for _, r := range p.caches[rsReplicaSets].sorted() {
		rs := p.sets[r]
		cacheRS = append(cacheRS, fmt.Sprintf("%s@%s#%s want=%d status=%d", p.t.KeyText(rs.Key), p.t.RVText(rs.RV), p.t.Text(rs.UID), rs.Replicas, rs.Status.Replicas))
	}
	for _, r := range p.caches[rsPods].sorted() {
		pod := p.pods[r]
		_, name, _ := strings.Cut(p.t.KeyText(pod.Key), "/")
		text := name + "@" + p.t.RVText(pod.RV)
		if pod.Deleting {
			text += " deleting"
		}
		cachePods = append(cachePods, text)
	}
	slices.Sort(cachePods)
	slices.Sort(cacheRS)
	slices.Sort(apiRS)
	out["apiRS"], out["cacheRS"], out["cachePods"] = apiRS, cacheRS, cachePods
	out["apiPods"] = len(p.api.reg.List(registry.Resource(rsPods), nil))
	if !p.rc.NoExpectations {
		out["expectations"] = expected(p.t, &p.rc.Expectations, true, p.api.now)
	}
	out["queueLen"], out["syncs"], out["t"] = p.q.Len(), p.syncs, strconv.FormatInt(p.api.now/1e6, 10)
	out["storeRV"] = output{"pods": p.caches[rsPods].storeRV(), "replicasets": p.caches[rsReplicaSets].storeRV()}
	out["written"] = written(p.t, p.rc.Consistency, rsResources)
}

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
