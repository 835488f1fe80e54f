package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	scripts "github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
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

// The informers of rs.*.
const (
	rsSets = iota
	rsPods
)

// rsPart plays rs.*: the program replicaset in a world, as a script has it. It chooses whose turn it is, since the events
// of a watch that a script holds back are those that its reflector doesn't receive.
type rsPart struct {
	c         *controllerPlay
	h         *history.History
	w         *world.World
	t         *object.Table
	names     map[string]string // of pods that the controller makes, as scripts name them: by ours
	generated map[string]int    // how many names were made of a prefix
	uids      []string          // ours, of u1, u2 and so on
	worker    int               // whose request is under way, -1 for another client
	lag       [2]int64          // how long after a write the event may come, actor.Never for not at all
	events    [2][]int64        // when those may come that are still to be received
	handled   int64             // when an error was handled last
	fails     []failRule        // the controller's requests that are still to fail

	requests  []string // since they were printed
	rechecked bool     // the next adoption comes after a GET of its ReplicaSet
	prints    bool
	started   bool
	acts      bool // the server has answered or sent something
}

func (p *rsPart) begin(op *rsOp) error {
	guard := "expectations+consistency"
	switch gate := op.Gate == nil || *op.Gate; {
	case !gate && op.NoExpectations:
		guard = "none"
	case !gate:
		guard = "expectations"
	case op.NoExpectations:
		guard = "consistency"
	}
	version := ""
	if op.TermGate != nil && !*op.TermGate {
		version = " kubernetes=v1.34"
	}
	r := scripts.NewRunner(func(scripts.Entry) {})
	err := r.Play(fmt.Sprintf(`profile current
server revision=100
informer replicasets resync=%[1]dms
informer pods resync=%[1]dms
controller replicasets owns=pods program=replicaset guard=%s workers=%d%s
show pods server`, op.ResyncMs, guard, max(op.Workers, 1), version))
	if err != nil {
		return err
	}
	if p.h, err = history.NewPassing(r.History().Config()); err != nil {
		return err
	}
	p.w, p.names, p.generated, p.lag = p.h.Front(), map[string]string{}, map[string]int{}, [2]int64{hop, hop}
	p.t = p.w.Informers[rsPods].Config().Table
	cfg := p.w.Informers[rsSets].Work.Controller.Config()
	cfg.Burst, cfg.RoundTrip = op.Burst, roundTrip
	p.w.Set.Costs = actor.Costs{}
	p.worker = -1
	for resource := range p.w.Informers {
		cfg := p.w.Simulated(resource).Config()
		cfg.Ages, cfg.Graceful = resource == rsPods, resource == rsPods && op.Graceful
		cfg.Refuses = func(q apiserver.Write) registry.Answer { return p.refuse(resource, q) }
	}
	p.eachUser(p.w.Set.Stop)
	return nil
}

// eachUser calls do for those who call Run.
func (p *rsPart) eachUser(do func(actor.ID)) {
	for _, x := range p.w.Informers {
		user, _, _, _ := x.Actors()
		do(user)
	}
}

