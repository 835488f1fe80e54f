package host

import (
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/host/machine"
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
	at := r.History().At().Steps()
	b := r.History().Branch(at)
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
			out.Failure = &link.LineFailure{Text: line, Why: link.Fault(err)}
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
		r.Lanes.GoOn(b, text, b.Steps())
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
		c.opened(0)
		c.tellLanes(0)
	}
	c.frame(id, r.Frame(0, c.window))
	if asked != nil {
		c.explore(asked, text, 0, nil)
	}
	c.work()
}

// showLane shows a lane at the moment at which the viewer is.
func (c *console) showLane(id int, q link.ShowLane) {
	c.lane(id, q.Lane, func(l *machine.Lanes, x *machine.Lane) bool { l.Show(x); return true })
}

// visitLane shows a lane at a step.
func (c *console) visitLane(id int, q link.VisitLane) {
	c.lane(id, q.Lane, func(l *machine.Lanes, x *machine.Lane) bool {
		l.Shown = x
		x.History.SeekTo(q.Step)
		return true
	})
}

// renameLane gives a lane a name.
func (c *console) renameLane(id int, q link.RenameLane) {
	c.lane(id, q.Lane, func(_ *machine.Lanes, x *machine.Lane) bool {
		x.Name = machine.Short(q.Name, link.MaxName)
		return true
	})
}

// dropLane removes a lane.
func (c *console) dropLane(id int, q link.DropLane) {
	c.lane(id, q.Lane, (*machine.Lanes).Drop)
}

// undo takes back what the viewer did last.
func (c *console) undo(id int, _ link.Undo) {
	c.relane(id, c.doc.run().Lanes.Back())
}

// redo does again what undo took back.
func (c *console) redo(id int, _ link.Redo) {
	c.relane(id, c.doc.run().Lanes.Forth())
}

// lane has do change the lane with an ID. Do reports whether that was possible.
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
	c.opened(0)
	c.tellLanes(0)
	c.frame(id, r.Frame(0, c.window))
	c.work()
}
