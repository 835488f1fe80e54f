// Package navigation is how the viewer comes to what is open: by a file, a link, a reload, or Back and
// Forward. Three tables say what can happen to it: where the viewer is on the way (the journey), what
// the browser's entry is about (the entry), and whether a move makes another entry (the jump).
package navigation

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Model is where the viewer is on the way to what is open, and what the browser's history has of it.
type Model struct {
	desk Desk
	doc  *Document

	Journey  State
	Entry    State
	Jump     State
	Address  string           // the fragment that the page's address has
	Expected *Expected        // the file that a link needs and only the viewer has, nil for none
	Goal     *address.Address // while bound or travelling: where the viewer is led
	Notice   *link.Failure    // what is to be said there, nil for nothing
	Used     bool             // the viewer has used the microscope
	Plays    string           // the version of client-go as which the viewer's own captures are played, "" for the newest

	leg          int // the next of the legs to the goal
	history      history
	packed       string           // while unpacking: the fragment
	beforeCourse *address.Address // what would bring back what was open before the course's lessons
	beforeFiles  int              // the number of the choice of files that beforeCourse needs
	offer        *Offered         // a trace that was offered before the page was set up
	chosen       int              // how often files were chosen
	fromFile     bool             // what is being opened is a file with a link, which is followed in its place

	impossible string // what the console is to be told
	watch      func(s State, on Event)
}

// Desk is what navigation knows of the rest of the model, and does to it.
type Desk interface {
	desk.Desk

	// Open forgets what is open, and has the worker open something else. It calls Opens and Document.Next.
	Open(Source) []desk.Cmd
	// SetUp runs what is open with the setup that an address has, unless it is run so.
	SetUp(*address.Address) []desk.Cmd
	// ShowInformer shows the informer with a number.
	ShowInformer(int) []desk.Cmd
	// StandBeside has a second machine stand beside the one shown. Files is the number of the choice of
	// files that it needs, 0 for none.
	StandBeside(x link.Second, files int) []desk.Cmd
	// CaptureBeside has a capture stand beside the one shown.
	CaptureBeside(Source) []desk.Cmd
	// Arrive takes over what else an address says about what is shown, apart from the moment.
	Arrive(*address.Address) []desk.Cmd
	// NextHit goes to the next step at which the expression comes about that is searched.
	NextHit() []desk.Cmd
	// RefuseLine shows what is wrong with a line of a link.
	RefuseLine(*link.LineFailure)

	// CurrentAddress returns what would bring the viewer back to what is shown, nil where nothing can.
	CurrentAddress() *address.Address
	// Unknown returns a failure that tells the first name in an address which what is open doesn't have,
	// or nil.
	Unknown(*address.Address) *link.Failure

	// Beat returns the number of the loop's beat that is shown, from 1.
	Beat() int
	// GoBeat goes to a beat of the loop, from 1, as soon as that is open.
	GoBeat(int) []desk.Cmd

	// Lesson returns the lesson that is open.
	Lesson() Lesson
	// BeginLesson opens a lesson of the course on a path, at a moment, with the lines of its script in which
	// another value is chosen.
	BeginLesson(path, name, moment string, chosen []string) []desk.Cmd
	// WantMoment has the lesson that is being opened begin at a moment.
	WantMoment(string)
	// GoStop goes to a stop of the lesson.
	GoStop(int) []desk.Cmd
	// OpenCourse shows the list of lessons.
	OpenCourse() []desk.Cmd

	// Measure takes over an address's unit of steps and axis of the timeline.
	Measure(*address.Address)
	// Speak has the page speak a language, if it can and speaks another one.
	Speak(lang string) []desk.Cmd
}

// Lesson is the lesson that is open, as far as addresses name it.
type Lesson struct {
	Open   bool
	Name   string
	Path   string // the way through the course that the reader goes, "" for all of it
	Stop   int
	Moment string   // of the stop
	Chosen []string // the lines of its script in which another value is chosen
	// Find returns the stop of a moment, as Moment writes it. It reports false if the lesson has no such moment.
	Find func(moment string) (stop int, has bool)
}

// keptChoices is the number of the last choice of files from before the page was loaded again: 0 is what
// was shown, and 1 the capture beside it.
const keptChoices = 1

