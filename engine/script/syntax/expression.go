package syntax

import (
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
)

// Expressions of package ask stand after run until, can, expect and show. Text
// with a parenthesis in its first word, and text that begins with an operator
// or a number, is an expression. Everything else is one of the older words.
//
//	run until behind("audit") > 100 && synced()
//	expect version("default/web") == seen("audit", "default/web")
//	show lockWait("fifo")

// Asks reports whether an expression comes next.
func (p *Parser) AtExpression() bool {
	w := p.Peek()
	return w != "" && (strings.ContainsRune(w, '(') || strings.ContainsRune("!-\"0123456789", rune(w[0])) || w == "true" || w == "false")
}

// Expression takes what is left of the line as an expression of a type, or of any if
// that is 0. It also returns the column at which the expression begins.
func (p *Parser) Expression(want ask.Type) (x *ask.Expr, col int, err error) {
	col = p.Words[p.At].Col
	p.At = len(p.Words)
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
		return Error{line, col + e.At, e.Why}
	}
	return err
}
