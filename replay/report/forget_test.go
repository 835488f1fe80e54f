package report

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
)

// anyCapture is a trace of two readers whose watches break and expire. The readers
// then list again, as a whole or as a stream, and have missed deletions. Objects
// come and go, and names come back with other uids and labels.
func anyCapture(seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 3))
	var b bytes.Buffer
	b.WriteString(`{"informerscope":"trace","version":1}` + "\n")
	at, id, rv, uid := int64(0), 0, 10, 0
	line := func(format string, args ...any) {
		at += rnd.Int64N(200_000_000)
		fmt.Fprintf(&b, `{"t":%d,"id":%d,`+format+"}\n", append([]any{at, id}, args...)...)
	}
	for _, resource := range []string{"pods", "nodes"} {
		alive := map[int]string{}
		change := func() (typ, object string) {
			i := rnd.IntN(30)
			rv++
			typ = "ADDED"
			switch old := alive[i]; {
			case old == "":
				uid++
				alive[i] = fmt.Sprintf(`"name":"it-%d","namespace":"n","uid":"uid-%d","labels":{"app":"app-%d","of":"it-%d"}`, i, uid, rnd.IntN(4), uid)
			case rnd.IntN(3) == 0:
				delete(alive, i)
				return "DELETED", fmt.Sprintf(`{"kind":"X","metadata":{%s,"resourceVersion":"%d"}}`, old, rv)
			default:
				typ = "MODIFIED"
			}
			return typ, fmt.Sprintf(`{"kind":"X","metadata":{%s,"resourceVersion":"%d"}}`, alive[i], rv)
		}
		items := func() (all []string) {
			for _, i := range slices.Sorted(maps.Keys(alive)) {
				all = append(all, fmt.Sprintf(`{"kind":"X","metadata":{%s,"resourceVersion":"%d"}}`, alive[i], rv))
			}
			return all
		}
		for range 12 {
			for range rnd.IntN(60) { // changes that nobody sees
				change()
			}
			id++
			if rnd.IntN(2) == 0 {
				line(`"req":{"method":"GET","url":"/api/v1/%s"}`, resource)
				line(`"resp":{"status":200}`)
				line(`"body":{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"%d"},"items":[%s]}`, rv, strings.Join(items(), ","))
				line(`"end":{"how":"eof"}`)
				id++
				line(`"req":{"method":"GET","url":"/api/v1/%s?watch=1&resourceVersion=%d"}`, resource, rv)
				line(`"resp":{"status":200}`)
			} else {
				line(`"req":{"method":"GET","url":"/api/v1/%s?watch=1&sendInitialEvents=true"}`, resource)
				line(`"resp":{"status":200}`)
				for _, object := range items() {
					line(`"event":{"type":"ADDED","object":%s}`, object)
				}
				line(`"event":{"type":"BOOKMARK","object":{"kind":"X","metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"true"}}}}`, rv)
			}
			for range rnd.IntN(300) {
				typ, object := change()
				line(`"event":{"type":"%s","object":%s}`, typ, object)
			}
			if rnd.IntN(2) == 0 {
				line(`"event":{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}`)
			}
			line(`"end":{"how":"%s"}`, []string{"eof", "reset"}[rnd.IntN(2)])
		}
	}
	return b.Bytes()
}

// TestForgettingChangesNoReport: handlers get the same calls, and the report is the
// same, whether records are forgotten as often as possible or never.
func TestForgettingChangesNoReport(t *testing.T) {
	for seed := range uint64(6) {
		content := anyCapture(seed)
		for _, profile := range []string{"classic", "delta", "v0.33", "current"} {
			for _, handlers := range [][]Handler{
				{handler("a", takes(second/1000))},
				{handler("slow", takes(800*second/1000), resync(9*second)), handler("late", startAt(20*second), endAt(90*second)), handler("b", resync(5*second))},
			} {
				o := options(t, profile, handlers...)
				wantCalls, wantDoc := playedInChunks(t, content, 500, math.MaxInt, o)
				calls, doc := playedInChunks(t, content, 500, 1, o)
				if calls != wantCalls || doc != wantDoc || len(calls) < 1000 {
					t.Errorf("seed %d, %s, %v: the same calls: %v, the same report: %v", seed, profile, handlers, calls == wantCalls, doc == wantDoc)
				}
			}
		}
	}
}

// heapAfter returns how many bytes of memory are in use after a capture in which
// so many pods came, changed and went, under so many names. The capture has two
// resources, and one of them is played.
func heapAfter(t *testing.T, seed uint64, pods, names int) (heap, read int64) {
	t.Helper()
	o := options(t, "current", handler("a", takes(second/1000)))
	o.Resource, o.MaxKeys, o.MaxRetired = "pods", 2000, 1000
	r := format.NewReader(format.Options{})
	run := Play(r.Trace(), o)
	rnd := rand.New(rand.NewPCG(seed, 4))
	var b bytes.Buffer
	flush := func() {
		read += int64(b.Len())
		if err := r.Write(b.Bytes()); err != nil {
			t.Fatal(err)
		}
		b.Reset()
		if err := run.Grown(); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString(`{"informerscope":"trace","version":1}` + "\n")
	for id, resource := range []string{"pods", "nodes"} {
		fmt.Fprintf(&b, `{"t":1,"id":%d,"req":{"method":"GET","url":"/api/v1/%s?watch=1"}}`+"\n", id+1, resource)
	}
	at := int64(1)
	for i := range pods {
		name, uid := rnd.IntN(names), rnd.Uint64()
		for j, typ := range []string{"ADDED", "MODIFIED", "MODIFIED", "DELETED"} {
			for id := range 2 {
				at += 5_000_000
				fmt.Fprintf(&b, `{"t":%d,"id":%d,"event":{"type":"%s","object":{"kind":"Pod","metadata":{"name":"web-%d","uid":"%x","resourceVersion":"%d","labels":{"of":"job-%x"}}}}}`+"\n", at, id+1, typ, name, uid, 10*i+j, uid)
			}
		}
		if b.Len() > 64<<10 {
			flush()
		}
	}
	flush()
	b = bytes.Buffer{}
	runtime.GC()
	runtime.GC() // the second one empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if p := run.players[0]; p.tally.Events.Deleted != int64(pods) || p.machines[0].observed.handlers[0].OnDelete < int64(pods)/2 {
		t.Fatalf("seed %d: %+v, %+v", seed, p.tally.Events, p.machines[0].observed.handlers[0])
	}
	runtime.KeepAlive(r)
	return int64(m.HeapAlloc), read
}

// TestReportsMemoryIsBounded: a capture eight times as long takes no more memory,
// even if no name comes back.
func TestReportsMemoryIsBounded(t *testing.T) {
	const seed = 1
	for _, names := range []int{1000, math.MaxInt32} {
		// Sweeps begin at 65 536 versions, so even the short capture is swept.
		short, some := heapAfter(t, seed, 25_000, names)
		long, more := heapAfter(t, seed, 100_000, names)
		t.Logf("seed %d, %d names: %d kB for %d MB, %d kB for %d MB", seed, names, short>>10, some>>20, long>>10, more>>20)
		if long > short+4<<20 {
			t.Errorf("seed %d, %d names: a capture of %d MB takes %d kB, and one of %d MB %d", seed, names, some>>20, short>>10, more>>20, long>>10)
		}
	}
}
