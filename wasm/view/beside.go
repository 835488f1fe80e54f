package view

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// paired reports whether two machines are shown.
func (p *page) paired() bool {
	return p.m.Second.Beside != nil && p.m.Stage.Frame != nil && p.m.Stage.Frame.Second != nil
}

// frames are those of the second machine: for numbers, and for lists.
func (p *page) frames() (f, l *link.Frame) {
	f = p.f.Second
	if p.l != nil && p.l.Second != nil {
		return f, p.l.Second
	}
	return f, f
}

// secondStage is the stage of the second machine.
func (v *View) secondStage(p *page) *tree.Node {
	if !p.paired() {
		v.second = nil
		return nil
	}
	if v.second == nil {
		v.second = widget.Kept{}
	}
	prefix := ""
	if _, is := p.m.Second.Standing().(link.SecondCapture); is {
		prefix = session.OfSecond
	}
	st := p.stage()
	st.Second, st.Kept = true, v.second
	st.Frame, st.Lists = p.frames()
	st.Words = p.w.About(st.Frame.Processor.Listeners)
	s := st.Draw().Still("inspect", prefix)
	return tree.El("div", "beside", s.Attr("aria-label", p.w.Tn("ui.compare.stage", "name", p.machineName(1)))).Key("beside")
}

// paneName stands above the stage of a machine, and says which one it is and what its
// last step did.
func (p *page) paneName(i int) *tree.Node {
	if !p.paired() {
		return nil
	}
	f, l := p.f, p.l
	if i == 1 {
		f, l = p.frames()
	}
	class := "pane-name pane-" + strconv.Itoa(i+1)
	if p.m.Second.AtDiffer(p.m) != nil {
		class += " differs"
	}
	says, said := p.machineName(i), p.w.Plain(l.Said)
	name := tree.Text("b", "", says)
	if p.m.Screen.Narrow() { // one of the two is shown
		name = widget.Button("pane-tab", says, "pane", strconv.Itoa(i)).Is("aria-pressed", p.m.Second.Pane == i).Attr("title", says)
	}
	return tree.El("section", class, tree.Text("b", "pane-letter", widget.Letters[i]).Attr("aria-hidden", "true"), name,
		tree.Text("span", "quiet", p.w.Tn("ui.compare.at", "step", words.Grouped(f.Step), "time", words.Clock(f.Time))),
		tree.Text("span", "pane-said", said).Attr("title", said)).Attr("aria-label", widget.Letters[i]+": "+says).Key("pane" + strconv.Itoa(i))
}

// machineName says what the first machine (0) or the second one (1) is.
func (p *page) machineName(i int) string {
	m, b := p.m, p.m.Second.Beside
	first := i == 0
	switch s := m.Second.Standing().(type) {
	case link.SecondCapture:
		if first {
			return words.Or(m.Open.Name, p.w.T("ui.pasted"))
		}
		return s.Name
	case link.SecondApart:
		if first {
			return p.w.Tn("ui.compare.shared", "n", words.Grouped(len(b.Apart)))
		}
		return p.w.Tn("ui.compare.own", "name", s.Handler)
	case link.SecondLane:
		if !first {
			return p.laneNamed(s.Lane)
		}
		if m.Hands.Lanes != nil {
			return p.laneNamed(m.Hands.Lanes.Shown)
		}
	case link.Second:
		if !first && b.Setup != nil {
			return p.setupName(b.Setup)
		}
	}
	if m.Open.Trace == nil || m.Open.Trace.Script {
		return m.Open.Name
	}
	return p.setupName(&m.Open.Trace.Setup)
}

// setupName names a setup by its version of client-go. Where both machines have the same
// one, it says whether resyncs come.
func (p *page) setupName(s *link.Setup) string {
	name := "client-go " + words.Or(p.versions(s.Profile), s.Profile)
	b := p.m.Second.Beside
	if b == nil || b.Setup == nil || b.Setup.Profile != p.m.Open.Trace.Setup.Profile {
		return name
	}
	_, resync := p.m.Second.Chosen.(link.SecondResync)
	switch first := s == &p.m.Open.Trace.Setup; {
	case resync && first == p.m.Second.Resyncs(p.m):
		return p.w.Tn("ui.compare.resyncs", "name", name)
	case resync:
		return p.w.Tn("ui.compare.noResyncs", "name", name)
	case !first:
		return p.w.Tn("ui.compare.edited", "name", name)
	}
	return name
}

func (p *page) laneNamed(id int) string {
	if l := p.m.Hands.Lanes; l != nil {
		for _, x := range l.All {
			if x.ID == id {
				return p.laneName(x)
			}
		}
	}
	return ""
}

