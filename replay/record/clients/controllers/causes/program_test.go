package causes

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/testserver"
)

// TestMain runs tests without logs.
func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	flags.Set("logtostderr", "false")
	flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
	m.Run()
}

// seeds are how many programs TestCauses runs.
const seeds = 6

// TestCauses runs programs, and holds that at least 99 of 100 Adds have their cause in the
// recording, and none another's. It needs no bubble: some versions leave goroutines behind.
func TestCauses(t *testing.T) {
	var all, right, known atomic.Int64
	t.Run("seed", func(t *testing.T) {
		for seed := range seeds {
			t.Run(strconv.Itoa(seed), func(t *testing.T) {
				t.Parallel()
				a, r, k := run(t, uint64(seed))
				all.Add(int64(a))
				right.Add(int64(r))
				known.Add(int64(k))
			})
		}
	})
	t.Logf("%d Adds, and %d of %d have their cause", all.Load(), right.Load(), known.Load())
	if right.Load()*100 < known.Load()*99 || known.Load() < int64(adds*seeds/2) {
		t.Error("too few")
	}
}

// adds are how many Adds a program makes before it ends.
const adds = 600

// program is one that runs.
type program struct {
	Version
	marks
	*rand.Rand
	t   *testing.T
	ctx context.Context
	rec *record.Recorder
	mgr manager.Manager
}

// draw returns a number below n.
func (p *program) draw(n int) int { return p.IntN(n) }

func run(t *testing.T, seed uint64) (all, right, known int) {
	server := testserver.New(testserver.Options{Seed: seed, CollectAfter: 50 * time.Millisecond})
	defer server.Close()
	other := testserver.New(testserver.Options{Seed: seed})
	defer other.Close()
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	p := &program{Version: version, Rand: rand.New(rand.NewPCG(seed, 0)), t: t, ctx: ctx, rec: rec}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	unnamed, atOnce := true, time.Duration(0)
	o := manager.Options{
		GracefulShutdownTimeout: &atOnce,
		Scheme:                  scheme.Scheme, Metrics: metricsserver.Options{BindAddress: "0"}, NewCache: version.NewCache(rec, nil),
		Controller: ctrlconfig.Controller{SkipNameValidation: &unnamed},
	}
	if p.draw(2) == 0 {
		period := time.Second
		o.Cache.SyncPeriod = &period
	}
	if p.draw(3) == 0 {
		o.Cache.DefaultNamespaces = map[string]cache.Config{"shop": {}, "bank": {}}
	}
	version.vary(p.draw, &o)
	p.mgr, err = ctrl.NewManager(p.config(server), o)
	must(err)
	second, err := cluster.New(p.config(other), func(o *cluster.Options) { o.Scheme, o.NewCache = scheme.Scheme, version.NewCache(rec, nil) })
	must(err)
	must(p.mgr.Add(second))
	must(p.build("web", second))
	must(p.build("books", second))
	ended := make(chan error)
	go func() { ended <- p.mgr.Start(ctx) }()
	direct, err := client.New(config(server), client.Options{})
	must(err)
	elsewhere, err := client.New(config(other), client.Options{})
	must(err)
	for late := time.Now().Add(10 * time.Minute); p.total() < adds && time.Now().Before(late); {
		if p.draw(4) == 0 {
			p.write(elsewhere)
		} else {
			p.write(direct)
		}
		<-time.After(time.Duration(p.draw(40)) * time.Millisecond)
	}
	p.end(func() {
		if n := rec.Lost(); n > 0 { // what comes after the end is lost, too
			t.Errorf("%d things are lost", n)
		}
		must(rec.Close())
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return check(t, out.Bytes(), p.adds)
}

func config(s *testserver.Server) *rest.Config {
	return &rest.Config{Host: "http://testserver", Transport: s, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
}

// config returns the way to a server of a client that is recorded.
func (p *program) config(s *testserver.Server) *rest.Config {
	c := config(s)
	c.Wrap(p.rec.Wrap)
	return c
}

// write is somebody else's.
func (p *program) write(c client.Client) {
	o := []client.Object{&corev1.ConfigMap{}, &corev1.Secret{}, &corev1.Service{}, &corev1.ServiceAccount{}}[p.draw(4)]
	o.SetNamespace([]string{"shop", "bank"}[p.draw(2)])
	o.SetName(string(rune('a' + p.draw(4))))
	var err error
	switch found := c.Get(p.ctx, client.ObjectKeyFromObject(o), o); {
	case found != nil:
		err = c.Create(p.ctx, o)
	case p.draw(5) == 0:
		err = c.Delete(p.ctx, o)
	default:
		o.SetLabels(map[string]string{"n": strconv.Itoa(p.draw(1000))})
		err = c.Update(p.ctx, o)
	}
	if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
		p.t.Error(err)
	}
}

// queues are a controller's, for who adds without being asked.
type queues struct {
	mu sync.Mutex
	q  Queue
}

func (q *queues) set(to Queue) { q.mu.Lock(); defer q.mu.Unlock(); q.q = to }
func (q *queues) get() Queue   { q.mu.Lock(); defer q.mu.Unlock(); return q.q }

func request(name string) reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKey{Namespace: "shop", Name: name}}
}

