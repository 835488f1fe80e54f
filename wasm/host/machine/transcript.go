package machine

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/link"
)

// MaxConsole is how many lines a transcript has.
const MaxConsole = 5000

// ConsoleLine returns what the transcript says of an entry.
func ConsoleLine(e script.Entry, lane int) link.ConsoleLine {
	out := link.ConsoleLine{Kind: e.Kind.String(), Text: e.Text, Lane: lane}
	if e.Kind == script.Moved {
		out.Text, out.Time, out.Actor, out.Step = strings.Join(e.Facts, "; "), e.Time, e.Actor, e.Step
	}
	return out
}

// LineFailure returns what is wrong with a line of a text of several lines, or with a text of a single one.
func LineFailure(err error, text string) *link.LineFailure {
	var e script.Error
	if !errors.As(err, &e) {
		return &link.LineFailure{Why: link.Fault(err)}
	}
	if e.Line > 0 {
		lines := strings.Split(text, "\n")
		text = lines[min(e.Line, len(lines))-1]
	}
	return &link.LineFailure{Line: e.Line, Col: e.Col, Text: strings.TrimSuffix(text, "\r"), Why: link.Fault(e.Why)}
}
