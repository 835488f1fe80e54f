package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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
