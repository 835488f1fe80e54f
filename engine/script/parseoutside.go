package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

func parseMutate(p *line) (func(*Runner) error, error) {
	key, err := p.next("a key")
	if err != nil {
		return nil, err
	}
	var in word
	if next := p.peek(); next != "" && !strings.Contains(next, "=") {
		in = key
		key, _ = p.next("")
	}
	var labels []string
	err = p.options(func(name string, v word) (wrong string) {
		labels = append(labels, name, v.text)
		return ""
	})
	key.text = unquote(key.text)
	return func(r *Runner) error {
		if err := r.moving(p.n); err != nil {
			return err
		}
		i, err := r.informerNamed(in, p.n)
		if err != nil {
			return err
		}
		t := r.w.Informers[i].Config().Table
		k, ok := t.LookupKey(key.text)
		if !ok || !r.do(world.Command{Kind: world.MutateCached, Informer: i, Object: object.Meta{Key: k, Labels: labelSet(t, labels)}}) {
			return p.fail(key, "the cache holds no "+strconv.Quote(key.text))
		}
		return nil
	}, err
}

func parseRemove(p *line) (func(*Runner) error, error) {
	if err := p.literal("handler"); err != nil {
		return nil, err
	}
	w, err := p.next("a name")
	if err != nil {
		return nil, err
	}
	return func(r *Runner) error {
		i, j, ok := r.handler(w.text)
		if !ok {
			return Error{p.n, w.col, "there is no handler " + strconv.Quote(w.text)}
		}
		return r.command(p.n, word{r.cfg.Informers[i].Name, w.col}, world.Command{Kind: world.RemoveHandler, Listener: j})
	}, p.done()
}

// parseTakes parses a takes line, which changes how long the calls of a handler take.
func parseTakes(p *line) (func(*Runner) error, error) {
	name, err := p.next("a handler")
	if err != nil {
		return nil, err
	}
	w, err := p.next("a time")
	if err != nil {
		return nil, err
	}
	ns, ok := duration(w.text)
	if !ok {
		return nil, p.fail(w, wantsTime)
	}
	return func(r *Runner) error {
		i, j, ok := r.handler(name.text)
		if !ok {
			return Error{p.n, name.col, "there is no handler " + strconv.Quote(name.text)}
		}
		return r.command(p.n, word{r.cfg.Informers[i].Name, name.col}, world.Command{Kind: world.PaceHandler, Listener: j, N: ns})
	}, p.done()
}

// parseWrite parses lines that change objects: KIND NS/NAME LABEL=VALUE….
func parseWrite(kind world.CommandKind, before bool) func(*line) (func(*Runner) error, error) {
	return func(p *line) (func(*Runner) error, error) {
		k, err := p.next("a kind, such as pod,")
		if err != nil {
			return nil, err
		}
		name, err := p.next("a name, such as default/web,")
		if err != nil {
			return nil, err
		}
		var labels []string
		if kind != world.Delete {
			err = p.options(func(name string, v word) (wrong string) {
				labels = append(labels, name, v.text)
				return ""
			})
		}
		if err == nil {
			err = p.done()
		}
		return func(r *Runner) error { return r.write(kind, before, p.n, k, name, labels) }, err
	}
}

// parseCommand parses commands with no argument except perhaps an informer.
func parseCommand(object string, kind world.CommandKind) func(*line) (func(*Runner) error, error) {
	return func(p *line) (func(*Runner) error, error) {
		if object != "" {
			if err := p.literal(object); err != nil {
				return nil, err
			}
		}
		var in word
		if p.more() {
			in, _ = p.next("")
		}
		return func(r *Runner) error { return r.command(p.n, in, world.Command{Kind: kind}) }, p.done()
	}
}

func parseRestart(p *line) (func(*Runner) error, error) {
	c := world.Command{Kind: world.RestartServer, N: second}
	if err := p.literal("server"); err != nil {
		return nil, err
	}
	in := p.last(0)
	err := p.options(func(name string, v word) (wrong string) {
		ok := false
		switch name {
		case "down":
			c.N, ok = duration(v.text)
		case "warm":
			c.Warm, ok = duration(v.text)
		default:
			return "a restart has no " + strconv.Quote(name)
		}
		if !ok {
			return wantsTime
		}
		return ""
	})
	return func(r *Runner) error { return r.command(p.n, in, c) }, err
}

func parseRestore(p *line) (func(*Runner) error, error) {
	if err := p.literal("server"); err != nil {
		return nil, err
	}
	in := p.last(1)
	w, err := p.next("a revision")
	if err != nil {
		return nil, err
	}
	n, ok := number(w, 1<<40)
	if !ok {
		return nil, p.fail(w, wantsNumber)
	}
	return func(r *Runner) error {
		return r.command(p.n, in, world.Command{Kind: world.RestoreServer, N: n})
	}, p.done()
}

func parseLag(p *line) (func(*Runner) error, error) {
	if err := p.literal("server"); err != nil {
		return nil, err
	}
	in := p.last(1)
	w, err := p.next("a time, or forever,")
	if err != nil {
		return nil, err
	}
	n, ok := duration(w.text)
	if w.text == "forever" {
		n, ok = -1, true
	}
	if !ok {
		return nil, p.fail(w, wantsTime)
	}
	return func(r *Runner) error {
		return r.command(p.n, in, world.Command{Kind: world.LagServer, N: n})
	}, p.done()
}

// failures by the names that scripts know them by.
var failures = []struct {
	name string
	is   apiserver.Failure
}{
	{"none", apiserver.NoFailure}, {"expired", apiserver.Expired}, {"gone", apiserver.Gone}, {"toolarge", apiserver.TooLarge},
	{"toomany", apiserver.TooManyRequests}, {"internal", apiserver.InternalError}, {"refused", apiserver.Refused},
	{"reset", apiserver.Reset}, {"other", apiserver.OtherFailure},
}

func parseFail(p *line) (func(*Runner) error, error) {
	if err := p.literal("requests"); err != nil {
		return nil, err
	}
	in := p.last(1)
	w, err := p.next("a failure")
	if err != nil {
		return nil, err
	}
	c := world.Command{Kind: world.FailRequests, N: 1}
	found := false
	for _, f := range failures {
		if f.name == w.text {
			c.Failure, found = f.is, true
		}
	}
	switch {
	case !found:
		return nil, p.fail(w, "there is no failure "+strconv.Quote(w.text))
	case c.Failure == apiserver.NoFailure:
		c.N = 0
	}
	err = p.options(func(name string, v word) (wrong string) {
		if name != "n" {
			return "a failure has no " + strconv.Quote(name)
		}
		if v.text == "all" {
			c.N = -1
			return ""
		}
		n, ok := number(v, 1<<20)
		if c.N = n; !ok {
			return wantsNumber
		}
		return ""
	})
	return func(r *Runner) error { return r.command(p.n, in, c) }, err
}
