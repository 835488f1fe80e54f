package indexer

import (
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// BenchmarkUpdate stores a version in an indexer with two indices; a third of
// the updates changes a value.
func BenchmarkUpdate(b *testing.B) {
	f := newFixture()
	x, _ := New(f.t, Gates{}, f.indexers()[:2]...)
	var refs []object.Ref
	for i := range 30_000 {
		refs = append(refs, f.obj("p"+strconv.Itoa(i%10_000), []string{"web", "web", "db"}[i/10_000]))
	}
	b.ReportAllocs()
	var log event.Log
	for i := 0; b.Loop(); i++ {
		log.Reset()
		x.Update(refs[i%len(refs)], &log)
	}
}

// BenchmarkCopyFrom is a checkpoint of a store with 100 000 objects.
func BenchmarkCopyFrom(b *testing.B) {
	f := newFixture()
	x, _ := New(f.t, Gates{}, f.indexers()[:2]...)
	for i := range 100_000 {
		x.Update(f.obj("p"+strconv.Itoa(i), "web"), nil)
	}
	c := new(Indexer)
	c.CopyFrom(x)
	for b.Loop() {
		c.CopyFrom(x)
	}
}
