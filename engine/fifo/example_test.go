package fifo_test

import (
	"fmt"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/object"
)

// Two changes of an object are one item of a DeltaFIFO, and Pop takes both.
func Example() {
	table := object.NewTable(nil)
	pod := object.Meta{Namespace: table.Sym("shop"), Name: table.Sym("web"), RV: table.RV("1")}
	first := table.Add(pod)
	pod.RV = table.RV("2")
	second := table.Add(pod)

	var log event.Log
	q := fifo.NewDeltaFIFO(table, fifo.Options{EmitDeltaTypeReplaced: true})
	fmt.Println(q.Add(fifo.Object(first), &log), q.Update(fifo.Object(second), &log), q.Depth())
	deltas, ok := q.Pop(nil, &log) // ok is false where client-go's Pop would wait, or find the queue closed
	for _, d := range deltas {
		fmt.Println(ok, d.Type, table.RVText(table.RVOf(d.Obj)))
	}
	q.Processed(&log) // after what Head says was done with them
	_, ok = q.Pop(nil, &log)
	fmt.Println(ok)
	// Output:
	// <nil> <nil> 1
	// true Added 1
	// true Updated 2
	// false
}
