package lesson

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/script"
)

// TestNoSceneIsReadOnAnEmptyMachine: at each stop the machine has done something that can be seen. Lessons about starting are
// no exception: their reflector has asked for its list. Only who is to fill a workqueue begins with an empty one.
func TestNoSceneIsReadOnAnEmptyMachine(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		if language != "en" || l.Trace != "" {
			return
		}
		p := &Player{Lesson: l}
		for k, parts := range stopsOf(l) {
			e, at := &listener{}, l.MomentOf(l.Stops(), k)
			if at >= 0 {
				r := script.NewRunner(e.write)
				r.OnFacts(e.take)
				if err := play(r, WithoutExpectations(p.Lines(at))); err != nil {
					t.Fatal(err)
				}
			}
			moved := slices.ContainsFunc(e.facts, func(f string) bool { return !strings.HasPrefix(f, event.ObjectWritten.String()) })
			fills := slices.ContainsFunc(parts, func(x Part) bool {
				return x.Kind == Exercise && slices.ContainsFunc(x.Lines, func(l Line) bool { return l.Text == "only work" })
			})
			if !moved && !fills {
				t.Errorf("%s: the machine has not moved before what is read at stop %d", name, k+1)
			}
		}
	})
}

// claims are the expectations that hold at a stop: those at the end of its script, and those below its paragraphs.
func claims(parts []Part) (lines []Line) {
	for i := range parts {
		if p := &parts[i]; p.Kind == Script {
			lines = nil
			for j := len(p.Lines); j > 0 && isReadOnly(verb(p.Lines[j-1].Text)); j-- {
				lines = append(lines, p.Lines[j-1])
			}
		}
		lines = append(lines, parts[i].Claims...)
	}
	return slices.DeleteFunc(lines, func(line Line) bool { return verb(line.Text) != "expect" })
}

// setUp has the lines of a scene that come before the machine moves for the first time.
func setUp(lines []Line) []Line {
	for i, line := range lines {
		if v := verb(line.Text); v == "run" || v == "step" || v == "advance" || v == "queue" || v == "work" {
			return lines[:i]
		}
	}
	return lines
}

// unproved returns the stops of a lesson that come to another moment, and have no expectation that fails at the stop before.
func unproved(t *testing.T, name string, l *Lesson) (stops []string) {
	t.Helper()
	p, before := &Player{Lesson: l}, -1
	for k, parts := range stopsOf(l) {
		at := l.MomentOf(l.Stops(), k)
		if at < 0 || before >= 0 && slices.Equal(WithoutExpectations(p.Lines(at)), WithoutExpectations(p.Lines(before))) {
			continue
		}
		var then []Line
		if before >= 0 {
			then = WithoutExpectations(p.Lines(before))
		} else {
			then = WithoutExpectations(setUp(p.Lines(at)))
		}
		before = at
		r := script.NewRunner(func(script.Entry) {})
		if err := play(r, then); err != nil {
			t.Fatal(name, err)
		}
		if !slices.ContainsFunc(claims(parts), func(line Line) bool { return r.Line(line.Text, line.N) != nil }) {
			stops = append(stops, strconv.Itoa(k+1))
		}
	}
	return stops
}

// notProved are the lessons whose stops this test doesn't look at, because no recording can be played here. No lesson may be
// added.
var notProved = []string{"rollout", "three-in-the-morning"}

// TestEachStopIsProved: at each stop some expectation holds that fails at the stop before, so what is read there is about
// this moment. That they hold, the check of the lesson says.
func TestEachStopIsProved(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		switch {
		case language != "en":
		case slices.Contains(notProved, name):
			if l.Trace == "" {
				t.Errorf("%s plays no recording, and can be proved", name)
			}
		default:
			if stops := unproved(t, name, l); len(stops) > 0 {
				t.Errorf("%s: nothing that is expected at its stops %s fails at the stop before", name, strings.Join(stops, ", "))
			}
		}
	})
}

// named returns the names that lines give to objects, handlers and workers of their scene.
func named(lines []Line) map[string]bool {
	names := map[string]bool{}
	for _, line := range lines {
		words := strings.Fields(line.Text)
		for i, word := range words {
			if _, name, ok := strings.Cut(word, "/"); ok {
				names[name] = true
			} else if i == 1 && (words[0] == "handler" || words[0] == "worker") {
				names[word] = true
			}
		}
	}
	return names
}

var aName = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9.-]*`)

// TestWhatIsNamedIsProved: of each object and each handler that the prose of a stop names, something is expected, asked or
// wanted at that stop. Else the prose could say anything of it, whatever the stage shows.
func TestWhatIsNamedIsProved(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		if language != "en" || slices.Contains(notProved, name) {
			return
		}
		p := &Player{Lesson: l}
		for k, parts := range stopsOf(l) {
			at := l.MomentOf(l.Stops(), k)
			if at < 0 {
				continue
			}
			var prove []string
			for i := range parts {
				x := &parts[i]
				prove = append(prove, x.Ask.Args)
				for _, g := range x.Goals {
					prove = append(prove, g.Text)
				}
				for _, line := range slices.Concat(x.Lines, x.Claims) {
					if isReadOnly(verb(line.Text)) {
						prove = append(prove, line.Text)
					}
				}
			}
			names, proved := named(p.Lines(at)), strings.Join(prove, " ")
			for i := range parts {
				x := &parts[i]
				if x.Kind != Paragraph && x.Kind != List {
					continue
				}
				for _, word := range aName.FindAllString(codeOf(append(x.Items, x.Text)...), -1) {
					if names[word] && !regexp.MustCompile(`\b`+regexp.QuoteMeta(word)+`\b`).MatchString(proved) {
						t.Errorf("%s:%d: at stop %d nothing is proved of %s", name, x.N, k+1, word)
					}
				}
			}
		}
	})
}

// TestAStopIsReadBehindItsScript: only headings stand before the last script of a stop, so all that is read there is about
// the moment for which TestEachStopIsProved wants an expectation. What stands below the heading of a new scene is read
// behind the script that begins it, too: it would tell of that scene over the one before.
func TestAStopIsReadBehindItsScript(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		under := false // something that is read stands since the last heading
		for i := range l.Parts {
			switch p := &l.Parts[i]; p.Kind {
			case Heading:
				under = false
			case Script:
				if under && p.beginsScene() {
					t.Errorf("%s, %s: the script in line %d begins a scene, and stands below what is read of it", language, name, p.N)
				}
				under = false
			default:
				under = under || i > 0 && l.Parts[i-1].Kind == Heading
			}
		}
		for k, parts := range stopsOf(l) {
			before := false // something that is read was before
			for i := range parts {
				switch parts[i].Kind {
				case Heading:
				case Script:
					if before {
						t.Errorf("%s, %s: at stop %d something is read before the script in line %d", language, name, k+1, parts[i].N)
					}
				default:
					before = true
				}
			}
		}
	})
}
