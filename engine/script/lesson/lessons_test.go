package lesson

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

const folder = "../../../web/lessons"

// languages are the folders of the lessons, English first.
func languages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(folder + "/*/course.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, filepath.Base(filepath.Dir(f)))
	}
	i := slices.Index(names, "en")
	if i < 0 || len(names) < 2 {
		t.Fatal("the folders of lessons are", names)
	}
	names[0], names[i] = names[i], names[0]
	return names
}

func read(t *testing.T, language, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, language, name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parsedBefore keeps what was parsed, since each test goes through all lessons.
var parsedBefore = map[string]*Lesson{}

func parsed(t *testing.T, language, name string) *Lesson {
	t.Helper()
	if l := parsedBefore[language+"/"+name]; l != nil {
		return l
	}
	l, err := Parse(read(t, language, name))
	if err != nil {
		t.Fatalf("%s/%s: %v", language, name, err)
	}
	parsedBefore[language+"/"+name] = l
	return l
}

// TestTheCourseHasEveryLesson: each language has the same chapters with the same
// lessons, each lesson is in one of them, under its own title.
func TestTheCourseHasEveryLesson(t *testing.T) {
	var first *Course
	for _, language := range languages(t) {
		c, err := ParseCourse(read(t, language, "course"))
		if err != nil {
			t.Fatalf("%s/course: %v", language, err)
		}
		if first == nil {
			first = c
		}
		if len(c.Chapters) != len(first.Chapters) {
			t.Fatalf("%s/course has %d chapters", language, len(c.Chapters))
		}
		listed := []string{"course", "new-lesson"} // the latter is what a lesson of one's own begins as
		for i, ch := range c.Chapters {
			if !slices.Equal(ch.Lessons, first.Chapters[i].Lessons) {
				t.Errorf("%s/course: chapter %q has other lessons", language, ch.Title)
			}
			for j, name := range ch.Lessons {
				if l := parsed(t, language, name); l.Title != ch.Titles[j] {
					t.Errorf("%s/%s is called %q, and in the course %q", language, name, l.Title, ch.Titles[j])
				} else if l.Minutes != ch.Minutes[j] {
					t.Errorf("%s/%s takes %d minutes, and in the course %d", language, name, l.Minutes, ch.Minutes[j])
				}
			}
			if ch.Goal == nil {
				t.Errorf("%s/course: chapter %q doesn't say what one can do after it", language, ch.Title)
			}
			listed = append(listed, ch.Lessons...)
		}
		samePaths(t, language, c, first)
		slices.Sort(listed)
		files, err := filepath.Glob(filepath.Join(folder, language, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			files[i] = strings.TrimSuffix(filepath.Base(f), ".md")
		}
		if slices.Sort(files); !slices.Equal(files, listed) {
			t.Errorf("%s has the lessons %v, and the course %v", language, files, listed)
		}
	}
}

// samePaths holds that each path of a course leads through the same lessons as in the first language, each under its own
// title, and takes no longer than it says. The exercises aren't counted.
func samePaths(t *testing.T, language string, c, first *Course) {
	t.Helper()
	if len(c.Paths) != len(first.Paths) || len(c.Paths) == 0 {
		t.Fatalf("%s/course has %d paths", language, len(c.Paths))
	}
	for i, p := range c.Paths {
		if want := first.Paths[i]; p.Name != want.Name || p.Minutes != want.Minutes || p.Goal == nil || !slices.Equal(p.Lessons, want.Lessons) {
			t.Errorf("%s/course: the path %q is another one", language, p.Name)
		}
		takes, all := 0., float64(p.Minutes)
		for j, name := range p.Lessons {
			l := parsed(t, language, name)
			if takes += minutes(t, parsed(t, "en", name), false); l.Title != p.Titles[j] {
				t.Errorf("%s/%s is called %q, and on the path %s %q", language, name, l.Title, p.Name, p.Titles[j])
			}
		}
		if takes > all || takes*2 < all {
			t.Errorf("%s/course: the lessons of the path %q take %.1f minutes, and the path %d", language, p.Name, takes, p.Minutes)
		}
	}
}

// TestLanguagesHaveTheSameStructure: a lesson has the same parts, blocks and links
// in each language.
func TestLanguagesHaveTheSameStructure(t *testing.T) {
	all := languages(t)
	c, err := ParseCourse(read(t, all[0], "course"))
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range c.Chapters {
		for _, name := range ch.Lessons {
			want := structure(parsed(t, all[0], name))
			for _, language := range all[1:] {
				got := structure(parsed(t, language, name))
				for i := range max(len(got), len(want)) {
					if i >= len(got) || i >= len(want) || got[i] != want[i] {
						t.Errorf("%s and %s differ in %s:\n%s\n%s", all[0], language, name, strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""), strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""))
						break
					}
				}
			}
		}
	}
}

