package session

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
)

// The fragment of the page's address says what is open, as package address writes it. For a
// lesson of the course, it also says at which moment, and goes along with the reader:
// #lesson=delta-fifo&at=popped. A moment has the label that the lesson gives it, or else the
// number of its stop, as the lesson's head shows it. The first stop needs neither. The bundled
// trace and what only the viewer has need no fragment.
//
// Whatever is opened has entries of its own in the browser's history. A link stays in the
// address as long as what it has opened.

// maxWrong is how much of a wrong name is repeated, in bytes. A browser escapes what isn't ASCII.
const maxWrong = 80

// momentOf is a moment of a lesson as stopOf takes it.
func momentOf(at string) string {
	if n, err := strconv.Atoi(at); err == nil {
		return "." + strconv.Itoa(n)
	}
	return at
}

// courseLesson is the name of the lesson of the course that is open, or is being opened, and ""
// for anything else. A lesson from a file has no address.
func (m *Model) courseLesson() string { return lessonOf(m.Source.URL) }

// fragment is what the address should say.
func (m *Model) fragment() string {
	name, l := m.courseLesson(), m.Learning
	if name == "" {
		a := m.here()
		switch {
		case m.Source.Link != "":
			return m.Source.Link
		case m.Source.URL == bundled.URL || m.Source.URL == "":
			return ""
		}
		return a.Source()
	}
	a := address.Address{Lesson: name}
	switch shown, _ := address.Read(m.address); {
	case name == shown.Lesson && (l == nil || l.Name != name || m.Loading || m.ask.moving != 0):
		return m.address // it isn't there yet
	case l != nil && l.Name == name:
		if a.Chosen = l.chosen(); l.Stop > 0 {
			a.At = l.moment()
		}
	}
	return a.String()
}

// moment names the stop where the reader is.
func (l *Learning) moment() string {
	if i := l.Find(lesson.Script); i >= 0 && l.Parts[i].Label != "" {
		return l.Parts[i].Label
	}
	return strconv.Itoa(l.Stop + 1)
}

// tell keeps the address right. What was opened since is another entry of the browser's
// history.
func (m *Model) tell() []Cmd {
	if !m.begun || m.unpacking != "" {
		return nil
	}
	now, fresh := m.fragment(), m.fresh
	m.fresh = false
	switch {
	case fresh:
		m.places.forget()
		m.places.first++
		m.cutVisits(m.places.first)
	case now == m.address:
		return nil
	}
	m.address = now
	return []Cmd{Push{m.places.number(), now, !fresh}}
}

// returned shows what was open at the entry of the browser's history that the browser shows now.
func (m *Model) returned(r Returned) []Cmd {
	if !m.begun { // start reads the address
		m.address, r.Place = r.Fragment, max(r.Place, 0)
		return m.revisit(r.Place)
	}
	typed := r.Place < 0 // the viewer has written the address, or has followed a link to this page
	if typed {
		r.Place = m.places.number() + 1
		m.cutVisits(r.Place)
	} else if cmds, known := m.again(r); known {
		return cmds
	}
	a, err := address.Read(r.Fragment)
	_, packed, bad := address.Packed(r.Fragment)
	if err == nil {
		err = bad
	}
	shown, _ := address.Read(m.address)
	_, link, _ := address.Packed(m.address)
	l := m.Learning
	switch {
	case err != nil:
		m.places.arrive(r.Place)
		return append(m.misled(err, a), Push{r.Place, m.address, true})
	case a.Source() != shown.Source() || r.Fragment != m.address && (packed || link) || m.unpacking != "",
		typed && l != nil && l.Name == a.Lesson && !slices.Equal(a.Chosen, l.chosen()):
		var cmds []Cmd
		m.unpacking, m.address = "", r.Fragment
		if !packed && !a.Opens() {
			cmds = m.leaveCourse()
		} else {
			cmds = m.followLink(r.Fragment)
		}
		m.landing = 1 + r.Place
		m.land()
		if typed {
			cmds = append(cmds, Push{r.Place, r.Fragment, true})
		}
		return cmds
	case a.Lesson == "":
		m.address = r.Fragment
		if typed && len(a.Way) > 0 {
			m.back = &a
			return append(m.comeBack(), Push{r.Place, r.Fragment, true})
		}
	case l == nil || l.Name != a.Lesson:
		m.address, m.wanted = r.Fragment, momentOf(a.At)
	default:
		m.address = r.Fragment
		if stop := m.stopOf(momentOf(a.At)); stop != l.Stop {
			m.places.arrive(r.Place)
			return m.goStop(stop, false)
		}
	}
	return m.revisit(r.Place)
}

// land makes what is open a part of the entry that the browser shows, unless it is still to be
// unpacked.
func (m *Model) land() {
	if m.landing == 0 || m.unpacking != "" {
		return
	}
	m.fresh, m.places = false, places{all: []place{{}}, first: m.landing - 1}
	m.landing = 0
}

