package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// lesson is the text of the lesson, up to where the reader is. The stops that
// were read are dimmed, and lead back.
func (p *page) lesson() *tree.Node {
	l := p.m.Lesson.Learning
	if l == nil {
		return tree.El("div", "panel lesson")
	}
	if p.m.Lesson.Writing != nil {
		return p.write()
	}
	head := tree.El("header", "lesson-head", tree.Text("span", "quiet", p.w.Tn("ui.lesson.of", "step", strconv.Itoa(l.Stop+1), "all", strconv.Itoa(len(l.Stops)))))
	if right, answered := l.Count(); answered > 0 {
		head.Add(tree.Text("span", "quiet", p.w.Tn("ui.lesson.score", "right", strconv.Itoa(right), "all", strconv.Itoa(answered))))
	}
	head.Add(widget.Button("tiny link", p.w.T("ui.present"), "present", "").Attr("title", p.w.Title("present")), widget.Button("tiny link", p.w.T("ui.write"), "edit", "").Attr("title", p.w.T("ui.do.edit")), widget.Button("tiny link", p.w.T("ui.handout"), "handout", "").Attr("title", p.w.T("ui.do.handout")), widget.Button("tiny link", p.w.T("ui.lesson.all"), "course", ""))
	text := tree.El("div", "lesson-text", head, tree.Text("h2", "", l.Title), p.prose("p", "lesson-summary", l.Summary))
	for stop := range l.Stop + 1 {
		text.Add(p.lessonStop(l, stop).Key(l.Name + strconv.Itoa(stop)))
	}
	return tree.El("div", "panel lesson", text, p.lessonFoot(l))
}

// lessonStop is what is read at a stop.
func (p *page) lessonStop(l *learn.Learning, stop int) *tree.Node {
	n := tree.El("section", "lesson-stop")
	from, to := l.Range(stop)
	if stop == l.Stop {
		n.Attr("data-now", "true").Attr("aria-current", "step").Attr("data-follow", l.Name+strconv.Itoa(stop))
	}
	hints := 0
	for i := from; i < to; i++ {
		x := l.Parts[i]
		if x.Kind == lesson.Hint.String() {
			if hints++; hints > l.Hints || stop != l.Stop {
				continue
			}
		}
		n.Add(p.lessonPart(l, i, stop))
	}
	if stop < l.Stop {
		n.Add(widget.Button("lesson-back", "", "stop", strconv.Itoa(stop)).Attr("aria-label", p.w.Tn("ui.lesson.back", "step", strconv.Itoa(stop+1))))
	}
	return n
}

func (p *page) lessonPart(l *learn.Learning, i, stop int) *tree.Node {
	x := l.Parts[i]
	now := stop == l.Stop
	switch x.Kind {
	case lesson.Heading.String():
		return p.prose("h3", "", x.Text)
	case lesson.Paragraph.String():
		return p.prose("p", "", x.Text)
	case lesson.List.String():
		list := tree.El("ul", "")
		for _, item := range x.Items {
			list.Add(p.prose("li", "", item))
		}
		return list
	case lesson.Hint.String():
		n := tree.El("div", "lesson-hint")
		for _, item := range x.Items {
			n.Add(p.prose("p", "", item))
		}
		return n
	case lesson.Script.String():
		return p.lessonScript(x)
	case lesson.Question.String():
		return p.question(l, i, now)
	case lesson.Control.String():
		return p.controls(x, i, now)
	case lesson.Compare.String():
		return p.comparison(l, x, i, now)
	case lesson.Exercise.String():
		return p.exercise(l, x, i, now)
	case lesson.Solution.String():
		if !now || !l.Solution {
			return nil
		}
		return tree.El("div", "lesson-solution", tree.Text("pre", "", strings.Join(x.Lines, "\n")), widget.Button("", p.w.T("ui.lesson.solve"), "solve", ""))
	case lesson.Code.String():
		return tree.Text("pre", "lesson-go", strings.Join(x.Lines, "\n"))
	case lesson.Source.String():
		n := tree.El("ul", "lesson-source").Attr("aria-label", p.w.T("ui.lesson.source"))
		for _, line := range x.Lines {
			n.Add(tree.El("li", "", tree.Text("code", "", line)))
		}
		return n
	}
	return nil
}

