package recordings

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// leaderPlants are two processes with client-go's leader election. A third one watches their Lease, and is recorded.
var leaderPlants = []plant{
	{"two-leaders.15", func(b *bench) int64 { return b.leaders(1, func(e *election) { e.delete(12 * time.Second) }) }},
	{"two-leaders.deleted", func(b *bench) int64 { return b.leaders(6, func(e *election) { e.delete(0) }) }},
	{"two-leaders.edited", func(b *bench) int64 { return b.leaders(3, (*election).edit) }},
	{"two-leaders.not-half", func(b *bench) int64 { return b.leaders(2, func(e *election) { e.delete(14 * time.Second) }) }},
	{"two-leaders.not-released", func(b *bench) int64 { return b.leaders(6, (*election).release) }},
	{"two-leaders.not-expired", func(b *bench) int64 { return b.leaders(6, (*election).expire) }},
}

// election is one of two candidates, who try again when they have lost.
type election struct {
	b        *bench
	leases   coordination.LeaseInterface
	mu       sync.Mutex
	together int64 // how often one began to lead while the other did
	each     [2]*candidate
}

type candidate struct {
	under http.RoundTripper
	name  string
	leads bool
	hangs atomic.Bool                        // its requests get no answers
	away  atomic.Bool                        // it doesn't run
	stop  atomic.Pointer[context.CancelFunc] // ends this run
}

// RoundTrip sends a request on.
func (c *candidate) RoundTrip(r *http.Request) (*http.Response, error) {
	if !c.hangs.Load() {
		return c.under.RoundTrip(r)
	}
	select {
	case <-r.Context().Done():
	case <-time.After(time.Second):
	}
	return nil, errors.New("there was no answer")
}

// leaders lets something happen to an election so often. It returns how often one process began to lead while the other did.
func (b *bench) leaders(times int, happens func(e *election)) int64 {
	e := &election{b: b, leases: b.coordination(b.server).Leases("shop"), each: [2]*candidate{{under: b.server, name: "web-0"}, {under: b.server, name: "web-1"}}}
	ctx, cancel := context.WithCancel(context.Background())
	var runs sync.WaitGroup
	for _, c := range e.each {
		runs.Go(func() {
			for ctx.Err() == nil {
				e.run(ctx, c)
				b.pass(10 * time.Millisecond)
			}
		})
		b.pass(time.Second)
	}
	b.ends = append(b.ends, func() { cancel(); runs.Wait() })
	b.informer("leases", &member{name: "h"})
	for range times {
		b.pass(time.Minute)
		happens(e)
		b.pass(time.Minute)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.together
}

// coordination returns a client of Leases.
func (b *bench) coordination(under http.RoundTripper) *coordination.CoordinationV1Client {
	client, err := coordination.NewForConfig(&rest.Config{Host: "http://server", Transport: under, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	if err != nil {
		b.t.Fatal(err)
	}
	return client
}

// run runs a candidate until it has lost, or is stopped.
func (e *election) run(ctx context.Context, c *candidate) {
	if c.away.Load() {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.stop.Store(&cancel)
	lead := func(leads bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if c.leads = leads; e.each[0].leads && e.each[1].leads {
			e.together++
		}
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}, Client: e.b.coordination(c),
			LockConfig: resourcelock.ResourceLockConfig{Identity: c.name}},
		LeaseDuration: 15 * time.Second, RenewDeadline: 11 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: true, Name: "web",
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { lead(true) }, OnStoppedLeading: func() { lead(false) }},
	})
}

// renewed waits for the next renewal. It returns the Lease, who has it, and the other candidate.
func (e *election) renewed() (l *coordinationv1.Lease, leader, other *candidate) {
	for l, first := e.get(), e.get(); ; l = e.get() {
		if !l.Spec.RenewTime.Equal(first.Spec.RenewTime) {
			if *l.Spec.HolderIdentity == e.each[0].name {
				return l, e.each[0], e.each[1]
			}
			return l, e.each[1], e.each[0]
		}
		e.b.pass(10 * time.Millisecond)
	}
}

func (e *election) get() *coordinationv1.Lease {
	l, err := e.leases.Get(context.Background(), "web", metav1.GetOptions{})
	if err != nil {
		e.b.t.Fatal(err)
	}
	return l
}

// delete deletes the Lease while its holder believes in it, so long after the holder has renewed it for the last time; 0 is at once. The other
// candidate comes back then.
func (e *election) delete(after time.Duration) {
	_, leader, other := e.renewed()
	other.away.Store(true)
	(*other.stop.Load())()
	leader.hangs.Store(after > 0)
	e.b.pass(after)
	if err := e.leases.Delete(context.Background(), "web", metav1.DeleteOptions{}); err != nil {
		e.b.t.Fatal(err)
	}
	other.away.Store(false)
	e.b.pass(time.Minute)
	leader.hangs.Store(false)
}

// edit makes the other candidate the holder.
func (e *election) edit() {
	l, _, other := e.renewed()
	l.Spec.HolderIdentity = &other.name
	if _, err := e.leases.Update(context.Background(), l, metav1.UpdateOptions{}); err != nil {
		e.b.t.Fatal(err)
	}
}

// release stops the leader for some time.
func (e *election) release() {
	_, leader, _ := e.renewed()
	leader.away.Store(true)
	(*leader.stop.Load())()
	e.b.pass(20 * time.Second)
	leader.away.Store(false)
}

// expire lets the leader get no answers for some time.
func (e *election) expire() {
	_, leader, _ := e.renewed()
	leader.hangs.Store(true)
	e.b.pass(40 * time.Second)
	leader.hangs.Store(false)
}
