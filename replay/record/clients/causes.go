package clients

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/replay/triggers"
)

// program is a controller that marks each of its Adds itself: what it was made by.
type program[T any] struct {
	r    *Recording
	name string
	q    record.TypedRateLimitingInterface[T]
	item func(key string) T

	mu    sync.Mutex
	rnd   *rand.Rand
	marks []string       // of the Adds, in the order of the recording
	nth   map[string]int // by key: how many reconciles have begun
	wrote map[string]string
	done  int // writes
	busy  int // reconciles under way
}

// nobody marks an Add whose cause can't be known.
const nobody = "nobody"

// add calls one of the workqueue's methods, and marks the Add.
func (p *program[T]) add(mark string, f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marks = append(p.marks, mark)
	f()
}

func (p *program[T]) chance(n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rnd.IntN(n) == 0
}

// marker is one of the program's handlers.
type marker struct {
	r    *Recording
	name string
	f    func(mark, key string)
}

func (m marker) OnAdd(obj any, _ bool) { m.call("OnAdd", nil, obj) }
func (m marker) OnUpdate(old, obj any) { m.call("OnUpdate", old, obj) }
func (m marker) OnDelete(obj any)      { m.call("OnDelete", nil, obj) }

func (m marker) call(fn string, old, obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	o, before := obj.(*corev1.ConfigMap), ""
	if old != nil {
		if before = old.(*corev1.ConfigMap).ResourceVersion; before == o.ResourceVersion {
			m.r.Count("resync")
		}
	}
	key := o.Namespace + "/" + o.Name
	m.f(callMark(m.name, fn, key, before, o.ResourceVersion), key)
}

func callMark(handler, fn, key, old, rv string) string {
	return fmt.Sprintf("%s of %s, of %s @%s>@%s", fn, handler, key, old, rv)
}