// New returns the Model with which a page begins. Doc is what is open.
func New(d Desk, doc *Document) Model {
	return Model{
		desk: d, doc: doc,
		Journey: Unbegun, Entry: Unread, Jump: Settled,
		history: history{places: placesFrom(0)},
		chosen:  keptChoices,
	}
}

// Watch calls f with each event, and the state in which it comes.
func (n *Model) Watch(f func(s State, on Event)) { n.watch = f }

// occasion is what there is to know of an event.
type occasion struct {
	address  *address.Address // what would bring back what was open before a reload
	files    bool             // the browser has given its files again
	offer    *Offered
	source   *Source
	goal     *address.Address
	file     *Expected
	place    int // the number of the entry
	packed   string
	unpacked *Unpacked
}

// ReportImpossible is called at an event that can't come, unless it is nil. Tests end there.
var ReportImpossible func(what string)

// happen moves a state of n, and carries out what follows. All that changes them goes through here.
func (n *Model) happen(s *State, on Event, o occasion) []desk.Cmd {
	if n.watch != nil {
		n.watch(*s, on)
	}
	to, do := s.Transition(on)
	if to == 0 {
		n.impossible = "impossible: " + on.String() + " comes to a navigation that is " + s.String()
		if ReportImpossible != nil {
			ReportImpossible(n.impossible)
		}
		return nil
	}
	*s = to
	return n.carryOut(do, o)
}

func (n *Model) travel(on Event, o occasion) []desk.Cmd { return n.happen(&n.Journey, on, o) }

func (n *Model) enter(on Event, o occasion) []desk.Cmd { return n.happen(&n.Entry, on, o) }

func (n *Model) leap(on Event) []desk.Cmd { return n.happen(&n.Jump, on, occasion{}) }

// carryOut carries out what follows from an event.
func (n *Model) carryOut(what Act, o occasion) []desk.Cmd {
	h := &n.history
	switch what {
	case DoStart:
		return n.start(o.address, o.files)
	case DoKeep:
		n.offer = o.offer
	case DoOffered:
		return n.openOffer(o.offer)
	case DoPart:
		n.rememberVisit(o.goal)
	case DoAim:
		n.Goal, n.leg = o.goal, 0
	case DoStepTowards:
		n.Goal, n.leg, n.Expected = o.goal, 0, nil
		return n.lead()
	case DoLead:
		return n.lead()
	case DoRedirect:
		n.Expected.link = *o.goal
	case DoStop:
		n.Goal = nil
	case DoAsk:
		n.Expected = o.file
		n.desk.SetDialog("expected")
	case DoChoose:
		return n.openChosen(o.source)
	case DoTake, DoPair:
		return n.openExpected(o.source)
	case DoDrop:
		n.Expected = nil
	case DoBundled:
		return n.desk.Open(Bundled)
	case DoRemember:
		h.places.first = o.place
	case DoForget:
		n.restart(o.place)
	case DoArrive:
		if !h.places.has(o.place) {
			n.restart(o.place)
		}
		h.places.current = o.place - h.places.first
	case DoStray:
		h.stray = o.place
	case DoUnpack:
		h.stray, n.packed = o.place, o.packed
		data, _, _ := address.Packed(o.packed)
		return []desk.Cmd{Unpack{data}}
	case DoFollow:
		return n.followUnpacked(o.unpacked, o.place)
	case DoShowPlace:
		return n.goToPlace(o.place)
	case DoNote:
		h.places.add(o.place, n.currentPlace())
		h.cut(n.Number())
		return []desk.Cmd{Push{n.Number(), n.Address, false}}
	case DoPush:
		h.places.first++
		h.cut(h.places.first)
		n.Address = n.fragment()
		return []desk.Cmd{Push{n.Number(), n.Address, false}}
	case DoUpdateAddress:
		if now := n.fragment(); now != n.Address {
			n.Address = now
			return []desk.Cmd{Push{n.Number(), now, true}}
		}
	case DoJump:
		return n.enter(OnNoted, occasion{place: n.Number()})
	case DoLeave:
		h.places.all[h.places.current] = n.currentPlace()
	}
	return nil
}

