package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/program"
	"github.com/informerscope/informerscope/engine/controller/reconciler"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// controllerLine is a parsed controller line.
type controllerLine struct {
	informer syntax.Word
	owns     syntax.Word
	reads    syntax.Word // another informer of the same resource, from whose cache a reconcile reads its object
	watches  syntax.Word // other informers, with commas, whose objects have the name of the controller's in the label by
	labelKey syntax.Word
	cfg      reconciler.Config
	workers  int64
	feed     informer.Feed // of the controller's own objects

	queue      string
	guarded    bool
	ifLeader   bool // its handlers return unless the process leads
	runtime    int  // the minor version of controller-runtime, 0 for none
	kubernetes int  // the minor version of kube-controller-manager, 0 for none
}

var controllerOptions = []syntax.Option[controllerLine]{
	{Name: "program", Read: func(c *controllerLine, v syntax.Word) (wrong error) {
		var ok bool
		if c.cfg.Program, ok = program.Named(v.Text); !ok {
			c.cfg.Program, wrong = program.Parse(v.Text)
		}
		return wrong
	}},
	{Name: "owns", Read: func(c *controllerLine, v syntax.Word) error { c.owns = v; return nil }},
	{Name: "reads", Read: func(c *controllerLine, v syntax.Word) error { c.reads = v; return nil }},
	{Name: "watches", Read: func(c *controllerLine, v syntax.Word) error { c.watches = v; return nil }},
	{Name: "by", Read: func(c *controllerLine, v syntax.Word) error { c.labelKey = v; return nil }},
	{Name: "workers", Read: func(c *controllerLine, v syntax.Word) error {
		if wrong := syntax.ReadNumber(&c.workers, v, 16); wrong != nil || c.workers > 0 {
			return wrong
		}
		return syntax.WantsNumber(v.Text)
	}},
	{Name: "requeue", Read: func(c *controllerLine, v syntax.Word) error { return syntax.ReadTime(&c.cfg.Requeue, v) }},
	{Name: "work", Read: func(c *controllerLine, v syntax.Word) error { return syntax.ReadTime(&c.cfg.Work, v) }},
	{Name: "queue", Read: func(c *controllerLine, v syntax.Word) error {
		if c.queue = v.Text; c.queue != "priority" && c.queue != "workqueue" {
			return fault.Unknown("noQueue name", v.Text, []string{"priority", "workqueue"})
		}
		return nil
	}},
	{Name: "runtime", Read: func(c *controllerLine, v syntax.Word) (wrong error) {
		var ok bool
		if c.runtime, ok = minor(v.Text, "v0."); ok {
			_, ok = controller.RuntimeOf(c.runtime)
		}
		if !ok {
			return fault.New("noRuntime name first last", strconv.Quote(v.Text), "v0."+strconv.Itoa(controller.OldestRuntime), "v0."+strconv.Itoa(controller.NewestRuntime))
		}
		return nil
	}},
	{Name: "kubernetes", Read: func(c *controllerLine, v syntax.Word) (wrong error) {
		var ok bool
		if c.kubernetes, ok = minor(v.Text, "v1."); !ok {
			return fault.New("noKubernetes name example", strconv.Quote(v.Text), "v1.33")
		}
		return nil
	}},
	{Name: "warmup", Read: func(c *controllerLine, v syntax.Word) error { return readAlone(&c.cfg.Warmup, "warmup", v) }},
	{Name: "ifleader", Read: func(c *controllerLine, v syntax.Word) error { return readAlone(&c.ifLeader, "ifleader", v) }},
	{Name: "from", Read: func(c *controllerLine, v syntax.Word) error { return syntax.ReadTime(&c.cfg.From, v) }},
	{Name: "predicate", Read: func(c *controllerLine, v syntax.Word) error {
		if !syntax.ReadName(&c.feed.Predicate, v, informer.PredicateNames()) {
			return fault.Unknown("noPredicate name", v.Text, informer.PredicateNames())
		}
		return nil
	}},
	{Name: "guard", Read: func(c *controllerLine, v syntax.Word) error {
		c.guarded = true
		if !syntax.ReadName(&c.cfg.Guard, v, guard.Names()) {
			return fault.Unknown("noGuard name", v.Text, guard.Names())
		}
		return nil
	}},
}

