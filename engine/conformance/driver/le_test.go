package driver

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/controller/election"
)

type leOp struct {
	Op, ID, Verb, Result      string
	LeaseMs, RenewMs, RetryMs int64
	Release, Again            bool
	Seed                      int64 // of the random numbers for the jitter
	Ms                        int64
	Before, After             int64 // microseconds until a request arrives, and until the answer does
	N                         int
}

// lePart plays le.*: processes that elect a leader, and the API server with their Lease.
type lePart struct {
	c         *controllerPlay
	now       int64
	cfg       election.Config
	lease     election.Lease
	rv        int64
	random    *rand.Rand
	processes []*leProcess
	names     []string // by Identity - 1
	flights   []leFlight
	trace     []traceLine
}

// traceLine is what happened at a time.
type traceLine struct {
	time int64
	text string
}

// leProcess is a process with an elector.
type leProcess struct {
	name          string
	e             election.Elector
	dead, cut     bool
	reruns        bool  // the program calls Run again
	tries         int64 // when it gets to its attempt; it may be held until later
	held          int64
	before, after int64
	fails         []leFailure
	sent          int // requests so far
}

type leFailure struct {
	verb, result string
	n            int
}

// leFlight is a request under way: it arrives, whatever becomes of its client, and then the
// answer does.
type leFlight struct {
	process *leProcess
	number  int // of the process's requests
	q       election.Request
	arrives int64 // when it arrives, and then when its answer does
	latency int64 // from the one to the other
	served  bool
	answer  election.Answer
}

func (p *lePart) draw() float64 { return p.random.Float64() }

// writeLine prints what a process of the election does.
func (p *lePart) writeLine(process *leProcess, what string) {
	if !process.dead {
		p.trace = append(p.trace, traceLine{p.now, process.name + " " + what})
	}
}

func (p *lePart) play(verb string, text []byte, out output) error {
	var op leOp
	if err := fields(text, &op); err != nil {
		return err
	}
	p.now = p.c.now
	if verb == "new" {
		p.cfg = election.Config{LeaseDuration: op.LeaseMs * 1e6, RenewDeadline: op.RenewMs * 1e6, RetryPeriod: op.RetryMs * 1e6, ReleaseOnCancel: op.Release, Gates: p.c.elects}
		p.random, p.rv = rand.New(rand.NewSource(op.Seed)), 100
		out["valid"] = p.cfg.Valid()
		return nil
	}
	var process *leProcess
	for _, x := range p.processes {
		if x.name == op.ID && x.e.Phase != election.Returned && !x.dead {
			process = x
		}
	}
	switch verb {
	case "touch", "clear", "delete":
		p.edit(verb)
		return nil
	case "ask":
		for _, x := range p.processes {
			if x.name == op.ID && !x.dead {
				out["isLeader"] = x.e.IsLeader()
			}
		}
		return nil
	case "start":
		if process == nil && p.cfg.Valid() {
			p.start(&op)
		}
		return nil
	}
	if process == nil {
		return nil
	}
	switch verb {
	case "stop":
		p.step(process, func() election.Request { return process.e.Cancel(p.now, p.draw) })
	case "kill":
		process.dead = true
		p.step(process, func() election.Request { return process.e.Cancel(p.now, p.draw) })
	case "hold":
		process.held = max(process.held, p.now+op.Ms*1e6)
	case "cut", "join":
		process.cut = verb == "cut"
	case "pace":
		process.before, process.after = op.Before*1e3, op.After*1e3
	case "fail":
		process.fails = append(process.fails, leFailure{op.Verb, op.Result, op.N})
	default:
		return unknown(verb)
	}
	p.run(p.now)
	return nil
}

// edit lets somebody else write to the Lease.
func (p *lePart) edit(verb string) {
	if p.lease.RV == 0 {
		return
	}
	p.rv++
	switch p.lease.RV = p.rv; verb {
	case "clear":
		p.lease.Holder = 0
	case "delete":
		p.lease = election.Lease{}
	}
}

func (p *lePart) start(op *leOp) {
	id := 0
	for id < len(p.names) && p.names[id] != op.ID {
		id++
	}
	if id == len(p.names) {
		p.names = append(p.names, op.ID)
	}
	x := &leProcess{name: op.ID, reruns: op.Again, tries: p.now, before: op.Before * 1e3, after: op.After * 1e3}
	x.e = election.Run(&p.cfg, election.Identity(id+1))
	p.processes = append(p.processes, x)
	p.run(p.now)
}

