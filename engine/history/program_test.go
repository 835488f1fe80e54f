package history

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// recorded is a run of a recording in which a/x is listed at 1 and then changes three
// times.
func recorded(t *testing.T) *History {
	t.Helper()
	f := newFeed().list("1", "a/x@1", "a/y@2").wait(ms).open().wait(sec).event("~a/x@11").wait(sec).event("~a/x@12").wait(sec).event("~a/x@13", "b@20")
	h, err := New(f.config(informer.Handler{Name: "h"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	pass(h, sec/2)
	return h
}

// pass lets time pass until the clock shows at.
func pass(h *History, at int64) {
	h.Do(world.Command{Kind: world.PassTime, N: at})
	for h.Front().Horizon() != 0 && h.Extend(1) == 1 {
	}
}

// versions returns the versions of a/x that the handler of h's run gets, and "-" where
// a/x is deleted. The run goes on to its end.
func versions(h *History) (texts []string) {
	t := h.Config().Informers[0].Table
	for s := range h.Steps() + 1 {
		for _, e := range h.SeekTo(s).Log.Events {
			if e.Kind == event.HandlerCalled && t.KeyText(e.Key) == "a/x" {
				texts = append(texts, t.RVText(t.RVOf(e.New)))
			}
		}
	}
	return texts
}

// TestTampersWithARecording: a recording's events can be lost, delayed, repeated and
// swapped as a simulated server's can, and the recording goes on.
func TestTampersWithARecording(t *testing.T) {
	for _, c := range []struct {
		name     string
		commands []world.Command
		want     []string
		end      int64 // when the last event has come, at least
	}{
		{"nothing", nil, []string{"1", "11", "12", "13"}, 3 * sec},
		{"lost", []world.Command{{Kind: world.DropEvent}}, []string{"1", "12", "13"}, 3 * sec},
		{"late", []world.Command{{Kind: world.DelayEvent, N: 9 * sec}}, []string{"1", "11", "12", "13"}, 10 * sec},
		{"twice", []world.Command{{Kind: world.DuplicateEvent}}, []string{"1", "11", "11", "12", "13"}, 3 * sec},
		{"swapped", []world.Command{{Kind: world.SwapEvents}}, []string{"1", "12", "11", "13"}, 3 * sec},
		{"the last one wins", []world.Command{{Kind: world.DropEvent}, {Kind: world.SwapEvents}}, []string{"1", "12", "11", "13"}, 3 * sec},
		{"held when the watch breaks", []world.Command{{Kind: world.DelayEvent, N: 9 * sec}, {Kind: world.PassTime, N: 2 * sec}, {Kind: world.BreakWatch}}, []string{"1", "12", "13"}, 3 * sec},
	} {
		h := recorded(t)
		for _, cmd := range c.commands {
			if cmd.Kind == world.PassTime {
				pass(h, cmd.N)
			} else if !h.Do(cmd) {
				t.Fatalf("%s: nothing to do", c.name)
			}
		}
		for h.Extend(100) > 0 {
		}
		if got := versions(h); !slices.Equal(got, c.want) || h.End() < c.end || h.Front().Simulated(0) != nil {
			t.Errorf("%s: told %q until %d, want %q until %d", c.name, got, h.End(), c.want, c.end)
		}
	}
}

// TestKillsTheProcess: a process that starts again has everything empty, on a
// recording too, and lists what the recording has come to.
func TestKillsTheProcess(t *testing.T) {
	h := recorded(t)
	pass(h, 2*sec+sec/2)
	if !h.Do(world.Command{Kind: world.KillProcess}) || h.Front().Informers[0].Indexer.Len() != 0 || h.Front().Informers[0].HasSynced() {
		t.Fatal("something is left of the process")
	}
	for h.Extend(100) > 0 {
	}
	if got, want := versions(h), []string{"1", "11", "12", "12", "13"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
	if n := h.Front().Informers[0].Indexer.Len(); n != 2 {
		t.Errorf("%d objects at the end", n)
	}
}
