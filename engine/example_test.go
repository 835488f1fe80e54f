package engine_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

// shop is a script with two handlers. The handler audit is slow.
const shop = `
informer pods
handler metrics
handler audit takes=20ms
create pod shop/web app=web
run until synced
`

// play returns the run of a script.
func play(text string) *history.History {
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(text); err != nil {
		log.Fatal(err)
	}
	return r.History()
}

// A script is the shortest way to a run, and its transcript says what came of each line.
func Example() {
	r := script.NewRunner(func(e script.Entry) { fmt.Println(strings.TrimSpace(e.String())) })
	err := r.Play(`profile v0.37
informer pods
handler metrics
log calls
create pod shop/web app=web
run
delete pod shop/web
run
show store`)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// > profile v0.37
	// > informer pods
	// > handler metrics
	// > log calls
	// > create pod shop/web app=web
	// > run
	// 6.0925ms     run/metrics HandlerCalled metrics OnAdd shop/web@1
	// > delete pod shop/web
	// > run
	// 7.123ms      run/metrics HandlerCalled metrics OnDelete shop/web@2
	// > show store
	// = []
}

// Next is who moves in the default schedule, which does what a real run would most plausibly do. Choose moves
// another actor of those that are Ready, as the real scheduler of goroutines might.
func Example_stepByHand() {
	h := play(shop + "create pod shop/api app=api\nrun until call metrics\n")
	for range 4 {
		w := h.Front()
		ready := w.Ready(nil)
		last := ready[len(ready)-1]
		next, _ := w.Next()
		fmt.Printf("%d can move, %v would, %v does: %v\n",
			len(ready), w.Set.Role(next).Kind, w.Set.Role(last).Kind, w.Set.State(last).PC)
		h.Choose(last)
	}
	// Output:
	// 4 can move, run would, pop does: popNext
	// 4 can move, run would, run does: runCall
	// 4 can move, run would, run does: runReturn
	// 3 can move, run would, run does: runReturn
}

// A step leaves facts in the Log of the world. They are all that anyone outside needs to see.
func Example_facts() {
	h := play("informer pods\nhandler metrics\nrun until synced\ncreate pod shop/web\n")
	called := false
	for !called && h.Step() {
		w := h.Front()
		for _, e := range w.Log.Events {
			fmt.Println(w.Set.Role(w.Last.Actor).Kind, w.Last.PC, e.Kind)
			called = e.Kind == event.HandlerCalled
		}
	}
	// Output:
	// reflector reflectorWatch WatchRequested
	// reflector reflectorOpened WatchOpened
	// reflector reflectorReceive WatchEventReceived
	// reflector reflectorEnqueue Enqueued
	// reflector reflectorRV ResourceVersionSet
	// loop loopPop LockAcquired
	// loop loopPop Popped
	// loop loopPop LockAcquired
	// loop loopStore StoreAdded
	// loop loopStore IndexAdded
	// loop loopDistribute LockAcquired
	// loop loopDistribute Distributed
	// loop loopDistribute ListenerAddCh
	// loop loopDistribute ListenerSlot
	// loop loopDistribute LockReleased
	// loop loopRelease LockReleased
	// loop loopRelease LockReleased
	// pop popNext ListenerNextCh
	// run runCall HandlerCalled
}

// SeekTo goes to any step of a run, forwards and back, from the nearest checkpoint.
func Example_seek() {
	h := play(shop + "run\n")
	for _, ms := range []int64{12, 5, 100} {
		w := h.SeekTo(h.StepOf(ms * 1e6))
		fmt.Printf("at %d ms the cache has %d objects\n", ms, len(w.Informers[0].Indexer.List(nil)))
	}
	// Output:
	// at 12 ms the cache has 1 objects
	// at 5 ms the cache has 0 objects
	// at 100 ms the cache has 1 objects
}

// A Branch shares the past of its parent, and has a future of its own. What is done in one isn't seen in the other.
func Example_branch() {
	h := play(shop + "run\n")
	b := h.Branch(h.Steps())
	if err := script.Attach(b, func(script.Entry) {}).Play("delete pod shop/web\nrun"); err != nil {
		log.Fatal(err)
	}
	cached := func(h *history.History) int { return len(h.Front().Informers[0].Indexer.List(nil)) }
	fmt.Println("the parent has", cached(h), "object in the cache, and its branch", cached(b))
	// Output:
	// the parent has 1 object in the cache, and its branch 0
}

