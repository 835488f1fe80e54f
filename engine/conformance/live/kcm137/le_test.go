package kcm137

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	_ "unsafe" // for jitterRand

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/apimachinery/pkg/util/wait"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// jitterRand is where JitterUntil takes its random numbers from. A script says which.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

type leOp struct {
	Op, ID, Verb, Result      string
	LeaseMs, RenewMs, RetryMs int64
	Release                   bool
	Draws                     []float64
	Ms, Before, After         int64
	N                         int
}

// lePlayer plays le.* to client-go's leader election.
type lePlayer struct {
	sync.Mutex
	began time.Time
	cfg   leaderelection.LeaderElectionConfig
	lease []byte // as JSON, "" if there is none
	rv    int
	drawn int
	draws []float64
	all   []*leProcess
	trace []leSaid
}

type leSaid struct {
	at   time.Duration
	text string
}

// leProcess is a process with an elector. It is the client of its Lease, too.
type leProcess struct {
	coordination.LeaseInterface
	p             *lePlayer
	name          string
	cancel        context.CancelFunc
	leads, ended  bool
	dead, cut     bool
	held          time.Time
	before, after time.Duration
	fails         []*leFailure
}

type leFailure struct {
	verb, result string
	n            int
}

func (x *leProcess) Leases(string) coordination.LeaseInterface { return x }

// heldContext is a context whose owner can be held up where tryAcquireOrRenew begins: it
// asks for a logger there, before it looks at the clock.
type heldContext struct {
	context.Context
	x *leProcess
}

func (c heldContext) Value(key any) any {
	if fmt.Sprintf("%T", key) == "logr.contextKey" {
		pcs := make([]uintptr, 16)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for more := true; more; {
			var f runtime.Frame
			if f, more = frames.Next(); strings.HasSuffix(f.Function, "tryAcquireOrRenew") {
				c.x.holdUp()
			}
		}
	}
	return c.Context.Value(key)
}

func (x *leProcess) holdUp() {
	for {
		x.p.Lock()
		d := time.Until(x.held)
		x.p.Unlock()
		if d <= 0 {
			return
		}
		proof.Pass(d)
	}
}

func (p *lePlayer) draw() float64 {
	p.Lock()
	defer p.Unlock()
	if len(p.draws) == 0 {
		return 0
	}
	p.drawn++
	return p.draws[(p.drawn-1)%len(p.draws)]
}

func playLE(t *testing.T, script []proof.Op) []string {
	p := &lePlayer{}
	usual := jitterRand
	jitterRand = p.draw
	klog.SetLogger(logr.Discard())
	defer func() { jitterRand = usual }()
	return proof.Play(t, script, p.do, p.end)
}

// end ends all processes, and lets every request arrive that is under way.
func (p *lePlayer) end() {
	p.Lock()
	for _, x := range p.all {
		x.dead = true
		x.cancel()
	}
	p.Unlock()
	proof.Advance(10 * 60 * 1000)
}

func (p *lePlayer) do(line proof.Op, res map[string]any) {
	var op leOp
	proof.Fields(line, &op)
	p.Lock()
	var of *leProcess
	for _, x := range p.all {
		if x.name == op.ID && !x.ended && !x.dead {
			of = x
		}
	}
	switch verb := strings.TrimPrefix(op.Op, "le."); {
	case verb == "advance":
		p.Unlock()
		proof.Advance(op.Ms)
		p.Lock()
	case verb == "new":
		ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
		p.began, p.draws, p.rv = time.Now(), op.Draws, 100
		p.cfg = leaderelection.LeaderElectionConfig{LeaseDuration: ms(op.LeaseMs), RenewDeadline: ms(op.RenewMs), RetryPeriod: ms(op.RetryMs), ReleaseOnCancel: op.Release, Name: "test"}
		_, err := p.elector(&leProcess{p: p})
		res["valid"] = err == nil
	case verb == "touch" || verb == "clear" || verb == "delete":
		p.edit(verb)
	case verb == "start" && of == nil:
		p.start(&op)
	case of == nil:
	case verb == "stop":
		of.cancel()
	case verb == "kill":
		of.dead = true
		of.cancel()
	case verb == "hold":
		if until := time.Now().Add(time.Duration(op.Ms) * time.Millisecond); until.After(of.held) {
			of.held = until
		}
	case verb == "cut" || verb == "join":
		of.cut = verb == "cut"
	case verb == "pace":
		of.pace(&op)
	case verb == "fail":
		of.fails = append(of.fails, &leFailure{op.Verb, op.Result, op.N})
	}
	p.Unlock()
	synctest.Wait()
	p.Lock()
	defer p.Unlock()
	p.print(res)
}

func (x *leProcess) pace(op *leOp) {
	x.before, x.after = time.Duration(op.Before)*time.Microsecond, time.Duration(op.After)*time.Microsecond
}

// edit is somebody else writing to the Lease.
func (p *lePlayer) edit(verb string) {
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

func (p *lePlayer) read() *coordinationv1.Lease {
	l := new(coordinationv1.Lease)
	if err := json.Unmarshal(p.lease, l); err != nil {
		panic(err)
	}
	return l
}

func (p *lePlayer) write(l *coordinationv1.Lease) {
	l.ResourceVersion = fmt.Sprint(p.rv)
	p.lease, _ = json.Marshal(l)
}

func (p *lePlayer) elector(x *leProcess) (*leaderelection.LeaderElector, error) {
	cfg := p.cfg
	cfg.Lock = &resourcelock.LeaseLock{
		LeaseMeta: metav1.ObjectMeta{Namespace: "ns", Name: "lease"}, Client: x,
		LockConfig: resourcelock.ResourceLockConfig{Identity: x.name},
	}
	lead := func(leads bool, what string) {
		p.Lock()
		defer p.Unlock()
		if x.leads = leads; !x.dead {
			p.say(x.name + " " + what)
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

func (p *lePlayer) start(op *leOp) {
	x := &leProcess{p: p, name: op.ID}
	x.pace(op)
	le, err := p.elector(x)
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	x.cancel = cancel
	p.all = append(p.all, x)
	go func() {
		le.Run(heldContext{ctx, x})
		p.Lock()
		defer p.Unlock()
		x.ended = true
	}()
}

func (p *lePlayer) say(text string) {
	p.trace = append(p.trace, leSaid{time.Since(p.began), text})
}

func (p *lePlayer) print(res map[string]any) {
	slices.SortFunc(p.trace, func(a, b leSaid) int { return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.text, b.text)) })
	trace, leaders := []string{}, []string{}
	for _, s := range p.trace {
		trace = append(trace, fmt.Sprintf("%s t=%d", s.text, s.at.Nanoseconds()))
	}
	for _, x := range p.all {
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
