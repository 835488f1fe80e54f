package host

import (
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// concerned are the steps of the run shown that concern a key, found by looking at each.
func concerned(p *page, key string) (all []int64) {
	r := p.h.desk.doc.run()
	k, ok := r.Table().LookupKey(key)
	for step := int64(1); ok && step <= r.History().Steps(); step++ {
		if picture.Concerns(r.History().SeekTo(step), r.Informer, k) {
			all = append(all, step)
		}
	}
	return all
}

// Who follows a key visits all of its steps and no other, forwards and back, and by the
// recording's clock.
func TestVisitsTheStepsOfAKey(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	keys := news[*link.Keys](p.ask(link.FindKeys{Text: "singleton"}, nil)[0])
	if keys == nil || keys.Total != 1 || keys.Keys[0] != "shop/singleton" {
		t.Fatalf("the keys are %+v", keys)
	}
	want := concerned(p, "shop/singleton")
	if len(want) < 50 {
		t.Fatalf("only %d steps concern the key", len(want))
	}
	p.frame(link.Seek{Step: 0})
	for _, step := range want {
		if f := p.frame(link.Step{N: 1, Key: "shop/singleton"}); f.Step != step {
			t.Fatalf("it goes to step %d, and not to %d", f.Step, step)
		}
	}
	if f := p.frame(link.Step{N: 1, Key: "shop/singleton"}); f.Step != want[len(want)-1] || news[*link.Missed](p.replies[0]) == nil {
		t.Errorf("after the last one it goes to step %d, and says %+v", f.Step, p.replies[0])
	}
	for i := len(want) - 2; i >= 0; i-- {
		if f := p.frame(link.Step{N: -1, Key: "shop/singleton"}); f.Step != want[i] || f.Dir == 1 {
			t.Fatalf("back, it goes to step %d, and not to %d", f.Step, want[i])
		}
	}
	if f := p.frame(link.Step{N: 5, Key: "shop/singleton"}); f.Step != want[5] {
		t.Errorf("five at once go to step %d, and not to %d", f.Step, want[5])
	}
	p.frame(link.Seek{Step: 0})
	at, missed := 0, false
	for now := int64(0); now < 200*machine.Second && !missed; now += 100 * machine.Millisecond {
		f := p.frame(link.SeekTime{Time: now, Play: true, Key: "shop/singleton"})
		for at < len(want) && want[at] < f.Step {
			at++
		}
		if f.Step > 0 && (at == len(want) || want[at] != f.Step || f.Time > now) {
			t.Fatalf("at %d ns it shows step %d of %d ns", now, f.Step, f.Time)
		}
		missed = news[*link.Missed](p.replies[0]) != nil
	}
	if at != len(want)-1 || !missed {
		t.Errorf("by the clock it ends at step %d, and not at %d; it says so: %v", want[at], want[len(want)-1], missed)
	}
	here := p.frame(link.Seek{Step: want[9]}).Step
	if f := p.frame(link.Step{N: 0, Key: "shop/singleton"}); f.Step != here {
		t.Errorf("a step on and a step back lead from %d to %d", here, f.Step)
	}
	if p.frame(link.Step{N: 1, Key: "nobody/knows"}); news[*link.Missed](p.replies[0]) == nil {
		t.Error("nothing says that a key is unknown")
	}
}

// By the recording's clock, playing shows each step when its time has come.
func TestPlaysByTheClock(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	f := p.frame(link.Seek{Step: 0})
	for range 300 {
		next := f.Next
		if next < f.Time {
			t.Fatalf("after step %d at %d, the next one is at %d", f.Step, f.Time, next)
		}
		if before := p.frame(link.SeekTime{Time: next - 1, Play: true}); next > f.Time && before.Step != f.Step {
			t.Fatalf("a nanosecond before step %d, step %d is shown", f.Step+1, before.Step)
		}
		if f = p.frame(link.SeekTime{Time: next, Play: true}); f.Time != next || f.Dir != 1 {
			t.Fatalf("at %d, the step of %d is shown, with direction %d", next, f.Time, f.Dir)
		}
	}
	// A far leap has no moves.
	if f = p.frame(link.SeekTime{Time: f.Time + 60*machine.Second, Play: true}); f.Dir != 0 || len(f.Moves) != 0 {
		t.Errorf("a leap has direction %d, %d moves", f.Dir, len(f.Moves))
	}
}

// The search for a rare key in a long run is made in slices, says how far it is, and can
// be ended at any time.
func TestALongSearchIsMadeInSlices(t *testing.T) {
	var b strings.Builder
	for i := range 6000 {
		name := "busy"
		if i == 0 || i == 5999 {
			name = "rare"
		}
		b.WriteString(`{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"a","resourceVersion":"` + strconv.Itoa(i+5) + `"}}}` + "\n")
	}
	p := newPage(t)
	p.ask(link.Open{}, &file{data: []byte(b.String()), piece: 1 << 20})
	for _, back := range []bool{false, true} {
		from, n := int64(2000), int64(1)
		if back {
			from, n = p.h.desk.doc.run().History().Steps()-2000, -1
		}
		f := p.frame(link.Seek{Step: from})
		p.quick = reportEvery
		p.replies = nil
		turn := func() bool {
			if len(p.turns) == 0 {
				return false
			}
			next := p.turns[0]
			p.turns = p.turns[1:]
			next()
			return true
		}
		p.id++
		p.h.Handle((&link.Request{ID: p.id, Op: link.Step{N: n, Key: "a/rare"}}).Encode(), nil)
		turns := 0
		for len(p.replies) < 3 && turn() {
			turns++
		}
		for _, r := range p.replies {
			if news[*link.Searching](r) == nil {
				t.Fatalf("back %v, turn %d: it says %+v, and not how far it is", back, turns, r)
			}
		}
		if len(p.replies) < 3 {
			t.Fatalf("back %v: a search of %d turns says nothing", back, turns)
		}
		p.replies = nil
		p.h.Handle((&link.Request{ID: p.id + 1, Op: link.EndSearch{}}).Encode(), nil)
		for turn() {
		}
		if len(p.replies) != 1 || p.replies[0].ID != p.id || news[*link.Frame](p.replies[0]) == nil || news[*link.Frame](p.replies[0]).Step != f.Step {
			t.Fatalf("back %v: canceled, it says %+v", back, p.replies)
		}
		p.quick = 0
		all := concerned(p, "a/rare")
		p.frame(link.Seek{Step: from})
		found := p.frame(link.Step{N: n, Key: "a/rare"}).Step
		want := all[0]
		for _, step := range all {
			if back && step < from || !back && want <= from {
				want = step
			}
		}
		if found != want {
			t.Errorf("back %v: it finds step %d, and not %d", back, found, want)
		}
	}
}
