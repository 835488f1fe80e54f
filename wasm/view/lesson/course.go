package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Course returns the list of lessons, or of the lessons that are searched for, with the minutes that they
// take.
func Course(w *words.Words, m *learn.Model) []*tree.Node {
	c := m.Course
	if c == nil {
		return []*tree.Node{tree.El("div", "dialog-body", tree.Text("p", "quiet", w.T("ui.loading")))}
	}
	find := tree.El("input", "").Attr("type", "search").Attr("placeholder", w.T("ui.course.find")).Attr("aria-label", w.T("ui.course.find")).
		Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("maxlength", "200").Act("findLesson", "").Prop("value", m.Find)
	sum := tree.Text("span", "quiet", "").Attr("role", "status")
	body := tree.El("div", "dialog-body course", prose("p", "quiet", c.Summary), tree.El("p", "course-find", find, sum))
	n, shown, all, texts := 0, 0, 0, 0
	inTexts := tree.El("ol", "course-list course-texts")
	above := 0 // chapters that stand above the paths
	if len(c.Chapters) > 0 && len(c.Chapters[0].Lessons) > 0 && c.Chapters[0].Lessons[0].Name == learn.First {
		above, n = 1, -1 // the map of all others is lesson 0, and a newcomer's first
	}
	for i, ch := range c.Chapters {
		if i == above && m.Find == "" {
			body.Add(paths(w, m))
		}
		list := tree.El("ol", "course-list")
		some, minutes := 0, 0
		for _, x := range ch.Lessons {
			if n++; !containsWords(x.Title+" "+x.Name+" "+ch.Title, m.Find) {
				if at := matchIn(m.Found, x.Name); at != nil {
					inTexts.Add(tree.El("li", "", entry(w, m.Read[x.Name], x, n, at)).Key(x.Name))
					texts++
					all += x.Minutes
				}
				continue
			}
			some++
			minutes += x.Minutes
			list.Add(tree.El("li", "", entry(w, m.Read[x.Name], x, n, nil)).Key(x.Name))
		}
		if some > 0 {
			head := tree.El("h3", "course-chapter", tree.Text("span", "", ch.Title))
			if minutes > 0 {
				head.Add(tree.Text("span", "minutes", inMinutes(w, minutes)))
			}
			body.Add(head.Key("h"+ch.Title), prose("p", "chapter-says", ch.Goal).Key("s"+ch.Title), list.Key(ch.Title))
		}
		shown += some
		all += minutes
	}
	if texts > 0 {
		body.Add(tree.El("h3", "course-chapter", tree.Text("span", "", w.T("ui.course.texts"))).Key("\x00texts"), inTexts.Key("\x00found"))
	}
	says := w.Tn("ui.course.sum", "n", strconv.Itoa(shown+texts), "time", inMinutes(w, all))
	if shown+texts == 0 {
		says = w.T("ui.course.none")
	}
	sum.Add(tree.Text("span", "", says))
	foot := widget.Foot(widget.Button("", w.T("ui.do.newLesson"), "newLesson", ""), widget.Button("", w.T("ui.lesson.forget"), "forgetLessons", "").Flag("disabled", len(m.Read) == 0))
	return []*tree.Node{body, foot}
}

// matchIn returns where a lesson's text has the words that were looked for, nil for nowhere.
func matchIn(f *link.FoundLessons, name string) *link.FoundLesson {
	for i := 0; f != nil && i < len(f.Found); i++ {
		if f.Found[i].Name == name {
			return &f.Found[i]
		}
	}
	return nil
}

// entry leads to lesson n, and tells how much of it was read. At is where its text has what was looked for.
func entry(w *words.Words, read learn.Mark, x link.LessonName, n int, at *link.FoundLesson) *tree.Node {
	title := tree.El("span", "", tree.Text("span", "", x.Title), progressOf(w, read))
	if at != nil {
		title.Add(tree.El("span", "course-found", tree.Text("span", "", "… "+at.Before), tree.Text("mark", "", at.Word), tree.Text("span", "", at.After+" …")))
	}
	b := widget.Action("", "lesson", x.Name, tree.Text("span", "n", strconv.Itoa(n)), title)
	end := tree.El("span", "end")
	switch {
	case read.Done():
		b.Attr("data-read", "all")
		end.Add(widget.Icon("check"), tree.Text("span", "visually-hidden", w.T("ui.lesson.read")))
	case read.Read > 0:
		b.Attr("data-read", "some")
		end.Add(tree.Text("span", "quiet", partOf(w, read)))
	}
	if x.Minutes > 0 {
		end.Add(tree.Text("span", "minutes", inMinutes(w, x.Minutes)))
	}
	return b.Add(end)
}

