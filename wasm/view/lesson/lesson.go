// Package lesson draws the lesson that is open: its text beside the stage, the course, the
// editor, the handout, and what a room and its speaker see.
package lesson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

func read(w *words.Words, m *session.Model) *reading {
	return &reading{w: w, m: &m.Lesson, trace: m.Open.Trace, diverged: m.Hands.Lanes != nil && m.Hands.Lanes.Shown > 0}
}

// Panel returns the text of the lesson, up to where the reader is. The stops that
// were read are dimmed, and lead back. Noticed is the card of what the reader has broken, nil for none. In line, lines of
// script are typed for the stop's exercise.
func Panel(w *words.Words, m *session.Model, noticed, line *tree.Node) *tree.Node {
	r, l := read(w, m), m.Lesson.Learning
	r.noticed, r.line, r.asks = noticed, line, true
	if l == nil {
		return tree.El("div", "panel lesson")
	}
	if m.Lesson.Writing != nil {
		return write(w, m.Lesson.Writing, m.Site.Lost)
	}
	head := tree.El("header", "lesson-head", onPath(w, &m.Lesson), tree.Text("span", "quiet", w.Tn("ui.lesson.part", "step", strconv.Itoa(l.Stop+1), "all", strconv.Itoa(len(l.Stops)))))
	if l.Stop == 0 && l.Minutes > 0 {
		head.Add(tree.Text("span", "quiet", inMinutes(w, l.Minutes)))
	}
	if right, answered := l.CountAnswers(); answered > 0 {
		head.Add(tree.Text("span", "quiet", w.Tn("ui.lesson.score", "right", strconv.Itoa(right), "all", strconv.Itoa(answered))), widget.Button("tiny link", w.T("ui.lesson.anew"), "answerAnew", "").Attr("title", w.T("ui.do.answerAnew")))
	}
	head.Add(widget.Button("tiny link", w.T("ui.present"), "present", "").Attr("title", w.Title("present")), widget.Button("tiny link", w.T("ui.write"), "edit", "").Attr("title", w.T("ui.do.edit")), widget.Button("tiny link", w.T("ui.handout"), "handout", "").Attr("title", w.T("ui.do.handout")), widget.Button("tiny link", w.T("ui.lesson.all"), "course", ""))
	text := tree.El("div", "lesson-text", head, tree.Text("h2", "", l.Title), r.paragraph(-1, "lesson-summary", l.Summary))
	for stop := range l.Stop + 1 {
		text.Add(r.stop(stop).Key(l.Name + strconv.Itoa(stop)))
	}
	return tree.El("div", "panel lesson", text, r.foot())
}

func (r *reading) stop(stop int) *tree.Node {
	l := r.m.Learning
	n := tree.El("section", "lesson-stop")
	from, to := l.Range(stop)
	if stop == l.Stop {
		n.Attr("data-now", "true").Attr("aria-current", "step").Attr("data-follow", l.Name+strconv.Itoa(stop)+l.Title+strconv.FormatBool(l.Coming)) // another language has another title, and breaks other lines
	}
	hints := 0
	for i := from; i < to; i++ {
		x := l.Parts[i]
		if stop == l.Stop && l.Coming && x.Kind != link.PartHeading && x.Kind != link.PartScript { // it tells of a moment that is on its way
			continue
		}
		if x.Kind == link.PartHint {
			if hints++; hints > l.Hints || stop != l.Stop {
				continue
			}
		}
		n.Add(r.part(i, stop))
	}
	if stop < l.Stop {
		n.Add(widget.Button("lesson-back", "", "stop", strconv.Itoa(stop)).Attr("aria-label", r.w.Tn("ui.lesson.back", "step", strconv.Itoa(stop+1))))
	}
	return n
}

// part returns one part of what is read at a stop.
func (r *reading) part(i, stop int) *tree.Node {
	l := r.m.Learning
	x := l.Parts[i]
	now := stop == l.Stop
	switch x.Kind {
	case link.PartHeading:
		return prose("h3", "", x.Text)
	case link.PartParagraph:
		return r.paragraph(i, "", x.Text)
	case link.PartList:
		list := tree.El("ul", "")
		for _, item := range x.Items {
			list.Add(prose("li", "", item))
		}
		return list
	case link.PartHint:
		n := tree.El("div", "lesson-hint").Attr("data-near", "") // it may stand below what is in sight
		for _, item := range x.Items {
			n.Add(prose("p", "", item))
		}
		return n
	case link.PartScript:
		return r.script(i)
	case link.PartQuestion:
		return r.question(i, now)
	case link.PartControl:
		return tree.El("div", "", r.controls(x, i, now), r.ownRecording(x, now))
	case link.PartCompare:
		return r.comparison(x, i, now)
	case link.PartExercise:
		return r.exercise(x, i, now, now && r.diverged)
	case link.PartMend:
		return r.mend(x, i, now)
	case link.PartSolution:
		if !now || !l.Solution {
			return nil
		}
		return tree.El("div", "lesson-solution").Attr("data-near", "").Add(tree.Text("pre", "", strings.Join(x.Lines, "\n")), widget.Button("", r.w.T("ui.lesson.solve"), "solve", ""))
	case link.PartCode:
		return tree.Text("pre", "lesson-go", strings.Join(x.Lines, "\n"))
	case link.PartSource:
		n := tree.El("ul", "lesson-source").Attr("aria-label", r.w.T("ui.lesson.source"))
		for k, line := range x.Lines {
			name := tree.Text("code", "", line)
			if at := x.Links[k]; at != "" {
				name = outside(at).Add(name)
			}
			n.Add(tree.El("li", "", name))
		}
		return n
	}
	return nil
}

