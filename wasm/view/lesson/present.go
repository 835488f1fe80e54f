package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Caption returns what a room reads under the stage: the question of a lesson's stop, or what the lesson
// says of the moment with what the step did below it, or else that alone. The lesson's own buttons stand beside it.
func Caption(w *words.Words, m *session.Model, l *link.Frame) *tree.Node {
	if !m.Room.On {
		return nil
	}
	says, foot := tree.El("div", "caption-says"), tree.El("div", "caption-foot")
	r, le, q := read(w, m), m.Lesson.Learning, -1
	if le != nil {
		q = le.Find(link.PartQuestion)
		if le.OpenQuestion() >= 0 { // to the left of what never moves
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
		says.Add(prose("p", class, point), widget.Say(w, "p", "caption-machine", l.Said))
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

// longPoint is from how many bytes on a point is set smaller, so that it covers nothing of the stage.
const longPoint = 200

// point returns the first paragraph of the lesson's stop while its moment is on the stage, or nil.
func (r *reading) point(m *session.Model) []link.Span {
	l := r.m.Learning
	if l == nil || r.away || l.Compared > 0 || m.Stage.Frame == nil || m.Stage.Frame.Step != l.At {
		return nil
	}
	if i := l.Find(link.PartParagraph); i >= 0 {
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
