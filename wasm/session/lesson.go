package session

import (
	"maps"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

// Lessons are the course and the lesson that is open.
type Lessons struct {
	Course     *link.Course // nil until it was asked for
	courseLang string       // its language
	Learning   *Learning    // nil while no lesson is open
	Read       Read         // how far each lesson was read
	wanted     string       // the moment at which the lesson that is being opened shall begin
	Writing    *Writing     // nil while no lesson is edited
	Handout    *Handout     // nil while none was wanted
	until      int64        // the step to which the next frame is to be played on, 0 for none
	VoteFocus  int          // counts the times that the first field for votes is to have the focus
}

// Learning is where the reader is in a lesson, and what was done there.
type Learning struct {
	*link.Lesson
	Stop     int
	Far      int                  // the furthest stop that was read
	Answers  map[int]Guess        // by question
	Solved   map[int]link.Checked // by exercise
	Hints    int                  // how many hints of the stop's exercise are shown
	Solution bool                 // the solution is shown, too
	Votes    map[int][]int        // how many in the room are for each option, by question
	Compared int                  // the part whose other version is on the stage, 0 for none
}

// Guess is what the reader has answered to a question.
type Guess struct {
	Option int // -1 for "show me"
	Judged *link.Judged
}

// chosen has the lines of the lesson's script in which the reader has chosen another value.
func (l *Learning) chosen() (lines []string) {
	for _, p := range l.Parts {
		for _, c := range p.Controls {
			if c.Chosen != c.Usual {
				lines = append(lines, c.Line())
			}
		}
	}
	return lines
}

// Right reports whether the reader knew the answer.
func (g Guess) Right() bool { return g.Judged != nil && g.Judged.Option == g.Option }

// Read is how far each lesson was read, by its name. It is kept for the next visit.
type Read map[string]Mark

// Mark is the furthest stop that was read of a lesson, and how many it has.
type Mark struct{ Far, All int }

// ParseRead reads what String has written. It passes over any other line.
func ParseRead(s string) Read {
	r := Read{}
	for item := range strings.SplitSeq(s, " ") {
		name, mark, _ := strings.Cut(item, "=")
		far, all, _ := strings.Cut(mark, "/")
		var m Mark
		m.Far, _ = strconv.Atoi(far)
		if m.All, _ = strconv.Atoi(all); name != "" && m.All > 0 {
			r[name] = m
		}
	}
	return r
}

// String writes r as a setting.
func (r Read) String() string {
	var all []string
	for name, m := range r {
		all = append(all, name+"="+strconv.Itoa(m.Far)+"/"+strconv.Itoa(m.All))
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] }) // slices.Sort of strings would add 4 kB to the page's program
	return strings.Join(all, " ")
}

// FirstLesson is the name of the lesson that the course begins with.
const FirstLesson = "delta-fifo"

// forget clears what is kept of the reader.
func (le *Lessons) forget() []Cmd {
	le.Read = nil
	if l := le.Learning; l != nil {
		next := *l
		next.Answers, next.Solved, next.Far = map[int]Guess{}, map[int]link.Checked{}, l.Stop
		le.Learning = &next
	}
	return []Cmd{Keep{"lessons", ""}}
}

// courseURL is the list of lessons in a language.
func courseURL(lang string) string { return "lessons/" + lang + "/course.md" }

// openCourse shows the list of lessons.
func (l *Lessons) openCourse(m *Model) []Cmd {
	m.Front.ask("course")
	if l.Course != nil && l.courseLang == m.Settings.Lang {
		return nil
	}
	l.courseLang, l.Course = m.Settings.Lang, nil
	return m.send(link.ReadCourse{URL: courseURL(m.Settings.Lang)}, false)
}

// translate gets what there is to read in the page's language, which has changed. The
// reader stays at the same stop.
func (m *Model) translate() []Cmd {
	var cmds []Cmd
	if m.Front.Dialog == "course" {
		cmds = m.Lesson.openCourse(m)
	}
	if m.Lesson.Learning != nil && m.Open.Source.URL != "" {
		dialog := m.Front.Dialog
		cmds = append(cmds, m.Lesson.open(m, m.Lesson.Learning.Name, "", m.Lesson.Learning.chosen())...)
		m.Front.ask(dialog)
		m.Nav.replaced()
	}
	return cmds
}

