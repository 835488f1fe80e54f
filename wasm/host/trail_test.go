package host

import (
	"math/rand/v2"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// The steps before the one shown are those that the machine made, whichever way the
// viewer came.
func TestBeforeIsInTheMachinesOrder(t *testing.T) {
	p := newPage(t)
	p.ask(link.Request{Op: link.OpOpen}, shop(t))
	p.frame(link.Request{Op: link.OpSeek})
	did := map[int64]link.Sentence{}
	const far = 900
	for step := int64(1); step <= far; step++ {
		did[step] = p.frame(link.Request{Op: link.OpStep, Unit: link.Micro, N: 1}).Said
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	now := int64(far)
	for range 300 {
		q := link.Request{Op: link.OpSeek, N: random.Int64N(far)}
		switch random.IntN(4) {
		case 1:
			q = link.Request{Op: link.OpStep, Unit: link.Units[random.IntN(3)], N: random.Int64N(4)}
		case 2:
			q = link.Request{Op: link.OpStep, Unit: link.Units[random.IntN(3)], N: -random.Int64N(4)}
		case 3:
			q = link.Request{Op: link.OpStep, Unit: link.Micro, N: random.Int64N(200), Brief: true}
		}
		f := p.frame(q)
		if now = f.Step; now > far {
			continue
		}
		if f.Brief != q.Brief || q.Brief && f.Before != nil {
			t.Fatalf("seed %d: asked for a brief frame %v, got %d steps before", seed, q.Brief, len(f.Before))
		}
		if q.Brief {
			continue
		}
		if want := min(now-1, link.MaxBefore); now > 0 && int64(len(f.Before)) != want {
			t.Fatalf("seed %d: before step %d there are %d steps, not %d", seed, now, len(f.Before), want)
		}
		for i, b := range f.Before {
			if want := now - int64(len(f.Before)-i); b.Step != want || b.Said.ID != did[want].ID || b.Said.Args["key"] != did[want].Args["key"] {
				t.Fatalf("seed %d: before step %d stands %+v as step %d, which did %+v", seed, now, b, want, did[want])
			}
		}
		if now > 0 && f.Said.ID != did[now].ID {
			t.Fatalf("seed %d: step %d did %s, and now it did %s", seed, now, did[now].ID, f.Said.ID)
		}
	}
}

// A frame tells which of the steps that were passed matters most.
func TestPassedIsTheMostTellingStep(t *testing.T) {
	p := newPage(t)
	p.ask(link.Request{Op: link.OpOpen}, shop(t))
	end := p.frame(link.Request{Op: link.OpSeek, N: 1 << 40}).Steps
	var marks []link.Mark
	for _, r := range p.ask(link.Request{Op: link.OpTimeline, Axis: link.ByStep, Buckets: 10}, nil) {
		if r.Timeline != nil {
			marks = r.Timeline.Marks
		}
	}
	rank := map[link.MarkKind]int{link.MarkError: 1, link.MarkList: 2, link.MarkRelist: 2, link.MarkJoined: 3, link.MarkClosed: 4, link.MarkBackoff: 5, link.MarkResync: 6}
	p.frame(link.Request{Op: link.OpSeek})
	quiet, telling := 0, 0
	for at := int64(0); at < end; {
		f := p.frame(link.Request{Op: link.OpStep, Unit: link.Micro, N: 37})
		var want link.Mark
		for _, m := range marks {
			if m.Step > at && m.Step <= f.Step && rank[m.Kind] > 0 && (want.Step == 0 || rank[m.Kind] <= rank[want.Kind]) {
				want = m
			}
		}
		at = f.Step
		switch {
		case want.Step == 0 && f.Passed == nil:
			quiet++
		case want.Step == 0 || f.Passed == nil || f.Passed.Step != want.Step || f.Passed.Said.ID == "":
			t.Errorf("up to step %d the most telling is %+v, and the frame has %+v", at, want, f.Passed)
		default:
			telling++
		}
	}
	if quiet == 0 || telling == 0 {
		t.Errorf("%d quiet and %d telling stretches", quiet, telling)
	}
}
