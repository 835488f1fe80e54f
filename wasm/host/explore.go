package host

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// The limits of a can line on the page. The states that were seen are held in
// memory, and so is a world for each step in a row.
const (
	maxStates = 300_000
	maxDepth  = 2000
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
	lane    *machine.Lane // on which it was asked
	at      int64         // the step at which it was asked
}

const kindExploring = "exploring"

// explore begins to look for the answer to a line that was played at the step where
// the viewer is.
func (c *console) explore(q *script.Inquiry, line string) {
	r := c.doc.run()
	x := &exploring{desk: c.desk, inquiry: q, line: line, run: r, lane: r.Lanes.Shown, at: r.History().At().Steps()}
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
	e := link.ConsoleLine{Kind: link.LineStopped, Text: strconv.Itoa(x.inquiry.States()), Lane: x.lane.ID}
	x.send(&link.Reply{News: &link.Console{Entries: []link.ConsoleLine{e}}})
	x.tell(true, 0)
}

// answer shows the answer: a line of the transcript, and the way there as a lane.
func (x *exploring) answer() {
	l, until := x.run.Lanes, int64(0)
	e := x.inquiry.Answer()
	if way := x.inquiry.Schedule(); len(way) > 0 {
		l.Show(x.lane)
		if b := x.lane.History.Branch(x.at); b.Follow(way) {
			until = b.Steps()
			l.GoOn(b, x.line, x.at)
		} else {
			b.Drop()
		}
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
	x.send(&link.Reply{News: &link.Explored{Line: x.line, States: x.inquiry.States(), Done: done, Until: until}})
}
