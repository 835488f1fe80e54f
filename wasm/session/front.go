package session

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// SecondPrefix goes before the Ref of an object version that the second machine alone has.
const SecondPrefix = "second:"

// Front is what lies in front of the stage: the inspector and the dialogs.
type Front struct {
	desk     desk.Desk
	stage    *Stage
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
func (f *Front) inspect(arg, place string) []Cmd {
	arg, other := strings.CutPrefix(arg, SecondPrefix)
	ref, err := strconv.ParseInt(arg, 10, 32)
	if err != nil || ref == 0 {
		return nil
	}
	f.Sheet, f.Unfold, f.looked = true, false, place
	return f.desk.Send(link.Inspect{Ref: int32(ref), Second: other})
}

func (f *Front) inspected(o *link.Object) {
	f.Object = o
	f.turn(desk.Object)
}

// WhyPlace returns the place of the version in the inspector where the viewer has chosen it on
// the stage, and "" otherwise.
func (f *Front) WhyPlace() string { return f.looked }

// Tabs returns the views that there are at present.
func (f *Front) Tabs() []desk.Tab { return desk.Tabs(f.Groups()) }

// Groups returns the inspector's tabs at present.
func (f *Front) Groups() []desk.Group {
	all := desk.Groups[:]
	if !f.desk.Surroundings().Reads {
		all = all[1:]
	}
	if f.stage.Log == nil {
		return desk.RemoveTab(all, desk.Log)
	}
	return all
}

func (f *Front) nextTab() {
	tabs := f.Tabs()
	f.turn(tabs[(slices.Index(tabs, f.Tab)+1)%len(tabs)])
}

// chooseGroup shows the view of a group that it has shown last, or else its first one.
func (f *Front) chooseGroup(name string) {
	for i, g := range desk.Groups {
		if g.Name == name {
			f.show(cmp.Or(f.last[i], g.Tabs[0]))
		}
	}
}

// show shows one of the inspector's views, and pulls the inspector up.
func (f *Front) show(t desk.Tab) {
	f.turn(t)
	f.Sheet = true
}

// turn chooses one of the inspector's views.
func (f *Front) turn(t desk.Tab) { f.Tab, f.last[t.Group()] = t, t }

// reset forgets what was open. Learning says that a lesson of the same name is opened.
func (f *Front) reset(learning bool) {
	f.Object, f.looked, f.Dialog, f.Dragging = nil, "", "", false
	if f.Tab != desk.Setup && (f.Tab != desk.Lesson || !learning) {
		f.Tab = desk.Explain
	}
}

// close closes the dialog, the sheet or the notice that is in front.
func (m *Model) close() []Cmd {
	f := &m.Front
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
		m.Hands.Menu = ""
	case m.Room.Spot != "":
		m.Room.Spot = ""
	case m.Room.Active:
		return m.Room.present(false)
	case f.Tab == desk.WhyTab:
		return m.Causes.Close()
	case f.Sheet:
		f.Sheet = false
	case m.Open.Failure != nil && m.Stage.Frame != nil:
		m.Open.Failure = nil
	}
	return nil
}
