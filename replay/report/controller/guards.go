package controller

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/replay/trace"
)

// Guarded is what each guard would have done to the stale reads and the duplicates of a controller, which had none, or
// which had another one.
type Guarded struct {
	Controller string     `json:"controller"`
	Guards     []Guard    `json:"guards"`
	Stale      []Guarding `json:"stale"`             // one for each of Controller.Stale
	Duplicates []Guarding `json:"duplicates"`        // one for each of Controller.Duplicates
	AtLeast    bool       `json:"atLeast,omitempty"` // the recorder had no room for some of it
}

// Guard sums up one guard. Times are in nanoseconds.
type Guard struct {
	Name       string `json:"guard"`
	Stale      Helped `json:"stale"`
	Duplicates Helped `json:"duplicates"`
	// Held are the reconciles that it would have held back for a time that is known: half of them at most for Median,
	// 99 of 100 for P99.
	Held    int64 `json:"held"`
	Median  int64 `json:"median"`
	P99     int64 `json:"p99"`
	Longest int64 `json:"longest"`
	Never   int64 `json:"never,omitempty"` // that would have waited for what the recording doesn't have
	// Requests are the lists that it would have sent to the API server.
	Requests int64 `json:"requests,omitempty"`
}

// Helped counts answers.
type Helped struct {
	Yes     int64 `json:"yes"`
	No      int64 `json:"no"`
	Unknown int64 `json:"unknown"`
}

// Guarding is what each guard would have done to one stale read, or one duplicate.
type Guarding struct {
	Reconcile int64    `json:"reconcile"`
	Key       string   `json:"key"`
	Object    string   `json:"object,omitempty"` // the duplicate
	Answers   []Answer `json:"answers"`          // in the order of Guarded.Guards
}

// Answer is the answer of one guard.
type Answer struct {
	Helps Helps `json:"helps"`
	Wait  int64 `json:"wait,omitempty"` // for which it would have held the reconcile back, 0 for not at all or unknown
	Never bool  `json:"never,omitempty"`
	early bool  // what comes of a lost write may end the wait
}

// Helps reports whether a guard would have kept a reconcile from a stale read, or from a duplicate.
type Helps string

// What Helps says. Unknown is the answer where it depends on what a reconcile would have done after another read.
const (
	Yes     Helps = "yes"
	No      Helps = "no"
	Unknown Helps = "unknown"
)

func (h *Helped) add(a Helps) {
	switch a {
	case Yes:
		h.Yes++
	case No:
		h.No++
	default:
		h.Unknown++
	}
}

// rule is how a guard works. The real ones are ControllerExpectations (pkg/controller) and the consistency store
// (pkg/controller/util/consistency) of Kubernetes v1.37, EnableReadYourWritesConsistency of controller-runtime v0.25, and
// client-go's MutationCache with IncludeAdds, whose ByIndex is read: GetByKey forgets an object that it returns and that its
// store lacks. None of them takes note of a write whose answer was lost: a failed create lowers the
// expectations again.
type rule struct {
	name string
	// notes reports whether the guard takes note of a write. Own says that what was written is the reconciled object.
	notes func(b *Echo, isOwn bool) bool
	// counts says that the guard counts what the cache gets. So the object of a create whose answer was lost counts for another one,
	// and the deletion of one does, too.
	counts bool
	// limit is for how long a note counts from when the write was sent, in nanoseconds; 0 is for ever.
	limit int64
	// reads says that no reconcile is held back: it reads what was written.
	reads bool
	// lists says that a reconcile asks the API server for all objects of a resource before it creates one of it.
	lists bool
}

// mutationTTL is the TTL of a MutationCache where its options have none.
const mutationTTL = 300_000_000_000

// rules are all guards. TestGuards of replay/testserver/controllers runs controllers with each of them.
var rules = []rule{
	{name: "expectations", counts: true, limit: expectations.Timeout, notes: func(b *Echo, _ bool) bool { return b.Verb == "create" || b.Verb == "delete" }},
	{name: "consistency store", notes: func(b *Echo, _ bool) bool { return b.RV != "" && b.Verb != "delete" }},
	{name: "read-your-writes", notes: func(*Echo, bool) bool { return true }},
	{name: "mutation cache", limit: mutationTTL, reads: true, notes: func(b *Echo, _ bool) bool { return b.RV != "" && b.Verb != "delete" }},
	{name: "uncached list before a create", reads: true, lists: true, notes: func(*Echo, bool) bool { return true }},
	{name: "last-seen annotation", notes: func(_ *Echo, isOwn bool) bool { return isOwn }},
}

