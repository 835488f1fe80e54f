package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// OfSecond goes before the Ref of an object version of the second machine's capture.
const OfSecond = "second:"

// inspect asks for an object version. Arg is its Ref, and place where it was chosen, "" for
// nowhere on the stage.
func (m *Model) inspect(arg, place string) []Cmd {
	arg, other := strings.CutPrefix(arg, OfSecond)
	ref, err := strconv.ParseInt(arg, 10, 32)
	if err != nil || ref == 0 {
		return nil
	}
	m.Sheet, m.Unfold, m.looked = true, false, place
	return m.send(link.Inspect{Ref: int32(ref), Other: other}, false)
}

// chooseInformer shows another informer: the one whose number value is, or else the
// next one.
func (m *Model) chooseInformer(_, value string) []Cmd {
	if m.Opened == nil || len(m.Opened.Informers) < 2 {
		return nil
	}
	n := (m.Opened.Informer + 1) % len(m.Opened.Informers)
	if i, err := strconv.Atoi(value); err == nil && i >= 0 && i < len(m.Opened.Informers) {
		n = i
	}
	o := *m.Opened
	o.Informer = n
	m.Opened = &o
	m.Playing, m.Object = false, nil
	m.dropAnswer()
	m.places.forget()
	m.forgetKeys()
	m.forgetWhy()
	m.Loading, m.ask.complete = true, false // the worker runs all of it, as it did when it opened it
	cmds := m.move(link.ShowInformer{Informer: n})
	return append(cmds, m.askTimeline()...)
}

// about opens the dialog about the trace.
func (m *Model) about() []Cmd {
	if m.Opened != nil {
		m.Dialog = "about"
	}
	return nil
}

func (m *Model) nextTab() []Cmd {
	tabs := m.Tabs()
	m.Tab = tabs[(slices.Index(tabs, m.Tab)+1)%len(tabs)]
	return nil
}

// closes returns whether close has something to close.
func (m *Model) closes() bool {
	return m.Dialog != "" || m.Handout != nil || m.Search != nil || m.Menu != "" || m.Presenting || m.Sheet || m.Failure != nil && m.Frame != nil
}

// close closes the dialog, the sheet or the notice that is in front.
func (m *Model) close() []Cmd {
	switch {
	case m.Dialog == "handout":
		return m.dropHandout()
	case m.Dialog == "" && m.Handout != nil:
		m.Handout = nil
	case m.Dialog != "":
		cmds := m.unsave()
		m.Dialog, m.Keying, m.Expected = "", Keying{}, nil
		return cmds
	case m.Search != nil:
		return m.endSearch()
	case m.Menu != "":
		m.Menu = ""
	case m.Spot != "":
		m.Spot = ""
	case m.Presenting:
		return m.present(false)
	case m.WhyShown && m.Tab == Explain:
		return m.closeWhy()
	case m.Sheet:
		m.Sheet = false
	case m.Failure != nil && m.Frame != nil:
		m.Failure = nil
	}
	return nil
}