// controls returns values of the scene that the reader may choose.
func (r *reading) controls(x link.LessonPart, i int, now bool) *tree.Node {
	n := tree.El("div", "lesson-try", tree.Text("h3", "", r.w.T("ui.lesson.try")))
	for k, c := range x.Controls {
		says, line := r.w.Plain(c.Label), strings.TrimSpace(c.Before+"…"+c.After)
		if isKnob(c) {
			n.Add(tree.El("div", "lesson-control", r.withScript(tree.Text("span", "", says), line), slider(c, says, strconv.Itoa(i)+"."+strconv.Itoa(k)+".", now)))
			continue
		}
		choices := tree.El("div", "segments").Attr("role", "group").Attr("aria-label", says)
		for j, choice := range c.Choices {
			arg := strconv.Itoa(i) + "." + strconv.Itoa(k) + "." + strconv.Itoa(j)
			choices.Add(widget.Button("segment", choice, "control", arg).Is("aria-pressed", c.Chosen == j).Flag("disabled", !now))
		}
		n.Add(tree.El("div", "lesson-control", r.withScript(tree.Text("span", "", says), line), choices))
	}
	return n
}

// isKnob reports whether a control is drawn as a slider: it has more than four choices, all of them numbers or times.
func isKnob(c link.Control) bool {
	return len(c.Choices) > 4 && !slices.ContainsFunc(c.Choices, func(s string) bool { return s == "" || s[0] < '0' || s[0] > '9' })
}

// slider returns the choices of a control as a knob to drag. The picture follows while it is dragged.
func slider(c link.Control, says, arg string, now bool) *tree.Node {
	chosen := c.Choices[min(max(c.Chosen, 0), len(c.Choices)-1)]
	return tree.El("label", "lesson-knob", tree.El("input", "").Attr("type", "range").Attr("min", "0").Attr("max", strconv.Itoa(len(c.Choices)-1)).Attr("step", "1").
		Attr("aria-label", says).Attr("aria-valuetext", chosen).Prop("value", strconv.Itoa(c.Chosen)).Act("drag", arg).Flag("disabled", !now), tree.Text("b", "", chosen))
}

// comparison returns the choice between the lesson's version of client-go and another one.
func (r *reading) comparison(x link.LessonPart, i int, now bool) *tree.Node {
	on := r.m.Learning.Compared == i
	_, versions, _ := strings.Cut(x.Lines[0], " ")
	if r.trace != nil {
		versions = words.FirstNonEmpty(r.trace.Versions(versions), versions)
	}
	label := r.w.T("ui.lesson.showHere")
	if !on {
		label = r.w.Tn("ui.lesson.showIn", "profile", versions)
	}
	return tree.El("div", "lesson-try lesson-compare", tree.Text("span", "", r.w.Tn("ui.lesson.compare", "profile", versions)),
		widget.Button("", label, "compare", strconv.Itoa(i)).Is("aria-pressed", on).Flag("disabled", !now))
}

