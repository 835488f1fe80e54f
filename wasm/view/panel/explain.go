// Package panel draws what stands beside the stage: the sentence about the step, an object, the
// goroutines, the setup, and the source.
package panel

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Explain shows what the step did and why that matters. L is the frame for lists: at high speed it
// changes less often than the newest one, so that a sentence can be read. A prediction stands
// before the sentence while the viewer guesses.
func Explain(w *words.Words, k widget.Cache, m *session.Model, l *link.Frame, prediction *tree.Node) *tree.Node {
	n := tree.El("div", "panel explain")
	if m.Stage.Frame == nil {
		return n.Add(intro(w, m.Site.Embedded, false))
	}
	head := tree.El("header", "explain-head", tree.Text("span", "step-n", w.Tn("ui.step.n", "n", words.Grouped(l.Step))))
	if l.Func != "" {
		head.Add(tree.Text("code", "func", l.Func).Attr("title", w.T("ui.func")))
	}
	n.Add(head.Add(visits(w, m)), prediction)
	by := tree.El("p", "by")
	if l.Actor != "" {
		by.Add(tree.Text("span", "", w.T("ui.by")), widget.Badge("actor", w.Actor(l.Actor)))
		if l.Process.Elsewhere != "" {
			by.Add(tree.Text("span", "", w.Tn("ui.elsewhere", "informer", l.Process.Elsewhere)))
		}
	}
	if place := calledHandler(l); place != "" {
		by.Add(widget.Button("tiny", w.T("ui.word.why"), "whyAt", place).Attr("title", w.T("ui.do.why")))
	}
	for _, text := range l.Notes {
		n.Add(tree.El("p", "note", widget.MarkShape(link.MarkNote), tree.Text("span", "", text)).Attr("title", w.T("ui.note")))
	}
	said, why := l.Sentences()
	n.Add(by, widget.Sentence(w, "p", "said", said))
	if why != nil {
		n.Add(widget.Sentence(w, "p", "why", *why))
	} else {
		n.Add(tree.El("p", "why"))
	}
	n.Add(Noticed(w, m))
	if l.Step == 0 {
		says := intro(w, m.Site.Embedded, m.Open.Trace != nil && m.Open.Trace.Script)
		n.Add(says)
		if m.Lesson.Learning != nil {
			return n
		}
		says.Add(version(w, m)) // a narrow window that has no room for the one has none for the other
		return n.Add(tree.El("div", "begin-foot", widget.Button("primary begin", w.T("ui.begin"), "begin", ""), widget.Button("begin", w.T("ui.learn.first"), "lesson", learn.First)))
	}
	return n.Add(tree.El("header", "trail-head", tree.Text("h3", "", w.T("ui.trail")), widget.Button("tiny", w.T("ui.word.predict"), "predict", "").Attr("title", w.Title("predict"))), k.Draw("trail", l, func() *tree.Node { return trail(w, l.Before) }))
}

// version shows once why a capture is played as a version of client-go. It is nil where somebody has
// chosen the version.
func version(w *words.Words, m *session.Model) *tree.Node {
	why := widget.Chosen(w, m.Open.Trace, m.Open.Source.IsViewers())
	if why == "" {
		return nil
	}
	return tree.Text("p", "", why).Key("version")
}

// calledHandler returns the place of the handler that the step has called, "" for other steps. Why a handler was called
// is what most people want to know.
func calledHandler(l *link.Frame) string {
	for _, place := range l.Lit {
		if strings.HasSuffix(place, "/"+link.LaneHandler) {
			return place
		}
	}
	return ""
}

// trail lists what the steps before this one did, in the order of the machine, the newest
// first.
func trail(w *words.Words, before []link.StepSummary) *tree.Node {
	trail := tree.El("ol", "trail")
	for i := len(before) - 1; i >= 0; i-- {
		s := before[i]
		trail.Add(tree.El("li", "", widget.Action("", "seek", words.Itoa(s.Step), tree.Text("span", "trail-n", words.Grouped(s.Step)), tree.Text("span", "", w.Plain(s.Sentence)))).Key(words.Itoa(s.Step)))
	}
	return trail
}

// visits returns buttons that lead to the places from which the viewer has jumped.
func visits(w *words.Words, m *session.Model) *tree.Node {
	visit := func(name, icon string, to int64) *tree.Node {
		text := w.T("ui.do." + name)
		if to >= 0 {
			text = w.Tn("ui."+name, "step", words.Grouped(to))
		}
		return widget.IconButton("tiny", icon, text, name, "").Flag("disabled", to < 0)
	}
	return tree.El("span", "visits", visit("visitBack", "left", m.Nav.PreviousStep()), visit("visitForward", "right", m.Nav.ForwardTo()))
}

// intro shows in three lines what the page is.
func intro(w *words.Words, framed, script bool) *tree.Node {
	plays, last := w.T("ui.intro.2"), w.T("ui.intro.3")
	if script {
		plays = w.T("ui.intro.script")
	}
	if framed {
		last = w.T("ui.intro.framed")
	}
	return tree.El("div", "intro",
		tree.Text("p", "", w.T("ui.intro.1")),
		tree.Text("p", "", plays),
		tree.Text("p", "", last))
}

