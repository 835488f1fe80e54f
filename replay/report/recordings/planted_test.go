package recordings

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/informerscope/informerscope/replay/record"
)

// plants are the programs. 15 has one and a half times as much of the trouble as the rule asks for, and not-half has half as
// much.
var plants = []plant{
	{"hot-key.15", func(b *bench) int64 { return b.hot(180, time.Minute*3/4, 1) }},
	{"hot-key.loop", func(b *bench) int64 { return b.hot(1000, 50*time.Second, 1) }},
	{"hot-key.among-many", func(b *bench) int64 { return b.hot(240, 50*time.Second, 40) }},
	{"hot-key.not-half", func(b *bench) int64 { return b.hot(60, time.Minute*3/4, 1) }},
	{"hot-key.not-for-long", func(b *bench) int64 { return b.hot(600, 10*time.Minute, 1) }},

	{"no-op-updates.15", func(b *bench) int64 { return b.noOps(150, 50) }},
	{"no-op-updates.heartbeats", func(b *bench) int64 { return b.noOps(1000, 0) }},
	{"no-op-updates.managers", func(b *bench) int64 { return b.noOps(300, 100) }},
	{"no-op-updates.not-half", func(b *bench) int64 { return b.noOps(50, 16) }},
	{"no-op-updates.not-mostly", func(b *bench) int64 { return b.noOps(150, 450) }},

	{"large-cache.15", func(b *bench) int64 { return b.fill(150, 100_000, false) }},
	{"large-cache.grows", func(b *bench) int64 { return b.fill(40, 500_000, true) }},
	{"large-cache.many", func(b *bench) int64 { return b.fill(2500, 10_000, false) }},
	{"large-cache.not-half", func(b *bench) int64 { return b.fill(50, 100_000, true) }},

	{"relists.15", func(b *bench) int64 { return b.relists(6, 0) }},
	{"relists.eight", func(b *bench) int64 { return b.relists(8, 0) }},
	{"relists.with-changes", func(b *bench) int64 { return b.relists(5, 3) }},
	{"relists.not-half", func(b *bench) int64 { return b.relists(2, 0) }},

	{"relist-news.15", func(b *bench) int64 { return b.news(14, 0) }},
	{"relist-news.deleted", func(b *bench) int64 { return b.news(0, 31) }},
	{"relist-news.both", func(b *bench) int64 { return b.news(21, 20) }},
	{"relist-news.not-half", func(b *bench) int64 { return b.news(4, 0) }},

	{"short-watches.15", func(b *bench) int64 { return b.cut(6, 20*time.Second) }},
	{"short-watches.proxy", func(b *bench) int64 { return b.cut(20, 25*time.Second) }},
	{"short-watches.minute", func(b *bench) int64 { return b.cut(8, 58*time.Second) }},
	{"short-watches.not-half", func(b *bench) int64 { return b.cut(2, 20*time.Second) }},
	{"short-watches.not-long", func(b *bench) int64 { return b.cut(8, 2*time.Minute) }},

	{"slow-handler.15", func(b *bench) int64 { return b.slow(10*time.Millisecond, 173) }},
	{"slow-handler.burst", func(b *bench) int64 { return b.slow(50*time.Millisecond, 200) }},
	{"slow-handler.one-call", func(b *bench) int64 { return b.slow(12*time.Second, 2) }},
	{"slow-handler.joins", func(b *bench) int64 { return b.joins(20*time.Millisecond, 90) }},
	{"slow-handler.not-joins", func(b *bench) int64 { return b.joins(20*time.Millisecond, 30) }},
	{"slow-handler.not-half", func(b *bench) int64 { return b.slow(10*time.Millisecond, 61) }},

	{"stuck-handler.15", func(b *bench) int64 { return b.stuck(45*time.Second, 1) }},
	{"stuck-handler.first-list", func(b *bench) int64 { return b.stuck(10*time.Minute, 0) }},
	{"stuck-handler.with-others", func(b *bench) int64 { return b.stuck(2*time.Minute, 20) }},
	{"stuck-handler.not-half", func(b *bench) int64 { return b.stuck(15*time.Second, 1) }},
	{"stuck-handler.not-for-ever", func(b *bench) int64 { return b.returns(45 * time.Second) }},

	{"handler-panic.update", func(b *bench) int64 { return b.panics(1, false) }},
	{"handler-panic.often", func(b *bench) int64 { return b.panics(4, false) }},
	{"handler-panic.tombstone", func(b *bench) int64 { return b.panics(1, true) }},
	{"handler-panic.not-one", func(b *bench) int64 { return b.panics(0, false) }},

	{"function-panic.one", func(b *bench) int64 { return b.indexPanics(1, false) }},
	{"function-panic.many", func(b *bench) int64 { return b.indexPanics(7, false) }},
	{"function-panic.transform", func(b *bench) int64 { return b.indexPanics(3, true) }},
	{"function-panic.not-one", func(b *bench) int64 { return b.indexPanics(0, false) }},

	{"cache-changed.one", func(b *bench) int64 { return b.changes(1, false) }},
	{"cache-changed.many", func(b *bench) int64 { return b.changes(8, false) }},
	{"cache-changed.between", func(b *bench) int64 { return b.changes(3, true) }},
	{"cache-changed.not-one", func(b *bench) int64 { return b.changes(0, false) }},

	{"events-missing.one", func(b *bench) int64 { return b.drop(1) }},
	{"events-missing.some", func(b *bench) int64 { return b.drop(3) }},
	{"events-missing.many", func(b *bench) int64 { return b.drop(12) }},
	{"events-missing.not-one", func(b *bench) int64 { return b.drop(0) }},

	{"versions-back.one", func(b *bench) int64 { return b.exchangeEvents(1) }},
	{"versions-back.some", func(b *bench) int64 { return b.exchangeEvents(3) }},
	{"versions-back.many", func(b *bench) int64 { return b.exchangeEvents(12) }},
	{"versions-back.not-one", func(b *bench) int64 { return b.exchangeEvents(0) }},

	{"silent-watch.15", func(b *bench) int64 { return b.silence(450*time.Second, true) }},
	{"silent-watch.hour", func(b *bench) int64 { return b.silence(time.Hour, true) }},
	{"silent-watch.over", func(b *bench) int64 { return b.silence(450*time.Second, false) }},
	{"silent-watch.marked", func(b *bench) int64 { b.marked = true; return b.silence(165*time.Second, true) }},
	{"silent-watch.not-half-marked", func(b *bench) int64 { b.marked = true; return b.silence(75*time.Second, true) }},
	{"silent-watch.not-half", func(b *bench) int64 { return b.silence(150*time.Second, true) }},

	{"no-bookmarks.15", func(b *bench) int64 { return b.unmarked(450*time.Second, 10*time.Second, 5*time.Minute) }},
	{"no-bookmarks.hour", func(b *bench) int64 { return b.unmarked(time.Hour, 20*time.Second, 5*time.Minute) }},
	{"no-bookmarks.few-events", func(b *bench) int64 { return b.unmarked(7*time.Minute, time.Minute, 5*time.Minute) }},
	{"no-bookmarks.not-half", func(b *bench) int64 { return b.unmarked(150*time.Second, 10*time.Second, 0) }},

	{"polls.15", func(b *bench) int64 { return b.polls(150, 4*time.Second, "shop") }},
	{"polls.fast", func(b *bench) int64 { return b.polls(600, 50*time.Millisecond, "shop") }},
	{"polls.namespaces", func(b *bench) int64 { return b.polls(180, 3*time.Second, "shop", "bank", "zoo") }},
	{"polls.not-half", func(b *bench) int64 { return b.polls(50, 10*time.Second, "shop") }},
	{"polls.not-often", func(b *bench) int64 { return b.polls(300, 12*time.Second, "shop") }},

	{"same-watch.15", func(b *bench) int64 { return b.informers(3, time.Minute) }},
	{"same-watch.two", func(b *bench) int64 { return b.informers(2, time.Hour) }},
	{"same-watch.leak", func(b *bench) int64 { return b.informers(30, 5*time.Minute) }},
	{"same-watch.within", func(b *bench) int64 { return b.runSelectors(15*time.Second, "", "n=1") }},
	{"same-watch.not-half-within", func(b *bench) int64 { return b.runSelectors(5*time.Second, "", "n=1") }},
	{"same-watch.not-within", func(b *bench) int64 { return b.runSelectors(time.Minute, "n=0", "n=1") }},
	{"same-watch.not-half", func(b *bench) int64 { return b.informers(1, time.Hour) }},
	{"same-watch.not-after", func(b *bench) int64 { return b.oneAfterAnother(5) }},

	{"burst.15", func(b *bench) int64 { return b.burst(1500) }},
	{"burst.large", func(b *bench) int64 { return b.burst(4000) }},
	{"burst.twice", func(b *bench) int64 { b.burst(1200); return max(1200, b.burst(1100)) }},
	{"burst.not-half", func(b *bench) int64 { return b.burst(500) }},

	{"same-name.15", func(b *bench) int64 { return b.named("h", 9) }},
	{"same-name.many", func(b *bench) int64 { return b.named("h", 200) }},
	{"same-name.few", func(b *bench) int64 { return b.named("h", 7) }},
	{"same-name.one-resource", func(b *bench) int64 { return b.namedTwice("h", 9) }},
	{"same-name.one-object", func(b *bench) int64 { return b.namedTwice("h", 1) }},
	{"same-name.not-of-one-resource", func(b *bench) int64 { return b.namedTwice("other", 9) }},
	{"same-name.not-half", func(b *bench) int64 { return b.named("h", 3) }},
	{"same-name.not-the-same", func(b *bench) int64 { return b.named("other", 50) }},
}

