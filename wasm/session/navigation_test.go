package session

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// An event that can't come in its state stops the test.
func init() { navigation.ReportImpossible = func(what string) { panic(what) } }

// transition is an event and the state in which it comes.
type transition struct {
	from navigation.State
	on   navigation.Event
}

// stroll does at random what viewers, browsers and workers may do.
type stroll struct {
	*visit
	r     *rand.Rand
	taken map[transition]int

	packed []string // what the browser is unpacking
	stage  int      // how much of what is being opened the page was told
	openID int      // of what is being opened
	shown  bool     // the worker has something open
	gone   bool     // it has ended
	last   []string // what has happened
}

// strolled are the links that a stroll follows.
var strolled = []string{
	"", "#library=11-resync", "#library=11-resync&step=4", "#library=11-resync&step=9", "#url=captures/a.json&step=7", "#url=captures/a.json&step=8",
	"#trace=shop&informer=nodes&workers=5&step=12", "#trace=shop&beside=profile&profile=delta&step=3", "#trace=shop&beside=capture&file=b.json&step=3",
	"#trace=shop&beside=capture&file=b.json&step=8", "#trace=shop&beside=capture&trace=shop&step=8", "#lesson=ghost", "#lesson=ghost&at=popped", "#lesson=tombstone",
	"#lesson=..", "#url=//example.org/x.json", "#s1:abc", "#s1:def", "#s2:abc", "#file=a.json&size=5&step=3", "#file=a.json&size=5&step=8",
}

// packedTexts are what is packed in the links that are.
var packedTexts = map[string]string{"abc": "library=11-resync&step=4", "def": "lesson=ghost&at=popped"}

// start loads the page, with what was kept of the one before, or nil.
func (w *stroll) start(stay *address.Address, files bool) {
	w.game = &game{t: w.t, m: full()}
	w.m.Nav.Watch(func(s navigation.State, on navigation.Event) { w.taken[transition{s, on}]++ })
	w.packed, w.stage, w.openID, w.shown, w.gone = nil, 0, 0, false, false
	if w.r.IntN(4) == 0 {
		w.deliver(navigation.Offered{Title: "offered", Size: 3, Step: 2})
	}
	w.deliver(w.entries[w.at], Started{Address: stay, Files: files}, Spoke{"en", map[string]string{"step.start": "Nothing yet."}})
}

// deliver has messages come, and carries out what follows.
func (w *stroll) deliver(messages ...Msg) {
	for _, msg := range messages {
		w.last = append(w.last, fmt.Sprintf("%T%+v", msg, msg))
		if r, is := msg.(Replied); is {
			w.last[len(w.last)-1] = regexp.MustCompile(`\w+:<nil> ?`).ReplaceAllString(fmt.Sprintf("%+v", *r.Reply), "")
		}
		w.do(msg)
		w.last = append(w.last, fmt.Sprintf("	%s %s %s, %+v", w.m.Nav.Journey, w.m.Nav.Entry, w.m.Nav.Jump, w.cmds))
		for _, c := range w.cmds {
			switch c := c.(type) {
			case navigation.Unpack:
				w.packed = append(w.packed, c.Data)
			case navigation.Traverse:
				w.turn(c.Delta)
			case Restart:
				w.gone, w.shown = false, false
			}
		}
	}
}

// turn has the browser go back or forward.
func (w *stroll) turn(by int) {
	if to := w.at + by; to >= 0 && to < len(w.entries) {
		w.at = to
		w.deliver(w.entries[to])
	}
}

// follow follows a link to this page.
func (w *stroll) follow(fragment string) {
	if w.entries[w.at].Fragment == fragment {
		return
	}
	w.at++
	w.entries = append(w.entries[:w.at:w.at], navigation.Returned{Place: -1, Fragment: fragment})
	w.deliver(w.entries[w.at])
}

func (w *stroll) reply(r link.Reply) { w.deliver(Replied{&r}) }

// frame shows a step.
func (w *stroll) frame(id int) {
	w.reply(link.Reply{ID: id, News: &link.Frame{Step: w.r.Int64N(100), Steps: 100, Complete: true, Dir: 1}})
}

// opened says what is open.
func (w *stroll) opened(id int, name string) {
	w.reply(link.Reply{ID: id, News: &link.Opened{Name: name, Script: strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".md"), Complete: true,
		Profiles: []link.Profile{{Name: "classic"}, {Name: "delta"}}, Informers: []link.Informer{{Name: "pods"}, {Name: "nodes"}}}})
}

