package feed

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// mostWorkers is how many workers of a controller are played. What others did is left out.
const mostWorkers = 256

// Recording returns what the controller did, with the keys of t: see informer.Recording. It is nil
// where there is no controller.
func (c *Controller) Recording(t *object.Table) *informer.Recording {
	if c == nil {
		return nil
	}
	p := plan{
		Controller: c, t: t, out: &informer.Recording{Name: c.Name},
		coming: map[object.Key][]int16{}, hands: map[object.Key]heldKey{}, wrote: make([]int32, len(c.Log.Writes)+1),
	}
	for i, s := range c.Log.Steps {
		of := &p.lines[s.Kind]
		*of = append(*of, make([]int32, max(0, s.I+1-len(*of)))...)
		(*of)[s.I] = int32(i)
	}
	p.reconciles()
	p.writes()
	p.queue()
	p.within()
	order := make([]int, len(p.acts))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		x, y := &p.acts[order[i]], &p.acts[order[j]]
		return x.Time < y.Time || x.Time == y.Time && x.line < y.line
	})
	p.assign(order)
	return p.out
}

// plan makes a Recording.
type plan struct {
	*Controller
	t    *object.Table
	out  *informer.Recording
	acts []pendingAct

	lines  [worker.Read + 1][]int32 // where the recording tells of each entry of the Log, by what it tells
	coming map[object.Key][]int16   // the workers of the reconciles of each key that have not begun yet
	hands  map[object.Key]heldKey   // the keys that workers have
	wrote  []int32                  // where the Acts have a write, from 1
	busy   [mostWorkers]bool        // which workers have one whose reconcile has not ended
}

// heldKey is a key that a worker has taken and not given back.
type heldKey struct {
	worker int16
	ended  bool // its reconcile has ended
}

// pendingAct is an act that may not have a worker yet.
type pendingAct struct {
	informer.Act
	line  int32 // of the recording, whose order several at the same time keep
	in    int64 // the ID of what has made a call of the workqueue
	write int   // the write, or for a call the write that has come back, by its place in the Log, from 1
}

func (p *plan) add(of worker.StepKind, i int, a informer.Act) {
	p.acts = append(p.acts, pendingAct{Act: a, line: p.lines[of][i]})
}

// plays reports whether a reconcile is one of those that are played.
func (p *plan) plays(x *worker.Reconcile) bool {
	return x.Controller == p.Name && x.Worker > 0 && x.Worker <= mostWorkers
}

// Calls are the calls of handlers in which keys were added, by their IDs.
type Calls struct {
	seen int // calls of workqueues
	byID map[int64]handlerCall
}

type handlerCall struct {
	call    string // "" for a call that is none of a handler
	time    int64  // 0 if no write can have made the version
	version string
}

// versionOf names what a call was made with, or what a write has made.
func versionOf(group, resource, key, rv string) string {
	return group + " " + resource + " " + key + " " + rv
}

// Read reads the calls that t holds. Whoever forgets calls must have read them.
func (c *Calls) Read(t *trace.Trace, log *worker.Log) {
	if c.byID == nil {
		c.byID = map[int64]handlerCall{}
	}
	for ; c.seen < len(log.Queued); c.seen++ {
		id := log.Queued[c.seen].In
		if _, ok := c.byID[id]; id != 0 && !ok {
			c.byID[id] = handlerCall{}
		}
	}
	for _, r := range t.Resources {
		for _, h := range r.Handlers {
			for i := range h.Calls {
				x := &h.Calls[i]
				if _, ok := c.byID[x.ID]; !ok {
					continue
				}
				key, rv := r.Table.KeyText(x.Key), r.Table.RVText(x.RV)
				call := handlerCall{h.Name + " " + x.Fn.String() + " " + key + " " + rv, x.Time, versionOf(r.Group, r.Resource, key, rv)}
				if x.RV == x.OldRV { // a resync
					call.call += "→" + rv
				}
				if x.Initial || x.Fn == trace.OnDelete || x.RV == x.OldRV {
					call.time = 0
				}
				c.byID[x.ID] = call
			}
		}
	}
}

