package script

import (
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// knows returns an error if an expression names an informer or a handler that isn't
// there. The expression's text begins at a column, or was made of an older word
// that names a handler.
func (r *Runner) checkNames(line int, x *ask.Expr, col int, old syntax.Word) error {
	names := &ask.Names{Informers: []string{}, Handlers: []string{}}
	for i := range r.cfg.Informers {
		names.Informers = append(names.Informers, r.cfg.Informers[i].Name)
		for _, h := range r.config(i).Handlers {
			names.Handlers = append(names.Handlers, h.Name)
		}
	}
	err := x.Check(names)
	if e, ok := err.(*ask.Error); ok && old.Col != 0 {
		return syntax.At(line, old.Col, e.Why)
	}
	return syntax.Located(err, line, col)
}

// valueOf evaluates an expression where the run stands. It makes the run if there is
// none yet.
func (r *Runner) valueOf(line int, x *ask.Expr, col int) (*ask.Eval, error) {
	if err := r.begin(line); err != nil {
		return nil, err
	}
	if err := r.checkNames(line, x, col, syntax.Word{}); err != nil {
		return nil, err
	}
	return x.Begin(r.h, 0), nil
}

func parseShowValue(p *syntax.Parser) (func(*Runner) error, error) {
	x, col, err := p.Expression(0)
	return func(r *Runner) error {
		e, err := r.valueOf(p.Line, x, col)
		if err == nil {
			r.emit(Entry{Kind: Value, Text: e.Value().Text(x.Type())})
		}
		return err
	}, err
}

func parseExpectTrue(p *syntax.Parser) (func(*Runner) error, error) {
	x, col, err := p.Expression(ask.Bool)
	return func(r *Runner) error {
		e, err := r.valueOf(p.Line, x, col)
		if err != nil || e.Value().True() {
			return err
		}
		wrong := error(fault.Plain("isFalse"))
		if why := e.Why(); why != "" {
			wrong = fault.Of("isFalseBecause why", why)
		}
		return Unmet{syntax.At(p.Line, col, wrong), "false"}
	}, err
}
