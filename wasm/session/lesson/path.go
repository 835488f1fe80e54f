package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// On returns the lessons of the way through the course on which the reader is, and its name in words:
// those of a path, or all of them. It returns none before the course is known.
func On(m *Model, path string) (title string, lessons []link.LessonName) {
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
func Follow(m *Model, d Desk, arg, _ string) []desk.Cmd {
	path, name, _ := strings.Cut(arg, ".")
	_, lessons := On(m, path)
	if len(lessons) == 0 {
		return nil
	}
	moment := ""
	if name == "" {
		name = m.Read.unread(lessons)
		if mark := m.Read[name]; mark.Far > 0 && !mark.Done() {
			moment = "." + strconv.Itoa(mark.Far+1)
		}
	}
	return m.Open(d, path, name, moment, nil)
}

// unread is the first of some lessons that wasn't read to its end, or the first one where all were.
func (r Read) unread(lessons []link.LessonName) string {
	for _, x := range lessons {
		if !r[x.Name].Done() {
			return x.Name
		}
	}
	return lessons[0].Name
}

// Done reports whether the lesson was read to its end.
func (m Mark) Done() bool { return m.All > 0 && m.Far+1 >= m.All }

// After is the lesson that follows on the reader's way, and which one the open lesson is there, from 1. Who is beside
// the way is led back to it. There is no lesson after the last one, and none before the course is known.
func After(m *Model) (next link.LessonName, n int) {
	_, lessons := On(m, m.Path)
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