// refuse says that what was to be opened isn't, and shows what was open before.
func (w *stroll) refuse(id int, why string) {
	w.stage = 9
	w.reply(link.Reply{ID: id, News: &link.Failure{Sentence: link.Sentence{ID: why}}})
	if w.shown && w.stage == 9 && w.m.ask.openID == w.openID {
		w.opened(w.openID, "before")
		w.frame(w.openID)
	}
}

// late tells what the worker had to tell of what was open before the page asked for something else.
func (w *stroll) late(before int) {
	w.opened(before, "before")
	w.frame(before)
	w.reply(link.Reply{ID: before, News: &link.Progress{Phase: link.Done}})
	if w.m.Open.Trace != nil || w.m.Stage.Frame != nil || w.m.ask.complete {
		w.t.Errorf("the page takes news of request %d for news of request %d", before, w.m.ask.openID)
	}
}

// work has the worker answer something.
func (w *stroll) work() {
	if w.gone {
		return
	}
	if id := w.m.ask.openID; id != w.openID { // it was asked for something else
		before := w.openID
		w.openID, w.stage = id, 0
		if before != 0 {
			w.late(before)
		}
	}
	i := slices.IndexFunc(w.sent, func(r link.Request) bool { return r.ID == w.openID })
	if i >= 0 && w.stage < 4 {
		if slices.ContainsFunc(w.sent[i:], func(r link.Request) bool { _, is := r.Op.(link.Cancel); return is }) && w.stage == 0 {
			w.refuse(w.sent[len(w.sent)-1].ID, "fail.withdrawn")
			return
		}
		q := w.sent[i].Op.(link.Open)
		name := cmp.Or(q.Name, "a")
		lesson, is := strings.CutSuffix(name, ".md")
		w.stage++
		switch w.stage {
		case 1:
			switch n := w.r.IntN(10); {
			case strings.HasSuffix(name, ".link.txt"):
				w.stage = 9
				w.reply(link.Reply{ID: w.openID, News: &link.Traveled{Address: strolled[1+w.r.IntN(len(strolled)-1)]}})
			case n == 0:
				w.refuse(w.openID, "fail.open")
			default:
				w.shown = true
				w.opened(w.openID, name)
			}
		case 2:
			w.frame(w.openID)
		case 3:
			if is {
				w.reply(link.Reply{ID: w.openID, News: &link.Lesson{Name: lesson, Stops: []int{0, 1, 3}, Parts: []link.LessonPart{
					{Kind: "paragraph"}, {Kind: "script", Label: "popped"}, {Kind: "paragraph"}, {Kind: "paragraph"}}}})
			}
			w.reply(link.Reply{ID: w.openID, News: &link.Progress{Phase: link.Done}})
		case 4:
			w.frame(w.openID)
		}
		return
	}
	id := w.m.ask.moving
	i = slices.IndexFunc(w.sent, func(r link.Request) bool { return id != 0 && r.ID == id })
	if i < 0 {
		return
	}
	switch q := w.sent[i].Op.(type) {
	case link.SetUp, link.ShowInformer:
		w.opened(id, w.m.Open.Name)
		w.frame(id)
		w.reply(link.Reply{ID: w.openID, News: &link.Progress{Phase: link.Done}})
		w.frame(w.openID)
		return
	case link.GoStop:
		w.reply(link.Reply{ID: id, News: &link.Stopped{Stop: q.Stop}})
	case link.Travel:
		w.reply(link.Reply{ID: id, News: &link.Traveled{Lost: w.r.IntN(2) == 0}})
	}
	w.frame(id)
}

// unpack has the browser unpack a link.
func (w *stroll) unpack() {
	if len(w.packed) == 0 {
		return
	}
	data := w.packed[0]
	w.packed = w.packed[1:]
	w.deliver(navigation.Unpacked{Data: data, Text: packedTexts[data], Failed: w.r.IntN(4) == 0})
}

