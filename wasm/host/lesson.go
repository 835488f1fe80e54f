package host

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	taught "github.com/informerscope/informerscope/wasm/host/lesson"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// lessons moves the reader of the lesson that is shown.
type lessons struct {
	*desk
	console *console // plays the lines of a solution
	finder  *finder
}

// goStop shows a stop of the lesson, or plays to it if that lies ahead. It reports false if that can't be done.
func (l *lessons) goStop(id int, q link.GoStop) bool {
	d, t := l.doc, l.doc.lesson
	if t == nil || q.Stop < 0 || q.Stop >= len(t.Stops) {
		l.badRequest(id)
		return false
	}
	before, shown, at := d.script, d.shown, d.run().History().World().Steps()
	onPath := before.Lanes.Shown == before.Lanes.All[0]
	step, err := t.ShowStop(d, q.Stop)
	if err != nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return false
	}
	if d.script != before || d.shown != shown || !onPath {
		l.sendOpened(0)
		l.sendScript()
	}
	begin := step
	switch {
	case !q.Play:
	case d.script != before:
		begin = 0
	case onPath && at < step:
		begin = at
	}
	out := &link.Stopped{Stop: t.Stop}
	if begin < step {
		out.Until = step
	}
	l.send(&link.Reply{ID: id, News: out})
	l.sendFrame(id, d.run().SeekTo(begin, l.window))
	l.work()
	return true
}

// answer makes the machine answer a question of the lesson.
func (l *lessons) answer(id int, q link.AskAnswer) {
	t := l.doc.lesson
	if !t.IsPart(q.Part, lesson.Question) {
		l.badRequest(id)
		return
	}
	answer, err := t.Player.Answer(q.Part)
	if err != nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	l.send(&link.Reply{ID: id, News: &link.Judged{Part: q.Part, Option: t.Lesson.Parts[q.Part].Ask.Option(answer), Answer: answer}})
}

