package record

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// TestStarter finds who started an informer in stacks as the runtime writes them.
func TestStarter(t *testing.T) {
	const reflects = `goroutine 9 [runnable]:
strings.TrimSuffix(...)
	strings/strings.go:1129
main.(*transport).RoundTrip(0xc0001, 0xc0002)
	main.go:590 +0x1d
net/http.(*Client).do(0xc0001, 0xc0002)
	net/http/client.go:590 +0x1d
main.newInformer.func1(0xc0001, 0xc0002)
	main.go:12 +0x1d
k8s.io/client-go/tools/cache.(*Reflector).watchList(0xc0003)
	k8s.io/client-go@v0.37.2/tools/cache/reflector.go:700 +0x1d
created by k8s.io/apimachinery/pkg/util/wait.(*Group).StartWithChannel in goroutine 7
	k8s.io/apimachinery@v0.37.2/pkg/util/wait/wait.go:55 +0x1d

`
	runs := func(by string) string {
		return `goroutine 7 [select, 2 minutes, locked to thread]:
k8s.io/client-go/tools/cache.(*controller).RunWithContext(0xc0004, {0x1, 0x2})
	k8s.io/client-go@v0.37.2/tools/cache/controller.go:170 +0x1d
k8s.io/client-go/tools/cache.(*sharedIndexInformer).Run(...)
	k8s.io/client-go@v0.37.2/tools/cache/shared_informer.go:520
` + by + "\n"
	}
	for _, c := range []struct{ name, stacks, want string }{
		{"a go statement", runs("created by example.com/shop/web.(*Webs).start in goroutine 1\n\t/home/me/shop/web/webs.go:42 +0x1d\n"), "web.(*Webs).start, webs.go:42"},
		{"a function of the program", runs("main.run.func1({0x1, 0x2})\n\tmain.go:17 +0x1d\ncreated by main.run in goroutine 1\n\tmain.go:16 +0x1d\n"), "main.run.func1, main.go:17"},
		{"a factory whose caller waits", runs("created by k8s.io/client-go/informers.(*sharedInformerFactory).StartWithContext in goroutine 1\n\tfactory.go:160 +0x1d\n") +
			"goroutine 1 [select]:\nk8s.io/client-go/tools/cache.WaitForCacheSync(0x1)\n\tshared_informer.go:300 +0x1\nmain.main()\n\tmain.go:99 +0x1d\n", "main.main, main.go:99, near"},
		{"a factory whose caller has ended", runs("created by k8s.io/client-go/informers.(*sharedInformerFactory).StartWithContext in goroutine 1\n\tfactory.go:160 +0x1d\n"), "informers.(*sharedInformerFactory).StartWithContext, a library's"},
		{"a read of a cache that starts one", runs("created by sigs.k8s.io/controller-runtime/pkg/cache/internal.(*Informers).startInformerLocked in goroutine 30\n\tinformers.go:245 +0x1d\n") +
			"goroutine 30 [select]:\nsigs.k8s.io/controller-runtime/pkg/cache/internal.(*Informers).Get(0x1)\n\tinformers.go:345 +0x1\nsigs.k8s.io/controller-runtime/pkg/client.(*client).Get(0x1)\n\tclient.go:345 +0x1\ngithub.com/me/op.(*R).Reconcile(0x1)\n\t/src/op/r.go:8 +0x1d\n", "op.(*R).Reconcile, r.go:8"},
		{"a manager that leads", runs("created by sigs.k8s.io/controller-runtime/pkg/manager.(*runnableGroup).Start.func1 in goroutine 58\n\tgroup.go:139 +0x1d\n") +
			"goroutine 1 [select]:\nsigs.k8s.io/controller-runtime/pkg/manager.(*controllerManager).Start(0x1)\n\tinternal.go:466 +0x1\nmain.main()\n\tmain.go:103 +0x1\n", "main.main, main.go:103, near"},
		{"one of two managers", runs("created by sigs.k8s.io/controller-runtime/pkg/manager.(*runnableGroup).Start.func1 in goroutine 58\n\tgroup.go:139 +0x1d\n") +
			"goroutine 1 [select]:\nsigs.k8s.io/controller-runtime/pkg/manager.(*controllerManager).Start(0x1)\n\tinternal.go:466 +0x1\nmain.main()\n\tmain.go:103 +0x1\n\n" +
			"goroutine 2 [select]:\nsigs.k8s.io/controller-runtime/pkg/manager.(*controllerManager).Start(0x1)\n\tinternal.go:466 +0x1\nmain.other()\n\tmain.go:9 +0x1\n", "manager.(*runnableGroup).Start.func1, a library's"},
		{"a loop of goroutines", strings.ReplaceAll(runs("created by k8s.io/client-go/a.b in goroutine 7\n\ta.go:1 +0x1d\n"), "in goroutine 1\n", "in goroutine 7\n"), "a.b, a library's"},
		{"nothing of its parent", "", "wait.(*Group).StartWithChannel, a library's"},
		{"what is cut", "goroutine 7 [select]:\nmain.f(0x1", "main.f, near"},
		{"no number", "goroutine x [select]:\nmain.f(0x1)\n", "wait.(*Group).StartWithChannel, a library's"},
	} {
		var s trace.Started
		parseStacks([]byte(reflects+c.stacks)).starter(9, &s)
		got := s.Site.String()
		if s.Library {
			got += ", a library's"
		}
		if s.Approximate {
			got += ", near"
		}
		if got != c.want {
			t.Errorf("%s: %s, and not %s", c.name, got, c.want)
		}
	}
	for function, library := range map[string]bool{
		"main.main": false, "web.(*Webs).Reconcile": false, "example.com/x/vendor/k8s.io/client-go/tools/cache.f": true, "runtime.gopark": true,
		"net/http.(*Client).do": true, "strings.TrimSuffix": true, "network.f": false, "github.com/informerscope/informerscope/replay/record/clients/v037.f": false,
		"github.com/informerscope/informerscope/replay/record.Read": true, "k8s.io/kubernetes/cmd/kube-controller-manager/app.Run": false,
	} {
		if isLibrary(function) != library {
			t.Errorf("%s is a library's: %v", function, !library)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	r, err := NewRing(RingOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for b.Loop() {
		Read(r, "Get", "Pod", &struct{}{})
	}
}

// BenchmarkStacks reads the stacks of as many goroutines as are looked at, each of some depth.
func BenchmarkStacks(b *testing.B) {
	stop := make(chan struct{})
	defer close(stop)
	var deep func(n int)
	deep = func(n int) {
		if n > 0 {
			deep(n - 1)
			return
		}
		<-stop
	}
	for range mostGoroutines {
		go deep(10)
	}
	for b.Loop() {
		text := make([]byte, mostStacks)
		if len(parseStacks(text[:runtime.Stack(text, true)])) == 0 {
			b.Fatal("no stacks")
		}
	}
	b.ReportMetric(float64(mostGoroutines), "goroutines")
}

// TestRingInformers: the page says what an informer holds, who is called by it and who reads it, and what a namespace or a label would
// leave, and still does when the lines that told of
// that are gone from the ring.
func TestRingInformers(t *testing.T) {
	ring, err := NewRing(RingOptions{Values: true, MaxBytes: 8 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	via := &answers{}
	s := &reflector{t: t, client: &http.Client{Transport: ring.Wrap(via)}, via: via}
	at := &registered{site: trace.Site{Func: "web.main", File: "main.go", Line: 7}}
	ring.enqueueOptional(aRegistered, trace.Registered{Handler: "metrics", Site: at.site})
	h := handler{&heard{}, calls{ring.Recorder, "metrics", at, nil}}
	s.list(map[string]string{"shop/a": "7", "shop/b": "8"}, 100)
	s.watch("resourceVersion=100")
	for _, name := range []string{"c", "d"} {
		s.event("ADDED", strings.NewReplacer("shop", "pay", `"app":"`+name, `"app":"pay`).Replace(podObject(name, "101")))
	}
	h.OnAdd(&meta{"shop", "a", "7"}, true)
	for range 5 {
		Read(ring, "List", "Pod", &struct{}{})
	}
	before := ""
	for i := range 200 {
		if i == 1 {
			if before = pageOf(ring); strings.Contains(before, "left out, so") || ring.tail.dropped {
				t.Fatal(before)
			}
		}
		s.event("MODIFIED", podObject("a", strconv.Itoa(102+i)))
		h.OnUpdate(nil, &meta{"shop", "a", strconv.Itoa(102 + i)})
		ring.flush()
	}
	after := pageOf(ring)
	if !ring.tail.dropped {
		t.Fatal("nothing is dropped")
	}
	for heap, page := range map[string]string{"7.7 kB of heap (2.8 kB to 12.7 kB)": before, "7.8 kB of heap (2.9 kB to 12.7 kB)": after} {
		for _, want := range []string{"informers: 1\n", "/api/v1/pods: 4 objects, about " + heap, "    only /api/v1/namespaces/pay/pods: 2 objects, about 3.9 kB of heap\n",
			"    only /api/v1/pods?labelSelector=app=pay: 2 objects, about 3.9 kB of heap\n", "calls the handler metrics of web.main, main.go:7\n", "    read by code that is not known: List, at least 4 times\n"} {
			if !strings.Contains(page, want) {
				t.Errorf("no %q in\n%s", want, page)
			}
		}
	}
}

func pageOf(ring *Ring) string {
	var b strings.Builder
	ring.describe(&b)
	return b.String()
}
