package script

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
)

// word is the text between two spaces. Spaces within double quotes or brackets are
// part of it.
type word struct {
	text string
	col  int // from 1, in bytes
}

// line is a line being parsed.
type line struct {
	n     int
	text  string
	words []word
	i     int // the next word
	end   int // the column after the last one
}

func (p *line) split(text string) error {
	p.text = text
	for i := 0; i < len(text); {
		if !utf8.ValidString(text) {
			return Error{p.n, 1, fault.Plain("lineNotUTF8")}
		}
		switch c := text[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '#':
			return nil
		}
		from := i
		quoted, depth := false, 0
		for ; i < len(text); i++ {
			c := text[i]
			if c == '"' {
				quoted = !quoted
			} else if !quoted && c == '[' {
				depth++
			} else if !quoted && c == ']' {
				depth--
			} else if !quoted && depth <= 0 && (c == ' ' || c == '\t') {
				break
			}
		}
		if quoted {
			return Error{p.n, from + 1, fault.Plain("noQuote")}
		}
		if depth != 0 {
			return Error{p.n, from + 1, fault.Plain("noBracket")}
		}
		p.words = append(p.words, word{text[from:i], from + 1})
		p.end = i + 1
	}
	return nil
}

func (p *line) fail(w word, why error) error { return Error{p.n, w.col, why} }

// more tells whether words are left.
func (p *line) more() bool { return p.i < len(p.words) }

// next takes a word. If there is none, the error names what is missing.
func (p *line) next(what error) (word, error) {
	if !p.more() {
		return word{}, Error{p.n, p.end, missing(what)}
	}
	p.i++
	return p.words[p.i-1], nil
}

// name takes a word that is a name, which may stand between quotation marks.
func (p *line) name(what error) (word, error) {
	w, err := p.next(what)
	w.text = unquote(w.text)
	return w, err
}

// peek is the next word's text, "" if there is none.
func (p *line) peek() string {
	if !p.more() {
		return ""
	}
	return p.words[p.i].text
}

// literal takes the word text.
func (p *line) literal(text string) error {
	switch {
	case !p.more():
		return Error{p.n, p.end, missing(aWord(text))}
	case p.words[p.i].text != text:
		return p.fail(p.words[p.i], wants(aWord(text)))
	}
	p.i++
	return nil
}

// done returns an error if words are left.
func (p *line) done() error {
	if p.more() {
		return p.fail(p.words[p.i], wantsEnd)
	}
	return nil
}

// options calls take with each word that is left, NAME or NAME=VALUE. take returns
// what is wrong with it, or nil.
func (p *line) options(take func(name string, v word) (wrong error)) error {
	for p.more() {
		w, _ := p.next(nil)
		name, v, _ := strings.Cut(w.text, "=")
		if wrong := take(name, word{unquote(v), w.col + len(name) + 1}); wrong != nil {
			return p.fail(w, wrong)
		}
	}
	return nil
}

func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// rest is the text of the words that are left, with single spaces.
func (p *line) rest() string {
	var b strings.Builder
	for ; p.more(); p.i++ {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.words[p.i].text)
	}
	return b.String()
}

// number reads w as one of 0 to limit.
func number(w word, limit int64) (int64, bool) {
	n, err := strconv.ParseInt(w.text, 10, 64)
	return n, err == nil && n >= 0 && n <= limit
}

// Units of time in nanoseconds.
const (
	millisecond = int64(1_000_000)
	second      = 1000 * millisecond
	hour        = 3600 * second
)

var units = []struct {
	name string
	ns   int64
}{{"h", hour}, {"m", 60 * second}, {"s", second}, {"ms", millisecond}, {"µs", 1000}, {"us", 1000}, {"ns", 1}}

// duration reads "1m30s", "20ms" or "1.5s".
func duration(text string) (ns int64, ok bool) {
	if text == "0" {
		return 0, true
	}
	for text != "" {
		i := 0
		for i < len(text) && (text[i] == '.' || text[i] >= '0' && text[i] <= '9') {
			i++
		}
		n, err := strconv.ParseFloat(text[:i], 64)
		if err != nil {
			return 0, false
		}
		j := i
		for j < len(text) && text[j] != '.' && (text[j] < '0' || text[j] > '9') {
			j++
		}
		unit := int64(0)
		for _, u := range units {
			if u.name == text[i:j] {
				unit = u.ns
			}
		}
		if unit == 0 || n*float64(unit) > float64(maxTime) {
			return 0, false
		}
		ns += int64(n*float64(unit) + 0.5)
		ok, text = ns <= maxTime, text[j:]
	}
	return ns, ok
}

// timeText writes a time in the largest unit that is not longer than it: "1.005s".
func timeText(ns int64) string {
	for _, u := range units[2:] {
		if ns >= u.ns && u.name != "us" {
			whole, part := strconv.FormatInt(ns/u.ns, 10), ns%u.ns
			if part == 0 {
				return whole + u.name
			}
			digits := strconv.FormatInt(u.ns+part, 10)[1:]
			return whole + "." + strings.TrimRight(digits, "0") + u.name
		}
	}
	return "0s"
}
