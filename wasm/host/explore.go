package host

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/script"
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

// exploring is a can line whose answer is being looked for, slice by slice, while the
// viewer goes on. Another line, and whatever takes a lane away, stops it.
type exploring struct {
	inquiry *script.Inquiry
	line    string
	run     *run
	lane    *lane // on which it was asked
	at      int64 // the step at which it was asked
	told    int64 // when the page was told last
}

// explore begins to look for the answer to a line that was played at the step where
// the viewer is.
func (h *Host) explore(q *script.Inquiry, line string) {
	r := h.doc.run()
	x := &exploring{inquiry: q, line: line, run: r, lane: r.lanes.shown, at: r.history().At().Steps(), told: h.browser.Now()}
	h.exploring = x
	h.tellExplored(x, false, 0)
	h.think(x)
}

// think explores for a slice, and then lets the page's messages have their turn.
func (h *Host) think(x *exploring) {
	h.browser.Later(func() {
		if h.exploring != x {
			return
		}
		if h.doc.run() != x.run {
			h.enough()
			return
		}
		until := h.browser.Now() + slice
		done := false
		for !done && h.browser.Now() < until {
			done = x.inquiry.Go(exploreBy)
		}
		if done {
			h.answer(x)
			return
		}
		if now := h.browser.Now(); now-x.told >= reportEvery {
			x.told = now
			h.tellExplored(x, false, 0)
		}
		h.think(x)
	})
}

// answer shows the answer: a line of the transcript, and the way there as a lane.
func (h *Host) answer(x *exploring) {
	h.exploring = nil
	l, until := x.run.lanes, int64(0)
	e := x.inquiry.Answer()
	if way := x.inquiry.Schedule(); len(way) > 0 {
		l.show(x.lane)
		if b := x.lane.h.Branch(x.at); b.Follow(way) {
			until = b.Steps()
			l.goOn(b, x.line)
			b.SeekTo(x.at)
		} else {
			b.Drop()
		}
	}
	h.send(&link.Reply{Console: &link.Console{Entries: []link.ConsoleLine{consoleLine(e, l.shown.id)}}})
	if until > 0 {
		x.run.goal = noGoal
		h.opened(0)
		h.tellLanes(0)
		h.frame(0, x.run.frame(0, h.window))
	}
	h.tellExplored(x, true, until)
	h.work()
}

// enough stops exploring, and says so in the transcript.
func (h *Host) enough() {
	x := h.exploring
	if x == nil {
		return
	}
	h.exploring = nil
	e := link.ConsoleLine{Kind: link.LineStopped, Text: strconv.Itoa(x.inquiry.States()), Lane: x.lane.id}
	h.send(&link.Reply{Console: &link.Console{Entries: []link.ConsoleLine{e}}})
	h.tellExplored(x, true, 0)
}

func (h *Host) tellExplored(x *exploring, done bool, until int64) {
	h.send(&link.Reply{Explored: &link.Explored{Line: x.line, States: x.inquiry.States(), Done: done, Until: until}})
}
