package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// What can stand beside the machine shown, as the choice on the page names it. A
// profile's name or a lane's ID follows the first two.
const (
	WithProfile = "profile:"
	WithLane    = "lane:"
	WithResync  = "resync" // the same with resyncs, or without them if it has some
	WithDraft   = "draft"  // the setup that the viewer is editing
)

// plainResync is the resync period of the second machine if the first one has none, in
// nanoseconds.
const plainResync = 30_000_000_000

// Second returns the second machine's setup for a choice; false for a lane, and for what
// can't be chosen.
func (m *Model) Second(with string) (s link.Setup, ok bool) {
	if m.Opened == nil || m.Opened.Script {
		return s, false
	}
	s = cloneSetup(m.Opened.Setup)
	if name, is := strings.CutPrefix(with, WithProfile); is {
		s.Profile = name
		return s, true
	}
	switch with {
	case WithResync:
		if m.Resyncs() {
			s.Resync = 0
			for i := range s.Handlers {
				s.Handlers[i].Resync = 0
			}
		} else {
			s.Resync = plainResync
			for i := range s.Handlers {
				s.Handlers[i].Resync = plainResync
			}
		}
		return s, true
	case WithDraft:
		return cloneSetup(m.Draft), true
	}
	return s, false
}

// Resyncs returns whether the machine shown resyncs.
func (m *Model) Resyncs() bool {
	if m.Opened == nil {
		return false
	}
	for _, h := range m.Opened.Setup.Handlers {
		if h.Resync > 0 {
			return true
		}
	}
	return m.Opened.Setup.Resync > 0
}

// compareWith shows a second machine beside the one shown, or none if with is "".
func (m *Model) compareWith(with string) []Cmd {
	if m.Opened == nil {
		return nil
	}
	q := link.Request{Op: link.OpBeside}
	if id, is := strings.CutPrefix(with, WithLane); is {
		q.Lane = link.ShowLane
		q.N, _ = strconv.ParseInt(id, 10, 64)
	} else if s, ok := m.Second(with); ok {
		q.Setup = &s
	} else {
		with = ""
	}
	m.With, m.Differ, m.Pane = with, -1, 0
	return append(m.setPlaying(false), m.move(q)...)
}

// compareOrNot shows a second machine, or one again. The second one is the newest
// version of client-go, or the oldest if that is shown; of a script it is another lane.
func (m *Model) compareOrNot() []Cmd {
	if m.Opened == nil {
		return nil
	}
	if m.Beside != nil {
		return m.compareWith("")
	}
	m.Tab, m.Sheet = Compare, true
	if l := m.Lanes; m.Opened.Script {
		if l == nil {
			return nil
		}
		for _, x := range l.All {
			if x.ID != l.Shown {
				return m.compareWith(WithLane + strconv.Itoa(x.ID))
			}
		}
		return nil
	}
	if len(m.Opened.Profiles) == 0 {
		return nil
	}
	other := m.Opened.Profiles[len(m.Opened.Profiles)-1].Name
	if m.Opened.Setup.Profile == other {
		other = m.Opened.Profiles[0].Name
	}
	return m.compareWith(WithProfile + other)
}

// besides takes in what is known of the second machine.
func (m *Model) besides(b *link.Beside) []Cmd {
	before := m.Window()
	if !b.On {
		m.Beside, m.With, m.Differ = nil, "", -1
		if f := m.Frame; f != nil && f.Second != nil {
			one := *f
			one.Second = nil
			m.Frame, m.Lists = &one, &one
		}
		return m.fit(before)
	}
	if m.Differ >= len(b.Differs) {
		m.Differ = -1
	}
	m.Beside = b
	return m.fit(before)
}

// differ goes to difference n between the two machines.
func (m *Model) differ(n int) []Cmd {
	if m.Beside == nil || n < 0 || n >= len(m.Beside.Differs) {
		return nil
	}
	m.Differ = n
	cmds := append(m.setPlaying(false), m.leave()...)
	return append(cmds, m.move(link.Request{Op: link.OpDiffer, N: int64(n)})...)
}

// nextDiffer goes to the next difference from the moment shown, or with by -1 to the
// one before. Behind the last one comes the first.
func (m *Model) nextDiffer(by int) []Cmd {
	if m.Beside == nil || m.Frame == nil || len(m.Beside.Differs) == 0 {
		return nil
	}
	all := m.Beside.Differs
	n := m.Differ + by
	if m.AtDiffer() == nil {
		for n = 0; n < len(all) && all[n].Time <= m.Frame.Time; {
			n++
		}
		if by < 0 {
			n--
		}
	}
	return m.differ((n + len(all)) % len(all))
}

// AtDiffer is the difference between the two machines that is shown, or nil.
func (m *Model) AtDiffer() *link.Differ {
	f := m.Frame
	if m.Beside == nil || f == nil || f.Second == nil || m.Differ < 0 || m.Differ >= len(m.Beside.Differs) {
		return nil
	}
	d := &m.Beside.Differs[m.Differ]
	if len(d.First) > 0 && d.First[0].Step != f.Step || len(d.Second) > 0 && d.Second[0].Step != f.Second.Step {
		return nil
	}
	return d
}
