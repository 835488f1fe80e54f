package script

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// A can line asks whether something can happen from here on, whichever goroutines
// are fast or slow. It changes nothing: the next line goes on from the state in
// which the question was asked.
//
//	can HANDLER OnUpdate KEY                          that call, at all
//	can HANDLER OnUpdate KEY before HANDLER OnAdd KEY
//	can SUBJECT VALUE                                 what an expect could find
//	can EVENT [KEY] | pop KEY | call HANDLER          what a run until could meet
//	can EXPR                                          the same: see subjects.go

// seenCall is a call that a can asks about.
type seenCall struct {
	handler, key syntax.Word
	fn           string // "OnAdd"
	informer     int
	listener     int
}

func parseCan(p *syntax.Parser) (func(*Runner) error, error) {
	if p.Pos+1 < len(p.Words) && isFn(p.Words[p.Pos+1].Text) {
		return parseCanCall(p)
	}
	_, fact := event.KindNamed(p.Peek())
	if p.AtExpression() || !p.AtSubject() && (fact || p.Peek() == "pop" || p.Peek() == "call") {
		return parseCanMeet(p)
	}
	q, err := p.Question()
	if err != nil {
		return nil, err
	}
	if q.Subject.OfTranscript() {
		return nil, p.Fail(p.Words[p.Pos-1], fault.Plain("canCalls"))
	}
	if !p.More() {
		return nil, syntax.ErrorAt(p.Line, p.End, syntax.Missing(syntax.AValue))
	}
	at := p.Words[p.Pos]
	want := p.Rest()
	if values := q.Subject.Values(); values != nil && !possible(q.Subject, want) {
		return nil, p.Fail(at, fault.New("neverValue subject value values", q.Subject.String(), want, values))
	}
	return func(r *Runner) error {
		if _, err := r.value(q); err != nil {
			return err
		}
		i, _ := r.informerNamed(q.Informer, q.Line)
		return r.explore(p.Line, explore.Question{Look: func(w *world.World, _ uint64) (uint64, bool) {
			here := r.w
			r.w = w // subjects look at this world
			v, wrong := subjectValues[q.Subject](r, w.Informers[i], q.Args)
			r.w = here
			return 0, wrong == nil && meets(v, want)
		}})
	}, nil
}

// possible reports whether a Subject can ever have a value.
func possible(s syntax.Subject, want string) bool {
	if s.Values() == syntax.TrueOrFalse {
		return want == "true" || want == "false"
	}
	_, err := strconv.ParseInt(strings.TrimSpace(strings.TrimPrefix(want, ">=")), 10, 64)
	return err == nil
}

// parseCanMeet parses what a run until could meet.
func parseCanMeet(p *syntax.Parser) (func(*Runner) error, error) {
	u, err := parseUntil(p)
	if err != nil {
		return nil, err
	}
	return func(r *Runner) error {
		if err := r.begin(p.Line); err != nil {
			return err
		}
		if u.x != nil && u.x.Remembers() {
			return syntax.ErrorAt(p.Line, u.col, fault.Plain("canMoment"))
		}
		if _, err := u.begin(r); err != nil {
			return err
		}
		u.before = 0
		return r.explore(p.Line, explore.Question{Look: func(w *world.World, _ uint64) (uint64, bool) {
			if u.x != nil {
				u.eval.Reset()
			}
			return 0, u.met(w)
		}})
	}, nil
}

func isFn(s string) bool { return s == "OnAdd" || s == "OnUpdate" || s == "OnDelete" }

func parseCanCall(p *syntax.Parser) (func(*Runner) error, error) {
	first, err := parseCall(p)
	if err != nil {
		return nil, err
	}
	var other seenCall
	if p.More() {
		if err := p.Literal("before"); err != nil {
			return nil, err
		}
		if other, err = parseCall(p); err != nil {
			return nil, err
		}
	}
	return func(r *Runner) error {
		if err := r.begin(p.Line); err != nil {
			return err
		}
		if err := r.resolve(&first, p.Line); err != nil {
			return err
		}
		if other.fn != "" {
			if err := r.resolve(&other, p.Line); err != nil {
				return err
			}
			if slices.ContainsFunc(r.calls[other.informer][other.listener].calls, func(text string) bool { return isCall(text, other.fn, other.key.Text) }) {
				if err := r.beginMoving(p.Line); err != nil {
					return err
				}
				r.emit(Entry{Kind: Answer, Line: p.Line, Text: "no, " + other.handler.Text + " " + other.fn + " " + other.key.Text + " has come already"})
				return nil
			}
		}
		return r.explore(p.Line, explore.Question{Visible: []actor.PC{actor.RunCall}, Settled: 1, Look: func(w *world.World, seen uint64) (uint64, bool) {
			for _, e := range w.Log.Events {
				if e.Kind != event.HandlerCalled || seen != 0 {
					continue
				}
				if other.fn != "" && other.matches(w, e) {
					seen = 1
				} else if first.matches(w, e) {
					return seen, true
				}
			}
			return seen, false
		}})
	}, p.Done()
}

