package fifo

import (
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// BenchmarkQueue queues and pops one delta, with events.
func BenchmarkQueue(b *testing.B) {
	t := object.NewTable(nil)
	var refs []object.Ref
	for i := range 10_000 {
		refs = append(refs, t.Add(object.Meta{Name: t.Sym("p" + strconv.Itoa(i))}))
	}
	for name, q := range map[string]Queue{
		"DeltaFIFO": NewDeltaFIFO(t, Options{}),
		"RealFIFO":  NewRealFIFO(t, RealOptions{Atomic: true, Unlock: true}),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var log event.Log
			var deltas []Delta
			for i := 0; b.Loop(); i++ {
				log.Reset()
				q.Update(Object(refs[i%len(refs)]), &log)
				if i%8 == 7 {
					for ok := true; ok; {
						deltas, ok = q.Pop(deltas[:0], &log)
						q.Processed(&log)
					}
				}
			}
		})
	}
}
