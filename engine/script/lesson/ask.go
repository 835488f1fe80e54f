package lesson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// Ask is what a question asks of the machine. The lesson holds no answer: the
// machine is asked at the end of the script that follows the question.
type Ask struct {
	Kind    AskKind
	Args    string   // of AskSubject and AskCan: the line without its verb; otherwise the words after the kind
	Options []string // what the learner may answer, as values of scripts
	N       int      // the line of the file

	Label []Span   // what is measured, in words; nil if the lesson doesn't say
	Notes [][]Span // for each option why it is wrong, nil where the lesson doesn't say
	Cans  []Line   // for each option a can line that is so in a schedule in which the option would be right; N is 0 for none
}

// Lines of a question begin with these, unless they are options.
const (
	labelMark = "label: "
	noteMark  = "> "
	canMark   = "can "
)

// AskKind says how the answer is found.
type AskKind uint8

// The kinds of questions, with the line that asks them.
const (
	AskSubject  AskKind = iota // SUBJECT: its value once the script has been played
	AskTold                    // told [HANDLER]: the calls of handlers, in order
	AskReturned                // returned: what a call by hand, such as queue pop, returns
	AskCount                   // count EVENT [KEY]: how often that happens
	AskCan                     // can …: whether it can come about from here on
)

var askNames = map[string]AskKind{"told": AskTold, "returned": AskReturned, "count": AskCount, "can": AskCan}

// parseAsk reads the lines of a question: what is asked, how that is called, and an option a line. Below
// it stand perhaps a line that says why it is wrong, and a can line for a schedule in which it would be right.
func parseAsk(lines []Line) (Ask, error) {
	text, n := lines[0].Text, lines[0].N
	word, args, _ := strings.Cut(text, " ")
	a := Ask{Kind: askNames[word], Args: args, N: n}
	var err error
	switch a.Kind {
	case AskSubject:
		a.Args = text
		if err = script.Check("show "+text, n); err == nil && word == "notified" {
			err = fail(n, fault.Plain("asksTold"))
		}
	case AskCan:
		err = script.Check(text, n)
	case AskReturned:
		if args != "" {
			err = fail(n, fault.Plain("afterReturned"))
		}
	case AskCount:
		kind := verb(args)
		if _, ok := event.KindNamed(kind); !ok {
			err = fail(n, syntax.UnknownEvent(kind))
		}
	}
	if err != nil {
		return a, err
	}
	for _, line := range lines[1:] {
		if err := a.parseLabel(line); err != errOption {
			if err != nil {
				return a, err
			}
			continue
		}
		o, ok := strings.CutPrefix(line.Text, "- ")
		if !ok {
			return a, fail(line.N, fault.Plain("optionHyphen"))
		}
		if a.Option(o) >= 0 {
			return a, fail(line.N, fault.Plain("optionTwice"))
		}
		a.Options, a.Notes, a.Cans = append(a.Options, o), append(a.Notes, nil), append(a.Cans, Line{})
	}
	if len(a.Options) < 2 || len(a.Options) > maxOptions {
		return a, fail(n, fault.Number("optionCount max", maxOptions))
	}
	return a, nil
}

// errOption says that a line of a question must be an option.
const errOption = fault.Plain("optionHyphen")

// parseLabel reads the label of a question, or what stands below its last option.
func (a *Ask) parseLabel(line Line) (err error) {
	if text, ok := strings.CutPrefix(line.Text, labelMark); ok && a.Options == nil && a.Label == nil {
		a.Label, err = parseSpans(text, line.N)
		return err
	}
	if text, ok := strings.CutPrefix(line.Text, noteMark); ok && len(a.Notes) > 0 && a.Notes[len(a.Notes)-1] == nil {
		a.Notes[len(a.Notes)-1], err = parseSpans(text, line.N)
		return err
	}
	if last := len(a.Cans) - 1; last >= 0 && a.Kind != AskCan && a.Cans[last].N == 0 && strings.HasPrefix(line.Text, canMark) {
		a.Cans[last] = line
		return script.Check(line.Text, line.N)
	}
	return errOption
}

// Option returns which option an answer is, or -1.
func (a *Ask) Option(answer string) int {
	return slices.IndexFunc(a.Options, func(o string) bool { return script.SameValue(o, answer) })
}

// listener gathers what questions ask for while a script is played.
type listener struct {
	facts []string // of all steps, as transcripts write them
	value []string // what the last line told
}

func (e *listener) take(facts []string) { e.facts = append(e.facts, facts...) }

func (e *listener) write(entry script.Entry) {
	switch entry.Kind {
	case script.Statement:
		e.value = e.value[:0]
	case script.Value, script.Answer:
		e.value = append(e.value, entry.Text)
	}
}

// answer returns the answer to a question of the facts.
func (e *listener) answer(a *Ask) string {
	switch a.Kind {
	case AskTold:
		var calls []string
		for _, f := range e.facts {
			call, ok := strings.CutPrefix(f, event.HandlerCalled.String()+" ")
			if who, what, _ := strings.Cut(call, " "); a.Args == who {
				call = what
			} else if a.Args != "" {
				continue
			}
			if ok {
				calls = append(calls, call)
			}
		}
		return "[" + strings.Join(calls, ", ") + "]"
	case AskCount:
		n := 0
		for _, f := range e.facts {
			if containsWords(f, a.Args) {
				n++
			}
		}
		return strconv.Itoa(n)
	}
	return "[" + strings.Join(e.value, ", ") + "]"
}

// containsWords reports whether the words of want stand in a fact, in their order,
// and its first word is the fact's first.
func containsWords(fact, want string) bool {
	have, words := strings.Fields(fact), strings.Fields(want)
	if len(have) == 0 || have[0] != words[0] {
		return false
	}
	i := 0
	for _, w := range have {
		if i < len(words) && words[i] == w {
			i++
		}
	}
	return i == len(words)
}
