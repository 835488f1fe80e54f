package compare

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Paired reports whether two machines are shown.
func Paired(m *session.Model) bool {
	return m.Second.Comparison != nil && m.Stage.Frame != nil && m.Stage.Frame.Second != nil
}

// Name returns what the first machine (0) or the second one (1) is.
func Name(w *words.Words, m *session.Model, i int) string {
	b := m.Second.Comparison
	first := i == 0
	switch s := m.Second.Standing().(type) {
	case link.SecondCapture:
		if first {
			return words.FirstNonEmpty(m.Open.Name, w.T("ui.pasted"))
		}
		return s.Name
	case link.SecondApart:
		if first {
			return w.Tn("ui.compare.shared", "n", words.Grouped(len(b.Apart)))
		}
		return w.Tn("ui.compare.own", "name", s.Handler)
	case link.SecondGuard:
		if first {
			return w.T("ui.guard." + m.Second.Guard())
		}
		return w.T("ui.guard." + s.Guard)
	case link.SecondLane:
		if !first {
			return laneNamed(w, m, s.Lane)
		}
		if m.Hands.Lanes != nil {
			return laneNamed(w, m, m.Hands.Lanes.Shown)
		}
	case link.Second:
		if !first && b.Setup != nil {
			return setupName(w, m, b.Setup)
		}
	}
	if _, is := m.Second.Standing().(link.SecondProfile); m.Open.Trace == nil || m.Open.Trace.Script && !is {
		return m.Open.Name
	}
	return setupName(w, m, &m.Open.Trace.Setup)
}

// setupName names a setup by its version of client-go. Where both machines have the same
// one, it says whether resyncs come.
func setupName(w *words.Words, m *session.Model, s *link.Setup) string {
	name := "client-go " + words.FirstNonEmpty(m.Open.Trace.Versions(s.Profile), s.Profile)
	b := m.Second.Comparison
	if b == nil || b.Setup == nil || b.Setup.Profile != m.Open.Trace.Setup.Profile {
		return name
	}
	_, resync := m.Second.Chosen.(link.SecondResync)
	switch first := s == &m.Open.Trace.Setup; {
	case resync && first == m.Second.Resyncs():
		return w.Tn("ui.compare.resyncs", "name", name)
	case resync:
		return w.Tn("ui.compare.noResyncs", "name", name)
	case !first:
		return w.Tn("ui.compare.edited", "name", name)
	}
	return name
}

func laneNamed(w *words.Words, m *session.Model, id int) string {
	if l := m.Hands.Lanes; l != nil {
		for _, x := range l.List {
			if x.ID == id {
				return w.Lane(x, isScript(m))
			}
		}
	}
	return ""
}

func isScript(m *session.Model) bool { return m.Open.Trace != nil && m.Open.Trace.Script }
