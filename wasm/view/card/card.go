// Package card draws the report card of a capture: what it is, and what is wrong in it.
package card

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// sheet draws a card.
type sheet struct {
	w       *words.Words
	o       *link.Opened  // the capture
	c       *link.Card    // what is known of it
	ownWork *link.OwnWork // what a recorder within the process tells, nil for nothing yet
	sought  bool          // the reader of the lesson about guards has opened it
	shown   string        // the argument of the button to which the viewer comes back
}

// Draw returns the card. Remarks say what the formats of the capture can't tell.
func Draw(w *words.Words, k widget.Cache, m *session.Model, remarks []string) *tree.Node {
	s := sheet{w: w, o: m.Open.Trace, c: m.Card.Card, ownWork: m.Expr.OwnWork, sought: m.Lesson.Recording.Sought, shown: m.Card.Shown}
	if s.c == nil {
		s.c = &link.Card{}
	}
	n := tree.El("main", "card", s.head(m)).Attr("id", "card").Attr("aria-labelledby", "card-says").Attr("tabindex", "-1").Flag("data-whole", s.c.Complete).Key("card")
	n.Add(k.Draw("card timeline", [2]any{s.c, s.o.Start}, s.timeline))
	if len(s.c.Found) == 0 { // there is room beside what the capture can't tell
		return n.Add(tree.El("div", "card-body", tree.El("div", "", s.findingsList(), s.guards(), s.cache(), s.resourceTable()), s.captureLimits(remarks)))
	}
	return n.Add(tree.El("div", "card-body", s.findingsList(), s.captureLimits(remarks)), s.guards(), s.cache(), s.resourceTable())
}

// head says the worst that was found, and what the capture is.
func (s *sheet) head(m *session.Model) *tree.Node {
	w, c, o := s.w, s.c, s.o
	says := w.T(words.FirstNonEmpty(c.Title, "ui.card.reading"))
	if len(c.Found) == 0 && !c.Complete && (m.Cluster.Live == nil || !m.Cluster.Live.Following) {
		says = w.T("ui.card.reading")
	}
	meta := tree.El("p", "card-facts", tree.Text("code", "", words.FirstNonEmpty(m.Open.Name, w.T("ui.pasted"))))
	for i, f := range c.Facts {
		if text := w.Plain(f); i == 0 && !c.Complete {
			meta.Add(tree.Text("span", "", w.Tn("ui.card.sofar", "text", text)))
		} else {
			meta.Add(tree.Text("span", "", text))
		}
	}
	if o.Live {
		meta.Add(tree.Text("span", "", w.T("ui.card.live")))
	} else {
		meta.Add(tree.Text("span", "", w.T("ui.private")))
	}
	return tree.El("header", "card-head", tree.Text("h2", "card-says", says).Attr("id", "card-says").Attr("aria-live", "polite"), meta)
}

// The timeline's drawing is so many units wide and high.
const (
	width  = 1200
	height = 100
	mark   = 0.03 // as a share of the width
)

// pin is a mark of the timeline.
type pin struct {
	time  int64
	n     int // of the finding, from 1; 0 for none
	text  string
	harm  string
	act   string
	until int64
}