// hot changes one object so often within a time, and others now and then. It returns how often within a minute at most.
func (b *bench) hot(changes int, within time.Duration, others int) int64 {
	for i := range others {
		b.put("configmaps", fmt.Sprint("calm", i), 0)
	}
	b.put("configmaps", "hot", 0)
	b.informer("configmaps", &member{name: "h"})
	for i := range changes {
		b.put("configmaps", "hot", i+1)
		if i%40 == 0 {
			b.put("configmaps", fmt.Sprint("calm", i/40%others), i+1)
		}
		b.pass(within / time.Duration(changes))
	}
	return int64(changes)
}

// noOps updates pods so often without changing anything but a time, or but the manager where the server notes it, and so often
// with a change. It returns the former.
func (b *bench) noOps(same, changed int) int64 {
	const pods = 20
	b.informer("pods", &member{name: "h"})
	pod := func(i int) string {
		return fmt.Sprintf(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%d","namespace":"shop","labels":{"app":"web"}}`, i%pods)
	}
	content := 0
	status := func(i int) {
		b.send("PUT", "pods", fmt.Sprintf("p%d/status", i%pods), pod(i)+fmt.Sprintf(`,"status":{"conditions":[{"type":"Ready","status":"True","lastProbeTime":%q,"message":"%d"}]}}`,
			time.Now().UTC().Format(time.RFC3339), content))
		b.pass(2 * time.Second)
	}
	again := status
	if b.managers {
		again = func(i int) {
			b.send("PATCH", "pods", fmt.Sprintf("p%d?fieldManager=m%d", i%pods, i), pod(i)+"}") // a new owner of the label
			b.pass(2 * time.Second)
		}
	}
	for i := range pods {
		b.send("POST", "pods", "", pod(i)+"}")
		status(i)
	}
	for i := range same {
		again(i)
	}
	for i := range changed {
		content = i + 1
		status(i)
	}
	return int64(same)
}

// polls lists so often, each time in the next one of the namespaces. It returns how often.
func (b *bench) polls(lists int, every time.Duration, namespaces ...string) int64 {
	b.put("configmaps", "a", 0)
	b.informer("pods", &member{name: "h"})
	for i := range lists {
		if err := b.client.Get().Namespace(namespaces[i%len(namespaces)]).Resource("configmaps").Do(context.Background()).Error(); err != nil {
			b.t.Fatal(err)
		}
		b.pass(every)
	}
	return int64(lists)
}

// fill creates so many objects of a size, while the informer watches or before. It returns how many.
func (b *bench) fill(n, size int, watched bool) int64 {
	create := func() {
		for i := range n {
			b.send("POST", "configmaps", "", fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c%d","namespace":"shop"},"data":{"text":%q}}`, i, strings.Repeat("x", size)))
			b.pass(time.Millisecond)
		}
	}
	if !watched {
		create()
	}
	b.informer("configmaps", &member{name: "h"})
	if watched {
		create()
	}
	b.pass(time.Minute)
	return int64(n)
}

// relists makes the informer list so often, and has some changes each time. It returns how often within ten minutes at most.
func (b *bench) relists(n, changes int) int64 {
	for i := range 20 {
		b.put("configmaps", fmt.Sprint("a", i), 0)
	}
	b.informer("configmaps", &member{name: "h"})
	b.pass(2 * time.Minute)
	for i := range n {
		b.withoutWatch(func() {
			for j := range changes {
				b.put("configmaps", fmt.Sprint("a", j), i+1)
			}
		})
	}
	most, lists := 0, b.wire.lists[1:]
	for i := range lists {
		for j := i; j < len(lists) && lists[j].Sub(lists[i]) <= 10*time.Minute; j++ {
			most = max(most, j-i+1)
		}
	}
	return int64(most)
}

// news changes and deletes objects while no watch is open.
func (b *bench) news(changed, deleted int) int64 {
	for i := range 40 {
		b.put("configmaps", fmt.Sprint("a", i), 0)
		b.put("configmaps", fmt.Sprint("b", i), 0)
	}
	b.put("configmaps", "other", 7)
	b.informer("configmaps", &member{name: "h"})
	b.pass(3 * time.Minute)
	b.withoutWatch(func() {
		for i := range changed {
			b.put("configmaps", fmt.Sprint("a", i), 1)
		}
		for i := range deleted {
			b.remove("configmaps", fmt.Sprint("b", i))
		}
	})
	return int64(changed + deleted + 1) // and away's own
}

// cut ends so many watches, each after a time.
func (b *bench) cut(n int64, after time.Duration) int64 {
	b.put("configmaps", "a", 0)
	b.wire.cut = after
	b.informer("configmaps", &member{name: "h"})
	for i := 0; b.wire.cuts.Load() < n; i++ {
		b.put("configmaps", "a", i+1)
		b.pass(10 * time.Second)
	}
	return b.wire.cuts.Load()
}

// slow lets a handler take its time while objects change at once. It returns how late the last call is.
func (b *bench) slow(takes time.Duration, changes int) int64 {
	b.put("configmaps", "a", 0)
	b.informer("configmaps", &member{name: "slow", takes: takes}, &member{name: "quick"})
	b.pass(time.Minute)
	var first, last time.Time
	for i := range changes {
		b.put("configmaps", fmt.Sprint("a", i%50), i+1)
		if last = time.Now(); i == 0 {
			first = last
		}
	}
	b.pass(takes * time.Duration(changes+1))
	b.pass(time.Minute)
	return int64(takes*time.Duration(changes-1) - last.Sub(first))
}

// joins adds a handler that takes its time to an informer that has had its objects for a minute. It returns how late
// the last call is.
func (b *bench) joins(takes time.Duration, objects int) int64 {
	for i := range objects {
		b.put("configmaps", fmt.Sprint("a", i), 0)
	}
	b.informer("configmaps", &member{name: "quick"}, &member{name: "slow", takes: takes, from: time.Minute})
	b.pass(takes * time.Duration(objects+1))
	return int64(takes * time.Duration(objects-1))
}

// stuck blocks a handler in the call about one of so many changes, or about the first list, until the recording ends after a
// time. It returns that time.
func (b *bench) stuck(d time.Duration, changes int) int64 {
	b.put("configmaps", "a", 0)
	at := changes/2 + 2
	if changes == 0 {
		at = 1
	}
	var since time.Time
	b.informer("configmaps", &member{name: "stuck", on: func(n int) {
		if n == at {
			since = time.Now()
			<-b.over
		}
	}}, &member{name: "other"})
	for i := range changes {
		b.put("configmaps", fmt.Sprint("a", i), 0)
	}
	b.pass(d)
	b.put("configmaps", "last", 0)
	b.pass(time.Second)
	return int64(time.Since(since))
}

// returns blocks a handler for a time.
func (b *bench) returns(d time.Duration) int64 {
	b.put("configmaps", "a", 0)
	b.informer("configmaps", &member{name: "blocks", on: func(int) { b.pass(d) }})
	b.pass(2 * d)
	return 0
}

// panics lets a handler panic so often, and goes on.
func (b *bench) panics(times int, tombstone bool) int64 {
	b.put("configmaps", "a", 0)
	b.put("configmaps", "b", 0)
	utilruntime.ReallyCrash = false
	left := times
	b.informer("configmaps", &member{name: "h", on: func(n int) {
		if n > 2 && left > 0 {
			left--
			panic("planted")
		}
	}})
	b.pass(2 * time.Minute)
	if tombstone {
		b.withoutWatch(func() { b.remove("configmaps", "b") })
	}
	for i := range 10 {
		b.put("configmaps", "a", i+1)
		b.pass(time.Second)
	}
	return int64(times)
}

// indexPanics lets an index function, or a transform function, panic for so many objects.
func (b *bench) indexPanics(times int, transform bool) int64 {
	utilruntime.ReallyCrash = false
	seen := map[string]bool{} // a list brings the object again
	f := func(obj any) {
		if o, ok := obj.(metav1.Object); ok && strings.HasPrefix(o.GetName(), "bad") && !seen[o.GetName()] {
			seen[o.GetName()] = true
			panic("planted")
		}
	}
	if transform && minor == 37 { // v0.22 has none, and v0.32 leaves a watch to nobody when its reflector panics
		b.transform = record.Transform(b.rec, "trim", func(obj any) (any, error) { f(obj); return obj, nil })
	} else {
		b.indexers = record.Indexers(b.rec, cache.Indexers{"by-owner": func(obj any) ([]string, error) { f(obj); return nil, nil }})
	}
	b.informer("configmaps", &member{name: "h"})
	for i := range 10 {
		b.put("configmaps", fmt.Sprint("good", i), 0)
		b.pass(time.Second)
		if i < times {
			b.put("configmaps", fmt.Sprint("bad", i), 0)
			b.pass(3 * time.Second)
		}
	}
	b.pass(time.Minute)
	return int64(times)
}

// changes lets a handler change so many objects of the cache, or somebody else who has read them from there. Others get the same
// objects, and copy them first.
func (b *bench) changes(times int, later bool) int64 {
	change := func(obj any) {
		o := obj.(metav1.Object)
		o.SetLabels(map[string]string{"seen": o.GetResourceVersion()})
	}
	left := times
	store := b.informer("configmaps", &member{name: "h", of: func(obj any) {
		if o, ok := obj.(runtime.Object); ok && !later && left > 0 {
			left--
			change(o)
		} else if ok {
			change(o.DeepCopyObject())
		}
	}})
	for i := range 10 {
		b.put("configmaps", fmt.Sprint("a", i), 0)
		b.pass(time.Second)
		if obj, ok, _ := store.GetByKey(fmt.Sprint("shop/a", i)); ok && later && left > 0 {
			left--
			change(obj)
		}
	}
	for i := range 10 {
		b.put("configmaps", fmt.Sprint("a", i), 1)
		b.pass(time.Second)
	}
	b.pass(time.Minute)
	return int64(times)
}

// drop keeps back the events of so many creations, and sends what follows.
func (b *bench) drop(n int) int64 {
	b.put("configmaps", "a", 0)
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if typ, name, _ := parts(line); typ != "ADDED" || !strings.HasPrefix(name, "gone") {
			pass(line)
		}
	}
	b.informer("configmaps", &member{name: "h"})
	for i := range n {
		b.put("configmaps", fmt.Sprint("gone", i), 0)
		b.put("configmaps", fmt.Sprint("gone", i), 1)
		b.pass(time.Second)
	}
	for i := range 5 {
		b.put("configmaps", fmt.Sprint("there", i), 0)
		b.put("configmaps", fmt.Sprint("there", i), 1)
		b.pass(time.Second)
	}
	return int64(n)
}

// exchangeEvents exchanges two events so often.
func (b *bench) exchangeEvents(n int) int64 {
	b.put("configmaps", "a", 0)
	b.put("configmaps", "b", 0)
	var held []byte
	b.wire.edit = func(line []byte, pass func([]byte)) {
		typ, name, number := parts(line)
		switch {
		case typ == "MODIFIED" && name == "a" && number <= n:
			held = line
		case held != nil:
			pass(line)
			pass(held)
			held = nil
		default:
			pass(line)
		}
	}
	b.informer("configmaps", &member{name: "h"})
	for i := range max(n, 5) {
		b.put("configmaps", "a", i+1)
		b.put("configmaps", "b", i+1)
		b.pass(time.Second)
	}
	return int64(n)
}

// silence lets nothing through for a time, and then ends the recording, or the silence. It returns for how long nothing came on
// a watch that was open.
func (b *bench) silence(d time.Duration, ends bool) int64 {
	b.put("configmaps", "a", 0)
	silent := false
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if !silent {
			pass(line)
		}
	}
	b.informer("configmaps", &member{name: "h"})
	b.put("configmaps", "a", 1)
	b.pass(time.Millisecond)
	if b.marked {
		b.pass(125 * time.Second) // a watch may end after five minutes
	}
	silent = true
	b.pass(d)
	silent = ends
	b.put("configmaps", "a", 2)
	b.pass(time.Second)
	b.rec.Mark("the end")
	return int64(b.wire.silence())
}

