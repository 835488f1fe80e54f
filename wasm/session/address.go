package session

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// The fragment of the page's address says what is open, as package address writes it. For a
// lesson of the course, it also says at which moment, and goes along with the reader:
// #lesson=delta-fifo&at=added. A moment has the label that the lesson gives it, or else the
// number of its stop, as the lesson's head shows it. The first stop needs neither. The bundled
// trace and what only the viewer has need no fragment.
//
// Whatever is opened has entries of its own in the browser's history. A link stays in the
// address as long as what it has opened.

// maxWrong is how much of a wrong name is repeated, in bytes. A browser escapes what isn't ASCII.
const maxWrong = 80

// shortened is a wrong name as it is repeated.
func shortened(name string) string { return name[:min(len(name), maxWrong)] }

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
		a = address.Address{Source: a.Source}
		return a.String()
	}
	a := address.Address{Source: address.Source{Lesson: name}, Page: address.Page{Path: m.Lesson.Path}}
	switch shown, _ := address.Read(n.History.address); {
	case name == shown.Source.Lesson && (l == nil || l.Name != name || m.Open.Loading || m.ask.moving != 0):
		return n.History.address // it isn't there yet
	case l != nil && l.Name == name:
		if a.Chosen = l.Chosen(); l.Stop > 0 {
			a.At = l.Moment()
		}
	}
	return a.String()
}

// update tells the browser, and the console, what a message has changed.
func (n *Navigation) update(m *Model) []Cmd {
	cmds := n.History.enter(m, navigation.OnTold, nil)
	if n.impossible != "" {
		cmds = append(cmds, Complain{n.impossible})
		n.impossible = ""
	}
	return cmds
}

// began opens what the page begins with.
func (n *Navigation) began(m *Model, b *Began) []Cmd {
	n.History.enter(m, navigation.OnRead, nil)
	cmds := n.travel(m, navigation.OnBegan, &occasion{began: b})
	n.History.replaced(m)
	return cmds
}

// returned shows what was open at the entry of the browser's history that the browser shows now.
func (n *Navigation) returned(m *Model, r Returned) []Cmd {
	if n.History.entry == navigation.Unread { // start reads the address
		n.History.address = r.Fragment
		return n.History.enter(m, navigation.OnOwn, &occasion{place: max(r.Place, 0)})
	}
	if r.Place >= 0 {
		if cmds, known := n.again(m, r); known {
			return cmds
		}
		if n.History.entry == navigation.Unpacking && n.History.places.has(r.Place) { // the viewer doesn't follow the link
			n.History.address = r.Fragment
			return n.History.revisit(m, r.Place)
		}
		return n.turned(m, r, false)
	}
	// The viewer has written the address, or has followed a link to this page.
	r.Place = n.History.number() + 1
	n.History.cutVisits(r.Place)
	cmds := n.turned(m, r, true)
	return append(cmds, Push{r.Place, n.History.address, true})
}

// turned shows what an entry is about that the browser shows now. Typed is one that the browser has
// made.
func (n *Navigation) turned(m *Model, r Returned, typed bool) []Cmd {
	a, err := address.Read(r.Fragment)
	_, packed, bad := address.Packed(r.Fragment)
	if err == nil {
		err = bad
	}
	shown, _ := address.Read(n.History.address)
	_, link, _ := address.Packed(n.History.address)
	l := m.Lesson.Learning
	switch {
	case err != nil:
		n.History.enter(m, navigation.OnLanded, &occasion{place: r.Place})
		cmds := n.misled(m, err, a)
		return append(cmds, Push{r.Place, n.History.address, true})
	case a.Source != shown.Source || r.Fragment != n.History.address && (packed || link) || n.History.entry == navigation.Unpacking,
		typed && l != nil && l.Name == a.Source.Lesson && !slices.Equal(a.Chosen, l.Chosen()):
		n.History.address = r.Fragment
		if packed {
			return n.followLink(m, r.Fragment, r.Place)
		}
		var cmds []Cmd
		if a.Opens() {
			cmds = n.followLink(m, r.Fragment, r.Place)
		} else {
			cmds = n.leaveCourse(m)
		}
		n.History.enter(m, navigation.OnLanded, &occasion{place: r.Place})
		return cmds
	case a.Source.Lesson != "" && (l == nil || l.Name != a.Source.Lesson):
		m.Lesson.Want(momentOf(a.At))
	case a.Source.Lesson != "" && !l.Has(momentOf(a.At)):
		m.Open.fail(m.unknown(&a))
	case a.Source.Lesson != "" && l.StopOf(momentOf(a.At)) != l.Stop:
		n.History.address = r.Fragment
		n.History.enter(m, navigation.OnLanded, &occasion{place: r.Place})
		return m.Lesson.GoStop(l.StopOf(momentOf(a.At)), false)
	}
	n.History.address = r.Fragment
	if !typed {
		return n.History.revisit(m, r.Place)
	}
	n.History.enter(m, navigation.OnNoted, &occasion{place: n.History.number()})
	if a.Source.Lesson == "" && len(a.Way) > 0 {
		return n.comeTo(m, &a)
	}
	if f := m.unknown(&a); f != nil {
		m.Open.fail(f)
	}
	return nil
}

