package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// Sample is the Choice of the page's own recording. It is a link.SecondCapture, too.
const Sample = "sample"

// Choice names what can stand beside the machine shown, as the choice on the page has it.
func Choice(s link.Second) string {
	switch s := s.(type) {
	case link.SecondProfile:
		return "profile:" + s.Profile
	case link.SecondLane:
		return "lane:" + strconv.Itoa(s.Lane)
	case link.SecondResync:
		return "resync"
	case link.SecondSetup:
		return "draft" // the setup that the viewer is editing
	case link.SecondApart:
		return "apart"
	case link.SecondCapture:
		return "capture"
	}
	return ""
}

// choice returns what a Choice names, or nil. After "apart", a colon and the handler whose
// informer is shown may follow.
func (m *Model) choice(text string) link.Second {
	name, of, _ := strings.Cut(text, ":")
	switch name {
	case "profile":
		return link.SecondProfile{Profile: of}
	case "lane":
		n, _ := strconv.Atoi(of)
		return link.SecondLane{Lane: n}
	case "resync":
		return link.SecondResync{}
	case "draft":
		return link.SecondSetup{Setup: cloneSetup(m.Draft)}
	case "apart":
		return link.SecondApart{Handler: of}
	}
	return nil
}

// canStand reports whether s can stand beside what is open.
func (m *Model) canStand(s link.Second) bool {
	switch s.(type) {
	case link.SecondProfile, link.SecondResync, link.SecondSetup:
		return !m.Opened.Script
	case link.SecondApart:
		return m.Handlers() > 1
	case link.SecondLane:
		return true
	}
	return false
}

// Resyncs reports whether the machine shown resyncs.
func (m *Model) Resyncs() bool { return m.Opened != nil && m.Opened.Setup.Resyncs() }

// compareWith shows what a Choice names beside the machine shown, or nothing.
func (m *Model) compareWith(choice string) []Cmd {
	if choice == Sample {
		return m.compareCapture(bundled)
	}
	return m.pair(m.choice(choice))
}

// pair shows s beside the machine shown, or nothing where that can't stand there.
func (m *Model) pair(s link.Second) []Cmd {
	if m.Opened == nil {
		return nil
	}
	if !m.canStand(s) {
		s = nil
	}
	m.With, m.Differ, m.Pane = s, -1, 0
	cmds := m.setPlaying(false)
	if s == nil {
		return append(cmds, m.move(link.Alone{})...)
	}
	return append(cmds, m.move(s)...)
}

// Standing is what stands beside the machine shown, nil for nothing.
func (m *Model) Standing() link.Second {
	if m.Beside == nil {
		return nil
	}
	return m.Beside.Second.Second
}

// Captures reports whether another capture can stand beside what is shown.
func (m *Model) Captures() bool { return m.Opened != nil && !m.Opened.Script && m.Live == nil }

// compareCapture shows another capture beside the one shown.
func (m *Model) compareCapture(s Source) []Cmd {
	if !m.Captures() {
		return nil
	}
	q := link.SecondCapture{URL: s.URL, Name: s.Name, Size: s.Size}
	m.second, m.With, m.Differ, m.Pane, m.Dialog = s, q, -1, 0, ""
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
		return m.pair(nil)
	}
	m.Tab, m.Sheet = Compare, true
	if l := m.Lanes; m.Opened.Script {
		for i := 0; l != nil && i < len(l.All); i++ {
			if id := l.All[i].ID; id != l.Shown {
				return m.pair(link.SecondLane{Lane: id})
			}
		}
		if m.Handlers() > 1 {
			return m.pair(link.SecondApart{})
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
	return m.pair(link.SecondProfile{Profile: other})
}

// besides takes in what is known of the second machine.
func (m *Model) besides(b *link.Beside) []Cmd {
	before := m.Window()
	if b.Second.Second == nil {
		m.Beside, m.With, m.Differ = nil, nil, -1
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
	m.Beside, m.With = b, b.Second.Second // which may come of a link
	if _, is := m.With.(link.SecondCapture); is {
		return append(m.fit(before), m.painted()...) // it is read once that was painted
	}
	return m.fit(before)
}

// besideHere is what an address has of the second machine, and the number of the choice of its
// files. Way leads to it, if it is another future.
func (m *Model) besideHere(way []link.Waypoint) (s link.Second, files int) {
	switch s := m.Standing().(type) {
	case link.SecondCapture:
		c := link.SecondCapture{URL: m.second.URL, Name: m.second.Name, Size: m.second.Size}
		if c.URL == "" && c.Name != "" {
			c.Name = tidyName(c.Name)
		}
		return c, m.second.Files
	case link.SecondLane:
		return link.SecondLane{Way: way}, 0
	default:
		return s, 0
	}
}

// standBeside shows the second machine that an address has. A future is made on the way.
func (m *Model) standBeside(s link.Second, files int) []Cmd {
	switch s := s.(type) {
	case link.SecondCapture:
		of := Source{URL: s.URL, Name: s.Name, Size: s.Size, Files: files}
		if of.URL == "" && of.Files == 0 { // only the viewer has it
			m.Expected, m.Dialog = &Expected{Name: of.Name, Size: of.Size, Second: true}, "expected"
			return nil
		}
		return m.compareCapture(of)
	case link.SecondSetup:
		m.Draft = cloneSetup(s.Setup)
	}
	return m.pair(s)
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
// one before. After the last one comes the first.
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
