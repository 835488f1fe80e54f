package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

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
	Step     int64                // the step of the stop's moment; -1 until the machine stands there
	Coming   bool                 // the machine plays to the stop's moment, so the stop's text isn't shown yet
	looked   moment               // at which it was last looked whether the exercise's goals hold
	acted    bool                 // the stage shows a future that the reader has made
	Prompted float64              // when Next was last pressed at the open question or the exercise, in milliseconds; 0 if it wasn't
}

// Guess is what the reader has answered to a question.
type Guess struct {
	Option int // -1 for "show me"
	Judged *link.Judged
}

// Correct reports whether the reader knew the answer.
func (g Guess) Correct() bool { return g.Judged != nil && g.Judged.Option == g.Option }

// Chosen returns the lines of the lesson's script in which the reader has chosen another value.
func (l *Learning) Chosen() (lines []string) {
	for _, p := range l.Parts {
		for _, c := range p.Controls {
			if c.Chosen != c.Usual {
				lines = append(lines, c.Line())
			}
		}
	}
	return lines
}

// Moment names the stop where the reader is, as an address does.
func (l *Learning) Moment() string {
	if i := l.Find(link.PartScript); i >= 0 && l.Parts[i].Label != "" {
		return l.Parts[i].Label
	}
	return strconv.Itoa(l.Stop + 1)
}

// FindMoment returns the stop of a moment: by its label, by the number of its script, or by
// the stop's own number after a dot, all from 1. The beginning is "". It reports false where the lesson has
// no such moment; the stop is then the nearest one, or the first.
func (l *Learning) FindMoment(label string) (stop int, has bool) {
	if n, err := strconv.Atoi(strings.TrimPrefix(label, ".")); err == nil && strings.HasPrefix(label, ".") {
		stop = min(max(n-1, 0), len(l.Stops)-1)
		return stop, stop == n-1
	}
	number, _ := strconv.Atoi(label)
	for i, p := range l.Parts {
		if p.Kind != link.PartScript {
			continue
		}
		if number--; label != "" && p.Label == label || number == 0 {
			return l.stopAt(i), true
		}
	}
	return 0, label == ""
}

func (l *Learning) stopAt(part int) int {
	stop := 0
	for k, first := range l.Stops {
		if first <= part {
			stop = k
		}
	}
	return stop
}

// Range returns which parts are read at a stop: from, and up to but not including, to.
func (l *Learning) Range(stop int) (from, to int) {
	to = len(l.Parts)
	if stop+1 < len(l.Stops) {
		to = l.Stops[stop+1]
	}
	return l.Stops[stop], to
}

// Time returns when a stop begins and how long it takes, in seconds, in a class for which the lesson has all of its minutes.
// Each stop takes some time to be looked at, and more for what there is to read and to choose from.
func (l *Learning) Time(stop int) (begins, takes int) {
	all, before, here := 0, 0, 0
	for i := range l.Stops {
		weight := 120 // letters that are read while the class looks at the stage
		from, to := l.Range(i)
		for _, p := range l.Parts[from:to] {
			for _, s := range p.Text {
				weight += len(s.Text)
			}
			for _, o := range p.Options { // each is thought about
				weight += 60 + len(o)
			}
		}
		all += weight
		switch {
		case i < stop:
			before += weight
		case i == stop:
			here = weight
		}
	}
	seconds := 60 * l.Minutes
	begins = before * seconds / all
	return begins, (before+here)*seconds/all - begins
}

// Find returns the first part of a kind at the stop where the reader is, or -1.
func (l *Learning) Find(kind link.PartKind) int {
	if l == nil {
		return -1
	}
	from, to := l.Range(l.Stop)
	return l.find(kind, from, to)
}

// find returns the first of the parts from and up to to that is of a kind, or -1.
func (l *Learning) find(kind link.PartKind, from, to int) int {
	for i := from; i < to; i++ {
		if l.Parts[i].Kind == kind {
			return i
		}
	}
	return -1
}

// OpenQuestion returns the question at the stop that waits for an answer, or -1.
func (l *Learning) OpenQuestion() int {
	if l == nil {
		return -1
	}
	q := l.Find(link.PartQuestion)
	if _, answered := l.Answers[q]; answered {
		return -1
	}
	return q
}

// MendPart returns the part of the stop at which Go is mended by choosing lines, -1 for none. A question that
// is open comes first.
func (l *Learning) MendPart() int {
	if l == nil || l.OpenQuestion() >= 0 {
		return -1
	}
	return l.Find(link.PartMend)
}

// Counting reports whether the room's votes on the open question are counted.
func (l *Learning) Counting() bool {
	q := l.OpenQuestion()
	return q >= 0 && l.Votes[q] != nil
}

// HasExercise reports whether the stop has an exercise.
func (l *Learning) HasExercise() bool { return l != nil && l.Find(link.PartExercise) >= 0 }

// begins reports whether a scene with a machine of its own begins with part i.
func (l *Learning) begins(i int) bool {
	p := &l.Parts[i]
	return p.Kind == link.PartScript && len(p.Lines) > 0 && strings.HasPrefix(p.Lines[0], "profile ")
}

// Teaches reports whether the reader needs the lines of the script that is part i: an exercise of the same scene asks for more.
func (l *Learning) Teaches(i int) bool {
	for i++; i < len(l.Parts) && !l.begins(i); i++ {
		if l.Parts[i].Kind == link.PartExercise {
			return true
		}
	}
	return false
}

// exercise returns the exercise that the reader may be at: the stop's, or one above it in the same scene that isn't solved
// yet, since what is solved later counts, too. It is -1 for none.
func (l *Learning) exercise() int {
	if l == nil || l.HasExercise() {
		return l.Find(link.PartExercise)
	}
	_, to := l.Range(l.Stop)
	for i := to - 1; i >= 0; i-- {
		switch exercise := l.Parts[i].Kind == link.PartExercise; {
		case exercise && !l.Solved[i].Solved:
			return i
		case exercise || l.begins(i):
			return -1
		}
	}
	return -1
}

// Unsolved returns the exercise of the stop while it isn't solved, -1 for none.
func (l *Learning) Unsolved() int {
	if x := l.Find(link.PartExercise); !l.Solved[x].Solved {
		return x
	}
	return -1
}

// AllHints returns how many hints the stop's exercise has.
func (l *Learning) AllHints() (n int) {
	from, to := l.Range(l.Stop)
	for i := from; i < to; i++ {
		if l.Parts[i].Kind == link.PartHint {
			n++
		}
	}
	return n
}

// CountAnswers returns how many questions of the lesson were answered, and how many rightly. An answer that was
// shown is none that the reader knew.
func (l *Learning) CountAnswers() (right, answered int) {
	for _, g := range l.Answers {
		if g.Judged == nil {
			continue
		}
		answered++
		if g.Correct() {
			right++
		}
	}
	return right, answered
}
