package causes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/testserver"
)

// mistaken is a manager with one controller of ConfigMaps, and what its mistake needs.
type mistaken struct {
	client.Client
	server  *testserver.Server
	mgr     manager.Manager
	rec     *record.Recorder
	direct  client.Client // that isn't recorded
	mute    atomic.Bool   // the watch brings nothing
	silent  atomic.Bool   // nothing that is read is answered
	answers chan struct{} // closed when it is
	lost    atomic.Bool   // the answer to the next create
	slow    atomic.Int64  // so late is the watch
	tries   int
	ends    context.Context // when the program does
}

// rows are the mistakes that people make in controllers. Those of client-go are in replay/report/recordings.
var rows = []struct {
	mistake, rule, says string
	before              func(p *mistaken) // the manager starts
	predicate           predicate.Predicate
	decodes             time.Duration // so long the client takes to decode what has come on a watch
	workers             int           // 0 is 2
	managers            bool          // the server notes who manages which fields
	reconcile           func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error)
	lasts               time.Duration
	since               int // the first minor version that can make it
}{
	{mistake: "a predicate blocks for ever", rule: "stuck-handler", lasts: time.Minute,
		predicate: predicate.NewPredicateFuncs(func(o client.Object) bool { <-time.After(24 * time.Hour); return true })},
	{mistake: "a predicate blocks for some seconds", rule: "slow-handler", lasts: time.Minute,
		predicate: predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { <-time.After(3 * time.Second); return true }}},
	{mistake: "a predicate changes an object of the cache", rule: "cache-changed", lasts: 10 * time.Second,
		predicate: predicate.Funcs{CreateFunc: func(e event.CreateEvent) bool { e.Object.SetLabels(map[string]string{"seen": "yes"}); return true }}},
	{mistake: "it asks for another reconcile at once", rule: "hot-loop", says: said.Texts["feeder.requeueAfter"], lasts: time.Minute,
		reconcile: func(_ *mistaken, _ context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			return reconcile.Result{RequeueAfter: 20 * time.Millisecond}, nil
		}},
	{mistake: "it writes what it watches", rule: "own-writes", lasts: 5 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			<-time.After(time.Second)
			o.Data = map[string]string{"at": time.Now().String()}
			return reconcile.Result{}, p.Update(ctx, o)
		}},
	{mistake: "it writes what is there", rule: "no-op-writes", says: "configmaps", lasts: 2 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			o.Labels["done"] = "yes"
			return reconcile.Result{RequeueAfter: 4 * time.Second}, p.Update(ctx, o)
		}},
	{mistake: "it sends a patch that is empty", rule: "no-op-writes", lasts: 2 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			was := o.DeepCopy()
			o.Labels["done"] = "yes"
			return reconcile.Result{RequeueAfter: time.Second}, p.Patch(ctx, o, client.MergeFrom(was))
		}},
	{mistake: "it applies the same again", rule: "no-op-writes", managers: true, lasts: 2 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			what := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"of": o.Name},
				"metadata": map[string]any{"namespace": "shop", "name": "applied"}}}
			return reconcile.Result{RequeueAfter: 4 * time.Second}, p.Patch(ctx, what, client.Apply, client.FieldOwner("rows"))
		}},
	{mistake: "none, though it writes what is there half as often", lasts: 2 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 11 {
				return reconcile.Result{}, nil
			}
			o.Labels["done"] = "yes"
			return reconcile.Result{RequeueAfter: 4 * time.Second}, p.Update(ctx, o)
		}},
	{mistake: "none, since it looks whether there is something to write", lasts: 2 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			_, err := controllerutil.CreateOrUpdate(ctx, p, o, func() error { o.Labels["done"] = "yes"; return nil })
			return reconcile.Result{RequeueAfter: time.Second}, err
		}},
	{mistake: "other keys wait for one that is slow", rule: "slow-reconcile", says: "of shop/a took 12.0 s", workers: 1, lasts: time.Minute, reconcile: takes(12 * time.Second)},
	{mistake: "none, though other keys wait half as long", workers: 1, lasts: time.Minute, reconcile: takes(5 * time.Second)},
	{mistake: "none, though one is slow, since there is another worker", lasts: time.Minute, reconcile: takes(12 * time.Second)},
	{mistake: "it always fails", rule: "always-failing", says: "no such zone", lasts: 5 * time.Minute,
		reconcile: func(*mistaken, context.Context, *corev1.ConfigMap) (reconcile.Result, error) {
			return reconcile.Result{}, errors.New("no such zone")
		}},
	{mistake: "conflicts come without end", rule: "conflicts", lasts: 2 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 20 {
				return reconcile.Result{}, nil
			}
			o.ResourceVersion = "1"
			if err := p.Update(ctx, o); err == nil {
				return reconcile.Result{}, errors.New("no conflict")
			}
			return reconcile.Result{RequeueAfter: 3 * time.Second}, nil
		}},
	{mistake: "a reconcile doesn't return", rule: "stuck-reconcile", lasts: time.Minute,
		reconcile: func(_ *mistaken, ctx context.Context, _ *corev1.ConfigMap) (reconcile.Result, error) {
			<-ctx.Done()
			return reconcile.Result{}, nil
		}},
	{mistake: "a reconcile panics", rule: "reconcile-panic", lasts: 10 * time.Second,
		reconcile: func(p *mistaken, _ context.Context, _ *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries == 1 {
				panic("planted")
			}
			return reconcile.Result{}, nil
		}},
	{mistake: "an index function panics", rule: "function-panic", says: "data.zone", lasts: 10 * time.Second,
		before: func(p *mistaken) {
			utilruntime.ReallyCrash = false
			first := true
			p.mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.ConfigMap{}, "data.zone", func(client.Object) []string {
				if first {
					first = false
					panic("planted")
				}
				return nil
			})
		}},
	{mistake: "the watch is mute, and the controller writes", rule: "unseen-writes", lasts: 2 * time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.mute.Swap(true) {
				return reconcile.Result{}, nil
			}
			o.Labels = map[string]string{"done": "yes"}
			return reconcile.Result{}, p.Update(ctx, o)
		}},
	{mistake: "it reads a cache that is late, and creates twice", rule: "duplicates", lasts: 20 * time.Second,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			var children corev1.ConfigMapList
			if err := p.List(ctx, &children, client.MatchingLabels{"parent": o.Name}); err != nil || len(children.Items) > 0 || p.tries == 2 {
				return reconcile.Result{}, err
			}
			p.tries++
			p.mute.Store(true)
			child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", GenerateName: "a-", Labels: map[string]string{"parent": o.Name}}}
			return reconcile.Result{RequeueAfter: time.Second}, p.Create(ctx, child)
		}},
	{mistake: "the same, and the answer to a create is lost", rule: "duplicates", says: said.Texts["lost"], lasts: 20 * time.Second,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 2 {
				return reconcile.Result{}, nil
			}
			p.lost.Store(p.tries == 1)
			p.slow.Store(int64(time.Second))
			return reconcile.Result{}, p.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", GenerateName: "a-", Labels: map[string]string{"parent": o.Name},
				OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(o, corev1.SchemeGroupVersion.WithKind("ConfigMap"))}}})
		}},
	{mistake: "it creates twice, while the informer has the first one, and not yet in its cache", rule: "duplicates", since: 24, lasts: 20 * time.Second,
		decodes: 100 * time.Millisecond,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			var children corev1.ConfigMapList
			if err := p.List(ctx, &children, client.MatchingLabels{"parent": o.Name}); err != nil || len(children.Items) > 0 {
				return reconcile.Result{}, err
			}
			child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", GenerateName: "a-", Labels: map[string]string{"parent": o.Name}}}
			return reconcile.Result{RequeueAfter: 60 * time.Millisecond}, p.Create(ctx, child)
		}},
	{mistake: "none, though the second create comes just after the informer has put the first one into its cache", lasts: 20 * time.Second,
		decodes: 50 * time.Millisecond,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			var children corev1.ConfigMapList
			if err := p.List(ctx, &children, client.MatchingLabels{"parent": o.Name}); err != nil || len(children.Items) > 1 {
				return reconcile.Result{}, err
			}
			child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", GenerateName: "a-", Labels: map[string]string{"parent": o.Name}}}
			return reconcile.Result{RequeueAfter: 60 * time.Millisecond}, p.Create(ctx, child)
		}},
	{mistake: "it reads what is older than the event that has come, and writes", rule: "stale-reads", lasts: 20 * time.Second,
		decodes: 70 * time.Millisecond,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 30 {
				return reconcile.Result{}, nil
			}
			was := o.DeepCopy()
			o.Labels["try"] = fmt.Sprint(p.tries)
			return reconcile.Result{RequeueAfter: 60 * time.Millisecond}, p.Patch(ctx, o, client.MergeFrom(was))
		}},
	{mistake: "it creates twice, under names that it makes up", rule: "duplicates", says: "a-9bq4z", lasts: 20 * time.Second,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 2 {
				return reconcile.Result{}, nil
			}
			p.mute.Store(true)
			name := "a-" + []string{"x7f2k", "9bq4z"}[p.tries-1]
			return reconcile.Result{RequeueAfter: time.Second}, p.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}})
		}},
	{mistake: "none, though it creates one after another", lasts: 20 * time.Second,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 2 {
				return reconcile.Result{}, nil
			}
			p.mute.Store(true)
			return reconcile.Result{RequeueAfter: time.Second}, p.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("a-", p.tries)}})
		}},
	{mistake: "it deletes what has changed, since its cache is late", rule: "late-deletes", says: "shop/child", lasts: 20 * time.Second,
		before: func(p *mistaken) {
			p.direct.Create(context.Background(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "child"}})
		},
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 1 {
				return reconcile.Result{}, nil
			}
			p.slow.Store(int64(2 * time.Second))
			var child corev1.ConfigMap
			if err := p.direct.Get(ctx, client.ObjectKey{Namespace: "shop", Name: "child"}, &child); err != nil {
				return reconcile.Result{}, err
			}
			child.Labels = map[string]string{"keep": "yes"}
			if err := p.direct.Update(ctx, &child); err != nil {
				return reconcile.Result{}, err
			}
			return reconcile.Result{}, p.Delete(ctx, &child)
		}},
	{mistake: "two controllers undo each other", rule: "undone-writes", says: "other and one", lasts: time.Minute,
		before: func(p *mistaken) {
			for _, name := range []string{"one", "other"} {
				err := ctrl.NewControllerManagedBy(p.mgr).Named(name).For(&corev1.ConfigMap{}).WithOptions(version.Options(p.rec, p.mgr, controller.Options{})).
					Complete(reconcile.Func(record.Reconcile(p.rec, name, func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
						var o corev1.ConfigMap
						if err := p.Get(ctx, req.NamespacedName, &o); err != nil || o.Name != "a" || o.Labels["by"] == name || o.Labels["by"] == "" && name != "one" {
							return reconcile.Result{}, client.IgnoreNotFound(err)
						}
						<-time.After(1300 * time.Millisecond)
						o.Labels = map[string]string{"by": name}
						return reconcile.Result{}, p.Update(ctx, &o)
					})))
				if err != nil {
					panic(err)
				}
			}
		}},
	{mistake: "it writes a list in the order of a map", rule: "reordered", says: "finalizers", lasts: time.Minute,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			<-time.After(3 * time.Second)
			p.tries++
			o.Finalizers = []string{"shop/a", "shop/b", "shop/a"}[p.tries%2:][:2]
			return reconcile.Result{}, p.Update(ctx, o)
		}},
	{mistake: "a predicate panics", rule: "handler-panic", lasts: 10 * time.Second,
		before:    func(*mistaken) { utilruntime.ReallyCrash = false },
		predicate: predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { panic("planted") }}},
	{mistake: "a handler of its own asserts a type, and meets a tombstone", rule: "handler-panic", says: said.Texts["tombstone"], lasts: 2 * time.Minute,
		before: func(p *mistaken) {
			utilruntime.ReallyCrash = false
			child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "child"}}
			p.direct.Create(context.Background(), child)
			i, err := p.mgr.GetCache().GetInformer(context.Background(), &corev1.ConfigMap{})
			if err != nil {
				panic(err)
			}
			i.AddEventHandler(toolscache.ResourceEventHandlerFuncs{DeleteFunc: func(o any) { o.(*corev1.ConfigMap).GetName() }})
			time.AfterFunc(time.Minute+time.Second, func() { // the watch doesn't bring it, and a list does
				p.mute.Store(true)
				p.direct.Delete(context.Background(), child)
				<-time.After(time.Second)
				p.mute.Store(false)
				p.server.Restart()
			})
		}},
	{mistake: "a list is never answered", rule: "not-synced", lasts: time.Minute, before: func(p *mistaken) { p.silent.Store(true) }},
	{mistake: "the watch is mute, and it doesn't write", rule: "silent-watch", since: 20, lasts: 8 * time.Minute,
		reconcile: func(p *mistaken, _ context.Context, _ *corev1.ConfigMap) (reconcile.Result, error) {
			p.mute.Store(true)
			return reconcile.Result{}, nil
		}},
	{mistake: "a streaming list has no end", rule: "not-synced", says: "streaming", since: 23, lasts: time.Minute, before: func(p *mistaken) { p.mute.Store(true) }},
	{mistake: "informers are made and never stopped", rule: "same-watch", lasts: time.Minute,
		reconcile: func(p *mistaken, _ context.Context, _ *corev1.ConfigMap) (reconcile.Result, error) {
			if p.tries++; p.tries > 5 {
				return reconcile.Result{}, nil
			}
			c, err := cache.New(p.mgr.GetConfig(), cache.Options{Scheme: p.mgr.GetScheme(), Mapper: p.mgr.GetRESTMapper(), HTTPClient: p.mgr.GetHTTPClient()})
			if err != nil {
				return reconcile.Result{}, err
			}
			go c.Start(p.ends)
			_, err = c.GetInformer(p.ends, &corev1.ConfigMap{})
			return reconcile.Result{RequeueAfter: time.Second}, err
		}},
	{mistake: "an index function returns keys of other objects", rule: "always-failing", says: "nothing is indexed under a", lasts: 5 * time.Minute,
		before: func(p *mistaken) {
			p.mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.ConfigMap{}, "name", func(o client.Object) []string { return []string{o.GetNamespace()} })
		},
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			var found corev1.ConfigMapList
			if err := p.List(ctx, &found, client.InNamespace("shop"), client.MatchingFields{"name": o.Name}); err != nil || len(found.Items) > 0 {
				return reconcile.Result{}, err
			}
			return reconcile.Result{}, errors.New("nothing is indexed under " + o.Name)
		}},
	{mistake: "none", lasts: time.Hour,
		reconcile: func(p *mistaken, ctx context.Context, o *corev1.ConfigMap) (reconcile.Result, error) {
			if o.Labels["done"] == o.Labels["n"] {
				return reconcile.Result{}, nil
			}
			o.Labels["done"] = o.Labels["n"]
			return reconcile.Result{}, p.Update(ctx, o)
		}},
}