// TestEachWrongOptionSaysWhy: whoever chooses a wrong option of a question reads why it is wrong. The machine decides which
// one is right, and a note on that one fails the check of the lesson.
func TestEachWrongOptionSaysWhy(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		for i := range l.Parts {
			a := &l.Parts[i].Ask
			notes := 0
			for _, note := range a.Notes {
				if note != nil {
					notes++
				}
			}
			if notes < len(a.Options)-1 {
				t.Errorf("%s/%s:%d has %d options, and says of %d why they are wrong", language, name, a.N, len(a.Options), notes)
			}
			if len(a.Options) > 0 && a.Label == nil {
				t.Errorf("%s/%s:%d doesn't say what is measured", language, name, a.N)
			}
		}
	})
}

// structure is all of a lesson except its words.
func structure(l *Lesson) []string {
	out := []string{"minutes " + strconv.Itoa(l.Minutes), "stations " + strings.Join(l.Stations, " "), "trace " + l.Trace}
	for i := range l.Parts {
		p := &l.Parts[i]
		s := p.Kind.String() + " " + p.Label + " at " + strconv.Itoa(p.ScriptIndex)
		for _, line := range p.Lines {
			s += "\n" + withoutWords(p.Kind, line.Text)
		}
		for _, line := range p.Claims {
			s += "\nclaim " + line.Text
		}
		s += links(p.Text)
		for _, item := range p.Items {
			s += "\nitem" + links(item)
		}
		out = append(out, s)
	}
	return out
}

// withoutWords is a line of a block without what differs from language to language.
func withoutWords(k Kind, text string) string {
	for _, mark := range []string{labelMark, noteMark} {
		if (k == Question || k == Exercise || k == Mend) && strings.HasPrefix(text, mark) {
			return mark
		}
	}
	return text
}

func links(spans []Span) string {
	s := ""
	for _, span := range spans {
		if span.Kind == Link {
			s += "\nlink " + span.Link
		}
	}
	return s
}

