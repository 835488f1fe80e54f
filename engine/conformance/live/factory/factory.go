// Package factory checks what a SharedInformerFactory of client-go does, which the scripts
// 10-factory and 10-factory-versions of engine/script show. It is a package of its own
// because the clientset is large.
package factory

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/api/apps/v1beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// server is an API server that holds one deployment and one pod, and counts requests.
type server struct {
	mu    sync.Mutex
	asked map[string]int
}

// lists are the answers to list requests, by their paths.
var lists = map[string]string{
	"/apis/apps/v1/deployments":      list("Deployment", "apps/v1"),
	"/apis/apps/v1beta1/deployments": list("Deployment", "apps/v1beta1"),
	"/api/v1/pods":                   list("Pod", "v1"),
}

func list(kind, version string) string {
	return fmt.Sprintf(`{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"namespace":"default","name":"web","resourceVersion":"1"}}]}`, kind, version)
}

// silence is the body of a watch on which nothing comes before it is closed.
type silence chan struct{}

func (s silence) Read([]byte) (int, error) {
	<-s
	return 0, io.ErrClosedPipe
}

func (s silence) Close() error {
	close(s)
	return nil
}

func (s *server) RoundTrip(q *http.Request) (*http.Response, error) {
	what, body := "list ", io.ReadCloser(nil)
	answer := func(status int, body io.ReadCloser) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: q}, nil
	}
	asks := q.URL.Query()
	switch {
	case asks.Has("sendInitialEvents"): // it can't stream lists, and is asked for a list then
		return answer(http.StatusUnprocessableEntity, io.NopCloser(strings.NewReader(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422}`)))
	case asks.Has("watch"):
		what, body = "watch ", make(silence)
	default:
		body = io.NopCloser(strings.NewReader(lists[q.URL.Path]))
	}
	s.mu.Lock()
	s.asked[what+q.URL.Path]++
	s.mu.Unlock()
	return answer(http.StatusOK, body)
}

func (s *server) requests() map[string]int {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked)
}

// Shares checks that a factory makes one informer for each Go type, starts each once, and
// waits for those that it has started.
func Shares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{asked: map[string]int{}}
		client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://cluster", Transport: s})
		if err != nil {
			t.Fatal(err)
		}
		f := informers.NewSharedInformerFactory(client, time.Hour) // without resyncs, v0.22 waits on a channel from outside the bubble
		stop := make(chan struct{})
		defer synctest.Wait()
		defer close(stop)

		v1, old := f.Apps().V1().Deployments().Informer(), f.Apps().V1beta1().Deployments().Informer()
		byResource, err := f.ForResource(appsv1.SchemeGroupVersion.WithResource("deployments"))
		if err != nil {
			t.Fatal(err)
		}
		if again := f.Apps().V1().Deployments().Informer(); again.GetIndexer() != v1.GetIndexer() || byResource.Informer().GetIndexer() != v1.GetIndexer() {
			t.Error("asking the factory again gives another informer")
		}
		if old.GetIndexer() == v1.GetIndexer() {
			t.Error("two versions of the API share one informer")
		}
		if got := s.requests(); len(got) > 0 {
			t.Error("before Start it asks for", got)
		}
		if got := f.WaitForCacheSync(stop); len(got) > 0 {
			t.Error("WaitForCacheSync waits for informers that were not started:", got)
		}

		once := map[string]int{"list /apis/apps/v1/deployments": 1, "watch /apis/apps/v1/deployments": 1, "list /apis/apps/v1beta1/deployments": 1, "watch /apis/apps/v1beta1/deployments": 1}
		for _, call := range []string{"Start", "a second Start"} {
			f.Start(stop)
			if got, want := f.WaitForCacheSync(stop), synced(&appsv1.Deployment{}, &v1beta1.Deployment{}); !maps.Equal(got, want) {
				t.Errorf("after %s, WaitForCacheSync returns %v, not %v", call, got, want)
			}
			if got := s.requests(); !maps.Equal(got, once) {
				t.Errorf("after %s the requests are %v, not %v", call, got, once)
			}
		}
		for _, x := range []cache.SharedIndexInformer{v1, old} {
			if keys := x.GetStore().ListKeys(); !slices.Equal(keys, []string{"default/web"}) {
				t.Error("its cache holds", keys)
			}
		}
		if got, err := f.Apps().V1().Deployments().Lister().Deployments("default").Get("web"); err != nil || any(got) != v1.GetStore().List()[0] {
			t.Error("the lister has another cache:", got, err)
		}

		pods := f.Core().V1().Pods().Informer()
		if got := f.WaitForCacheSync(stop); len(got) != 2 || pods.HasSynced() {
			t.Error("WaitForCacheSync waits for an informer that was asked for after Start:", got)
		}
		f.Start(stop)
		if got, want := f.WaitForCacheSync(stop), synced(&appsv1.Deployment{}, &v1beta1.Deployment{}, &corev1.Pod{}); !maps.Equal(got, want) {
			t.Errorf("after a third Start, WaitForCacheSync returns %v, not %v", got, want)
		}
		once["list /api/v1/pods"], once["watch /api/v1/pods"] = 1, 1
		if got := s.requests(); !maps.Equal(got, once) {
			t.Errorf("after a third Start the requests are %v, not %v", got, once)
		}
	})
}

func synced(types ...any) map[reflect.Type]bool {
	out := map[reflect.Type]bool{}
	for _, x := range types {
		out[reflect.TypeOf(x)] = true
	}
	return out
}
