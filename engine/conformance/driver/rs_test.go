package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	scripts "github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

type rsOp struct {
	Op, Name, UID, Owner, Phase, Data string
	Resource, Mode, Verb, Err         string
	Gate, Ready                       *bool
	NoExpectations                    bool
	Workers, N                        int
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
	lag       [2]int64          // how long after a write the event may come, actor.Never for not at all
	events    [2][]int64        // when those may come that are still to be received
	refused   int               // creates of pods that are still to fail

	requests  []string // since they were printed
	rechecked bool     // the next adoption comes after a GET of its ReplicaSet
	prints    bool
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
	r := scripts.NewRunner(func(scripts.Entry) {})
	err := r.Play(fmt.Sprintf(`profile current
server revision=100
informer replicasets resync=%[1]dms
informer pods resync=%[1]dms
controller replicasets owns=pods program=replicaset guard=%s workers=%d
show pods server`, op.ResyncMs, guard, max(op.Workers, 1)))
	if err != nil {
		return err
	}
	if p.h, err = history.NewPassing(r.History().Config()); err != nil {
		return err
	}
	p.w, p.names, p.generated = p.h.Front(), map[string]string{}, map[string]int{}
	p.t = p.w.Informers[rsPods].Config().Table
	p.w.Simulated(rsPods).Config().Ages = true
	p.command(world.Create, rsPods, object.Meta{Namespace: p.t.Sym("other"), Name: p.t.Sym("pod")}) // with it, a quota of one pod is always used up
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

func (p *rsPart) do(verb string, text []byte, out output) error {
	var op rsOp
	if err := fields(text, &op); err != nil {
		return err
	}
	if p.prints = false; verb == "new" {
		return p.begin(&op)
	}
	of := rsPods
	if op.Resource == "replicasets" {
		of = rsSets
	}
	now, events := p.w.Set.Now, p.events[of]
	switch verb {
	case "start":
		p.eachUser(func(user actor.ID) { p.w.Set.Schedule(user, actor.UserRun) })
		p.events = [2][]int64{} // what there is comes with the initial lists
		p.c.now += 200e6
		p.run(p.c.now)
	case "watch":
		if p.lag[of] = map[string]int64{"hold": actor.Never, "lag": op.Ms * 1e6}[op.Mode]; op.Mode != "hold" {
			for i := range events {
				events[i] = min(events[i], now+p.lag[of])
			}
		}
	case "deliver":
		for i := range events[:min(cmp.Or(op.N, len(events)), len(events))] {
			events[i] = min(events[i], now)
		}
	case "fail":
		if op.Verb != "POST" || op.Err == "nsterminating" {
			return unknown(verb + " " + op.Verb)
		}
		p.refused += max(op.N, 1)
		p.w.Simulated(rsPods).Config().Quota = 1
	case "bookmark": // the cache of replicasets tells itself how far it has come
	default:
		if err := p.otherClient(verb, &op); err != nil {
			return err
		}
	}
	for _, x := range p.w.Informers {
		x.Poll(&p.w.Set)
	}
	p.settle()
	return nil
}

// quiet is how long nothing happens before a worker begins.
const quiet = 100_000

// next returns who moves next, and when.
func (p *rsPart) next() (next actor.ID, at int64) {
	next, at = actor.Nobody, actor.Never
	begins, begun := actor.Nobody, actor.Never
	for id := range actor.ID(p.w.Set.Len()) {
		due, role := p.w.Set.ReadyAt(id), p.w.Set.Role(id)
		if p.receives(id) && len(p.events[role.Informer]) > 0 {
			due = max(due, p.events[role.Informer][0])
		}
		switch {
		case role.Kind == actor.Worker && p.w.Set.State(id).PC == actor.WorkerGet:
			if due < begun {
				begins, begun = id, due
			}
		case due < at:
			next, at = id, due
		}
	}
	if begins != actor.Nobody && at > max(begun, p.w.Set.Now)+quiet {
		return begins, begun
	}
	return next, at
}

// receives reports whether an actor is about to receive an event.
func (p *rsPart) receives(id actor.ID) bool {
	return p.w.Set.Role(id).Kind == actor.Reflector && p.w.Set.State(id).PC == actor.ReflectorReceive
}

// run lets everything happen up to a time.
func (p *rsPart) run(until int64) {
	for {
		id, at := p.next()
		if at > until {
			break
		}
		receives, role := p.receives(id), p.w.Set.Role(id)
		p.w.Set.Now = max(p.w.Set.Now, at)
		p.h.Choose(id)
		switch {
		case role.Kind == actor.Worker:
			p.look(&p.w.Informers[rsSets].Work.Controller.Runs[role.Index].Batch)
		case receives && len(p.events[role.Informer]) > 0 && slices.ContainsFunc(p.w.Log.Events, func(e event.Event) bool { return e.Kind == event.WatchEventReceived && e.Key != 0 }):
			p.events[role.Informer] = p.events[role.Informer][1:]
		}
	}
	p.w.Set.Now = max(p.w.Set.Now, until)
}

// settle lets everything happen that goes on without a pause longer than a request.
func (p *rsPart) settle() {
	for {
		_, at := p.next()
		if at > p.w.Set.Now+1_500_000 {
			return
		}
		p.run(at)
	}
}

// look notes what the controller has asked the API server for, in which batch if it creates pods.
func (p *rsPart) look(b *reconciler.Batch) {
	create := func() {
		if b.Open == b.Size-1 {
			p.requests = append(p.requests, fmt.Sprint("POST batch of ", b.Size))
		}
	}
	p.note()
	for _, e := range p.w.Log.Events {
		switch name := p.name(e.Key); {
		case e.Kind == event.OwnerRead:
			p.rechecked = true
		case e.Kind == event.WriteAnswered && e.Code() == 403:
			create()
			if p.refused--; p.refused == 0 {
				p.w.Simulated(rsPods).Config().Quota = 0
			}
		case e.Kind != event.ObjectWritten || p.resource(e) == rsSets:
		case e.Delta == event.Added:
			create()
			prefix := name[:strings.LastIndexByte(name, '-')]
			p.generated[prefix]++
			p.names[name] = fmt.Sprintf("%s-%d", prefix, p.generated[prefix])
			p.uids = append(p.uids, p.t.Text(p.t.Meta(e.New).UID))
			p.requests = append(p.requests, "POST pods "+p.names[name])
		case e.Delta == event.Deleted:
			p.requests = append(p.requests, "DELETE pods "+name)
		default:
			if p.requests = append(p.requests, "PATCH pods "+name); p.rechecked && apiserver.Field(p.t, p.t.LabelSetOf(e.New), apiserver.Owner) != "" {
				p.requests, p.rechecked = append(p.requests, "GET replicasets"), false
			}
		}
	}
}

// note notes when the events of a step's writes may come.
func (p *rsPart) note() {
	for _, e := range p.w.Log.Events {
		if e.Kind == event.ObjectWritten {
			of := p.resource(e)
			p.events[of] = append(p.events[of], actor.After(p.w.Set.Now, p.lag[of]))
		}
	}
}

// resource returns whose object was written.
func (p *rsPart) resource(e event.Event) int {
	if apiserver.Field(p.t, p.t.LabelSetOf(cmp.Or(e.New, e.Old)), ".spec.selector") != "" {
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
	p.run(to)
	p.settle()
}

// print prints what the controller has asked for, and which pods there are, after an operation in which nothing lasts
// that a script didn't ask for.
func (p *rsPart) print(out output) {
	if !p.prints {
		return
	}
	pods := []string{}
	for _, o := range p.w.Objects(rsPods) {
		owner, _, _ := strings.Cut(apiserver.Field(p.t, p.t.LabelSetOf(o), apiserver.Owner), "#")
		if p.t.KeyText(p.t.KeyOf(o)) != "other/pod" {
			pods = append(pods, strings.TrimSpace(p.name(p.t.KeyOf(o))+" "+owner))
		}
	}
	slices.Sort(pods)
	slices.Sort(p.requests)
	out["pods"], out["requests"] = pods, append([]string{}, p.requests...)
	p.requests = nil
}

// otherClient does what another client does, at once.
func (p *rsPart) otherClient(verb string, op *rsOp) error {
	of := rsSets
	if strings.Contains(strings.ToLower(verb), "pod") {
		of = rsPods
	}
	m := object.Meta{Namespace: p.t.Sym("ns"), Name: p.t.Sym(op.Name)}
	for ours, name := range p.names {
		if name == op.Name {
			m.Name = p.t.Sym(ours)
		}
	}
	had := p.w.Simulated(of).Storage.Get(p.t.MakeKey(m))
	if verb == "createRS" || verb == "createPod" {
		if had == 0 {
			p.create(of, m, op)
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
		m.Labels = apiserver.Merge(p.t, m.Labels, apiserver.Singleton(p.t, name, value))
	}
	switch verb {
	case "scale":
		set(".spec.replicas", fmt.Sprint(op.Replicas))
	case "touchRS":
	case "podLabels":
		set("app", op.Labels["app"])
	case "podStatus":
		p.setPhase(m, cmp.Or(op.Phase, "Running"))
		return nil
	case "finalizeRS":
		set(apiserver.Finalizers, "x/y")
		p.command(kind, of, m)
		kind = world.Delete
	case "deleteRS", "deletePod":
		kind = world.Delete
	default:
		return unknown(verb)
	}
	p.command(kind, of, m)
	return nil
}

// create makes an object that another client creates.
func (p *rsPart) create(of int, m object.Meta, op *rsOp) {
	fields := map[string]string{}
	if app := op.Labels["app"]; of == rsSets {
		fields[".spec.replicas"], fields[".spec.selector"] = fmt.Sprint(op.Replicas), "app="+cmp.Or(app, op.Name)
	} else if fields["app"] = app; op.Owner != "" {
		name, uid, _ := strings.Cut(op.Owner, "#")
		var n int
		if _, err := fmt.Sscanf(uid, "u%d", &n); err == nil && n > 0 && n <= len(p.uids) {
			uid = p.uids[n-1]
		}
		fields[apiserver.Owner] = name + "#" + uid
	}
	for name, value := range fields {
		m.Labels = apiserver.Merge(p.t, m.Labels, apiserver.Singleton(p.t, name, value))
	}
	uid := op.UID
	if uid == "" {
		uid = fmt.Sprintf("uid-%d", p.w.Revision(of)+1)
		p.uids = append(p.uids, uid)
	}
	m.UID = p.t.Sym(uid)
	quota := &p.w.Simulated(of).Config().Quota
	was := *quota
	*quota = 0
	p.command(world.Create, of, m)
	if *quota = was; op.Phase != "" {
		p.setPhase(m, op.Phase)
	}
}

// command does what another client does, at once.
func (p *rsPart) command(kind world.CommandKind, of int, m object.Meta) {
	m.Key = p.t.MakeKey(m)
	p.w.Log.Reset()
	p.h.Do(world.Command{Kind: kind, Informer: of, Object: m})
	p.note()
}

// setPhase writes the status of a pod, which no command does.
func (p *rsPart) setPhase(m object.Meta, phase string) {
	m.Labels = apiserver.Singleton(p.t, ".status.phase", phase)
	pods, sets := p.w.Simulated(rsPods), p.w.Simulated(rsSets)
	rev := p.w.Revision(rsPods) + 1
	if pods.Write(apiserver.Write{Verb: apiserver.UpdateStatus, Object: m, NewVersion: true}, rev, p.w.Set.Now).Wrote() {
		sets.Storage.Advance(rev, p.w.Set.Now)
		p.events[rsPods] = append(p.events[rsPods], actor.After(p.w.Set.Now, p.lag[rsPods]))
	}
}
