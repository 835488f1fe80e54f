package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

func init() { parsers[syntax.Repeat] = parseRepeat } // whose lines are parsed by the same table

// maxRepeats is how many lines one repeat may play.
const maxRepeats = 10_000

// counter stands in a repeated line for how often it has been played, from 1.
const counter = "$n"

// part is one of the lines that a repeat plays.
type part struct {
	text string
	col  int // of its first byte, from 1
}

// line returns the part as it is played the n-th time.
func (p part) line(n int64) string {
	return strings.ReplaceAll(p.text, counter, strconv.FormatInt(n, 10))
}

// parseRepeat parses repeat N LINE; LINE …, which plays the lines N times, one after the other. They may set up
// the machine.
func parseRepeat(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(syntax.ANumber)
	if err != nil {
		return nil, err
	}
	lines := parts(p)
	times, ok := syntax.Number(w, maxRepeats)
	switch {
	case !ok || times == 0 || times > maxRepeats/int64(max(1, len(lines))):
		return nil, p.Fail(w, syntax.WantsNumberTo(w.Text, maxRepeats/int64(max(1, len(lines)))))
	case len(lines) == 0:
		return nil, syntax.ErrorAt(p.Line, p.End, syntax.Missing(fault.Plain("aLine")))
	}
	for _, x := range lines {
		if strings.HasPrefix(x.text, "repeat") {
			return nil, syntax.ErrorAt(p.Line, x.col, fault.Plain("repeatOnce"))
		}
		for _, n := range []int64{1, times} { // a name that can't be so long is found before anything is played
			if _, _, err := parseLine(x.line(n), p.Line); err != nil {
				return nil, x.locate(err)
			}
		}
	}
	return func(r *Runner) error {
		for n := range times {
			for _, x := range lines {
				st, _, err := parseLine(x.line(n+1), p.Line)
				if err == nil {
					err = r.carry(st)
				}
				if err != nil {
					return x.locate(err)
				}
			}
		}
		return nil
	}, nil
}

// locate returns an error of the part with the column that it has in the repeat's line.
func (p part) locate(err error) error {
	switch e := err.(type) {
	case Error:
		e.Col += p.col - 1
		return e
	case Unmet:
		e.Err.Col += p.col - 1
		return e
	}
	return err
}

// parts takes the words that are left, with semicolons between the lines.
func parts(p *syntax.Parser) (all []part) {
	var first syntax.Word
	for p.More() {
		w, _ := p.Next(nil)
		if first.Col == 0 {
			first = w
		}
		if text := strings.TrimSuffix(p.TextBetween(first, w), ";"); !p.More() || strings.HasSuffix(w.Text, ";") {
			if strings.TrimSpace(text) != "" {
				all = append(all, part{text, first.Col})
			}
			first = syntax.Word{}
		}
	}
	return all
}
