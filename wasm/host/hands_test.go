package host

import (
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// pair has two handlers, and a third object that is created after the first list.
const pair = `informer pods
handler one
handler two
exists pod a/x
exists pod a/y
run until ListReceived
create pod a/z
`

// atWrite shows the step at which that object is created.
func (p *page) atWrite() *link.Frame {
	for n := int64(1); n < 20; n++ {
		if f := p.frame(link.Seek{Step: n}); f.Sentence.ID == "step.objectWrittenAdded" {
			return f
		}
	}
	p.t.Fatal("nothing is created")
	return nil
}

func exploredOf(r *link.Reply) *link.Explored { return news[*link.Explored](r) }

// The answer to a can line is a lane. It leaves the lane shown where the line
// was asked, and ends where the expression comes about.
func TestExploring(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "pair.txt"}, asFile(pair))
	at := p.atWrite()
	got := p.ask(link.PlayLine{Line: "can one OnAdd a/z before two OnAdd a/x"}, nil)
	x, c, l, f := last(got, exploredOf), last(got, consoleOf), last(got, lanesOf), last(got, frameOf)
	if x == nil || !x.Done || x.States < 10 || x.Until <= at.Step {
		t.Fatalf("exploring has come to %+v, the console has %+v, and the failures are %s", x, c, p.failures())
	}
	if c == nil || len(c.Entries) != 1 || !strings.HasPrefix(c.Entries[0].Text, "yes, in ") {
		t.Errorf("the console has %+v", c)
	}
	if l == nil || len(l.List) != 2 || l.Shown != 1 || l.List[1].BranchStep != at.Step || l.List[1].Lines[0] != "can one OnAdd a/z before two OnAdd a/x" {
		t.Fatalf("the lanes are %+v", l)
	}
	if f == nil || f.Step != at.Step {
		t.Errorf("the frame shown is %+v", f)
	}
	f = p.frame(link.Seek{Step: x.Until})
	if f.Sentence.ID != "step.handlerCalledAdded" || f.Sentence.Args["key"].V != "a/z" || f.Sentence.Args["listener"].V != "one" || f.Processor.Listeners[1].Calls != 0 {
		t.Errorf("where it comes about, the step says %+v, and the listeners are %+v", f.Sentence, f.Processor.Listeners)
	}
	// An expression that can't come about makes no lane.
	p.ask(link.ShowLane{Lane: 0}, nil)
	p.frame(link.Seek{Step: at.Step})
	got = p.ask(link.PlayLine{Line: "can one OnAdd a/z before one OnAdd a/x"}, nil)
	if x, c := last(got, exploredOf), last(got, consoleOf); x == nil || !x.Done || x.Until != 0 || last(got, lanesOf) != nil || !strings.HasPrefix(c.Entries[0].Text, "no, in none of ") {
		t.Errorf("exploring has come to %+v, and the console has %+v", x, c)
	}
}

// Exploring leaves the page its turns. It can be stopped by the viewer, and by
// whatever makes the answer worthless.
func TestExploringStops(t *testing.T) {
	for name, stop := range map[string]link.Op{
		"enough":       link.StopExploring{},
		"another line": link.PlayLine{Line: "show store"},
		"undo":         link.Undo{},
	} {
		p := newPage(t)
		p.quick = 5 * machine.Millisecond // so that a slice is a few looks at the clock
		p.ask(link.Open{Name: "pair.txt"}, asFile(pair))
		at := p.atWrite()
		p.replies = nil
		p.h.Handle((&link.Request{ID: 100, Op: link.PlayLine{Line: "can store [a/none]"}}).Encode(), nil)
		for range 30 {
			turns := p.turns
			p.turns = nil
			for _, f := range turns {
				f()
			}
		}
		x := last(p.replies, exploredOf)
		if x == nil || x.Done || x.States == 0 {
			t.Fatalf("%s: while exploring: %+v", name, x)
		}
		if f := p.step(at.Step - 1); f.Step != at.Step-1 {
			t.Errorf("%s: the viewer can't go back meanwhile: %+v", name, f)
		}
		p.replies = nil
		p.h.Handle((&link.Request{Op: stop}).Encode(), nil)
		x, c := last(p.replies, exploredOf), news[*link.Console](p.replies[0])
		if x == nil || !x.Done || x.Until != 0 || p.h.desk.jobs.Running(kindExploration) != nil {
			t.Fatalf("%s: a search that was stopped answers %+v", name, x)
		}
		if n, err := strconv.Atoi(c.Entries[0].Text); c.Entries[0].Kind != link.LineStopped || err != nil || n < 10 {
			t.Errorf("%s: the console says of a search that was stopped %+v", name, c)
		}
		p.settle()
	}
}

// step goes to a step, without waiting for whatever else the host does.
func (p *page) step(n int64) *link.Frame {
	p.replies = nil
	p.h.Handle((&link.Request{ID: 101, Op: link.Seek{Step: n}}).Encode(), nil)
	return last(p.replies, frameOf)
}
