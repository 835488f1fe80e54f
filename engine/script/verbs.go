package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// verb is the first word of a line, with the parser for the rest.
type verb struct {
	name  string
	setup bool
	parse func(*line) (func(*Runner) error, error)
}

var verbs []verb

func init() {
	verbs = []verb{
		{"profile", true, parseProfile},
		{"gate", true, parseGate},
		{"seed", true, parseSeed},
		{"server", true, parseServer},
		{"informer", true, parseInformer},
		{"exists", true, parseWrite(world.Create, true)},
		{"handler", false, parseHandler},
		{"create", false, parseWrite(world.Create, false)},
		{"update", false, parseWrite(world.Update, false)},
		{"delete", false, parseWrite(world.Delete, false)},
		{"break", false, parseCommand("watch", world.BreakWatch)},
		{"silence", false, parseCommand("watch", world.SilenceWatch)},
		{"stop", false, parseCommand("", world.StopInformer)},
		{"compact", false, parseCommand("", world.Compact)},
		{"restart", false, parseRestart},
		{"restore", false, parseRestore},
		{"lag", false, parseLag},
		{"fail", false, parseFail},
		{"run", false, parseRun},
		{"step", false, parseStep},
		{"advance", false, parseAdvance},
		{"log", false, parseLog},
		{"show", false, parseShow},
		{"expect", false, parseExpect},
		{"can", false, parseCan},
		{"queue", false, parseQueue},
		{"work", false, parseWork},
		{"remove", false, parseRemove},
		{"takes", false, parseTakes},
		{"mutate", false, parseMutate},
		{"start", false, parseCommand("again", world.RunAgain)},
		{"steps", false, parseTakeNoTime},
	}
}

func parseRun(p *line) (func(*Runner) error, error) {
	if !p.more() {
		return func(r *Runner) error { return r.run(p.n, nil) }, nil
	}
	if err := p.literal("until"); err != nil {
		return nil, err
	}
	what, err := p.next("what to run until")
	if err != nil {
		return nil, err
	}
	u := until{line: p.n, at: what}
	switch what.text {
	case "step":
		return parseRunTo(p)
	case "pop":
		u.kind = event.Popped
		u.key, err = p.next("a key")
	case "call":
		u.kind = event.HandlerCalled
		u.handler, err = p.next("a handler")
	case "synced":
		u.synced = true
	default:
		if u.kind = kindNamed(what.text); u.kind == 0 {
			return nil, p.fail(what, "there is no event "+strconv.Quote(what.text))
		}
		if p.more() {
			u.key, _ = p.next("")
		}
	}
	if err == nil {
		err = p.done()
	}
	return func(r *Runner) error { return r.run(p.n, &u) }, err
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
	w, err := p.next("the number of a step")
	if err != nil {
		return nil, err
	}
	n, ok := number(w, maxSteps)
	if !ok {
		return nil, p.fail(w, wantsNumber)
	}
	return func(r *Runner) error { return r.runTo(p.n, w, n) }, p.done()
}

func parseTakeNoTime(p *line) (func(*Runner) error, error) {
	for _, text := range []string{"take", "no", "time"} {
		if err := p.literal(text); err != nil {
			return nil, err
		}
	}
	return func(r *Runner) error { return r.command(p.n, word{}, world.Command{Kind: world.TakeNoTime}) }, p.done()
}

func parseStep(p *line) (func(*Runner) error, error) {
	n, ok := int64(1), false
	var who word
	for p.more() {
		w, _ := p.next("")
		if v, is := number(w, maxSteps); is && !ok {
			n, ok = v, true
		} else if who.col == 0 {
			who = w
		} else {
			return nil, p.fail(w, "nothing more is expected here")
		}
	}
	return func(r *Runner) error { return r.step(p.n, n, who) }, nil
}

func parseAdvance(p *line) (func(*Runner) error, error) {
	to := p.peek() == "to"
	if to {
		p.i++
	}
	w, err := p.next("a time")
	if err != nil {
		return nil, err
	}
	d, ok := duration(w.text)
	if !ok {
		return nil, p.fail(w, wantsTime)
	}
	return func(r *Runner) error { return r.advance(p.n, d, to) }, p.done()
}

func parseLog(p *line) (func(*Runner) error, error) {
	w, err := p.next("a level")
	if err != nil {
		return nil, err
	}
	for level, name := range levels {
		if name == w.text {
			return func(r *Runner) error { r.level = level; return nil }, p.done()
		}
	}
	return nil, p.fail(w, "there is no level "+strconv.Quote(w.text))
}

func parseShow(p *line) (func(*Runner) error, error) {
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
		return nil, p.fail(at, "a value is missing")
	}
	return func(r *Runner) error {
		got, err := r.value(q)
		if err != nil {
			return err
		}
		if !meets(got, want) {
			return Unmet{Error{p.n, at.col, "got " + got + ", not " + want}, got}
		}
		return nil
	}, nil
}

// SameValue reports whether two values are the same to an expect.
func SameValue(a, b string) bool { return plain(a) == plain(b) }

// meets reports whether a value is what is wanted: the same, or at least a number
// behind ">=".
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