// Guards answers for each stale read and each duplicate what each guard would have done. A guard that holds a reconcile
// back, or lets it read something else, changes what the reconcile writes. So nobody knows whether a later reconcile would
// have waited for such a write, nor for how long. That it would not have lacked one is known where the guard takes note of
// writes of that kind.
func (r *Report) Guards() (all []Guarded) {
	for i := range r.Controllers {
		c := &r.Controllers[i]
		g := Guarded{Controller: c.Name, Stale: make([]Guarding, len(c.Stale)), Duplicates: make([]Guarding, len(c.Duplicates)), AtLeast: r.LeftOut}
		for j, s := range c.Stale {
			g.Stale[j] = Guarding{Reconcile: s.Reconcile, Key: s.Key}
		}
		for j, d := range c.Duplicates {
			g.Duplicates[j] = Guarding{Reconcile: d.Reconcile, Key: d.Key, Object: d.Second}
		}
		resource := c.ownResource()
		for j := range rules {
			k := guarding{rule: &rules[j], controller: resource, ended: r.ended, changed: map[int64]bool{}, lost: map[string]int64{}}
			k.judge(&g, c)
		}
		all = append(all, g)
	}
	return all
}

// ownResource returns the resource of the objects that a controller reconciles: it has written objects of that resource
// under the keys that it reconciled. A child may have its owner's name, too, so a resource whose objects the controller
// has created comes last. It returns "" where there is no such resource, or more than one.
func (c *Controller) ownResource() string {
	created := map[string]bool{}
	for i := range c.Writes.Echoes {
		if b := &c.Writes.Echoes[i]; b.Verb == "create" {
			created[b.resource()] = true
		}
	}
	var parents, children []string
	for i := range c.Writes.Echoes {
		switch b := &c.Writes.Echoes[i]; {
		case b.Object != b.Key || b.Verb == "create":
		case created[b.resource()]:
			children = append(children, b.resource())
		default:
			parents = append(parents, b.resource())
		}
	}
	if len(parents) == 0 {
		parents = children
	}
	slices.Sort(parents)
	if parents = slices.Compact(parents); len(parents) != 1 {
		return ""
	}
	return parents[0]
}

// resource returns a write's resource without its subresource.
func (b *Echo) resource() string { return trace.Qualified(b.kind, b.group) }

// guarding is a guard that looks at the reconciles of a controller.
type guarding struct {
	*rule
	controller string
	ended      int64            // when the recording did
	changed    map[int64]bool   // the reconciles that would have read something else, or may have, by their ids
	lost       map[string]int64 // by key: when the last create or delete was sent that has no answer
	waits      []int64
	sum        Guard
}

// noted reports whether the guard takes note of a write, as far as a later reconcile of the key is concerned.
func (k *guarding) noted(b *Echo, x *run) bool {
	return (!k.lists || slices.Contains(x.created, b.resource())) && k.notes(b, b.Object == b.Key && b.resource() == k.controller)
}

// judge adds the guard's answers to the other guards'.
func (k *guarding) judge(g *Guarded, c *Controller) {
	k.sum.Name = k.name
	held, runs := map[int64]Answer{}, map[int64]*run{} // by reconcile
	for _, x := range c.runs {
		if len(x.unseen) > 0 {
			runs[x.ID], held[x.ID] = x, k.answer(x)
		}
		if k.lists && len(x.created) > 0 {
			k.sum.Requests++
		}
		k.lost[x.Key] = max(k.lost[x.Key], x.lost)
	}
	for i := range g.Stale {
		s := &g.Stale[i]
		a := held[s.Reconcile].withoutEstimate()
		s.Answers = append(s.Answers, a)
		k.sum.Stale.add(a.Helps)
		switch {
		case a.Never:
			k.sum.Never++
		case a.Wait > 0:
			k.waits = append(k.waits, a.Wait)
		}
	}
	for i := range g.Duplicates {
		d := &g.Duplicates[i]
		a := k.duplicate(runs[d.Reconcile], &c.Duplicates[i], held[d.Reconcile]).withoutEstimate()
		d.Answers = append(d.Answers, a)
		k.sum.Duplicates.add(a.Helps)
	}
	if slices.Sort(k.waits); len(k.waits) > 0 {
		n := len(k.waits)
		k.sum.Held, k.sum.Median, k.sum.P99, k.sum.Longest = int64(n), k.waits[(n-1)/2], k.waits[(n*99-1)/100], k.waits[n-1]
	}
	g.Guards = append(g.Guards, k.sum)
}