// act has the viewer do something.
func (w *stroll) act() {
	step := strconv.Itoa(w.r.IntN(100))
	switch n := w.r.IntN(100); {
	case n < 24:
		w.follow(strolled[w.r.IntN(len(strolled))])
	case n < 36:
		w.turn(1 - 2*w.r.IntN(2))
	case n < 39:
		w.deliver(Acted{Act: []string{"visitBack", "visitForward"}[w.r.IntN(2)]})
	case n < 42:
		w.deliver(Chose{Name: []string{"a.json", "b.json", "x.link.txt"}[w.r.IntN(3)], Size: 5})
	case n < 43: // before the first one is shown
		w.deliver(Chose{Name: "a.json", Size: 5}, Chose{Name: "x.link.txt", Size: 5})
		w.turn(-1)
	case n < 44:
		w.deliver(Acted{Act: "second"}, Chose{Name: "b.json", Size: 5})
	case n < 46:
		w.deliver(Acted{Act: []string{"bundled", "cancel"}[w.r.IntN(2)]})
	case n < 47:
		w.deliver(Acted{Act: "script", Arg: "11-resync"})
	case n < 48:
		w.deliver(Acted{Act: "lesson", Arg: "ghost.md"})
	case n < 49:
		w.deliver(navigation.Offered{Title: "offered", Size: 3, Step: 2})
	case n < 50:
		w.deliver(Acted{Act: "lang", Arg: []string{"en", "zh"}[w.r.IntN(2)]}, Spoke{"zh", map[string]string{"step.start": "-"}})
	case n < 53:
		w.deliver(Acted{Act: "palette"}, Acted{Act: "close"})
	case n < 56:
		w.deliver(Acted{Act: "close"})
	case n < 66:
		w.deliver(Acted{"seek", step, ""})
	case n < 72:
		w.deliver(Pressed{Key: "m"})
	case n < 76:
		w.deliver(Pressed{Key: "ArrowRight"})
	case n < 86:
		w.deliver(Scrubbed{w.r.Float64(), w.r.IntN(3) > 0})
	case n < 88:
		w.deliver(Pressed{Key: "i"})
	case n < 90 && w.m.Open.Trace != nil:
		w.deliver(Acted{Act: "setup", Arg: "workers", Value: strconv.Itoa(1 + w.r.IntN(8))}, Acted{Act: "applySetup"})
	case n < 91:
		w.gone = true
		w.deliver(Perished{Reason: "gone"})
	case n < 94:
		w.deliver(Acted{Act: "restart"})
	case n < 97: // a reload
		stay, files := w.m.Nav.CurrentAddress(), w.r.IntN(2) == 0
		if stay != nil {
			a, err := address.Read(stay.String())
			if stay = &a; err != nil || !a.Opens() {
				stay = nil
			}
		}
		w.start(stay, files)
	}
}

// agrees checks that the states are of what is open, and that page and browser have the same
// entry and address.
func (w *stroll) agrees() {
	n := &w.m.Nav
	is := func(s navigation.State, states ...navigation.State) bool { return slices.Contains(states, s) }
	if is(n.Journey, navigation.Travelling, navigation.Arrived, navigation.StandingIn, navigation.Pairing) != (w.m.Open.Trace != nil) {
		w.t.Errorf("%s, with what is open: %v", n.Journey, w.m.Open.Trace != nil)
	}
	if is(n.Journey, navigation.Bound, navigation.Travelling) != (n.Goal != nil) {
		w.t.Errorf("%s, with a moment to go to: %+v", n.Journey, n.Goal)
	}
	if is(n.Journey, navigation.Expecting, navigation.StandingIn, navigation.Pairing) != (n.Expected != nil) {
		w.t.Errorf("%s, with a file that is asked for: %+v", n.Journey, n.Expected)
	}
	if got := (navigation.Returned{Place: n.Number(), Fragment: n.Address}); got != w.entries[w.at] || is(n.Entry, navigation.Fresh, navigation.Unread) {
		w.t.Errorf("%s, the page has the entry %+v, and the browser shows %+v", n.Entry, got, w.entries[w.at])
	}
	if i := slices.IndexFunc(w.entries, func(e navigation.Returned) bool { return e.Place == n.Number() }); i != w.at {
		w.t.Errorf("%s, the browser has the entries %+v, and shows number %d", n.Entry, w.entries, w.at)
	}
}

// TestEveryTransitionIsTaken lets random things happen to a page. No event comes in a state that doesn't have
// it, page and browser agree after each, and every transition of the table is taken.
func TestEveryTransitionIsTaken(t *testing.T) {
	taken := map[transition]int{}
	never := func() (all []string) {
		for _, x := range navigation.All() {
			if taken[transition{x.From, x.Event}] == 0 {
				all = append(all, x.Event.String()+" comes to one that is "+x.From.String())
			}
		}
		return all
	}
	const first = 604
	walk := func(seed uint64) {
		defer func() {
			if x := recover(); x != nil {
				t.Fatalf("seed %d: %v", seed, x)
			}
		}()
		r := rand.New(rand.NewPCG(seed, 1))
		w := &stroll{visit: &visit{game: &game{t: t}, entries: []navigation.Returned{{Place: -1, Fragment: strolled[r.IntN(len(strolled))]}}}, r: r, taken: taken}
		w.start(nil, false)
		for i := range 400 {
			switch n := r.IntN(20); {
			case n < 7:
				w.act()
			case n < 8:
				w.unpack()
			default:
				w.work()
			}
			if w.agrees(); t.Failed() {
				t.Fatalf("seed %d, after %d steps:\n%s", seed, i, strings.Join(w.last[max(0, len(w.last)-16):], "\n"))
			}
		}
	}
	walks := uint64(3000)
	if testing.Short() {
		walks = 20 // they don't take every transition, and hold what they meet
	}
	for n := uint64(0); n < 20 || n < walks && len(never()) > 0; n++ {
		walk(first + n)
	}
	if all := never(); all != nil && !testing.Short() {
		t.Errorf("from seed %d on, never: %s", first, strings.Join(all, ", "))
	}
}

