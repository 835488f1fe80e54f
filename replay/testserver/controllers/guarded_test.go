package controllers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/controllerruntime"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// episode is an owner, and what its controller does to it.
type episode struct {
	key     client.ObjectKey
	touches []time.Duration // when it is touched, after it was created
	lost    bool            // the answer to the first write

	own      map[string]written // the last write of each object
	attempts []attempt
	harm     int
	turn     int // counters of the races
	noted    int
}

// written is a write that was answered.
type written struct {
	rv   int64
	gone bool
}

// attempt is a reconcile, as somebody sees it who knows all.
type attempt struct {
	began, passed time.Duration // passed is when it had read what it needs; 0 for one that was held back
	lacks         string        // what it read without its last own write: kinds and names
}

// visit is a reconcile of an owner.
type visit struct {
	*episode
	guard
	client   client.Client
	direct   client.Reader
	owner    *corev1.ConfigMap
	children []corev1.Secret
	before   map[string]written // episode.own when it began
	rv       int64              // of the owner, as it was read
}

// list returns the children of the owner.
func (e *episode) list(ctx context.Context, from client.Reader) ([]corev1.Secret, error) {
	var l corev1.SecretList
	err := from.List(ctx, &l, client.InNamespace(e.key.Namespace), client.MatchingLabels{"for": e.key.Name})
	slices.SortFunc(l.Items, func(a, b corev1.Secret) int { return strings.Compare(a.Name, b.Name) })
	return l.Items, err
}

func (v *visit) notFound() error {
	return apierrors.NewNotFound(schema.GroupResource{Resource: "configmaps"}, v.key.Name)
}

func number(o client.Object) int64 {
	n, err := strconv.ParseInt(o.GetResourceVersion(), 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// idOf returns a name of an object that no other one has.
func idOf(o client.Object) string {
	return strings.TrimPrefix(fmt.Sprintf("%T", o), "*v1.") + "/" + o.GetName()
}

// lacks returns what the visit has read without its last own write.
func (v *visit) lacks() (all string) {
	read := map[string]int64{idOf(v.owner): v.rv}
	for i := range v.children {
		read[idOf(&v.children[i])] = number(&v.children[i])
	}
	for _, id := range slices.Sorted(maps.Keys(v.before)) {
		rv, has := read[id]
		if w := v.before[id]; w.gone && has || !w.gone && rv < w.rv {
			all += id + " "
		}
	}
	return all
}

func (v *visit) writes(o client.Object, gone bool) { v.own[idOf(o)] = written{number(o), gone} }

func (v *visit) create(ctx context.Context, labels map[string]string) error {
	all, err := v.list(ctx, v.direct) // whoever makes no use of it must not be earlier for that
	if err == nil {
		err = v.beforeCreate(v, all)
	}
	if err != nil {
		return err
	}
	child := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: v.key.Namespace, GenerateName: v.key.Name + "-", Labels: map[string]string{"for": v.key.Name}}}
	maps.Copy(child.Labels, labels)
	if err := controllerutil.SetControllerReference(v.owner, child, v.client.Scheme()); err != nil {
		return err
	}
	v.expect(v.key, 1, 0)
	if err := v.client.Create(ctx, child); err != nil {
		v.observed(v.key, 1, 0)
		return err
	}
	v.wrote(v.key, v.owner.UID, child)
	v.writes(child, false)
	return nil
}

func (v *visit) delete(ctx context.Context, child *corev1.Secret) error {
	v.expect(v.key, 0, 1)
	if err := v.client.Delete(ctx, child); err != nil {
		v.observed(v.key, 0, 1)
		return err
	}
	v.writes(child, true)
	return nil
}

func (v *visit) update(ctx context.Context, o client.Object) error {
	return v.change(o, func() error { return v.client.Update(ctx, o) })
}

// patch writes what has changed since before, whatever somebody else has made of the object.
func (v *visit) patch(ctx context.Context, o, before *corev1.ConfigMap) error {
	return v.change(o, func() error { return v.client.Patch(ctx, o, client.MergeFrom(before)) })
}

func (v *visit) change(o client.Object, write func() error) error {
	done := v.stamp(v.key, o)
	if err := write(); err != nil {
		return err
	}
	done()
	v.wrote(v.key, v.owner.UID, o)
	v.writes(o, false)
	return nil
}

