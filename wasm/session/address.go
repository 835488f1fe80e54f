package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
)

// The fragment of the page's address says which lesson of the course is open, and at which
// moment: #lesson=delta-fifo&at=popped. A moment has the label that the lesson gives it, or else
// the number of its stop, as the lesson's head shows it. The first stop needs neither.
//
// A lesson has entries of its own in the browser's history. Going on in it changes the fragment
// of the entry that is shown.

const (
	lessonIs = "#lesson="
	momentIs = "&at="
)

// maxWrong is how much of a wrong name is repeated, in bytes. A browser escapes what isn't ASCII.
const maxWrong = 80

// parseFragment returns the lesson that a fragment names, "" for none, and the moment as stopOf
// takes it. ok is false for a name that no lesson can have: the name becomes a part of a URL.
func parseFragment(fragment string) (name, moment string, ok bool) {
	rest, found := strings.CutPrefix(fragment, lessonIs)
	if !found {
		return "", "", true
	}
	name, moment, _ = strings.Cut(rest, momentIs)
	if n, err := strconv.Atoi(moment); err == nil {
		moment = "." + strconv.Itoa(n)
	}
	return name, moment, isLessonName(name)
}

func isLessonName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// courseLesson is the name of the lesson of the course that is open, or is being opened, and ""
// for anything else. A lesson from a file has no address.
func (m *Model) courseLesson() string {
	if rest, ok := strings.CutPrefix(m.Source.URL, "lessons/"); ok {
		_, name, _ := strings.Cut(rest, "/")
		return strings.TrimSuffix(name, ".md")
	}
	return ""
}

// fragment is what the address should say.
func (m *Model) fragment() string {
	name, l := m.courseLesson(), m.Learning
	switch shown, _, _ := parseFragment(m.address); {
	case name == "":
		return ""
	case name == shown && (l == nil || l.Name != name || m.Loading || m.ask.moving != 0):
		return m.address // it isn't there yet
	case l == nil || l.Name != name || l.Stop == 0:
		return lessonIs + name
	}
	return lessonIs + name + momentIs + l.moment()
}

// moment names the stop where the reader is.
func (l *Learning) moment() string {
	if i := l.Find(lesson.Script); i >= 0 && l.Parts[i].Label != "" {
		return l.Parts[i].Label
	}
	return strconv.Itoa(l.Stop + 1)
}

// tell keeps the address right. Another lesson, or the way out of one, is another entry of the
// browser's history.
func (m *Model) tell() []Cmd {
	now := m.fragment()
	if now == m.address || !m.begun {
		return nil
	}
	before, _, ok := parseFragment(m.address)
	m.address = now
	if before == m.courseLesson() || !ok {
		return []Cmd{Push{m.places.number(), now, true}}
	}
	m.places.forget()
	m.places.first++
	return []Cmd{Push{m.places.number(), now, false}}
}

// returned shows what the entry of the browser's history is about that the browser shows now.
func (m *Model) returned(r Returned) []Cmd {
	name, moment, ok := parseFragment(r.Fragment)
	switch l := m.Learning; {
	case !m.begun: // start reads the address
		m.address = r.Fragment
	case !ok:
		m.places.arrive(r.Place)
		return append(m.noLesson(name), Push{r.Place, m.address, true})
	case name != m.courseLesson():
		m.address = r.Fragment
		m.places.astray, m.places.stray = true, r.Place // none of its places is known
		if name == "" {
			return m.leaveCourse()
		}
		return m.openLesson(name, moment)
	case name == "":
		m.address = ""
	case l == nil || l.Name != name:
		m.address, m.wanted = r.Fragment, moment
	default:
		m.address = r.Fragment
		if stop := m.stopOf(moment); stop != l.Stop {
			m.places.arrive(r.Place)
			return m.goStop(stop, false)
		}
	}
	return m.revisit(r.Place)
}

// leaveCourse opens again what was open before the lesson, or else the bundled trace.
func (m *Model) leaveCourse() []Cmd {
	return m.resume(Began{Stay: m.left, Files: true})
}

// noLesson says that there is no lesson of a name, and shows the course.
func (m *Model) noLesson(name string) []Cmd {
	name = name[:min(len(name), maxWrong)]
	m.Failure = &link.Failure{Say: link.Sentence{ID: "fail.noLesson", Args: map[string]link.Arg{"name": {Kind: "code", V: name}}}}
	return m.openCourse()
}

// notOpened says why a lesson of the course isn't open, and opens again what was open before.
func (m *Model) notOpened(why *link.Failure) []Cmd {
	name := m.courseLesson()
	m.address = ""
	cmds := append([]Cmd{Push{m.places.number(), "", true}}, m.leaveCourse()...)
	m.Failure = why
	if why.Say.ID != "fail.open" {
		return cmds
	}
	return append(cmds, m.noLesson(name)...)
}
