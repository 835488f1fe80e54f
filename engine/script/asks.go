package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/fault"
)

// Expressions of package ask stand behind run until, can, expect and show. Text
// with a parenthesis in its first word, and text that begins with an operator
// or a number, is an expression. Everything else is one of the older words.
//
//	run until behind("audit") > 100 && synced()
//	expect version("default/web") == seen("audit", "default/web")
//	show lockWait("fifo")

// asks reports whether an expression comes next.
func (p *line) asks() bool {
	w := p.peek()
	return w != "" && (strings.ContainsRune(w, '(') || strings.ContainsRune("!-0123456789", rune(w[0])) || w == "true" || w == "false")
}

// expression takes what is left of the line as an expression of a type, or of any if
// that is 0. It also returns the column at which the expression begins.
func (p *line) expression(want ask.Type) (x *ask.Expr, col int, err error) {
	col = p.words[p.i].col
	p.i = len(p.words)
	x, err = ask.Parse(p.text[col-1 : p.end-1])
	if err != nil {
		return nil, col, at(err, p.n, col)
	}
	if want != 0 && x.Type() != want {
		return nil, col, Error{p.n, col, ask.Mistyped(want, x.Type())}
	}
	return x, col, nil
}

// at makes an Error of one of package ask's.
func at(err error, line, col int) error {
	if e, ok := err.(*ask.Error); ok {
		return Error{line, col + e.At, e.Why}
	}
	return err
}

// knows returns an error if an expression names an informer or a handler that isn't
// there. The expression's text begins at a column, or was made of an older word
// that names a handler.
func (r *Runner) knows(line int, x *ask.Expr, col int, old word) error {
	names := &ask.Names{Informers: []string{}, Handlers: []string{}}
	for i := range r.cfg.Informers {
		names.Informers = append(names.Informers, r.cfg.Informers[i].Name)
		for _, h := range r.config(i).Handlers {
			names.Handlers = append(names.Handlers, h.Name)
		}
	}
	err := x.Check(names)
	if e, ok := err.(*ask.Error); ok && old.col != 0 {
		return Error{line, old.col, e.Why}
	}
	return at(err, line, col)
}

// valueOf evaluates an expression where the run stands. It makes the run if there is
// none yet.
func (r *Runner) valueOf(line int, x *ask.Expr, col int) (*ask.Eval, error) {
	if err := r.begin(line); err != nil {
		return nil, err
	}
	if err := r.knows(line, x, col, word{}); err != nil {
		return nil, err
	}
	return x.Begin(r.h, 0), nil
}

func parseShowValue(p *line) (func(*Runner) error, error) {
	x, col, err := p.expression(0)
	return func(r *Runner) error {
		e, err := r.valueOf(p.n, x, col)
		if err == nil {
			r.tell(Entry{Kind: Value, Text: e.Value().Text(x.Type())})
		}
		return err
	}, err
}

func parseExpectTrue(p *line) (func(*Runner) error, error) {
	x, col, err := p.expression(ask.Bool)
	return func(r *Runner) error {
		e, err := r.valueOf(p.n, x, col)
		if err != nil || e.Value().True() {
			return err
		}
		wrong := error(fault.Plain("isFalse"))
		if why := e.Why(); why != "" {
			wrong = fault.Of("isFalseBecause why", why)
		}
		return Unmet{Error{p.n, col, wrong}, "false"}
	}, err
}
