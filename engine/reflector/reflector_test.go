package reflector

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

func TestListOptions(t *testing.T) {
	tbl := object.NewTable(nil)
	r := New(tbl, Config{})
	if o := r.Begin(); o != (object.ListOptions{RV: tbl.RV("0"), Limit: 500}) {
		t.Errorf("the first list asks for %v", o)
	}
	r.Listed(1)
	r.SetRV(tbl.RV("10"), nil)
	if o := r.Begin(); o != (object.ListOptions{RV: tbl.RV("10"), Limit: 0}) {
		t.Errorf("a relist asks for %v", o)
	}
	v := r.ListFailed(Failure{Expired: true})
	if o := r.LastOptions(); v != ListAgain || o != (object.ListOptions{RV: 0, Limit: 0}) {
		t.Errorf("an expired list is followed by %v %v", v, o)
	}
	if v := r.ListFailed(Failure{Expired: true}); v != Relist {
		t.Errorf("another list that expires is followed by %v", v)
	}
	if o := r.Begin(); o != (object.ListOptions{RV: 0, Limit: 500}) {
		t.Errorf("the list after that asks for %v", o)
	}
	r.Listed(1)
	if o := r.Begin(); o != (object.ListOptions{RV: tbl.RV("10"), Limit: 0}) {
		t.Errorf("once a list succeeded the next asks for %v", o)
	}
}

func TestPaginatedListStaysPaginated(t *testing.T) {
	tbl := object.NewTable(nil)
	r := New(tbl, Config{})
	r.Begin()
	r.Listed(3)
	r.SetRV(tbl.RV("10"), nil)
	if o := r.Begin(); o.Limit != 500 {
		t.Errorf("a relist asks for %v", o)
	}
}

func TestVeryShortWatch(t *testing.T) {
	rnd := actor.Rand(1)
	r := New(object.NewTable(nil), Config{})
	r.Watch(5*second, &rnd)
	if v, short := r.WatchClosed(6*second - 1); v != Relist || !short {
		t.Errorf("a watch of under a second without events is followed by %v, and is a failure: %v", v, short)
	}
	r.Watch(5*second, &rnd)
	if v, short := r.WatchClosed(6 * second); v != Rewatch || short {
		t.Errorf("a watch of a second without events is followed by %v, and is a failure: %v", v, short)
	}
	r.Watch(5*second, &rnd)
	r.Received(event.Added)
	if v, short := r.WatchClosed(5*second + 1); v != Rewatch || short {
		t.Errorf("a watch with an event that is closed at once is followed by %v, and is a failure: %v", v, short)
	}
}

func TestWatchErrors(t *testing.T) {
	r := New(object.NewTable(nil), Config{})
	for _, c := range []struct {
		f            Failure
		refused, mid Verdict
	}{
		{Failure{Refused: true}, WaitRewatch, Relist},
		{Failure{Code: 429, TooManyRequests: true}, WaitRewatch, WaitRewatch},
		{Failure{Code: 410, Expired: true}, Relist, Relist},
		{Failure{Code: 500}, Relist, Relist},
	} {
		if v := r.WatchFailed(c.f); v != c.refused {
			t.Errorf("a watch refused with %+v is followed by %v, not %v", c.f, v, c.refused)
		}
		if v := r.WatchBroke(c.f, 0); v != c.mid {
			t.Errorf("an ERROR event %+v is followed by %v, not %v", c.f, v, c.mid)
		}
	}
}

// wantJittered checks that a sleep is at least its base, and less than twice that.
func wantJittered(t *testing.T, got, base int64) {
	t.Helper()
	if got < base || got >= 2*base {
		t.Errorf("the reflector sleeps %d, not [%d, %d)", got, base, 2*base)
	}
}

func TestBackoff(t *testing.T) {
	rnd := actor.Rand(7)
	bases := []int64{800_000_000, 1_600_000_000, 3_200_000_000, 6_400_000_000, 12_800_000_000, 25_600_000_000, 30 * second, 30 * second}
	var classic Backoff
	now := int64(0)
	for _, base := range bases {
		d := classic.Next(now, &rnd, 0)
		wantJittered(t, d, base)
		now += d
	}
	wantJittered(t, classic.Next(now+121*second, &rnd, 0), 800_000_000)

	// From v0.36 it begins anew two minutes after it last did, however often it
	// was asked meanwhile.
	current := Backoff{SinceReset: true}
	now = 0
	for _, base := range bases[:7] {
		wantJittered(t, current.Next(now, &rnd, 0), base)
		now += 20 * second
	}
	wantJittered(t, current.Next(121*second, &rnd, 0), 800_000_000)
	for wish, want := range map[int64]int64{1: 1_600_000_000, 2_000_000_000: 2_000_000_000, 9 * second: 3_199_999_999} {
		b := current
		if got := b.Next(122*second, &rnd, wish); got != want {
			t.Errorf("as near to %d as it can be, it sleeps %d", wish, got)
		}
	}
}