// reconciler reconciles the owners of the episodes.
type reconciler struct {
	race
	guard
	client   client.Client
	direct   client.Reader
	episodes map[client.ObjectKey]*episode
	start    time.Time
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	e := r.episodes[req.NamespacedName]
	e.attempts = append(e.attempts, attempt{began: time.Since(r.start)})
	a := &e.attempts[len(e.attempts)-1]
	if err := r.ready(ctx, req.NamespacedName); err != nil {
		return reconcile.Result{}, err
	}
	v := &visit{episode: e, guard: r.guard, client: r.client, direct: r.direct, owner: &corev1.ConfigMap{}, before: maps.Clone(e.own)}
	err := r.read(ctx, v)
	a.passed = time.Since(r.start)
	if apierrors.IsNotFound(err) {
		return reconcile.Result{}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	v.rv = number(v.owner)
	a.lacks = v.lacks()
	for err = errAgain; errors.Is(err, errAgain); {
		if err = r.reconcile(ctx, v); errors.Is(err, errAgain) {
			a.lacks = v.lacks()
		}
	}
	return reconcile.Result{}, err
}

// lossyServer is the way of the controller's requests. It loses the answers to the first writes of some episodes.
type lossyServer struct {
	*testserver.Server
	lose map[string]bool // by the owner's name
}

var errLost = errors.New("the answer is lost")

func (w *lossyServer) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodGet {
		return w.Server.RoundTrip(req)
	}
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	resp, err := w.Server.RoundTrip(req)
	for name := range w.lose {
		if err == nil && (strings.Contains(req.URL.Path, "/"+name) || bytes.Contains(body, []byte(`"`+name))) {
			delete(w.lose, name)
			return nil, errLost
		}
	}
	return resp, err
}

// lags are how late the watches of owners and children are.
type lags struct{ owners, children time.Duration }

const µs = time.Microsecond

// Requests take different times, too. So no two things happen at one moment, and each run is the same.
var late = []lags{{21_370 * µs, 53_910 * µs}, {53_910 * µs, 21_370 * µs}}

