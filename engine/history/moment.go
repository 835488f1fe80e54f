package history

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// A Moment identifies a step by the events before it, so that it survives changes to step
// numbers, which come with each change of the machine: what was received and what was done
// from outside stay, and so does most of what each of them brings about.
type Moment struct {
	Received int    // how many watch events and lists were received up to the step
	Commands int    // how many commands were carried out up to the step
	N        int    // the step is the N-th one of its Kind since the last of these, counted from 1; 0 before the first step
	Kind     string // who moved, and the first fact: "loop.Popped"
}

// maxKind is how long a Kind can be, in bytes.
const maxKind = 64

// maxBetween is how many steps are looked at for one Moment at most.
const maxBetween = 2_000_000

// String writes the [Moment] so that [ParseMoment] reads it: "47-1.3.run/2.HandlerCalled".
func (m Moment) String() string {
	s := strconv.Itoa(m.Received)
	if m.Commands > 0 {
		s += "-" + strconv.Itoa(m.Commands)
	}
	if m.N > 0 {
		s += "." + strconv.Itoa(m.N) + "." + m.Kind
	}
	return s
}

// ParseMoment reads what String has written. The text need not be trusted.
func ParseMoment(s string) (m Moment, ok bool) {
	number := func(s string) int {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n < 0 || s[0] == '+' {
			ok = false
		}
		return int(n)
	}
	ok = true
	counts, rest, more := strings.Cut(s, ".")
	received, commands, done := strings.Cut(counts, "-")
	m.Received = number(received)
	if done {
		m.Commands = number(commands)
	}
	if more {
		n, kind, _ := strings.Cut(rest, ".")
		m.N, m.Kind = number(n), kind
		ok = ok && m.N > 0 && isKind(kind)
	}
	if !ok {
		return Moment{}, false
	}
	return m, true
}

func isKind(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '/' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= maxKind
}

// stepKind is a Moment's Kind as numbers: who moved, which one of several, and the first fact.
type stepKind struct {
	actor actor.Kind
	index int16 // the listener or worker, -1 for a step from outside
	fact  event.Kind
}

// kindOf returns the kind of w's last step.
func kindOf(w *world.World) stepKind {
	k := stepKind{index: -1}
	if w.Last.Actor != actor.Nobody {
		role := w.Set.Role(w.Last.Actor)
		k.actor, k.index = role.Kind, role.Index
	}
	if len(w.Log.Events) > 0 {
		k.fact = w.Log.Events[0].Kind
	}
	return k
}

func (k stepKind) String() string {
	s := k.actor.String()
	switch {
	case k.index < 0:
		s = "nobody"
	case k.actor == actor.Pop || k.actor == actor.Run || k.actor == actor.Worker:
		s += "/" + strconv.Itoa(int(k.index))
	}
	if name := k.fact.String(); name != "" {
		s += "." + name
	}
	return s
}

// MomentAt returns the [Moment] of a step, which must be known. ok is false if too much lies between
// the step and what was last received or done before it.
func (h *History) MomentAt(step int64) (m Moment, ok bool) {
	step = min(max(step, 0), h.front.Steps())
	m.Received, m.Commands = h.samples.received.after(step), h.commandsUpTo(step)
	from, _ := h.bounds(m)
	if step == 0 || step-from > maxBetween {
		return m, step == 0
	}
	w := new(point)
	h.reach(w, step)
	kind := kindOf(w.World())
	m.Kind = kind.String()
	h.walk(from, func(w *world.World) bool {
		if kindOf(w) == kind {
			m.N++
		}
		return w.Steps() < step
	})
	return m, true
}

// FindMoment returns the step of a [Moment], or -1 if this run has no such step. It runs on as
// far as that is needed, but not for ever.
func (h *History) FindMoment(m Moment) int64 {
	for far := h.front.Steps() + maxBetween; h.samples.received.Len() < m.Received || h.commandsUpTo(h.front.Steps()) < m.Commands; {
		if h.front.Steps() >= far || h.Extend(1024) == 0 {
			return -1
		}
	}
	from, command := h.bounds(m)
	if m.N == 0 {
		return from
	}
	found, n := int64(-1), 0
	same := map[stepKind]bool{} // as Kind
	h.walk(from, func(w *world.World) bool {
		if r := &h.samples.received; w.Steps() >= command || r.Len() > m.Received && w.Steps() >= r.At(m.Received).Step {
			return false // what comes next was received or done
		}
		kind := kindOf(w)
		is, known := same[kind]
		if !known {
			is = kind.String() == m.Kind
			same[kind] = is
		}
		if is {
			n++
		}
		if n == m.N {
			found = w.Steps()
		}
		return found < 0 && w.Steps()-from < maxBetween
	})
	return found
}

// bounds returns the step at which the last of what m counts was received or done, 0 for nothing,
// and the step of the command after that.
func (h *History) bounds(m Moment) (from, command int64) {
	command = actor.Never
	if m.Received > 0 {
		from = h.samples.received.At(m.Received - 1).Step
	}
	n := 0
	for _, in := range h.inputs {
		if in.Command == nil {
			continue
		}
		if n++; n == m.Commands {
			from = max(from, in.Step)
		} else if n > m.Commands {
			return from, in.Step
		}
	}
	return from, command
}

func (h *History) commandsUpTo(step int64) (n int) {
	for _, in := range h.inputs {
		if in.Command != nil && in.Step <= step {
			n++
		}
	}
	return n
}

// walk calls yield with the world after the given step and after each later step, until
// yield returns false or the run ends. It leaves the History where it is.
func (h *History) walk(step int64, yield func(*world.World) bool) {
	step = max(step, 1)
	if step > h.front.Steps() && h.Extend(1) == 0 {
		return
	}
	w := new(point)
	for h.reach(w, step); yield(w.World()); {
		if w.Steps() >= h.front.Steps() && h.Extend(1024) == 0 || !h.advance(w) {
			return
		}
	}
}
