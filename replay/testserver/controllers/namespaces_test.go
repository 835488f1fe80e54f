package controllers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/replay/testserver"
)

// forbids answers requests for the objects of a namespace with 403; for objects of no namespace if it is "".
type forbids struct {
	*testserver.Server
	namespace string
}

func (f *forbids) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.namespace != "" && strings.Contains(r.URL.Path, "/namespaces/"+f.namespace+"/") {
		return &http.Response{StatusCode: http.StatusForbidden, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	return f.Server.RoundTrip(r)
}

// describe is an object of a cache, as scripts write it.
func describe(o *corev1.ConfigMap) string {
	return o.Namespace + "/" + o.Name + "@" + o.ResourceVersion
}

// TestNamespaces plays random writes to controller-runtime's cache of two namespaces, and to the engine: the handler is called
// with the same in each namespace, and List, Get and WaitForCacheSync answer the same, for a namespace that the cache hasn't, too.
func TestNamespaces(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { playNamespaces(t, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

func playNamespaces(t *testing.T, r *rand.Rand) {
	cached := []string{"shop", "payments"}
	s := testserver.New(testserver.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	way := &forbids{s, [...]string{"", "", "", "payments"}[r.IntN(4)]}
	forbidden := way.namespace
	defer func() {
		way.namespace = "" // goroutines of the cache wait for all namespaces, and for no context
		time.Sleep(2 * time.Minute)
		cancel()
		time.Sleep(time.Minute) // what waits for a time ends
		s.Close()
	}()
	config := &rest.Config{Host: "http://testserver", Transport: way, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	direct := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://testserver", Transport: s, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"}})

	lines := []string{"profile current", "server revision=1", "informer configmaps namespaces=" + strings.Join(cached, ","), "handler h"}
	begun := false
	write := func() {
		ns, name := [...]string{"shop", "payments", "other"}[r.IntN(3)], [...]string{"a", "b", "c"}[r.IntN(3)]
		maps, key := direct.CoreV1().ConfigMaps(ns), ns+"/"+name
		o, err := maps.Get(ctx, name, metav1.GetOptions{})
		switch {
		case err != nil:
			_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
			lines = append(lines, map[bool]string{true: "create", false: "exists"}[begun]+" configmap "+key)
		case !begun:
			return
		case r.IntN(2) == 0:
			err = maps.Delete(ctx, name, metav1.DeleteOptions{})
			lines = append(lines, "delete configmap "+key)
		default:
			o.Data = map[string]string{"n": fmt.Sprint(r.Int64())}
			_, err = maps.Update(ctx, o, metav1.UpdateOptions{})
			lines = append(lines, "update configmap "+key)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range r.IntN(6) {
		write()
	}

	c, err := cache.New(config, cache.Options{DefaultNamespaces: map[string]cache.Config{cached[0]: {}, cached[1]: {}}})
	if err != nil {
		t.Fatal(err)
	}
	calls, initial := map[string][]string{}, map[string]int{}
	inf, err := c.GetInformer(ctx, &corev1.ConfigMap{}, cache.BlockUntilSynced(false))
	if err == nil {
		_, err = inf.AddEventHandler(toolscache.ResourceEventHandlerDetailedFuncs{
			AddFunc: func(o any, isInInitialList bool) {
				m := o.(*corev1.ConfigMap)
				text := "OnAdd " + describe(m)
				if isInInitialList {
					text += " initial"
					initial[m.Namespace]++
				}
				calls[m.Namespace] = append(calls[m.Namespace], text)
			},
			UpdateFunc: func(old, o any) {
				m := o.(*corev1.ConfigMap)
				calls[m.Namespace] = append(calls[m.Namespace], "OnUpdate "+describe(old.(*corev1.ConfigMap))+"->"+m.ResourceVersion)
			},
			DeleteFunc: func(o any) {
				m := o.(*corev1.ConfigMap)
				calls[m.Namespace] = append(calls[m.Namespace], "OnDelete "+describe(m))
			},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	go c.Start(ctx)
	if forbidden != "" {
		lines = append(lines, "fail requests forbidden n=all "+forbidden+"/configmaps")
	}
	begun = true
	for range 2 + r.IntN(10) {
		lines = append(lines, "advance 1s")
		time.Sleep(time.Second)
		write()
	}
	lines = append(lines, "advance 1s")
	time.Sleep(time.Second)

	short, done := context.WithTimeout(ctx, time.Second)
	defer done()
	lines = append(lines, fmt.Sprint("expect configmaps synced ", c.WaitForCacheSync(short)))
	for _, ns := range cached {
		slices.Sort(calls[ns][:initial[ns]]) // the order of a map
		lines = append(lines, "expect notified "+ns+"/h ["+strings.Join(calls[ns], ", ")+"]")
	}
	// Get of a namespace waits until its cache has synced, and List until all have.
	var list corev1.ConfigMapList
	switch err := c.List(short, &list); {
	case (err != nil) != (forbidden != ""):
		t.Errorf("List returns %v", err)
	case err == nil:
		var all []string
		for _, ns := range cached {
			var part []string
			for i := range list.Items {
				if list.Items[i].Namespace == ns {
					part = append(part, describe(&list.Items[i]))
				}
			}
			slices.Sort(part)
			all = append(all, part...)
		}
		if len(all) != len(list.Items) {
			t.Errorf("the list has an object of another namespace: %d of %d", len(all), len(list.Items))
		}
		lines = append(lines, "expect configmaps store ["+strings.Join(all, " ")+"]")
	}
	for _, ns := range append(cached, "other") {
		if ns == forbidden {
			continue
		}
		var o corev1.ConfigMap
		err := c.Get(ctx, client.ObjectKey{Namespace: ns, Name: "a"}, &o)
		answer := describe(&o)
		switch {
		case apierrors.IsNotFound(err):
			answer = "nothing"
		case err != nil:
			answer = err.Error()
		}
		lines = append(lines, "expect configmaps get "+ns+"/a "+answer)
	}
	text := strings.Join(lines, "\n")
	if err := script.NewRunner(func(script.Entry) {}).Play(text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
