package session

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// SecondMachine is a second machine beside the one shown.
type SecondMachine struct {
	Beside  *link.Beside      // how the two compare; nil while there is one machine
	Chosen  link.Second       // what the viewer has chosen to compare with, nil for nothing
	Pane    int               // which of the two is shown where there is room for one: 0 or 1
	Differ  int               // the difference that was gone to last, -1 for none
	Counted *link.Guards      // what each guard comes to, nil until that was asked
	source  navigation.Source // of its capture
}

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
	case link.SecondGuard:
		return "guard:" + s.Guard
	case link.SecondCapture:
		return "capture"
	}
	return ""
}

// choice returns what a Choice names, or nil. After "apart", a colon and the handler whose
// informer is shown may follow.
func (s *SecondMachine) choice(m *Model, text string) link.Second {
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
		return link.SecondSetup{Setup: cloneSetup(m.Draft.Setup)}
	case "apart":
		return link.SecondApart{Handler: of}
	case "guard":
		return link.SecondGuard{Guard: of}
	}
	return nil
}

// can reports whether x can stand beside what is open.
func (s *SecondMachine) can(m *Model, x link.Second) bool {
	switch x := x.(type) {
	case link.SecondResync, link.SecondSetup:
		return !m.Open.Trace.Script
	case link.SecondApart:
		return s.Handlers(m) > 1
	case link.SecondGuard:
		return s.Guard(m) != "" && s.Guard(m) != x.Guard
	case link.SecondLane, link.SecondProfile:
		return true
	}
	return false
}

// Resyncs reports whether the machine shown resyncs.
func (s *SecondMachine) Resyncs(m *Model) bool {
	return m.Open.Trace != nil && m.Open.Trace.Setup.Resyncs()
}

// choose shows what a Choice names beside the machine shown, or nothing.
func (s *SecondMachine) choose(m *Model, choice string) []Cmd {
	if choice == Sample {
		return s.capture(m, navigation.Bundled)
	}
	return s.pair(m, s.choice(m, choice))
}

// pair shows x beside the machine shown, or nothing where that can't stand there.
func (s *SecondMachine) pair(m *Model, x link.Second) []Cmd {
	if m.Open.Trace == nil {
		return nil
	}
	if !s.can(m, x) {
		x = nil
	}
	s.Chosen, s.Differ, s.Pane = x, -1, 0
	cmds := m.Transport.set(m, false)
	if x == nil {
		return append(cmds, m.move(link.Alone{})...)
	}
	return append(cmds, m.move(x)...)
}

// Releases are the two releases that the dialog of changes compares at first, as in the address of changes.html.
// They are the first release that the machine shown stands for, and the last one of the machine beside it, or
// the newest if there is none. Releases is "" if that makes no pair.
func (s *SecondMachine) Releases(m *Model) string {
	o := m.Open.Trace
	if o == nil || o.Setup.Profile == "" || len(o.Profiles) == 0 {
		return ""
	}
	other := o.Profiles[len(o.Profiles)-1].Name
	if x, is := s.Standing().(link.SecondProfile); is {
		other = x.Profile
	}
	if other == o.Setup.Profile {
		return ""
	}
	first, _, _ := strings.Cut(cmp.Or(o.Versions(o.Setup.Profile), o.Setup.Profile), "–")
	last := cmp.Or(o.Versions(other), other)
	return first + "-" + strings.TrimPrefix(last[max(strings.LastIndex(last, "–"), 0):], "–")
}

// Standing is what stands beside the machine shown, nil for nothing.
func (s *SecondMachine) Standing() link.Second {
	if s.Beside == nil {
		return nil
	}
	return s.Beside.Second.Second
}

// Captures reports whether another capture can stand beside what is shown.
func (s *SecondMachine) Captures(m *Model) bool {
	return m.Open.Trace != nil && !m.Open.Trace.Script && m.Cluster.Live == nil
}

// capture shows another capture beside the one shown.
func (s *SecondMachine) capture(m *Model, of navigation.Source) []Cmd {
	if !s.Captures(m) {
		return nil
	}
	q := link.SecondCapture{URL: of.URL, Name: of.Name, Size: of.Size}
	s.source, s.Chosen, s.Differ, s.Pane = of, q, -1, 0
	m.Front.ask("")
	if q.Name == "" {
		q.Name = m.Settings.Words["ui.pasted"]
	}
	cmds := m.Transport.set(m, false)
	if of.URL == "" {
		cmds = append(cmds, navigation.Rechoose{N: of.Files})
	}
	return append(cmds, m.send(q, of.URL == "")...)
}

// Handlers is how many handlers the machine shown has.
func (s *SecondMachine) Handlers(m *Model) int {
	if m.Stage.Frame == nil {
		return 0
	}
	return len(m.Stage.Frame.Processor.Listeners)
}

// Guard is the guard of the controller that is shown, "" where there is none.
func (s *SecondMachine) Guard(m *Model) string {
	if m.Stage.Frame == nil || m.Stage.Frame.Work.Controller == nil {
		return ""
	}
	return m.Stage.Frame.Work.Controller.Guard
}

// count asks what the run shown comes to with each guard.
func (s *SecondMachine) count(m *Model) []Cmd {
	if s.Guard(m) == "" {
		return nil
	}
	mediator{m}.CloseMenu()
	m.Front.ask("guards")
	s.Counted = nil
	return m.send(link.CountGuards{}, false)
}

