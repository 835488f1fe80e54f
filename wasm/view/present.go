package view

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// caption is what a room reads under the stage: the question of a lesson's stop, or else what the
// step did. The lesson's own buttons stand beside it.
func (p *page) caption() *tree.Node {
	if !p.m.Room.On {
		return nil
	}
	says, foot := tree.El("div", "caption-says"), tree.El("div", "caption-foot")
	l, q := p.m.Lesson.Learning, -1
	if l != nil {
		q = l.Find(lesson.Question)
		foot.Add(p.lessonFoot(l))
	}
	switch {
	case q > 0:
		says.Add(p.prose("p", "", l.Parts[q-1].Text), p.question(l, q, true))
		if l.Open() >= 0 && l.Votes[q] == nil {
			foot.Add(widget.Button("tiny", p.w.T("ui.votes"), "votes", "").Attr("title", p.w.Title("votes")))
		}
	case p.m.Guess.Asked != nil:
		says.Add(p.prediction())
	case p.m.Room.Covered:
		says.Add(widget.Button("", p.w.T("ui.reveal"), "caption", "").Attr("title", p.w.Title("caption")))
	default:
		says.Add(widget.Say(p.w, "p", "", p.l.Said))
	}
	lit := ""
	if p.m.Room.Spot != "" {
		lit = p.w.Tn("ui.spot.on", "station", p.w.T("ui.station."+p.m.Room.Spot))
	}
	title := p.m.Open.Name
	if l != nil {
		title = l.Title
	}
	foot.Add(tree.Text("h1", "visually-hidden", title), tree.Text("span", "visually-hidden", lit).Attr("role", "status"), widget.IconButton("", "close", p.w.T("ui.do.present"), "present", ""))
	return tree.El("section", "caption", says, foot).Attr("aria-label", p.w.T("ui.present")).Key("caption")
}

// votes adds to an option of a question how many in the room are for it: a field until the
// answer is shown, and then a bar.
func (p *page) votes(l *learn.Learning, part, option int, answered bool, item *tree.Node) *tree.Node {
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
			tree.Text("span", "", p.w.Tn("ui.votes.share", "n", n, "share", strconv.Itoa(share)))))
	}
	field := tree.El("input", "vote").Attr("type", "number").Attr("min", "0").Attr("max", "9999").Attr("value", n).
		Act("vote", strconv.Itoa(part)+"."+strconv.Itoa(option)).Prop("value", n).
		Attr("aria-label", p.w.Tn("ui.votes.for", "answer", l.Parts[part].Options[option]))
	if option == 0 && p.m.Lesson.VoteFocus > 0 {
		field.Attr("data-focus", strconv.Itoa(p.m.Lesson.VoteFocus))
	}
	return item.Add(field)
}

// speaker is what web/page/room.js shows in the speaker's window: what is read now, the notes,
// what comes next, and the controls. The page itself doesn't show it.
func (p *page) speaker() *tree.Node {
	m := p.m
	if !m.Room.Noting {
		return nil
	}
	now, next := tree.El("section", "notes-now", tree.Text("h2", "", p.w.T("ui.notes.now"))), tree.El("section", "notes-next", tree.Text("h2", "", p.w.T("ui.notes.next")))
	notes := tree.El("section", "notes-notes", tree.Text("h2", "", p.w.T("ui.notes.notes")))
	title, at, written := m.Open.Name, p.w.Tn("ui.step.n", "n", words.Grouped(p.f.Step)), false
	controls := tree.El("footer", "notes-controls")
	if l := m.Lesson.Learning; l != nil {
		title, at = l.Title, p.w.Tn("ui.lesson.of", "step", strconv.Itoa(l.Stop+1), "all", strconv.Itoa(len(l.Stops)))
		from, to := l.Range(l.Stop)
		for i := from; i < to; i++ {
			if x := l.Parts[i]; x.Kind == lesson.Note.String() {
				for _, item := range x.Items {
					written = true
					notes.Add(p.prose("p", "", item))
				}
				continue
			}
			now.Add(p.lessonPart(l, i, l.Stop))
		}
		if l.Stop+1 < len(l.Stops) {
			from, to = l.Range(l.Stop + 1)
			for i := from; i < to; i++ {
				if k := l.Parts[i].Kind; k != lesson.Note.String() && k != lesson.Hint.String() {
					next.Add(p.lessonPart(l, i, -1))
				}
			}
		} else {
			next.Add(tree.Text("p", "quiet", p.w.T("ui.notes.end")))
		}
		controls.Add(widget.Button("", p.w.T("ui.lesson.previous"), "lastStop", "").Flag("disabled", l.Stop == 0))
		if l.Open() >= 0 {
			controls.Add(widget.Button("", p.w.T("ui.votes"), "votes", ""), widget.Button("primary", p.w.T("ui.lesson.show"), "answer", "-1"))
		} else {
			controls.Add(widget.Button("primary", p.w.T("ui.lesson.next"), "nextStop", "").Flag("disabled", l.Stop+1 == len(l.Stops)))
		}
	}
	now.Add(widget.Say(p.w, "p", "notes-said", p.l.Said))
	if p.l.Why != nil {
		now.Add(widget.Say(p.w, "p", "quiet", *p.l.Why))
	}
	if !written {
		notes.Add(tree.Text("p", "quiet", p.w.T("ui.notes.none")))
	}
	controls.Add(widget.Button("", p.w.T("ui.do.back"), "back", ""), widget.Button("", p.w.T("ui.do.step"), "step", ""),
		widget.Button("", p.w.T("ui.present"), "present", "").Is("aria-pressed", m.Room.On))
	if m.Room.On {
		controls.Add(widget.Button("", p.w.T("ui.notes.blank"), "blank", "").Is("aria-pressed", m.Room.Blank), widget.Button("", p.w.T("ui.notes.cover"), "caption", "").Is("aria-pressed", m.Room.Covered))
		spots := tree.El("div", "segments").Attr("role", "group").Attr("aria-label", p.w.T("ui.do.spot"))
		for _, s := range link.Stations {
			spots.Add(widget.Button("segment", p.w.T("ui.station."+s), "spot", s).Is("aria-pressed", m.Room.Spot == s))
		}
		controls.Add(spots)
	}
	clock := func(name, id string) *tree.Node {
		return tree.El("span", "notes-clock", tree.Text("span", "quiet", p.w.T(id)), tree.El("time", "").Attr("data-time", name))
	}
	head := tree.El("header", "notes-head", tree.El("div", "", tree.Text("h1", "", title), tree.Text("span", "quiet", at)),
		clock("now", "ui.notes.clock"), clock("elapsed", "ui.notes.elapsed"),
		tree.Text("button", "button tiny", p.w.T("ui.notes.restart")).Attr("type", "button").Attr("data-restart", ""))
	return tree.El("div", "notes", head, now, notes, next, controls).Attr("id", "speaker").Attr("hidden", "").Attr("data-title", p.w.T("ui.do.notes")).Key("speaker")
}
