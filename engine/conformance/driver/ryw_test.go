package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

type rywOp struct {
	Op, ID, Name, Data, RV, UID, Rep string
	Verb, Mode, Err                  string
	Enable                           *bool
	Fin, NoWait                      bool
	Precond                          string
	TimeoutMs, Ms                    int64
	N                                int
}

// rywNamespace is where all objects are.
const rywNamespace = "ns"

// configMaps is the resource.
const configMaps = "configmaps"

// pollEvery is how often cache.WaitForCacheSync looks, in nanoseconds.
const pollEvery = 100_000_000

// rywPart plays ryw.*: controller-runtime's client that reads its own writes, on a cache
// of ConfigMaps.
type rywPart struct {
	c     *controllerPlay
	t     *object.Table
	api   *fakeAPI
	plain bool // without read-your-writes consistency
	reps  []*rywRep
	calls []*rywCall // under way
	named int        // calls that the script gave no name
	data  []string   // by Content.Spec
	rows  map[object.Ref]string
	trace []rywLine
}

// rywLine is a line of the trace. Calls that end at the same instant are sorted.
type rywLine struct {
	text  string
	ended bool
	ms    int64
}

// rywRep is one representation of the kind: an informer, and a client.
type rywRep struct {
	name, goType string
	cache        *fakeCache
	client       readyourwrites.Client
	used         bool // the client has a ConsistencyHandler for it
	added        bool // the handler was added to the informer
}

func (p *rywPart) begin(op *rywOp, out output) {
	p.t, p.rows, p.data = object.NewTable(nil), map[object.Ref]string{}, []string{""}
	p.plain = op.Enable != nil && !*op.Enable
	p.api = &fakeAPI{etcd: etcd{t: p.t, rv: 100}, now: p.c.now, holds: map[string]bool{}, row: p.row, mode: "live"}
	p.reps = []*rywRep{{name: "typed", goType: "*v1.ConfigMap"}, {name: "unstructured", goType: "*unstructured.Unstructured"}}
	out["clientType"] = "*client.consistentClient"
	if p.plain {
		out["clientType"] = "*client.client"
	}
}

// row returns an object as the informer gets it. Its Meta says whether it has a namespace.
func (p *rywPart) row(o registry.Object) object.Ref {
	_, name, _ := strings.Cut(p.t.KeyText(o.Key), "/")
	m := object.Meta{Name: p.t.Sym(name), UID: o.UID, RV: object.NumberRV(uint64(o.RV))}
	if o.Meta == 0 {
		m.Namespace = p.t.Sym(rywNamespace)
	}
	r := p.t.Add(m)
	p.rows[r] = p.data[o.Spec]
	return r
}

// text writes an object as name@rv#uid=data.
func (p *rywPart) text(r object.Ref) string {
	m := p.t.Meta(r)
	return fmt.Sprintf("%s@%s#%s=%s", p.t.Text(m.Name), p.t.RVText(m.RV), p.t.Text(m.UID), p.rows[r])
}

// content interns an object's data.
func (p *rywPart) content(data string, fin bool) registry.Content {
	i := slices.Index(p.data, data)
	if i < 0 {
		i = len(p.data)
		p.data = append(p.data, data)
	}
	c := registry.Content{Spec: int32(i)}
	if fin {
		c.Finalizers = 1
	}
	return c
}

func (p *rywPart) key(name string) object.Key { return p.t.Key(rywNamespace + "/" + name) }