// soon stands for how long the informer took to put into its cache what had come over the wire before a reconcile began. Nobody knows it.
const soon = 1

// arrival returns when the cache got a write that it lacked when the reconcile began, 0 for never.
func (x *run) arrival(b *Echo) int64 {
	if b.Received == 0 {
		return 0
	}
	return max(b.Received, x.Began+soon)
}

// withoutEstimate returns an answer without a wait that nobody knows.
func (a Answer) withoutEstimate() Answer {
	if a.Wait == soon {
		a.Wait = 0
	}
	return a
}

// answer reports whether the guard would have kept a reconcile from reading without its key's writes that the
// cache lacked.
func (k *guarding) answer(x *run) (a Answer) {
	until, n, doubtful, counted := int64(0), 0, false, false
	for _, b := range x.unseen {
		switch {
		case b.lost && k.noted(b, x) && k.lists:
			k.changed[x.ID] = true
			continue
		case b.Answered > x.Began || b.lost:
			continue
		case k.changed[b.Reconcile]:
			doubtful = doubtful || !k.noted(b, x)
			k.changed[x.ID] = true
		case k.end(b, x) != 0:
			until = max(until, k.end(b, x))
			k.changed[x.ID] = true
		}
		n++
		counted = counted || k.counts && k.noted(b, x)
	}
	if lost := k.lost[x.Key]; counted && lost != 0 && x.Began-lost <= k.limit {
		return Answer{Helps: Unknown, early: true}
	}
	switch {
	case k.reads:
	case until == never:
		a.Never = true
	case until != 0:
		a.Wait = until - x.Began
	}
	lacksOn := slices.ContainsFunc(x.unseen, func(b *Echo) bool {
		return b.Answered <= x.Began && !b.lost && !k.changed[b.Reconcile] && !k.helps(b, x, until)
	})
	switch {
	case n == 0 || lacksOn:
		a.Helps = No
	case doubtful:
		a.Helps = Unknown
	default:
		a.Helps = Yes
	}
	return a
}

// never is later than all that was recorded.
const never = int64(1) << 62

// end returns until when the guard would have held a reconcile back for a write that the cache lacked when that began, never
// where the recording doesn't have it, and 0 for not at all. A note that is too old holds nothing back.
func (k *guarding) end(b *Echo, x *run) int64 {
	if !k.noted(b, x) || k.limit != 0 && x.Began-b.Sent > k.limit {
		return 0
	}
	if end := b.Sent + k.limit; k.limit != 0 && !k.reads && end <= k.ended && (b.Received == 0 || b.Received > end) {
		return end
	}
	return cmp.Or(x.arrival(b), never)
}

// helps reports whether a reconcile that was held back until then has read a write that the cache lacked when it began.
func (k *guarding) helps(b *Echo, x *run, until int64) bool {
	if k.reads {
		return k.end(b, x) != 0
	}
	return b.Received != 0 && x.arrival(b) <= until || until == never && k.end(b, x) == never
}

// duplicate reports whether the guard would have kept a reconcile from creating an object a second time.
func (k *guarding) duplicate(x *run, d *Duplicate, held Answer) Answer {
	first := x.unseen[slices.IndexFunc(x.unseen, func(b *Echo) bool { return b.Verb == "create" && b.Object == d.First && b.lost == d.Lost })]
	until := x.Began + held.Wait
	if held.Never {
		until = never
	}
	a := Answer{Helps: No, Wait: held.Wait, Never: held.Never}
	switch noted := !first.lost && k.end(first, x) != 0; {
	case k.lists && first.lost && (first.Received == 0 || first.Received > d.Time):
		a.Helps = Unknown // the API server may not have had it yet
	case held.early:
		a.Helps = Unknown
	case k.lists, held.Never, noted && (k.reads || k.changed[first.Reconcile]), first.Received != 0 && x.arrival(first) <= until:
		a.Helps = Yes
	case k.changed[first.Reconcile], held.Helps == Unknown:
		a.Helps = Unknown
	}
	return a
}
