package v037

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	holds "github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/replay/triggers"
)

// badDay is a program on a day on which something goes wrong, and what it counts itself.
type badDay struct {
	t      *testing.T
	ctx    context.Context
	out    output
	rec    *record.Recorder
	config *rest.Config // recorded
	client *kubernetes.Clientset

	informing context.Context
	stop      context.CancelFunc // ends it
	informers sync.WaitGroup

	reconciles, calls atomic.Int64
}

func newBadDay(t *testing.T, o record.Options) *badDay {
	server := testserver.New(testserver.Options{})
	t.Cleanup(server.Close)
	d := &badDay{t: t, ctx: t.Context(), out: output{more: make(chan struct{}, 1)}}
	d.informing, d.stop = context.WithCancel(d.ctx)
	t.Cleanup(d.stop)
	var err error
	if d.rec, err = record.New(&d.out, o); err != nil {
		t.Fatal(err)
	}
	d.config = &rest.Config{Host: "http://testserver", Transport: server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	d.client = kubernetes.NewForConfigOrDie(d.config)
	d.config = rest.CopyConfig(d.config)
	d.config.Wrap(d.rec.Wrap)
	return d
}

// informer runs an informer of the ConfigMaps of a namespace, whose handler calls add.
func (d *badDay) informer(rec *record.Recorder, config *rest.Config, namespace, name string, add func(key string)) cache.SharedIndexInformer {
	d.t.Helper()
	f := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(config), 0, informers.WithNamespace(namespace))
	i := f.Core().V1().ConfigMaps().Informer()
	called := func(obj any) {
		d.calls.Add(1)
		key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
		add(key)
	}
	i.AddEventHandler(rec.Handler(name, cache.ResourceEventHandlerFuncs{AddFunc: called, UpdateFunc: func(_, obj any) { called(obj) }, DeleteFunc: called}))
	d.informers.Go(func() { i.Run(d.informing.Done()) })
	return i
}

func (d *badDay) create(namespace, name string) {
	d.t.Helper()
	if _, err := d.client.CoreV1().ConfigMaps(namespace).Create(d.ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		d.t.Fatal(err)
	}
}

// work runs workers until the queue is shut down. reconcile is called for each key.
func work[T comparable](d *badDay, q record.TypedRateLimitingInterface[T], workers int, reconcile func(ctx context.Context, item T) error) (wait func()) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				item, over := q.Get()
				if over {
					return
				}
				d.reconciles.Add(1)
				if reconcile(d.ctx, item) != nil {
					q.AddRateLimited(item)
				} else {
					q.Forget(item)
				}
				q.Done(item)
			}
		})
	}
	return all.Wait
}

// output is what a recorder has written so far. More has something in it when there is more.
type output struct {
	mu   sync.Mutex
	b    bytes.Buffer
	more chan struct{}
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.b.Write(b)
}

func (o *output) Bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.b.Bytes())
}

// analysis is all that is said of a recording.
type analysis struct {
	trace    *trace.Trace
	log      worker.Log
	report   *controller.Report
	triggers []triggers.Controller
}

// read reads a recording, which may be cut.
func read(t *testing.T, recording []byte) *analysis {
	t.Helper()
	s := &analysis{}
	var err error
	if s.trace, err = file.Read(bytes.NewReader(recording), format.Options{OtherLine: s.log.Line}); err != nil {
		t.Fatal(err)
	}
	s.report = controller.Summarise(s.trace, &s.log)
	s.report.Guards()
	s.triggers = triggers.Sum(&s.log, triggers.List(s.trace, &s.log))
	return s
}

