package lesson

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// paths returns the ways through the course: a card for each, and one for all lessons. Each leads to the first lesson that was
// not read to its end.
func paths(w *words.Words, m *learn.Model) *tree.Node {
	n := tree.El("div", "paths").Key("paths")
	for _, p := range m.Course.Paths {
		n.Add(path(w, m, p.Name, p.Title, prose("p", "", p.Says), p.Lessons, p.Takes))
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
		far = far || mark.Far > 0
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
		b := tree.El("button", "", tree.Text("span", "minutes", clock(at)), tree.Text("span", "", x.Title)).Attr("type", "button").Act("path", name+"."+x.Name)
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
