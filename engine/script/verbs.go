package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// verb is the first word of a line, and what the rest of it means.
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
		{"mutate", false, parseMutate},
		{"start", false, parseCommand("again", world.RunAgain)},
	}
}

func parseProfile(p *line) (func(*Runner) error, error) {
	w, err := p.next("a profile")
	if err != nil {
		return nil, err
	}
	profile, ok := world.ProfileFor(w.text)
	if !ok {
		return nil, p.fail(w, "there is no profile "+strconv.Quote(w.text))
	}
	return func(r *Runner) error { r.profile = profile; return nil }, p.done()
}

func parseGate(p *line) (func(*Runner) error, error) {
	name, err := p.next("a feature gate")
	if err != nil {
		return nil, err
	}
	if _, ok := world.Gate(world.Current, name.text, true); !ok {
		return nil, p.fail(name, "an informer knows no feature gate "+strconv.Quote(name.text))
	}
	w, err := p.next("on or off")
	if err != nil {
		return nil, err
	}
	if w.text != "on" && w.text != "off" {
		return nil, p.fail(w, "here on or off is expected")
	}
	return func(r *Runner) error {
		r.profile, _ = world.Gate(r.profile, name.text, w.text == "on")
		return nil
	}, p.done()
}

func parseSeed(p *line) (func(*Runner) error, error) {
	w, err := p.next("a number")
	if err != nil {
		return nil, err
	}
	n, ok := number(w, 1<<62)
	if !ok {
		return nil, p.fail(w, "here a number is expected")
	}
	return func(r *Runner) error { r.cfg.Seed = uint64(n); return nil }, p.done()
}

const (
	wantsTime   = "here a time is expected, such as 1.5s"
	wantsNumber = "here a number is expected"
	wantsLabel  = "here LABEL=VALUE is expected"
)

func parseServer(p *line) (func(*Runner) error, error) {
	var cfg apiserver.SimConfig
	err := p.options(func(name string, v word) (wrong string) {
		ok := true
		switch name {
		case "classic":
			cfg.Classic = true
		case "uncached":
			cfg.Uncached = true
		case "nobookmarks":
			cfg.NoBookmarks = true
		case "revision":
			if cfg.Revision, ok = number(v, 1<<40); !ok {
				return wantsNumber
			}
		case "buffer":
			n, ok := number(v, 1<<20)
			if !ok {
				return wantsNumber
			}
			cfg.Buffer = int(n)
		case "compact":
			if cfg.CompactEvery, ok = duration(v.text); !ok {
				return wantsTime
			}
		default:
			return "a server has no " + strconv.Quote(name)
		}
		return ""
	})
	return func(r *Runner) error { r.server = cfg; return nil }, err
}

func parseInformer(p *line) (func(*Runner) error, error) {
	w, err := p.next("a name")
	if err != nil {
		return nil, err
	}
	in := informerLine{name: w.text, workers: 1, work: 3 * millisecond}
	err = p.options(func(name string, v word) (wrong string) {
		ok := true
		switch name {
		case "resync":
			if in.resync, ok = duration(v.text); !ok {
				return wantsTime
			}
		case "work":
			if in.work, ok = duration(v.text); !ok {
				return wantsTime
			}
		case "workers":
			if in.workers, ok = number(v, 16); !ok {
				return wantsNumber
			}
		case "fails":
			if in.fails, ok = number(v, 1000); !ok {
				return wantsNumber
			}
		case "pages":
			if in.pages, ok = number(v, 1<<20); !ok {
				return wantsNumber
			}
		case "index":
			in.indexers = append(in.indexers, strings.Split(v.text, ",")...)
		case "key":
			in.separator = v.text
		case "detector":
			in.detector = true
		case "selector":
			if in.label, in.value, ok = strings.Cut(v.text, "="); !ok {
				return wantsLabel
			}
		case "writes":
			if in.sets, in.to, ok = strings.Cut(v.text, "="); !ok {
				return wantsLabel
			}
		default:
			return "an informer has no " + strconv.Quote(name)
		}
		return ""
	})
	return func(r *Runner) error { return r.addInformer(in, p.n, w.col) }, err
}

func parseHandler(p *line) (func(*Runner) error, error) {
	w, err := p.next("a name")
	if err != nil {
		return nil, err
	}
	h := handlerLine{at: w}
	h.Name = w.text
	err = p.options(func(name string, v word) (wrong string) {
		ok := true
		switch name {
		case "informer":
			h.informer = v
		case "takes":
			h.Takes, ok = duration(v.text)
		case "resync":
			h.resyncs = true
			h.Resync, ok = duration(v.text)
		case "from":
			h.From, ok = duration(v.text)
		case "workqueue":
			h.Workqueue = true
		default:
			return "a handler has no " + strconv.Quote(name)
		}
		if !ok {
			return wantsTime
		}
		return ""
	})
	return func(r *Runner) error { return r.addHandler(h, p.n) }, err
}

func parseMutate(p *line) (func(*Runner) error, error) {
	key, err := p.next("a key")
	if err != nil {
		return nil, err
	}
	var labels []string
	err = p.options(func(name string, v word) (wrong string) {
		labels = append(labels, name, v.text)
		return ""
	})
	return func(r *Runner) error {
		if err := r.moving(p.n); err != nil {
			return err
		}
		t := r.w.Informers[0].Config().Table
		k, ok := t.LookupKey(key.text)
		if !ok || !r.w.Do(world.Command{Kind: world.MutateCached, Object: object.Meta{Key: k, Labels: labelSet(t, labels)}}) {
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

// parseWrite is for what changes objects: KIND NS/NAME LABEL=VALUE….
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

// parseCommand is for commands that need nothing but perhaps an informer.
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
	return func(r *Runner) error { return r.command(p.n, word{}, c) }, err
}

func parseRestore(p *line) (func(*Runner) error, error) {
	if err := p.literal("server"); err != nil {
		return nil, err
	}
	w, err := p.next("a revision")
	if err != nil {
		return nil, err
	}
	n, ok := number(w, 1<<40)
	if !ok {
		return nil, p.fail(w, wantsNumber)
	}
	return func(r *Runner) error {
		return r.command(p.n, word{}, world.Command{Kind: world.RestoreServer, N: n})
	}, p.done()
}

func parseLag(p *line) (func(*Runner) error, error) {
	if err := p.literal("server"); err != nil {
		return nil, err
	}
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
		return r.command(p.n, word{}, world.Command{Kind: world.LagServer, N: n})
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
	return func(r *Runner) error { return r.command(p.n, word{}, c) }, err
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
	case "pop":
		u.kind = event.Popped
		u.key, err = p.next("a key")
	case "call":
		u.kind = event.HandlerCalled
		u.handler, err = p.next("a handler")
	case "synced":
		u.kind = event.HasSynced
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
	w, err := p.next("a time")
	if err != nil {
		return nil, err
	}
	d, ok := duration(w.text)
	if !ok {
		return nil, p.fail(w, wantsTime)
	}
	return func(r *Runner) error { return r.advance(p.n, d) }, p.done()
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
		if plain(got) != plain(want) {
			return p.fail(at, "got "+got+", not "+want)
		}
		return nil
	}, nil
}

// plain is a value without what does not matter when values are compared.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(" \t,[]", c) }), " ")
}