// takes returns a reconciler that takes so long the second time, while other keys are added 2.5 s after its beginning.
func takes(d time.Duration) func(*mistaken, context.Context, *corev1.ConfigMap) (reconcile.Result, error) {
	return func(p *mistaken, _ context.Context, _ *corev1.ConfigMap) (reconcile.Result, error) {
		switch p.tries++; p.tries {
		case 1:
			return reconcile.Result{RequeueAfter: 5 * time.Second}, nil
		case 2:
			<-time.After(d)
		}
		return reconcile.Result{}, nil
	}
}

// muted keeps back what comes on watches, and other answers.
type muted struct {
	http.RoundTripper
	p *mistaken
}

func (m muted) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet && m.p.silent.Load() {
		<-m.p.answers
	}
	resp, err := m.RoundTripper.RoundTrip(r)
	if r.Method == http.MethodPost && err == nil && m.p.lost.Swap(false) {
		resp.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	if err == nil && strings.Contains(r.URL.RawQuery, "watch=true") {
		resp.Body = mutedBody{resp.Body, m.p}
	}
	return resp, err
}

// decoding keeps back what has come on watches.
type decoding struct {
	http.RoundTripper
	takes time.Duration
}

func (d decoding) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(r)
	if err == nil && d.takes > 0 && strings.Contains(r.URL.RawQuery, "watch=true") {
		resp.Body = decodingBody{resp.Body, d.takes}
	}
	return resp, err
}

