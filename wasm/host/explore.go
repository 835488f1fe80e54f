package host

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// exploreBy is how many steps are made between two looks at the clock.
const exploreBy = 256

// exploring is a can line whose answer is being looked for while the viewer goes on. Another
// line, and whatever takes a lane away, stops it.
type exploring struct {
	*desk
	inquiry *script.Inquiry
	line    string
	run     *machine.Run
	lane    *machine.Lane    // on which it was asked
	at      int64            // the step at which it was asked
	part    int              // the question of the lesson that it is about, 0 for none
	begun   *history.History // a branch of the lane, which has left it at that step; the search begins at its end
}

const kindExploring = "exploring"

// explore begins to look for the answer to a line that was played at the step where
// the viewer is. Of a lesson's question, part is its number, and begun has its commands; otherwise they are 0 and nil.
func (c *console) explore(q *script.Inquiry, line string, part int, begun *history.History) {
	r := c.doc.run()
	x := &exploring{c.desk, q, line, r, r.Lanes.Shown, r.History().At().Steps(), part, begun}
	x.tell(false, 0)
	c.jobs.Start(x, schedule.Terms{Kind: kindExploring, Ends: anotherDocument | anotherRun | futuresChange})
}

// stopExploring stops looking for the answer.
func (c *console) stopExploring(int, link.StopExploring) { c.jobs.Stop(kindExploring, futuresChange) }

// Work explores for a slice.
func (x *exploring) Work(until int64) (more bool) {
	for x.jobs.Now() < until {
		if x.inquiry.Go(exploreBy) {
			x.answer()
			return false
		}
	}
	return true
}

// Report tells how many states were seen.
func (x *exploring) Report() { x.tell(false, 0) }

// Stop says in the transcript that there will be no answer.
func (x *exploring) Stop(schedule.Event) {
	if x.begun != nil {
		x.begun.Drop()
	}
	e := link.ConsoleLine{Kind: link.LineStopped, Text: strconv.Itoa(x.inquiry.States()), Lane: x.lane.ID}
	x.send(&link.Reply{News: &link.Console{Entries: []link.ConsoleLine{e}}})
	x.tell(true, 0)
}

// answer shows the answer: a line of the transcript, and the way there as a lane.
func (x *exploring) answer() {
	l, b, until := x.run.Lanes, x.begun, int64(0)
	e, found := x.inquiry.Answer(), x.inquiry.Found()
	shows := found.Yes && (b != nil || len(found.Schedule) > 0)
	if shows {
		l.Show(x.lane)
		if b == nil {
			b = x.lane.History.Branch(x.at)
		}
	}
	switch {
	case shows && b.Follow(found.Schedule):
		until = b.Steps()
		l.GoOn(b, x.line, x.at)
	case b != nil:
		b.Drop()
	}
	x.send(&link.Reply{News: &link.Console{Entries: []link.ConsoleLine{machine.ConsoleLine(e, l.Shown.ID)}}})
	if until > 0 {
		x.run.Goal = machine.NoGoal
		x.opened(0)
		x.tellLanes(0)
		x.frame(0, x.run.Frame(0, x.window))
	}
	x.tell(true, until)
	x.work()
}

func (x *exploring) tell(done bool, until int64) {
	out := &link.Explored{Line: x.line, States: x.inquiry.States(), Done: done, Until: until, Part: x.part}
	found := x.inquiry.Found()
	switch met := found.Met; {
	case !done || !x.inquiry.Go(0):
	case found.Yes:
		if until > 0 { // else nothing is shown
			out.Found = link.FoundYes
		}
	case met.States > 0:
		out.Found = link.FoundStates
	case met.Depth > 0:
		out.Found = link.FoundSteps
	case met.Clock > 0:
		out.Found = link.FoundTime
	default:
		out.Found = link.FoundNo
	}
	x.send(&link.Reply{News: out})
}