// within says within what each key was added, and which write has come back there, by its place in the Log, from 1.
func (p *plan) within() {
	for i := range p.Log.Reconciles {
		x := &p.Log.Reconciles[i]
		if _, ok := p.calls.byID[x.ID]; ok {
			p.calls.byID[x.ID] = handlerCall{call: "reconcile " + x.Key}
		}
	}
	sent := map[string]int{}
	for i := range p.Log.Writes {
		w := &p.Log.Writes[i]
		v := versionOf(w.Group, w.Resource, w.Key(), w.Answer.RV)
		if sent[v] == 0 && w.Changed() && w.Answer.RV != w.Written.RV {
			sent[v] = i + 1
		}
	}
	owners := p.Log.Owners()
	for i := range p.acts {
		x := &p.acts[i]
		if call := p.calls.byID[x.in]; x.in != 0 {
			x.Caller = cmp.Or(call.call, x.Caller)
			if n := sent[call.version]; n > 0 && p.Log.Writes[n-1].Sent <= call.time {
				x.write = n
				if by := owners[n-1]; by >= 0 && p.Log.Reconciles[by].Controller != p.Name {
					x.Caller += " ← " + p.Log.Reconciles[by].Controller
				}
			}
		}
	}
}

func (p *plan) reconciles() {
	for _, i := range p.Log.Order() {
		x := &p.Log.Reconciles[i]
		if !p.plays(x) {
			continue
		}
		k, n := p.t.Key(x.Key), int16(x.Worker-1)
		p.coming[k] = append(p.coming[k], n)
		p.add(worker.Began, i, informer.Act{Time: x.Began, Method: informer.ReconcileBegin, Key: k, Worker: n, N: max(x.Duration, 0)})
		if x.Ended != 0 {
			failed := x.Result == trace.ResultError || x.Result == trace.ResultTerminal || x.Result == trace.ResultPanic
			p.add(worker.Ended, i, informer.Act{Time: x.Ended, Method: informer.ReconcileEnd, Key: k, Worker: n, Failed: failed})
		}
	}
}

func (p *plan) writes() {
	for i, owner := range p.Log.Owners() {
		if owner < 0 || !p.plays(&p.Log.Reconciles[owner]) {
			continue
		}
		w, x := &p.Log.Writes[i], &p.Log.Reconciles[owner]
		a := informer.Act{Time: w.Sent, Method: informer.ReconcileWrite, Key: p.t.Key(x.Key), Worker: int16(x.Worker - 1), Request: w.Verb + " " + w.Target()}
		if name := w.RequestedKey(); name != "" {
			a.Request += " " + name
		}
		p.add(worker.Sent, i, a)
		p.acts[len(p.acts)-1].write = i + 1
		if w.Answered != 0 {
			a.Time, a.Method, a.Request, a.N = w.Answered, informer.ReconcileAnswer, "", int64(w.Answer.Status)
			p.add(worker.Answered, i, a)
		}
	}
}

// queue takes in the calls of the workqueue. The rate limiter's come before or after the
// call that puts a key off.
func (p *plan) queue() {
	limited := map[string]int{} // where things has a key that waits for the rate limiter's delay
	given := map[string]int64{} // and delays that no key has got yet
	for i := range p.Log.Queued {
		q := &p.Log.Queued[i]
		if q.Queue != p.Name {
			continue
		}
		a := informer.Act{Time: q.Time, Worker: -1}
		switch q.Fn {
		case "When":
			if at, waits := limited[q.Key]; waits {
				p.acts[at].N = q.After
				delete(limited, q.Key)
			} else {
				given[q.Key] = q.After
			}
			continue
		case "Get":
			delete(limited, q.Key)
			delete(given, q.Key)
			a.Method = informer.CallGet
		case "Done":
			a.Method = informer.CallDone
		case "Forget":
			a.Method = informer.CallForget
		case "ShutDown":
			a.Method = informer.CallShutDown
		default:
			p.out.Priorities = p.out.Priorities || q.Fn == "AddWithOpts"
			switch {
			case q.RateLimited || q.Fn == "AddRateLimited":
				a.Method, a.N = informer.CallAddRateLimited, -1
				if d, ok := given[q.Key]; ok {
					a.N = d
					delete(given, q.Key)
				} else {
					limited[q.Key] = len(p.acts)
				}
			case q.After > 0:
				a.Method, a.N = informer.CallAddAfter, q.After
			}
		}
		if q.Key == "" && a.Method != informer.CallShutDown { // such as a Get that found the queue shut down
			continue
		}
		a.Key = p.t.Key(q.Key)
		p.add(worker.Called, i, a)
		if a.Method <= informer.CallAddRateLimited {
			x := &p.acts[len(p.acts)-1]
			x.Caller, x.in = q.From, q.In
		}
	}
}

