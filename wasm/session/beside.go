package session

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// SecondMachine is a second machine beside the one shown.
type SecondMachine struct {
	desk  secondDesk
	nav   *navigation.Model
	open  *navigation.Document
	stage *Stage
	draft *Draft

	Comparison *link.SecondMachine // how the two compare; nil while there is one machine
	Chosen     link.Second         // what the viewer has chosen to compare with, nil for nothing
	Pane       int                 // which of the two is shown where there is room for one: 0 or 1
	Differ     int                 // the difference that was gone to last, -1 for none
	Counted    *link.Guards        // what each guard comes to, nil until that was asked
	source     navigation.Source   // of its capture
}

// secondDesk is what the second machine knows of the rest of the model, and does to it.
type secondDesk interface {
	desk.Desk

	// SendFiles asks the worker for something, and with files also sends the files that were chosen last.
	SendFiles(op link.Op, files bool) []Cmd
	// EditSetup has the setup of a link edited.
	EditSetup(link.Setup)
	// KindOf returns the kind that the viewer has named for a source, "" for none.
	KindOf(*navigation.Source) string
	// Word returns an entry of the catalogue.
	Word(id string) string
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

// parseChoice returns what a Choice names, or nil. After "apart", a colon and the handler whose
// informer is shown may follow.
func (s *SecondMachine) parseChoice(text string) link.Second {
	name, value, _ := strings.Cut(text, ":")
	switch name {
	case "profile":
		return link.SecondProfile{Profile: value}
	case "lane":
		n, _ := strconv.Atoi(value)
		return link.SecondLane{Lane: n}
	case "resync":
		return link.SecondResync{}
	case "draft":
		return link.SecondSetup{Setup: cloneSetup(s.draft.Setup)}
	case "apart":
		return link.SecondApart{Handler: value}
	case "guard":
		return link.SecondGuard{Guard: value}
	}
	return nil
}

func (s *SecondMachine) canStand(x link.Second) bool {
	switch x := x.(type) {
	case link.SecondResync, link.SecondSetup:
		return !s.open.Trace.Script
	case link.SecondApart:
		return s.Handlers() > 1
	case link.SecondGuard:
		return s.Guard() != "" && s.Guard() != x.Guard
	case link.SecondLane, link.SecondProfile:
		return true
	}
	return false
}

// Resyncs reports whether the machine shown resyncs.
func (s *SecondMachine) Resyncs() bool {
	return s.open.Trace != nil && s.open.Trace.Setup.Resyncs()
}

// choose shows what a Choice names beside the machine shown, or nothing.
func (s *SecondMachine) choose(choice string) []Cmd {
	if choice == Sample {
		return s.capture(navigation.Bundled)
	}
	return s.pair(s.parseChoice(choice))
}

// pair shows x beside the machine shown, or nothing where that can't stand there.
func (s *SecondMachine) pair(x link.Second) []Cmd {
	if s.open.Trace == nil {
		return nil
	}
	if !s.canStand(x) {
		x = nil
	}
	s.Chosen, s.Differ, s.Pane = x, -1, 0
	cmds := s.desk.Pause()
	if x == nil {
		return append(cmds, s.desk.Move(link.HideSecond{})...)
	}
	return append(cmds, s.desk.Move(x)...)
}

// Releases returns the two releases that the dialog of changes compares at first, as in the address of changes.html.
// They are the first release that the machine shown stands for, and the last one of the machine beside it, or
// the newest if there is none. Releases is "" if that makes no pair.
func (s *SecondMachine) Releases() string {
	o := s.open.Trace
	if o == nil || o.Setup.Profile == "" || len(o.Profiles) == 0 {
		return ""
	}
	other := world.Current.Name
	if x, is := s.Standing().(link.SecondProfile); is {
		other = x.Profile
	}
	if other == o.Setup.Profile {
		return ""
	}
	first, _, _ := strings.Cut(cmp.Or(o.Versions(o.Setup.Profile), o.Setup.Profile), "–")
	_, last, ranged := strings.Cut(cmp.Or(o.Versions(other), other), "–")
	if !ranged {
		last = cmp.Or(o.Versions(other), other)
	}
	return minorOfBeta(first) + "-" + minorOfBeta(last)
}

// minorOfBeta returns the minor version of the pre-release, which is how that page calls it, and any other version as it is.
func minorOfBeta(version string) string {
	if p, _ := world.ProfileFor(version); p.Name == world.Beta.Name {
		version, _, _ = strings.Cut(world.Beta.Versions, " ")
	}
	return version
}

// Standing returns what stands beside the machine shown, nil for nothing.
func (s *SecondMachine) Standing() link.Second {
	if s.Comparison == nil {
		return nil
	}
	return s.Comparison.Second.Second
}

// Captures reports whether another capture can stand beside what is shown.
func (s *SecondMachine) Captures() bool {
	return s.open.Trace != nil && !s.open.Trace.Script && !s.desk.Surroundings().Live
}

// capture shows another capture beside the one shown.
func (s *SecondMachine) capture(source navigation.Source) []Cmd {
	if !s.Captures() {
		return nil
	}
	q := link.SecondCapture{URL: source.URL, Name: source.Name, Size: source.Size, Kind: s.desk.KindOf(&source)}
	s.source, s.Chosen, s.Differ, s.Pane = source, q, -1, 0
	s.desk.SetDialog("")
	if q.Name == "" {
		q.Name = s.desk.Word("ui.pasted")
	}
	cmds := s.desk.Pause()
	if source.URL == "" {
		cmds = append(cmds, navigation.Rechoose{N: source.Files})
	}
	return append(cmds, s.desk.SendFiles(q, source.URL == "")...)
}

// Handlers returns how many handlers the machine shown has.
func (s *SecondMachine) Handlers() int {
	if s.stage.Frame == nil {
		return 0
	}
	return len(s.stage.Frame.Processor.Listeners)
}

// Guard returns the guard of the controller that is shown, "" where there is none.
func (s *SecondMachine) Guard() string {
	if s.stage.Frame == nil || s.stage.Frame.Work.Controller == nil {
		return ""
	}
	return s.stage.Frame.Work.Controller.Guard
}

// count asks what the run shown comes to with each guard.
func (s *SecondMachine) count() []Cmd {
	if s.Guard() == "" {
		return nil
	}
	s.desk.CloseMenu()
	s.desk.SetDialog("guards")
	s.Counted = nil
	return s.desk.Send(link.CountGuards{})
}

// toggle shows a second machine, or ends that. The second one is the
// newest version of client-go, or the oldest if the newest is shown. Beside a
// script it is rather another lane, the controller without its guard or with one, or an informer
// for each handler.
func (s *SecondMachine) toggle() []Cmd {
	if s.Comparison != nil {
		return s.pair(nil)
	}
	s.desk.Show(desk.Compare)
	if l := s.desk.Surroundings().Lanes; s.open.Trace.Script {
		for i := 0; l != nil && i < len(l.List); i++ {
			if id := l.List[i].ID; id != l.Shown {
				return s.pair(link.SecondLane{Lane: id})
			}
		}
		switch s.Guard() {
		case "":
		case guard.None.String():
			return s.pair(link.SecondGuard{Guard: guard.Expectations.String()})
		default:
			return s.pair(link.SecondGuard{Guard: guard.None.String()})
		}
		if s.Handlers() > 1 {
			return s.pair(link.SecondApart{})
		}
	}
	if len(s.open.Trace.Profiles) == 0 {
		return nil
	}
	other := world.Current.Name
	if s.open.Trace.Setup.Profile == other {
		other = s.open.Trace.Profiles[0].Name
	}
	return s.pair(link.SecondProfile{Profile: other})
}

func (s *SecondMachine) compared(b *link.SecondMachine) {
	if b.Second.Second == nil {
		s.Comparison, s.Chosen, s.Differ = nil, nil, -1
		return
	}
	if s.Differ >= len(b.Differs) {
		s.Differ = -1
	}
	s.Comparison, s.Chosen = b, b.Second.Second // which may come of a link
}

// address returns what an address has of the second machine, and the number of the choice of its
// files. Way leads to it, if it is another future.
func (s *SecondMachine) address(way []link.PathStep) (x link.Second, files int) {
	switch x := s.Standing().(type) {
	case link.SecondCapture:
		c := link.SecondCapture{URL: s.source.URL, Name: s.source.Name, Size: s.source.Size}
		if c.URL == "" && c.Name != "" {
			c.Name = navigation.TidyName(c.Name)
		}
		return c, s.source.Files
	case link.SecondLane:
		return link.SecondLane{Path: way}, 0
	default:
		return x, 0
	}
}

// openSecond shows the second machine that an address has. A future is made on the way.
func (s *SecondMachine) openSecond(x link.Second, files int) []Cmd {
	switch x := x.(type) {
	case link.SecondCapture:
		source := navigation.Source{URL: x.URL, Name: x.Name, Size: x.Size, Files: files}
		if source.URL == "" && source.Files == 0 { // only the viewer has it
			s.nav.Expect(&navigation.Expected{Name: source.Name, Size: source.Size, Second: true})
			return nil
		}
		return s.capture(source)
	case link.SecondSetup:
		s.desk.EditSetup(x.Setup)
	}
	return s.pair(x)
}

// showDifference goes to difference n between the two machines.
func (s *SecondMachine) showDifference(n int) []Cmd {
	if s.Comparison == nil || n < 0 || n >= len(s.Comparison.Differs) {
		return nil
	}
	s.Differ = n
	cmds := append(s.desk.Pause(), s.nav.Leave(navigation.OnJump)...)
	return append(cmds, s.desk.Move(link.SeekDiffer{Differ: n})...)
}

// next goes to the next difference from the moment shown, or with by -1 to the
// one before. After the last one comes the first.
func (s *SecondMachine) next(by int) []Cmd {
	if s.Comparison == nil || s.stage.Frame == nil || len(s.Comparison.Differs) == 0 {
		return nil
	}
	all := s.Comparison.Differs
	n := s.Differ + by
	if s.AtDiffer() == nil {
		for n = 0; n < len(all) && all[n].Time <= s.stage.Frame.Time; {
			n++
		}
		if by < 0 {
			n--
		}
	}
	return s.showDifference((n + len(all)) % len(all))
}

// AtDiffer returns the difference between the two machines that is shown, or nil.
func (s *SecondMachine) AtDiffer() *link.Differ {
	f := s.stage.Frame
	if s.Comparison == nil || f == nil || f.Second == nil || s.Differ < 0 || s.Differ >= len(s.Comparison.Differs) {
		return nil
	}
	d := &s.Comparison.Differs[s.Differ]
	if len(d.First) > 0 && d.First[0].Step != f.Step || len(d.Second) > 0 && d.Second[0].Step != f.Second.Step {
		return nil
	}
	return d
}

func (s *SecondMachine) reset() { s.Comparison, s.Chosen, s.Counted, s.Differ = nil, nil, nil, -1 }
