package session

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Stay returns what would bring the viewer back to what is shown, or nil where nothing
// can. A cluster that is followed can't be brought back, because its events are over. A
// lesson of the course is in the page's address, so it is what was open before that.
func (n *Navigation) Stay(m *Model) *address.Address {
	if m.Open.Source.lesson() != "" {
		return n.left
	}
	switch n.journey {
	case navigation.Bound, navigation.Travelling: // reloaded again before the viewer was there
		return n.back
	case navigation.Arrived:
	default:
		return nil
	}
	if m.Stage.Frame == nil || m.Cluster.Live != nil || m.Open.Died != "" {
		return nil
	}
	a := n.here(m)
	if l := m.Lesson.Learning; l != nil {
		a.At, a.Chosen = l.Moment(), l.Chosen()
		if m.Lesson.Writing != nil && a.Source.Script != "" {
			a.Draft = m.Lesson.Writing.Text
		}
	}
	setup := cloneSetup(m.Open.Trace.Setup)
	setup.Profile, setup.Listed = "", false
	a.Setup = &setup
	if m.Hands.Lanes != nil {
		a.Way = append(a.Way, m.Hands.Lanes.Way...)
	}
	a.Way = append(a.Way, link.Waypoint{Step: m.Stage.Frame.Step})
	if m.Second.Beside != nil {
		lane, _ := m.Second.Beside.Second.Second.(link.SecondLane)
		a.Beside, a.Files = m.Second.here(lane.Way)
	}
	return &a
}

// here is the address of the open document and of the part that is shown, without the steps that led there.
func (n *Navigation) here(m *Model) address.Address {
	a := address.Address{Follow: m.Find.Follow}
	if len(m.Expr.Asked) <= address.MaxName {
		a.Search = m.Expr.Asked
	}
	for _, b := range m.Expr.Breaks {
		if !b.Off && len(b.Text) <= address.MaxName && len(a.Asks) < address.MaxAsks {
			a.Asks = append(a.Asks, b.Text)
		}
	}
	if m.Transport.Unit != link.Micro {
		a.Unit = string(m.Transport.Unit)
	}
	if m.Stage.Axis != link.ByStep {
		a.Axis = string(m.Stage.Axis)
	}
	if a.Source.Lesson = m.Open.Source.lesson(); a.Source.Lesson == "" {
		m.Open.Source.name(&a.Source)
	}
	if o := m.Open.Trace; o != nil {
		a.Profile, a.Listed = o.Setup.Profile, o.Setup.Listed && !o.Script
		if o.Informer < len(o.Informers) && len(o.Informers) > 1 {
			a.Informer = o.Informers[o.Informer].Name
		}
	}
	a.Page.Density = m.Density.link
	if m.Front.Tab == desk.Object && m.Front.Object != nil && !m.Front.Object.Other {
		a.Object = address.Version{Key: m.Front.Object.Key, RV: m.Front.Object.RV}
	}
	if m.Front.Tab != desk.Explain && m.Front.Tab != desk.Lesson && m.Front.Tab != desk.Object {
		a.Tab = string(m.Front.Tab)
	}
	return a
}

// name has an address say that it is about s, which is no lesson.
func (s *Source) name(a *address.Source) {
	folder, file, _ := strings.Cut(s.URL, "/")
	switch {
	case s.Text != "":
		a.Script = s.Text
	case folder == "scripts":
		a.Library = strings.TrimSuffix(file, ".txt")
	case folder == "traces":
		a.Trace = strings.TrimSuffix(file, address.TraceExt)
	case folder == "..":
		a.URL = file
	case s.Name == "":
		a.Pasted, a.Size = true, s.Size
	default:
		a.File, a.Size = tidyName(s.Name), s.Size
	}
}

// sourceOf is what an address is about, if that is no lesson.
func sourceOf(a *address.Source) (s Source) {
	switch {
	case a.Script != "":
		s.Text, s.Name = a.Script, "script.txt"
		if lesson.Looks(a.Script) {
			s.Name = "lesson.md"
		}
	case a.Library != "":
		s.URL, s.Name = "scripts/"+a.Library+".txt", a.Library+".txt"
	case a.Trace != "":
		s.URL, s.Name = address.TraceURL(a.Trace), a.Trace+address.TraceExt
	case a.URL != "":
		s.URL, s.Name = address.FileURL(a.URL), a.URL[strings.LastIndexByte(a.URL, '/')+1:]
	default:
		s.Name, s.Size = a.File, a.Size
	}
	return s
}

// StayFiles are the numbers of the choices of files that Stay needs: for what is shown, and for
// the capture beside it. It is -1 for none.
func (n *Navigation) StayFiles(m *Model) (first, second int) {
	first, second = -1, -1
	s := n.Stay(m)
	if s != nil && s.Source.IsFile() {
		if first = m.Open.Source.Files; m.Open.Source.lesson() != "" {
			first = n.leftFiles
		}
	}
	if s != nil && s.NeedsFile() {
		second = s.Files
	}
	return first, second
}

