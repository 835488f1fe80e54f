package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// Handler records its calls. A handler that blocks returns when the script
// releases it.
type Handler struct {
	id            string
	initial, late bool // its version tells what is in the initial list; it joined a running informer
	retransforms  bool // its resyncs pass the transformer once more
	reg           registration
	open          atomic.Bool
	heard         func(what string) // gets the calls, if it is set
	gate          chan struct{}

	mu       sync.Mutex
	notified []string
	hands    []string // the calls under way; there can be several if Run was called again
}

// Add implements OnAdd. Before v0.27, initial is unknown.
func (h *Handler) Add(o any, initial bool) {
	if initial {
		h.call("add(initial) " + text(o))
	} else {
		h.call("add " + text(o))
	}
}

// Update implements OnUpdate.
func (h *Handler) Update(old, o any) {
	if old == o {
		h.call("resync " + text(o))
	} else {
		h.call("update " + text(old) + " -> " + text(o))
	}
}

// Delete implements OnDelete.
func (h *Handler) Delete(o any) {
	h.call("delete " + text(o))
}

// Calls is a Handler as cache.ResourceEventHandler is since v0.27.
type Calls struct{ *Handler }

func (c Calls) OnAdd(o any, initial bool) { c.Add(o, initial) }
func (c Calls) OnUpdate(old, o any)       { c.Update(old, o) }
func (c Calls) OnDelete(o any)            { c.Delete(o) }

// CallsBeforeV027 is a Handler as cache.ResourceEventHandler was before v0.27.
type CallsBeforeV027 struct{ *Handler }

func (c CallsBeforeV027) OnAdd(o any)         { c.Add(o, false) }
func (c CallsBeforeV027) OnUpdate(old, o any) { c.Update(old, o) }
func (c CallsBeforeV027) OnDelete(o any)      { c.Delete(o) }

func (h *Handler) call(what string) {
	if h.heard != nil {
		h.heard(what)
		return
	}
	h.mu.Lock()
	h.hands = append(h.hands, what)
	h.mu.Unlock()
	if !h.open.Load() {
		<-h.gate
	}
	h.mu.Lock()
	at := slices.Index(h.hands, what)
	h.notified, h.hands = append(h.notified, what), slices.Delete(h.hands, at, at+1)
	h.mu.Unlock()
}

// release lets up to n calls return, including calls that begin meanwhile.
func (h *Handler) release(n int) {
	for range n {
		synctest.Wait()
		select {
		case h.gate <- struct{}{}:
		default:
			return
		}
	}
}

func (h *Handler) unblock() {
	if h.open.Swap(true) {
		return
	}
	for { // where Run was called again, there is more than one call
		select {
		case h.gate <- struct{}{}:
		default:
			return
		}
	}
}

// print returns the calls since the last time. free is true if several goroutines
// call the handler, because their order is then random.
func (h *Handler) print(op *Op, snapshot, free bool) map[string]any {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[string]any{"pending": h.reg.pending()}
	if h.reg.synced != nil {
		out["synced"] = h.reg.synced()
	}
	if n := len(h.hands); n > 0 {
		out["inHandler"] = h.hands[n-1]
	}
	joins := !h.initial && h.late && op.Op == "inf.addHandler" && op.ID == h.id
	sortRuns(h.notified, func(s string) int {
		free := []string{"delete DFSU(", "resync ", "add(initial) "}
		change := strings.HasPrefix(s, "add ") || strings.HasPrefix(s, "update ")
		if change && snapshot {
			return 2 // what a streaming list changes comes in any order among what is new in it
		}
		if from, to, is := strings.Cut(strings.TrimPrefix(s, "update "), " -> "); is && h.retransforms && to == from+"~" {
			return 1 // a resync that transforms once more
		}
		if i := slices.IndexFunc(free, func(p string) bool { return strings.HasPrefix(s, p) }); i >= 0 {
			return i
		}
		if change && joins {
			return len(free)
		}
		return -1
	})
	if free {
		slices.Sort(h.notified)
	}
	out["notified"] = append([]string{}, h.notified...)
	h.notified = nil
	return out
}

// sortRuns sorts each run of lines of one kind. It leaves runs of kind -1 as they are.
func sortRuns(s []string, kind func(string) int) {
	for from := 0; from < len(s); {
		to, k := from+1, kind(s[from])
		for to < len(s) && kind(s[to]) == k {
			to++
		}
		if k >= 0 {
			slices.Sort(s[from:to])
		}
		from = to
	}
}

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

var processorRun = regexp.MustCompile(`func \(p \*sharedProcessor\) run\([^)]*\) \{`)

// LateListeners plays client-go with a sharedProcessor.run that comes late, as the scheduler might
// have it: once a resync, or since v0.36 the process loop, waits because of it. It is a copy of the
// package cache in which that function first waits for a channel. What comes of it must be want: the handler is "called", or there is a "deadlock" of three goroutines.
func LateListeners(t *testing.T, want string) {
	b := NewOverlay(t)
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "k8s.io/client-go/tools/cache").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		late += len(processorRun.FindAll(text, -1))
		b.AddFile("cache", filepath.Base(name), processorRun.ReplaceAllString(string(text), "$0\n<-Late\n"))
	}
	if late != 1 {
		t.Fatalf("there are %d functions sharedProcessor.run", late)
	}
	b.AddFile("cache", "until_late.go", "package cache\n\nvar Late = make(chan struct{})\n")
	b.Add("late", strings.Replace(lateProgram, "CACHE", b.Path+"cache", 1))
	program := filepath.Join(b.Out, "program")
	b.Build(t, "build", []string{"-o", program}, "late")
	run := exec.Command(program)
	run.Env = append(os.Environ(), "KUBE_FEATURE_WatchListClient=false") // the watch below knows no initial events
	got, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("with listeners that start late: %s, want %s", got, want)
	}
}

// lateProgram looks at its own goroutines until the handler is called, or until neither
// sharedProcessor.run nor shouldResync gets the lock.
const lateProgram = `package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"CACHE"
)

func waits(stacks []string, function, lock string) bool {
	for _, s := range stacks {
		if strings.Contains(s, function) && strings.Contains(s, lock) {
			return true
		}
	}
	return false
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	pod := metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "1"}}
	lw := &cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (kruntime.Object, error) {
			return &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}, Items: []metav1.PartialObjectMetadata{pod}}, nil
		},
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil },
	}
	informer := cache.NewSharedIndexInformer(lw, &metav1.PartialObjectMetadata{}, 50*time.Millisecond, nil)
	called := make(chan bool, 100)
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(interface{}) { called <- true }})
	go informer.Run(make(chan struct{}))
	buf, late := make([]byte, 1<<20), true
	for tick := time.NewTicker(time.Millisecond); ; {
		select {
		case <-called:
			fmt.Print("called")
			return
		case <-tick.C:
		}
		stacks := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
		if late && (waits(stacks, "sharedProcessor).shouldResync", "RWMutex).Lock") || waits(stacks, "sharedProcessor).distribute", "Cond).Wait")) {
			late = false
			close(cache.Late)
		}
		if waits(stacks, "sharedProcessor).run", "RWMutex).RLock") && waits(stacks, "sharedProcessor).shouldResync", "RWMutex).Lock") && waits(stacks, "processorListener).add(", "chan send") {
			fmt.Print("deadlock")
			return
		}
	}
}
`
