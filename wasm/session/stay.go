package session

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
)

// Stay returns what would bring the viewer back to what he sees, or nil where nothing
// can: the request that opened it, with the step in N, the informer in Ref, and the
// setup, the unit and the axis in fields of their own. A cluster that is followed
// can't be brought back, because its events are over, nor can a lesson from a file. A
// lesson of the course is in the page's address, so it is what was open before that.
func (m *Model) Stay() *link.Request {
	if m.courseLesson() != "" {
		return m.left
	}
	if m.back != nil { // reloaded again before the viewer was there
		return m.back
	}
	if m.Opened == nil || m.Frame == nil || m.Live != nil || m.Learning != nil || m.Died != "" {
		return nil
	}
	setup := cloneSetup(m.Opened.Setup)
	return &link.Request{
		Op: link.OpOpen, URL: m.Source.URL, Name: m.Source.Name,
		N: m.Frame.Step, Ref: int32(m.Opened.Informer), Setup: &setup, Unit: m.Unit, Axis: m.Axis,
	}
}

// start opens the lesson that the address names, or else what was open before the page was
// reloaded.
func (m *Model) start(b Began) []Cmd {
	name, moment, ok := parseFragment(m.address)
	switch {
	case !ok:
		return append(m.resume(b), m.noLesson(name)...)
	case name == "":
		return m.resume(b)
	}
	cmds := m.openLesson(name, moment)
	if s := b.Stay; s != nil && (s.URL != "" || b.Files) {
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
	if slices.Contains(link.Units, s.Unit) {
		m.Unit = s.Unit
	}
	if slices.Contains(link.Axes, s.Axis) {
		m.Axis = s.Axis
	}
	if s.URL == "" && !b.Files {
		cmds := m.open(bundled)
		m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.reloaded", Args: map[string]link.Arg{"name": {Kind: "code", V: s.Name}}}}
		return cmds
	}
	cmds := m.open(Source{URL: s.URL, Name: s.Name})
	m.back = s
	return cmds
}

// comeBack takes the next step towards where the viewer was before the page was
// reloaded: the setup, the informer and at last the step. It does nothing before the
// step before is done.
func (m *Model) comeBack() []Cmd {
	s := m.back
	if s == nil || m.Loading || m.Opened == nil || m.ask.moving != 0 {
		return nil
	}
	rest := *s
	if s.Setup != nil {
		rest.Setup = nil
		m.back = &rest
		if !m.Opened.Script && !sameSetup(*s.Setup, m.Opened.Setup) {
			m.Draft = cloneSetup(*s.Setup)
			return m.applySetup()
		}
	}
	if n := int(s.Ref); n != m.Opened.Informer && n > 0 && n < len(m.Opened.Informers) {
		return m.chooseInformer("", strconv.Itoa(n))
	}
	m.back = nil
	if s.N <= 0 {
		return nil
	}
	return m.move(link.Request{Op: link.OpSeek, N: s.N})
}
