package session

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// Stay returns what would bring the viewer back to what he sees, or nil where nothing
// can. A cluster that is followed can't be brought back, because its events are over. A
// lesson of the course is in the page's address, so it is what was open before that.
func (m *Model) Stay() *address.Address {
	if m.courseLesson() != "" {
		return m.left
	}
	if m.back != nil { // reloaded again before the viewer was there
		return m.back
	}
	if m.Opened == nil || m.Frame == nil || m.Expected != nil || m.Live != nil || m.Died != "" {
		return nil
	}
	a := m.here()
	if l := m.Learning; l != nil {
		a.At, a.Chosen = l.moment(), l.chosen()
		if m.Writing != nil && a.Script != "" {
			a.Draft = m.Writing.Text
		}
	}
	setup := cloneSetup(m.Opened.Setup)
	setup.Profile = ""
	a.Setup = &setup
	if m.Lanes != nil {
		a.Way = append(a.Way, m.Lanes.Way...)
	}
	a.Way = append(a.Way, link.Waypoint{Step: m.Frame.Step})
	if m.Beside != nil {
		lane, _ := m.Beside.Second.Second.(link.SecondLane)
		a.Beside, a.Files = m.besideHere(lane.Way)
	}
	return &a
}

// here is the address of the open document and of the part that is shown, without the steps that led there.
func (m *Model) here() address.Address {
	a := address.Address{Follow: m.Follow}
	if len(m.Expr.Asked) <= address.MaxName {
		a.Search = m.Expr.Asked
	}
	for _, b := range m.Expr.Breaks {
		if !b.Off && len(b.Text) <= address.MaxName && len(a.Asks) < address.MaxAsks {
			a.Asks = append(a.Asks, b.Text)
		}
	}
	if m.Unit != link.Micro {
		a.Unit = string(m.Unit)
	}
	if m.Axis != link.ByStep {
		a.Axis = string(m.Axis)
	}
	if a.Lesson = m.courseLesson(); a.Lesson == "" {
		m.Source.name(&a)
	}
	if o := m.Opened; o != nil {
		a.Profile = o.Setup.Profile
		if o.Informer < len(o.Informers) && len(o.Informers) > 1 {
			a.Informer = o.Informers[o.Informer].Name
		}
	}
	if m.Tab == Object && m.Object != nil && !m.Object.Other {
		a.Object, a.RV = m.Object.Key, m.Object.RV
	}
	if m.Tab != Explain && m.Tab != Lesson && m.Tab != Object {
		a.Tab = string(m.Tab)
	}
	return a
}