// tidyName is the name of a file as an address can have it.
func tidyName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	for len(name) > 300 {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	if strings.TrimSpace(name) == "" {
		return "-"
	}
	return name
}

// start opens what was open before the page was reloaded, or else what the address names, or
// else the bundled trace. A lesson is opened by its address even after a reload.
func (n *Navigation) start(m *Model, b *Began) []Cmd {
	a, err := address.Read(n.History.address)
	s := b.Stay
	if n.offer != nil {
		return n.travel(m, navigation.OnOffered, &occasion{offer: n.offer})
	}
	if s != nil && (a.Source.Lesson == "" || err != nil) {
		cmds := n.resume(m, b)
		if err != nil {
			return append(cmds, n.misled(m, err, a)...)
		}
		if n.journey == navigation.Bound {
			m.Open.keepLink(n.History.address)
		}
		return cmds
	}
	cmds := n.followLink(m, n.History.address, n.History.number())
	if s != nil && (!s.Source.IsFile() || b.Files) {
		n.left = s
	}
	return cmds
}

// resume opens what was open before the page was reloaded, or else the bundled trace.
func (n *Navigation) resume(m *Model, b *Began) []Cmd {
	s := b.Stay
	if s == nil {
		return m.open(bundled)
	}
	if s.Source.IsFile() && !b.Files {
		cmds := m.open(bundled)
		m.Open.fail(failure("fail.reloaded", "name", s.Source.File))
		return cmds
	}
	return n.openAt(m, *s, "", b.files)
}

// openAt opens a and then travels to its position. The page's address keeps fragment, "" for the
// usual one. files is the serial number of the file choice, or 0 if a is not a local file.
func (n *Navigation) openAt(m *Model, a address.Address, fragment string, files int) []Cmd {
	if slices.Contains(link.Units, link.Unit(a.Unit)) {
		m.Transport.measure(link.Unit(a.Unit))
	}
	if slices.Contains(link.Axes, link.Axis(a.Axis)) {
		m.Stage.lay(link.Axis(a.Axis))
	}
	if a.Source.Lesson != "" {
		cmds := m.Lesson.Open(a.Page.Path, a.Source.Lesson, momentOf(a.At), a.Chosen)
		n.comeTo(m, &a)
		return cmds
	}
	s := sourceOf(&a.Source)
	s.Link = fragment
	var cmds []Cmd
	if s.URL == "" && s.Text == "" {
		s.Files = files
		cmds = append(cmds, Rechoose{N: files})
	}
	s.Chosen = strings.Join(a.Chosen, "\n")
	cmds = append(cmds, m.open(s)...)
	n.comeTo(m, &a)
	m.Lesson.Want(momentOf(a.At))
	return cmds
}

// blank is a lesson beside which a text is edited that is none yet.
const blank = "---\nminutes: 5\n---\n\n# Lesson\n\nText.\n\n```script\nprofile current\ninformer pods\nrun\n```\n\nText.\n"

// mend opens the editor with the text of a lesson that could not be opened, and says why it could not.
func (n *Navigation) mend(m *Model, why link.Failure) []Cmd {
	cmds := n.openAt(m, address.Address{Source: address.Source{Script: blank}, Draft: why.Draft}, "", 0)
	why.Draft = ""
	n.otherwise = &why
	return cmds
}

// comeTo leads the viewer to where an address says, as soon as that is open.
func (n *Navigation) comeTo(m *Model, a *address.Address) []Cmd {
	m.Density.follow(a)
	return n.travel(m, navigation.OnBound, &occasion{to: a})
}

