package recordings

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informerscope/informerscope/replay/record"
)

// controllerPlants are controllers with trouble, as plants has informers.
var controllerPlants = []plant{
	{"always-failing.15", func(b *bench) int64 { return b.fails(&controller{}, 18, 0) }},
	{"always-failing.second-long", func(b *bench) int64 { return b.fails(&controller{limiter: upTo(time.Second)}, 40, 0) }},
	{"always-failing.among-many", func(b *bench) int64 { return b.fails(&controller{workers: 3, others: 9}, 15, 0) }},
	{"always-failing.not-half", func(b *bench) int64 { return b.fails(&controller{}, 6, 0) }},
	{"always-failing.not-for-ever", func(b *bench) int64 { return b.fails(&controller{}, 16, 1) }},

	{"hot-loop.15", func(b *bench) int64 { return b.loops(900, 65*time.Millisecond, againAfter) }},
	{"hot-loop.adds-itself", func(b *bench) int64 { return b.loops(2000, time.Millisecond, addsItself) }},
	{"hot-loop.own-writes", func(b *bench) int64 { return b.loops(1000, 20*time.Millisecond, writes) }},
	{"hot-loop.not-half", func(b *bench) int64 { return b.loops(300, 195*time.Millisecond, againAfter) }},
	{"hot-loop.not-in-a-minute", func(b *bench) int64 { return b.loops(3000, 200*time.Millisecond, againAfter) }},

	{"conflicts.15", func(b *bench) int64 { return b.conflicts(18, 1, 0) }},
	{"conflicts.retried", func(b *bench) int64 { return b.conflicts(40, 5, 0) }},
	{"conflicts.every-other", func(b *bench) int64 { return b.conflicts(24, 1, 1) }},
	{"conflicts.not-half", func(b *bench) int64 { return b.conflicts(6, 1, 0) }},
	{"conflicts.not-for-long", func(b *bench) int64 { return b.conflicts(40, 40, 0) }},

	{"own-writes.15", func(b *bench) int64 { return b.feeds(180, 3*time.Second, "a") }},
	{"own-writes.often", func(b *bench) int64 { return b.feeds(400, 700*time.Millisecond, "a") }},
	{"own-writes.child", func(b *bench) int64 { return b.feeds(240, 2*time.Second, "own") }},
	{"own-writes.not-half", func(b *bench) int64 { return b.feeds(60, 3*time.Second, "a") }},
	{"own-writes.not-again", func(b *bench) int64 { return b.answers(290, 2*time.Second) }},

	{"unseen-writes.15", func(b *bench) int64 { return b.unseen(1, 45*time.Second, false) }},
	{"unseen-writes.three", func(b *bench) int64 { return b.unseen(3, 2*time.Minute, false) }},
	{"unseen-writes.long", func(b *bench) int64 { return b.unseen(6, 4*time.Minute, false) }},
	{"unseen-writes.not-half", func(b *bench) int64 { return b.unseen(1, 15*time.Second, false) }},
	{"unseen-writes.not-for-ever", func(b *bench) int64 { return b.unseen(3, 45*time.Second, true) }},

	{"stale-reads.15", func(b *bench) int64 { return b.stale(30, 10*time.Second, true) }},
	{"stale-reads.often", func(b *bench) int64 { return b.stale(200, time.Second, true) }},
	{"stale-reads.few", func(b *bench) int64 { return b.stale(24, 20*time.Second, true) }},
	{"stale-reads.not-half", func(b *bench) int64 { return b.stale(10, 10*time.Second, true) }},
	{"stale-reads.not-written", func(b *bench) int64 { return b.stale(40, 10*time.Second, false) }},

	{"stuck-reconcile.15", func(b *bench) int64 { return b.hangs(1, 45*time.Second, false) }},
	{"stuck-reconcile.all-workers", func(b *bench) int64 { return b.hangs(2, 10*time.Minute, false) }},
	{"stuck-reconcile.one-of-many", func(b *bench) int64 { return b.hangs(1, 2*time.Minute, false) }},
	{"stuck-reconcile.not-half", func(b *bench) int64 { return b.hangs(1, 15*time.Second, false) }},
	{"stuck-reconcile.not-for-ever", func(b *bench) int64 { return b.hangs(1, 45*time.Second, true) }},

	{"reconcile-panic.one", func(b *bench) int64 { return b.reconcilePanics(1) }},
	{"reconcile-panic.some", func(b *bench) int64 { return b.reconcilePanics(3) }},
	{"reconcile-panic.many", func(b *bench) int64 { return b.reconcilePanics(11) }},
	{"reconcile-panic.not-one", func(b *bench) int64 { return b.reconcilePanics(0) }},

	{"not-synced.15", func(b *bench) int64 { return b.unsynced(45*time.Second, refusesLists, false) }},
	{"not-synced.unanswered", func(b *bench) int64 { return b.unsynced(2*time.Minute, holdsLists, false) }},
	{"not-synced.controller-waits", func(b *bench) int64 { return b.unsynced(10*time.Minute, refusesLists, true) }},
	{"not-synced.not-half", func(b *bench) int64 { return b.unsynced(15*time.Second, refusesLists, false) }},
	{"not-synced.not-for-ever", func(b *bench) int64 {
		b.unsynced(45*time.Second, refusesLists, false)
		b.wire.trouble.Store(0)
		b.pass(time.Minute)
		return 0
	}},

	{"no-done.15", func(b *bench) int64 { return b.undone(1, 15*time.Second, false) }},
	{"no-done.many", func(b *bench) int64 { return b.undone(7, 2*time.Minute, false) }},
	{"no-done.some", func(b *bench) int64 { return b.undone(3, 20*time.Second, false) }},
	{"no-done.not-half", func(b *bench) int64 { return b.undone(1, 5*time.Second, false) }},
	{"no-done.not-for-ever", func(b *bench) int64 { return b.undone(2, 15*time.Second, true) }},

	{"no-worker.15", func(b *bench) int64 { return b.workers(&controller{}, 15*time.Second, ends) }},
	{"no-worker.one-left", func(b *bench) int64 { return b.workers(&controller{}, 15*time.Second, ends+works) }},
	{"no-worker.never", func(b *bench) int64 { return b.workers(&controller{workers: -1}, 45*time.Second, 0) }},
	{"no-worker.not-half", func(b *bench) int64 { return b.workers(&controller{}, 5*time.Second, ends) }},
	{"no-worker.not-half-never", func(b *bench) int64 { return b.workers(&controller{workers: -1}, 15*time.Second, 0) }},
	{"no-worker.not-idle", func(b *bench) int64 { return b.workers(&controller{workers: 1}, 15*time.Second, works) }},
	{"no-worker.not-open", func(b *bench) int64 { return b.workers(&controller{}, 15*time.Second, ends+shuts) }},

	{"no-forget.15", func(b *bench) int64 { return b.careless(1, 5, true) }},
	{"no-forget.often", func(b *bench) int64 { return b.careless(4, 40, true) }},
	{"no-forget.some", func(b *bench) int64 { return b.careless(2, 9, true) }},
	{"no-forget.not-half", func(b *bench) int64 { return b.careless(1, 1, true) }},
	{"no-forget.not-careless", func(b *bench) int64 { return b.careless(3, 9, false) }},

	{"slow-reconcile.15", func(b *bench) int64 {
		return b.blocks(&controller{workers: 1, others: 6}, 1, 8*time.Second, time.Millisecond)
	}},
	{"slow-reconcile.two-workers", func(b *bench) int64 { return b.blocks(&controller{others: 9}, 2, 40*time.Second, 100*time.Millisecond) }},
	{"slow-reconcile.several", func(b *bench) int64 {
		return b.blocks(&controller{workers: 1, others: 20}, 3, 20*time.Second, time.Second)
	}},
	{"slow-reconcile.not-half", func(b *bench) int64 {
		return b.blocks(&controller{workers: 1, others: 6}, 1, 3*time.Second, time.Millisecond)
	}},
	{"slow-reconcile.not-both-workers", func(b *bench) int64 { return b.blocks(&controller{others: 9}, 1, 40*time.Second, 100*time.Millisecond) }},
	{"slow-reconcile.not-slower", func(b *bench) int64 {
		return b.blocks(&controller{workers: 1, others: 6}, 1, 8*time.Second, 2*time.Second)
	}},
	{"slow-reconcile.not-one", func(b *bench) int64 {
		return b.blocks(&controller{workers: 1, others: 150}, 0, 0, 100*time.Millisecond)
	}},

	{"no-op-writes.15", func(b *bench) int64 { return b.rewrites(30, 1, 15*time.Second, "PUT") }},
	{"no-op-writes.patches", func(b *bench) int64 { return b.rewrites(300, 1, time.Second, "PATCH") }},
	{"no-op-writes.every-other", func(b *bench) int64 { return b.rewrites(40, 2, 5*time.Second, "PUT") }},
	{"no-op-writes.creates", func(b *bench) int64 { return b.rewrites(30, 1, 15*time.Second, "POST") }},
	{"no-op-writes.deletes", func(b *bench) int64 { return b.rewrites(300, 1, time.Second, "DELETE") }},
	{"no-op-writes.not-half-creates", func(b *bench) int64 { return b.rewrites(10, 1, 15*time.Second, "POST") }},
	{"no-op-writes.not-half", func(b *bench) int64 { return b.rewrites(10, 1, 15*time.Second, "PUT") }},
	{"no-op-writes.not-mostly", func(b *bench) int64 { return b.rewrites(25, 4, 5*time.Second, "PUT") }},
	{"no-op-writes.not-again", func(b *bench) int64 { return b.applies(60) }},

	{"late-deletes.15", func(b *bench) int64 { return b.deletes(1500*time.Millisecond, "own") }},
	{"late-deletes.changed", func(b *bench) int64 { return b.deletes(5*time.Second, "object") }},
	{"late-deletes.owner", func(b *bench) int64 { return b.deletes(5*time.Second, "owner") }},
	{"late-deletes.not-half", func(b *bench) int64 { return b.deletes(500*time.Millisecond, "own") }},
	{"late-deletes.not-half-changed", func(b *bench) int64 { return b.deletes(500*time.Millisecond, "object") }},
	{"late-deletes.not-after", func(b *bench) int64 { return b.deletes(5*time.Second, "after") }},

	{"undone-writes.15", func(b *bench) int64 { return b.fight(15, time.Second, "web", "shop") }},
	{"undone-writes.often", func(b *bench) int64 { return b.fight(100, 3*time.Second, "web", "shop") }},
	{"undone-writes.by-turns.managers", func(b *bench) int64 { return b.flap(15, 2*time.Second, "kubectl", "helm") }},
	{"undone-writes.not-half", func(b *bench) int64 { return b.fight(5, time.Second, "web", "shop") }},
	{"undone-writes.not-fast.managers", func(b *bench) int64 { return b.flap(30, 2*time.Minute, "kubectl", "helm") }},
	{"undone-writes.not-two.managers", func(b *bench) int64 { return b.flap(30, 2*time.Second, "kubectl", "kubectl") }},

	{"reordered.15", func(b *bench) int64 {
		return b.shuffle(15, `"finalizers":["shop/a","shop/b","shop/c"]`, `"finalizers":["shop/c","shop/a","shop/b"]`)
	}},
	{"reordered.words", func(b *bench) int64 {
		return b.shuffle(40, `"annotations":{"zones":"east,west"}`, `"annotations":{"zones":"west,east"}`)
	}},
	{"reordered.two", func(b *bench) int64 {
		return b.shuffle(20, `"finalizers":["shop/a","shop/b"]`, `"finalizers":["shop/b","shop/a"]`)
	}},
	{"reordered.not-half", func(b *bench) int64 {
		return b.shuffle(5, `"finalizers":["shop/a","shop/b"]`, `"finalizers":["shop/b","shop/a"]`)
	}},
	{"reordered.not-the-same", func(b *bench) int64 {
		return b.shuffle(40, `"annotations":{"a":"1","b":"2"}`, `"annotations":{"a":"2","b":"1"}`)
	}},

	{"duplicates.one", func(b *bench) int64 { return b.twice(1, time.Second, false, generated) }},
	{"duplicates.many", func(b *bench) int64 { return b.twice(12, time.Second, false, generated) }},
	{"duplicates.lost-answer", func(b *bench) int64 { return b.twice(3, time.Second, true, generated) }},
	{"duplicates.named", func(b *bench) int64 { return b.twice(2, time.Second, false, named("x7f2k", "9bq4z")) }},
	{"duplicates.named-by-a-hash", func(b *bench) int64 { return b.twice(2, time.Second, false, named("5d8f7c6b9d", "7b9c4f66d8")) }},
	{"duplicates.named-by-a-uuid", func(b *bench) int64 {
		return b.twice(1, time.Second, false, named("6f1c2e34-5a7b-4c8d-9e0f-a1b2c3d4e5f6", "0a9b8c7d-1e2f-4a3b-8c4d-5e6f7a8b9c0d"))
	}},
	{"duplicates.named-lost-answer", func(b *bench) int64 { return b.twice(2, time.Second, true, named("x7f2k", "9bq4z")) }},
	{"duplicates.not-one", func(b *bench) int64 { return b.twice(0, 0, false, generated) }},
	{"duplicates.not-by-ordinals", func(b *bench) int64 { return b.twice(2, time.Second, false, named("0", "1")) }},
	{"duplicates.not-by-zones", func(b *bench) int64 { return b.twice(2, time.Second, false, named("east-1", "west-1")) }},
	{"duplicates.not-the-same", func(b *bench) int64 {
		return b.twice(2, time.Second, false, func(of string, n int64) string {
			return named("x7f2k", "9bq4z")(of, n) + fmt.Sprintf(`,"finalizers":["shop/%d"]`, n)
		})
	}},
}

