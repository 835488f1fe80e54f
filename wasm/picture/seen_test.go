package picture

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
	"github.com/informerscope/informerscope/wasm/link"
)

// frames returns the first informer's frame after each step of a script, from step 0 on.
func frames(t *testing.T, window link.Window, lines ...string) []*link.Frame {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	h := r.History()
	var all []*link.Frame
	keys := NewRanks(h.Front().Informers[0].Config().Table)
	for step := range h.Steps() + 1 {
		h.SeekTo(step)
		all = append(all, New(h.World(), h.World().Informers[0], window, keys).Frame())
	}
	return all
}

// moves are the moves of all frames that go to a place, or from it.
func movesAt(all []*link.Frame, place string) (out []link.Move) {
	for _, f := range all {
		for _, m := range f.Moves {
			if strings.HasPrefix(m.From, place) || strings.HasPrefix(m.To, place) {
				out = append(out, m)
			}
		}
	}
	return out
}

// A key that is in the dirty set already touches the set and returns to where
// it came from. A key that is being processed goes into the dirty set.
func TestKeysOfTheWorkqueueAreSeen(t *testing.T) {
	all := frames(t, DefaultWindow, "profile classic", "informer pods work=1s", "handler h workqueue", "create pod default/web",
		"run until WorkGot", "update pod default/web", "run until WorkDeferred", "update pod default/web", "run until WorkDirty")
	dirty := link.PlaceKey(link.SetDirty, "default/web")
	var hows []link.Motion
	for _, m := range movesAt(all, dirty) {
		hows = append(hows, m.Motion)
		if m.From != link.PlaceLane(0, link.LaneHandler) || m.To != dirty {
			t.Errorf("a key goes from %s to %s", m.From, m.To)
		}
	}
	if !slices.Equal(hows, []link.Motion{link.KeyOnly, link.Touches}) {
		t.Errorf("keys go to the dirty set like %q", hows)
	}
}

// A listener whose goroutines have not been started is not said to run, and so not to have caught up.
func TestAListenerRunsOnceItWasStarted(t *testing.T) {
	for _, last := range []struct {
		line string
		runs bool
	}{{"step 1 loop", false}, {"step 1 processor", true}} {
		all := frames(t, DefaultWindow, "profile v0.35", "informer pods processor", "handler early", "exists pod default/web", "step 1 user", "step 10 reflector", "step 2 loop", last.line)
		if l := all[len(all)-1].Processor.Listeners[0]; l.Joined != last.runs {
			t.Errorf("after %q the listener is %+v", last.line, l)
		}
	}
}

// A listener at which the process has crashed has run, so its handler can still be mended.
func TestAListenerStaysAfterACrash(t *testing.T) {
	all := frames(t, DefaultWindow, "profile current", "informer pods", "handler h", "exists pod default/web", "run", "panic handler h", "update pod default/web", "run")
	if l := all[len(all)-1].Processor.Listeners[0]; !l.Joined || l.EndState != link.StateCrashed {
		t.Errorf("after the crash the listener is %+v", l)
	}
}

// A key that waitingLoop adds to the queue flies there from the delayed heap.
func TestDelayedKeysComeFromTheirDelay(t *testing.T) {
	all := frames(t, DefaultWindow, "profile classic", "informer pods fails=1", "handler h workqueue", "create pod default/web", "run until WorkReady")
	delayed, queue := link.PlaceKey(link.SetDelayed, "default/web"), link.PlaceKey(link.SetQueue, "default/web")
	last := all[len(all)-1]
	if len(last.Moves) != 1 || last.Moves[0].From != delayed || last.Moves[0].To != queue {
		t.Errorf("a key whose delay is over moves like %+v", last.Moves)
	}
	if !last.Work.Delays || last.Work.Writes {
		t.Errorf("where reconciles fail, keys are delayed: %+v", last.Work)
	}
	all = frames(t, DefaultWindow, "profile classic", "informer pods", "handler h workqueue", "create pod default/web", "run")
	if w := all[len(all)-1].Work; w.Delays || w.Writes {
		t.Errorf("where no reconcile fails and none writes, nothing is delayed and nothing written: %+v", w)
	}
	all = frames(t, DefaultWindow, "profile classic", "informer pods writes=seen=yes", "handler h workqueue", "create pod default/web", "run")
	if w := all[len(all)-1].Work; !w.Delays || !w.Writes {
		t.Errorf("workers that write meet conflicts: %+v", w)
	}
}

// An object that is deleted is seen to leave the cache, from its tile or from its cell
// of the density map.
func TestADeletedObjectDropsOutOfTheCache(t *testing.T) {
	lines := []string{"profile classic", "informer pods", "handler h", "exists pod default/a", "exists pod default/b", "exists pod default/c", "run",
		"delete pod default/a", "run"}
	for _, c := range []struct {
		store int
		place string
	}{{8, link.PlaceTile("default/a")}, {1, link.PlaceCell(0)}} {
		window := DefaultWindow
		window.Store = c.store
		var drops []link.Move
		drops = append(drops, movesAt(frames(t, window, lines...), link.PlaceVoid)...)
		if len(drops) != 1 || drops[0].Motion != link.Drops || drops[0].From != c.place || drops[0].Chip.Key != "default/a" || drops[0].Chip.T != link.LetterDeleted {
			t.Errorf("from a cache shown in %d parts, the object drops by %+v", c.store, drops)
		}
	}
}

