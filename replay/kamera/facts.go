package kamera

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// pair is a key in the queue of a controller.
type pair struct{ controller, key string }

// write is one write of a path, or an object that was there before it.
type write struct {
	thing
	op     string
	step   int // -1 for what was there before
	seq    int64
	hashes [2]hash
	object *manifest
	queues []pair // the keys that its event brings into queues
}

func (w *write) removes() bool { return w.op == "REMOVE" }

// step is one reconcile.
type step struct {
	controller string
	key        string
	returns    bool         // its key came back: the reconcile failed, or asked for that
	view       map[kind]int // of how many writes of each kind it had heard; without kinds that it did not read
	wrong      string       // why no informer ever had that view
}

// facts are what a path says.
type facts struct {
	steps    []step
	before   []write          // what was there, and puts no key into a queue
	writes   map[kind][]write // all others
	order    []kindAt         // in which they come
	primary  map[string]kind  // what each controller reconciles
	unknown  map[pair]bool    // keys that came into a queue by nothing that the dump tells
	observed bool             // the dump has what was read
	reads    map[reader]bool
}

// reader is a controller that reads a kind in some step.
type reader struct {
	controller string
	kind       kind
}

// kindAt names a write by its number among those of its kind.
type kindAt struct {
	kind kind
	at   int
}

// servers are what kamera calls its models of the API server, and of its user. They have no queue.
var servers = []string{"External User", "CleanupReconciler", "GarbageCollectorController"}

func isServer(controller string) bool { return slices.Contains(servers, controller) }

// factsOf works out what a path says.
func (d *Dump) factsOf(p *path) *facts {
	f := &facts{writes: map[kind][]write{}, primary: map[string]kind{}, unknown: map[pair]bool{}, reads: map[reader]bool{}}
	for _, r := range p.results {
		for _, o := range r.Changes.Observations {
			f.observed, f.reads[reader{r.ControllerID, d.thing(o.Key, o.Version).kind}] = true, true
		}
	}
	perStep, keys := d.effects(p), d.keys(p)
	f.learn(p, perStep, keys)
	seen := f.begin(d, p, perStep[0], keys)
	for i, r := range p.results {
		f.attribute(r, perStep[i], seen, pair{r.ControllerID, keys[i]})
		for _, w := range perStep[i] {
			f.add(w)
		}
		seen = pairsOf(r)
	}
	for i, r := range p.results {
		s := step{controller: r.ControllerID, key: keys[i]}
		own := pair{s.controller, s.key}
		s.returns = r.Error != "" || slices.ContainsFunc(r.PendingReconciles, func(q pending) bool {
			return q.pair() == own && strings.Contains(q.Source, "Requeue")
		})
		if !isServer(s.controller) {
			f.look(d, r, i, &s)
		}
		f.steps = append(f.steps, s)
	}
	return f
}

func (f *facts) add(w write) {
	f.order = append(f.order, kindAt{w.kind, len(f.writes[w.kind])})
	f.writes[w.kind] = append(f.writes[w.kind], w)
}

func (q pending) pair() pair { return pair{q.ReconcilerID, keyText(q.Namespace, q.Name)} }

func pairsOf(r *result) map[pair]bool {
	all := map[pair]bool{}
	for _, q := range r.PendingReconciles {
		all[q.pair()] = true
	}
	return all
}

// effects are the writes of each step. Their numbers go on from those of what was there before.
func (d *Dump) effects(p *path) [][]write {
	last := int64(0)
	for _, n := range p.results[0].KindSeqBefore {
		last = max(last, n)
	}
	all := make([][]write, len(p.results))
	for i, r := range p.results {
		for _, e := range r.Changes.Effects {
			if e.OpType == "GET" || e.OpType == "LIST" {
				continue
			}
			last++
			w := write{thing: d.thing(e.Key, e.Version), op: e.OpType, step: i, seq: last, hashes: [2]hash{e.Version}, object: d.objects[e.Version]}
			for _, v := range r.Changes.ObjectVersions {
				if d.thing(v.Key, v.Hash) == w.thing {
					w.hashes[1] = v.Hash
				}
			}
			all[i] = append(all[i], w)
		}
	}
	return all
}

// keys are what each step reconciles. A dump does not say that: it is a key of the controller that was pending before
// the step, and usually not afterwards.
func (d *Dump) keys(p *path) []string {
	all := make([]string, len(p.results))
	for i, r := range p.results {
		if isServer(r.ControllerID) {
			continue
		}
		var could []string
		if i > 0 {
			for _, q := range p.results[i-1].PendingReconciles {
				if q.ReconcilerID == r.ControllerID {
					could = append(could, q.pair().key)
				}
			}
		}
		after := pairsOf(r)
		if gone := slices.DeleteFunc(slices.Clone(could), func(k string) bool { return after[pair{r.ControllerID, k}] }); len(gone) > 0 {
			could = gone
		}
		all[i] = d.likeliest(r, could)
	}
	return all
}