func (p *rsPart) play(verb string, text []byte, out output) error {
	var op rsOp
	if err := fields(text, &op); err != nil {
		return err
	}
	if p.prints, p.acts = false, false; verb == "new" {
		return p.begin(&op)
	}
	resource := rsPods
	if op.Resource == "replicasets" {
		resource = rsSets
	}
	now, events := p.w.Set.Now, p.events[resource]
	switch verb {
	case "start":
		p.eachUser(func(user actor.ID) { p.w.Set.Schedule(user, actor.UserRun) })
		p.started = true
		p.events = [2][]int64{} // what there is comes with the initial lists
		p.run(now + 200e6)
		p.settle()
		p.c.now += 200e6
		return nil
	case "watch":
		p.lag[resource] = map[string]int64{"hold": actor.Never, "lag": op.Ms * 1e6, "live": hop}[op.Mode]
		for i := range events {
			if op.Mode == "live" {
				events[i] = now
			} else if op.Mode == "lag" {
				events[i] = min(events[i], now+p.lag[resource])
			}
		}
	case "deliver":
		for i := range events[:min(cmp.Or(op.N, len(events)), len(events))] {
			events[i] = min(events[i], now+int64(i+1)*hop)
		}
	case "fail":
		p.fails = append(p.fails, failRule{verb: op.Verb, resource: op.Resource, name: op.Name, err: op.Err, n: max(op.N, 1)})
	case "reap":
		cfg := p.w.Simulated(rsPods).Config()
		graceful := cfg.Graceful
		cfg.Graceful = false
		for _, o := range p.w.Objects(rsPods) {
			if p.t.FieldOf(o, apiserver.Deletion) != "" {
				m := p.t.Meta(o)
				m.RV = 0
				p.send(apiserver.Write{Verb: apiserver.Delete, Object: m})
			}
		}
		cfg.Graceful = graceful
	case "watchExpire": // its list brings what the watch has not
		p.h.Do(world.Command{Kind: world.FailRequests, Informer: resource, Failure: apiserver.Expired, N: 1})
		p.h.Do(world.Command{Kind: world.BreakWatch, Informer: resource})
		p.events[resource] = nil
	case "bookmark": // the cache of replicasets tells itself how far it has come
	default:
		if err := p.otherClient(verb, &op); err != nil {
			return err
		}
	}
	for _, x := range p.w.Informers {
		x.Poll(&p.w.Set)
	}
	if p.settle(); !p.started && len(p.events[rsSets])+len(p.events[rsPods]) > 0 {
		p.w.Set.Now += hop // nobody watches
		p.acts, p.events = true, [2][]int64{}
	}
	if p.acts { // the real player lets two more microseconds pass
		p.w.Set.Now += 2 * hop
	}
	return nil
}

// Times of the server that the real controller has, in nanoseconds. No step of the engine takes any.
const (
	roundTrip = 10_000 // from a request to its answer
	hop       = 1_000  // from a write to its event
)

// What an actor is about to do. Of those that are due at the same time, the first of these comes first.
const (
	working  = iota
	begins   // a sync
	answered // by the server
	receives // an event
)

// next returns who moves next, and when, of those that are about to do least or something after it.
func (p *rsPart) next(least int) (next actor.ID, at int64) {
	next, at = actor.Nobody, actor.Never
	first := working
	for id := range actor.ID(p.w.Set.Len()) {
		if does, due := p.operation(id); does >= least && cmp.Or(cmp.Compare(due, at), cmp.Compare(does, first)) < 0 {
			next, at, first = id, due, does
		}
	}
	return next, at
}

// operation returns what an actor is about to do, and when.
func (p *rsPart) operation(id actor.ID) (does int, due int64) {
	role, state, due := p.w.Set.Role(id), p.w.Set.State(id), p.w.Set.ReadyAt(id)
	if p.handles(id) {
		due = max(due, p.handled+1e6)
	}
	switch {
	case role.Kind == actor.Reflector && state.PC == actor.ReflectorReceive && len(p.events[role.Informer]) > 0:
		return receives, p.events[role.Informer][0]
	case role.Kind != actor.Worker:
	case state.PC == actor.WorkerProgram && p.w.Informers[rsSets].Work.Controller.Runs[role.Index].Next < 0:
		key := p.name(p.w.Informers[rsSets].Work.Workers[role.Index].Key)
		return begins, due + 1 + (int64(key[len(key)-1])-due-1)&0x3f
	case state.Wait == actor.OnCall:
		return answered, due
	}
	return working, due
}