// build makes a controller, of what there is by chance.
func (p *program) build(name string, second cluster.Cluster) error {
	var mine queues
	o := p.Options(p.rec, p.mgr, controller.Options{MaxConcurrentReconciles: 1 + p.draw(3)})
	recorded := o.NewQueue
	o.NewQueue = func(name string, l Limiter) Queue {
		q := p.Marked(Marking{recorded(name, l), name, &p.marks})
		mine.set(q)
		return q
	}
	passes := func() builder.Predicates { return builder.WithPredicates(p.seen(2 * p.draw(2))) }
	b := ctrl.NewControllerManagedBy(p.mgr).Named(name).WithOptions(o).
		For(&corev1.ConfigMap{}, passes()).Owns(&corev1.Secret{}, passes())
	switch p.draw(3) {
	case 0:
		b.Watches(&corev1.Service{}, handler.EnqueueRequestsFromMapFunc(mapped), passes())
	case 1:
		b.WatchesMetadata(&corev1.Service{}, handler.EnqueueRequestsFromMapFunc(mapped), passes())
	case 2:
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Service"))
		b.Watches(u, handler.EnqueueRequestsFromMapFunc(mapped), passes())
	}
	b.Watches(&corev1.ServiceAccount{}, p.handler(), passes())
	b.WatchesRawSource(source.Kind[client.Object](second.GetCache(), &corev1.Secret{}, &handler.EnqueueRequestForObject{}, p.seen(0)))
	events := make(chan event.GenericEvent)
	b.WatchesRawSource(source.Channel(events, p.Source(p.rec, "channel", &handler.EnqueueRequestForObject{}),
		source.WithPredicates[client.Object, reconcile.Request](p.seen(0))))
	b.WatchesRawSource(source.Func(func(ctx context.Context, q Queue) error {
		go p.addOthers(ctx, events, q)
		return nil
	}))
	return b.Complete(p.reconciling(name, reconcile.Func(record.Reconcile(p.rec, name, p.reconciler(&mine)))))
}

// mapped returns up to three requests.
func mapped(_ context.Context, o client.Object) (all []reconcile.Request) {
	for i := range o.GetName()[0] % 4 {
		all = append(all, request(string(rune('a'+i))))
	}
	return all
}

// handler returns one that adds in every way there is, some of it on another goroutine.
func (p *program) handler() handler.EventHandler {
	n := p.draw(4)
	add := func(o client.Object, q Queue) {
		item := reconcile.Request{NamespacedName: client.ObjectKeyFromObject(o)}
		switch (n + len(o.GetResourceVersion()) + int(o.GetResourceVersion()[0])) % 5 {
		case 0:
			q.Add(item)
		case 1:
			q.AddAfter(item, 50*time.Millisecond)
		case 2:
			q.AddRateLimited(item)
		case 3:
			q.Add(item)
			go q.Add(request("spawned"))
		case 4:
			<-time.After(15 * time.Millisecond)
			q.Add(item)
		}
	}
	return handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q Queue) { add(e.Object, q) },
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q Queue) { add(e.ObjectNew, q) },
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q Queue) { add(e.Object, q) },
	}
}

// addOthers adds without a handler, and sends events to a channel.
func (p *program) addOthers(ctx context.Context, events chan event.GenericEvent, q Queue) {
	r := rand.New(rand.NewPCG(1, 2))
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(r.IntN(250)) * time.Millisecond):
		}
		switch r.IntN(4) {
		case 0:
			q.Add(request("a"))
		case 1:
			time.AfterFunc(50*time.Millisecond, func() { q.AddAfter(request("b"), 50*time.Millisecond) })
		default:
			select {
			case events <- event.GenericEvent{Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "a"}}}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// reconciler returns one that does something else each time.
func (p *program) reconciler(mine *queues) reconcile.Func {
	seed := p.Uint64()
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 0))
	draw := func(n int) int { mu.Lock(); defer mu.Unlock(); return r.IntN(n) }
	c := p.mgr.GetClient()
	return func(ctx context.Context, req reconcile.Request) (res reconcile.Result, err error) {
		<-time.After(time.Duration(draw(10)) * time.Millisecond)
		var owner corev1.ConfigMap
		if err := c.Get(ctx, req.NamespacedName, &owner); err != nil {
			return res, client.IgnoreNotFound(err)
		}
		switch draw(10) {
		case 0:
			child := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, GenerateName: req.Name + "-"}}
			if err := controllerutil.SetControllerReference(&owner, child, scheme.Scheme); err != nil {
				return res, err
			}
			return res, c.Create(ctx, child)
		case 1, 2:
			owner.Data = map[string]string{"n": strconv.Itoa(draw(1000))}
			return res, c.Update(ctx, &owner)
		case 3:
			res.RequeueAfter = time.Duration(draw(150)) * time.Millisecond
		case 4:
			res.Requeue = true
		case 5:
			err = errors.New("no")
		case 6:
			err = reconcile.TerminalError(errors.New("never"))
		case 7:
			mine.get().Add(request("a"))
		case 8:
			go mine.get().Add(req)
		}
		return res, err
	}
}