// assign finds out which worker does what with the workqueue, and gives each act a time of its own.
func (p *plan) assign(order []int) {
	last := int64(-1)
	for _, i := range order {
		a := &p.acts[i].Act
		if a.Worker = p.worker(a); a.Worker < 0 && a.Method == informer.CallGet {
			continue
		}
		last = max(last+1, a.Time)
		if a.Method == informer.CallAddAfter || a.Method == informer.CallAddRateLimited && a.N > 0 { // the key is ready when it was
			a.N = max(a.N-(last-a.Time), 1)
		}
		a.Time = last
		p.out.Workers = max(p.out.Workers, int(a.Worker)+1)
		if a.Write = p.wrote[p.acts[i].write]; a.Method == informer.ReconcileWrite {
			p.wrote[p.acts[i].write] = int32(len(p.out.Acts) + 1)
		}
		p.out.Acts = append(p.out.Acts, *a)
	}
}

// worker returns the worker of an act, -1 for none.
func (p *plan) worker(a *informer.Act) int16 {
	h, held := p.hands[a.Key]
	switch a.Method {
	case informer.CallGet:
		n := int16(-1)
		if coming := p.coming[a.Key]; len(coming) > 0 {
			n = coming[0]
		}
		if n < 0 || p.busy[n] {
			n = int16(slices.Index(p.busy[:], false))
		}
		if n >= 0 {
			p.busy[n], p.hands[a.Key] = true, heldKey{worker: n}
		}
		return n
	case informer.ReconcileBegin:
		p.coming[a.Key] = p.coming[a.Key][1:]
		p.hands[a.Key] = heldKey{worker: a.Worker}
	case informer.ReconcileEnd: // the recorder gives the number to the next reconcile, although Done has not been called yet
		p.busy[a.Worker] = false
		p.hands[a.Key] = heldKey{a.Worker, true}
	case informer.CallDone:
		if !held {
			return -1
		}
		if !h.ended {
			p.busy[h.worker] = false
		}
		delete(p.hands, a.Key)
		return h.worker
	case informer.CallForget, informer.CallAddAfter, informer.CallAddRateLimited:
		if held && h.ended {
			return h.worker
		}
	}
	return a.Worker
}

// Controller is a recorded controller, and all that was read of the work of the recorded process.
type Controller struct {
	Name  string
	Log   *worker.Log
	calls *Calls
	// NotPlayed are other controllers of the same resource that were recorded, by their names. They
	// aren't played.
	NotPlayed []string
}

// Controllers finds the controller of each resource, by the resource's name, in a trace that
// was read to its end. A controller is of the resource that has most of the keys that it reconciled. Of
// several controllers of one resource, only the one with the most reconciles is found: an
// informer has one workqueue here.
func Controllers(t *trace.Trace, log *worker.Log) map[string]*Controller {
	return new(Calls).Controllers(t, log)
}

// Controllers does what the function does for a trace that has forgotten calls.
func (c *Calls) Controllers(t *trace.Trace, log *worker.Log) map[string]*Controller {
	c.Read(t, log)
	out := map[string]*Controller{}
	reconciles := map[string]int{}
	keys := map[string]map[string]bool{}
	for i := range log.Reconciles {
		x := &log.Reconciles[i]
		if x.Controller == "" {
			continue
		}
		if keys[x.Controller] == nil {
			keys[x.Controller] = map[string]bool{}
		}
		keys[x.Controller][x.Key] = true
		reconciles[x.Controller]++
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		r := owned(t, keys[name])
		if r == nil {
			continue
		}
		x := out[r.Name()]
		switch {
		case x == nil:
			out[r.Name()] = &Controller{Name: name, Log: log, calls: c}
		case reconciles[name] > reconciles[x.Name]:
			x.Name, x.NotPlayed = name, append(x.NotPlayed, x.Name)
		default:
			x.NotPlayed = append(x.NotPlayed, name)
		}
	}
	return out
}

// owned returns the resource that has most of these keys, nil if none has any.
func owned(t *trace.Trace, keys map[string]bool) (most *trace.Resource) {
	n := 0
	for _, r := range t.Resources {
		has := 0
		for k := range keys {
			if _, ok := r.Table.LookupKey(k); ok {
				has++
			}
		}
		if has > n {
			most, n = r, has
		}
	}
	return most
}
