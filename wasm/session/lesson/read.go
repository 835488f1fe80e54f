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

// Mark is the furthest stop that was read of a lesson, how many it has, and what was answered to its
// questions.
type Mark struct {
	Far, All int
	Answers  string // a digit for each question: the option, from 1, or 0 for "show me"; "-" for none
}

// ParseRead reads what String has written. It passes over any other line.
func ParseRead(s string) Read {
	r := Read{}
	for item := range strings.SplitSeq(s, " ") {
		name, mark, _ := strings.Cut(item, "=")
		far, rest, _ := strings.Cut(mark, "/")
		all, answers, _ := strings.Cut(rest, "/")
		m := Mark{Answers: answers}
		m.Far, _ = strconv.Atoi(far)
		if m.All, _ = strconv.Atoi(all); name != "" && m.All > 0 && strings.Trim(answers, "-0123456789") == "" {
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
		if m.Answers != "" {
			item += "/" + m.Answers
		}
		all = append(all, item)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] }) // slices.Sort of strings would add 4 kB to the page's program
	return strings.Join(all, " ")
}

// questions are those parts of the lesson that are questions.
func (l *Learning) questions() []int {
	parts, n := make([]int, len(l.Parts)), 0
	for i := range l.Parts {
		if l.Parts[i].Kind == lesson.Question.String() {
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
	for _, i := range l.questions() {
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
	for k, i := range l.questions() {
		if k >= len(text) || text[k] == '-' || int(text[k]-'0') > len(l.Parts[i].Options) {
			continue
		}
		l.Answers[i] = Guess{Option: int(text[k]-'0') - 1}
		cmds = append(cmds, d.Send(link.AskAnswer{Part: i})...)
	}
	return cmds
}

// keep keeps how far the lesson was read, and what was answered.
func keep(m *Model) []desk.Cmd {
	l := m.Learning
	read := maps.Clone(m.Read)
	if read == nil {
		read = Read{}
	}
	read[l.Name] = Mark{max(l.Far, read[l.Name].Far), len(l.Stops), l.answered()}
	m.Read = read
	return []desk.Cmd{desk.Keep{Name: "lessons", Value: read.String()}}
}

// AnswerAnew clears what was answered in the lesson.
func (m *Model) AnswerAnew() []desk.Cmd {
	if m.Learning == nil {
		return nil
	}
	next := *m.Learning
	next.Answers, next.Votes = map[int]Guess{}, nil
	m.Learning = &next
	return keep(m)
}