type decodingBody struct {
	io.ReadCloser
	takes time.Duration
}

func (b decodingBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	<-time.After(b.takes)
	return n, err
}

type mutedBody struct {
	body io.ReadCloser
	p    *mistaken
}

func (b mutedBody) Close() error { return b.body.Close() }

func (b mutedBody) Read(into []byte) (int, error) {
	for {
		n, err := b.body.Read(into)
		if d := b.p.slow.Load(); d > 0 {
			<-time.After(time.Duration(d))
		}
		if err != nil || !b.p.mute.Load() {
			return n, err
		}
	}
}

// TestRows holds that informerscope report names each mistake, and nothing else.
func TestRows(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "informerscope")
	cmd := exec.Command("go", "build", "-o", bin, "./replay/cmd/informerscope")
	cmd.Dir = "../../../../.." // the main module
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range rows {
		r := &rows[i]
		if minor < r.since {
			continue
		}
		t.Run(r.mistake, func(t *testing.T) {
			var trace bytes.Buffer
			synctest.Test(t, func(t *testing.T) { recordRow(t, i, &trace) })
			file := filepath.Join(t.TempDir(), "controller.trace.jsonl")
			if err := os.WriteFile(file, trace.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			out, _ := exec.Command(bin, "report", file).CombinedOutput()
			var named []string
			for _, f := range findings.Rules {
				if bytes.Contains(out, []byte(said.Texts[f.ID+".title"])) {
					named = append(named, f.ID)
				}
			}
			if got := strings.Join(named, " "); got != r.rule || !strings.Contains(strings.Join(strings.Fields(string(out)), " "), r.says) {
				t.Errorf("the report names %q, want %q and %q:\n%s", got, r.rule, r.says, out)
			}
		})
	}
}