// lead takes the next step towards where the viewer was, or where a link leads: the
// setup, the informer and at last the way. It does nothing until the step before that
// is done.
func (n *Navigation) lead(m *Model) []Cmd {
	s := n.back
	if m.Open.Loading || m.ask.moving != 0 {
		return nil
	}
	if taught := s.Source.Lesson != "" || lesson.Looks(s.Source.Script) || s.Source.File != "" && s.At != ""; taught &&
		(m.Lesson.Learning == nil || s.Source.Lesson != "" && m.Lesson.Learning.Name != s.Source.Lesson || m.Lesson.Learning.Stop != m.Lesson.Learning.StopOf(momentOf(s.At))) {
		return nil
	}
	n.otherwise = cmp.Or(n.otherwise, m.unknown(s))
	rest := *s
	n.back = &rest
	if s.Setup != nil || s.Profile != "" || len(s.Way) > 0 {
		setup := cloneSetup(m.Open.Trace.Setup)
		if s.Setup != nil {
			setup = cloneSetup(*s.Setup)
			setup.Profile, setup.Listed = m.Open.Trace.Setup.Profile, m.Open.Trace.Setup.Listed
		}
		if s.Profile != "" {
			setup.Profile = s.Profile
		}
		if len(s.Way) > 0 && (streams(setup.Profile) || s.Beside != nil) { // a moment of the run that was shown then
			setup.Listed = s.Listed
		}
		rest.Setup, rest.Profile = nil, ""
		if !m.Open.Trace.Script && !sameSetup(setup, m.Open.Trace.Setup) {
			m.Draft.take(setup)
			return m.Draft.apply(m)
		}
	}
	if s.Informer != "" {
		rest.Informer = ""
		i := slices.IndexFunc(m.Open.Trace.Informers, func(x link.Informer) bool { return x.Name == s.Informer })
		if i >= 0 && i != m.Open.Trace.Informer {
			return m.chooseInformer("", strconv.Itoa(i))
		}
	}
	q := link.Travel{Way: s.Way, Key: s.Object.Key, RV: s.Object.RV}
	if lane, is := s.Beside.(link.SecondLane); is {
		q.Second = &lane
	}
	var cmds []Cmd
	if s.Beside != nil && q.Second == nil {
		rest.Beside = nil
		if cmds = m.Second.stand(m, s.Beside, s.Files); m.ask.moving != 0 {
			n.comeTo(m, &rest) // a move has ended the way
			return cmds
		}
	}
	n.travel(m, navigation.OnArrived, nil)
	mediator{m}.VisitOnly(s.Follow)
	cmds = append(append(cmds, m.Expr.AskAll(s)...), m.Lesson.Reopen(s.Draft)...)
	if t := desk.Tab(s.Tab); slices.Contains(m.Front.Tabs(m), t) {
		m.Front.turn(t)
	}
	if m.Open.Failure == nil {
		m.Open.fail(n.otherwise)
		n.otherwise = nil
	}
	switch moves := len(s.Way); {
	case q.Second != nil:
	case moves == 1 && s.Object.Key == "" && s.Way[0].When == "" && s.Way[0].Line == "" && !m.Hands.Elsewhere():
		if s.Way[0].Step > 0 {
			cmds = append(cmds, m.move(link.Seek{Step: s.Way[0].Step})...)
		}
		return cmds
	case moves == 0 && s.Object.Key == "":
		if s.Search != "" { // a link that says what it is about, and not when that is
			cmds = append(cmds, m.Expr.Next(1)...)
		}
		return cmds
	}
	return append(cmds, m.move(q)...)
}

// unknown says which of the names in a isn't one of anything in what is open, or is nil.
func (m *Model) unknown(a *address.Address) *link.Failure {
	if l := m.Lesson.Learning; l != nil && !l.Has(momentOf(a.At)) {
		return failure("fail.linkMoment", "name", shortened(a.At))
	}
	name := ""
	if _, known := world.ProfileFor(a.Profile); a.Profile != "" && !known {
		name = a.Profile
	}
	if a.Informer != "" && !slices.ContainsFunc(m.Open.Trace.Informers, func(x link.Informer) bool { return x.Name == a.Informer }) {
		name = a.Informer
	}
	switch _, spoken := languageOf(a.Page.Lang); {
	case a.Page.Lang != "" && !spoken:
		name = "lang=" + a.Page.Lang
	case a.Page.Density != "" && a.Page.Density != plainDensity && a.Page.Density != fullDensity:
		name = "density=" + a.Page.Density
	case a.Tab != "" && !slices.Contains(m.Front.Tabs(m), desk.Tab(a.Tab)):
		name = "tab=" + a.Tab
	case a.Unit != "" && !slices.Contains(link.Units, link.Unit(a.Unit)):
		name = "unit=" + a.Unit
	case a.Axis != "" && !slices.Contains(link.Axes, link.Axis(a.Axis)):
		name = "axis=" + a.Axis
	}
	if name == "" {
		return nil
	}
	return failure("fail.linkName", "name", shortened(name))
}

// traveled takes in how the way of a link went.
func (n *Navigation) traveled(m *Model, t *link.Traveled) []Cmd {
	switch {
	case t.Address != "":
		n.carried = true
		cmds := n.followLink(m, t.Address, n.History.number())
		n.History.replaced(m) // the entry of the file that has the link
		return append(cmds, Push{n.History.number(), n.History.address, true})
	case t.Failure != nil:
		mediator{m}.Refuse(t.Failure)
		f := failure("fail.linkLine", "line", t.Failure.Text)
		f.Why = t.Failure.Why
		m.Open.fail(f)
	case t.Lost:
		m.Open.fail(failure("fail.linkLost"))
	}
	return nil
}

// expect asks for a file.
func (n *Navigation) expect(m *Model, x *Expected) {
	n.travel(m, navigation.OnMissing, &occasion{file: x})
}

// dismissed takes in that a dialog was closed.
func (n *Navigation) dismissed(m *Model) { n.travel(m, navigation.OnDismissed, nil) }

// stayHere ends the way to where the viewer was: the viewer goes on from here.
func (n *Navigation) stayHere(m *Model) { n.travel(m, navigation.OnElsewhere, nil) }

// opens takes in that something else is opened.
func (n *Navigation) opens(m *Model) {
	n.travel(m, navigation.OnOpens, &occasion{to: n.Stay(m)})
	n.History.enter(m, navigation.OnNew, &occasion{place: n.History.number()})
}