// readAlone sets on for an option that has no value.
func readAlone(on *bool, name string, v syntax.Word) error {
	if *on = true; v.Text != "" {
		return fault.New("optionAlone text name", strconv.Quote(name+"="+v.Text), name)
	}
	return nil
}

func parseController(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Name(fault.Plain("anInformer"))
	if err != nil {
		return nil, err
	}
	c := controllerLine{informer: w, workers: 1}
	c.cfg.Program, _ = program.Named("replicas")
	err = syntax.ReadOptions(p, &c, controllerOptions)
	if err == nil && (c.watches.Text == "") != (c.labelKey.Text == "") {
		err = p.Fail(w, fault.Plain("watchesBy"))
	}
	if err == nil {
		if wrong := c.settle(); wrong != nil {
			err = p.Fail(w, wrong)
		}
	}
	return func(r *Runner) error { return r.addController(c, p.Line) }, err
}

// minor returns the minor version in a text such as v0.25.
func minor(text, major string) (n int, ok bool) {
	text, ok = strings.CutPrefix(text, major)
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n > 0
}

// settle gives a controller the queue and the guard that its version has, where the line
// names none.
func (c *controllerLine) settle() error {
	gates, _ := controller.RuntimeOf(controller.NewestRuntime)
	if c.runtime > 0 {
		gates, _ = controller.RuntimeOf(c.runtime)
		c.cfg.Priorities, c.cfg.Order, c.cfg.AwaitsHandlers = gates.UsesPriorities, gates.Order, gates.AwaitsHandlers
	}
	if c.queue != "" {
		c.cfg.Priorities = c.queue == "priority"
	}
	kind, _, _ := strings.Cut(c.informer.Text, ".") // without the version and the group
	if c.kubernetes > 0 && !c.guarded {
		if c.cfg.Guard = guard.Expectations; slices.Contains(controller.StaleControllers(c.kubernetes), kind) {
			c.cfg.Guard = guard.Both
		}
	}
	c.cfg.NoTerminating = c.kubernetes > 0 && !controller.TerminatingReplicas(c.kubernetes)
	c.cfg.Ranks = c.cfg.Priorities
	c.cfg.JudgesByAge = c.cfg.Priorities && gates.JudgesByAge
	managed := c.runtime > 0 || c.cfg.Priorities || c.cfg.Warmup || c.cfg.Guard == guard.ReadYourWrites // by controller-runtime
	c.cfg.Recovers = managed && gates.RecoversPanics
	switch {
	case c.kubernetes > 0 && (c.cfg.Priorities || c.runtime > 0):
		return fault.Plain("noPriorities")
	case c.cfg.Priorities && !gates.PriorityQueue:
		return fault.Quoted("runtimeHasNo name", "queue=priority")
	case c.cfg.Guard == guard.ReadYourWrites && !gates.ReadYourWrites:
		return fault.Quoted("runtimeHasNo name", "guard=readyourwrites")
	case c.reads.Text != "" && c.cfg.Guard != guard.None && c.cfg.Guard != guard.Expectations:
		return fault.Plain("readsGuarded")
	case c.cfg.Warmup && c.kubernetes > 0:
		return fault.Plain("noWarmup")
	case c.cfg.Warmup && !gates.Warmup:
		return fault.Quoted("runtimeHasNo name", "warmup")
	case c.cfg.Program.Prioritises() && !gates.ResultPriority:
		return fault.Quoted("runtimeHasNo name", "priority")
	}
	return nil
}