// parseCall takes HANDLER FN KEY.
func parseCall(p *syntax.Parser) (c seenCall, err error) {
	if c.handler, err = p.Name(syntax.AHandler); err != nil {
		return c, err
	}
	fn, err := p.Next(syntax.ACall)
	if err != nil {
		return c, err
	}
	if !isFn(fn.Text) {
		return c, p.Fail(fn, syntax.Invalid(fn.Text, syntax.ACall))
	}
	c.fn = fn.Text
	c.key, err = p.Name(syntax.AKey)
	return c, err
}

func (r *Runner) resolve(c *seenCall, line int) error {
	i, j, err := r.handler(c.handler.Text)
	if err != nil {
		return syntax.ErrorAt(line, c.handler.Col, err)
	}
	c.informer, c.listener = i, j
	return nil
}

// matches reports whether e is the call. A key may have a version: a/x@2.
func (c *seenCall) matches(w *world.World, e event.Event) bool {
	if e.Handler() != c.listener || int(w.Set.Role(e.Actor).Informer) != c.informer {
		return false
	}
	return isCall(callText(w.Informers[c.informer].Config().Table, e), c.fn, c.key.Text)
}

// isCall reports whether a call, as transcripts write it, is of a function and a key, which
// may have a version: a/x@2, or a/x@1->2 with the one before.
func isCall(text, fn, key string) bool {
	is, what, _ := strings.Cut(text, " ")
	what, _, _ = strings.Cut(what, " ")
	name, version, versioned := strings.Cut(key, "@")
	what, versions, _ := strings.Cut(what, "@")
	if versioned && !strings.Contains(version, "->") {
		if _, to, ok := strings.Cut(versions, "->"); ok {
			versions = to
		}
	}
	return is == fn && what == name && (!versioned || versions == version)
}

// Inquiry is a can whose answer is being looked for.
type Inquiry struct {
	r      *Runner
	line   int
	search *explore.Search
}

// Advance goes on looking for at most so many steps, and reports whether there is an answer.
func (q *Inquiry) Advance(steps int) bool { return q.search.Advance(steps) }

// States returns how many states were seen.
func (q *Inquiry) States() int { return q.search.Result().States }

// Result returns what is known. Its Schedule leads to what was asked for, as History.Follow takes it.
func (q *Inquiry) Result() explore.Result { return q.search.Result() }

// OnInquiry makes later take the can lines that follow, instead of answering them.
func (r *Runner) OnInquiry(later func(*Inquiry)) { r.onInquiry = later }

// explore looks for an answer, and adds it to the transcript.
func (r *Runner) explore(line int, question explore.Question) error {
	if err := r.beginMoving(line); err != nil {
		return err
	}
	q := &Inquiry{r, line, explore.NewSearch(r.w, question, r.limits)}
	if r.onInquiry != nil {
		r.onInquiry(q)
		return nil
	}
	for !q.Advance(math.MaxInt) {
	}
	r.emit(q.Answer())
	return nil
}

// Answer returns the line of the transcript that answers the can, once Advance has reported
// that there is an answer.
func (q *Inquiry) Answer() Entry {
	x := q.search.Result()
	e := Entry{Kind: Answer, Line: q.line, States: x.States}
	for _, id := range x.Schedule {
		e.Schedule = append(e.Schedule, q.r.actorName(id))
	}
	switch {
	case x.Yes && len(x.Schedule) == 0:
		e.Text = "yes, it is so already"
	case x.Yes:
		e.Text = "yes, in " + strconv.Itoa(len(x.Schedule)) + " steps: " + runs(e.Schedule)
		if !x.Shortest {
			e.Text += " (there may be a shorter way)"
		}
	case x.Complete:
		e.Text = "no, in none of " + strconv.Itoa(x.States) + " states"
	default:
		e.Text = "not within " + bounds(x.Reached) + ", in none of " + strconv.Itoa(x.States) + " states"
	}
	return e
}

// bounds writes the limits that an exploration has met: "4000 steps and 15m".
func bounds(met explore.Limits) string {
	var all []string
	if met.States > 0 {
		all = append(all, strconv.Itoa(met.States)+" states")
	}
	if met.Depth > 0 {
		all = append(all, strconv.Itoa(met.Depth)+" steps")
	}
	if met.Clock > 0 {
		all = append(all, strconv.FormatInt(met.Clock/60e9, 10)+"m")
	}
	return strings.Join(all, " and ")
}

// runs writes a schedule with one name for an actor that moves several times in
// a row: "reflector ×3, loop".
func runs(names []string) string {
	var b strings.Builder
	for i := 0; i < len(names); {
		n := 1
		for i+n < len(names) && names[i+n] == names[i] {
			n++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(names[i])
		if n > 1 {
			b.WriteString(" ×" + strconv.Itoa(n))
		}
		i += n
	}
	return b.String()
}