// An event that can't come in its state changes nothing, and the console is told both.
func TestWhatCantHappenToNavigationIsTold(t *testing.T) {
	defer func(f func(string)) { navigation.ReportImpossible = f }(navigation.ReportImpossible)
	navigation.ReportImpossible = nil
	m := New("en", "", -1)
	m.Update(Started{})
	m.Nav.StepShown()
	if m.Nav.Journey != navigation.Opening {
		t.Errorf("it is %s", m.Nav.Journey)
	}
	for _, want := range []int{1, 0} {
		var cmds []Cmd
		if cmds = m.Update(Hid{}); len(cmds) != want || want == 1 && cmds[0] != Cmd(desk.Complain{Text: "impossible: OnShown comes to a navigation that is Opening"}) {
			t.Errorf("the console is told %+v", cmds)
		}
	}
}

// A link in a file takes the entry of the file, packed or not, so Back leads to what was open before.
func TestALinkInAFileHasOneEntry(t *testing.T) {
	for _, fragment := range []string{"#library=11-resync", "#s1:abc"} {
		v := arrive(t, "#url=captures/a.json")
		v.settle()
		v.do(Acted{"seek", "40", ""})
		answer[link.Seek](v.game, 40)
		v.do(Chose{Name: "x.link.txt"})
		v.do(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Traveled{Address: fragment}}})
		v.do(navigation.Unpacked{Data: "abc", Text: "library=11-resync"})
		v.opens("scripts/11-resync.txt")
		v.settle()
		v.addressIs(fragment, 3)
		v.browse(-1)
		v.opens("../captures/a.json")
		v.settle()
		if q := last[link.Seek](v.game); q.Step != 40 {
			t.Errorf("Back goes to step %d", q.Step)
		}
	}
}

// Another moment of what is open, written into the address, is a jump: Back leads to where the viewer was.
func TestAMomentInTheAddressIsAJump(t *testing.T) {
	v := arrive(t, "#library=11-resync")
	v.settle()
	v.do(Acted{"seek", "40", ""})
	answer[link.Seek](v.game, 40)
	v.entries, v.at = append(v.entries, navigation.Returned{Place: -1, Fragment: "#library=11-resync&step=7"}), 2
	v.browse(0)
	answer[link.Seek](v.game, 7)
	v.do(Acted{"seek", "70", ""})
	answer[link.Seek](v.game, 70)
	for _, want := range []int64{7, 40, 0} {
		v.browse(-1)
		if q := last[link.Seek](v.game); q.Step != want {
			t.Errorf("Back goes to step %d, want %d", q.Step, want)
		}
		answer[link.Seek](v.game, want)
	}
	if count[link.Open](v.game) != 1 {
		t.Error("it is opened again")
	}
}

// The moment of what can't be opened is no moment of what is shown in its place.
func TestARefusedLinkLeavesNoMoment(t *testing.T) {
	v := arrive(t, "")
	v.settle()
	v.entries, v.at = append(v.entries, navigation.Returned{Place: -1, Fragment: "#url=captures/a.json&step=7"}), 1
	v.browse(0)
	v.do(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Failure{Sentence: link.Sentence{ID: "fail.open"}}}})
	v.do(Replied{&link.Reply{News: &link.Opened{Name: "before", Complete: true}}}, Replied{&link.Reply{News: &link.Frame{Step: 3, Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	answer[link.Fit](v.game, 3)
	if count[link.Seek](v.game) != 0 {
		t.Errorf("it goes to step %d of what was open before", last[link.Seek](v.game).Step)
	}
	v.fails("fail.open")
}

// Who goes back while a link is unpacked stays with what is open.
func TestBackFromALinkThatIsUnpacked(t *testing.T) {
	v := arrive(t, "")
	v.settle()
	v.do(Chose{Name: "mine.json"})
	v.settle()
	v.entries, v.at = append(v.entries, navigation.Returned{Place: -1, Fragment: "#s1:abc"}), 2
	v.browse(0)
	v.browse(-1)
	v.do(navigation.Unpacked{Data: "abc", Text: "library=11-resync"})
	if q := last[link.Open](v.game); q.Name != "mine.json" || count[link.Open](v.game) != 2 {
		t.Errorf("it opens %+v", q)
	}
	v.addressIs("", 3)
}