// followLink opens what a fragment leads to, and the bundled trace for one that leads nowhere.
func (m *Model) followLink(fragment string) []Cmd {
	data, packed, err := address.Packed(fragment)
	switch {
	case err != nil:
		return m.misled(err, address.Address{})
	case packed:
		m.unpacking = fragment
		return []Cmd{Unpack{data}}
	}
	a, err := address.Read(fragment)
	return m.followAddress(a, err, fragment)
}

// unpacked takes in what a packed fragment says.
func (m *Model) unpacked(u Unpacked) []Cmd {
	fragment := m.unpacking
	if fragment == "" || fragment != address.Pack(u.Data) {
		return nil // something else is wanted by now
	}
	m.unpacking = ""
	a, err := address.Read("#" + u.Text)
	if u.Failed || err == nil && !a.Opens() {
		err = address.ErrBroken
	}
	cmds := m.followAddress(a, err, fragment)
	m.land()
	return cmds
}

func (m *Model) followAddress(a address.Address, err error, fragment string) []Cmd {
	if err == nil && a.Library != "" && !slices.Contains(Scripts, a.Library) {
		err = address.ErrPath
	}
	switch {
	case err != nil:
		return m.misled(err, a)
	case !a.Opens():
		return m.open(bundled)
	}
	var cmds []Cmd
	if a.Lang != "" {
		if l := LanguageOf(a.Lang); l.Code != m.Lang {
			m.Lang = l.Code
			cmds = append(cmds, m.speak(m.Lang))
		}
	}
	m.address = fragment
	if a.File == "" && !a.Pasted {
		cmds = append(cmds, m.openAt(a, fragment, 0)...)
	} else {
		s := bundled
		s.Link = fragment
		cmds = append(cmds, m.open(s)...)
		m.Expected, m.Dialog = &Expected{Name: a.File, Size: a.Size, link: a}, "expected"
	}
	if a.Strange {
		m.otherwise = &link.Failure{Say: link.Sentence{ID: "fail.linkStrange"}}
	}
	return cmds
}

// Expected is a file that a link needs and only the viewer has.
type Expected struct {
	Name   string          // "" for what was pasted
	Size   int64           // in bytes, 0 where that isn't known
	Second bool            // it stands beside what is open
	link   address.Address // that is followed as soon as the file is open, unless Second
}

// expected opens the file that the viewer has chosen, and goes where the link
// leads that has asked for the file.
func (m *Model) expected(s Source) []Cmd {
	x, fragment := m.Expected, m.address
	m.chosen++
	other := x.Size > 0 && x.Size != s.Size || x.Name != "" && x.Name != s.Name
	why := &link.Failure{Say: link.Sentence{ID: "fail.otherFile", Args: map[string]link.Arg{"name": {Kind: "code", V: s.Name}, "wanted": {Kind: "code", V: x.Name}}}}
	if x.Second {
		s.Files, m.Expected = m.chosen, nil
		if other {
			m.Failure = why
		}
		return m.compareCapture(s)
	}
	s.Files, s.Link = m.chosen, fragment
	cmds := m.open(s)
	m.back = &x.link
	if other {
		m.otherwise = why
	}
	return cmds
}

// misled says why a link can't be followed. Where nothing is open yet, it opens the bundled trace.
func (m *Model) misled(err error, a address.Address) []Cmd {
	var cmds []Cmd
	if m.Opened == nil && !m.ask.opening {
		cmds = m.open(bundled)
	}
	id := ""
	switch err {
	case address.ErrLesson:
		return append(cmds, m.noLesson(a.Lesson)...)
	case address.ErrNewer:
		id = "fail.linkNewer"
	case address.ErrLong:
		id = "fail.linkLong"
	case address.ErrPath:
		id = "fail.linkPath"
	default:
		id = "fail.linkBroken"
	}
	m.Failure = &link.Failure{Say: link.Sentence{ID: id}}
	return cmds
}

// leaveCourse opens again what was open before the lesson, or else the bundled trace.
func (m *Model) leaveCourse() []Cmd {
	return m.resume(Began{Stay: m.left, Files: true, files: m.leftFiles})
}

// noLesson says that there is no lesson of a name, and shows the course.
func (m *Model) noLesson(name string) []Cmd {
	name = name[:min(len(name), maxWrong)]
	m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.noLesson", Args: map[string]link.Arg{"name": {Kind: "code", V: name}}}}
	return m.openCourse()
}

// notOpened says why a lesson of the course isn't open, and opens again what was open before.
func (m *Model) notOpened(why *link.Failure) []Cmd {
	name := m.courseLesson()
	m.address = ""
	cmds := append([]Cmd{Push{m.places.number(), "", true}}, m.leaveCourse()...)
	m.fresh = false
	m.Failure = why
	if why.Say.ID != "fail.open" {
		return cmds
	}
	return append(cmds, m.noLesson(name)...)
}
