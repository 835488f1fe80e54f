package navigation

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// The fragment of the page's address says what is open, as package address writes it. For a
// lesson of the course, it also says at which moment, and goes along with the reader:
// #lesson=delta-fifo&at=added. A moment has the label that the lesson gives it, or else the
// number of its stop, as the lesson's head shows it. The first stop needs neither. The bundled
// trace and what only the viewer has need no fragment.
//
// Whatever is opened has entries of its own in the browser's history. The link stays in the
// address bar until something else is opened.

// Returned says that the browser shows an entry of its history. Place is the number that Push
// has given it, -1 for one that Push didn't make. Fragment is the address's fragment,
// with its "#", or "". The first one comes before the page is set up.
type Returned struct {
	Place    int
	Fragment string
}

// Unpack unpacks the data of a link that is packed.
type Unpack struct{ Data string }

// Unpacked answers Unpack. Failed says that the data are damaged, or too long.
type Unpacked struct {
	Data, Text string
	Failed     bool
}

// Offered says that the page around this one has sent a trace, which is to be shown at a step,
// or at a history.Moment.
type Offered struct {
	Title      string
	Size, Step int64
	Time       string
}

// Rechoose takes the files that were chosen at the N-th time again. With WithSecond, it puts them before those that
// were chosen last, or this version's own file at the path URL if that isn't "".
type Rechoose struct {
	N          int
	WithSecond bool
	URL        string
}

func (Returned) Msg() {}
func (Unpacked) Msg() {}
func (Offered) Msg()  {}
func (Unpack) Cmd()   {}
func (Rechoose) Cmd() {}

// MaxWrong is how much of a wrong name is repeated, in bytes. A browser escapes what isn't ASCII.
const MaxWrong = 80

// Shorten returns a wrong name as it is repeated.
func Shorten(name string) string { return name[:min(len(name), MaxWrong)] }

// beat returns the beat of an address of the loop, from 1.
func beat(a *address.Address) int {
	n, _ := strconv.Atoi(a.Moment)
	return max(n, 1)
}

// Moment returns a moment of an address as Lesson.Find takes it.
func Moment(at string) string {
	if n, err := strconv.Atoi(at); err == nil {
		return "." + strconv.Itoa(n)
	}
	return at
}

// fragment returns what the address should say.
func (n *Model) fragment() string {
	s := &n.doc.Source
	name := s.Lesson()
	var a address.Address
	switch {
	case name != "":
	case n.doc.View == Loop:
		if beat := n.desk.Beat(); beat > 1 || n.current().Source.Loop {
			a.Source.Loop = true
			if beat > 1 {
				a.Moment = strconv.Itoa(beat)
			}
		}
		return a.String()
	case s.Link != "" && !s.Loop:
		return s.Link
	case s.URL == Bundled.URL || s.URL == "":
		return ""
	default:
		s.Describe(&a.Source)
		return a.String()
	}
	l := n.desk.Lesson()
	a.Source.Lesson, a.Page.Path = name, l.Path
	switch shown := n.current(); {
	case name == shown.Source.Lesson && (l.Name != name || n.doc.Loading || n.desk.Surroundings().Moving):
		return n.Address // it isn't there yet
	case l.Name == name:
		if a.Chosen = l.Chosen; l.Stop > 0 {
			a.Moment = l.Moment
		}
	}
	return a.String()
}

// current returns what the page's address says now.
func (n *Model) current() address.Address {
	a, _ := address.Read(n.Address)
	return a
}

// Begin opens what the page begins with. Stay is what CurrentAddress returned before the page was loaded again, or
// nil, and files says that the browser has given its files again.
func (n *Model) Begin(stay *address.Address, files bool) []desk.Cmd {
	n.enter(OnRead, occasion{})
	cmds := n.travel(OnStart, occasion{address: stay, files: files})
	n.Replaced()
	return append([]desk.Cmd{Push{n.Number(), n.Address, true}}, cmds...)
}