// Log lists what the recorded process logged near the step shown. Each entry leads to the step at which the process
// had logged it, and those that are still to come are dimmed.
func Log(w *words.Words, l *link.Log) *tree.Node {
	n := tree.El("div", "panel log")
	if l == nil {
		return n.Add(tree.Text("p", "quiet", w.T("ui.log.none")))
	}
	n.Add(tree.Text("p", "quiet", w.Tn("ui.log.at", "n", words.Grouped(l.Reached), "total", words.Grouped(l.Total))))
	list := tree.El("ol", "log-entries")
	for i, x := range l.Entries {
		number := l.From + i + 1
		class := "log-entry log-" + x.Level
		b := widget.Action("", "toLogged", words.Itoa(x.Time), tree.El("span", "log-head", tree.Text("span", "log-time", words.Clock(x.Time)), tree.Text("span", "log-level", w.T("ui.log.level."+x.Level))), tree.Text("span", "log-text", x.Text))
		switch {
		case number == l.Reached:
			b.Attr("aria-current", "step")
		case number > l.Reached:
			class += " later"
		}
		list.Add(tree.El("li", class, b).Key(words.Itoa(number)))
	}
	return n.Add(list)
}

// Code returns the pane with the engine's own source for the step. This program has
// the words of the pane. It doesn't have the source, so page/code.js fetches it
// and draws it.
func Code(w *words.Words, l *link.Frame) *tree.Node {
	state := func(name string, nodes ...*tree.Node) *tree.Node {
		return tree.El("div", "code-"+name, nodes...)
	}
	body := tree.El("div", "code-body",
		state("start", tree.Text("p", "", w.T("ui.code.start"))),
		state("fetching", tree.Text("p", "", w.T("ui.code.fetching"))),
		state("failed", tree.Text("p", "", w.T("ui.code.failed")), tree.Text("code", "code-reason", ""),
			tree.Text("button", "button code-again", w.T("ui.code.again")).Attr("type", "button")),
		state("shown",
			tree.El("div", "code-peers", tree.Text("h3", "", w.T("ui.code.clientGo")), tree.El("ul", ""), tree.Text("p", "quiet", w.T("ui.code.none"))),
			tree.El("div", "code-source").Attr("role", "group").Attr("tabindex", "0").Attr("aria-label", w.T("ui.code")).Attr("aria-describedby", "code-legend"),
			tree.Text("p", "quiet", w.T("ui.code.legend")).Attr("id", "code-legend"))).
		Attr("id", "code").Attr("data-code", l.Code).Attr("data-func", l.Func)
	return tree.El("aside", "code",
		tree.El("header", "code-head", tree.Text("h2", "", w.T("ui.code")), tree.Text("code", "code-at", ""),
			widget.IconButton("tiny", "close", w.T("ui.code.close"), "code", "")),
		body).Attr("aria-label", w.T("ui.code")).Key("code")
}

// noticers name who has noticed a fault, by the IDs of the rows of its card. The other rows are about handlers.
var noticers = map[string]string{
	"lost": "ui.station.reflector", "closed": "ui.station.reflector", "failed": "ui.station.reflector", "opened": "ui.station.reflector", "relisted": "ui.station.reflector",
	"led": "ui.replicas", "stored": "ui.station.store", "panicked": "ui.station.processor", "queued": "ui.station.work",
	"reconcileFailed": "ui.workers", "reconciled": "ui.workers", "unreconciled": "ui.workers", "reconciledLate": "ui.workers", "undone": "ui.workers",
}

// Noticed returns the card that says who has noticed the fault that was played last, nil for none.
func Noticed(w *words.Words, m *session.Model) *tree.Node {
	x := m.Hands.Noticed
	if x == nil {
		return nil
	}
	rows := tree.El("ul", "")
	for i, r := range x.Rows {
		who := r.Handler
		if id := noticers[r.ID]; id != "" {
			who = w.T(id)
		}
		says := w.Tn("noticed."+r.ID, "n", words.Grouped(r.N), "time", words.Duration(r.N))
		row := tree.El("li", "", tree.Text("b", "", who), tree.Text("span", "", says))
		if r.Step > 0 {
			row.Add(widget.Button("tiny", w.Tn("ui.step.n", "n", words.Grouped(r.Step)), "seek", words.Itoa(r.Step)))
		}
		rows.Add(row.Key(strconv.Itoa(i)))
	}
	return tree.El("section", "noticed",
		tree.El("header", "", tree.Text("h3", "", w.T("noticed")), tree.Text("code", "", x.Line), widget.IconButton("tiny", "close", w.T("ui.do.close"), "noticed", "")),
		tree.Text("p", "", w.Tn("noticed."+x.Ends, "time", words.Duration(x.Time))), rows).
		Attr("role", "status").Attr("aria-label", w.T("noticed")).Key("noticed")
}