// seekSchedule goes to the moment of the lesson's stop, and begins to look for a schedule from there on in which an
// option of the question there would be right.
func (l *lessons) seekSchedule(id int, q link.SeekSchedule) {
	t := l.doc.lesson
	if !t.IsPart(q.Part, lesson.Question) || uint(q.Option) >= uint(len(t.Lesson.Parts[q.Part].Ask.Cans)) {
		l.badRequest(id)
		return
	}
	if !l.goStop(id, link.GoStop{Stop: t.Stop}) {
		return
	}
	h := l.doc.run().History()
	b := h.Branch(h.World().Steps())
	runner := script.Attach(b, func(script.Entry) {})
	runner.Limit(maxLineSteps, lesson.Bounds)
	found, err := t.Player.Seek(runner, q.Part, q.Option)
	if found == nil {
		b.Drop()
		l.fail(0, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	l.console.explore(found, t.Lesson.Parts[q.Part].Ask.Cans[q.Option].Text, q.Part, b)
}

// turnControl plays the scene of a control with another value. For the control of a mend, it also says whether the mistake is
// mended.
func (l *lessons) turnControl(id int, q link.Turn) {
	d, t := l.doc, l.doc.lesson
	mends := t.IsPart(q.Part, lesson.Mend)
	if !mends && !t.IsPart(q.Part, lesson.Control) || q.Control < 0 || q.Control >= len(t.Lesson.Parts[q.Part].Controls) {
		l.badRequest(id)
		return
	}
	c := &t.Lesson.Parts[q.Part].Controls[q.Control]
	if q.Choice < 0 || q.Choice >= len(c.Choices) {
		l.badRequest(id)
		return
	}
	was := t.Player.Chosen
	t.Turn(q.Part, c, c.Line(q.Choice))
	from := t.Lesson.Scene(q.Part)
	old := t.Scenes[from]
	delete(t.Scenes, from)
	step, err := t.ShowStop(d, t.Stop)
	if err != nil {
		t.Player.Chosen, t.Scenes[from] = was, old
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	l.sendLesson()
	l.sendOpened(0)
	l.sendScript()
	l.sendFrame(id, d.run().SeekTo(step, l.window))
	if mends {
		l.send(&link.Reply{News: l.checked(q.Part, lesson.WithoutExpectations(t.Player.Lines(q.Part)), nil)})
	}
	l.work()
}

// playApart plays lines on a machine of its own, and shows where the first n of them end. The lesson's
// scenes stay as they are.
func (l *lessons) playApart(id int, lines []lesson.Line, n int, tell ...*link.Reply) {
	d, s := l.doc, &machine.Script{}
	r := d.lesson.Runner(s.Add)
	step := int64(0)
	for i, line := range lines {
		if err := s.Line(r, line.Text, line.N); err != nil {
			l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
			return
		}
		if i+1 <= n && r.History() != nil {
			step = r.History().Steps()
		}
	}
	if r.History() == nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, taught.ErrNoScene)
		return
	}
	s.Settle(r)
	d.script, d.shown = s, 0
	l.sendOpened(0)
	l.sendScript()
	for _, reply := range tell {
		l.send(reply)
	}
	l.sendFrame(id, d.run().SeekTo(step, l.window))
	l.work()
}

// compareVersions shows the moment of a part in its other version. What the comparison plays on lies
// ahead of the viewer.
func (l *lessons) compareVersions(id int, q link.CompareVersions) {
	t := l.doc.lesson
	if !t.IsPart(q.Part, lesson.Compare) {
		l.badRequest(id)
		return
	}
	l.playApart(id, lesson.WithoutExpectations(t.Player.Compared(q.Part)), len(lesson.WithoutExpectations(t.Player.Lines(q.Part))), &link.Reply{ID: id, News: &link.Stopped{Stop: t.Stop, Compared: q.Part}})
}

// checkExercise reports whether an exercise is solved where the viewer stands.
func (l *lessons) checkExercise(id int, q link.CheckExercise) {
	d, t := l.doc, l.doc.lesson
	if !t.IsPart(q.Part, lesson.Exercise) {
		l.badRequest(id)
		return
	}
	written, err := d.script.LinesToStep()
	var lines []lesson.Line
	for i, line := range written {
		lines = append(lines, lesson.Line{Text: line, N: i + 1})
	}
	l.send(&link.Reply{ID: id, News: l.checked(q.Part, lines, err)})
}

// checked returns which goals of a part are reached by lines, or why that can't be said.
func (l *lessons) checked(part int, lines []lesson.Line, err error) *link.Checked {
	out := &link.Checked{Part: part}
	if err == nil {
		out.Goals, err = l.doc.lesson.Player.Reached(part, lines)
		out.Solved = err == nil && lesson.AllReached(out.Goals)
	}
	out.Reason = link.Fault(err)
	return out
}

// solve plays a solution: on a lane that leaves where the exercise begins, or as a
// scene of its own.
func (l *lessons) solve(id int, q link.Solve) {
	d, t := l.doc, l.doc.lesson
	if !t.IsPart(q.Part, lesson.Solution) {
		l.badRequest(id)
		return
	}
	lines := t.Lesson.Parts[q.Part].Lines
	if verb, _, _ := strings.Cut(lines[0].Text, " "); verb == "profile" {
		l.playApart(id, lines, len(lines))
		return
	}
	step, err := t.ShowStop(d, t.Stop)
	if err != nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	d.run().SeekTo(step, l.window)
	var texts []string
	for _, line := range lines {
		texts = append(texts, line.Text)
	}
	l.console.line(id, link.PlayLine{Line: strings.Join(texts, "\n")})
}

func (l *lessons) sendLesson() {
	if d := l.doc; d.lesson != nil {
		l.send(&link.Reply{News: d.lesson.Link(strings.TrimSuffix(d.name, ".md"))})
	}
}

// readText gives the page the text of the lesson, to be edited.
func (l *lessons) readText(id int, _ link.ReadText) {
	if l.doc.lesson == nil {
		l.badRequest(id)
		return
	}
	l.send(&link.Reply{ID: id, News: &link.Written{Text: l.doc.lesson.Text}})
}

// rewrite takes another text for the lesson, and shows the moment at line N of it. With Play, the
// whole lesson is checked, too. If something is wrong, the lesson stays what it was.
func (l *lessons) rewrite(id int, q link.Rewrite) {
	d := l.doc
	if d.lesson == nil {
		l.badRequest(id)
		return
	}
	next, step, err := d.lesson.Rewritten(d, q.Text, q.Line)
	if err != nil {
		l.sendWrong(id, err)
		return
	}
	d.lesson = next
	l.sendLesson()
	l.sendOpened(0)
	l.sendScript()
	l.sendFrame(id, d.run().SeekTo(step, l.window))
	l.work()
	if q.Check {
		if err := next.Player.Check(func(script.Entry) {}); err != nil {
			l.sendWrong(id, err)
			return
		}
	}
	l.send(&link.Reply{ID: id, News: &link.Written{Checked: q.Check}})
}

// sendWrong tells what is wrong with a text, and in which line.
func (l *lessons) sendWrong(id int, err error) {
	w := &link.Written{Reason: link.Fault(err)}
	var at lesson.Error
	if errors.As(err, &at) {
		w.Line, w.Col, w.Reason = at.Line, at.Col, link.Fault(at.Err)
	}
	l.send(&link.Reply{ID: id, News: w})
}

// readCourse fetches the list of lessons, and the glossary. Without the glossary the list is of use, too.
func (l *lessons) readCourse(id int, q link.ReadCourse) {
	l.fetchText(q.URL, lesson.MaxBytes, fault.Plain("longCourse"), func(text string, err error) {
		var c *lesson.Course
		if err == nil {
			c, err = lesson.ParseCourse(text)
		}
		if err != nil {
			l.fail(id, link.Sentence{ID: "fail.course"}, err)
			return
		}
		out := taught.LinkCourse(c)
		if q.Words == "" {
			l.send(&link.Reply{ID: id, News: out})
			return
		}
		l.fetchText(q.Words, lesson.MaxBytes, fault.Plain("longCourse"), func(text string, err error) {
			if glossary, wrong := lesson.Parse(text); err == nil && wrong == nil {
				out.Words = taught.LinkWords(glossary)
			}
			l.send(&link.Reply{ID: id, News: out})
		})
	})
}

// finder looks for words in the texts of the lessons. It has one language's texts.
type finder struct {
	*desk
	url     string
	texts   string   // a line for each lesson: its name, a tab, and its text
	waiting []func() // the searches that wait for the texts, nil where these are there
}

// maxTexts is how many bytes the texts may have.
const maxTexts = 4 << 20

// find answers with the lessons that have the words. The first search of a language fetches their texts.
func (f *finder) find(id int, q link.FindLessons) {
	answer := func() {
		f.send(&link.Reply{ID: id, News: &link.FoundLessons{URL: q.URL, Words: q.Words, Found: taught.Search(f.texts, q.Words)}})
	}
	switch {
	case f.url != q.URL:
		f.url, f.texts, f.waiting = q.URL, "", []func(){answer}
		f.fetchText(q.URL, maxTexts, fault.Plain("longCourse"), func(text string, err error) {
			if f.url != q.URL {
				return // another language is wanted by now
			}
			if err != nil {
				f.url = "" // the next search tries again
			}
			f.texts = text
			for _, answer := range f.waiting {
				answer()
			}
			f.waiting = nil
		})
	case f.waiting != nil:
		f.waiting = append(f.waiting, answer)
	default:
		answer()
	}
}
