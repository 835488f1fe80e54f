package clients

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
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

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/apiserver"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// recordings are where captures of clusters are, from the folder of this package's modules.
var recordings = []string{
	"../../../../web/traces/*", "../../../../web/lessons/traces/*", "../../../report/testdata/*.trace.jsonl*", "../../../report/testdata/*.ndjson",
	"../../../report/testdata/recordings/*", "../../../testdata/releases/*/traces/*",
}

// unlike says of a recording why the calls of an informer differ from the engine's, at least in v0.37.
var unlike = map[string]string{
	"v034-l.trace.jsonl.gz": "the fault that an event comes twice isn't played again: of a deletion, the handler is called twice",
	"v034-n.trace.jsonl.gz": "the same",
	"v037-f.trace.jsonl.gz": "the fault that an object has no name isn't played again",
}

// Shown shows each recording to real informers, one for each recorded reader, and holds the calls of their handlers against those
// that the engine makes of the recording. It must be called by TestShown.
func Shown(t *testing.T, version string) {
	profile, ok := world.ProfileFor(version)
	if !ok {
		t.Fatal(version)
	}
	seen := map[string]bool{}
	for _, pattern := range recordings {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(pattern, err)
		}
		for _, path := range files {
			if info, err := os.Stat(path); err != nil || info.IsDir() {
				continue
			}
			name := filepath.Base(path)
			seen[name] = true
			t.Run(name, func(t *testing.T) { shown(t, path, version, profile) })
		}
	}
	for name := range unlike {
		if !seen[name] {
			t.Errorf("%s isn't there", name)
		}
	}
}

// shown shows a recording.
func shown(t *testing.T, path, version string, profile world.Profile) {
	packed, err := os.ReadFile(path)
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
		t.Error("the engine makes no calls")
	}
	synctest.Test(t, func(t *testing.T) {
		got, differs := shownCalls(t, text.Bytes()), ""
		for reader, calls := range want {
			if !slices.Equal(got[reader], calls) {
				differs += fmt.Sprintf("%s: the informer of %s makes %d calls, and the engine %d:\n%s\n", reader, version, len(got[reader]), len(calls), firstDifference(got[reader], calls))
			}
		}
		switch why := unlike[filepath.Base(path)]; {
		case why == "" && differs != "":
			t.Error(differs)
		case why != "" && differs == "" && strings.HasPrefix(version, "v0.37."):
			t.Errorf("the calls are the same, though %s", why)
		}
		t.Logf("%d calls of %d informers; %s", total, len(got), differs)
	})
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
		calls := by[resource.Name()]
		if c.Fn == "OnUpdate" && uidOf(resource, c.Key, c.OldRV) != uidOf(resource, c.Key, c.RV) {
			// Only a list shows another object under a key. Who watches hears that the one was deleted and the other was added.
			note(calls, c.Key, "OnDelete", "", c.OldRV)
			note(calls, c.Key, "OnAdd", "", c.RV)
			return nil
		}
		note(calls, c.Key, c.Fn, c.OldRV, c.RV)
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

// uidOf returns the UID of an object's version.
func uidOf(resource *trace.Resource, key, rv string) string {
	t := resource.Table
	for ref := object.Ref(1); int(ref) < t.Len(); ref++ {
		if m := t.Meta(ref); t.RVText(m.RV) == rv && t.KeyText(m.Key) == key {
			return t.Text(m.UID)
		}
	}
	return ""
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
