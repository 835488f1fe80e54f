package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// OfSecond goes before the Ref of an object version of the second machine's capture.
const OfSecond = "second:"

// Front is what lies in front of the stage: the inspector and the dialogs.
type Front struct {
	Tab      Tab
	Sheet    bool // on a narrow screen, the inspector is pulled up
	Object   *link.Object
	Unfold   bool   // the object's unchanged lines are shown too
	looked   string // the place where the object version in the inspector was chosen
	Code     bool   // the engine's source for the step stands beside the picture
	Dialog   string // "", "help", "about", "live", "save", "goTo", "link", "expected", "second" …
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

// chooseInformer shows another informer: the one whose number value is, or else the
// next one.
func (m *Model) chooseInformer(_, value string) []Cmd {
	if m.Open.Trace == nil || len(m.Open.Trace.Informers) < 2 {
		return nil
	}
	n := (m.Open.Trace.Informer + 1) % len(m.Open.Trace.Informers)
	if i, err := strconv.Atoi(value); err == nil && i >= 0 && i < len(m.Open.Trace.Informers) {
		n = i
	}
	o := *m.Open.Trace
	o.Informer = n
	m.Open.Trace = &o
	m.Transport.Playing, m.Front.Object = false, nil
	m.Indexer.drop()
	m.Nav.places.forget()
	m.Find.forget()
	m.Why.forget(m)
	m.Open.Loading, m.ask.complete = true, false // the worker runs all of it, as it did when it opened it
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
	f.Tab = tabs[(slices.Index(tabs, f.Tab)+1)%len(tabs)]
	return nil
}

// closes reports whether close has something to close.
func (f *Front) closes(m *Model) bool {
	return f.Dialog != "" || m.Lesson.Handout != nil || m.Find.Search != nil || m.Hands.Menu != "" || m.Room.On || f.Sheet || m.Open.Failure != nil && m.Stage.Frame != nil
}

// close closes the dialog, the sheet or the notice that is in front.
func (f *Front) close(m *Model) []Cmd {
	switch {
	case f.Dialog == "handout":
		return m.Lesson.dropHandout(m)
	case f.Dialog == "" && m.Lesson.Handout != nil:
		m.Lesson.Handout = nil
	case f.Dialog != "":
		cmds := m.Save.stop(m)
		f.Dialog, m.Keyboard.Keying, m.Nav.Expected = "", Keying{}, nil
		return cmds
	case m.Find.Search != nil:
		return m.Find.end(m)
	case m.Hands.Menu != "":
		m.Hands.Menu = ""
	case m.Room.Spot != "":
		m.Room.Spot = ""
	case m.Room.On:
		return m.Room.present(m, false)
	case m.Why.Shown && f.Tab == Explain:
		return m.Why.close(m)
	case f.Sheet:
		f.Sheet = false
	case m.Open.Failure != nil && m.Stage.Frame != nil:
		m.Open.Failure = nil
	}
	return nil
}