// unmarked lets no bookmarks through while an object changes now and then, for a time and until an event came on a watch that has been
// open for least: the client draws how long a watch may last, from 5 to 10 minutes. It returns the longest time from the opening of a watch
// to an event, or to the end of the recording if that watch is still open then.
func (b *bench) unmarked(d, every, least time.Duration) int64 {
	b.put("configmaps", "a", 0)
	var opened, began time.Time // the last watch opened, and the watch of the longest time opened
	longest := time.Duration(0)
	b.wire.open = func() { opened = time.Now() }
	b.wire.edit = func(line []byte, pass func([]byte)) {
		if typ, _, _ := parts(line); typ != "BOOKMARK" || bytes.Contains(line, []byte("initial-events-end")) {
			if open := time.Since(opened); open > longest {
				longest, began = open, opened
			}
			pass(line)
		}
	}
	b.informer("configmaps", &member{name: "h"})
	for i := 0; i < int(d/every) || longest < least; i++ {
		b.put("configmaps", "a", i+1)
		b.pass(every)
	}
	if began == opened && b.wire.watches.Load() > 0 {
		return int64(time.Since(opened))
	}
	return int64(longest)
}

// informers runs so many informers of one resource for a time.
func (b *bench) informers(n int, d time.Duration) int64 {
	b.put("configmaps", "a", 0)
	for i := range n {
		b.informer("configmaps", &member{name: fmt.Sprint("h", i)})
	}
	b.pass(d)
	return int64(n)
}