// Causes runs two controllers at random whose every Add is marked, and holds the recording against the marks. Handle
// makes a handler of client-go's of one that is recorded under a name, and made a workqueue.
func Causes[T any](t *testing.T, handle func(r *Recording, name string, h record.EventHandler) any, item func(key string) T, key func(T) string, made func(r *Recording, name string) record.TypedRateLimitingInterface[T]) {
	r := Start(t, "application/json", time.Millisecond)
	client, err := kubernetes.NewForConfig(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	factory := informers.NewSharedInformerFactoryWithOptions(client, time.Second, informers.WithNamespace("shop"))
	informer := factory.Core().V1().ConfigMaps().Informer()
	var programs []*program[T]
	for i, name := range []string{"web", "other"} {
		p := &program[T]{r: r, name: name, q: made(r, name), item: item, rnd: rand.New(rand.NewPCG(seed, uint64(i))), nth: map[string]int{}, wrote: map[string]string{}}
		for _, h := range p.handlers() {
			informer.AddEventHandler(handle(r, h.name, h).(cache.ResourceEventHandler))
		}
		programs = append(programs, p)
	}
	stop := make(chan struct{})
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	var workers, sources sync.WaitGroup
	for _, p := range programs {
		for range 2 {
			workers.Go(func() { p.work(informer.GetStore(), client, key) })
		}
		sources.Go(func() { p.source(stop) })
	}
	r.Wait(func() bool {
		enough := true
		for _, p := range programs {
			p.mu.Lock()
			enough = enough && p.done >= mostWrites && len(p.marks) > 400
			p.mu.Unlock()
		}
		return enough && r.Counted("resync") > 20
	})
	r.Wait(func() bool { // what was added by then is got
		for _, p := range programs {
			p.mu.Lock()
			busy := p.busy
			p.mu.Unlock()
			if busy > 0 || p.q.Len() > 0 {
				return false
			}
		}
		return true
	})
	close(stop)
	sources.Wait()
	for _, p := range programs {
		p.q.ShutDown() // while handlers and timers add
	}
	workers.Wait()
	r.Server.Stop()
	for _, p := range programs {
		p.mu.Lock() // whoever still adds, is not recorded any more
		defer p.mu.Unlock()
	}
	if err := r.Rec.Close(); err != nil || r.Rec.Lost() > 0 {
		t.Fatal(err, r.Rec.Lost())
	}
	r.http.CloseClientConnections()
	r.http.Close()
	log := &worker.Log{}
	tr, err := file.Read(bytes.NewReader(r.out.Bytes()), format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatal(err, tr.Problems)
	}
	for _, p := range programs {
		p.check(t, tr, log)
	}
	if gets := triggers.List(tr, log); !t.Failed() {
		checkTriggers(t, programs, log, gets)
	}
}

// mostWrites is how often each program writes.
const mostWrites = 100

// handlers returns those that the program has: each adds in another way.
func (p *program[T]) handlers() []marker {
	return []marker{
		{p.r, p.name + " maps", func(mark, key string) {
			if p.chance(5) {
				return // a predicate
			}
			p.add(mark, func() { p.q.Add(p.item(key)) })
			if p.chance(3) {
				p.add(mark, func() { p.q.Add(p.item("shop/a")) })
			}
		}},
		{p.r, p.name + " delays", func(mark, key string) {
			if p.chance(2) {
				p.add(mark, func() { p.q.AddAfter(p.item(key), 3*time.Millisecond) })
			}
		}},
		{p.r, p.name + " limits", func(mark, key string) {
			if p.chance(4) {
				p.add(mark, func() { p.q.AddRateLimited(p.item(key)) })
			}
		}},
		{p.r, p.name + " spawns", func(_, key string) {
			if p.chance(30) {
				go p.add(nobody, func() { p.q.Add(p.item(key)) })
			}
		}},
	}
}

// source adds from channels and timers, and somebody else writes meanwhile.
func (p *program[T]) source(stop <-chan struct{}) {
	for i := range 100 {
		select {
		case <-stop:
			return
		case <-time.After(3 * time.Millisecond):
		}
		name := Parents[i%len(Parents)]
		p.r.Server.Touch(name, i)
		if p.chance(3) {
			record.Because(p.r.Rec, "channel", func() {
				p.add("channel", func() { p.q.Add(p.item("shop/" + name)) })
			})
		}
		if p.chance(20) {
			time.AfterFunc(time.Millisecond, func() { p.add(nobody, func() { p.q.Add(p.item("shop/b")) }) })
		}
	}
}

type requeueAfter struct{ RequeueAfter time.Duration }

func reconcileMark(key string, nth int) string { return fmt.Sprintf("reconcile %d of %s", nth, key) }

// work runs a worker, which adds its item again where the reconcile asks for it.
func (p *program[T]) work(store cache.Store, client *kubernetes.Clientset, key func(T) string) {
	reconcile := record.Reconcile(p.r.Rec, p.name, func(ctx context.Context, i T) (requeueAfter, error) { return p.reconcile(ctx, store, client, key(i)) })
	for {
		i, shutdown := p.q.Get()
		if shutdown {
			return
		}
		result, err := reconcile(context.Background(), i)
		p.mu.Lock()
		mark := reconcileMark(key(i), p.nth[key(i)])
		p.mu.Unlock()
		switch {
		case err != nil:
			p.add(mark, func() { p.q.AddRateLimited(i) })
		case result.RequeueAfter > 0:
			p.q.Forget(i)
			p.add(mark, func() { p.q.AddAfter(i, result.RequeueAfter) })
		default:
			p.q.Forget(i)
		}
		p.q.Done(i)
	}
}

func (p *program[T]) reconcile(ctx context.Context, store cache.Store, client *kubernetes.Clientset, key string) (requeueAfter, error) {
	p.mu.Lock()
	p.nth[key]++
	p.busy++
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.busy--
	}()
	mark := reconcileMark(key, p.nth[key])
	write := p.done < mostWrites
	p.mu.Unlock()
	obj, exists, err := store.GetByKey(key)
	if err != nil || !exists {
		return requeueAfter{}, err
	}
	if write && p.chance(2) {
		o := obj.(*corev1.ConfigMap).DeepCopy()
		o.Annotations = map[string]string{"by": p.name + " " + mark}
		updated, err := client.CoreV1().ConfigMaps("shop").Update(ctx, o, metav1.UpdateOptions{})
		p.mu.Lock()
		p.done++
		if err == nil {
			p.wrote[updated.ResourceVersion] = mark
		}
		p.mu.Unlock()
		if err != nil {
			return requeueAfter{}, err
		}
	}
	if p.chance(10) {
		p.add(mark, func() { p.q.Add(p.item("shop/c")) })
	}
	switch {
	case p.chance(10):
		return requeueAfter{}, errors.New("it fails")
	case p.chance(6):
		return requeueAfter{2 * time.Millisecond}, nil
	}
	return requeueAfter{}, nil
}

