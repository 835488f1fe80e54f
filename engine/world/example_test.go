package world_test

import (
	"fmt"
	"log"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// shop returns a world with one informer, one handler and a simulated API server.
func shop() *world.Driver {
	table := object.NewTable(nil)
	d, err := world.New(&world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "pods", Profile: world.Current, Table: table,
		Server:   apiserver.NewSimulated(&apiserver.SimConfig{Table: table}),
		Handlers: []informer.Handler{{Name: "metrics"}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	return d
}

// The default schedule is followed until the informer watches. Then the watch breaks.
func Example() {
	d := shop()
	watching := false
	for id, ok := d.World().Next(); ok && !watching; id, ok = d.World().Next() {
		d.Step(id)
		for _, e := range d.World().Log.Events { // the facts of the step
			watching = watching || e.Kind == event.WatchOpened
		}
	}
	fmt.Println(watching, d.Do(&world.Command{Kind: world.BreakWatch}))
	fmt.Println(d.Do(&world.Command{Kind: world.RemoveHandler, Listener: 1})) // there is one handler, 0
	// Output:
	// true true
	// false
}
