package ask

import (
	"strconv"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
)

// kind is what a token is.
type kind uint8

const (
	tokEnd kind = iota
	tokName
	tokNumber
	tokFraction // a number between 0 and 1
	tokDuration
	tokString
	tokSign // an operator, a bracket or a comma: its text says which
)

// token is a word of an expression.
type token struct {
	kind    kind
	at, end int
	text    string // of a string: what is between the quotation marks
	n       int64  // of a number, of a duration, or of a fraction in billionths
	open    bool   // a string without its end
}

// whole is the number 1 in billionths.
const whole = 1_000_000_000

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// signs are the operators and brackets, the longer ones first.
var signs = []string{"&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "(", ")", "[", "]", ",", "."}

// next reads the token from an offset on.
func next(text string, i int) (t token, err *Error) {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	t.at, t.end = i, i
	if i == len(text) {
		return t, nil
	}
	switch c := text[i]; {
	case letter(c):
		for i < len(text) && (letter(text[i]) || digit(text[i])) {
			i++
		}
		t.kind, t.end, t.text = tokName, i, text[t.at:i]
		return t, nil
	case digit(c):
		return number(text, t)
	case c == '"' || c == '\'':
		return quoted(text, t)
	}
	for _, s := range signs {
		if len(text)-i >= len(s) && text[i:i+len(s)] == s {
			t.kind, t.end, t.text = tokSign, i+len(s), s
			return t, nil
		}
	}
	_, n := utf8.DecodeRuneInString(text[i:])
	t.end = i + n
	return t, &Error{i, t.end, fault.Quoted("noSign sign", text[i:t.end])}
}

// number reads digits. What follows without a space makes them a duration.
func number(text string, t token) (token, *Error) {
	i := t.at
	for i < len(text) && (digit(text[i]) || letter(text[i]) || text[i] == '.' || text[i] >= utf8.RuneSelf) {
		i++
	}
	t.end, t.text = i, text[t.at:i]
	if n, err := strconv.ParseInt(t.text, 10, 64); err == nil {
		t.kind, t.n = tokNumber, n
		return t, nil
	}
	if n, ok := duration(t.text); ok {
		t.kind, t.n = tokDuration, n
		return t, nil
	}
	if f, err := strconv.ParseFloat(t.text, 64); err == nil && f > 0 && f < 1 {
		t.kind, t.n = tokFraction, int64(f*whole+0.5)
		return t, nil
	}
	return t, &Error{t.at, t.end, fault.Quoted("noNumber text", t.text)}
}

// quoted reads a string.
func quoted(text string, t token) (token, *Error) {
	mark, b := text[t.at], []byte(nil)
	t.kind = tokString
	for i := t.at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == mark:
			t.end, t.text = i+1, string(b)
			return t, nil
		case c == '\\' && i+1 < len(text):
			i++
			switch e := text[i]; e {
			case '\\', '"', '\'':
				b = append(b, e)
			case 'n':
				b = append(b, '\n')
			case 't':
				b = append(b, '\t')
			default:
				return t, &Error{i - 1, i + 1, fault.Plain("escape")}
			}
		default:
			b = append(b, c)
		}
	}
	t.end, t.text, t.open = len(text), string(b), true
	return t, &Error{t.at, len(text), fault.Plain("noQuote")}
}
