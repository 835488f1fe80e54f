// Package lesson is the course and the lesson that is open, as the page's model has them: where
// the reader is and what was done there, the handout that is printed, and the text while it is
// edited. The worker plays the lesson; Model asks it to, and takes in what it answers.
package lesson

import (
	"strings"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Model is the course and the lesson that is open.
type Model struct {
	desk       Desk
	Course     *link.Course       // nil until it was asked for
	courseLang string             // its language
	Path       string             // the way through the course that the reader goes, "" for all of it
	Find       string             // the words for which the list of lessons is searched
	Found      *link.FoundLessons // the lessons that have them in their texts, nil until the worker has looked
	Learning   *Learning          // nil while no lesson is open
	Read       Read               // how far each lesson was read
	wanted     string             // the moment at which the lesson that is being opened shall begin
	Writing    *Writing           // nil while no lesson is edited
	Record     *Record            // nil while it isn't shown
	Handout    *Handout           // nil while none was wanted
	until      int64              // the step to which the next frame is to be played on, 0 for none
	Word       string             // the word that the reader looks up: its part and its number, with a dot between, "" for none
	Recording  Recording
	Sought     *link.Explored // how far the search for a schedule is that the reader wanted at the stop, nil for none
	VoteFocus  int            // counts the times that the first field for votes is to have the focus
}

// Recording is the recording of the reader's own that a lesson shows.
type Recording struct {
	Name   string      // of its file
	Case   *link.Table // a stale read of it, nil for none
	Sought bool        // the reader looks for one
}

// Desk is what a lesson knows of the rest of the model, and does to it.
type Desk interface {
	desk.Desk

	// OpenLesson opens a lesson of the course. Chosen has the lines of its script in which
	// another value was chosen.
	OpenLesson(name string, chosen []string) []desk.Cmd
	// ReopenLesson opens it in the place of what is open, with no entry of its own in the browser's
	// history. Where that is on its way yet, the way that leads on stays, and what was chosen.
	ReopenLesson(name string, chosen []string) []desk.Cmd
	// Rewrite makes a text the one of the lesson that is open, which is the viewer's own from then on.
	Rewrite(text string)

	// PauseOnTheWay is Pause, but a way that a link leads is gone on.
	PauseOnTheWay() []desk.Cmd
	// Skip goes to the step to which the machine plays. It reports false if it plays to none.
	Skip() (cmds []desk.Cmd, ok bool)
	// EndGuess ends the question about what comes next.
	EndGuess()
}

// New returns the Model of a reader who has read nothing.
func New(d Desk) Model { return Model{desk: d} }

// First is the name of the lesson that the course begins with.
const First = "whole-loop"

// CourseURL returns the address of the list of lessons in a language.
func CourseURL(lang string) string { return "lessons/" + lang + "/course.md" }

// URL returns the address of a lesson of the course in a language.
func URL(lang, name string) string { return "lessons/" + lang + "/" + FileName(name) }

// FileName returns the name of a lesson's file.
func FileName(name string) string { return name + ".md" }

// Forget clears what is kept of the reader.
func (m *Model) Forget() []desk.Cmd {
	m.Read = nil
	if l := m.Learning; l != nil {
		l.Answers, l.Solved, l.Far = map[int]Guess{}, map[int]link.Checked{}, l.Stop
	}
	return []desk.Cmd{desk.StoreSetting{Name: "lessons"}}
}

// Translate gets what there is to read in the page's language, which has changed. The
// reader stays at the same stop.
func (m *Model) Translate() []desk.Cmd {
	var cmds []desk.Cmd
	if m.desk.Surroundings().Dialog == "course" {
		cmds = m.OpenCourse()
	}
	wanted := m.wanted
	switch r := m.desk.Surroundings(); {
	case !r.Fetched:
	case m.Learning != nil:
		cmds = append(cmds, m.desk.ReopenLesson(m.Learning.Name, m.Learning.Chosen())...)
	case r.Loading: // it is on its way in the language before
		if name, is := strings.CutSuffix(r.Name, FileName("")); is {
			cmds = append(cmds, m.desk.ReopenLesson(name, nil)...)
		}
	}
	m.BeginAt(wanted)
	return cmds
}

// OpenLink opens the lesson of the course that a link in a lesson names: a file, and
// perhaps a moment after a "#".
func (m *Model) OpenLink(link string) []desk.Cmd {
	path := m.Path
	if m.desk.Surroundings().Dialog == "course" { // it was chosen among all
		path = ""
	}
	name, moment, _ := strings.Cut(link, "#")
	return m.Open(path, strings.TrimSuffix(name, ".md"), moment, nil)
}

// Open opens a lesson of the course, read on a path, at a moment as FindMoment takes it, "" for its beginning.
// Chosen has the lines of its script in which another value was chosen.
func (m *Model) Open(path, name, moment string, chosen []string) []desk.Cmd {
	m.Path = path
	cmds := m.desk.OpenLesson(name, chosen)
	m.BeginAt(moment)
	return cmds
}

// BeginAt lets the lesson that is being opened begin at a moment as FindMoment takes it.
func (m *Model) BeginAt(moment string) { m.wanted = moment }

// Reset forgets what was open, as a file will be. A lesson of the same name stays.
func (m *Model) Reset(file string) {
	learning := m.Learning
	if learning != nil && file != FileName(learning.Name) {
		learning = nil
	}
	*m = Model{desk: m.desk, Course: m.Course, courseLang: m.courseLang, Path: m.Path, Read: m.Read, VoteFocus: m.VoteFocus, Learning: learning, Recording: m.Recording}
}

// Taught takes in a lesson: one that was opened, or the one that is open with another
// value in a control.
func (m *Model) Taught(l *link.Lesson) []desk.Cmd {
	l = m.withGlossary(l)
	begun := &Learning{Lesson: l, Stop: l.Stop, Far: l.Stop, Step: -1, Answers: map[int]Guess{}, Solved: map[int]link.Checked{}}
	old := m.Learning
	switch {
	case old == nil || old.Name != l.Name:
		m.Learning = begun
		m.desk.Show(desk.Lesson)
		cmds := m.seekRequested()
		if m.desk.Surroundings().Fetched {
			cmds = append(cmds, m.restoreAnswers(m.Read[l.Name].Answers)...)
			begun.restoreSolved(m.Read[l.Name].Solved)
			if m.courseLang != m.desk.Surroundings().Lang { // it says which lesson is the next one
				cmds = append(cmds, m.readCourse()...)
			}
			if l.Name == Template {
				cmds = append(cmds, m.Edit()...)
			}
		}
		return cmds
	case m.Writing != nil: // its parts may be others
		m.Learning = begun
		return nil
	}
	old.Lesson = l
	if m.wanted == "" && l.Stop != old.Stop {
		return m.GoStop(old.Stop, false) // it was opened in another language
	}
	return m.seekRequested()
}

// seekRequested goes to the moment at which the lesson was to be opened, if that isn't shown already. It does so once: whoever
// then turns a control stays at the stop that is read.
func (m *Model) seekRequested() []desk.Cmd {
	wanted := m.wanted
	m.wanted = ""
	stop, _ := m.Learning.FindMoment(wanted)
	if wanted == "" || stop == m.Learning.Stop {
		return nil
	}
	m.desk.Turn(desk.Lesson)
	return append(m.desk.PauseOnTheWay(), m.desk.Move(link.GoStop{Stop: stop})...) // the way may lead beyond the stop
}

// GoStop goes to a stop of the lesson; play plays on to it where it lies ahead.
func (m *Model) GoStop(stop int, play bool) []desk.Cmd {
	l := m.Learning
	if l == nil || stop < 0 || stop >= len(l.Stops) {
		return nil
	}
	m.desk.Turn(desk.Lesson)
	return append(m.desk.Pause(), m.desk.Move(link.GoStop{Stop: stop, Play: play && !m.desk.Surroundings().ReducedMotion})...)
}

// Next goes on in the lesson. While the machine plays to a stop, it jumps there.
// A question that is open stays open, and the page says so. It also warns once that an exercise is left unsolved.
func (m *Model) Next() []desk.Cmd {
	if cmds, ok := m.desk.Skip(); ok {
		return cmds
	}
	if m.Learning.Coming { // the viewer has paused it on its way
		return m.Back()
	}
	if m.Learning.OpenQuestion() >= 0 {
		return m.promptForAnswer()
	}
	if l := m.Learning; l.Unsolved() >= 0 && l.Prompted == 0 && l.Stop+1 < len(l.Stops) { // what follows tells how it is solved
		l.Prompted = max(1, m.desk.Surroundings().Pressed)
		return nil
	}
	return m.GoStop(m.Learning.Stop+1, true)
}

// promptPause is how long Next must have rested before it shows the answer, in milliseconds.
const promptPause = 1000

// promptForAnswer lets the page ask for an answer. If Next comes again after the viewer had time to read that, the answer is
// shown: a clicker has no other key.
func (m *Model) promptForAnswer() []desk.Cmd {
	now := m.desk.Surroundings().Pressed
	if m.Learning.Prompted > 0 && now-m.Learning.Prompted >= promptPause {
		return m.Answer(-1)
	}
	m.Learning.Prompted = now
	return nil
}

// Last goes to the stop before.
func (m *Model) Last() []desk.Cmd { return m.GoStop(m.Learning.Stop-1, false) }

// Back leaves whatever was tried, and shows the moment that is read about.
func (m *Model) Back() []desk.Cmd { return m.GoStop(m.Learning.Stop, false) }

// Stopped takes in where the lesson stands.
func (m *Model) Stopped(s *link.Stopped) []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	l := m.Learning
	if m.Handout.gathering() { // the reader reads none of it
		l.Stop = s.Stop
		return nil
	}
	if l.Stop != s.Stop {
		l.Hints, l.Solution, l.Prompted, l.looked = 0, false, 0, moment{}
		m.Sought = nil
	}
	l.Stop, l.Compared, l.Far = s.Stop, s.Compared, max(l.Far, s.Stop)
	l.Step, l.Coming = -1, s.Until > 0
	if s.Until > 0 {
		m.until, l.Step = s.Until, s.Until
	}
	return m.saveProgress()
}

