package session

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/lesson"
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

// momentOf is a moment of a lesson as StopOf takes it.
func momentOf(at string) string {
	if n, err := strconv.Atoi(at); err == nil {
		return "." + strconv.Itoa(n)
	}
	return at
}

// lesson is the name of the lesson of the course that is open, or is being opened, and ""
// for anything else. A lesson from a file has no address.
func (s *Source) lesson() string { return lesson.NameOf(s.URL) }

// fragment is what the address should say.
func (n *Navigation) fragment(m *Model) string {
	name, l := m.Open.Source.lesson(), m.Lesson.Learning
	if name == "" {
		a := n.here(m)
		switch {
		case m.Open.Source.Link != "":
			return m.Open.Source.Link
		case m.Open.Source.URL == bundled.URL || m.Open.Source.URL == "":
			return ""
		}
		return a.Source()
	}
	a := address.Address{Lesson: name}
	switch shown, _ := address.Read(n.address); {
	case name == shown.Lesson && (l == nil || l.Name != name || m.Open.Loading || m.ask.moving != 0):
		return n.address // it isn't there yet
	case l != nil && l.Name == name:
		if a.Chosen = l.Chosen(); l.Stop > 0 {
			a.At = l.Moment()
		}
	}
	return a.String()
}

// tell keeps the address right. What was opened since is another entry of the browser's
// history.
func (n *Navigation) tell(m *Model) []Cmd {
	if !n.begun || n.unpacking != "" {
		return nil
	}
	now, fresh := n.fragment(m), n.fresh
	n.fresh = false
	switch {
	case fresh:
		n.places.forget()
		n.places.first++
		n.cutVisits(n.places.first)
	case now == n.address:
		return nil
	}
	n.address = now
	return []Cmd{Push{n.places.number(), now, !fresh}}
}

// returned shows what was open at the entry of the browser's history that the browser shows now.
func (n *Navigation) returned(m *Model, r Returned) []Cmd {
	if !n.begun { // start reads the address
		n.address, r.Place = r.Fragment, max(r.Place, 0)
		return n.revisit(m, r.Place)
	}
	typed := r.Place < 0 // the viewer has written the address, or has followed a link to this page
	if typed {
		r.Place = n.places.number() + 1
		n.cutVisits(r.Place)
	} else if cmds, known := n.again(m, r); known {
		return cmds
	}
	a, err := address.Read(r.Fragment)
	_, packed, bad := address.Packed(r.Fragment)
	if err == nil {
		err = bad
	}
	shown, _ := address.Read(n.address)
	_, link, _ := address.Packed(n.address)
	l := m.Lesson.Learning
	switch {
	case err != nil:
		n.places.arrive(r.Place)
		return append(n.misled(m, err, a), Push{r.Place, n.address, true})
	case a.Source() != shown.Source() || r.Fragment != n.address && (packed || link) || n.unpacking != "",
		typed && l != nil && l.Name == a.Lesson && !slices.Equal(a.Chosen, l.Chosen()):
		var cmds []Cmd
		n.unpacking, n.address = "", r.Fragment
		if !packed && !a.Opens() {
			cmds = n.leaveCourse(m)
		} else {
			cmds = n.followLink(m, r.Fragment)
		}
		n.landing = 1 + r.Place
		n.land()
		if typed {
			cmds = append(cmds, Push{r.Place, r.Fragment, true})
		}
		return cmds
	case a.Lesson == "":
		n.address = r.Fragment
		if typed && len(a.Way) > 0 {
			n.back = &a
			return append(n.comeBack(m), Push{r.Place, r.Fragment, true})
		}
	case l == nil || l.Name != a.Lesson:
		n.address = r.Fragment
		m.Lesson.Want(momentOf(a.At))
	default:
		n.address = r.Fragment
		if stop := m.Lesson.Learning.StopOf(momentOf(a.At)); stop != l.Stop {
			n.places.arrive(r.Place)
			return m.Lesson.GoStop(m.desk(), stop, false)
		}
	}
	return n.revisit(m, r.Place)
}

// land makes what is open a part of the entry that the browser shows, unless it is still to be
// unpacked.
func (n *Navigation) land() {
	if n.landing == 0 || n.unpacking != "" {
		return
	}
	n.fresh, n.places = false, places{all: []place{{}}, first: n.landing - 1}
	n.landing = 0
}

