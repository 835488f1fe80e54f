package live

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// spoiled is an environment variable. If it is set, HandlerPanics runs as the process
// that it watches.
const spoiled = "INFORMERSCOPE_SPOILED"

// HandlerPanics checks that the process ends if a handler panics. test is the name
// of the test that calls it.
func HandlerPanics(t *testing.T, v *Version, test string) {
	if os.Getenv(spoiled) != "" {
		if v.Gates != nil {
			v.Gates(map[string]bool{"WatchListClient": false}) // the list is enough
		}
		x := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "x"}}
		inf := cache.NewSharedIndexInformer(&cache.ListWatch{
			ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
				return &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{*x}}, nil
			},
			WatchFunc: func(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil },
		}, x, 0, nil)
		inf.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { panic("the handler is broken") }})
		inf.Run(make(chan struct{})) // which doesn't return
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), spoiled+"=yes")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "panic: the handler is broken") {
		t.Errorf("the process ends with %v:\n%s", err, out)
	}
}

// KeyRefusesTombstones checks that a store whose key function doesn't know tombstones
// can't delete by one, and keeps the object.
func KeyRefusesTombstones(t *testing.T) {
	x := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "x"}}
	tombstone := cache.DeletedFinalStateUnknown{Key: "a/x", Obj: x}
	for want, key := range map[int]cache.KeyFunc{1: cache.MetaNamespaceKeyFunc, 0: cache.DeletionHandlingMetaNamespaceKeyFunc} {
		store := cache.NewIndexer(key, cache.Indexers{})
		if err := store.Add(x); err != nil {
			t.Fatal(err)
		}
		if err := store.Delete(tombstone); (err != nil) != (want == 1) || len(store.List()) != want {
			t.Errorf("%v, and %d objects are left, not %d", err, len(store.List()), want)
		}
	}
}
