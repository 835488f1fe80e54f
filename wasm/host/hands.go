package host

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// maxLineSteps is how many steps a line may make, since the viewer waits for it.
const maxLineSteps = 300_000

// console plays the viewer's lines, and has the futures that they make.
type console struct{ *desk }

// line plays a line of script where the viewer is. If that is the end of a
// lane, the lane goes on with the line. Otherwise the line makes a lane of its
// own.
func (c *console) line(id int, q link.PlayLine) {
	d := c.doc
	r := d.run()
	was, at := r.History(), r.History().World().Steps()
	b := was.Branch(at)
	out := link.Console{}
	runner := script.Attach(b, func(e script.Entry) {
		if len(out.Entries) < machine.MaxConsole {
			out.Entries = append(out.Entries, machine.ConsoleLine(e, 0))
		}
	})
	runner.Limit(maxLineSteps, lesson.Bounds)
	var asked *script.Inquiry
	runner.OnInquiry(func(q *script.Inquiry) { asked = q })
	text := strings.TrimSpace(q.Line)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if err := d.lesson.Refusal(line); err != nil {
			out.Failure = &link.LineFailure{Text: line, Reason: link.Fault(err)}
			break
		}
		if err := runner.Line(line, 0); err != nil {
			out.Failure = machine.LineFailure(err, line)
			break
		}
	}
	changed := len(b.Inputs()) > len(machine.InputsUpTo(r.History(), at))
	switch {
	case changed:
		r.Lanes.Extend(b, text, b.Steps())
	case b.Steps() > at: // only time went by, as it would have anyway
		to := b.Steps()
		b.Drop()
		for r.History().Steps() < to && r.History().Extend(machine.ExtendBy) > 0 {
		}
		r.History().SeekTo(to)
	default:
		b.Drop()
	}
	r.Goal = machine.NoGoal
	for i := range out.Entries {
		out.Entries[i].Lane = r.Lanes.Shown.ID
	}
	c.send(&link.Reply{ID: id, News: &out})
	if changed {
		c.sendOpened(0)
		c.sendLanes(0)
	}
	c.sendFrame(id, r.Frame(0, c.window))
	c.notices(was, at, b, text)
	if asked != nil {
		c.explore(asked, text, 0, nil)
	}
	c.work()
}

// showLane shows a lane at the moment at which the viewer is.
func (c *console) showLane(id int, q link.ShowLane) {
	c.lane(id, q.Lane, func(l *machine.Lanes, x *machine.Lane) bool { l.Show(x); return true })
}

func (c *console) visitLane(id int, q link.VisitLane) {
	c.lane(id, q.Lane, func(l *machine.Lanes, x *machine.Lane) bool {
		l.Shown = x
		x.History.SeekTo(q.Step)
		return true
	})
}

func (c *console) renameLane(id int, q link.RenameLane) {
	c.lane(id, q.Lane, func(_ *machine.Lanes, x *machine.Lane) bool {
		x.Name = machine.Short(q.Name, link.MaxName)
		return true
	})
}

func (c *console) dropLane(id int, q link.DropLane) {
	c.lane(id, q.Lane, (*machine.Lanes).Drop)
}

// undo takes back what the viewer did last.
func (c *console) undo(id int, _ link.Undo) {
	c.relane(id, c.doc.run().Lanes.Undo())
}

// redo does again what undo took back.
func (c *console) redo(id int, _ link.Redo) {
	c.relane(id, c.doc.run().Lanes.Redo())
}

// lane calls do with the lane that has an ID. Do reports whether that was possible.
func (c *console) lane(id, laneID int, do func(*machine.Lanes, *machine.Lane) bool) {
	l := c.doc.run().Lanes
	x := l.Find(laneID)
	c.relane(id, x != nil && do(l, x))
}

// relane shows the lanes after a change, or says that it was not possible.
func (c *console) relane(id int, done bool) {
	if !done {
		c.fail(id, link.Sentence{ID: "fail.lane"}, nil)
		return
	}
	r := c.doc.run()
	r.Goal = machine.NoGoal
	c.sendOpened(0)
	c.sendLanes(0)
	c.sendFrame(id, r.Frame(0, c.window))
	c.work()
}

// exploreBy is how many steps are made between two looks at the clock.
const exploreBy = 256

// exploration is a can line whose answer is being looked for while the viewer goes on. Another
// line, and whatever takes a lane away, stops it.
type exploration struct {
	*desk
	inquiry *script.Inquiry
	line    string
	run     *machine.Run
	lane    *machine.Lane    // on which it was asked
	step    int64            // the step at which it was asked
	part    int              // the question of the lesson that it is about, 0 for none
	branch  *history.History // a branch of the lane, which has left it at that step; the search begins at its end
}

const kindExploration = "exploring"

// explore begins to look for the answer to a line that was played at the step where
// the viewer is. Of a lesson's question, part is its number, and begun has its commands; otherwise they are 0 and nil.
func (c *console) explore(q *script.Inquiry, line string, part int, begun *history.History) {
	r := c.doc.run()
	x := &exploration{c.desk, q, line, r, r.Lanes.Shown, r.History().World().Steps(), part, begun}
	x.report(false, 0)
	c.jobs.Start(x, schedule.Terms{Kind: kindExploration, Ends: anotherDocument | anotherRun | futuresChange})
}

// stopExploring stops looking for the answer.
func (c *console) stopExploring(int, link.StopExploring) { c.jobs.Stop(kindExploration, futuresChange) }

// Work explores for a slice.
func (x *exploration) Work(until int64) (more bool) {
	for x.jobs.Now() < until {
		if x.inquiry.Advance(exploreBy) {
			x.show()
			return false
		}
	}
	return true
}

// Report tells how many states were seen.
func (x *exploration) Report() { x.report(false, 0) }

// Stop says in the transcript that there will be no answer.
func (x *exploration) Stop(schedule.Event) {
	if x.branch != nil {
		x.branch.Drop()
	}
	e := link.ConsoleLine{Kind: link.LineStopped, Text: strconv.Itoa(x.inquiry.States()), Lane: x.lane.ID}
	x.send(&link.Reply{News: &link.Console{Entries: []link.ConsoleLine{e}}})
	x.report(true, 0)
}

// show shows the answer: a line of the transcript, and the way there as a lane.
func (x *exploration) show() {
	l, b, until := x.run.Lanes, x.branch, int64(0)
	e, found := x.inquiry.Answer(), x.inquiry.Result()
	shows := found.Yes && (b != nil || len(found.Schedule) > 0)
	if shows {
		l.Show(x.lane)
		if b == nil {
			b = x.lane.History.Branch(x.step)
		}
	}
	switch {
	case shows && b.Follow(found.Schedule):
		until = b.Steps()
		l.Extend(b, x.line, x.step)
	case b != nil:
		b.Drop()
	}
	x.send(&link.Reply{News: &link.Console{Entries: []link.ConsoleLine{machine.ConsoleLine(e, l.Shown.ID)}}})
	if until > 0 {
		x.run.Goal = machine.NoGoal
		x.sendOpened(0)
		x.sendLanes(0)
		x.sendFrame(0, x.run.Frame(0, x.window))
	}
	x.report(true, until)
	x.work()
}

func (x *exploration) report(done bool, until int64) {
	out := &link.Explored{Line: x.line, States: x.inquiry.States(), Done: done, Until: until, Part: x.part}
	found := x.inquiry.Result()
	switch met := found.Reached; {
	case !done || !x.inquiry.Advance(0):
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
