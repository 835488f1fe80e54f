package machine

import (
	"slices"

	"github.com/informerscope/informerscope/engine/history"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
)

// A path leads to a lane: link.Linked says what it is.

// MaxTravel is how many steps are run for one way at most.
const MaxTravel = 2_000_000

// maxWay is how many lines a way has at most that the page keeps for itself.
const maxWay = 5000

// Path returns what leads to a lane. It calls at for each moment at which something is done.
func (l *Lanes) Path(to *Lane, at func(h *history.History, step int64) link.PathStep) (way []link.PathStep, err error) {
	h := to.History
	shared := l.sharedBy(h)
	if h == l.Base || shared == h.Steps() {
		return nil, nil
	}
	inputs, err := script.Inputs(h)
	if err != nil {
		return nil, err
	}
	way = append(way, at(h, shared)) // what the opened run does after it is left out
	made := shared
	for _, in := range inputs {
		if in.Step <= shared {
			continue
		}
		p := link.PathStep{Step: -1}
		if in.Step != made+1 {
			p = at(h, in.Step-1)
		}
		p.Line, made = in.Line, in.Step
		way = append(way, p)
	}
	return way, nil
}

// Brief returns the way to a lane for a page that is loaded again, which has the same machine.
func (l *Lanes) Brief(to *Lane) []link.PathStep {
	way, err := l.Path(to, func(_ *history.History, step int64) link.PathStep { return link.PathStep{Step: step} })
	if err != nil || len(way) > maxWay {
		return nil
	}
	return way
}

// LaneOf returns the first lane whose changes make the history h of what was opened, nil where there is none.
func (l *Lanes) LaneOf(h *history.History) *Lane {
	if h == nil {
		return nil
	}
	way := l.Brief(&Lane{History: h})
	for _, x := range l.All {
		if len(way) > 0 && slices.Equal(l.Brief(x), way) {
			return x
		}
	}
	return nil
}

// sharedBy returns how many steps h shares with what was opened.
func (l *Lanes) sharedBy(h *history.History) int64 {
	shared := h.Steps()
	for h != l.Base {
		parent, left := h.Parent()
		if parent == nil {
			return 0
		}
		h, shared = parent, min(shared, left)
	}
	return shared
}

// PathStep names the moment of a step.
func PathStep(h *history.History, step int64) link.PathStep {
	p := link.PathStep{Step: step}
	if m, ok := h.MomentAt(step); ok {
		p.Moment = m.String()
	}
	return p
}

// Locate returns the step of a waypoint's moment in h. Lost says that the
// moment isn't there. The step is then the one that the moment had where the
// link was made.
func Locate(h *history.History, p link.PathStep) (step int64, lost bool) {
	if p.Moment != "" {
		m, ok := history.ParseMoment(p.Moment)
		if step := h.FindMoment(m); ok && step >= 0 {
			return step, false
		}
	}
	for far := h.Steps() + MaxTravel; h.Steps() < min(p.Step, far) && h.Extend(ExtendBy) > 0; {
	}
	return min(max(p.Step, 0), h.Steps()), p.Moment != "" || p.Step > h.Steps()
}
