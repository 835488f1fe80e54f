package session

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// OfSecond goes before the Ref of an object version that the second machine alone has.
const OfSecond = "second:"

// Front is what lies in front of the stage: the inspector and the dialogs.
type Front struct {
	Tab      desk.Tab
	last     [len(desk.Groups)]desk.Tab // the view that each group has shown last, "" for none yet
	Sheet    bool                       // on a narrow screen, the inspector is pulled up
	Object   *link.Object
	Unfold   bool   // the object's unchanged lines are shown too
	looked   string // the place where the object version in the inspector was chosen
	Code     bool   // the engine's source for the step stands beside the picture
	Dialog   string // "", "help", "about", "live", "save", "goTo", "link", "expected", "report", "second" …
	Dragging bool   // a file is held over the page
}

// inspect asks for an object version. Arg is its Ref, and place where it was chosen, "" for
// nowhere on the stage.
func (f *Front) inspect(m *Model, arg, place string) []Cmd {
	arg, other := strings.CutPrefix(arg, OfSecond)
	ref, err := strconv.ParseInt(arg, 10, 32)
	if err != nil || ref == 0 {
		return nil
	}
	f.Sheet, f.Unfold, f.looked = true, false, place
	return m.send(link.Inspect{Ref: int32(ref), Other: other}, false)
}

// chooseInformer shows another informer: the one whose number is given, or else the next
// one.
func (m *Model) chooseInformer(arg, value string) []Cmd {
	if m.Open.Trace == nil || len(m.Open.Trace.Informers) < 2 {
		return nil
	}
	n := (m.Open.Trace.Informer + 1) % len(m.Open.Trace.Informers)
	if i, err := strconv.Atoi(arg + value); err == nil && i >= 0 && i < len(m.Open.Trace.Informers) {
		n = i
	}
	o := *m.Open.Trace
	o.Informer = n
	m.Open.Found(&o)
	m.Transport.stop()
	m.Front.release()
	m.Indexer.Drop()
	m.Nav.Forget()
	m.Find.Forget()
	m.Why.Forget()
	mediator{m}.load()
	m.ask.begin() // the worker runs all of it, as it did when it opened it
	cmds := m.move(link.ShowInformer{Informer: n})
	return append(cmds, m.askTimeline()...)
}

// about opens the dialog about the trace.
func (f *Front) about(m *Model) []Cmd {
	if m.Open.Trace != nil {
		f.Dialog = "about"
	}
	return nil
}

func (f *Front) nextTab(m *Model) []Cmd {
	tabs := f.Tabs(m)
	f.turn(tabs[(slices.Index(tabs, f.Tab)+1)%len(tabs)])
	return nil
}

// Tabs are the views that there are at present.
func (f *Front) Tabs(m *Model) []desk.Tab { return desk.Tabs(f.Groups(m)) }

// Groups are the inspector's tabs at present.
func (f *Front) Groups(m *Model) []desk.Group {
	all := desk.Groups[:]
	if m.Lesson.Learning == nil {
		all = all[1:]
	}
	if m.Stage.Log == nil {
		return desk.Without(all, desk.Log)
	}
	return all
}

// chooseGroup shows the view of a group that it has shown last, or else its first one.
func (f *Front) chooseGroup(name string) []Cmd {
	for i, g := range desk.Groups {
		if g.Name == name {
			f.show(cmp.Or(f.last[i], g.Tabs[0]))
		}
	}
	return nil
}

// closes reports whether close has something to close.
func (f *Front) closes(m *Model) bool {
	return f.Dialog != "" || m.Lesson.Handout != nil || m.Lesson.Record != nil || m.Find.Search != nil || m.Hands.Menu != "" || m.Room.On || f.Sheet || m.Open.Failure != nil && m.Stage.Frame != nil
}

// close closes the dialog, the sheet or the notice that is in front.
func (f *Front) close(m *Model) []Cmd {
	switch {
	case f.Dialog == "handout":
		return m.Lesson.DropHandout()
	case f.Dialog == "" && (m.Lesson.Handout != nil || m.Lesson.Record != nil):
		m.Lesson.ClosePaper()
	case f.Dialog != "":
		cmds := m.Save.Stop()
		f.Dialog = ""
		m.Keyboard.change(false, "")
		m.Nav.Dismissed()
		return cmds
	case m.Find.Search != nil:
		return m.Find.End()
	case m.Hands.Menu != "":
		mediator{m}.CloseMenu()
	case m.Room.Spot != "":
		m.Room.unlight()
	case m.Room.On:
		return m.Room.present(m, false)
	case f.Tab == desk.Why:
		return m.Why.Close()
	case f.Sheet:
		f.Sheet = false
	case m.Open.Failure != nil && m.Stage.Frame != nil:
		mediator{m}.Fail(nil)
	}
	return nil
}

// ask opens a dialog, or closes the one that is open with "".
func (f *Front) ask(dialog string) { f.Dialog = dialog }

// show shows one of the inspector's views, and pulls the inspector up.
func (f *Front) show(t desk.Tab) {
	f.turn(t)
	f.Sheet = true
}

// turn chooses one of the inspector's views.
func (f *Front) turn(t desk.Tab) { f.Tab, f.last[t.Group()] = t, t }

// inspected takes in an object version.
func (f *Front) inspected(o *link.Object) {
	f.Object = o
	f.turn(desk.Object)
}

// release forgets the object version in the inspector.
func (f *Front) release() { f.Object, f.looked = nil, "" }

// drag tells whether a file is held over the page.
func (f *Front) drag(over bool) { f.Dragging = over }

func (f *Front) toggleCode()   { f.Code = !f.Code }
func (f *Front) toggleSheet()  { f.Sheet = !f.Sheet }
func (f *Front) toggleUnfold() { f.Unfold = !f.Unfold }

// anew is what stays of f when something else is opened. Learning: it is the lesson that is open.
func (f Front) anew(learning bool) Front {
	f.Object, f.looked, f.Dialog, f.Dragging = nil, "", "", false
	if f.Tab != desk.Setup && (f.Tab != desk.Lesson || !learning) {
		f.Tab = desk.Explain
	}
	return f
}

// WhyPlace is the place of the version in the inspector where the viewer has chosen it on
// the stage, and "" otherwise.
func (f *Front) WhyPlace() string { return f.looked }
