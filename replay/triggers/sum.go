package triggers

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Controller says by what the reconciles of one name were triggered.
type Controller struct {
	Name       string `json:"name"`
	Reconciles int64  `json:"reconciles"` // or Gets, where reconciles were not recorded
	// Causes are in the order of their numbers. A reconcile may have several, so that the sum may be more than Reconciles.
	Causes []Count `json:"causes"`
	// Unknown counts the reconciles without a known cause.
	Unknown int64 `json:"unknown"`
	// Quiet counts the reconciles that ended without an accepted write that changed something; -1 where writes were left out.
	Quiet int64 `json:"changedNothing"`
	// NoQueue is set where calls of the workqueue were not recorded, so that nothing is known.
	NoQueue bool `json:"queueNotRecorded,omitempty"`
	// Unnamed is set where no Add of the recording says in which call it was made. Then only timers are known as causes.
	Unnamed bool `json:"callsNotRecorded,omitempty"`
	// AtLeast is set where the recorder had no room for some calls, so that each number may be larger.
	AtLeast bool `json:"atLeast,omitempty"`
}

// Count counts reconciles with a cause.
type Count struct {
	Class Class `json:"class"`
	// Subject is what the cause is about, as far as that is known: the resource that was written or has changed, the source's name, the
	// controller that added, the error's class.
	Subject    string `json:"of,omitempty"`
	Controller string `json:"by,omitempty"`      // of OtherWrite: the controller
	Manager    string `json:"manager,omitempty"` // of Event: see Cause
	Certain    int64  `json:"reconciles"`
	Possible   int64  `json:"possible,omitempty"` // reconciles that may have been triggered by it
	// Quiet counts the certain ones that ended without an accepted write that changed something, where the Controller counts them.
	Quiet int64 `json:"changedNothing,omitempty"`
}

// Caller is a handler of an informer, and how many of its calls have added a key to a workqueue.
type Caller struct {
	Handler  string `json:"handler"`
	Resource string `json:"resource"`
	Calls    int64  `json:"calls"`
	Added    int64  `json:"added"`
}

