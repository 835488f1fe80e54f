package syntax

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/fault"
)

// Word is the text between two spaces. Spaces within double quotes or brackets are
// part of it.
type Word struct {
	Text string
	Col  int // from 1, in bytes
}

// Parser is a line being parsed. Its methods take one word after the other.
type Parser struct {
	Line  int // its number, from 1
	text  string
	Words []Word
	Pos   int // the number of the next word, from 0
	End   int // the column after the last word
}

// split cuts a line into words. A comment ends it.
func (p *Parser) split(text string) error {
	p.text = text
	if !utf8.ValidString(text) {
		return Error{p.Line, 1, fault.Plain("lineNotUTF8")}
	}
	for i := 0; i < len(text); {
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
			return Error{p.Line, from + 1, fault.Plain("noQuote")}
		}
		if depth != 0 {
			return Error{p.Line, from + 1, fault.Plain("noBracket")}
		}
		p.Words = append(p.Words, Word{text[from:i], from + 1})
		p.End = i + 1
	}
	return nil
}

// Fail returns an Error that says what is wrong with a word.
func (p *Parser) Fail(w Word, why error) error { return Error{p.Line, w.Col, why} }

// More reports whether words are left.
func (p *Parser) More() bool { return p.Pos < len(p.Words) }

// Next takes a word. If there is none, the error names what is missing.
func (p *Parser) Next(what error) (Word, error) {
	if !p.More() {
		return Word{}, Error{p.Line, p.End, Missing(what)}
	}
	p.Pos++
	return p.Words[p.Pos-1], nil
}

// Name takes a word that is a name, which may stand between quotation marks.
func (p *Parser) Name(what error) (Word, error) {
	w, err := p.Next(what)
	w.Text = Unquote(w.Text)
	return w, err
}

// TextBetween returns the text of the line from a word up to the end of another one, as it is written.
func (p *Parser) TextBetween(first, last Word) string {
	return p.text[first.Col-1 : last.Col-1+len(last.Text)]
}

// Peek returns the next word's text, "" if there is none.
func (p *Parser) Peek() string {
	if !p.More() {
		return ""
	}
	return p.Words[p.Pos].Text
}

// Literal takes the word text.
func (p *Parser) Literal(text string) error {
	switch {
	case !p.More():
		return Error{p.Line, p.End, Missing(wordTerm(text))}
	case p.Words[p.Pos].Text != text:
		return p.unknownWord(p.Pos, []string{text})
	}
	p.Pos++
	return nil
}

// Done returns an error if words are left.
func (p *Parser) Done() error {
	if p.More() {
		return p.Fail(p.Words[p.Pos], WantsEnd(p.Words[p.Pos].Text))
	}
	return nil
}

// Option is an option of a line, NAME or NAME=VALUE, and what reads it into a T. Read returns what is
// wrong with the value, or nil.
type Option[T any] struct {
	Name string
	Read func(into *T, value Word) (wrong error)
}

// ReadOptions reads the remaining words. Each must be one of the options.
func ReadOptions[T any](p *Parser, into *T, options []Option[T]) error {
	for p.More() {
		w, _ := p.Next(nil)
		name, v, _ := strings.Cut(w.Text, "=")
		i := slices.IndexFunc(options, func(o Option[T]) bool { return o.Name == name })
		if i < 0 {
			var names []string
			for _, o := range options {
				names = append(names, o.Name)
			}
			return p.Fail(w, fault.Unknown("noOption name", name, names))
		}
		if wrong := options[i].Read(into, Word{Unquote(v), w.Col + len(name) + 1}); wrong != nil {
			return p.Fail(w, wrong)
		}
	}
	return nil
}

// ReadTime reads a time into ns, in nanoseconds.
func ReadTime(ns *int64, w Word) (wrong error) {
	n, ok := Duration(w.Text)
	if !ok {
		return WantsTime(w.Text)
	}
	*ns = n
	return nil
}

// ReadNumber reads a number of at most limit into n.
func ReadNumber(n *int64, w Word, limit int64) (wrong error) {
	v, ok := Number(w, limit)
	if !ok {
		return WantsNumber(w.Text)
	}
	*n = v
	return nil
}

// ReadName reads one of names into n, as its place among them. It reports false for any other text.
func ReadName[T ~uint8](n *T, w Word, names []string) (known bool) {
	i := slices.Index(names, w.Text)
	if i >= 0 {
		*n = T(i)
	}
	return i >= 0
}

// ReadLabel reads LABEL=VALUE.
func ReadLabel(name, value *string, w Word) (wrong error) {
	n, v, ok := strings.Cut(w.Text, "=")
	if !ok {
		return fault.Quoted("expectedLabel text", w.Text)
	}
	*name, *value = n, v
	return nil
}

// Unquote removes the quotation marks around a word, if there are any.
func Unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// Rest returns the text of the words that are left, with single spaces.
func (p *Parser) Rest() string {
	var b strings.Builder
	for ; p.More(); p.Pos++ {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.Words[p.Pos].Text)
	}
	return b.String()
}

// maxLine is how long a line may be, in bytes.
const maxLine = 4096

// Begin splits line number n into words, finds its form, and takes the words with which
// the form begins. The form is nil if the line is empty or a comment.
func Begin(text string, n int) (*Parser, *Form, error) {
	if len(text) > maxLine {
		return nil, nil, Error{n, maxLine, fault.Number("longLine max", maxLine)}
	}
	p := &Parser{Line: n}
	if err := p.split(text); err != nil || len(p.Words) == 0 {
		return nil, nil, err
	}
	f, err := p.form()
	return p, f, err
}