func (p *rywPart) play(verb string, text []byte, out output) error {
	var op rywOp
	if err := fields(text, &op); err != nil {
		return err
	}
	if verb == "new" {
		p.begin(&op, out)
		return nil
	}
	p.trace = nil
	switch verb {
	case "create", "update", "patch", "delete", "get", "list", "deleteAllOf":
		p.call(verb, &op)
	case "cancel":
		i := slices.IndexFunc(p.calls, func(c *rywCall) bool { return c.id == op.ID })
		if i < 0 {
			out["err"] = "no such call"
		} else {
			p.calls[i].end(p, "Canceled", "context canceled")
		}
	case "extCreate", "extUpdate", "extDelete":
		p.otherClient(verb, &op)
	case "watch":
		p.api.watch(op.Mode, op.Ms*1e6)
	case "deliver":
		out["delivered"] = p.api.release(cmp.Or(op.N, len(p.api.events)))
	case "bookmark":
		p.api.bookmark()
	case "watchClose":
		p.api.closeWatch()
	case "watchExpire":
		p.api.expireWatch()
	case "hold":
		if clear(p.api.holds); op.Mode != "off" {
			p.api.holds[op.Verb] = true
		}
	case "answer":
		out["answered"] = p.answer(op.ID)
	case "fail":
		p.api.fails = append(p.api.fails, failRule{op.Verb, "", op.Name, op.Err, max(op.N, 1)})
	default:
		return unknown(verb)
	}
	p.api.run(p.api.now, p)
	return nil
}

// answer lets withheld requests be answered: one call's, or all.
func (p *rywPart) answer(id string) (n int) {
	for _, c := range p.calls {
		if c.request != nil && c.request.due == actor.Never && (id == "" || c.id == id) {
			c.request.due = p.api.now + answerTakes
			n++
		}
	}
	return n
}

// timers implements around.
func (p *rywPart) timers() int64 {
	next := actor.Never
	for _, c := range p.calls {
		next = min(next, c.next())
	}
	return next
}

// settle lets informers and calls go on until all are blocked.
func (p *rywPart) settle() {
	p.take()
	for moved := true; moved; {
		moved = false
		p.api.settle()
		for _, rep := range p.reps {
			moved = rep.deliver(p) || moved
		}
		for _, c := range slices.Clone(p.calls) {
			moved = c.step(p) || moved
		}
		p.take()
	}
}

// take takes over what the API server says.
func (p *rywPart) take() {
	for _, text := range p.api.trace {
		p.trace = append(p.trace, rywLine{text: text})
	}
	p.api.trace = nil
}

// deliver lets the ConsistencyHandler hear what its informer tells.
func (rep *rywRep) deliver(p *rywPart) bool {
	if rep.cache == nil || len(rep.cache.notifications) == 0 {
		return false
	}
	for _, n := range rep.cache.notifications {
		obj := n.New
		if n.Type == processor.Delete {
			if obj = n.Old; p.t.IsTombstone(obj) {
				obj = p.t.InTombstone(obj)
			}
		}
		m := p.t.Meta(obj)
		rv, _ := m.RV.Number()
		if rep.client.Observe(int64(rv)); n.Type == processor.Delete {
			rep.client.RemovePendingDelete(m.Key, m.UID)
		}
	}
	rep.cache.notifications = nil
	return true
}

// otherClient does what another client does, at once.
func (p *rywPart) otherClient(verb string, op *rywOp) {
	o := registry.Object{Key: p.key(op.Name), Content: p.content(op.Data, false)}
	method := map[string]string{"extCreate": "POST", "extUpdate": "PUT", "extDelete": "DELETE"}[verb]
	if verb == "extUpdate" {
		o.Meta = 1 // its object has no namespace
	}
	got, answer := p.write(method, o, op.Name)
	p.api.writeLine("other client: %s", p.apiLine(method, op.Name, got, answer))
}

// write does a write at the API server.
func (p *rywPart) write(method string, o registry.Object, name string) (got registry.Object, answer registry.Answer) {
	switch method {
	case "POST":
		got, answer = p.api.create(o, p.api.now)
	case "PUT":
		got, answer = p.api.change(o, func(old registry.Object) (registry.Object, registry.Answer) { return old.Updated(o.Content) })
	case "PATCH":
		got, answer = p.api.change(o, func(old registry.Object) (registry.Object, registry.Answer) {
			o.Meta, o.Finalizers = old.Meta, old.Finalizers
			return old.Updated(o.Content)
		})
	case "DELETE":
		o.RV = 0
		got, answer = p.api.change(o, func(old registry.Object) (registry.Object, registry.Answer) { return old.Deleted(false) })
	}
	p.api.wrote(got, answer)
	return got, answer
}

