package dialog

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Share returns the dialog with the link to what is shown: to a step, and to the second machine, if
// there is one, by its name.
func Share(w *words.Words, m *session.Model, step int64, second string) []*tree.Node {
	s := m.Sharing.Share
	body := tree.El("div", "dialog-body")
	if s.Live {
		return []*tree.Node{body.Add(tree.Text("p", "", w.T("ui.link.live"))), widget.Foot(widget.SaveButton(w), widget.Button("", w.T("ui.do.close"), "close", ""))}
	}
	if s.Embed && s.NeedsFile() {
		return []*tree.Node{body.Add(tree.Text("p", "", w.T("ui.embed.kept"))), widget.Foot(widget.Button("", w.T("ui.do.close"), "close", ""))}
	}
	made := s.Fragment != ""
	length := w.T("ui.link.making")
	if made {
		length = w.Tn("ui.link.length", "n", words.Grouped(len(s.Text())))
	}
	field := tree.El("input", "link-field").Attr("type", "text").Attr("readonly", "").Attr("id", "link").Attr("spellcheck", "false").
		Attr("aria-label", w.T("ui.link")).Flag("autofocus", !m.Site.Embedded).Prop("value", s.Text()) // a browser refuses frames the focus
	intro := "ui.link.intro"
	if s.Embed {
		intro = "ui.embed.intro"
	}
	body.Add(tree.Text("p", "", w.T(intro)),
		tree.El("div", "link-row", field, tree.Text("span", "quiet", length)))
	says := ""
	switch {
	case s.Long() && !s.Embed:
		says = w.T("ui.link.long")
	case s.Copied == "yes":
		says = w.T("ui.link.copied")
	case s.Copied == "no":
		says = w.T("ui.link.notCopied")
	}
	body.Add(tree.Text("p", "link-says", says).Attr("role", "status"))
	if made {
		body.Add(listed(w, "ui.link.in", inLink(w, m, step, second)), listed(w, "ui.link.out", notInLink(w, m)))
	}
	body.Add(widget.Check("linkLang", "", w.T("ui.link.lang"), s.Lang, !made), widget.Private(w, "ui.link.private"))
	main, other := "primary", ""
	if s.Long() && !s.Embed {
		main, other = "", "primary"
	}
	save := widget.Button(other, w.T("ui.link.save"), "saveLink", "").Flag("disabled", !made)
	if s.Embed {
		save = nil
	}
	return []*tree.Node{body, widget.Foot(
		widget.Button(main, w.T("ui.link.copy"), "copyLink", "").Flag("disabled", !made),
		save,
		widget.Button("", w.T("ui.do.close"), "close", ""))}
}

// listed returns a list with a title, nil for an empty one.
func listed(w *words.Words, title string, items []string) *tree.Node {
	if len(items) == 0 {
		return nil
	}
	list := tree.El("ul", "link-list")
	for _, s := range items {
		list.Add(tree.Text("li", "", s))
	}
	return tree.El("div", "", tree.Text("h3", "", w.T(title)), list)
}

func inLink(w *words.Words, m *session.Model, step int64, second string) (items []string) {
	s := m.Sharing.Share
	a := &s.Address
	add := func(id string, args ...string) { items = append(items, w.Tn(id, args...)) }
	switch {
	case a.Source.Lesson != "":
		add("ui.link.lesson", "name", m.Open.Name)
		for _, line := range a.Chosen {
			add("ui.link.chosen", "line", line)
		}
	case a.Source.Script != "":
		add("ui.link.script", "size", words.Weight(int64(len(a.Source.Script))))
	case a.Source.Capture != "":
		add("ui.link.capture", "size", words.Weight(int64(len(a.Source.Capture))))
	case a.Source.Library != "":
		add("ui.link.library", "name", a.Source.Library)
	case a.Source.Trace != "":
		add("ui.link.trace", "name", a.Source.Trace)
	case a.Source.URL != "":
		add("ui.link.url", "name", a.Source.URL)
	case a.Source.Pasted:
		add("ui.link.pasted")
	default:
		add("ui.link.file", "name", a.Source.File)
	}
	if n := len(a.Steps); n > 0 && a.Steps[n-1].Moment != "" {
		add("ui.link.moment", "step", words.Grouped(a.Steps[n-1].Step), "what", a.Steps[n-1].Moment)
	} else {
		add("ui.link.step", "step", words.Grouped(step))
	}
	if n := linesOf(a.Steps); n > 0 {
		add("ui.link.way", "n", words.Grouped(n))
	}
	if a.Profile != "" {
		add("ui.link.profile", "versions", words.FirstNonEmpty(m.Open.Trace.Versions(a.Profile), a.Profile))
	}
	if s.Setup {
		add("ui.link.setup")
	}
	if a.Second != nil {
		add("ui.link.beside", "name", second)
	}
	if a.Informer != "" {
		add("ui.link.informer", "name", a.Informer)
	}
	if a.Object.Key != "" {
		add("ui.link.object", "key", a.Object.Key)
	}
	if a.Follow != "" {
		add("ui.link.follow", "key", a.Follow)
	}
	n := len(a.Stops)
	if a.Search != "" {
		n++
	}
	if n > 0 {
		add("ui.link.asks", "n", words.Grouped(n))
	}
	return items
}

// notInLink says which things that are shown are not in the link.
func notInLink(w *words.Words, m *session.Model) (items []string) {
	s := m.Sharing.Share
	if s.NeedsFile() || s.Address.NeedsFile() {
		items = append(items, w.T("ui.link.noFile"))
	}
	if s.Problem != nil {
		items = append(items, w.Tn("ui.link.noWay", "why", w.Fault(s.Problem)))
	}
	if m.Hands.Lanes != nil && len(m.Hands.Lanes.List) > lanesInLink(m) {
		items = append(items, w.T("ui.link.noLanes"))
	}
	if l := m.Lesson.Learning; l != nil && len(l.Answers)+len(l.Solved) > 0 {
		items = append(items, w.T("ui.link.noAnswers"))
	}
	return items
}

// lanesInLink returns how many futures the link has, with what was opened.
func lanesInLink(m *session.Model) int {
	if _, is := m.Sharing.Share.Address.Second.(link.SecondLane); !is {
		return 1
	}
	if lane, is := m.Second.Standing().(link.SecondLane); m.Hands.Lanes.Shown == 0 || is && lane.Lane == 0 {
		return 2
	}
	return 3
}

func linesOf(way []link.PathStep) (n int) {
	for _, w := range way {
		if w.Line != "" {
			n++
		}
	}
	return n
}

// Expected returns the dialog that asks for the file that a link is about, and only the viewer has.
func Expected(w *words.Words, a *navigation.Expected) []*tree.Node {
	says := w.T("ui.expected.pasted")
	if a.Second {
		says = w.Tn("ui.expected.second", "name", words.FirstNonEmpty(strings.TrimSpace(a.Name), w.T("ui.pasted")))
	} else if a.Name != "" {
		size := ""
		if a.Size > 0 {
			size = " (" + words.Weight(a.Size) + ")"
		}
		says = w.Tn("ui.expected.file", "name", strings.TrimSpace(a.Name)+size)
	}
	body := tree.El("div", "dialog-body", tree.Text("p", "", says))
	if !a.Second {
		body.Add(tree.Text("p", "quiet", w.T("ui.expected.meanwhile")))
	}
	return []*tree.Node{
		body.Add(widget.Private(w, "ui.private")),
		widget.Foot(widget.Button("primary", w.T("ui.expected.choose"), "open", "").Attr("autofocus", ""), widget.Button("", w.T("ui.do.close"), "close", ""))}
}
