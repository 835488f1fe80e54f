package feed

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// TestForgettingChangesNoAnswer plays recordings of anything, in whatever order,
// to clients that ask for anything, once from a Feed that keeps all and once
// from one that lets go of whatever it can.
func TestForgettingChangesNoAnswer(t *testing.T) {
	forgot, swept := 0, 0
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		kept, passing := anyTrace(seed), anyTrace(seed)
		all := Feed{Trace: kept, Resource: kept.Resources[0]}
		some := &Passing{Feed: Feed{Trace: passing, Resource: passing.Resources[0]}, Sweeper: trace.Sweeper{MinVersions: 1}}
		p, q := apiserver.NewPlayback(kept.Resources[0].Table, all, nil), apiserver.NewPlayback(passing.Resources[0].Table, some, nil)
		now := int64(0)
		for n := 0; n < 2000; n++ {
			now += rnd.Int64N(50)
			if p.State() == apiserver.Idle || rnd.IntN(20) == 0 {
				for _, x := range []*apiserver.Playback{p, q} {
					x.Hangup()
				}
				switch o := (object.ListOptions{SendInitialEvents: rnd.IntN(2) == 0}); rnd.IntN(2) {
				case 0:
					p.List(o, now)
					q.List(o, now)
				default:
					p.Watch(o, now)
					q.Watch(o, now)
				}
			}
			at, ok := p.Due()
			if at2, ok2 := q.Due(); at != at2 || ok != ok2 {
				t.Fatalf("seed %d: due at %d (%v), and after forgetting %d at %d (%v)", seed, at, ok, some.Resource.Forgotten, at2, ok2)
			}
			if at == actor.Never {
				break
			}
			now = max(now, at)
			a, b := p.Take(), q.Take()
			if a.Record != b.Record || a.Answer != b.Answer || a.N != b.N || !slices.Equal(a.List, b.List) {
				t.Fatalf("seed %d: %+v, and after forgetting %d %+v", seed, a, some.Resource.Forgotten, b)
			}
			for _, r := range append(a.List, a.Obj) {
				if kept, swept := kept.Resources[0].Table.Meta(r), passing.Resources[0].Table.Meta(r); kept != swept {
					t.Fatalf("seed %d: object %d is %v, and after sweeping %v", seed, r, kept, swept)
				}
			}
			some.Forget(q.Pos())
			some.Remaining = 0 // since nothing is added
			some.Sweep(func(live *object.Live) bool {
				q.Mark(live)
				return true
			})
			swept += passing.Resources[0].Table.Len() - 1 - passing.Resources[0].Table.LiveRows()
			if some.Len() != all.Len() || passing.Resources[0].Events != kept.Resources[0].Events {
				t.Fatalf("seed %d: the numbers of records differ", seed)
			}
		}
		forgot += some.Resource.Forgotten
	}
	if forgot < 4000 || swept < 4000 {
		t.Errorf("only %d records were forgotten, and %d objects", forgot, swept)
	}
}

// anyTrace is a recording with up to 100 records of all kinds.
func anyTrace(seed uint64) *trace.Trace {
	rnd := rand.New(rand.NewPCG(seed, 2))
	t := &trace.Trace{Complete: true}
	r := t.NewResource(trace.Resource{Resource: "pods"})
	obj := func(rv int) object.Ref {
		return r.Table.Add(object.Meta{Name: r.Table.Sym(strconv.Itoa(rnd.IntN(8))), RV: object.NumberRV(uint64(rv))})
	}
	add := func(rec trace.Record) {
		rec.Time = int64(len(r.Records)) * 20
		rec.RV = object.NumberRV(uint64(len(r.Records)))
		switch rec.Kind {
		case trace.ListItem:
			rec.Obj = obj(len(r.Records))
		case trace.WatchEvent:
			if rec.Type < trace.TypeError {
				rec.Obj = obj(len(r.Records))
			}
		}
		r.Append(rec)
	}
	for range rnd.IntN(100) {
		switch rnd.IntN(6) {
		case 0: // a list, mostly with its end
			add(trace.Record{Kind: trace.ListBegin})
			for range rnd.IntN(6) {
				add(trace.Record{Kind: trace.ListItem})
			}
			if rnd.IntN(3) > 0 {
				add(trace.Record{Kind: trace.ListEnd})
			}
		case 1: // a streaming one
			add(trace.Record{Kind: trace.WatchOpen, Streaming: true})
			for range rnd.IntN(6) {
				add(trace.Record{Kind: trace.WatchEvent, Type: trace.TypeAdded})
			}
			if rnd.IntN(3) > 0 {
				add(trace.Record{Kind: trace.InitialEnd})
			}
		default:
			add(trace.Record{Kind: trace.ListBegin + trace.Kind(rnd.IntN(int(trace.WatchEnd))), Type: trace.TypeAdded + trace.Type(rnd.IntN(4))})
		}
	}
	return t
}

func TestForgetKeepsTheLastRecord(t *testing.T) {
	tr := anyTrace(7)
	r := tr.Resources[0]
	n, last := len(r.Records), r.Records[len(r.Records)-1]
	r.Forget(-1)
	r.Forget(3)
	if r.Forgotten != 3 || len(r.Records) != n-3 {
		t.Errorf("%d forgotten, %d left of %d", r.Forgotten, len(r.Records), n)
	}
	r.Forget(n)
	if r.Forgotten != n-1 || len(r.Records) != 1 || r.Records[0] != last {
		t.Errorf("%d forgotten of %d", r.Forgotten, n)
	}
}
