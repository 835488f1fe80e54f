package lesson

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/world"
)

// fact is a line of testdata/facts.txt: where something that lessons say can be looked up. The tests of
// engine/conformance/live look it up.
type fact struct {
	n       int
	lessons []string
	phrase  string // as the English prose has it
	kind    string // since, until, in: of the source; block: TEXT is in a block of the lesson; gate: of engine/changes
	version string // of the source, or that brought the gate
	text    string // of a block, or the gate's name
}

func facts(t *testing.T) (all []fact) {
	t.Helper()
	text, err := os.ReadFile("testdata/facts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "last ") {
			continue
		}
		column := strings.SplitN(line, " | ", 3)
		if len(column) < 3 {
			t.Fatalf("facts.txt:%d: three columns are wanted", i+1)
		}
		f := fact{n: i + 1, lessons: strings.Fields(column[0]), phrase: column[1]}
		f.kind, f.text, _ = strings.Cut(column[2], " ")
		switch f.kind {
		case "block":
		case "gate":
			g := changes.Named(f.text)
			if g == nil {
				t.Fatalf("facts.txt:%d: there is no gate %s", i+1, f.text)
			}
			for _, f.version = range g.Since() {
				all = append(all, f)
			}
			continue
		default:
			f.version, _, _ = strings.Cut(f.text, " ")
		}
		all = append(all, f)
	}
	return all
}

// A lessonText is what stands in a lesson's text, by what it is: the prose and the blocks of scripts.
type lessonText struct{ prose, blocks string }

var (
	linkTarget = regexp.MustCompile(`\]\([^)]*\)`)
	discussion = regexp.MustCompile(`[\w.-]+/[\w.-]+#\d+`)
)

func saidBy(t *testing.T, language, name string) (s lessonText) {
	t.Helper()
	_, body, _ := strings.Cut(strings.TrimPrefix(string(read(t, language, name)), "---\n"), "\n---\n")
	block := ""
	for line := range strings.SplitSeq(body, "\n") {
		rest, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && block == "":
			block, _, _ = strings.Cut(rest, " ")
		case fence:
			block = ""
		case strings.HasPrefix(line, claimMark):
			s.blocks += line + "\n"
		case block == "", block == "question" && (strings.HasPrefix(line, labelMark) || strings.HasPrefix(line, "  "+noteMark)):
			s.prose += line + "\n"
		case block != "source" && block != "go":
			s.blocks += line + "\n"
		}
	}
	s.prose = discussion.ReplaceAllString(linkTarget.ReplaceAllString(s.prose, "]"), "")
	return s
}

func lessonNames(t *testing.T) (names []string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "en", "*.md"))
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".md"); name != "course" {
			names = append(names, name)
		}
	}
	return names
}

var (
	versionSaid = regexp.MustCompile(`v[01]\.(\d+)(?:\.(\d+))?`)
	boundary    = regexp.MustCompile(`(?i)(since|up to|until|before|from|to)(?: in)? $`) // what says that something changed there
)

// TestVersionsAreLookedUp: each version that a lesson names is held by a fact whose phrase it stands in, or, if the
// lesson doesn't say that something changed there, by a scene that is played in that version.
func TestVersionsAreLookedUp(t *testing.T) {
	known := facts(t)
	for _, name := range lessonNames(t) {
		s := saidBy(t, "en", name)
		for _, at := range versionSaid.FindAllStringSubmatchIndex(s.prose, -1) {
			version := s.prose[at[0]:at[1]]
			if heldBy(known, name, s.prose, at[0], at[1], func(f *fact) bool { return f.isOf(version) }) {
				continue
			}
			changed := boundary.MatchString(s.prose[:at[0]]) || strings.HasPrefix(s.prose[at[1]:], " and later")
			if !changed && plays(s.blocks, version) {
				continue
			}
			t.Errorf("%s: nothing holds %q", name, around(s.prose, at[0], at[1]))
		}
	}
}

