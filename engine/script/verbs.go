package script

import (
	"math"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

func parseRun(p *syntax.Parser) (func(*Runner) error, error) {
	begin := func() schedule { return byDefault }
	if p.Peek() == "random" {
		p.At++
		w, err := p.Next(fault.Plain("aSeed"))
		if err != nil {
			return nil, err
		}
		seed, ok := syntax.Number(w, math.MaxInt64)
		if !ok {
			return nil, p.Fail(w, syntax.WantsNumber)
		}
		begin = func() schedule { return atRandom(seed) }
	}
	if !p.More() {
		return func(r *Runner) error { return r.run(p.Line, nil, begin()) }, nil
	}
	if err := p.Literal("until"); err != nil {
		return nil, err
	}
	if p.Peek() == "step" && p.At == 2 {
		p.At++
		return parseRunTo(p)
	}
	u, err := parseUntil(p)
	return func(r *Runner) error { return r.run(p.Line, u, begin()) }, err
}

// parseUntil parses what a run can stop at: an expression, or one of the words that
// stand for the most common ones.
func parseUntil(p *syntax.Parser) (*until, error) {
	if p.AtExpression() {
		u := &until{line: p.Line, at: p.Words[p.At]}
		var err error
		u.x, u.col, err = p.Expression(ask.Bool)
		return u, err
	}
	what, err := p.Next(fault.Plain("untilWhat"))
	if err != nil {
		return nil, err
	}
	u := &until{line: p.Line, at: what, col: what.Col}
	text := ""
	switch what.Text {
	case "pop":
		var key syntax.Word
		key, err = p.Name(syntax.AKey)
		text = "pop(" + ask.Quote(key.Text) + ")"
	case "call":
		u.word, err = p.Name(syntax.AHandler)
		text = "call(" + ask.Quote(u.word.Text) + ")"
	case "synced":
		u.synced = true
		return u, p.Done()
	case "factory":
		u.waits = true
		if err := p.Literal("synced"); err != nil {
			return nil, err
		}
		return u, p.Done()
	default:
		if kindNamed(what.Text) == 0 {
			return nil, p.Fail(what, fault.Quoted("noEvent name", what.Text))
		}
		key := syntax.Word{}
		if p.More() {
			key, _ = p.Name(nil)
		}
		text = "fact(" + ask.Quote(what.Text) + ", " + ask.Quote(key.Text) + ")"
	}
	if err == nil {
		err = p.Done()
	}
	if err == nil {
		u.x, err = ask.Parse(text)
	}
	return u, err
}

// kindNamed finds an event by its name in transcripts; 0 for none.
func kindNamed(name string) event.Kind {
	for k := event.Kind(1); k.String() != ""; k++ {
		if k.String() == name {
			return k
		}
	}
	return 0
}

func parseRunTo(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(fault.Plain("aStep"))
	if err != nil {
		return nil, err
	}
	n, ok := syntax.Number(w, maxSteps)
	if !ok {
		return nil, p.Fail(w, syntax.WantsNumber)
	}
	return func(r *Runner) error { return r.runTo(p.Line, w, n) }, p.Done()
}

// parseRemoveIndex says why no line removes an index.
func parseRemoveIndex(p *syntax.Parser) (func(*Runner) error, error) {
	return nil, p.Fail(p.Words[1], fault.Plain("removeIndex"))
}

func parseStep(p *syntax.Parser) (func(*Runner) error, error) {
	n, ok := int64(1), false
	var who syntax.Word
	for p.More() {
		w, _ := p.Next(nil)
		if v, is := syntax.Number(w, maxSteps); is && !ok {
			n, ok = v, true
		} else if who.Col == 0 {
			who = w
		} else {
			return nil, p.Fail(w, syntax.WantsEnd)
		}
	}
	return func(r *Runner) error { return r.step(p.Line, n, who) }, nil
}

func parseLog(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(fault.Plain("aLevel"))
	if err != nil {
		return nil, err
	}
	for level, name := range levels {
		if name == w.Text {
			return func(r *Runner) error { r.level = level; return nil }, p.Done()
		}
	}
	return nil, p.Fail(w, fault.Quoted("noLevel name", w.Text))
}

func parseShow(p *syntax.Parser) (func(*Runner) error, error) {
	if p.AtExpression() {
		return parseShowValue(p)
	}
	q, err := p.Question()
	if err != nil {
		return nil, err
	}
	return func(r *Runner) error {
		v, err := r.value(q)
		if err == nil {
			r.emit(Entry{Kind: Value, Text: v})
		}
		return err
	}, p.Done()
}

func parseExpect(p *syntax.Parser) (func(*Runner) error, error) {
	if p.AtExpression() {
		return parseExpectTrue(p)
	}
	q, err := p.Question()
	if err != nil {
		return nil, err
	}
	at := syntax.Word{Col: p.End}
	if p.More() {
		at = p.Words[p.At]
	}
	want := p.Rest()
	if want == "" {
		return nil, p.Fail(at, syntax.Missing(syntax.AValue))
	}
	return func(r *Runner) error {
		got, err := r.value(q)
		if err != nil {
			return err
		}
		if !meets(got, want) {
			return Unmet{syntax.At(p.Line, at.Col, fault.New("unmet got wanted", got, want)), got}
		}
		return nil
	}, nil
}

// SameValue reports whether two values are the same to an expect.
func SameValue(a, b string) bool { return plain(a) == plain(b) }

// meets reports whether a value is what is wanted: the same value, or at least the number after ">=".
func meets(got, want string) bool {
	least, ok := strings.CutPrefix(want, ">=")
	if !ok {
		return SameValue(got, want)
	}
	n, err := strconv.Atoi(strings.TrimSpace(least))
	have, err2 := strconv.Atoi(got)
	return err == nil && err2 == nil && have >= n
}

// plain is a value without the commas, brackets and spaces that don't matter when
// values are compared.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(" \t,[]", c) }), " ")
}