// controller is one of client-go's, whose workers do what controller-runtime's do. Its handler adds the key of each ConfigMap, and of
// one with a label "of" that key.
type controller struct {
	name     string                // "" is web
	keeps    func(key string) bool // whether Done isn't called; nil for no key
	added    func(key string)      // before the handler adds a key; may be nil
	beside   *controller           // whose informer it has; nil for one of its own
	also     *controller           // that has the informer of this one
	quits    func(key string) bool // whether the worker ends after it; nil likewise
	careless bool                  // it never calls Forget
	workers  int                   // 0 is 2, and less is none
	others   int                   // ConfigMaps beside shop/a
	limiter  workqueue.RateLimiter // nil for client-go's
	queue    workqueue.RateLimitingInterface
	store    cache.Store
	do       func(ctx context.Context, key string) (after time.Duration, err error)
	tries    sync.Map // *atomic.Int64 by key
}

// upTo returns a rate limiter whose pauses get no longer.
func upTo(d time.Duration) workqueue.RateLimiter {
	return workqueue.NewItemExponentialFailureRateLimiter(50*time.Millisecond, d)
}

// result is a reconcile.Result.
type result struct{ RequeueAfter time.Duration }

// key is the one that the trouble is about.
const key = "shop/a"

// run runs the controller until the plant is recorded.
func (b *bench) run(c *controller) {
	if c.limiter == nil {
		c.limiter = workqueue.DefaultControllerRateLimiter()
	}
	c.name = cmp.Or(c.name, "web")
	b.put("configmaps", "a", 0)
	for i := range c.others {
		b.put("configmaps", fmt.Sprint("calm", i), 0)
	}
	limiter := record.RateLimiter(b.rec, c.name, record.TypedRateLimiter[any](c.limiter))
	c.queue = record.Queue(b.rec, c.name, record.TypedRateLimitingInterface[any](workqueue.NewRateLimitingQueue(limiter)))
	if c.beside != nil {
		c.store, c.beside.also = c.beside.store, c
	} else {
		c.store = b.informer("configmaps", &member{name: c.name, of: c.add})
	}
	reconcile := record.Reconcile(b.rec, c.name, func(ctx context.Context, item string) (result, error) {
		after, err := c.do(ctx, item)
		return result{after}, err
	})
	var workers sync.WaitGroup
	if c.workers == 0 {
		c.workers = 2
	}
	for range c.workers {
		workers.Go(func() {
			for {
				item, shutdown := c.queue.Get()
				if shutdown {
					return
				}
				c.work(item.(string), reconcile)
				if c.quits != nil && c.quits(item.(string)) {
					return
				}
			}
		})
	}
	b.ends = append(b.ends, func() {
		c.queue.ShutDown()
		workers.Wait()
	})
}