// timeline draws how many changes came when, with the findings as numbered marks.
func (s *sheet) timeline() *tree.Node {
	w, c, o := s.w, s.c, s.o
	pins := s.pins()
	if c.End == 0 || c.Span == 0 || o.NoTimes && len(pins) == 0 { // what is evenly spaced shows nothing
		return nil
	}
	most := 1
	for _, n := range c.Counts {
		most = max(most, n)
	}
	x := func(at int64) float64 { return min(max(float64(at)/float64(c.End), 0), 1) }
	var bars strings.Builder
	for i, n := range c.Counts {
		if n == 0 {
			continue
		}
		from, to := x(int64(i)*c.Span)*width, x(int64(i+1)*c.Span)*width
		tall := max(2, math.Sqrt(float64(n)/float64(most))*height)
		bars.WriteString("M" + decimal(from) + " " + strconv.Itoa(height) + "V" + decimal(height-tall) + "H" + decimal(max(to-0.8, from+0.8)) + "V" + strconv.Itoa(height) + "z")
	}
	chart := tree.El("svg:svg", "card-chart", tree.El("svg:path", "").Attr("d", bars.String())).
		Attr("viewBox", "0 0 "+strconv.Itoa(width)+" "+strconv.Itoa(height)).Attr("preserveAspectRatio", "none").Attr("aria-hidden", "true")
	marks, ends, named := tree.El("div", "card-marks").Attr("role", "group").Attr("aria-label", w.T("ui.timeline.marks")), [3]float64{-1, -1, -1}, [3]*tree.Node{}
	shades := tree.El("div", "card-shades").Attr("aria-hidden", "true")
	for i, p := range pins {
		at, label := x(p.time), p.text
		if p.n > 0 {
			label = strconv.Itoa(p.n) + " " + label
		}
		if !o.NoTimes {
			label += ", " + s.clockTime(p.time)
		}
		name, room := tree.Text("span", "card-name", p.text), float64(len([]rune(p.text)))*0.0066
		from, to := at, at+room+mark
		if at > 0.7 { // the name stands on the left
			from, to = at-room, at+mark
		}
		row := slices.IndexFunc(ends[:], func(end float64) bool { return end <= from })
		if row < 0 { // there is no room for the name, and a name that would lie under the mark goes
			row = slices.Index(ends[:], slices.Min(ends[:]))
			if ends[row] > at {
				named[row].Attr("hidden", "")
			}
			name, to = nil, max(ends[row], at+mark)
		}
		ends[row] = to
		if name != nil {
			named[row] = name
		}
		b := widget.Action("card-mark harm-"+p.harm, "show", p.act).Attr("title", p.text).Attr("aria-label", label).
			Style("left", widget.Percent(at)).Attr("data-row", strconv.Itoa(row)).Key(strconv.Itoa(i)).Flag("data-left", at > 0.7)
		if p.n > 0 {
			b.Add(tree.Text("span", "card-n", strconv.Itoa(p.n)+" ")) // the space parts it from the name that follows
		} else {
			b.Add(widget.MarkShape(link.MarkRelist))
		}
		marks.Add(b.Add(name))
		if p.until > p.time {
			shades.Add(tree.El("span", "card-shade harm-"+p.harm).Style("left", widget.Percent(at)).Style("width", widget.Percent(x(p.until)-at)).Key(strconv.Itoa(i)))
		}
	}
	n := tree.El("section", "card-timeline").Attr("aria-label", w.T("ui.timeline"))
	plot := tree.El("div", "card-plot", shades, chart)
	if o.NoTimes {
		return n.Add(tree.Text("p", "quiet", w.T("ui.card.order")), marks, plot)
	}
	axis := tree.El("div", "card-axis", tree.Text("span", "", s.clockTime(0)))
	for q := int64(1); q < 4; q++ {
		axis.Add(tree.Text("span", "card-tick", words.Duration(c.End*q/4)))
	}
	return n.Add(tree.Text("p", "quiet", w.Tn("ui.card.chart", "time", words.Duration(c.Span))), marks, plot, axis.Add(tree.Text("span", "", s.clockTime(c.End))))
}

// pins returns the marks of the timeline in the order of their times: one for each finding, and the relists that no finding is about.
func (s *sheet) pins() (all []pin) {
	w, c := s.w, s.c
	var lists [64]bool
	for i := range c.Found {
		f := &c.Found[i]
		if f.Lists && f.Informer < len(lists) {
			lists[f.Informer] = true
		}
		all = append(all, pin{time: f.From, until: f.To, n: i + 1, text: w.T("finding." + f.ID + ".title"), harm: f.Harm, act: target(f)})
	}
	for i, r := range c.Rows {
		if i < len(lists) && lists[i] {
			continue
		}
		for _, l := range r.Relists {
			all = append(all, pin{time: l.Time, text: w.Tn("ui.card.relisted", "name", r.Name), harm: "noted", act: moment(i, l.Time, true, "")})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].time < all[j].time })
	return all
}

