package clients

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/apiserver"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// recordings are captures of clusters, from the folder of this package's modules.
var recordings = []string{
	"../../../../web/traces/shop.trace.jsonl.gz", "../../../../web/lessons/traces/rollout.trace.jsonl.gz", "../../../../web/lessons/traces/gone.trace.jsonl.gz",
	"../../../trace/testdata/small-pods.trace.jsonl.gz", "../../../trace/testdata/cg036-watchlist.trace.jsonl.gz", "../../../trace/testdata/cg037-listwatch-selector.trace.jsonl.gz",
}

// Shown shows each recording to real informers, one for each recorded reader, and holds the calls of their handlers against those
// that the engine makes of the recording. It must be called by TestShown.
func Shown(t *testing.T, version string) {
	profile, ok := world.ProfileFor(version)
	if !ok {
		t.Fatal(version)
	}
	for _, name := range recordings {
		packed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := file.Plain(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(plain); err != nil {
			t.Fatal(err)
		}
		want := engineCalls(t, text.Bytes(), profile)
		total := 0
		for _, calls := range want {
			total += len(calls)
		}
		if total == 0 {
			t.Errorf("%s: the engine makes no calls", name)
		}
		synctest.Test(t, func(t *testing.T) {
			got := shownCalls(t, text.Bytes())
			for reader, calls := range want {
				if !slices.Equal(got[reader], calls) {
					t.Errorf("%s, %s: the informer of %s makes %d calls, and the engine %d:\n%s", name, reader, version, len(got[reader]), len(calls), firstDifference(got[reader], calls))
				}
			}
			t.Logf("%s: %d calls of %d informers", name, total, len(got))
		})
	}
}

func firstDifference(got, want []string) string {
	for i := 0; ; i++ {
		switch {
		case i >= len(got) || i >= len(want):
			return fmt.Sprintf("%q, want %q", got[min(i, len(got)):min(i+3, len(got))], want[min(i, len(want)):min(i+3, len(want))])
		case got[i] != want[i]:
			return fmt.Sprintf("%q, want %q", got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
		}
	}
}

// ordered returns the calls of a handler: by key, and of a key in their order.
func ordered(calls map[string][]string) (all []string) {
	for _, call := range calls {
		all = append(all, call...)
	}
	slices.SortStableFunc(all, func(a, b string) int {
		a, _, _ = strings.Cut(a, " ")
		b, _, _ = strings.Cut(b, " ")
		return strings.Compare(a, b)
	})
	return all
}

// note notes a call, but no OnUpdate with one version: each list of a recorded reader makes these, and the server doesn't play them
// again. A deletion that a list has shown has another version, so none is noted.
func note(calls map[string][]string, key, fn, oldRV, rv string) {
	switch fn {
	case "OnUpdate":
		if oldRV == rv {
			return
		}
	case "OnDelete":
		rv = ""
	}
	calls[key] = append(calls[key], strings.TrimSpace(fmt.Sprint(key, " ", fn, " ", oldRV, " ", rv)))
}

// engineCalls returns the calls that the engine makes of a recording, by reader.
func engineCalls(t *testing.T, text []byte, profile world.Profile) map[string][]string {
	by := map[string]map[string][]string{}
	r := format.NewReader(format.Options{})
	p := report.Play(r.Trace(), report.Options{Profile: profile, Called: func(resource *trace.Resource, c report.Call) error {
		if by[resource.Name()] == nil {
			by[resource.Name()] = map[string][]string{}
		}
		note(by[resource.Name()], c.Key, c.Fn, c.OldRV, c.RV)
		return nil
	}})
	if err := r.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Grown(); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for name, calls := range by {
		all[name] = ordered(calls)
	}
	return all
}

// shownCalls returns the calls of real informers to which a recording is shown, by reader.
func shownCalls(t *testing.T, text []byte) map[string][]string {
	r := format.NewReader(format.Options{})
	if err := r.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := apiserver.New(r.Trace(), bytes.NewReader(text), apiserver.Options{Paused: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client, err := dynamic.NewForConfig(&rest.Config{Host: "http://apiserver", Transport: s.Server, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var mu sync.Mutex
	by := map[string]map[string][]string{}
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	for _, resource := range r.Trace().Resources {
		calls := map[string][]string{}
		by[resource.Name()] = calls
		told := func(fn string, old, obj any) {
			mu.Lock()
			defer mu.Unlock()
			key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
			if err != nil {
				t.Error(err)
			}
			note(calls, key, fn, versionOf(old), versionOf(obj))
		}
		// Without a period, older versions wait for a channel of the package, at which the clock of a bubble stands still.
		informer := cache.NewSharedInformer(listWatch(client, resource), &unstructured.Unstructured{}, 1000*time.Hour)
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { told("OnAdd", nil, obj) },
			UpdateFunc: func(old, obj any) { told("OnUpdate", old, obj) },
			DeleteFunc: func(obj any) { told("OnDelete", nil, obj) },
		})
		running.Go(func() { informer.Run(ctx.Done()) })
		if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
			t.Error("an informer doesn't sync")
		}
	}
	s.Pause(false)
	for st := s.State(); st.At < st.End; st = s.State() {
		time.Sleep(time.Minute)
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	stop()
	running.Wait()
	all := map[string][]string{}
	for name, calls := range by {
		all[name] = ordered(calls)
	}
	return all
}

func versionOf(obj any) string {
	o, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return ""
	}
	return o.GetResourceVersion()
}

// listWatch lists and watches what a recorded reader did.
func listWatch(client dynamic.Interface, resource *trace.Resource) *cache.ListWatch {
	in := dynamic.ResourceInterface(client.Resource(schema.GroupVersionResource{Group: resource.Group, Version: resource.Version, Resource: resource.Resource}))
	if resource.Namespace != "" {
		in = client.Resource(schema.GroupVersionResource{Group: resource.Group, Version: resource.Version, Resource: resource.Resource}).Namespace(resource.Namespace)
	}
	selected := func(o metav1.ListOptions) metav1.ListOptions {
		o.LabelSelector, o.FieldSelector = resource.LabelSelector, resource.FieldSelector
		return o
	}
	return &cache.ListWatch{
		ListFunc: func(o metav1.ListOptions) (runtime.Object, error) { return in.List(context.Background(), selected(o)) },
		WatchFunc: func(o metav1.ListOptions) (watch.Interface, error) {
			return in.Watch(context.Background(), selected(o))
		},
	}
}
