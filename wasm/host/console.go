package host

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

const (
	maxLineSteps = 300_000 // of a line, since the viewer waits for it
	maxConsole   = 5000    // lines of a transcript
)

// console plays the viewer's lines, and has the futures that they make.
type console struct{ *desk }

// line plays a line of script where the viewer is. If that is the end of a
// lane, the lane goes on with the line. Otherwise the line makes a lane of its
// own.
func (c *console) line(id int, q link.PlayLine) {
	d := c.doc
	r := d.run()
	at := r.history().At().Steps()
	b := r.history().Branch(at)
	out := link.Console{}
	runner := script.Attach(b, func(e script.Entry) {
		if len(out.Entries) < maxConsole {
			out.Entries = append(out.Entries, consoleLine(e, 0))
		}
	})
	runner.Limit(maxLineSteps, world.Limits{States: maxStates, Depth: maxDepth})
	var asked *script.Inquiry
	runner.Asking(func(q *script.Inquiry) { asked = q })
	text := strings.TrimSpace(q.Line)
	for line := range strings.Lines(text) {
		if err := runner.Line(strings.TrimSpace(line), 0); err != nil {
			out.Failure = lineFailure(err, strings.TrimSpace(line))
			break
		}
	}
	changed := len(b.Inputs()) > len(inputsUpTo(r.history(), at))
	switch {
	case changed:
		r.lanes.goOn(b, text)
		b.SeekTo(b.Steps())
	case b.Steps() > at: // only time went by, as it would have anyway
		to := b.Steps()
		b.Drop()
		for r.history().Steps() < to && r.history().Extend(extendBy) > 0 {
		}
		r.history().SeekTo(to)
	default:
		b.Drop()
	}
	r.goal = noGoal
	for i := range out.Entries {
		out.Entries[i].Lane = r.lanes.shown.id
	}
	c.send(&link.Reply{ID: id, Console: &out})
	if changed {
		c.opened(0)
		c.tellLanes(0)
	}
	c.frame(id, r.frame(0, c.window))
	if asked != nil {
		c.explore(asked, text)
	}
	c.work()
}

// inputsUpTo returns the inputs of a history's first n steps.
func inputsUpTo(h *world.History, n int64) []world.Input {
	all := h.Inputs()
	for len(all) > 0 && all[len(all)-1].Step > n {
		all = all[:len(all)-1]
	}
	return all
}

// showLane shows a lane at the moment at which the viewer is.
func (c *console) showLane(id int, q link.ShowLane) {
	c.lane(id, q.Lane, func(l *lanes, x *lane) bool { l.show(x); return true })
}

// visitLane shows a lane at a step.
func (c *console) visitLane(id int, q link.VisitLane) {
	c.lane(id, q.Lane, func(l *lanes, x *lane) bool {
		l.shown = x
		x.h.SeekTo(q.Step)
		return true
	})
}

// renameLane gives a lane a name.
func (c *console) renameLane(id int, q link.RenameLane) {
	c.lane(id, q.Lane, func(_ *lanes, x *lane) bool { x.name = short(q.Name, link.MaxName); return true })
}

// dropLane removes a lane.
func (c *console) dropLane(id int, q link.DropLane) {
	c.lane(id, q.Lane, (*lanes).drop)
}

// undo takes back what the viewer did last.
func (c *console) undo(id int, _ link.Undo) {
	c.relane(id, c.doc.run().lanes.back())
}

// redo does again what undo took back.
func (c *console) redo(id int, _ link.Redo) {
	l := c.doc.run().lanes
	done := l.forth()
	if done {
		l.shown.h.SeekTo(l.shown.h.Steps())
	}
	c.relane(id, done)
}

// lane has do change the lane with an ID. Do reports whether that was possible.
func (c *console) lane(id, laneID int, do func(*lanes, *lane) bool) {
	l := c.doc.run().lanes
	x := l.find(laneID)
	c.relane(id, x != nil && do(l, x))
}

// relane shows the lanes after a change, or says that it was not possible.
func (c *console) relane(id int, done bool) {
	if !done {
		c.fail(id, link.Sentence{ID: "fail.lane"}, nil)
		return
	}
	r := c.doc.run()
	r.goal = noGoal
	c.opened(0)
	c.tellLanes(0)
	c.frame(id, r.frame(0, c.window))
	c.work()
}

// short cuts a text to what there is room for, in characters.
func short(text string, room int) string {
	text = strings.TrimSpace(text)
	if r := []rune(text); len(r) > room {
		return string(r[:room])
	}
	return text
}

func consoleLine(e script.Entry, lane int) link.ConsoleLine {
	out := link.ConsoleLine{Kind: e.Kind.String(), Text: e.Text, Lane: lane}
	if e.Kind == script.Moved {
		out.Text, out.Time, out.Actor, out.Step = strings.Join(e.Facts, "; "), e.Time, e.Actor, e.Step
	}
	return out
}

// lineFailure says what is wrong with a line of a text of several lines, or with a text of a single one.
func lineFailure(err error, text string) *link.LineFailure {
	var e script.Error
	if !errors.As(err, &e) {
		return &link.LineFailure{Why: err.Error()}
	}
	if e.Line > 0 {
		lines := strings.Split(text, "\n")
		text = lines[min(e.Line, len(lines))-1]
	}
	return &link.LineFailure{Line: e.Line, Col: e.Col, Text: strings.TrimSuffix(text, "\r"), Why: e.Text}
}
