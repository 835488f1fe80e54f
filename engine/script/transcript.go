package script

import (
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/script/syntax"
)

// Entry is one line of a transcript.
type Entry struct {
	Kind  EntryKind
	Line  int      // of the script
	Text  string   // of a Statement: the line; of a Value or an Answer: what was asked for
	Step  int64    // of a Moved: which step it was
	Time  int64    // virtual, ns
	Actor string   // who moved; "" for the outside world
	Facts []string // what the step did

	Schedule []string // of an Answer: the actors in the order in which they move until it happens
	States   int      // of an Answer: how many were seen
}

// EntryKind says what an Entry is.
type EntryKind uint8

const (
	Statement EntryKind = iota + 1
	Moved
	Value
	Answer // to a can
)

func (k EntryKind) String() string {
	return [...]string{"", "statement", "step", "value", "answer"}[k]
}

// String is the entry as it stands in a transcript.
func (e Entry) String() string {
	switch e.Kind {
	case Statement:
		return "> " + e.Text
	case Moved:
		var b strings.Builder
		b.WriteString("  ")
		b.WriteString(pad(syntax.TimeText(e.Time), 12))
		b.WriteString(pad(e.Actor, 10))
		b.WriteString(strings.Join(e.Facts, "; "))
		return b.String()
	}
	return "= " + e.Text
}

func pad(s string, n int) string {
	if have := utf8.RuneCountInString(s); have < n {
		s += strings.Repeat(" ", n-have)
	}
	return s + " "
}

// The levels of a transcript: how much of what happens it has.
const (
	logNone = iota
	logCalls
	logMain
	logAll
)

var levels = [...]string{logNone: "none", logCalls: "calls", logMain: "main", logAll: "all"}