// recordRow records the program of a row.
func recordRow(t *testing.T, i int, trace *bytes.Buffer) {
	r := &rows[i]
	rec, err := record.New(trace, record.Options{CheckObjects: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := &mistaken{answers: make(chan struct{}), server: testserver.New(testserver.Options{ManagedFields: r.managers}), rec: rec}
	config := &rest.Config{Host: "http://server", QPS: -1, Transport: decoding{rec.Wrap(muted{p.server, p}), r.decodes}, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	mapper := func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
		m := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}})
		m.Add(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, meta.RESTScopeNamespace)
		return m, nil
	}
	atOnce := time.Duration(0)
	p.mgr, err = ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme.Scheme, Metrics: metricsserver.Options{BindAddress: "0"}, MapperProvider: mapper,
		GracefulShutdownTimeout: &atOnce, NewCache: version.NewCache(rec, nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Client = p.mgr.GetClient()
	plain := &rest.Config{Host: "http://server", QPS: -1, Transport: p.server, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	m, _ := mapper(nil, nil)
	if p.direct, err = client.New(plain, client.Options{Scheme: scheme.Scheme, Mapper: m}); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprint("row", i)
	var of []builder.ForOption
	if r.predicate != nil {
		of = append(of, builder.WithPredicates(r.predicate))
	}
	err = ctrl.NewControllerManagedBy(p.mgr).Named(name).For(&corev1.ConfigMap{}, of...).
		WithOptions(version.Options(rec, p.mgr, controller.Options{MaxConcurrentReconciles: cmp.Or(r.workers, 2)})).
		Complete(reconcile.Func(record.Reconcile(rec, name, func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
			var o corev1.ConfigMap
			if err := p.Get(ctx, req.NamespacedName, &o); err != nil || o.Name != "a" || r.reconcile == nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			return r.reconcile(p, ctx, &o)
		})))
	if err != nil {
		t.Fatal(err)
	}
	if r.before != nil {
		r.before(p)
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := p.direct.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: map[string]string{"n": "0"}}}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	p.ends = ctx
	ended := make(chan error)
	go func() { ended <- p.mgr.Start(ctx) }()
	for began := time.Now(); time.Since(began) < r.lasts; {
		<-time.After(r.lasts / 8)
		for _, name := range []string{"b", "c", "a"}[:2+i/(len(rows)-1)] {
			o := &corev1.ConfigMap{}
			if err := p.direct.Get(t.Context(), client.ObjectKey{Namespace: "shop", Name: name}, o); err != nil {
				t.Fatal(err)
			}
			o.Labels["n"] = time.Now().Format("150405")
			if err := p.direct.Update(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	rec.Mark("the end")
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	p.mute.Store(false)
	close(p.answers) // v0.19 leaves a goroutine behind if it is stopped before it has synced
	<-time.After(time.Minute)
	stop()
	<-ended
	<-time.After(25 * time.Hour)
	p.server.Close()
	<-time.After(time.Hour)
}
