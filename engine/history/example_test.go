package history_test

import (
	"fmt"
	"log"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

// A run goes on until nothing more happens by itself. Each of its moments can be looked at, and left for another future.
func Example() {
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play("informer pods\nhandler metrics\ncreate pod shop/web\n"); err != nil {
		log.Fatal(err)
	}
	h := r.History()
	for h.Extend(10_000) > 0 {
	}
	w := h.SeekTo(h.StepOf(5_000_000)) // the world 5 ms after the beginning
	fmt.Println(w.Steps() < h.Steps(), len(w.Informers[0].Indexer.List(nil)))
	other := h.Branch(h.Steps())
	fmt.Println(other.Do(world.Command{Kind: world.BreakWatch}), other.Steps()-h.Steps())
	// Output:
	// true 0
	// true 1
}
