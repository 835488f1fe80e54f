package recordings

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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

// controller is one of client-go's, whose workers do what those of controller-runtime do. Its handler adds the key of each ConfigMap, and of
// one with a label "of" that key.
type controller struct {
	workers int                   // 0 is 2
	others  int                   // ConfigMaps beside shop/a
	limiter workqueue.RateLimiter // nil for client-go's
	queue   workqueue.RateLimitingInterface
	store   cache.Store
	do      func(ctx context.Context, key string) (after time.Duration, err error)
	tries   sync.Map // *atomic.Int64 by key
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
	b.put("configmaps", "a", 0)
	for i := range c.others {
		b.put("configmaps", fmt.Sprint("calm", i), 0)
	}
	limiter := record.RateLimiter(b.rec, "web", record.TypedRateLimiter[any](c.limiter))
	c.queue = record.Queue(b.rec, "web", record.TypedRateLimitingInterface[any](workqueue.NewRateLimitingQueue(limiter)))
	c.store = b.informer("configmaps", &member{name: "web", of: c.add})
	reconcile := record.Reconcile(b.rec, "web", func(ctx context.Context, item string) (result, error) {
		after, err := c.do(ctx, item)
		return result{after}, err
	})
	var workers sync.WaitGroup
	for range max(c.workers, 2) {
		workers.Go(func() {
			for {
				item, shutdown := c.queue.Get()
				if shutdown {
					return
				}
				c.work(item.(string), reconcile)
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
	if of := o.GetLabels()["of"]; of != "" {
		c.queue.Add("shop/" + of)
		return
	}
	c.queue.Add("shop/" + o.GetName())
}

// work reconciles a key, and recovers from a panic as controller-runtime does.
func (c *controller) work(key string, reconcile func(context.Context, string) (result, error)) {
	defer c.queue.Done(key)
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
	default:
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

// feeds lets so many reconciles begin because of what the one before has written, each of which writes again after a while.
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
	r := b.client.Verb(method).Namespace("shop").Resource("configmaps").Body([]byte(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{`+metadata+`}}`)).SetHeader("Content-Type", "application/json")
	if name != "" {
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