// foot shows the way on, and the way back from what was tried. At an exercise it has the field for a line, so that
// the field is in sight wherever the text is.
func (r *reading) foot() *tree.Node {
	w, l := r.w, r.m.Learning
	foot := tree.El("footer", "lesson-foot", r.noticed, r.line)
	exercise, unsolved := l.Find(link.PartExercise) >= 0, l.Unsolved() >= 0
	if unsolved {
		foot.Attr("data-type", "true")
	}
	if exercise && !l.Coming { // they stay in sight, however long the text is
		checks := tree.El("p", "lesson-checks", hint(w, l))
		if unsolved {
			checks.Add(widget.Button("primary", w.T("ui.lesson.check"), "check", ""))
		}
		foot.Add(checks)
	}
	if led := r.m.Sought != nil && r.m.Sought.Found == link.FoundYes; r.diverged && !led || l.Compared > 0 { // else the way back stands at the question
		foot.Add(tree.El("p", "lesson-off", tree.Text("span", "", w.T("ui.lesson.off")), widget.Button("tiny", w.T("ui.do.backToLesson"), "backToLesson", "").Attr("title", w.Title("backToLesson"))))
	}
	back := widget.Button("", "‹ "+w.T("ui.lesson.previous"), "lastStop", "").Flag("disabled", l.Stop == 0).Attr("title", w.Title("lastStop"))
	way := "primary"
	if unsolved { // to check it is the way on
		way = ""
	}
	next := widget.Button(way, w.T("ui.lesson.next")+" ›", "nextStop", "").Attr("title", w.Title("nextStop"))
	switch {
	case l.Coming: // it goes there at once
	case l.OpenQuestion() >= 0: // nothing else comes to stand under the finger
		next.Flag("disabled", true)
	case l.Stop+1 == len(l.Stops):
		if after, n := r.m.NextLesson(); after.Name != "" && unsolved { // its title would take the room of what checks the exercise
			next = widget.Button(way, w.T("ui.lesson.next")+" ›", "lesson", after.Name).Attr("title", after.Title)
		} else if after.Name != "" {
			next = widget.Button(way, after.Title+" ›", "lesson", after.Name)
		} else if n > 0 { // the way ends here
			next = widget.Button(way, w.T("ui.path.record"), "record", r.m.Path)
		} else {
			next = widget.Button(way, w.T("ui.lesson.all"), "course", "")
		}
	}
	return foot.Add(back, next.Is("data-goes-on", l.Coming || l.OpenQuestion() < 0))
}

// script returns what the script of part i does to the machine in one line of words. The lines of script stand behind it, without
// those that only prove what the lesson says. They are open where the reader is to type lines for the same scene.
func (r *reading) script(i int) *tree.Node {
	x := r.m.Learning.Parts[i]
	var says, lines []string
	for _, s := range x.Sentences {
		says = append(says, r.w.Plain(s))
	}
	if len(says) == 0 {
		return nil
	}
	for _, line := range x.Lines {
		if verb, _, _ := strings.Cut(line, " "); !slices.Contains([]string{"expect", "can", "log", "show"}, verb) {
			lines = append(lines, line)
		}
	}
	return r.withScript(tree.Text("span", "", capital(strings.Join(says, r.w.T("ui.lines.between")))), lines...).Flag("open", r.asks && r.m.Learning.Teaches(i))
}

// capital returns a sentence with its first letter in upper case.
func capital(text string) string {
	if text != "" && 'a' <= text[0] && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// withScript returns words with lines of script that the reader can ask for. On paper and in the speaker's window there are none.
func (r *reading) withScript(words *tree.Node, lines ...string) *tree.Node {
	if !r.asks {
		return tree.El("div", "lesson-script", words)
	}
	return tree.El("details", "lesson-script", tree.El("summary", "", words), tree.Text("pre", "", strings.Join(lines, "\n")))
}

// answer returns the value of an option, or of what the machine says, as a reader has it: without the brackets and signs of a transcript.
func answer(w *words.Words, value string) string {
	list, whole := strings.CutPrefix(value, "[")
	list, closed := strings.CutSuffix(list, "]")
	switch {
	case value == "yes", value == "no", value == "true", value == "false":
		return w.T("ui.answer." + value)
	case whole != closed:
		return value
	case list == "" || list == "nothing" || list == "none":
		return w.T("ui.answer.nothing")
	}
	between := ", "
	if verb, _, _ := strings.Cut(list, " "); whole && !strings.Contains(list, ", ") && !slices.Contains(verbs, verb) && !strings.Contains(list, "=") || strings.HasPrefix(list, "watches=") { // what an informer costs
		between = " "
	}
	items := strings.Split(list, between)
	for i, item := range items {
		if what, n, ok := strings.Cut(item, "="); ok && slices.Contains(costs, what) {
			items[i] = w.Tn("ui.answer."+what, "n", n)
			continue
		}
		parts := strings.Split(item, " ")
		for k, part := range parts {
			key, at, versioned := strings.Cut(part, "@")
			old, is, changed := strings.Cut(at, "->")
			switch {
			case changed: // as what handlers print
				parts[k] = key + " " + old + " → " + is
			case versioned && whole:
				parts[k] = key + " " + at
			case versioned:
				parts[k] = w.Tn("ui.answer.version", "key", key, "rv", at)
			}
		}
		items[i] = strings.Join(parts, " ")
	}
	return strings.Join(items, ", ")
}

// costs are what an answer counts of an informer.
var costs = []string{"watches", "lists", "objects", "copies"}

// verbs begin an item of an answer that has several words.
var verbs = []string{"OnAdd", "OnUpdate", "OnDelete", "Added", "Updated", "Deleted", "Replaced", "Sync"}