// handles reports whether an actor is a worker that gives an error to utilruntime.HandleError, which lets a millisecond pass
// between two errors. The error is a sync's, or "ReplicaSet has no controller" before pods are deleted.
func (p *rsPart) handles(id actor.ID) bool {
	role, work := p.w.Set.Role(id), &p.w.Informers[rsSets].Work
	if role.Kind != actor.Worker {
		return false
	}
	switch run := &work.Controller.Runs[role.Index]; p.w.Set.State(id).PC {
	case actor.WorkerDone:
		return work.Workers[role.Index].Failed
	case actor.WorkerProgram:
		replicas, _ := strconv.Atoi(p.field(run.Obj, ".spec.replicas"))
		return run.Next == 1 && len(run.Claims) == 0 && !run.Fails && !run.Skips && len(run.Children) > replicas &&
			p.field(run.Obj, ".deployment") == "" && p.field(run.Obj, apiserver.Deletion) == ""
	}
	return false
}

// run lets everything happen up to a time.
func (p *rsPart) run(until int64) {
	for {
		id, at := p.next(working)
		if at > until {
			break
		}
		does, _ := p.operation(id)
		role := p.w.Set.Role(id)
		if p.handles(id) {
			p.handled = p.w.Set.ReadyAt(id)
		}
		p.acts = p.acts || does >= answered
		if p.w.Set.Now = max(p.w.Set.Now, at); does == receives {
			p.w.Set.Schedule(id, actor.ReflectorReceive)
		}
		if role.Kind == actor.Worker {
			p.worker = int(role.Index)
		}
		p.h.Choose(id)
		switch p.worker = -1; {
		case role.Kind == actor.Worker:
			p.look()
		case does == receives && slices.ContainsFunc(p.w.Log.Events, func(e event.Event) bool { return e.Kind == event.WatchEventReceived && e.Key != 0 }):
			p.events[role.Informer] = p.events[role.Informer][1:]
		}
	}
	p.w.Set.Now = max(p.w.Set.Now, until)
}

// settle lets everything happen that goes on without a pause of a millisecond. Pauses between errors and timers are none of
// what the server waits for.
func (p *rsPart) settle() {
	for {
		p.run(p.w.Set.Now)
		_, at := p.next(working + 1)
		if at > p.w.Set.Now+1e6 {
			return
		}
		p.run(at)
	}
}

// refuse notes in which batch the controller creates a pod, and returns how a request of its fails that a script lets fail.
func (p *rsPart) refuse(resource int, q apiserver.Write) registry.Answer {
	if p.worker < 0 {
		return registry.Updated
	}
	if b := p.w.Informers[rsSets].Work.Controller.Runs[p.worker].Batch; q.Verb == apiserver.Create && b.Open == b.Size-1 {
		p.requests = append(p.requests, fmt.Sprint("POST batch of ", b.Size))
	}
	verb := [...]string{apiserver.Create: "POST", apiserver.UpdateStatus: "PUT/status", apiserver.Patch: "PATCH", apiserver.Delete: "DELETE"}[q.Verb]
	for i := range p.fails {
		f := &p.fails[i]
		if f.n > 0 && f.verb == verb && (f.resource == "" || f.resource == [...]string{"replicasets", "pods"}[resource]) && (f.name == "" || f.name == p.name(p.t.MakeKey(q.Object))) {
			f.n--
			if answer, known := refusals[f.err]; known {
				return answer
			}
			return registry.Forbidden
		}
	}
	return registry.Updated
}

// refusals are the answers that the controller tells apart from other failures.
var refusals = map[string]registry.Answer{"notfound": registry.NotFound, "nsterminating": registry.Terminating}

// look notes what the controller has asked the API server for.
func (p *rsPart) look() {
	p.note(roundTrip)
	for _, e := range p.w.Log.Events {
		switch name := p.name(e.Key); {
		case e.Kind == event.OwnerRead:
			p.rechecked = true
		case e.Kind != event.ObjectWritten || p.resource(e) == rsSets:
		case e.Delta == event.Added:
			prefix := name[:strings.LastIndexByte(name, '-')]
			p.generated[prefix]++
			p.names[name] = fmt.Sprintf("%s-%d", prefix, p.generated[prefix])
			p.uids = append(p.uids, p.t.Text(p.t.Meta(e.New).UID))
			p.requests = append(p.requests, "POST pods "+p.names[name])
		case e.Delta == event.Deleted, p.field(e.Old, apiserver.Deletion) != p.field(e.New, apiserver.Deletion):
			p.requests = append(p.requests, "DELETE pods "+name)
		default:
			if p.requests = append(p.requests, "PATCH pods "+name); p.rechecked && p.field(e.New, apiserver.Owner) != "" {
				p.requests, p.rechecked = append(p.requests, "GET replicasets"), false
			}
		}
	}
}

