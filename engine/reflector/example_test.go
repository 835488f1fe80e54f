package reflector_test

import (
	"fmt"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/reflector"
)

// A Reflector says what to ask for, and is told what came. Here it lists two objects, watches, and gets an event.
func Example() {
	table := object.NewTable(nil)
	r := reflector.New(table, reflector.Config{})
	rnd := actor.Rand(1)
	var log event.Log

	r.Run(0)
	if !r.Start() { // ListAndWatch; Watch asks for a streaming list if Start reports true
		list := r.Begin()
		fmt.Printf("list from %q\n", table.RVText(list.RV))
		r.ListDecoded(2) // each page, then Page, or after the last page Listed and SetRV
		r.Listed(2)
		r.SetRV(table.RV("7"), &log)
	}
	watch := r.Watch(0, &rnd)
	fmt.Printf("watch from %q\n", table.RVText(watch.RV))
	r.Received(event.Added)
	if r.Propagates() {
		r.SetRV(table.RV("9"), &log)
	}
	fmt.Printf("it has %q\n", table.RVText(r.RV()))
	verdict, _ := r.WatchClosed(10_000_000_000)
	fmt.Println("closed by the server:", verdict == reflector.Rewatch)
	// Output:
	// list from "0"
	// watch from "7"
	// it has "9"
	// closed by the server: true
}