// end closes the recording, and holds what is said of it against what the program has counted.
func (d *badDay) end() *analysis {
	d.t.Helper()
	before := d.rec.Lost()
	ctx, cancel := context.WithTimeout(d.ctx, time.Minute)
	defer cancel()
	if err := d.rec.CloseContext(ctx); err != nil {
		d.t.Fatal(err)
	}
	s := read(d.t, d.out.Bytes())
	if s.trace.ProblemCount > 0 && before == 0 { // an event that was left out is missing
		d.t.Error(s.trace.Problems[0])
	}
	var all int64
	for _, c := range s.report.Controllers {
		all += c.Reconciles.Count
		if len(c.Stale)+len(c.Duplicates) > 0 && !s.report.LeftOut {
			d.t.Errorf("stale reads or duplicates of a controller that has none: %+v", c)
		}
	}
	truth := d.reconciles.Load()
	if all > truth || all < truth && !s.report.LeftOut {
		d.t.Errorf("%d reconciles are told, and %d were made; left out: %v", all, truth, s.log.LeftOut)
	}
	if before > 0 && !s.report.LeftOut || s.report.LeftOut && d.rec.Lost() == 0 { // what is told after the end is lost, too
		d.t.Errorf("%d things are lost, and the report says %v: %v", before, s.report.LeftOut, s.trace.Marks)
	}
	d.t.Logf("%d reconciles, %d told, left out %+v", truth, all, s.log.LeftOut)
	return s
}

// nothingWaits holds that no reconcile is said to go on.
func (s *analysis) nothingWaits(t *testing.T) {
	t.Helper()
	for _, w := range s.report.Waiting {
		if w.Kind == controller.AReconcile {
			t.Errorf("it is said to wait: %+v", w)
		}
	}
}

// TestHotLoop: a controller adds its key again at the end of each reconcile, as fast as it can, with a typed and with an untyped queue,
// with memory enough and without.
func TestHotLoop(t *testing.T) {
	const times = 30000 // nothing in the loop asks the server, so at rest they take a third of a second
	for _, memory := range []int{0, 2 << 20} {
		t.Run(fmt.Sprint("typed ", memory), func(t *testing.T) {
			d := newBadDay(t, record.Options{Memory: memory})
			hotLoop(d, func(k string) string { return k }, record.Queue(d.rec, "web", workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())), times)
		})
		t.Run(fmt.Sprint("untyped ", memory), func(t *testing.T) {
			d := newBadDay(t, record.Options{Memory: memory})
			hotLoop(d, func(k string) any { return k }, record.Queue(d.rec, "web", workqueue.NewRateLimitingQueue(workqueue.DefaultControllerRateLimiter())), times)
		})
	}
}

func hotLoop[T comparable](d *badDay, item func(string) T, q record.TypedRateLimitingInterface[T], times int64) {
	d.create("shop", "a")
	began := time.Now()
	sync := record.Sync(d.rec, "web", func(ctx context.Context, i T) error {
		if d.reconciles.Load() < times {
			q.Add(i)
		} else {
			q.ShutDown()
		}
		return nil
	})
	wait := work(d, q, 1, sync)
	d.informer(d.rec, d.config, "shop", "web", func(key string) { q.Add(item(key)) })
	wait()
	d.t.Logf("%.0f reconciles a second", float64(times)/time.Since(began).Seconds())
	s := d.end()
	s.nothingWaits(d.t)
	if len(s.triggers) != 1 {
		d.t.Fatalf("%+v", s.triggers)
	}
	c := s.triggers[0]
	if c.AtLeast != s.report.LeftOut {
		d.t.Errorf("left out: %v, and of the triggers %v", s.report.LeftOut, c.AtLeast)
	}
	for _, n := range c.Causes {
		switch n.Class {
		case triggers.Reconcile: // all but the first; the handler's Add may race that one's
			if n.Certain > times-1 || !c.AtLeast && (n.Certain < times-3 || n.Certain+n.Possible < times-1) {
				d.t.Errorf("%d of %d reconciles are said to be triggered by another, and perhaps %d more", n.Certain, times, n.Possible)
			}
		case triggers.Initial, triggers.Event, triggers.Change:
			if n.Certain > 1 || n.Possible > 2 {
				d.t.Errorf("%d reconciles are said to be triggered by %s, and perhaps %d more", n.Certain, n.Class, n.Possible)
			}
		default:
			d.t.Errorf("%d reconciles are said to be triggered by %s", n.Certain, n.Class)
		}
	}
}