// add does what the handler does.
func (c *controller) add(obj any) {
	o, err := meta.Accessor(obj)
	if err != nil {
		return
	}
	item := "shop/" + cmp.Or(o.GetLabels()["of"], o.GetName())
	if c.added != nil {
		c.added(item)
	}
	if c.queue.Add(item); c.also != nil {
		c.also.queue.Add(item)
	}
}

// work reconciles a key, and recovers from a panic as controller-runtime does.
func (c *controller) work(key string, reconcile func(context.Context, string) (result, error)) {
	defer func() {
		if c.keeps == nil || !c.keeps(key) {
			c.queue.Done(key)
		}
	}()
	var res result
	err := error(planted("panic"))
	func() {
		defer func() { recover() }()
		res, err = reconcile(context.Background(), key)
	}()
	switch {
	case err != nil:
		c.queue.AddRateLimited(key)
	case res.RequeueAfter > 0:
		c.queue.Forget(key)
		c.queue.AddAfter(key, res.RequeueAfter)
	case !c.careless:
		c.queue.Forget(key)
	}
}

// nth counts the reconciles of a key.
func (c *controller) nth(key string) int64 {
	n, _ := c.tries.LoadOrStore(key, new(atomic.Int64))
	return n.(*atomic.Int64).Add(1)
}

