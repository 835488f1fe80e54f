package predict

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/replay/feed/runtest"
	"github.com/informerscope/informerscope/wasm/link"
)

// Whatever is asked about what comes next has one right answer, which is what comes: the first
// Pop, the first call of a handler, or the goroutine that moves. Each is asked about somewhere.
func TestPredictionsComeTrue(t *testing.T) {
	const seed = 7
	random := rand.New(rand.NewPCG(seed, 0))
	asked := map[string]int{}
	tries := 12
	if testing.Short() {
		tries = 2
	}
	check := func(r runtest.Run) {
		h, err := history.Replay(r.Config, history.NewMemory(1<<20), r.Inputs)
		if err != nil {
			t.Fatal(r.Name, err)
		}
		h.Extend(min(r.Steps, 1000))
		for range tries {
			from := random.Int64N(h.Steps() + 1)
			h.SeekTo(from)
			p, right, until := Next(h, 0)
			if h.World().Steps() != from {
				t.Fatalf("%s: Next left step %d", r.Name, from)
			}
			if asked[p.Ask]++; p.Ask == "" {
				continue
			}
			options := slices.Compact(slices.Sorted(slices.Values(p.Options)))
			if p.Right != -1 || p.Step != from || right < 0 || len(options) < 2 || len(options) != len(p.Options) || len(options) > maxGuesses || until <= from {
				t.Fatalf("seed %d, %s, step %d: %+v, right is %d, shown at %d", seed, r.Name, from, p, right, until)
			}
			if p.Ask == link.AskWho {
				h.SeekTo(until)
				if got := momentOf(h, 0).actor(h.World().Last.Actor); until != from+1 || got != p.Options[right] {
					t.Fatalf("seed %d, %s, step %d: %s moves, and %s is said to", seed, r.Name, from, got, p.Options[right])
				}
				continue
			}
			kind := map[string]event.Kind{link.AskPop: event.Popped, link.AskCall: event.HandlerCalled}[p.Ask]
			for step := from + 1; step <= until; step++ {
				h.SeekTo(step)
				w := h.World()
				x := w.Informers[0]
				for _, e := range w.Log.Events {
					if w.Last.Informer != 0 || e.Kind != kind {
						continue
					}
					if step < until {
						t.Fatalf("seed %d, %s, step %d: it is asked about step %d, and step %d comes before", seed, r.Name, from, until, step)
					}
					want := "On"
					if kind == event.HandlerCalled {
						want = x.Config().Handlers[e.Handler()].Name + " On"
					}
					if e.Key != 0 {
						want = x.Config().Table.KeyText(e.Key)
					}
					if kind == event.Popped && e.Delta != event.None {
						want = e.Delta.String()
					}
					if !strings.Contains(p.Options[right], want) && !strings.Contains(p.Options[right], "+") {
						t.Fatalf("seed %d, %s, step %d: %q is said to come, and %s does", seed, r.Name, from, p.Options[right], want)
					}
				}
			}
		}
	}
	runtest.Scripts(t, check)
	runtest.Recorded(t, "web/traces/shop.trace.jsonl.gz", check)
	if least := 4 * tries; asked[link.AskWho] < least || asked[link.AskPop] < least || asked[link.AskCall] < least {
		t.Errorf("the questions were %v", asked)
	}
}