// field returns a field of an object.
func (p *rsPart) field(o object.Ref, name string) string {
	return p.t.FieldOf(o, name)
}

// note notes when the events of a step's writes may come, if these are done after a time.
func (p *rsPart) note(after int64) {
	for _, e := range p.w.Log.Events {
		if e.Kind == event.ObjectWritten {
			resource := p.resource(e)
			p.events[resource] = append(p.events[resource], actor.After(p.w.Set.Now+after, p.lag[resource]))
		}
	}
}

// resource returns whose object was written.
func (p *rsPart) resource(e event.Event) int {
	if p.field(cmp.Or(e.New, e.Old), ".spec.selector") != "" {
		return rsSets
	}
	return rsPods
}

// name returns the name of an object as scripts have it.
func (p *rsPart) name(k object.Key) string {
	_, name, _ := strings.Cut(p.t.KeyText(k), "/")
	return cmp.Or(p.names[name], name)
}

func (p *rsPart) advance(to int64, out output) {
	p.prints = to-p.c.now >= 50e6
	p.run(p.w.Set.Now + to - p.c.now)
	p.settle()
}

// print prints what the controller has asked for, and which pods there are, after an operation in which nothing lasts
// that a script didn't ask for.
func (p *rsPart) print(out output) {
	if !p.prints {
		return
	}
	pods, sets := []string{}, []string{}
	for _, o := range p.w.Objects(rsPods) {
		owner, _, _ := strings.Cut(p.field(o, apiserver.Owner), "#")
		pods = append(pods, strings.TrimSpace(p.name(p.t.KeyOf(o))+" "+owner))
	}
	for _, o := range p.w.Objects(rsSets) {
		status := p.name(p.t.KeyOf(o))
		for _, field := range [...]string{"replicas", "readyReplicas", "availableReplicas", "terminatingReplicas", "observedGeneration"} {
			if n := p.field(o, ".status."+field); n != "" || field != "terminatingReplicas" {
				status += " " + field + "=" + cmp.Or(n, "0")
			}
		}
		sets = append(sets, strings.TrimSpace(status+" "+p.field(o, ".status.conditions")))
	}
	slices.Sort(pods)
	slices.Sort(sets)
	slices.Sort(p.requests)
	out["pods"], out["sets"], out["requests"] = pods, sets, append([]string{}, p.requests...)
	p.requests = nil
}

// otherClient does what another client does, at once.
func (p *rsPart) otherClient(verb string, op *rsOp) error {
	resource := rsSets
	if strings.Contains(strings.ToLower(verb), "pod") {
		resource = rsPods
	}
	m := object.Meta{Namespace: p.t.Sym("ns"), Name: p.t.Sym(op.Name)}
	for ours, name := range p.names {
		if name == op.Name {
			m.Name = p.t.Sym(ours)
		}
	}
	had := p.w.Simulated(resource).Storage.Get(p.t.MakeKey(m))
	if verb == "createRS" || verb == "createPod" {
		if had == 0 {
			p.create(resource, m, op)
		}
		return nil
	}
	if had == 0 {
		return nil
	}
	m = p.t.Meta(had)
	m.UID, m.RV = 0, 0
	kind := world.Update
	set := func(name, value string) {
		m.Labels = p.t.Merge(m.Labels, p.t.Singleton(name, value))
	}
	switch verb {
	case "scale":
		set(".spec.replicas", fmt.Sprint(op.Replicas))
	case "touchRS":
		set(".annotation", op.Data)
	case "podLabels":
		set("app", op.Labels["app"])
	case "podStatus":
		p.setPhase(m, cmp.Or(op.Phase, "Running"), op.Ready != nil && *op.Ready)
		return nil
	case "finalizeRS":
		set(apiserver.Finalizers, "x/y")
		p.command(kind, resource, m)
		kind = world.Delete
	case "deleteRS", "deletePod":
		kind = world.Delete
	default:
		return unknown(verb)
	}
	p.command(kind, resource, m)
	return nil
}