// name has an address say that it is about s.
func (s *Source) name(a *address.Address) {
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
func sourceOf(a *address.Address) (s Source) {
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
func (m *Model) StayFiles() (first, second int) {
	first, second = -1, -1
	s := m.Stay()
	if s != nil && (s.File != "" || s.Pasted) {
		if first = m.Source.Files; m.courseLesson() != "" {
			first = m.leftFiles
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
func (m *Model) start(b Began) []Cmd {
	a, err := address.Read(m.address)
	s := b.Stay
	if m.offer != nil {
		return m.offered(*m.offer)
	}
	if s != nil && (a.Lesson == "" || err != nil) {
		cmds := m.resume(b)
		if err != nil {
			return append(cmds, m.misled(err, a)...)
		}
		if m.back != nil {
			m.Source.Link = m.address
		}
		return cmds
	}
	cmds := m.followLink(m.address)
	m.landing = 1 + m.places.number()
	if s != nil && (s.File == "" && !s.Pasted || b.Files) {
		m.left = s
	}
	return cmds
}

// resume opens what was open before the page was reloaded, or else the bundled trace.
func (m *Model) resume(b Began) []Cmd {
	s := b.Stay
	if s == nil {
		return m.open(bundled)
	}
	if (s.File != "" || s.Pasted) && !b.Files {
		cmds := m.open(bundled)
		m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.reloaded", Args: map[string]link.Arg{"name": {Kind: "code", V: s.File}}}}
		return cmds
	}
	return m.openAt(*s, "", b.files)
}

// openAt opens what an address names, and goes where it says as soon as that is open. Link is
// the fragment that the page's address keeps, "" for the usual one. Files is the number of the
// choice of files, where it is one of them.
func (m *Model) openAt(a address.Address, fragment string, files int) []Cmd {
	if a.Lesson != "" {
		cmds := m.openLesson(a.Lesson, momentOf(a.At), a.Chosen)
		m.back = &a
		return cmds
	}
	s := sourceOf(&a)
	s.Link = fragment
	if slices.Contains(link.Units, link.Unit(a.Unit)) {
		m.Unit = link.Unit(a.Unit)
	}
	if slices.Contains(link.Axes, link.Axis(a.Axis)) {
		m.Axis = link.Axis(a.Axis)
	}
	var cmds []Cmd
	if s.URL == "" && s.Text == "" {
		s.Files = files
		cmds = append(cmds, Rechoose{files})
	}
	s.Chosen = strings.Join(a.Chosen, "\n")
	cmds = append(cmds, m.open(s)...)
	m.back, m.wanted = &a, momentOf(a.At)
	return cmds
}

// comeBack takes the next step towards where the viewer was, or where a link leads: the
// setup, the informer and at last the way. It does nothing until the step before that
// is done.
func (m *Model) comeBack() []Cmd {
	s := m.back
	if s == nil || m.Loading || m.Opened == nil || m.ask.moving != 0 {
		return nil
	}
	if taught := s.Lesson != "" || lesson.Looks(s.Script) || s.File != "" && s.At != ""; taught &&
		(m.Learning == nil || s.Lesson != "" && m.Learning.Name != s.Lesson || m.Learning.Stop != m.stopOf(momentOf(s.At))) {
		return nil
	}
	rest := *s
	m.back = &rest
	if s.Setup != nil || s.Profile != "" {
		setup := cloneSetup(m.Opened.Setup)
		if s.Setup != nil {
			setup = cloneSetup(*s.Setup)
			setup.Profile = m.Opened.Setup.Profile
		}
		if s.Profile != "" {
			setup.Profile = s.Profile
		}
		rest.Setup, rest.Profile = nil, ""
		if !m.Opened.Script && !sameSetup(setup, m.Opened.Setup) {
			m.Draft = setup
			return m.applySetup()
		}
	}
	if s.Informer != "" {
		rest.Informer = ""
		i := slices.IndexFunc(m.Opened.Informers, func(x link.Informer) bool { return x.Name == s.Informer })
		if i >= 0 && i != m.Opened.Informer {
			return m.chooseInformer("", strconv.Itoa(i))
		}
	}
	q := link.Travel{Way: s.Way, Key: s.Object, RV: s.RV}
	if lane, is := s.Beside.(link.SecondLane); is {
		q.Second = &lane
	}
	var cmds []Cmd
	if s.Beside != nil && q.Second == nil {
		rest.Beside = nil
		if cmds = m.standBeside(s.Beside, s.Files); m.ask.moving != 0 {
			m.back = &rest
			return cmds
		}
	}
	m.back = nil
	m.Follow = s.Follow
	cmds = append(append(cmds, m.askAll(s)...), m.reopen(s.Draft)...)
	if t := Tab(s.Tab); slices.Contains(m.Tabs(), t) {
		m.Tab = t
	}
	if m.Failure == nil {
		m.Failure, m.otherwise = m.otherwise, nil
	}
	switch n := len(s.Way); {
	case q.Second != nil:
	case n == 1 && s.Object == "" && s.Way[0].When == "" && s.Way[0].Line == "":
		if s.Way[0].Step > 0 {
			cmds = append(cmds, m.move(link.Seek{Step: s.Way[0].Step})...)
		}
		return cmds
	case n == 0 && s.Object == "":
		return cmds
	}
	return append(cmds, m.move(q)...)
}

// askAll takes over the expressions that an address has.
func (m *Model) askAll(a *address.Address) []Cmd {
	e := &m.Expr
	before := len(e.Breaks)
	if _, err := ask.Parse(a.Search); a.Search != "" && a.Search != e.Asked && err == nil {
		e.Asked, e.Text, e.From, e.Stopped, e.Closed = a.Search, a.Search, 0, false, true
		before = -1
	}
	for _, text := range a.Asks {
		if _, err := ask.Parse(text); err == nil && !slices.ContainsFunc(e.Breaks, func(b Break) bool { return b.Text == text }) {
			e.Breaks = append(e.Breaks[:len(e.Breaks):len(e.Breaks)], Break{Text: text})
		}
	}
	if before == len(e.Breaks) {
		return nil
	}
	return m.watchAll()
}

// traveled takes in how the way of a link went.
func (m *Model) traveled(t *link.Traveled) []Cmd {
	switch {
	case t.Address != "":
		cmds := m.followLink(t.Address)
		if m.Failure != nil && m.ask.opening { // the link leads nowhere, so what was open before stays
			cmds = append(cmds, m.send(link.Cancel{}, false)...)
		}
		return cmds
	case t.Failure != nil:
		m.Wrong = t.Failure
		m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.linkLine", Args: map[string]link.Arg{"line": {Kind: "code", V: t.Failure.Text}}}, Detail: t.Failure.Why}
	case t.Lost:
		m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.linkLost"}}
	}
	return nil
}
