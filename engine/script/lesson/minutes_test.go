package lesson

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

var update = flag.Bool("update", false, "rewrite the minutes that lessons take")

// What a reader takes, in seconds. The text is new to the reader, and often in a foreign language.
const (
	perWord     = .5
	perStop     = 4 // to see what has changed on the stage
	perQuestion = 25
	perExercise = 180
	perMend     = 60
	perChoice   = 10 // of a control
	perCompare  = 20
	perGoLine   = 3
	perLine     = 1.5 // of a script
	perStep     = 1. / 3
	longestPlay = 6 // the page plays to the next stop in that time, however many steps that is
)

// minutes is how long a lesson takes, from what its reader takes and what the machine plays, without its exercises or with them.
func minutes(t *testing.T, l *Lesson, exercises bool) float64 {
	t.Helper()
	all := perWord * float64(wordsOf(l.Summary))
	played := 0.
	var r *script.Runner
	steps := int64(0)
	for i := range l.Parts {
		if !exercises && ofExercise(l, i) {
			continue
		}
		p := &l.Parts[i]
		all += perWord * float64(wordsOf(p.Text))
		if p.Kind != Note && p.Kind != Hint {
			for _, item := range p.Items {
				all += perWord * float64(wordsOf(item))
			}
		}
		switch p.Kind {
		case Question:
			all += perQuestion + perWord*float64(wordsOf(p.Ask.Label))
		case Exercise:
			if exercises {
				all += perExercise
			}
		case Mend:
			if exercises {
				all += perMend
			}
		case Control:
			for _, c := range p.Controls {
				all += perChoice * float64(min(len(c.Choices), 4)) // hardly anybody tries more of them
			}
		case Compare:
			all += perCompare
		case Code:
			all += perGoLine * float64(len(p.Lines))
		case Script:
			all += perLine * float64(len(WithoutExpectations(p.Lines)))
			if l.Trace != "" {
				played += longestPlay
				continue
			}
			if p.beginsScene() {
				r, steps = script.NewRunner(func(script.Entry) {}), 0
			}
			if err := play(r, p.Lines); err != nil {
				t.Fatal(err)
			}
			if r.History() != nil {
				played += min(longestPlay, perStep*float64(r.History().Steps()-steps))
				steps = r.History().Steps()
			}
		}
	}
	return (all + played + perStop*float64(len(l.Stops()))) / 60
}

// ofExercise reports whether part i stands between the heading of an exercise, or of a mend, and that.
func ofExercise(l *Lesson, i int) bool {
	from := i
	for from > 0 && l.Parts[from].Kind != Heading {
		from--
	}
	for j := from + 1; j < len(l.Parts) && l.Parts[j].Kind != Heading; j++ {
		if k := l.Parts[j].Kind; (k == Exercise || k == Mend) && i <= j {
			return l.Parts[from].Kind == Heading
		}
	}
	return false
}

func wordsOf(spans []Span) int { return len(strings.Fields(PlainText(spans))) }

var minutesLine = regexp.MustCompile(`(?m)^minutes: \d+$`)

// TestMinutesAreMeasured: a lesson says how many minutes it takes, and takes as many, or one more or less, so that not
// every word that is changed changes them. With -update, all languages and their courses are rewritten.
func TestMinutesAreMeasured(t *testing.T) {
	for _, name := range lessonNames(t) {
		l := parsed(t, "en", name)
		want := int(minutes(t, l, true)) + 1
		switch off := want - l.Minutes; {
		case off == 0 || !*update && (off == 1 || off == -1):
			continue
		case !*update:
			t.Errorf("%s takes %d minutes, and says %d; go test -run Minutes -update rewrites that", name, want, l.Minutes)
			continue
		}
		for _, language := range languages(t) {
			rewrite(t, language, name, minutesLine, "minutes: "+strconv.Itoa(want))
			rewrite(t, language, "course", regexp.MustCompile(`(?m)(]\(`+name+`\.md\) ?[(（])\d+`), "${1}"+strconv.Itoa(want))
		}
	}
}

func rewrite(t *testing.T, language, name string, what *regexp.Regexp, to string) {
	t.Helper()
	text := what.ReplaceAllString(read(t, language, name), to)
	if err := os.WriteFile(filepath.Join(folder, language, name+".md"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