// apiLine writes what a request came to.
func (p *rywPart) apiLine(method, name string, o registry.Object, answer registry.Answer) string {
	head := "api " + method + " configmaps"
	switch answer {
	case registry.Created:
		return fmt.Sprintf("%s %s -> 201 rv=%d", head, name, o.RV)
	case registry.Updated:
		return fmt.Sprintf("%s %s -> 200 rv=%d", head, name, o.RV)
	case registry.Removed:
		return fmt.Sprintf("%s %s -> 200 gone rv=%d", head, name, o.RV)
	case registry.Marked:
		return fmt.Sprintf("%s %s -> 200 deletionTimestamp set rv=%d", head, name, o.RV)
	case registry.NoChange:
		if method == "DELETE" {
			return fmt.Sprintf("%s %s -> 200 already deleting rv=%d", head, name, o.RV)
		}
		return fmt.Sprintf("%s %s -> 200 no change rv=%d", head, name, o.RV)
	case registry.NotFound:
		return head + " " + name + " -> 404 NotFound"
	case registry.AlreadyExists:
		return head + " " + name + " -> 409 AlreadyExists"
	}
	return head + " " + name + " -> 409 Conflict"
}

func (p *rywPart) advance(to int64, _ output) {
	p.trace = nil
	p.api.run(p.api.now+to-p.c.now, p)
}

func (p *rywPart) print(out output) {
	if trace := p.lines(); len(trace) > 0 {
		out["trace"] = trace
	}
	blocked := []string{}
	for _, c := range p.calls {
		blocked = append(blocked, c.id+" "+c.name()+" waits in "+c.waitsIn())
	}
	slices.Sort(blocked)
	out["blocked"] = blocked
	p.api.withheld(out)
	if p.plain {
		return
	}
	var handlers []string
	writes := []string{}
	for _, rep := range p.reps {
		if rep.used {
			handlers = append(handlers, p.handler(rep))
		}
		for _, f := range rep.client.InFlight(nil) {
			writes = append(writes, fmt.Sprintf("%s inFlight=%d", p.t.KeyText(f.Key), f.Writes))
		}
		if rep.client.Registered {
			out["cache."+rep.name] = p.cached(rep)
		}
	}
	slices.Sort(writes)
	out["handlers"], out["writesInFlight"] = handlers, writes
}

// lines sorts the calls that end at the same instant.
func (p *rywPart) lines() (out []string) {
	for from := 0; from < len(p.trace); {
		to := from + 1
		for to < len(p.trace) && p.trace[from].ended && p.trace[to].ended && p.trace[to].ms == p.trace[from].ms {
			to++
		}
		run := p.trace[from:to]
		slices.SortFunc(run, func(a, b rywLine) int { return strings.Compare(a.text, b.text) })
		for _, l := range run {
			out = append(out, l.text)
		}
		from = to
	}
	return out
}

func (p *rywPart) cached(rep *rywRep) []string {
	all := []string{}
	for _, r := range rep.cache.objects() {
		all = append(all, p.text(r))
	}
	slices.Sort(all)
	return append(all, "storeRV="+rep.cache.storeRV())
}

func (p *rywPart) handler(rep *rywRep) string {
	var minimums, deletes []string
	for _, m := range rep.client.Minimums() {
		minimums = append(minimums, fmt.Sprintf("%s>=%d", p.t.KeyText(m.Key), m.RV))
	}
	uids := map[object.Key][]string{}
	for _, d := range rep.client.PendingDeletes() {
		uids[d.Key] = append(uids[d.Key], p.t.Text(d.UID))
	}
	for k, deleted := range uids {
		slices.Sort(deleted)
		deletes = append(deletes, fmt.Sprintf("%s%v", p.t.KeyText(k), deleted))
	}
	slices.Sort(minimums)
	slices.Sort(deletes)
	return fmt.Sprintf("%s registered=%v observedRV=%d minimumRVs=%v pendingDeletes=%v", rep.name, rep.client.Registered, rep.client.ObservedRV(), minimums, deletes)
}