// start opens what was open before the page was reloaded, or else what the address names, or
// else the bundled trace. A lesson is opened by its address even after a reload.
func (n *Model) start(stay *address.Address, files bool) []desk.Cmd {
	if n.offer != nil {
		return n.travel(OnOffered, occasion{offer: n.offer})
	}
	a, err := address.Read(n.Address)
	if stay != nil && (a.Source.Lesson == "" || err != nil) {
		cmds := n.resume(stay, files, 0)
		if err != nil {
			return append(cmds, n.refuseLink(err, a)...)
		}
		if n.Journey == Bound {
			n.doc.Source.Link = n.Address
		}
		return cmds
	}
	cmds := n.followLink(n.Address, n.Number())
	if stay != nil && (!stay.Source.IsFile() || files) {
		n.beforeCourse = stay
	}
	return cmds
}

// resume opens what stay would bring back, or else the bundled trace. Number is the number of the choice of
// files which stay needs, and files says that they can be had.
func (n *Model) resume(stay *address.Address, files bool, number int) []desk.Cmd {
	if stay == nil {
		return n.desk.Open(n.home())
	}
	if stay.Source.IsFile() && !files {
		cmds := n.desk.Open(Bundled)
		n.doc.Failure = Failure("fail.reloaded", "name", stay.Source.File)
		return cmds
	}
	return n.openAt(*stay, "", number)
}

// Return shows what was open at the entry of the browser's history that the browser shows now.
func (n *Model) Return(r Returned) []desk.Cmd {
	if n.Entry == Unread { // start reads the address
		n.Address = r.Fragment
		return n.enter(OnPopState, occasion{place: max(r.Place, 0)})
	}
	if r.Place >= 0 {
		if cmds, known := n.recall(r); known {
			return cmds
		}
		if n.Entry == Unpacking && n.history.places.has(r.Place) { // the viewer doesn't follow the link
			n.Address = r.Fragment
			return n.goToEntry(r.Place)
		}
		return n.showEntry(r, false)
	}
	// The viewer has written the address, or has followed a link to this page.
	r.Place = n.Number() + 1
	n.history.cut(r.Place)
	cmds := n.showEntry(r, true)
	return append(cmds, Push{r.Place, n.Address, true})
}

// showEntry opens what the entry is about that the browser shows now. Typed tells that the browser has made the
// entry.
func (n *Model) showEntry(r Returned, typed bool) []desk.Cmd {
	a, err := address.Read(r.Fragment)
	_, packed, bad := address.Packed(r.Fragment)
	shown := n.current()
	_, unpacked, _ := address.Packed(n.Address)
	l := n.desk.Lesson()
	reads := l.Open && l.Name == a.Source.Lesson
	stop, has := 0, false
	if reads {
		stop, has = l.Find(Moment(a.Moment))
	}
	switch err = cmp.Or(err, bad); {
	case err != nil:
		n.enter(OnLanded, occasion{place: r.Place})
		cmds := n.refuseLink(err, a)
		return append(cmds, Push{r.Place, n.Address, true})
	case a.Source != shown.Source || r.Fragment != n.Address && (packed || unpacked) || n.Entry == Unpacking,
		typed && reads && !slices.Equal(a.Chosen, l.Chosen):
		n.Address = r.Fragment
		var cmds []desk.Cmd
		switch {
		case packed:
			return n.followLink(r.Fragment, r.Place)
		case a.Opens():
			cmds = n.followLink(r.Fragment, r.Place)
		default:
			cmds = n.leaveCourse()
		}
		n.enter(OnLanded, occasion{place: r.Place})
		return cmds
	case a.Source.Loop:
		n.Address = r.Fragment
		n.enter(OnLanded, occasion{place: r.Place})
		return n.desk.GoBeat(beat(&a))
	case a.Source.Lesson == "":
	case !reads:
		n.desk.WantMoment(Moment(a.Moment))
	case !has:
		n.doc.Failure = n.desk.Unknown(&a)
	case stop != l.Stop:
		n.Address = r.Fragment
		n.enter(OnLanded, occasion{place: r.Place})
		return n.desk.GoStop(stop)
	}
	n.Address = r.Fragment
	if !typed {
		return n.goToEntry(r.Place)
	}
	n.enter(OnNoted, occasion{place: n.Number()})
	if a.Source.Lesson == "" && len(a.Steps) > 0 {
		return n.FollowAddress(&a)
	}
	if f := n.desk.Unknown(&a); f != nil {
		n.doc.Failure = f
	}
	return nil
}