// A batch is shown as its deltas with their keys and their count, and each object goes
// to the store from its own delta.
func TestABatchIsItsDeltas(t *testing.T) {
	lines := []string{"profile current", "informer pods", "handler h", "exists pod a/0", "run"}
	for i := range 5 {
		lines = append(lines, "create pod a/"+strconv.Itoa(i+1))
	}
	// The process loop doesn't move until all five are queued.
	lines = append(lines, "advance 0s", "step 15 reflector", "run")
	all := frames(t, DefaultWindow, lines...)
	biggest := &link.Frame{}
	for _, f := range all {
		if f.Loop.Total > biggest.Loop.Total {
			biggest = f
		}
	}
	l := biggest.Loop
	if !l.Batch || l.Total < 2 {
		t.Fatalf("the loop has popped no batch: %+v", l)
	}
	seen := map[string]bool{}
	for i, d := range l.Deltas {
		if d.Key == "" || d.T != link.LetterAdded || seen[d.Key] {
			t.Errorf("delta %d of the batch is %+v", i, d)
		}
		seen[d.Key] = true
	}
	if len(l.Deltas) != min(l.Total, batchRows) || l.Key != "" {
		t.Errorf("%d of %d deltas are shown, with the key %q", len(l.Deltas), l.Total, l.Key)
	}
	from := map[string]bool{}
	for _, f := range all {
		for _, m := range f.Moves {
			if strings.HasPrefix(m.To, link.PlaceStore+"/a/") && f.Loop.Total == l.Total {
				from[m.From] = true
			}
		}
	}
	if len(from) < l.Total {
		t.Errorf("the %d deltas of the batch go to the store from %d places", l.Total, len(from))
	}
}

// Deltas for all objects have client-go's names, and the count of the objects.
func TestDeltasForAllAreNamedAndCounted(t *testing.T) {
	all := frames(t, DefaultWindow, "profile current", "informer pods resync=30s", "handler h resync=30s", "exists pod a/0", "exists pod a/1", "run", "advance 31s", "run")
	names := map[string]int{}
	for _, f := range all {
		chips := f.Loop.Deltas
		for _, r := range f.Queue.Rows {
			chips = append(chips, r.Deltas...)
		}
		for _, m := range f.Moves {
			chips = append(chips, m.Chip)
		}
		for _, c := range chips {
			if c.Name != "" {
				if n, known := names[c.Name]; known && n != c.N {
					t.Errorf("%s has %d objects, and then %d", c.Name, n, c.N)
				}
				names[c.Name] = c.N
			}
		}
	}
	if len(names) != 3 || names[link.NameReplacedAll] != 2 || names[link.NameSyncAll] != 2 || names[link.NameList] != 2 {
		t.Errorf("the deltas seen were %v", names)
	}
}

// The wire tells the state of the connection. A connection that was broken is seen to break, wait and mend.
func TestTheWireTellsOfTheConnection(t *testing.T) {
	all := frames(t, DefaultWindow, "profile classic", "informer pods", "handler h", "exists pod a/0", "run", "advance 20s",
		"fail requests refused n=3", "break watch", "run until BackoffStarted", "advance 20s", "run",
		"silence watch", "advance 1s")
	var states []string
	for _, f := range all {
		if w := f.Wire; len(states) == 0 || states[len(states)-1] != w.State {
			states = append(states, w.State)
			switch {
			case w.State == link.WireBackoff && (w.Remaining <= 0 || w.BackOff < w.Remaining || w.Reason == nil || w.After != link.WireBroken):
				t.Errorf("during a back-off the wire is %+v", w)
			case w.State == link.WireQuiet && w.Since < quietAfter:
				t.Errorf("a wire that is quiet is %+v", w)
			}
		}
	}
	want := []string{link.WireNone, link.WireListing, link.WireOpening, link.WireOpen, link.WireQuiet, link.WireBroken, link.WireOpening,
		link.WireBackoff, link.WireOpening, link.WireBackoff, link.WireOpening, link.WireBackoff, link.WireOpening, link.WireOpen, link.WireQuiet, link.WireHalfOpen}
	if !slices.Equal(states, want) {
		t.Errorf("the wire is %q, not %q", states, want)
	}
}

