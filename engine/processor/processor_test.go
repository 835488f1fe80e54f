package processor

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

func note(i int) Notification {
	return Notification{Key: object.Key(i), New: object.Ref(i), Type: Add}
}

// TestPendingAgainstSlice plays random pushes, pops and clones against plain
// slices.
func TestPendingAgainstSlice(t *testing.T) {
	for seed := range uint64(20) {
		r := actor.Rand(seed)
		type pair struct {
			p     Processor
			model []Notification // slot first
		}
		fresh := &pair{}
		fresh.p.New(0, 0, 0, 1)
		fresh.p.Join(0, 0, nil)
		pairs := []*pair{fresh}
		for i := range 20_000 {
			x := pairs[r.Intn(len(pairs))]
			l := &x.p.Listeners[0]
			switch n := r.Intn(100); {
			case n < 55:
				if slot := x.p.Add(0, note(i+1), nil) == 0; slot != (len(x.model) == 0) {
					t.Fatalf("seed %d: the slot is %v, with %d notifications behind", seed, slot, len(x.model))
				}
				x.model = append(x.model, note(i+1))
			case n < 99 && len(x.model) > 0:
				if full := x.p.Next(0, 0, 0, nil); full != (len(x.model) > 1) {
					t.Fatalf("seed %d: full %v of %d", seed, full, len(x.model))
				}
				if l.PairAt(0).InHand != x.model[0] {
					t.Fatalf("seed %d: got %v, not %v", seed, l.PairAt(0).InHand, x.model[0])
				}
				x.p.Return(0, 0, nil)
				x.model = x.model[1:]
			case len(pairs) < 4:
				c := &pair{model: append([]Notification(nil), x.model...)}
				c.p.CopyFrom(&x.p)
				pairs = append(pairs, c)
			default:
				c := pairs[r.Intn(len(pairs))]
				if c != x {
					c.p.CopyFrom(&x.p)
					c.model = append([]Notification(nil), x.model...)
				}
			}
			if l.Backlog() != len(x.model) {
				t.Fatalf("seed %d: %d behind, not %d", seed, l.Backlog(), len(x.model))
			}
			if n := l.Pending(); n > 0 {
				if j := r.Intn(n); l.PendingAt(j) != x.model[j+1] {
					t.Fatalf("seed %d: pending %d is %v, not %v", seed, j, l.PendingAt(j), x.model[j+1])
				}
			}
		}
	}
}

func TestRingGrows(t *testing.T) {
	var p Processor
	p.New(0, 0, 0, 1)
	p.Join(0, 0, nil)
	for i := range 2050 {
		p.Add(0, note(i+1), nil)
		want := 1024
		if i > 1024 { // one is in the slot
			want = 2048
		}
		if i > 2048 {
			want = 4096
		}
		if got := p.Listeners[0].Ring(); got != want {
			t.Fatalf("after %d notifications the ring has %d places, not %d", i+1, got, want)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	var p Processor
	p.New(0, 0, 0, 1)
	p.Join(0, 0, nil)
	var log event.Log
	step := func() {
		log.Reset()
		for i := range 3 {
			p.Add(0, note(i+1), &log)
		}
		for range 3 {
			p.Next(0, 0, 0, &log)
			p.Return(0, 0, &log)
		}
	}
	step()
	if n := testing.AllocsPerRun(1000, step); n != 0 {
		t.Errorf("a notification allocates %v times", n)
	}
}

func TestShouldResync(t *testing.T) {
	var p Processor
	for i, period := range []int64{0, 2, 3} {
		p.New(period, 0, actor.ID(2*i), actor.ID(2*i+1))
		p.Join(i, period, nil)
	}
	syncing := func() (s string) {
		for i := range p.Listeners {
			if p.Listeners[i].Syncing {
				s += string(rune('0' + i))
			}
		}
		return s
	}
	if syncing() != "012" {
		t.Errorf("new listeners are not syncing: %s", syncing())
	}
	for _, c := range []struct {
		now  int64
		any  bool
		want string
	}{{1, false, ""}, {2, true, "1"}, {3, true, "2"}, {6, true, "12"}, {7, false, ""}} {
		if any := p.ShouldResync(c.now, nil); any != c.any || syncing() != c.want {
			t.Errorf("at %d, ShouldResync is %v and these are syncing: %s; want %v and %s", c.now, any, syncing(), c.any, c.want)
		}
	}
	if i := p.Receives(0, true, nil); i != -1 {
		t.Errorf("a sync goes to listener %d, which is not syncing", i)
	}
}

// TestPairs checks that, of two pops, the one that has waited longer takes the
// next notification, and that both refill their slots from the
// pendingNotifications that they share.
func TestPairs(t *testing.T) {
	var p, c Processor
	p.New(0, 0, 0, 1)
	p.Join(0, 0, nil)
	p.AddPair(0, 2, 3)
	l := &p.Listeners[0]
	if l.Pairs() != 2 {
		t.Fatalf("the listener has %d pairs", l.Pairs())
	}
	for i, want := range []int{0, 1, -1, -1, -1} {
		if got := p.Add(0, note(i+1), nil); got != want {
			t.Errorf("notification %d: pair %d has it to offer, not %d", i+1, got, want)
		}
	}
	if l.PopAt(0) != 1 || l.Pending() != 3 || l.Backlog() != 5 {
		t.Errorf("pop %d is next; %d pending, %d behind", l.PopAt(0), l.Pending(), l.Backlog())
	}
	c.CopyFrom(&p)
	p.Next(0, 1, 0, nil)
	if l.PairAt(0).InHand != note(2) || l.PairAt(1).Slot != note(3) || l.PopAt(0) != 0 {
		t.Errorf("in hand is %v, then %v in the slot; pop %d is next", l.PairAt(0).InHand, l.PairAt(1).Slot, l.PopAt(0))
	}
	if p.Return(0, 0, nil); l.RunAt(0) != 1 || l.Backlog() != 4 {
		t.Errorf("run %d has waited longest, %d behind", l.RunAt(0), l.Backlog())
	}
	if l := &c.Listeners[0]; l.PopAt(0) != 1 || l.RunAt(0) != 0 || l.PairAt(1).Slot != note(2) || l.Backlog() != 5 {
		t.Error("a copy is not on its own")
	}
	if p.Stop(0, nil); l.Backlog() != 0 || l.Lost != 2 {
		t.Errorf("after the stop, %d are behind, and %d are lost from pendingNotifications", l.Backlog(), l.Lost)
	}
}