// addController makes an informer a controller's. Handlers feed its workqueue with
// the keys of its objects, and with the keys of the owners of the objects that they own.
func (r *Runner) addController(c controllerLine, line int) error {
	parts, err := r.partsNamed(c.informer, line)
	if err != nil {
		return err
	}
	i := parts[0]
	x := &r.cfg.Informers[i]
	switch {
	case r.recorded != nil:
		return syntax.ErrorAt(line, 1, fault.Plain("ownServer"))
	case r.cfg.Replicas > 0:
		return syntax.ErrorAt(line, 1, fault.Plain("replicasLast"))
	case len(parts) > 1 && c.cfg.Guard != guard.None && c.cfg.Guard != guard.Expectations:
		return syntax.ErrorAt(line, c.informer.Col, fault.Plain("namespacesGuarded"))
	case x.Controller != nil:
		return syntax.ErrorAt(line, c.informer.Col, fault.Plain("controllerTwice"))
	}
	cfg := c.cfg
	if cfg.JudgesByAge {
		r.server.Ages = true
		for i := range r.cfg.Informers {
			r.cfg.Informers[i].Server.(*apiserver.Simulated).Config().Ages = true
		}
	}
	x.Controller, x.Workers, cfg.Owns = &cfg, int(c.workers), -1
	cfg.Warmup = cfg.Warmup || c.ifLeader
	c.feed.Informer = i
	for _, part := range parts {
		r.cfg.Informers[part].Read = r.cfg.Informers[part].Read || part != i
		if err := r.addFeed(part, "enqueue-"+r.cfg.Informers[part].Name, c.feed, &c, line); err != nil {
			return err
		}
	}
	for _, name := range strings.Split(c.watches.Text, ",") {
		if c.watches.Text == "" {
			break
		}
		watched, err := r.partsNamed(syntax.Word{Text: name, Col: c.watches.Col}, line)
		if err != nil {
			return err
		}
		for _, j := range watched {
			if r.cfg.Informers[j].Table != x.Table || i == j {
				return syntax.ErrorAt(line, c.watches.Col, fault.Plain("cannotOwn"))
			}
			if err := r.addFeed(j, "enqueue-"+x.Name+"-by-"+r.cfg.Informers[j].Name, informer.Feed{Informer: i, Label: c.labelKey.Text}, &c, line); err != nil {
				return err
			}
		}
	}
	if c.reads.Text != "" {
		j, err := r.informerNamed(c.reads, line)
		if err != nil {
			return err
		}
		other := &r.cfg.Informers[j]
		if i == j || resource(other.Name) != resource(x.Name) || x.Parts > 0 || other.Parts > 0 {
			return syntax.ErrorAt(line, c.reads.Col, fault.Plain("cannotRead"))
		}
		cfg.Reads, other.Read = j+1, true
	}
	if c.owns.Text == "" {
		return nil
	}
	owned, err := r.partsNamed(c.owns, line)
	if err != nil {
		return err
	}
	cfg.Owns = owned[0]
	for _, j := range owned {
		if r.cfg.Informers[j].Table != x.Table || i == j || len(owned) > 1 && cfg.Guard != guard.None && cfg.Guard != guard.Expectations {
			return syntax.ErrorAt(line, c.owns.Col, fault.Plain("cannotOwn"))
		}
		r.cfg.Informers[j].Read = true
		if err := r.addFeed(j, "enqueue-"+x.Name+"-of-"+r.cfg.Informers[j].Name, informer.Feed{Informer: i, Owner: true}, &c, line); err != nil {
			return err
		}
	}
	return nil
}

// addFeed adds a handler that feeds the workqueue of a controller.
func (r *Runner) addFeed(i int, name string, f informer.Feed, c *controllerLine, line int) error {
	if err := r.nameHandler(i, name, line, 1); err != nil {
		return err
	}
	x := &r.cfg.Informers[i]
	x.Handlers = append(x.Handlers, informer.Handler{Name: name, Resync: x.Resync, Workqueue: true, Feeds: &f, IfLeader: c.ifLeader, From: c.cfg.From})
	return nil
}

// parseCollector parses the line of the garbage collector.
func parseCollector(p *syntax.Parser) (func(*Runner) error, error) {
	after := int64(20_000_000)
	err := syntax.ReadOptions(p, &after, []syntax.Option[int64]{{Name: "after", Read: func(ns *int64, v syntax.Word) error {
		if wrong := syntax.ReadTime(ns, v); wrong != nil || *ns > 0 {
			return wrong
		}
		return syntax.WantsTime(v.Text)
	}}})
	return func(r *Runner) error {
		if r.recorded != nil {
			return syntax.ErrorAt(p.Line, 1, fault.Plain("ownServer"))
		}
		r.cfg.Collector = after
		return nil
	}, err
}

// maxReplicas is the most processes that a script may have.
const maxReplicas = 8

