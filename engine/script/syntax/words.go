package syntax

import (
	"strings"
	"unicode/utf8"

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
	At    int // the number of the next word, from 0
	End   int // the column after the last word
}

// split cuts a line into words. A comment ends it.
func (p *Parser) split(text string) error {
	p.text = text
	for i := 0; i < len(text); {
		if !utf8.ValidString(text) {
			return Error{p.Line, 1, fault.Plain("lineNotUTF8")}
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
func (p *Parser) More() bool { return p.At < len(p.Words) }

// Next takes a word. If there is none, the error names what is missing.
func (p *Parser) Next(what error) (Word, error) {
	if !p.More() {
		return Word{}, Error{p.Line, p.End, Missing(what)}
	}
	p.At++
	return p.Words[p.At-1], nil
}

// Name takes a word that is a name, which may stand between quotation marks.
func (p *Parser) Name(what error) (Word, error) {
	w, err := p.Next(what)
	w.Text = Unquote(w.Text)
	return w, err
}

// Peek is the next word's text, "" if there is none.
func (p *Parser) Peek() string {
	if !p.More() {
		return ""
	}
	return p.Words[p.At].Text
}

// Literal takes the word text.
func (p *Parser) Literal(text string) error {
	switch {
	case !p.More():
		return Error{p.Line, p.End, Missing(wordTerm(text))}
	case p.Words[p.At].Text != text:
		return p.Fail(p.Words[p.At], Wants(wordTerm(text)))
	}
	p.At++
	return nil
}

// Done returns an error if words are left.
func (p *Parser) Done() error {
	if p.More() {
		return p.Fail(p.Words[p.At], WantsEnd)
	}
	return nil
}

// Options calls take with each word that is left, NAME or NAME=VALUE. take returns
// what is wrong with it, or nil.
func (p *Parser) Options(take func(name string, v Word) (wrong error)) error {
	for p.More() {
		w, _ := p.Next(nil)
		name, v, _ := strings.Cut(w.Text, "=")
		if wrong := take(name, Word{Unquote(v), w.Col + len(name) + 1}); wrong != nil {
			return p.Fail(w, wrong)
		}
	}
	return nil
}

// Unquote removes the quotation marks around a word, if there are any.
func Unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// Rest is the text of the words that are left, with single spaces.
func (p *Parser) Rest() string {
	var b strings.Builder
	for ; p.More(); p.At++ {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.Words[p.At].Text)
	}
	return b.String()
}
