package script

import (
	"math"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
)

func parseRun(p *line) (func(*Runner) error, error) {
	begin := func() schedule { return byDefault }
	if p.peek() == "random" {
		p.i++
		w, err := p.next(fault.Plain("aSeed"))
		if err != nil {
			return nil, err
		}
		seed, ok := number(w, math.MaxInt64)
		if !ok {
			return nil, p.fail(w, wantsNumber)
		}
		begin = func() schedule { return atRandom(seed) }
	}
	if !p.more() {
		return func(r *Runner) error { return r.run(p.n, nil, begin()) }, nil
	}
	if err := p.literal("until"); err != nil {
		return nil, err
	}
	if p.peek() == "step" && p.i == 2 {
		p.i++
		return parseRunTo(p)
	}
	u, err := parseUntil(p)
	return func(r *Runner) error { return r.run(p.n, u, begin()) }, err
}

// parseUntil parses what a run can stop at: an expression, or one of the words that
// stand for the most common ones.
func parseUntil(p *line) (*until, error) {
	if p.asks() {
		u := &until{line: p.n, at: p.words[p.i]}
		var err error
		u.x, u.col, err = p.expression(ask.Bool)
		return u, err
	}
	what, err := p.next(fault.Plain("untilWhat"))
	if err != nil {
		return nil, err
	}
	u := &until{line: p.n, at: what, col: what.col}
	text := ""
	switch what.text {
	case "pop":
		var key word
		key, err = p.name(aKey)
		text = "pop(" + ask.Quote(key.text) + ")"
	case "call":
		u.word, err = p.name(aHandler)
		text = "call(" + ask.Quote(u.word.text) + ")"
	case "synced":
		u.synced = true
		return u, p.done()
	case "factory":
		u.waits = true
		if err := p.literal("synced"); err != nil {
			return nil, err
		}
		return u, p.done()
	default:
		if kindNamed(what.text) == 0 {
			return nil, p.fail(what, fault.Quoted("noEvent name", what.text))
		}
		key := word{}
		if p.more() {
			key, _ = p.name(nil)
		}
		text = "fact(" + ask.Quote(what.text) + ", " + ask.Quote(key.text) + ")"
	}
	if err == nil {
		err = p.done()
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

func parseRunTo(p *line) (func(*Runner) error, error) {
	w, err := p.next(fault.Plain("aStep"))
	if err != nil {
		return nil, err
	}
	n, ok := number(w, maxSteps)
	if !ok {
		return nil, p.fail(w, wantsNumber)
	}
	return func(r *Runner) error { return r.runTo(p.n, w, n) }, p.done()
}

// parseRemoveIndex says why no line removes an index.
func parseRemoveIndex(p *line) (func(*Runner) error, error) {
	return nil, p.fail(p.words[1], fault.Plain("removeIndex"))
}

func parseStep(p *line) (func(*Runner) error, error) {
	n, ok := int64(1), false
	var who word
	for p.more() {
		w, _ := p.next(nil)
		if v, is := number(w, maxSteps); is && !ok {
			n, ok = v, true
		} else if who.col == 0 {
			who = w
		} else {
			return nil, p.fail(w, wantsEnd)
		}
	}
	return func(r *Runner) error { return r.step(p.n, n, who) }, nil
}

func parseLog(p *line) (func(*Runner) error, error) {
	w, err := p.next(fault.Plain("aLevel"))
	if err != nil {
		return nil, err
	}
	for level, name := range levels {
		if name == w.text {
			return func(r *Runner) error { r.level = level; return nil }, p.done()
		}
	}
	return nil, p.fail(w, fault.Quoted("noLevel name", w.text))
}

func parseShow(p *line) (func(*Runner) error, error) {
	if p.asks() {
		return parseShowValue(p)
	}
	q, err := parseSubject(p)
	if err != nil {
		return nil, err
	}
	return func(r *Runner) error {
		v, err := r.value(q)
		if err == nil {
			r.tell(Entry{Kind: Value, Text: v})
		}
		return err
	}, p.done()
}

func parseExpect(p *line) (func(*Runner) error, error) {
	if p.asks() {
		return parseExpectTrue(p)
	}
	q, err := parseSubject(p)
	if err != nil {
		return nil, err
	}
	at := word{col: p.end}
	if p.more() {
		at = p.words[p.i]
	}
	want := p.rest()
	if want == "" {
		return nil, p.fail(at, missing(aValue))
	}
	return func(r *Runner) error {
		got, err := r.value(q)
		if err != nil {
			return err
		}
		if !meets(got, want) {
			return Unmet{Error{p.n, at.col, fault.New("unmet got wanted", got, want)}, got}
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
