package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Speaker returns what web/page/room.js shows in the speaker's window: what is read now, the notes,
// what comes next, and the controls. The page itself doesn't show it.
func Speaker(w *words.Words, m *session.Model, f, l *link.Frame) *tree.Node {
	if !m.Room.Noting {
		return nil
	}
	now, next := tree.El("section", "notes-now", tree.Text("h2", "", w.T("ui.notes.now"))), tree.El("section", "notes-next", tree.Text("h2", "", w.T("ui.notes.next")))
	title, at := m.Open.Name, w.Tn("ui.step.n", "n", words.Grouped(f.Step))
	controls := tree.El("footer", "notes-controls")
	if le := m.Lesson.Learning; le != nil {
		r := read(w, m)
		title, at = le.Title, w.Tn("ui.lesson.part", "step", strconv.Itoa(le.Stop+1), "all", strconv.Itoa(len(le.Stops)))
		from, to := le.Range(le.Stop)
		for i := from; i < to; i++ {
			if le.Parts[i].Kind != link.PartNote {
				now.Add(r.part(i, le.Stop))
			}
		}
		if le.Stop+1 < len(le.Stops) {
			from, to = le.Range(le.Stop + 1)
			for i := from; i < to; i++ {
				if k := le.Parts[i].Kind; k != link.PartNote && k != link.PartHint {
					next.Add(r.part(i, -1))
				}
			}
		} else {
			next.Add(tree.Text("p", "quiet", w.T("ui.notes.end")))
		}
		controls.Add(widget.Button("", w.T("ui.lesson.previous"), "lastStop", "").Flag("disabled", le.Stop == 0))
		controls.Add(widget.Button("primary", w.T("ui.lesson.next"), "nextStop", "").Flag("disabled", !le.Coming && (le.OpenQuestion() >= 0 || le.Stop+1 == len(le.Stops))))
		if le.OpenQuestion() >= 0 {
			controls.Add(widget.Button("", w.T("ui.votes"), "votes", ""), widget.Button("", w.T("ui.lesson.show"), "answer", "-1"))
		}
	}
	said, _ := l.Sentences()
	now.Add(widget.Sentence(w, "p", "notes-said", said))
	controls.Add(widget.Button("", w.T("ui.do.back"), "back", ""), widget.Button("", w.T("ui.do.step"), "step", ""),
		widget.Button("", w.T("ui.present"), "present", "").Is("aria-pressed", m.Room.Active))
	if m.Room.Active {
		controls.Add(widget.Button("", w.T("ui.notes.blank"), "blank", "").Is("aria-pressed", m.Room.Blank), widget.Button("", w.T("ui.notes.cover"), "caption", "").Is("aria-pressed", m.Room.Covered))
		spots := tree.El("div", "segments").Attr("role", "group").Attr("aria-label", w.T("ui.do.spot"))
		for _, s := range link.Stations {
			spots.Add(widget.Button("segment", w.T("ui.station."+s), "spot", s).Is("aria-pressed", m.Room.Spot == s))
		}
		controls.Add(spots)
	}
	clock := func(name, id string) *tree.Node {
		return tree.El("span", "notes-clock", tree.Text("span", "quiet", w.T(id)), tree.El("time", "").Attr("data-time", name))
	}
	head := tree.El("header", "notes-head", tree.El("div", "", tree.Text("h1", "", title), tree.Text("span", "quiet", at)),
		clock("now", "ui.notes.clock"), clock("elapsed", "ui.notes.elapsed"),
		tree.Text("button", "button tiny", w.T("ui.notes.restart")).Attr("type", "button").Attr("data-restart", ""))
	return tree.El("div", "notes", head, now, notes(w, m.Lesson.Learning, l), next, controls).Attr("id", "speaker").Attr("hidden", "").Attr("data-title", w.T("ui.do.notes")).Key("speaker")
}