// eachLesson calls f for each lesson of each language.
func eachLesson(t *testing.T, f func(language, name string, l *Lesson)) {
	t.Helper()
	for _, language := range languages(t) {
		files, err := filepath.Glob(filepath.Join(folder, language, "*.md"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no lessons in %s: %v", language, err)
		}
		for _, file := range files {
			if name := strings.TrimSuffix(filepath.Base(file), ".md"); name != "course" {
				f(language, name, parsed(t, language, name))
			}
		}
	}
}

// TestTheCourseIsForTrying: whoever only reads learns half. At least twenty lessons have an exercise, and thirty a value to
// choose; and the page of misconceptions has twenty of them, each with a link to a scene that refutes it.
func TestTheCourseIsForTrying(t *testing.T) {
	exercises, controls := 0, 0
	eachLesson(t, func(language, name string, l *Lesson) {
		if language != "en" || name == "new-lesson" {
			return
		}
		has := func(k Kind) bool { return slices.ContainsFunc(l.Parts, func(p Part) bool { return p.Kind == k }) }
		if has(Exercise) {
			exercises++
		}
		if has(Control) {
			controls++
		}
	})
	if exercises < 20 || controls < 30 {
		t.Errorf("%d lessons have an exercise, and %d a control", exercises, controls)
	}
	text, err := os.ReadFile(filepath.Join(folder, "en", "questions.md"))
	if err != nil {
		t.Fatal(err)
	}
	questions := strings.Split(string(text), "\n## ")[1:]
	if len(questions) != 20 {
		t.Errorf("there are %d questions", len(questions))
	}
	for _, q := range questions {
		if title, _, _ := strings.Cut(q, "\n"); !strings.Contains(q, ".md") {
			t.Errorf("%q leads to no scene", title)
		}
	}
}

// TestStatementsAreDecided: each of the twelve statements is a scene, a guess of true or false, what the machine does then, and the
// same in another version.
func TestStatementsAreDecided(t *testing.T) {
	var kinds []string
	l, n := parsed(t, "en", "statements"), 0
	for i := range l.Parts {
		switch p := &l.Parts[i]; p.Kind {
		case Heading:
			n++
			if len(l.Parts) == i+1 || !l.Parts[i+1].beginsScene() || l.Parts[i+1].Label == "" {
				t.Errorf("line %d: no scene that has a name begins the statement", p.N)
			}
			kinds = nil
		case Script, Question, Compare:
			if kinds = append(kinds, p.Kind.String()); p.Kind == Question && !slices.Equal(p.Ask.Options, []string{"true", "false"}) {
				t.Errorf("line %d: the guess is one of %q", p.N, p.Ask.Options)
			}
			if p.Kind == Compare && strings.Join(kinds, " ") != "script question script compare" {
				t.Errorf("line %d: the statement is decided by %q", p.N, kinds)
			}
		}
	}
	if n != 12 {
		t.Errorf("there are %d statements", n)
	}
}

// TestOneKnobEach: the lessons that are one picture have one stop and one knob with more than four places, which are told
// in 100 seconds.
func TestOneKnobEach(t *testing.T) {
	for _, name := range []string{"cache-lag", "handler-time", "resync-period"} {
		l, knobs := parsed(t, "en", name), 0
		for i := range l.Parts {
			for _, c := range l.Parts[i].Controls {
				if knobs++; len(c.Choices) <= 4 {
					t.Errorf("%s has a choice of %d, which is no knob", name, len(c.Choices))
				}
			}
		}
		if takes := 60 * minutes(t, l, true); len(l.Stops()) != 1 || knobs != 1 || takes > 100 {
			t.Errorf("%s has %d stops and %d knobs, and takes %.0f s", name, len(l.Stops()), knobs, takes)
		}
	}
}

// TestATeacherHasNotes: the speaker's window has a note wherever the class has something to do, which is at each question
// and each exercise, and at each other stop of the path for a class. Only a stop with nothing but sources is without.
func TestATeacherHasNotes(t *testing.T) {
	class := map[string][]string{}
	for _, language := range languages(t) {
		c, err := ParseCourse(read(t, language, "course"))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(c.Paths, func(p Path) bool { return p.Name == "class" })
		if i < 0 {
			t.Fatalf("%s/course has no path for a class", language)
		}
		class[language] = c.Paths[i].Lessons
	}
	eachLesson(t, func(language, name string, l *Lesson) {
		for k, parts := range stopsOf(l) {
			has := func(kinds ...Kind) bool {
				return slices.ContainsFunc(parts, func(p Part) bool { return slices.Contains(kinds, p.Kind) })
			}
			onPath := slices.Contains(class[language], name) && slices.ContainsFunc(parts, func(p Part) bool { return p.Kind != Source })
			if (onPath || has(Question, Exercise, Mend)) && !has(Note) {
				t.Errorf("%s/%s:%d: stop %d has no note", language, name, parts[0].N, k+1)
			}
		}
	})
}

// TestEachMomentIsTold: wherever the machine has come to a moment, the reader reads what is to be seen there.
func TestEachMomentIsTold(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		for k, parts := range stopsOf(l) {
			has := func(kinds ...Kind) bool {
				return slices.ContainsFunc(parts, func(p Part) bool { return slices.Contains(kinds, p.Kind) })
			}
			if has(Script) && !has(Paragraph, List) {
				t.Errorf("%s/%s:%d: nothing is said at stop %d", language, name, parts[0].N, k+1)
			}
		}
	})
}

// stopsOf has the parts of each stop of a lesson.
func stopsOf(l *Lesson) [][]Part {
	stops := append(l.Stops(), len(l.Parts))
	out := make([][]Part, len(stops)-1)
	for k := range out {
		out[k] = l.Parts[stops[k]:stops[k+1]]
	}
	return out
}

// TestQuestionsSayWhatIsMeasured: "0 or 1?" is a riddle where nobody says of what.
func TestQuestionsSayWhatIsMeasured(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		for i := range l.Parts {
			if p := &l.Parts[i]; p.Kind == Question && p.Ask.Label == nil {
				t.Errorf("%s/%s:%d: the question has no label", language, name, p.N)
			}
		}
	})
}

// TestLinksLeadSomewhere: each link to a lesson names one, and a moment of it.
func TestLinksLeadSomewhere(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		for _, s := range l.Stations {
			if !slices.Contains(link.Stations, s) {
				t.Errorf("%s/%s: there is no station %q", language, name, s)
			}
		}
		for i := range l.Parts {
			for _, text := range append(l.Parts[i].Items, l.Parts[i].Text) {
				for _, span := range text {
					if span.Kind != Link || strings.HasPrefix(span.Link, discussions) {
						continue
					}
					file, moment, named := strings.Cut(span.Link, "#")
					other := parsed(t, language, strings.TrimSuffix(file, ".md"))
					if _, ok := other.Moment(moment); named && !ok {
						t.Errorf("%s/%s:%d: %s has no such moment", language, name, l.Parts[i].N, span.Link)
					}
				}
			}
		}
	})
}
