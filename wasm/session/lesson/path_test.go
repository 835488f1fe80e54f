package lesson

import (
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// travelling is a desk that notes which lessons are opened.
type travelling struct {
	table
	opened []string
}

func (d *travelling) OpenLesson(name string, _ []string) []desk.Cmd {
	d.opened = append(d.opened, name)
	return nil
}

// A path is begun at its first lesson that wasn't read to its end, and leads from one to the next. Who follows a
// link beside it is led back, and who chooses among all lessons leaves it.
func TestAPathLeadsOn(t *testing.T) {
	names := func(all ...string) (lessons []link.LessonName) {
		for _, name := range all {
			lessons = append(lessons, link.LessonName{Name: name})
		}
		return lessons
	}
	d := &travelling{}
	m := New(d)
	m.Read = Read{"a": {Read: 1, Stops: 2}, "c": {Read: 0, Stops: 2}}
	if m.Follow("short"); d.opened != nil {
		t.Error("a path is followed before the course is known")
	}
	m.Listed(&link.Course{
		Chapters: []link.Chapter{{Lessons: names("a", "b")}, {Lessons: names("c", "d")}},
		Paths:    []link.Path{{Name: "short", Title: "A way", Lessons: names("a", "c", "d")}},
	})
	at := func(path, name string) (string, int) {
		m.Path, m.Learning = path, &Learning{Lesson: &link.Lesson{Name: name}}
		next, n := m.NextLesson()
		return next.Name, n
	}
	for _, want := range []struct {
		path, name, next string
		n                int
	}{
		{"short", "a", "c", 1}, {"short", "d", "", 3}, {"short", "b", "c", 0}, {"", "a", "b", 1}, {"", "b", "c", 2}, {"", "d", "", 4}, {"", "mine", "", 0}, {"gone", "b", "c", 2},
	} {
		if next, n := at(want.path, want.name); next != want.next || n != want.n {
			t.Errorf("on the path %q, %q follows %q, which is number %d", want.path, next, want.name, n)
		}
	}
	m.Follow("short")
	m.Follow("short.d")
	m.OpenLink("b.md#x")
	onIt := m.Path
	m.Follow("")
	d.dialog = "course"
	m.Path = "short"
	m.OpenLink("a")
	if want := []string{"c", "d", "b", "b", "a"}; !reflect.DeepEqual(d.opened, want) || onIt != "short" || m.Path != "" {
		t.Errorf("%v are opened, the path is %q and then %q", d.opened, onIt, m.Path)
	}
	m.Read = Read{"a": {Read: 1, Stops: 2}, "c": {Read: 1, Stops: 2}, "d": {Read: 0, Stops: 1}}
	if m.Follow("short"); d.opened[len(d.opened)-1] != "a" {
		t.Errorf("a path that was read begins again at %q", d.opened[len(d.opened)-1])
	}
}
