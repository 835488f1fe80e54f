package host

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/tally"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// showSecond shows a second machine beside the shop's, and returns the last thing that is
// said of it.
func (p *page) showSecond(op link.Op) (second *link.SecondMachine) {
	p.t.Helper()
	for _, r := range p.ask(op, nil) {
		if news[*link.SecondMachine](r) != nil {
			second = news[*link.SecondMachine](r)
		}
	}
	if second == nil {
		p.t.Fatalf("nothing was said of a second machine, but %s", p.failures())
	}
	return second
}

func besideShop(t *testing.T, f *file, change func(*link.Setup)) (*page, *link.SecondMachine) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, f)
	s := described()
	p.ask(link.SetUp{Setup: s}, nil)
	change(&s)
	return p, p.showSecond(link.SecondSetup{Setup: s})
}

// TestSecondMachineFollows: another version of client-go stands at the same watch event
// as the one shown, whichever way that goes, and at the end where it ends. What the
// first one shows doesn't depend on whether there is a second one.
func TestSecondMachineFollows(t *testing.T) {
	p, second := besideShop(t, shop(t), func(s *link.Setup) { s.Profile = "current" })
	alone := newPage(t)
	alone.ask(link.Open{Name: "shop"}, shop(t))
	if second.Second.Second == nil || !second.Done || second.Count != 0 || second.Cached != 0 || len(second.Calls) != 3 || second.Calls[0].Counts[0] < 100 {
		t.Errorf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	steps := []link.Op{
		link.Step{Unit: link.WatchEvent, N: 12}, link.Step{Unit: link.Micro, N: 3}, link.Step{Unit: link.Operation, N: -2},
		link.Step{Unit: link.WatchEvent, N: 1}, link.Step{Unit: link.WatchEvent, N: -3}, link.Seek{Step: 2000},
		link.SeekTime{Time: 90 * machine.Second}, link.Seek{Step: 1 << 40}, link.Seek{Step: 0},
	}
	for range 60 {
		steps = append(steps, link.Step{Unit: link.Operation, N: 1})
	}
	for _, q := range steps {
		f := p.frame(q)
		s := f.Second
		if s == nil || s.Server.Sent != f.Server.Sent || s.Queue.Kind != link.RealFIFO || f.Queue.Kind != link.DeltaFIFO || s.Second != nil {
			t.Fatalf("%+v: the first one is at event %d, the second at %+v", q, f.Server.Sent, s)
		}
		if f.Step == f.Steps && s.Step != s.Steps {
			t.Errorf("at the end the second one is at %d of %d", s.Step, s.Steps)
		}
		if f.Step > 0 && s.Time > f.Time && f.Step < f.Steps {
			t.Errorf("%+v: the second one is at %d ns, the first one at %d", q, s.Time, f.Time)
		}
		f.Second = nil
		if got, want := shownBy(f), shownBy(alone.frame(q)); got != want {
			t.Fatalf("%+v shows\n%s\nbeside another machine, and alone\n%s", q, got, want)
		}
	}
}

// TestDifferences: without resyncs there are fewer calls. The recording lasts
// some minutes and has no relist. Each difference is at the step that is told,
// in both machines.
func TestDifferences(t *testing.T) {
	p, second := besideShop(t, recording(t, "../../replay/format/testdata/shop.trace.jsonl.gz"), func(s *link.Setup) {
		s.Resync = 0
		for i := range s.Handlers {
			s.Handlers[i].Resync = 0
		}
	})
	if !second.Done || second.Count < 5 || len(second.Differs) != int(second.Count) || second.Calls[1].Counts[0] <= second.Calls[1].Counts[1] || second.Calls[0].Differ != 0 {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	last := int64(0)
	for i, d := range second.Differs {
		f := p.frame(link.SeekDiffer{Differ: i})
		if d.Handler != "controller" || len(d.First) == 0 || len(d.Second) != 0 || d.Time < last {
			t.Errorf("difference %d is %+v", i, d)
		}
		last = d.Time
		if l := f.Processor.Listeners[1]; f.Step != d.First[0].Step || l.Func != "OnUpdate" || l.Handler.Key != d.Key {
			t.Errorf("difference %d is said to be at step %d, where the handler has %+v", i, d.First[0].Step, l.Handler)
		}
		if l := f.Second.Processor.Listeners[1]; l.Handler != nil {
			t.Errorf("in the second machine, the handler has %+v at difference %d", l.Handler, i)
		}
	}
	for _, r := range p.ask(link.SeekDiffer{Differ: int(second.Count)}, nil) {
		if news[*link.Frame](r) != nil {
			t.Error("there is a difference after the last one")
		}
	}
	if off := p.showSecond(link.HideSecond{}); off.Second.Second != nil || p.frame(link.Seek{Step: 9}).Second != nil {
		t.Error("the second machine stays after it was given up")
	}
}

// TestTwoLanes: two futures of one run stand beside each other, and differ from the step
// on at which they part. A future that is taken back ends that.
func TestTwoLanes(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	at := p.frame(link.Step{Unit: link.WatchEvent, N: 20})
	p.ask(link.PlayLine{Line: "delete pods " + at.Store.Tiles[0].Key}, nil)
	if f := p.failures(); f != "" && strings.Contains(f, "fail") {
		t.Fatal(f)
	}
	second := p.showSecond(link.SecondLane{Lane: 0})
	if second.Setup != nil || !reflect.DeepEqual(second.Second.Second, link.Second(link.SecondLane{})) || second.Count == 0 {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	f := p.frame(link.Seek{Step: 300})
	if f.Second == nil || shownBy(f.Second) == "" || f.Second.Step != f.Step || f.Second.Store.Objects != f.Store.Objects {
		t.Errorf("before the two part, one is at %d and the other at %+v", f.Step, f.Second)
	}
	f = p.frame(link.SeekDiffer{Differ: 0})
	if f.Second == nil || !f.Server.Simulated || f.Second.Server.Simulated {
		t.Errorf("the first difference is at %d", f.Step)
	}
	p.showSecond(link.SecondLane{Lane: 1}) // the one that is shown
	if f := p.frame(link.Step{Unit: link.Micro, N: -1}); f.Second == nil || f.Second.Step != f.Step {
		t.Errorf("beside itself, the lane is at %d and %+v", f.Step, f.Second)
	}
	if f := p.frame(link.Undo{}); f.Second != nil {
		t.Error("a future that was taken back is shown")
	}
}

// TestApart: with an informer for each handler, each handler is called as with
// one informer for all, and what the server sends is decoded and cached once
// for each informer. The informer shown stands at the same watch event, and at
// a difference it is the informer of the difference's handler.
func TestApart(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	second := p.showSecond(link.SecondApart{})
	if !second.Done || second.Count != 0 || second.Cached != 0 || len(second.Calls) != 3 || len(second.Apart) != 3 || second.Apart[2] != "audit" {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	for _, c := range second.Costs {
		want := int64(1)
		switch c.ID {
		case "lists", "watches", "objects", "copies", "deltas":
			want = 3
		case "held", "waited":
			continue
		}
		if c.Values[1] != want*c.Values[0] {
			t.Errorf("%s costs the two machines %v", c.ID, c.Values)
		}
	}
	for n := range 3 {
		p.showSecond(link.SecondApart{Handler: second.Apart[n]})
		f := p.frame(link.Seek{Step: int64(2000 + n)})
		if l := f.Second.Processor.Listeners; len(l) != 1 || l[0].Name != second.Apart[n] || f.Second.Server.Sent != f.Server.Sent {
			t.Errorf("the informer of %s has %+v at event %d, and the first one is at %d", second.Apart[n], l, f.Second.Server.Sent, f.Server.Sent)
		}
	}
	// What is done to the machine shown is done to each handler's informer.
	at := p.frame(link.Seek{Step: 2000})
	for _, line := range []string{"delete pods " + at.Store.Tiles[0].Key, "handler later", "slow audit 1s", "run random 3"} {
		p.ask(link.PlayLine{Line: line}, nil)
	}
	second = p.showSecond(link.SecondApart{Handler: "later"})
	if !second.Done || len(second.Apart) != 4 || second.Second.Second != link.Second(link.SecondApart{Handler: "later"}) || len(second.Calls) != 4 || second.Calls[3].Counts[1] == 0 || second.Cached != 0 {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
}

// libraryScript is a script of the library, as the page opens it.
func libraryScript(t *testing.T, name string) *file {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if said, ok := strings.CutPrefix(line, "> "); ok {
			lines = append(lines, said)
		}
	}
	return asFile(strings.Join(lines, ""))
}

// TestGuarded: the second machine plays the same script with another guard, whatever the
// viewer does to the first one. A guard that there is none of, and a script without a
// controller, leave one machine.
func TestGuarded(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "two"}, libraryScript(t, "../../engine/script/testdata/29-two-are-created.txt"))
	most := func() (counts [2]int) {
		last := p.frame(link.Seek{Step: 1 << 40})
		for step := range last.Step + 1 {
			f := p.frame(link.Seek{Step: step})
			for i, m := range []*link.Frame{f, f.Second} {
				if m == nil || m.Work.Controller == nil {
					t.Fatalf("at step %d, machine %d has no controller", step, i)
				}
				if b := m.Work.Controller.Belief; b != nil {
					counts[i] = max(counts[i], b.Actual)
				}
			}
		}
		if f := p.frame(link.Seek{Step: 1 << 40}); f.Work.Controller.Guard != "none" || f.Second.Work.Controller.Guard != "expectations" {
			t.Errorf("the guards are %s and %s", f.Work.Controller.Guard, f.Second.Work.Controller.Guard)
		}
		return counts
	}
	second := p.showSecond(link.SecondGuard{Guard: "expectations"})
	if second.Second.Second != link.Second(link.SecondGuard{Guard: "expectations"}) || !second.Done || second.Count == 0 {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	if counts := most(); counts != [2]int{4, 3} {
		t.Errorf("there are at most %v pods", counts)
	}
	p.ask(link.PlayLine{Line: "lag server forever pods"}, nil)
	p.ask(link.PlayLine{Line: "update replicaset default/web .spec.replicas=4"}, nil)
	p.ask(link.PlayLine{Line: "advance 1s"}, nil)
	if counts := most(); counts[0] < 5 || counts[1] != 4 {
		t.Errorf("after a future of the viewer's, there are at most %v pods", counts)
	}
	if second := p.showSecond(link.SecondGuard{Guard: "hope"}); second.Second.Second != nil {
		t.Errorf("with a guard that there is none of, the page was told %+v", second)
	}
	p.ask(link.Open{Name: "resync"}, libraryScript(t, "../../engine/script/testdata/11-resync.txt"))
	if second := p.showSecond(link.SecondGuard{Guard: "live"}); second.Second.Second != nil {
		t.Errorf("without a controller, the page was told %+v", second)
	}
}

// TestGuardsAreCounted: each guard has a row for the lag that the run has, and one for each other lag,
// as package tally counts them. What the viewer sees stays where it is.
func TestGuardsAreCounted(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "two"}, libraryScript(t, "../../engine/script/testdata/29-two-are-created.txt"))
	at := p.frame(link.Seek{Step: 100})
	var guards *link.Guards
	for _, r := range p.ask(link.CountGuards{}, nil) {
		if g := news[*link.Guards](r); g != nil {
			guards = g
		}
	}
	if guards == nil || len(guards.Rows) != guards.Total || guards.Total != len(tally.Variants())*(len(lags)+1) {
		t.Fatalf("the page was told %+v", guards)
	}
	h := p.h.desk.doc.run().History()
	for i, o := range tally.Variants() {
		want, err := tally.CountRun(h, o, tally.DefaultSteps)
		if err != nil {
			t.Fatal(err)
		}
		r := guards.Rows[i]
		if r.Guard != o.Guard.String() || r.Lag != -1 || r.Counts[0] != int64(want.Duplicates) || r.Counts[5] != int64(want.Requests) || r.Settled != want.Settled || r.Cut == want.Ended {
			t.Errorf("the row of %s is %+v, and package tally has %+v", o.Guard, r, want)
		}
		if none := o.Guard == guard.None; none != (r.Counts[0] > 0) {
			t.Errorf("with %s there are %d duplicates", o.Guard, r.Counts[0])
		}
	}
	if now := p.frame(link.Seek{Step: 100}); now.Time != at.Time {
		t.Errorf("the run has moved from %d to %d ns", at.Time, now.Time)
	}
}

// TestApartScripts: each script of the library whose informer has handlers can be played with an
// informer for each. A station that is used by hand has none, and the page says so.
func TestApartScripts(t *testing.T) {
	files, err := filepath.Glob("../../engine/script/testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	set, not := 0, 0
	for _, name := range files {
		p := newPage(t)
		p.ask(link.Open{Name: name}, libraryScript(t, name))
		p.replies = nil
		p.ask(link.SecondApart{}, nil)
		var second *link.SecondMachine
		for _, r := range p.replies {
			if news[*link.SecondMachine](r) != nil {
				second = news[*link.SecondMachine](r)
			}
		}
		switch {
		case second == nil:
			t.Errorf("%s: nothing was said", name)
		case second.Second.Second != nil && second.Done:
			set++
		case second.Second.Second == nil && strings.Contains(p.failures(), "fail.beside"):
			not++
		default:
			t.Errorf("%s: told %s; %s", name, (&link.Reply{News: second}).Encode(), p.failures())
		}
	}
	if set < 8 || not < 30 {
		t.Errorf("%d scripts were set apart, and %d not", set, not)
	}
}

// TestAnotherVersionOfAScript: the second machine plays a script, or a lesson's scene, as another version of
// client-go: DeltaFIFO hands out both updates of b together, and RealFIFO doesn't. Its objects are its own.
// Once the viewer has changed the run, there is no text for another version, and the page says so.
func TestAnotherVersionOfAScript(t *testing.T) {
	const played = "informer pods\nhandler h\nexists pod default/a\nexists pod default/b\nrun\nupdate pod default/b\nupdate pod default/a\nupdate pod default/b\nstep 9 reflector\nrun\n"
	lesson := "---\nminutes: 1\n---\n\n# Order\n\nTwo updates.\n\n```script\nprofile v0.32.13\n" + played + "```\n\nThat is all.\n"
	for name, text := range map[string]string{"order.txt": "profile v0.32.13\n" + played + "expect calls h []\n", "order.md": lesson} {
		p := newPage(t)
		p.ask(link.Open{Name: name}, asFile(text))
		second := p.showSecond(link.SecondProfile{Profile: "v0.33.0"})
		if second.Second.Second != link.Second(link.SecondProfile{Profile: "v0.33.0"}) || second.Setup.Profile != "v0.33.0" || !second.Done || second.Count != 0 || second.Calls[0].Counts[0] != 5 || second.Calls[0].Counts[1] != 5 {
			t.Fatalf("%s: the page was told %s", name, (&link.Reply{News: second}).Encode())
		}
		f := p.frame(link.Seek{Step: 50})
		if versions := [2]string{f.Store.Tiles[1].RV, f.Second.Store.Tiles[1].RV}; versions != [2]string{"5", "3"} || f.Queue.Kind != link.DeltaFIFO || f.Second.Queue.Kind != link.RealFIFO {
			t.Errorf("%s: when the first machine has called h, b is cached at %s", name, versions)
		}
		tile := f.Second.Store.Tiles[0]
		for _, r := range p.ask(link.Inspect{Ref: tile.Ref, Second: true}, nil) {
			if o := news[*link.Object](r); o != nil && (!o.SecondOnly || o.Key != tile.Key || o.RV != tile.RV) {
				t.Errorf("%s: %s@%s of the second machine is shown as %+v", name, tile.Key, tile.RV, o)
			}
		}
		p.ask(link.PlayLine{Line: "delete pod default/a"}, nil)
		said := p.failures()
		if f := p.frame(link.Seek{Step: 9}); f.Second != nil {
			t.Errorf("%s: another version plays what the viewer has done", name)
		}
		if said != "fail.beside: changedRun" {
			t.Errorf("%s: the page was told %s", name, said)
		}
	}
}