// TestHandlerThatNeverReturns: one handler blocks for ever, and the other goes on. The recording ends, and says which one.
func TestHandlerThatNeverReturns(t *testing.T) {
	d := newBadDay(t, record.Options{})
	never := make(chan struct{})
	defer close(never)
	entered, others := make(chan struct{}, 1), make(chan string, 10)
	d.create("shop", "a")
	i := d.informer(d.rec, d.config, "shop", "good", func(key string) { others <- key })
	i.AddEventHandler(d.rec.Handler("stuck", cache.ResourceEventHandlerFuncs{AddFunc: func(any) { entered <- struct{}{}; <-never }}))
	<-entered
	<-others
	d.create("shop", "b")
	if key := <-others; key != "shop/b" {
		t.Fatal(key)
	}
	for told := false; !told; {
		<-d.out.more // which the recorder writes when a call has run for a second
		ring := read(t, d.out.Bytes())
		for _, w := range ring.report.Waiting {
			told = told || w.Kind == controller.ACall && w.Handler == "stuck" && w.Fn == "OnAdd" && w.Key == "shop/a"
		}
	}
	s := d.end()
	n := 0
	for _, w := range s.report.Waiting {
		if w.Kind == controller.ACall {
			if n++; w.Handler != "stuck" || w.Unknown {
				t.Errorf("%+v", w)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d calls are said to wait", n)
	}
}

// TestFortyInformers: what is said of each of forty informers is its own.
func TestFortyInformers(t *testing.T) {
	d := newBadDay(t, record.Options{})
	var all []cache.SharedIndexInformer
	var calls [40]atomic.Int64
	for n := range calls {
		for i := range n%3 + 1 {
			d.create(fmt.Sprint("space-", n), fmt.Sprint("m-", n, "-", i))
		}
		all = append(all, d.informer(d.rec, d.config, fmt.Sprint("space-", n), fmt.Sprint("h-", n), func(string) { calls[n].Add(1) }))
	}
	for _, i := range all {
		if !cache.WaitForCacheSync(d.ctx.Done(), i.HasSynced) {
			t.Fatal("not synced")
		}
	}
	for n := range calls { // when the last call begins, those before it are recorded
		d.create(fmt.Sprint("space-", n), "last")
	}
	for n := range calls {
		for calls[n].Load() < int64(n%3+2) {
			runtime.Gosched()
		}
	}
	s := d.end()
	held := make([]holds.Contents, len(s.trace.Resources))
	for i, r := range s.trace.Resources {
		held[i] = holds.HeldBy(r, nil)
	}
	got := holds.List(s.trace, held)
	if len(got) != len(calls) {
		t.Fatalf("%d informers", len(got))
	}
	for _, x := range got {
		n := 0
		fmt.Sscanf(x.Resource, "configmaps in space-%d", &n)
		if x.Objects != int64(n%3+2) || x.Synced == 0 || len(x.Handlers) != 1 || x.Handlers[0].Name != fmt.Sprint("h-", n) {
			t.Errorf("%+v", x)
		} else if calls := x.Handlers[0].Calls; calls != x.Objects && calls != x.Objects-1 {
			t.Errorf("%d calls are told for %d objects", calls, x.Objects)
		}
		if x.Started == nil || !strings.HasPrefix(x.Started.Func, "v037.(*badDay).informer") || x.Started.Approximate {
			t.Errorf("%s is started by %+v", x.Resource, x.Started)
		}
	}
}

// TestLongNames: names of ten kilobytes are cut, and two of them that differ at their ends stay two.
func TestLongNames(t *testing.T) {
	d := newBadDay(t, record.Options{})
	long := strings.Repeat("long-", 2000)
	q := record.Queue(d.rec, long, workqueue.NewTypedRateLimitingQueue(record.RateLimiter(d.rec, long, workqueue.DefaultTypedControllerRateLimiter[string]())))
	seen := map[string]int{}
	wait := work(d, q, 1, record.Sync(d.rec, long, func(_ context.Context, key string) error {
		if seen[key]++; len(seen) == 2 && seen[long+"a"]+seen[long+"b"] == 4 {
			q.ShutDown()
		}
		return nil
	}))
	d.rec.Mark(long)
	for range 2 {
		for _, end := range []string{"a", "b"} {
			before := d.reconciles.Load()
			record.Because(d.rec, long+end, func() { q.Add(long + end) })
			for d.reconciles.Load() == before {
				runtime.Gosched()
			}
		}
	}
	wait()
	s := d.end()
	s.nothingWaits(t)
	if len(s.report.Controllers) != 1 || s.report.Controllers[0].Keys != 2 {
		t.Errorf("%d controllers, %d keys", len(s.report.Controllers), s.report.Controllers[0].Keys)
	}
	for _, c := range s.triggers {
		if c.Reconciles != 4 || c.Unknown > 0 {
			t.Errorf("%d reconciles, %d unknown", c.Reconciles, c.Unknown)
		}
	}
	if n := len(d.out.Bytes()); n > 64<<10 {
		t.Errorf("it takes %d bytes", n)
	}
}

// TestTwoRecorders: two recorders in one process tell of their own. What one's handler adds to the queue of the other has no cause in
// the other's recording.
func TestTwoRecorders(t *testing.T) {
	both := []*badDay{newBadDay(t, record.Options{}), newBadDay(t, record.Options{})}
	var queues []workqueue.TypedRateLimitingInterface[string]
	var ends []func()
	for n, d := range both {
		q := record.Queue(d.rec, "web", workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()))
		enough, far := int64(10*(n+1)), atomic.Bool{}
		ends = append(ends, work(d, q, 2, record.Sync(d.rec, "web", func(_ context.Context, key string) error {
			if strings.HasPrefix(key, "far/") {
				far.Store(true)
			}
			if d.reconciles.Load() >= enough && far.Load() {
				q.ShutDown()
			}
			return nil
		})))
		queues = append(queues, q)
	}
	for n, d := range both {
		d.informer(d.rec, d.config, "shop", "web", func(key string) {
			queues[n].Add(key)
			queues[1-n].Add(strings.Replace(key, "shop", "far", 1))
		})
	}
	for i := range 40 {
		for _, d := range both {
			d.create("shop", fmt.Sprint("m-", i))
		}
	}
	for n := range both {
		ends[n]()
	}
	for _, d := range both {
		s := d.end()
		s.nothingWaits(t)
		for _, g := range triggers.List(s.trace, &s.log) {
			for _, c := range g.Causes {
				switch far := strings.HasPrefix(g.Key, "far/"); {
				case far && c.Class != triggers.Unknown, !far && c.Class != triggers.Event && c.Class != triggers.Initial && c.Class != triggers.Change:
					t.Errorf("%s is said to be triggered by %+v", g.Key, c)
				}
			}
		}
	}
}

// TestShutDownMeanwhile: a queue is shut down while handlers, reconciles and named sources add to it.
func TestShutDownMeanwhile(t *testing.T) {
	d := newBadDay(t, record.Options{})
	q := record.Queue(d.rec, "web", workqueue.NewTypedRateLimitingQueue(record.RateLimiter(d.rec, "web", workqueue.DefaultTypedControllerRateLimiter[string]())))
	wait := work(d, q, 4, record.Sync(d.rec, "web", func(_ context.Context, key string) error {
		q.AddAfter(key, time.Millisecond)
		if strings.HasSuffix(key, "3") {
			return fmt.Errorf("no")
		}
		return nil
	}))
	d.informer(d.rec, d.config, "shop", "web", func(key string) { q.Add(key) })
	over := make(chan struct{})
	var adders sync.WaitGroup
	for n := range 4 {
		adders.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				default:
					record.Because(d.rec, "channel", func() { q.Add(fmt.Sprint("shop/s-", n, "-", i%10)) })
				}
			}
		})
	}
	for i := range 20 {
		d.create("shop", fmt.Sprint("m-", i))
	}
	for d.reconciles.Load() < 200 {
		runtime.Gosched()
	}
	q.ShutDownWithDrain()
	wait()
	close(over)
	adders.Wait()
	s := d.end()
	s.nothingWaits(t)
	if len(s.triggers) != 1 || s.triggers[0].Reconciles > d.reconciles.Load() {
		t.Errorf("%+v", s.triggers)
	}
}