// followLink opens what a fragment leads to, and the bundled trace for one that leads nowhere.
// Place is the number of the entry that has it.
func (n *Navigation) followLink(m *Model, fragment string, place int) []Cmd {
	_, packed, err := address.Packed(fragment)
	switch {
	case err != nil:
		return n.misled(m, err, address.Address{})
	case packed:
		return n.History.enter(m, navigation.OnPacked, &occasion{place: place, packed: fragment})
	}
	a, err := address.Read(fragment)
	return n.followAddress(m, a, err, fragment)
}

// unpacked takes in what a packed fragment says.
func (n *Navigation) unpacked(m *Model, u Unpacked) []Cmd {
	if n.History.entry == navigation.Unpacking && n.History.packed != address.Pack(u.Data) {
		return nil // it is of a link before that one
	}
	return n.History.enter(m, navigation.OnUnpacked, &occasion{unpacked: &u, place: n.History.stray})
}

// unpack follows what the fragment says that was unpacked.
func (n *Navigation) unpack(m *Model, o *occasion) []Cmd {
	u := o.unpacked
	a, err := address.Read("#" + u.Text)
	if u.Failed || err == nil && !a.Opens() {
		err = address.ErrBroken
	}
	cmds := n.followAddress(m, a, err, n.History.packed)
	n.History.enter(m, navigation.OnLanded, &occasion{place: o.place})
	return append(cmds, Push{o.place, n.History.address, true})
}

func (n *Navigation) followAddress(m *Model, a address.Address, err error, fragment string) []Cmd {
	if err == nil && a.Source.Library != "" && !slices.Contains(Scripts, a.Source.Library) {
		err = address.ErrPath
	}
	switch {
	case err != nil:
		return n.misled(m, err, a)
	case !a.Opens():
		n.plays = cmp.Or(a.Profile, n.plays) // it is for what the viewer opens next
		return m.open(bundled)
	}
	var cmds []Cmd
	if l, spoken := languageOf(a.Page.Lang); spoken && l.Code != m.Settings.Lang {
		cmds = append(cmds, m.Settings.choose(l.Code))
	}
	n.History.address = fragment
	if a.Source.File == "" && !a.Source.Pasted {
		cmds = append(cmds, n.openAt(m, a, fragment, 0)...)
	} else {
		s := bundled
		s.Link = fragment
		cmds = append(cmds, m.open(s)...)
		n.expect(m, &Expected{Name: a.Source.File, Size: a.Source.Size, link: a})
	}
	if a.Strange {
		n.otherwise = failure("fail.linkStrange")
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

// other says that s is not the file that was asked for, or is nil.
func (x *Expected) other(s *Source) *link.Failure {
	if (x.Size <= 0 || x.Size == s.Size) && (x.Name == "" || x.Name == s.Name) {
		return nil
	}
	return failure("fail.otherFile", "name", s.Name, "wanted", x.Name)
}

// take opens the file that was asked for, and goes where the link leads that has asked for it. Or
// it has the file stand beside what is open.
func (n *Navigation) take(m *Model, s *Source) []Cmd {
	x := n.Expected
	why := x.other(s)
	if x.Second {
		if n.Expected = nil; why != nil {
			m.Open.fail(why)
		}
		return m.Second.capture(m, *s)
	}
	s.Link = n.History.address
	cmds := m.open(*s)
	n.comeTo(m, &x.link)
	n.otherwise = why
	return cmds
}

// misled says why a link can't be followed. Where nothing is open yet, it opens the bundled trace.
// A file that has the link is not opened, so what was open before stays.
func (n *Navigation) misled(m *Model, err error, a address.Address) []Cmd {
	carried := n.carried
	cmds := append(n.travel(m, navigation.OnMisled, nil), n.mislead(m, err, a)...)
	if carried {
		n.carried = false
		cmds = append(cmds, m.send(link.Cancel{}, false)...)
	}
	return cmds
}

func (n *Navigation) mislead(m *Model, err error, a address.Address) []Cmd {
	id := ""
	switch err {
	case address.ErrLesson:
		return n.noLesson(m, a.Source.Lesson)
	case address.ErrNewer:
		id = "fail.linkNewer"
	case address.ErrLong:
		id = "fail.linkLong"
	case address.ErrPath:
		id = "fail.linkPath"
	default:
		id = "fail.linkBroken"
	}
	m.Open.fail(failure(id))
	return nil
}

// leaveCourse opens again what was open before the lesson, or else the bundled trace.
func (n *Navigation) leaveCourse(m *Model) []Cmd {
	return n.resume(m, &Began{Stay: n.left, Files: true, files: n.leftFiles})
}

// noLesson says that there is no lesson of a name, and shows the course.
func (n *Navigation) noLesson(m *Model, name string) []Cmd {
	m.Open.fail(failure("fail.noLesson", "name", shortened(name)))
	return m.Lesson.OpenCourse()
}

// notOpened says why a lesson of the course isn't open, and opens again what was open before.
func (n *Navigation) notOpened(m *Model, why *link.Failure) []Cmd {
	name := m.Open.Source.lesson()
	n.History.address = ""
	n.travel(m, navigation.OnRefused, nil)
	cmds := append([]Cmd{Push{n.History.number(), "", true}}, n.leaveCourse(m)...)
	n.History.replaced(m)
	m.Open.fail(why)
	if why.Say.ID != "fail.open" {
		return cmds
	}
	return append(cmds, n.noLesson(m, name)...)
}
