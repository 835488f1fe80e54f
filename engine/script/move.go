package script

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// until says where a run stops.
type until struct {
	line             int
	at, key, handler word
	kind             event.Kind
	synced           bool // until HasSynced of one more informer has said yes
	before           int  // how many did when the run began
}

// synced is how many informers say that they have synced.
func (r *Runner) synced() (n int) {
	for _, x := range r.w.Informers {
		if x.HasSynced() {
			n++
		}
	}
	return n
}

// met reports whether the run stops after a step with these facts.
func (u *until) met(r *Runner) bool {
	if u.synced {
		return r.synced() > u.before
	}
	x := r.w.Informers[r.w.Last.Informer]
	t := x.Config().Table
	for _, e := range r.w.Log.Events {
		if e.Kind != u.kind || u.key.text != "" && t.KeyText(e.Key) != u.key.text {
			continue
		}
		if u.handler.text != "" && x.Config().Handlers[e.Handler()].Name != u.handler.text {
			continue
		}
		return true
	}
	return false
}

// run follows the default schedule until u is met, or until nothing more happens.
func (r *Runner) run(line int, u *until) error {
	if err := r.moving(line); err != nil {
		return err
	}
	if u != nil && u.handler.text != "" {
		if _, _, ok := r.handler(u.handler.text); !ok {
			return Error{line, u.handler.col, "there is no handler " + strconv.Quote(u.handler.text)}
		}
	}
	if u != nil && u.synced {
		if u.before = r.synced(); u.before == len(r.w.Informers) {
			return nil
		}
	}
	for {
		id, ok := r.w.Next()
		if !ok {
			break
		}
		if err := r.move(line, id); err != nil {
			return err
		}
		if u != nil && u.met(r) {
			return nil
		}
	}
	if u != nil {
		return Error{line, u.at.col, "this did not happen, and nothing more will"}
	}
	return nil
}

// move lets the actor id make one step, and adds it to the transcript.
func (r *Runner) move(line int, id actor.ID) error {
	if r.steps++; r.steps > r.limit || r.w.Set.At(id) > maxTime {
		return Error{line, 1, "the script runs too long"}
	}
	r.h.Choose(id)
	r.look()
	return nil
}

// do carries out a command and adds it to the transcript. It reports false if
// there was nothing to do.
func (r *Runner) do(c world.Command) bool {
	done := r.h.Do(c)
	if done {
		r.look()
	}
	return done
}

// step makes n steps, all of one actor if it is named.
func (r *Runner) step(line int, n int64, who word) error {
	if err := r.moving(line); err != nil {
		return err
	}
	var id actor.ID
	if who.text != "" {
		var err error
		if id, err = r.actor(who, line); err != nil {
			return err
		}
	}
	for range n {
		if who.text == "" {
			var ok bool
			if id, ok = r.w.Next(); !ok {
				return Error{line, 1, "nothing more happens"}
			}
		} else if !r.w.CanMove(id) {
			return Error{line, who.col, who.text + " cannot move: it waits for " + r.waits(id)}
		}
		if err := r.move(line, id); err != nil {
			return err
		}
	}
	return nil
}

// runTo follows the default schedule until step n has been made.
func (r *Runner) runTo(line int, at word, n int64) error {
	if err := r.begin(line); err != nil {
		return err
	}
	for r.h.Steps() < n {
		if r.steps++; r.steps > r.limit {
			return Error{line, 1, "the script runs too long"}
		}
		if r.h.Extend(1) == 0 {
			return Error{line, at.col, "the run ends after " + strconv.FormatInt(r.h.Steps(), 10) + " steps"}
		}
		r.look()
	}
	return nil
}

// advance lets time pass, with everything that happens meanwhile.
func advance(r *Runner, m *made) error {
	if err := r.moving(m.line); err != nil {
		return err
	}
	return r.passTime(m.line, r.w.Now()+m.command.N)
}

func advanceTo(r *Runner, m *made) error {
	if err := r.moving(m.line); err != nil {
		return err
	}
	return r.passTime(m.line, m.command.N)
}

func (r *Runner) passTime(line int, until int64) error {
	if until > maxTime {
		return Error{line, 1, "the script runs too long"}
	}
	r.do(world.Command{Kind: world.PassTime, N: until})
	for r.w.Horizon() != 0 {
		if r.steps++; r.steps > r.limit {
			return Error{line, 1, "the script runs too long"}
		}
		r.h.Extend(1)
		r.look()
	}
	return nil
}
