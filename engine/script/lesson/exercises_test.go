package lesson

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// tries are what learners try at the exercise of a lesson.
type tries struct{ solve, fail []string }

// readTries reads testdata/exercises.txt: the tries by the lesson.
func readTries(t *testing.T) map[string]*tries {
	t.Helper()
	text, err := os.ReadFile("testdata/exercises.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, sum := map[string]*tries{}, &tries{}
	for line := range strings.SplitSeq(string(text), "\n") {
		switch sign, rest, _ := strings.Cut(line, " "); sign {
		case "", "#":
		case "+":
			sum.solve = append(sum.solve, rest)
		case "-":
			sum.fail = append(sum.fail, rest)
		default:
			sum = &tries{}
			all[line] = sum
		}
	}
	return all
}

// exerciseIn is the index of a lesson's exercise, -1 if it has none.
func exerciseIn(l *Lesson) int {
	return slices.IndexFunc(l.Parts, func(p Part) bool { return p.Kind == Exercise })
}

// TestExercisesAreJudgedFairly: a wrong solution may reach some goals of an exercise, but never all of them. A right
// solution that differs from the lesson's own reaches all, and no line of it is refused. Each exercise has at least
// three solutions with its own, and five tries that don't solve it.
func TestExercisesAreJudgedFairly(t *testing.T) {
	all := readTries(t)
	eachLesson(t, func(language, name string, l *Lesson) {
		i := exerciseIn(l)
		if i < 0 || language != "en" {
			return
		}
		solved := all[name]
		if solved == nil {
			solved = &tries{}
		}
		delete(all, name)
		if len(solved.solve) < 2 || len(solved.fail) < 5 {
			t.Errorf("%s is tried with %d solutions besides its own, and with %d wrong ones", name, len(solved.solve), len(solved.fail))
		}
		if testing.Short() {
			solved.solve, solved.fail = solved.solve[:1], solved.fail[:2]
		}
		try := func(lines string, want bool) {
			p := &Player{Lesson: l}
			run := WithoutExpectations(p.Lines(i))
			for line := range strings.SplitSeq(lines, "; ") {
				if err := l.Parts[i].Refusal(line); err != nil && want {
					t.Errorf("%s: in %q a line is refused: %v", name, lines, err)
				}
				run = append(run, Line{Text: line, N: 100})
			}
			reached, err := p.Reached(i, run)
			if err != nil {
				t.Errorf("%s: after %q: %v", name, lines, err)
			} else if AllReached(reached) != want {
				t.Errorf("%s: %q reaches %v", name, lines, reached)
			}
		}
		for _, lines := range solved.solve {
			try(lines, true)
		}
		for _, lines := range solved.fail {
			try(lines, false)
		}
		for _, line := range l.Parts[l.solutionOf(i)].Lines {
			if err := l.Parts[i].Refusal(line.Text); err != nil {
				t.Errorf("%s refuses a line of its own solution: %v", name, err)
			}
		}
	})
	for name := range all {
		t.Errorf("%s has no exercise", name)
	}
}

// TestExercisesSayWhatTheyWant: each goal is said in words, and three hints lead to it.
func TestExercisesSayWhatTheyWant(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		i := exerciseIn(l)
		if i < 0 {
			return
		}
		hints := 0
		for j := range l.Parts {
			switch p := &l.Parts[j]; {
			case p.Kind == Exercise && j != i:
				t.Errorf("%s/%s:%d is a second exercise", language, name, p.N)
			case p.Kind == Hint:
				hints++
			}
		}
		if hints != 3 {
			t.Errorf("%s/%s has %d hints", language, name, hints)
		}
		for _, g := range l.Parts[i].Goals {
			if g.Visible() && g.Label == nil {
				t.Errorf("%s/%s:%d: the goal is not said in words", language, name, g.N)
			}
		}
	})
}
