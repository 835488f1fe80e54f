package controllercmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/report/controller"
)

// assert is an --assert about recorded controllers, such as stale() == 0.
type assert struct {
	text       string
	of         func(*controller.Controller) int64
	controller string // "" for all
	sign       string
	number     int64
}

// signs are those of comparisons, the longer ones first.
var signs = []string{"==", "!=", "<=", ">=", "<", ">"}

// parseAssert reads NAME() OPERATOR NUMBER, or NAME("CONTROLLER") OPERATOR NUMBER. The error is an
// *ask.Error with the place.
func parseAssert(text string) (*assert, error) {
	fail := func(at int, why string) error { return &ask.Error{At: at, End: len(text), Why: errors.New(why)} }
	a := &assert{text: text}
	name, rest, ok := strings.Cut(text, "(")
	var names []string
	i := slices.IndexFunc(controller.Functions, func(f controller.Function) bool {
		names = append(names, f.Name+"()")
		return f.Name == strings.TrimSpace(name)
	})
	if i < 0 {
		return nil, fail(0, fmt.Sprintf("unknown function %q; want %s", strings.TrimSpace(name), strings.Join(names, ", ")))
	}
	a.of = controller.Functions[i].Of
	arg, rest, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return nil, fail(len(name), "a function has parentheses")
	}
	if arg = strings.TrimSpace(arg); arg != "" {
		quoted, err := strconv.Unquote(arg)
		if err != nil {
			return nil, fail(len(name)+1, "the name of a controller stands in quotation marks")
		}
		a.controller = quoted
	}
	at := len(text) - len(rest)
	rest = strings.TrimSpace(rest)
	for _, sign := range signs {
		if number, ok := strings.CutPrefix(rest, sign); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
			if err != nil {
				return nil, fail(len(text)-len(number), "a whole number is missing")
			}
			a.sign, a.number = sign, n
			return a, nil
		}
	}
	return nil, fail(at, "a comparison such as == 0 is missing")
}

// holds reports whether the assert is true of a recording, and what its function gives.
func (a *assert) holds(r *controller.Report) (holds bool, value int64, err error) {
	found := a.controller == ""
	for i := range r.Controllers {
		if c := &r.Controllers[i]; a.controller == "" || a.controller == c.Name {
			value += a.of(c)
			found = true
		}
	}
	if !found {
		return false, 0, fmt.Errorf("unknown controller %q", a.controller)
	}
	switch a.sign {
	case "==":
		holds = value == a.number
	case "!=":
		holds = value != a.number
	case "<=":
		holds = value <= a.number
	case ">=":
		holds = value >= a.number
	case "<":
		holds = value < a.number
	case ">":
		holds = value > a.number
	}
	return holds, value, nil
}
