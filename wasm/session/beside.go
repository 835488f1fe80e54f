package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// What can stand beside the machine shown, as the choice on the page names it. A
// profile's name or a lane's ID follows the first two.
const (
	WithProfile = "profile:"
	WithLane    = "lane:"
	WithResync  = "resync"  // the same with resyncs, or without them if it has some
	WithApart   = "apart"   // an informer for each handler; a colon and the handler whose informer is shown may follow
	WithCapture = "capture" // another capture, which was chosen
	WithSample  = "sample"  // the page's own recording
	WithDraft   = "draft"   // the setup that the viewer is editing
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
	if with == WithSample {
		return m.compareCapture(bundled)
	}
	var op link.Op = link.BesideNothing{}
	if of, is := strings.CutPrefix(with, WithApart); is && m.Handlers() > 1 {
		with = WithApart
		op = link.BesideApart{Shown: slices.IndexFunc(m.Frame.Processor.Listeners, func(l link.Listener) bool { return ":"+l.Name == of })}
	} else if id, is := strings.CutPrefix(with, WithLane); is {
		n, _ := strconv.Atoi(id)
		op = link.BesideLane{Lane: n}
	} else if s, ok := m.Second(with); ok {
		op = link.BesideSetup{Setup: s}
	} else {
		with = ""
	}
	m.With, m.Differ, m.Pane = with, -1, 0
	return append(m.setPlaying(false), m.move(op)...)
}

// Captures returns whether another capture can stand beside what is shown.
func (m *Model) Captures() bool { return m.Opened != nil && !m.Opened.Script && m.Live == nil }

// compareCapture shows another capture beside the one shown.
func (m *Model) compareCapture(s Source) []Cmd {
	if !m.Captures() {
		return nil
	}
	m.second, m.With, m.Differ, m.Pane, m.Dialog = s, WithCapture, -1, 0, ""
	q := link.BesideCapture{URL: s.URL, Name: s.Name}
	if q.Name == "" {
		q.Name = m.Words["ui.pasted"]
	}
	cmds := m.setPlaying(false)
	if s.URL == "" {
		cmds = append(cmds, Rechoose{s.Files})
	}
	return append(cmds, m.send(q, s.URL == "")...)
}

// Handlers is how many handlers the machine shown has.
func (m *Model) Handlers() int {
	if m.Frame == nil {
		return 0
	}
	return len(m.Frame.Processor.Listeners)
}

// compareOrNot shows a second machine, or ends that. The second one is the
// newest version of client-go, or the oldest if the newest is shown. Beside a
// script it is another lane, or an informer for each handler.
func (m *Model) compareOrNot() []Cmd {
	if m.Opened == nil {
		return nil
	}
	if m.Beside != nil {
		return m.compareWith("")
	}
	m.Tab, m.Sheet = Compare, true
	if l := m.Lanes; m.Opened.Script {
		for i := 0; l != nil && i < len(l.All); i++ {
			if id := l.All[i].ID; id != l.Shown {
				return m.compareWith(WithLane + strconv.Itoa(id))
			}
		}
		if m.Handlers() > 1 {
			return m.compareWith(WithApart)
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
	switch { // it may be a link that has asked for it
	case b.Capture != "":
		m.With = WithCapture
		return append(m.fit(before), m.painted()...) // the second capture is read once that was painted
	case b.Apart != nil:
		m.With = WithApart
	case b.Setup == nil:
		m.With = WithLane + strconv.Itoa(b.Lane)
	}
	return m.fit(before)
}

// besideHere is the address of the second machine, nil for none. Way leads to it, if it is
// another future.
func (m *Model) besideHere(way []link.Waypoint) *address.Address {
	b := m.Beside
	switch {
	case b == nil:
		return nil
	case b.Capture != "":
		a := &address.Address{With: address.WithCapture, Files: m.second.Files}
		m.second.name(a)
		return a
	case b.Apart != nil:
		return &address.Address{With: address.WithApart, Informer: b.Apart[b.Shown]}
	case b.Setup == nil:
		return &address.Address{With: address.WithFuture, Way: way}
	case m.With == WithResync:
		return &address.Address{With: address.WithResync}
	case m.With == WithDraft:
		s := cloneSetup(*b.Setup)
		s.Profile = ""
		return &address.Address{With: address.WithSetup, Profile: b.Setup.Profile, Setup: &s}
	}
	return &address.Address{With: address.WithProfile, Profile: b.Setup.Profile}
}

// standBeside shows the second machine that an address has. A future is made on the way.
func (m *Model) standBeside(a *address.Address) []Cmd {
	switch a.With {
	case address.WithCapture:
		s := sourceOf(a)
		if s.Files = a.Files; s.URL == "" && s.Files == 0 { // only the viewer has it
			m.Expected, m.Dialog = a, "expected"
			return nil
		}
		return m.compareCapture(s)
	case address.WithApart:
		return m.compareWith(WithApart + ":" + a.Informer)
	case address.WithResync:
		return m.compareWith(WithResync)
	case address.WithSetup:
		if a.Setup == nil {
			return nil
		}
		m.Draft = cloneSetup(*a.Setup)
		m.Draft.Profile = a.Profile
		return m.compareWith(WithDraft)
	case address.WithProfile:
		return m.compareWith(WithProfile + a.Profile)
	}
	return nil
}

// differ goes to difference n between the two machines.
func (m *Model) differ(n int) []Cmd {
	if m.Beside == nil || n < 0 || n >= len(m.Beside.Differs) {
		return nil
	}
	m.Differ = n
	cmds := append(m.setPlaying(false), m.leave()...)
	return append(cmds, m.move(link.SeekDiffer{Differ: n})...)
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