// Publish tells the browser, and the console, what a message has changed.
func (n *Model) Publish() []desk.Cmd {
	cmds := n.enter(OnMessage, occasion{})
	if n.impossible != "" {
		cmds = append(cmds, desk.Complain{Text: n.impossible})
		n.impossible = ""
	}
	return cmds
}

// Opens takes in that something else is opened.
func (n *Model) Opens() {
	n.travel(OnOpens, occasion{goal: n.CurrentAddress()})
	n.enter(OnNew, occasion{place: n.Number()})
}

// Opened takes in that the worker knows what it holds.
func (n *Model) Opened() { n.travel(OnOpened, occasion{}) }

// Refused takes in that the worker could not open it.
func (n *Model) Refused() { n.travel(OnRefused, occasion{}) }

// StepShown goes on when a step is shown.
func (n *Model) StepShown() []desk.Cmd { return n.travel(OnShown, occasion{}) }

// Elsewhere ends the way to the goal: the viewer goes on from here.
func (n *Model) Elsewhere() { n.travel(OnElsewhere, occasion{}) }

// Dismissed takes in that the viewer has closed a dialog.
func (n *Model) Dismissed() { n.travel(OnDismissed, occasion{}) }

// Replaced makes what was opened a part of the entry that the browser shows.
func (n *Model) Replaced() { n.enter(OnReplaced, occasion{}) }

// RequestSent takes in that the worker is asked to move the machine: by OnRequest, or by OnAskedMark to a mark or a hit.
func (n *Model) RequestSent(how Event) { n.leap(how) }

// RequestsDone takes in that the worker has answered all that it was asked.
func (n *Model) RequestsDone() { n.leap(OnRequestsDone) }

// Leave notes that the viewer jumps to another place: by OnJump, by OnMark to a mark or a hit, or
// by OnDragStart and OnDragEnd of the timeline. What follows before a jump is answered is a part of it.
func (n *Model) Leave(how Event) []desk.Cmd {
	if n.desk.Surroundings().Frame == nil {
		return nil
	}
	return n.leap(how)
}

// States names the states of the three tables.
func (n *Model) States() string {
	return n.Journey.String() + " " + n.Entry.String() + " " + n.Jump.String()
}

// View is a way to look at what is open.
type View string

// The views.
const (
	Loop       View = "loop"       // five parts, and what the cluster and the cache have: for who comes to understand
	Card       View = "card"       // what a capture is, and what is wrong in it
	Microscope View = "microscope" // every station with all that it holds, step by step
)

// Kind is what something that is opened is to the page.
type Kind uint8

// The kinds.
const (
	AtVisit     Kind = iota // the page opens it by itself for a viewer who has never used the microscope, or a link names the loop
	AtReturn                // the page opens it by itself for a viewer who has used the microscope
	OfFile                  // the viewer has chosen a capture
	OfOffer                 // the page around this one has sent a capture
	OfLink                  // a link leads to a moment of a capture
	OfRecording             // a recording lies on this site
	OfScript                // a script of the library, or one that a link has
	OfLesson                // a lesson of the course
	OfCluster               // a cluster is followed

	numKinds
)

// opens says in which view each kind opens.
var opens = [numKinds]View{
	AtVisit:     Loop,
	AtReturn:    Microscope,
	OfFile:      Card,
	OfOffer:     Microscope,
	OfLink:      Card,
	OfRecording: Card,
	OfScript:    Microscope,
	OfLesson:    Microscope,
	OfCluster:   Microscope,
}

// Kind returns the kind of s.
func (s *Source) Kind() Kind {
	switch folder, _, _ := strings.Cut(s.URL, "/"); {
	case s.Loop:
		return AtVisit
	case s.Lesson() != "":
		return OfLesson
	case address.IsCapture(s.Text):
		return OfLink
	case s.Text != "" || folder == "scripts":
		return OfScript
	case s.Offered:
		return OfOffer
	case s.Link != "":
		return OfLink
	case address.IsLive(s.URL) || s.URL == "" && s.Files == 0:
		return OfCluster
	case s.URL == Bundled.URL:
		return AtReturn
	case s.URL == "":
		return OfFile
	}
	return OfRecording
}

// home returns what the page opens by itself.
func (n *Model) home() Source {
	if n.Used {
		return Bundled
	}
	return Story
}