// create makes an object that another client creates.
func (p *rsPart) create(resource int, m object.Meta, op *rsOp) {
	fields := map[string]string{}
	if app := op.Labels["app"]; resource == rsSets {
		fields[".spec.replicas"], fields[".spec.selector"], fields[".spec.minReadySeconds"] = fmt.Sprint(op.Replicas), "app="+cmp.Or(app, op.Name), fmt.Sprint(op.MinReadyS)
		fields[".deployment"] = op.Owner
	} else if fields["app"] = app; op.Owner != "" {
		name, uid, _ := strings.Cut(op.Owner, "#")
		var n int
		if _, err := fmt.Sscanf(uid, "u%d", &n); err == nil && n > 0 && n <= len(p.uids) {
			uid = p.uids[n-1]
		}
		fields[apiserver.Owner] = name + "#" + uid
	}
	for name, value := range fields {
		m.Labels = p.t.Merge(m.Labels, p.t.Singleton(name, value))
	}
	uid := op.UID
	if uid == "" {
		uid = fmt.Sprintf("uid-%d", p.w.Revision(resource)+1)
		p.uids = append(p.uids, uid)
	}
	m.UID = p.t.Sym(uid)
	if op.Phase == "" {
		p.command(world.Create, resource, m)
		return
	}
	m.Labels = p.t.Merge(m.Labels, p.t.LabelSet([]object.Label{ // no command creates a pod with a status
		{Name: p.t.Sym(apiserver.Created), Value: p.t.Sym(fmt.Sprintf("%ds", p.w.Set.Now/1e9))}, {Name: p.t.Sym(".status.phase"), Value: p.t.Sym(op.Phase)},
	}))
	p.write(func(pods *apiserver.Simulated, rev int64) bool {
		pods.Commit(m, event.Added, rev, p.w.Set.Now)
		return true
	})
}

// command does what another client does, at once. An update that changes nothing makes no version.
func (p *rsPart) command(kind world.CommandKind, resource int, m object.Meta) {
	m.Key = p.t.MakeKey(m)
	if had := p.w.Simulated(resource).Storage.Get(m.Key); kind == world.Update && m.Labels == p.t.LabelSetOf(had) {
		return
	}
	p.w.Log.Reset()
	p.h.Do(world.Command{Kind: kind, Informer: resource, Object: m})
	p.note(0)
}

// setPhase writes the status of a pod, which no command does.
func (p *rsPart) setPhase(m object.Meta, phase string, ready bool) {
	since := fmt.Sprintf("%ds", p.w.Set.Now/1e9)
	m.Labels = p.t.Merge(p.t.Singleton(".status.phase", phase), p.t.Singleton(".status.transition", since))
	if ready {
		m.Labels = p.t.Merge(m.Labels, p.t.Singleton(".status.readySince", since))
	}
	p.send(apiserver.Write{Verb: apiserver.UpdateStatus, Object: m})
}

// send writes a pod as no command does.
func (p *rsPart) send(q apiserver.Write) {
	p.write(func(pods *apiserver.Simulated, rev int64) bool { return pods.Write(q, rev, p.w.Set.Now).Wrote() })
}

// write lets do write a pod, and tells the other server of the revision if it has.
func (p *rsPart) write(do func(pods *apiserver.Simulated, rev int64) bool) {
	rev := p.w.Revision(rsPods) + 1
	if do(p.w.Simulated(rsPods), rev) {
		p.w.Simulated(rsSets).Storage.Advance(rev, p.w.Set.Now)
		p.events[rsPods] = append(p.events[rsPods], actor.After(p.w.Set.Now, p.lag[rsPods]))
	}
}