// step lets an elector go on, and says what came of it.
func (p *lePart) step(x *leProcess, turn func() election.Request) {
	led, phase := x.e.Leads, x.e.Phase
	q := turn()
	if x.e.Leads && !led {
		p.writeLine(x, "leads")
	}
	if x.e.Phase == election.Returned && phase != election.Returned {
		p.writeLine(x, "stops")
		if x.reruns && !x.e.Cancelled() {
			x.e = x.e.Rerun()
		}
	}
	if x.e.Phase == election.Acquiring && phase != election.Acquiring {
		x.tries = p.now
	}
	if q.Verb == election.NoRequest {
		return
	}
	if x.dead {
		p.step(x, func() election.Request {
			return x.e.Answer(election.Answer{Result: election.Failed}, p.now, p.draw)
		})
		return
	}
	x.sent++
	p.flights = append(p.flights, leFlight{process: x, number: x.sent, q: q, arrives: p.now + x.before, latency: x.after})
}

// run lets everything happen that is due until a time.
func (p *lePart) run(to int64) {
	for {
		at, turn := actor.Never, func() {}
		for _, x := range p.processes {
			switch due := x.due(); {
			case x.e.Phase == election.Waiting && due < at:
				at, turn = due, func() { p.step(x, func() election.Request { return x.e.Wake(p.now) }) }
			case x.e.Phase == election.Acquiring && due < at:
				at, turn = due, func() { p.step(x, func() election.Request { return x.e.Try(p.now, p.draw) }) }
			case x.e.Phase == election.Requesting && due < at:
				at, turn = due, func() { p.expireRequest(x) }
			}
		}
		for i := range p.flights {
			if p.flights[i].arrives < at {
				at, turn = p.flights[i].arrives, func() { p.fly(i) }
			}
		}
		if at > to {
			p.now = to
			return
		}
		p.now = max(p.now, at)
		turn()
	}
}

func (x *leProcess) due() int64 {
	switch x.e.Phase {
	case election.Waiting:
		return x.e.Wakes
	case election.Acquiring:
		return max(x.tries, x.held)
	case election.Requesting:
		return x.e.Deadline()
	}
	return actor.Never
}

// expireRequest lets the deadline of a request pass.
func (p *lePart) expireRequest(x *leProcess) {
	p.step(x, func() election.Request {
		return x.e.Answer(election.Answer{Result: election.Failed}, p.now, p.draw)
	})
}

// fly lets a request arrive at the server, or its answer at the client.
func (p *lePart) fly(i int) {
	f := p.flights[i]
	x := f.process
	if !f.served {
		p.serve(&f)
		f.served, f.arrives = true, p.now+f.latency
		p.flights[i] = f
		return
	}
	p.flights = append(p.flights[:i], p.flights[i+1:]...)
	if x.e.Phase == election.Requesting && f.number == x.sent {
		p.step(x, func() election.Request { return x.e.Answer(f.answer, p.now, p.draw) })
	}
}

func (p *lePart) serve(f *leFlight) {
	x := f.process
	result := ""
	for i := range x.fails {
		if fail := &x.fails[i]; fail.n > 0 && (fail.verb == f.q.Verb.String() || fail.verb == "any") {
			fail.n--
			result = fail.result
			break
		}
	}
	if x.cut {
		result = "unreached"
	}
	switch result {
	case "":
		f.answer = p.lease.Serve(f.q, p.rv+1)
	case "lost": // the server has done it, and its answer doesn't come
		p.lease.Serve(f.q, p.rv+1)
		f.answer.Result = election.Failed
	case "conflict":
		f.answer.Result = election.Conflict
	case "notfound":
		f.answer.Result = election.NotFound
	default:
		f.answer.Result = election.Failed
	}
	p.rv = max(p.rv, p.lease.RV)
	p.trace = append(p.trace, traceLine{p.now, fmt.Sprintf("%s %s %s @%d", x.name, f.q.Verb, f.answer.Result, p.lease.RV)})
}

func (p *lePart) advance(to int64, _ output) { p.run(to) }

func (p *lePart) print(out output) {
	slices.SortFunc(p.trace, func(a, b traceLine) int { return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.text, b.text)) })
	trace := []string{}
	for _, s := range p.trace {
		trace = append(trace, fmt.Sprintf("%s t=%d", s.text, s.time))
	}
	out["trace"], p.trace = trace, nil
	leaders := []string{}
	for _, x := range p.processes {
		if x.e.Leads && !x.dead {
			leaders = append(leaders, x.name)
		}
	}
	slices.Sort(leaders)
	out["leaders"] = leaders
	if l := &p.lease; l.RV > 0 {
		holder := ""
		if l.Holder > 0 {
			holder = p.names[l.Holder-1]
		}
		out["lease"] = fmt.Sprintf("%s %ds acquired=%d renews=%d transitions=%d @%d", holder, l.Seconds, l.Acquired/1e3, l.Renews/1e3, l.Transitions, l.RV)
	}
}