// Explore tries every interleaving, and answers with the shortest schedule: can audit, whose calls take 20 ms, be
// called before metrics, which was added first?
func Example_explore() {
	h := play("informer pods\nhandler metrics\nhandler audit takes=20ms\nexists pod shop/web\nstep\n")
	before := explore.Question{
		Visible: []actor.PC{actor.RunCall},
		Look: func(w *world.World, called uint64) (uint64, bool) {
			for _, e := range w.Log.Events {
				if e.Kind == event.HandlerCalled {
					return 1, called == 0 && e.Handler() == 1
				}
			}
			return called, false
		},
		Settled: 1,
	}
	x, err := explore.Explore(h.Config(), before, explore.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Yes, "in", len(x.Schedule), "steps; none is shorter:", x.Shortest)
	b := h.Branch(0)
	fmt.Println("played:", b.Follow(x.Schedule), b.Front().Log.Events[0].Kind, b.Front().Log.Events[0].Handler())
	// Output:
	// true in 12 steps; none is shorter: true
	// played: true HandlerCalled 1
}

// An expression has a value after each step of a run.
func Example_ask() {
	h := play(shop + "create pod shop/api\ncreate pod shop/db\nrun\n")
	x, err := ask.Parse(`behind("audit")`)
	if err != nil {
		log.Fatal(err)
	}
	search := x.Search(h, 0, func(c ask.Change) {
		fmt.Printf("%.3f ms %s\n", float64(c.Time)/1e6, c.Value.Text(x.Type()))
	})
	for ended := false; !ended; ended = search.Advance(1000) {
	}
	// Output:
	// 0.001 ms 0
	// 11.215 ms 1
	// 11.238 ms 2
	// 11.260 ms 3
	// 31.216 ms 2
	// 51.218 ms 1
	// 71.219 ms 0
}

// A Tracker says what came of what: here, of the watch event that brought shop/web.
func Example_why() {
	h := play(shop + "run\n")
	key, _ := h.Config().Informers[0].Table.LookupKey("shop/web")
	t := cause.New(0, key)
	for step := range h.Steps() {
		t.Look(h.SeekTo(step + 1))
	}
	t.Chains()[0].Each(func(n *cause.Node) bool {
		first, last := n.First(), n.Last()
		fmt.Printf("%v at %d steps %d to %d\n", first.Event.Kind, n.Handler(), first.Step, last.Step)
		return true
	})
	// Output:
	// ObjectWritten at -1 steps 11 to 11
	// WatchEventReceived at -1 steps 12 to 12
	// Enqueued at -1 steps 13 to 16
	// Distributed at -1 steps 17 to 17
	// ListenerAddCh at 0 steps 17 to 22
	// ListenerAddCh at 1 steps 18 to 26
}

// A version of client-go is a Profile, which is data. Play tells what a program can see of a script in one.
func Example_versions() {
	const text = "informer pods\nhandler audit\nexists pod a/x\nrun\ncompact\nbreak watch\nrun\n"
	var seen [2]*changes.Observation
	for i, name := range []string{"v0.32", "v0.37"} {
		p, ok := world.ProfileFor(name)
		if !ok {
			log.Fatal("unknown version ", name)
		}
		seen[i], _ = changes.Play(text, p)
	}
	for _, part := range seen[0].Differs(seen[1]) {
		fmt.Printf("%v\n  [%s]\n  [%s]\n", part, strings.Join(seen[0][part], "; "), strings.Join(seen[1][part], "; "))
	}
	// Output:
	// requests
	//   [pods: ListRequested rv="0" limit=500; pods: WatchRequested rv="1"; pods: BackoffStarted of 800ms or more; pods: ListRequested rv="1"; pods: WatchRequested rv="1"]
	//   [pods: WatchRequested streaming rv=""; pods: BackoffStarted of 800ms or more; pods: WatchRequested streaming rv="1"]
	// metrics
	//   []
	//   [pods: informer_store_resource_version is exported, first as 0]
}

// Between lists what an upgrade changes for a program.
func Example_changes() {
	for _, c := range changes.Between("v0.35", "v0.36") {
		fmt.Println(c.Name)
	}
	// Output:
	// atomic
	// unlocks
	// backoff-restarts
	// version-after-added
	// latched-sync
	// awaits-listeners
	// lists-stopped
}

// Keys, names and label values are numbers of a Table, and an object is a row of it.
func Example_objects() {
	t := object.NewTable(nil)
	o := t.Add(object.Meta{Namespace: t.Sym("shop"), Name: t.Sym("web"), RV: t.RV("7")})
	fmt.Println(t.KeyText(t.KeyOf(o)), t.Text(t.Meta(o).Name))
	// Output: shop/web web
}