// counts takes in what was counted so far.
func (s *SecondMachine) counts(g *link.Guards) { s.Counted = g }

// toggle shows a second machine, or ends that. The second one is the
// newest version of client-go, or the oldest if the newest is shown. Beside a
// script it is rather another lane, the controller without its guard or with one, or an informer
// for each handler.
func (s *SecondMachine) toggle(m *Model) []Cmd {
	if m.Open.Trace == nil {
		return nil
	}
	if s.Beside != nil {
		return s.pair(m, nil)
	}
	m.Front.show(desk.Compare)
	if l := m.Hands.Lanes; m.Open.Trace.Script {
		for i := 0; l != nil && i < len(l.All); i++ {
			if id := l.All[i].ID; id != l.Shown {
				return s.pair(m, link.SecondLane{Lane: id})
			}
		}
		switch s.Guard(m) {
		case "":
		case guard.None.String():
			return s.pair(m, link.SecondGuard{Guard: guard.Expectations.String()})
		default:
			return s.pair(m, link.SecondGuard{Guard: guard.None.String()})
		}
		if s.Handlers(m) > 1 {
			return s.pair(m, link.SecondApart{})
		}
	}
	if len(m.Open.Trace.Profiles) == 0 {
		return nil
	}
	other := m.Open.Trace.Profiles[len(m.Open.Trace.Profiles)-1].Name
	if m.Open.Trace.Setup.Profile == other {
		other = m.Open.Trace.Profiles[0].Name
	}
	return s.pair(m, link.SecondProfile{Profile: other})
}

// told takes in what is known of the second machine.
func (s *SecondMachine) told(m *Model, b *link.Beside) []Cmd {
	before := m.Window()
	if b.Second.Second == nil {
		s.Beside, s.Chosen, s.Differ = nil, nil, -1
		m.Stage.alone()
		return m.fit(before)
	}
	if s.Differ >= len(b.Differs) {
		s.Differ = -1
	}
	s.Beside, s.Chosen = b, b.Second.Second // which may come of a link
	if _, is := s.Chosen.(link.SecondCapture); is {
		return append(m.fit(before), m.painted()...) // it is read once that was painted
	}
	return m.fit(before)
}

// here is what an address has of the second machine, and the number of the choice of its
// files. Way leads to it, if it is another future.
func (s *SecondMachine) here(way []link.Waypoint) (x link.Second, files int) {
	switch x := s.Standing().(type) {
	case link.SecondCapture:
		c := link.SecondCapture{URL: s.source.URL, Name: s.source.Name, Size: s.source.Size}
		if c.URL == "" && c.Name != "" {
			c.Name = navigation.TidyName(c.Name)
		}
		return c, s.source.Files
	case link.SecondLane:
		return link.SecondLane{Way: way}, 0
	default:
		return x, 0
	}
}

// stand shows the second machine that an address has. A future is made on the way.
func (s *SecondMachine) stand(m *Model, x link.Second, files int) []Cmd {
	switch x := x.(type) {
	case link.SecondCapture:
		of := navigation.Source{URL: x.URL, Name: x.Name, Size: x.Size, Files: files}
		if of.URL == "" && of.Files == 0 { // only the viewer has it
			m.Nav.Expect(&navigation.Expected{Name: of.Name, Size: of.Size, Second: true})
			return nil
		}
		return s.capture(m, of)
	case link.SecondSetup:
		m.Draft.take(x.Setup)
	}
	return s.pair(m, x)
}

// goTo goes to difference n between the two machines.
func (s *SecondMachine) goTo(m *Model, n int) []Cmd {
	if s.Beside == nil || n < 0 || n >= len(s.Beside.Differs) {
		return nil
	}
	s.Differ = n
	cmds := append(m.Transport.set(m, false), m.Nav.Leave(navigation.OnJump)...)
	return append(cmds, m.move(link.SeekDiffer{Differ: n})...)
}

// next goes to the next difference from the moment shown, or with by -1 to the
// one before. After the last one comes the first.
func (s *SecondMachine) next(m *Model, by int) []Cmd {
	if s.Beside == nil || m.Stage.Frame == nil || len(s.Beside.Differs) == 0 {
		return nil
	}
	all := s.Beside.Differs
	n := s.Differ + by
	if s.AtDiffer(m) == nil {
		for n = 0; n < len(all) && all[n].Time <= m.Stage.Frame.Time; {
			n++
		}
		if by < 0 {
			n--
		}
	}
	return s.goTo(m, (n+len(all))%len(all))
}

// AtDiffer is the difference between the two machines that is shown, or nil.
func (s *SecondMachine) AtDiffer(m *Model) *link.Differ {
	f := m.Stage.Frame
	if s.Beside == nil || f == nil || f.Second == nil || s.Differ < 0 || s.Differ >= len(s.Beside.Differs) {
		return nil
	}
	d := &s.Beside.Differs[s.Differ]
	if len(d.First) > 0 && d.First[0].Step != f.Step || len(d.Second) > 0 && d.Second[0].Step != f.Second.Step {
		return nil
	}
	return d
}

// showPane shows one of the two machines where there is room for one.
func (s *SecondMachine) showPane(n string) { s.Pane, _ = strconv.Atoi(n) }

// anew is what stays of s when something else is opened.
func (s SecondMachine) anew() SecondMachine {
	return SecondMachine{Pane: s.Pane, source: s.source, Differ: -1}
}