// clockTime returns a moment of the capture on the clock, or else how long after the beginning it is.
func (s *sheet) clockTime(ns int64) string {
	return words.FirstNonEmpty(findings.Clock(s.o.Start, ns), s.w.Tn("ui.card.after", "time", words.Duration(ns)))
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// moment returns the argument of the command that goes to a moment.
func moment(informer int, at int64, lists bool, key string) string {
	kind := "-"
	if lists {
		kind = "lists"
	}
	return strconv.Itoa(informer) + " " + words.Itoa(at) + " " + kind + " " + key
}

func target(f *link.Finding) string { return moment(f.Informer, f.From, f.Lists, f.Key) }

func (s *sheet) showMe(class, arg, about string) *tree.Node {
	return widget.Action("button "+class, "show", arg, widget.Icon("play"), tree.Text("span", "", s.w.T("ui.card.show")), tree.Text("span", "visually-hidden", about)).
		Is("data-goes-on", arg == s.shown)
}

// findingsList lists the findings, the worst first.
func (s *sheet) findingsList() *tree.Node {
	w, c := s.w, s.c
	n := tree.El("section", "card-found", tree.Text("h3", "", w.T("ui.card.found"))).Attr("aria-label", w.T("ui.card.found"))
	if len(c.Found) == 0 {
		if !c.Complete {
			return n.Add(tree.Text("p", "quiet", w.T("ui.card.soon")))
		}
		return n.Add(tree.Text("p", "quiet", w.T("ui.card.none")))
	}
	list := tree.El("ol", "card-list")
	for i := range c.Found {
		f := &c.Found[i]
		class := ""
		if i == 0 {
			class = "primary"
		}
		title := w.T("finding." + f.ID + ".title")
		text := tree.El("div", "card-text", tree.Text("h4", "", title), widget.Sentence(w, "p", "", f.Sentence))
		if len(f.Fields) > 0 {
			text.Add(tree.Text("p", "", w.Tn("finding."+findings.FieldsText(f.ID), "fields", strings.Join(f.Fields, ", "))))
		}
		for _, note := range f.Notes {
			text.Add(tree.Text("p", "", w.T("finding."+note)))
		}
		text.Add(tree.Text("p", "quiet", w.T("finding."+f.ID+".instead")))
		list.Add(tree.El("li", "card-finding harm-"+f.Harm, tree.Text("span", "card-n", strconv.Itoa(i+1)).Attr("aria-hidden", "true"),
			tree.El("p", "card-figure", tree.Text("b", "", s.figure(f.Figure)), tree.Text("span", "", w.T("harm."+f.Harm))), text, s.showMe(class, target(f), title)).
			Key(f.ID + moment(f.Informer, f.From, false, f.Key)))
	}
	return n.Add(list)
}

// figure writes the number of a finding. One that is a lower bound says so by a sign.
func (s *sheet) figure(a link.Arg) string {
	if a.Reason != nil {
		return "≥ " + s.w.Value(a.Reason.Args["value"])
	}
	return s.w.Value(a)
}

// wrap is how a program records its own handlers.
const wrap = `rec, err := record.New(file, record.Options{})
config.Wrap(rec.Wrap)
handler = rec.Handler("metrics", handler)`

// captureLimits says what the capture can't tell.
func (s *sheet) captureLimits(remarks []string) *tree.Node {
	w, o, c := s.w, s.o, s.c
	label := w.T("ui.card.missing")
	if len(c.Handlers) > 0 {
		label = w.T("ui.card.handlers")
	}
	n := tree.El("aside", "card-aside").Attr("aria-label", label)
	switch {
	case len(c.Handlers) > 0:
		list := tree.El("ul", "card-handlers")
		for i := range c.Handlers[:min(len(c.Handlers), 8)] {
			h := &c.Handlers[i]
			list.Add(tree.El("li", "", widget.Sentence(w, "p", "", h.Sentence), s.showMe("tiny", moment(h.Informer, h.Time, false, ""), w.Value(h.Sentence.Args["handler"]))).Key(strconv.Itoa(i)))
		}
		n.Add(tree.Text("h3", "", label), list)
	case c.Nobody != "":
		n.Add(tree.Text("h3", "", w.T(c.Nobody)), tree.Text("p", "", w.T("ui.card.noHandlers.why")), tree.Text("pre", "card-code", wrap),
			tree.El("p", "buttons", widget.Button("", w.T("ui.card.add"), "addHandlers", "")))
	}
	if len(c.Lacks)+len(remarks) > 0 {
		list := tree.El("ul", "remarks")
		for _, l := range c.Lacks {
			list.Add(widget.Sentence(w, "li", "", l))
		}
		for _, r := range remarks {
			list.Add(tree.Text("li", "", r))
		}
		n.Add(tree.Text("h3", "", w.T("ui.about.remarks")), list)
	}
	if len(o.Problems) > 0 {
		n.Add(tree.El("p", "", tree.Text("span", "", w.Tn("ui.damage", "n", words.Grouped(max(int(o.Places), len(o.Problems))))), widget.Button("tiny link", w.T("ui.about.all"), "about", "")))
	}
	return n
}

// resourceTable returns the table of what the capture has of each resource.
func (s *sheet) resourceTable() *tree.Node {
	w, c := s.w, s.c
	if len(c.Rows) == 0 {
		return nil
	}
	rows := tree.El("tbody", "")
	for i, r := range c.Rows {
		relists := tree.El("td", "")
		if r.Relisted == 0 {
			relists.Add(tree.Text("span", "", "–"))
		}
		for k, l := range r.Relists {
			relists.Add(tree.El("p", "", tree.Text("span", "", w.T("finding.reason."+l.Reason)), s.showMe("tiny", moment(i, l.Time, true, ""), r.Name)).Key(strconv.Itoa(k)))
		}
		if more := r.Relisted - int64(len(r.Relists)); more > 0 {
			relists.Add(tree.Text("p", "quiet", w.Tn("ui.more", "n", words.Grouped(more))))
		}
		busiest := tree.El("td", "")
		if r.Busiest != "" {
			busiest.Add(tree.Text("code", "", r.Busiest), tree.Text("span", "", " "+w.Tn("ui.card.busiest", "n", words.Grouped(r.Changes), "share", words.Percent(r.Share))),
				s.showMe("tiny", moment(i, r.First, false, r.Busiest), r.Busiest))
		}
		rows.Add(tree.El("tr", "", tree.Text("th", "", r.Name).Attr("scope", "row"), tree.Text("td", "n", words.Grouped(r.Events)), tree.Text("td", "n", words.Grouped(r.Lists)), busiest, relists).Key(strconv.Itoa(i)))
	}
	return tree.El("section", "card-holds", tree.Text("h3", "", w.T("ui.about.resources")), tree.El("div", "card-scroll", tree.El("table", "",
		tree.El("thead", "", widget.Row("th", w.T("ui.about.resource"), w.T("ui.timeline.events"), w.T("ui.lists"), w.T("ui.card.busiestKey"), w.T("ui.card.relists"))), rows)).Attr("tabindex", "0").Attr("role", "region").Attr("aria-label", w.T("ui.about.resources")))
}

// cache says what the informers of the process hold, nil where the capture doesn't tell.
func (s *sheet) cache() *tree.Node {
	if s.ownWork == nil || len(s.ownWork.Cache) == 0 {
		return nil
	}
	w, all := s.w, s.ownWork.Cache
	grid := tree.El("div", "card-informers")
	for i := range all[1:] {
		t := &all[1+i]
		grid.Add(tree.El("section", "", tree.Text("h4", "", w.Plain(t.Title)), widget.Table(w, t)).Key(strconv.Itoa(i)))
	}
	n := tree.El("section", "card-cache", tree.Text("h3", "", w.T("ui.card.cache")), tree.Text("p", "", w.Plain(all[0].Title)), grid).Attr("aria-label", w.T("ui.card.cache"))
	for _, note := range all[0].Rows {
		n.Add(tree.Text("p", "quiet", w.Plain(note[0])))
	}
	return n
}

// guards says which guards would have helped the recorded controllers, nil where there was nothing to prevent and nobody has asked.
func (s *sheet) guards() *tree.Node {
	w, helped := s.w, false
	n := tree.El("section", "card-guards", tree.Text("h3", "", w.T("ui.card.guards"))).Attr("aria-label", w.T("ui.card.guards"))
	if s.ownWork != nil {
		for i := range s.ownWork.Guards {
			t := &s.ownWork.Guards[i]
			switch {
			case len(t.Rows) > 0:
				helped = true
				n.Add(tree.Text("p", "", w.Plain(t.Title)), widget.Table(w, t))
			case s.sought:
				n.Add(tree.Text("p", "", w.Plain(t.Title)))
			}
		}
	}
	switch {
	case !helped && !s.sought:
		return nil
	case !helped && s.ownWork == nil && s.c.Complete && !s.c.Inside:
		n.Add(tree.Text("p", "", w.T("ui.card.guards.none")))
	case !helped && s.ownWork == nil:
		n.Add(tree.Text("p", "quiet", w.T("ui.card.soon")))
	case helped:
		n.Add(tree.Text("p", "quiet", w.T("ui.card.guards.unknown")))
		list := tree.El("ul", "card-handlers").Attr("aria-label", w.T("ui.card.cases"))
		for i := range s.ownWork.Cases {
			says := w.Plain(s.ownWork.Cases[i].Title)
			list.Add(tree.El("li", "", tree.Text("p", "", says), widget.Button("tiny", w.T("ui.card.choose"), "chooseGuard", strconv.Itoa(i))).Key(strconv.Itoa(i)))
		}
		return n.Add(tree.Text("h4", "", w.T("ui.card.cases")), list)
	}
	return n.Add(tree.El("p", "buttons", widget.Button("", w.T("ui.card.lesson"), "lesson", "choose-a-guard")))
}