// runSelectors runs two informers with these selectors for so long. It returns how many objects the second one has.
func (b *bench) runSelectors(d time.Duration, labels ...string) int64 {
	for i := range 5 {
		b.put("configmaps", fmt.Sprint("a", i), i%2)
	}
	for _, b.labels = range labels {
		b.informer("configmaps", &member{name: cmp.Or(b.labels, "all")})
	}
	b.pass(d - 2*time.Second)
	b.rec.Mark("the end")
	return 2
}

// oneAfterAnother runs informers that are stopped before the next one begins.
func (b *bench) oneAfterAnother(n int) int64 {
	b.put("configmaps", "a", 0)
	for i := range n {
		b.informer("configmaps", &member{name: fmt.Sprint("h", i)})
		b.pass(time.Minute)
		b.stop()
	}
	return 0
}

// burst changes so much at once.
func (b *bench) burst(n int) int64 {
	if len(b.stops) == 0 {
		b.put("configmaps", "a", 0)
		b.informer("configmaps", &member{name: "h"})
	}
	b.pass(time.Minute)
	const together = 100
	var group sync.WaitGroup
	for w := range together {
		group.Go(func() {
			for i := w; i < n; i += together {
				b.put("configmaps", fmt.Sprint("b", i), n)
			}
		})
	}
	group.Wait()
	b.pass(time.Minute)
	return int64(n)
}

// named records the handlers of two informers, with so many calls each.
func (b *bench) named(second string, n int) int64 {
	for i := range n {
		b.put("configmaps", fmt.Sprint("a", i), 0)
		b.put("services", fmt.Sprint("b", i), 0)
	}
	b.informer("configmaps", &member{name: "h"})
	b.informer("services", &member{name: second})
	b.pass(time.Minute)
	return int64(n)
}

// namedTwice runs two informers of one resource, whose handlers are called h and second, while so many objects are created.
func (b *bench) namedTwice(second string, n int) int64 {
	b.informer("configmaps", &member{name: "h"})
	b.informer("configmaps", &member{name: second})
	for i := range n {
		b.put("configmaps", fmt.Sprint("a", i), 0)
		b.pass(time.Second / 5)
	}
	return int64(n)
}
