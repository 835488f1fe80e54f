package election

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

type operation struct {
	Op, ID, Verb, Result      string
	LeaseMs, RenewMs, RetryMs int64
	Release, Again            bool
	Seed                      int64
	Ms, Before, After         int64
	N                         int
}

// player plays le.* to client-go's leader election.
type player struct {
	sync.Mutex
	canHold   bool // a process can be held up
	began     time.Time
	cfg       leaderelection.LeaderElectionConfig
	lease     []byte // as JSON, "" if there is none
	rv        int
	processes []*process
	trace     []traceLine
}

type traceLine struct {
	time time.Duration
	text string
}

// process is a process with an elector. It is the client of its Lease, too.
type process struct {
	coordination.LeaseInterface
	p             *player
	name          string
	le            *leaderelection.LeaderElector
	lock          *resourcelock.LeaseLock
	cancel        context.CancelFunc
	leads, ended  bool
	dead, cut     bool
	held          time.Time
	before, after time.Duration
	fails         []*failure
}

type failure struct {
	verb, result string
	n            int
}

func (x *process) Leases(string) coordination.LeaseInterface { return x }

func play(t *testing.T, script []proof.Op, holds bool) []string {
	t.Setenv("GODEBUG", "randseednop=0") // so that Seed does something
	p := &player{canHold: holds}
	return proof.Play(t, script, p.play, p.end)
}

// end ends all processes, and lets every request arrive that is under way.
func (p *player) end() {
	p.Lock()
	for _, x := range p.processes {
		x.dead = true
		x.cancel()
	}
	p.Unlock()
	proof.Advance(10 * 60 * 1000)
}

func (p *player) play(line proof.Op, res map[string]any) {
	var op operation
	proof.Fields(line, &op)
	p.Lock()
	var target *process
	for _, x := range p.processes {
		if x.name == op.ID && !x.ended && !x.dead {
			target = x
		}
	}
	switch verb := strings.TrimPrefix(op.Op, "le."); {
	case verb == "advance":
		p.Unlock()
		proof.Advance(op.Ms)
		p.Lock()
	case verb == "new":
		ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
		p.began, p.rv = time.Now(), 100
		rand.Seed(op.Seed) // JitterUntil draws from it, in every version
		p.cfg = leaderelection.LeaderElectionConfig{LeaseDuration: ms(op.LeaseMs), RenewDeadline: ms(op.RenewMs), RetryPeriod: ms(op.RetryMs), ReleaseOnCancel: op.Release, Name: "test"}
		_, err := p.elector(&process{p: p})
		res["valid"] = err == nil
	case verb == "touch" || verb == "clear" || verb == "delete":
		p.edit(verb)
	case verb == "ask":
		for _, x := range p.processes {
			if x.name == op.ID && !x.dead {
				res["isLeader"] = x.le.IsLeader()
			}
		}
	case verb == "start" && target == nil:
		p.start(&op)
	case target == nil:
	case verb == "stop":
		target.cancel()
	case verb == "kill":
		target.dead = true
		target.cancel()
	case verb == "hold":
		if until := time.Now().Add(time.Duration(op.Ms) * time.Millisecond); until.After(target.held) {
			target.held = until
		}
	case verb == "cut" || verb == "join":
		target.cut = verb == "cut"
	case verb == "pace":
		target.pace(&op)
	case verb == "fail":
		target.fails = append(target.fails, &failure{op.Verb, op.Result, op.N})
	}
	p.Unlock()
	synctest.Wait()
	p.Lock()
	defer p.Unlock()
	p.print(res)
}

func (x *process) pace(op *operation) {
	x.before, x.after = time.Duration(op.Before)*time.Microsecond, time.Duration(op.After)*time.Microsecond
}

// edit lets somebody else write to the Lease.
func (p *player) edit(verb string) {
	if p.lease == nil {
		return
	}
	if p.rv++; verb == "delete" {
		p.lease = nil
		return
	}
	l := p.read()
	if verb == "clear" {
		l.Spec.HolderIdentity = new(string)
	}
	p.write(l)
}

func (p *player) read() *coordinationv1.Lease {
	l := new(coordinationv1.Lease)
	if err := json.Unmarshal(p.lease, l); err != nil {
		panic(err)
	}
	return l
}

func (p *player) write(l *coordinationv1.Lease) {
	l.ResourceVersion = fmt.Sprint(p.rv)
	p.lease, _ = json.Marshal(l)
}

func (p *player) elector(x *process) (*leaderelection.LeaderElector, error) {
	cfg := p.cfg
	if x.lock == nil {
		x.lock = &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: "ns", Name: "lease"}, Client: x,
			LockConfig: resourcelock.ResourceLockConfig{Identity: x.name},
		}
	}
	cfg.Lock = x.lock
	lead := func(leads bool, what string) {
		p.Lock()
		defer p.Unlock()
		if x.leads = leads; !x.dead {
			p.record(x.name + " " + what)
		}
	}
	cfg.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) { lead(true, "leads") },
		OnStoppedLeading: func() { lead(false, "stops") },
	}
	if x.name == "" { // only asked whether the times are valid
		cfg.Lock.(*resourcelock.LeaseLock).LockConfig.Identity = "nobody"
	}
	return leaderelection.NewLeaderElector(cfg)
}

func (p *player) start(op *operation) {
	x := &process{p: p, name: op.ID}
	x.pace(op)
	le, err := p.elector(x)
	if err != nil {
		return
	}
	x.le = le
	x.holdable(le)
	ctx, cancel := context.WithCancel(context.Background())
	x.cancel = cancel
	p.processes = append(p.processes, x)
	go func() {
		le.Run(ctx)
		for op.Again && ctx.Err() == nil {
			again, _ := p.elector(x)
			x.holdable(again)
			p.Lock()
			x.le = again
			p.Unlock()
			again.Run(ctx)
		}
		p.Lock()
		defer p.Unlock()
		x.ended = true
	}()
}

func (p *player) record(text string) {
	p.trace = append(p.trace, traceLine{time.Since(p.began), text})
}

func (p *player) print(res map[string]any) {
	slices.SortFunc(p.trace, func(a, b traceLine) int { return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.text, b.text)) })
	trace, leaders := []string{}, []string{}
	for _, s := range p.trace {
		trace = append(trace, fmt.Sprintf("%s t=%d", s.text, s.time.Nanoseconds()))
	}
	for _, x := range p.processes {
		if x.leads && !x.dead {
			leaders = append(leaders, x.name)
		}
	}
	slices.Sort(leaders)
	res["trace"], res["leaders"], p.trace = trace, leaders, nil
	if p.lease != nil {
		l := p.read()
		since := func(t *metav1.MicroTime) int64 { return t.Sub(p.began).Microseconds() }
		res["lease"] = fmt.Sprintf("%s %ds acquired=%d renews=%d transitions=%d @%s", *l.Spec.HolderIdentity, *l.Spec.LeaseDurationSeconds,
			since(l.Spec.AcquireTime), since(l.Spec.RenewTime), *l.Spec.LeaseTransitions, l.ResourceVersion)
	}
}