// partOf returns how far a lesson was read, in parts, as the lesson itself counts them.
func partOf(w *words.Words, read learn.Mark) string {
	return w.Tn("ui.lesson.part", "step", strconv.Itoa(read.Read+1), "all", strconv.Itoa(read.Stops))
}

// progressOf shows how much of a lesson was answered and solved, nil for nothing.
func progressOf(w *words.Words, read learn.Mark) *tree.Node {
	answers, solved := read.Counts()
	n := tree.El("span", "course-done")
	if answers > 0 {
		n.Add(tree.Text("span", "", w.Tn("ui.course.answered", "step", strconv.Itoa(answers))))
	}
	if solved > 0 {
		n.Add(tree.Text("span", "", w.Tn("ui.course.solved", "step", strconv.Itoa(solved))))
	}
	if answers+solved == 0 {
		return nil
	}
	return n
}

// inMinutes returns a time as the course gives it.
func inMinutes(w *words.Words, n int) string {
	return w.Tn("ui.course.minutes", "time", strconv.Itoa(n))
}

func containsWords(text, words string) bool {
	text = strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// paths returns the ways through the course: a card for each, and one for all lessons. Each leads to the first lesson that was
// not read to its end.
func paths(w *words.Words, m *learn.Model) *tree.Node {
	n := tree.El("div", "paths").Key("paths")
	for _, p := range m.Course.Paths {
		n.Add(path(w, m, p.Name, p.Title, prose("p", "", p.Text), p.Lessons, p.Minutes))
	}
	_, all := m.Lessons("")
	minutes := 0
	for _, x := range all {
		minutes += x.Minutes
	}
	return n.Add(path(w, m, "", w.T("ui.path.all"), tree.Text("p", "", w.T("ui.path.all.says")), all, minutes))
}

// path returns the card of one of them. A path that has a name lists its lessons, each with the time at which it begins.
func path(w *words.Words, m *learn.Model, name, title string, says *tree.Node, lessons []link.LessonName, takes int) *tree.Node {
	done, far := 0, false
	for _, x := range lessons {
		mark := m.Read[x.Name]
		far = far || mark.Read > 0
		if mark.Done() {
			done++
		}
	}
	way := "ui.path.begin"
	switch {
	case done == len(lessons):
		way = "ui.path.again"
	case far:
		way = "ui.path.on"
	}
	n := tree.El("section", "path", tree.El("h3", "", tree.Text("span", "", title), tree.Text("span", "minutes", inMinutes(w, takes))), says).Key("path "+name).Attr("aria-label", title)
	if name != "" {
		n.Add(tree.El("details", "", tree.Text("summary", "", w.T("ui.path.lessons")), timed(w, m, name, lessons, takes)))
	}
	foot := tree.El("p", "path-foot", widget.Button("primary", w.T(way), "path", name).Attr("aria-label", w.T(way)+": "+title))
	if far {
		foot.Add(widget.Button("", w.T("ui.path.record"), "record", name).Attr("aria-label", w.T("ui.path.record")+": "+title),
			tree.Text("span", "quiet", w.Tn("ui.path.done", "step", strconv.Itoa(done), "all", strconv.Itoa(len(lessons)))))
	}
	return n.Add(foot)
}

// timed lists the lessons of a path, and when each begins. The path's minutes are shared out as the lessons take them, so
// what is said in between has its time, too.
func timed(w *words.Words, m *learn.Model, name string, lessons []link.LessonName, takes int) *tree.Node {
	all, before := 0, 0
	for _, x := range lessons {
		all += max(x.Minutes, 1)
	}
	list := tree.El("ol", "path-lessons")
	for _, x := range lessons {
		at := before * takes / all
		before += max(x.Minutes, 1)
		b := widget.Action("", "path", name+"."+x.Name, tree.Text("span", "minutes", clock(at)), tree.Text("span", "", x.Title))
		if m.Read[x.Name].Done() {
			b.Add(widget.Icon("check"), tree.Text("span", "visually-hidden", w.T("ui.lesson.read")))
		}
		list.Add(tree.El("li", "", b).Key(x.Name))
	}
	return list
}

// clock writes a time of so many minutes in hours and minutes, or one of so many seconds in minutes and seconds.
func clock(n int) string {
	low := strconv.Itoa(n % 60)
	if n%60 < 10 {
		low = "0" + low
	}
	return strconv.Itoa(n/60) + ":" + low
}

// onPath shows on which path the open lesson is read, nil for none.
func onPath(w *words.Words, m *learn.Model) *tree.Node {
	title, lessons := m.Lessons(m.Path)
	if title == "" {
		return nil
	}
	if _, n := m.NextLesson(); n > 0 {
		title = w.Tn("ui.path.at", "name", title, "step", strconv.Itoa(n), "all", strconv.Itoa(len(lessons)))
	}
	return tree.Text("span", "lesson-path", title)
}
