// Command clientgo measures the real client-go's shared informer against the
// engine: the same watch events, two handlers that only count, two indices, in
// one run on one machine. It is a module of its own, so that the product does
// not depend on client-go.
package main

import (
	"flag"
	"fmt"
	"slices"

	"github.com/informerscope/informerscope/engine/conformance/bench"
)

func main() {
	events := flag.Int("events", 200_000, "watch events")
	keys := flag.Int("keys", 5_000, "distinct objects")
	rounds := flag.Int("rounds", 5, "rounds; the two take turns, and the medians count")
	flag.Parse()

	w := bench.Make(*events, *keys)
	var real []float64
	for range *rounds {
		real = append(real, float64(*events)/measure(w).Seconds())
	}
	slices.Sort(real)
	fmt.Println(real)
}