// followLink opens what a fragment leads to, and the bundled trace for one that leads nowhere.
func (n *Navigation) followLink(m *Model, fragment string) []Cmd {
	data, packed, err := address.Packed(fragment)
	switch {
	case err != nil:
		return n.misled(m, err, address.Address{})
	case packed:
		n.unpacking = fragment
		return []Cmd{Unpack{data}}
	}
	a, err := address.Read(fragment)
	return n.followAddress(m, a, err, fragment)
}

// unpacked takes in what a packed fragment says.
func (n *Navigation) unpacked(m *Model, u Unpacked) []Cmd {
	fragment := n.unpacking
	if fragment == "" || fragment != address.Pack(u.Data) {
		return nil // something else is wanted by now
	}
	n.unpacking = ""
	a, err := address.Read("#" + u.Text)
	if u.Failed || err == nil && !a.Opens() {
		err = address.ErrBroken
	}
	cmds := n.followAddress(m, a, err, fragment)
	n.land()
	return cmds
}

func (n *Navigation) followAddress(m *Model, a address.Address, err error, fragment string) []Cmd {
	if err == nil && a.Library != "" && !slices.Contains(Scripts, a.Library) {
		err = address.ErrPath
	}
	switch {
	case err != nil:
		return n.misled(m, err, a)
	case !a.Opens():
		return m.open(bundled)
	}
	var cmds []Cmd
	if a.Lang != "" {
		if l := LanguageOf(a.Lang); l.Code != m.Settings.Lang {
			cmds = append(cmds, m.Settings.choose(l.Code))
		}
	}
	n.address = fragment
	if a.File == "" && !a.Pasted {
		cmds = append(cmds, n.openAt(m, a, fragment, 0)...)
	} else {
		s := bundled
		s.Link = fragment
		cmds = append(cmds, m.open(s)...)
		n.expect(m, &Expected{Name: a.File, Size: a.Size, link: a})
	}
	if a.Strange {
		n.otherwise = &link.Failure{Say: link.Sentence{ID: "fail.linkStrange"}}
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
func (n *Navigation) expected(m *Model, s Source) []Cmd {
	x, fragment := n.Expected, n.address
	n.chosen++
	other := x.Size > 0 && x.Size != s.Size || x.Name != "" && x.Name != s.Name
	why := &link.Failure{Say: link.Sentence{ID: "fail.otherFile", Args: map[string]link.Arg{"name": {Kind: "code", V: s.Name}, "wanted": {Kind: "code", V: x.Name}}}}
	if x.Second {
		s.Files, n.Expected = n.chosen, nil
		if other {
			m.Open.fail(why)
		}
		return m.Second.capture(m, s)
	}
	s.Files, s.Link = n.chosen, fragment
	cmds := m.open(s)
	n.back = &x.link
	if other {
		n.otherwise = why
	}
	return cmds
}

// misled says why a link can't be followed. Where nothing is open yet, it opens the bundled trace.
func (n *Navigation) misled(m *Model, err error, a address.Address) []Cmd {
	var cmds []Cmd
	if m.Open.Trace == nil && !m.ask.opening {
		cmds = m.open(bundled)
	}
	id := ""
	switch err {
	case address.ErrLesson:
		return append(cmds, n.noLesson(m, a.Lesson)...)
	case address.ErrNewer:
		id = "fail.linkNewer"
	case address.ErrLong:
		id = "fail.linkLong"
	case address.ErrPath:
		id = "fail.linkPath"
	default:
		id = "fail.linkBroken"
	}
	m.Open.fail(&link.Failure{Say: link.Sentence{ID: id}})
	return cmds
}

// leaveCourse opens again what was open before the lesson, or else the bundled trace.
func (n *Navigation) leaveCourse(m *Model) []Cmd {
	return n.resume(m, Began{Stay: n.left, Files: true, files: n.leftFiles})
}

// noLesson says that there is no lesson of a name, and shows the course.
func (n *Navigation) noLesson(m *Model, name string) []Cmd {
	name = name[:min(len(name), maxWrong)]
	m.Open.fail(&link.Failure{Say: link.Sentence{ID: "fail.noLesson", Args: map[string]link.Arg{"name": {Kind: "code", V: name}}}})
	return m.Lesson.OpenCourse(m.desk())
}

// notOpened says why a lesson of the course isn't open, and opens again what was open before.
func (n *Navigation) notOpened(m *Model, why *link.Failure) []Cmd {
	name := m.Open.Source.lesson()
	n.address = ""
	cmds := append([]Cmd{Push{n.places.number(), "", true}}, n.leaveCourse(m)...)
	n.fresh = false
	m.Open.fail(why)
	if why.Say.ID != "fail.open" {
		return cmds
	}
	return append(cmds, n.noLesson(m, name)...)
}