// heldBy reports whether one of the facts that fit holds what stands in a lesson's prose from one place to another.
func heldBy(known []fact, lesson, prose string, from, to int, fits func(*fact) bool) bool {
	for i := range known {
		f := &known[i]
		if !slices.Contains(f.lessons, lesson) || !fits(f) {
			continue
		}
		for at := 0; ; at++ {
			n := strings.Index(prose[at:], f.phrase)
			if n < 0 {
				break
			}
			if at += n; at <= from && to <= at+len(f.phrase) {
				return true
			}
		}
	}
	return false
}

func around(text string, from, to int) string {
	return strings.ReplaceAll(text[max(0, from-40):min(len(text), to+30)], "\n", " ")
}

// isOf reports whether f is about a version that is said: v0.27.0 is said as v0.27 and as Kubernetes' v1.27, and
// "up to v0.26" means the same.
func (f *fact) isOf(said string) bool {
	x, y := versionSaid.FindStringSubmatch(f.version), versionSaid.FindStringSubmatch(said)
	switch {
	case x == nil:
		return false
	case x[1] == y[1]:
		return y[2] == "" || x[2] == y[2] || x[2] == "" && y[2] == "0"
	}
	return (f.kind == "since" || f.kind == "gate") && y[2] == "" && minorOf(f.version) == minorOf(said)+1
}

// plays reports whether one of the blocks is played in a profile that stands for a version.
func plays(blocks, version string) bool {
	for line := range strings.SplitSeq(blocks, "\n") {
		if name, is := strings.CutPrefix(line, "profile "); is && fits(name, version, false) {
			return true
		}
	}
	return false
}

// fits reports whether a profile stands for a version, or, if since is true, for that or a later one.
func fits(profile, version string, since bool) bool {
	p, ok := world.ProfileFor(profile)
	if !ok {
		return false
	}
	first, last, ranged := strings.Cut(p.Versions, "–")
	if !ranged {
		last = first
	}
	v := minorOf(version)
	return v <= minorOf(last) && (since || minorOf(first) <= v)
}

var (
	versionMeant = regexp.MustCompile(`(?i)(since|up to|until|before)? ?(v0\.\d+)`)
	profileLine  = regexp.MustCompile(`^profile (\S+)`)
)

// TestAVersionIsReadInItsScene: no paragraph tells what is so in a version that the next scene has and its own one hasn't,
// because the reader would look for it on the wrong machine. Where the stop compares them, both can be shown.
func TestAVersionIsReadInItsScene(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		stops := stopsOf(l)
		for k := range len(stops) - 1 {
			from, to := l.Scene(l.MomentOf(l.Stops(), k)), l.Scene(l.MomentOf(l.Stops(), k+1))
			if language != "en" || from == to || slices.ContainsFunc(stops[k], func(p Part) bool { return p.Kind == Compare }) {
				continue // other languages have the same structure, and the same versions
			}
			here, next := profileLine.FindStringSubmatch(l.Parts[from].Lines[0].Text)[1], profileLine.FindStringSubmatch(l.Parts[to].Lines[0].Text)[1]
			for i := range stops[k] {
				for _, m := range versionMeant.FindAllStringSubmatch(PlainText(stops[k][i].Text), -1) {
					since := strings.EqualFold(m[1], "since")
					if (m[1] == "" || since) && fits(next, m[2], since) && !fits(here, m[2], since) {
						t.Errorf("%s:%d: %s is the next scene's version, and %s is on the stage", name, stops[k][i].N, m[2], here)
					}
				}
			}
		}
	})
}

func minorOf(version string) int {
	n, _ := strconv.Atoi(versionSaid.FindStringSubmatch(version)[1])
	return n
}

const countWords = `two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|sixty|seventy`

var (
	// A code such as 410 is a name. "5 to 10 s" is two numbers.
	numberSaid = regexp.MustCompile(`(?i)\b(\d+(?:\.\d+)?|` + countWords + `)(?: (to|and) (?:\d+(?:\.\d+)?|` + countWords + `))?[ -](seconds?|minutes?|hours?|ms|s|m)\b|\b\d+(?:\.\d+)?\b`)
	httpCode   = regexp.MustCompile(`^[45]\d\d$`)
	counted    = map[string]string{
		"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
		"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70",
	}
)