// compare is the tab about distances: how far the stations are behind the server, and
// how two machines differ.
func (p *page) compare() *tree.Node {
	m := p.m
	n := tree.El("div", "panel compare")
	ruler := tree.El("section", "reaches", tree.Text("h3", "", p.w.T("ui.reached")), p.ruler()).Key("ruler")
	if m.Open.Trace == nil {
		return n.Add(ruler)
	}
	n.Add(tree.Text("h3", "", p.w.T("ui.compare")), p.chooseSecond(), p.chooseApart())
	b := m.Second.Beside
	if b == nil {
		return n.Add(tree.Text("p", "quiet", p.w.T("ui.compare.none")), ruler)
	}
	if c, is := m.Second.Standing().(link.SecondCapture); is {
		says := p.w.Tn("ui.compare.reading", "name", c.Name, "size", words.Weight(b.Read), "all", words.Weight(max(b.Size, b.Read)))
		if b.Pace != "" {
			says = p.w.T("ui.compare.pace." + b.Pace)
		}
		n.Add(tree.Text("p", "quiet", says).Attr("role", "status"))
		if b.Places > 0 {
			n.Add(tree.Text("p", "", p.w.Tn("ui.compare.damaged", "n", words.Grouped(b.Places), "name", c.Name)))
		}
		if b.Pace == "" {
			return n.Add(ruler)
		}
	}
	return n.Add(p.differences(b), ruler, p.kept.Keep("compare", b, func() *tree.Node {
		return tree.El("div", "compared", p.callTable(b), p.costTable(b), p.cacheTable(b))
	}))
}

// chooseSecond is the choice of what to compare with.
func (p *page) chooseSecond() *tree.Node {
	m := p.m
	list := tree.El("select", "").Act("compareWith", "").Attr("aria-label", p.w.T("ui.compare.with"))
	option := func(s link.Second, text string) {
		list.Add(tree.Text("option", "", text).Attr("value", session.Choice(s)))
	}
	option(nil, p.w.T("ui.compare.nothing"))
	if !m.Open.Trace.Script {
		for _, x := range m.Open.Trace.Profiles {
			if x.Name != m.Open.Trace.Setup.Profile {
				option(link.SecondProfile{Profile: x.Name}, "client-go "+x.Versions)
			}
		}
		resync := "ui.compare.withResync"
		if m.Second.Resyncs(m) {
			resync = "ui.compare.withoutResync"
		}
		option(link.SecondResync{}, p.w.T(resync))
		if _, is := m.Second.Chosen.(link.SecondSetup); is || m.Draft.Edited(m) {
			option(link.SecondSetup{}, p.w.T("ui.compare.draft"))
		}
	}
	if m.Second.Handlers(m) > 1 {
		option(link.SecondApart{}, p.w.T("ui.compare.apart"))
	}
	if l := m.Hands.Lanes; l != nil {
		for _, x := range l.All {
			if s := (link.SecondLane{Lane: x.ID}); x.ID != l.Shown || session.Choice(s) == session.Choice(m.Second.Chosen) {
				option(s, p.w.Tn("ui.compare.lane", "name", p.laneName(x)))
			}
		}
	}
	if c, is := m.Second.Standing().(link.SecondCapture); is {
		option(c, c.Name)
	}
	n := tree.El("div", "compare-choice", tree.El("label", "compare-with", tree.Text("span", "", p.w.T("ui.compare.with")), list.Prop("value", session.Choice(m.Second.Chosen))))
	if m.Second.Captures(m) {
		n.Add(widget.Button("", p.w.T("ui.second.ask"), "second", ""))
	}
	return n
}

// second is the dialog that asks for a capture to compare with.
func (p *page) secondCapture() []*tree.Node {
	body := tree.El("div", "dialog-body", tree.Text("p", "", p.w.T("ui.second.intro")))
	sample := widget.Button("", p.w.T("ui.second.sample"), "compareWith", session.Sample)
	if p.m.Site.Embedded {
		return []*tree.Node{body, widget.Foot(sample, widget.Button("", p.w.T("ui.do.close"), "close", ""))}
	}
	return []*tree.Node{body.Add(widget.Private(p.w, "ui.private")),
		widget.Foot(widget.Button("primary", p.w.T("ui.expected.choose"), "open", "").Attr("autofocus", ""), sample, widget.Button("", p.w.T("ui.do.close"), "close", ""))}
}

// chooseApart is the choice of the handler whose own informer is shown.
func (p *page) chooseApart() *tree.Node {
	s, is := p.m.Second.Standing().(link.SecondApart)
	if !is {
		return nil
	}
	list := tree.El("select", "").Act("compareWith", "apart:").Attr("aria-label", p.w.T("ui.compare.whose"))
	for _, name := range p.m.Second.Beside.Apart {
		list.Add(tree.Text("option", "", name).Attr("value", name))
	}
	return tree.El("label", "compare-with", tree.Text("span", "", p.w.T("ui.compare.whose")), list.Prop("value", s.Handler)).Key("apart")
}

