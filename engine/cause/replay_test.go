//go:build !js

package cause_test

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
)

// chained is a call of a handler, and the objects that its chain and the chain of the
// object before it have brought.
type chained struct {
	e     event.Event
	at    int64
	last  int64 // the step of the last write that it needs, 0 if it comes of none
	needs []object.Ref
}

// calls makes the run of a recording and returns some of its calls, spread over the run.
func calls(t *testing.T, r runtest.Run, most int) (out []chained) {
	t.Helper()
	h := r.History(t)
	tr := cause.New(0, 0)
	written := map[object.Ref]int64{} // the step of each write
	for h.Steps() < r.Steps && h.Extend(1) == 1 {
		w := h.Front()
		tr.Look(w)
		for _, e := range w.Log.Events {
			if e.Kind == event.ObjectWritten {
				written[e.New] = w.Steps()
			}
			if e.Kind != event.HandlerCalled {
				continue
			}
			role := w.Set.Role(e.Actor)
			_, n := tr.Pair(int(role.Index), int(role.Pair))
			needs := []object.Ref{e.Old, e.New, n.Origin().First().Event.New}
			if n.Cause.Cause != nil {
				if l := n.Cause.Cause.Find(event.StoreDeleted); l != nil {
					needs = append(needs, l.Event.Old) // the old object must be there to be deleted
				}
			}
			c := chained{e: e, at: w.Now(), needs: needs}
			if write := n.Chain()[0]; write.Kind == cause.Write {
				c.last = max(write.First().Step, written[e.Old])
			}
			out = append(out, c)
		}
	}
	random := actor.Rand(uint64(len(r.Name)))
	for len(out) > most {
		i := random.Intn(len(out))
		out = slices.Delete(out, i, i+1)
	}
	return out
}

// TestChainsAreEnough replays the inputs of single chains: only those records
// of a recording that brought the objects of one call. The handler must get the
// same call.
func TestChainsAreEnough(t *testing.T) {
	played := 0
	runtest.Recordings(t, func(r runtest.Run) {
		x := r.Config.Informers[0]
		for _, c := range calls(t, r, 5) {
			var records apiserver.Records
			for i := range x.Feed.Len() {
				rec := x.Feed.At(i)
				brings := rec.Kind == apiserver.ListItem || rec.Kind == apiserver.WatchEvent && rec.Delta < event.Error
				if !brings || rec.Obj != 0 && slices.Contains(c.needs, rec.Obj) {
					records = append(records, rec)
				}
			}
			cfg, changed := *r.Config, x
			changed.Feed, changed.Versions, changed.Recorded = records, nil, nil
			if x.Feed.Retried() {
				changed.Feed = runtest.Retried{Records: records}
			}
			cfg.Informers = []informer.Config{changed}
			played++
			if !comesAgain(t, &cfg, c) {
				t.Errorf("%s: the inputs of its chain do not give this call again: %+v", r.Name, c.e)
			}
		}
	})
	t.Log(played, "chains")
}

// comesAgain runs cfg until a handler gets the call.
func comesAgain(t *testing.T, cfg *world.Config, want chained) bool {
	t.Helper()
	h, err := history.New(cfg, history.NewMemory(1))
	if err != nil {
		t.Fatal(err)
	}
	h.Do(world.Command{Kind: world.PassTime, N: want.at}) // timers fire until then, as they did in the run
	for h.Steps() < runtest.MostSteps && h.Extend(1) == 1 {
		for _, e := range h.Front().Log.Events {
			if e == want.e {
				return true
			}
		}
	}
	return false
}

// TestChainsOfScriptsAreEnough replays single chains of scripts with a simulated
// server: only those writes that are of the call's key, up to the last one in its
// chain. Other commands stay, at their times. The handler must get a call about the
// same objects.
func TestChainsOfScriptsAreEnough(t *testing.T) {
	played := 0
	runtest.Scripts(t, func(r runtest.Run) {
		at, ok := commandTimes(t, r)
		if !ok {
			return
		}
		for _, c := range writtenCalls(t, r, 4) {
			h, err := history.New(r.Config, history.NewMemory(1))
			if err != nil {
				t.Fatal(err)
			}
			table := r.Config.Informers[0].Table
			again := func() bool {
				for _, e := range h.Front().Log.Events {
					if e.Kind == event.HandlerCalled && e.Listener == c.e.Listener && e.Key == c.e.Key && e.Delta == c.e.Delta && e.Cause == c.e.Cause &&
						e.Flags == c.e.Flags && table.LabelSetOf(e.New) == table.LabelSetOf(c.e.New) && table.LabelSetOf(e.Old) == table.LabelSetOf(c.e.Old) {
						return true
					}
				}
				return false
			}
			found := false
			extend := func(until int64) {
				for !found && h.Steps() < runtest.MostSteps {
					id, ok := h.Front().Next()
					if !ok && h.Front().Horizon() == 0 || ok && h.Front().Set.ReadyAt(id) > until || h.Extend(1) == 0 {
						return
					}
					found = again()
				}
			}
			for i, in := range r.Inputs {
				k := in.Command.Kind
				writes := k == world.Create || k == world.Update || k == world.Patch || k == world.Delete
				elsewhere := table.MakeKey(in.Command.Object) != c.e.Key && in.Command.Object.Key != c.e.Key
				extend(at[i])
				if hit := h.Front().Informers[0].Conn.Next() != 0; writes && (in.Step > c.last || elsewhere && !hit) {
					continue // another object's write stays if something is going to happen to the next event, which would else be this object's
				}
				h.Do(*in.Command)
			}
			extend(actor.Never)
			played++
			if !found {
				t.Errorf("%s: the inputs of its chain do not give this call again: %+v", r.Name, c.e)
			}
		}
	})
	t.Log(played, "chains")
}

// commandTimes are when the inputs of a run were done, if all of them are commands to a
// program that runs.
func commandTimes(t *testing.T, r runtest.Run) (at []int64, ok bool) {
	t.Helper()
	h, err := history.Replay(r.Config, history.NewMemory(1), r.Inputs)
	if err != nil || len(r.Config.Informers) > 1 {
		return nil, false
	}
	for _, in := range r.Inputs {
		if in.Command == nil || in.Command.Kind.ByHand() {
			return nil, false
		}
		h.Extend(in.Step - 1 - h.Steps())
		at = append(at, h.Front().Now())
	}
	return at, true
}

// writtenCalls are some calls of a run whose chains begin with a write, and the step of
// that write.
func writtenCalls(t *testing.T, r runtest.Run, most int) []chained {
	t.Helper()
	return slices.DeleteFunc(calls(t, r, most), func(c chained) bool { return c.last == 0 })
}
