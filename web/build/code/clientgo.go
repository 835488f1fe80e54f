package code

import (
	"strconv"
	"strings"
)

// clientGo says where client-go has its functions: the beginning of their names as the
// page writes them, the file, and the first minor version of client-go with that file,
// 0 for all. The last row that fits counts. Files that begin with apimachinery are of
// that module, whose releases have the same numbers.
var clientGo = []struct {
	name, file string
	since      int
}{
	{"DeltaFIFO.", "tools/cache/delta_fifo.go", 0},
	{"dedupDeltas", "tools/cache/delta_fifo.go", 0},
	{"RealFIFO.", "tools/cache/the_real_fifo.go", 0},
	{"Reflector.", "tools/cache/reflector.go", 0},
	{"watchHandler", "tools/cache/reflector.go", 0},
	{"handleAnyWatch", "tools/cache/reflector.go", 0},
	{"controller.", "tools/cache/controller.go", 0},
	{"processDeltas", "tools/cache/controller.go", 0},
	{"processReplacedAllInfo", "tools/cache/controller.go", 0},
	{"sharedIndexInformer.", "tools/cache/shared_informer.go", 0},
	{"sharedInformerFactory.", "informers/factory.go", 0},
	{"sharedProcessor.", "tools/cache/shared_informer.go", 0},
	{"processorListener.", "tools/cache/shared_informer.go", 0},
	{"LeaderElector.", "tools/leaderelection/leaderelection.go", 0},
	{"WaitForCacheSync", "tools/cache/shared_informer.go", 0},
	{"threadSafeMap.", "tools/cache/thread_safe_store.go", 0},
	{"defaultCacheMutationDetector.", "tools/cache/mutation_detector.go", 0},
	{"pager.ListPager.", "tools/pager/pager.go", 0},
	{"rest.Request.", "rest/request.go", 0},
	{"workqueue.Type.", "util/workqueue/queue.go", 0},
	{"workqueue.Typed.", "util/workqueue/queue.go", 0},
	{"workqueue.delayingType.", "util/workqueue/delaying_queue.go", 0},
	{"workqueue.rateLimitingType.", "util/workqueue/rate_limiting_queue.go", 0},
	{"wait.BackoffUntil", "apimachinery/pkg/util/wait/wait.go", 0},
	{"wait.BackoffUntil", "apimachinery/pkg/util/wait/backoff.go", 27},
	{"wait.DelayFunc.", "apimachinery/pkg/util/wait/delay.go", 0},
	{"runtime.HandleCrash", "apimachinery/pkg/util/runtime/runtime.go", 0},
}

// outside are the beginnings of names that stand for no function of client-go's: the
// program's own ones, and the standard library's.
var outside = []string{"Reconcile", "ResourceEventHandler.", "sync."}

// Place returns the file in which a minor version of client-go, such as 37, has a function.
// It is "" for a function that is not client-go's; ok is false for one that is not known.
func Place(function string, minor int) (file string, ok bool) {
	for _, p := range clientGo {
		if strings.HasPrefix(function, p.name) && minor >= p.since {
			file, ok = p.file, true
		}
	}
	for _, name := range outside {
		ok = ok || strings.HasPrefix(function, name)
	}
	return file, ok
}

// Package returns how long the package's name is before a function's, such as "workqueue.": 0
// for a function of the package cache.
func Package(function string) int {
	for _, name := range []string{"pager.", "rest.", "runtime.", "wait.", "workqueue."} {
		if strings.HasPrefix(function, name) {
			return len(name)
		}
	}
	return 0
}

// Minor returns the minor version of a version such as "v0.37.2", or of "v0.37".
func Minor(version string) int {
	n, _ := strconv.Atoi(strings.Split(version+"..", ".")[1])
	return n
}