// mostDiffers is how many differences are listed.
const mostDiffers = 40

// differences lists where the two machines call handlers differently.
func (p *page) differences(b *link.Beside) *tree.Node {
	n := tree.El("div", "differences")
	says := p.w.Tn("ui.compare.differs", "n", words.Grouped(b.Count))
	switch {
	case !b.Done:
		says = p.w.Tn("ui.compare.under", "time", words.Clock(b.Time), "n", words.Grouped(b.Count))
	case b.Count == 0:
		says = p.w.T("ui.compare.same")
	}
	head := tree.El("p", "differences-head", tree.Text("span", "", says).Attr("role", "status"))
	if len(b.Differs) > 0 {
		head.Add(tree.El("span", "visits",
			widget.IconButton("tiny", "left", p.w.T("ui.do.lastDiffer")+" (D)", "lastDiffer", ""),
			widget.IconButton("tiny", "right", p.w.T("ui.do.nextDiffer")+" (d)", "nextDiffer", "")))
	}
	n.Add(head)
	at := p.m.Second.AtDiffer(p.m)
	list := tree.El("ol", "differ-list")
	from := max(0, min(p.m.Second.Differ-mostDiffers/2, len(b.Differs)-mostDiffers))
	for i := from; i < min(from+mostDiffers, len(b.Differs)); i++ {
		d := &b.Differs[i]
		class := "differ"
		if d == at {
			class += " now"
		}
		list.Add(tree.El("li", class, tree.El("button", "", tree.El("span", "differ-of", tree.Text("b", "", d.Handler), widget.Key(d.Key), tree.Text("span", "quiet", words.Clock(d.Time))),
			p.madeBy(0, d.First, d.More), p.madeBy(1, d.Second, d.More)).Attr("type", "button").Act("differ", strconv.Itoa(i)).Is("aria-pressed", d == at)).Key(strconv.Itoa(i)))
	}
	return n.Add(list)
}

// madeBy lists the calls that only one machine has made.
func (p *page) madeBy(i int, calls []link.Call, more []int) *tree.Node {
	n := tree.El("span", "differ-calls", tree.Text("b", "pane-letter", widget.Letters[i]))
	text := ""
	for k, c := range calls {
		if k > 0 {
			text += ", "
		}
		text += c.Func + " "
		if c.OldRV != "" {
			text += c.OldRV + "→"
		}
		text += c.RV
		if c.Tomb {
			text += " DeletedFinalStateUnknown"
		}
		if c.First {
			text += " isInInitialList"
		}
	}
	if len(calls) == 0 {
		text = p.w.T("ui.compare.noCall")
	} else if i < len(more) && more[i] > 0 {
		text += " +" + words.Grouped(more[i])
	}
	return n.Add(tree.Text("span", "", text))
}

// pairTable is a table with a column for each machine. The title heads its names.
func (p *page) pairTable(title string, rows *tree.Node) *tree.Node {
	return tree.El("table", "pair", tree.El("thead", "", widget.Row("th", title, widget.Letters[0], widget.Letters[1])), rows)
}

func (p *page) callTable(b *link.Beside) *tree.Node {
	rows := tree.El("tbody", "")
	for _, c := range b.Calls {
		rows.Add(widget.Row("td", c.Handler, words.Grouped(c.Of[0]), words.Grouped(c.Of[1])))
	}
	return p.pairTable(p.w.T("ui.compare.calls"), rows)
}

func (p *page) costTable(b *link.Beside) *tree.Node {
	rows := tree.El("tbody", "")
	for _, c := range b.Costs {
		show := func(n int64) string {
			if c.Times {
				return words.Duration(n)
			}
			return words.Grouped(n)
		}
		rows.Add(widget.Row("td", p.costName(c), show(c.Of[0]), show(c.Of[1])))
	}
	return p.pairTable(p.w.T("ui.compare.costs"), rows)
}

// cacheTable lists the keys that are not in both caches in the same version in the end.
func (p *page) cacheTable(b *link.Beside) *tree.Node {
	switch {
	case !b.Done:
		return nil
	case b.Cached == 0:
		return tree.Text("p", "quiet", p.w.T("ui.compare.sameCaches"))
	}
	rows := tree.El("tbody", "")
	for _, c := range b.Caches[:min(len(b.Caches), mostDiffers)] {
		rows.Add(widget.Row("td", c.Key, words.Or(c.First, "–"), words.Or(c.Second, "–")))
	}
	return p.pairTable(p.w.Tn("ui.compare.caches", "n", words.Grouped(b.Cached)), rows)
}

func (p *page) costName(c link.Cost) string {
	if c.Lock == "" {
		return p.w.T("ui.cost." + c.ID)
	}
	return p.w.Tn("ui.cost."+c.ID, "lock", p.w.T("lock."+c.Lock))
}
