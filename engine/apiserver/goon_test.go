package apiserver

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// TestGetIsWhatGoesOn plays recordings with records in any order, so that lists lack
// their beginning or their end. After each answer, Get must name the objects of a
// server that goes on from there. A command is carried out on that server, and Get
// decides whether it can be.
func TestGetIsWhatGoesOn(t *testing.T) {
	kinds := []RecordKind{ListBegin, ListItem, ListItem, ListItem, ListEnd, ListError, WatchOpen, WatchEvent, WatchEvent, WatchEvent, WatchBookmark, InitialEnd, WatchEnd}
	held, amid := 0, 0
	for seed := range uint64(2000) {
		rnd := actor.Rand(seed)
		tbl := object.NewTable(nil)
		recs := make(Records, rnd.Intn(30))
		for i := range recs {
			r := Record{Time: int64(i) * 1e6, Kind: kinds[rnd.Intn(len(kinds))], Streaming: rnd.Intn(2) == 0}
			if rnd.Intn(8) > 0 {
				r.Obj = tbl.Add(object.Meta{Name: tbl.Sym(string(rune('a' + rnd.Intn(4)))), RV: object.NumberRV(uint64(i + 1))})
			}
			if r.Kind == WatchEvent {
				r.Delta = []event.Delta{event.Added, event.Added, event.Added, event.Updated, event.Deleted, event.Unknown, event.Error}[rnd.Intn(7)]
				if rnd.Intn(8) == 0 {
					r.Failure = OtherKind
				}
			}
			recs[i] = r
		}
		p := NewPlayback(tbl, recs, nil)
		for now, n := int64(0), 0; n < 100; n++ {
			if p.State() == Idle {
				if rnd.Intn(2) == 0 {
					p.List(object.ListOptions{SendInitialEvents: rnd.Intn(2) == 0}, now)
				} else {
					p.Watch(object.ListOptions{SendInitialEvents: rnd.Intn(2) == 0}, now)
				}
			}
			at, _ := p.Due()
			if at == actor.Never {
				break
			}
			now = max(now, at)
			p.Take()
			on := p.Continue(seed, now, 0)
			for k := range object.Key(tbl.Keys()) {
				if k == 0 {
					continue
				}
				if got, want := p.Get(k), on.Storage.Get(k); got != want {
					t.Fatalf("seed %d, behind record %d: Get(%s) is %d, and the server that goes on holds %d", seed, p.Pos(), tbl.KeyText(k), got, want)
				} else if got != 0 {
					held++
				}
			}
			if on.stream.end {
				amid++
			}
		}
	}
	if held < 1000 || amid < 100 {
		t.Errorf("only %d objects were held, and %d times the server went on amid initial events", held, amid)
	}
}