// check holds the causes of the recorded Adds against the marks.
func (p *program[T]) check(t *testing.T, tr *trace.Trace, log *worker.Log) {
	calls, reconciles, nth := map[int64]string{}, map[int64]string{}, map[string]int{}
	for _, r := range tr.Resources {
		for _, h := range r.Handlers {
			for _, c := range h.Calls {
				calls[c.ID] = callMark(h.Name, c.Fn.String(), r.Table.KeyText(c.Key), r.Table.RVText(c.OldRV), r.Table.RVText(c.RV))
			}
		}
	}
	for _, i := range log.Order() {
		if x := log.Reconciles[i]; x.Controller == p.name {
			nth[x.Key]++
			reconciles[x.ID] = reconcileMark(x.Key, nth[x.Key])
		}
	}
	i, known, missing := 0, 0, 0
	for _, q := range log.Queued {
		if q.Queue != p.name || len(q.Fn) < 3 || q.Fn[:3] != "Add" {
			continue
		}
		if i == len(p.marks) {
			t.Fatalf("%s: more Adds are recorded than were made", p.name)
		}
		want, got := p.marks[i], nobody
		i++
		switch {
		case q.From != "":
			got = q.From
		case calls[q.In] != "":
			got = calls[q.In]
		case reconciles[q.In] != "":
			got = reconciles[q.In]
		}
		if want != nobody {
			known++
		}
		switch {
		case got == want:
		case got == nobody:
			missing++
			t.Logf("%s: %s of %s is by %s, and nobody knows", p.name, q.Fn, q.Key, want)
		default:
			t.Errorf("%s: %s of %s is by %s, and the recording says %s", p.name, q.Fn, q.Key, want, got)
		}
	}
	t.Logf("%s: of %d Adds with a cause, %d lack it; %d have none", p.name, known, missing, i-known)
	if i != len(p.marks) || missing*100 > known {
		t.Errorf("%s: %d Adds are recorded of %d, and of %d causes %d are missing", p.name, i, len(p.marks), known, missing)
	}
}

// checkTriggers holds what is said of the Gets against what the programs wrote.
func checkTriggers[T any](t *testing.T, programs []*program[T], log *worker.Log, gets []triggers.Get) {
	wrote := map[string]string{} // by version: the controller
	for _, p := range programs {
		for rv := range p.wrote {
			wrote[rv] = p.name
		}
	}
	certain, classes := 0, map[triggers.Class]int{}
	for _, g := range gets {
		if g.Reconcile == nil {
			t.Errorf("nobody knows which reconcile the Get of %s at %d began", g.Key, g.Queued.Time)
		}
		if len(g.Causes) > 0 {
			certain++
		}
		for _, c := range g.Causes {
			classes[c.Class]++
			if c.Call == nil || c.Resource == nil {
				continue
			}
			want := triggers.Event
			switch by := wrote[c.Resource.Table.RVText(c.Call.RV)]; {
			case c.Class == triggers.Initial || c.Call.OldRV == c.Call.RV:
				want = c.Class
			case by == g.Queue:
				want = triggers.OwnWrite
			case by != "":
				want = triggers.OtherWrite
			}
			if c.Class != want && c.Class != triggers.Change {
				t.Errorf("the %s of %s is said to be by %s, and is by %s", g.Key, g.Queue, c.Class, want)
			}
		}
	}
	t.Logf("%d of %d Gets have a cause; %v", certain, len(gets), classes)
	if certain*100 < 95*len(gets) || classes[triggers.Change] > 0 {
		t.Errorf("of %d Gets only %d have a cause; %v", len(gets), certain, classes)
	}
	for _, class := range []triggers.Class{triggers.OwnWrite, triggers.Event, triggers.Backoff, triggers.RequeueAfter} { // each occurs hundreds of times
		if classes[class] == 0 {
			t.Errorf("no Get is by %s", class)
		}
	}
}