// Text returns what a file of text says: in UTF-8 and without a byte order mark, whichever way an editor has saved it. It
// cuts a character that isn't whole.
func Text(b []byte) string {
	var at func([]byte) uint16
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		at = binary.LittleEndian.Uint16
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		at = binary.BigEndian.Uint16
	default:
		return strings.TrimPrefix(string(b), "\ufeff")
	}
	var units []uint16
	for b = b[2:]; len(b) >= 2; b = b[2:] {
		units = append(units, at(b))
	}
	return string(utf16.Decode(units))
}

// LooksLikeScript reports whether a text looks like a script and not like a capture: the
// first word outside of comments sets up a machine.
func LooksLikeScript(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		verb, _, _ := strings.Cut(line, " ")
		for i := range forms {
			if f := &forms[i]; f.parts[0].name == verb {
				return f.Setup
			}
		}
		return false
	}
	return false
}

// Error says what is wrong with a line, and where.
type Error struct {
	Line, Col int // from 1
	Err       error
}

func (e Error) Error() string { return e.Fault().Error() }

// Fault returns an error that says where and what.
func (e Error) Fault() error {
	return fault.New("at line column why", e.Line, e.Col, e.Err)
}

// ErrorAt returns the Error that something is wrong at a line and a column.
func ErrorAt(line, col int, why error) Error { return Error{line, col, why} }

// What a word of a line stands for, as a part of an error.
const (
	AKey     = fault.Plain("aKey")
	AHandler = fault.Plain("aHandler")
	anIndex  = fault.Plain("anIndex")
	anActor  = fault.Plain("anActor")
	aLock    = fault.Plain("aLock")
	aLabel   = fault.Plain("aLabel")
	AName    = fault.Plain("aName")
	ANumber  = fault.Plain("aNumber")
	AValue   = fault.Plain("aValue")
	ACall    = fault.Plain("aCall")
	OnOrOff  = fault.Plain("onOff")
)

// WantsEnd says that a line goes on with a text where it should have ended.
func WantsEnd(text string) error { return fault.Quoted("lineEnd text", text) }

// WantsTime says that a text is no time.
func WantsTime(text string) error { return fault.Quoted("expectedTime text", text) }

// WantsNumber says that a text is no number.
func WantsNumber(text string) error { return fault.Quoted("expectedNumber text", text) }

// WantsNumberTo says that a text is no number from 1 to limit.
func WantsNumberTo(text string, limit int64) error {
	return fault.New("expectedUpTo text max", strconv.Quote(text), limit)
}

// Missing says that something has to stand where nothing stands.
func Missing(what error) error { return fault.Wrap("missing what", what) }

// Invalid says what has to stand where a text stands.
func Invalid(text string, want error) error {
	return fault.New("invalidValue text want", strconv.Quote(text), want)
}

// OneOf lists the words that may stand in one place: one of "add", "update", "delete".
func OneOf(words []string) error {
	if len(words) == 1 {
		return wordTerm(words[0])
	}
	return fault.Named("oneOf words", `"`+strings.Join(words, `", "`)+`"`)
}

func wordTerm(text string) error { return fault.Quoted("word text", text) }

// Number reads w as one of 0 to limit.
func Number(w Word, limit int64) (int64, bool) {
	n, err := strconv.ParseInt(w.Text, 10, 64)
	return n, err == nil && n >= 0 && n <= limit
}

// MaxTime is the longest time that a line may have.
const MaxTime = 240 * hour

// Units of time in nanoseconds.
const (
	Millisecond = int64(1_000_000)
	Second      = 1000 * Millisecond
	hour        = 3600 * Second
)

// Duration reads "1m30s", "20ms" or "1.5s", of at most MaxTime.
func Duration(text string) (ns int64, ok bool) {
	ns, ok = actor.ParseDuration(text)
	return ns, ok && ns <= MaxTime
}

// TimeText writes a time in the largest unit that is not longer than it: "1.005s".
func TimeText(ns int64) string { return actor.DurationText(max(ns, 0)) }

// Expressions of package ask stand after run until, can, expect and show. Text
// with a parenthesis in its first word, and text that begins with an operator
// or a number, is an expression. Everything else is one of the older words.
//
//	run until behind("audit") > 100 && synced()
//	expect version("default/web") == seen("audit", "default/web")
//	show lockWait("fifo")

// AtExpression reports whether an expression comes next.
func (p *Parser) AtExpression() bool {
	w := p.Peek()
	return w != "" && (strings.ContainsRune(w, '(') || strings.ContainsRune("!-\"0123456789", rune(w[0])) || w == "true" || w == "false")
}

// Expression takes what is left of the line as an expression of a type, or of any if
// that is 0. It also returns the column at which the expression begins.
func (p *Parser) Expression(want ask.Type) (x *ask.Expr, col int, err error) {
	col = p.Words[p.Pos].Col
	p.Pos = len(p.Words)
	x, err = ask.Parse(p.text[col-1 : p.End-1])
	if err != nil {
		return nil, col, Located(err, p.Line, col)
	}
	if want != 0 && x.Type() != want {
		return nil, col, Error{p.Line, col, ask.Mistyped(want, x.Type())}
	}
	return x, col, nil
}

// Located makes an Error of one of package ask's.
func Located(err error, line, col int) error {
	if e, ok := err.(*ask.Error); ok {
		return Error{line, col + e.Pos, e.Err}
	}
	return err
}
