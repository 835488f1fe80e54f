package clientgo

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/testserver/explore"
)

// work is how much of the processor f takes.
func work(t *testing.T, f func()) time.Duration {
	t.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	runtime.GC() // of what was before
	before := used()
	f()
	return used() - before
}

// canned answers each PUT with the same refusal.
type canned struct{ http.RoundTripper }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPut {
		return c.RoundTripper.RoundTrip(r)
	}
	const status = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"configmaps \"missing\" not found","reason":"NotFound","details":{"name":"missing","kind":"configmaps"},"code":404}`
	return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(status)), Request: r}, nil
}

// TestBackOffCosts holds what five minutes cost in which a controller tries a write again, and backs off as its
// workqueue says. They are at most three times an empty bubble with the same client: one in which the informer runs
// for five minutes, too, and nothing fails. With the same 17 requests, answered without a server, client-go needs most
// of it. Each turn has its own quotient, because other programs make turns differ.
func TestBackOffCosts(t *testing.T) {
	bubble := func(fails, served bool) time.Duration {
		return work(t, func() {
			run(t, func(ctx context.Context, s *testserver.Server, config *rest.Config) {
				if !served {
					config.Transport = canned{config.Transport}
				}
				client := kubernetes.NewForConfigOrDie(config)
				factory := informers.NewSharedInformerFactory(client, 0)
				factory.Core().V1().ConfigMaps().Informer()
				factory.Start(ctx.Done())
				factory.WaitForCacheSync(ctx.Done())
				queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
				go func() {
					for {
						name, down := queue.Get()
						if down {
							return
						}
						if _, err := client.CoreV1().ConfigMaps("shop").Update(ctx, configMap(name), metav1.UpdateOptions{}); err != nil {
							queue.AddRateLimited(name)
						}
						queue.Done(name)
					}
				}()
				if fails {
					queue.Add("missing")
				}
				time.Sleep(5 * time.Minute)
				queue.ShutDown()
			})
		})
	}
	const turns = 101
	var empties, fulls []time.Duration
	var times, served []float64
	for range turns {
		empty, own, full := bubble(false, true), bubble(true, false), bubble(true, true)
		empties, fulls = append(empties, empty), append(fulls, full)
		times, served = append(times, full.Seconds()/empty.Seconds()), append(served, full.Seconds()/own.Seconds())
	}
	slices.Sort(empties)
	slices.Sort(fulls)
	slices.Sort(times)
	slices.Sort(served)
	t.Logf("an empty bubble takes %v of the processor, five minutes of back-off %v: %.2f times that, and %.2f times as much as without a server",
		empties[turns/2], fulls[turns/2], times[turns/2], served[turns/2])
	if times[turns/2] > 3 {
		t.Errorf("that is more than three times an empty bubble")
	}
}

// pairs is a small controller on client-go: each configmap wants a secret of its name.
func pairs(r *explore.Run) {
	client := kubernetes.NewForConfigOrDie(&rest.Config{Host: explore.Host, Transport: r.Transport, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	factory := informers.NewSharedInformerFactory(client, 0)
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	secrets := factory.Core().V1().Secrets().Lister().Secrets("shop")
	factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { queue.Add(o.(*corev1.ConfigMap).Name) },
		UpdateFunc: func(_, o any) { queue.Add(o.(*corev1.ConfigMap).Name) },
	})
	factory.Start(r.Context().Done())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		factory.WaitForCacheSync(r.Context().Done())
		for {
			name, down := queue.Get()
			if down {
				return
			}
			if _, err := secrets.Get(name); apierrors.IsNotFound(err) {
				secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}}
				if _, err := client.CoreV1().Secrets("shop").Create(r.Context(), secret, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
					queue.AddRateLimited(name)
				}
			}
			queue.Done(name)
		}
	}()
	r.Cleanup(func() {
		queue.ShutDown()
		<-ended
		factory.Shutdown()
	})
	direct := kubernetes.NewForConfigOrDie(&rest.Config{Host: explore.Host, Transport: r.Server, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	for _, name := range []string{"a", "b", "c"} {
		if _, err := direct.CoreV1().ConfigMaps("shop").Create(r.Context(), configMap(name), metav1.CreateOptions{}); err != nil {
			r.Fatal(err)
		}
	}
	time.Sleep(2 * time.Minute)
	l, err := direct.CoreV1().Secrets("shop").List(r.Context(), metav1.ListOptions{})
	if err != nil {
		r.Fatal(err)
	}
	if len(l.Items) != 3 {
		r.Errorf("there are %d secrets", len(l.Items))
	}
}

// TestAThousandSchedules holds that they take half a minute of two cores at most.
func TestAThousandSchedules(t *testing.T) {
	took := work(t, func() { explore.Explore(t, explore.Options{Runs: 1000}, pairs) })
	t.Logf("1000 schedules take %v of the processor", took)
	if took > time.Minute {
		t.Errorf("that is more than two cores have in 30 s")
	}
}