// lessonSeconds is how long playing to the next stop takes at most.
const lessonSeconds = 6

// PlaysOn reports whether the machine is to play to a stop as soon as the next frame has come.
func (m *Model) PlaysOn() bool { return m.until > 0 }

// FrameShown goes on when a frame has come: a handout takes its picture, and the machine plays to the
// moment that the reader goes to, in about as long as its sentences take to be read. It reports
// false if neither is wanted, and looks then which goals of an exercise hold on the future of run that is shown.
func (m *Model) FrameShown(f *link.Frame, run *link.Lanes) (cmds []desk.Cmd, ok bool) {
	if l := m.Learning; l != nil {
		if l.Step < 0 {
			l.Step = f.Step
		}
		l.Coming = l.Coming && f.Step < l.Step
	}
	switch {
	case m.Handout.gathering():
		return m.gather(f), true
	case m.until > 0:
		until := m.until
		m.until = 0
		return m.desk.PlayTo(until, lessonSeconds), true
	}
	return m.checkGoals(f, run), false
}

// guardsLesson is the name of the lesson that shows a stale read of the reader's own.
const guardsLesson = "choose-a-guard"

// ChooseGuard opens the lesson at its scene, for a stale read of a recording. The watch of the scene is as late as the recorded watch was.
func (m *Model) ChooseGuard(name string, c *link.Table) []desk.Cmd {
	m.Recording = Recording{Name: name, Case: c}
	late := "forever"
	if c.Late >= 0 {
		n, unit := max(c.Late, 1), int64(1)
		for n/unit >= 1000 {
			unit *= 10
		}
		late = syntax.TimeText(n / unit * unit)
	}
	return m.Open("", guardsLesson, "yours", []string{"lag server " + late + " pods"})
}

// SeekOwn lets the reader choose a recording of their own.
func (m *Model) SeekOwn() { m.Recording = Recording{Sought: true} }