// A step has one focal point, in scripts and recordings: all that lights up is at one station, and whatever has moved is there.
// What falls has no place to light up. A notification that is handed out lights up each listener that gets it, and a batch
// each of its deltas.
func TestAStepHasOneFocalPoint(t *testing.T) {
	moved, touched := 0, 0
	see := func(r runtest.Run) {
		r.Each(t, func(_, after *world.World) {
			moves, lit := New(after, after.Informers[0], DefaultWindow, NewRanks(after.Informers[0].Config().Table)).Moves()
			at := map[string]bool{}
			for _, place := range lit {
				at[link.StationOf(place)] = true
			}
			falls := func(m link.Move) bool { return m.To == link.PlaceVoid }
			unlit := slices.ContainsFunc(moves, func(m link.Move) bool { return !falls(m) && !slices.Contains(lit, m.To) })
			if len(at) > 1 || at[""] || unlit {
				t.Errorf("%s, step %d lights up %q, and moves %+v", r.Name, after.Steps(), lit, moves)
			}
			switch {
			case len(moves) > 0:
				moved++
			case len(lit) > 0:
				touched++
			}
		})
	}
	runtest.Scripts(t, see)
	runtest.Recordings(t, see)
	if moved < 100_000 || touched < 10_000 {
		t.Errorf("only %d steps move something, and %d touch something", moved, touched)
	}
}

// The list that a recording begins with is seen before anybody has asked for it, and goes
// once it has been sent. The list of a relist is seen in the same way.
func TestTheComingListIsSeen(t *testing.T) {
	tr := runtest.OpenTrace(t, "web/traces/shop.trace.jsonl.gz")
	p, _ := world.ProfileFor("classic")
	for _, r := range tr.Resources {
		if r.Name() != "pods" {
			continue
		}
		lists := map[string]bool{}
		last := 0
		run := runtest.Finished("pods", runtest.TraceConfig(tr, r, p), nil)
		run.Each(t, func(before, after *world.World) {
			f := New(before, before.Informers[0], DefaultWindow, nil).server()
			n := 0
			for _, row := range f.Tape {
				if row.Chip.Name == link.NameList {
					n = row.Chip.N
					lists[row.Chip.RV] = true
				}
			}
			if before.Steps() == 0 && n == 0 {
				t.Error("no list is seen at the beginning")
			}
			if n == 0 && last > 0 && before.Informers[0].Reflector.Lists() == 0 {
				t.Errorf("step %d: the list goes before it was asked for", before.Steps())
			}
			last = n
		})
		if len(lists) != r.Lists || last > 0 {
			t.Errorf("%d lists are seen, of %d, and at the end one of %d objects", len(lists), r.Lists, last)
		}
	}
}

// A watch that was cut is shown as broken until the reflector reads its end,
// whichever actor moves meanwhile. Where no watch is open, nothing breaks.
func TestACutWatchIsBroken(t *testing.T) {
	wire := func(lines ...string) link.Wire {
		all := frames(t, DefaultWindow, lines...)
		return all[len(all)-1].Wire
	}
	if w := wire("profile classic", "informer pods", "run until ListRequested", "break watch"); w.State != link.WireListing {
		t.Errorf("a list is under way, and the wire is %q", w.State)
	}
	for _, profile := range []string{"classic", "current"} {
		w := wire("profile "+profile, "informer pods", "exists pod a/0", "run", "break watch", "create pod a/1")
		if w.State != link.WireBroken || w.Reason == nil || w.Reason.V != "reset" {
			t.Errorf("%s: the watch is cut, and the wire is %+v", profile, w)
		}
	}
}

// A key of a priority queue flies through the buffer. One that is put off by its priority shows
// the key that came later and is handed out before.
func TestAKeyIsPutOffByItsPriority(t *testing.T) {
	all := frames(t, DefaultWindow, "profile current", "informer shops", `controller shops program="set .status.phase Ready" runtime=v0.25`,
		"exists shop default/a", "exists shop default/b", "exists shop default/c", "exists shop default/d", "run until synced",
		"run until WorkGot", "update shop default/d app=new", "run until WorkRaised")
	w := all[len(all)-1].Work
	want := link.Priorities{Ready: []link.Rank{{Priority: 0}, {Priority: -100, Behind: "default/d"}}}
	if !slices.Equal(w.Queue, []string{"default/d", "default/c"}) || w.Priorities == nil || w.Priorities.Buffered != want.Buffered || !slices.Equal(w.Priorities.Ready, want.Ready) {
		t.Errorf("the queue is %q, with %+v", w.Queue, w.Priorities)
	}
	queue := link.PlaceKey(link.SetQueue, "default/d")
	for _, c := range []struct {
		from, to string
		how      link.Motion
	}{{link.PlaceLane(0, link.LaneHandler), link.PlaceBuffer, link.KeyOnly}, {link.PlaceBuffer, queue, link.KeyOnly}, {link.PlaceBuffer, queue, link.Touches}} {
		if !slices.ContainsFunc(movesAt(all, c.to), func(m link.Move) bool { return m.From == c.from && m.Motion == c.how && m.Chip.Key == "default/d" }) {
			t.Errorf("default/d doesn't go from %s to %s by %q", c.from, c.to, c.how)
		}
	}
}