// lessonOf is the name of the lesson of the course at an address, "" for anything else.
func lessonOf(url string) string {
	if rest, ok := strings.CutPrefix(url, "lessons/"); ok {
		_, name, _ := strings.Cut(rest, "/")
		return strings.TrimSuffix(name, ".md")
	}
	return ""
}

// openLink opens the lesson of the course that a link in a lesson names: a file, and
// perhaps a moment after a "#".
func (l *Lessons) openLink(m *Model, link string) []Cmd {
	name, moment, _ := strings.Cut(link, "#")
	return l.open(m, strings.TrimSuffix(name, ".md"), moment, nil)
}

// open opens a lesson of the course at a moment as stopOf names it, "" for its beginning.
// Chosen has the lines of its script in which another value was chosen.
func (l *Lessons) open(m *Model, name, moment string, chosen []string) []Cmd {
	cmds := m.open(Source{URL: "lessons/" + m.Settings.Lang + "/" + name + ".md", Name: name + ".md", Chosen: strings.Join(chosen, "\n")})
	l.wanted = moment
	return cmds
}

// taught takes in a lesson: one that was opened, or the one that is open with another
// value in a control.
func (le *Lessons) taught(m *Model, l *link.Lesson) []Cmd {
	if old := le.Learning; old != nil && old.Name == l.Name {
		next := *old
		next.Lesson = l
		if le.Writing != nil { // its parts may be others
			le.Learning = &Learning{Lesson: l, Stop: l.Stop, Far: l.Stop, Answers: map[int]Guess{}, Solved: map[int]link.Checked{}}
			return nil
		}
		le.Learning = &next
		if le.wanted == "" && l.Stop != next.Stop {
			return le.goStop(m, next.Stop, false) // it was opened in another language
		}
		return le.goWanted(m)
	}
	le.Learning = &Learning{Lesson: l, Stop: l.Stop, Far: l.Stop, Answers: map[int]Guess{}, Solved: map[int]link.Checked{}}
	m.Front.show(Lesson)
	return le.goWanted(m)
}

// goWanted goes to the moment at which the lesson was to be opened, if that isn't shown already.
func (l *Lessons) goWanted(m *Model) []Cmd {
	stop := l.Learning.stopOf(l.wanted)
	if l.wanted == "" || stop == l.Learning.Stop {
		return nil
	}
	back := m.Nav.back // beyond the stop
	l.wanted = ""
	cmds := l.goStop(m, stop, false)
	m.Nav.comeTo(back)
	return cmds
}

// stopOf returns the stop of a moment: by its label, by the number of its script, or by
// the stop's own number after a dot, all from 1. It is the first one where the lesson has
// no such moment.
func (l *Learning) stopOf(label string) int {
	if n, err := strconv.Atoi(strings.TrimPrefix(label, ".")); err == nil && strings.HasPrefix(label, ".") {
		return min(max(n-1, 0), len(l.Stops)-1)
	}
	number, _ := strconv.Atoi(label)
	for i, p := range l.Parts {
		if p.Kind != lesson.Script.String() {
			continue
		}
		if number--; label != "" && p.Label == label || number == 0 {
			return l.stopAt(i)
		}
	}
	return 0
}

// stopAt is the stop at which a part is read.
func (l *Learning) stopAt(part int) int {
	stop := 0
	for k, first := range l.Stops {
		if first <= part {
			stop = k
		}
	}
	return stop
}

// Range is which parts are read at a stop: from, and up to but not including, to.
func (l *Learning) Range(stop int) (from, to int) {
	to = len(l.Parts)
	if stop+1 < len(l.Stops) {
		to = l.Stops[stop+1]
	}
	return l.Stops[stop], to
}

