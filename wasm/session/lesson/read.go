package lesson

import (
	"maps"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Read is how far each lesson was read, by its name. It is kept for the next visit.
type Read map[string]Mark

// Mark is the furthest stop that was read of a lesson, how many it has, what was answered to its
// questions, and which of its exercises were solved.
type Mark struct {
	Far, All int
	Answers  string // a digit for each question: the option, from 1, or 0 for "show me"; "-" for none
	Solved   string // "y" for each exercise that was solved, "-" for each that wasn't
}

// ParseRead reads what String has written. It passes over any other line.
func ParseRead(s string) Read {
	r := Read{}
	for item := range strings.SplitSeq(s, " ") {
		name, mark, _ := strings.Cut(item, "=")
		far, rest, _ := strings.Cut(mark, "/")
		all, rest, _ := strings.Cut(rest, "/")
		answers, solved, _ := strings.Cut(rest, "/")
		m := Mark{Answers: answers, Solved: solved}
		m.Far, _ = strconv.Atoi(far)
		if m.All, _ = strconv.Atoi(all); name != "" && m.All > 0 && strings.Trim(answers, "-0123456789") == "" && strings.Trim(solved, "-y") == "" {
			r[name] = m
		}
	}
	return r
}

// Restore takes in how far lessons were read at the last visit.
func (m *Model) Restore(read string) { m.Read = ParseRead(read) }

// String writes r as a setting.
func (r Read) String() string {
	var all []string
	for name, m := range r {
		item := name + "=" + strconv.Itoa(m.Far) + "/" + strconv.Itoa(m.All)
		if m.Answers != "" || m.Solved != "" {
			item += "/" + m.Answers
		}
		if m.Solved != "" {
			item += "/" + m.Solved
		}
		all = append(all, item)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] }) // slices.Sort of strings would add 4 kB to the page's program
	return strings.Join(all, " ")
}

// all are those parts of the lesson that are of a kind.
func (l *Learning) all(kind lesson.Kind) []int {
	parts, n := make([]int, len(l.Parts)), 0
	for i := range l.Parts {
		if l.Parts[i].Kind == kind.String() {
			parts[n] = i
			n++
		}
	}
	return parts[:n]
}

// answered writes what was answered to the lesson's questions, as a Mark has it.
func (l *Learning) answered() (text string) {
	if len(l.Answers) == 0 {
		return ""
	}
	for _, i := range l.all(lesson.Question) {
		if g, ok := l.Answers[i]; ok {
			text += strconv.Itoa(g.Option + 1)
		} else {
			text += "-"
		}
	}
	return text
}

// answer takes in what answered has written at another visit. What doesn't fit the lesson is left out.
func (l *Learning) answer(d Desk, text string) (cmds []desk.Cmd) {
	for k, i := range l.all(lesson.Question) {
		if k >= len(text) || text[k] == '-' || int(text[k]-'0') > len(l.Parts[i].Options) {
			continue
		}
		l.Answers[i] = Guess{Option: int(text[k]-'0') - 1}
		cmds = append(cmds, d.Send(link.AskAnswer{Part: i})...)
	}
	return cmds
}

// solved writes which of the lesson's exercises are solved, as a Mark has it.
func (l *Learning) solved() (text string) {
	none := true
	for _, i := range l.all(lesson.Exercise) {
		if l.Solved[i].Solved {
			text, none = text+"y", false
		} else {
			text += "-"
		}
	}
	if none {
		return ""
	}
	return text
}

// solve takes in what solved has written at another visit. What doesn't fit the lesson is left out.
func (l *Learning) solve(text string) {
	for k, i := range l.all(lesson.Exercise) {
		if k >= len(text) || text[k] != 'y' {
			continue
		}
		c := link.Checked{Part: i, Solved: true}
		for _, g := range l.Parts[i].Goals {
			for len(c.Goals) <= g.Part {
				c.Goals = append(c.Goals, true)
			}
		}
		l.Solved[i] = c
	}
}

// keep keeps how far the lesson was read, what was answered and what was solved.
func keep(m *Model) []desk.Cmd {
	l := m.Learning
	read := maps.Clone(m.Read)
	if read == nil {
		read = Read{}
	}
	read[l.Name] = Mark{max(l.Far, read[l.Name].Far), len(l.Stops), l.answered(), l.solved()}
	m.Read = read
	return []desk.Cmd{desk.Keep{Name: "lessons", Value: read.String()}}
}

// AnswerAnew clears what was answered in the lesson. What was solved stays solved.
func (m *Model) AnswerAnew() []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	next := *m.Learning
	next.Answers, next.Votes = map[int]Guess{}, nil
	m.Learning = &next
	return keep(m)
}
