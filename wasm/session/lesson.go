package session

import (
	"maps"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

// Learning is where the reader is in a lesson, and what he has done there.
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

// forgetLessons clears what is kept of the reader.
func (m *Model) forgetLessons() []Cmd {
	m.Read = nil
	if l := m.Learning; l != nil {
		next := *l
		next.Answers, next.Solved, next.Far = map[int]Guess{}, map[int]link.Checked{}, l.Stop
		m.Learning = &next
	}
	return []Cmd{Keep{"lessons", ""}}
}

// courseURL is the list of lessons in a language.
func (m *Model) courseURL() string { return "lessons/" + m.Lang + "/course.md" }

// openCourse shows the list of lessons.
func (m *Model) openCourse() []Cmd {
	m.Dialog = "course"
	if m.Course != nil && m.courseLang == m.Lang {
		return nil
	}
	m.courseLang, m.Course = m.Lang, nil
	return m.send(link.ReadCourse{URL: m.courseURL()}, false)
}

// translate gets what there is to read in the page's language, which has changed. The
// reader stays where he is.
func (m *Model) translate() []Cmd {
	var cmds []Cmd
	if m.Dialog == "course" {
		cmds = m.openCourse()
	}
	if m.Learning != nil && m.Source.URL != "" {
		dialog := m.Dialog
		cmds = append(cmds, m.openLesson(m.Learning.Name, "", m.Learning.chosen())...)
		m.Dialog, m.fresh = dialog, false
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
func (m *Model) openLink(link string) []Cmd {
	name, moment, _ := strings.Cut(link, "#")
	return m.openLesson(strings.TrimSuffix(name, ".md"), moment, nil)
}

// openLesson opens a lesson of the course at a moment as stopOf names it, "" for its beginning.
// Chosen has the lines of its script in which another value was chosen.
func (m *Model) openLesson(name, moment string, chosen []string) []Cmd {
	cmds := m.open(Source{URL: "lessons/" + m.Lang + "/" + name + ".md", Name: name + ".md", Chosen: strings.Join(chosen, "\n")})
	m.wanted = moment
	return cmds
}

// taught takes in a lesson: one that was opened, or the one that is open with another
// value in a control.
func (m *Model) taught(l *link.Lesson) []Cmd {
	if old := m.Learning; old != nil && old.Name == l.Name {
		next := *old
		next.Lesson = l
		if m.Writing != nil { // its parts may be others
			m.Learning = &Learning{Lesson: l, Stop: l.Stop, Far: l.Stop, Answers: map[int]Guess{}, Solved: map[int]link.Checked{}}
			return nil
		}
		m.Learning = &next
		if m.wanted == "" && l.Stop != next.Stop {
			return m.goStop(next.Stop, false) // it was opened in another language
		}
		return m.goWanted()
	}
	m.Learning = &Learning{Lesson: l, Stop: l.Stop, Far: l.Stop, Answers: map[int]Guess{}, Solved: map[int]link.Checked{}}
	m.Tab, m.Sheet = Lesson, true
	return m.goWanted()
}

// goWanted goes to the moment at which the lesson was to be opened, if that isn't shown already.
func (m *Model) goWanted() []Cmd {
	stop := m.stopOf(m.wanted)
	if m.wanted == "" || stop == m.Learning.Stop {
		return nil
	}
	back := m.back // beyond the stop
	m.wanted = ""
	cmds := m.goStop(stop, false)
	m.back = back
	return cmds
}

// stopOf returns the stop of a moment: by its label, by the number of its script, or by
// the stop's own number after a dot, all from 1. It is the first one where the lesson has
// no such moment.
func (m *Model) stopOf(label string) int {
	l := m.Learning
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
func (m *Model) goStop(stop int, play bool) []Cmd {
	l := m.Learning
	if l == nil || stop < 0 || stop >= len(l.Stops) {
		return nil
	}
	m.Tab = Lesson
	return append(m.setPlaying(false), m.move(link.GoStop{Stop: stop, Play: play && !m.Still})...)
}

// nextStop goes on in the lesson. While the machine plays to a stop, it jumps there.
// A question that is open stays open until it is answered.
func (m *Model) nextStop() []Cmd {
	l := m.Learning
	switch {
	case l == nil:
		return nil
	case m.Playing && m.play.until > 0:
		return m.seek(m.play.until)
	case l.Open() >= 0:
		return m.answer("-1")
	}
	return m.goStop(l.Stop+1, true)
}

func (m *Model) lastStop() []Cmd {
	if m.Learning == nil {
		return nil
	}
	return m.goStop(m.Learning.Stop-1, false)
}

// backToLesson leaves whatever was tried, and shows the moment that is read about.
func (m *Model) backToLesson() []Cmd {
	if m.Learning == nil {
		return nil
	}
	return m.goStop(m.Learning.Stop, false)
}

// stopped takes in where the lesson stands.
func (m *Model) stopped(s *link.Stopped) []Cmd {
	if m.Learning == nil {
		return nil
	}
	l := *m.Learning
	if m.gathering() { // the reader reads none of it
		l.Stop = s.Stop
		m.Learning = &l
		return nil
	}
	if l.Stop != s.Stop {
		l.Hints, l.Solution = 0, false
	}
	l.Stop, l.Compared, l.Far = s.Stop, s.Compared, max(l.Far, s.Stop)
	m.Learning = &l
	if s.Until > 0 {
		m.until = s.Until
	}
	read := maps.Clone(m.Read)
	if read == nil {
		read = Read{}
	}
	read[l.Name] = Mark{max(l.Far, read[l.Name].Far), len(l.Stops)}
	m.Read = read
	return []Cmd{Keep{"lessons", read.String()}}
}

// playLesson plays to the moment that the reader goes to, in about as long as its
// sentences take to be read.
func (m *Model) playLesson(f *link.Frame) []Cmd {
	until := m.until
	m.until = 0
	cmds := m.setPlaying(true)
	m.play.until = until
	m.play.rate = max(Speeds[usualSpeed].PerSecond, float64(until-f.Step)/lessonSeconds)
	return cmds
}

// lessonSeconds is how long playing to the next stop takes at most.
const lessonSeconds = 6