// likeliest is the key among those that a reconcile could be of that it has also read or written; the first one if that
// is none. Without keys it is what the reconcile read first, or wrote.
func (d *Dump) likeliest(r *result, could []string) string {
	if len(could) == 1 {
		return could[0]
	}
	for _, e := range slices.Concat(r.Changes.Observations, r.Changes.Effects) {
		if k := d.thing(e.Key, e.Version).key; len(could) == 0 || slices.Contains(could, k) {
			return k
		}
	}
	if len(could) > 0 {
		return could[0]
	}
	for _, v := range r.StateBefore {
		return d.thing(v.Key, v.Hash).key
	}
	return ""
}

// learn finds the kind whose objects a controller reconciles: a write of such an object makes the object's key pending.
func (f *facts) learn(p *path, perStep [][]write, keys []string) {
	counts := map[string]map[kind]int{}
	seen := map[pair]bool{}
	for i, r := range p.results {
		now := pairsOf(r)
		for q := range now {
			for _, w := range perStep[i] {
				if w.key == q.key && (i == 0 || !seen[q] || q == pair{r.ControllerID, keys[i]}) {
					if counts[q.controller] == nil {
						counts[q.controller] = map[kind]int{}
					}
					counts[q.controller][w.kind]++
				}
			}
		}
		seen = now
	}
	for c, kinds := range counts {
		most := 0
		for k, n := range kinds {
			if best := f.primary[c]; n > most || n == most && k.String() < best.String() {
				f.primary[c], most = k, n
			}
		}
	}
}

// explains reports whether the event of a write brings a key into a queue: it is the object's own key, or its owner's.
func (f *facts) explains(w *write, q pair) bool {
	of, known := f.primary[q.controller]
	if known && of == w.kind && w.key == q.key {
		return true
	}
	if w.object == nil {
		return false
	}
	namespace, _, namespaced := strings.Cut(w.key, "/")
	if !namespaced {
		namespace = ""
	}
	for _, o := range w.object.Metadata.OwnerReferences {
		if keyText(namespace, o.Name) == q.key && (!known || kindOf(o.APIVersion, o.Kind) == of) {
			return true
		}
	}
	return false
}

// begin takes in what was there before the first step. An object that has put a key into a queue comes as a write, in the
// order in which the path reconciles these keys: a dump does not say in which they came. It returns what was pending.
func (f *facts) begin(d *Dump, p *path, writes []write, keys []string) map[pair]bool {
	for _, v := range p.results[0].StateBefore {
		f.before = append(f.before, write{thing: d.thing(v.Key, v.Hash), op: "CREATE", step: -1, hashes: [2]hash{v.Hash}, object: d.objects[v.Hash]})
	}
	first := map[pair]bool{}
	own := pair{p.results[0].ControllerID, keys[0]}
	for q := range pairsOf(p.results[0]) {
		if q != own && !slices.ContainsFunc(writes, func(w write) bool { return f.explains(&w, q) }) {
			first[q] = true
		}
	}
	if !isServer(own.controller) {
		first[own] = true
	}
	took := func(q pair) int {
		for i, r := range p.results {
			if q == (pair{r.ControllerID, keys[i]}) {
				return i
			}
		}
		return len(keys)
	}
	inOrder := slices.SortedFunc(maps.Keys(first), func(a, b pair) int {
		return cmp.Or(cmp.Compare(took(a), took(b)), strings.Compare(a.controller, b.controller), strings.Compare(a.key, b.key))
	})
	var came []*write
	for _, q := range inOrder {
		w := f.source(q)
		switch {
		case w == nil && q == own:
			f.unknown[q] = true
		case w == nil:
			delete(first, q) // a write of the first step has brought it
		default:
			if len(w.queues) == 0 {
				came = append(came, w)
			}
			w.queues = append(w.queues, q)
		}
	}
	for _, w := range came {
		f.add(*w)
	}
	f.before = slices.DeleteFunc(f.before, func(w write) bool { return len(w.queues) > 0 })
	return first
}

// source is the object that was there before and has put a key into a queue, nil if there is none.
func (f *facts) source(q pair) *write {
	of, known := f.primary[q.controller]
	for i := range f.before {
		if w := &f.before[i]; w.key == q.key && (!known || w.kind == of) {
			f.primary[q.controller] = w.kind
			return w
		}
	}
	for i := range f.before {
		if w := &f.before[i]; f.explains(w, q) {
			return w
		}
	}
	return nil
}

// attribute says which write of a step has brought which key into a queue. A key that nothing else explains was mapped
// from the last write.
func (f *facts) attribute(r *result, writes []write, seen map[pair]bool, own pair) {
	for _, p := range r.PendingReconciles {
		q, found := p.pair(), false
		if isServer(q.controller) || strings.Contains(p.Source, "Requeue") {
			continue
		}
		for i := range writes {
			if f.explains(&writes[i], q) {
				writes[i].queues, found = append(writes[i].queues, q), true
			}
		}
		if found || seen[q] && q != own {
			continue
		}
		if len(writes) == 0 || p.Source == "Async Enqueue" {
			f.unknown[q] = true
			continue
		}
		last := &writes[len(writes)-1]
		last.queues = append(last.queues, q)
	}
}