// ownWriter runs a controller that writes five objects again and again, and returns its recording.
func ownWriter(t *testing.T) (d *badDay, recording []byte) {
	d = newBadDay(t, record.Options{})
	q := record.Queue(d.rec, "web", workqueue.NewTypedRateLimitingQueue(record.RateLimiter(d.rec, "web", workqueue.DefaultTypedControllerRateLimiter[string]())))
	client := kubernetes.NewForConfigOrDie(d.config).CoreV1().ConfigMaps("shop")
	wait := work(d, q, 2, record.Sync(d.rec, "web", func(ctx context.Context, key string) error {
		if d.reconciles.Load() >= 60 {
			q.ShutDown()
		}
		_, err := client.Patch(ctx, strings.TrimPrefix(key, "shop/"), "application/merge-patch+json", []byte(`{"data":{"n":"`+fmt.Sprint(d.reconciles.Load())+`"}}`), metav1.PatchOptions{})
		return err
	}))
	told := make(chan struct{}, 1)
	i := d.informer(d.rec, d.config, "shop", "web", func(key string) {
		q.Add(key)
		select {
		case told <- struct{}{}:
		default:
		}
	})
	for i := range 5 {
		d.create("shop", fmt.Sprint("m-", i))
	}
	wait()
	// What handlers tell while the recorder ends is left out. So they are told of the last write, and then the informer ends.
	all, err := client.List(d.ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range all.Items {
		for {
			if o, is, _ := i.GetStore().GetByKey("shop/" + want.Name); is && o.(*corev1.ConfigMap).ResourceVersion == want.ResourceVersion {
				break
			}
			<-told
		}
	}
	d.stop()
	d.informers.Wait()
	d.end()
	return d, d.out.Bytes()
}

// TestClocksThatJump: a process stands still for an hour, or its times go back by one. No count changes, no cause is one that it wasn't
// before, and nothing is found but what an hour without anything explains.
func TestClocksThatJump(t *testing.T) {
	d, recording := ownWriter(t)
	lines := bytes.SplitAfter(recording, []byte("\n"))
	causes := func(s *analysis) (all []map[string]bool) { // by Get: false for those that are possible
		for _, g := range triggers.List(s.trace, &s.log) {
			of := map[string]bool{}
			for _, c := range g.Causes {
				call := trace.Call{}
				if c.Call != nil {
					call = *c.Call
				}
				of[fmt.Sprint(c.Class, " ", c.Added.In, " ", call.ID)] = !c.Possible
			}
			all = append(all, of)
		}
		return all
	}
	truth := causes(read(t, recording))
	for _, jump := range []int64{3_600_000_000_000, -3_600_000_000_000} {
		for at := 1; at < len(lines); at += max(len(lines)/40, 1) {
			var jumped []byte
			for i, l := range lines {
				if rest, of := bytes.CutPrefix(l, []byte(`{"t":`)); of && i >= at {
					n := bytes.IndexAny(rest, ",}")
					time, err := strconv.ParseInt(string(rest[:n]), 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					l = append(strconv.AppendInt([]byte(`{"t":`), time+jump, 10), rest[n:]...)
				}
				jumped = append(jumped, l...)
			}
			s := read(t, jumped)
			s.nothingWaits(t)
			n := int64(0)
			for _, c := range s.report.Controllers {
				n += c.Reconciles.Count
				if len(c.Duplicates) > 0 {
					t.Errorf("after line %d, by %d: duplicates", at, jump)
				}
			}
			if n != d.reconciles.Load() || s.report.LeftOut {
				t.Errorf("after line %d, by %d: %d reconciles of %d; left out: %v", at, jump, n, d.reconciles.Load(), s.report.LeftOut)
			}
			for i, of := range causes(s) {
				for c, certain := range of {
					if _, was := truth[i][c]; certain && !was && !strings.HasPrefix(c, string(triggers.Unknown)) {
						t.Errorf("after line %d, by %d: Get %d is said to have the cause %s, and had %v", at, jump, i, c, truth[i])
					}
				}
			}
			pass := findings.NewPass(s.trace, findings.Options{Log: &s.log})
			pass.Add(math.MaxInt)
			for _, f := range pass.Findings() {
				if jump < 0 || f.ID != "silent-watch" && f.ID != "slow-handler" && f.ID != "slow-reconcile" {
					t.Errorf("after line %d, by %d: %+v", at, jump, f)
				}
			}
		}
	}
}

// TestDiesInTheMiddle: a process that dies leaves the beginning of a recording. Whatever it is, no count is more than in the whole, what had
// ended is not said to wait, and nothing is said to be lost that isn't.
func TestDiesInTheMiddle(t *testing.T) {
	d, all := ownWriter(t)
	first := bytes.IndexByte(all, '\n') + 1
	last := int64(0)
	for cut := first; cut < len(all); cut += max((len(all)-first)/150, 1) {
		s := read(t, all[:cut])
		n := int64(0)
		for _, c := range s.report.Controllers {
			n += c.Reconciles.Count
			if len(c.Duplicates) > 0 {
				t.Errorf("at %d there are duplicates", cut)
			}
		}
		if n < last || n > d.reconciles.Load() || s.report.LeftOut {
			t.Errorf("at %d there are %d reconciles, and there were %d before; left out: %v", cut, n, last, s.report.LeftOut)
		}
		last = n
		open := map[string]bool{}
		for _, x := range s.log.Reconciles {
			open[x.Key] = open[x.Key] || x.Ended == 0
		}
		for _, w := range s.report.Waiting {
			if w.Kind == controller.AReconcile && !open[w.Key] {
				t.Errorf("at %d the reconcile of %s is said to wait", cut, w.Key)
			}
		}
	}
	if last == 0 {
		t.Error("nothing is read")
	}
}

// TestProtobufWrites: a client that writes protobuf to the simulated API server is answered in JSON, so the recording has whole objects, and of
// the writes what it has of those in JSON.
func TestProtobufWrites(t *testing.T) {
	d := newBadDay(t, record.Options{KeepSecrets: true})
	d.config.ContentConfig = rest.ContentConfig{ContentType: "application/vnd.kubernetes.protobuf", AcceptContentTypes: "application/vnd.kubernetes.protobuf,application/json"}
	all := make(chan string, 10)
	i := d.informer(d.rec, d.config, "shop", "web", func(key string) { all <- key })
	if !cache.WaitForCacheSync(d.ctx.Done(), i.HasSynced) {
		t.Fatal("not synced")
	}
	maps := kubernetes.NewForConfigOrDie(d.config).CoreV1().ConfigMaps("shop")
	made, err := maps.Create(d.ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}, Data: map[string]string{"shown": "whole"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	<-all
	made.Data["shown"] = "again"
	if made, err = maps.Update(d.ctx, made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	<-all
	s := d.end()
	if len(s.log.Writes) != 2 {
		t.Fatalf("%+v", s.log.Writes)
	}
	created, updated := s.log.Writes[0], s.log.Writes[1]
	if created.GenerateName != "a-" || created.Key() != "shop/"+made.Name || updated.Written.RV != created.Answer.RV || updated.Answer.RV != made.ResourceVersion {
		t.Errorf("%+v, %+v", created, updated)
	}
	for _, want := range []string{`"shown":"whole"`, `"shown":"again"`} {
		if !bytes.Contains(d.out.Bytes(), []byte(want)) {
			t.Errorf("%s isn't recorded", want)
		}
	}
}