// until lets time pass until a key was reconciled so often, and a bit more.
func (b *bench) until(c *controller, n int64) {
	at, _ := c.tries.LoadOrStore(key, new(atomic.Int64))
	for at.(*atomic.Int64).Load() < n {
		b.pass(time.Millisecond)
	}
	b.pass(time.Millisecond)
}

// fails lets a key fail so often in a row, and then be reconciled so often without.
func (b *bench) fails(c *controller, times, then int64) int64 {
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		if n := c.nth(item); item == key && n <= times {
			return 0, planted(fmt.Sprintf("the quota of %s is used up (try %d)", item, n))
		}
		return 0, nil
	}
	b.run(c)
	b.until(c, times+then)
	return times
}

// The ways in which a controller feeds itself.
const (
	againAfter = iota // it asks for a time
	addsItself        // it adds the key, after so long
	writes            // it writes to what it watches, after so long
)

// loops lets a key be reconciled so often.
func (b *bench) loops(times int64, every time.Duration, how int) int64 {
	c := &controller{others: 4}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		n := c.nth(item)
		if item != key || n >= times {
			return 0, nil
		}
		switch how {
		case againAfter:
			return every, nil
		case addsItself:
			b.pass(every)
			c.queue.Add(item)
		case writes:
			b.pass(every)
			return 0, b.write(ctx, "PUT", fmt.Sprint("calm", n%4, "-", n%10), fmt.Sprintf(`"labels":{"of":"a","n":"%d"}`, n))
		}
		return 0, nil
	}
	for i := range 20 {
		if how == writes {
			b.send("POST", "configmaps", "", fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"calm%d-%d","namespace":"shop"}}`, i%4, i%10))
		}
	}
	b.run(c)
	b.until(c, times)
	b.pass(time.Second)
	return min(times, int64(time.Minute/every))
}

// feeds lets so many reconciles begin because of what the one before has written. Each writes again after a while.
func (b *bench) feeds(times int64, every time.Duration, name string) int64 {
	c := &controller{others: 2}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		n := c.nth(item)
		if item != key || n > times+1 {
			return 0, nil
		}
		b.pass(every)
		return 0, b.write(ctx, "PUT", name, fmt.Sprintf(`"labels":{"of":"a","n":"%d"}`, n))
	}
	b.put("configmaps", "own", 0)
	b.run(c)
	b.until(c, times+2)
	b.pass(time.Minute)
	return times
}

// answers lets a controller write an object whenever somebody else has changed it, and find its own write in order.
func (b *bench) answers(times int, every time.Duration) int64 {
	c := &controller{others: 2}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		o, ok, err := c.store.GetByKey(item)
		if item != key || !ok || err != nil {
			return 0, err
		}
		labels := o.(metav1.Object).GetLabels()
		if labels["done"] == labels["n"] {
			return 0, nil
		}
		return 0, b.write(ctx, "PUT", "a", fmt.Sprintf(`"labels":{"n":%q,"done":%q}`, labels["n"], labels["n"]))
	}
	b.run(c)
	for i := range times {
		b.put("configmaps", "a", i+1)
		b.pass(every)
	}
	return 0
}

// unseen lets a controller write so often while its watch is mute, until the recording ends that long after, or until the watch goes on.
func (b *bench) unseen(times int64, d time.Duration, goesOn bool) int64 {
	c := &controller{}
	mute := make(chan struct{})
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if _, _, n := parts(line); n > 0 {
			<-mute
		}
		pass(line)
	}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		n := c.nth(item)
		if item != key || n > times {
			return 0, nil
		}
		return time.Second, b.write(ctx, "PUT", "own", fmt.Sprintf(`"labels":{"n":"%d"}`, n))
	}
	b.put("configmaps", "own", 0)
	b.run(c)
	b.until(c, times+1)
	b.pass(d)
	if goesOn {
		close(mute)
		b.pass(time.Minute)
		return 0
	}
	b.rec.Mark("the end")
	b.ends = append(b.ends, func() { close(mute) })
	return times
}

// stale lets so many reconciles begin before the watch has brought the write of the one before, and write, too. Without writes, only the
// first one does.
func (b *bench) stale(times int64, every time.Duration, writes bool) int64 {
	c := &controller{}
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if _, name, n := parts(line); name == "own" && n > 0 {
			b.pass(every + time.Second)
		}
		pass(line)
	}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		n := c.nth(item)
		if item != key || n > times+1 {
			return 0, nil
		}
		if n > 1 && !writes {
			return every / time.Duration(times), nil
		}
		return every, b.write(ctx, "PUT", "own", fmt.Sprintf(`"labels":{"n":"%d"}`, n))
	}
	b.put("configmaps", "own", 0)
	b.run(c)
	b.until(c, times+2)
	b.pass(time.Duration(times+1) * (every + time.Second)) // so that all of them come
	return times
}

// conflicts lets so many writes be refused, so many in each reconcile, with so many reconciles between them whose write isn't.
func (b *bench) conflicts(times, each, between int64) int64 {
	c := &controller{limiter: upTo(time.Second)}
	left := times
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		n := c.nth(item)
		if item != key {
			return 0, nil
		}
		if between > 0 && n%(between+1) == 0 {
			return time.Second, b.write(ctx, "PUT", "own", fmt.Sprintf(`"labels":{"n":"%d"}`, n))
		}
		for range each {
			if left == 0 {
				return 0, nil
			}
			left--
			if err := b.write(ctx, "PUT", "a", `"resourceVersion":"1"`); err == nil || left%each == 0 {
				return 0, err
			}
			b.pass(10 * time.Millisecond)
		}
		return 0, nil
	}
	b.put("configmaps", "own", 0)
	b.run(c)
	for left > 0 {
		b.pass(time.Second)
	}
	b.pass(time.Minute)
	return times
}

// hangs lets the reconciles of so many keys wait for a time, until the recording ends, or until they return. It returns that time.
func (b *bench) hangs(keys int, d time.Duration, returns bool) int64 {
	c := &controller{others: keys - 1}
	var since atomic.Int64
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		if c.nth(item) == 2 {
			since.CompareAndSwap(0, time.Now().UnixNano())
			if returns {
				b.pass(d)
			} else {
				<-b.over
			}
		}
		return 0, nil
	}
	b.run(c)
	b.pass(time.Second)
	b.put("configmaps", "a", 1)
	for i := range keys - 1 {
		b.put("configmaps", fmt.Sprint("calm", i), 1)
	}
	b.pass(d)
	for i := range 5 {
		b.put("configmaps", "a", i+2)
		b.pass(time.Second)
	}
	b.rec.Mark("the end")
	return time.Now().UnixNano() - since.Load()
}

// reconcilePanics lets so many reconciles panic.
func (b *bench) reconcilePanics(times int64) int64 {
	c := &controller{}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		if n := c.nth(item); n > 1 && n <= times+1 {
			panic("planted")
		}
		return 0, nil
	}
	b.run(c)
	b.pass(time.Second)
	b.put("configmaps", "a", 1)
	b.until(c, times+2)
	b.pass(time.Minute)
	return times
}

// generated lets the API server name a child.
func generated(of string, _ int64) string { return fmt.Sprintf(`"generateName":"kid-%s-"`, of) }

// named names the children of each parent by these endings.
func named(endings ...string) func(string, int64) string {
	return func(of string, n int64) string { return fmt.Sprintf(`"name":"kid-%s-%s"`, of, endings[n-1]) }
}

// twice lets a controller create a child for each of so many parents, and again, since the watch brings the first one late. Of those whose
// answer was lost, the controller tries again at once. With none, one parent has its child in time. Child returns the name of a parent's
// child at each try.
func (b *bench) twice(parents int, late time.Duration, lost bool, child func(of string, n int64) string) int64 {
	c := &controller{others: parents}
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if typ, name, _ := parts(line); typ == "ADDED" && len(name) > 4 && name[:4] == "kid-" {
			b.pass(late)
		}
		pass(line)
	}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		n := c.nth(item)
		if item == key && parents > 0 || n > 2 {
			return 0, nil
		}
		for _, o := range c.store.List() {
			if o, err := meta.Accessor(o); err == nil && "shop/"+o.GetLabels()["of"] == item {
				return 0, nil
			}
		}
		b.wire.loses.Store(lost && n == 1)
		err := b.write(ctx, "POST", "", fmt.Sprintf(`%s,"labels":{"of":%q}`, child(item[5:], n), item[5:]))
		b.wire.loses.Store(false)
		if err != nil {
			return 0, err
		}
		return 10 * time.Millisecond, nil
	}
	if parents > 0 {
		c.workers = 1
	}
	b.run(c)
	b.pass(time.Minute)
	return int64(parents)
}

// undone lets the workers of so many keys forget Done, until the recording ends, or until it is called after that time. It returns how many.
func (b *bench) undone(keys int, d time.Duration, late bool) int64 {
	c := &controller{others: keys}
	c.keeps = func(item string) bool { return item != key && c.nth(item) == 1 }
	c.do = func(context.Context, string) (time.Duration, error) { return 0, nil }
	b.run(c)
	b.put("configmaps", "calm0", 1)
	if b.pass(d - 2*time.Second); late {
		for i := range keys {
			c.queue.Done(fmt.Sprint("shop/calm", i))
		}
		b.pass(time.Minute)
	}
	b.rec.Mark("the end")
	return int64(keys)
}

// What becomes of workers.
const (
	ends  = 1 << iota // one of them, or all if the other doesn't work
	works             // the other one has a long reconcile
	shuts             // the workqueue is shut down
)

// workers lets workers end, or be busy, while keys are added, until the recording ends after a time. It returns for how long the first key waits.
func (b *bench) workers(c *controller, d time.Duration, how int) int64 {
	c.others = 4
	quit := make(chan struct{})
	b.ends = append(b.ends, sync.OnceFunc(func() { close(quit) }))
	var both sync.WaitGroup
	both.Add(2)
	c.do = func(_ context.Context, item string) (time.Duration, error) {
		if c.nth(item) == 1 || item != "shop/calm0" && item != "shop/calm1" {
			return 0, nil
		}
		if c.workers > 1 {
			both.Done() // each worker has one of the two
			both.Wait()
		}
		if item == "shop/calm1" && how&works != 0 {
			<-quit
		}
		return 0, planted("the worker ends")
	}
	c.quits = func(item string) bool { return how&ends != 0 && c.nth(item) > 2 }
	waits := "shop/calm2"
	if c.workers < 0 {
		waits = key
	}
	var since atomic.Int64
	c.added = func(item string) {
		if item == waits {
			since.Store(time.Now().UnixNano())
		}
	}
	b.run(c)
	if c.workers > 0 {
		b.put("configmaps", "calm0", 1)
		b.put("configmaps", "calm1", 1)
		b.pass(5 * time.Second)
		b.put("configmaps", "calm2", 1)
		b.put("configmaps", "calm3", 1)
		b.pass(time.Second)
	}
	if how&shuts != 0 {
		c.queue.ShutDown()
	}
	b.pass(d - time.Duration(time.Now().UnixNano()-since.Load()))
	b.rec.Mark("the end")
	return time.Now().UnixNano() - since.Load()
}

// careless lets a key fail so often, and then succeed, without Forget. It returns how often it succeeds.
func (b *bench) careless(failures, successes int64, careless bool) int64 {
	c := &controller{careless: careless, others: 2}
	c.do = func(_ context.Context, item string) (time.Duration, error) {
		if item == key && c.nth(item) <= failures {
			return 0, planted("not yet")
		}
		return 0, nil
	}
	b.run(c)
	for i := range successes - 1 {
		b.pass(time.Minute)
		b.put("configmaps", "a", int(i)+1)
	}
	b.pass(time.Second)
	return successes
}

// blocks lets the second reconciles of the first keys take so long, and all others less, while all keys are added. It returns for how long a key
// waits at most.
func (b *bench) blocks(c *controller, slow int, takes, usually time.Duration) int64 {
	var since sync.Map // by key
	var most, done atomic.Int64
	c.added = func(item string) { since.LoadOrStore(item, time.Now()) }
	c.do = func(_ context.Context, item string) (time.Duration, error) {
		if at, ok := since.LoadAndDelete(item); ok {
			waited := int64(time.Since(at.(time.Time)))
			for old := most.Load(); waited > old && !most.CompareAndSwap(old, waited); old = most.Load() {
			}
		}
		var i int
		if n, _ := fmt.Sscanf(item, "shop/calm%d", &i); n == 1 && i < slow && c.nth(item) == 2 {
			b.pass(takes)
		} else {
			b.pass(usually)
		}
		done.Add(1)
		return 0, nil
	}
	b.run(c)
	for done.Load() <= int64(c.others) {
		b.pass(time.Second)
	}
	for i := range c.others {
		if b.put("configmaps", fmt.Sprint("calm", i), 1); i+1 == slow {
			b.pass(500 * time.Millisecond)
		}
	}
	b.pass(3 * time.Minute)
	return most.Load()
}

// rewrites lets a controller write an object unchanged, times times. Between two such writes it makes each-1 writes that change it.
func (b *bench) rewrites(times, each int64, every time.Duration, method string) int64 {
	c := &controller{}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		n := c.nth(item)
		if item != key || n > times*each+1 {
			return 0, nil
		}
		err := b.write(ctx, method, "own", fmt.Sprintf(`"labels":{"n":"%d"}`, (n-1)-(n-1)/each))
		if apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) {
			err = nil
		}
		return every, err
	}
	b.put("configmaps", "own", 0)
	b.run(c)
	b.until(c, times*each+2)
	return times
}

// applies lets a controller write each object once as it is.
func (b *bench) applies(objects int) int64 {
	c := &controller{others: objects}
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		if c.nth(item) > 1 {
			return 0, nil
		}
		return 0, b.write(ctx, "PATCH", item[5:], `"labels":{"n":"0"}`)
	}
	b.run(c)
	b.pass(5 * time.Minute)
	return 0
}

// deletes lets a controller delete one of two children though its cache is late by so much: what it has itself deleted before isn't there yet,
// or a change of the child, or one of its owner. Or else that changes afterwards. It returns how many it deletes so.
func (b *bench) deletes(late time.Duration, what string) int64 {
	c := &controller{workers: 1}
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if typ, _, n := parts(line); typ == "DELETED" || n > 0 {
			b.pass(late)
		}
		pass(line)
	}
	b.put("configmaps", "own", 0)
	b.put("configmaps", "own2", 0)
	c.do = func(ctx context.Context, item string) (time.Duration, error) {
		if item != key {
			return 0, nil
		}
		switch n := c.nth(item); {
		case n == 1:
			return time.Minute, nil
		case n > 3 || n == 3 && what != "own":
			return 0, nil
		case n == 3:
			return 0, b.write(ctx, "DELETE", "own2", "")
		case what == "object":
			b.put("configmaps", "own", 1)
		case what == "owner":
			b.put("configmaps", "a", 1)
		}
		err := b.write(ctx, "DELETE", "own", "")
		if what == "after" {
			b.put("configmaps", "a", 1)
		}
		return time.Millisecond, err
	}
	b.run(c)
	b.until(c, 2)
	b.pass(2 * time.Minute)
	return 1
}

// fight lets two controllers each write its own name into a label, a while after it has seen another one there. It returns how often one of them
// undoes what the other has done.
func (b *bench) fight(times int64, every time.Duration, names ...string) int64 {
	var writes atomic.Int64
	first := (*controller)(nil)
	for _, name := range names {
		c := &controller{name: name, workers: 1, beside: first}
		c.do = func(ctx context.Context, item string) (time.Duration, error) {
			o, ok, err := c.store.GetByKey(item)
			if item != key || !ok || err != nil || o.(metav1.Object).GetLabels()["by"] == name {
				return 0, err
			}
			b.pass(every)
			if writes.Load() == times+2 {
				return 0, nil
			}
			writes.Add(1)
			return 0, b.write(ctx, "PUT", "a", fmt.Sprintf(`"labels":{"by":%q}`, name))
		}
		b.run(c)
		first = c
	}
	for writes.Load() < times+2 {
		b.pass(time.Second)
	}
	b.pass(time.Minute)
	return times
}

// flap lets two field managers write an object by turns, so that each undoes what the other has done so often.
func (b *bench) flap(times int, every time.Duration, managers ...string) int64 {
	b.put("configmaps", "a", 0)
	b.informer("configmaps", &member{name: "h"})
	for i := range times + 2 {
		b.send("PUT", "configmaps", "a?fieldManager="+managers[i%2], fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","labels":{"by":"%d"}}}`, i%2))
		b.pass(every)
	}
	return int64(times)
}