// TestNumbersAreMeasured: each time and each number in digits that a lesson names stands in one of its blocks, or is
// held by a fact whose phrase it stands in.
func TestNumbersAreMeasured(t *testing.T) {
	known := facts(t)
	for _, name := range lessonNames(t) {
		s := saidBy(t, "en", name)
		prose := versionSaid.ReplaceAllStringFunc(s.prose, func(v string) string { return strings.Repeat(" ", len(v)) })
		for _, at := range numberSaid.FindAllStringSubmatchIndex(prose, -1) {
			text := prose[at[0]:at[1]]
			if httpCode.MatchString(text) || heldBy(known, name, s.prose, at[0], at[1], func(*fact) bool { return true }) {
				continue
			}
			unit := ""
			if at[6] >= 0 {
				unit = prose[at[6]:at[7]]
			}
			if at[4] < 0 && measured(s.blocks, text, unit) {
				continue
			}
			t.Errorf("%s: nothing measures %q", name, around(s.prose, at[0], at[1]))
		}
	}
}

// measured reports whether a number that is said stands in a block, with its unit if it has one.
func measured(blocks, said, unit string) bool {
	number, _, _ := strings.Cut(strings.ToLower(said), " ")
	number, _, _ = strings.Cut(number, "-")
	if digits, ok := counted[number]; ok {
		number = digits
	}
	want := `\b` + regexp.QuoteMeta(number) + `\b`
	switch {
	case strings.HasPrefix(unit, "mi"):
		seconds, _ := strconv.Atoi(number)
		want = `\b(` + number + `m|` + strconv.Itoa(60*seconds) + `s)\b`
	case unit == "ms":
		want = `\b` + number + `ms\b`
	case unit != "":
		want = `\b` + regexp.QuoteMeta(number) + unit[:1] + `\b`
	}
	return regexp.MustCompile(want).MatchString(blocks)
}

// TestFactsAreSaid: each fact is about something that its lessons say, and what a block is to measure is in one.
func TestFactsAreSaid(t *testing.T) {
	for _, f := range facts(t) {
		for _, name := range f.lessons {
			s := saidBy(t, "en", name)
			if !strings.Contains(s.prose, f.phrase) {
				t.Errorf("facts.txt:%d: %s doesn't say %q", f.n, name, f.phrase)
			}
			if f.kind == "block" && !strings.Contains(s.blocks, f.text) {
				t.Errorf("facts.txt:%d: %s has no block with %q", f.n, name, f.text)
			}
		}
	}
}

// TestTheCheatSheetHasEachGate: the page to look up what a version does has each gate of engine/changes, with a release
// that brought it.
func TestTheCheatSheetHasEachGate(t *testing.T) {
	known := facts(t)
	for i := range changes.Gates {
		name := changes.Gates[i].Name
		if !slices.ContainsFunc(known, func(f fact) bool {
			said := versionSaid.FindString(f.phrase)
			return f.kind == "gate" && f.text == name && slices.Contains(f.lessons, "versions") && said != "" && f.isOf(said)
		}) {
			t.Errorf("no line of versions.md says since when there is %s: facts.txt has none with its release", name)
		}
	}
}

// TestLanguagesNameTheSameVersions: a lesson names the same versions in each language, in whatever order.
func TestLanguagesNameTheSameVersions(t *testing.T) {
	versions := func(language, name string) string {
		all := versionSaid.FindAllString(saidBy(t, language, name).prose, -1)
		slices.Sort(all)
		return strings.Join(slices.Compact(all), " ")
	}
	for _, name := range lessonNames(t) {
		want := versions("en", name)
		for _, language := range languages(t) {
			if got := versions(language, name); got != want {
				t.Errorf("%s/%s names %s, and en names %s", language, name, got, want)
			}
		}
	}
}
