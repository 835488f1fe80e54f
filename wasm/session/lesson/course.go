package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// OpenCourse shows the list of lessons.
func (m *Model) OpenCourse() []desk.Cmd {
	m.desk.SetDialog("course")
	m.Find, m.Found = "", nil
	if m.Course != nil && m.courseLang == m.desk.Surroundings().Lang {
		return nil
	}
	return m.readCourse()
}

// readCourse gets the course in the page's language.
func (m *Model) readCourse() []desk.Cmd {
	m.courseLang, m.Course = m.desk.Surroundings().Lang, nil
	return m.desk.Send(link.ReadCourse{URL: CourseURL(m.courseLang), Words: URL(m.courseLang, glossary)})
}

// Listed takes in the course, and marks its words in the lesson that is open.
func (m *Model) Listed(c *link.Course) {
	m.Course = c
	if m.Learning != nil {
		m.Learning.Lesson = m.withGlossary(m.Learning.Lesson)
	}
}

// Lessons returns the lessons of the way through the course on which the reader is, and its name in words:
// a path's, or all of them. It returns none before the course is known.
func (m *Model) Lessons(path string) (title string, lessons []link.LessonName) {
	if m.Course == nil {
		return "", nil
	}
	for _, p := range m.Course.Paths {
		if p.Name == path {
			return p.Title, p.Lessons
		}
	}
	for _, ch := range m.Course.Chapters {
		lessons = append(lessons, ch.Lessons...)
	}
	return "", lessons
}

// Follow begins a way through the course, or goes on at the stop where it was left. Arg is its name, "" for all lessons,
// and perhaps one of its lessons after a dot.
func (m *Model) Follow(arg string) []desk.Cmd {
	path, name, _ := strings.Cut(arg, ".")
	_, lessons := m.Lessons(path)
	if len(lessons) == 0 && name == "" {
		return nil
	}
	moment := ""
	if name == "" {
		name = m.Read.unread(lessons)
		if mark := m.Read[name]; mark.Read > 0 && !mark.Done() {
			moment = "." + strconv.Itoa(mark.Read+1)
		}
	}
	return m.Open(path, name, moment, nil)
}

// unread returns the first of some lessons that wasn't read to its end, or the first one where all were.
func (r Read) unread(lessons []link.LessonName) string {
	for _, x := range lessons {
		if !r[x.Name].Done() {
			return x.Name
		}
	}
	return lessons[0].Name
}

// Done reports whether the lesson was read to its end.
func (m Mark) Done() bool { return m.Stops > 0 && m.Read+1 >= m.Stops }

// NextLesson returns the lesson that follows on the reader's way, and the number of the open lesson on it, from 1. A lesson
// beside the way has the number 0, and the first unread lesson of the way follows it. There is no lesson after the last one,
// and none before the course is known.
func (m *Model) NextLesson() (next link.LessonName, n int) {
	_, lessons := m.Lessons(m.Path)
	for i, x := range lessons {
		if x.Name != m.Learning.Name {
			continue
		}
		if i+1 < len(lessons) {
			next = lessons[i+1]
		}
		return next, i + 1
	}
	if m.Path != "" {
		for _, x := range lessons {
			if x.Name == m.Read.unread(lessons) {
				return x, 0
			}
		}
	}
	return next, 0
}

// WordsURL returns the address of the texts of all lessons in a language.
func WordsURL(lang string) string { return "lessons/" + lang + "/words.txt" }

// Search shows only those lessons of the list that have the words, in their titles or in their texts. A single
// letter is looked for in titles alone, as most texts have it.
func (m *Model) Search(words string) []desk.Cmd {
	m.Find, m.Found = words, nil
	if len(strings.TrimSpace(words)) < 2 {
		return nil
	}
	return m.desk.Send(link.FindLessons{URL: WordsURL(m.desk.Surroundings().Lang), Words: words})
}

// LessonsFound takes in the lessons whose texts have the words, unless others are looked for by now.
func (m *Model) LessonsFound(f *link.FoundLessons) {
	if f.Words == m.Find && m.Course != nil && f.URL == WordsURL(m.courseLang) {
		m.Found = f
	}
}