// lessonScript shows what a script does to the machine, without the lines that only
// prove what the lesson says.
func (p *page) lessonScript(x link.LessonPart) *tree.Node {
	var lines []string
	for _, line := range x.Lines {
		verb, _, _ := strings.Cut(line, " ")
		if verb != "expect" && verb != "can" && verb != "log" && verb != "show" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return tree.Text("pre", "lesson-script", strings.Join(lines, "\n"))
}

// question is a question with its options. Once it is answered, it shows what the
// machine says.
func (p *page) question(l *learn.Learning, i int, now bool) *tree.Node {
	x := l.Parts[i]
	g, answered := l.Answers[i]
	n := tree.El("div", "lesson-question").Attr("role", "group").Attr("aria-label", p.w.T("ui.lesson.question"))
	list := tree.El("ol", "lesson-options")
	for k, o := range x.Options {
		b := tree.El("button", "option", tree.Text("kbd", "", strconv.Itoa(k+1)), tree.Text("code", "", o)).Attr("type", "button").
			Act("answer", strconv.Itoa(k)).Flag("disabled", answered || !now)
		if answered && g.Judged != nil {
			switch k {
			case g.Judged.Option:
				b.Attr("data-right", "true").Add(tree.Text("span", "verdict", p.w.T("ui.lesson.right")))
			case g.Option:
				b.Attr("data-wrong", "true").Add(tree.Text("span", "verdict", p.w.T("ui.lesson.wrong")))
			}
		}
		list.Add(p.votes(l, i, k, answered, tree.El("li", "", b)))
	}
	n.Add(list)
	switch {
	case !answered:
		n.Add(tree.El("p", "quiet", tree.Text("span", "", p.w.T("ui.lesson.covered")), widget.Button("tiny link", p.w.T("ui.lesson.show"), "answer", "-1")))
	case g.Judged == nil:
		n.Add(tree.Text("p", "quiet", p.w.T("ui.loading")))
	case g.Right():
		n.Add(tree.Text("p", "verdict-text", p.w.T("ui.lesson.yes")).Attr("role", "status"))
	case g.Option < 0:
		n.Add(tree.Text("p", "verdict-text", p.w.Tn("ui.lesson.answerIs", "answer", g.Judged.Answer)).Attr("role", "status"))
	default:
		n.Add(tree.Text("p", "verdict-text", p.w.Tn("ui.lesson.no", "answer", g.Judged.Answer)).Attr("role", "status"))
	}
	return n
}

// controls are values of the scene that the reader may choose.
func (p *page) controls(x link.LessonPart, i int, now bool) *tree.Node {
	n := tree.El("div", "lesson-try", tree.Text("h3", "", p.w.T("ui.lesson.try")))
	for k, c := range x.Controls {
		line := strings.TrimSpace(c.Before + "…" + c.After)
		choices := tree.El("div", "segments").Attr("role", "group").Attr("aria-label", line)
		for j, choice := range c.Choices {
			arg := strconv.Itoa(i) + "." + strconv.Itoa(k) + "." + strconv.Itoa(j)
			choices.Add(widget.Button("segment", choice, "control", arg).Is("aria-pressed", c.Chosen == j).Flag("disabled", !now))
		}
		n.Add(tree.El("div", "lesson-control", tree.Text("code", "", c.Before), choices, tree.Text("code", "", c.After)))
	}
	return n
}

// comparison is the choice between the lesson's version of client-go and another one.
func (p *page) comparison(l *learn.Learning, x link.LessonPart, i int, now bool) *tree.Node {
	on := l.Compared == i
	_, profile, _ := strings.Cut(x.Lines[0], " ")
	return tree.El("div", "lesson-try lesson-compare", tree.Text("span", "", p.w.Tn("ui.lesson.compare", "profile", profile)),
		widget.Button("", map[bool]string{false: p.w.Tn("ui.lesson.showIn", "profile", profile), true: p.w.T("ui.lesson.showHere")}[on], "compare", strconv.Itoa(i)).
			Is("aria-pressed", on).Flag("disabled", !now))
}

// exercise is what the reader shall reach, and whether that is done.
func (p *page) exercise(l *learn.Learning, x link.LessonPart, i int, now bool) *tree.Node {
	n := tree.El("div", "lesson-exercise", tree.Text("h3", "", p.w.T("ui.lesson.exercise")))
	goals := tree.El("ul", "goals")
	for _, line := range x.Lines {
		goals.Add(tree.El("li", "", tree.Text("code", "", line)))
	}
	n.Add(goals)
	switch c, asked := l.Solved[i]; {
	case c.Solved:
		n.Attr("data-solved", "true").Add(tree.Text("p", "verdict-text", p.w.T("ui.lesson.solved")).Attr("role", "status"))
	case asked:
		n.Add(tree.Text("p", "quiet", words.Or(p.w.Why(c.Why), p.w.T("ui.lesson.unsolved"))).Attr("role", "status"))
	}
	if now {
		n.Add(tree.El("p", "buttons", widget.Button("", p.w.T("ui.lesson.check"), "check", ""), widget.Button("", p.w.T("ui.lesson.hint"), "hint", "")))
	}
	return n
}

// lessonFoot has the way on, and the way back from what was tried.
func (p *page) lessonFoot(l *learn.Learning) *tree.Node {
	foot := tree.El("footer", "lesson-foot")
	off := p.m.Hands.Lanes != nil && p.m.Hands.Lanes.Shown > 0 || l.Compared > 0
	if off {
		foot.Add(tree.El("p", "lesson-off", tree.Text("span", "", p.w.T("ui.lesson.off")), widget.Button("tiny", p.w.T("ui.do.backToLesson"), "backToLesson", "").Attr("title", p.w.Title("backToLesson"))))
	}
	back := widget.Button("", "‹ "+p.w.T("ui.lesson.previous"), "lastStop", "").Flag("disabled", l.Stop == 0).Attr("title", p.w.Title("lastStop"))
	next := widget.Button("primary", p.w.T("ui.lesson.next")+" ›", "nextStop", "").Attr("title", p.w.Title("nextStop"))
	switch {
	case l.Open() >= 0:
		next = widget.Button("", p.w.T("ui.lesson.show"), "answer", "-1")
	case l.Stop+1 == len(l.Stops):
		if after := p.lessonAfter(l.Name); after.Name != "" {
			next = widget.Button("primary", after.Title+" ›", "lesson", after.Name)
		} else {
			next = widget.Button("primary", p.w.T("ui.lesson.all"), "course", "")
		}
	}
	return foot.Add(back, next)
}

// lessonAfter is the lesson that follows in the course, if the course is known.
func (p *page) lessonAfter(name string) link.LessonName {
	if p.m.Lesson.Course == nil {
		return link.LessonName{}
	}
	var all []link.LessonName
	for _, c := range p.m.Lesson.Course.Chapters {
		all = append(all, c.Lessons...)
	}
	i := slices.IndexFunc(all, func(x link.LessonName) bool { return x.Name == name })
	if i < 0 || i+1 == len(all) {
		return link.LessonName{}
	}
	return all[i+1]
}

// prose is a text with its code, its emphasis and its links. All of it is text.
func (p *page) prose(tag, class string, spans []link.Span) *tree.Node {
	n := tree.El(tag, class)
	for _, s := range spans {
		switch s.Kind {
		case link.SpanCode:
			n.Add(tree.Text("code", "", s.Text))
		case link.SpanEm:
			n.Add(tree.Text("em", "", s.Text))
		case link.SpanStrong:
			n.Add(tree.Text("strong", "", s.Text))
		case link.SpanLink:
			if strings.HasPrefix(s.Link, "https://github.com/") {
				n.Add(tree.Text("a", "", s.Text).Attr("href", s.Link).Attr("target", "_blank").Attr("rel", "noopener noreferrer"))
			} else {
				n.Add(tree.Text("button", "inline-link", s.Text).Attr("type", "button").Act("lesson", s.Link))
			}
		default:
			n.Add(tree.Text("span", "", s.Text))
		}
	}
	return n
}

// cover hides the timeline ahead, because that would give away the answer to a question.
func (p *page) cover() *tree.Node {
	if !p.covered() {
		return nil
	}
	return tree.Text("span", "covered", p.w.T("ui.lesson.covered")).Style("left", widget.Percent(p.playhead())).Key("covered")
}

// course is the list of lessons.
func (p *page) course() []*tree.Node {
	c := p.m.Lesson.Course
	if c == nil {
		return []*tree.Node{tree.El("div", "dialog-body", tree.Text("p", "quiet", p.w.T("ui.loading")))}
	}
	body := tree.El("div", "dialog-body course", p.prose("p", "quiet", c.Summary))
	n := 0
	for _, ch := range c.Chapters {
		list := tree.El("ol", "course-list").Attr("start", strconv.Itoa(n+1))
		for _, x := range ch.Lessons {
			n++
			b := tree.El("button", "", tree.Text("span", "n", strconv.Itoa(n)), tree.Text("span", "", x.Title)).Attr("type", "button").Act("lesson", x.Name)
			switch far := p.m.Lesson.Read[x.Name]; {
			case far.All > 0 && far.Far+1 >= far.All:
				b.Attr("data-read", "all").Add(widget.Icon("check"), tree.Text("span", "visually-hidden", p.w.T("ui.lesson.read")))
			case far.Far > 0:
				b.Attr("data-read", "some").Add(tree.Text("span", "quiet", strconv.Itoa(far.Far+1)+"/"+strconv.Itoa(far.All)))
			}
			list.Add(tree.El("li", "", b).Key(x.Name))
		}
		body.Add(tree.Text("h3", "", ch.Title), list)
	}
	foot := widget.Foot(widget.Button("", p.w.T("ui.lesson.forget"), "forgetLessons", "").Flag("disabled", len(p.m.Lesson.Read) == 0))
	return []*tree.Node{body, foot}
}

// courseButton leads to the list of lessons.
func (p *page) courseButton() *tree.Node {
	return tree.El("button", "button course-button", widget.Icon("learn"), tree.Text("span", "", p.w.T("ui.learn"))).Attr("type", "button").Act("course", "").
		Attr("title", p.w.T("ui.do.course"))
}
