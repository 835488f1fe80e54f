package script

import (
	"math"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// runsLong is what is wrong with a line that plays too many steps or too much time.
const runsLong = fault.Plain("runsLong")

// stopCondition says where a run stops: where an expression is true.
type stopCondition struct {
	line     int
	deadline syntax.Word
	x        *ask.Expr
	col      int         // of the first byte of x's text, from 1
	word     syntax.Word // the handler that an old word names, for which the text of x was made
	synced   bool        // until HasSynced of one more informer has said yes
	before   int         // how many HasSynced said yes when the run began
	waits    bool        // until HasSynced of all informers says yes that the factory has started: WaitForCacheSync

	eval *ask.Eval
}

// synced returns how many informers say that they have synced.
func synced(w *world.World) (n int) {
	for _, x := range w.Informers {
		if x.HasSynced() {
			n++
		}
	}
	return n
}

// cachesSynced reports whether the factory's WaitForCacheSync returns.
func cachesSynced(w *world.World) bool {
	for _, x := range w.Informers {
		if x.Config().Factory && x.Started() && !x.HasSynced() {
			return false
		}
	}
	return true
}

// met reports whether the run stops after w's last step.
func (u *stopCondition) met(w *world.World) bool {
	if u.waits {
		return cachesSynced(w)
	}
	if u.synced {
		return synced(w) > u.before
	}
	v, _ := u.eval.Look(w)
	return v.True()
}

// begin lets u look at the run from here on. It reports whether u is met already, and
// returns an error if u names what isn't there.
func (u *stopCondition) begin(r *Runner) (met bool, err error) {
	if u.waits {
		return cachesSynced(r.w), nil
	}
	if u.synced {
		u.before = synced(r.w)
		return u.before == len(r.w.Informers), nil
	}
	if err := r.checkNames(u.line, u.x, u.col, u.word); err != nil {
		return false, err
	}
	u.eval = u.x.Begin(r.h, 0)
	return !u.x.Momentary() && u.eval.Value().True(), nil
}

// schedule says which actor moves next in w, if one does.
type schedule func(w *world.World) (actor.ID, bool)

func byDefault(w *world.World) (actor.ID, bool) { return w.Next() }

// run follows a schedule until u is met, or until nothing more happens.
func (r *Runner) run(line int, u *stopCondition, next schedule) error {
	if err := r.beginMoving(line); err != nil {
		return err
	}
	if u != nil {
		if met, err := u.begin(r); met || err != nil {
			return err
		}
	}
	for {
		moved, err := r.follow(line, next)
		if err != nil && u == nil {
			return syntax.ErrorAt(line, 1, fault.Plain("neverRests"))
		}
		if err != nil {
			return err
		}
		if !moved {
			break
		}
		if u != nil && u.met(r.w) {
			return nil
		}
	}
	if u != nil {
		return r.wait(line, u, next)
	}
	return nil
}

// follow makes the next step of a schedule. It reports whether there is one. The end of
// an advance comes when it is due, in every schedule.
func (r *Runner) follow(line int, next schedule) (moved bool, err error) {
	if r.w.TimeIsUp() {
		return r.extend(line)
	}
	id, ok := next(r.w)
	if !ok {
		return false, nil
	}
	return true, r.move(line, id)
}

// extend makes the next step of the run as it goes on by itself. It reports whether
// there is one.
func (r *Runner) extend(line int) (moved bool, err error) {
	if r.steps++; r.steps > r.limit {
		return false, syntax.ErrorAt(line, 1, runsLong)
	}
	if !r.h.Step() {
		return false, nil
	}
	r.record()
	return true, nil
}

// onlyTimers is how long a run until goes on while only timers fire. A watch
// lasts less long, so the end of a watch and all that follows come within this
// time.
const onlyTimers = 900 * syntax.Second

// wait goes on until u is met where the schedule ends a run, by letting timers
// fire: a resync's, or the end of a silent watch.
func (r *Runner) wait(line int, u *stopCondition, next schedule) error {
	end := r.w.Now() + onlyTimers
	for !r.w.Starved() && !r.w.ByHand() {
		id, ok := next(r.w)
		if !ok {
			id, _ = r.w.Set.Earliest()
		}
		if id == actor.Nobody {
			break
		}
		if r.w.Set.ReadyAt(id) > end || r.steps >= r.limit {
			return syntax.ErrorAt(line, u.deadline.Col, fault.Named("onlyTimers time", syntax.TimeText(r.w.Now()/syntax.Second*syntax.Second)))
		}
		if err := r.move(line, id); err != nil {
			return err
		}
		if u.met(r.w) {
			return nil
		}
	}
	return syntax.ErrorAt(line, u.deadline.Col, fault.Plain("neverHappens"))
}

// move lets the actor id make one step, and adds it to the transcript.
func (r *Runner) move(line int, id actor.ID) error {
	if r.steps++; r.steps > r.limit || r.w.Set.ReadyAt(id) > syntax.MaxTime {
		return syntax.ErrorAt(line, 1, runsLong)
	}
	r.h.Choose(id)
	r.record()
	return nil
}

// playCommand carries out a command and adds it to the transcript. It reports false if
// there was nothing to do.
func (r *Runner) playCommand(c world.Command) bool {
	done := r.h.Do(c)
	if done {
		r.record()
	}
	return done
}

// step makes n steps, all of one actor if it is named.
func (r *Runner) step(line int, n int64, who syntax.Word) error {
	if err := r.beginMoving(line); err != nil {
		return err
	}
	var id actor.ID
	if who.Text != "" {
		var err error
		if id, err = r.actor(who.Text); err != nil {
			return syntax.ErrorAt(line, who.Col, err)
		}
	}
	for range n {
		if who.Text == "" {
			if moved, err := r.follow(line, byDefault); err != nil {
				return err
			} else if !moved {
				return syntax.ErrorAt(line, 1, fault.Plain("nothingHappens"))
			}
			continue
		}
		if !r.w.CanMove(id) {
			return syntax.ErrorAt(line, who.Col, fault.New("cannotMove actor what", who.Text, r.waits(id)))
		}
		if err := r.move(line, id); err != nil {
			return err
		}
	}
	return nil
}

// runTo follows the default schedule until step n has been made.
func (r *Runner) runTo(line int, at syntax.Word, n int64) error {
	if err := r.begin(line); err != nil {
		return err
	}
	for r.h.Steps() < n {
		if moved, err := r.extend(line); err != nil {
			return err
		} else if !moved {
			return syntax.ErrorAt(line, at.Col, fault.Number("runEnds steps", r.h.Steps()))
		}
	}
	return nil
}

// advance lets time pass, with everything that happens meanwhile.
func (r *Runner) advance(m *syntax.Parsed) error {
	if err := r.beginMoving(m.Line); err != nil {
		return err
	}
	to := *m
	to.Command.N += r.w.Now()
	return r.advanceTo(&to)
}

func (r *Runner) advanceTo(m *syntax.Parsed) error {
	if err := r.letTimePass(m); err != nil {
		return err
	}
	for r.w.Horizon() != 0 {
		if moved, err := r.extend(m.Line); !moved {
			return err
		}
	}
	return nil
}

// letTimePass lets time pass as the run goes on. It makes no more than this one
// step itself, so that something else can be done before the time is over.
func (r *Runner) letTimePass(m *syntax.Parsed) error {
	if err := r.beginMoving(m.Line); err != nil {
		return err
	}
	if m.Command.N > syntax.MaxTime {
		return syntax.ErrorAt(m.Line, 1, runsLong)
	}
	r.playCommand(m.Command)
	return nil
}

func parseRun(p *syntax.Parser) (func(*Runner) error, error) {
	begin := func() schedule { return byDefault }
	if p.Peek() == "random" {
		p.Pos++
		w, err := p.Next(fault.Plain("aSeed"))
		if err != nil {
			return nil, err
		}
		seed, ok := syntax.Number(w, math.MaxInt64)
		if !ok {
			return nil, p.Fail(w, syntax.WantsNumber(w.Text))
		}
		begin = func() schedule { return history.NewRandomSchedule(uint64(seed)).Next }
	}
	if !p.More() {
		return func(r *Runner) error { return r.run(p.Line, nil, begin()) }, nil
	}
	if err := p.Literal("until"); err != nil {
		return nil, err
	}
	if p.Peek() == "step" && p.Pos == 2 {
		p.Pos++
		return parseRunTo(p)
	}
	u, err := parseUntil(p)
	return func(r *Runner) error { return r.run(p.Line, u, begin()) }, err
}

// parseUntil parses what a run can stop at: an expression, or one of the words that
// stand for the most common ones.
func parseUntil(p *syntax.Parser) (*stopCondition, error) {
	if p.AtExpression() {
		u := &stopCondition{line: p.Line, deadline: p.Words[p.Pos]}
		var err error
		u.x, u.col, err = p.Expression(ask.Bool)
		return u, err
	}
	what, err := p.Next(fault.Plain("untilWhat"))
	if err != nil {
		return nil, err
	}
	u := &stopCondition{line: p.Line, deadline: what, col: what.Col}
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
		if _, ok := event.KindNamed(what.Text); !ok {
			return nil, p.Fail(what, syntax.UnknownEvent(what.Text))
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

func parseRunTo(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(fault.Plain("aStep"))
	if err != nil {
		return nil, err
	}
	n, ok := syntax.Number(w, MaxSteps)
	if !ok {
		return nil, p.Fail(w, syntax.WantsNumber(w.Text))
	}
	return func(r *Runner) error { return r.runTo(p.Line, w, n) }, p.Done()
}

func parseStep(p *syntax.Parser) (func(*Runner) error, error) {
	n, ok := int64(1), false
	var who syntax.Word
	for p.More() {
		w, _ := p.Next(nil)
		if v, is := syntax.Number(w, MaxSteps); is && !ok {
			n, ok = v, true
		} else if who.Col == 0 {
			who = w
		} else {
			return nil, p.Fail(w, syntax.WantsEnd(w.Text))
		}
	}
	return func(r *Runner) error { return r.step(p.Line, n, who) }, nil
}
