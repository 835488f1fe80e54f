package host

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// seeks is a lesson whose question has an option that another schedule makes right, and one that none does.
const seeks = `---
minutes: 5
---

# Two handlers

Which is first?

Two pods exist.

` + "```script\nprofile classic\ninformer pods\nhandler one\nhandler two\nexists pod a/x\nexists pod a/y\nrun until ListReceived\n```" + `

A third one is created. What is told?

` + "```question\ntold two\n- [OnAdd a/x@1, OnAdd a/y@2, OnAdd a/z@3]\n- []\ncan one OnAdd a/z before two OnAdd a/x\n- [OnAdd a/z@3]\ncan two OnAdd a/z before two OnAdd a/x\n```" + `

` + "```script\ncreate pod a/z\nrun\n```" + `

All of them.
`

// A schedule in which a wrong option would be right begins at the question, with the commands of the script that
// answers it. It is a lane of its own. Where there is none, the viewer stays on the lesson's.
func TestSchedulesAreSought(t *testing.T) {
	p := newPage(t)
	l := openLesson(t, p, seeks)
	q := part(t, l, link.PartQuestion)
	at := last(p.ask(link.GoStop{Stop: 1}, nil), frameOf)
	if at == nil || l.Parts[q].Cans[0] != "" || !strings.HasPrefix(l.Parts[q].Cans[1], "can one OnAdd") {
		t.Fatalf("the question's lines are %q", l.Parts[q].Cans)
	}
	got := p.ask(link.SeekSchedule{Part: q, Option: 2}, nil)
	if x := last(got, exploredOf); x == nil || !x.Done || x.Found != link.FoundNo || x.Part != q || x.States < 10 || x.Until != 0 || last(got, lanesOf) != nil {
		t.Errorf("of what can't be, the search says %+v", x)
	}
	p.frame(link.Seek{Step: at.Step + 3}) // the search begins at the question wherever the viewer is
	got = p.ask(link.SeekSchedule{Part: q, Option: 1}, nil)
	x, lanes := last(got, exploredOf), last(got, lanesOf)
	if x == nil || !x.Done || x.Found != link.FoundYes || x.Part != q || lanes == nil || len(lanes.List) != 2 || lanes.Shown != 1 || lanes.List[1].BranchStep != at.Step {
		t.Fatalf("the search says %+v, and the lanes are %+v: %s", x, lanes, p.failures())
	}
	f := p.frame(link.Seek{Step: x.Until})
	if f.Sentence.ID != "step.handlerCalledAdded" || f.Sentence.Args["key"].V != "a/z" || f.Sentence.Args["listener"].V != "one" || f.Processor.Listeners[1].Calls != 0 {
		t.Errorf("where it is so, the step says %+v, and the listeners are %+v", f.Sentence, f.Processor.Listeners)
	}
	if f = last(p.ask(link.GoStop{Stop: 1}, nil), frameOf); f.Step != at.Step || last(p.replies, lanesOf).Shown != 0 {
		t.Errorf("the way back leads to %+v", f)
	}
	for _, wrong := range []link.SeekSchedule{{Part: q, Option: 9}, {Part: q, Option: -1}, {Part: 0, Option: 1}, {Part: 99, Option: 1}} {
		if got := p.ask(wrong, nil); last(got, exploredOf) != nil || !strings.Contains(p.failures(), "fail.request") {
			t.Errorf("%+v is no question, and answers %s", wrong, p.failures())
		}
	}
	if got := p.ask(link.SeekSchedule{Part: q}, nil); last(got, exploredOf) != nil || !strings.Contains(p.failures(), "fail.lesson") {
		t.Errorf("an option without a line answers %s", p.failures())
	}
}

// A search that the viewer ends has found nothing.
func TestASearchForAScheduleIsEnded(t *testing.T) {
	p := newPage(t)
	l := openLesson(t, p, seeks)
	q := part(t, l, link.PartQuestion)
	p.ask(link.GoStop{Stop: 1}, nil)
	p.replies = nil
	p.h.Handle((&link.Request{ID: 100, Op: link.SeekSchedule{Part: q, Option: 2}}).Encode(), nil)
	p.h.Handle((&link.Request{Op: link.StopExploring{}}).Encode(), nil)
	if x := last(p.replies, exploredOf); x == nil || !x.Done || x.Found != "" || x.Part != q || p.h.desk.jobs.Running(kindExploration) != nil {
		t.Errorf("a search that was ended says %+v", x)
	}
	p.settle()
}