// playEpisodes runs a controller with a guard. Each owner has ten seconds of its own.
func playEpisodes(t *testing.T, of race, guarded int, l lags) (all []*episode, recording []byte) {
	all = []*episode{
		{touches: []time.Duration{10_130 * µs}},
		{touches: []time.Duration{6_210 * µs, 17_470 * µs, 31_830 * µs}},
		{touches: []time.Duration{3_050 * µs, 47_090 * µs, 70_550 * µs, 89_010 * µs}},
		{touches: []time.Duration{3_050 * µs, 60_770 * µs}, lost: true},
	}
	start := time.Now()
	s := testserver.New(testserver.Options{
		Lags: func(path string) time.Duration {
			if strings.Contains(path, "configmaps") {
				return l.owners
			}
			return l.children
		},
		Delays: func(string, string) (there, back time.Duration) {
			return 500*µs + time.Since(start)*31%(211*µs), 500 * µs
		},
	})
	defer s.Close()
	w := &lossyServer{s, map[string]bool{}}
	r := &reconciler{race: of, episodes: map[client.ObjectKey]*episode{}, start: start}
	for i, e := range all {
		e.key, e.own = client.ObjectKey{Namespace: "shop", Name: fmt.Sprint("owner", i)}, map[string]written{}
		r.episodes[e.key] = e
		if e.lost {
			w.lose[e.key.Name] = true
		}
	}
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	config := &rest.Config{Host: "http://testserver", Transport: w, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	config.Wrap(rec.Wrap)
	ctx, cancel := context.WithCancel(t.Context())
	yes := guards[guarded].name == readYourWrites
	mgr, err := controllerruntime.NewManager(rec, config, ctrl.Options{
		Scheme: scheme.Scheme, Metrics: server.Options{BindAddress: "0"},
		Client: client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: &yes}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.client, r.direct = mgr.GetClient(), mgr.GetAPIReader()
	if r.guard, err = guards[guarded].guard(ctx, mgr); err != nil {
		t.Fatal(err)
	}
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	wake := func(o client.Object, q queue, created, deleted int) {
		key := client.ObjectKey{Namespace: o.GetNamespace(), Name: o.GetLabels()["for"]}
		r.observed(key, created, deleted)
		q.Add(reconcile.Request{NamespacedName: key})
	}
	err = ctrl.NewControllerManagedBy(mgr).Named(of.name).For(&corev1.ConfigMap{}).Watches(&corev1.Secret{}, handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q queue) { wake(e.Object, q, 1, 0) },
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q queue) { wake(e.ObjectNew, q, 0, 0) },
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q queue) { wake(e.Object, q, 0, 1) },
	}).Complete(r)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- mgr.Start(ctx) }()
	time.Sleep(time.Second)

	others, err := client.New(&rest.Config{Host: "http://testserver", Transport: s, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range all {
		for range of.children {
			must(others.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", GenerateName: e.key.Name + "-", Labels: map[string]string{"for": e.key.Name}}}))
		}
		time.Sleep(time.Second)
		owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: e.key.Name, Annotations: map[string]string{touched: "0"}}}
		must(others.Create(ctx, owner))
		now := time.Duration(0)
		for i, at := range e.touches {
			time.Sleep(at - now)
			now = at
			must(others.Patch(ctx, owner, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"annotations":{%q:"%d"}}}`, touched, i+1))))
		}
		time.Sleep(4 * time.Second)
		v := &visit{episode: e, owner: owner}
		must(others.Get(ctx, e.key, v.owner))
		v.children, err = v.list(ctx, others)
		must(err)
		e.harm = of.harm(v)
		time.Sleep(time.Second)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := rec.Close(); err != nil || rec.Lost() > 0 {
		t.Fatal(err, rec.Lost())
	}
	time.Sleep(10 * time.Minute) // what waits for a time ends
	return all, out.Bytes()
}

// TestGuards runs each controller without a guard, and with each guard. What report/controller says of the recording without one is
// what comes about: who would have been held back is, for as long, and reads what it would have read.
func TestGuards(t *testing.T) {
	var all tally
	outcomes := make([]outcome, len(guards))
	for _, of := range races {
		harm := 0
		for i, l := range late {
			t.Run(fmt.Sprint(of.name, i), func(t *testing.T) {
				var bare []*episode
				var said *prediction
				for g := range guards {
					synctest.Test(t, func(t *testing.T) {
						got, recording := playEpisodes(t, of, g, l)
						for _, e := range got {
							outcomes[g].add(e)
						}
						if g == 0 {
							bare, said = got, predict(t, got, recording)
							return
						}
						all.compare(t, guards[g].name, bare, got, said)
					})
				}
				for _, e := range bare {
					harm += e.harm
				}
			})
		}
		if harm == 0 {
			t.Errorf("%s: nothing goes wrong without a guard", of.name)
		}
	}
	for g, of := range guards {
		t.Logf("%s: %+v", of.name, outcomes[g])
	}
	t.Logf("%+v", all)
	if all.Unknown*3 > all.Yes+all.No+all.Unknown || all.Yes < 100 || all.No < 100 || all.Waits < 100 {
		t.Errorf("%+v", all)
	}
}

// prediction is what is said of a recording without a guard.
type prediction struct {
	controller.Guarded
	nth map[int64]int // by a reconcile's id: its number among its owner's reconciles
}

// predict returns what is said of a recording, which has each reconcile.
func predict(t *testing.T, all []*episode, recording []byte) *prediction {
	var log worker.Log
	tr, err := file.Read(bytes.NewReader(recording), format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatal(err, tr.Problems)
	}
	said := controller.Summarise(tr, &log).Guards()
	if len(said) != 1 {
		t.Fatalf("%+v", said)
	}
	p, reconciles := &prediction{said[0], map[int64]int{}}, map[string]int{}
	for _, x := range log.Reconciles {
		p.nth[x.ID] = reconciles[x.Key]
		reconciles[x.Key]++
	}
	stale := map[string]bool{}
	for _, s := range p.Stale {
		stale[fmt.Sprintf("%s %d", s.Key, p.nth[s.Reconcile])] = true
	}
	for _, e := range all {
		if n := reconciles[e.key.String()]; n != len(e.attempts) {
			t.Fatalf("%d reconciles of %s are recorded, of %d", n, e.key, len(e.attempts))
		}
		for i, a := range e.attempts {
			if is := stale[fmt.Sprintf("%s %d", e.key, i)]; is != (a.lacks != "") {
				t.Errorf("reconcile %d of %s lacks %q, and is stale: %v", i, e.key, a.lacks, is)
			}
		}
	}
	return p
}

// tally counts what was held against what came about.
type tally struct {
	Yes, No, Unknown int
	Waits            int // that were known
	Other            int // of reconciles that didn't begin with the guard
}

// outcome is what came about with a guard.
type outcome struct{ Lack, Harm int }

func (o *outcome) add(e *episode) {
	o.Harm += e.harm
	for _, a := range e.attempts {
		if a.lacks != "" {
			o.Lack++
		}
	}
}

// compare holds what came about with a guard against what was said of the episodes without one.
func (all *tally) compare(t *testing.T, guard string, bare, got []*episode, said *prediction) {
	g := slices.IndexFunc(said.Guards, func(of controller.Guard) bool { return of.Name == guard })
	for i, e := range bare {
		now := got[i]
		changed := e.lost && guard == uncachedList // whether the guard has changed what the controller does: it shows what the lost write has made
		yes, no := 0, 0
		fail := func(s controller.Guarding, what string) {
			t.Errorf("%s: reconcile %d of %s, %+v: %s\nwithout %+v\nwith %+v", guard, said.nth[s.Reconcile], s.Key, s.Answers[g], what, e.attempts, now.attempts)
		}
		for _, s := range said.Stale {
			if s.Key != e.key.String() {
				continue
			}
			a := s.Answers[g]
			began := e.attempts[said.nth[s.Reconcile]].began
			same := slices.IndexFunc(now.attempts, func(x attempt) bool { return x.began == began })
			switch a.Helps {
			case controller.Yes:
				all.Yes++
				yes++
			case controller.No:
				all.No++
				no++
			default:
				all.Unknown++
			}
			switch {
			case a.Helps == controller.Unknown:
			case same < 0:
				all.Other++
				if !changed {
					fail(s, "it doesn't begin")
				}
			default:
				read := slices.IndexFunc(now.attempts[same:], func(x attempt) bool { return x.passed != 0 })
				if read < 0 {
					fail(s, "nobody reads")
					break
				}
				x := now.attempts[same+read]
				lacked := e.attempts[said.nth[s.Reconcile]].lacks
				lacks := x.lacks
				if changed { // it has written something else, which the guard may not take note of
					lacks = commonWords(lacks, lacked)
				}
				if (a.Helps == controller.Yes) != (lacks == "") {
					fail(s, fmt.Sprintf("it lacks %q", lacks))
				}
				if !changed {
					all.Waits++
					if wait := x.passed - began; int64(wait) != a.Wait {
						fail(s, fmt.Sprintf("it waits %v", wait))
					}
				}
				changed = changed || x.lacks != lacked
			}
			changed = changed || a.Helps != controller.No || a.Wait > 0
		}
		twice := 0
		for _, d := range said.Duplicates {
			if d.Key == e.key.String() && d.Answers[g].Helps != controller.Yes {
				twice++
			}
		}
		switch {
		case !changed && !slices.Equal(e.attempts, now.attempts):
			t.Errorf("%s: nothing changes for %s:\nwithout %+v\nwith %+v", guard, e.key, e.attempts, now.attempts)
		case !changed && e.harm != now.harm, yes > 0 && no == 0 && twice == 0 && !e.lost && now.harm != 0:
			t.Errorf("%s: %d of the %d reads of %s are right, %d created twice, %d harm without it, and %d with it:\nwithout %+v\nwith %+v", guard, yes, yes+no, e.key, twice, e.harm, now.harm, e.attempts, now.attempts)
		}
	}
}

// commonWords returns the words of all whose kind is also in others.
func commonWords(all, others string) (some string) {
	for _, id := range strings.Fields(all) {
		if kind, _, _ := strings.Cut(id, "/"); strings.Contains(others, kind+"/") {
			some += id + " "
		}
	}
	return some
}
