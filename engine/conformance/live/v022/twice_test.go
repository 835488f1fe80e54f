package v022

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/informerscope/informerscope/engine/conformance/live"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// endTwice takes the listeners away from the processor, which would close the
// channels of each once for every call of Run, and closes addCh itself. Of the
// pops of one listener all but the first panic then, because nextCh is closed;
// HandleCrash is set to ignore that.
func endTwice(inf cache.SharedIndexInformer) {
	said := utilruntime.PanicHandlers
	utilruntime.ReallyCrash, utilruntime.PanicHandlers = false, nil
	processor := reflect.ValueOf(inf).Elem().FieldByName("processor").Elem()
	listeners := processor.FieldByName("listeners")
	for i := range listeners.Len() {
		addCh := listeners.Index(i).Elem().FieldByName("addCh")
		close(*(*chan any)(unsafe.Pointer(addCh.UnsafeAddr())))
	}
	reflect.NewAt(listeners.Type(), unsafe.Pointer(listeners.UnsafeAddr())).Elem().SetLen(0)
	synctest.Wait()
	utilruntime.ReallyCrash, utilruntime.PanicHandlers = true, said
}

// TestRunTwiceBlocks checks a handler that blocks: each call of Run leaves one
// call of the handler under way and one notification waiting in a pop. The rest is
// in the pendingNotifications that the pops share.
func TestRunTwiceBlocks(t *testing.T) {
	script := []live.Op{{Op: "config"}, {Op: "inf.new"}, {Op: "inf.addHandler", ID: "h", Block: true}, {Op: "inf.start"},
		{Op: "inf.list", RV: "1"}, {Op: "inf.watch"}, {Op: "inf.run2"}, {Op: "inf.list", RV: "1"}, {Op: "inf.watch"},
		{Op: "inf.addHandler", ID: "late", Block: true}}
	for i := range 12 {
		script = append(script, live.Op{Op: "inf.events", N: i % 2, Events: []live.Event{{T: "ADDED", O: &live.Object{K: fmt.Sprint("a/", i/3), RV: fmt.Sprint(10 + i)}}}})
		if i == 7 {
			all := []live.Object{{K: "a/0", RV: "12"}, {K: "a/1", RV: "15"}, {K: "a/2", RV: "17"}} // or else deletions come, in no order
			script = append(script, live.Op{Op: "inf.run2"}, live.Op{Op: "inf.list", Items: all, RV: "17"}, live.Op{Op: "inf.watch"})
		}
	}
	live.Compare(t, &version, append(script, live.Op{Op: "inf.unblock", ID: "h"}, live.Op{Op: "inf.unblock", ID: "late"}))
}

// twice is an environment variable. If it is set, TestRunTwiceEnds runs as the
// process that it watches.
const twice = "INFORMERSCOPE_RUN_TWICE"

// TestRunTwiceEnds checks that stopping an informer that was run twice ends the
// process if there is a handler, and does nothing special if there is none.
func TestRunTwiceEnds(t *testing.T) {
	if with := os.Getenv(twice); with != "" {
		runTwice(with == "handler")
		return
	}
	for with, want := range map[string]string{"handler": "close of closed channel", "nobody": ""} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRunTwiceEnds$")
		cmd.Env = append(os.Environ(), twice+"="+with)
		out, err := cmd.CombinedOutput()
		if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
			t.Errorf("with %s client-go's process ends with %v, not %q:\n%s", with, err, want, out)
		}
		script := []live.Op{{Op: "config"}, {Op: "inf.new"}, {Op: "inf.addHandler", ID: "h"}, {Op: "inf.start"}, {Op: "inf.run2"}, {Op: "inf.stop"}}
		if with == "nobody" {
			script = append(script[:2:2], script[3:]...)
		}
		if got := live.Panic(t, &version, script); got != want {
			t.Errorf("with %s the engine's ends with %q, not %q", with, got, want)
		}
	}
}

// runTwice runs an informer twice, and stops it when both have listed.
func runTwice(handles bool) {
	lists, stop := make(chan bool, 2), make(chan struct{})
	inf := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
			lists <- true
			return &metav1.PartialObjectMetadataList{}, nil
		},
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil },
	}, &metav1.PartialObjectMetadata{}, 0, nil)
	if handles {
		inf.AddEventHandler(cache.ResourceEventHandlerFuncs{})
	}
	var runs sync.WaitGroup
	for range 2 {
		runs.Go(func() { inf.Run(stop) })
		<-lists
	}
	close(stop)
	runs.Wait()
}