// followLink opens what a fragment leads to, and the bundled trace for one that leads nowhere.
// Place is the number of the entry that has it.
func (n *Model) followLink(fragment string, place int) []desk.Cmd {
	switch _, packed, err := address.Packed(fragment); {
	case err != nil:
		return n.refuseLink(err, address.Address{})
	case packed:
		return n.enter(OnPacked, occasion{place: place, packed: fragment})
	}
	a, err := address.Read(fragment)
	return n.followAddress(a, err, fragment)
}

// Unpacked takes in what a packed fragment says.
func (n *Model) Unpacked(u Unpacked) []desk.Cmd {
	if n.Entry == Unpacking && n.packed != address.Pack(u.Data) {
		return nil // it is of a link before that one
	}
	return n.enter(OnUnpacked, occasion{unpacked: &u, place: n.history.stray})
}

// followUnpacked follows what the fragment says that was unpacked. Place is the number of the entry that has it.
func (n *Model) followUnpacked(u *Unpacked, place int) []desk.Cmd {
	a, err := address.Read("#" + u.Text)
	if u.Failed || err == nil && !a.Opens() {
		err = address.ErrBroken
	}
	cmds := n.followAddress(a, err, n.packed)
	n.enter(OnLanded, occasion{place: place})
	return append(cmds, Push{place, n.Address, true})
}

// followAddress opens what an address names, or says why it can't be read.
func (n *Model) followAddress(a address.Address, err error, fragment string) []desk.Cmd {
	if err == nil && a.Source.Library != "" && !slices.Contains(Scripts, a.Source.Library) {
		err = address.ErrPath
	}
	switch {
	case err != nil:
		return n.refuseLink(err, a)
	case !a.Opens():
		n.Plays = cmp.Or(a.Profile, n.Plays) // it is for what the viewer opens next
		return append(n.desk.Speak(a.Page.Lang), n.desk.Open(n.home())...)
	}
	cmds := n.desk.Speak(a.Page.Lang)
	n.Address = fragment
	if a.Source.IsFile() {
		s := Bundled
		s.Link = fragment
		cmds = append(cmds, n.desk.Open(s)...)
		n.Expect(&Expected{Name: a.Source.File, Size: a.Source.Size, link: a})
	} else {
		cmds = append(cmds, n.openAt(a, fragment, 0)...)
	}
	if a.Strange {
		n.Notice = Failure("fail.linkStrange")
	}
	return cmds
}

// refuseLink says why a link can't be followed. Where nothing is open yet, it opens the bundled trace.
// A file that has the link is not opened, so what was open before stays.
func (n *Model) refuseLink(err error, a address.Address) []desk.Cmd {
	carried := n.fromFile
	cmds := n.travel(OnMisled, occasion{})
	switch err {
	case address.ErrLesson:
		cmds = append(cmds, n.noLesson(a.Source.Lesson)...)
	case address.ErrNewer:
		n.doc.Failure = Failure("fail.linkNewer")
	case address.ErrLong:
		n.doc.Failure = Failure("fail.linkLong")
	case address.ErrPath:
		n.doc.Failure = Failure("fail.linkPath")
	default:
		n.doc.Failure = Failure("fail.linkBroken")
	}
	if carried {
		n.fromFile = false
		cmds = append(cmds, n.desk.Send(link.Cancel{})...)
	}
	return cmds
}

// leaveCourse opens again what was open before the lesson, or else the bundled trace.
func (n *Model) leaveCourse() []desk.Cmd { return n.resume(n.beforeCourse, true, n.beforeFiles) }

