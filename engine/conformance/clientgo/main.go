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
)

func main() {
	events := flag.Int("events", 200_000, "watch events")
	keys := flag.Int("keys", 5_000, "distinct objects")
	rounds := flag.Int("rounds", 5, "rounds: the two take turns, and the medians count")
	flag.Parse()

	w := bench.Make(*events, *keys)
	var real, ours []float64
	var steady float64
	for range *rounds {
		real = append(real, float64(*events)/measure(w).Seconds())
		r, err := bench.Engine(w)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		ours = append(ours, r.EventsPerSecond())
		steady = max(steady, r.AllocsPerEvent())
	}
	fmt.Printf("client-go %s, shared informer, 2 handlers: %9.0f watch events/s\n", version(), median(real))
	fmt.Printf("engine, native, all step events on:       %9.0f watch events/s = %.1f times as many (wanted: 4)\n", median(ours), median(ours)/median(real))
	fmt.Printf("engine, steady state:                     %9.3f allocations an event (wanted: at most 0.1)\n", steady)
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// version of the client-go that this was built with.
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
