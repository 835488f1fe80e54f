package lesson

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Read is how far each lesson was read, by its name. It is kept for the next visit.
type Read map[string]Mark

// Mark is the furthest stop that was read of a lesson, how many it has, what was answered to its
// questions, and which of its exercises were solved.
type Mark struct {
	Read, Stops int
	Answers     string // KEY:OPTION for each question that was answered: the option from 1, or 0 for "show me"
	Solved      string // KEY:y for each exercise that was solved
}

// keyMark stands behind the key of a part. Earlier versions of the page have kept no keys, but one letter for each
// question and each exercise of the lesson, in their order, and "-" for what was not answered or solved.
const keyMark = ":"

// ParseRead reads what String has written. It passes over any other line.
func ParseRead(s string) Read {
	r := Read{}
	for item := range strings.SplitSeq(s, " ") {
		name, mark, _ := strings.Cut(item, "=")
		far, rest, _ := strings.Cut(mark, "/")
		all, rest, _ := strings.Cut(rest, "/")
		answers, solved, _ := strings.Cut(rest, "/")
		m := Mark{Answers: answers, Solved: solved}
		m.Read, _ = strconv.Atoi(far)
		if m.Stops, _ = strconv.Atoi(all); name != "" && m.Stops > 0 && isMarks(answers, "-0123456789") && isMarks(solved, "-y") {
			r[name] = m
		}
	}
	return r
}

// isMarks reports whether a text can be a Mark's: items with keys, or else the letters of an earlier version.
func isMarks(text, letters string) bool {
	if strings.Contains(text, keyMark) {
		letters = "abcdefghijklmnopqrstuvwxyz0123456789-,:"
	}
	return strings.Trim(text, letters) == ""
}

// String writes r as a setting.
func (r Read) String() string {
	var all []string
	for name, m := range r {
		item := name + "=" + strconv.Itoa(m.Read) + "/" + strconv.Itoa(m.Stops)
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

// partsOf returns those parts of the lesson that are of a kind. A mend is an exercise, too.
func (l *Learning) partsOf(kind link.PartKind) []int {
	parts, n := make([]int, len(l.Parts)), 0
	for i := range l.Parts {
		if k := l.Parts[i].Kind; k == kind || kind == link.PartExercise && k == link.PartMend {
			parts[n] = i
			n++
		}
	}
	return parts[:n]
}

// partKeys returns the parts of the lesson that are of a kind, and the keys under which another visit knows them: a number that
// is made of what a block asks, and of nothing before or after it. It is the same in every language, and in every version of a lesson
// that has the block. The second of two that ask the same is marked.
func (l *Learning) partKeys(kind link.PartKind) (parts []int, keys []string) {
	parts = l.partsOf(kind)
	for _, i := range parts {
		p := &l.Parts[i]
		text := strings.Join(p.Lines, "\n") + "\n\n" + strings.Join(p.Options, "\n")
		for _, g := range p.Goals {
			text += "\n" + g.Line
		}
		n := uint32(2166136261) // FNV-1a
		for k := range len(text) {
			n = (n ^ uint32(text[k])) * 16777619
		}
		key := strconv.FormatUint(uint64(n), 36)
		for slices.Contains(keys, key) {
			key += "-"
		}
		keys = append(keys, key)
	}
	return parts, keys
}

// encodeAnswers writes what was answered to the lesson's questions, as a Mark has it.
func (l *Learning) encodeAnswers() string {
	var all []string
	for parts, keys := l.partKeys(link.PartQuestion); len(parts) > 0; parts, keys = parts[1:], keys[1:] {
		if g, ok := l.Answers[parts[0]]; ok {
			all = append(all, keys[0]+keyMark+strconv.Itoa(g.Option+1))
		}
	}
	return strings.Join(all, ",")
}

// restoreAnswers takes in what encodeAnswers has written at another visit. What doesn't fit the lesson is left out.
func (m *Model) restoreAnswers(text string) (cmds []desk.Cmd) {
	l := m.Learning
	parts, keys := l.partKeys(link.PartQuestion)
	for k, i := range parts {
		if n, err := strconv.Atoi(savedValue(text, keys[k], k)); err == nil && n >= 0 && n <= len(l.Parts[i].Options) {
			l.Answers[i] = Guess{Option: n - 1}
			cmds = append(cmds, m.desk.Send(link.AskAnswer{Part: i})...)
		}
	}
	return cmds
}

// savedValue returns what the text of a Mark has for a part with a key: the k-th of its kind, as earlier versions of the page know it.
func savedValue(text, key string, k int) string {
	if !strings.Contains(text, keyMark) {
		return text[min(k, len(text)):min(k+1, len(text))]
	}
	for item := range strings.SplitSeq(text, ",") {
		if name, value, _ := strings.Cut(item, keyMark); name == key {
			return value
		}
	}
	return ""
}

// encodeSolved writes which of the lesson's exercises are solved, as a Mark has it.
func (l *Learning) encodeSolved() string {
	var all []string
	for parts, keys := l.partKeys(link.PartExercise); len(parts) > 0; parts, keys = parts[1:], keys[1:] {
		if l.Solved[parts[0]].Solved {
			all = append(all, keys[0]+keyMark+"y")
		}
	}
	return strings.Join(all, ",")
}

// restoreSolved takes in what encodeSolved has written at another visit. What doesn't fit the lesson is left out.
func (l *Learning) restoreSolved(text string) {
	parts, keys := l.partKeys(link.PartExercise)
	for k, i := range parts {
		if savedValue(text, keys[k], k) != "y" {
			continue
		}
		c := link.Checked{Part: i, Solved: true}
		for _, g := range l.Parts[i].Goals {
			if l.Parts[i].Mend != nil { // it is shown with the lines of the lesson
				break
			}
			for len(c.Goals) <= g.Part {
				c.Goals = append(c.Goals, true)
			}
		}
		l.Solved[i] = c
	}
}

// Counts returns how many questions were answered, and how many exercises solved.
func (m Mark) Counts() (answers, solved int) {
	count := func(text, none string) int {
		if strings.Contains(text, keyMark) {
			return strings.Count(text, keyMark)
		}
		return len(strings.ReplaceAll(text, none, ""))
	}
	return count(m.Answers, "-"), count(m.Solved, "-")
}

// saveProgress keeps how far the lesson was read, what was answered and what was solved.
func (m *Model) saveProgress() []desk.Cmd {
	l := m.Learning
	if m.Read == nil {
		m.Read = Read{}
	}
	m.Read[l.Name] = Mark{max(l.Far, m.Read[l.Name].Read), len(l.Stops), l.encodeAnswers(), l.encodeSolved()}
	return []desk.Cmd{desk.StoreSetting{Name: "lessons", Value: m.Read.String()}}
}

// AnswerAnew clears what was answered in the lesson. What was solved stays solved.
func (m *Model) AnswerAnew() []desk.Cmd {
	m.Learning.Answers, m.Learning.Votes = map[int]Guess{}, nil
	return m.saveProgress()
}
