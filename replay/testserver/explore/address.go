package explore

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// address is the fragment of the page's address that leads to the last step before a time of a
// trace, of the resource whose watch has brought something last.
func address(text []byte, name string, at time.Duration) (string, error) {
	recorded, err := scan(text)
	if err != nil {
		return "", err
	}
	profile, ok := world.ProfileFor("current")
	if !ok {
		return "", errors.New("there is no profile")
	}
	r := format.NewReader(format.Options{})
	steps := map[string]int64{}
	last, when := "", int64(-1)
	p := report.Play(r.Trace(), report.Options{Profile: profile, Recorded: recorded, Stepped: func(of *trace.Resource, w *world.World) error {
		if w.Now() <= int64(at) {
			steps[of.Name()] = w.Steps()
			if w.Now() >= when {
				last, when = of.Name(), w.Now()
			}
		}
		return nil
	}})
	if err := errors.Join(r.Write(text), p.Grown(), r.Close(), p.Grown()); err != nil {
		return "", err
	}
	resource, _, _ := strings.Cut(last, " ")
	return fmt.Sprintf("#file=%s&size=%d&informer=%s&step=%d", url.QueryEscape(name), len(text), url.QueryEscape(resource), steps[last]), nil
}

// scan finds out who the recorded handlers were.
func scan(text []byte) (map[string]*report.Found, error) {
	r := format.NewReader(format.Options{})
	s := report.NewScan(r.Trace())
	if err := errors.Join(r.Write(text), s.Grown(), r.Close(), s.Grown()); err != nil {
		return nil, err
	}
	return s.Found(), nil
}
