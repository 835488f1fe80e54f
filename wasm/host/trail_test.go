package host

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// The steps before the one shown are those that the machine made, whichever way the
// viewer came.
func TestBeforeIsInTheMachinesOrder(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	p.frame(link.Seek{})
	did := map[int64]link.Sentence{}
	far := int64(900)
	if testing.Short() {
		far = 300
	}
	for step := int64(1); step <= far; step++ {
		did[step] = p.frame(link.Step{Unit: link.Micro, N: 1}).Sentence
	}
	const seed = 604
	random := rand.New(rand.NewPCG(seed, 1))
	now := far
	for range far / 3 {
		brief := false
		op := link.Op(link.Seek{Step: random.Int64N(far)})
		switch random.IntN(4) {
		case 1:
			op = link.Step{Unit: link.Units[random.IntN(3)], N: random.Int64N(4)}
		case 2:
			op = link.Step{Unit: link.Units[random.IntN(3)], N: -random.Int64N(4)}
		case 3:
			brief = true
			op = link.Step{Unit: link.Micro, N: random.Int64N(200), Brief: true}
		}
		f := p.frame(op)
		if now = f.Step; now > far {
			continue
		}
		if f.Brief != brief || brief && f.Before != nil {
			t.Fatalf("seed %d: asked for a brief frame %v, got %d steps before", seed, brief, len(f.Before))
		}
		if brief {
			continue
		}
		if want := min(now-1, link.MaxBefore); now > 0 && int64(len(f.Before)) != want {
			t.Fatalf("seed %d: before step %d there are %d steps, not %d", seed, now, len(f.Before), want)
		}
		for i, b := range f.Before {
			if want := now - int64(len(f.Before)-i); b.Step != want || b.Sentence.ID != did[want].ID || b.Sentence.Args["key"] != did[want].Args["key"] {
				t.Fatalf("seed %d: before step %d stands %+v as step %d, which did %+v", seed, now, b, want, did[want])
			}
		}
		if now > 0 && f.Sentence.ID != did[now].ID {
			t.Fatalf("seed %d: step %d did %s, and now it did %s", seed, now, did[now].ID, f.Sentence.ID)
		}
	}
}

// By operation and by watch event, the list of what was before has those units, with what was said of each.
func TestTheTrailFollowsTheUnit(t *testing.T) {
	for _, unit := range []link.Unit{link.Operation, link.WatchEvent} {
		p := newPage(t)
		p.ask(link.Open{}, shop(t))
		window := picture.DefaultWindow
		window.Unit = unit
		p.frame(link.Fit{Window: window})
		p.frame(link.Seek{})
		var was []link.StepSummary
		ways := 0
		for range 60 {
			f := p.frame(link.Step{Unit: unit, N: 1})
			want := was[max(0, len(was)-link.MaxBefore):]
			if !slices.EqualFunc(f.Before, want, func(a, b link.StepSummary) bool {
				return a.Step == b.Step && a.Sentence.ID == b.Sentence.ID && maps.Equal(a.Sentence.Args, b.Sentence.Args)
			}) {
				t.Fatalf("by %s, before step %d the list has\n%+v\nand the steps were\n%+v", unit, f.Step, f.Before, want)
			}
			said, _ := f.Sentences()
			was = append(was, link.StepSummary{Step: f.Step, Sentence: said})
			if f.Route != nil {
				ways++
			}
		}
		if ways < 10 {
			t.Errorf("by %s, only %d steps tell of a way", unit, ways)
		}
		far := was[len(was)-1].Step
		if f := p.frame(link.Seek{Step: far + 1}); f.Before[len(f.Before)-1].Step != far || f.Before[len(f.Before)-2].Step != was[len(was)-2].Step {
			t.Errorf("by %s, whoever jumps behind step %d sees %+v", unit, far, f.Before)
		}
	}
}

// A frame tells which of the steps that were passed matters most.
func TestPassedIsTheMostTellingStep(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	end := p.frame(link.Seek{Step: 1 << 40}).Steps
	kinds := map[int64]link.MarkKind{} // of each step that has a mark
	for _, kind := range link.Marks {
		for at := p.frame(link.Seek{}).Step; ; {
			next := p.frame(link.SeekMark{Marks: []link.MarkKind{kind}}).Step
			if next == at {
				break
			}
			at = next
			if kinds[at] == "" { // they are asked for with the most telling first
				kinds[at] = kind
			}
		}
	}
	p.frame(link.Seek{})
	quiet, telling := 0, 0
	for at := int64(0); at < end; {
		f := p.frame(link.Step{Unit: link.Micro, N: 37})
		var want int64
		for s := at + 1; s <= f.Step; s++ {
			if k := kinds[s]; k != "" && (want == 0 || slices.Index(link.Marks, k) <= slices.Index(link.Marks, kinds[want])) {
				want = s
			}
		}
		at = f.Step
		switch {
		case want == 0 && f.Passed == nil:
			quiet++
		case want == 0 || f.Passed == nil || f.Passed.Step != want || f.Passed.Mark != kinds[want] || f.Passed.Sentence.ID == "":
			t.Errorf("up to step %d the most telling is step %d (%s), and the frame has %+v", at, want, kinds[want], f.Passed)
		default:
			telling++
		}
	}
	if quiet == 0 || telling == 0 {
		t.Errorf("%d quiet and %d telling stretches", quiet, telling)
	}
}