// Callers returns the recorded handlers. There are none where the recorder had no room for some calls, or where no Add says in which call it was made.
func Callers(t *trace.Trace, log *worker.Log) (out []Caller) {
	added := map[int64]bool{}
	for i := range log.Queued {
		if q := &log.Queued[i]; q.In != 0 {
			added[q.In] = true
		}
	}
	if l := log.LeftOut; len(added) == 0 || l.Work+l.Calls > 0 {
		return nil
	}
	for _, r := range t.Resources {
		for _, h := range r.Handlers {
			c := Caller{Handler: h.Name, Resource: r.Name()}
			for i := range h.Calls {
				if c.Calls++; added[h.Calls[i].ID] {
					c.Added++
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// Sum counts the causes of what List returned, by controllers.
func Sum(log *worker.Log, gets []Get) []Controller {
	byName := map[string]*Controller{}
	at := func(name string) *Controller {
		if byName[name] == nil {
			byName[name] = &Controller{Name: name, Causes: []Count{}, NoQueue: true}
		}
		return byName[name]
	}
	quiet := map[*worker.Reconcile]bool{}
	for _, i := range log.Order() {
		x := &log.Reconciles[i]
		at(x.Controller).Reconciles++
		quiet[x] = x.Ended != 0
	}
	for i, by := range log.Owners() {
		if w := &log.Writes[i]; by >= 0 && w.Changed() && (w.Written.RV != w.Answer.RV || w.Verb == "delete") || by >= 0 && w.Answer.Status == 0 {
			quiet[&log.Reconciles[by]] = false
		}
	}
	for x, is := range quiet {
		if is {
			byName[x.Controller].Quiet++
		}
	}
	known, counted, unnamed := map[string]int64{}, map[string]bool{}, true
	for i := range log.Queued {
		unnamed = unnamed && log.Queued[i].In == 0 && log.Queued[i].From == ""
	}
	for name := range byName {
		counted[name] = true
	}
	for i := range gets {
		g := &gets[i]
		c := at(g.Queue)
		c.NoQueue = false
		if counted[g.Queue] && g.Reconcile == nil {
			continue
		}
		if !counted[g.Queue] {
			c.Reconciles++
			c.Quiet = -1
		}
		c.add(g, quiet[g.Reconcile])
		if slices.ContainsFunc(g.Causes, func(c Cause) bool { return c.Class != Unknown }) {
			known[g.Queue]++
		}
	}
	l := log.LeftOut
	var out []Controller
	for _, c := range byName {
		c.Unknown = c.Reconciles - known[c.Name]
		c.Unnamed = unnamed && c.Unknown > 0 && !c.NoQueue
		c.AtLeast = l.Work+l.Calls+l.Reconciles+l.Writes > 0
		if l.Writes+l.Reconciles > 0 {
			c.Quiet = -1
		}
		slices.SortFunc(c.Causes, func(a, b Count) int {
			return cmp.Or(cmp.Compare(b.Certain, a.Certain), cmp.Compare(b.Possible, a.Possible), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Controller, b.Controller), cmp.Compare(a.Manager, b.Manager))
		})
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Controller) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Share returns for how many of the reconciles a Class is a certain cause, and for how many a possible one.
func (c *Controller) Share(class Class) (certain, possible int64) {
	for _, n := range c.Causes {
		if n.Class == class {
			certain += n.Certain
			possible += n.Possible
		}
	}
	return min(certain, c.Reconciles), min(possible, c.Reconciles)
}

// add counts the causes of one Get, each kind of them once. Its reconcile changed nothing if it is quiet.
func (c *Controller) add(g *Get, quiet bool) {
	type cause struct{ class, subject, controller, manager string }
	had := map[cause]bool{} // certain
	for i := range g.Causes {
		x := &g.Causes[i]
		if x.Class != Unknown {
			k := cause{string(x.Class), x.Subject(), x.writer(), x.Manager}
			had[k] = had[k] || !x.Possible
		}
	}
	for k, certain := range had {
		i := slices.IndexFunc(c.Causes, func(n Count) bool { return cause{string(n.Class), n.Subject, n.Controller, n.Manager} == k })
		if i < 0 {
			i = len(c.Causes)
			c.Causes = append(c.Causes, Count{Class: Class(k.class), Subject: k.subject, Controller: k.controller, Manager: k.manager})
		}
		if certain {
			if c.Causes[i].Certain++; quiet {
				c.Causes[i].Quiet++
			}
		} else {
			c.Causes[i].Possible++
		}
	}
}

// Subject returns what a cause is about: see Count.
func (c *Cause) Subject() string {
	switch {
	case c.Write != nil:
		return c.Write.Target()
	case c.Resource != nil:
		return (&worker.Write{Path: trace.Path{Group: c.Resource.Group, Resource: c.Resource.Resource, Subresource: c.subresource}}).Target()
	case c.Class == Source:
		return c.Added.From
	case c.Class == Reconcile && c.Reconcile.Key == c.Added.Key && c.Reconcile.Controller == c.Added.Queue:
		return c.Reconcile.Controller + ", for the same key"
	case c.Class == Reconcile:
		return c.Reconcile.Controller
	case c.Class == Backoff && c.Reconcile != nil:
		return c.Reconcile.Error
	}
	return ""
}

// writer returns the controller that has written, of a write of another one.
func (c *Cause) writer() string {
	if c.Class == OtherWrite {
		return c.Reconcile.Controller
	}
	return ""
}

// SumSince does what Sum does, for the reconciles and Gets from a time on.
func SumSince(log *worker.Log, gets []Get, since int64) []Controller {
	later := *log
	later.Reconciles = slices.DeleteFunc(slices.Clone(log.Reconciles), func(x worker.Reconcile) bool { return x.Began < since })
	return Sum(&later, slices.DeleteFunc(slices.Clone(gets), func(g Get) bool { return g.Time < since }))
}

// Text says in English what a count is about, such as "its own writes of pods/status".
func (n *Count) Text() string {
	with := func(text, word string) string {
		if n.Subject == "" {
			return text
		}
		return text + word + n.Subject
	}
	switch n.Class {
	case Initial:
		return with("the first list", " of ")
	case Resync:
		return with("resyncs", " of ")
	case OwnWrite:
		return with("its own writes", " of ")
	case OtherWrite:
		return with("writes", " of ") + " by the controller " + n.Controller
	case LooseWrite:
		return with("writes", " of ") + " that the process made outside of reconciles"
	case Event:
		if n.Manager != "" {
			return with("changes", " of ") + " by the field manager " + n.Manager
		}
		return with("changes", " of ") + " that no recorded write made"
	case Change:
		return with("changes", " of ") + " of an unknown writer"
	case Source:
		return with("the source", " ")
	case Reconcile:
		return with("Adds within reconciles", " of ")
	case Backoff:
		return with("back-off", " after ")
	case RequeueAfter:
		return "requeueAfter"
	}
	return string(n.Class)
}
