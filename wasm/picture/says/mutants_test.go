//go:build mutate && !js

package says

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/wasm/picture/internal/words"
)

// A mutant is the table with one mistake in it. The laws kill it if they don't hold for
// what it says in some step.
type mutant struct {
	name  string
	facts []event.Kind                  // a step without one of these facts is told as before; 0 for any step
	says  func(s *step, at int) *saying // what it says in place of row at; nil for the same
	said  int                           // steps in which it says something else
	dead  bool
}

// siblings are the rows by the fact that they tell.
var siblings = rivals()

// rows are all rows of the table, in its order.
func rows() (out []*saying) {
	for _, group := range sayings {
		for i := range group {
			out = append(out, &group[i])
		}
	}
	return out
}

// mutants are all tables with one mistake: a row without one of its conditions, two rows
// of a fact in the other order, and two of them with each other's sentence or reason.
func mutants(all []*saying) (out []*mutant) {
	for at, y := range all {
		for name, drop := range conditions {
			z := *y
			if drop(&z); fmt.Sprintf("%v", z) == fmt.Sprintf("%v", *y) {
				continue
			}
			out = append(out, &mutant{name: fmt.Sprintf("row %d, %s, without %s", at, y.id, name), facts: []event.Kind{y.fact}, says: func(s *step, said int) *saying {
				if at < said && z.applies(s) {
					return &z
				}
				return nil
			}})
		}
	}
	for i, y := range all {
		next := true
		for j := i + 1; j < len(all); j++ {
			z := all[j]
			if y.fact != z.fact || y.fact == 0 && y.pc != z.pc {
				continue
			}
			facts := []event.Kind{y.fact}
			if next {
				next = false
				out = append(out, &mutant{name: fmt.Sprintf("rows %d and %d, %s and %s, in the other order", i, j, y.id, z.id), facts: facts, says: func(s *step, said int) *saying {
					if i <= said && said < j && z.applies(s) {
						return z
					}
					return nil
				}})
			}
			out = append(out, exchanged(i, j, y, z)...)
		}
	}
	return out
}

// exchanged are the tables in which two rows have each other's sentence, or reason.
func exchanged(i, j int, y, z *saying) (out []*mutant) {
	swap := func(name string, a, b saying) {
		out = append(out, &mutant{name: fmt.Sprintf("rows %d and %d, %s and %s, with each other's %s", i, j, y.id, z.id, name), facts: []event.Kind{y.fact}, says: func(_ *step, said int) *saying {
			switch said {
			case i:
				return &a
			case j:
				return &b
			}
			return nil
		}})
	}
	if y.id != z.id {
		a, b := *y, *z
		a.id, b.id = b.id, a.id
		swap("sentence", a, b)
	}
	if y.reason != z.reason {
		a, b := *y, *z
		a.reason, b.reason = b.reason, a.reason
		swap("reason", a, b)
	}
	return out
}

// conditions are what a row may lose.
var conditions = map[string]func(*saying){
	"when":    func(y *saying) { y.when = nil },
	"pc":      func(y *saying) { y.pc = 0 },
	"next":    func(y *saying) { y.next = 0 },
	"role":    func(y *saying) { y.role = 0 },
	"delta":   func(y *saying) { y.delta = 0 },
	"flags":   func(y *saying) { y.flags = 0 },
	"cause":   func(y *saying) { y.cause = 0 },
	"with":    func(y *saying) { y.with = 0 },
	"without": func(y *saying) { y.without = 0 },
	"byHand":  func(y *saying) { y.byHand = false },
}

// spared are the mutants that say something else and that no law kills, and why.
var spared = map[string]string{}

// TestMutants says how many mutants the laws kill. At most two in a hundred of those that
// say something else may live, each with a reason.
func TestMutants(t *testing.T) {
	all := rows()
	living := mutants(all)
	total := len(living)
	asked := words.Arguments(words.Catalogues(t))
	byKind := map[event.Kind][]*mutant{}
	for _, x := range living {
		for _, k := range x.facts {
			byKind[k] = append(byKind[k], x)
		}
	}
	steps := 0
	eachStep(t, func(_ string, m *moment, s *step, y *saying) {
		steps++
		at := slices.Index(all, y)
		if at < 0 {
			at = len(all)
		}
		try := func(k event.Kind) {
			for _, x := range byKind[k] {
				if !x.dead {
					x.try(m, s, at, all, asked)
				}
			}
		}
		try(0)
		for i, e := range s.facts {
			if s.first[e.Kind] == int32(i)+1 {
				try(e.Kind)
			}
		}
	})
	killed, lives, silent := 0, 0, 0
	for _, x := range living {
		switch {
		case x.dead:
			killed++
		case x.said == 0:
			silent++
			t.Logf("says the same everywhere: %s", x.name)
		default:
			lives++
			if spared[x.name] == "" {
				t.Errorf("lives, and says something else in %d steps: %s", x.said, x.name)
			}
		}
	}
	t.Logf("%d mutants in %d steps: %d say the same everywhere; of the others the laws kill %d, and %d live", total, steps, silent, killed, lives)
	if lives*50 > killed+lives {
		t.Errorf("more than two in a hundred live")
	}
}

// try says what the mutant says of a step that row at tells. A panic kills it.
func (x *mutant) try(m *moment, s *step, at int, all []*saying, asked map[string][]string) {
	defer func() { x.dead = x.dead || recover() != nil }()
	y := x.says(s, at)
	if y == nil || at < len(all) && y.id == all[at].id && y.reason == all[at].reason && y.fn == all[at].fn {
		return
	}
	x.said++
	x.dead = m.refutes(s, y, asked)
}

// refutes reports whether something is wrong with the step as the row tells it.
func (m *moment) refutes(s *step, y *saying, asked map[string][]string) bool {
	args := s.arguments(y, s.fact(y.fact))
	for _, id := range []string{"step." + y.id, "why." + y.reason} {
		if id == "why." {
			continue
		}
		for _, name := range asked[id] {
			if a, ok := args[name]; !ok || a.V == "" && a.Kind != "rv" {
				return true
			}
		}
		if !m.holdsAs(s, y, id) {
			return true
		}
	}
	fn := y.fn.nameIn(&s.x.Config().Profile)
	if wrongFunction(m, fn) != "" || m.withheld(s, y, siblings) != "" {
		return true
	}
	return wrongGoroutine(m, fn) != "" || len(untold(m, y)) > 0
}