// notes returns for the speaker alone: how long the moment may take, what to say of it, and what the class will ask.
// Where a lesson has no notes of its own, its point is to be said. At a question the class asks for the other
// options, and at any other moment why the machine did what it did.
func notes(w *words.Words, le *learn.Learning, l *link.Frame) *tree.Node {
	n := tree.El("section", "notes-notes", tree.Text("h2", "", w.T("ui.notes.notes")))
	ask := tree.El("div", "notes-ask", tree.Text("h3", "", w.T("ui.notes.ask")))
	asked := false
	if le != nil {
		begins, takes := le.Time(le.Stop)
		n.Add(tree.Text("p", "quiet", w.Tn("ui.notes.takes", "time", clock(takes), "at", clock(begins), "all", inMinutes(w, le.Minutes))))
		say := tree.El("div", "notes-say", tree.Text("h3", "", w.T("ui.notes.say")))
		from, to := le.Range(le.Stop)
		written := false
		for _, x := range le.Parts[from:to] {
			if x.Kind == link.PartNote {
				for _, item := range x.Items {
					written = true
					say.Add(prose("p", "", item))
				}
			}
			for k, o := range x.Options {
				if why := because(x, k); why != nil {
					asked = true
					ask.Add(tree.El("div", "notes-belief", tree.Text("code", "", answer(w, o)), why))
				}
			}
		}
		if i := le.Find(link.PartParagraph); !written && i >= 0 {
			say.Add(prose("p", "", le.Parts[i].Text))
		}
		n.Add(say)
	}
	if !asked && l.Reason != nil {
		asked = true
		ask.Add(widget.Sentence(w, "p", "", *l.Reason))
	}
	if asked {
		n.Add(ask)
	}
	return n
}

// Caption returns what a room reads under the stage: the question of a lesson's stop, or what the lesson
// says of the moment with what the step did below it, or else that alone. The lesson's own buttons stand beside it.
func Caption(w *words.Words, m *session.Model, l *link.Frame) *tree.Node {
	if !m.Room.Active {
		return nil
	}
	says, foot := tree.El("div", "caption-says"), tree.El("div", "caption-foot")
	said, _ := l.Sentences()
	r, le, q := read(w, m), m.Lesson.Learning, -1
	if le != nil {
		if !le.Coming {
			q = le.Find(link.PartQuestion)
		}
		if q >= 0 && le.OpenQuestion() >= 0 { // to the left of what never moves
			foot.Add(widget.Button("tiny", w.T("ui.lesson.show"), "answer", "-1"))
			if !le.Counting() {
				foot.Add(widget.Button("tiny", w.T("ui.votes"), "votes", "").Attr("title", w.Title("votes")))
			}
		}
		foot.Add(r.foot())
	}
	switch {
	case q > 0:
		says.Add(prose("p", "", le.Parts[q-1].Text).Add(prose("span", "lesson-measured", le.Parts[q].Asks)), r.question(q, true))
	case m.Guess.Asked != nil:
		says.Add(Prediction(w, &m.Guess))
	case m.Room.Covered:
		says.Add(widget.Button("", w.T("ui.reveal"), "caption", "").Attr("title", w.Title("caption")))
	case r.point(m) != nil:
		point, class := r.point(m), ""
		if len(plain(point)) > longPoint {
			class = "long"
		}
		says.Add(prose("p", class, point), widget.Sentence(w, "p", "caption-machine", said))
	default:
		says.Add(widget.Sentence(w, "p", "", said))
	}
	lit := ""
	if m.Room.Spot != "" {
		lit = w.Tn("ui.spot.on", "station", w.T("ui.station."+m.Room.Spot))
	}
	title := m.Open.Name
	if le != nil {
		title = le.Title
	}
	foot.Add(tree.Text("h1", "visually-hidden", title), tree.Text("span", "visually-hidden", lit).Attr("role", "status"), widget.IconButton("", "close", w.T("ui.do.present"), "present", ""))
	return tree.El("section", "caption", says, foot).Attr("aria-label", w.T("ui.present")).Key("caption")
}

// longPoint is from how many bytes on a point is set smaller, so that it covers nothing of the stage.
const longPoint = 200

// point returns the first paragraph of the lesson's stop while its moment is on the stage, or nil.
func (r *reading) point(m *session.Model) []link.Span {
	l := r.m.Learning
	if l == nil || r.diverged || l.Compared > 0 || m.Stage.Frame == nil || m.Stage.Frame.Step != l.Step {
		return nil
	}
	if i := l.Find(link.PartParagraph); i >= 0 {
		return l.Parts[i].Text
	}
	return nil
}