// noLesson says that there is no lesson of a name, and shows the course.
func (n *Model) noLesson(name string) []desk.Cmd {
	n.doc.Failure = Failure("fail.noLesson", "name", Shorten(name))
	return n.desk.OpenCourse()
}

// RefuseLesson says why a lesson of the course isn't open, and opens again what was open before.
func (n *Model) RefuseLesson(why *link.Failure) []desk.Cmd {
	name := n.doc.Source.Lesson()
	n.Address = ""
	n.Refused()
	cmds := append([]desk.Cmd{Push{n.Number(), "", true}}, n.leaveCourse()...)
	n.Replaced()
	n.doc.Failure = why
	if why.Sentence.ID != "fail.open" {
		return cmds
	}
	return append(cmds, n.noLesson(name)...)
}

// ReopenLesson opens a lesson in the place of what is open, with no entry of its own in the browser's
// history. Where that is on its way yet, the way that leads on stays, and what was chosen.
func (n *Model) ReopenLesson(s Source) []desk.Cmd {
	var goal *address.Address
	if n.doc.Loading {
		goal, s.Chosen = n.Goal, cmp.Or(n.doc.Source.Chosen, s.Chosen)
	}
	cmds := n.desk.Open(s)
	if goal != nil {
		cmds = append(cmds, n.FollowAddress(goal)...)
	}
	n.Replaced()
	return cmds
}

// Offer opens the trace that the page around this one has sent, as soon as the page is set up.
func (n *Model) Offer(o Offered) []desk.Cmd { return n.travel(OnOffered, occasion{offer: &o}) }

// openOffer opens the trace that the page around this one has sent. The first release played any trace
// as v0.22, and its moments and steps are counted there, so a trace with one is still played so.
func (n *Model) openOffer(o *Offered) []desk.Cmd {
	n.chosen++
	s := Source{Name: TidyName(o.Title), Size: o.Size, Files: n.chosen, Offered: true}
	if o.Time != "" || o.Step > 0 {
		s.Profile = "classic"
	}
	cmds := n.desk.Open(s)
	n.FollowAddress(&address.Address{Source: address.Source{File: s.Name}, Steps: []link.PathStep{{Moment: o.Time, Step: o.Step}}})
	return cmds
}

// Choose opens the files that the viewer has chosen. Name is "" for what was pasted.
func (n *Model) Choose(name string, size int64) []desk.Cmd {
	n.chosen++
	return n.travel(OnChose, occasion{source: &Source{Name: name, Size: size, Files: n.chosen}})
}

// openChosen opens the files, or has them stand beside what is open where the viewer wants that.
func (n *Model) openChosen(s *Source) []desk.Cmd {
	if n.desk.Surroundings().Dialog == "second" {
		return n.desk.CaptureBeside(*s)
	}
	return n.desk.Open(*s)
}

// Expected is a file that a link needs and only the viewer has.
type Expected struct {
	Name   string          // "" for what was pasted
	Size   int64           // in bytes, 0 where that isn't known
	Second bool            // it stands beside what is open
	link   address.Address // that is followed as soon as the file is open, unless Second
}

// Expect asks for a file.
func (n *Model) Expect(x *Expected) { n.travel(OnMissing, occasion{file: x}) }

// openExpected opens the file that was asked for, and goes where the link leads that has asked for it. Or
// it has the file stand beside what is open.
func (n *Model) openExpected(s *Source) []desk.Cmd {
	x := n.Expected
	var other *link.Failure
	if x.Size > 0 && x.Size != s.Size || x.Name != "" && x.Name != s.Name {
		other = Failure("fail.otherFile", "name", s.Name, "wanted", x.Name)
	}
	if x.Second {
		if n.Expected = nil; other != nil {
			n.doc.Failure = other
		}
		return n.desk.CaptureBeside(*s)
	}
	s.Link = n.Address
	cmds := n.desk.Open(*s)
	n.FollowAddress(&x.link)
	n.Notice = other
	return cmds
}
