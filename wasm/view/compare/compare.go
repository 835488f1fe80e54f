// Package compare draws how two machines differ, and how far the stations of one are behind.
package compare

import (
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Panel returns the tab about distances: how far the stations are behind the server, and
// how two machines differ.
func Panel(w *words.Words, k widget.Cache, m *session.Model, f *link.Frame) *tree.Node {
	n := tree.El("div", "panel compare")
	ruler := tree.El("section", "reaches", tree.Text("h3", "", w.T("ui.reached")), ruler(w, f, Paired(m))).Key("ruler")
	if m.Open.Trace == nil {
		return n.Add(ruler)
	}
	n.Add(tree.Text("h3", "", w.T("ui.compare")), chooseSecond(w, m), chooseApart(w, &m.Second))
	b := m.Second.Comparison
	if b == nil {
		return n.Add(tree.Text("p", "quiet", w.T("ui.compare.none")), ruler)
	}
	if c, is := m.Second.Standing().(link.SecondCapture); is {
		says := w.Tn("ui.compare.reading", "name", c.Name, "size", words.Weight(b.Read), "all", words.Weight(max(b.Size, b.Read)))
		if b.Pace != "" {
			says = w.T("ui.compare.pace." + b.Pace)
		}
		if b.Resource != "" {
			says = w.Tn("ui.compare.resource", "name", b.Resource) + " " + says
		}
		if b.Namespace != "" {
			says += " " + w.Tn("ui.compare.namespace", "name", b.Namespace)
		}
		n.Add(tree.Text("p", "quiet", says).Attr("role", "status"))
		if b.Places > 0 {
			n.Add(tree.Text("p", "", w.Tn("ui.compare.damaged", "n", words.Grouped(b.Places), "name", c.Name)))
		}
		if b.Pace == "" {
			return n.Add(ruler)
		}
	}
	return n.Add(differences(w, m, b), ruler, k.Draw("compare", b, func() *tree.Node {
		return tree.El("div", "compared", callTable(w, b), costTable(w, b), cacheTable(w, b))
	}))
}

// chooseSecond returns the choice of what to compare with.
func chooseSecond(w *words.Words, m *session.Model) *tree.Node {
	list := tree.El("select", "").Act("compareWith", "").Attr("aria-label", w.T("ui.compare.with"))
	option := func(s link.Second, text string) {
		list.Add(tree.Text("option", "", text).Attr("value", session.Choice(s)))
	}
	option(nil, w.T("ui.compare.nothing"))
	for _, x := range m.Open.Trace.Profiles {
		if x.Name != m.Open.Trace.Setup.Profile {
			option(link.SecondProfile{Profile: x.Name}, "client-go "+x.Versions)
		}
	}
	if x, is := m.Second.Chosen.(link.SecondProfile); is && m.Open.Trace.Versions(x.Profile) == "" { // a link has named a single version
		option(x, "client-go "+x.Profile)
	}
	if !m.Open.Trace.Script {
		resync := "ui.compare.withResync"
		if m.Second.Resyncs() {
			resync = "ui.compare.withoutResync"
		}
		option(link.SecondResync{}, w.T(resync))
		if _, is := m.Second.Chosen.(link.SecondSetup); is || m.Draft.Edited() {
			option(link.SecondSetup{}, w.T("ui.compare.draft"))
		}
	}
	for _, g := range Guards(m) {
		option(g, w.Tn("ui.compare.guard", "name", w.T("ui.guard."+g.Guard)))
	}
	if m.Second.Handlers() > 1 {
		option(link.SecondApart{}, w.T("ui.compare.apart"))
	}
	if l := m.Hands.Lanes; l != nil {
		for _, x := range l.List {
			if s := (link.SecondLane{Lane: x.ID}); x.ID != l.Shown || session.Choice(s) == session.Choice(m.Second.Chosen) {
				option(s, w.Tn("ui.compare.lane", "name", w.Lane(x, isScript(m))))
			}
		}
	}
	if c, is := m.Second.Standing().(link.SecondCapture); is {
		option(c, c.Name)
	}
	n := tree.El("div", "compare-choice", tree.El("label", "compare-with", tree.Text("span", "", w.T("ui.compare.with")), list.Prop("value", session.Choice(m.Second.Chosen))))
	if m.Second.Guard() != "" {
		n.Add(widget.Button("", w.T("ui.tally.ask"), "countGuards", ""))
	}
	if m.Second.Captures() {
		n.Add(widget.Button("", w.T("ui.second.ask"), "second", ""))
	}
	return n.Add(widget.Button("", w.T("ui.changes.ask"), "changes", ""))
}

// Guards returns the other guards that the controller shown could have.
func Guards(m *session.Model) (all []link.SecondGuard) {
	current := m.Second.Guard()
	for _, name := range guard.Names() {
		if current != "" && name != current {
			all = append(all, link.SecondGuard{Guard: name})
		}
	}
	return all
}

// chooseApart returns the choice of the handler whose own informer is shown.
func chooseApart(w *words.Words, m *session.SecondMachine) *tree.Node {
	s, is := m.Standing().(link.SecondApart)
	if !is {
		return nil
	}
	list := tree.El("select", "").Act("compareWith", "apart:").Attr("aria-label", w.T("ui.compare.whose"))
	for _, name := range m.Comparison.Apart {
		list.Add(tree.Text("option", "", name).Attr("value", name))
	}
	return tree.El("label", "compare-with", tree.Text("span", "", w.T("ui.compare.whose")), list.Prop("value", s.Handler)).Key("apart")
}

// Dialog returns the dialog that asks for a capture to compare with. A page in a frame opens no file.
func Dialog(w *words.Words, framed bool) []*tree.Node {
	body := tree.El("div", "dialog-body", tree.Text("p", "", w.T("ui.second.intro")))
	sample := widget.Button("", w.T("ui.second.sample"), "compareWith", session.Sample)
	if framed {
		return []*tree.Node{body, widget.Foot(sample, widget.Button("", w.T("ui.do.close"), "close", ""))}
	}
	return []*tree.Node{body.Add(widget.Private(w, "ui.private")),
		widget.Foot(widget.Button("primary", w.T("ui.expected.choose"), "open", "").Attr("autofocus", ""), sample, widget.Button("", w.T("ui.do.close"), "close", ""))}
}

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