// Find returns the first part of a kind at the stop where the reader is, or -1.
func (l *Learning) Find(kind lesson.Kind) int {
	from, to := l.Range(l.Stop)
	for i := from; i < to; i++ {
		if l.Parts[i].Kind == kind.String() {
			return i
		}
	}
	return -1
}

// Open returns the question at the stop that waits for an answer, or -1.
func (l *Learning) Open() int {
	if l == nil {
		return -1
	}
	q := l.Find(lesson.Question)
	if _, answered := l.Answers[q]; answered {
		return -1
	}
	return q
}

// Count is how many questions of the lesson were answered, and how many rightly.
func (l *Learning) Count() (right, answered int) {
	for _, g := range l.Answers {
		if g.Judged == nil || g.Option < 0 {
			continue
		}
		answered++
		if g.Right() {
			right++
		}
	}
	return right, answered
}

// goStop goes to a stop of the lesson; play plays on to it where it lies ahead.
func (le *Lessons) goStop(m *Model, stop int, play bool) []Cmd {
	l := le.Learning
	if l == nil || stop < 0 || stop >= len(l.Stops) {
		return nil
	}
	m.Front.turn(Lesson)
	return append(m.Transport.set(m, false), m.move(link.GoStop{Stop: stop, Play: play && !m.Settings.Still})...)
}

// next goes on in the lesson. While the machine plays to a stop, it jumps there.
// A question that is open stays open until it is answered.
func (le *Lessons) next(m *Model) []Cmd {
	l := le.Learning
	switch {
	case l == nil:
		return nil
	case m.Transport.Playing && m.Transport.play.until > 0:
		return m.Transport.seek(m, m.Transport.play.until)
	case l.Open() >= 0:
		return le.answer(m, "-1")
	}
	return le.goStop(m, l.Stop+1, true)
}

func (l *Lessons) last(m *Model) []Cmd {
	if l.Learning == nil {
		return nil
	}
	return l.goStop(m, l.Learning.Stop-1, false)
}

// back leaves whatever was tried, and shows the moment that is read about.
func (l *Lessons) back(m *Model) []Cmd {
	if l.Learning == nil {
		return nil
	}
	return l.goStop(m, l.Learning.Stop, false)
}

// stopped takes in where the lesson stands.
func (le *Lessons) stopped(s *link.Stopped) []Cmd {
	if le.Learning == nil {
		return nil
	}
	l := *le.Learning
	if le.Handout.gathering() { // the reader reads none of it
		l.Stop = s.Stop
		le.Learning = &l
		return nil
	}
	if l.Stop != s.Stop {
		l.Hints, l.Solution = 0, false
	}
	l.Stop, l.Compared, l.Far = s.Stop, s.Compared, max(l.Far, s.Stop)
	le.Learning = &l
	if s.Until > 0 {
		le.until = s.Until
	}
	read := maps.Clone(le.Read)
	if read == nil {
		read = Read{}
	}
	read[l.Name] = Mark{max(l.Far, read[l.Name].Far), len(l.Stops)}
	le.Read = read
	return []Cmd{Keep{"lessons", read.String()}}
}

// play plays to the moment that the reader goes to, in about as long as its
// sentences take to be read.
func (l *Lessons) play(m *Model, f *link.Frame) []Cmd {
	until := l.until
	l.until = 0
	cmds := m.Transport.set(m, true)
	m.Transport.until(until, max(Speeds[usualSpeed].PerSecond, float64(until-f.Step)/lessonSeconds))
	return cmds
}

// lessonSeconds is how long playing to the next stop takes at most.
const lessonSeconds = 6

// want has the lesson that is being opened begin at a moment of an address.
func (l *Lessons) want(at string) { l.wanted = momentOf(at) }

// listed takes in the course.
func (l *Lessons) listed(c *link.Course) { l.Course = c }

// anew is what stays of l when s is opened.
func (l Lessons) anew(s Source) Lessons {
	next := Lessons{Course: l.Course, courseLang: l.courseLang, Read: l.Read, VoteFocus: l.VoteFocus}
	if l.Learning != nil && s.Name == l.Learning.Name+".md" {
		next.Learning = l.Learning
	}
	return next
}
