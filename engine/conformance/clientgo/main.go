// Command clientgo measures the engine against the real client-go's shared
// informer: the same watch events, two handlers that only count, two indices,
// in one run on one machine. It is a module of its own, so that the product
// does not depend on client-go.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/informerscope/informerscope/engine/conformance/bench"
	"github.com/informerscope/informerscope/engine/world"
)

func main() {
	events := flag.Int("events", 200_000, "watch events")
	keys := flag.Int("keys", 5_000, "distinct objects")
	rounds := flag.Int("rounds", 5, "rounds: the two take turns, and the medians count")
	flag.Parse()

	w := bench.Make(*events, *keys)
	profiles := world.Profiles()
	var real []float64
	ours := make([][]float64, len(profiles))
	var steady float64
	for range *rounds {
		real = append(real, float64(*events)/measure(w).Seconds())
		for i, p := range profiles {
			r, err := bench.Engine(w, p)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			ours[i] = append(ours[i], r.EventsPerSecond())
			steady = max(steady, r.AllocsPerEvent())
		}
	}
	fmt.Printf("client-go %s, shared informer, 2 handlers: %9.0f watch events/s\n", version(), median(real))
	for i, p := range profiles {
		fmt.Printf("engine, all step events on, %-13s %9.0f watch events/s = %.1f times as many (wanted: 4)\n", p.Versions+":", median(ours[i]), median(ours[i])/median(real))
	}
	fmt.Printf("engine, steady state:                     %9.3f allocations an event (wanted: at most 0.1)\n", steady)
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// version returns the version of the client-go that this was built with.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "k8s.io/client-go" {
				return d.Version
			}
		}
	}
	return "(unknown version)"
}
