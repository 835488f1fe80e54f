// Command measure plays the made-up watch stream to the engine and prints the
// median speed in watch events a second: natively, or compiled to WebAssembly
// in a browser, where the line goes to the console.
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/informerscope/informerscope/engine/conformance/bench"
	"github.com/informerscope/informerscope/engine/world"
)

func main() {
	w := bench.NewWorkload(200_000, 5_000)
	var speeds []float64
	for range 5 {
		r, err := bench.Engine(w, world.Classic)
		if err != nil {
			fmt.Println("engine:", err)
			os.Exit(1)
		}
		speeds = append(speeds, r.EventsPerSecond())
	}
	slices.Sort(speeds)
	fmt.Printf("engine: %.0f events/s\n", speeds[len(speeds)/2])
}
