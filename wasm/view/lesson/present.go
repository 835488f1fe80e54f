package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Caption is what a room reads under the stage: the question of a lesson's stop, or what the lesson
// says of the moment, or else what the step did. The lesson's own buttons stand beside it.
func Caption(w *words.Words, m *session.Model, l *link.Frame) *tree.Node {
	if !m.Room.On {
		return nil
	}
	says, foot := tree.El("div", "caption-says"), tree.El("div", "caption-foot")
	r, le, q := read(w, m), m.Lesson.Learning, -1
	if le != nil {
		q = le.Find(lesson.Question)
		if le.Open() >= 0 { // to the left of what never moves
			foot.Add(widget.Button("tiny", w.T("ui.lesson.show"), "answer", "-1"))
			if !le.Counting() {
				foot.Add(widget.Button("tiny", w.T("ui.votes"), "votes", "").Attr("title", w.Title("votes")))
			}
		}
		foot.Add(r.foot())
	}
	switch {
	case q > 0:
		says.Add(prose("p", "", le.Parts[q-1].Text), r.question(q, true))
	case m.Guess.Asked != nil:
		says.Add(Prediction(w, &m.Guess))
	case m.Room.Covered:
		says.Add(widget.Button("", w.T("ui.reveal"), "caption", "").Attr("title", w.Title("caption")))
	case r.point(m) != nil:
		says.Add(prose("p", "", r.point(m)))
	default:
		says.Add(widget.Say(w, "p", "", l.Said))
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

// point is the first paragraph of the lesson's stop while its moment is on the stage, or nil.
func (r *reading) point(m *session.Model) []link.Span {
	l := r.m.Learning
	if l == nil || r.away || l.Compared > 0 || m.Stage.Frame == nil || m.Stage.Frame.Step != l.At {
		return nil
	}
	if i := l.Find(lesson.Paragraph); i >= 0 {
		return l.Parts[i].Text
	}
	return nil
}

// votes adds to an option of a question how many in the room are for it: a field until the
// answer is shown, and then a bar.
func (r *reading) votes(part, option int, answered bool, item *tree.Node) *tree.Node {
	l := r.m.Learning
	votes := l.Votes[part]
	if option >= len(votes) {
		return item
	}
	all := 0
	for _, n := range votes {
		all += n
	}
	n := strconv.Itoa(votes[option])
	if answered {
		share := 0
		if all > 0 {
			share = (votes[option]*100 + all/2) / all
		}
		return item.Add(tree.El("span", "vote-bar", tree.El("i", "").Style("width", strconv.Itoa(share)+"%"),
			tree.Text("span", "", r.w.Tn("ui.votes.share", "n", n, "share", strconv.Itoa(share)))))
	}
	field := tree.El("input", "vote").Attr("type", "number").Attr("min", "0").Attr("max", "9999").Attr("value", n).
		Act("vote", strconv.Itoa(part)+"."+strconv.Itoa(option)).Prop("value", n).
		Attr("aria-label", r.w.Tn("ui.votes.for", "answer", l.Parts[part].Options[option]))
	if option == 0 && r.m.VoteFocus > 0 {
		field.Attr("data-focus", strconv.Itoa(r.m.VoteFocus))
	}
	return item.Add(field)
}

// Speaker is what web/page/room.js shows in the speaker's window: what is read now, the notes,
// what comes next, and the controls. The page itself doesn't show it.
func Speaker(w *words.Words, m *session.Model, f, l *link.Frame) *tree.Node {
	if !m.Room.Noting {
		return nil
	}
	now, next := tree.El("section", "notes-now", tree.Text("h2", "", w.T("ui.notes.now"))), tree.El("section", "notes-next", tree.Text("h2", "", w.T("ui.notes.next")))
	notes := tree.El("section", "notes-notes", tree.Text("h2", "", w.T("ui.notes.notes")))
	title, at, written := m.Open.Name, w.Tn("ui.step.n", "n", words.Grouped(f.Step)), false
	controls := tree.El("footer", "notes-controls")
	if le := m.Lesson.Learning; le != nil {
		r := read(w, m)
		title, at = le.Title, w.Tn("ui.lesson.of", "step", strconv.Itoa(le.Stop+1), "all", strconv.Itoa(len(le.Stops)))
		from, to := le.Range(le.Stop)
		for i := from; i < to; i++ {
			if x := le.Parts[i]; x.Kind == lesson.Note.String() {
				for _, item := range x.Items {
					written = true
					notes.Add(prose("p", "", item))
				}
				continue
			}
			now.Add(r.part(i, le.Stop))
			for k, o := range le.Parts[i].Options {
				if why := because(le.Parts[i], k); why != nil {
					written = true
					notes.Add(tree.El("div", "notes-belief", tree.Text("code", "", o), why))
				}
			}
		}
		if le.Stop+1 < len(le.Stops) {
			from, to = le.Range(le.Stop + 1)
			for i := from; i < to; i++ {
				if k := le.Parts[i].Kind; k != lesson.Note.String() && k != lesson.Hint.String() {
					next.Add(r.part(i, -1))
				}
			}
		} else {
			next.Add(tree.Text("p", "quiet", w.T("ui.notes.end")))
		}
		controls.Add(widget.Button("", w.T("ui.lesson.previous"), "lastStop", "").Flag("disabled", le.Stop == 0))
		controls.Add(widget.Button("primary", w.T("ui.lesson.next"), "nextStop", "").Flag("disabled", le.Open() >= 0 || le.Stop+1 == len(le.Stops)))
		if le.Open() >= 0 {
			controls.Add(widget.Button("", w.T("ui.votes"), "votes", ""), widget.Button("", w.T("ui.lesson.show"), "answer", "-1"))
		}
	}
	now.Add(widget.Say(w, "p", "notes-said", l.Said))
	if l.Why != nil {
		now.Add(widget.Say(w, "p", "quiet", *l.Why))
	}
	if !written {
		notes.Add(tree.Text("p", "quiet", w.T("ui.notes.none")))
	}
	controls.Add(widget.Button("", w.T("ui.do.back"), "back", ""), widget.Button("", w.T("ui.do.step"), "step", ""),
		widget.Button("", w.T("ui.present"), "present", "").Is("aria-pressed", m.Room.On))
	if m.Room.On {
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
	return tree.El("div", "notes", head, now, notes, next, controls).Attr("id", "speaker").Attr("hidden", "").Attr("data-title", w.T("ui.do.notes")).Key("speaker")
}