// shuffle writes an object so often, with one and another metadata by turns.
func (b *bench) shuffle(times int, metadata ...string) int64 {
	b.put("configmaps", "a", 0)
	b.informer("configmaps", &member{name: "h"})
	for i := range times + 1 {
		b.send("PUT", "configmaps", "a", fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"shop",%s}}`, metadata[i%2]))
		b.pass(10 * time.Second)
	}
	return int64(times)
}

// What is done to lists of services.
const (
	refusesLists = 1 + iota
	holdsLists   // after the head of the answer
)

// unsynced runs an informer of services for a time while their lists come to nothing, and with a controller beside it whose workers wait
// for it. It returns for how long there was no whole list.
func (b *bench) unsynced(d time.Duration, trouble int32, waits bool) int64 {
	b.put("services", "s", 0)
	b.wire.trouble.Store(trouble)
	if waits {
		c := &controller{queue: record.Queue(b.rec, "web", record.TypedRateLimitingInterface[any](workqueue.NewRateLimitingQueue(upTo(time.Second))))}
		b.ends = append(b.ends, c.queue.ShutDown)
		b.put("configmaps", "a", 0)
		b.informer("configmaps", &member{name: "web", of: c.add})
	}
	b.ends = append(b.ends, func() {
		b.wire.trouble.Store(0)
		for _, held := range b.wire.held {
			held.Close()
		}
	})
	b.informer("services", &member{name: "services"})
	b.pass(d - 2*time.Second)
	b.rec.Mark("the end")
	return int64(time.Since(b.wire.troubled))
}

// troubles answers a list of services, if it is to come to nothing.
func (w *wire) troubles(r *http.Request) *http.Response {
	trouble := w.trouble.Load()
	if trouble == 0 || !strings.HasSuffix(r.URL.Path, "/services") || r.Method != http.MethodGet {
		return nil
	}
	if w.troubled.IsZero() {
		w.troubled = time.Now()
	}
	if trouble == refusesLists {
		return answer(r, http.StatusForbidden, status(http.StatusForbidden, "Forbidden", "services is forbidden"))
	}
	body, to := io.Pipe()
	w.held = append(w.held, to)
	resp := answer(r, http.StatusOK, "")
	resp.Body, resp.ContentLength = body, -1
	return resp
}

// write sends what a controller writes. Its recorder sees it.
func (b *bench) write(ctx context.Context, method, name, metadata string) error {
	if name != "" {
		metadata = fmt.Sprintf(`"name":%q,`, name) + metadata
	}
	form := "application/json"
	if method == "PATCH" {
		form = "application/merge-patch+json"
	}
	r := b.client.Verb(method).Namespace("shop").Resource("configmaps").SetHeader("Content-Type", form)
	if method != "DELETE" {
		r = r.Body([]byte(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{` + metadata + `}}`))
	}
	if name != "" && method != "POST" {
		r = r.Name(name)
	}
	return r.Do(ctx).Error()
}

// planted is an error of a controller.
type planted string

// Error returns it.
func (p planted) Error() string { return string(p) }

// lose carries out a request, and loses its answer.
func (w *wire) lose(r *http.Request) (*http.Response, error) {
	resp, err := w.under.RoundTrip(r)
	if err == nil {
		resp.Body.Close()
		err = errReset
	}
	return nil, err
}