var replicasOptions = []syntax.Option[election.Config]{
	{Name: "lease", Read: func(c *election.Config, v syntax.Word) error { return syntax.ReadTime(&c.LeaseDuration, v) }},
	{Name: "renew", Read: func(c *election.Config, v syntax.Word) error { return syntax.ReadTime(&c.RenewDeadline, v) }},
	{Name: "retry", Read: func(c *election.Config, v syntax.Word) error { return syntax.ReadTime(&c.RetryPeriod, v) }},
	{Name: "release", Read: func(c *election.Config, _ syntax.Word) error { c.ReleaseOnCancel = true; return nil }},
	{Name: "onstopped", Read: func(c *election.Config, v syntax.Word) error {
		if !syntax.ReadName(&c.OnStopped, v, election.OnStoppedNames()) {
			return fault.Unknown("noOnStopped name", v.Text, election.OnStoppedNames())
		}
		return nil
	}},
}

// parseReplicas parses the line of processes that elect a leader.
func parseReplicas(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(syntax.ANumber)
	if err != nil {
		return nil, err
	}
	n, ok := syntax.Number(w, maxReplicas)
	if !ok || n < 2 {
		return nil, p.Fail(w, fault.Quoted("replicasFrom2 text", w.Text))
	}
	cfg := election.Usual
	err = syntax.ReadOptions(p, &cfg, replicasOptions)
	if err == nil && !cfg.Valid() {
		err = p.Fail(w, fault.Plain("leaseTimes"))
	}
	return func(r *Runner) error { return r.addReplicas(int(n), &cfg, p.Line) }, err
}

// addReplicas gives the informers that there are to a process, and each other
// process the same. They elect a leader, unless cfg is nil.
func (r *Runner) addReplicas(n int, cfg *election.Config, line int) error {
	informers := r.cfg.Informers
	per := len(informers)
	switch {
	case r.recorded != nil:
		return syntax.ErrorAt(line, 1, fault.Plain("ownServer"))
	case per == 0:
		return syntax.ErrorAt(line, 1, fault.Plain("noInformerYet"))
	case r.cfg.Replicas > 0:
		return syntax.ErrorAt(line, 1, fault.Plain("replicasTwice"))
	case n*per > maxInformers:
		return syntax.ErrorAt(line, 1, fault.Plain("manyInformers"))
	case slices.ContainsFunc(informers, func(c informer.Config) bool { return c.Factory }):
		return syntax.ErrorAt(line, 1, fault.Plain("replicasFactory"))
	}
	for i := range informers {
		warm, cold := feedsOf(informers, i)
		if warm && cold {
			return syntax.ErrorAt(line, 1, fault.Plain("warmupShared"))
		}
		informers[i].Elected, informers[i].Warm = true, warm
	}
	for replica := 1; replica < n; replica++ {
		prefix := string(rune('a'+replica)) + "/"
		for i := range per {
			c := informers[i]
			c.Name, c.Server = prefix+c.Name, c.Server.CopyTo(nil)
			c.Handlers = slices.Clone(c.Handlers)
			for j := range c.Handlers {
				h := &c.Handlers[j]
				h.Name = prefix + h.Name
				if h.Feeds != nil {
					f := *h.Feeds
					f.Informer += replica * per
					h.Feeds = &f
				}
			}
			if c.Controller != nil {
				controller := *c.Controller
				if controller.Owns >= 0 {
					controller.Owns += replica * per
				}
				if controller.Reads > 0 {
					controller.Reads += replica * per
				}
				c.Controller = &controller
			}
			r.cfg.Informers = append(r.cfg.Informers, c)
			r.calls = append(r.calls, make([]handlerCalls, len(r.calls[i])))
		}
	}
	r.cfg.Replicas, r.cfg.Election = n, cfg
	return nil
}

// feedsOf reports whether an informer runs before its process leads, since it feeds a controller that warms up, is
// read by it, or has a handler that asks who leads. It also reports whether it feeds, or is read by, a controller that
// doesn't warm up.
func feedsOf(all []informer.Config, i int) (warm, cold bool) {
	warm = slices.ContainsFunc(all[i].Handlers, func(h informer.Handler) bool { return h.IfLeader })
	for j := range all {
		c := all[j].Controller
		if c == nil || j != i && c.Owns != i && c.Reads != i+1 && !slices.ContainsFunc(all[i].Handlers, func(h informer.Handler) bool { return h.Feeds != nil && h.Feeds.Informer == j }) {
			continue
		}
		warm, cold = warm || c.Warmup, cold || !c.Warmup
	}
	return warm, cold
}
