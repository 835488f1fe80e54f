package navigation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// CurrentAddress returns what would bring the viewer back to what is shown, or nil where nothing
// can. A cluster that is followed can't be brought back, because its events are over. A
// lesson of the course is in the page's address, so it is what was open before that.
func (n *Model) CurrentAddress() *address.Address {
	if n.doc.Source.Lesson() != "" {
		return n.beforeCourse
	}
	switch n.Journey {
	case Bound, Travelling: // reloaded again before the viewer was there
		return n.Goal
	case Arrived:
		return n.desk.CurrentAddress()
	}
	return nil
}

// StayFiles returns the numbers of the choices of files that CurrentAddress needs: for what is shown, and for
// the capture beside it. It is -1 for none.
func (n *Model) StayFiles() (first, second int) {
	first, second = -1, -1
	s := n.CurrentAddress()
	if s == nil {
		return first, second
	}
	if s.Source.IsFile() {
		if first = n.doc.Source.Files; n.doc.Source.Lesson() != "" {
			first = n.beforeFiles
		}
	}
	if s.NeedsFile() {
		second = s.Files
	}
	return first, second
}

// openAt opens a and then travels to its position. The page's address keeps fragment, "" for the
// usual one. Files is the number of the choice of files, or 0 if a is not a local file.
func (n *Model) openAt(a address.Address, fragment string, files int) []desk.Cmd {
	n.desk.Measure(&a)
	if a.Source.Lesson != "" {
		cmds := n.desk.BeginLesson(a.Page.Path, a.Source.Lesson, Moment(a.Moment), a.Chosen)
		n.FollowAddress(&a)
		return cmds
	}
	s := sourceOf(&a.Source)
	if s.Loop {
		cmds := n.desk.Open(s)
		return append(cmds, n.desk.GoBeat(beat(&a))...)
	}
	s.Link = fragment
	var cmds []desk.Cmd
	if s.URL == "" && s.Text == "" {
		s.Files = files
		cmds = append(cmds, Rechoose{N: files})
	}
	s.Chosen = strings.Join(a.Chosen, "\n")
	cmds = append(cmds, n.desk.Open(s)...)
	n.FollowAddress(&a)
	n.desk.WantMoment(Moment(a.Moment))
	return cmds
}

// Blank is a lesson beside which a text is edited that is none yet.
const Blank = "---\nminutes: 5\n---\n\n# Lesson\n\nText.\n\n```script\nprofile current\ninformer pods\nrun\n```\n\nText.\n"

// Mend opens the editor with the text of a lesson that could not be opened, and says why it could not.
func (n *Model) Mend(why link.Failure) []desk.Cmd {
	cmds := n.openAt(address.Address{Source: address.Source{Script: Blank}, Draft: why.Draft}, "", 0)
	why.Draft = ""
	n.Notice = &why
	return cmds
}

// FollowAddress leads the viewer to where an address says, as soon as that is open.
func (n *Model) FollowAddress(a *address.Address) []desk.Cmd {
	return n.travel(OnBound, occasion{goal: a})
}

// lead takes the next legs of the way to the goal. When one has moved the machine, the next one begins as soon
// as the machine has answered. It does nothing until the machine stands still, and a lesson at its moment.
func (n *Model) lead() (cmds []desk.Cmd) {
	goal := n.Goal
	if r := n.desk.Surroundings(); r.Loading || r.Moving || !n.atMoment(goal) {
		return nil
	}
	n.Notice = cmp.Or(n.Notice, n.desk.Unknown(goal))
	legs := [...]func(*address.Address) []desk.Cmd{n.desk.SetUp, n.showInformer, n.standBeside, n.arrive}
	for n.leg < len(legs) && !n.desk.Surroundings().Moving {
		leg := legs[n.leg]
		n.leg++
		cmds = append(cmds, leg(goal)...)
	}
	return cmds
}

// atMoment reports whether what is open stands at the moment of the goal, if that is a lesson's.
func (n *Model) atMoment(goal *address.Address) bool {
	s := &goal.Source
	if s.Lesson == "" && !lesson.IsLesson(s.Script) && (s.File == "" || goal.Moment == "") {
		return true
	}
	l := n.desk.Lesson()
	if !l.Open || s.Lesson != "" && l.Name != s.Lesson {
		return false
	}
	stop, _ := l.Find(Moment(goal.Moment))
	return stop == l.Stop
}

func (n *Model) showInformer(goal *address.Address) []desk.Cmd {
	open := n.doc.Trace
	i := slices.IndexFunc(open.Informers, func(x link.Informer) bool { return x.Name == goal.Informer })
	if goal.Informer == "" || i < 0 || i == open.Informer {
		return nil
	}
	return n.desk.ShowInformer(i)
}

// standBeside puts the goal's second machine beside the one shown. A future is made on the last leg.
func (n *Model) standBeside(goal *address.Address) []desk.Cmd {
	if _, future := goal.Second.(link.SecondLane); future || goal.Second == nil {
		return nil
	}
	next := n.leg
	cmds := n.desk.StandBeside(goal.Second, goal.Files)
	if n.desk.Surroundings().Moving { // the move has ended the way
		cmds = append(cmds, n.FollowAddress(goal)...)
		n.leg = next
	}
	return cmds
}

// arrive takes over what else the goal says, and makes the last move, to its moment.
func (n *Model) arrive(goal *address.Address) []desk.Cmd {
	n.travel(OnArrived, occasion{})
	cmds := n.desk.Arrive(goal)
	if n.doc.Failure == nil {
		n.doc.Failure, n.Notice = n.Notice, nil
	}
	q := link.Travel{Path: goal.Steps, Key: goal.Object.Key, RV: goal.Object.RV}
	if future, is := goal.Second.(link.SecondLane); is {
		q.Second = &future
	}
	lanes := n.desk.Surroundings().Lanes
	switch moves := len(q.Path); {
	case q.Second != nil || q.Key != "":
	case moves == 1 && q.Path[0].Moment == "" && q.Path[0].Line == "" && (lanes == nil || lanes.Shown == lanes.List[0].ID):
		if q.Path[0].Step > 0 {
			cmds = append(cmds, n.desk.Move(link.Seek{Step: q.Path[0].Step})...)
		}
		return cmds
	case moves == 0:
		if goal.Search != "" { // a link that says what it is about, and not when that is
			cmds = append(cmds, n.desk.NextHit()...)
		}
		return cmds
	}
	return append(cmds, n.desk.Move(q)...)
}

// Traveled takes in how the way of a link went.
func (n *Model) Traveled(t *link.Traveled) []desk.Cmd {
	switch {
	case t.Address != "":
		n.fromFile = true
		cmds := n.followLink(t.Address, n.Number())
		n.Replaced() // the entry of the file that has the link
		return append(cmds, Push{n.Number(), n.Address, true})
	case t.Failure != nil:
		n.desk.RefuseLine(t.Failure)
		n.doc.Failure = Failure("fail.linkLine", "line", t.Failure.Text)
		n.doc.Failure.Reason = t.Failure.Reason
	case t.Lost:
		n.doc.Failure = Failure("fail.linkLost")
	}
	return nil
}
