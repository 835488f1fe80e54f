package controllercmd

import (
	"fmt"
	"slices"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/report/controller"
)

// assert is an --assert about recorded controllers, such as stale() == 0, or stale("web") == 0 about one of them.
type assert struct {
	*play.Counted
	of func(*controller.Controller) int64
}

// parseAssert reads an assert. The error is an *ask.Error with the place.
func parseAssert(text string) (*assert, error) {
	var names []string
	for _, f := range controller.Functions {
		names = append(names, f.Name)
	}
	c, err := play.ParseCounted(text, names)
	if err != nil {
		return nil, err
	}
	return &assert{c, controller.Functions[slices.Index(names, c.Name)].Of}, nil
}

// holds reports whether the assert is true of a recording, and what its function gives.
func (a *assert) holds(r *controller.Report) (holds bool, value int64, err error) {
	found := a.Arg == ""
	for i := range r.Controllers {
		if c := &r.Controllers[i]; a.Arg == "" || a.Arg == c.Name {
			value += a.of(c)
			found = true
		}
	}
	if !found {
		return false, 0, fmt.Errorf("unknown controller %q", a.Arg)
	}
	return a.Holds(value), value, nil
}
